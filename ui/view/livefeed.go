package view

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/ui/view/human"
)

// Feed is what a server sends unasked, or its log messages: rows in the order of
// arrival, drawn from the recording. An entry costs 8 bytes and nothing waits in
// a queue; what is hidden by a filter, a pause or Clear is in the recording all
// the same.
//
// All methods belong to one goroutine; reading and searching the recording goes
// on in others, which end with their owner or with Close.
type Feed struct {
	log  *recorder.Log
	logs bool // log messages alone, with level and logger
	mark func()

	names feedNames
	all   []feedEntry
	rows  []uint32 // places in all, of the entries that are shown
	next  int      // of all, the first that is not looked at
	from  int      // of all, the first since Clear
	held  int      // of all, where Pause was; -1 when it goes on
	turn  uint64   // changes when the rows are other ones, as against more

	off     map[uint16]bool // kinds that are not shown
	least   int             // index of the least level that is shown
	logger  int             // of names.Loggers, -1 for all
	text    string
	search  *search // for text, nil for none
	problem string
	hits    []uint64 // events that the text matches, ascending
	hit     int      // of hits, the first that an entry not looked at may be
	looked  uint64   // events that the text was looked for in

	scan *feedScan
	run  func(func(context.Context))
	stop context.CancelFunc
}

// feedEntry is what a filter needs of an event.
type feedEntry struct {
	seq    uint32
	kind   uint8 // of names.Kinds
	level  uint8 // index of protocol.LogLevels, or len of it
	logger uint16
}

// FeedKind is a method that came, with how often.
type FeedKind struct {
	Method string // safe
	Count  uint64
	Off    bool
}

// feedNames are the methods and loggers that came, in the order in which they
// were first seen. Beyond a bound they share the last place.
type feedNames struct {
	kinds   []string
	counts  []uint64
	loggers []string
	levels  [9]uint64
}

const (
	maxFeedKinds   = 60
	maxFeedLoggers = 500
	feedOther      = "other"
	feedBatch      = 4096     // events between two looks at the context
	logBytes       = 64 << 10 // of a log message that are read for its level and logger
)

// feedScan is what the goroutine that follows the recording hands over.
type feedScan struct {
	mu      sync.Mutex
	fresh   []feedEntry
	kinds   []string
	loggers []string
}

// NewFeed follows log: everything that comes unasked, or the log messages alone.
// run starts a goroutine; mark is called from any goroutine when there is
// something to Take.
func NewFeed(log *recorder.Log, logs bool, run func(func(context.Context)), mark func()) *Feed {
	ctx, stop := context.WithCancel(context.Background())
	f := &Feed{log: log, logs: logs, mark: mark, run: run, held: -1, logger: -1, off: map[uint16]bool{}, scan: &feedScan{}, stop: stop}
	run(func(owner context.Context) {
		release := context.AfterFunc(owner, stop)
		defer release()
		f.scan.follow(ctx, log, logs, mark)
	})
	return f
}

// Close ends the goroutines of the feed.
func (f *Feed) Close() {
	f.stop()
	f.endSearch()
}

func (f *Feed) endSearch() {
	if f.search != nil {
		f.search.stop()
		f.search = nil
	}
}

// Log is the recording that is followed.
func (f *Feed) Log() *recorder.Log { return f.log }

// follow reads what the recording gains.
func (s *feedScan) follow(ctx context.Context, log *recorder.Log, logs bool, mark func()) {
	wake, stop := log.Watch()
	defer stop()
	kinds, loggers := map[string]uint8{}, map[string]uint16{}
	next := uint64(1)
	for {
		for end := log.Len(); next <= end; {
			to := min(end, next+feedBatch-1)
			batch := make([]feedEntry, 0, 64)
			for ; next <= to; next++ {
				h := log.Head(next)
				if h.Dir != recorder.In || h.Kind != recorder.KindMessage || h.Message != protocol.Notification && (logs || h.Message != protocol.Request) {
					continue
				}
				if logs && h.Method != protocol.NotificationMessage {
					continue
				}
				e := feedEntry{seq: uint32(next)}
				if logs {
					s.readLog(log, h, &e, loggers)
				} else {
					e.kind = s.kindOf(cmp.Or(h.Method, "no method"), kinds)
				}
				batch = append(batch, e)
			}
			s.add(batch)
			if ctx.Err() != nil {
				return
			}
			mark()
		}
		select {
		case <-wake:
		case <-ctx.Done():
			return
		}
	}
}

