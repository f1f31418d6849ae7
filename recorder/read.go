package recorder

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// headRoom is how much is read of a line to find where its payload starts;
// longer envelopes make the whole line be read.
const headRoom = 4 << 10

// ErrNoEvent says that a recording has no event of that number.
var ErrNoEvent = errors.New("no such event")

// Head returns what a list row needs; the zero Head for a seq out of range. It
// does no I/O, unless the recording has more different names or ids than are
// kept: those are read from the file.
func (l *Log) Head(seq uint64) Head {
	var h Head
	if seq == 0 || seq > l.index.len() {
		return h
	}
	l.fillHead(&h, seq, true)
	return h
}

// fillHead is Head into memory that the caller has. ID, Ref and Channel are
// left out unless full.
func (l *Log) fillHead(h *Head, seq uint64, full bool) {
	need := needAll
	if !full {
		need &^= needMade
	}
	l.fillHeadFrom(h, seq, need, l.fillFromFile)
}

// fillHeadFrom fills the strings of a head that are needed, those that found no
// room in memory by read.
func (l *Log) fillHeadFrom(h *Head, seq uint64, need headStrings, read func(h *Head, seq uint64, need headStrings)) {
	e := l.index.at(seq)
	h.Seq = seq
	if l.tables.head(h, e, need) {
		read(h, seq, need)
	}
	if h.Partner == 0 || h.Kind != KindMessage {
		return
	}
	p := l.index.at(h.Partner)
	h.Took = time.Duration(p.time - e.time)
	asked := h.Partner > seq
	if !asked {
		h.Took = -h.Took
	}
	if need &= partnerStrings(asked); need == 0 {
		return
	}
	var other Head
	if l.tables.head(&other, p, need) {
		far := new(Head) // read makes what it is given escape
		read(far, h.Partner, need)
		other = *far
	}
	if asked {
		h.Status = other.Status
	} else {
		h.Method, h.Name = other.Method, other.Name
	}
}

// partnerStrings are the strings of a head that are those of its partner: of the
// answer if it asked, of the request if not.
func partnerStrings(asked bool) headStrings {
	if asked {
		return needStatus
	}
	return needMethod | needName
}

// fillFromFile reads the strings that are needed.
func (l *Log) fillFromFile(h *Head, seq uint64, need headStrings) {
	var v envelope
	var pl payload
	if _, err := l.readEnvelope(seq, &v, &pl); err != nil {
		h.Problems = true
		return
	}
	h.setStrings(&v, need)
}

func (h *Head) setStrings(v *envelope, need headStrings) {
	if need&needMethod != 0 {
		h.Method = string(v.method)
	}
	if need&needName != 0 {
		h.Name = string(v.name)
	}
	if need&needStatus != 0 {
		h.Status = string(v.status)
	}
	if need&needMade != 0 {
		h.ID, h.Ref, h.Channel = string(v.id), string(v.ref), string(v.channel)
	}
}

// span gives the place of a line, with its line feed. What follows a line may
// be counted to it: blank lines, or events that came meanwhile.
func (l *Log) span(seq uint64) (offset, length int64) {
	offset = l.index.at(seq).offset()
	if seq < l.index.len() {
		return offset, l.index.at(seq+1).offset() - offset
	}
	l.store.mu.Lock()
	defer l.store.mu.Unlock()
	return offset, l.store.end - offset
}

// readLine reads a line without its line feed, or at least max bytes of it
// when max > 0; whole says which.
func (l *Log) readLine(seq uint64, max int64) (line []byte, whole bool, err error) {
	if seq == 0 || seq > l.index.len() {
		return nil, false, fmt.Errorf("event %d of %s: %w", seq, l.Path(), ErrNoEvent)
	}
	offset, length := l.span(seq)
	whole = max <= 0 || length <= max
	if !whole {
		length = max
	}
	line = make([]byte, length)
	n, err := l.store.ReadAt(line, offset)
	if err != nil && (n == 0 || !errors.Is(err, io.EOF)) {
		return nil, false, fmt.Errorf("event %d: %w", seq, err)
	}
	line = line[:n]
	if i := bytes.IndexByte(line, '\n'); i >= 0 {
		return line[:i], true, nil
	}
	return line, whole, nil
}

// check looks at the whole payload of a plain line, where plainLine looks at
// its ends only: with more members behind it, what seems to be one value is
// not. The length of a message tells that already.
func (pl *payload) check() bool {
	switch {
	case pl.form == formText || pl.form == formBase64:
		return endsString(pl.data)
	case pl.fields != nil:
		return jsontext.Value(pl.fields).IsValid(tolerant...)
	}
	return true
}

// endsString reports whether v is one JSON string to its last byte.
func endsString(v []byte) bool {
	for p := 1; p < len(v); {
		p += spanText(v[p:])
		switch {
		case p >= len(v):
		case v[p] == '"':
			return p == len(v)-1
		default:
			p += 2
		}
	}
	return false
}

