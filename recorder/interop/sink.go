package interop

import (
	"container/heap"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/recorder"
)

const (
	maxHeld    = 32 << 20 // bytes of events that wait for earlier ones
	maxValue   = 256 << 20
	maxRemarks = 100
	maxKept    = 1 << 20 // bytes of what could not be read
)

// sink takes the events of a file, puts them in the order of their times and
// appends them to a recording.
type sink struct {
	ctx    context.Context
	name   string
	o      Options
	report Report

	log    *recorder.Log // nil until the first event when create is set
	create func(recorder.Header) (*recorder.Log, error)
	target recorder.Target // what the file tells of the server
	masker *recorder.Masker

	waiting items
	held    int
	n       int           // items so far
	last    time.Duration // of the latest appended event
	base    time.Time     // what times count from
	based   bool
	prior   time.Time // of the last item, for those without a time
	raised  int
	asked   map[string]recorder.Direction // requests without an answer, by id
	counts  map[string]int                // channels, by kind
}

func newSink(ctx context.Context, name string, o Options) *sink {
	return &sink{ctx: ctx, name: name, o: o, masker: recorder.NewMasker(), asked: map[string]recorder.Direction{}, counts: map[string]int{}}
}

// item is an event that may have to wait for others.
type item struct {
	at    time.Time // zero in files without times
	n     int
	event recorder.Event
	cause *item
	seq   uint64 // once it is appended
}

type items []*item

func (h items) Len() int { return len(h) }
func (h items) Less(i, j int) bool {
	if h[i].at.Equal(h[j].at) {
		return h[i].n < h[j].n
	}
	return h[i].at.Before(h[j].at)
}
func (h items) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *items) Push(x any)   { *h = append(*h, x.(*item)) }
func (h *items) Pop() any {
	old := *h
	x := old[len(old)-1]
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	return x
}

// add takes an event at a time, zero if the file does not say. An event is
// never earlier than its cause.
func (s *sink) add(at time.Time, e recorder.Event, cause *item) (*item, error) {
	if at.IsZero() {
		at = s.prior
	}
	if cause != nil && at.Before(cause.at) {
		at = cause.at
	}
	s.prior = at
	it := &item{at: at, n: s.n, event: e, cause: cause}
	s.n++
	s.held += len(e.Data) + 512
	heap.Push(&s.waiting, it)
	for s.held > maxHeld && len(s.waiting) > 1 {
		if err := s.append(heap.Pop(&s.waiting).(*item)); err != nil {
			return nil, err
		}
	}
	return it, s.ctx.Err()
}

// open makes the recording.
func (s *sink) open() error {
	if s.log != nil || s.create == nil {
		return nil
	}
	h := recorder.Header{App: s.o.App, Target: s.masker.Target(s.target), Created: s.base}
	if h.Target.Transport == "" {
		h.Target.Transport = "stdio"
	}
	log, err := s.create(h)
	if err != nil {
		return err
	}
	s.log = log
	return nil
}

func (s *sink) append(it *item) error {
	s.held -= len(it.event.Data) + 512
	if !s.based {
		s.based = true
		s.base = it.at
		if err := s.open(); err != nil {
			return err
		}
		switch created := s.log.Header().Created; {
		case it.at.IsZero():
		case s.create == nil && created.After(it.at):
			s.rule("Times count from the first event, which was at " + it.at.UTC().Format(time.RFC3339Nano) + ".")
		default:
			s.base = created
		}
	}
	if s.base.IsZero() && !it.at.IsZero() { // the first events had no time
		s.base = it.at.Add(-s.last)
	}
	e := it.event
	e.Time = max(it.at.Sub(s.base), 1) // zero would be the time of now
	if e.Time <= s.last {
		if e.Time < s.last && !it.at.IsZero() {
			s.raised++
		}
		e.Time = s.last
		if it.at.IsZero() {
			e.Time++
		}
	}
	s.last = e.Time
	if it.cause != nil {
		e.Cause = it.cause.seq
	}
	if it.seq = s.log.Append(e); it.seq == 0 {
		if err := s.log.Err(); err != nil {
			return err
		}
		return errors.New("the recording takes no more events")
	}
	s.report.Events++
	if e.Kind == recorder.KindMessage {
		s.report.Messages++
	}
	it.event = recorder.Event{}
	return nil
}

