package view

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/protocol/schema"
)

// Arguments are what is filled in for a tool: a form and its JSON, which are
// two views of one value. What cannot be a form is JSON alone. It belongs to
// one goroutine.
type Arguments struct {
	tool     protocol.Tool
	form     *schema.Form // nil when there is none
	why      string       // why there is none
	checks   *schema.Schema
	findings []protocol.Problem // of the schema

	// text is what the person last wrote as JSON. It counts for as long as the
	// form has not been edited since.
	text    string
	at      uint64 // revision of the form for which text counts
	written bool
	broken  string // why text is not in the form, "" when it is

	filling Filling // of the state below
	known   bool
	knownAt uint64
}

// SlowSchema is the size of an input schema from which it is compiled away
// from the drawing goroutine.
const SlowSchema = 16 << 10

// CompileInput compiles the input schema of a tool; nil when it is not even an
// object. It may take long.
func CompileInput(t protocol.Tool) *schema.Schema {
	if len(t.InputSchema) == 0 || t.InputSchema.Kind() != '{' {
		return nil
	}
	compiled, _ := schema.Compile(t.InputSchema)
	return compiled
}

// NewArguments makes the arguments of a tool from its compiled input schema.
func NewArguments(t protocol.Tool, compiled *schema.Schema) *Arguments {
	a := &Arguments{tool: t, checks: compiled}
	switch {
	case len(t.InputSchema) == 0:
		a.why = "The tool has no inputSchema, so there is no form."
	case compiled == nil:
		a.why = fmt.Sprintf("The inputSchema is %s and not an object, so there is no form.", jsonWord(t.InputSchema))
	case !compiled.Usable():
		a.why = "The inputSchema cannot be used, so there is no form."
		if p := compiled.Problems(); len(p) > 0 {
			a.why = fmt.Sprintf("The inputSchema cannot be used, so there is no form: %s", problemText(p[0]))
		}
	default:
		a.form = schema.NewForm(compiled)
		root := a.form.Root()
		if k := root.Kind(); k == schema.KindJSON || k == schema.KindAny {
			a.why = "There is no form for this inputSchema"
			if r := root.Reason(); r != "" {
				a.why += ": " + line(r, 200)
			}
			a.why += "."
			a.text = a.form.Text()
			a.form = nil
		}
	}
	if compiled != nil {
		a.findings = compiled.Problems()
	}
	if a.form == nil && strings.TrimSpace(a.text) == "" {
		a.text = "{}"
	}
	return a
}

// jsonWord names what a JSON value is, with its article.
func jsonWord(v jsontext.Value) string {
	switch v.Kind() {
	case '"':
		return "a string"
	case '[':
		return "an array"
	case '{':
		return "an object"
	case '0':
		return "a number"
	case 't', 'f', 'n':
		return "`" + string(v) + "`"
	}
	return "not JSON"
}

func problemText(p protocol.Problem) string {
	return line(strings.TrimSpace(p.Pointer+" "+p.Text), 300)
}

// Form is the form, nil when there is none; see Why.
func (a *Arguments) Form() *schema.Form { return a.form }

// Why says why there is no form.
func (a *Arguments) Why() string { return a.why }

// SchemaNote says what is odd about the schema, "" for nothing.
func (a *Arguments) SchemaNote() string {
	if len(a.findings) == 0 {
		return ""
	}
	note := "The inputSchema: " + problemText(a.findings[0])
	if n := len(a.findings); n > 1 {
		note += fmt.Sprintf(" (and %d more)", n-1)
	}
	return note
}

// counts reports whether the written text is what is to be sent.
func (a *Arguments) counts() bool {
	return a.form == nil || a.written && a.at == a.form.Revision()
}

// Text is the value as JSON: as it was written, or as the form has it.
func (a *Arguments) Text() string {
	if a.counts() {
		return a.text
	}
	return a.form.Text()
}

// SetText takes what was written as JSON. The form follows as soon as it is a
// value.
func (a *Arguments) SetText(text string) {
	a.known = false
	if a.form == nil {
		a.text = text
		return
	}
	if text == a.Text() {
		return
	}
	a.text, a.written, a.broken = text, true, ""
	switch blank := strings.TrimSpace(text) == ""; {
	case blank:
		a.form.Root().Clear()
	default:
		if err := a.form.SetValue(jsontext.Value(text)); err != nil {
			a.broken = err.Error()
		}
	}
	a.at = a.form.Revision()
}

