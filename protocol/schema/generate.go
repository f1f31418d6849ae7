package schema

import (
	"fmt"
	"math/big"
	"regexp/syntax"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"
)

// Generate makes a value that the schema accepts, with the required members
// only. It returns nil when it finds none; a schema may have none, and the
// search is bounded.
func Generate(s *Schema) jsontext.Value {
	if s.root == nil || s.unusable != nil {
		return nil
	}
	g := &generator{s: s, left: 20_000}
	d := g.value([]*part{s.root}, 0, 0)
	if d == nil || !g.accepted([]*part{s.root}, d) {
		return nil
	}
	return jsontext.Value(d.text())
}

// generator searches for values; left bounds how many it tries.
type generator struct {
	s    *Schema
	left int
}

const maxGenerateDepth = 24

func (g *generator) accepted(roots []*part, d *datum) bool {
	v := d.plain()
	nodes, _ := d.size()
	for _, p := range roots {
		if !g.s.accepts(p, v, nodes) {
			return false
		}
	}
	return true
}

// value finds a value for the schemas; vary asks for different ones.
func (g *generator) value(roots []*part, vary, depth int) *datum {
	if depth > maxGenerateDepth || g.left <= 0 {
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
	if base.nullable && g.accepted(roots, nullDatum()) {
		return nullDatum()
	}
	return nil
}

func (g *generator) view(roots []*part, picks map[pickKey]int, d *datum) *view {
	w := &flattener{schema: g.s, picks: picks, value: noValue, has: func(name string) bool { return d.get(name) != nil }}
	if d != nil {
		w.value = func() (any, int, bool) {
			n, _ := d.size()
			return d.plain(), n, true
		}
	}
	return w.flatten(roots)
}

// candidates lists values worth trying, the likeliest first.
func (g *generator) candidates(v *view, vary, depth int) []*datum {
	var out []*datum
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
		out = append(out, boolDatum(vary%2 == 1), boolDatum(vary%2 == 0))
	case KindNumber, KindInteger:
		out = append(out, v.numbers(vary)...)
	case KindText:
		out = append(out, v.texts(vary)...)
	case KindObject, KindMap:
		out = append(out, g.objects(v, vary, depth)...)
	case KindArray, KindTuple, KindMultiSelect:
		out = append(out, g.list(v, depth)...)
	default:
		out = append(out, &datum{kind: '{'}, stringDatum("text"+suffix(vary)), numberDatum(fmt.Sprint(1+vary)), boolDatum(true), &datum{kind: '['})
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
func (g *generator) objects(v *view, vary, depth int) []*datum {
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
	var out []*datum
	for _, names := range sets {
		d := &datum{kind: '{'}
		for _, name := range names {
			if !g.member(v, d, name, vary, depth) {
				d = nil
				break
			}
		}
		if d == nil {
			continue
		}
		for i := 0; len(d.members) < least && i < len(all); i++ {
			g.member(v, d, all[i], vary, depth)
		}
		for i := 0; len(d.members) < least && i < 2*least; i++ {
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
			case len(n.enum) > i && n.enum[i].kind == '"':
				return n.enum[i].str
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

func (g *generator) member(v *view, d *datum, name string, vary, depth int) bool {
	if d.get(name) != nil {
		return true
	}
	roots, _ := v.memberParts(name)
	c := g.value(roots, vary, depth+1)
	if c == nil {
		return false
	}
	d.members = append(d.members, member{name, quote(name), c})
	return true
}

// list builds lists of the least length.
func (g *generator) list(v *view, depth int) []*datum {
	least, unique := 0, false
	d := &datum{kind: '['}
	for _, p := range v.parts {
		least = max(least, p.minItems)
		unique = unique || p.unique
		if p.contains != nil {
			for i := range max(1, p.minContains) {
				if c := g.value([]*part{p.contains}, i, depth+1); c != nil {
					d.items = append(d.items, c)
				}
			}
		}
	}
	if v.places > 0 {
		d.items = nil
		least = max(least, v.places)
	}
	const most = 1000
	for i := len(d.items); i < min(least, most); i++ {
		vary := 0
		if unique {
			vary = i
		}
		c := g.value(v.itemParts(i), vary, depth+1)
		if c == nil {
			break
		}
		d.items = append(d.items, c)
	}
	return []*datum{{kind: '['}, d}
}

// numbers lists numbers near the bounds.
func (v *view) numbers(vary int) []*datum {
	var low, high *limit
	step := big.NewRat(1, 1)
	for _, p := range v.parts {
		low = tighter(low, p.minimum, 1)
		high = tighter(high, p.maximum, -1)
		if p.multipleOf != nil {
			if m, ok := p.multipleOf.rat(); ok {
				step = m
			}
		}
	}
	start := new(big.Rat)
	if low != nil {
		if r, ok := low.rat(); ok {
			start = ceil(r, step)
		}
	} else if high != nil {
		if r, ok := high.rat(); ok && r.Sign() < 0 {
			start = ceil(new(big.Rat).Sub(r, new(big.Rat).Mul(step, big.NewRat(int64(vary)+2, 1))), step)
		}
	}
	var out []*datum
	for i := range 4 {
		r := new(big.Rat).Add(start, new(big.Rat).Mul(step, big.NewRat(int64(vary+i), 1)))
		out = append(out, ratDatum(r))
	}
	for _, l := range []*limit{low, high} {
		if l != nil {
			out = append(out, numberDatum(l.lit))
		}
	}
	if low != nil && high != nil {
		a, ok := low.rat()
		b, ok2 := high.rat()
		if ok && ok2 {
			out = append(out, ratDatum(new(big.Rat).Quo(new(big.Rat).Add(a, b), big.NewRat(2, 1))))
		}
	}
	return out
}

// rat converts bounds of a sensible size.
func (l *limit) rat() (*big.Rat, bool) {
	if l.value.exp > 400 || l.value.exp < -400 || len(l.lit) > 400 {
		return nil, false
	}
	return new(big.Rat).SetString(l.lit)
}

// ceil is the least multiple of step that is not below r.
func ceil(r, step *big.Rat) *big.Rat {
	q := new(big.Rat).Quo(r, step)
	n := new(big.Int)
	m := new(big.Int)
	n.DivMod(q.Num(), q.Denom(), m)
	if m.Sign() != 0 {
		n.Add(n, big.NewInt(1))
	}
	return new(big.Rat).Mul(new(big.Rat).SetInt(n), step)
}

func ratDatum(r *big.Rat) *datum {
	if r.IsInt() {
		return numberDatum(r.Num().String())
	}
	return numberDatum(strings.TrimRight(r.FloatString(40), "0"))
}

// texts lists texts for formats, patterns and lengths.
func (v *view) texts(vary int) []*datum {
	least, most := 0, -1
	var out []*datum
	add := func(s string) {
		out = append(out, stringDatum(s))
	}
	for _, p := range v.parts {
		least = max(least, p.minLength)
		if p.maxLength >= 0 && (most < 0 || p.maxLength < most) {
			most = p.maxLength
		}
	}
	for _, p := range v.parts {
		if rule, ok := formats[p.format]; ok {
			add(varied(p.format, rule.sample, vary))
		}
		if p.pattern != nil {
			for _, repeat := range []int{0, 1, 2, 4, 8, 16, least} {
				add(matching(p.pattern.source, repeat+vary))
			}
		}
	}
	s := "text" + suffix(vary)
	if n := len(s); n < least {
		s += strings.Repeat("x", min(least-n, 1<<20))
	}
	if most >= 0 && len(s) > most {
		s = s[len(s)-most:]
	}
	add(s)
	return out
}

// varied changes a sample so that several differ.
func varied(format, sample string, vary int) string {
	if vary == 0 {
		return sample
	}
	switch format {
	case "email", "idn-email":
		return fmt.Sprintf("name%d@example.com", vary)
	case "date":
		return fmt.Sprintf("2026-11-%02d", 1+vary%28)
	case "uri", "url", "iri", "uri-reference", "iri-reference":
		return fmt.Sprintf("%s/%d", sample, vary)
	}
	return sample
}

// matching makes a text for a pattern; repeat says how often to take what may
// repeat. It returns "" when the pattern is not supported.
func matching(source string, repeat int) string {
	text, err := translatePattern(source)
	if err != nil {
		return ""
	}
	re, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return ""
	}
	var b strings.Builder
	writeMatch(&b, re, repeat)
	return b.String()
}

func writeMatch(b *strings.Builder, re *syntax.Regexp, repeat int) {
	const most = 1 << 16
	times := func(n int) {
		for range n {
			if b.Len() < most {
				writeMatch(b, re.Sub[0], repeat)
			}
		}
	}
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		b.WriteRune(classRune(re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte('a')
	case syntax.OpCapture, syntax.OpConcat:
		for _, s := range re.Sub {
			writeMatch(b, s, repeat)
		}
	case syntax.OpAlternate:
		writeMatch(b, re.Sub[0], repeat)
	case syntax.OpStar:
		times(repeat)
	case syntax.OpPlus:
		times(max(1, repeat))
	case syntax.OpQuest:
		times(min(1, repeat))
	case syntax.OpRepeat:
		n := max(re.Min, repeat)
		if re.Max >= 0 {
			n = min(n, re.Max)
		}
		times(n)
	}
}

// classRune picks a readable character of a class.
func classRune(ranges []rune) rune {
	for _, want := range "a1A0_-bz9 " {
		for i := 0; i+1 < len(ranges); i += 2 {
			if want >= ranges[i] && want <= ranges[i+1] {
				return want
			}
		}
	}
	for i := 0; i+1 < len(ranges); i += 2 {
		for r := ranges[i]; r <= ranges[i+1] && r < ranges[i]+128; r++ {
			if unicode.IsPrint(r) {
				return r
			}
		}
	}
	if len(ranges) > 0 {
		return ranges[0]
	}
	return 'a'
}