// finish appends what waits.
func (s *sink) finish() error {
	for len(s.waiting) > 0 {
		if err := s.append(heap.Pop(&s.waiting).(*item)); err != nil {
			return err
		}
	}
	if s.raised > 0 {
		s.rule(fmt.Sprintf("Events that stand in the file after later ones have the time of the event before them: %d.", s.raised))
	}
	if s.log == nil {
		return nil
	}
	return s.log.Err()
}

// discard takes back a recording that was not finished.
func (s *sink) discard(path string) error {
	if s.log == nil || s.create == nil {
		return nil
	}
	return errors.Join(s.log.Close(), os.Remove(path))
}

// rule adds a sentence to the report, once.
func (s *sink) rule(text string) {
	if !slices.Contains(s.report.Rules, text) && len(s.report.Rules) < maxRemarks {
		s.report.Rules = append(s.report.Rules, text)
	}
}

// skip notes what cannot be read: in the report and in the recording.
func (s *sink) skip(at time.Time, where, why string, raw []byte, cause *item) error {
	s.report.SkippedN++
	if len(s.report.Skipped) < maxRemarks {
		s.report.Skipped = append(s.report.Skipped, Remark{where, why})
	}
	if len(raw) > 0 {
		data := raw
		if len(data) > maxKept {
			data = data[:maxKept]
			for len(data) > maxKept-utf8.UTFMax && !utf8.RuneStart(raw[len(data)]) {
				data = data[:len(data)-1]
			}
			why += fmt.Sprintf("; the first %d of its %d bytes are kept", len(data), len(raw))
		}
		var err error
		if cause, err = s.add(at, recorder.Event{Kind: recorder.KindBad, Data: slices.Clone(data)}, cause); err != nil {
			return err
		}
	}
	return s.note(at, where+": "+why, cause)
}

func (s *sink) note(at time.Time, text string, cause *item) error {
	_, err := s.add(at, recorder.Event{Kind: recorder.KindNote, Data: []byte(text)}, cause)
	return err
}

// channel names the next channel of a kind: "post-3".
func (s *sink) channel(kind string) string {
	s.counts[kind]++
	return fmt.Sprintf("%s-%d", kind, s.counts[kind])
}

// messageKind tells what can be read as JSON or as a message from other bytes.
func messageKind(b []byte) recorder.EventKind {
	if jsontext.Value(b).IsValid(jsontext.AllowDuplicateNames(true)) || protocol.Parse(b).Kind != protocol.Invalid {
		return recorder.KindMessage
	}
	return recorder.KindBad
}

// maxAsked bounds the requests that wait for their answer.
const maxAsked = 1 << 16

// direction finds which way a message went by what it is: the side that sends
// such requests and notifications, and for an answer the other way than its
// request.
func (s *sink) direction(m protocol.Message) recorder.Direction {
	switch m.Kind {
	case protocol.Request, protocol.Notification:
		d := methodDirection(m.Method)
		s.ask(m, d)
		return d
	case protocol.Result, protocol.Error:
		id := m.ID.String()
		if d, ok := s.asked[id]; ok {
			delete(s.asked, id)
			return recorder.Out + recorder.In - d
		}
	case protocol.Batch:
		var d recorder.Direction
		for _, item := range m.Items {
			if one := s.direction(item); d == 0 {
				d = one
			}
		}
		if d != 0 {
			return d
		}
	}
	return recorder.In
}

// ask enters a request that went one way.
func (s *sink) ask(m protocol.Message, d recorder.Direction) {
	if m.Kind == protocol.Request && !m.ID.IsZero() && len(s.asked) < maxAsked {
		s.asked[m.ID.String()] = d
	}
}

const directionRule = "The file does not say which way messages went: methods of clients go to the server, methods of servers come from it, answers go the other way than their request."

// methodDirection is the way of a method that only one side sends; what both
// may send goes out as a request and comes in as a notification of progress.
func methodDirection(method string) recorder.Direction {
	client, server := false, false
	for _, r := range protocol.Revisions() {
		client = client || r.Knows(protocol.FromClient, method)
		server = server || r.Knows(protocol.FromServer, method)
	}
	switch {
	case server && !client:
		return recorder.In
	case server && method == protocol.NotificationProgress:
		return recorder.In
	}
	return recorder.Out
}
