package view

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/protocol/uritemplate"
)

// TextField is one argument that is a plain string: of a prompt or of a
// template. Absent and "" are two things.
type TextField struct {
	Name     string // as sent
	Label    string // safe
	About    string // safe, one line
	Required bool
	Value    string
	Empty    bool // "" is sent when Value is ""
	list     bool // Value is a list, items are separated by commas
}

// Set reports whether there is a value to send.
func (f TextField) Set() bool { return f.Value != "" || f.Empty }

// TextFields are the arguments of one prompt or template and what they come to.
// It belongs to one goroutine.
type TextFields struct {
	Fields []TextField
	Ref    jsontext.Value // for completion
	fill   func(fields []TextField) Filling
	broken string
	shows  func(fields []TextField) string
}

// Broken says why there is nothing to fill in, "" when there is.
func (t *TextFields) Broken() string { return t.broken }

// Filling is what the fields come to.
func (t *TextFields) Filling() Filling { return t.fill(t.Fields) }

// Missing is the first field that wants a value and has none, -1 for none.
func (t *TextFields) Missing() int {
	first := slices.IndexFunc(t.Fields, func(f TextField) bool { return f.Required && !f.Set() })
	if first < 0 && t.Filling().Reason != "" {
		return slices.IndexFunc(t.Fields, func(f TextField) bool { return !f.Set() })
	}
	return first
}

// Preview is what the fields make, "" when there is nothing to see before it is
// sent. It is safe.
func (t *TextFields) Preview() string {
	if t.shows == nil {
		return ""
	}
	return line(t.shows(t.Fields), 600)
}

// Adopt takes the values of fields with the same names.
func (t *TextFields) Adopt(old *TextFields) {
	for i := range t.Fields {
		for _, f := range old.Fields {
			if f.Name == t.Fields[i].Name {
				t.Fields[i].Value, t.Fields[i].Empty = f.Value, f.Empty
			}
		}
	}
}

// Subject is what completion of the i-th field is about.
func (t *TextFields) Subject(i int) Subject {
	q := Subject{Ref: t.Ref, Argument: t.Fields[i].Name, Value: t.Fields[i].Value}
	for j, f := range t.Fields {
		if j != i && f.Set() {
			q.Others = append(q.Others, NamedValue{f.Name, f.Value})
		}
	}
	return q
}

// PromptFields are the arguments of a prompt.
func PromptFields(p protocol.Prompt) *TextFields {
	t := &TextFields{Ref: PromptRef(p.Name)}
	for _, a := range p.Arguments {
		if a.Malformed {
			continue // its problem is among those of the prompt
		}
		label := a.Name
		if l := a.Label(); l != a.Name {
			label += " · " + l
		}
		t.Fields = append(t.Fields, TextField{Name: a.Name, Label: line(label, 60), About: line(firstLine(a.Description), 200), Required: a.Required})
	}
	t.fill = func(fields []TextField) Filling {
		f := Filling{Sendable: !p.Malformed}
		if p.Malformed {
			f.Reason = "This entry has no name that a request could carry."
		}
		var set []NamedValue
		var missing []string
		for _, field := range fields {
			if field.Set() {
				set = append(set, NamedValue{field.Name, field.Value})
			} else if field.Required {
				missing = append(missing, field.Name)
			}
		}
		if f.Reason == "" && len(missing) > 0 {
			f.Reason = line(strings.Join(missing, ", ")+": required", 200)
		}
		params := `{"name":` + string(nameOf(p.Entry, p.Name, "/name"))
		if len(set) > 0 {
			params += `,"arguments":` + string(stringObject(set))
		}
		f.Params = jsontext.Value(params + "}")
		return f
	}
	return t
}

// nameOf is what an entry names itself by: a malformed one whatever it has in
// that place.
func nameOf(e protocol.Entry, name, pointer string) jsontext.Value {
	if e.Malformed {
		if v, _, ok := protocol.Lookup(e.Raw, pointer); ok {
			return v
		}
	}
	return protocol.QuoteString(name)
}

func firstLine(text string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return first
}

// TemplateFields are the variables of a resource template.
func TemplateFields(r protocol.ResourceTemplate) *TextFields {
	t := &TextFields{Ref: TemplateRef(r.URITemplate)}
	template, err := uritemplate.Parse(r.URITemplate)
	if err != nil || r.Malformed {
		t.broken = "This entry has no URI template."
		if err != nil && !r.Malformed {
			t.broken = line("The template is malformed: "+err.Error(), 300)
		}
		t.fill = func([]TextField) Filling {
			return Filling{Params: uriParams(nameOf(r.Entry, r.URITemplate, "/uriTemplate")), Reason: t.broken}
		}
		return t
	}
	expressions := template.Expressions()
	for _, v := range template.Variables() {
		f := TextField{Name: v.Name, Label: line(v.Name, 60), Required: v.Required, list: v.Explode}
		e := expressions[v.Expression]
		notes := []string{line(e.Text, 80)}
		switch {
		case v.Required:
		case e.Required():
			notes = append(notes, "at least one of these is required")
		default:
			notes = append(notes, "optional")
		}
		if v.Explode {
			notes = append(notes, "items separated by commas")
		}
		if v.Prefix > 0 {
			notes = append(notes, fmt.Sprintf("the first %d characters are used", v.Prefix))
		}
		f.About = strings.Join(notes, " · ")
		t.Fields = append(t.Fields, f)
	}
	expand := func(fields []TextField) (string, []uritemplate.Expression, error) {
		values := map[string]uritemplate.Value{}
		for _, f := range fields {
			switch {
			case !f.Set():
			case f.list && f.Value != "":
				values[f.Name] = uritemplate.ListOf(strings.Split(f.Value, ",")...)
			default:
				values[f.Name] = uritemplate.Of(f.Value)
			}
		}
		uri, err := template.Expand(values)
		return uri, template.Missing(values), err
	}
	t.shows = func(fields []TextField) string {
		uri, _, err := expand(fields)
		if err != nil {
			return ""
		}
		return uri
	}
	t.fill = func(fields []TextField) Filling {
		uri, missing, err := expand(fields)
		f := Filling{Params: uriParams(protocol.QuoteString(uri)), Sendable: err == nil}
		switch {
		case errors.Is(err, uritemplate.ErrPrefix):
			f.Reason = "A variable with a length takes one value, not a list."
		case err != nil:
			f.Reason = line(err.Error(), 200)
		case len(missing) > 0:
			var texts []string
			for _, e := range missing {
				texts = append(texts, e.Text)
			}
			f.Reason = line(strings.Join(texts, ", ")+" needs a value", 200)
		}
		return f
	}
	return t
}

func uriParams(uri jsontext.Value) jsontext.Value {
	return jsontext.Value(`{"uri":` + string(uri) + `}`)
}

// URIFields is one field for any URI, with a value to start from.
func URIFields(uri string) *TextFields {
	t := &TextFields{Fields: []TextField{{Name: "uri", Label: "URI", Required: true, Value: uri}}}
	t.fill = func(fields []TextField) Filling {
		f := Filling{Params: uriParams(protocol.QuoteString(fields[0].Value)), Sendable: true}
		if fields[0].Value == "" {
			f.Reason = "The URI is empty"
		}
		return f
	}
	return t
}