// readEnvelope reads and parses a whole line; it returns the line. What the
// index has taken for an event is one, even if its payload is damaged.
func (l *Log) readEnvelope(seq uint64, v *envelope, pl *payload) ([]byte, error) {
	line, _, err := l.readLine(seq, 0)
	if err != nil {
		return nil, err
	}
	if _, ok := plainLine(line, v, pl); ok && pl.check() {
		return line, nil
	}
	if err := parseLine(line, v, pl); err == nil {
		v.fillMessage(pl)
		return line, nil
	}
	if _, ok := plainLine(line, v, pl); ok {
		return line, nil
	}
	*v, *pl = envelope{problems: true, size: int64(len(line))}, payload{}
	return line, nil
}

// Read returns an event with at most max bytes of its Data (all if max <= 0).
// The caller owns what it gets.
func (l *Log) Read(seq uint64, max int) (Event, error) {
	if max > 0 {
		if e, ok, err := l.readBeginning(seq, max); ok || err != nil {
			return e, err
		}
		if e, ok, err := l.readGigantic(seq, max); ok || err != nil {
			return e, err
		}
	}
	var v envelope
	var pl payload
	line, err := l.readEnvelope(seq, &v, &pl)
	if err != nil {
		return Event{}, err
	}
	e := l.event(seq, &v)
	if v.kind == 0 && pl.extra == nil {
		if max > 0 && len(line) > max {
			line = line[:max]
		}
		e.Data = line
		return e, nil
	}
	e.Extra = pl.extra
	if e.Data, err = pl.decode(max); err != nil {
		return e, fmt.Errorf("event %d of %s: %w", seq, l.Path(), err)
	}
	if pl.fields != nil {
		if e.Fields, err = parseFields(v.kind, pl.fields); err != nil {
			return e, fmt.Errorf("event %d of %s: %w", seq, l.Path(), err)
		}
		if m, ok := e.Fields.(*Mark); ok {
			m.Seq = e.Cause
		}
	}
	return e, nil
}

// readBeginning does Read for a line that is much longer than max, when it is
// one that this package wrote.
func (l *Log) readBeginning(seq uint64, max int) (Event, bool, error) {
	line, whole, err := l.readLine(seq, roomFor(max))
	if err != nil || whole {
		return Event{}, false, err
	}
	var v envelope
	start, key, ok := parsePrefix(line, &v)
	if !ok || start > headRoom {
		return Event{}, false, nil
	}
	pl := payload{data: line[start:]}
	switch string(key) {
	case "msg":
		pl.form = formMessage
		pl.data = pl.data[:min(int64(len(pl.data)), int64(l.index.at(seq).size))]
	case "text":
		pl.form = formText
	case "b64":
		pl.form = formBase64
	default:
		return Event{}, false, nil
	}
	e := l.event(seq, &v)
	if e.Data, err = pl.decode(max); err != nil {
		return Event{}, false, nil
	}
	return e, true, nil
}

// Beginning returns an event with the first bytes of its Data, max at most,
// unless finding them takes reading much more than that, as in a long line that
// this package did not write. It costs little whatever the length of the event.
func (l *Log) Beginning(seq uint64, max int) (e Event, ok bool) {
	var err error
	if e, ok, err = l.readBeginning(seq, max); ok || err != nil {
		return e, ok
	}
	if e, ok, err = l.readGigantic(seq, max); ok || err != nil {
		return e, ok
	}
	if _, length := l.span(seq); length > roomFor(max) {
		return Event{}, false
	}
	e, err = l.Read(seq, max)
	return e, err == nil
}

// roomFor is how much of a line may have to be read for some bytes of data: in
// text a byte may take six, in base64 three take four.
func roomFor(max int) int64 { return headRoom + 6*int64(max) }

// readGigantic does Read for a line that was too long to be looked at.
func (l *Log) readGigantic(seq uint64, max int) (Event, bool, error) {
	if seq == 0 || seq > l.index.len() || l.index.at(seq).kind() != 0 || l.index.at(seq).size <= maxForeignLine {
		return Event{}, false, nil
	}
	line, _, err := l.readLine(seq, int64(max))
	if err != nil {
		return Event{}, false, err
	}
	return Event{Seq: seq, Data: line[:min(len(line), max)]}, true, nil
}

func (l *Log) event(seq uint64, v *envelope) Event {
	return Event{
		Seq: seq, Time: time.Duration(v.time), Dir: v.dir, Kind: v.kind,
		Channel: string(v.channel), Cause: uint64(l.index.at(seq).cause),
	}
}

// Body gives the Data of an event to be read in pieces, straight from the file
// when it is kept there verbatim, as messages are.
func (l *Log) Body(seq uint64) (*io.SectionReader, error) {
	line, whole, err := l.readLine(seq, headRoom)
	if err != nil {
		return nil, err
	}
	var v envelope
	if !whole {
		start, key, ok := parsePrefix(line, &v)
		if ok && string(key) == "msg" && v.hasMsg {
			e := l.index.at(seq)
			return io.NewSectionReader(l.store, e.offset()+int64(start), int64(e.size)), nil
		}
	}
	e, err := l.Read(seq, 0)
	if err != nil {
		return nil, err
	}
	return io.NewSectionReader(bytes.NewReader(e.Data), 0, int64(len(e.Data))), nil
}
