package diff

import (
	"hash/maphash"
	"slices"
	"strconv"
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
	whole := "The message"
	if m.class == Stderr || m.class == Stray {
		whole = "The line"
	}
	place := cmpOr(at.b, whole)
	if d.Kind == Removed {
		place = cmpOr(at.a, whole)
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
		d.Lines = textLines(a.Str, b.Str)
	}
	if a != nil {
		d.Before = m.t.keep(a.Text())
	}
	if b != nil {
		d.After = m.t.keep(b.Text())
	}
	m.put(d, p)
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

// arrays compares arrays by their longest common subsequence; items that stand
// elsewhere have moved, others are paired by what they are.
func (m *messages) arrays(a, b *jsonvalue.Value, at spot) {
	ka, kb := itemKeys(a.Items), itemKeys(b.Items)
	match, coarse := align(ka, kb)
	if coarse {
		m.t.coarse = true
	}
	moved, taken := moves(ka, kb, match)
	for i, j := range match {
		if j >= 0 {
			m.values(a.Items[i], b.Items[j], at.items(i, int(j))) // numbers may be spelled otherwise
		}
	}
	freeA := make([]bool, len(ka))
	for i := range ka {
		freeA[i] = match[i] < 0 && moved[i] < 0
	}
	ia, ib := identities(a.Items, freeA, true), identities(b.Items, taken, false)
	pair := make([]int32, len(ka))
	for i := range pair {
		pair[i] = -1
	}
	gaps(match, len(kb), func(a0, a1, b0, b1 int) {
		as, bs := free(a0, a1, func(i int) bool { return freeA[i] }), free(b0, b1, func(j int) bool { return !taken[j] })
		for _, p := range pairGap(len(as), len(bs), slices.Compare(kb, ka) < 0, func(i, j int) int {
			return itemLikeness(a.Items[as[i]], b.Items[bs[j]], ia[as[i]], ib[bs[j]])
		}) {
			pair[as[p[0]]], freeA[as[p[0]]], taken[bs[p[1]]] = int32(bs[p[1]]), false, true
		}
	})
	// What is left and known by its identity has moved and changed.
	byIdentity := map[string]int{}
	for j := range kb {
		if !taken[j] && ib[j] != "" {
			byIdentity[ib[j]] = j
		}
	}
	for i := range ka {
		j, ok := byIdentity[ia[i]]
		if freeA[i] && ia[i] != "" && ok {
			moved[i], freeA[i], taken[j] = int32(j), false, true
			delete(byIdentity, ia[i])
		}
	}
	for i := range ka {
		switch here := at.items(i, int(max(moved[i], pair[i]))); {
		case freeA[i]:
			m.alone(Removed, a.Items[i], here)
		case moved[i] >= 0:
			m.moved(a.Items[i], b.Items[moved[i]], at, here, i, int(moved[i]))
			m.values(a.Items[i], b.Items[moved[i]], here)
		case pair[i] >= 0:
			m.values(a.Items[i], b.Items[pair[i]], here)
		}
	}
	for j := range kb {
		if !taken[j] {
			m.alone(Added, b.Items[j], at.items(j, j))
		}
	}
}

func (m *messages) moved(a, b *jsonvalue.Value, array, here spot, from, to int) {
	if i := m.rule(Unordered, array); i >= 0 {
		m.t.rules.uses[i]++
		return
	}
	m.add(Difference{Severity: Differs, Kind: Moved, Text: "has moved, before it was number " + strconv.Itoa(from+1)}, a, b, here)
}

func itemKeys(items []*jsonvalue.Value) []uint64 {
	keys := make([]uint64, len(items))
	for i, v := range items {
		keys[i] = treeHash(v, nil, "")
	}
	return keys
}

// identities are what the free items are known by, "" for those without or of
// which there are several.
func identities(items []*jsonvalue.Value, flags []bool, free bool) []string {
	out, times := make([]string, len(items)), map[string]int{}
	for i, v := range items {
		if flags[i] != free || v.Kind != '{' {
			continue
		}
		if out[i] = identityOf(v); out[i] != "" {
			times[out[i]]++
		}
	}
	for i, s := range out {
		if times[s] > 1 {
			out[i] = ""
		}
	}
	return out
}

// identityOf is what an object is known by, with the name of the member, "" for
// nothing.
func identityOf(v *jsonvalue.Value) string {
	for _, name := range []string{"id", "uri", "uriTemplate", "name", "key"} {
		if x := v.Get(name); x != nil && (x.Kind == '"' || x.Kind == '0') && len(x.Lit) <= 256 {
			return name + " " + x.Text()
		}
	}
	return ""
}

func free(from, to int, is func(int) bool) (out []int) {
	for i := from; i < to; i++ {
		if is(i) {
			out = append(out, i)
		}
	}
	return out
}

// itemLikeness says how well two items go together, 0 for not at all.
func itemLikeness(a, b *jsonvalue.Value, ia, ib string) int {
	switch {
	case a.Kind != b.Kind:
		return 1
	case ia != "" && ia == ib:
		return 300
	case ia != "" && ib != "" && ia[:strings.IndexByte(ia, ' ')] == ib[:strings.IndexByte(ib, ' ')]:
		// Each is known by another name; what is nearly the same has got a new one.
		if n := sketchOf(a).likeness(sketchOf(b)); n >= 50 {
			return n / 10
		}
		return 0
	}
	return 10 + sketchOf(a).likeness(sketchOf(b))
}

// maxPairs bounds the pairs of a gap that are weighed.
const maxPairs = 4096

// pairGap pairs two short runs in order so that likeness is greatest; long runs
// are paired one after the other. flip says which side goes first, so that it
// is the same both ways.
func pairGap(n, m int, flip bool, like func(i, j int) int) (pairs [][2]int) {
	if n == 0 || m == 0 {
		return nil
	}
	if n*m > maxPairs {
		for i := range min(n, m) {
			if like(i, i) > 0 {
				pairs = append(pairs, [2]int{i, i})
			}
		}
		return pairs
	}
	if flip {
		for _, p := range pairGap(m, n, false, func(i, j int) int { return like(j, i) }) {
			pairs = append(pairs, [2]int{p[1], p[0]})
		}
		return pairs
	}
	score, best := make([]int, n*m), make([]int, (n+1)*(m+1))
	at := func(i, j int) *int { return &best[i*(m+1)+j] }
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			score[i*m+j] = like(i, j)
			*at(i, j) = max(*at(i+1, j), *at(i, j+1), *at(i+1, j+1)+score[i*m+j])
		}
	}
	for i, j := 0, 0; i < n && j < m; {
		switch s := score[i*m+j]; {
		case s > 0 && *at(i, j) == *at(i+1, j+1)+s:
			pairs = append(pairs, [2]int{i, j})
			i, j = i+1, j+1
		case *at(i, j) == *at(i+1, j):
			i++
		default:
			j++
		}
	}
	return pairs
}

