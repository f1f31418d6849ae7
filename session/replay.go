package session

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/recorder/replay"
)

// OpenReplay opens and negotiates a session for a recording to be played
// against: with the capabilities that the recorded client declared and, unless t
// names a revision, the one that the recording speaks, or else one that the
// server does. Questions of the server are left for replay.Run to answer.
//
// The session is never nil: Close is due also when there is an error.
func OpenReplay(ctx context.Context, t Target, p *replay.Plan, o Options) (*Session, error) {
	o.Capabilities, o.AskRoots = p.Capabilities(), true
	asked := t.Revision
	if r := p.Revision(); r != nil && (asked == "" || asked == "auto") {
		t.Revision = r.Name
	}
	s, err := openNegotiated(ctx, t, o)
	if err == nil || ctx.Err() != nil || t.Revision == asked || s.State().Phase != Failed || len(s.State().Steps) < 2 {
		return s, err
	}
	// The server does not speak it: what it speaks is the next best.
	if closeErr := s.Close(); closeErr != nil {
		return s, errors.Join(err, closeErr)
	}
	t.Revision = asked
	return openNegotiated(ctx, t, o)
}

func openNegotiated(ctx context.Context, t Target, o Options) (*Session, error) {
	s, err := Open(ctx, t, o)
	if err == nil {
		err = s.Negotiate(ctx)
	}
	return s, err
}

// ReplayTarget is the session as a recording is played against it. The session
// must be ready, and must not get another log meanwhile.
func (s *Session) ReplayTarget() replay.Target { return replayTarget{s} }

type replayTarget struct{ s *Session }

func (t replayTarget) Log() *recorder.Log { return t.s.log.current() }

func (t replayTarget) Revision() *protocol.Revision { return t.s.State().Revision }

func (t replayTarget) Tools() []protocol.Tool { return t.s.Tools() }

func (t replayTarget) NextID() protocol.ID {
	t.s.mu.Lock()
	defer t.s.mu.Unlock()
	return t.s.newID()
}

func (t replayTarget) Meta() jsontext.Value { return t.s.metaFor(t.Revision()) }

func (t replayTarget) Watch() (wake <-chan struct{}, stop func()) { return t.s.Watch() }

func (t replayTarget) Write(ctx context.Context, raw []byte) error { return t.s.Write(ctx, raw) }

func (t replayTarget) SetLevel(ctx context.Context, level string) error {
	return t.s.SetLogLevel(ctx, level)
}

func (t replayTarget) Subscribe(ctx context.Context, w replay.Wanted) error {
	f := SubscriptionFilter{Tools: w.Tools, Prompts: w.Prompts, Resources: w.Resources, URIs: w.URIs}
	if f.IsEmpty() {
		return nil
	}
	_, err := t.s.Subscribe(ctx, f)
	return err
}

func (t replayTarget) Unsubscribe(ctx context.Context, uri string) error {
	for _, sub := range t.s.State().Subscriptions {
		if sub.Phase.Live() && len(sub.Asked.URIs) == 1 && sub.Asked.URIs[0] == uri {
			return t.s.Unsubscribe(ctx, sub.Key)
		}
	}
	return fmt.Errorf("there is no subscription to %s", shorten(uri, 200))
}

func (t replayTarget) Send(ctx context.Context, raw []byte) (replay.Request, error) {
	call, err := t.s.Do(ctx, raw, CallOptions{})
	if err != nil {
		return nil, err
	}
	return replayRequest{call}, nil
}

// Questions leaves out what is on its way already, and the pages of error
// -32042, to which nothing is answered.
func (t replayTarget) Questions() (open []replay.Question) {
	for _, a := range t.s.State().Asks {
		if a.State == AskOpen && !a.FromError {
			open = append(open, replay.Question{Key: a.Key, Method: a.Method, Params: a.Params, Cause: a.Cause})
		}
	}
	return open
}

func (t replayTarget) Answer(ctx context.Context, key uint64, result, fault jsontext.Value) error {
	if result != nil {
		return t.s.Reply(ctx, key, Reply{Action: ActionResult, Result: result})
	}
	s := t.s
	s.mu.Lock()
	a := s.asks.byKey(key)
	legacy := a != nil && a.Legacy
	var id protocol.ID
	if legacy {
		id = a.message.ID
	}
	s.mu.Unlock()
	if legacy && fault != nil {
		raw := append([]byte(`{"jsonrpc":"2.0","id":`), id.String()...)
		return s.Answer(ctx, key, append(append(append(raw, `,"error":`...), fault...), '}'))
	}
	e, _ := protocol.DecodeError(fault)
	return s.Reply(ctx, key, Reply{Action: ActionReject, Message: e.Message})
}

type replayRequest struct{ c *Call }

func (r replayRequest) Done() <-chan struct{} { return r.c.Done() }
func (r replayRequest) Cancel(reason string)  { r.c.Cancel(reason) }

func (r replayRequest) State() replay.RequestState {
	st := r.c.State()
	first := st.RequestSeq
	if len(st.Rounds) > 0 {
		first = st.Rounds[0].RequestSeq
	}
	return replay.RequestState{Key: st.Key, First: first, Answer: st.AnswerSeq, Message: st.Answer, Err: st.Err, Took: st.Took}
}
