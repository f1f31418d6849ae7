package schema

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// form makes a form from a schema's text.
func form(t testing.TB, schema string) *Form {
	t.Helper()
	s, _ := Compile(jsontext.Value(schema))
	return NewForm(s)
}

// at finds a node that must be there.
func at(t testing.TB, f *Form, pointer string) *Node {
	t.Helper()
	n := f.Root().At(pointer)
	if n == nil {
		t.Fatalf("no node at %s in %s", pointer, f.Text())
	}
	return n
}

// wantValue checks what would be sent.
func wantValue(t testing.TB, f *Form, want string) {
	t.Helper()
	got, drafts := f.Value()
	if string(got) != want || len(drafts) > 0 {
		t.Errorf("value %s, want %s (drafts: %s)", got, want, lines(drafts))
	}
}

func wantProblems(t testing.TB, f *Form, want string) {
	t.Helper()
	if got := lines(f.Problems()); got != want {
		t.Errorf("problems\n%s\nwant\n%s", got, want)
	}
}

func TestKinds(t *testing.T) {
	for _, c := range []struct {
		name, schema string
		kind         Kind
		nullable     bool
	}{
		{"string", `{"type":"string"}`, KindText, false},
		{"string or null", `{"type":["string","null"]}`, KindText, true},
		{"null first (case 72)", `{"type":["null","boolean"]}`, KindBoolean, true},
		{"number", `{"type":"number"}`, KindNumber, false},
		{"number or integer", `{"type":["number","integer"]}`, KindNumber, false},
		{"integer", `{"type":"integer"}`, KindInteger, false},
		{"boolean", `{"type":"boolean"}`, KindBoolean, false},
		{"enum", `{"type":"string","enum":["a","b"]}`, KindSelect, false},
		{"enum without type (P13)", `{"enum":["a",1,true,{"k":2}]}`, KindSelect, false},
		{"enum with null (P13)", `{"enum":["a",1,null]}`, KindSelect, true},
		{"numeric constants (P13)", `{"oneOf":[{"const":1,"title":"One"},{"const":2.5}]}`, KindSelect, false},
		{"anyOf constants", `{"anyOf":[{"const":"a"},{"const":"b"}]}`, KindSelect, false},
		{"nullable enum (case 51)", `{"anyOf":[{"type":"string","enum":["envio","recebimento"]},{"type":"null"}]}`, KindSelect, true},
		{"nullable ref (case 55)", `{"$defs":{"C":{"enum":["r","g"]}},"anyOf":[{"$ref":"#/$defs/C"},{"type":"null"}]}`, KindSelect, true},
		{"const", `{"const":5}`, KindConst, false},
		{"enum of one", `{"enum":["only"]}`, KindConst, false},
		{"null alone", `{"type":"null"}`, KindConst, false},
		{"boolean enum", `{"enum":[true,false]}`, KindBoolean, false},
		{"list of strings (P15)", `{"type":"array","items":{"type":"string"}}`, KindArray, false},
		{"multi-select", `{"type":"array","items":{"enum":["a","b"]}}`, KindMultiSelect, false},
		{"titled multi-select", `{"type":"array","items":{"anyOf":[{"const":"a","title":"A"},{"const":"b"}]}}`, KindMultiSelect, false},
		{"multi-select by reference", `{"$defs":{"E":{"enum":["a","b"]}},"type":"array","items":{"$ref":"#/$defs/E"}}`, KindMultiSelect, false},
		{"tuple (P15)", `{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}]}`, KindTuple, false},
		{"tuple of draft-07", `{"$schema":"http://json-schema.org/draft-07/schema#","type":"array","items":[{"type":"string"}]}`, KindTuple, false},
		{"object", `{"type":"object","properties":{"a":{}}}`, KindObject, false},
		{"object without type", `{"properties":{"a":{}}}`, KindObject, false},
		{"no properties named", `{"type":"object","properties":{}}`, KindObject, false},
		{"root without properties (P15)", `{"type":"object"}`, KindMap, false},
		{"map (P15)", `{"type":"object","additionalProperties":{"type":"string"}}`, KindMap, false},
		{"pattern map", `{"type":"object","patternProperties":{"^x":{"type":"string"}},"additionalProperties":false}`, KindMap, false},
		{"closed and empty", `{"type":"object","additionalProperties":false}`, KindObject, false},
		{"allOf merged (P15)", `{"allOf":[{"properties":{"a":{"type":"string"}}},{"properties":{"b":{}}}]}`, KindObject, false},
		{"union of types (P15)", `{"type":["string","integer"]}`, KindText, false},
		{"FastMCP union (case 69)", `{"anyOf":[{"type":"integer"},{"type":"string"}]}`, KindInteger, false},
		{"any", `{}`, KindAny, false},
		{"true (case 71)", `true`, KindAny, false},
		{"false", `false`, KindJSON, false},
		{"not a schema (case 71)", `"string"`, KindJSON, false},
		{"types that exclude each other", `{"allOf":[{"type":"string"},{"type":"integer"}]}`, KindJSON, false},
		{"external reference", `{"$ref":"https://example.com/x"}`, KindJSON, false},
		{"pattern alone", `{"pattern":"^a"}`, KindText, false},
		{"minimum alone", `{"minimum":1}`, KindNumber, false},
		{"anchor", `{"$ref":"#a","$defs":{"x":{"$anchor":"a","type":"boolean"}}}`, KindBoolean, false},
		{"anyOf of required", `{"type":"object","properties":{"a":{},"b":{}},"anyOf":[{"required":["a"]},{"required":["b"]}]}`, KindObject, false},
		{"dynamic reference", `{"$dynamicRef":"#n","$defs":{"x":{"$dynamicAnchor":"n","type":"integer"}}}`, KindInteger, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := form(t, c.schema).Root()
			if n.Kind() != c.kind || n.Nullable() != c.nullable {
				t.Errorf("kind %v, nullable %v; want %v, %v", n.Kind(), n.Nullable(), c.kind, c.nullable)
			}
			if (n.Kind() == KindJSON) != (n.Reason() != "") {
				t.Errorf("reason %q for kind %v", n.Reason(), n.Kind())
			}
		})
	}
}

