package recorder

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sort"
	"sync"

	"mcploupe/protocol"
)

const (
	scanBuffer = 256 << 10 // small enough to stay in the cache of a core
	minPiece   = 1 << 20
	maxPiece   = 32 << 20
)

// indexer builds the index of a file, in pieces that several goroutines scan
// at once.
type indexer struct {
	log      *Log
	runs     []run
	shifted  bool     // numbers are not places
	unpaired bool     // some response does not say what it answers
	marks    []uint64 // events that set a mark
	faults   []Fault  // the first of those that were found
	junk     uint64
	lines    uint64 // so far, the header among them
	crlf     uint64 // lines that end with a carriage return
}

// run is a stretch of lines whose numbers follow one another.
type run struct {
	number, place, n uint64
}

// piece is what scanning a part of the file gave.
type piece struct {
	from, to int64 // lines that start in between
	entries  []entry
	runs     []run // place counted from the first line of the piece
	shifted  bool  // some line says no number
	unpaired bool
	marks    []int   // places in entries
	faults   []Fault // their Line and Seq count from 1 in the piece
	junk     uint64
	lines    uint64
	crlf     uint64
	end      int64 // of the last whole line
	err      error
	ready    chan struct{}
}

func newIndexer(l *Log) *indexer { return &indexer{log: l} }

// index scans the lines from start to size and returns where the last line
// that is whole ends. It tells progress, unless nil, how far it is.
func (x *indexer) index(ctx context.Context, f io.ReaderAt, start, size int64, progress func(done, total int64)) (int64, error) {
	workers := int64(runtime.GOMAXPROCS(0))
	step := min(max((size-start)/(workers*8), minPiece), maxPiece)
	var pieces []*piece
	for at := start; at < size; at += step {
		pieces = append(pieces, &piece{from: at, to: min(at+step, size), end: start, ready: make(chan struct{})})
	}
	work := make(chan *piece, len(pieces))
	for _, p := range pieces {
		work <- p
	}
	close(work)
	var group sync.WaitGroup
	defer group.Wait()
	for range min(workers, int64(len(pieces))) {
		group.Go(func() {
			c := newCoder(&x.log.tables)
			buf := make([]byte, scanBuffer)
			for p := range work {
				p.err = p.scan(ctx, f, c, buf, start, size)
				close(p.ready)
			}
		})
	}
	end := start
	var failed error
	for i, p := range pieces {
		<-p.ready
		if failed == nil {
			failed = p.err
		}
		if failed == nil {
			failed = ctx.Err()
		}
		if failed == nil {
			x.take(p)
			end = max(end, p.end)
			if progress != nil {
				progress(p.to, size)
			}
		}
		pieces[i] = nil
	}
	return end, failed
}

// take adds the entries of a piece to the index.
func (x *indexer) take(p *piece) {
	before := x.log.index.len()
	for _, r := range p.runs {
		r.place += before + 1
		x.shifted = x.shifted || r.number != r.place
		if n := len(x.runs); n > 0 && x.runs[n-1].number+x.runs[n-1].n == r.number && x.runs[n-1].place+x.runs[n-1].n == r.place {
			x.runs[n-1].n += r.n
		} else {
			x.runs = append(x.runs, r)
		}
	}
	x.shifted = x.shifted || p.shifted
	x.unpaired = x.unpaired || p.unpaired
	for _, f := range p.faults {
		if len(x.faults) < maxFaults {
			x.faults = append(x.faults, Fault{Line: x.lines + f.Line, Seq: before + f.Seq, Text: f.Text})
		}
	}
	for _, place := range p.marks {
		x.marks = append(x.marks, before+1+uint64(place))
	}
	x.junk += p.junk
	x.lines += p.lines
	x.crlf += p.crlf
	if !x.shifted {
		// Readers rely on partners that exist.
		for i := range p.entries {
			if e := &p.entries[i]; uint64(e.partner) > before+uint64(i) {
				e.partner = 0
			}
		}
	}
	x.log.index.add(p.entries...)
}

