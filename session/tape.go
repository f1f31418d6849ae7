package session

import (
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	"mcploupe/recorder"
)

// tape is where the events of a session go: a recording, and another one after
// SetLog. It numbers events through all of them, so that links may keep a number
// as the cause of later events; local makes it the number in the recording of
// now.
type tape struct {
	mu   sync.RWMutex // held for reading while an event is added
	log  *recorder.Log
	past uint64 // events of the recordings before
}

// Append implements recorder.Appender.
func (t *tape) Append(e recorder.Event) uint64 {
	t.mu.RLock()
	defer t.mu.RUnlock()
	e.Cause = t.here(e.Cause)
	seq := t.log.Append(e)
	if seq == 0 {
		return 0
	}
	return t.past + seq
}

// here is local with mu held.
func (t *tape) here(number uint64) uint64 {
	if number <= t.past {
		return 0
	}
	return number - t.past
}

// local is the number of an event in the recording of now, 0 when an earlier one
// has it.
func (t *tape) local(number uint64) uint64 {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.here(number)
}

// current is the recording of now.
func (t *tape) current() *recorder.Log {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.log
}

// swap makes next the recording of now. No event is on its way to the old one
// when it returns.
func (t *tape) swap(next *recorder.Log) (old *recorder.Log) {
	t.mu.Lock()
	defer t.mu.Unlock()
	remark := func(log *recorder.Log, text string) {
		log.Append(recorder.Event{Dir: recorder.Out, Kind: recorder.KindNote, Data: []byte(text)})
	}
	old = t.log
	remark(old, "The recording goes on in "+filepath.Base(next.Path())+".")
	remark(next, fmt.Sprintf("This recording goes on from event %d of %s.", old.Len(), filepath.Base(old.Path())))
	t.log, t.past = next, t.past+old.Len()
	return old
}

// SetLog lets the session go on in another recording, which should be a new one:
// each event is in one of the two, and both say in a note where it goes on. It
// returns the recording up to now, which is complete; the caller closes it, and
// next after the session. Numbers of its events in State become 0.
func (s *Session) SetLog(next *recorder.Log) (old *recorder.Log) {
	old = s.log.swap(next)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asksChanged()
	return old
}

// localize makes the numbers of a snapshot those of the recording of now.
func (t *tape) localize(st *State) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if t.past == 0 {
		return
	}
	for i := range st.Steps {
		st.Steps[i].Seq = t.here(st.Steps[i].Seq)
	}
	st.Asks, st.Peers = slices.Clone(st.Asks), slices.Clone(st.Peers)
	for i := range st.Asks {
		st.Asks[i].Seq = t.here(st.Asks[i].Seq)
	}
	for i := range st.Peers {
		st.Peers[i].Seq = t.here(st.Peers[i].Seq)
	}
	st.Findings = slices.Clone(st.Findings)
	for i := range st.Findings {
		st.Findings[i].Seq = t.here(st.Findings[i].Seq)
	}
	t.localizeLive(st)
}

// localizeCall is localize for a call.
func (t *tape) localizeCall(st *CallState) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if t.past == 0 {
		return
	}
	st.RequestSeq, st.AnswerSeq = t.here(st.RequestSeq), t.here(st.AnswerSeq)
	st.Reports = slices.Clone(st.Reports)
	for i := range st.Reports {
		st.Reports[i].Seq = t.here(st.Reports[i].Seq)
	}
	st.Rounds = slices.Clone(st.Rounds)
	for i := range st.Rounds {
		st.Rounds[i].RequestSeq, st.Rounds[i].AnswerSeq = t.here(st.Rounds[i].RequestSeq), t.here(st.Rounds[i].AnswerSeq)
	}
}
