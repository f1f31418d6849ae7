package session

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
)

var errNoAsk = errors.New("answering: the question is not open any more; it was answered, or the server withdrew it")

// Reply answers the Ask with that key. A request of the server is answered at
// once, and so is an input request of a task; one of a round when all of the
// round have their answers, until which it may be answered again. An Ask of error -32042 is only put away.
//
// The error says why the answer was not taken or could not be sent; the Ask is
// open then. Close answers what is open with cancel.
func (s *Session) Reply(ctx context.Context, key uint64, r Reply) error {
	if !s.begin() {
		return errClosed
	}
	defer s.wg.Done()
	s.mu.Lock()
	a := s.asks.byKey(key)
	if a == nil || a.State == AskSending {
		s.mu.Unlock()
		return errNoAsk
	}
	if err := a.check(r); err != nil {
		s.mu.Unlock()
		return fmt.Errorf("answering: %w", err)
	}
	if a.Kind == AskURL && r.Action == ActionAccept {
		defer func() {
			s.mu.Lock()
			s.visited(a)
			s.mu.Unlock()
		}()
	}
	a.Reply = &r
	switch {
	case a.FromError:
		s.removeAsk(a)
		s.mu.Unlock()
		return nil
	case a.Legacy:
		return s.respond(ctx, a, a.response(r, s.singleLine()))
	case a.task != nil:
		return s.replyToTask(ctx, a, r)
	}
	return s.replyInRound(a, r)
}

// PreviewReply returns the bytes that Reply would send for the Ask: a request of
// the server gets the whole response, an input request the object inputResponses
// with this entry alone. It is nil when nothing would be sent, the key is
// unknown or the reply is not one for this Ask.
func (s *Session) PreviewReply(key uint64, r Reply) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.asks.byKey(key)
	switch {
	case a == nil || a.FromError || a.check(r) != nil:
		return nil
	case a.Legacy:
		return a.response(r, s.singleLine())
	case r.Action == ActionReject:
		return nil
	}
	return appendEntry(nil, a.InputKey, r.result(a.Kind, s.singleLine()))
}

// singleLine reports whether a message must not have line breaks. mu is held.
func (s *Session) singleLine() bool { return s.view.transportNow == string(Stdio) }

// check says why r is no reply to a, nil if it is one.
func (a *ask) check(r Reply) error {
	elicitation := a.Kind == AskForm || a.Kind == AskURL
	switch r.Action {
	case ActionAccept, ActionDecline, ActionCancel:
		switch {
		case !elicitation:
			return fmt.Errorf("%s is for elicitations; %s has a result or a rejection", r.Action, a.Method)
		case r.Action == ActionAccept && a.Kind == AskURL && r.Content != nil:
			return errors.New("in the mode url nothing but the consent is sent (ELIC-08)")
		case r.Action == ActionAccept && r.Content != nil && !protocol.Valid(r.Content):
			return errors.New("the content is not JSON")
		}
	case ActionResult:
		if !protocol.Valid(r.Result) {
			return errors.New("the result is not JSON")
		}
	case ActionReject:
	default:
		return fmt.Errorf("there is no action %q", r.Action)
	}
	return nil
}

// result is the result that answers a question of that kind.
func (r Reply) result(kind AskKind, singleLine bool) jsontext.Value {
	v := r.Result
	switch r.Action {
	case ActionAccept:
		switch {
		case kind == AskURL:
			v = jsontext.Value(`{"action":"accept"}`)
		case r.Content == nil:
			v = jsontext.Value(`{"action":"accept","content":{}}`)
		default:
			v = append(append(jsontext.Value(`{"action":"accept","content":`), r.Content...), '}')
		}
	case ActionDecline:
		v = jsontext.Value(`{"action":"decline"}`)
	case ActionCancel:
		v = jsontext.Value(`{"action":"cancel"}`)
	}
	if singleLine {
		v = oneLine(v)
	}
	return v
}

// response is the message that answers a request of the server.
func (a *ask) response(r Reply, singleLine bool) []byte {
	if r.Action != ActionReject {
		return protocol.NewResult(a.message.ID, relatedReply(r.result(a.Kind, singleLine), a.task))
	}
	code, text := r.Code, r.Message
	if code == 0 {
		code = protocol.CodeRejected
	}
	if text == "" {
		text = "The user rejected " + a.Method
	}
	return protocol.NewError(a.message.ID, code, text, nil)
}

// appendEntry adds a member to an object that is nil or ends with a brace.
func appendEntry(object jsontext.Value, key string, value jsontext.Value) jsontext.Value {
	if object == nil {
		object = jsontext.Value("{")
	} else {
		object[len(object)-1] = ','
	}
	object = append(append(object, protocol.QuoteString(key)...), ':')
	return append(append(object, value...), '}')
}
