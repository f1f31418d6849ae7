package view

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/ui/view/human"
)

// EventsOf are the events of a row: those of its exchange when it stands for
// one, else the one that it shows.
func (t *Timeline) EventsOf(row int) []uint64 {
	id := t.ID(row)
	switch {
	case id.Seq == 0:
		return nil
	case id.Whole:
		return t.members(t.exchangeIndex(row))
	}
	return []uint64{id.Seq}
}

// maxJoined bounds what is copied of several events, in bytes.
const maxJoined = 64 << 20

// RowsText are the messages of some events, one a line, as they were sent; what
// is no JSON text is left out. It may take long.
func RowsText(ctx context.Context, log *recorder.Log, seqs []uint64) (text string, left int, err error) {
	var b bytes.Buffer
	for _, seq := range seqs {
		if ctx.Err() != nil {
			return "", 0, ctx.Err()
		}
		h := log.Head(seq)
		if h.Kind != recorder.KindMessage {
			left++
			continue
		}
		if b.Len()+h.Size > maxJoined {
			return "", 0, fmt.Errorf("the selected messages are more than %s: export them", human.Bytes(maxJoined))
		}
		e, err := log.Read(seq, maxDetail)
		if err != nil {
			return "", 0, fmt.Errorf("read event %d: %w", seq, err)
		}
		line, ok := OneLine(string(e.Data))
		if !bytes.ContainsAny(e.Data, "\r\n") {
			line, ok = string(e.Data), true
		}
		if !ok {
			left++
			continue
		}
		b.WriteString(line)
		b.WriteByte('\n')
	}
	return b.String(), left, nil
}

// ReadRow reads the bytes of an event that could be sent. It may take long.
func ReadRow(log *recorder.Log, seq uint64) ([]byte, error) {
	e, err := log.Read(seq, maxDetail)
	if err != nil {
		return nil, fmt.Errorf("read event %d: %w", seq, err)
	}
	return e.Data, nil
}

// SentAgain is what came of sending an event once more.
type SentAgain struct {
	Seq  uint64 // the event that it went out as, 0 while that is not known
	Text string // one line for people
}

// SendAgain sends the bytes of an event over the connection: those of a request
// with an id that was not used yet, all others as they are. The headers of HTTP
// are made by the rules of the revision, as for any message. changed is called
// from any goroutine when the answer to State may be another; the error says
// why nothing was sent. A message that has no answer gives one through failed
// when it could not be sent.
func (c *Conn) SendAgain(raw []byte, changed func(), failed func(error)) (state func() SentAgain, err error) {
	m := protocol.Parse(raw)
	if m.Kind != protocol.Request || m.ID.IsZero() {
		if _, err := c.live(); err != nil {
			return nil, err
		}
		c.Write(string(raw), func(err error) {
			if err != nil {
				failed(err)
			}
			changed()
		})
		return func() SentAgain { return SentAgain{Text: "Sent again, exactly as it was"} }, nil
	}
	sess, err := c.live()
	if err != nil {
		return nil, err
	}
	text, ok := WithNewID(sess, string(raw))
	if !ok {
		return nil, errors.New("give it a new id: it is not a request with an id")
	}
	run, err := c.SendRaw([]byte(text), Request{Method: m.Method}, changed)
	if err != nil {
		return nil, err
	}
	return func() SentAgain {
		st := run.State()
		return SentAgain{Seq: st.RequestSeq, Text: "Sent again with the id " + line(st.ID.String(), 40)}
	}, nil
}
