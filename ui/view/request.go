package view

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/session"
	"mcploupe/ui/view/human"
)

// Filling is what has been filled in for a request.
type Filling struct {
	Params   jsontext.Value // without _meta; nil for none
	Draft    string         // text that is not JSON; it stands in Params where Hole does
	Reason   string         // what is wrong, "" when nothing is; safe
	Sendable bool           // it can be sent, even if something is wrong
}

// Hole stands in the params of a Filling for a draft.
const Hole = `"\u0000draft\u0000"`

// Request is what a panel sends: everything a person can set, before anything
// is sent.
type Request struct {
	Method       string
	Params       jsontext.Value       // without _meta
	Draft        string               // see Filling
	Meta         jsontext.Value       // members for params._meta, an object; nil for none
	Timeout      time.Duration        // idle limit, 0 for the default
	InputSchema  jsontext.Value       // of the tool, for headers
	OutputSchema jsontext.Value       // of the tool, for the verdict
	Task         *session.TaskOptions // the call is to become a task, nil otherwise
}

// Builder makes requests: a session, or a connection with or without one.
type Builder interface {
	NewRequest(method string, params jsontext.Value) []byte
	AsTask(raw []byte, o session.TaskOptions) []byte
}

// NewRequest builds a request as the session would; without one, as a session
// with the server would that is known from the recording. Nothing is sent.
func (c *Conn) NewRequest(method string, params jsontext.Value) []byte {
	if sess := c.Session(); sess != nil {
		return sess.NewRequest(method, params)
	}
	raw := protocol.NewRequest(protocol.IntID(1), method, params)
	if r := c.State().Revision; r != nil && r.Modern {
		if full, err := protocol.AddMeta(raw, r.RequestMeta(c.o.Client, c.o.Capabilities, "")); err == nil {
			return full
		}
	}
	return raw
}

// AsTask makes a call ask for a task as the session would; without one, the call
// stays as it is.
func (c *Conn) AsTask(raw []byte, o session.TaskOptions) []byte {
	if sess := c.Session(); sess != nil {
		return sess.AsTask(raw, o)
	}
	return raw
}

// Build makes the exact bytes that Send would send now.
func (r Request) Build(s Builder) ([]byte, error) {
	raw := s.NewRequest(r.Method, r.Params)
	if r.Task != nil {
		raw = s.AsTask(raw, *r.Task)
	}
	if len(r.Meta) == 0 {
		return raw, nil
	}
	if !IsObject(r.Meta) {
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

// Text is Build for the eye: a draft that cannot be sent stands in it as it was
// typed.
func (r Request) Text(s Builder) (string, error) {
	raw, err := r.Build(s)
	if err != nil {
		return "", err
	}
	if r.Draft == "" {
		return string(raw), nil
	}
	return strings.Replace(string(raw), Hole, r.Draft, 1), nil
}

// Headers are the HTTP headers that describe the request, and what is wrong
// with them. ok is false over stdio and in the revisions that have none.
func (r Request) Headers(st session.State) (fields []protocol.HeaderField, problems []protocol.Problem, ok bool) {
	if st.Transport != string(session.HTTP) || st.Revision == nil || !st.Revision.MetadataHeaders {
		return nil, nil, false
	}
	raw := protocol.NewRequest(protocol.IntID(0), r.Method, r.Params) // no header depends on the id or on who asks
	if full, err := protocol.AddMeta(raw, st.Revision.RequestMeta(protocol.Implementation{}, protocol.ClientCapabilities{}, "")); err == nil {
		raw = full
	}
	fields, problems = protocol.Headers(st.Revision, protocol.Parse(raw), r.InputSchema)
	return fields, problems, true
}

// IsObject reports whether v is a JSON object.
func IsObject(v jsontext.Value) bool { return protocol.Valid(v) && v.Kind() == '{' }

// Running is a request that was sent from a panel, and how it ended. Its
// methods are safe for concurrent use.
type Running struct {
	call   *session.Call
	conn   *Conn
	output jsontext.Value // schema of the tool
	done   chan struct{}  // closed when out is set
	change func()

	mu     sync.Mutex
	out    Outcome
	stamp  outcomeStamp
	turn   int
	making bool // another outcome is being made
}

// outcomeStamp is what an outcome depends on that may still come when the call
// is over: a late answer, and progress that names it (CAN-05, PROG-07).
type outcomeStamp struct {
	answer  uint64
	reports int
}

func stampOutcome(st session.CallState) outcomeStamp {
	return outcomeStamp{st.AnswerSeq, len(st.Reports)}
}

var errNotConnected = errors.New("not connected: reconnect first")

// live is the session that requests can be sent to.
func (c *Conn) live() (*session.Session, error) {
	sess := c.Session()
	if phase, _ := c.Phase(); !phase.Live() || sess == nil {
		return nil, errNotConnected
	}
	return sess, nil
}

// Send sends a request over the connection. changed is called, from any
// goroutine, each second while it runs and when the outcome is there. The
// error says why nothing was sent.
func (c *Conn) Send(r Request, changed func()) (*Running, error) {
	sess, err := c.live()
	if err != nil {
		return nil, err
	}
	raw, err := r.Build(sess)
	if err != nil {
		return nil, err
	}
	return c.SendRaw(raw, r, changed)
}

// SendRaw sends a request exactly as it is; r says what it is about.
func (c *Conn) SendRaw(raw []byte, r Request, changed func()) (*Running, error) {
	sess, err := c.live()
	if err != nil {
		return nil, err
	}
	call, err := sess.Do(c.Context(), raw, session.CallOptions{Timeout: r.Timeout, InputSchema: r.InputSchema, HoldRounds: c.Server().HoldRounds})
	if err != nil {
		return nil, err
	}
	return c.Follow(call, r, changed), nil
}

// Follow waits for the end of a call in the background.
func (c *Conn) Follow(call *session.Call, r Request, changed func()) *Running {
	run := &Running{call: call, conn: c, output: r.OutputSchema, change: changed, done: make(chan struct{})}
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
		run.make(call.State())
		close(run.done)
	})
	return run
}

