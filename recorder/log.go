package recorder

import (
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
)

// Ext ends the name of a recording.
const Ext = ".mcp.jsonl"

// ErrReadOnly says that nothing can be added to a recording, because its file
// may not be written or another process writes it.
var ErrReadOnly = errors.New("the recording can only be read")

// Log is one recording: an append-only file and its index in memory.
//
// All methods may be called from any goroutine. Reading never makes Append
// wait; Append waits only while more than a few megabytes are on their way to
// a disk that is slower than the events.
type Log struct {
	path     atomic.Pointer[string]
	header   Header
	start    time.Time
	store    *store
	index    index
	tables   tables
	cache    messageCache
	watchers watchers
	readOnly bool
	opened   bool // not made by Create
	repaired string
	faults   []Fault
	follower *follower // of a file that another process writes
	marks    markTable

	exchangesOnce sync.Once
	exchanges     *Exchanges

	// The rest belongs to whoever holds store.mu.
	coder  *coder
	pairs  *pairs
	closed bool

	closing  sync.Once
	closeErr error
}

// Create starts a recording at path, which must not exist. Folders that are
// missing are made with mode 0700, the file has mode 0600. A zero h.Created
// becomes the time of the call, a missing h.Format the one of this package.
func Create(path string, h Header) (*Log, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("create recording: %w", err)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, fmt.Errorf("create recording: %w", err)
	}
	lockFile(f) // the file is new: nobody else has it
	l, err := create(f, path, h)
	if err != nil {
		return nil, errors.Join(err, f.Close(), os.Remove(path))
	}
	return l, nil
}

func create(f file, path string, h Header) (*Log, error) {
	if h.Created.IsZero() {
		h.Created = time.Now()
	}
	start := h.Created
	h.Format, h.Created = Format, h.Created.UTC().Round(0)
	line, err := appendHeader(nil, h)
	if err != nil {
		return nil, err
	}
	if _, err := f.WriteAt(line, 0); err != nil {
		return nil, fmt.Errorf("create recording %s: %w", path, err)
	}
	l := newLog(f, path, h, int64(len(line)))
	l.start = start
	l.store.written = true
	l.store.start()
	return l, nil
}

func newLog(f file, path string, h Header, end int64) *Log {
	l := &Log{header: h, start: h.Created, store: newStore(f, path, end), tables: newTables(), pairs: newPairs()}
	l.path.Store(&path)
	l.store.place, l.store.told = l.Path, l.watchers.wake
	l.store.moved = func(path string) { l.path.Store(&path) }
	l.coder = newCoder(&l.tables)
	return l
}

// Header returns the first line.
func (l *Log) Header() Header { return l.header }

// Path is the file's name as given, or as Rename has changed it.
func (l *Log) Path() string { return *l.path.Load() }

// Len is the number of events and so the Seq of the newest.
func (l *Log) Len() uint64 { return l.index.len() }

// Err is the first disk error, nil if none. The session goes on: later events
// stay readable as far as they fit in a few megabytes of memory.
func (l *Log) Err() error { return l.store.firstError() }

// Repaired says what Open had to repair or leave out, "" if nothing.
func (l *Log) Repaired() string { return l.repaired }

// Following reports whether another process writes the file.
func (l *Log) Following() bool { return l.follower != nil }

// Sync writes what is pending and asks the system to put it on the disk.
func (l *Log) Sync() error {
	if l.readOnly {
		return nil
	}
	return l.store.sync()
}

// Close writes what is pending, syncs and closes the file; it returns the
// first disk error of the log's life. Events can be listed afterwards, but no
// longer read. It is idempotent.
func (l *Log) Close() error {
	l.closing.Do(func() {
		l.store.mu.Lock()
		l.closed = true
		l.store.mu.Unlock()
		if l.follower != nil {
			l.follower.stop()
		}
		l.closeErr = l.store.close()
		l.watchers.wake()
	})
	return l.closeErr
}

// Append implements Appender. It returns 0 and stores nothing when the log is
// closed, cannot be written (Err is ErrReadOnly then) or is full, at 4 TiB or
// 4 billion events.
func (l *Log) Append(e Event) uint64 {
	if l.readOnly {
		l.store.fail(fmt.Errorf("append to %s: %w", l.Path(), ErrReadOnly))
		return 0
	}
	var v envelope
	form := v.describe(&e)
	r := record{extra: e.Extra}
	r.encode(&v, &e, form)
	seq := l.append(&v, &r)
	if seq != 0 {
		if m, ok := e.Fields.(*Mark); ok && m != nil && e.Kind == KindNote {
			mark := *m
			mark.Seq = v.cause
			l.marks.apply(mark)
		}
		l.watchers.wake()
	}
	return seq
}

