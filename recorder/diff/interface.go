package diff

import (
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol/jsonvalue"
)

// Surface is all that a server says of what it offers: its answers as they
// came.
type Surface struct {
	Revision     string         // spoken, "" if unknown
	Supported    []string       // revisions that the server names, nil if it does not
	ServerInfo   jsontext.Value // nil if unknown, like the next two
	Capabilities jsontext.Value
	Instructions jsontext.Value // a JSON string
	Tools        List
	Resources    List
	Templates    List
	Prompts      List
}

// List is one listing. One that was never read says nothing of what is there.
type List struct {
	Known bool
	Items []jsontext.Value // definitions in the order of the list
}

// Interfaces compares what two servers offer, the first being the older.
func Interfaces(before, after Surface) Report {
	c := &comparison{}
	c.server(before, after)
	c.list(Tools, "name", before.Tools, after.Tools)
	c.list(Resources, "uri", before.Resources, after.Resources)
	c.list(Templates, "uriTemplate", before.Templates, after.Templates)
	c.list(Prompts, "name", before.Prompts, after.Prompts)
	return c.report
}

// comparison collects a report.
type comparison struct {
	report Report
}

func (c *comparison) add(ch Change) { c.report.Changes = append(c.report.Changes, ch) }

// definition is one entry of a list.
type definition struct {
	name    string
	ordinal int
	val     *jsonvalue.Value
}

// definitions reads the entries of a list, numbered among those of one name.
func definitions(key string, items []jsontext.Value) (all []definition, byID map[definitionID]definition) {
	byID = map[definitionID]definition{}
	seen := map[string]int{}
	for _, raw := range items {
		v, err := jsonvalue.Parse(raw)
		if err != nil {
			v = jsonvalue.Null() // a broken entry has no name; that it is there counts
		}
		d := definition{val: v}
		if name := v.Get(key); name != nil {
			if d.name = name.Str; name.Kind != '"' {
				d.name = name.Text()
			}
		}
		d.ordinal = seen[d.name]
		seen[d.name]++
		all = append(all, d)
		byID[definitionID{d.name, d.ordinal}] = d
	}
	return all, byID
}

type definitionID struct {
	name    string
	ordinal int
}

// list compares the entries of one list by (name, ordinal).
func (c *comparison) list(area Area, key string, before, after List) {
	if !before.Known || !after.Known {
		return
	}
	as, inA := definitions(key, before.Items)
	bs, inB := definitions(key, after.Items)
	var gone, come []definition
	ids := make([]definitionID, 0, len(as)+len(bs))
	for _, d := range as {
		ids = append(ids, definitionID{d.name, d.ordinal})
	}
	for _, d := range bs {
		if _, had := inA[definitionID{d.name, d.ordinal}]; !had {
			ids = append(ids, definitionID{d.name, d.ordinal})
		}
	}
	slices.SortFunc(ids, func(x, y definitionID) int {
		if x.name != y.name {
			if x.name < y.name {
				return -1
			}
			return 1
		}
		return x.ordinal - y.ordinal
	})
	for _, id := range ids {
		a, had := inA[id]
		b, has := inB[id]
		switch {
		case had && has:
			c.definition(area, a, b)
		case had:
			gone = append(gone, a)
			c.add(Change{Verdict: Breaking, Kind: Removed, Area: area, Name: id.name, Ordinal: id.ordinal,
				Rule: string(area) + ".removed", Text: "The " + string(area) + nth(id.ordinal) + " is gone.", Before: text(a.val)})
		default:
			come = append(come, b)
			c.add(Change{Verdict: Compatible, Kind: Added, Area: area, Name: id.name, Ordinal: id.ordinal,
				Rule: string(area) + ".added", Text: "The " + string(area) + nth(id.ordinal) + " is new.", After: text(b.val)})
		}
	}
	c.report.Renames = append(c.report.Renames, renames(area, gone, come)...)
}

func nth(ordinal int) string {
	if ordinal == 0 {
		return ""
	}
	return ", number " + strconv.Itoa(ordinal+1) + " of its name,"
}

// definition compares two definitions of one name.
func (c *comparison) definition(area Area, a, b definition) {
	if a.val.Text() == b.val.Text() {
		return
	}
	put := func(ch Change) {
		ch.Area, ch.Name, ch.Ordinal = area, b.name, b.ordinal
		c.add(ch)
	}
	for _, member := range memberNames(a.val, b.val) {
		before, after := a.val.Get(member), b.val.Get(member)
		switch {
		case area == Tools && member == "inputSchema":
			c.schema(put, before, after, "/inputSchema", input)
		case area == Tools && member == "outputSchema":
			c.schema(put, before, after, "/outputSchema", output)
		case area == Prompts && member == "arguments":
			promptArguments(put, before, after)
		default:
			members(put, area, "", member, before, after)
		}
	}
}

// schema compares the schemas of a tool; a missing input schema takes anything,
// a missing output schema promises nothing.
func (c *comparison) schema(put func(Change), before, after *jsonvalue.Value, pointer string, s sense) {
	switch {
	case s == output && before == nil:
		put(Change{Verdict: Compatible, Kind: Added, Pointer: pointer, Rule: "output.added", Text: "The output has a schema now.", After: text(after)})
		return
	case s == output && after == nil:
		put(Change{Verdict: Breaking, Kind: Removed, Pointer: pointer, Rule: "output.removed", Text: "The output has no schema any more.", Before: text(before)})
		return
	}
	if before == nil {
		before = jsonvalue.Bool(true)
	}
	if after == nil {
		after = jsonvalue.Bool(true)
	}
	changes, cut := schemas(before, after, pointer, s)
	for _, ch := range changes {
		put(ch)
	}
	if cut {
		c.report.Cut = "A schema has too many parts to be compared whole; some of its changes may be missing."
	}
}

// memberNames lists the members of both objects, in the order in which a
// person reads them: the second's, then what only the first has.
func memberNames(a, b *jsonvalue.Value) []string {
	var out []string
	for _, v := range []*jsonvalue.Value{b, a} {
		if v == nil {
			continue
		}
		for _, m := range v.Members {
			if !slices.Contains(out, m.Name) {
				out = append(out, m.Name)
			}
		}
	}
	return out
}
