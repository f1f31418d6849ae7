package view

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/protocol/schema"
	"mcploupe/session"
)

// AskDraft is what a person fills in for one question. Only the part for its
// kind is set. It belongs to one goroutine.
type AskDraft struct {
	Ask session.Ask

	Form     *FormValue      // AskForm; nil while a large schema is being read
	Sampling *SamplingAnswer // AskSampling
	Raw      *JSONText       // AskRoots and AskOther: the result as JSON

	read chan *schema.Schema // gives the schema of a form when it has been read
}

// take takes in a schema that has been read.
func (d *AskDraft) take() {
	if d.read == nil {
		return
	}
	select {
	case compiled := <-d.read:
		d.setForm(compiled)
	default:
	}
}

func (d *AskDraft) setForm(compiled *schema.Schema) {
	v := newFormValue("requestedSchema", d.Ask.Schema, compiled)
	d.Form, d.read = &v, nil
}

func newAskDraft(a session.Ask, st session.State) *AskDraft {
	d := &AskDraft{Ask: a}
	switch a.Kind {
	case session.AskForm:
		d.setForm(compileSchema(a.Schema))
	case session.AskSampling:
		d.Sampling = NewSamplingAnswer(SamplingOf(a.Params), st.Revision)
	case session.AskRoots:
		d.Raw = &JSONText{text: string(protocol.Indent(rootsJSON(st.Roots)))}
	case session.AskOther:
		d.Raw = &JSONText{text: "{}"}
	}
	return d
}

// Choice is an answer that can be given now.
type Choice struct {
	Reply    session.Reply
	Reason   string // what is wrong with it, "" for nothing
	Sendable bool
	Verb     string // for the button
}

// Accept is the answer that is filled in.
func (d *AskDraft) Accept() Choice {
	switch d.Ask.Kind {
	case session.AskForm:
		return d.acceptForm()
	case session.AskURL:
		c := Choice{Sendable: true, Verb: "Accept", Reply: session.Reply{Action: session.ActionAccept}}
		if d.Ask.FromError {
			c.Verb = "Done"
		}
		return c
	case session.AskSampling:
		text, reason, ok := d.Sampling.Result()
		return choiceOf("Send", text, reason, ok)
	}
	reason, ok := d.Raw.check()
	return choiceOf("Send", d.Raw.text, reason, ok)
}

func choiceOf(verb, text, reason string, sendable bool) Choice {
	c := Choice{Verb: verb, Reason: reason, Sendable: sendable, Reply: session.Reply{Action: session.ActionResult, Result: jsontext.Value(text)}}
	if sendable && reason != "" {
		c.Verb += " anyway"
	}
	return c
}

// acceptForm takes the form as it is: an answer that breaks the schema may be
// sent on purpose, and one where everything is left out is {} (ELIC-09).
func (d *AskDraft) acceptForm() Choice {
	if d.Form == nil {
		return Choice{Verb: "Accept", Reason: "The schema is still being read."}
	}
	c := Choice{Verb: "Accept", Sendable: true}
	text := d.Form.Text()
	if strings.TrimSpace(text) == "" {
		text = "{}"
	}
	c.Reply = session.Reply{Action: session.ActionAccept, Content: jsontext.Value(text)}
	if !protocol.Valid(c.Reply.Content) {
		c.Sendable = false
		c.Reason = "This is not JSON yet, so it cannot be sent."
		if broken := d.Form.Broken(); broken != "" {
			c.Reason = "The JSON is not valid: " + broken
		} else if problems := d.Form.Problems(); len(problems) > 0 {
			c.Reason = d.Form.problemAt(problems[0])
		}
		return c
	}
	if c.Reason = d.Form.summary(d.Form.Problems()); c.Reason == "" && c.Reply.Content.Kind() != '{' {
		c.Reason = "The content is " + jsonWord(c.Reply.Content) + ", not an object."
	}
	if c.Reason != "" {
		c.Verb = "Accept anyway"
	}
	return c
}

// Declines reports whether decline is an answer to the question (ELIC-05).
func (d *AskDraft) Declines() bool {
	return d.Ask.Kind == session.AskForm || d.Ask.Kind == session.AskURL && !d.Ask.FromError
}

// Decline is the answer of somebody who does not want to.
func (d *AskDraft) Decline() session.Reply { return session.Reply{Action: session.ActionDecline} }

// Dismiss is the answer of somebody who puts the question away: cancel for an
// elicitation, a rejection for what has no such answer (ELIC-08, SAMP-05).
func (d *AskDraft) Dismiss() session.Reply {
	if d.Ask.Kind == session.AskForm || d.Ask.Kind == session.AskURL {
		return session.Reply{Action: session.ActionCancel}
	}
	return session.Reply{Action: session.ActionReject}
}

// DismissVerb is the word on the button for Dismiss, and what it does.
func (d *AskDraft) DismissVerb() (verb, does string) {
	switch {
	case d.Declines():
		return "Cancel", "Answers cancel: neither yes nor no."
	case d.Ask.FromError:
		return "Dismiss", "Puts the address away. Nothing is sent."
	case d.Ask.Legacy:
		return "Reject", "Answers with an error that says that you refused."
	}
	return "Give the call up", "There is no answer that refuses, so the call ends here."
}

// JSONText is a JSON value that a person writes.
type JSONText struct{ text string }

// Text is what was written.
func (t *JSONText) Text() string { return t.text }

// Set takes what was written.
func (t *JSONText) Set(text string) { t.text = text }

// check says what is wrong with it.
func (t *JSONText) check() (reason string, sendable bool) {
	v := jsontext.Value(t.text)
	switch {
	case !protocol.Valid(v):
		return "This is not JSON yet, so it cannot be sent.", false
	case v.Kind() != '{':
		return "A result is an object; this is " + jsonWord(v) + ".", true
	}
	return "", true
}

// PreviewNote says what stands in the preview of a reply.
func PreviewNote(a session.Ask, text string) string {
	switch {
	case a.FromError:
		return "Nothing is sent for this; the call can be sent again."
	case text == "":
		return "Nothing would be sent."
	case a.Legacy:
		return "The whole answer, as it is sent"
	case a.Task != 0:
		return "inputResponses of tasks/update"
	}
	return "inputResponses of the next request"
}
