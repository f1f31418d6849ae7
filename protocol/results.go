package protocol

import "github.com/go-json-experiment/json/jsontext"

// The values of resultType. A result without one is complete (BASE-14).
const (
	ResultComplete      = "complete"
	ResultInputRequired = "input_required"
	ResultTask          = "task" // extension io.modelcontextprotocol/tasks
)

// common is what results have in common.
type common struct {
	ResultType    string         // "" when absent
	InputRequests jsontext.Value // of input_required; nil when absent
	RequestState  jsontext.Value // to be sent back as it is (MRTR-06); nil when absent
	Meta          jsontext.Value // nil when absent
}

func (c *common) take(d *decoder, m *node) bool {
	switch m.name {
	case "resultType":
		d.string(m, &c.ResultType)
	case "inputRequests":
		d.object(m, &c.InputRequests)
	case "requestState":
		c.RequestState = m.raw()
		if m.kind() != '"' {
			d.wrong(m, "a string")
		}
	case "_meta":
		d.object(m, &c.Meta)
	default:
		return false
	}
	return true
}

// complete reports whether a result has its content.
func (c *common) complete() bool { return c.ResultType == "" || c.ResultType == ResultComplete }

// ToolResult is the result of tools/call. Pointers and offsets of problems
// count from the result.
type ToolResult struct {
	Content                     []Content
	Structured                  jsontext.Value // may be null; HasStructured tells presence (TOOL-09)
	HasStructured, IsError      bool
	Task                        jsontext.Value // task of 2025-11-25; nil when absent
	ResultType                  string
	InputRequests, RequestState jsontext.Value
	Meta                        jsontext.Value
	Problems                    []Problem // those of blocks are in the blocks
}

// DecodeToolResult decodes the result of tools/call. Content that is no array
// is taken as one block.
func DecodeToolResult(result jsontext.Value) (r ToolResult) {
	d := decoder{rule: resultShape}
	var c common
	hasContent := false
	root := d.root(result, func(m *node) {
		switch {
		case c.take(&d, m):
		case m.name == "content":
			hasContent = true
			r.Content = d.blocks(m, "L-TOOL-08", decodeContent)
		case m.name == "structuredContent":
			r.Structured, r.HasStructured = m.raw(), true
		case m.name == "isError":
			d.bool(m, &r.IsError)
		case m.name == "task":
			d.object(m, &r.Task)
		}
	})
	if root && !hasContent && c.complete() && r.Task == nil {
		d.missing(result, "L-TOOL-08", "content")
	}
	r.ResultType, r.InputRequests, r.RequestState, r.Meta = c.ResultType, c.InputRequests, c.RequestState, c.Meta
	r.Problems = d.problems()
	return r
}

// ReadResult is the result of resources/read, on the terms of ToolResult.
type ReadResult struct {
	Contents                    []Content // Type is "resource" for all
	ResultType                  string
	InputRequests, RequestState jsontext.Value
	TTL, CacheScope             string
	Meta                        jsontext.Value
	Problems                    []Problem
}

// DecodeReadResult decodes the result of resources/read.
func DecodeReadResult(result jsontext.Value) (r ReadResult) {
	d := decoder{rule: resultShape}
	var c common
	hasContents := false
	root := d.root(result, func(m *node) {
		switch {
		case c.take(&d, m):
		case m.name == "contents":
			hasContents = true
			r.Contents = d.blocks(m, resultShape, decodeReadContent)
		case m.name == "ttlMs":
			d.number(m, &r.TTL)
		case m.name == "cacheScope":
			d.string(m, &r.CacheScope)
		}
	})
	if root && !hasContents && c.complete() {
		d.missing(result, resultShape, "contents")
	}
	r.ResultType, r.InputRequests, r.RequestState, r.Meta = c.ResultType, c.InputRequests, c.RequestState, c.Meta
	r.Problems = d.problems()
	return r
}

// PromptResult is the result of prompts/get, on the terms of ToolResult.
type PromptResult struct {
	Description                 string
	Messages                    []PromptMessage
	ResultType                  string
	InputRequests, RequestState jsontext.Value
	Meta                        jsontext.Value
	Problems                    []Problem
}

// PromptMessage is one message of a prompt.
type PromptMessage struct {
	Role     string  // user or assistant
	Content  Content // the first block; a revision may know more
	More     []Content
	Raw      jsontext.Value
	Problems []Problem // of the message; those of content are in the content
}

// DecodePromptResult decodes the result of prompts/get.
func DecodePromptResult(result jsontext.Value) (r PromptResult) {
	d := decoder{rule: resultShape}
	var c common
	hasMessages := false
	root := d.root(result, func(m *node) {
		switch {
		case c.take(&d, m):
		case m.name == "description":
			d.string(m, &r.Description)
		case m.name == "messages":
			hasMessages = true
			r.Messages = nil
			if m.kind() != '[' {
				d.wrong(m, "an array")
				return
			}
			d.elements(m, func(e *node) { r.Messages = append(r.Messages, decodePromptMessage(e)) })
		}
	})
	if root && !hasMessages && c.complete() {
		d.missing(result, resultShape, "messages")
	}
	r.ResultType, r.InputRequests, r.RequestState, r.Meta = c.ResultType, c.InputRequests, c.RequestState, c.Meta
	r.Problems = d.problems()
	return r
}