// addLast adds a last line without line feed, if it is an event.
func (x *indexer) addLast(line []byte, at int64) bool {
	p := piece{}
	if !p.line(line, at, newCoder(&x.log.tables)) || p.junk > 0 {
		return false
	}
	x.take(&p)
	return true
}

// scan finds the lines that start in the piece.
func (p *piece) scan(ctx context.Context, f io.ReaderAt, c *coder, buf []byte, start, size int64) error {
	at := p.from // of buf[0]
	if at > start {
		at-- // a line feed there makes the piece begin with a line
	}
	n, next := 0, 0 // bytes in buf, start of the line in buf
	skip := at < p.from
	fill := func() error { // keeps the line and reads on
		if err := ctx.Err(); err != nil {
			return err
		}
		copy(buf, buf[next:n])
		at, n, next = at+int64(next), n-next, 0
		k, err := f.ReadAt(buf[n:min(int64(len(buf)), size-at)], at+int64(n))
		n += k
		if k == 0 && err == nil || errors.Is(err, io.EOF) && k == 0 {
			return io.ErrUnexpectedEOF // the file became shorter
		}
		if errors.Is(err, io.EOF) {
			err = nil
		}
		return err
	}
	for at+int64(next) < p.to {
		lf := bytes.IndexByte(buf[next:n], '\n')
		switch {
		case lf >= 0:
			if !skip {
				p.line(buf[next:next+lf], at+int64(next), c)
				p.end = at + int64(next+lf) + 1
			}
			skip = false
			next += lf + 1
		case at+int64(n) >= size: // no line feed before the end of the file
			return nil
		case n-next < len(buf):
			if err := fill(); err != nil {
				return err
			}
		case skip: // inside a line of another piece
			next = n
			if err := fill(); err != nil {
				return err
			}
		default: // a line longer than buf
			end, err := p.longLine(ctx, f, c, buf, at, size)
			if err != nil || end == 0 {
				return err
			}
			p.end = end
			at, n, next = end, 0, 0
		}
	}
	return nil
}

// longLine takes a line that starts at an offset and whose beginning fills
// buf. It returns where the next one starts, 0 if the line has no end.
func (p *piece) longLine(ctx context.Context, f io.ReaderAt, c *coder, buf []byte, at, size int64) (int64, error) {
	var v envelope
	start, key, ok := parsePrefix(buf, &v)
	ok = ok && string(key) == "msg" && v.kind == KindMessage && v.hasMsg
	var e entry
	if ok {
		e = c.entry(&v, at, v.size) // before the buffer is used again
	}
	lineEnd := int64(-1)
	for pos := at + int64(len(buf)); pos < size && lineEnd < 0; {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		n, err := f.ReadAt(buf[:min(int64(len(buf)), size-pos)], pos)
		if n == 0 {
			return 0, err
		}
		if i := bytes.IndexByte(buf[:n], '\n'); i >= 0 {
			lineEnd = pos + int64(i)
		}
		pos += int64(n)
	}
	if lineEnd < 0 {
		return 0, nil
	}
	if ok && v.size == lineEnd-1-at-int64(start) {
		if v.isResponse() {
			e.partner = clip32(int64(v.answers))
			p.unpaired = p.unpaired || !v.hasReply
		}
		p.lines++
		p.add(e, v.seq)
		return lineEnd + 1, nil
	}
	if lineEnd-at > maxForeignLine {
		p.lines++
		p.fault(func() string {
			return fmt.Sprintf("%d bytes that are not an event as this program writes them: too long to be read", lineEnd-at)
		})
		p.add(c.entry(&envelope{problems: true}, at, lineEnd-at), 0)
		return lineEnd + 1, nil
	}
	line := make([]byte, lineEnd-at)
	if _, err := f.ReadAt(line, at); err != nil {
		return 0, err
	}
	p.line(line, at, c)
	return lineEnd + 1, nil
}

