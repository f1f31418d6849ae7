package schema

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func names(nodes []*Node) string {
	var out []string
	for _, n := range nodes {
		out = append(out, n.Name())
	}
	return strings.Join(out, " ")
}

// What is loaded comes out again: order, number text, unknown members, repeated
// names, escapes, values of the wrong kind.
func TestLoadLosesNothing(t *testing.T) {
	schema := `{"type":"object","properties":{"a":{"type":"string"},"n":{"type":"number"},"o":{"type":"object","properties":{"x":{"type":"integer"}}},
		"l":{"type":"array","items":{"type":"integer"}},"t":{"type":"array","prefixItems":[{"type":"string"}]},"m":{"type":"array","items":{"enum":["a","b"]}},
		"s":{"enum":["a","b"]},"k":{"const":1},"b":{"type":"boolean"},"v":{"oneOf":[{"properties":{"p":{"const":1}}},{"properties":{"q":{"type":"string"}}}]}}}`
	for _, value := range []string{
		`{"n":1.0,"a":"x","zz":{"deep":[1e400,-0,9007199254740993]},"o":{"y":1,"x":2}}`,
		`{"a":"x","a":"y"}`,
		`{"a":"\ud800 A","\u0062":true}`,
		`{"a":5,"n":"5","o":[1],"l":{"a":1},"t":"x","m":"a","s":"c","k":2,"b":"true","v":[]}`,
		`{"l":[1,"x",null],"t":["a",2,3],"m":["b","z","b"]}`,
		`{"a":null,"n":null,"o":null,"l":null,"s":null,"k":null,"b":null,"v":null}`,
		`{"v":{"q":"x","other":1}}`,
		`{"__proto__":1,"":2}`,
		`[1,2]`, `"text"`, `null`, `1.50`, `{}`,
	} {
		f := form(t, schema)
		if err := f.SetValue(jsontext.Value(value)); err != nil {
			t.Fatal(err)
		}
		wantValue(t, f, value)
		f.Root().walk(func(n *Node) {
			n.Text()
			n.Label()
			n.Hints()
			n.Pickers()
			n.Chosen()
			n.Selected()
		})
		wantValue(t, f, value)
		f.Problems()
		wantValue(t, f, value)
	}
}

// An edit changes its own place only.
func TestEditKeepsTheRest(t *testing.T) {
	f := form(t, `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"object","properties":{"c":{"type":"integer"}}},"d":{"type":"string"}}}`)
	if err := f.SetValue(jsontext.Value(`{"zz":1.0,"b":{"u":[1,2],"c":1},"a":"x"}`)); err != nil {
		t.Fatal(err)
	}
	b := at(t, f, "/b")
	at(t, f, "/b/c").SetText("2.0")
	wantValue(t, f, `{"zz":1.0,"b":{"u":[1,2],"c":2.0},"a":"x"}`)
	at(t, f, "/d").SetText("new")
	wantValue(t, f, `{"zz":1.0,"b":{"u":[1,2],"c":2.0},"a":"x","d":"new"}`)
	if got := names(f.Root().Children()); got != "a b d zz" {
		t.Errorf("children %s", got)
	}
	// Going through the JSON view and back keeps the nodes.
	if err := f.SetValue(jsontext.Value(f.Text())); err != nil {
		t.Fatal(err)
	}
	if at(t, f, "/b") != b || b.Detached() {
		t.Error("the node of a member that is still there must stay")
	}
	if err := f.SetValue(jsontext.Value(`{"a":`)); err == nil || !strings.Contains(err.Error(), "line 1, column 6") {
		t.Errorf("error %v", err)
	}
	wantValue(t, f, `{"zz":1.0,"b":{"u":[1,2],"c":2.0},"a":"x","d":"new"}`)
}

