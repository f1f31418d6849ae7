package diff

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"mcploupe/protocol/jsonvalue"
)

// compareBounds compares limits of numbers and counts.
func (d *differ) compareBounds(a, b *node, path string) {
	d.compareBound(a.lower, b.lower, true, a, b, path, "at least ", "more than ")
	d.compareBound(a.upper, b.upper, false, a, b, path, "at most ", "less than ")
	for _, keyword := range slices.Concat(lowerLimits, upperLimits) {
		d.compareBound(limit(a, keyword), limit(b, keyword), slices.Contains(lowerLimits, keyword), a, b, path, keyword+" ", "")
	}
	ma, mb := limit(a, "multipleOf"), limit(b, "multipleOf")
	if ma != nil && mb != nil && ma.num.Cmp(mb.num) != 0 {
		key := "bound.changed"
		switch {
		case mb.num.MultipleOf(ma.num):
			key = "bound.tightened"
		case ma.num.MultipleOf(mb.num):
			key = "bound.loosened"
		}
		d.emit(key, path, "multiples of "+mb.val.Lit, ma.ptr, mb.ptr, ma.val, mb.val)
		return
	}
	d.compareBound(ma, mb, true, a, b, path, "multiples of ", "")
}

func limit(n *node, keyword string) *bound {
	if b, has := n.limits[keyword]; has {
		return &b
	}
	return nil
}

func (d *differ) compareBound(ba, bb *bound, lower bool, a, b *node, path, word, exclusive string) {
	says := func(x *bound) string {
		if x.exclusive {
			return exclusive + x.val.Lit
		}
		return word + x.val.Lit
	}
	switch {
	case ba == nil && bb == nil:
	case ba == nil && bb.ofIntegers():
		d.emit("bound.integers.added", path, says(bb), a.ptr, bb.ptr, nil, bb.val)
	case bb == nil && ba.ofIntegers():
		d.emit("bound.integers.removed", path, says(ba), ba.ptr, b.ptr, ba.val, nil)
	case ba == nil:
		d.emit("bound.tightened", path, says(bb), a.ptr, bb.ptr, nil, bb.val)
	case bb == nil:
		d.emit("bound.loosened", path, says(ba)+" is gone", ba.ptr, b.ptr, ba.val, nil)
	case tighter(bb, ba, lower):
		d.emit("bound.tightened", path, says(bb)+", before "+says(ba), ba.ptr, bb.ptr, ba.val, bb.val)
	case tighter(ba, bb, lower):
		d.emit("bound.loosened", path, says(bb)+", before "+says(ba), ba.ptr, bb.ptr, ba.val, bb.val)
	}
}

// ofIntegers reports whether a limit is that of the integers which a double
// tells apart. Generators of schemas write it for every integer.
func (b *bound) ofIntegers() bool {
	return !b.exclusive && (b.val.Lit == "9007199254740991" || b.val.Lit == "-9007199254740991")
}

// compareTexts compares patterns and formats.
func (d *differ) compareTexts(a, b *node, path string) {
	for _, keyword := range []string{"pattern", "format"} {
		pa, inA := a.texts[keyword]
		pb, inB := b.texts[keyword]
		switch {
		case inB && !inA:
			d.emit(keyword+".added", path, short(pb.val), a.ptr, pb.ptr, nil, pb.val)
		case inA && !inB:
			d.emit(keyword+".removed", path, short(pa.val), pa.ptr, b.ptr, pa.val, nil)
		case inA && pa.val.Key() != pb.val.Key():
			d.emit(keyword+".changed", path, short(pb.val)+" instead of "+short(pa.val), pa.ptr, pb.ptr, pa.val, pb.val)
		}
	}
	pa, inA := a.texts["uniqueItems"]
	pb, inB := b.texts["uniqueItems"]
	switch {
	case inB && !inA:
		d.emit("bound.tightened", path, "items that differ", a.ptr, pb.ptr, nil, pb.val)
	case inA && !inB:
		d.emit("bound.loosened", path, "items may repeat", pa.ptr, b.ptr, pa.val, nil)
	}
}

