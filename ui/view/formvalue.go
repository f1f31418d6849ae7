package view

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/protocol/schema"
	shown "mcploupe/ui/view/fields"
	"mcploupe/ui/view/human"
)

// FormValue is a value that a person fills in under a schema of a server: a
// form and its JSON, which are two views of one value. What cannot be a form is
// JSON alone. It belongs to one goroutine.
type FormValue struct {
	name     string       // of the schema, for messages: "inputSchema"
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
	turn    uint64 // changes with text
}

// newFormValue makes the value of a schema as sent, nil when there is none, and
// as compiled, nil when it is not even an object.
func newFormValue(name string, sent jsontext.Value, compiled *schema.Schema) FormValue {
	v := FormValue{name: name, checks: compiled}
	switch {
	case len(sent) == 0:
		v.why = "There is no " + name + ", so there is no form."
	case compiled == nil:
		v.why = fmt.Sprintf("The %s is %s and not an object, so there is no form.", name, jsonWord(sent))
	case !compiled.Usable():
		v.why = "The " + name + " cannot be used, so there is no form."
		if p := compiled.Problems(); len(p) > 0 {
			v.why = fmt.Sprintf("The %s cannot be used, so there is no form: %s", name, problemText(p[0]))
		}
	default:
		v.form = schema.NewForm(compiled)
		root := v.form.Root()
		if k := root.Kind(); k == schema.KindJSON || k == schema.KindAny {
			v.why = "There is no form for this " + name
			if r := root.Reason(); r != "" {
				v.why += ": " + line(r, 200)
			}
			v.why += "."
			v.text = v.form.Text()
			v.form = nil
		}
	}
	if compiled != nil {
		v.findings = compiled.Problems()
	}
	if v.form == nil && strings.TrimSpace(v.text) == "" {
		v.text = "{}"
	}
	return v
}

// compileSchema compiles a schema of a server; nil when it is not even an
// object. It may take long.
func compileSchema(sent jsontext.Value) *schema.Schema {
	if len(sent) == 0 || sent.Kind() != '{' {
		return nil
	}
	compiled, _ := schema.Compile(sent)
	return compiled
}

// revision changes with everything that the person does to the value.
func (v *FormValue) revision() (turn, form uint64) {
	if v.form != nil {
		form = v.form.Revision()
	}
	return v.turn, form
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

// FirstProblem is the place in the form of the first thing that breaks the
// rules, "" for the whole of it.
func (v *FormValue) FirstProblem() string {
	problems := v.form.Problems()
	if broken := violations(problems); len(broken) > 0 {
		return broken[0].Pointer
	}
	if len(problems) > 0 {
		return problems[0].Pointer
	}
	return ""
}

// problemAt words a problem of the value: its place by the titles that the form
// shows, and the pointer where that says something else.
func (v *FormValue) problemAt(p protocol.Problem) string {
	if v.form == nil || v.Broken() != "" || p.Pointer == "" {
		return problemText(p)
	}
	where := shown.Where(v.form, p.Pointer)
	text := where + ": " + p.Text
	if p.Pointer != "/"+where {
		text += "  (" + p.Pointer + ")"
	}
	return line(text, 300)
}

// Form is the form, nil when there is none; see Why.
func (v *FormValue) Form() *schema.Form { return v.form }

// Why says why there is no form.
func (v *FormValue) Why() string { return v.why }

// SchemaNote says what is odd about the schema, "" for nothing.
func (v *FormValue) SchemaNote() string {
	if len(v.findings) == 0 {
		return ""
	}
	note := "The " + v.name + ": " + problemText(v.findings[0])
	if n := len(v.findings); n > 1 {
		note += fmt.Sprintf(" (and %d more)", n-1)
	}
	return note
}

// counts reports whether the written text is what is to be sent.
func (v *FormValue) counts() bool {
	return v.form == nil || v.written && v.at == v.form.Revision()
}

// Text is the value as JSON: as it was written, or as the form has it.
func (v *FormValue) Text() string {
	if v.counts() {
		return v.text
	}
	return v.form.Text()
}

// Laid is Text for an editor: with a member a line when the form wrote it, else
// as it was written.
func (v *FormValue) Laid() string {
	if v.counts() {
		return v.text
	}
	return string(protocol.Indent(jsontext.Value(v.form.Text())))
}

// bigValue is the size of a text from which on it is neither put into the form
// nor checked against the schema while it is edited: each key would take longer
// than the next one waits for.
const bigValue = 128 << 10

// SetText takes what was written as JSON. The form follows as soon as it is a
// value that is not too long.
func (v *FormValue) SetText(text string) {
	v.turn++
	if v.form == nil {
		v.text = text
		return
	}
	if text == v.Text() {
		return
	}
	v.text, v.written, v.broken = text, true, ""
	switch blank := strings.TrimSpace(text) == ""; {
	case blank:
		v.form.Root().Clear()
	case len(text) > bigValue:
		v.broken = "it is longer than " + human.Bytes(bigValue)
	default:
		if err := v.form.SetValue(jsontext.Value(text)); err != nil {
			v.broken = placeOf(err)
		}
	}
	v.at = v.form.Revision()
}

// placeOf is where a text stops being JSON: of a chain of reasons the one that
// names the line, without the wording of the parser.
func placeOf(err error) string {
	text := strings.TrimPrefix(err.Error(), "loading JSON: ")
	place, _, _ := strings.Cut(text, ": reading JSON")
	return place
}

// Broken says why the form does not show what was written as JSON, "" when it
// does.
func (v *FormValue) Broken() string {
	if v.form == nil || !v.counts() {
		return ""
	}
	return line(v.broken, 200)
}

// DropText forgets what was written as JSON; the form is what it was before.
func (v *FormValue) DropText() {
	v.written, v.broken = false, ""
	v.turn++
}

// Reset starts over with the schema's defaults.
func (v *FormValue) Reset() {
	v.DropText()
	if v.form != nil {
		v.form.Reset()
		return
	}
	v.text = "{}"
}

// Problems are what is wrong with the value, for the marks in the JSON. They
// are those of the form when there is one.
func (v *FormValue) Problems() []protocol.Problem {
	if v.form != nil {
		if v.Broken() != "" {
			return nil
		}
		return v.form.Problems()
	}
	if value := jsontext.Value(v.text); len(value) <= bigValue && v.checks != nil && v.checks.Usable() && protocol.Valid(value) {
		return v.checks.Validate(value)
	}
	return nil
}

// maxMarks bounds the problems that are marked in the JSON.
const maxMarks = 100

// Marks are the problems with their places in Text.
func (v *FormValue) Marks() []protocol.Problem { return v.MarksIn(v.Text()) }

// MarksIn are the problems with their places in shown, which is Text in another
// layout.
func (v *FormValue) MarksIn(shown string) []protocol.Problem {
	text := jsontext.Value(shown)
	if len(text) > rawCheckBytes || !protocol.Valid(text) {
		return nil
	}
	problems := v.Problems()
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