// sketch is a set of hashes of what a value is made of, sorted.
type sketch []uint32

const maxSketch = 256

func sketchOf(v *jsonvalue.Value) sketch {
	var s sketch
	var walk func(v *jsonvalue.Value, at string)
	walk = func(v *jsonvalue.Value, at string) {
		if len(s) >= maxSketch {
			return
		}
		for _, x := range v.Members {
			walk(x.Value, at+"/"+x.Name)
		}
		for _, x := range v.Items {
			walk(x, at+"/*")
		}
		switch v.Kind {
		case '{', '[':
		case '"':
			for i, w := range strings.FieldsFunc(v.Str[:min(len(v.Str), 2048)], func(r rune) bool { return r == ' ' || r == '\n' || r == '/' || r == ',' }) {
				if i == 64 {
					break
				}
				s = append(s, uint32(maphash.String(seed, at+"="+w)))
			}
			fallthrough
		default:
			s = append(s, uint32(maphash.String(seed, at+"="+v.Lit)))
		}
	}
	walk(v, "")
	slices.Sort(s)
	return s
}

// likeness is how much two sketches share, in percent.
func (s sketch) likeness(o sketch) int {
	if len(s) == 0 && len(o) == 0 {
		return 100
	}
	shared := 0
	for i, j := 0, 0; i < len(s) && j < len(o); {
		switch {
		case s[i] == o[j]:
			shared, i, j = shared+1, i+1, j+1
		case s[i] < o[j]:
			i++
		default:
			j++
		}
	}
	return shared * 100 / max(len(s), len(o))
}
