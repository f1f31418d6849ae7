package view

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/session"
)

// RowText is the text that one of the copy actions gives. It reads the file and
// may take long; the action is possible.
func RowText(ctx context.Context, id RowActionID, s RowSubject) (string, error) {
	if id == RowCopyJSON {
		d, err := LoadDetail(s.Log, s.Head.Seq)
		return string(d.Body), err
	}
	head, ok := s.asked()
	if !ok {
		return "", errors.New("it belongs to no request to the server")
	}
	r, err := readRecorded(ctx, s.Log, head)
	if err != nil {
		return "", err
	}
	switch id {
	case RowCopyCurl:
		return curlWith(s.Target, r.state, string(r.message.Raw), r.fields(r.message)), nil
	case RowCopyVerb:
		return CommandRaw(s.Target, r.message), nil
	case RowCopyTest:
		return goTest(s.Target, r), nil
	}
	return "", fmt.Errorf("action %d copies nothing", id)
}

// recorded is a request with what was needed around it, all from a recording.
type recorded struct {
	message protocol.Message
	answer  []byte // nil when none came
	heads   []protocol.HeaderField
	state   session.State

	initialize  protocol.Message // of the handshake before it; no bytes without one
	initialized []byte
}

// maxCopied bounds an answer that is put into a text.
const maxCopied = 64 << 10

// readRecorded reads the request of head, its answer and the handshake that
// came before it.
func readRecorded(ctx context.Context, log *recorder.Log, head recorder.Head) (recorded, error) {
	var r recorded
	e, err := log.Read(head.Seq, maxDetail)
	if err != nil {
		return r, fmt.Errorf("read event %d: %w", head.Seq, err)
	}
	r.message = protocol.Parse(e.Data)
	r.state.Transport = log.Header().Target.Transport
	if head.Partner != 0 && log.Head(head.Partner).Size <= maxCopied {
		answer, err := log.Read(head.Partner, maxCopied)
		if err != nil {
			return r, fmt.Errorf("read event %d: %w", head.Partner, err)
		}
		r.answer = answer.Data
	}
	r.takeHeads(log, e)
	return r, r.takeHandshake(ctx, log, head.Seq)
}

// takeHeads takes the headers of the protocol that the request went with.
func (r *recorded) takeHeads(log *recorder.Log, e recorder.Event) {
	for _, found := range exchangeHeads(log, e) {
		h, ok := found.fields.(*recorder.HTTPHead)
		if !ok || h.Method == "" {
			continue
		}
		for _, f := range h.Headers {
			switch {
			case strings.EqualFold(f.Name, protocol.HeaderSession):
				r.state.SessionID = f.Value
			case len(f.Name) > 4 && strings.EqualFold(f.Name[:4], "mcp-"):
				r.heads = append(r.heads, protocol.HeaderField(f))
				if strings.EqualFold(f.Name, protocol.HeaderVersion) {
					r.state.Revision, _ = protocol.RevisionByName(f.Value)
				}
			}
		}
	}
}

// fields are the headers that describe a message of the session: as they were
// sent with the request, for others by the rules of the revision.
func (r *recorded) fields(m protocol.Message) []protocol.HeaderField {
	if len(r.heads) > 0 && m.ID.Equal(r.message.ID) && m.Method == r.message.Method {
		return r.heads
	}
	if r.state.Revision == nil || m.Method == protocol.MethodInitialize {
		return nil
	}
	fields, _ := protocol.Headers(r.state.Revision, m, nil)
	return fields
}

// takeHandshake finds the handshake of the session that the event seq was sent
// in, and what it agreed on.
func (r *recorded) takeHandshake(ctx context.Context, log *recorder.Log, seq uint64) error {
	if r.message.Method == protocol.MethodInitialize || r.message.Method == protocol.MethodDiscover {
		return nil
	}
	last := func(filter string, from, to uint64) (uint64, error) {
		f, err := recorder.ParseFilter(filter)
		if err != nil {
			return 0, err
		}
		var found uint64
		err = log.Find(ctx, f, from, to, func(seqs []uint64) bool {
			found = seqs[len(seqs)-1]
			return true
		})
		return found, err
	}
	opening, err := last("dir:out kind:request method:initialize|server/discover", 1, seq)
	if err != nil || opening == 0 || log.Head(opening).Method != protocol.MethodInitialize {
		return err
	}
	if r.initialize, err = log.Message(opening); err != nil {
		return fmt.Errorf("read event %d: %w", opening, err)
	}
	if answer := log.Head(opening).Partner; answer != 0 && r.state.Revision == nil {
		if m, err := log.Message(answer); err == nil {
			r.state.Revision, _ = protocol.RevisionByName(protocol.DecodeInitialize(m.Result).Revision)
		}
	}
	said, err := last("dir:out method:notifications/initialized", opening, seq)
	if err != nil || said == 0 {
		return err
	}
	e, err := log.Read(said, maxCopied)
	r.initialized = e.Data
	return err
}
