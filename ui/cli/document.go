package cli

import (
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/session"
)

// document builds one JSON object member by member, so that values from the
// wire go out as they came in.
type document struct{ buf []byte }

func (d *document) put(name string, v jsontext.Value) {
	if len(v) == 0 {
		return
	}
	if len(d.buf) == 0 {
		d.buf = append(d.buf, '{')
	} else {
		d.buf = append(d.buf, ',')
	}
	d.buf = append(append(append(d.buf, protocol.QuoteString(name)...), ':'), v...)
}

func (d *document) text(name, s string) {
	if s != "" {
		d.put(name, protocol.QuoteString(s))
	}
}

func (d *document) number(name string, n int64) {
	d.put(name, jsontext.Value(fmt.Sprint(n)))
}

func (d *document) value() jsontext.Value {
	if len(d.buf) == 0 {
		return jsontext.Value("{}")
	}
	return append(d.buf[:len(d.buf):len(d.buf)], '}')
}

// array joins values into a JSON array.
func array(values []jsontext.Value) jsontext.Value {
	out := []byte("[")
	for i, v := range values {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, v...)
	}
	return append(out, ']')
}

func problemsValue(problems []protocol.Problem) jsontext.Value {
	var all []jsontext.Value
	for _, p := range problems {
		var d document
		d.text("rule", p.Rule)
		d.text("severity", p.Severity.String())
		d.text("pointer", p.Pointer)
		if p.Offset >= 0 {
			d.number("offset", int64(p.Offset))
		}
		d.text("text", p.Text)
		all = append(all, d.value())
	}
	return array(all)
}

var stepWord = map[session.StepStatus]string{
	session.StepRunning: "running", session.StepOK: "ok", session.StepFailed: "failed", session.StepSkipped: "skipped",
}

func stepsValue(steps []session.Step) jsontext.Value {
	var all []jsontext.Value
	for _, step := range steps {
		var d document
		d.text("title", step.Title)
		d.text("status", stepWord[step.Status])
		d.text("detail", step.Detail)
		d.text("advice", step.Advice)
		d.number("tookMs", step.Took.Milliseconds())
		all = append(all, d.value())
	}
	return array(all)
}

// printValue writes a value indented, with its numbers and key order untouched.
func printValue(w io.Writer, v jsontext.Value) error {
	_, err := fmt.Fprintf(w, "%s\n", protocol.Indent(v))
	return err
}
