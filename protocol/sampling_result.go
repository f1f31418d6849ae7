package protocol

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// The usual stop reasons; others are free text (SAMP-11).
const (
	StopEndTurn   = "endTurn"
	StopSequence  = "stopSequence"
	StopMaxTokens = "maxTokens"
	StopToolUse   = "toolUse"
)

// SamplingText builds the result of sampling/createMessage with one text
// (SAMP-11). An empty stopReason is left out.
func SamplingText(role, model, text, stopReason string) jsontext.Value {
	var content objectBuilder
	content.str("type", "text")
	content.str("text", text)
	return samplingResult(role, model, stopReason, content.done())
}

// SamplingToolUse builds a result that uses a tool of the request with input.
func SamplingToolUse(model, id, tool string, input jsontext.Value) jsontext.Value {
	var content objectBuilder
	content.str("type", contentToolUse)
	content.str("id", id)
	content.str("name", tool)
	content.raw("input", input)
	return samplingResult("assistant", model, StopToolUse, append(append(jsontext.Value("["), content.done()...), ']'))
}

func samplingResult(role, model, stopReason string, content jsontext.Value) jsontext.Value {
	var o objectBuilder
	o.str("role", role)
	o.raw("content", content)
	o.str("model", model)
	if stopReason != "" {
		o.str("stopReason", stopReason)
	}
	return o.done()
}

// CannedResult is an answer that needs no thinking.
type CannedResult struct {
	Title  string
	Result jsontext.Value
}

// Canned returns answers to begin with: texts that end in each of the ways, and
// a use of each of the first tools.
func (r SamplingRequest) Canned() []CannedResult {
	const most = 10
	model := "canned"
	if len(r.Hints) > 0 {
		model = r.Hints[0]
	}
	last := ""
	for _, m := range slices.Backward(r.Messages) {
		for _, b := range m.Blocks {
			if b.HasText {
				last = string(b.Text)
			}
		}
		if last != "" {
			break
		}
	}
	out := []CannedResult{
		{"Short answer", SamplingText("assistant", model, "Yes.", StopEndTurn)},
		{"Echo of the last message", SamplingText("assistant", model, last, StopEndTurn)},
		{"Cut off at the limit", SamplingText("assistant", model, "This answer was cut off because", StopMaxTokens)},
		{"Empty text", SamplingText("assistant", model, "", StopEndTurn)},
	}
	if len(r.StopSequences) > 0 {
		out = append(out, CannedResult{"Ended by " + quoted(r.StopSequences[0]), SamplingText("assistant", model, "An answer that ends here.", StopSequence)})
	}
	if r.ToolChoice != "none" {
		for _, t := range r.Tools[:min(len(r.Tools), most)] {
			out = append(out, CannedResult{"Use of " + clip(t.Label()), SamplingToolUse(model, "use-1", t.Name, jsontext.Value("{}"))})
		}
	}
	return out
}

// CheckResult tells what is wrong with an answer to the request (SAMP-09, 11,
// 12). Pointers count from the result. It may be sent all the same.
func (r SamplingRequest) CheckResult(result jsontext.Value) []Problem {
	const rule = "SAMP-11"
	d := decoder{rule: rule}
	n := rootNode(result)
	if n.kind() != '{' || !Valid(result) {
		d.add(n, rule, Violation, "The result is not a JSON object.")
		return d.problems()
	}
	var model, stop string
	m := d.samplingMessage(n)
	n.members(func(m *node) {
		switch m.name {
		case "model":
			d.string(m, &model)
		case "stopReason":
			d.string(m, &stop)
		}
	})
	if model == "" {
		d.add(n, rule, Violation, "The result has no model.")
	}
	if m.Role == "user" {
		d.add(n, rule, Warning, "The role is user; an answer is the assistant's.")
	}
	var ids []string
	for _, b := range m.Blocks {
		for _, p := range b.Problems {
			d.found.add(p)
		}
		switch b.Type {
		case contentToolUse:
			if slices.Contains(ids, b.ToolUse) {
				d.add(n, rule, Violation, "Two uses of tools have the id "+quoted(b.ToolUse)+".")
			}
			ids = append(ids, b.ToolUse)
			if !slices.ContainsFunc(r.Tools, func(t Tool) bool { return t.Name == b.Name }) {
				d.add(n, rule, Violation, "The tool "+quoted(b.Name)+" is none of the request.")
			}
		case contentToolResult:
			d.add(n, rule, Violation, "An answer holds no result of a tool.")
		case "text":
			for _, s := range r.StopSequences {
				if s != "" && strings.Contains(string(b.Text), s) {
					d.add(n, rule, Warning, "The text contains the stop sequence "+quoted(s)+", where a model would have ended.")
				}
			}
		}
	}
	switch {
	case r.ToolChoice == "required" && len(ids) == 0:
		d.add(n, "SAMP-12", Violation, "The request wants at least one use of a tool.")
	case r.ToolChoice == "none" && len(ids) > 0:
		d.add(n, "SAMP-12", Violation, "The request wants no use of a tool.")
	case len(ids) > 0 && stop != StopToolUse:
		d.add(n, rule, Warning, "A tool is used, and the stop reason is not toolUse.")
	case len(ids) == 0 && stop == StopToolUse:
		d.add(n, rule, Warning, "The stop reason is toolUse, and no tool is used.")
	}
	return d.problems()
}