// make makes the outcome. It may take long.
func (r *Running) make(st session.CallState) {
	out := OutcomeOf(st, r.output)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.out, r.stamp, r.making = out, stampOutcome(st), false
	r.turn++
}

// Turn counts the outcomes so far: something that came after the end of the call
// makes another one.
func (r *Running) Turn() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.turn
}

// Outcome is how the call ended; ok is false while it runs.
func (r *Running) Outcome() (o Outcome, ok bool) {
	select {
	case <-r.done:
	default:
		return Outcome{}, false
	}
	st := r.call.State()
	r.mu.Lock()
	defer r.mu.Unlock()
	if stampOutcome(st) != r.stamp && !r.making {
		r.making = true
		r.conn.Go(func(context.Context) {
			r.make(st)
			r.change()
		})
	}
	return r.out, true
}

// State is the call as it is now.
func (r *Running) State() session.CallState { return r.call.State() }

// elapsed is how long the server has been at work on the call at now, for
// people. What the person took to answer its questions is said apart; while one is
// open, asks, its work has stood still since before st was taken.
func elapsed(st session.CallState, now time.Time, asks bool) string {
	work, waited := now.Sub(st.Started)-st.Waited, st.Waited
	if asks {
		work, waited = st.Took, now.Sub(st.Started)-st.Took
	}
	text := human.Ticking(max(work, 0))
	if waited >= time.Second {
		text += ", and " + human.Ticking(waited) + " for you"
	}
	return text
}

// Cancel gives the call up, the revision's way. The reason is sent where there
// is a place for it.
func (r *Running) Cancel(reason string) { r.call.Cancel(reason) }

// Questions says what the server asks before it goes on, a line each; "" when
// it asks nothing now.
func Questions(c session.CallState) string {
	if c.Phase != session.CallWaiting || len(c.Rounds) == 0 {
		return ""
	}
	var lines []string
	requests := c.Rounds[len(c.Rounds)-1].InputRequests
	if c.Held && len(requests) == 0 {
		return "Nothing: it put the call off, which is sent again when you continue it."
	}
	for _, p := range questionParts(requests) {
		lines = append(lines, strings.TrimSpace(p.Detail+"  "+strings.Join(p.Notes, " · ")))
	}
	return strings.Join(lines, "\n")
}

// questionParts shows the questions of a server as they were sent.
func questionParts(requests []protocol.InputRequest) []Part {
	var parts []Part
	for _, q := range requests {
		p := Part{Kind: PartJSON, Label: "asks: " + line(q.Key, 24), Detail: line(q.Method, 40), Tone: Caution, Body: q.Raw, Problems: q.Problems}
		if message, _, ok := protocol.Lookup(q.Params, "/message"); ok {
			if text, ok := protocol.StringValue(message); ok {
				p.Notes = append(p.Notes, line(text, 400))
			}
		}
		for _, problem := range q.Problems {
			p.Notes = append(p.Notes, line(problem.Text, 300))
		}
		parts = append(parts, p)
	}
	return parts
}