// Values of another kind are shown as JSON until they are mended.
func TestMisfits(t *testing.T) {
	f := form(t, `{"type":"object","properties":{"n":{"type":"number"}}}`)
	if err := f.SetValue(jsontext.Value(`{"n":"5"}`)); err != nil {
		t.Fatal(err)
	}
	n := at(t, f, "/n")
	if n.Kind() != KindJSON || n.Reason() != "the value is text where the schema asks for a number" || n.Text() != `"5"` {
		t.Errorf("%v %q %q", n.Kind(), n.Reason(), n.Text())
	}
	if n.EditJSON(false) {
		t.Error("text has no place in a number entry")
	}
	n.SetText("5")
	if n.Kind() != KindJSON {
		t.Error("the control must not change under the caret")
	}
	if !n.EditJSON(false) || n.Kind() != KindNumber || n.Text() != "5" {
		t.Errorf("%v %q", n.Kind(), n.Text())
	}
}

// Case 56: a picker with titles; switching keeps what both branches have and
// gives back what only one has.
func TestVariantsOfObjects(t *testing.T) {
	f := form(t, `{"type":"object","properties":{"note":{"type":"string"}},"oneOf":[
		{"title":"By id","properties":{"id":{"type":"integer"}},"required":["id"]},
		{"title":"By name","properties":{"name":{"type":"string"}},"required":["name"]}]}`)
	r := f.Root()
	p := r.Pickers()
	if len(p) != 1 || strings.Join(p[0].Titles, ",") != "By id,By name" || p[0].Picked != 0 {
		t.Fatalf("%+v", p)
	}
	at(t, f, "/id").SetText("7")
	at(t, f, "/note").SetText("n")
	r.SetVariant(0, 1)
	if got := names(r.Children()); got != "note name" {
		t.Errorf("children %s", got)
	}
	wantValue(t, f, `{"note":"n"}`)
	wantProblems(t, f, "/name is required")
	at(t, f, "/name").SetText("x")
	wantValue(t, f, `{"note":"n","name":"x"}`)
	r.SetVariant(0, 0)
	wantValue(t, f, `{"note":"n","id":7}`)
	wantProblems(t, f, "")
	if err := f.SetValue(jsontext.Value(`{"name":"y"}`)); err != nil {
		t.Fatal(err)
	}
	if r.Pickers()[0].Picked != 1 {
		t.Error("a loaded value picks its branch")
	}
}

func TestDiscriminatedVariants(t *testing.T) {
	f := form(t, `{"type":"object","properties":{"shape":{"oneOf":[{"$ref":"#/$defs/Circle"},{"$ref":"#/$defs/Rect"}]}},"required":["shape"],
		"$defs":{"Circle":{"type":"object","properties":{"kind":{"const":"circle"},"r":{"type":"number"}},"required":["kind","r"]},
		"Rect":{"type":"object","properties":{"kind":{"const":"rect"},"w":{"type":"number","default":1},"r":{"type":"number"}},"required":["kind","w"]}}}`)
	n := at(t, f, "/shape")
	if got := strings.Join(n.Pickers()[0].Titles, ","); got != "Circle,Rect" {
		t.Errorf("titles %s", got)
	}
	wantValue(t, f, `{"shape":{"kind":"circle"}}`)
	wantProblems(t, f, "/shape/r is required")
	at(t, f, "/shape/r").SetText("2")
	n.SetVariant(0, 1)
	wantValue(t, f, `{"shape":{"kind":"rect","w":1,"r":2}}`)
	wantProblems(t, f, "")
	if err := f.SetValue(jsontext.Value(`{"shape":{"kind":"rect","w":"x"}}`)); err != nil {
		t.Fatal(err)
	}
	if at(t, f, "/shape").Pickers()[0].Picked != 1 {
		t.Error("the discriminator decides, although the value is not valid")
	}
	wantProblems(t, f, "/shape/w must be a number, not text")
	at(t, f, "/shape").SetVariant(0, 0)
	wantValue(t, f, `{"shape":{"kind":"circle"}}`)
}

