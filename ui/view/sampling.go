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
	Facts     []Fact // limits, preferences, choices; in words
	System    string // systemPrompt, as sent
	HasSystem bool
	Messages  []Part // one for each block, in their order
	Tools     []Part // one for each tool
	MaxTokens string // number text, "" when absent

	lastText string // of the last message, for an answer that echoes it
	tools    []protocol.Tool
	choice   string // toolChoice.mode
}

// SamplingOf reads the params of a sampling/createMessage. What is not as it
// should be is shown as it is.
func SamplingOf(params jsontext.Value) SamplingRequest {
	var r SamplingRequest
	for name, value := range protocol.Members(params) {
		switch name {
		case "messages":
			r.takeMessages(value)
		case "systemPrompt":
			if text, ok := protocol.StringValue(value); ok {
				r.System, r.HasSystem = text, true
			} else {
				r.fact("System prompt", value)
			}
		case "tools":
			r.takeTools(value)
		case "toolChoice":
			if mode, _, ok := protocol.Lookup(value, "/mode"); ok {
				r.choice, _ = protocol.StringValue(mode)
			}
			r.fact("Tool choice", value)
		case "modelPreferences":
			r.takePreferences(value)
		case "maxTokens":
			if value.Kind() == '0' {
				r.MaxTokens = string(value)
			}
			r.fact("Max tokens", value)
		default:
			r.fact(samplingWords[name], value)
			if samplingWords[name] == "" {
				r.Facts[len(r.Facts)-1].Label = line(name, 40)
			}
		}
	}
	return r
}

var samplingWords = map[string]string{
	"includeContext": "Include context", "temperature": "Temperature", "stopSequences": "Stop sequences", "metadata": "Metadata", "_meta": "_meta",
}

// fact shows a value: a string without its quotes, anything else as JSON.
func (r *SamplingRequest) fact(label string, v jsontext.Value) {
	text, ok := protocol.StringValue(v)
	if !ok {
		text = string(protocol.Compact(v))
	}
	r.Facts = append(r.Facts, Fact{label, line(text, 600)})
}

// takePreferences shows hints and priorities; hints are tried in their order
// (SAMP-07, SAMP-08).
func (r *SamplingRequest) takePreferences(v jsontext.Value) {
	if v.Kind() != '{' {
		r.fact("Model preferences", v)
		return
	}
	var words []string
	for name, value := range protocol.Members(v) {
		if name != "hints" || value.Kind() != '[' {
			words = append(words, line(strings.TrimSuffix(name, "Priority"), 30)+" "+line(string(protocol.Compact(value)), 80))
			continue
		}
		var hints []string
		for _, hint := range elements(value) {
			text := string(protocol.Compact(hint))
			if n, _, ok := protocol.Lookup(hint, "/name"); ok {
				if s, ok := protocol.StringValue(n); ok {
					text = s
				}
			}
			hints = append(hints, line(text, 60))
		}
		words = append(words, "hints "+strings.Join(hints, ", then "))
	}
	r.Facts = append(r.Facts, Fact{"Model preferences", strings.Join(words, " · ")})
}

// maxBlocks bounds what is listed of a request; the whole of it is in the
// timeline.
const maxBlocks = 1000

// elements are the elements of a JSON array, nil for anything else.
func elements(v jsontext.Value) []jsontext.Value {
	var out []jsontext.Value
	for _, item := range protocol.Elements(v) {
		if out = append(out, item); len(out) == maxBlocks {
			break
		}
	}
	return out
}

func (r *SamplingRequest) takeMessages(v jsontext.Value) {
	if v.Kind() != '[' {
		r.fact("Messages", v)
		return
	}
	for i, m := range elements(v) {
		role := "?"
		if value, _, ok := protocol.Lookup(m, "/role"); ok {
			role = line(string(value), 20)
			if s, ok := protocol.StringValue(value); ok {
				role = line(s, 20)
			}
		}
		content, _, ok := protocol.Lookup(m, "/content")
		label := fmt.Sprintf("%d %s", i+1, role)
		switch {
		case !ok:
			r.Messages = append(r.Messages, Part{Kind: PartJSON, Label: label, Tone: Caution, Body: m, Notes: []string{"The message has no content."}})
		case content.Kind() == '[':
			for _, block := range elements(content) {
				r.takeBlock(label, block)
			}
		default:
			r.takeBlock(label, content)
		}
	}
}

// takeBlock shows one block of a message; those of tools are known too.
func (r *SamplingRequest) takeBlock(label string, block jsontext.Value) {
	if len(r.Messages) >= maxBlocks {
		return
	}
	c := protocol.DecodeContent(block)
	member := func(name string) string {
		v, _, ok := protocol.Lookup(block, "/"+name)
		if s, text := protocol.StringValue(v); ok && text {
			return line(s, 80)
		}
		return line(string(v), 80)
	}
	switch c.Type {
	case "tool_use":
		p := Part{Kind: PartJSON, Label: label + ": tool use", Detail: member("name"), Body: block}
		p.Notes = []string{"calls " + member("name") + ", id " + member("id")}
		r.Messages = append(r.Messages, p)
		return
	case "tool_result":
		p := Part{Kind: PartJSON, Label: label + ": tool result", Detail: member("toolUseId"), Body: block}
		p.Notes = []string{"result for the id " + member("toolUseId")}
		if member("isError") == "true" {
			p.Tone = Caution
			p.Notes = append(p.Notes, "the tool says that it failed")
		}
		r.Messages = append(r.Messages, p)
		if inner, _, ok := protocol.Lookup(block, "/content"); ok {
			for _, b := range elements(inner) {
				nested := partOf(protocol.DecodeContent(b))
				nested.Label = label + ": result: " + nested.Label
				r.Messages = append(r.Messages, nested)
			}
		}
		return
	}
	p := partOf(c)
	p.Label = label + ": " + p.Label
	r.Messages = append(r.Messages, p)
	if c.HasText {
		r.lastText = c.Text
	}
}

// takeTools lists the tools that the model may use. They are none of the
// server's list (SAMP-14).
func (r *SamplingRequest) takeTools(v jsontext.Value) {
	if v.Kind() != '[' {
		r.fact("Tools", v)
		return
	}
	page := protocol.DecodeTools(jsontext.Value(`{"tools":` + string(v) + `}`))
	r.tools = page.Items
	for _, t := range page.Items[:min(len(page.Items), maxBlocks)] {
		p := Part{Kind: PartJSON, Label: line(t.Name, 40), Detail: line(firstLine(t.Description), 80), Body: t.Raw, Problems: t.Problems}
		for _, problem := range t.Problems {
			p.Tone = Caution
			p.Notes = append(p.Notes, line(problem.Text, 300))
		}
		r.Tools = append(r.Tools, p)
	}
}

// Brief is the request in a line: the text of its last message.
func (r SamplingRequest) Brief(runes int) string { return line(firstLine(r.lastText), runes) }

// Parts are the messages and the tools, for a list.
func (r SamplingRequest) Parts() []Part {
	var parts []Part
	if r.HasSystem {
		parts = append(parts, Part{Kind: PartText, Label: "system prompt", Detail: human.Bytes(int64(len(r.System))), Body: []byte(r.System)})
	}
	parts = append(parts, r.Messages...)
	for _, t := range r.Tools {
		t.Label = "tool " + t.Label
		parts = append(parts, t)
	}
	return parts
}
