package view

import (
	"slices"
	"sort"
	"time"

	"mcploupe/recorder"
)

// Mode is what a row of the timeline stands for.
type Mode uint8

// The modes.
const (
	Events    Mode = iota
	Exchanges      // with their events below them when they are open
)

// RowID is a row that is found again when rows come, go and change their
// order.
type RowID struct {
	Seq   uint64 // the event; of an exchange as a whole, its request; 0 for none
	Whole bool   // the row stands for an exchange, not for its request alone
}

// noExchange says that an event belongs to no exchange.
const noExchange = -1

// Mode is what rows stand for.
func (t *Timeline) Mode() Mode { return t.mode }

// SetMode shows events or exchanges. Of a filter's events the exchanges are
// shown that they belong to.
func (t *Timeline) SetMode(m Mode) {
	if t.mode == m {
		return
	}
	t.mode = m
	t.rebase()
}

// rebase begins anew with the list of the rows, as after another filter.
func (t *Timeline) rebase() {
	t.exRows, t.exHas, t.exTaken = nil, nil, 0
	t.changes++
	t.startOver()
	t.takeExchanges()
}

// exchangeBudget bounds the events of a filter that are turned into exchanges
// at once: the rest waits for the next Take.
const exchangeBudget = 100_000

// takeExchanges takes in the exchanges that are new, of the filter's events if
// there is one, and what became of those that are open.
func (t *Timeline) takeExchanges() {
	seen, touched := t.watch.take()
	t.exLen = t.ex.Len()
	if t.mode == Exchanges && t.filter != nil {
		t.takeFiltered(seen)
	}
	t.fold.take(t.ex, touched, t.exLen)
	t.grow()
	if t.mode == Exchanges && t.fold.open > 0 {
		t.lay()
	}
}

// takeFiltered adds the exchanges of what the filter has found to the rows, as
// far as it is known which they are.
func (t *Timeline) takeFiltered(seen uint64) {
	from := t.exTaken
	known, _ := slices.BinarySearch(t.seqs, seen+1)
	end := min(known, from+exchangeBudget)
	if end <= from {
		return
	}
	var fresh []uint32
	for _, seq := range t.seqs[from:end] {
		i, ok := t.ex.Of(seq)
		if ok && t.exHas.add(i) {
			fresh = append(fresh, uint32(i))
		}
	}
	t.exTaken = end
	if end < known {
		t.mark()
	}
	if len(fresh) == 0 {
		return
	}
	if t.sort.on() {
		t.sort.fresh = append(t.sort.fresh, fresh...)
	}
	slices.Sort(fresh)
	if last := len(t.exRows); last > 0 && fresh[0] < t.exRows[last-1] {
		t.moved++
	}
	t.exRows = merge(t.exRows, fresh)
}

// bits is a set of small numbers.
type bits []uint64

// add puts i in and reports whether it was not in.
func (b *bits) add(i int) bool {
	for len(*b) <= i/64 {
		*b = append(*b, 0)
	}
	word, bit := &(*b)[i/64], uint64(1)<<(i%64)
	was := *word&bit != 0
	*word |= bit
	return !was
}

// merge joins two ascending lists. The first one is not changed when something
// comes between its members: a search that sorts it may be reading it.
func merge(a, b []uint32) []uint32 {
	if len(a) == 0 || b[0] > a[len(a)-1] {
		return append(a, b...)
	}
	out := make([]uint32, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if a[0] < b[0] {
			out, a = append(out, a[0]), a[1:]
		} else {
			out, b = append(out, b[0]), b[1:]
		}
	}
	return append(append(out, a...), b...)
}

// natural is the number of rows in the order of arrival, without what is below
// open exchanges.
func (t *Timeline) natural() int {
	switch {
	case t.mode == Exchanges && t.filter != nil:
		return len(t.exRows)
	case t.mode == Exchanges:
		return t.exLen
	case t.filter != nil:
		return len(t.seqs)
	}
	return int(t.length)
}

// naturalAt is the event or exchange at a place in the order of arrival.
func (t *Timeline) naturalAt(p int) uint64 {
	switch {
	case t.mode == Exchanges && t.filter != nil:
		return uint64(t.exRows[p])
	case t.mode == Exchanges:
		return uint64(p)
	case t.filter != nil:
		return t.seqs[p]
	}
	return uint64(p) + 1
}

// base is the number of rows without what is below open exchanges.
func (t *Timeline) base() int {
	if t.sort.order != nil {
		return len(t.sort.order)
	}
	return t.natural()
}

// baseAt is the event or exchange at a place.
func (t *Timeline) baseAt(p int) uint64 {
	if t.sort.order != nil {
		return uint64(t.sort.order[p])
	}
	return t.naturalAt(p)
}

// basePlace is the place of an event or exchange.
func (t *Timeline) basePlace(v uint64) (int, bool) {
	if t.sort.order != nil {
		p := slices.Index(t.sort.order, uint32(v))
		return p, p >= 0
	}
	n := t.natural()
	p := sort.Search(n, func(p int) bool { return t.naturalAt(p) >= v })
	return p, p < n && t.naturalAt(p) == v
}