// Case 69: a union of types is a picker; typed text goes along.
func TestVariantsOfTypes(t *testing.T) {
	for _, schema := range []string{
		`{"type":"object","properties":{"v":{"anyOf":[{"type":"string"},{"type":"integer"},{"type":"array","items":{"type":"string"}}]}}}`,
		`{"type":"object","properties":{"v":{"type":["string","integer","array"],"items":{"type":"string"}}}}`,
	} {
		f := form(t, schema)
		n := at(t, f, "/v")
		pick := func(title string) {
			t.Helper()
			for i, s := range n.Pickers()[0].Titles {
				if strings.HasPrefix(s, title) {
					n.SetVariant(0, i)
					return
				}
			}
			t.Fatalf("no %q in %v", title, n.Pickers()[0].Titles)
		}
		wantValue(t, f, `{}`)
		n.SetText("5")
		wantValue(t, f, `{"v":"5"}`)
		pick("a whole number")
		wantValue(t, f, `{"v":5}`)
		pick("a list")
		wantValue(t, f, `{"v":[]}`)
		n.AddItem().SetText("x")
		pick("text")
		wantValue(t, f, `{"v":"5"}`)
		n.SetText("abc")
		pick("a list")
		wantValue(t, f, `{"v":["x"]}`)
		pick("a whole number")
		n.SetText("abc")
		if n.State() != StateDraft {
			t.Error("abc is no whole number")
		}
		if err := f.SetValue(jsontext.Value(`{"v":["y"]}`)); err != nil {
			t.Fatal(err)
		}
		if n.Kind() != KindArray {
			t.Errorf("a loaded list picks the list, not %v", n.Kind())
		}
	}
}

// Switching variants with errors reports the errors of the picked one.
func TestProblemsOfThePickedVariant(t *testing.T) {
	f := form(t, `{"type":"object","properties":{"v":{"anyOf":[{"type":"string","minLength":5},{"type":"string","pattern":"^x","title":"X"}]}}}`)
	n := at(t, f, "/v")
	n.SetText("abc")
	wantProblems(t, f, "/v must be at least 5 characters, has 3")
	n.SetVariant(0, 1)
	wantProblems(t, f, "/v must match the pattern ^x")
}

func TestNullIsAState(t *testing.T) {
	f := form(t, `{"type":"object","properties":{"c":{"anyOf":[{"$ref":"#/$defs/C"},{"type":"null"}]},"o":{"anyOf":[{"type":"object","properties":{"x":{"type":"string"}}},{"type":"null"}]}},"required":["c"],
		"$defs":{"C":{"enum":["r","g"],"title":"Colour"}}}`)
	c := at(t, f, "/c")
	if !c.Nullable() || len(c.Pickers()) != 0 || len(c.Choices()) != 2 || c.Label() != "Colour" {
		t.Errorf("%v %v %v %q", c.Nullable(), c.Pickers(), c.Choices(), c.Label())
	}
	c.SetNull()
	wantValue(t, f, `{"c":null}`)
	wantProblems(t, f, "")
	c.SetChoice(1)
	wantValue(t, f, `{"c":"g"}`)
	o := at(t, f, "/o")
	o.Enable()
	at(t, f, "/o/x").SetText("1")
	o.SetNull()
	wantValue(t, f, `{"c":"g","o":null}`)
	if o.State() != StateNull || len(o.Children()) != 0 {
		t.Errorf("%v", o.State())
	}
}

func TestConditionalFields(t *testing.T) {
	f := form(t, `{"type":"object","properties":{"country":{"enum":["US","NL"]},"card":{"type":"string"}},
		"if":{"properties":{"country":{"const":"US"}},"required":["country"]},
		"then":{"properties":{"zip":{"type":"string","default":"00000"}},"required":["zip"]},
		"else":{"properties":{"postcode":{"type":"string"}}},
		"dependentSchemas":{"card":{"properties":{"cvv":{"type":"integer"}},"required":["cvv"]}}}`)
	r := f.Root()
	if got := names(r.Children()); got != "country card postcode" {
		t.Errorf("children %s", got)
	}
	at(t, f, "/country").SetChoice(0)
	if got := names(r.Children()); got != "country card zip" {
		t.Errorf("children %s", got)
	}
	wantValue(t, f, `{"country":"US","zip":"00000"}`)
	at(t, f, "/zip").SetText("12345")
	at(t, f, "/country").SetChoice(1)
	wantValue(t, f, `{"country":"NL"}`)
	at(t, f, "/country").SetChoice(0)
	wantValue(t, f, `{"country":"US","zip":"12345"}`) // kept aside, not lost
	at(t, f, "/card").SetText("1")
	if got := names(r.Children()); got != "country card zip cvv" {
		t.Errorf("children %s", got)
	}
	wantProblems(t, f, "/cvv is required")
	at(t, f, "/card").Clear()
	wantProblems(t, f, "")
	// What was loaded stays, described or not.
	if err := f.SetValue(jsontext.Value(`{"zip":"1","country":"NL"}`)); err != nil {
		t.Fatal(err)
	}
	wantValue(t, f, `{"zip":"1","country":"NL"}`)
	if zip := at(t, f, "/zip"); zip.Declared() || !zip.CanRemove() {
		t.Error("zip is an extra member now")
	}
}