// record is what comes after the envelope of a line.
type record struct {
	key    string // of the fields
	fields []byte
	form   form
	data   []byte // as it goes into the file
	size   int    // of the data before it was encoded
	extra  jsontext.Value
	err    error
}

// encode prepares what can be prepared without the number of the event.
func (r *record) encode(v *envelope, e *Event, f form) {
	r.form, r.size = f, len(e.Data)
	if r.key = fieldsKey(e.Kind); r.key != "" && e.Fields != nil {
		r.fields, r.err = appendFields(nil, e.Fields)
	}
	switch f {
	case formMessage:
		r.data = e.Data
	case formText:
		r.data = appendString(nil, e.Data)
	case formBase64:
		r.data = append(base64.StdEncoding.AppendEncode([]byte{'"'}, e.Data), '"')
	}
	if e.Kind == 0 {
		r.encodeUnknown(v)
	}
}

// encodeUnknown makes sure that an event of a kind that is not known has one.
func (r *record) encodeUnknown(v *envelope) {
	if _, _, ok := protocol.Lookup(r.extra, "/k"); !ok {
		r.extra = appendMember(append(jsontext.Value{}, r.extra...), "k", []byte(`"`+lineKind+`"`))
	}
	v.problems = true
}

func (l *Log) append(v *envelope, r *record) uint64 {
	s := l.store
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waitForRoom()
	if l.closed {
		return 0
	}
	if r.err != nil && s.err == nil {
		s.err = fmt.Errorf("write recording %s: %w", l.Path(), r.err)
	}
	seq := l.index.len() + 1
	offset := s.end
	if seq > maxSeq || offset > maxOffset {
		if s.err == nil {
			s.err = fmt.Errorf("write recording %s: it is full", l.Path())
		}
		return 0
	}
	v.seq = seq
	if v.time == 0 {
		v.time = int64(time.Since(l.start))
	}
	partner := l.pairs.match(v, seq)
	if v.kind == KindMessage && v.isResponse() {
		v.answers, v.hasReply = partner, true
	}

	b := s.tail()
	before := len(b.data)
	b.data = v.append(b.data)
	b.data = appendExtra(b.data, r.extra)
	if r.fields != nil {
		b.data = append(append(append(b.data, `,"`...), r.key...), `":`...)
		b.data = append(b.data, r.fields...)
	}
	if r.form != formNone {
		b.data = append(append(append(b.data, `,"`...), formKeys[r.form]...), `":`...)
	}
	var lent *block
	if len(r.data) > largeBody {
		s.added(len(b.data) - before)
		lent = s.lend(r.data)
		b = s.tail()
		before = 0
	} else {
		b.data = append(b.data, r.data...)
	}
	b.data = append(b.data, "}\n"...)
	s.added(len(b.data) - before)

	entry := l.coder.entry(v, offset, int64(r.size))
	entry.partner = uint32(partner)
	l.index.add(entry)
	if partner != 0 {
		if asked := l.index.at(partner); asked.answer() == 0 {
			asked.setAnswer(uint32(seq))
		}
	}
	if lent != nil {
		s.settle(lent)
	}
	return seq
}

// watchers are the channels to wake.
type watchers struct {
	mu   sync.Mutex
	list atomic.Pointer[[]chan struct{}]
}

// Watch returns a channel that holds a wake-up whenever there may be more to
// read than at the last receive, to begin with too, and a function that ends
// the watch. The channel is never closed; Close wakes it once.
func (l *Log) Watch() (wake <-chan struct{}, stop func()) {
	c := make(chan struct{}, 1)
	c <- struct{}{}
	l.watchers.change(func(list []chan struct{}) []chan struct{} { return append(list, c) })
	return c, func() {
		l.watchers.change(func(list []chan struct{}) []chan struct{} {
			for i, other := range list {
				if other == c {
					return append(list[:i], list[i+1:]...)
				}
			}
			return list
		})
	}
}

// change replaces the list by a changed copy.
func (w *watchers) change(f func([]chan struct{}) []chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var list []chan struct{}
	if p := w.list.Load(); p != nil {
		list = append(list, *p...)
	}
	list = f(list)
	w.list.Store(&list)
}

func (w *watchers) wake() {
	if p := w.list.Load(); p != nil {
		for _, c := range *p {
			signal(c)
		}
	}
}
