package view

import (
	"slices"
	"strings"

	"mcploupe/protocol/jsonvalue"
	"mcploupe/recorder/diff"
	"mcploupe/ui/view/human"
)

// PairKind is how the two sides of a row hang together.
type PairKind uint8

// The kinds.
const (
	PairSame PairKind = iota
	PairChanged
	PairOnlyA
	PairOnlyB
	PairMovedA // what A has here stands elsewhere in B: the row Other
	PairMovedB // what B has here stood elsewhere in A
	PairUnread // it was not compared
	PairFolded // rows that are the same on both sides and not shown
)

// Word says what the kind is.
func (k PairKind) Word() string {
	return [...]string{"same", "changed", "only A", "only B", "moved", "moved", "not compared", ""}[k]
}

// Glyph is the sign of the kind.
func (k PairKind) Glyph() string {
	return [...]string{"=", "≠", "−", "+", "↷", "↶", "?", "⋯"}[k]
}

// Tone is its colour.
func (k PairKind) Tone() Tone {
	return [...]Tone{Muted, Caution, Bad, Good, Caution, Caution, Muted, Muted}[k]
}

// HasA reports whether A has something in the row.
func (k PairKind) HasA() bool { return k != PairOnlyB && k != PairMovedB }

// HasB reports it of B.
func (k PairKind) HasB() bool { return k != PairOnlyA && k != PairMovedA }

// PairRow is a row of two columns.
type PairRow struct {
	Kind       PairKind
	Changed    bool // of what moved: it differs as well
	Source     int  // number of what it shows, see Alignment
	Other      int  // row where the other half of what moved is shown, -1 for none
	Folded     int  // number of rows of PairFolded
	Dir        string
	A, B       string // what is there, "" for a gap
	NoteA      string // number of the event, or what A has
	NoteB      string
	Word       string // what became of it, with how many differences
	Indent     bool   // it belongs to the server's side of the talk
	HeadingRow bool   // a title over the rows that follow
}

// Alignment puts what two sides have beside each other, row by row. Runs of rows
// that are the same are folded. It is for the UI goroutine.
type Alignment struct {
	n      int
	pair   func(i int) PairRow // of all rows, unfolded
	plain  func(i int) bool    // the row may be folded
	opened map[int]bool        // folds that were opened, by their first row
	open   bool                // all of them
	rows   []alignedRow
	at     []int32 // place in rows of each row, that of the fold for folded ones
	source map[int]int
}

// alignedRow is a row that is shown: the first of fold rows when that is not 0.
type alignedRow struct{ row, fold int32 }

const (
	foldContext = 2 // same rows that stay around a change
	foldLeast   = 4 // fewer are not worth a fold
)

func newAlignment(n int, pair func(int) PairRow, plain func(int) bool) *Alignment {
	a := &Alignment{n: n, pair: pair, plain: plain, opened: map[int]bool{}, at: make([]int32, n)}
	a.lay()
	return a
}

// lay finds the rows that are shown.
func (a *Alignment) lay() {
	a.rows = a.rows[:0]
	show := func(i int) {
		a.at[i] = int32(len(a.rows))
		a.rows = append(a.rows, alignedRow{int32(i), 0})
	}
	for i := 0; i < a.n; {
		end := i
		for end < a.n && a.plain(end) {
			end++
		}
		if end == i {
			show(i)
			i++
			continue
		}
		from, to := i+foldContext, end-foldContext
		if i == 0 {
			from = 0
		}
		if end == a.n {
			to = a.n
		}
		if i == 0 && end == a.n {
			to = 0 // nothing differs: all of it is of interest
		}
		if to-from < foldLeast || a.open || a.opened[from] {
			for ; i < end; i++ {
				show(i)
			}
			continue
		}
		for ; i < from; i++ {
			show(i)
		}
		a.rows = append(a.rows, alignedRow{int32(from), int32(to - from)})
		for ; i < to; i++ {
			a.at[i] = int32(len(a.rows) - 1)
		}
		for ; i < end; i++ {
			show(i)
		}
	}
}

// Len is the number of rows that are shown.
func (a *Alignment) Len() int { return len(a.rows) }

// Total is the number of rows with those that are folded.
func (a *Alignment) Total() int { return a.n }

// Row is a row that is shown.
func (a *Alignment) Row(i int) PairRow {
	at := a.rows[i]
	if at.fold > 0 {
		return PairRow{Kind: PairFolded, Source: -1, Other: -1, Folded: int(at.fold),
			Word: human.Plural(int(at.fold), "row", "rows") + " the same"}
	}
	r := a.pair(int(at.row))
	if r.Other >= 0 {
		r.Other = int(a.at[r.Other])
	}
	return r
}

