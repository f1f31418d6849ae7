package recorder

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"slices"
	"strings"
)

// SortKey is what rows are sorted by.
type SortKey uint8

// The sort keys. By status, an exchange is sorted by its state; by size, by
// the bytes of all its members.
const (
	BySeq SortKey = iota
	ByTime
	ByMethod
	ByName
	ByID // numbers before texts
	ByStatus
	ByTook
	BySize
	ByChannel
	ByDirection
	ByWaited // of exchanges alone, as the next
	ByEvents
)

// sortRow is a row while it is sorted.
type sortRow struct {
	key   uint64
	row   uint32
	place uint32 // so far
}

// nothing is the key of a row that has nothing in the column: it comes last,
// whichever way the others are sorted.
const nothing = 1<<64 - 1

// Order sorts events by a key, in place; equal ones keep their order, and those
// that have nothing in the column come last. When ctx ends the events stay as
// they were, and the error is the context's.
func (l *Log) Order(ctx context.Context, seqs []uint32, key SortKey, descending bool) error {
	k := sortKeys{l: l, key: key}
	return sortRows(ctx, seqs, descending, k.prepare, k.of)
}

// Order sorts exchanges by a key, on the terms of Log.Order.
func (x *Exchanges) Order(ctx context.Context, rows []uint32, key SortKey, descending bool) error {
	k := sortKeys{l: x.log, key: key}
	x.mu.RLock()
	list := x.list // entries may change while they are sorted; keys are taken once
	x.mu.RUnlock()
	of := func(row uint32) uint64 {
		if int(row) >= len(list) {
			return nothing
		}
		x.mu.RLock()
		e := x.list[row]
		x.mu.RUnlock()
		switch key {
		case ByStatus:
			return uint64(e.state)
		case BySize:
			return uint64(e.bytes)
		case ByEvents:
			return uint64(e.events)
		case ByWaited:
			if e.waited > 0 {
				return uint64(e.waited)
			}
			return nothing
		case ByTook:
			if took := x.took(&e); took > 0 {
				return uint64(took)
			}
			return nothing
		}
		return k.of(e.request)
	}
	prepare := func(ctx context.Context, rows []uint32) error {
		switch key {
		case ByStatus, BySize, ByTook, ByWaited, ByEvents: // of the exchange itself
			return nil
		}
		return k.prepare(ctx, requestsOf(rows, list))
	}
	return sortRows(ctx, rows, descending, prepare, of)
}

func requestsOf(rows []uint32, list []exchangeEntry) []uint32 {
	out := make([]uint32, 0, len(rows))
	for _, row := range rows {
		if int(row) < len(list) {
			out = append(out, list[row].request)
		}
	}
	return out
}

// sortRows sorts rows by keys that are taken once.
func sortRows(ctx context.Context, rows []uint32, descending bool, prepare func(context.Context, []uint32) error, of func(uint32) uint64) error {
	if err := prepare(ctx, rows); err != nil {
		return err
	}
	list := make([]sortRow, len(rows))
	for i, row := range rows {
		if i%chunkLen == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		key := of(row)
		if descending && key != nothing {
			key = nothing - 1 - key
		}
		list[i] = sortRow{key, row, uint32(i)}
	}
	if err := sortParts(ctx, list); err != nil {
		return err
	}
	for i := range list {
		rows[i] = list[i].row
	}
	return nil
}

func compareRows(a, b sortRow) int {
	if c := cmp.Compare(a.key, b.key); c != 0 {
		return c
	}
	return cmp.Compare(a.place, b.place)
}

// sortPart is how many rows are sorted between two looks at the context.
const sortPart = 1 << 16

// sortParts sorts a list by parts, which it then merges.
func sortParts(ctx context.Context, list []sortRow) error {
	for at := 0; at < len(list); at += sortPart {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		slices.SortFunc(list[at:min(at+sortPart, len(list))], compareRows)
	}
	if len(list) <= sortPart {
		return nil
	}
	from, to := list, make([]sortRow, len(list))
	for width := sortPart; width < len(list); width *= 2 {
		for at := 0; at < len(list); at += 2 * width {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			middle, end := min(at+width, len(list)), min(at+2*width, len(list))
			merge(to[at:end], from[at:middle], from[middle:end])
		}
		from, to = to, from
	}
	copy(list, from)
	return nil
}