// Case 46: an optional argument left empty is absent, not null. Case 47: nor [] or {}.
func TestUntouchedOptionalsAreAbsent(t *testing.T) {
	f := form(t, `{"type":"object","properties":{"raw":{"type":"boolean"},"include":{"type":"array","items":{"type":"string"}},
		"opts":{"type":"object","properties":{"x":{"type":"string"}}},"s":{"type":"string"},"n":{"type":"integer"},"e":{"enum":["a"]},
		"o":{"anyOf":[{"type":"string"},{"type":"null"}],"default":null}}}`)
	wantValue(t, f, `{}`)
	wantProblems(t, f, "")
}

// Case 48: absent, "" and a value are three things.
func TestThreeStatesOfText(t *testing.T) {
	f := form(t, `{"type":"object","properties":{"s":{"type":["string","null"]}}}`)
	n := at(t, f, "/s")
	for _, step := range []struct {
		do    func()
		state State
		value string
	}{
		{func() {}, StateAbsent, `{}`},
		{func() { n.SetText("a") }, StateValue, `{"s":"a"}`},
		{func() { n.SetText("") }, StateAbsent, `{}`},
		{func() { n.SetEmpty() }, StateValue, `{"s":""}`},
		{func() { n.SetNull() }, StateNull, `{"s":null}`},
		{func() { n.SetText("null") }, StateValue, `{"s":"null"}`}, // case 50
		{func() { n.Clear() }, StateAbsent, `{}`},
		{func() { n.Enable() }, StateValue, `{"s":""}`},
	} {
		step.do()
		if n.State() != step.state {
			t.Errorf("state %v, want %v", n.State(), step.state)
		}
		wantValue(t, f, step.value)
	}
}

// P14: a boolean has three states, required or not.
func TestThreeStatesOfBoolean(t *testing.T) {
	f := form(t, `{"type":"object","properties":{"b":{"type":"boolean"}},"required":["b"]}`)
	n := at(t, f, "/b")
	if _, ok := n.Bool(); ok || n.State() != StateAbsent {
		t.Error("a required boolean starts unset")
	}
	wantProblems(t, f, "/b is required")
	n.SetBool(false)
	if b, ok := n.Bool(); !ok || b {
		t.Error("want false")
	}
	wantValue(t, f, `{"b":false}`)
	wantProblems(t, f, "")
	n.Clear()
	wantValue(t, f, `{}`)
}

