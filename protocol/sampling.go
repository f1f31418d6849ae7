package protocol

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// SamplingRequest is the params of sampling/createMessage. Pointers and offsets
// of problems count from params.
type SamplingRequest struct {
	Messages       []SamplingMessage
	SystemPrompt   string
	HasSystem      bool
	Tools          []Tool
	HasTools       bool   // tools is there, be it empty (SAMP-04)
	ToolChoice     string // mode: auto, required or none; "" when absent
	HasToolChoice  bool
	Hints          []string // names of models, the first match wins (SAMP-07)
	Cost           string   // costPriority and its like as number text, "" when absent
	Speed          string
	Intelligence   string
	MaxTokens      string // number text
	Temperature    string // number text, "" when absent
	StopSequences  []string
	IncludeContext string         // none, thisServer, allServers; "" when absent
	Metadata       jsontext.Value // nil when absent
	Problems       []Problem      // those of blocks are in the blocks
}

// SamplingMessage is one message of the conversation.
type SamplingMessage struct {
	Role   string // user or assistant
	Blocks []SamplingBlock
	Raw    jsontext.Value
}

// SamplingBlock is a block of a message. Text, image and audio are as in
// Content; Name is that of the tool for tool_use.
type SamplingBlock struct {
	Content
	ToolUse       string         // tool_use: id; tool_result: toolUseId
	Input         jsontext.Value // tool_use; nil when absent
	Results       []Content      // tool_result: content
	Structured    jsontext.Value // tool_result; may be null
	HasStructured bool
	IsError       bool // tool_result
}

// The types of blocks that only sampling has.
const (
	contentToolUse    = "tool_use"
	contentToolResult = "tool_result"
)

const samplingShape = "L-SAMP-01"

// DecodeSampling decodes the params of sampling/createMessage and checks that
// uses and results of tools are in balance (SAMP-13).
func DecodeSampling(params jsontext.Value) (r SamplingRequest) {
	d := decoder{rule: samplingShape}
	n := rootNode(params)
	if n.kind() != '{' {
		d.add(n, samplingShape, Violation, "The params are "+kindName(n.kind())+" instead of an object.")
		r.Problems = d.problems()
		return r
	}
	var messages []*node
	n.members(func(m *node) {
		switch m.name {
		case "messages":
			if m.kind() != '[' {
				d.wrong(m, "an array")
				return
			}
			r.Messages, messages = nil, nil
			d.elements(m, func(e *node) {
				r.Messages, messages = append(r.Messages, d.samplingMessage(e)), append(messages, e)
			})
		case "systemPrompt":
			r.HasSystem = d.string(m, &r.SystemPrompt)
		case "tools":
			r.HasTools = true
			if m.kind() != '[' {
				d.wrong(m, "an array")
				return
			}
			r.Tools = nil
			d.elements(m, func(e *node) {
				var t Tool
				if e.kind() != '{' {
					d.wrong(e, "an object")
					return
				}
				decodeTool(&d, e, &t)
				t.Raw = e.raw()
				r.Tools = append(r.Tools, t)
			})
			d.rule = samplingShape
		case "toolChoice":
			r.HasToolChoice = true
			d.toolChoice(m, &r.ToolChoice)
		case "modelPreferences":
			d.modelPreferences(m, &r)
		case "maxTokens":
			d.number(m, &r.MaxTokens)
		case "temperature":
			d.number(m, &r.Temperature)
		case "stopSequences":
			d.strings(m, &r.StopSequences)
		case "includeContext":
			if d.string(m, &r.IncludeContext) && !slices.Contains([]string{"none", "thisServer", "allServers"}, r.IncludeContext) {
				d.add(m, samplingShape, Violation, "includeContext is "+quoted(r.IncludeContext)+": none, thisServer and allServers exist.")
			}
		case "metadata":
			d.object(m, &r.Metadata)
		}
	})
	if len(r.Messages) == 0 {
		d.add(n, samplingShape, Violation, "The request has no messages.")
	}
	if r.MaxTokens == "" {
		d.add(n, samplingShape, Violation, "The request has no maxTokens.")
	}
	d.balance(r.Messages, messages)
	r.Problems = d.problems()
	return r
}

func (d *decoder) toolChoice(n *node, to *string) {
	var object jsontext.Value
	if !d.object(n, &object) {
		return
	}
	n.members(func(m *node) {
		if m.name == "mode" && d.string(m, to) && !slices.Contains([]string{"auto", "required", "none"}, *to) {
			d.add(m, samplingShape, Violation, "The mode is "+quoted(*to)+": auto, required and none exist.")
		}
	})
}

