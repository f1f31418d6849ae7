package view

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/protocol/schema"
)

// SamplingAnswer is the message that a person gives in place of a model
// (SAMP-11): three fields and their JSON, two views of one value. JSON that
// says more than the fields can is kept and sent as it is.
type SamplingAnswer struct {
	request SamplingRequest
	blocks  bool // a message may have several blocks
	text    string
}

// SamplingFields are the members of an answer that most have.
type SamplingFields struct{ Model, StopReason, Text string }

// StopReasons are the reasons that the protocol names.
var StopReasons = []string{"endTurn", "stopSequence", "maxTokens", "toolUse"}

// NewSamplingAnswer starts an answer to a request. r may be nil.
func NewSamplingAnswer(q SamplingRequest, r *protocol.Revision) *SamplingAnswer {
	a := &SamplingAnswer{request: q, blocks: r == nil || r.Modern || r.Name >= "2025-11-25"}
	a.SetFields(SamplingFields{Model: "mcploupe-person", StopReason: "endTurn"})
	return a
}

// Text is the answer as JSON.
func (a *SamplingAnswer) Text() string { return a.text }

// SetText takes what was written as JSON.
func (a *SamplingAnswer) SetText(text string) { a.text = text }

// Fields are the answer as fields; ok is false when the JSON says more than
// they can, or is none.
func (a *SamplingAnswer) Fields() (f SamplingFields, ok bool) {
	v := jsontext.Value(a.text)
	if !protocol.Valid(v) || v.Kind() != '{' {
		return f, false
	}
	seen := map[string]bool{}
	isString := func(v jsontext.Value, into *string) bool {
		text, ok := protocol.StringValue(v)
		*into = text
		return ok
	}
	for name, value := range protocol.Members(v) {
		fine := !seen[name]
		seen[name] = true
		switch name {
		case "role":
			fine = fine && string(value) == `"assistant"`
		case "model":
			fine = fine && isString(value, &f.Model)
		case "stopReason":
			fine = fine && isString(value, &f.StopReason)
		case "content":
			fine = fine && plainText(value, &f.Text)
		default:
			fine = false
		}
		if !fine {
			return SamplingFields{}, false
		}
	}
	return f, seen["role"] && seen["model"] && seen["content"]
}

// plainText reads a block of text that has nothing else in it.
func plainText(block jsontext.Value, into *string) bool {
	if block.Kind() != '{' {
		return false
	}
	members, isText, hasText := 0, false, false
	for name, value := range protocol.Members(block) {
		members++
		switch name {
		case "type":
			isText = string(value) == `"text"`
		case "text":
			*into, hasText = protocol.StringValue(value)
		}
	}
	return members == 2 && isText && hasText
}

// SetFields takes what was filled in. An empty stop reason is left out.
func (a *SamplingAnswer) SetFields(f SamplingFields) {
	a.text = samplingResult(f.Model, f.StopReason, `{"type": "text", "text": `+string(protocol.QuoteString(f.Text))+`}`)
}

func samplingResult(model, stop, content string) string {
	text := "{\n  \"role\": \"assistant\",\n  \"content\": " + content + ",\n  \"model\": " + string(protocol.QuoteString(model))
	if stop != "" {
		text += ",\n  \"stopReason\": " + string(protocol.QuoteString(stop))
	}
	return text + "\n}"
}

// Canned is an answer that is ready made.
type Canned struct {
	Title string
	text  string
}

// Canned are the answers that fit the request.
func (a *SamplingAnswer) Canned() []Canned {
	text := func(s string) string { return `{"type": "text", "text": ` + string(protocol.QuoteString(s)) + `}` }
	const model = "mcploupe-canned"
	all := []Canned{
		{"A short text", samplingResult(model, "endTurn", text("This is an answer of MCP Loupe in place of a model."))},
		{"The last message again", samplingResult(model, "endTurn", text(a.request.lastText))},
		{"Cut off at maxTokens", samplingResult(model, "maxTokens", text("This answer stops in the middle of a"))},
		{"An empty text", samplingResult(model, "endTurn", text(""))},
		{"A small picture", samplingResult(model, "endTurn", `{"type": "image", "mimeType": "image/png", "data": "`+dot+`"}`)},
	}
	if a.blocks {
		all = append(all, Canned{"Two blocks", samplingResult(model, "endTurn", "["+text("First block.")+", "+text("Second block.")+"]")})
		for i, t := range a.request.tools[:min(len(a.request.tools), 8)] {
			input := "{}"
			if compiled := compileSchema(t.InputSchema); compiled != nil {
				if v := schema.Generate(compiled); v != nil {
					input = string(v)
				}
			}
			use := fmt.Sprintf(`{"type": "tool_use", "id": "call-%d", "name": %s, "input": %s}`, i+1, protocol.QuoteString(t.Name), input)
			all = append(all, Canned{"Use the tool " + line(t.Name, 40), samplingResult(model, "toolUse", "["+use+"]")})
		}
	}
	return all
}

// dot is a picture of one pixel.
const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="

// Use takes a canned answer.
func (a *SamplingAnswer) Use(c Canned) { a.text = c.text }

// Result is the answer that would be sent, with what is odd about it. It is not
// sendable when it is no JSON.
func (a *SamplingAnswer) Result() (text, reason string, sendable bool) {
	v := jsontext.Value(a.text)
	if !protocol.Valid(v) {
		return a.text, "This is not JSON yet, so it cannot be sent.", false
	}
	return a.text, a.check(v), true
}

// check says what a server could object to.
func (a *SamplingAnswer) check(v jsontext.Value) string {
	if v.Kind() != '{' {
		return "A result is an object; this is " + jsonWord(v) + "."
	}
	role, _, _ := protocol.Lookup(v, "/role")
	model, _, _ := protocol.Lookup(v, "/model")
	content, _, has := protocol.Lookup(v, "/content")
	switch {
	case string(role) != `"assistant"`:
		return `The role of an answer is "assistant".`
	case model.Kind() != '"':
		return "The answer has no model."
	case !has:
		return "The answer has no content."
	case content.Kind() == '[' && !a.blocks:
		return "In this revision the content is one block, not a list."
	}
	blocks := []jsontext.Value{content}
	if content.Kind() == '[' {
		blocks = elements(content)
	}
	uses, words := 0, 0
	for _, b := range blocks {
		c := protocol.DecodeContent(b)
		if c.Type == "tool_use" {
			uses++
		}
		words += len(strings.Fields(c.Text))
	}
	switch {
	case uses > 0 && len(a.request.tools) == 0:
		return "The answer uses a tool, but the request offers none."
	case uses > 0 && a.request.choice == "none":
		return `The answer uses a tool, but toolChoice is "none" (SAMP-12).`
	case uses == 0 && a.request.choice == "required":
		return `toolChoice is "required": the answer should use a tool (SAMP-12).`
	}
	if most, err := strconv.Atoi(a.request.MaxTokens); err == nil && words > most {
		return fmt.Sprintf("The answer has %d words, which is more than maxTokens, %d (SAMP-09).", words, most)
	}
	return ""
}
