package session

import (
	"container/heap"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// lingerLimit bounds how long an HTTP exchange is kept open after its call was
// given up, to see a late answer (legacy revisions only).
const lingerLimit = 10 * time.Minute

// clock is the queue of what is due. Session.mu guards it.
type clock struct {
	queue deadlines
	wake  chan struct{} // capacity 1: the first entry has changed
}

// deadlines is a heap of calls by the time at which they must be looked at. That
// time may be early: progress moves the true deadline without touching the heap.
type deadlines []*Call

func (d deadlines) Len() int           { return len(d) }
func (d deadlines) Less(i, j int) bool { return d[i].due.Before(d[j].due) }
func (d deadlines) Swap(i, j int) {
	d[i], d[j] = d[j], d[i]
	d[i].place, d[j].place = i, j
}
func (d *deadlines) Push(x any) {
	c := x.(*Call)
	c.place = len(*d)
	*d = append(*d, c)
}
func (d *deadlines) Pop() any {
	last := len(*d) - 1
	c := (*d)[last]
	(*d)[last], *d = nil, (*d)[:last]
	c.place = -1
	return c
}

// schedule looks at c when its deadline comes. mu is held.
func (s *Session) schedule(c *Call) {
	due, ok := c.deadline()
	if !ok {
		s.unschedule(c)
		return
	}
	c.due = due
	if c.place < 0 {
		heap.Push(&s.clock.queue, c)
	} else {
		heap.Fix(&s.clock.queue, c.place)
	}
	if s.clock.queue[0] == c {
		select {
		case s.clock.wake <- struct{}{}:
		default:
		}
	}
}

// unschedule forgets the deadline of c. mu is held.
func (s *Session) unschedule(c *Call) {
	if c.place >= 0 {
		heap.Remove(&s.clock.queue, c.place)
	}
}

// runClock ends calls whose time is over.
func (s *Session) runClock() {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		s.mu.Lock()
		over, next := s.dueCalls(time.Now())
		s.mu.Unlock()
		for _, c := range over {
			c.timeUp()
		}
		if next == 0 {
			next = time.Hour
		}
		timer.Reset(next)
		select {
		case <-timer.C:
		case <-s.clock.wake:
		case <-s.ctx.Done():
			return
		}
	}
}

// dueCalls takes the calls from the queue whose time is over, and tells the
// time to the next look, 0 if the queue is empty. mu is held.
func (s *Session) dueCalls(now time.Time) (over []*Call, next time.Duration) {
	for len(s.clock.queue) > 0 {
		c := s.clock.queue[0]
		if c.due.After(now) {
			return over, c.due.Sub(now)
		}
		due, ok := c.deadline()
		switch {
		case ok && due.After(now):
			c.due = due
			heap.Fix(&s.clock.queue, 0)
		default:
			heap.Pop(&s.clock.queue)
			if ok {
				over = append(over, c)
			}
		}
	}
	return over, 0
}

// deadline is when the idle or the hard limit of c is reached; for a call that
// was given up, when its exchange is closed. It reports false when there is no
// limit or the clock stands still. Session.mu is held.
func (c *Call) deadline() (time.Time, bool) {
	if c.ended() {
		return c.abandoned.Add(lingerLimit), !c.abandoned.IsZero()
	}
	if c.paused > 0 {
		return time.Time{}, false
	}
	if c.st.Phase == CallWorking {
		// A task may take days: the polls have limits of their own. Only a limit
		// that the person gave for this call holds.
		if c.p.Maximum <= 0 {
			return time.Time{}, false
		}
		return c.st.Started.Add(c.st.Waited + c.p.Maximum), true
	}
	var due time.Time
	if c.idle > 0 {
		due = c.active.Add(c.idle)
	}
	if c.maximum > 0 {
		if hard := c.st.Started.Add(c.st.Waited + c.maximum); due.IsZero() || hard.Before(due) {
			due = hard
		}
	}
	return due, !due.IsZero()
}

// pause stops the clock of c while a question of the server is open. mu is held.
func (c *Call) pause(now time.Time) {
	if c.paused++; c.paused == 1 && !c.ended() {
		c.pausedAt = now
		c.s.unschedule(c)
	}
}