// Open shows the rows of a fold. It reports whether row i was one.
func (a *Alignment) Open(i int) bool {
	if i < 0 || i >= len(a.rows) || a.rows[i].fold == 0 {
		return false
	}
	a.opened[int(a.rows[i].row)] = true
	a.lay()
	return true
}

// OpenAll shows every row, or folds what is the same.
func (a *Alignment) OpenAll(on bool) {
	a.open = on
	clear(a.opened)
	a.lay()
}

// OpenedAll reports whether nothing is folded.
func (a *Alignment) OpenedAll() bool { return a.open }

// Find is the row that shows a source, with its fold opened when it is in one;
// -1 for none.
func (a *Alignment) Find(source int) int {
	i, ok := a.source[source]
	if !ok {
		return -1
	}
	if at := int(a.at[i]); a.rows[at].fold > 0 {
		a.Open(at)
	}
	return int(a.at[i])
}

// talkRow is a row of a conversation, or one of the two halves of a pair that
// moved.
type talkRow struct {
	row   int32 // in Conversation.Rows
	half  PairKind
	other int32 // -1
}

// AlignTalk aligns two conversations. Source counts Conversation.Rows.
func AlignTalk(c *Comparison) *Alignment {
	talk := c.Result.Conversation
	var all []talkRow
	away := map[diff.Lane][]int{} // rows that moved, to be shown where A has them
	for i, r := range talk.Rows {
		if r.Moved {
			away[r.Lane] = append(away[r.Lane], i)
		}
	}
	for _, rows := range away {
		slices.SortFunc(rows, func(x, y int) int { return int(talk.Rows[x].SeqA) - int(talk.Rows[y].SeqA) })
	}
	half := map[int]int{} // row that shows the half of A
	leave := func(lane diff.Lane, before uint64) {
		rows := away[lane]
		for len(rows) > 0 && talk.Rows[rows[0]].SeqA < before {
			half[rows[0]] = len(all)
			all = append(all, talkRow{int32(rows[0]), PairMovedA, -1})
			rows = rows[1:]
		}
		away[lane] = rows
	}
	kinds := map[diff.RowKind]PairKind{diff.Same: PairSame, diff.Different: PairChanged, diff.OnlyA: PairOnlyA, diff.OnlyB: PairOnlyB, diff.NotCompared: PairUnread}
	source := make(map[int]int, len(talk.Rows))
	for i, r := range talk.Rows {
		if r.Moved {
			source[i] = len(all)
			all = append(all, talkRow{int32(i), PairMovedB, -1})
			continue
		}
		if r.SeqA > 0 {
			leave(r.Lane, r.SeqA)
		}
		source[i] = len(all)
		all = append(all, talkRow{int32(i), kinds[r.Kind], -1})
	}
	for lane := diff.Exchanges; lane <= diff.StrayLane; lane++ {
		leave(lane, ^uint64(0))
	}
	for i, x := range all {
		if x.half != PairMovedB {
			continue
		}
		j, ok := half[int(x.row)]
		if !ok {
			continue
		}
		all[i].other, all[j].other = int32(j), int32(i)
	}
	a := newAlignment(len(all), func(i int) PairRow { return talkPair(talk, all[i]) }, func(i int) bool {
		return all[i].half == PairSame && len(talk.Rows[all[i].row].Differences) == 0
	})
	a.source = source
	return a
}

func talkPair(talk *diff.Conversation, x talkRow) PairRow {
	r := talk.Rows[x.row]
	p := PairRow{Kind: x.half, Source: int(x.row), Other: int(x.other), Word: x.half.Word()}
	p.Dir = "→"
	if r.Dir != 0 && r.Dir.String() == "in" {
		p.Dir, p.Indent = "←", true
	}
	// What tells one from the other comes first: what does not fit is cut.
	title, note := line(rowTitle(r), 160), ""
	if r.Name != "" {
		title, note = line(r.Name, 120), line(r.Method, 60)+"  "
	}
	if p.Kind.HasA() && r.SeqA > 0 {
		p.A, p.NoteA = title, note+human.Count(r.SeqA)
	}
	if p.Kind.HasB() && r.SeqB > 0 {
		p.B, p.NoteB = title, note+human.Count(r.SeqB)
	}
	differs, notes := r.Counts(diff.Differs)+r.More, r.Counts(diff.Remark)
	moved := x.half == PairMovedA || x.half == PairMovedB
	p.Changed = moved && r.Kind == diff.Different
	var words []string
	if x.half != PairChanged && x.half != PairSame {
		words = append(words, p.Word)
	}
	if differs > 0 {
		words = append(words, human.Plural(differs, "difference", "differences"))
	}
	if notes > 0 {
		words = append(words, human.Plural(notes, "note", "notes"))
	}
	if len(words) > 0 {
		p.Word = strings.Join(words, ", ")
	}
	return p
}

// Entry is an entry of an interface on both sides.
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
