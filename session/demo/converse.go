//lint:file-ignore SA1019 what the newest revision deprecates, the older ones still have

package demo

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxRounds bounds how often one request may come back with more questions.
const maxRounds = 8

// An answer is what a client gave back for one question, as far as the tools need it. It travels in requestState.
type answer struct {
	Action  string         `json:"action,omitzero"`  // elicitation: accept, decline or cancel
	Content jsontext.Value `json:"content,omitzero"` // elicitation: the form's values, as the text that came
	Text    string         `json:"text,omitzero"`    // sampling: all text
	Blocks  []string       `json:"blocks,omitzero"`  // sampling: the kinds of content, in order
	Model   string         `json:"model,omitzero"`   // sampling
	Stop    string         `json:"stop,omitzero"`    // sampling
	Roots   []root         `json:"roots,omitzero"`   // roots
}

type root struct {
	URI  string `json:"uri"`
	Name string `json:"name,omitzero"`
}

type answers map[string]answer

func (a answers) has(id string) bool { _, ok := a[id]; return ok }

// A dialogue asks the client something while a request is being worked on: within the request in the handshake revisions,
// and by input_required results with a signed requestState in the stateless one.
type dialogue struct {
	peer
	seals   sealer
	subject string // method and name, to which the state is bound
	inputs  mcp.InputResponseMap
	state   string
	job     *job // that the request runs as; nil if it is no task
}

// progress is the content of requestState: what was answered before, and what was asked last.
type progress struct {
	Answers answers  `json:"answers,omitzero"`
	Asked   []string `json:"asked,omitzero"`
	Round   int      `json:"round"`
}

// A pause is what a stateless request returns to get the answers to its questions.
type pause struct {
	questions mcp.InputRequestMap
	state     string
}

// errUndeclared says that the client cannot be asked.
type errUndeclared struct {
	what string
	need string // the capability, as JSON
}

func (e errUndeclared) Error() string {
	return "this client did not declare the capability to answer it: " + e.what
}

// ask returns the answers to all questions that next comes up with. next is called with what is known so far and returns
// the next questions, none when it has heard enough. If the result is a pause, the request has to return it; the client
// then sends the request again with the answers.
func (d dialogue) ask(ctx context.Context, next func(answers) mcp.InputRequestMap) (answers, *pause, error) {
	if d.modern() && d.job == nil {
		return d.askByRetry(next)
	}
	known := answers{}
	for range maxRounds {
		questions := next(known)
		if len(questions) == 0 {
			return known, nil, nil
		}
		if err := d.answerable(questions); err != nil {
			return nil, nil, err
		}
		for _, id := range slices.Sorted(maps.Keys(questions)) {
			put := d.put
			if d.job != nil {
				put = func(ctx context.Context, q mcp.InputRequest) (answer, error) { return d.job.ask(ctx, id, q) }
			}
			a, err := put(ctx, questions[id])
			if err != nil {
				return nil, nil, fmt.Errorf("asking the client: %w", err)
			}
			known[id] = a
		}
	}
	return nil, nil, fmt.Errorf("no end after %d rounds of questions", maxRounds)
}

func (d dialogue) askByRetry(next func(answers) mcp.InputRequestMap) (answers, *pause, error) {
	was := progress{Answers: answers{}}
	if d.state != "" {
		if err := d.seals.open(d.subject, d.state, &was); err != nil {
			return nil, nil, invalidParams(err.Error())
		}
		if was.Answers == nil {
			was.Answers = answers{}
		}
		for _, id := range was.Asked {
			if in, ok := d.inputs[id]; ok {
				was.Answers[id] = answerOf(in)
			}
		}
	}
	questions := next(was.Answers)
	if len(questions) == 0 {
		return was.Answers, nil, nil
	}
	if was.Round >= maxRounds {
		return nil, nil, fmt.Errorf("no end after %d rounds of questions", maxRounds)
	}
	if err := d.answerable(questions); err != nil {
		return nil, nil, missingCapability(err)
	}
	state, err := d.seals.seal(d.subject, progress{was.Answers, slices.Sorted(maps.Keys(questions)), was.Round + 1})
	if err != nil {
		return nil, nil, err
	}
	return nil, &pause{questions, state}, nil
}

