package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/session"
	"mcploupe/ui/view/safe"
)

// replies are the values of --answer. They are used in turn; the last one is
// used again for everything that follows.
type replies struct {
	mu    sync.Mutex
	queue []jsontext.Value
}

// shorthand are the words that stand for a whole answer.
var shorthand = map[string]jsontext.Value{
	"accept":  jsontext.Value(`{"action":"accept","content":{}}`),
	"decline": jsontext.Value(`{"action":"decline"}`),
	"cancel":  jsontext.Value(`{"action":"cancel"}`),
}

func parseReplies(texts []string) (*replies, error) {
	r := &replies{}
	for _, text := range texts {
		if v, ok := shorthand[text]; ok {
			r.queue = append(r.queue, v)
			continue
		}
		raw := []byte(text)
		if trimmed := strings.TrimSpace(text); !strings.HasPrefix(trimmed, "{") {
			var err error
			if raw, err = os.ReadFile(text); err != nil {
				return nil, fmt.Errorf("--answer: neither accept, decline, cancel nor a JSON object, and not a file that can be read: %w", err)
			}
		}
		v := jsontext.Value(raw)
		if !v.IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) || v.Kind() != '{' {
			return nil, fmt.Errorf("--answer %s: this is not a JSON object", safe.Line(text, 80))
		}
		r.queue = append(r.queue, v)
	}
	return r, nil
}

func (r *replies) any() bool { return len(r.queue) > 0 }

// next returns the answer for a request of the server. An answer object whose
// members are method names holds an answer for each of them.
func (r *replies) next(method string) (jsontext.Value, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.queue) == 0 {
		return nil, false
	}
	v := r.queue[0]
	byMethod := false
	var found jsontext.Value
	for name, value := range protocol.Members(v) {
		switch name {
		case protocol.MethodElicit, protocol.MethodSampling, protocol.MethodRootsList:
			byMethod = true
			if name == method {
				found = value
			}
		}
	}
	if byMethod {
		return found, found != nil // serves any number of requests
	}
	if len(r.queue) > 1 {
		r.queue = r.queue[1:]
	}
	return v, true
}

// answerPeers answers what the server asks until ctx ends: requests of its own,
// and input requests of tasks. Those of rounds are answered by do.
func (c *connection) answerPeers(ctx context.Context) {
	defer close(c.served)
	wake, stop := c.Watch()
	defer stop()
	seen := map[uint64]bool{}
	for {
		open := map[uint64]bool{}
		for _, ask := range c.State().Asks {
			if ask.State != session.AskOpen || ask.FromError || !ask.Legacy && ask.Task == 0 {
				continue
			}
			open[ask.Key] = true
			if !seen[ask.Key] {
				c.answerAsk(ctx, ask)
			}
		}
		seen = open // answered ones leave the state; keep only what is still there
		select {
		case <-ctx.Done():
			return
		case <-wake:
		}
	}
}

func (c *connection) answerAsk(ctx context.Context, ask session.Ask) {
	fmt.Fprintf(c.inv.Err, "the server asks: %s\n", describeAsk(ask.Method, ask.Params))
	reply := session.Reply{Action: session.ActionReject, Code: protocol.CodeMethodNotFound, Message: "no answer was given for " + ask.Method}
	if v, ok := c.replies.next(ask.Method); ok {
		reply = session.Reply{Action: session.ActionResult, Result: v}
	}
	if err := c.Reply(ctx, ask.Key, reply); err != nil && ctx.Err() == nil {
		fmt.Fprintf(c.inv.Err, "mcploupe: answer %s: %v\n", ask.Method, err)
	}
}

func describeAsk(method string, params jsontext.Value) string {
	text := method
	if v, _, ok := protocol.Lookup(params, "/message"); ok {
		if s, ok := protocol.StringValue(v); ok {
			text += ": " + s
		}
	}
	return safe.Line(text, 400)
}

// maxRounds bounds the rounds of a request that asks for input again and
// again (MRTR-12).
const maxRounds = 50

// do sends a request and answers what its result asks for, round by round.
func (c *connection) do(ctx context.Context, raw []byte, o session.CallOptions) (session.CallState, error) {
	o.ManualRounds = true
	call, err := c.Do(ctx, raw, o)
	if err != nil {
		return session.CallState{}, err
	}
	for range maxRounds {
		state, err := call.Wait(ctx)
		if err != nil {
			return state, err
		}
		if state.Phase != session.CallOK {
			return state, nil
		}
		result := protocol.DecodeToolResult(state.Answer.Result)
		if result.ResultType != "input_required" {
			return state, nil
		}
		answers, err := c.inputs(result.InputRequests)
		if err != nil {
			return state, err
		}
		if call, err = c.Continue(ctx, call, answers); err != nil {
			return state, fmt.Errorf("answer the server's questions: %w", err)
		}
	}
	return session.CallState{}, fmt.Errorf("the server still asked for input after %d rounds", maxRounds)
}

// inputs makes the inputResponses of one round.
func (c *connection) inputs(requests jsontext.Value) (jsontext.Value, error) {
	if len(requests) == 0 || requests.Kind() != '{' {
		return nil, nil
	}
	out := []byte("{")
	for key, request := range protocol.Members(requests) {
		name, _, _ := protocol.Lookup(request, "/method")
		method, _ := protocol.StringValue(name)
		params, _, _ := protocol.Lookup(request, "/params")
		fmt.Fprintf(c.inv.Err, "the server asks: %s\n", describeAsk(method, params))
		answer, ok := c.replies.next(method)
		if !ok {
			return nil, errors.New("the server asks " + safe.Line(describeAsk(method, params), 300) + ": give an --answer for it")
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, protocol.QuoteString(key)...), ':'), answer...)
	}
	return append(out, '}'), nil
}
