package view

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
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
var StopReasons = []string{protocol.StopEndTurn, protocol.StopSequence, protocol.StopMaxTokens, protocol.StopToolUse}

// NewSamplingAnswer starts an answer to a request. r may be nil.
func NewSamplingAnswer(q SamplingRequest, r *protocol.Revision) *SamplingAnswer {
	a := &SamplingAnswer{request: q, blocks: r == nil || r.Modern || r.Name >= "2025-11-25"}
	a.SetFields(SamplingFields{Model: "mcploupe-person", StopReason: protocol.StopEndTurn})
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
	a.text = string(protocol.SamplingText("assistant", f.Model, f.Text, f.StopReason))
}

// Canned is an answer that is ready made.
type Canned struct {
	Title string
	text  string
}

// Canned are the answers that fit the request.
func (a *SamplingAnswer) Canned() []Canned {
	var all []Canned
	for _, c := range a.request.request.Canned() {
		all = append(all, Canned{line(c.Title, 60), string(c.Result)})
	}
	block := func(s string) string { return `{"type":"text","text":` + string(protocol.QuoteString(s)) + `}` }
	more := []struct{ title, content string }{{"A small picture", `{"type":"image","mimeType":"image/png","data":"` + dot + `"}`}}
	if a.blocks {
		more = append(more, struct{ title, content string }{"Two blocks", "[" + block("First block.") + "," + block("Second block.") + "]"})
	}
	for _, c := range more {
		text := `{"role":"assistant","content":` + c.content + `,"model":"canned","stopReason":"endTurn"}`
		all = append(all, Canned{c.title, text})
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

// check says what a server could object to (SAMP-09, 11, 12).
func (a *SamplingAnswer) check(v jsontext.Value) string {
	if problems := a.request.request.CheckResult(v); len(problems) > 0 {
		text := problemText(problems[0])
		if n := len(problems); n > 1 {
			text += fmt.Sprintf(" (and %d more)", n-1)
		}
		return text
	}
	content, _, _ := protocol.Lookup(v, "/content")
	if content.Kind() == '[' && !a.blocks {
		return "In this revision the content is one block, not a list."
	}
	words := 0
	for _, b := range protocol.DecodeSampling(jsontext.Value(`{"messages":[` + a.text + `]}`)).Messages {
		for _, c := range b.Blocks {
			words += len(bytes.Fields(c.Text))
		}
	}
	if most, err := strconv.Atoi(a.request.request.MaxTokens); err == nil && words > most {
		return fmt.Sprintf("The answer has %d words, which is more than maxTokens, %d (SAMP-09).", words, most)
	}
	return ""
}