// answerable reports what the client would need to have declared.
func (d dialogue) answerable(questions mcp.InputRequestMap) error {
	for _, id := range slices.Sorted(maps.Keys(questions)) {
		switch q := questions[id].(type) {
		case *mcp.ElicitParams:
			e := d.caps.Elicitation
			switch {
			case q.Mode == "url" && (e == nil || e.URL == nil):
				return errUndeclared{"elicitation in url mode", `{"elicitation":{"url":{}}}`}
			case q.Mode != "url" && (e == nil || e.Form == nil && e.URL != nil):
				return errUndeclared{"elicitation by form", `{"elicitation":{"form":{}}}`}
			}
		case *mcp.CreateMessageWithToolsParams:
			switch {
			case d.caps.Sampling == nil:
				return errUndeclared{"sampling", `{"sampling":{}}`}
			case len(q.Tools) > 0 && d.caps.Sampling.Tools == nil:
				return errUndeclared{"sampling with tools", `{"sampling":{"tools":{}}}`}
			}
		case *mcp.ListRootsParams:
			if d.caps.RootsV2 == nil {
				return errUndeclared{"roots", `{"roots":{}}`}
			}
		}
	}
	return nil
}

// put sends one question within the request and waits for the answer.
func (d dialogue) put(ctx context.Context, q mcp.InputRequest) (answer, error) {
	switch q := q.(type) {
	case *mcp.ElicitParams:
		res, err := d.session.Elicit(ctx, q)
		if err != nil {
			return answer{}, err
		}
		return answerOf(res), nil
	case *mcp.CreateMessageWithToolsParams:
		res, err := d.session.CreateMessageWithTools(ctx, q)
		if err != nil {
			return answer{}, err
		}
		return answerOf(res), nil
	default:
		res, err := d.session.ListRoots(ctx, nil)
		if err != nil {
			return answer{}, err
		}
		return answerOf(res), nil
	}
}

func answerOf(in mcp.InputResponse) answer {
	var a answer
	switch r := in.(type) {
	case *mcp.ElicitResult:
		a.Action = r.Action
		if kept, ok := r.Meta[answerTextKey].(string); ok {
			a.Content = jsontext.Value(kept)
		}
	case *mcp.CreateMessageWithToolsResult:
		a.Model, a.Stop = r.Model, r.StopReason
		for _, c := range r.Content {
			switch c := c.(type) {
			case *mcp.TextContent:
				a.Text += c.Text
				a.Blocks = append(a.Blocks, "text")
			case *mcp.ToolUseContent:
				a.Blocks = append(a.Blocks, "tool_use "+c.Name)
			case *mcp.ImageContent:
				a.Blocks = append(a.Blocks, "image "+c.MIMEType)
			case *mcp.AudioContent:
				a.Blocks = append(a.Blocks, "audio "+c.MIMEType)
			}
		}
	case *mcp.ListRootsResult:
		for _, r := range r.Roots {
			a.Roots = append(a.Roots, root{r.URI, r.Name})
		}
	}
	return a
}

func invalidParams(msg string) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: msg}
}

func missingCapability(err error) error {
	var undeclared errUndeclared
	if !errors.As(err, &undeclared) {
		return err
	}
	return &jsonrpc.Error{
		Code:    mcp.CodeMissingRequiredClientCapabilities,
		Message: err.Error(),
		Data:    []byte(`{"requiredCapabilities":` + undeclared.need + `}`),
	}
}

// decodeContent reads the values of an accepted form.
func (a answer) decodeContent(into any) error {
	if len(a.Content) == 0 {
		return nil
	}
	return json.Unmarshal(a.Content, into)
}

// interview is ask for a tool: the second result, if not nil, is what the tool has to return now.
func (c *call) interview(ctx context.Context, next func(answers) mcp.InputRequestMap) (answers, *mcp.CallToolResult, error) {
	d := dialogue{c.peer, c.seals, "tools/call " + c.req.Params.Name, c.req.Params.InputResponses, c.req.Params.RequestState, c.job}
	got, wait, err := d.ask(ctx, next)
	var undeclared errUndeclared
	switch {
	case errors.As(err, &undeclared):
		return nil, failed("The observatory has a question, but %v.", err), nil
	case err != nil:
		return nil, nil, err
	case wait != nil:
		return nil, &mcp.CallToolResult{
			Content:       []mcp.Content{}, // nil would go out as null
			InputRequests: wait.questions, RequestState: wait.state,
		}, nil
	}
	return got, nil, nil
}
