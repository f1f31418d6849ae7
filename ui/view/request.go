package view

import (
	"context"
	"fmt"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/session"
	"mcploupe/ui/view/human"
)

// Request is what a panel sends: everything a person can set, before anything
// is sent.
type Request struct {
	Method       string
	Params       jsontext.Value // without _meta
	Meta         jsontext.Value // members for params._meta, an object; nil for none
	Timeout      time.Duration  // idle limit, 0 for the default
	InputSchema  jsontext.Value // of the tool, for headers
	OutputSchema jsontext.Value // of the tool, for the verdict
}

// Build makes the exact bytes that Send would send now.
func (r Request) Build(s *session.Session) ([]byte, error) {
	raw := s.NewRequest(r.Method, r.Params)
	if len(r.Meta) == 0 {
		return raw, nil
	}
	if r.Meta.Kind() != '{' || !r.Meta.IsValid(jsontext.AllowDuplicateNames(true)) {
		return nil, fmt.Errorf("_meta is not a JSON object: %s", line(string(r.Meta), 120))
	}
	for name, value := range protocol.Members(r.Meta) {
		var err error
		if raw, err = protocol.SetMeta(raw, name, value); err != nil {
			return nil, fmt.Errorf("set _meta %s: %w", line(name, 60), err)
		}
	}
	return raw, nil
}

// Running is a request that was sent from a panel, and how it ended. Its
// methods are safe for concurrent use.
type Running struct {
	call *session.Call
	done chan struct{} // closed when outcome is set
	out  Outcome
}

// Send sends a request over the connection. changed is called, from any
// goroutine, each second while it runs and when the outcome is there. The
// error says why nothing was sent.
func (c *Conn) Send(r Request, changed func()) (*Running, error) {
	sess := c.Session()
	if phase, _ := c.Phase(); !phase.Live() || sess == nil {
		return nil, fmt.Errorf("not connected: reconnect first")
	}
	raw, err := r.Build(sess)
	if err != nil {
		return nil, err
	}
	call, err := sess.Do(c.Context(), raw, session.CallOptions{Timeout: r.Timeout, InputSchema: r.InputSchema})
	if err != nil {
		return nil, err
	}
	run := &Running{call: call, done: make(chan struct{})}
	c.Go(func(ctx context.Context) {
		defer changed()
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				changed()
				continue
			case <-call.Done():
			case <-ctx.Done():
			}
			break
		}
		run.out = OutcomeOf(call.State(), r.OutputSchema)
		close(run.done)
	})
	return run, nil
}

// Outcome is how the call ended; ok is false while it runs.
func (r *Running) Outcome() (o Outcome, ok bool) {
	select {
	case <-r.done:
		return r.out, true
	default:
		return Outcome{}, false
	}
}

// State is the call as it is now.
func (r *Running) State() session.CallState { return r.call.State() }

// Elapsed is how long the call has been running at now, for people.
func (r *Running) Elapsed(now time.Time) string {
	return human.Duration(now.Sub(r.call.State().Started).Truncate(100 * time.Millisecond))
}

// Cancel gives the call up, the revision's way.
func (r *Running) Cancel() { r.call.Cancel("cancelled by the person") }