// resume ends one pause. mu is held.
func (c *Call) resume(now time.Time) {
	if c.paused--; c.paused == 0 && !c.ended() {
		c.st.Waited += now.Sub(c.pausedAt)
		c.active = now
		c.s.schedule(c)
		c.s.callsChanged()
	}
}

// timeUp ends a call whose time is over, or the exchange of one that was given
// up long ago.
func (c *Call) timeUp() {
	s := c.s
	s.mu.Lock()
	if c.ended() {
		s.mu.Unlock()
		c.cancelExchange(errLinger)
		return
	}
	if due, ok := c.deadline(); !ok || due.After(time.Now()) {
		if ok {
			s.schedule(c)
		}
		s.mu.Unlock()
		return
	}
	text := c.timeoutText(time.Now())
	s.mu.Unlock()
	c.giveUp(CallTimedOut, text, "Timed out on the client's side")
}

// timeoutText says which limit was reached and what is known (case 133). mu is
// held.
func (c *Call) timeoutText(now time.Time) string {
	var b strings.Builder
	elapsed := now.Sub(c.st.Started)
	if c.idle > 0 && !now.Before(c.active.Add(c.idle)) {
		fmt.Fprintf(&b, "No answer and no progress within the limit of %s", spoken(c.idle))
	} else {
		fmt.Fprintf(&b, "No answer within the hard limit of %s", spoken(c.maximum))
	}
	fmt.Fprintf(&b, "; the request was sent %s ago", spoken(elapsed))
	if c.st.Waited > 0 {
		fmt.Fprintf(&b, ", %s of it spent waiting for you", spoken(c.st.Waited))
	}
	switch p := c.st.Progress; {
	case c.progressAt.IsZero():
		b.WriteString(". There was no progress report.")
	default:
		fmt.Fprintf(&b, ". The last progress was %s", p.Progress)
		if p.Total != "" {
			b.WriteString(" of " + p.Total)
		}
		if p.Message != "" {
			fmt.Fprintf(&b, " (%s)", shorten(p.Message, 200))
		}
		fmt.Fprintf(&b, ", %s ago.", spoken(now.Sub(c.progressAt)))
	}
	if r := c.p.send.Revision; r != nil && r.Modern && c.s.view.transportNow == string(HTTP) {
		b.WriteString(" Its stream was closed, which cancels the request at the server.")
	}
	if text := lastWords(c.s.view.stderr); text != "" {
		b.WriteString(" The server's last words on stderr: " + text)
	}
	return b.String()
}

// spoken writes a duration as a person wants to know it: 250 ms, 3.44 s, 2 min.
func spoken(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Round(time.Millisecond).Milliseconds())
	case d < 10*time.Second:
		return strings.TrimSuffix(d.Round(10*time.Millisecond).String(), "s") + " s"
	case d < time.Minute-50*time.Millisecond:
		return strings.TrimSuffix(d.Round(100*time.Millisecond).String(), "s") + " s"
	}
	d = d.Round(time.Second)
	text := fmt.Sprintf("%d min", d/time.Minute)
	if s := d % time.Minute / time.Second; s > 0 {
		text += fmt.Sprintf(" %d s", s)
	}
	return text
}

// shorten cuts text to about n bytes at a character's border.
func shorten(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n], "") + "…"
}

var errorLine = regexp.MustCompile(`(?i)\b\w*(?:error|exception|fatal|panic)\b`)

// lastWords picks what a person would look for at the end of stderr: the last
// line that speaks of an error, or the last three lines.
func lastWords(stderr []byte) string {
	lines := strings.Split(string(stderr[max(0, len(stderr)-maxStderrTail):]), "\n")
	for _, line := range slices.Backward(lines) {
		if errorLine.MatchString(line) {
			return shorten(strings.TrimSpace(line), 300)
		}
	}
	return lastLines(stderr, 3)
}

// lastLines is the end of b: at most n lines and 1000 bytes.
func lastLines(b []byte, n int) string {
	text := strings.TrimRight(string(b[max(0, len(b)-1000):]), "\r\n \t")
	lines := strings.Split(text, "\n")
	return strings.TrimSpace(strings.Join(lines[max(0, len(lines)-n):], "\n"))
}