// decodePromptMessage decodes one message (L-PRMT-01).
func decodePromptMessage(n *node) PromptMessage {
	const rule = "L-PRMT-01"
	d := decoder{rule: rule}
	p := PromptMessage{Raw: n.raw()}
	hasRole, hasContent := false, false
	if n.kind() != '{' {
		d.add(n, rule, Violation, "The message is "+kindName(n.kind())+" instead of an object.")
		p.Problems = d.problems()
		return p
	}
	n.members(func(m *node) {
		switch m.name {
		case "role":
			hasRole = d.string(m, &p.Role)
			if hasRole && p.Role != "user" && p.Role != "assistant" {
				d.add(m, rule, Violation, "The role is neither user nor assistant.")
			}
		case "content":
			hasContent = true
			if m.kind() != '[' {
				p.Content, p.More = decodeContent(m), nil
				return
			}
			d.add(m, rule, Violation, "The content of a message is an array instead of one block.")
			blocks := d.blocks(m, rule, decodeContent)
			if len(blocks) > 0 {
				p.Content, p.More = blocks[0], blocks[1:]
			}
		}
	})
	if !hasRole {
		d.add(n, rule, Violation, "The message has no role.")
	}
	if !hasContent {
		d.add(n, rule, Violation, "The message has no content.")
	}
	p.Problems = d.problems()
	return p
}

// Completion is the result of completion/complete.
type Completion struct {
	Values   []string
	Total    string // number text, "" when absent
	HasMore  bool
	Problems []Problem
}

// completionMax is how many values a completion may have (COMP-05).
const completionMax = 100

// DecodeCompletion decodes the result of completion/complete.
func DecodeCompletion(result jsontext.Value) (c Completion) {
	const rule = "L-COMP-02"
	d := decoder{rule: rule}
	hasValues := false
	root := d.root(result, func(m *node) {
		if m.name != "completion" {
			return
		}
		var object jsontext.Value
		if !d.object(m, &object) {
			return
		}
		m.members(func(m *node) {
			switch m.name {
			case "values":
				hasValues = true
				d.strings(m, &c.Values)
				if len(c.Values) > completionMax {
					d.add(m, rule, Violation, "The completion has more than 100 values.")
				}
			case "total":
				d.number(m, &c.Total)
			case "hasMore":
				d.bool(m, &c.HasMore)
			}
		})
	})
	if root && !hasValues {
		d.missing(result, rule, "completion.values")
	}
	c.Problems = d.problems()
	return c
}

// InputRequest is one question of an input_required result.
type InputRequest struct {
	Key      string // the answer goes under the same key (MRTR-05)
	Method   string
	Params   jsontext.Value // nil when absent
	Raw      jsontext.Value
	Problems []Problem // pointers and offsets count from inputRequests
}

// DecodeInputRequests decodes the inputRequests of an input_required result in
// their order, duplicates included, up to a bound that no person could answer.
func DecodeInputRequests(v jsontext.Value) (requests []InputRequest) {
	rootNode(v).members(func(n *node) {
		if len(requests) == 1000 {
			return
		}
		d := decoder{rule: resultShape}
		q := InputRequest{Key: n.name, Raw: n.raw()}
		hasMethod := false
		n.members(func(m *node) {
			switch m.name {
			case "method":
				hasMethod = d.string(m, &q.Method)
			case "params":
				d.object(m, &q.Params)
			}
		})
		if !hasMethod {
			d.add(n, resultShape, Violation, "The input request has no usable method.")
		}
		q.Problems = d.problems()
		requests = append(requests, q)
	})
	return requests
}

// root visits the members of a result and reports whether it is an object.
func (d *decoder) root(result jsontext.Value, visit func(m *node)) bool {
	n := rootNode(result)
	if n.kind() != '{' {
		d.add(n, "L-RPC-05", Violation, "The result is "+kindName(n.kind())+" instead of an object.")
		return false
	}
	n.members(visit)
	return true
}

func (d *decoder) missing(result jsontext.Value, rule, name string) {
	d.add(rootNode(result), rule, Violation, "The result has no "+name+".")
}

// blocks reads a list of content blocks. What is no array is one block.
func (d *decoder) blocks(n *node, rule string, decode func(*node) Content) []Content {
	var blocks []Content
	switch n.kind() {
	case '[':
		d.elements(n, func(e *node) { blocks = append(blocks, decode(e)) })
	case 'n':
		d.add(n, rule, Violation, n.name+" is null instead of an array.")
	default:
		d.add(n, rule, Violation, n.name+" is "+kindName(n.kind())+" instead of an array.")
		blocks = []Content{decode(n)}
	}
	return blocks
}