// Cases 62 to 66, P12: numbers are what was typed.
func TestNumbersStayAsTyped(t *testing.T) {
	f := form(t, `{"type":"object","properties":{"n":{"type":"number"},"i":{"type":"integer","minimum":1,"maximum":1000}}}`)
	n, i := at(t, f, "/n"), at(t, f, "/i")
	for _, typed := range []string{"9007199254740993", "90071992547409910", "1.0", "-74.01", "1e400", "-0", "0.10", "1E+2"} {
		n.SetText(typed)
		wantValue(t, f, `{"n":`+typed+`}`)
		if n.Text() != typed {
			t.Errorf("text %q, want %q", n.Text(), typed)
		}
	}
	n.Clear()
	i.SetText("5000")
	wantValue(t, f, `{"i":5000}`)
	wantProblems(t, f, "/i must be at most 1000")
	i.SetText("1.5")
	wantValue(t, f, `{"i":1.5}`)
	wantProblems(t, f, "/i must be a whole number, not 1.5")
	i.SetText("7776000")
	wantValue(t, f, `{"i":7776000}`) // a number, not text (case 66)
}

// Case 64: a number can be typed key by key; what is no number yet is a draft.
func TestNumberDrafts(t *testing.T) {
	f := form(t, `{"type":"object","properties":{"n":{"type":"number"}},"required":["n"]}`)
	n := at(t, f, "/n")
	for _, c := range []struct {
		typed string
		state State
		says  string
	}{
		{"-", StateDraft, "/n is not a JSON number such as 42, -1.5 or 2e10"},
		{"-7", StateValue, ""},
		{"-7.", StateDraft, "/n is not a JSON number such as 42, -1.5 or 2e10"},
		{"-7.0", StateValue, ""},
		{"1e", StateDraft, "/n is not a JSON number such as 42, -1.5 or 2e10"},
		{"+1", StateDraft, "/n is not a JSON number such as 42, -1.5 or 2e10"},
		{"0x10", StateDraft, "/n is not a JSON number such as 42, -1.5 or 2e10"},
		{"1,5", StateDraft, "/n is not a JSON number such as 42, -1.5 or 2e10"},
		{"NaN", StateDraft, "/n is not a number that JSON has"},
		{" 5 ", StateValue, ""},
	} {
		n.SetText(c.typed)
		if n.State() != c.state || n.Text() != c.typed {
			t.Errorf("%q: state %v text %q", c.typed, n.State(), n.Text())
		}
		wantProblems(t, f, c.says)
		value, drafts := f.Value()
		if (value == nil) != (c.state == StateDraft) || len(drafts) != map[State]int{StateDraft: 1}[c.state] {
			t.Errorf("%q: value %s, drafts %v", c.typed, value, drafts)
		}
	}
	n.SetText("-7.")
	if got := f.Text(); got != `{"n":-7.}` {
		t.Errorf("text with draft: %s", got)
	}
	n.SetText("")
	wantProblems(t, f, "/n is required")
}

// Cases 58 to 60: a JSON draft is kept as typed, located, and never sent as absent.
func TestJSONDrafts(t *testing.T) {
	f := form(t, `{"type":"object","properties":{"o":{}}}`)
	n := at(t, f, "/o")
	n.SetText("{\n  a:")
	if n.State() != StateDraft || n.Text() != "{\n  a:" {
		t.Errorf("state %v text %q", n.State(), n.Text())
	}
	if got := lines(f.Problems()); !strings.HasPrefix(got, "/o is not JSON: line 2, column 3:") {
		t.Errorf("problems: %s", got)
	}
	if v, drafts := f.Value(); v != nil || len(drafts) != 1 {
		t.Errorf("value %s", v)
	}
	for _, typed := range []string{"[1, 2]", "[1, 2", "nul", "null", " null ", `"nul"`} {
		n.SetText(typed)
		if n.Text() != typed {
			t.Errorf("typed %q, shown %q", typed, n.Text())
		}
	}
}

