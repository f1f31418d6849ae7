package diff

import (
	"hash/maphash"
	"slices"
	"strings"

	"mcploupe/protocol/jsonvalue"
)

// canonical is the name of a header in lower case.
func canonical(name string) string { return strings.ToLower(name) }

// lines compares the lines of a lane.
func (t *talk) lines(r *Row) {
	a, b := t.a.texts[r.Lane], t.b.texts[r.Lane]
	if r.Lane == EventLane {
		a, b = t.distinct(a), t.distinct(b)
	}
	for _, x := range lineLanes {
		if x.lane == r.Lane {
			t.compareLines(r, x.class, a, b)
		}
	}
}

// maxStripped is up to how much text what varies is taken out of every line.
const maxStripped = 2 << 20

func (t *talk) stripped(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i], _, _ = t.volatile.strip(l, "", true)
	}
	return out
}

// compareLines compares lines of text. What only stands elsewhere is no
// difference: who wrote first depends on the clock.
func (t *talk) compareLines(r *Row, class Class, a, b lineLane) {
	if len(a.lines) == 0 && len(b.lines) == 0 {
		return
	}
	sa, sb := sequence{exact: lineKeys(a.lines)}, sequence{exact: lineKeys(b.lines)}
	if !slices.Equal(sa.exact, sb.exact) && a.size+b.size <= maxStripped {
		// Lines that are alike but for what varies are equal, wherever they stand.
		sa.exact, sb.exact = lineKeys(t.stripped(a.lines)), lineKeys(t.stripped(b.lines))
	}
	sa.loose, sb.loose = make([]uint64, len(a.lines)), make([]uint64, len(b.lines))
	words := map[string]sketch{}
	get := func(line string) sketch {
		s, has := words[line]
		if !has {
			s = sketchOf(jsonvalue.String(line))
			words[line] = s
		}
		return s
	}
	p := pairUp(sa, sb, func(i, j int) int {
		if n := get(a.lines[i]).likeness(get(b.lines[j])); n >= 30 {
			return n
		}
		return -100
	})
	t.coarse = t.coarse || p.coarse
	for i, j := range p.pair {
		m := &messages{t: t, row: r, class: class, seqA: a.seq[i], fromServer: true}
		switch {
		case j < 0:
			m.alone(Removed, jsonvalue.String(a.lines[i]), spot{})
		case a.lines[i] != b.lines[j]:
			m.seqB = b.seq[j]
			m.strings(jsonvalue.String(a.lines[i]), jsonvalue.String(b.lines[j]), spot{})
		}
	}
	for j, taken := range p.taken {
		if !taken {
			m := &messages{t: t, row: r, class: class, seqB: b.seq[j], fromServer: true}
			m.alone(Added, jsonvalue.String(b.lines[j]), spot{})
		}
	}
}

// lineKeys are equal for equal lines.
func lineKeys(lines []string) []uint64 {
	keys := make([]uint64, len(lines))
	for i, l := range lines {
		keys[i] = maphash.String(seed, l)
	}
	return keys
}