func (s *feedScan) add(batch []feedEntry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fresh = append(s.fresh, batch...)
}

func (s *feedScan) kindOf(method string, known map[string]uint8) uint8 {
	if k, ok := known[method]; ok {
		return k
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.kinds) == maxFeedKinds {
		return maxFeedKinds - 1
	}
	if len(s.kinds) == maxFeedKinds-1 {
		method = feedOther
	}
	known[method] = uint8(len(s.kinds))
	s.kinds = append(s.kinds, method)
	return known[method]
}

// readLog finds level and logger of a log message. One that is cut because it is
// long may have them behind its data; it counts as other then.
func (s *feedScan) readLog(log *recorder.Log, h recorder.Head, e *feedEntry, known map[string]uint16) {
	e.level = uint8(len(protocol.LogLevels))
	var entry protocol.LogEntry
	if ev, err := log.Read(h.Seq, logBytes); err == nil {
		entry = protocol.DecodeLog(protocol.Parse(ev.Data).Params)
	}
	if i := slices.Index(protocol.LogLevels, entry.Level); i >= 0 {
		e.level = uint8(i)
	}
	name := entry.Logger
	if k, ok := known[name]; ok {
		e.logger = k
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.loggers) == maxFeedLoggers {
		e.logger = maxFeedLoggers - 1
		return
	}
	if len(s.loggers) == maxFeedLoggers-1 {
		name = feedOther
	}
	known[name] = uint16(len(s.loggers))
	e.logger = known[name]
	s.loggers = append(s.loggers, name)
}

// Take takes in what is new.
func (f *Feed) Take() {
	s := f.scan
	s.mu.Lock()
	fresh := s.fresh
	s.fresh = nil
	f.names.kinds, f.names.loggers = slices.Clip(s.kinds), slices.Clip(s.loggers)
	s.mu.Unlock()
	for len(f.names.counts) < len(f.names.kinds) {
		f.names.counts = append(f.names.counts, 0)
	}
	for _, e := range fresh {
		f.names.levels[e.level]++
		if !f.logs {
			f.names.counts[e.kind]++
		}
	}
	f.all = append(f.all, fresh...)
	if f.search != nil {
		var err error
		if f.hits, f.looked, err = f.search.take(f.hits); err != nil {
			f.problem = line("search: "+err.Error(), 200)
		}
	}
	f.grow()
}

// grow shows what has come, as far as it was looked at.
func (f *Feed) grow() {
	end := len(f.all)
	if f.held >= 0 {
		end = min(end, f.held)
	}
	for ; f.next < end; f.next++ {
		if f.search != nil && uint64(f.all[f.next].seq) > f.looked {
			return
		}
		if f.shows(f.next) {
			f.rows = append(f.rows, uint32(f.next))
		}
	}
}

// shows reports whether an entry is shown. Between two relays it is asked for each
// one in turn.
func (f *Feed) shows(i int) bool {
	e := f.all[i]
	switch {
	case i < f.from, f.off[uint16(e.kind)] && !f.logs:
		return false
	case f.logs && int(e.level) < f.least, f.logs && f.logger >= 0 && int(e.logger) != f.logger:
		return false
	}
	if f.search == nil {
		return true
	}
	for f.hit < len(f.hits) && f.hits[f.hit] < uint64(e.seq) {
		f.hit++
	}
	return f.hit < len(f.hits) && f.hits[f.hit] == uint64(e.seq)
}

// relay begins the rows anew.
func (f *Feed) relay() {
	f.rows, f.next, f.hit = f.rows[:0:0], f.from, 0
	f.turn++
	f.grow()
}

// Turn changes when the rows are other ones, as against more of them.
func (f *Feed) Turn() uint64 { return f.turn }

// Rows is the number of rows.
func (f *Feed) Rows() int { return len(f.rows) }

// Seq is the event of a row.
func (f *Feed) Seq(row int) uint64 { return uint64(f.all[f.rows[row]].seq) }

