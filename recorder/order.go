package recorder

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"mcploupe/protocol"
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
		case ByTook:
			if took := x.took(&e); took > 0 {
				return uint64(took)
			}
			return nothing
		}
		return k.of(e.request)
	}
	prepare := func(ctx context.Context, rows []uint32) error {
		if key == ByStatus || key == BySize || key == ByTook {
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
	ranks []uint64          // by number of a word
	extra map[string]uint64 // of the strings that found no room there
	long  map[uint32]string // of the events that have such strings
}

// maxSortText is how much of a string that found no room in memory is compared.
const maxSortText = 64

// prepare ranks the strings of a column.
func (k *sortKeys) prepare(ctx context.Context, seqs []uint32) error {
	var w *words
	t := &k.l.tables
	switch k.key {
	case ByMethod:
		w = t.methods
	case ByName:
		w = t.names
	case ByID:
		w = t.ids
	case ByStatus:
		w = t.statuses
	case ByChannel:
		w = t.channels
	default:
		return nil
	}
	texts := slices.Clone(w.all())
	kept := len(texts)
	if err := k.readLong(ctx, seqs); err != nil {
		return err
	}
	distinct := map[string]bool{}
	for _, s := range k.long {
		if !distinct[s] {
			distinct[s] = true
			texts = append(texts, s)
		}
	}
	order := make([]uint32, len(texts))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int { return compareText(texts[a], texts[b]) })
	k.ranks, k.extra = make([]uint64, kept+1), make(map[string]uint64, len(distinct))
	rank := uint64(0)
	for i, n := range order {
		if i == 0 || compareText(texts[n], texts[order[i-1]]) != 0 {
			rank++
		}
		if int(n) < kept {
			k.ranks[n+1] = rank
		} else {
			k.extra[texts[n]] = rank
		}
	}
	return nil
}

// compareText compares without regard to case first.
func compareText(a, b string) int {
	for i := range min(len(a), len(b)) {
		if c := cmp.Compare(lower(a[i]), lower(b[i])); c != 0 {
			return c
		}
	}
	if c := cmp.Compare(len(a), len(b)); c != 0 {
		return c
	}
	return strings.Compare(a, b)
}

// source is the event whose line has the column of an event: the request for
// the method and name of its answer, the answer for the status of its request.
func (k *sortKeys) source(seq uint32) *entry {
	e := k.l.index.at(uint64(seq))
	p := uint64(e.answer())
	if p == 0 || e.kind() != KindMessage {
		return e
	}
	asked := e.msg() == protocol.Request || e.msg() == protocol.Batch && e.status() == 0
	if (k.key == ByStatus) == asked && (k.key == ByStatus || k.key == ByMethod || k.key == ByName) {
		return k.l.index.at(p)
	}
	return e
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
	var long []uint64
	for _, seq := range seqs {
		if k.isLong(k.source(seq)) {
			long = append(long, uint64(seq))
		}
	}
	if len(long) == 0 {
		return nil
	}
	slices.Sort(long)
	k.long = make(map[uint32]string, len(long))
	d := finder{l: k.l}
	return d.lines(ctx, long, func(seq uint64, h *Head) {
		var s string
		switch k.key {
		case ByMethod:
			s = h.Method
		case ByName:
			s = h.Name
		case ByID:
			s = h.ID
		case ByStatus:
			s = h.Status
		case ByChannel:
			s = h.Channel
		}
		k.long[uint32(seq)] = strings.Clone(s[:min(len(s), maxSortText)])
	})
}

// of is the key of an event.
func (k *sortKeys) of(seq uint32) uint64 {
	e := k.l.index.at(uint64(seq))
	switch k.key {
	case ByTime:
		return uint64(max(e.time, 0))
	case BySize:
		return uint64(e.size)
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
	e = k.source(seq)
	if k.isLong(e) {
		return k.textKey(k.extra[k.long[seq]])
	}
	switch k.key {
	case ByMethod:
		return k.textKey(k.ranks[e.id>>48])
	case ByName:
		return k.textKey(k.ranks[e.ref>>48])
	case ByStatus:
		if s := e.status(); s > firstStatusWord {
			return k.textKey(k.ranks[s-firstStatusWord])
		} else if s > 0 {
			return uint64(s)
		}
	case ByChannel:
		if prefix := e.channel & 0xff; prefix != 0 {
			return k.ranks[prefix]<<32 | uint64(e.channel>>8)
		}
	case ByID:
		switch v := e.idCode() & (1<<idBits - 1); e.idCode() &^ (1<<idBits - 1) {
		case idNumber:
			return v
		case idWord:
			return k.textKey(k.ranks[v])
		}
	}
	return nothing
}

// textKey puts texts behind numbers.
func (k *sortKeys) textKey(rank uint64) uint64 {
	if rank == 0 {
		return nothing
	}
	return 1<<50 | rank
}