func clip32(n int64) uint32 { return uint32(min(n, 1<<32-1)) }

// line adds a line; blank ones are no events and give false.
func (p *piece) line(line []byte, at int64, c *coder) bool {
	var v envelope
	var pl payload
	p.lines++
	if len(line) > 0 && line[len(line)-1] == '\r' {
		p.crlf++
		line = line[:len(line)-1]
	}
	size, ok := plainLine(line, &v, &pl)
	if !ok {
		if len(bytes.TrimLeft(line, " \t\r")) == 0 {
			return false
		}
		if size, ok = foreignLine(line, &v, &pl); !ok {
			p.fault(func() string { return whyNoEvent(line) })
		}
	}
	if v.kind == KindNote && string(v.status) == statusMark {
		p.marks = append(p.marks, len(p.entries))
	}
	e := c.entry(&v, at, size)
	if v.kind == KindMessage && v.isResponse() {
		e.partner = clip32(int64(v.answers))
		p.unpaired = p.unpaired || !v.hasReply
	}
	p.add(e, v.seq)
	return true
}

// fault notes that the line which comes next is no event, the reason being the
// end of a sentence.
func (p *piece) fault(why func() string) {
	p.junk++
	if len(p.faults) < maxFaults {
		p.faults = append(p.faults, Fault{Line: p.lines, Seq: uint64(len(p.entries)) + 1, Text: why()})
	}
}

// add adds an entry under the number that its line says.
func (p *piece) add(e entry, number uint64) {
	place := uint64(len(p.entries))
	if p.entries == nil {
		p.entries = make([]entry, 0, (p.to-p.from)/512+16)
	}
	p.entries = append(p.entries, e)
	if number == 0 { // no event, or one that says no number
		p.shifted = true
		return
	}
	if n := len(p.runs); n > 0 && p.runs[n-1].number+p.runs[n-1].n == number && p.runs[n-1].place+p.runs[n-1].n == place {
		p.runs[n-1].n++
		return
	}
	p.runs = append(p.runs, run{number: number, place: place, n: 1})
}

// maxTextCheck is up to which length text is looked through when a file is
// opened.
const maxTextCheck = 4 << 10

// plainLine reads the envelope of a line as this package writes it and returns
// the size of its data and the place of its payload. It looks at the payload's
// ends only.
func plainLine(line []byte, v *envelope, pl *payload) (int64, bool) {
	start, key, ok := parsePrefix(line, v)
	last := len(line) - 1
	if !ok || last < start || line[last] != '}' {
		return 0, false
	}
	*pl = payload{}
	switch string(key) {
	case "":
		return 0, start == last && v.kind != KindMessage
	case "msg":
		pl.form, pl.data = formMessage, line[start:last:last]
		return v.size, v.kind == KindMessage && v.hasMsg && v.size == int64(last-start)
	case "text":
		pl.form, pl.data = formText, line[start:last:last]
	case "b64":
		pl.form, pl.data = formBase64, line[start:last:last]
	default:
		pl.fields = line[start:last:last]
		return max(v.size, 0), string(key) == fieldsKey(v.kind) && last > start && line[last-1] == '}'
	}
	if v.size < 0 || last-start < 2 || line[start] != '"' || line[last-1] != '"' || v.kind == KindMessage && !v.hasMsg {
		return 0, false
	}
	// Two lines that ran together are no event.
	return v.size, last-start > maxTextCheck || endsString(line[start:last])
}

// foreignLine reads any other line. It is kept even if it is no event.
func foreignLine(line []byte, v *envelope, pl *payload) (int64, bool) {
	if err := parseLine(line, v, pl); err != nil {
		*v = envelope{problems: true}
		return int64(len(line)), false
	}
	v.fillMessage(pl)
	if v.size < 0 || pl.form == formMessage {
		data, _ := pl.decode(0)
		return int64(len(data)), true
	}
	return v.size, true
}

