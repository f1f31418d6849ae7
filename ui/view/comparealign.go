package view

import "mcploupe/ui/view/human"

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
