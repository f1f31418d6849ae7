package view

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
)

func toolOf(t *testing.T, definition string) protocol.Tool {
	t.Helper()
	page := protocol.DecodeTools(jsontext.Value(`{"tools":[` + definition + `]}`))
	if len(page.Items) != 1 {
		t.Fatalf("%d tools", len(page.Items))
	}
	return page.Items[0]
}

func argumentsOf(t *testing.T, schema string) *Arguments {
	t.Helper()
	if schema != "" {
		schema = `,"inputSchema":` + schema
	}
	tool := toolOf(t, `{"name":"t"`+schema+`}`)
	return NewArguments(tool, CompileInput(tool))
}

const sumSchema = `{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"number"},"note":{"type":"string"}},"required":["a","b"]}`

func TestArgumentsKeepDigitsBothWays(t *testing.T) {
	a := argumentsOf(t, sumSchema)
	root := a.Form().Root()
	root.Member("a").SetText("9007199254740993")
	root.Member("b").SetText("1.0")
	f := a.Filling()
	if got, want := string(f.Params), `{"name":"t","arguments":{"a":9007199254740993,"b":1.0}}`; got != want {
		t.Errorf("params %s, want %s", got, want)
	}
	if !f.Sendable || f.Reason != "" {
		t.Errorf("filling %+v", f)
	}
	// The text that was written stays as it was written while the form is left alone.
	written := `{ "b":1e400, "a": 9007199254740995 }`
	a.SetText(written)
	if a.Text() != written || root.Member("a").Text() != "9007199254740995" || root.Member("b").Text() != "1e400" {
		t.Errorf("text %s, a %s, b %s", a.Text(), root.Member("a").Text(), root.Member("b").Text())
	}
	root.Member("a").SetText("7")
	if got := a.Text(); !strings.Contains(got, `"a": 7`) && !strings.Contains(got, `"a":7`) || !strings.Contains(got, "1e400") {
		t.Errorf("after an edit in the form the text is %s", got)
	}
}

func TestArgumentsSayWhatIsWrongAndStillSend(t *testing.T) {
	a := argumentsOf(t, sumSchema)
	f := a.Filling()
	if !f.Sendable || f.Reason == "" || !strings.HasPrefix(f.Reason, "a: is required") {
		t.Errorf("missing arguments: %+v", f)
	}
	a.Form().Root().Member("a").SetText("twelve")
	f = a.Filling()
	if f.Sendable || f.Reason == "" || f.Draft == "" || !strings.Contains(string(f.Params), Hole) {
		t.Errorf("a draft that is not a number: %+v", f)
	}
	if !strings.Contains(f.Draft, "twelve") {
		t.Errorf("the draft %q lost what was typed", f.Draft)
	}
}

func TestSwitchingLosesNoDraft(t *testing.T) { // C58, C59
	a := argumentsOf(t, sumSchema)
	root := a.Form().Root()
	root.Member("a").SetText("12x")
	text := a.Text()
	a.SetText(text) // looking at the JSON and back
	if got := root.Member("a").Text(); got != "12x" || a.Broken() != "" {
		t.Errorf("draft %q after looking at the JSON, broken %q", got, a.Broken())
	}
	root.Member("a").SetText("12")
	before := a.Form().Text()
	a.SetText(`{"a": 12, "b": `)
	if got := a.Broken(); !strings.HasPrefix(got, "line 1, column ") || strings.Contains(got, "jsontext") {
		t.Errorf("the form does not show the JSON because: %q", got)
	}
	if f := a.Filling(); f.Sendable || f.Draft != `{"a": 12, "b": ` {
		t.Errorf("broken JSON: %+v", f)
	}
	a.DropText()
	if got := a.Text(); got != before {
		t.Errorf("after dropping the text it is %s, want %s", got, before)
	}
}

func TestLookingAtTheJSONChangesNothing(t *testing.T) {
	a := argumentsOf(t, sumSchema)
	a.Form().Root().Member("a").SetText("12")
	before := string(a.Filling().Params)
	laid := a.Laid()
	if laid != "{\n  \"a\": 12\n}" {
		t.Errorf("laid out: %s", laid)
	}
	if after := string(a.Filling().Params); after != before || strings.Contains(after, "\n") {
		t.Errorf("params %s, before %s", after, before)
	}
	marks := a.MarksIn(laid)
	if len(marks) != 1 || marks[0].Pointer != "/b" || marks[0].Offset != 0 {
		t.Errorf("marks %+v", marks)
	}
	a.SetText(`{ "a": "x", "b": 1}`)
	if marks = a.MarksIn(a.Laid()); len(marks) != 1 || marks[0].Offset != 7 {
		t.Errorf("marks %+v", marks)
	}
}

