package diff

import (
	"strconv"
	"strings"
)

// Summary says the outcome in words: "3 tools are new, 1 has lost an argument;
// 38 of 40 exchanges are the same."
func (r Result) Summary() string {
	var parts []string
	if r.Interface != nil {
		parts = append(parts, r.Interface.Summary())
	}
	if r.Conversation != nil {
		parts = append(parts, r.Conversation.Summary())
	}
	if len(parts) == 0 {
		return "There is nothing to compare."
	}
	s := strings.Join(parts, "; ") + "."
	return strings.ToUpper(s[:1]) + s[1:]
}

// Summary says the outcome in words, without a capital and a full stop.
func (r Report) Summary() string {
	if len(r.Changes) == 0 {
		return "the interfaces are the same"
	}
	var parts []string
	for _, area := range []Area{Tools, Resources, Templates, Prompts} {
		parts = append(parts, r.areaWords(area)...)
	}
	if n := r.count(func(c Change) bool { return c.Area == Server }); n > 0 {
		parts = append(parts, strconv.Itoa(n)+" "+plural(n, "change", "changes")+" of the server itself")
	}
	says := strings.Join(parts, ", ")
	switch n := r.Count(Breaking); n {
	case 0:
		return says + " (nothing breaks callers)"
	case 1:
		return says + " (1 change may break callers)"
	default:
		return says + " (" + strconv.Itoa(n) + " changes may break callers)"
	}
}

func (r Report) count(is func(Change) bool) (n int) {
	for _, c := range r.Changes {
		if is(c) {
			n++
		}
	}
	return n
}

// areaWords says what happened to the entries of an area, gravest first.
func (r Report) areaWords(area Area) []string {
	noun := map[Area][2]string{Tools: {"tool", "tools"}, Resources: {"resource", "resources"}, Templates: {"resource template", "resource templates"}, Prompts: {"prompt", "prompts"}}[area]
	groups := []struct {
		is        func(Change) bool
		one, many string
	}{
		{func(c Change) bool { return c.Kind == Removed && c.Rule == string(area)+".removed" }, "is gone", "are gone"},
		{func(c Change) bool { return c.Kind == Added && c.Rule == string(area)+".added" }, "is new", "are new"},
		{func(c Change) bool { return c.Rule == "property.removed" && c.Verdict == Breaking && inInput(c) }, "has lost an argument that callers use", "have lost arguments that callers use"},
		{func(c Change) bool { return c.Rule == "property.added.required" && c.Verdict == Breaking }, "has a new required argument", "have new required arguments"},
		{func(c Change) bool { return c.Verdict == Breaking }, "may break callers in other ways", "may break callers in other ways"},
		{func(c Change) bool { return c.Verdict == Compatible }, "has gained something", "have gained something"},
		{func(c Change) bool { return true }, "has other texts", "have other texts"},
	}
	names := make([]map[string]bool, len(groups))
	for i := range names {
		names[i] = map[string]bool{}
	}
	for _, c := range r.Changes {
		if c.Area != area {
			continue
		}
		for i, g := range groups {
			if g.is(c) {
				names[i][c.Name+"\x00"+strconv.Itoa(c.Ordinal)] = true
				break
			}
		}
	}
	var out []string
	said := map[string]bool{}
	for i, g := range groups {
		n := 0
		for name := range names[i] {
			// An entry is told of once by what breaks; what is lesser is left to the list.
			if i < 4 || !said[name] {
				n++
			}
		}
		for name := range names[i] {
			said[name] = true
		}
		if n == 0 {
			continue
		}
		words := strconv.Itoa(n) + " "
		if len(out) == 0 {
			words += plural(n, noun[0], noun[1]) + " "
		}
		out = append(out, words+plural(n, g.one, g.many))
	}
	return out
}

func inInput(c Change) bool {
	return strings.HasPrefix(c.Pointer, "/inputSchema") || strings.HasPrefix(c.Pointer, "/arguments")
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Summary says the outcome in words, without a capital and a full stop.
func (c *Conversation) Summary() string {
	all := c.Same + c.Different + c.OnlyA + c.OnlyB + c.NotCompared
	var parts []string
	switch {
	case all == 0:
		parts = append(parts, "there are no exchanges")
	case c.Same == all && all == 1:
		parts = append(parts, "the only exchange is the same")
	case c.Same == all:
		parts = append(parts, "all "+strconv.Itoa(all)+" exchanges are the same")
	default:
		parts = append(parts, strconv.Itoa(c.Same)+" of "+strconv.Itoa(all)+" "+plural(all, "exchange", "exchanges")+" "+plural(c.Same, "is", "are")+" the same")
	}
	add := func(n int, one, many string) {
		if n > 0 {
			parts = append(parts, strconv.Itoa(n)+" "+plural(n, one, many))
		}
	}
	add(c.Different, "differs", "differ")
	add(c.OnlyA, "is only in the first", "are only in the first")
	add(c.OnlyB, "is only in the second", "are only in the second")
	add(c.Moved, "has moved", "have moved")
	add(c.NotCompared, "was not compared", "were not compared")
	rest := 0
	for _, r := range c.Rows {
		if r.Lane != Exchanges && r.Lane != PeerLane && (r.Kind != Same || r.Moved) {
			rest++
		}
	}
	add(rest, "notification or stream outside of exchanges differs", "notifications or streams outside of exchanges differ")
	return strings.Join(parts, ", ")
}