// ELIC-10, case 99: defaults of every kind are filled in once and can be cleared.
func TestDefaults(t *testing.T) {
	f := form(t, `{"type":"object","properties":{"n":{"type":"integer","default":5},"x":{"type":"number","default":95.50},"b":{"type":"boolean","default":true},
		"c":{"type":"string","enum":["one","two"],"default":"one"},"s":{"type":"string","default":"John"},"m":{"type":"array","items":{"enum":["a","b"]},"default":["b","a"]},
		"t":{"oneOf":[{"const":"r","title":"Red"},{"const":"g","title":"Green"}],"default":"g"},"bad":{"type":"integer","default":"x"},"e":{"type":"string","default":""}}}`)
	wantValue(t, f, `{"n":5,"x":95.50,"b":true,"c":"one","s":"John","m":["b","a"],"t":"g","e":""}`)
	if at(t, f, "/t").Selected() != 1 || at(t, f, "/c").Selected() != 0 {
		t.Error("selected")
	}
	// Case 189: a cleared default is absent and stays so.
	at(t, f, "/n").Clear()
	at(t, f, "/s").SetText("")
	at(t, f, "/b").SetBool(false)
	wantValue(t, f, `{"x":95.50,"b":false,"c":"one","m":["b","a"],"t":"g","e":""}`)
	f.Reset()
	wantValue(t, f, `{"n":5,"x":95.50,"b":true,"c":"one","s":"John","m":["b","a"],"t":"g","e":""}`)
}

// Defaults inside an optional section come with the section.
func TestDefaultsOfASection(t *testing.T) {
	f := form(t, `{"type":"object","properties":{"opts":{"type":"object","properties":{"k":{"const":"v1"},"n":{"type":"integer","default":3},"r":{"type":"object","properties":{"d":{"default":true,"type":"boolean"}}}},"required":["k","r"]}}}`)
	opts := at(t, f, "/opts")
	if opts.Children() != nil {
		t.Error("an absent section has no children")
	}
	opts.Enable()
	wantValue(t, f, `{"opts":{"k":"v1","n":3,"r":{"d":true}}}`)
	at(t, f, "/opts/n").SetText("4")
	opts.Clear()
	wantValue(t, f, `{}`)
	opts.Enable()
	wantValue(t, f, `{"opts":{"k":"v1","n":4,"r":{"d":true}}}`)
}

// ELIC-12, cases 67 and 98: the five forms of choices.
func TestChoices(t *testing.T) {
	f := form(t, `{"type":"object","properties":{
		"plain":{"type":"string","enum":["a","b"]},
		"legacy":{"type":"string","enum":["a","b"],"enumNames":["A","B"]},
		"titled":{"type":"string","oneOf":[{"const":"#f00","title":"Red"},{"const":"#0f0","title":"Green"}]},
		"many":{"type":"array","items":{"type":"string","enum":["a","b","c"]},"minItems":1,"maxItems":2},
		"titledMany":{"type":"array","items":{"anyOf":[{"const":"a","title":"A"},{"const":"b","title":"B"}]}},
		"typed":{"enum":["1",1,1.5,true,null]}}}`)
	titles := func(p string) string {
		var out []string
		for _, c := range at(t, f, p).Choices() {
			out = append(out, c.Title+"="+c.JSON())
		}
		return strings.Join(out, " ")
	}
	for p, want := range map[string]string{
		"/plain": `a="a" b="b"`, "/legacy": `A="a" B="b"`, "/titled": `Red="#f00" Green="#0f0"`,
		"/many": `a="a" b="b" c="c"`, "/titledMany": `A="a" B="b"`, "/typed": `1="1" 1=1 1.5=1.5 true=true`,
	} {
		if got := titles(p); got != want {
			t.Errorf("%s: %s, want %s", p, got, want)
		}
	}
	if !at(t, f, "/typed").Nullable() {
		t.Error("null in an enum is the null state")
	}
	at(t, f, "/legacy").SetChoice(1)
	at(t, f, "/titled").SetText("Red")
	at(t, f, "/typed").SetText("1.5")
	many := at(t, f, "/many")
	many.SetChosen(2, true)
	many.SetChosen(0, true)
	many.SetChosen(1, true)
	wantValue(t, f, `{"legacy":"b","titled":"#f00","many":["c","a","b"],"typed":1.5}`)
	wantProblems(t, f, "/many must have at most 2 items, has 3")
	many.SetChosen(2, false)
	if got := many.Chosen(); !got[0] || !got[1] || got[2] {
		t.Errorf("chosen %v", got)
	}
	many.SetChosen(0, false)
	many.SetChosen(1, false)
	wantValue(t, f, `{"legacy":"b","titled":"#f00","many":[],"typed":1.5}`)
	wantProblems(t, f, "/many must have at least 1 item, has 0")
	many.Clear()
	wantProblems(t, f, "")
	at(t, f, "/typed").SetText("nothing")
	wantProblems(t, f, `/typed must be one of "1", 1, 1.5 or true`)
}

