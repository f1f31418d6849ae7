package session

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"mcploupe/protocol"
)

const (
	maxWatches    = 64
	maxWatchReads = 256 // of one watch; the contents are in the log
	// watchPause is the time from the end of a read to the next one, so that a
	// resource that changes all the time is not read all the time.
	watchPause = 200 * time.Millisecond
)

var errNoWatch = errors.New("there is no such watch")

// watch is a Watch with what keeps it going. Session.mu guards it.
type watch struct {
	Watch
	due     time.Time // of the next read, zero when none is wanted
	over    time.Time // of the last read
	waiting uint64    // updates since the last read began
	part    string    // that the newest of them named
	taken   uint64    // updates that the read under way answers
	update  uint64    // their newest event
	of      string    // and the part that it named
}

// begin marks the wanted read as under way.
func (w *watch) begin() {
	w.due, w.Reading, w.Stale = time.Time{}, true, false
	w.taken, w.update, w.of = w.waiting, 0, w.part
	if w.taken > 0 {
		w.update = w.LastSeq
		w.Folded += w.taken - 1
	}
	w.waiting, w.part = 0, ""
}

// WatchResource reads a resource now and whenever the server says that it
// changed. It does not subscribe to it. There is one watch for a URI.
func (s *Session) WatchResource(uri string) (key uint64, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isClosing {
		return 0, errClosed
	}
	for _, w := range s.live.watches {
		if w.URI == uri {
			return w.Key, nil
		}
	}
	if len(s.live.watches) >= maxWatches {
		return 0, fmt.Errorf("watching a resource: %d are watched already; stop some first", maxWatches)
	}
	s.live.nextWatch++
	w := &watch{Watch: Watch{Key: s.live.nextWatch, URI: uri, Since: time.Now()}}
	s.live.watches = append(s.live.watches, w)
	s.wantRead(w)
	return w.Key, nil
}

// ReadWatch reads a watched resource once more.
func (s *Session) ReadWatch(key uint64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, w := range s.live.watches {
		if w.Key == key {
			s.wantRead(w)
			return nil
		}
	}
	return errNoWatch
}

// StopWatch ends a watch.
func (s *Session) StopWatch(key uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.live.watches = slices.DeleteFunc(s.live.watches, func(w *watch) bool { return w.Key == key })
	s.changed()
}

// wantRead has the resource of a watch read as soon as it may be. mu is held.
func (s *Session) wantRead(w *watch) {
	w.Stale = true
	if w.due.IsZero() {
		w.due = time.Now()
		if next := w.over.Add(watchPause); next.After(w.due) {
			w.due = next
		}
		s.wakeLive()
	}
	s.changed()
}

// touchWatches takes the news that a resource has changed. mu is held.
func (s *Session) touchWatches(uri string, seq uint64) {
	for _, w := range s.live.watches {
		if !covers(w.URI, uri) {
			continue
		}
		w.Updates++
		w.waiting++
		w.LastSeq, w.part = seq, ""
		if uri != w.URI {
			w.part = uri
		}
		s.wantRead(w)
	}
}

// readWatch reads the resource of a watch. There is never more than one read of
// it under way.
func (s *Session) readWatch(w *watch) {
	read := WatchRead{At: time.Now(), Update: w.update, Updates: w.taken, URI: w.of}
	st, err := s.brief(s.ctx, s.NewRequest(protocol.MethodResourcesRead, uriParams(w.URI)), CallOptions{})
	if err == nil {
		read.RequestSeq, read.AnswerSeq = st.RequestSeq, st.AnswerSeq
		err = st.failure()
	}
	if err != nil {
		read.Err = sentence(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	w.Reading, w.over = false, time.Now()
	// Snapshots share the array up to their length.
	w.Reads = append(w.Reads, read)
	if over := len(w.Reads) - maxWatchReads; over >= maxWatchReads {
		w.Gone += over
		w.Reads = slices.Clone(w.Reads[over:])
	}
	if !w.due.IsZero() {
		w.due = w.over.Add(watchPause)
	}
	s.wakeLive()
	s.changed()
}

func (s *Session) watchStates() []Watch {
	out := make([]Watch, len(s.live.watches))
	for i, w := range s.live.watches {
		out[i] = w.Watch
		if over := len(out[i].Reads) - maxWatchReads; over > 0 {
			out[i].Reads, out[i].Gone = out[i].Reads[over:], out[i].Gone+over
		}
	}
	return out
}
