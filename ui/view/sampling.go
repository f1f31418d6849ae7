package view

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/ui/view/human"
)

// SamplingRequest is a sampling/createMessage for a person to read (SAMP-02).
// Nothing of it is left out.
type SamplingRequest struct {
	Facts []Fact // limits, preferences, choices; as sent
	Parts []Part // system prompt, messages block by block, tools

	request protocol.SamplingRequest
}

// SamplingOf reads the params of a sampling/createMessage. What is not as it
// should be is shown as it is.
func SamplingOf(params jsontext.Value) SamplingRequest {
	q := SamplingRequest{request: protocol.DecodeSampling(params)}
	r := q.request
	if r.HasSystem {
		q.Parts = append(q.Parts, Part{
			Kind: PartText, Label: "system prompt", Detail: human.Bytes(int64(len(r.SystemPrompt))), Body: []byte(r.SystemPrompt),
		})
	}
	for i, m := range r.Messages[:min(len(r.Messages), maxBlocks)] {
		label := fmt.Sprintf("%d %s", i+1, line(m.Role, 20))
		for _, b := range m.Blocks[:min(len(m.Blocks), maxBlocks)] {
			q.takeBlock(label, b)
		}
		if len(m.Blocks) == 0 {
			q.Parts = append(q.Parts, Part{Kind: PartJSON, Label: label, Tone: Caution, Body: m.Raw, Notes: []string{"The message has no content."}})
		}
	}
	for _, t := range r.Tools[:min(len(r.Tools), maxBlocks)] {
		p := Part{Kind: PartJSON, Label: "tool " + line(t.Name, 40), Detail: line(firstLine(t.Description), 80), Body: t.Raw, Problems: t.Problems}
		q.Parts = append(q.Parts, noted(p, t.Problems))
	}
	q.takeFacts(params)
	return q
}

// maxBlocks bounds what is listed of each kind; the whole is in the timeline.
const maxBlocks = 500

var samplingWords = map[string]string{
	"maxTokens": "max tokens", "toolChoice": "tool choice", "modelPreferences": "model", "includeContext": "context",
	"temperature": "temperature", "stopSequences": "stop sequences", "metadata": "metadata",
}

// takeFacts shows every member that is no part, as it was sent: a string
// without its quotes, anything else as JSON.
func (q *SamplingRequest) takeFacts(params jsontext.Value) {
	for name, value := range protocol.Members(params) {
		switch name {
		case "messages", "tools":
			if value.Kind() == '[' {
				continue
			}
		case "systemPrompt":
			if value.Kind() == '"' {
				continue
			}
		case "modelPreferences":
			if text := q.preferences(); text != "" {
				q.Facts = append(q.Facts, Fact{samplingWords[name], text})
				continue
			}
		}
		label := samplingWords[name]
		if label == "" {
			label = line(name, 40)
		}
		text, ok := protocol.StringValue(value)
		if !ok {
			text = string(protocol.Compact(value))
		}
		q.Facts = append(q.Facts, Fact{label, line(text, 600)})
	}
}

// preferences names the hints in their order (SAMP-07) and the priorities.
func (q *SamplingRequest) preferences() string {
	var words []string
	for _, hint := range q.request.Hints {
		words = append(words, line(hint, 60))
	}
	text := strings.Join(words, ", then ")
	for _, p := range []struct{ name, value string }{
		{"cost", q.request.Cost}, {"speed", q.request.Speed}, {"intelligence", q.request.Intelligence},
	} {
		if p.value != "" {
			text += ", " + p.name + " " + line(p.value, 20)
		}
	}
	return strings.TrimPrefix(text, ", ")
}

// takeBlock shows one block of a message; those of tools are known too.
func (q *SamplingRequest) takeBlock(label string, b protocol.SamplingBlock) {
	switch b.Type {
	case "tool_use":
		q.Parts = append(q.Parts, noted(Part{
			Kind: PartJSON, Label: label + ": tool use", Detail: line(b.Name, 40), Body: b.Raw, Problems: b.Problems,
			Notes: []string{"calls " + line(b.Name, 60) + ", id " + line(b.ToolUse, 60)},
		}, b.Problems))
	case "tool_result":
		p := Part{
			Kind: PartJSON, Label: label + ": tool result", Detail: line(b.ToolUse, 40), Body: b.Raw, Problems: b.Problems,
			Notes: []string{"result for the id " + line(b.ToolUse, 60)},
		}
		if b.IsError {
			p.Tone, p.Notes = Caution, append(p.Notes, "the tool says that it failed")
		}
		q.Parts = append(q.Parts, noted(p, b.Problems))
		for _, c := range b.Results[:min(len(b.Results), maxBlocks)] {
			nested := partOf(c)
			nested.Label = label + ": result: " + nested.Label
			q.Parts = append(q.Parts, nested)
		}
	default:
		p := partOf(b.Content)
		p.Label = label + ": " + p.Label
		q.Parts = append(q.Parts, p)
	}
}

// noted adds what is odd about a part.
func noted(p Part, problems []protocol.Problem) Part {
	for _, problem := range problems {
		p.Tone = Caution
		p.Notes = append(p.Notes, line(problem.Text, 300))
	}
	return p
}

// Brief is the request in a line: the first text of its last message.
func (q SamplingRequest) Brief(runes int) string {
	if n := len(q.request.Messages); n > 0 {
		for _, b := range q.request.Messages[n-1].Blocks {
			if b.HasText {
				return line(firstLine(string(b.Text)), runes)
			}
		}
	}
	return ""
}

// PartRow is a part in a list: what it is, and how it begins.
func PartRow(p Part) (label, begins string) {
	if p.Kind == PartText || p.Kind == PartJSON && looksLikeText(p) {
		return p.Label, line(firstLine(string(p.Body[:min(len(p.Body), 400)])), 120)
	}
	return p.Label, p.Detail
}

// looksLikeText tells JSON that stood in a text block from JSON of the wire.
func looksLikeText(p Part) bool { return strings.HasSuffix(p.Label, ": text") }
