package view

import (
	"context"
	"strconv"
	"time"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/ui/view/human"
)

func itoa(n int) string { return strconv.Itoa(n) }

// Stretch is a stretch of an exchange.
type Stretch struct {
	Name     string
	From, To time.Duration // since the exchange began
	Kind     StretchKind
}

// StretchKind says what a stretch was spent on.
type StretchKind uint8

// What time goes to.
const (
	StretchSend   StretchKind = iota // until the request head was out
	StretchServer                    // the server at work, no byte yet
	StretchStream                    // the answer coming in
	StretchAsk                       // a person was asked
)

// Timing is how the time of an exchange went.
type Timing struct {
	Rows  Table
	Parts []Stretch
	Ticks []time.Duration // moments since the exchange began: progress, events of the stream
	Total time.Duration   // 0 while it is not known
}

// Bounds of a Timing.
const (
	timingMembers = 20_000 // events of an exchange that are looked at
	timingTicks   = 400
	timingAsks    = 50
)

// moment is an event of an exchange as timing sees it.
type moment struct {
	seq  uint64
	time time.Duration
}

// timings are the moments of an exchange.
type timings struct {
	start, reqHead, respHead, first, answer, end moment
	stream, progress, logs, asked                int
	ticks                                        []time.Duration
	asks                                         []Stretch
}

func (m *moment) set(h recorder.Head) {
	if m.seq == 0 {
		m.seq, m.time = h.Seq, h.Time
	}
}

// LoadTiming finds out how the time of the exchange went that an event belongs
// to. It reads heads and some events: call it off the UI goroutine.
func LoadTiming(ctx context.Context, log *recorder.Log, seq uint64) Timing {
	h := log.Head(seq)
	var t Timing
	t.Rows.section("Event")
	t.Rows.add("time", human.Clock(log.Header().Created.Add(h.Time).Local()))
	t.Rows.add("since the start", human.Offset(h.Time))
	all := log.Exchanges()
	all.Take(ctx)
	i, ok := all.Of(seq)
	if !ok {
		return t
	}
	x := all.At(i)
	begin := log.Head(x.Request).Time
	if seq != x.Request {
		t.Rows.add("since the request", human.Duration(h.Time-begin))
	}
	m := collect(log, all.Members(i), x)
	t.takeMoments(log, m, x)
	t.takePhases(m, x, begin)
	return t
}

// collect goes through the members of an exchange.
func collect(log *recorder.Log, members []uint64, x recorder.Exchange) timings {
	var m timings
	begin := log.Head(x.Request).Time
	for n, seq := range members {
		if n == timingMembers {
			break
		}
		h := log.Head(seq)
		tick := false
		switch h.Kind {
		case recorder.KindHTTP:
			m.http(log, h)
		case recorder.KindSSE:
			m.stream++
			m.first.set(h)
			tick = true
		case recorder.KindMessage:
			switch {
			case h.Seq == x.Request:
				m.start.set(h)
			case h.Seq == x.Answer:
				m.answer.set(h)
			case h.Message == protocol.Request:
				m.asked++
				if p := h.Partner; p != 0 && len(m.asks) < timingAsks {
					m.asks = append(m.asks, Stretch{Name: "asked you: " + line(h.Method, 60), From: h.Time - begin, To: log.Head(p).Time - begin, Kind: StretchAsk})
				}
			case h.Method == protocol.NotificationProgress:
				m.progress++
				tick = true
			case h.Method == protocol.NotificationMessage:
				m.logs++
				tick = true
			}
			if h.Dir != x.Dir {
				m.first.set(h)
			}
		}
		if tick && len(m.ticks) < timingTicks {
			m.ticks = append(m.ticks, h.Time-begin)
		}
	}
	return m
}

// http takes in a head of the HTTP exchange; an end is told from a head by its
// content.
func (m *timings) http(log *recorder.Log, h recorder.Head) {
	if h.Dir == recorder.Out {
		m.reqHead.set(h)
		return
	}
	e, err := log.Read(h.Seq, previewBytes)
	if err != nil {
		return
	}
	head, ok := e.Fields.(*recorder.HTTPHead)
	if !ok {
		return
	}
	if head.Status != 0 {
		m.respHead.set(h)
	}
	if head.Done || head.Error != "" {
		m.end = moment{h.Seq, h.Time}
	}
}

// takeMoments writes the moments as rows.
func (t *Timing) takeMoments(log *recorder.Log, m timings, x recorder.Exchange) {
	begin := log.Head(x.Request).Time
	t.Rows.section("Exchange")
	t.Rows.add("started", human.Offset(begin)+" since the start of the recording")
	t.Rows.link(x.Request)
	at := func(name string, when moment) {
		if when.seq != 0 {
			word := "at once"
			if when.time > begin {
				word = "after " + human.Duration(when.time-begin)
			}
			t.Rows.add(name, word)
			t.Rows.link(when.seq)
		}
	}
	at("HTTP request head", m.reqHead)
	at("HTTP response head", m.respHead)
	at("first byte of the answer", m.first)
	if m.stream > 0 {
		t.Rows.add("events of the stream", human.Count(m.stream))
	}
	if m.progress > 0 {
		t.Rows.add("progress messages", human.Count(m.progress))
	}
	if m.logs > 0 {
		t.Rows.add("log messages", human.Count(m.logs))
	}
	if m.asked > 0 {
		t.Rows.add("questions to you", human.Count(m.asked))
	}
	if x.Rounds > 0 {
		t.Rows.add("rounds that asked for input", human.Count(x.Rounds))
	}
	at("answer", m.answer)
	at("HTTP end", m.end)
	t.Rows.add("state", x.State.String())
	if x.Answer != 0 {
		t.Rows.section("Time")
		t.Rows.add("in all", human.Duration(x.Took+x.Waited))
		t.Rows.add("work of the server", human.Duration(x.Took))
		if x.Waited > 0 {
			t.Rows.add("waited for you", human.Duration(x.Waited))
		}
	}
}

// takePhases cuts the time between request and answer, or the end of the HTTP
// exchange if that is later, into phases.
func (t *Timing) takePhases(m timings, x recorder.Exchange, begin time.Duration) {
	last := m.answer
	if last.seq == 0 || m.end.seq != 0 && m.end.time > last.time {
		last = m.end
	}
	if last.seq == 0 {
		return
	}
	t.Total = last.time - begin
	add := func(name string, kind StretchKind, from, to time.Duration) time.Duration {
		if to > from {
			t.Parts = append(t.Parts, Stretch{Name: name, From: from, To: to, Kind: kind})
		}
		return max(from, to)
	}
	var now time.Duration
	if m.reqHead.seq != 0 {
		now = add("sending", StretchSend, now, m.reqHead.time-begin)
	}
	arrived := m.answer
	if m.first.seq != 0 {
		arrived = m.first
	}
	if m.respHead.seq != 0 && m.respHead.time < arrived.time {
		now = add("until the HTTP response", StretchServer, now, m.respHead.time-begin)
	}
	if arrived.seq != 0 {
		now = add("until the first byte", StretchServer, now, arrived.time-begin)
	}
	if m.answer.seq != 0 {
		now = add("until the answer", StretchStream, now, m.answer.time-begin)
	}
	add("until the HTTP end", StretchStream, now, t.Total)
	t.Parts = append(t.Parts, m.asks...)
	t.Ticks = m.ticks
}
