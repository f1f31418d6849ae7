// Command conformance drives a server as the public conformance suite for
// clients wants: it connects, loads every list, calls every tool with arguments
// made from its schema, reads a resource, gets a prompt and answers what the
// server asks with the defaults of its forms. It is a test; nothing ships it.
//
//	conformance URL
//
// The suite names what else it wants in MCP_CONFORMANCE_CONTEXT.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/protocol/schema"
	"mcploupe/recorder"
	"mcploupe/session"
)

// limit bounds a run; the suite gives up after 30 s.
const limit = 25 * time.Second

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: conformance URL")
		os.Exit(2)
	}
	if err := run(session.Target{URL: os.Args[len(os.Args)-1]}); err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(1)
	}
}

func run(target session.Target) (err error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	dir, err := os.MkdirTemp("", "conformance")
	if err != nil {
		return fmt.Errorf("making room for the recording: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	log, err := recorder.Create(filepath.Join(dir, "run.mcp.jsonl"), target.RecordingHeader("conformance"))
	if err != nil {
		return fmt.Errorf("recording: %w", err)
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	s, err := session.Open(ctx, target, session.Options{
		Log:    log,
		Client: protocol.Implementation{Name: "mcploupe-conformance", Version: "1"},
		Capabilities: protocol.ClientCapabilities{Roots: true, Sampling: true, SamplingTools: true,
			Elicitation: true, ElicitationURL: true},
		Roots:       []session.Root{{URI: "file:///tmp", Name: "tmp"}},
		CallTimeout: limit,
	})
	defer func() { err = errors.Join(err, s.Close()) }()
	if err == nil {
		err = s.Negotiate(ctx)
	}
	if err != nil {
		for _, step := range s.State().Steps {
			fmt.Fprintln(os.Stderr, step.Title, step.Detail)
		}
		return fmt.Errorf("connecting: %w", err)
	}
	r := &runner{s: s, ctx: ctx, done: make(chan struct{})}
	go r.answer()
	r.everything()
	cancel()
	<-r.done
	return nil
}

// runner uses a server. What fails is said and does not end the run: some
// scenarios are about servers that fail.
type runner struct {
	s    *session.Session
	ctx  context.Context
	done chan struct{} // closed when answer has ended
}

func (r *runner) everything() {
	if err := r.s.RefreshAll(r.ctx); err != nil {
		fmt.Fprintln(os.Stderr, "loading the lists:", err)
	}
	wanted, err := wantedCalls(os.Getenv("MCP_CONFORMANCE_CONTEXT"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	tools := r.s.Tools()
	for _, tool := range tools {
		if r.callable(tool) {
			r.call(tool, wanted[tool.Name], tools)
		}
	}
	for _, res := range r.s.Resources() {
		r.request(protocol.MethodResourcesRead, object("uri", protocol.QuoteString(res.URI)))
		break
	}
	for _, p := range r.s.Prompts() {
		r.request(protocol.MethodPromptsGet, object("name", protocol.QuoteString(p.Name)))
		break
	}
}

// callable leaves out tools whose annotations for headers are not valid
// (HDR-18).
func (r *runner) callable(t protocol.Tool) bool {
	if t.Malformed {
		return false
	}
	if !r.s.State().Revision.MetadataHeaders {
		return true
	}
	_, problems := protocol.HeaderAnnotations(t.InputSchema)
	worst, any := protocol.Worst(problems)
	return !any || worst < protocol.Violation
}

// echoTool takes back the schema of another tool, to see that nothing was lost.
const echoTool = "json_schema_echo"

// call calls a tool with each of the arguments wanted, or with some of its
// schema's.
func (r *runner) call(t protocol.Tool, wanted []jsontext.Value, tools []protocol.Tool) {
	if t.Name == echoTool {
		for _, other := range tools {
			if other.Name != echoTool {
				wanted = append(wanted, object("schema", other.InputSchema))
				break
			}
		}
	}
	if wanted == nil {
		arguments := jsontext.Value("{}")
		if compiled, _ := schema.Compile(t.InputSchema); compiled != nil && compiled.Usable() {
			if v := schema.Generate(compiled); v != nil {
				arguments = v
			}
		}
		wanted = []jsontext.Value{arguments}
	}
	for _, arguments := range wanted {
		params := append(append(jsontext.Value(`{"name":`), protocol.QuoteString(t.Name)...), `,"arguments":`...)
		r.request(protocol.MethodToolsCall, append(append(params, arguments...), '}'))
	}
}

func object(name string, value jsontext.Value) jsontext.Value {
	out := append(append(jsontext.Value("{"), protocol.QuoteString(name)...), ':')
	return append(append(out, value...), '}')
}

func (r *runner) request(method string, params jsontext.Value) {
	call, err := r.s.Do(r.ctx, r.s.NewRequest(method, params), session.CallOptions{})
	if err != nil {
		fmt.Fprintln(os.Stderr, method, err)
		return
	}
	st, err := call.Wait(r.ctx)
	if err != nil || st.Phase != session.CallOK {
		fmt.Fprintf(os.Stderr, "%s %s: phase %d %s %s %v\n", method, st.Name, st.Phase, st.Err, st.Answer.Error, err)
	}
}

// answer answers what the server asks until the run is over.
func (r *runner) answer() {
	defer close(r.done)
	wake, stop := r.s.Watch()
	defer stop()
	for {
		for _, a := range r.s.State().Asks {
			if a.State != session.AskOpen {
				continue
			}
			if err := r.s.Reply(r.ctx, a.Key, reply(a)); err != nil && r.ctx.Err() == nil {
				fmt.Fprintln(os.Stderr, "answering:", err)
			}
		}
		select {
		case <-wake:
		case <-r.ctx.Done():
			return
		}
	}
}

// reply is the answer of somebody who agrees to everything and changes nothing
// (ELIC-10).
func reply(a session.Ask) session.Reply {
	switch a.Kind {
	case session.AskForm:
		r := session.Reply{Action: session.ActionAccept}
		if compiled, _ := schema.Compile(a.Schema); compiled != nil && compiled.Usable() {
			form := schema.NewForm(compiled)
			r.Content, _ = form.Value()
			if len(form.Problems()) > 0 { // something is required and has no default
				if v := schema.Generate(compiled); v != nil {
					r.Content = v
				}
			}
		}
		return r
	case session.AskURL:
		return session.Reply{Action: session.ActionDecline}
	case session.AskSampling:
		return session.Reply{Action: session.ActionResult, Result: protocol.DecodeSampling(a.Params).Canned()[0].Result}
	}
	return session.Reply{Action: session.ActionReject}
}

// wantedCalls reads the calls that the suite wants, by tool.
func wantedCalls(text string) (map[string][]jsontext.Value, error) {
	if text == "" {
		return nil, nil
	}
	if !protocol.Valid([]byte(text)) {
		return nil, errors.New("MCP_CONFORMANCE_CONTEXT is not JSON")
	}
	out := map[string][]jsontext.Value{}
	calls, _, _ := protocol.Lookup(jsontext.Value(text), "/toolCalls")
	for _, call := range protocol.Elements(calls) {
		name, _, _ := protocol.Lookup(call, "/name")
		arguments, _, _ := protocol.Lookup(call, "/arguments")
		if tool, ok := protocol.StringValue(name); ok {
			out[tool] = append(out[tool], arguments)
		}
	}
	return out, nil
}