func merge(to, a, b []sortRow) {
	for i := range to {
		if len(b) == 0 || len(a) > 0 && compareRows(a[0], b[0]) <= 0 {
			to[i], a = a[0], a[1:]
		} else {
			to[i], b = b[0], b[1:]
		}
	}
}

// sortKeys makes numbers of the columns of events, in whose order the columns
// are to be sorted.
type sortKeys struct {
	l     *Log
	key   SortKey
	ranks []uint64 // by number of a word
	long  longTexts
}

// maxSortText is how much of a string that found no room in memory is compared.
const maxSortText = 64

// longTexts are the strings that found no room in memory, in lower case.
type longTexts struct {
	seqs  []uint32 // whose they are, ascending
	ranks []uint64
	text  []byte // all of them
	ends  []int  // in text
}

func (t *longTexts) at(i int) []byte {
	if i == 0 {
		return t.text[:t.ends[0]]
	}
	return t.text[t.ends[i-1]:t.ends[i]]
}

// prepare ranks the strings of a column, without regard to case.
func (k *sortKeys) prepare(ctx context.Context, seqs []uint32) error {
	w := k.words()
	if w == nil {
		return nil
	}
	if err := k.readLong(ctx, seqs); err != nil {
		return err
	}
	kept := w.all()
	texts := make([][]byte, 0, len(kept)+len(k.long.seqs))
	for _, s := range kept {
		texts = append(texts, []byte(strings.ToLower(s)))
	}
	for i := range k.long.seqs {
		texts = append(texts, k.long.at(i))
	}
	// Most comparisons are decided by the eight bytes after what all begin with.
	common := commonPrefix(texts)
	type item struct {
		begin uint64
		n     uint32
	}
	order := make([]item, len(texts))
	for i, s := range texts {
		order[i] = item{beginning(s[common:]), uint32(i)}
	}
	compare := func(a, b item) int {
		if c := cmp.Compare(a.begin, b.begin); c != 0 {
			return c
		}
		return bytes.Compare(texts[a.n], texts[b.n])
	}
	slices.SortFunc(order, compare)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	k.ranks, k.long.ranks = make([]uint64, len(kept)+1), make([]uint64, len(k.long.seqs))
	rank := uint64(0)
	for i, it := range order {
		if i == 0 || compare(order[i-1], it) != 0 {
			rank++
		}
		if n := int(it.n); n < len(kept) {
			k.ranks[n+1] = rank
		} else {
			k.long.ranks[n-len(kept)] = rank
		}
	}
	return nil
}

func commonPrefix(texts [][]byte) int {
	if len(texts) == 0 {
		return 0
	}
	n := len(texts[0])
	for _, s := range texts {
		n = min(n, len(s))
		for i := range n {
			if s[i] != texts[0][i] {
				n = i
				break
			}
		}
	}
	return n
}

// beginning makes a number of the first bytes of a text that orders like them.
func beginning(s []byte) uint64 {
	var b [8]byte
	copy(b[:], s)
	return binary.BigEndian.Uint64(b[:])
}

// words are the strings of the column, nil if it has none.
func (k *sortKeys) words() *words {
	t := &k.l.tables
	switch k.key {
	case ByMethod:
		return t.methods
	case ByName:
		return t.names
	case ByID:
		return t.ids
	case ByStatus:
		return t.statuses
	case ByChannel:
		return t.channels
	}
	return nil
}

// source is the event whose line has the column of an event: the request for
// the method and name of its answer, the answer for the status of its request.
func (k *sortKeys) source(seq uint32) (uint32, *entry) {
	e := k.l.index.at(uint64(seq))
	p := e.answer()
	if p == 0 || e.kind() != KindMessage {
		return seq, e
	}
	asked := p > seq
	if (k.key == ByStatus) == asked && (k.key == ByStatus || k.key == ByMethod || k.key == ByName) {
		return p, k.l.index.at(uint64(p))
	}
	return seq, e
}

