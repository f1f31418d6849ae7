package view

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/protocol/schema"
	"mcploupe/ui/view/human"
)

// Arguments are what is filled in for a tool: a form and its JSON, which are
// two views of one value. What cannot be a form is JSON alone. It belongs to
// one goroutine.
type Arguments struct {
	FormValue
	tool protocol.Tool

	filling Filling // of the revision below
	known   bool
	knownAt [2]uint64
}

// SlowSchema is the size of an input schema from which it is compiled away
// from the drawing goroutine.
const SlowSchema = 16 << 10

// CompileInput compiles the input schema of a tool; nil when it is not even an
// object. It may take long.
func CompileInput(t protocol.Tool) *schema.Schema { return compileSchema(t.InputSchema) }

// NewArguments makes the arguments of a tool from its compiled input schema.
func NewArguments(t protocol.Tool, compiled *schema.Schema) *Arguments {
	return &Arguments{FormValue: newFormValue("inputSchema", t.InputSchema, compiled), tool: t}
}

// Adopt takes over what was filled in for an earlier definition of the tool.
func (a *Arguments) Adopt(old *Arguments) {
	if old != nil {
		a.SetText(old.Text())
	}
}

// Filling is the params of the call as they are filled in now.
func (a *Arguments) Filling() Filling {
	turn, form := a.revision()
	if at := [2]uint64{turn, form}; !a.known || a.knownAt != at {
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
			f.Reason = a.problemAt(problems[0])
		}
		return f
	}
	if f.Reason == "" {
		f.Reason = a.summary(problems)
	}
	if f.Reason == "" && len(text) > bigValue {
		f.Reason = "More than " + human.Bytes(bigValue) + ": not checked against the schema."
	}
	return f
}

// TakesNothing reports that the schema names nothing to fill in and says nothing
// about what may be added, and that nothing was.
func (a *Arguments) TakesNothing() bool {
	if a.form == nil {
		return false
	}
	root := a.form.Root()
	if k := root.Kind(); k != schema.KindObject && k != schema.KindMap || len(root.Children()) > 0 {
		return false
	}
	for _, word := range []string{"/additionalProperties", "/patternProperties", "/propertyNames"} {
		if v, _, ok := protocol.Lookup(a.tool.InputSchema, word); ok && len(v) > len("{}") && v.Kind() == '{' {
			return false
		}
	}
	return true
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
func (v *FormValue) summary(problems []protocol.Problem) string {
	broken := violations(problems)
	if len(broken) == 0 {
		return ""
	}
	text := v.problemAt(broken[0])
	if n := len(broken); n > 1 {
		text += fmt.Sprintf(" (and %d more)", n-1)
	}
	return text
}
