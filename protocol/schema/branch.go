package schema

import (
	"mcploupe/protocol/jsonvalue"
	"strconv"
	"strings"
)

// branch takes in a oneOf or anyOf.
func (w *flattener) branch(p *part, keyword string, list []*part, from origin) {
	if len(list) == 0 {
		return
	}
	var live []int
	hasNull := false
	for i, c := range list {
		if c.onlyNull() {
			hasNull = true
			continue
		}
		live = append(live, i)
	}
	if hasNull {
		w.sawNull = true
	} else {
		w.nullThrough(list)
	}
	// What a branch says about null does not bind the others.
	noNull := w.noNull
	defer func() { w.noNull = noNull }()
	switch {
	case len(live) == 0:
		w.types = meet(w.types, tNull)
		return
	case len(live) == 1:
		w.add(list[live[0]], max(from, originRef))
		return
	}
	if choices := mergeChoices(list, live); choices != nil {
		sawNull := w.sawNull
		w.choose(choices)
		w.sawNull = sawNull
		return
	}
	shapes := false
	for _, i := range live {
		shapes = shapes || list[i].shapes(0)
	}
	if !shapes {
		return // such as anyOf of required: a rule to check, nothing to pick
	}
	g := group{key: pickKey{p, keyword}, branches: live}
	for n, i := range live {
		g.titles = append(g.titles, list[i].branchTitle(n))
	}
	g.picked = w.pick(g, list)
	w.v.groups = append(w.v.groups, g)
	w.add(list[live[g.picked]], originBranch)
}

// nullThrough lets null in when one of the branches has it among its types.
func (w *flattener) nullThrough(list []*part) {
	open := false
	for _, c := range list {
		for hops := 0; c.refTo != nil && c.types == 0 && hops < 16; hops++ {
			c = c.refTo
		}
		if c.types&tNull != 0 {
			w.sawNull, open = true, true
		}
		if c.types == 0 && c.constant == nil && c.enum == nil {
			open = true
		}
	}
	if !open {
		w.noNull = true
	}
}

func (n *part) onlyNull() bool {
	for hops := 0; n.refTo != nil && n.types == 0 && hops < 16; hops++ {
		n = n.refTo
	}
	return n.types == tNull || n.constant != nil && n.constant.Kind == 'n'
}

// mergeChoices joins branches that only list constants; nil when one does more.
func mergeChoices(list []*part, live []int) []Choice {
	var out []Choice
	for _, i := range live {
		c := list[i]
		title := c.title
		for hops := 0; c.refTo != nil && hops < 16; hops++ {
			c = c.refTo
		}
		switch {
		case c.shapesObject() || c.items != nil || c.allOf != nil || c.anyOf != nil || c.oneOf != nil || c.ifPart != nil:
			return nil
		case c.constant != nil:
			if title == "" {
				title = c.choiceTitle()
			}
			out = append(out, Choice{Title: title, value: c.constant})
		case c.enum != nil:
			w := flattener{v: &view{}, types: allTypes}
			w.narrow(&part{enum: c.enum, enumNames: c.enumNames, raw: c.raw})
			out = append(out, w.lists[0]...)
		case len(c.sets) == 1:
			for _, p := range c.sets[0].parts {
				out = append(out, Choice{Title: p.choiceTitle(), value: p.constant})
			}
		default:
			return nil
		}
	}
	return out
}

func (n *part) shapesObject() bool {
	return len(n.properties) > 0 || len(n.patterns) > 0 || n.additional != nil
}

// shapes reports whether a branch changes what the form looks like, rather than
// only which values are valid.
func (n *part) shapes(hops int) bool {
	if n == nil || hops > 16 {
		return false
	}
	if n.shapesObject() || n.types != 0 || n.constant != nil || n.enum != nil || n.items != nil || n.prefix != nil ||
		n.sets != nil || n.bad != "" || n.unresolved != "" || n.format != "" {
		return true
	}
	for _, l := range [][]*part{n.allOf, n.anyOf, n.oneOf, {n.refTo}} {
		for _, c := range l {
			if c.shapes(hops + 1) {
				return true
			}
		}
	}
	return false
}

// branchTitle names a branch for the picker.
func (n *part) branchTitle(i int) string {
	ref := ""
	for hops := 0; hops < 16; hops++ {
		if n.title != "" {
			return n.title
		}
		if n.refTo == nil {
			break
		}
		ref = n.refTo.ptr[strings.LastIndexByte(n.refTo.ptr, '/')+1:]
		n = n.refTo
	}
	if ref != "" && !isIndex(ref) {
		return jsonvalue.UnescapeToken(ref)
	}
	for _, p := range n.properties {
		if c := p.part.constant; c != nil {
			return plainText(c)
		}
	}
	switch {
	case n.constant != nil || n.enum != nil:
		return n.brief()
	case len(n.properties) > 0:
		names := make([]string, 0, 3)
		for _, p := range n.properties[:min(3, len(n.properties))] {
			names = append(names, p.name)
		}
		return "with " + strings.Join(names, ", ")
	case n.types == tArray && n.items != nil && n.items.types != 0:
		return "a list of " + strings.TrimPrefix(strings.TrimPrefix(n.items.types.says(), "a "), "an ")
	case n.format != "":
		return n.format
	case n.types != 0:
		return n.types.says()
	}
	return "choice " + strconv.Itoa(i+1)
}

func isIndex(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// pick says which branch applies: the one that was picked, or the one that the
// present value is meant for, or the first.
func (w *flattener) pick(g group, list []*part) int {
	if i, ok := w.picks[g.key]; ok {
		for at, b := range g.branches {
			if b == i {
				return at
			}
		}
	}
	value, depth, ok := w.value()
	if !ok || value == nil {
		return 0
	}
	at := w.meant(g, list, value, depth)
	if w.learned != nil {
		w.learned[g.key] = g.branches[at]
	}
	return at
}

// meant finds the branch a value fits, or else the one whose type and
// discriminators it has.
func (w *flattener) meant(g group, list []*part, value any, depth int) int {
	for at, i := range g.branches {
		if w.schema.accepts(list[i], value, depth, w.steps) {
			return at
		}
	}
	best, score := 0, -1
	for at, i := range g.branches {
		if s := list[i].likeness(value); s > score {
			best, score = at, s
		}
	}
	return best
}

// likeness counts what speaks for a branch that does not accept the value.
func (n *part) likeness(value any) int {
	for hops := 0; n.refTo != nil && hops < 16; hops++ {
		n = n.refTo
	}
	score := 0
	if n.types == 0 || n.types.admits(plainType(value)) {
		score++
	}
	m, ok := value.(map[string]any)
	if !ok {
		return score
	}
	for _, p := range n.properties {
		v, has := m[p.name]
		switch {
		case has && p.part.constant != nil && p.part.constant.Key() == string(jsonvalue.AppendKey(nil, v)):
			score += 100
		case has:
			score++
		}
	}
	return score
}
