package schema

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// The inputs of the collection of cases, each under its number, with what is to
// come of it. Other tests go further into the same kinds.
func TestCases(t *testing.T) {
	absent := func(schema string) func(*testing.T) {
		return func(t *testing.T) {
			f := form(t, schema)
			wantValue(t, f, `{}`)
			wantProblems(t, f, "")
		}
	}
	choices := func(n *Node) string {
		var out []string
		for _, c := range n.Choices() {
			out = append(out, c.Title+"="+c.JSON())
		}
		return strings.Join(out, " ")
	}
	for _, c := range []struct {
		id   string
		does func(t *testing.T)
	}{
		{"C46 an empty boolean is absent", absent(`{"type":"object","properties":{"raw":{"type":"boolean"}}}`)},
		{"C47 an empty list is absent", absent(`{"properties":{"include":{"type":"array","items":{"type":"string"}}}}`)},
		{"C48 a cleared text is absent and an empty one is sent on purpose", func(t *testing.T) {
			f := form(t, `{"type":"object","properties":{"s":{"type":"string"}}}`)
			s := at(t, f, "/s")
			s.SetText("x")
			s.SetText("")
			wantValue(t, f, `{}`)
			s.SetEmpty()
			wantValue(t, f, `{"s":""}`)
		}},
		{"C50 null is a state and the word is a text", func(t *testing.T) {
			f := form(t, `{"type":"object","properties":{"s":{"type":["string","null"]},"l":{"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"null"}]}}}`)
			at(t, f, "/s").SetText("null")
			at(t, f, "/l").SetNull()
			wantValue(t, f, `{"s":"null","l":null}`)
			at(t, f, "/s").SetNull()
			wantValue(t, f, `{"s":null,"l":null}`)
			wantProblems(t, f, "")
		}},
		{"C51 a nullable enum is a select of two and null", func(t *testing.T) {
			f := form(t, `{"type":"object","properties":{"t":{"anyOf":[{"type":"string","enum":["envio","recebimento"]},{"type":"null"}]}}}`)
			n := at(t, f, "/t")
			if n.Kind() != KindSelect || !n.Nullable() || choices(n) != `envio="envio" recebimento="recebimento"` {
				t.Errorf("%v, nullable %v, %s", n.Kind(), n.Nullable(), choices(n))
			}
		}},
		{"C54 a reference to a property is that field with its own words", func(t *testing.T) {
			f := form(t, `{"type":"object","properties":{"dateRangeBegin":{"type":"string","pattern":"^\\d{4}-\\d{2}-\\d{2}$"},"dateRangeEnd":{"$ref":"#/properties/dateRangeBegin","description":"The end"}}}`)
			n := at(t, f, "/dateRangeEnd")
			if n.Kind() != KindText || n.Description() != "The end" {
				t.Errorf("%v %q", n.Kind(), n.Description())
			}
			n.SetText("2026-11-30")
			wantValue(t, f, `{"dateRangeEnd":"2026-11-30"}`)
			wantProblems(t, f, "")
		}},
		{"C55 a reference inside anyOf is a select with null", func(t *testing.T) {
			f := form(t, `{"$defs":{"C":{"enum":["r","g"]}},"properties":{"c":{"anyOf":[{"$ref":"#/$defs/C"},{"type":"null"}]}}}`)
			n := at(t, f, "/c")
			if n.Kind() != KindSelect || !n.Nullable() || choices(n) != `r="r" g="g"` {
				t.Errorf("%v, nullable %v, %s", n.Kind(), n.Nullable(), choices(n))
			}
			again := form(t, `{"$defs":{"T":{"type":"object","properties":{"kids":{"type":"array","items":{"$ref":"#/$defs/T"}}}}},"$ref":"#/$defs/T"}`)
			kids := at(t, again, "/kids")
			kids.AddItem().Enable()
			if kids.Kind() != KindArray || at(t, again, "/kids/0/kids").State() != StateAbsent {
				t.Errorf("a recursive list is %v", kids.Kind())
			}
		}},
		{"C56 oneOf is a picker by titles", func(t *testing.T) {
			f := form(t, `{"oneOf":[{"title":"By id","properties":{"id":{"type":"integer"}},"required":["id"]},{"title":"By name","properties":{"name":{"type":"string"}},"required":["name"]}]}`)
			p := f.Root().Pickers()
			if len(p) != 1 || strings.Join(p[0].Titles, ",") != "By id,By name" {
				t.Fatalf("pickers %+v", p)
			}
			f.Root().SetVariant(0, 1)
			at(t, f, "/name").SetText("x")
			wantValue(t, f, `{"name":"x"}`)
			wantProblems(t, f, "")
		}},
		{"C58 text under the caret is never rewritten", func(t *testing.T) {
			f := form(t, `{"type":"object","properties":{"l":{},"d":{"default":null}}}`)
			for pointer, typed := range map[string][]string{"/l": {"[1, 2]", "[1, 2", "[1, ", "[1"}, "/d": {"null", "nul", "nu"}} {
				for _, text := range typed {
					at(t, f, pointer).SetText(text)
					if got := at(t, f, pointer).Text(); got != text {
						t.Errorf("typed %q, it became %q", text, got)
					}
				}
			}
		}},
		{"C59 broken JSON blocks and is located", func(t *testing.T) {
			f := form(t, `{"type":"object","properties":{"o":{}}}`)
			at(t, f, "/o").SetText("{a:")
			if got := lines(f.Problems()); !strings.HasPrefix(got, "/o is not JSON: line 1, column 2") {
				t.Errorf("problems %s", got)
			}
			if v, drafts := f.Value(); v != nil || len(drafts) != 1 {
				t.Errorf("value %s, drafts %v", v, drafts)
			}
		}},
		{"C60 text that cannot be sent is not absent", func(t *testing.T) {
			f := form(t, `{"type":"object","properties":{"n":{"type":"integer"}}}`)
			at(t, f, "/n").SetText("twelve")
			if v, drafts := f.Value(); v != nil || len(drafts) != 1 || f.Text() != `{"n":twelve}` {
				t.Errorf("value %s, drafts %v, text %s", v, drafts, f.Text())
			}
		}},
		{"C62 C63 C64 C65 numbers are what was typed", func(t *testing.T) {
			f := form(t, `{"type":"object","properties":{"n":{"type":"number"}}}`)
			for _, typed := range []string{"90071992547409910", "9007199254740993", "1.0", "-74.01", "-5"} {
				for i := 1; i <= len(typed); i++ { // key by key
					at(t, f, "/n").SetText(typed[:i])
					if got := at(t, f, "/n").Text(); got != typed[:i] {
						t.Errorf("typed %q, it became %q", typed[:i], got)
					}
				}
				wantValue(t, f, `{"n":`+typed+`}`)
				wantProblems(t, f, "")
			}
		}},
		{"C66 an integer is a JSON number", func(t *testing.T) {
			f := form(t, `{"type":"object","properties":{"expiresIn":{"type":"integer"}}}`)
			at(t, f, "/expiresIn").SetText("7776000")
			wantValue(t, f, `{"expiresIn":7776000}`)
		}},
		{"C67 enums are selects, and lists of them too", func(t *testing.T) {
			f := form(t, `{"$defs":{"E":{"type":"string","enum":["a","b"]}},"properties":{"one":{"type":"string","enum":["a","b"]},"ref":{"$ref":"#/$defs/E"},"many":{"type":"array","items":{"enum":["a","b"]}}}}`)
			for pointer, want := range map[string]Kind{"/one": KindSelect, "/ref": KindSelect, "/many": KindMultiSelect} {
				if n := at(t, f, pointer); n.Kind() != want || choices(n) != `a="a" b="b"` {
					t.Errorf("%s: %v %s", pointer, n.Kind(), choices(n))
				}
			}
		}},
		{"C69 a union is a picker and keeps its description", func(t *testing.T) {
			n := form(t, `{"anyOf":[{"type":"integer"},{"type":"string"}],"description":"Id or name"}`).Root()
			if p := n.Pickers(); len(p) != 1 || len(p[0].Titles) != 2 || n.Description() != "Id or name" {
				t.Errorf("pickers %+v, description %q", p, n.Description())
			}
		}},
		{"C70 a nullable union keeps its description", func(t *testing.T) {
			n := form(t, `{"anyOf":[{"type":"integer"},{"type":"null"}],"description":"How many"}`).Root()
			if n.Kind() != KindInteger || !n.Nullable() || n.Description() != "How many" {
				t.Errorf("%v, nullable %v, description %q", n.Kind(), n.Nullable(), n.Description())
			}
		}},
		{"C71 an odd property costs itself alone", func(t *testing.T) {
			f := form(t, `{"type":"object","properties":{"q":"string","data":true,"good":{"type":"string"}}}`)
			if q := at(t, f, "/q"); q.Kind() != KindJSON || q.Reason() == "" || at(t, f, "/data").Kind() != KindAny {
				t.Errorf("q %v %q, data %v", q.Kind(), q.Reason(), at(t, f, "/data").Kind())
			}
			at(t, f, "/q").SetText(`[1]`)
			at(t, f, "/good").SetText("x")
			wantValue(t, f, `{"q":[1],"good":"x"}`)
		}},
		{"C72 what some clients refuse is a form and is noted", func(t *testing.T) {
			s, problems := Compile(jsontext.Value(`{"type":"object","properties":{"data":true,"b":{"type":["null","boolean"]},"deep":{"items":{"properties":{"x":false}}}}}`))
			if len(problems) != 0 {
				t.Errorf("it is a valid schema: %v", problems)
			}
			f := NewForm(s)
			if b := at(t, f, "/b"); at(t, f, "/data").Kind() != KindAny || b.Kind() != KindBoolean || !b.Nullable() {
				t.Errorf("data %v, b %v", at(t, f, "/data").Kind(), b.Kind())
			}
			if got, want := lines(s.Notes()), "/properties/data is valid JSON Schema, yet clients that take a schema for an object refuse true\n"+
				"/properties/b/type is valid JSON Schema, yet clients that take a type for one name refuse a list of types\n"+
				"/properties/deep/items/properties/x is valid JSON Schema, yet clients that take a schema for an object refuse false"; got != want {
				t.Errorf("notes\n%s\nwant\n%s", got, want)
			}
			for _, note := range s.Notes() {
				if at := note.Offset; at < 0 || !strings.ContainsAny(string(s.Raw()[at:at+1]), "tf[") {
					t.Errorf("%s is not at %d", note.Pointer, at)
				}
			}
		}},
		{"C74 forms of two tools share nothing", func(t *testing.T) {
			s, _ := Compile(jsontext.Value(`{"type":"object","properties":{"q":{"type":"string"}}}`))
			a, b := NewForm(s), NewForm(s)
			at(t, a, "/q").SetText("x")
			wantValue(t, b, `{}`)
		}},
		{"E97 all optional and empty is an object", absent(`{"type":"object","properties":{"note":{"type":"string"}}}`)},
		{"E98 five shapes of choices", func(t *testing.T) {
			f := form(t, `{"type":"object","properties":{"e":{"type":"string","enum":["a"," b"]},"n":{"enum":["a","b"],"enumNames":["A","B"]},"o":{"oneOf":[{"const":"#f00","title":"Red"},{"const":"#0f0","title":"Green"}]},
				"m":{"type":"array","items":{"enum":["a","b","c"]},"minItems":1,"maxItems":2},"t":{"type":"array","items":{"anyOf":[{"const":"a","title":"A"},{"const":"b","title":"B"}]}}}}`)
			for pointer, want := range map[string]string{"/e": `a="a"  b=" b"`, "/n": `A="a" B="b"`, "/o": `Red="#f00" Green="#0f0"`, "/m": `a="a" b="b" c="c"`, "/t": `A="a" B="b"`} {
				if got := choices(at(t, f, pointer)); got != want {
					t.Errorf("%s: %s, want %s", pointer, got, want)
				}
			}
			at(t, f, "/n").SetChoice(0)
			at(t, f, "/o").SetChoice(0)
			for i := range 3 {
				at(t, f, "/m").SetChosen(i, true)
			}
			at(t, f, "/t").SetChosen(0, true)
			wantValue(t, f, `{"n":"a","o":"#f00","m":["a","b","c"],"t":["a"]}`)
			wantProblems(t, f, "/m must have at most 2 items, has 3")
		}},
		{"E99 defaults are filled in once", func(t *testing.T) {
			f := form(t, `{"properties":{"n":{"type":"integer","default":5},"b":{"type":"boolean","default":true},"c":{"type":"string","enum":["one","two"],"default":"one"}}}`)
			wantValue(t, f, `{"n":5,"b":true,"c":"one"}`)
			at(t, f, "/n").Clear()
			wantValue(t, f, `{"b":true,"c":"one"}`)
		}},
		{"E100 references of a request are followed before it is checked", func(t *testing.T) {
			f := form(t, `{"type":"object","$defs":{"Age":{"type":"integer","minimum":18}},"properties":{"age":{"$ref":"#/$defs/Age"}},"required":["age"]}`)
			at(t, f, "/age").SetText("17")
			wantProblems(t, f, "/age must be at least 18")
			at(t, f, "/age").SetText("18")
			wantProblems(t, f, "")
		}},
		{"E101 a nested schema is a form", func(t *testing.T) {
			f := form(t, `{"properties":{"a":{"type":"object","properties":{}}}}`)
			wantValue(t, f, `{}`)
			at(t, f, "/a").Enable()
			wantValue(t, f, `{"a":{}}`)
		}},
		{"P10 repeated choices, null and __proto__ are shown with a finding", func(t *testing.T) {
			f := form(t, `{"type":"object","properties":{"e":{"enum":["a","a"]},"x":null,"__proto__":{"type":"string"}}}`)
			at(t, f, "/__proto__").SetText("p")
			at(t, f, "/x").SetText("1")
			wantValue(t, f, `{"x":1,"__proto__":"p"}`)
			if got := lines(f.Schema().Problems()); !strings.Contains(got, "/properties/e/enum/1 ") || !strings.Contains(got, "/properties/x ") {
				t.Errorf("findings %s", got)
			}
		}},
		{"P11 every rule is checked at its field", func(t *testing.T) {
			for _, x := range []struct{ schema, value, want string }{
				{`{"properties":{"x":{"format":"email"}}}`, `{"x":"a"}`, "/x must be an e-mail address such as name@example.com"},
				{`{"properties":{"x":{"pattern":"^b"}}}`, `{"x":"a"}`, "/x must match the pattern ^b"},
				{`{"properties":{"x":{"minLength":2}}}`, `{"x":"a"}`, "/x must be at least 2 characters, has 1"},
				{`{"properties":{"x":{"exclusiveMinimum":1}}}`, `{"x":1}`, "/x must be more than 1"},
				{`{"properties":{"x":{"multipleOf":3}}}`, `{"x":4}`, "/x must be a multiple of 3"},
				{`{"properties":{"x":{"minItems":1}}}`, `{"x":[]}`, "/x must have at least 1 item, has 0"},
				{`{"properties":{"x":{"maxItems":1}}}`, `{"x":[1,2]}`, "/x must have at most 1 item, has 2"},
				{`{"properties":{"x":{"uniqueItems":true}}}`, `{"x":[1,1]}`, "/x must not repeat a value: items 1 and 2 are equal"},
				{`{"properties":{"x":{"type":"object","properties":{"y":{}},"required":["y"]}}}`, `{"x":{}}`, "/x/y is required"},
				{`{"properties":{"x":{},"y":{}},"anyOf":[{"required":["x"]},{"required":["y"]}]}`, `{}`, `must match at least one choice: "x" is required; "y" is required`},
				{`{"properties":{"x":{},"y":{}},"if":{"required":["x"]},"then":{"required":["y"]},"else":{"required":["x"]}}`, `{"x":1}`, "/y is required"},
				{`{"properties":{"x":{},"y":{}},"dependentRequired":{"x":["y"]}}`, `{"x":1}`, `/y is required when "x" is given`},
			} {
				f := form(t, x.schema)
				if err := f.SetValue(jsontext.Value(x.value)); err != nil {
					t.Fatal(err)
				}
				wantProblems(t, f, x.want)
			}
		}},
		{"P12 numbers are kept, marked and sendable", func(t *testing.T) {
			f := form(t, `{"properties":{"n":{"type":"integer","maximum":1000}}}`)
			for typed, want := range map[string]string{"5000": "/n must be at most 1000", "1.5": "/n must be a whole number, not 1.5", "9007199254740993": "/n must be at most 1000"} {
				at(t, f, "/n").SetText(typed)
				wantValue(t, f, `{"n":`+typed+`}`)
				wantProblems(t, f, want)
			}
		}},
		{"P13 choices keep their types", func(t *testing.T) {
			f := form(t, `{"properties":{"e":{"enum":[1,2]},"o":{"oneOf":[{"const":1,"title":"One"},{"const":2}]},"m":{"enum":["a",1,null]}}}`)
			for pointer, want := range map[string]string{"/e": "1=1 2=2", "/o": "One=1 2=2", "/m": `a="a" 1=1`} {
				n := at(t, f, pointer)
				if got := choices(n); n.Kind() != KindSelect || got != want {
					t.Errorf("%s: %v %s, want %s", pointer, n.Kind(), got, want)
				}
				n.SetChoice(1)
			}
			wantValue(t, f, `{"e":2,"o":2,"m":1}`)
			at(t, f, "/m").SetNull()
			wantValue(t, f, `{"e":2,"o":2,"m":null}`)
			wantProblems(t, f, "")
		}},
		{"P14 a boolean has three states", func(t *testing.T) {
			f := form(t, `{"properties":{"r":{"type":"boolean"},"o":{"type":"boolean"}},"required":["r"]}`)
			wantProblems(t, f, "/r is required")
			at(t, f, "/r").SetBool(false) // at once, not by way of true
			at(t, f, "/o").SetBool(true)
			wantValue(t, f, `{"r":false,"o":true}`)
			at(t, f, "/o").Clear()
			wantValue(t, f, `{"r":false}`)
		}},
		{"P15 lists, tuples, unions, allOf and maps are native", func(t *testing.T) {
			f := form(t, `{"properties":{"s":{"type":"array","items":{"type":"string"}},"n":{"type":"array","items":{"type":"number"}},"t":{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}]},
				"u":{"type":["string","integer"]},"a":{"allOf":[{"properties":{"x":{"type":"string"}}},{"properties":{"y":{"type":"string"}}}]},"m":{"type":"object","additionalProperties":{"type":"integer"}}}}`)
			for pointer, want := range map[string]Kind{"/s": KindArray, "/n": KindArray, "/t": KindTuple, "/u": KindText, "/a": KindObject, "/m": KindMap} {
				if n := at(t, f, pointer); n.Kind() != want || n.Reason() != "" {
					t.Errorf("%s: %v %q", pointer, n.Kind(), n.Reason())
				}
			}
			at(t, f, "/n").AddItem().SetText("1.0")
			if m, err := at(t, f, "/m").AddMember("k"); err != nil {
				t.Error(err)
			} else {
				m.SetText("2")
			}
			wantValue(t, f, `{"n":[1.0],"m":{"k":2}}`)
			root := form(t, `{"type":"object"}`).Root()
			if root.Kind() != KindMap || !root.CanAdd() {
				t.Errorf("a root without properties is %v", root.Kind())
			}
		}},
		{"P16 what is missing or wrong is still a value", func(t *testing.T) {
			f := form(t, `{"properties":{"a":{"type":"integer"}},"required":["a"]}`)
			wantValue(t, f, `{}`)
			wantProblems(t, f, "/a is required")
		}},
	} {
		t.Run(c.id, c.does)
	}
}