// Rows is the number of rows.
func (t *Timeline) Rows() int { return t.base() + t.below() }

// below is the number of rows below open exchanges.
func (t *Timeline) below() int {
	if t.mode != Exchanges {
		return 0
	}
	return t.fold.total
}

// at finds the base row of a row, and which one below it it is, -1 for itself.
func (t *Timeline) at(row int) (place, member int) {
	if t.below() == 0 {
		return row, -1
	}
	p := sort.Search(len(t.fold.extra), func(p int) bool { return p+int(t.fold.extra[p]) > row }) - 1
	return p, row - p - int(t.fold.extra[p]) - 1
}

// start is the row of a base row.
func (t *Timeline) start(place int) int {
	if t.below() == 0 {
		return place
	}
	return place + int(t.fold.extra[place])
}

// ID is the row's identity, the zero one when there is no such row.
func (t *Timeline) ID(row int) RowID {
	if row < 0 || row >= t.Rows() {
		return RowID{}
	}
	if t.mode == Events {
		return RowID{Seq: t.baseAt(row)}
	}
	place, member := t.at(row)
	i := int(t.baseAt(place))
	if member < 0 {
		return RowID{t.ex.At(i).Request, true}
	}
	if all := t.members(i); member < len(all) {
		return RowID{Seq: all[member]}
	}
	return RowID{}
}

// Seq is the event of a row, of an exchange its request; 0 when there is no
// such row.
func (t *Timeline) Seq(row int) uint64 { return t.ID(row).Seq }

// RowOf is the row of an event: its own, or that of its exchange while that is
// closed. It is false when the filter hides it, it belongs to no exchange or it
// is not there yet.
func (t *Timeline) RowOf(seq uint64) (int, bool) { return t.RowOfID(RowID{Seq: seq}) }

// RowOfID is where a row is now.
func (t *Timeline) RowOfID(id RowID) (int, bool) {
	if id.Seq == 0 || id.Seq > t.length {
		return 0, false
	}
	if t.mode == Events {
		return t.basePlace(id.Seq)
	}
	i, ok := t.ex.Of(id.Seq)
	if !ok || i >= t.exLen {
		return 0, false
	}
	place, ok := t.basePlace(uint64(i))
	if !ok {
		return 0, false
	}
	row := t.start(place)
	if !id.Whole && t.fold.isOpen(i) {
		if m, found := slices.BinarySearch(t.members(i), id.Seq); found && m < t.fold.rows(i) {
			row += m + 1
		}
	}
	return row, true
}

// ExchangeOf is the exchange of a row in either mode; false when its event
// belongs to none, or it is not known yet to which.
func (t *Timeline) ExchangeOf(row int) (recorder.Exchange, bool) {
	i := t.exchangeIndex(row)
	if i == noExchange {
		return recorder.Exchange{}, false
	}
	return t.ex.At(i), true
}

// Stands reports whether an event has a row, or could have one below its
// exchange: among exchanges those that belong to none have not.
func (t *Timeline) Stands(seq uint64) bool {
	if t.mode == Events {
		return true
	}
	_, ok := t.ex.Of(seq)
	return ok
}

func (t *Timeline) exchangeIndex(row int) int {
	if row < 0 || row >= t.Rows() {
		return noExchange
	}
	if t.mode == Exchanges {
		place, _ := t.at(row)
		return int(t.baseAt(place))
	}
	if i, ok := t.ex.Of(t.baseAt(row)); ok {
		return i
	}
	return noExchange
}

// Relate makes the rows of the same exchange as a row its relations, see
// Related; -1 for none. It reports whether that changes anything.
func (t *Timeline) Relate(row int) bool {
	before := t.related
	t.related = t.exchangeIndex(row)
	return t.related != before
}

// Related reports whether a row belongs to the exchange of the selected row or
// of the one given to Relate.
func (t *Timeline) Related(row int) bool {
	i := t.exchangeIndex(row)
	if i == noExchange {
		return false
	}
	if i == t.related {
		return true
	}
	if t.selected.Seq == 0 {
		return false
	}
	of, ok := t.ex.Of(t.selected.Seq)
	return ok && of == i
}

// maxMembers is for how many exchanges the list of events is kept.
const maxMembers = 64

// members are the events of an exchange.
func (t *Timeline) members(i int) []uint64 {
	n := t.ex.At(i).Events
	if kept, ok := t.lists[i]; ok && len(kept) == n {
		return kept
	}
	if t.lists == nil || len(t.lists) >= maxMembers {
		t.lists = map[int][]uint64{}
	}
	t.lists[i] = t.ex.Members(i)
	return t.lists[i]
}

// RowNear is the row of a time: the first at or after it, else the last.
func (t *Timeline) RowNear(at time.Duration) (int, bool) {
	n := t.base()
	if n == 0 {
		return 0, false
	}
	if t.sort.order != nil {
		return t.RowOf(min(t.log.SeqAt(at), t.length))
	}
	first := t.log.SeqAt(at)
	if t.mode == Exchanges {
		first = uint64(t.ex.ByStart(at))
	}
	place := sort.Search(n, func(p int) bool { return t.baseAt(p) >= first })
	return t.start(min(place, n-1)), true
}
