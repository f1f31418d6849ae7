package diff

import (
	"hash/maphash"
	"strings"
	"unicode/utf8"

	"mcploupe/protocol/jsonvalue"
)

const (
	maxDifferences = 200      // kept of a row
	maxShown       = 16 << 10 // bytes of a value that a difference keeps
	maxKept        = 64 << 20 // bytes of values that a conversation keeps
)

// seed makes the hashes of this process.
var seed = maphash.MakeSeed()

// spot is where two values stand: in their messages, or in the JSON text of a
// string there.
type spot struct {
	a, b           string // pointers; "" where the side has nothing and at the root
	outerA, outerB string // of the string, when nested
	nested         bool
}

func (s spot) member(name string) spot {
	s.a, s.b = jsonvalue.Child(s.a, name), jsonvalue.Child(s.b, name)
	return s
}

func (s spot) items(i, j int) spot {
	s.a, s.b = jsonvalue.ChildIndex(s.a, i), jsonvalue.ChildIndex(s.b, j)
	return s
}

// name is the last step that is not an index, which says what a value is.
func (s spot) name() string {
	p := s.b
	for p != "" {
		i := strings.LastIndexByte(p, '/')
		if step := p[i+1:]; step == "" || strings.Trim(step, "0123456789") != "" {
			return jsonvalue.UnescapeToken(step)
		}
		p = p[:i]
	}
	return ""
}

// messages compares two events of one row.
type messages struct {
	t          *talk
	row        *Row
	class      Class
	seqA, seqB uint64
	fromServer bool // the values came from the server
}

// values compares two values.
func (m *messages) values(a, b *jsonvalue.Value, at spot) {
	if isProtocolID(at) {
		if a.Text() != b.Text() {
			m.t.hide(hiddenIDs)
		}
		return
	}
	switch {
	case a.Kind != b.Kind && !(isFlag(a) && isFlag(b)):
		if m.sameOrigin(a, b) {
			return
		}
		m.changed(a, b, at, "is "+kindWord(b)+", before "+kindWord(a), nil)
	case a.Kind == '{' && !at.nested && implementations[at.b] && m.t.volatile.on&Implementations != 0:
		if a.Key() != b.Key() {
			m.t.hideVolatile(Implementations)
		}
	case a.Kind == '{':
		m.objects(a, b, at)
	case a.Kind == '[':
		m.arrays(a, b, at)
	case a.Lit == b.Lit && (a.Kind != '"' || a.Str == b.Str):
	case a.Kind == '0':
		m.numbers(a, b, at)
	case a.Kind == '"':
		m.strings(a, b, at)
	default:
		m.changed(a, b, at, "is "+b.Lit+", before "+a.Lit, nil)
	}
}

func isFlag(v *jsonvalue.Value) bool { return v.Kind == 't' || v.Kind == 'f' }

func kindWord(v *jsonvalue.Value) string {
	switch v.Kind {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string (" + short(v) + ")"
	}
	return v.Lit
}

func (m *messages) numbers(a, b *jsonvalue.Value, at spot) {
	x, okX := jsonvalue.ParseDecimal(a.Lit)
	y, okY := jsonvalue.ParseDecimal(b.Lit)
	if okX && okY && x.Cmp(y) == 0 {
		m.add(Difference{Severity: Remark, Text: "is written " + short(b) + ", before " + short(a) + "; the number is the same"}, a, b, at)
		return
	}
	if rule := m.t.volatile.number(at.name(), x, y, m.fromServer); rule != 0 {
		m.t.hideVolatile(rule)
		return
	}
	if m.sameOrigin(a, b) {
		return
	}
	var p *pending
	if m.fromServer {
		p = m.t.origins.cameNumber(at.name(), a.Lit, b.Lit, m.seqA, m.seqB)
	}
	m.changed(a, b, at, "is "+short(b)+", before "+short(a), p)
}

func (m *messages) objects(a, b *jsonvalue.Value, at spot) {
	type id struct {
		name    string
		ordinal int
	}
	index := func(v *jsonvalue.Value) (map[id]*jsonvalue.Value, []id) {
		all, order, times := make(map[id]*jsonvalue.Value, len(v.Members)), make([]id, 0, len(v.Members)), map[string]int{}
		for _, x := range v.Members {
			k := id{x.Name, times[x.Name]}
			times[x.Name]++
			all[k], order = x.Value, append(order, k)
		}
		return all, order
	}
	inA, orderA := index(a)
	inB, orderB := index(b)
	for _, k := range orderB {
		if x, had := inA[k]; had {
			m.values(x, inB[k], at.member(k.name))
		} else {
			m.alone(Added, inB[k], at.member(k.name))
		}
	}
	for _, k := range orderA {
		if _, has := inB[k]; !has {
			m.alone(Removed, inA[k], at.member(k.name))
		}
	}
}

