package link

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"mcploupe/protocol"
	"mcploupe/recorder"
)

const (
	// retryMax bounds what a server can ask for.
	retryMax = time.Hour
	// maxFruitless is how many connects in a row may bring nothing.
	maxFruitless = 5
)

// wait returns how long to wait before connect number n (from 1 on) in a row
// that brought nothing.
func (s *stream) wait(n int) time.Duration {
	if s.retry != "" {
		ms, err := strconv.ParseInt(s.retry, 10, 64)
		if err != nil || ms > retryMax.Milliseconds() {
			return retryMax
		}
		return time.Duration(ms) * time.Millisecond
	}
	d := s.w.waits.backoffFirst
	for ; n > 1 && d < s.w.waits.backoffMax; n-- {
		d *= 2
	}
	return min(d, s.w.waits.backoffMax)
}

// resumable reports whether the answer can still come by a GET (HTTP-46).
func (p *post) resumable() bool {
	r := p.o.Revision
	return r != nil && r.Resumption && p.pending.expects && !p.pending.answered() && p.ctx.Err() == nil && p.s.last != ""
}

// resume takes a stream up again until its answer has come (HTTP-46..51). The
// error is that of the last attempt, or first when there was none.
func (p *post) resume(first error) error {
	err := first
	for fruitless := 1; fruitless <= maxFruitless; fruitless++ {
		if !p.sleep(p.s.wait(fruitless)) {
			break
		}
		from := p.s.last
		problems := p.x.takeProblems()
		answer := p.x.answer
		p.x, p.inSession = p.l.newGet(p.o.Revision, from)
		p.x.problems = problems
		if err = p.x.do(p.ctx); err != nil {
			p.x.answer = answer
			if p.ctx.Err() != nil {
				return err
			}
			continue
		}
		if p.x.answer.Status != http.StatusOK {
			text := fmt.Sprintf("the stream cannot be resumed: %d %s", p.x.answer.Status, p.x.answer.Reason)
			_ = p.s.read(p.ctx, p.x)
			p.x.done(nil)
			return &AnswerError{Answer: *p.x.answer, Text: text}
		}
		p.l.wire.state(p.x.channel, recorder.StateChange{State: "resumed", Detail: "the answer to request " + p.s.id.String() + " after event " + from})
		err = p.s.read(p.ctx, p.x)
		p.closeExchange(err)
		switch {
		case p.pending.answered() || p.ctx.Err() != nil:
			return err
		case p.s.lines > 0:
			fruitless = 0
		}
	}
	switch {
	case p.pending.answered():
		return nil
	case p.ctx.Err() != nil:
		return context.Cause(p.ctx)
	case err == nil:
		err = fmt.Errorf("%w: resuming the stream brought nothing %d times in a row", ErrNoAnswer, maxFruitless)
	}
	return err
}

// sleep waits before a connect. It ends early, with false, when the exchange
// is over.
func (p *post) sleep(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-p.pending.done: // the answer came on another stream
	case <-p.ctx.Done():
	}
	return false
}

// standalone is the GET stream of a session (HTTP-40).
type standalone struct {
	l    *HTTPLink
	r    *protocol.Revision
	s    *stream
	ctx  context.Context
	stop context.CancelFunc
	x    *exchange

	answered chan struct{} // closed by settle
	once     sync.Once
}

// settle tells those who wait that the first GET has come to something.
func (s *standalone) settle() { s.once.Do(func() { close(s.answered) }) }

// OpenStream opens the standalone stream of revisions that have one and keeps
// it open (HTTP-40..44). It returns at once; Handler.Ended tells when it is
// given up. A second call while one is open does nothing.
func (l *HTTPLink) OpenStream(r *protocol.Revision) {
	if r == nil || !r.StandaloneStream || !l.begin() {
		return
	}
	s := &standalone{l: l, r: r, s: &stream{w: l.wire, saw: l.pending.answer}, answered: make(chan struct{})}
	s.ctx, s.stop = context.WithCancel(l.ctx)
	l.state.Lock()
	defer l.state.Unlock()
	if l.stream != nil && l.stream.ctx.Err() == nil {
		s.stop()
		l.wg.Done()
		return
	}
	l.stream = s
	go func() {
		defer l.wg.Done()
		guarded(l.h, s.run)
	}()
}