// compareConditions compares what cannot be merged: it either admits the same
// or is another condition.
func (d *differ) compareConditions(a, b *node, path string) {
	ia, ib := a.single["if"], b.single["if"]
	sameIf := (ia == nil) == (ib == nil) && (ia == nil || d.same(ia, ib))
	for _, keyword := range []string{"not", "if", "then", "else", "contentSchema"} {
		ca, cb := a.single[keyword], b.single[keyword]
		branch := keyword == "then" || keyword == "else"
		switch {
		case ca == nil && cb == nil:
		case branch && (ia == nil && ib == nil): // without "if" they mean nothing
		case branch && sameIf:
			d.compareSub(ca, cb, a, b, path, "\""+keyword+"\"")
		case branch: // said with the "if"
		case ca == nil:
			d.emit("schema.added", path, "\""+keyword+"\"", a.ptr, cb[0].ptr, nil, cb[0].val)
		case cb == nil:
			d.emit("schema.removed", path, "\""+keyword+"\"", ca[0].ptr, b.ptr, ca[0].val, nil)
		case !d.same(ca, cb):
			d.emit("schema.changed", path, "\""+keyword+"\"", ca[0].ptr, cb[0].ptr, ca[0].val, cb[0].val)
		}
	}
	keys := func(ps []part) []string {
		var out []string
		for _, p := range ps {
			out = append(out, p.val.Key())
		}
		slices.Sort(out)
		return out
	}
	if !slices.Equal(keys(a.rest), keys(b.rest)) {
		pa, pb := restOf(a), restOf(b)
		d.emit("schema.changed", path, "keywords that are combined", pa.ptr, pb.ptr, pa.val, pb.val)
	}
}

func restOf(n *node) part {
	if len(n.rest) > 0 {
		return n.rest[0]
	}
	return part{n.raw, n.ptr}
}

// describe compares what is said for people.
func (d *differ) describe(a, b *node, path string) {
	for _, keyword := range names(a.notes, b.notes) {
		pa, inA := a.notes[keyword]
		pb, inB := b.notes[keyword]
		ptrA, ptrB := pa.ptr, pb.ptr
		if !inA {
			ptrA = a.ptr
		}
		if !inB {
			ptrB = b.ptr
		}
		if inA && inB && pa.val.Key() == pb.val.Key() {
			continue
		}
		switch keyword {
		case "title", "description":
			d.emit("text.changed", path, keyword, ptrA, ptrB, pa.val, pb.val)
		case "default":
			about := "none"
			if inB {
				about = short(pb.val)
			}
			if inA {
				about += " instead of " + short(pa.val)
			}
			d.emit("default.changed", path, about, ptrA, ptrB, pa.val, pb.val)
		case "deprecated":
			wasOn, isOn := inA && pa.val.Kind == 't', inB && pb.val.Kind == 't'
			switch {
			case isOn && !wasOn:
				d.emit("deprecated.added", path, "", ptrA, ptrB, pa.val, pb.val)
			case wasOn && !isOn:
				d.emit("deprecated.removed", path, "", ptrA, ptrB, pa.val, pb.val)
			}
		default:
			d.emit("keyword.changed", path, jsonvalue.Quote(keyword), ptrA, ptrB, pa.val, pb.val)
		}
	}
}

// shortest is how many characters of a value a sentence quotes.
const shortest = 60

// short writes a value for a sentence.
func short(v *jsonvalue.Value) string {
	text := v.Text()
	if utf8.RuneCountInString(text) <= shortest {
		return text
	}
	return string([]rune(text)[:shortest-1]) + "…"
}

// values lists values for a sentence.
func values(vs []*jsonvalue.Value) string {
	const most = 6
	var words []string
	for i, v := range vs {
		if i == most && len(vs) > most+1 {
			words = append(words, strconv.Itoa(len(vs)-most)+" more")
			break
		}
		words = append(words, short(v))
	}
	return list(words, " or ")
}

// list writes words with commas and a last conjunction.
func list(words []string, last string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + last + words[len(words)-1]
}