// A condition deep in the value changes a form above it.
func TestConditionOnANestedValue(t *testing.T) {
	f := form(t, `{"type":"object","properties":{"a":{"type":"object","properties":{"on":{"type":"boolean"}}}},"required":["a"],
		"if":{"properties":{"a":{"properties":{"on":{"const":true}},"required":["on"]}}},"then":{"properties":{"b":{"type":"string"}}}}`)
	if f.Root().Member("b") != nil {
		t.Error("b before")
	}
	rev := f.Root().Revision()
	at(t, f, "/a/on").SetBool(true)
	if f.Root().Member("b") == nil || f.Root().Revision() == rev {
		t.Error("b after")
	}
}

func TestDraft07Dependencies(t *testing.T) {
	f := form(t, `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"a":{"type":"string"}},"dependencies":{"a":{"properties":{"b":{"type":"string"}}}}}`)
	at(t, f, "/a").SetText("x")
	at(t, f, "/b").SetText("y")
	wantValue(t, f, `{"a":"x","b":"y"}`)
}

func TestRows(t *testing.T) {
	f := form(t, `{"type":"object","properties":{"l":{"type":"array","items":{"type":"integer"},"minItems":1},"p":{"type":"array","items":{"type":"object","properties":{"x":{"type":"string","default":"d"},"y":{"type":"string"}},"required":["x","y"]}}},"required":["p"]}`)
	wantValue(t, f, `{"p":[]}`)
	l := at(t, f, "/l")
	a := l.AddItem()
	if a.State() != StateDraft || a.Pointer() != "/l/0" || !a.Required() {
		t.Errorf("%v %s", a.State(), a.Pointer())
	}
	wantProblems(t, f, "/l/0 has no value yet")
	a.SetText("1")
	b, c := l.AddItem(), l.AddItem()
	b.SetText("2")
	c.SetText("3.0")
	c.Move(0)
	wantValue(t, f, `{"l":[3.0,1,2],"p":[]}`)
	if c.Pointer() != "/l/0" || b.Pointer() != "/l/2" {
		t.Errorf("pointers %s %s", c.Pointer(), b.Pointer())
	}
	a.Remove()
	wantValue(t, f, `{"l":[3.0,2],"p":[]}`)
	if !a.Detached() || b.Pointer() != "/l/1" {
		t.Error("removed row")
	}
	b.SetText("x")
	wantProblems(t, f, "/l/1 is not a JSON number such as 42, -1.5 or 2e10")
	b.SetText("")
	if b.State() != StateDraft || len(l.Children()) != 2 {
		t.Error("an item is never absent")
	}
	b.Remove()
	row := at(t, f, "/p").AddItem()
	wantValue(t, f, `{"l":[3.0],"p":[{"x":"d"}]}`)
	wantProblems(t, f, "/p/0/y is required")
	row.Member("y").SetText("v")
	l.Clear()
	wantValue(t, f, `{"p":[{"x":"d","y":"v"}]}`)
	s := form(t, `{"type":"array","items":{"type":"string"}}`)
	s.Root().AddItem().SetText("")
	wantValue(t, s, `[""]`)
}