// link ties responses to their requests once all lines are in the index.
func (x *indexer) link(ctx context.Context) error {
	if x.shifted {
		x.renumber()
	}
	if x.unpaired {
		return x.pairAgain(ctx)
	}
	x.linkFrom(1)
	return nil
}

// linkFrom makes requests name the responses that name them.
func (x *indexer) linkFrom(seq uint64) {
	ix := &x.log.index
	for end := ix.len(); seq <= end; seq++ {
		e := ix.at(seq)
		asked := uint64(e.answer())
		if asked == 0 || asked >= seq {
			continue
		}
		if q := ix.at(asked); q.answer() == 0 {
			q.setAnswer(uint32(seq))
		}
	}
}

// renumber turns the numbers that lines say into places, for a file that some
// lines were taken out of, or that was put together of several.
func (x *indexer) renumber() {
	ix := &x.log.index
	place := x.placer()
	for seq := uint64(1); seq <= ix.len(); seq++ {
		e := ix.at(seq)
		if e.cause != 0 {
			e.cause = place(seq, e.cause)
		}
		if a := e.answer(); a != 0 {
			if a = place(seq, a); uint64(a) >= seq {
				a = 0
			}
			e.setAnswer(a)
		}
	}
}

// maxJoined is how many runs are looked through for a number that several files
// have.
const maxJoined = 1000

// placer gives the function that finds the place of the line which had a number
// when a line at another place was written: when several have it, the nearest
// before.
func (x *indexer) placer() func(at uint64, number uint32) uint32 {
	runs := x.runs
	byNumber := slices.Clone(runs)
	slices.SortFunc(byNumber, func(a, b run) int { return cmp.Compare(a.number, b.number) })
	unique := true
	for i := 1; i < len(byNumber); i++ {
		unique = unique && byNumber[i-1].number+byNumber[i-1].n <= byNumber[i].number
	}
	if unique {
		return func(_ uint64, number uint32) uint32 {
			n := uint64(number)
			i := sort.Search(len(byNumber), func(i int) bool { return byNumber[i].number > n }) - 1
			if i < 0 {
				return 0
			}
			return byNumber[i].placeOf(n)
		}
	}
	return func(at uint64, number uint32) uint32 {
		i := sort.Search(len(runs), func(i int) bool { return runs[i].place > at }) - 1
		for last := max(0, i-maxJoined); i >= last; i-- {
			if p := runs[i].placeOf(uint64(number)); p != 0 && uint64(p) <= at {
				return p
			}
		}
		return 0
	}
}

// placeOf is the place of the line with a number, 0 if the run has none.
func (r run) placeOf(number uint64) uint32 {
	if number < r.number || number >= r.number+r.n {
		return 0
	}
	return uint32(r.place + number - r.number)
}

// pairAgain pairs requests and responses by their ids.
func (x *indexer) pairAgain(ctx context.Context) error {
	l := x.log
	for seq := uint64(1); seq <= l.index.len(); seq++ {
		l.index.at(seq).setAnswer(0)
	}
	pairs := newPairs()
	for seq := uint64(1); seq <= l.index.len(); seq++ {
		if seq%chunkLen == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		e := l.index.at(seq)
		if e.kind() != KindMessage {
			continue
		}
		v := envelope{kind: KindMessage, dir: e.dir(), msg: e.msg()}
		id, missing := l.tables.id(e.id & idMask)
		if v.id = []byte(id); missing || v.msg == protocol.Batch {
			var pl payload
			if _, err := l.readEnvelope(seq, &v, &pl); err != nil {
				return err
			}
		}
		if partner := pairs.match(&v, seq); partner != 0 {
			e.setAnswer(uint32(partner))
			if q := l.index.at(partner); q.answer() == 0 {
				q.setAnswer(uint32(seq))
			}
		}
	}
	return nil
}
