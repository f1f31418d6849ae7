package view

import (
	"context"
	"errors"
	"sync"

	"mcploupe/recorder"
	"mcploupe/ui/view/human"
)

// search is one filter at work on a recording: what is there first, then what
// is added, until it is stopped.
type search struct {
	stop    context.CancelFunc
	stopped bool   // by the person; this and the next belong to the model's goroutine
	upTo    uint64 // looked, when it was stopped

	mu     sync.Mutex
	found  []uint64 // not taken in yet, ascending
	looked uint64   // events that the filter has seen, all up to this one
	caught bool     // it has come to the end of the log once, and follows it now
	err    error
}

// searchStep is how many events are searched between two words on how far the
// search has come.
const searchStep = 50_000

// startSearch searches the events of log from one on. run starts a goroutine
// and is called once; mark is called from it whenever there is news.
func startSearch(log *recorder.Log, filter *recorder.Filter, from uint64, run func(func(context.Context)), mark func()) *search {
	s := &search{looked: from - 1}
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	run(func(owner context.Context) {
		release := context.AfterFunc(owner, stop)
		defer release()
		s.follow(ctx, log, filter, from, mark)
	})
	return s
}

// follow searches until ctx ends.
func (s *search) follow(ctx context.Context, log *recorder.Log, filter *recorder.Filter, next uint64, mark func()) {
	wake, stop := log.Watch()
	defer stop()
	for {
		for end := log.Len(); next <= end; end = log.Len() {
			end = min(end, next+searchStep-1)
			var last uint64
			err := log.Find(ctx, filter, next, end, func(seqs []uint64) bool {
				last = seqs[len(seqs)-1]
				s.add(seqs, last, nil)
				mark()
				return ctx.Err() == nil
			})
			if ctx.Err() != nil {
				return
			}
			s.add(nil, end, err)
			mark()
			if err != nil {
				return
			}
			next = end + 1
		}
		s.catchUp()
		mark()
		select {
		case <-wake:
		case <-ctx.Done():
			return
		}
	}
}

func (s *search) catchUp() {
	s.mu.Lock()
	s.caught = true
	s.mu.Unlock()
}

func (s *search) add(seqs []uint64, looked uint64, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.found = append(s.found, seqs...)
	s.looked = max(s.looked, looked)
	if err != nil && !errors.Is(err, context.Canceled) {
		s.err = err
	}
}

// take appends what was found since to seqs and gives how many events were
// looked at.
func (s *search) take(seqs []uint64) (all []uint64, looked uint64, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped {
		return seqs, s.upTo, s.err
	}
	seqs = append(seqs, s.found...)
	s.found = s.found[:0]
	return seqs, s.looked, s.err
}

// halt is the person's stop after what was taken. What was found since is
// dropped, so that going on from there finds it again.
func (s *search) halt(looked uint64) {
	s.stop()
	s.stopped, s.upTo = true, looked
}

// running reports whether the search has not come to the end of the log yet.
// Once it has, it only follows. It may be called without a search.
func (s *search) running() bool {
	if s == nil || s.stopped {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.caught && s.err == nil
}

// halted reports whether the person stopped the search.
func (s *search) halted() bool { return s != nil && s.stopped }

// said tells how far the search is, "" when it has come to the end.
func (s *search) said() string {
	switch {
	case s.halted():
		return ", stopped at " + human.Count(s.upTo)
	case s.running():
		return ", searching…"
	}
	return ""
}