func (d *decoder) modelPreferences(n *node, r *SamplingRequest) {
	var object jsontext.Value
	if !d.object(n, &object) {
		return
	}
	n.members(func(m *node) {
		var priority *string
		switch m.name {
		case "hints":
			if m.kind() != '[' {
				d.wrong(m, "an array")
				return
			}
			r.Hints = nil
			d.elements(m, func(e *node) {
				e.members(func(h *node) {
					var name string
					if h.name == "name" && d.string(h, &name) {
						r.Hints = append(r.Hints, name)
					}
				})
			})
			return
		case "costPriority":
			priority = &r.Cost
		case "speedPriority":
			priority = &r.Speed
		case "intelligencePriority":
			priority = &r.Intelligence
		default:
			return
		}
		d.number(m, priority)
		if *priority != "" && !isUnitInterval(*priority) {
			d.add(m, "L-SAMP-06", Violation, m.name+" is "+clip(*priority)+", which is not within 0 and 1.")
		}
	})
}

// samplingMessage reads a message whose content is a block or a list of blocks.
func (d *decoder) samplingMessage(n *node) SamplingMessage {
	s := SamplingMessage{Raw: n.raw()}
	if n.kind() != '{' {
		d.wrong(n, "an object")
		return s
	}
	hasContent := false
	n.members(func(m *node) {
		switch m.name {
		case "role":
			if d.string(m, &s.Role) && s.Role != "user" && s.Role != "assistant" {
				d.add(m, samplingShape, Violation, "The role "+quoted(s.Role)+" is neither user nor assistant.")
			}
		case "content":
			hasContent = true
			s.Blocks = nil
			if m.kind() == '[' {
				d.elements(m, func(e *node) { s.Blocks = append(s.Blocks, decodeSamplingBlock(e)) })
				return
			}
			s.Blocks = []SamplingBlock{decodeSamplingBlock(m)}
		}
	})
	if s.Role == "" {
		d.add(n, samplingShape, Violation, "The message has no role.")
	}
	if !hasContent {
		d.add(n, samplingShape, Violation, "The message has no content.")
	}
	return s
}

func decodeSamplingBlock(n *node) (b SamplingBlock) {
	kind := ""
	n.members(func(m *node) {
		if m.name == "type" {
			kind, _ = m.string()
		}
	})
	if kind != contentToolUse && kind != contentToolResult {
		b.Content = decodeContent(n)
		if kind == "resource" || kind == "resource_link" {
			b.Problems = append(b.Problems, n.problem(samplingShape, Violation, "The type "+kind+" is none that sampling has."))
		}
		return b
	}
	d := decoder{rule: samplingShape}
	b.Type, b.Raw = kind, n.raw()
	n.members(func(m *node) {
		switch m.name {
		case "id":
			if kind == contentToolUse {
				d.string(m, &b.ToolUse)
			}
		case "toolUseId":
			if kind == contentToolResult {
				d.string(m, &b.ToolUse)
			}
		case "name":
			d.string(m, &b.Name)
		case "input":
			d.object(m, &b.Input)
		case "content":
			b.Results = d.blocks(m, samplingShape, decodeContent)
		case "structuredContent":
			b.Structured, b.HasStructured = m.raw(), true
		case "isError":
			d.bool(m, &b.IsError)
		case "_meta":
			d.object(m, &b.Meta)
		}
	})
	need := func(has bool, name string) {
		if !has {
			d.add(n, samplingShape, Violation, "The "+kind+" block has no "+name+".")
		}
	}
	if kind == contentToolUse {
		need(b.ToolUse != "", "id")
		need(b.Name != "", "name")
		need(b.Input != nil, "input")
	} else {
		need(b.ToolUse != "", "toolUseId")
		need(b.Results != nil, "content")
	}
	b.Problems = d.problems()
	return b
}

// balance checks that every use of a tool has its result in the next message
// and that messages with results have nothing else (SAMP-13).
func (d *decoder) balance(messages []SamplingMessage, at []*node) {
	var open []string // ids of the message before
	for i, m := range messages {
		var uses, results []string
		other := false
		for _, b := range m.Blocks {
			switch b.Type {
			case contentToolUse:
				uses = append(uses, b.ToolUse)
				if m.Role == "user" {
					d.add(at[i], samplingShape, Violation, "A message of the user uses a tool.")
				}
			case contentToolResult:
				results = append(results, b.ToolUse)
				if m.Role == "assistant" {
					d.add(at[i], samplingShape, Violation, "A message of the assistant holds the result of a tool.")
				}
				if !slices.Contains(open, b.ToolUse) {
					d.add(at[i], "L-SAMP-04", Violation, "The result for "+quoted(b.ToolUse)+" answers no use of a tool in the message before.")
				}
			default:
				other = true
			}
		}
		if len(results) > 0 && (other || len(uses) > 0) {
			d.add(at[i], "L-SAMP-03", Violation, "The message has results of tools and something else.")
		}
		for _, id := range open {
			if !slices.Contains(results, id) {
				d.add(at[i], "L-SAMP-04", Violation, "The use "+quoted(id)+" of a tool in the message before has no result here.")
			}
		}
		open = uses
	}
	for _, id := range open {
		d.add(at[len(at)-1], "L-SAMP-04", Violation, "The use "+quoted(id)+" of a tool in the last message has no result.")
	}
}
