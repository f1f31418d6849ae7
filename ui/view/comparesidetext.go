package view

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/recorder/diff"
	"mcploupe/ui/view/textdiff"
)

// textSide is what one side said, with where its messages begin.
type textSide struct {
	b        strings.Builder
	lines    int // whole ones in b
	messages []textMessage
}

type textMessage struct {
	seq   uint64
	first int // its first line, from 1
	text  string
	lines bool // it is no JSON: a line each field
}

// place are the lines of the value at a pointer, or of the nearest one around
// it.
func (m textMessage) place(pointer string) (from, to int) {
	if m.lines {
		name := strings.TrimPrefix(strings.TrimPrefix(pointer, "/headers"), "/")
		for i, text := range strings.Split(m.text, "\n") {
			if field, _, ok := strings.Cut(text, ":"); ok && strings.EqualFold(field, name) {
				return m.first + i, m.first + i
			}
		}
		return m.first, m.first
	}
	for {
		if v, offset, ok := protocol.Lookup(jsontext.Value(m.text), pointer); ok {
			from = m.first + strings.Count(m.text[:offset], "\n")
			return from, from + strings.Count(string(v), "\n")
		}
		i := strings.LastIndexByte(pointer, '/')
		if i < 0 {
			return m.first, m.first + strings.Count(m.text, "\n")
		}
		pointer = pointer[:i]
	}
}

// counting tells the lines that a difference is in from those that differ by
// what does not count, such as ids.
func counting(r diff.Row, a, b *textSide) func(textdiff.Row) bool {
	type span struct{ from, to int }
	var left, right []span
	for _, d := range r.Differences {
		from, to := a.place(d.SeqA, d.PointerA)
		left = append(left, span{from, to})
		from, to = b.place(d.SeqB, d.PointerB)
		right = append(right, span{from, to})
	}
	in := func(spans []span, n int) bool {
		return n > 0 && slices.ContainsFunc(spans, func(s span) bool { return n >= s.from && n <= s.to })
	}
	return func(row textdiff.Row) bool { return in(left, row.Left.Number) || in(right, row.Right.Number) }
}

// sideText is what one side has of a row; d is the difference that is looked at,
// nil for none.
func sideText(ctx context.Context, log *recorder.Log, r diff.Row, exchange int, seq uint64, d *diff.Difference) (*textSide, error) {
	s := &textSide{}
	if seq == 0 {
		return s, nil
	}
	switch {
	case r.Lane >= diff.StderrLane:
		text, err := laneText(ctx, log, r.Lane)
		s.b.WriteString(text)
		return s, err
	case exchange < 0 && r.Lane == diff.PeerLane: // it came beside a call, and is no exchange of its own
		h := log.Head(seq)
		if err := s.add(log, seq, messageTitle(h)); err != nil || h.Partner == 0 {
			return s, err
		}
		return s, s.add(log, h.Partner, messageTitle(log.Head(h.Partner)))
	case exchange < 0:
		return s, s.add(log, seq, "")
	}
	x := log.Exchanges()
	x.Take(ctx)
	if exchange >= x.Len() {
		return s, fmt.Errorf("exchange %d is not there any more", exchange)
	}
	var class diff.Class
	if d != nil {
		class = d.Class
	}
	heads, events := class == diff.Status || class == diff.Headers, class == diff.EventStream
	for _, member := range x.Members(exchange) {
		if err := ctx.Err(); err != nil {
			return s, err
		}
		h := log.Head(member)
		title := ""
		switch {
		case h.Kind == recorder.KindHTTP && heads:
		case h.Kind == recorder.KindSSE && events:
			title = "← event"
		case h.Kind == recorder.KindMessage && !heads && !events:
			title = messageTitle(h)
		case h.Kind == recorder.KindBad && !heads && !events:
			title = "← a line that is no message"
		default:
			continue
		}
		if err := s.add(log, member, title); err != nil {
			return s, err
		}
		if s.b.Len() > textdiff.MaxBytes {
			break
		}
	}
	return s, nil
}