// P10: repeated choices are shown once, a null property is a JSON field, and no
// property name is special.
func TestOddProperties(t *testing.T) {
	f := form(t, `{"type":"object","properties":{"e":{"enum":["a","a","b"]},"x":null,"__proto__":{"type":"string"},"constructor":{"type":"integer"},"":{"type":"string"},"a/b~c":{"type":"string"}}}`)
	if n := len(at(t, f, "/e").Choices()); n != 2 {
		t.Errorf("%d choices", n)
	}
	if x := at(t, f, "/x"); x.Kind() != KindJSON || x.Reason() != "the schema here is null, not an object" {
		t.Errorf("x: %v %q", x.Kind(), x.Reason())
	}
	at(t, f, "/__proto__").SetText("p")
	at(t, f, "/constructor").SetText("1")
	at(t, f, "/").SetText("empty")
	at(t, f, "/a~1b~0c").SetText("odd")
	at(t, f, "/x").SetText("[1]")
	wantValue(t, f, `{"x":[1],"__proto__":"p","constructor":1,"":"empty","a/b~c":"odd"}`)
	if len(f.Schema().Problems()) != 2 {
		t.Errorf("findings: %s", lines(f.Schema().Problems()))
	}
}

// Case 54: a reference to a sibling property, with its own description.
func TestReferenceToAProperty(t *testing.T) {
	f := form(t, `{"type":"object","properties":{"dateRangeBegin":{"type":"string","pattern":"^\\d{4}-\\d{2}-\\d{2}$","description":"begin"},
		"dateRangeEnd":{"$ref":"#/properties/dateRangeBegin","description":"end"}}}`)
	n := at(t, f, "/dateRangeEnd")
	if n.Kind() != KindText || n.Description() != "end" || n.Hints().Pattern == "" {
		t.Errorf("%v %q %q", n.Kind(), n.Description(), n.Hints().Pattern)
	}
	n.SetText("x")
	wantProblems(t, f, `/dateRangeEnd must match the pattern ^\d{4}-\d{2}-\d{2}$`)
}

// Cases 69 and 70: the description beside an anyOf is shown, whatever is picked.
func TestDescriptionsOfUnions(t *testing.T) {
	for _, s := range []string{
		`{"anyOf":[{"type":"integer"},{"type":"string"}],"description":"says"}`,
		`{"anyOf":[{"type":"integer"},{"type":"null"}],"description":"says"}`,
		`{"anyOf":[{"type":"integer","description":"says"},{"type":"null"}]}`,
		`{"$ref":"#/$defs/x","$defs":{"x":{"type":"string","description":"says"}}}`,
	} {
		if got := form(t, s).Root().Description(); got != "says" {
			t.Errorf("%s: %q", s, got)
		}
	}
}

// Case 74: two forms of one schema share nothing.
func TestFormsAreIndependent(t *testing.T) {
	s, _ := Compile(jsontext.Value(`{"type":"object","properties":{"q":{"type":"string"}}}`))
	a, b := NewForm(s), NewForm(s)
	a.Root().Member("q").SetText("x")
	wantValue(t, b, `{}`)
}

// Cases 97 and 101, ELIC-11: everything optional and empty is {}; nested
// sections work too.
func TestElicitationOutsideTheSubset(t *testing.T) {
	f := form(t, `{"type":"object","properties":{"note":{"type":"string"},"a":{"type":"object","properties":{"b":{"type":"integer"}}}}}`)
	wantValue(t, f, `{}`)
	wantProblems(t, f, "")
	at(t, f, "/a").Enable()
	at(t, f, "/a/b").SetText("9007199254740993") // case 192
	wantValue(t, f, `{"a":{"b":9007199254740993}}`)
}