// StreamAnswered returns a channel that is closed when the server has answered
// the GET of OpenStream, in whatever way, or cannot be reached. What a server
// sends before that has no stream to go out on, and some drop it.
func (l *HTTPLink) StreamAnswered() <-chan struct{} {
	l.state.Lock()
	defer l.state.Unlock()
	if l.stream == nil {
		none := make(chan struct{})
		close(none)
		return none
	}
	return l.stream.answered
}

// CloseStream closes the standalone stream, if there is one.
func (l *HTTPLink) CloseStream() {
	l.state.Lock()
	s := l.stream
	l.state.Unlock()
	if s != nil {
		s.stop()
	}
}

// ReopenStream opens the standalone stream once more, in the revision set, when
// it is not open.
func (l *HTTPLink) ReopenStream() {
	l.state.Lock()
	r := l.revision
	l.state.Unlock()
	l.OpenStream(r)
}

// tell reports a change to a handler that wants to know.
func (s *standalone) tell(e StreamChange) {
	if h, ok := s.l.h.(StreamHandler); ok {
		e.Channel = s.x.channel
		h.Stream(e)
	}
}

// run connects again and again until the server refuses or the link closes
// (appendix C.6).
func (s *standalone) run() {
	defer s.stop()
	defer s.settle()
	var err error
	refused := false
	for fruitless := 1; ; fruitless++ {
		var again bool
		again, err = s.connect()
		if s.ctx.Err() != nil {
			err = nil
			break
		}
		if !again || (err != nil && fruitless >= maxFruitless) {
			refused = !again
			break
		}
		if s.s.lines > 0 {
			fruitless = 1
		}
		wait := s.s.wait(fruitless)
		s.tell(StreamChange{State: StreamBroken, Seq: s.x.end, Retry: wait, Err: err})
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
			continue
		case <-s.ctx.Done():
			timer.Stop()
			err = nil
		}
		break
	}
	s.stop()
	if refused {
		s.tell(StreamChange{State: StreamRefused, Seq: s.x.end, Err: err})
	} else {
		s.tell(StreamChange{State: StreamGivenUp, Seq: s.x.end, Err: err})
	}
	s.l.h.Ended(Ended{Seq: s.x.end, Channel: s.x.channel, Answer: s.x.answer, Err: err, Problems: s.x.takeProblems()})
}

// connect is one GET. again says whether another one may do better.
func (s *standalone) connect() (again bool, err error) {
	last := s.s.last
	var inSession bool
	var problems []protocol.Problem
	if s.x != nil {
		problems = s.x.takeProblems()
	}
	s.x, inSession = s.l.newGet(s.r, last)
	s.x.problems = problems
	s.s.lines = 0
	s.tell(StreamChange{State: StreamConnecting})
	err = s.x.do(s.ctx)
	s.settle()
	if err != nil {
		return true, err
	}
	status := s.x.answer.Status
	if status == http.StatusOK && last != "" {
		s.l.wire.state(s.x.channel, recorder.StateChange{State: "resumed", Detail: "the standalone stream after event " + last})
	}
	if media, _, _ := strings.Cut(s.x.answer.ContentType, ";"); status == http.StatusOK && strings.EqualFold(strings.TrimSpace(media), "text/event-stream") {
		s.tell(StreamChange{State: StreamOpen, Seq: s.x.respHead, Resumed: last != ""})
	}
	err = s.s.read(s.ctx, s.x)
	if status == http.StatusOK && s.s.form != formEvents && s.s.form != formEmpty {
		s.x.find("L-SES-06", protocol.Violation, "a GET is answered with an event stream or 405, not with "+s.x.answer.ContentType)
		s.x.done(err)
		return false, refusal(s.x.answer, "to the GET for a stream, but no event stream")
	}
	s.x.done(err)
	switch {
	case status == http.StatusOK:
		return true, err
	case s.l.lostSession(s.x, inSession):
		return false, fmt.Errorf("%w: %w", ErrSessionLost, refusal(s.x.answer, "to the GET for a stream"))
	case status == http.StatusMethodNotAllowed, status == http.StatusNotFound:
		return false, nil // no such stream, which is fine (HTTP-42)
	case status/100 == 5 || status == http.StatusTooManyRequests || status == http.StatusRequestTimeout:
		return true, refusal(s.x.answer, "to the GET for a stream")
	}
	s.x.find("L-SES-06", protocol.Warning, fmt.Sprintf("a GET is answered with an event stream or 405, not %d", status))
	return false, refusal(s.x.answer, "to the GET for a stream")
}
