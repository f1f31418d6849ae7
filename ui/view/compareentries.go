package view

import (
	"strings"

	"mcploupe/protocol/jsonvalue"
	"mcploupe/recorder/diff"
	"mcploupe/ui/view/human"
)

// CompareEntry is an entry of an interface on both sides.
type CompareEntry struct {
	Area    diff.Area
	Name    string
	Ordinal int
	A, B    []byte // definitions, nil where there is none
	Changes []int  // in Result.Interface.Changes
	Guess   int    // entry that it may have been renamed to or from, -1 for none
}

// AlignInterface aligns what two servers offer. Source counts the entries, which
// it returns too; headings have the Source -1.
func AlignInterface(c *Comparison) (*Alignment, []CompareEntry) {
	var entries []CompareEntry
	var rows []int // entries, ^area for the heading of one
	report := c.Result.Interface
	for n, l := range []struct {
		area diff.Area
		key  string
		a, b diff.List
	}{
		{diff.Server, "", diff.List{}, diff.List{}},
		{diff.Tools, "name", c.A.Surface.Tools, c.B.Surface.Tools},
		{diff.Resources, "uri", c.A.Surface.Resources, c.B.Surface.Resources},
		{diff.Templates, "uriTemplate", c.A.Surface.Templates, c.B.Surface.Templates},
		{diff.Prompts, "name", c.A.Surface.Prompts, c.B.Surface.Prompts},
	} {
		from := len(entries)
		if l.area != diff.Server && (!l.a.Known || !l.b.Known) {
			continue // what one side does not list may be there: the remarks tell
		}
		if l.area == diff.Server {
			entries = append(entries, CompareEntry{Area: diff.Server, A: aboutServer(c.A.Surface), B: aboutServer(c.B.Surface), Guess: -1})
		} else {
			entries = append(entries, pairEntries(l.area, l.key, l.a, l.b)...)
		}
		if len(entries) == from {
			continue
		}
		rows = append(rows, ^n)
		for i := from; i < len(entries); i++ {
			rows = append(rows, i)
		}
	}
	type id struct {
		area    diff.Area
		name    string
		ordinal int
	}
	place := make(map[id]int, len(entries))
	for i, e := range entries {
		place[id{e.Area, e.Name, e.Ordinal}] = i
	}
	if report != nil {
		for i, ch := range report.Changes {
			at := id{ch.Area, ch.Name, ch.Ordinal}
			if ch.Area == diff.Server {
				at = id{diff.Server, "", 0}
			}
			if e, ok := place[at]; ok {
				entries[e].Changes = append(entries[e].Changes, i)
			}
		}
		for _, n := range report.Renames {
			from, ok := place[id{n.Area, n.From, 0}]
			to, also := place[id{n.Area, n.To, 0}]
			if ok && also {
				entries[from].Guess, entries[to].Guess = to, from
			}
		}
	}
	source := make(map[int]int, len(entries))
	for i, e := range rows {
		if e >= 0 {
			source[e] = i
		}
	}
	a := newAlignment(len(rows), func(i int) PairRow {
		if rows[i] < 0 {
			title := CompareAreas[ServerArea+CompareArea(^rows[i])].Title()
			return PairRow{HeadingRow: true, Source: -1, Other: -1, A: title}
		}
		p := entryPair(entries[rows[i]], report)
		p.Source = rows[i]
		if g := entries[rows[i]].Guess; g >= 0 {
			p.Other = source[g]
		}
		return p
	}, func(i int) bool {
		return rows[i] >= 0 && len(entries[rows[i]].Changes) == 0
	})
	a.source = source
	return a, entries
}

// aboutServer is what a server says of itself, as one object.
func aboutServer(s diff.Surface) []byte {
	b := []byte{'{'}
	put := func(name string, v []byte) {
		if len(v) == 0 {
			return
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(b, jsonvalue.Quote(name)+":"...), v...)
	}
	if s.Revision != "" {
		put("protocolVersion", []byte(jsonvalue.Quote(s.Revision)))
	}
	if s.Supported != nil {
		list := make([]string, len(s.Supported))
		for i, v := range s.Supported {
			list[i] = jsonvalue.Quote(v)
		}
		put("supportedVersions", []byte("["+strings.Join(list, ",")+"]"))
	}
	put("serverInfo", s.ServerInfo)
	put("capabilities", s.Capabilities)
	put("instructions", s.Instructions)
	return append(b, '}')
}

// pairEntries puts the entries of two lists beside each other by name and
// number: those of A in their order, each new one of B after the one before it.
func pairEntries(area diff.Area, key string, a, b diff.List) []CompareEntry {
	type id struct {
		name    string
		ordinal int
	}
	read := func(l diff.List) (ids []id) {
		seen := map[string]int{}
		for _, raw := range l.Items {
			name := memberText(raw, key)
			ids = append(ids, id{name, seen[name]})
			seen[name]++
		}
		return ids
	}
	as, bs := read(a), read(b)
	inB := make(map[id]int, len(bs))
	for j, x := range bs {
		inB[x] = j
	}
	inA := make(map[id]bool, len(as))
	for _, x := range as {
		inA[x] = true
	}
	var out []CompareEntry
	taken := make([]bool, len(bs))
	fresh := func(j int) { // new ones of B from j on
		for ; j < len(bs) && !inA[bs[j]] && !taken[j]; j++ {
			taken[j] = true
			out = append(out, CompareEntry{Area: area, Name: bs[j].name, Ordinal: bs[j].ordinal, B: b.Items[j], Guess: -1})
		}
	}
	fresh(0)
	for i, x := range as {
		e := CompareEntry{Area: area, Name: x.name, Ordinal: x.ordinal, A: a.Items[i], Guess: -1}
		j, has := inB[x]
		if has {
			e.B, taken[j] = b.Items[j], true
		}
		out = append(out, e)
		if has {
			fresh(j + 1)
		}
	}
	return out
}

// memberText is the text of a string member, or the member as it is written.
func memberText(raw []byte, name string) string {
	v, err := jsonvalue.Parse(raw)
	if err != nil {
		return ""
	}
	m := v.Get(name)
	switch {
	case m == nil:
		return ""
	case m.Kind == '"':
		return m.Str
	}
	return m.Text()
}

func entryPair(e CompareEntry, report *diff.Report) PairRow {
	p := PairRow{Other: -1}
	title := entryTitle(e.Area, e.Name, e.Ordinal)
	if e.A != nil {
		p.A = title
	}
	if e.B != nil {
		p.B = title
	}
	var by [diff.Breaking + 1]int
	for _, i := range e.Changes {
		by[report.Changes[i].Verdict]++
	}
	var words []string
	for v := int(diff.Breaking); v >= 0; v-- {
		if by[v] == 0 {
			continue
		}
		word := diff.Verdict(v).String()
		if diff.Verdict(v) == diff.Note && by[v] > 1 {
			word += "s"
		}
		words = append(words, human.Count(by[v])+" "+word)
	}
	switch {
	case e.A == nil:
		p.Kind = PairOnlyB
		words = []string{PairOnlyB.Word()}
	case e.B == nil:
		p.Kind = PairOnlyA
		words = []string{PairOnlyA.Word()}
	case len(e.Changes) > 0:
		p.Kind = PairChanged
	default:
		words = []string{PairSame.Word()}
	}
	if e.Guess >= 0 {
		words = append(words, "renamed?")
	}
	p.Word = strings.Join(words, ", ")
	return p
}
