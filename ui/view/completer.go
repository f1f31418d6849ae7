package view

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/session"
)

// CompletionDelay is how long typing has to pause before the server is asked.
const CompletionDelay = 200 * time.Millisecond

// Subject is what is to be completed: one argument of a prompt or of a
// template.
type Subject struct {
	Ref      jsontext.Value // ref/prompt or ref/resource
	Argument string
	Value    string
	Others   []NamedValue // what the other arguments are
}

// NamedValue is an argument that has been filled in.
type NamedValue struct{ Name, Value string }

// Suggestions are what a server offers for an argument.
type Suggestions struct {
	Argument string
	Value    string   // for which it was asked
	Values   []string // as sent
	More     string   // "" or that there are more, in words
	Err      string
}

// Completer asks for values while a person types: once typing has paused, and
// for the newest value only. Its methods are safe for concurrent use.
type Completer struct {
	ask     func(ctx context.Context, q Subject) (protocol.Completion, error)
	run     func(f func(ctx context.Context)) // starts a goroutine that someone waits for
	changed func()
	delay   time.Duration

	mu   sync.Mutex
	turn uint64
	stop context.CancelFunc // of the question that is on its way
	last Subject
	got  *Suggestions
}

// NewCompleter makes a completer for a connection. changed is called, from any
// goroutine, when there are suggestions.
func NewCompleter(c *Conn, changed func()) *Completer {
	return newCompleter(c.complete, c.Go, changed)
}

func newCompleter(ask func(context.Context, Subject) (protocol.Completion, error), run func(func(context.Context)), changed func()) *Completer {
	return &Completer{ask: ask, run: run, changed: changed, delay: CompletionDelay}
}

// Want asks for suggestions soon. A question that is on its way is given up.
func (c *Completer) Want(q Subject) {
	c.mu.Lock()
	if c.stop != nil {
		if sameSubject(c.last, q) {
			c.mu.Unlock()
			return
		}
		c.stop()
	}
	c.turn++
	turn := c.turn
	ctx, stop := context.WithCancel(context.Background())
	c.stop, c.last, c.got = stop, q, nil
	c.mu.Unlock()
	c.run(func(owner context.Context) {
		defer stop()
		defer context.AfterFunc(owner, stop)()
		pause := time.NewTimer(c.delay)
		defer pause.Stop()
		select {
		case <-pause.C:
		case <-ctx.Done():
			return
		}
		answer, err := c.ask(ctx, q)
		if ctx.Err() != nil {
			return
		}
		if c.take(turn, q, answer, err) {
			c.changed()
		}
	})
}

func sameSubject(a, b Subject) bool {
	return string(a.Ref) == string(b.Ref) && a.Argument == b.Argument && a.Value == b.Value && slices.Equal(a.Others, b.Others)
}

// take keeps an answer unless something else has been asked since.
func (c *Completer) take(turn uint64, q Subject, answer protocol.Completion, err error) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.turn != turn {
		return false
	}
	s := &Suggestions{Argument: q.Argument, Value: q.Value, Values: answer.Values}
	switch {
	case err != nil:
		s.Err = line(err.Error(), 200)
	case answer.HasMore && answer.Total != "":
		s.More = "more, " + line(answer.Total, 20) + " in all"
	case answer.HasMore:
		s.More = "more"
	}
	c.got = s
	return true
}

// Suggestions are the newest, nil while there are none.
func (c *Completer) Suggestions() *Suggestions {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.got
}

// Drop gives up what is asked and forgets what came.
func (c *Completer) Drop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.turn++
	if c.stop != nil {
		c.stop()
		c.stop = nil
	}
	c.got = nil
}

// Completes reports whether the server offers completion.
func (c *Conn) Completes() bool {
	phase, _ := c.Phase()
	return phase.Live() && c.State().ServerCapabilities.Completions
}

// complete asks the server once.
func (c *Conn) complete(ctx context.Context, q Subject) (protocol.Completion, error) {
	sess, err := c.live()
	if err != nil {
		return protocol.Completion{}, err
	}
	st := c.State()
	call, err := sess.Do(ctx, sess.NewRequest(protocol.MethodComplete, completionParams(q, st.Revision)), session.CallOptions{})
	if err != nil {
		return protocol.Completion{}, err
	}
	end, err := call.Wait(ctx)
	if err != nil {
		return protocol.Completion{}, err
	}
	switch end.Phase {
	case session.CallOK:
		return protocol.DecodeCompletion(end.Answer.Result), nil
	case session.CallError:
		e, _ := protocol.DecodeError(end.Answer.Error)
		return protocol.Completion{}, e
	}
	return protocol.Completion{}, errorString(end.Err)
}

type errorString string

func (e errorString) Error() string { return string(e) }

// completionParams leaves the other arguments out where the revision does not
// know them (COMP-03).
func completionParams(q Subject, r *protocol.Revision) jsontext.Value {
	params := `{"ref":` + string(q.Ref) + `,"argument":{"name":` + string(protocol.QuoteString(q.Argument)) +
		`,"value":` + string(protocol.QuoteString(q.Value)) + `}`
	if r != nil && r.CompletionContext && len(q.Others) > 0 {
		params += `,"context":{"arguments":` + string(stringObject(q.Others)) + `}`
	}
	return jsontext.Value(params + "}")
}

// stringObject is an object of strings.
func stringObject(values []NamedValue) jsontext.Value {
	object := []byte{'{'}
	for i, v := range values {
		if i > 0 {
			object = append(object, ',')
		}
		object = append(object, protocol.QuoteString(v.Name)...)
		object = append(object, ':')
		object = append(object, protocol.QuoteString(v.Value)...)
	}
	return append(object, '}')
}

// PromptRef names a prompt in a completion.
func PromptRef(name string) jsontext.Value {
	return jsontext.Value(`{"type":"ref/prompt","name":` + string(protocol.QuoteString(name)) + `}`)
}

// TemplateRef names a resource template in a completion.
func TemplateRef(template string) jsontext.Value {
	return jsontext.Value(`{"type":"ref/resource","uri":` + string(protocol.QuoteString(template)) + `}`)
}