// RowOf finds the row of an event, -1 when it is not shown.
func (f *Feed) RowOf(seq uint64) int {
	i, ok := slices.BinarySearchFunc(f.rows, seq, func(place uint32, seq uint64) int { return cmp.Compare(uint64(f.all[place].seq), seq) })
	if !ok {
		return -1
	}
	return i
}

// Kinds are the methods that came, in the order in which they were first seen.
func (f *Feed) Kinds() []FeedKind {
	kinds := make([]FeedKind, len(f.names.kinds))
	for i, method := range f.names.kinds {
		kinds[i] = FeedKind{Method: line(method, 60), Count: f.names.counts[i], Off: f.off[uint16(i)]}
	}
	return kinds
}

// SetKind shows a kind, by its place among Kinds, or not.
func (f *Feed) SetKind(kind int, on bool) {
	if f.off[uint16(kind)] == !on {
		return
	}
	f.off[uint16(kind)] = !on
	f.relay()
}

// OnlyKind shows one kind alone; all of them again when it is alone already.
func (f *Feed) OnlyKind(kind int) {
	alone := true
	for i := range f.names.kinds {
		alone = alone && f.off[uint16(i)] == (i != kind)
	}
	for i := range f.names.kinds {
		f.off[uint16(i)] = i != kind && !alone
	}
	f.relay()
}

// Loggers are the names of the loggers that came, safe; the empty one stands for
// messages without.
func (f *Feed) Loggers() []string {
	out := make([]string, len(f.names.loggers))
	for i, name := range f.names.loggers {
		out[i] = line(name, 60)
	}
	return out
}

// Levels is how many messages came of each level of protocol.LogLevels, and of
// none of these.
func (f *Feed) Levels() [9]uint64 { return f.names.levels }

// SetLeast shows log messages from a level on, by its index. Messages of no
// known level are always shown.
func (f *Feed) SetLeast(level int) {
	if f.least != level {
		f.least = level
		f.relay()
	}
}

// SetLogger shows the messages of one logger, by its place; -1 for all.
func (f *Feed) SetLogger(logger int) {
	if f.logger != logger {
		f.logger = logger
		f.relay()
	}
}

// SetText shows what a filter of the timeline's language lets through.
func (f *Feed) SetText(text string) {
	text = strings.TrimSpace(text)
	if text == f.text {
		return
	}
	f.text, f.problem = text, ""
	if _, err := recorder.ParseFilter(text); err != nil {
		f.problem = filterProblem(err)
		return
	}
	f.endSearch()
	f.hits, f.looked = nil, 0
	if text != "" {
		filter, err := recorder.ParseFilter(f.scope() + " " + text)
		if err != nil {
			f.problem = filterProblem(err)
			return
		}
		f.search = startSearch(f.log, filter, 1, f.run, f.mark)
	}
	f.relay()
}

// scope is what the feed shows, as a filter.
func (f *Feed) scope() string {
	if f.logs {
		return "dir:in method:" + protocol.NotificationMessage
	}
	return "dir:in kind:notification|request"
}

// Problem says why the text is not in force, "" when all is well.
func (f *Feed) Problem() string { return f.problem }

// Pause keeps the rows as they are, or goes on with what came meanwhile.
func (f *Feed) Pause(on bool) {
	switch {
	case on && f.held < 0:
		f.held = len(f.all)
	case !on && f.held >= 0:
		f.held = -1
		f.grow()
	}
}

// Paused reports whether the rows are kept.
func (f *Feed) Paused() bool { return f.held >= 0 }

// Clear empties the view, not the recording; All brings everything back.
func (f *Feed) Clear() {
	f.from = len(f.all)
	if f.held >= 0 {
		f.held = f.from
	}
	f.relay()
}

// Cleared is how many entries Clear put out of sight.
func (f *Feed) Cleared() int { return f.from }

// All shows again what Clear put out of sight.
func (f *Feed) All() {
	f.from = 0
	f.relay()
}

// Said tells how many of how many are shown.
func (f *Feed) Said() string {
	text := human.Count(len(f.rows)) + " of " + human.Count(len(f.all)-f.from)
	if f.held >= 0 {
		text += ", " + human.Count(len(f.all)-f.held) + " came since the pause"
	}
	text += f.search.said()
	if f.from > 0 {
		text += " · " + human.Count(f.from) + " cleared from view"
	}
	return text
}

// Total is how many have come.
func (f *Feed) Total() int { return len(f.all) }
