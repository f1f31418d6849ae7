package schema

import (
	"fmt"
	"mcploupe/protocol/jsonvalue"

	"github.com/go-json-experiment/json/jsontext"
)

// Generate makes a value that the schema accepts, with the required members
// only. It returns nil when it finds none; a schema may have none, and the
// search is bounded.
func Generate(s *Schema) jsontext.Value {
	if s.root == nil || s.unusable != nil {
		return nil
	}
	g := &generator{s: s, left: 20_000, steps: maxSteps / 3}
	d := g.value([]*part{s.root}, 0, 0)
	if d == nil || !g.accepted([]*part{s.root}, d) {
		return nil
	}
	return jsontext.Value(d.Text())
}

// generator searches for values; left bounds how many it tries.
type generator struct {
	s     *Schema
	left  int
	steps int // what is left for checking them
}

const maxGenerateDepth = 24

func (g *generator) accepted(roots []*part, d *jsonvalue.Value) bool {
	v := d.Plain()
	_, depth := d.Count()
	for _, p := range roots {
		if !g.s.accepts(p, v, depth, &g.steps) {
			return false
		}
	}
	return true
}

// value finds a value for the schemas; vary asks for different ones.
func (g *generator) value(roots []*part, vary, depth int) *jsonvalue.Value {
	if depth > maxGenerateDepth || g.left <= 0 || g.steps <= 0 {
		return nil
	}
	g.left--
	base := g.view(roots, nil, nil)
	picks := []map[pickKey]int{nil}
	for _, gr := range base.groups {
		for _, b := range gr.branches {
			picks = append(picks, map[pickKey]int{gr.key: b})
		}
	}
	for _, pick := range picks {
		v := g.view(roots, pick, nil)
		for _, c := range g.candidates(v, vary, depth) {
			if g.accepted(roots, c) {
				return c
			}
			// Conditions may ask for more once there is a value.
			if again := g.view(roots, pick, c); again.kind == KindObject && again.conditional {
				for _, c := range g.objects(again, vary, depth) {
					if g.accepted(roots, c) {
						return c
					}
				}
			}
		}
	}
	if base.nullable && g.accepted(roots, jsonvalue.Null()) {
		return jsonvalue.Null()
	}
	return nil
}

func (g *generator) view(roots []*part, picks map[pickKey]int, d *jsonvalue.Value) *view {
	w := &flattener{schema: g.s, picks: picks, value: noValue, steps: &g.steps, has: func(name string) bool { return d.Get(name) != nil }}
	if d != nil {
		w.value = func() (any, int, bool) {
			_, depth := d.Count()
			return d.Plain(), depth, true
		}
	}
	return w.flatten(roots)
}

// candidates lists values worth trying, the likeliest first.
func (g *generator) candidates(v *view, vary, depth int) []*jsonvalue.Value {
	var out []*jsonvalue.Value
	if vary == 0 {
		for _, p := range v.parts {
			if p.fallback != nil {
				out = append(out, p.fallback)
			}
			out = append(out, p.examples...)
		}
	}
	switch v.kind {
	case KindSelect, KindConst:
		for i := range min(len(v.choices), 64) {
			out = append(out, v.choices[(i+vary)%len(v.choices)].value)
		}
	case KindBoolean:
		out = append(out, jsonvalue.Bool(vary%2 == 1), jsonvalue.Bool(vary%2 == 0))
	case KindNumber, KindInteger:
		out = append(out, v.numbers(vary)...)
	case KindText:
		out = append(out, v.texts(vary)...)
	case KindObject, KindMap:
		out = append(out, g.objects(v, vary, depth)...)
	case KindArray, KindTuple, KindMultiSelect:
		out = append(out, g.list(v, depth)...)
	default:
		out = append(out, &jsonvalue.Value{Kind: '{'}, jsonvalue.String("text"+suffix(vary)), jsonvalue.Number(fmt.Sprint(1+vary)), jsonvalue.Bool(true), &jsonvalue.Value{Kind: '['})
	}
	return out
}

func suffix(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

// objects builds objects with the required members; then with what the branches
// of rules such as anyOf-of-required ask for; then with every member.
func (g *generator) objects(v *view, vary, depth int) []*jsonvalue.Value {
	var required, all []string
	for _, d := range v.declared {
		all = append(all, d.name)
		if d.required {
			required = append(required, d.name)
		}
	}
	sets := [][]string{required}
	for _, p := range v.parts {
		for _, list := range [][]*part{p.anyOf, p.oneOf} {
			for _, b := range list {
				if len(b.required) > 0 {
					sets = append(sets, append(append([]string{}, required...), b.required...))
				}
			}
		}
	}
	least := 0
	for _, p := range v.parts {
		least = max(least, p.minProperties)
	}
	sets = append(sets, all)
	var out []*jsonvalue.Value
	for _, names := range sets {
		d := &jsonvalue.Value{Kind: '{'}
		for _, name := range names {
			if !g.member(v, d, name, vary, depth) {
				d = nil
				break
			}
		}
		if d == nil {
			continue
		}
		for i := 0; len(d.Members) < least && i < len(all); i++ {
			g.member(v, d, all[i], vary, depth)
		}
		for i := 0; len(d.Members) < least && i < 2*least; i++ {
			g.member(v, d, v.freeName(i), vary, depth)
		}
		out = append(out, d)
	}
	return out
}

// freeName invents the name of a member that the schema does not name.
func (v *view) freeName(i int) string {
	for _, p := range v.parts {
		names := []*part{p.names}
		if p.names != nil && p.names.refTo != nil {
			names = append(names, p.names.refTo)
		}
		for _, n := range names {
			switch {
			case n == nil:
			case len(n.enum) > i && n.enum[i].Kind == '"':
				return n.enum[i].Str
			case n.pattern != nil:
				if s := matching(n.pattern.source, i); s != "" {
					return s
				}
			}
		}
		if len(p.patterns) > 0 {
			if s := matching(p.patterns[0].pattern.source, i); s != "" {
				return s
			}
		}
	}
	return "key" + suffix(i+1)
}

func (g *generator) member(v *view, d *jsonvalue.Value, name string, vary, depth int) bool {
	if d.Get(name) != nil {
		return true
	}
	roots, _ := v.memberParts(name)
	c := g.value(roots, vary, depth+1)
	if c == nil {
		return false
	}
	d.Members = append(d.Members, jsonvalue.Member{Name: name, Lit: jsonvalue.Quote(name), Value: c})
	return true
}

// list builds lists of the least length.
func (g *generator) list(v *view, depth int) []*jsonvalue.Value {
	least, unique := 0, false
	d := &jsonvalue.Value{Kind: '['}
	for _, p := range v.parts {
		least = max(least, p.minItems)
		unique = unique || p.unique
		if p.contains != nil {
			for i := range max(1, p.minContains) {
				if c := g.value([]*part{p.contains}, i, depth+1); c != nil {
					d.Items = append(d.Items, c)
				}
			}
		}
	}
	if v.places > 0 {
		d.Items = nil
		least = max(least, v.places)
	}
	const most = 1000
	for i := len(d.Items); i < min(least, most); i++ {
		vary := 0
		if unique {
			vary = i
		}
		c := g.value(v.itemParts(i), vary, depth+1)
		if c == nil {
			break
		}
		d.Items = append(d.Items, c)
	}
	return []*jsonvalue.Value{{Kind: '['}, d}
}