// P11: all of these are checked at the field.
func TestChecksAtTheField(t *testing.T) {
	f := form(t, `{"type":"object","properties":{"mail":{"type":"string","format":"email"},"p":{"type":"string","pattern":"^a","minLength":3},
		"x":{"type":"number","exclusiveMinimum":0,"multipleOf":0.5},"l":{"type":"array","items":{"type":"string"},"minItems":3,"uniqueItems":true},
		"n":{"type":"object","properties":{"r":{"type":"string"}},"required":["r"]},"card":{"type":"string"},"zip":{"type":"string"},"k":{"enum":["a","b"]},"extra":{"type":"string"}},
		"dependentRequired":{"card":["zip"]},"if":{"properties":{"k":{"const":"a"}},"required":["k"]},"then":{"required":["extra"]}}`)
	at(t, f, "/mail").SetText("x")
	at(t, f, "/p").SetText("b")
	at(t, f, "/x").SetText("0")
	l := at(t, f, "/l")
	l.AddItem().SetText("a")
	l.AddItem().SetText("a")
	at(t, f, "/n").Enable()
	at(t, f, "/card").SetText("1")
	at(t, f, "/k").SetChoice(0)
	wantProblems(t, f, strings.Join([]string{
		"/mail must be an e-mail address such as name@example.com",
		"/p must be at least 3 characters, has 1",
		"/p must match the pattern ^a",
		"/x must be more than 0",
		"/l must have at least 3 items, has 2",
		"/l must not repeat a value: items 1 and 2 are equal",
		"/n/r is required",
		`/zip is required when "card" is given`,
		"/extra is required",
	}, "\n"))
	if got := lines(at(t, f, "/zip").Problems()); got != `/zip is required when "card" is given` {
		t.Errorf("at the field: %q", got)
	}
	if !at(t, f, "/zip").Required() || !at(t, f, "/extra").Required() || at(t, f, "/card").Required() {
		t.Error("required marks")
	}
	at(t, f, "/card").Clear()
	at(t, f, "/k").SetChoice(1)
	if at(t, f, "/zip").Required() || at(t, f, "/extra").Required() {
		t.Error("required marks must follow")
	}
}

// P11: root anyOf of required is a rule, not a picker.
func TestAnyOfRequired(t *testing.T) {
	f := form(t, `{"type":"object","properties":{"id":{"type":"string"},"name":{"type":"string"}},"anyOf":[{"required":["id"]},{"required":["name"]}]}`)
	if len(f.Root().Pickers()) != 0 {
		t.Error("no picker")
	}
	wantProblems(t, f, `must match at least one choice: "id" is required; "name" is required`)
	at(t, f, "/name").SetText("x")
	wantProblems(t, f, "")
}

// P16: what breaks the schema can still be sent on purpose.
func TestInvalidValuesAreStillValues(t *testing.T) {
	f := form(t, `{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"string"}},"required":["a","b"]}`)
	wantProblems(t, f, "/a is required\n/b is required")
	wantValue(t, f, `{}`)
	at(t, f, "/a").SetNull()
	wantValue(t, f, `{"a":null}`)
	a := at(t, f, "/a")
	a.EditJSON(true)
	a.SetText(`"text"`) // case 191
	wantValue(t, f, `{"a":"text"}`)
	wantProblems(t, f, "/a must be a whole number, not text\n/b is required")
}

// Case 106: the form of server-everything with its thirteen fields.
func TestElicitationOfServerEverything(t *testing.T) {
	inputs, _ := corpus(t)
	var f *Form
	for _, c := range inputs {
		if strings.HasPrefix(c.name, "npm-everything.json Please provide") {
			f = form(t, string(c.text))
		}
	}
	if f == nil {
		t.Fatal("no schema")
	}
	if got := len(f.Root().Children()); got != 13 {
		t.Errorf("%d fields", got)
	}
	wantValue(t, f, `{"firstLine":"It was a dark and stormy night.","integer":42,"number":3.14,"untitledSingleSelectEnum":"Monica","untitledMultipleSelectEnum":["Guitar"],`+
		`"titledSingleSelectEnum":"hero-1","titledMultipleSelectEnum":["fish-1"],"legacyTitledEnum":"pet-1"}`)
	wantProblems(t, f, "/name is required")
	at(t, f, "/name").SetText("Ada")
	at(t, f, "/email").SetText("ada@")
	at(t, f, "/birthdate").SetText("2026-02-30")
	at(t, f, "/homepage").SetText("example.com")
	at(t, f, "/integer").SetText("101")
	many := at(t, f, "/untitledMultipleSelectEnum")
	for i := range many.Choices() {
		many.SetChosen(i, true)
	}
	wantProblems(t, f, strings.Join([]string{
		"/email must be an e-mail address such as name@example.com",
		"/homepage must be a complete URI such as https://example.com",
		"/birthdate must be a date such as 2026-11-30",
		"/integer must be at most 100",
		"/untitledMultipleSelectEnum must have at most 3 items, has 5",
	}, "\n"))
	if legacy := at(t, f, "/legacyTitledEnum"); legacy.Choices()[legacy.Selected()].Title != "Cats" {
		t.Error("legacy names")
	}
}
