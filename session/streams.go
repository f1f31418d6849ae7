package session

import (
	"errors"
	"fmt"
	"time"

	"mcploupe/session/link"
)

// Stream implements link.StreamHandler: it follows the stream for what the
// server sends by itself.
func (c *conn) Stream(e link.StreamChange) {
	s := c.s
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn != c {
		return
	}
	sub := s.live.subs.stream()
	switch {
	case sub == nil:
		sub = s.addSub(SubStream, SubscriptionFilter{})
	case e.State != link.StreamConnecting && e.Channel != sub.Channel:
		return // the end of one that was replaced
	}
	sub.Channel, sub.RequestSeq = e.Channel, e.Seq
	switch e.State {
	case link.StreamConnecting:
		sub.Phase, sub.NextTry = SubAsked, time.Time{}
		if sub.gap {
			sub.Phase = SubRelistening
		}
	case link.StreamOpen:
		sub.Phase, sub.End, sub.Err = SubAcknowledged, EndNone, ""
		sub.AckSeq, sub.Opened, sub.Attempts = e.Seq, time.Now(), 0
		if sub.gap && !e.Resumed {
			s.streamGap()
		}
		sub.gap = false
	case link.StreamBroken:
		sub.Phase, sub.End = SubBroken, EndWithoutResult
		sub.Err = "The stream ended."
		if e.Err != nil {
			sub.Err = sentence(e.Err)
		}
		sub.EndSeq, sub.gap = e.Seq, true
		sub.Attempts++
		sub.NextTry = time.Now().Add(e.Retry)
	case link.StreamRefused:
		s.endSub(sub, EndRefused, "The server has no stream for what it sends by itself (HTTP-42).")
		if e.Err != nil {
			sub.Err = sentence(e.Err)
		}
		sub.EndSeq = e.Seq
	case link.StreamGivenUp:
		how, text := EndByUs, ""
		if e.Err != nil {
			how, text = EndWithoutResult, sentence(e.Err)
		}
		s.endSub(sub, how, text)
		sub.EndSeq = e.Seq
	}
	s.changed()
}

// stream returns the row of the stream of the server, nil if there never was one.
func (t *subTable) stream() *subscription {
	for _, sub := range t.all {
		if sub.Kind == SubStream {
			return sub
		}
	}
	return nil
}

// streamGap takes a stream that was opened anew, not resumed: what was sent in
// between is lost. mu is held.
func (s *Session) streamGap() {
	for _, sub := range s.live.subs.all {
		if sub.Phase == SubEnded {
			continue
		}
		switch sub.Kind {
		case SubLists:
			s.afterGap(SubscriptionFilter{Tools: sub.Asked.Tools, Prompts: sub.Asked.Prompts, Resources: sub.Asked.Resources})
		case SubResource:
			s.afterGap(sub.Asked)
		}
	}
}

// heardOnStream counts a message on the stream of the server. mu is held.
func (s *Session) heardOnStream(in incoming) {
	if !in.For.IsZero() || s.view.transportNow != string(HTTP) {
		return
	}
	if sub := s.live.subs.stream(); sub != nil && in.Channel == sub.Channel {
		s.heardOn(sub, in.Seq)
	}
}

// streamLink is a link with a stream of the server.
type streamLink interface {
	ReopenStream()
	CloseStream()
}

func (s *Session) streamLink() (streamLink, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn != nil {
		if l, ok := s.conn.link.(streamLink); ok {
			return l, nil
		}
	}
	return nil, errors.New("this transport has no stream of its own for the server")
}

// reopenStream opens the stream of the server once more.
func (s *Session) reopenStream() error {
	l, err := s.streamLink()
	if err != nil {
		return fmt.Errorf("opening the stream: %w", err)
	}
	l.ReopenStream()
	return nil
}

// closeStream closes the stream of the server.
func (s *Session) closeStream() error {
	l, err := s.streamLink()
	if err != nil {
		return fmt.Errorf("closing the stream: %w", err)
	}
	l.CloseStream()
	return nil
}