func TestBlankJSONLeavesArgumentsOut(t *testing.T) {
	a := argumentsOf(t, sumSchema)
	a.SetText("")
	if got := string(a.Filling().Params); got != `{"name":"t"}` {
		t.Errorf("params %s", got)
	}
	a.SetText("{}")
	if got := string(a.Filling().Params); got != `{"name":"t","arguments":{}}` {
		t.Errorf("params %s", got)
	}
}

func TestSchemasWithoutAForm(t *testing.T) {
	for _, c := range []struct{ schema, says string }{
		{"", "no inputSchema"},
		{"true", "`true`"},
		{`"object"`, "a string"},
		{"[]", "an array"},
		{"null", "`null`"},
		{"7", "a number"},
	} {
		a := argumentsOf(t, c.schema)
		if a.Form() != nil || !strings.Contains(a.Why(), c.says) {
			t.Errorf("schema %s: form %v, why %q", c.schema, a.Form(), a.Why())
		}
		if a.Text() != "{}" {
			t.Errorf("schema %s: starts with %q", c.schema, a.Text())
		}
		a.SetText(`{"x": 9007199254740993}`)
		if f := a.Filling(); !f.Sendable || !strings.Contains(string(f.Params), "9007199254740993") {
			t.Errorf("schema %s: %+v", c.schema, f)
		}
		a.SetText(`{"x"`)
		if f := a.Filling(); f.Sendable || f.Reason == "" {
			t.Errorf("schema %s, half an object: %+v", c.schema, f)
		}
	}
	// One odd property costs that property alone.
	if a := argumentsOf(t, `{"type":"object","properties":{"q":"string","r":{"type":"string"}}}`); a.Form() == nil || a.Form().Root().Member("r") == nil {
		t.Error("a property that is no schema took the form")
	}
}

func TestMalformedToolKeepsItsName(t *testing.T) {
	tool := toolOf(t, `{"name":42,"inputSchema":{"type":"object"}}`)
	f := NewArguments(tool, CompileInput(tool)).Filling()
	if f.Sendable || f.Reason == "" || !strings.HasPrefix(string(f.Params), `{"name":42`) {
		t.Errorf("filling %+v", f)
	}
}

func TestArgumentsMoveToAChangedDefinition(t *testing.T) {
	old := argumentsOf(t, sumSchema)
	old.Form().Root().Member("a").SetText("12")
	fresh := argumentsOf(t, `{"type":"object","properties":{"a":{"type":"integer","minimum":20}}}`)
	fresh.Adopt(old)
	if got := fresh.Form().Root().Member("a").Text(); got != "12" {
		t.Errorf("a is %q", got)
	}
	if f := fresh.Filling(); !f.Sendable || f.Reason != "a: must be at least 20" {
		t.Errorf("filling %+v", f)
	}
}

func TestProblemsAreNamedByTheirTitles(t *testing.T) {
	a := argumentsOf(t, `{"type":"object","properties":{"o":{"title":"Order","type":"object","properties":{"n":{"title":"How many","type":"integer"}}}}}`)
	if err := a.Form().SetValue([]byte(`{"o":{"n":"x"}}`)); err != nil {
		t.Fatal(err)
	}
	if got := a.Filling().Reason; !strings.HasPrefix(got, "Order › How many: ") || !strings.HasSuffix(got, "(/o/n)") {
		t.Errorf("the reason is %q", got)
	}
	plain := argumentsOf(t, `{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`)
	if got := plain.Filling().Reason; got != "n: is required" {
		t.Errorf("without a title %q", got)
	}
}

func TestTakesNothing(t *testing.T) {
	for input, want := range map[string]bool{
		`{"type":"object"}`:                                                   true,
		`{"type":"object","properties":{}}`:                                   true,
		`{"type":"object","properties":{},"additionalProperties":false}`:      true,
		`{"type":"object","additionalProperties":{}}`:                         true,
		`{"type":"object","additionalProperties":{"type":"integer"}}`:         false,
		`{"type":"object","patternProperties":{"^x":{"type":"integer"}}}`:     false,
		`{"type":"object","properties":{"a":{"type":"string"}}}`:              false,
		`{"type":"object","properties":{"a":{}},"additionalProperties":true}`: false,
	} {
		tool := protocol.Tool{Name: "t", InputSchema: jsontext.Value(input)}
		a := NewArguments(tool, CompileInput(tool))
		if got := a.TakesNothing(); got != want {
			t.Errorf("%s: %v", input, got)
		}
		if want && a.Form().Root().CanAdd() {
			a.SetText(`{"x":1}`)
			if a.TakesNothing() {
				t.Errorf("%s: still nothing after something was added", input)
			}
		}
	}
}
