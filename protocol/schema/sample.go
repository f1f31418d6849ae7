package schema

import (
	"fmt"
	"math/big"
	"mcploupe/protocol/jsonvalue"
	"regexp/syntax"
	"strings"
	"unicode"
)

// numbers lists numbers near the bounds.
func (v *view) numbers(vary int) []*jsonvalue.Value {
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
	var out []*jsonvalue.Value
	for i := range 4 {
		r := new(big.Rat).Add(start, new(big.Rat).Mul(step, big.NewRat(int64(vary+i), 1)))
		out = append(out, ratDatum(r))
	}
	for _, l := range []*limit{low, high} {
		if l != nil {
			out = append(out, jsonvalue.Number(l.lit))
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
	if l.value.Magnitude() > 400 || l.value.Magnitude() < -400 || len(l.lit) > 400 {
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

func ratDatum(r *big.Rat) *jsonvalue.Value {
	if r.IsInt() {
		return jsonvalue.Number(r.Num().String())
	}
	return jsonvalue.Number(strings.TrimRight(r.FloatString(40), "0"))
}

// texts lists texts for formats, patterns and lengths.
func (v *view) texts(vary int) []*jsonvalue.Value {
	least, most := 0, -1
	var out []*jsonvalue.Value
	add := func(s string) {
		out = append(out, jsonvalue.String(s))
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