func TestTuples(t *testing.T) {
	f := form(t, `{"type":"object","properties":{"t":{"type":"array","prefixItems":[{"type":"string"},{"const":7},{"type":"boolean"}],"items":{"type":"integer"}}}}`)
	n := at(t, f, "/t")
	n.Enable()
	if got := len(n.Children()); got != 3 {
		t.Fatalf("%d places", got)
	}
	wantValue(t, f, `{"t":[null,7]}`)
	wantProblems(t, f, "/t/0 is required")
	at(t, f, "/t/0").SetText("a")
	at(t, f, "/t/2").SetBool(true)
	if !n.CanAdd() {
		t.Error("rows may follow")
	}
	n.AddItem().SetText("5")
	wantValue(t, f, `{"t":["a",7,true,5]}`)
	wantProblems(t, f, "")
	if at(t, f, "/t/1").CanRemove() || !at(t, f, "/t/3").CanRemove() {
		t.Error("only rows after the places can be removed")
	}
	closed := form(t, `{"prefixItems":[{"type":"string"}],"items":false}`)
	if closed.Root().CanAdd() {
		t.Error("nothing may follow")
	}
}

func TestMaps(t *testing.T) {
	f := form(t, `{"type":"object","properties":{"env":{"type":"object","additionalProperties":{"type":"string"},"patternProperties":{"^N_":{"type":"integer"}},"propertyNames":{"pattern":"^[A-Z_]+$"}}}}`)
	env := at(t, f, "/env")
	if env.Kind() != KindMap || !env.CanAdd() {
		t.Fatal(env.Kind())
	}
	a, err := env.AddMember("KEY")
	if err != nil || a.Kind() != KindText || a.Declared() {
		t.Fatal(err, a.Kind())
	}
	a.SetText("v")
	b, err := env.AddMember("N_X")
	if err != nil || b.Kind() != KindInteger {
		t.Fatal(err, b.Kind())
	}
	b.SetText("1")
	wantValue(t, f, `{"env":{"KEY":"v","N_X":1}}`)
	if _, err := env.AddMember("KEY"); !errors.Is(err, errName) {
		t.Errorf("taken name: %v", err)
	}
	if err := a.Rename("bad"); err != nil {
		t.Fatal(err)
	}
	wantValue(t, f, `{"env":{"bad":"v","N_X":1}}`)
	wantProblems(t, f, `/env/bad has a name that must match the pattern ^[A-Z_]+$`)
	if err := a.Rename("N_X"); !errors.Is(err, errName) {
		t.Errorf("taken name: %v", err)
	}
	a.Remove()
	wantValue(t, f, `{"env":{"N_X":1}}`)
	if err := b.Rename("TEXT"); err != nil || b.Kind() != KindText {
		t.Errorf("%v %v", err, b.Kind())
	}
	root := form(t, `{"type":"object"}`)
	c, err := root.Root().AddMember("any")
	if err != nil || c.Kind() != KindAny {
		t.Fatal(err)
	}
	wantProblems(t, root, "/any has no value yet")
	c.SetText(`{"x":[1.0]}`)
	wantValue(t, root, `{"any":{"x":[1.0]}}`)
}

// Recursion opens step by step, and required recursion does not fill in for ever.
func TestRecursionIsLazy(t *testing.T) {
	f := form(t, `{"$defs":{"node":{"type":"object","properties":{"v":{"type":"integer"},"next":{"$ref":"#/$defs/node"},"kids":{"type":"array","items":{"$ref":"#/$defs/node"}}},"required":["next"]}},"$ref":"#/$defs/node"}`)
	n := f.Root()
	for range 20 {
		n = n.Member("next")
		if n.State() != StateAbsent {
			t.Fatal("opened by itself")
		}
		n.Enable()
	}
	n.Member("v").SetText("1")
	if got := strings.Count(f.Text(), `"next"`); got != 20 {
		t.Errorf("%d levels", got)
	}
	n.Member("kids").AddItem().Member("v").SetText("2")
	if v, _ := f.Value(); !strings.Contains(string(v), `"kids":[{"v":2}]`) {
		t.Errorf("%s", v)
	}
	mutual := form(t, `{"type":"object","required":["a"],"properties":{"a":{"$ref":"#/$defs/b"}},"$defs":{"b":{"type":"object","required":["c"],"properties":{"c":{"$ref":"#"}}}}}`)
	wantValue(t, mutual, `{"a":{}}`)
}