// Broken says why the form does not show what was written as JSON, "" when it
// does.
func (a *Arguments) Broken() string {
	if a.form == nil || !a.counts() {
		return ""
	}
	return line(a.broken, 200)
}

// DropText forgets what was written as JSON; the form is what it was before.
func (a *Arguments) DropText() { a.written, a.broken, a.known = false, "", false }

// Reset starts over with the schema's defaults.
func (a *Arguments) Reset() {
	a.DropText()
	if a.form != nil {
		a.form.Reset()
		return
	}
	a.text = "{}"
}

// Adopt takes over what was filled in for an earlier definition of the tool.
func (a *Arguments) Adopt(old *Arguments) {
	if old != nil {
		a.SetText(old.Text())
	}
}

// Problems are what is wrong with the value, for the marks in the JSON. They
// are those of the form when there is one.
func (a *Arguments) Problems() []protocol.Problem {
	if a.form != nil {
		if a.Broken() != "" {
			return nil
		}
		return a.form.Problems()
	}
	if v := jsontext.Value(a.text); a.checks != nil && a.checks.Usable() && protocol.Valid(v) {
		return a.checks.Validate(v)
	}
	return nil
}

// maxMarks bounds the problems that are marked in the JSON.
const maxMarks = 100

// Marks are the problems with their places in Text.
func (a *Arguments) Marks() []protocol.Problem {
	text := jsontext.Value(a.Text())
	if len(text) > rawCheckBytes || !protocol.Valid(text) {
		return nil
	}
	problems := a.Problems()
	var marks []protocol.Problem
	for _, p := range problems[:min(len(problems), maxMarks)] {
		for pointer := p.Pointer; ; pointer = pointer[:strings.LastIndexByte(pointer, '/')] {
			if _, offset, ok := protocol.Lookup(text, pointer); ok {
				p.Offset = offset
				marks = append(marks, p)
				break
			}
			if !strings.Contains(pointer, "/") {
				break
			}
		}
	}
	return marks
}

// Filling is the params of the call as they are filled in now.
func (a *Arguments) Filling() Filling {
	var at uint64
	if a.form != nil {
		at = a.form.Revision()
	}
	if !a.known || a.knownAt != at {
		a.filling, a.known, a.knownAt = a.fill(), true, at
	}
	return a.filling
}

func (a *Arguments) fill() Filling {
	f := Filling{Sendable: true}
	text := a.Text()
	value := jsontext.Value(text)
	switch {
	case strings.TrimSpace(text) == "":
		value = nil
	case !protocol.Valid(value):
		f.Draft, f.Sendable, value = text, false, jsontext.Value(Hole)
	}
	if f.Sendable && a.tool.Malformed {
		f.Sendable = false
		f.Reason = "This entry has no name that a call could carry."
	}
	f.Params = a.params(value)
	problems := a.Problems()
	if f.Draft != "" {
		f.Reason = "This is not JSON yet, so it cannot be sent as arguments."
		if a.Broken() != "" {
			f.Reason = "The JSON is not valid: " + a.Broken()
		} else if len(problems) > 0 {
			f.Reason = problemText(problems[0])
		}
		return f
	}
	if f.Reason == "" {
		f.Reason = summary(problems)
	}
	return f
}

// params puts the arguments beside the name. An entry without a proper name
// keeps what it has in its place.
func (a *Arguments) params(arguments jsontext.Value) jsontext.Value {
	name := protocol.QuoteString(a.tool.Name)
	if a.tool.Malformed {
		if v, _, ok := protocol.Lookup(a.tool.Raw, "/name"); ok {
			name = v
		}
	}
	params := `{"name":` + string(name)
	if arguments != nil {
		params += `,"arguments":` + string(arguments)
	}
	return jsontext.Value(params + "}")
}

// summary says in one line what breaks the rules, "" when nothing does.
func summary(problems []protocol.Problem) string {
	broken := violations(problems)
	if len(broken) == 0 {
		return ""
	}
	text := problemText(broken[0])
	if n := len(broken); n > 1 {
		text += fmt.Sprintf(" (and %d more)", n-1)
	}
	return text
}