// alone reports a value that one side has.
func (m *messages) alone(kind Kind, v *jsonvalue.Value, at spot) {
	if isProtocolID(at) || isMetaOfIDs(v, at) {
		m.t.hide(hiddenIDs)
		return
	}
	what := "there now"
	if v.Kind == 'n' {
		what = "null now, before it was absent"
	}
	named := ""
	if v.Kind == '{' {
		if id := identityOf(v); id != "" {
			named = "(" + id + ") "
		}
	}
	d := Difference{Severity: Differs, Kind: kind, Text: named + "is " + what}
	before, after := (*jsonvalue.Value)(nil), v
	if kind == Removed {
		d.Text = named + "is gone"
		if v.Kind == 'n' {
			d.Text = "is absent now, before it was null"
		}
		before, after = v, nil
	}
	m.add(d, before, after, at)
}

func (m *messages) changed(a, b *jsonvalue.Value, at spot, text string, p *pending) {
	d := Difference{Severity: Differs, Text: text}
	if a.Kind == b.Kind {
		if i := m.rule(Vary, at); i >= 0 {
			m.t.rules.uses[i]++
			return
		}
	}
	m.addPending(d, a, b, at, p)
}

// sameOrigin reports whether values that are sent to the server came from it.
func (m *messages) sameOrigin(a, b *jsonvalue.Value) bool {
	return !m.fromServer && m.t.origins.sent(scalarText(a), scalarText(b))
}

func scalarText(v *jsonvalue.Value) string {
	if v.Kind == '"' {
		return v.Str
	}
	return v.Lit
}

func (m *messages) rule(action Action, at spot) int {
	p, inside := [2]string{at.b, at.a}, ""
	if at.nested {
		p, inside = [2]string{at.outerB, at.outerA}, at.b
	}
	return m.t.rules.find(action, m.row.Method, m.row.Name, m.class, p, inside)
}

func (m *messages) add(d Difference, a, b *jsonvalue.Value, at spot) { m.addPending(d, a, b, at, nil) }

func (m *messages) addPending(d Difference, a, b *jsonvalue.Value, at spot, p *pending) {
	if i := m.rule(Ignore, at); i >= 0 {
		m.t.rules.uses[i]++
		return
	}
	d.PointerA, d.PointerB = at.a, at.b
	if at.nested {
		d.PointerA, d.PointerB, d.Inside = at.outerA, at.outerB, at.b
		if d.Kind == Removed {
			d.Inside = at.a
		}
	}
	place := cmpOr(at.b, m.whole())
	if d.Kind == Removed {
		place = cmpOr(at.a, m.whole())
	}
	if at.nested {
		place = d.Pointer() + " inside " + place
	}
	d.Text = place + " " + d.Text + "."
	switch d.Kind {
	case Added:
		d.PointerA = ""
	case Removed:
		d.PointerB = ""
	}
	if a != nil && b != nil && a.Kind == '"' && b.Kind == '"' && m.t.kept < maxKept {
		if m.t.late() {
			m.t.unmarked++
		} else {
			d.Lines = textLines(a.Str, b.Str)
		}
	}
	if a != nil {
		d.Before = m.t.keep(a.Text())
	}
	if b != nil {
		d.After = m.t.keep(b.Text())
	}
	m.put(d, p)
}

// whole names what a difference is in when it has no pointer.
func (m *messages) whole() string {
	switch m.class {
	case Stderr, Stray, EventStream:
		return "The line"
	case Exit:
		return "The end of the process"
	}
	return "The message"
}

// put adds a finished difference to the row.
func (m *messages) put(d Difference, p *pending) {
	d.Class, d.SeqA, d.SeqB = m.class, m.seqA, m.seqB
	if len(m.row.Differences) >= maxDifferences {
		m.row.More++
		return
	}
	if p != nil {
		m.t.waiting[m.t.current] = append(m.t.waiting[m.t.current], waitingDifference{len(m.row.Differences), *p})
	}
	m.row.Differences = append(m.row.Differences, d)
}

func cmpOr(s, or string) string {
	if s == "" {
		return or
	}
	return "`" + s + "`"
}

// keep cuts a value that is shown, and leaves it out when many are kept.
func (t *talk) keep(s string) string {
	if t.kept >= maxKept {
		t.dropped = true
		return ""
	}
	if len(s) > maxShown {
		n := maxShown
		for n > 0 && !utf8.RuneStart(s[n]) {
			n--
		}
		s = strings.Clone(s[:n]) + "…"
	}
	t.kept += len(s)
	return s
}