func TestHints(t *testing.T) {
	f := form(t, `{"type":"object","properties":{"s":{"type":"string","title":"Name","description":"d","minLength":1,"maxLength":9,"pattern":"^a","format":"email","examples":["x"],"deprecated":true,"readOnly":true,"writeOnly":true,"default":"q","x-mcp-header":"City","contentEncoding":"base64","contentMediaType":"image/png"},
		"n":{"allOf":[{"type":"number","minimum":1,"maximum":10},{"exclusiveMinimum":2,"multipleOf":0.5}]},
		"l":{"type":"array","items":{},"minItems":1,"maxItems":3,"uniqueItems":true},"m":{"type":"object","minProperties":1,"maxProperties":2}}}`)
	s := at(t, f, "/s")
	h := s.Hints()
	if s.Label() != "Name" || s.Description() != "d" || h.MinLength != 1 || h.MaxLength != 9 || h.Pattern != "^a" || h.Format != "email" ||
		fmt.Sprintf("%s", h.Examples) != `["x"]` || !h.Deprecated || !h.ReadOnly || !h.WriteOnly || string(h.Default) != `"q"` ||
		h.Header != "City" || h.ContentEncoding != "base64" || h.ContentMediaType != "image/png" {
		t.Errorf("%+v", h)
	}
	h = at(t, f, "/n").Hints()
	if h.Minimum != "2" || !h.ExclusiveMinimum || h.Maximum != "10" || h.ExclusiveMaximum || h.MultipleOf != "0.5" {
		t.Errorf("%+v", h)
	}
	h = at(t, f, "/l").Hints()
	if h.MinItems != 1 || h.MaxItems != 3 || !h.Unique || h.MaxLength != -1 {
		t.Errorf("%+v", h)
	}
	if h = at(t, f, "/m").Hints(); h.MinMembers != 1 || h.MaxMembers != 2 {
		t.Errorf("%+v", h)
	}
}

// A schema that is not usable still makes a form.
func TestFormsOfUnusableSchemas(t *testing.T) {
	f := form(t, `{"$schema":"https://example.com/d","type":"object","properties":{"a":{"type":"string"}}}`)
	at(t, f, "/a").SetText("x")
	wantValue(t, f, `{"a":"x"}`)
	if ps := f.Problems(); len(ps) != 1 || ps[0].Rule != "BASE-25" {
		t.Errorf("%s", lines(ps))
	}
	f = form(t, `{"type":`)
	if f.Root().Kind() != KindAny {
		t.Errorf("%v", f.Root().Kind())
	}
	f.Root().SetText(`{"a":1.0}`)
	wantValue(t, f, `{"a":1.0}`)
}

// A pattern that is not supported is a note and never in the way.
func TestUnsupportedPattern(t *testing.T) {
	f := form(t, `{"type":"object","properties":{"p":{"type":"string","pattern":"^(?=.*[A-Z]).{8,}$"}}}`)
	at(t, f, "/p").SetText("x")
	wantProblems(t, f, "")
	if ps := f.Schema().Problems(); len(ps) != 1 || ps[0].Rule != "schema.pattern" {
		t.Errorf("%s", lines(ps))
	}
}

func TestRevisions(t *testing.T) {
	f := form(t, `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"dependentRequired":{"a":["b"]}}`)
	a, b := at(t, f, "/a"), at(t, f, "/b")
	f.Problems()
	rev, ra, rb := f.Revision(), a.Revision(), b.Revision()
	a.SetText("x")
	f.Problems()
	if f.Revision() == rev || a.Revision() == ra || b.Revision() == rb {
		t.Error("a changed and b became required")
	}
	ra, rb = a.Revision(), b.Revision()
	a.SetText("y")
	f.Problems()
	if a.Revision() == ra || b.Revision() != rb {
		t.Error("only a changed")
	}
}