// isLong reports whether the column of an event is only in the file.
func (k *sortKeys) isLong(e *entry) bool {
	switch k.key {
	case ByMethod:
		return e.id>>48 == wordInFile
	case ByName:
		return e.ref>>48 == wordInFile
	case ByID:
		return e.idCode()&^(1<<idBits-1) == idInFile
	case ByStatus:
		return e.status() == statusInFile
	case ByChannel:
		return e.channel&0xff == prefixInFile
	}
	return false
}

// readLong reads the strings that found no room in memory, in the order of the
// file.
func (k *sortKeys) readLong(ctx context.Context, seqs []uint32) error {
	t := &k.long
	for _, seq := range seqs {
		if from, e := k.source(seq); k.isLong(e) {
			t.seqs = append(t.seqs, from)
		}
	}
	slices.Sort(t.seqs)
	t.seqs = slices.Compact(t.seqs)
	t.ends = make([]int, len(t.seqs))
	d := newFinder(k.l, nil)
	var v envelope
	var pl payload
	for i, seq := range t.seqs {
		if i%textChunk == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if !d.envelope(uint64(seq), &v) {
			if _, err := k.l.readEnvelope(uint64(seq), &v, &pl); err != nil {
				return err
			}
		}
		var s []byte
		switch k.key {
		case ByMethod:
			s = v.method
		case ByName:
			s = v.name
		case ByID:
			s = v.id
		case ByStatus:
			s = v.status
		case ByChannel:
			s = v.channel
		}
		for _, c := range s[:min(len(s), maxSortText)] {
			t.text = append(t.text, lower(c))
		}
		t.ends[i] = len(t.text)
	}
	return nil
}

// of is the key of an event.
func (k *sortKeys) of(seq uint32) uint64 {
	e := k.l.index.at(uint64(seq))
	switch k.key {
	case ByTime:
		return uint64(max(e.time, 0))
	case BySize:
		return uint64(e.size)
	case ByWaited, ByEvents:
		return nothing
	case ByDirection:
		if e.dir() == 0 {
			return nothing
		}
		return uint64(e.dir())
	case ByTook:
		if p := uint64(e.answer()); p != 0 && e.kind() == KindMessage {
			d := k.l.index.at(p).time - e.time
			return uint64(max(d, -d))
		}
		return nothing
	case BySeq:
		return uint64(seq)
	}
	from, e := k.source(seq)
	if k.isLong(e) {
		if i, ok := slices.BinarySearch(k.long.seqs, from); ok {
			return textKey(k.long.ranks[i])
		}
		return nothing
	}
	switch k.key {
	case ByMethod:
		return textKey(k.rank(e.id >> 48))
	case ByName:
		return textKey(k.rank(e.ref >> 48))
	case ByStatus:
		if s := e.status(); s > firstStatusWord {
			return textKey(k.rank(uint64(s - firstStatusWord)))
		} else if s > 0 {
			return uint64(s)
		}
	case ByChannel:
		if prefix := e.channel & 0xff; prefix != 0 {
			return k.rank(uint64(prefix))<<32 | uint64(e.channel>>8)
		}
	case ByID:
		switch v := e.idCode() & (1<<idBits - 1); e.idCode() &^ (1<<idBits - 1) {
		case idNumber:
			return v
		case idWord:
			return textKey(k.rank(v))
		}
	}
	return nothing
}

// rank is that of a word, 0 for none and for one that came later.
func (k *sortKeys) rank(word uint64) uint64 {
	if word >= uint64(len(k.ranks)) {
		return 0
	}
	return k.ranks[word]
}

// textKey puts texts behind numbers.
func textKey(rank uint64) uint64 {
	if rank == 0 {
		return nothing
	}
	return 1<<50 | rank
}