// messageTitle is the line above a message: which way it goes and what it is. It
// says nothing that differs from run to run.
func messageTitle(h recorder.Head) string {
	arrow := "→"
	if h.Dir == recorder.In {
		arrow = "←"
	}
	switch h.Message {
	case protocol.Request:
		return arrow + " request"
	case protocol.Notification:
		return arrow + " notification"
	case protocol.Result:
		return arrow + " result"
	case protocol.Error:
		return arrow + " error"
	case protocol.Batch:
		return arrow + " batch"
	}
	return arrow + " message"
}

func (s *textSide) add(log *recorder.Log, seq uint64, title string) error {
	e, err := log.Read(seq, textdiff.MaxBytes)
	if err != nil {
		return fmt.Errorf("read event %d: %w", seq, err)
	}
	if title != "" {
		s.line(title)
	}
	m := textMessage{seq: seq, first: s.lines + 1}
	switch f := e.Fields.(type) {
	case *recorder.HTTPHead:
		m.text, m.lines = headText(f), true
	case *recorder.SSEFields:
		m.text, m.lines = fieldsText(f), true
	default:
		if m.text = string(e.Data); e.Kind == recorder.KindMessage {
			m.text = indented(e.Data)
		}
	}
	s.line(m.text)
	s.messages = append(s.messages, m)
	return nil
}

func (s *textSide) line(text string) {
	s.b.WriteString(text)
	s.b.WriteByte('\n')
	s.lines += strings.Count(text, "\n") + 1
}

// text is all of it.
func (s *textSide) text() string { return strings.TrimSuffix(s.b.String(), "\n") }

// headText is the head of an HTTP message, a line each field.
func headText(h *recorder.HTTPHead) string {
	var b strings.Builder
	if h.Method != "" {
		b.WriteString(h.Method + " " + h.URL)
	} else {
		fmt.Fprintf(&b, "status %d", h.Status)
	}
	for _, f := range h.Headers {
		b.WriteString("\n" + f.Name + ": " + f.Value)
	}
	if h.Error != "" {
		b.WriteString("\nerror: " + h.Error)
	}
	if h.Body != "" {
		b.WriteString("\n\n" + h.Body)
	}
	return b.String()
}

// fieldsText is what a server-sent event has besides its data, a line each field.
func fieldsText(f *recorder.SSEFields) string {
	var lines []string
	add := func(name, value string, has bool) {
		if has {
			lines = append(lines, name+": "+value)
		}
	}
	add("event", f.Event, f.Event != "")
	add("id", f.ID, f.HasID)
	add("retry", f.RetryMS, f.RetryMS != "")
	for _, text := range strings.Split(f.Comment, "\n") {
		add("", text, f.Comment != "")
	}
	return strings.Join(lines, "\n")
}

// laneText is all that a lane of lines has: what an event stream says again and
// again is there once.
func laneText(ctx context.Context, log *recorder.Log, lane diff.Lane) (string, error) {
	want := map[diff.Lane]recorder.EventKind{diff.StderrLane: recorder.KindStderr, diff.StrayLane: recorder.KindBad, diff.EventLane: recorder.KindSSE, diff.ExitLane: recorder.KindState}[lane]
	x := log.Exchanges()
	x.Take(ctx)
	var b strings.Builder
	said := map[string]bool{}
	for seq := uint64(1); seq <= log.Len() && b.Len() < textdiff.MaxBytes; seq++ {
		if seq%4096 == 0 && ctx.Err() != nil {
			return "", ctx.Err()
		}
		if log.Head(seq).Kind != want {
			continue
		}
		if _, belongs := x.Of(seq); belongs && lane == diff.StrayLane {
			continue
		}
		e, err := log.Read(seq, textdiff.MaxBytes-b.Len())
		if err != nil {
			return "", fmt.Errorf("read event %d: %w", seq, err)
		}
		b.Write(e.Data)
		switch f := e.Fields.(type) {
		case *recorder.SSEFields:
			for _, text := range diff.EventLines(f) {
				if !said[text] {
					b.WriteString(text + "\n")
				}
				said[text] = true
			}
		case *recorder.StateChange:
			if text := diff.ExitLine(f); text != "" {
				b.WriteString(text + "\n")
			}
		}
		if lane == diff.StrayLane {
			b.WriteByte('\n')
		}
	}
	return PlainTerminal(b.String()), nil
}
