package schema

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
)

// lines shows problems as "pointer text", one a line.
func lines(ps []protocol.Problem) string {
	var out []string
	for _, p := range ps {
		out = append(out, strings.TrimSpace(p.Pointer+" "+p.Text))
	}
	return strings.Join(out, "\n")
}

func TestValidate(t *testing.T) {
	for _, c := range []struct{ name, schema, value, want string }{
		{"type", `{"type":"string"}`, `5`, "must be text, not 5"},
		{"types", `{"type":["string","null"]}`, `true`, "must be text or null, not true"},
		{"integer", `{"type":"integer"}`, `1.5`, "must be a whole number, not 1.5"},
		{"integer written 1.0", `{"type":"integer"}`, `1.0`, ""},
		{"all at once", `{"type":"object","properties":{"a":{"type":"string","minLength":3,"pattern":"^x"},"b":{"minimum":2,"multipleOf":3}},"required":["c","d"]}`,
			`{"a":"y","b":1}`, "/c is required\n/d is required\n/a must be at least 3 characters, has 1\n/a must match the pattern ^x\n/b must be a multiple of 3\n/b must be at least 2"},
		{"maxLength counts characters", `{"maxLength":2}`, `"äöü"`, "must be at most 2 characters, has 3"},
		{"one character", `{"minLength":1}`, `""`, "must be at least 1 character, has 0"},
		{"enum", `{"enum":["a",1,null]}`, `"b"`, `must be one of "a", 1 or null`},
		{"enum with equal numbers", `{"enum":[1.0,100]}`, `1e2`, ""},
		{"const", `{"const":{"a":[1,2]}}`, `{"a":[1,3]}`, `must be {"a":[1,2]}`},
		{"const in any order", `{"const":{"a":1,"b":2}}`, `{"b":2.0,"a":1}`, ""},
		{"items", `{"type":"array","items":{"type":"integer"},"minItems":4,"uniqueItems":true}`, `[1,"x",1.0]`,
			"must have at least 4 items, has 3\nmust not repeat a value: items 1 and 3 are equal\n/1 must be a whole number, not text"},
		{"additionalProperties", `{"properties":{"a":{}},"additionalProperties":false}`, `{"a":1,"b/c":2}`,
			"/b~1c is not described by the schema, which allows no other members"},
		{"propertyNames", `{"propertyNames":{"pattern":"^[a-z]+$"}}`, `{"A":1}`, "/A has a name that must match the pattern ^[a-z]+$"},
		{"dependentRequired", `{"dependentRequired":{"card":["zip"]}}`, `{"card":1}`, `/zip is required when "card" is given`},
		{"dependencies of draft-07", `{"$schema":"http://json-schema.org/draft-07/schema#","dependencies":{"card":["zip"]}}`, `{"card":1}`, `/zip is required when "card" is given`},
		{"if then", `{"if":{"properties":{"k":{"const":"a"}},"required":["k"]},"then":{"required":["x"]},"else":{"required":["y"]}}`, `{"k":"a"}`, "/x is required"},
		{"if else", `{"if":{"properties":{"k":{"const":"a"}},"required":["k"]},"then":{"required":["x"]},"else":{"required":["y"]}}`, `{"k":"b"}`, "/y is required"},
		{"nullable reports the branch that is meant", `{"anyOf":[{"type":"string","minLength":3},{"type":"null"}]}`, `"ab"`, "must be at least 3 characters, has 2"},
		{"union of types", `{"anyOf":[{"type":"integer"},{"type":"string"}]}`, `true`, "must be text or a whole number"},
		{"union of types and constants", `{"anyOf":[{"enum":["a","b"]},{"type":"null"}]}`, `5`, `must be "a" or "b" or null`},
		{"discriminator", `{"oneOf":[{"properties":{"k":{"const":"a"},"n":{"type":"integer"}},"required":["k"]},{"properties":{"k":{"const":"b"}},"required":["k"]}]}`,
			`{"k":"a","n":"x"}`, "/n must be a whole number, not text"},
		{"unknown discriminator", `{"oneOf":[{"properties":{"k":{"const":"a"}}},{"properties":{"k":{"const":"b"}}}]}`, `{"k":"c"}`, `/k must be one of "a" or "b"`},
		{"anyOf of required", `{"anyOf":[{"required":["a"]},{"required":["b"]}]}`, `{}`, `must match at least one choice: "a" is required; "b" is required`},
		{"oneOf twice", `{"oneOf":[{"title":"A","type":"integer"},{"title":"B","minimum":3}]}`, `5`, "matches more than one choice (A and B); exactly one must match"},
		{"titled constants", `{"oneOf":[{"const":"r","title":"Red"},{"const":"g","title":"Green"}]}`, `"x"`, `must be one of "r" or "g"`},
		{"not required", `{"not":{"required":["a","b"]}}`, `{"a":1,"b":1}`, `must not have "a" and "b" together`},
		{"not type", `{"not":{"type":"string"}}`, `""`, "must not be text"},
		{"contains", `{"contains":{"type":"string"},"minContains":2}`, `["a",1]`, "must contain 2 or more items that are text, has 1"},
		{"tuple", `{"prefixItems":[{"type":"string"},{"type":"integer"}],"items":false}`, `["a","b",1]`, "/1 must be a whole number, not text\n/2 is not allowed here"},
		{"false", `{"properties":{"a":false}}`, `{"a":1}`, "/a is not allowed here"},
		{"unevaluated", `{"allOf":[{"properties":{"a":{}}}],"unevaluatedProperties":false}`, `{"a":1,"b":2}`, "/b is not described by the schema, which allows no other members"},
		{"exclusive", `{"exclusiveMinimum":0,"exclusiveMaximum":10}`, `0`, "must be more than 0"},
		{"exclusive of draft-04", `{"$schema":"http://json-schema.org/draft-04/schema#","minimum":0,"exclusiveMinimum":true}`, `0`, "must be more than 0"},
		{"email", `{"format":"email"}`, `"x"`, "must be an e-mail address such as name@example.com"},
		{"date", `{"format":"date"}`, `"2026-02-30"`, "must be a date such as 2026-11-30"},
		{"advice only", `{"properties":{"a":{"format":"ipv4"}}}`, `{"a":"::1"}`, "/a should be an IPv4 address such as 192.0.2.1"},
		{"unknown format", `{"format":"postcode"}`, `"x"`, ""},
		{"ref with siblings", `{"$ref":"#/$defs/s","minLength":2,"$defs":{"s":{"type":"string"}}}`, `"a"`, "must be at least 2 characters, has 1"},
		{"ref to a property", `{"properties":{"a":{"type":"string","pattern":"^\\d+$"},"b":{"$ref":"#/properties/a"}}}`, `{"b":"x"}`, `/b must match the pattern ^\d+$`},
		{"ref to a place outside keywords", `{"x-types":{"n":{"type":"integer"}},"properties":{"a":{"$ref":"#/x-types/n"}}}`, `{"a":"x"}`, "/a must be a whole number, not text"},
		{"anchor", `{"$defs":{"x":{"$anchor":"num","type":"number"}},"$ref":"#num"}`, `"x"`, "must be a number, not text"},
		{"recursion", `{"type":"object","properties":{"child":{"$ref":"#"},"n":{"type":"integer"}}}`, `{"child":{"child":{"n":"x"}}}`, "/child/child/n must be a whole number, not text"},
		{"prototype names", `{"properties":{"__proto__":{"type":"integer"},"constructor":{"type":"string"}},"required":["__proto__"]}`, `{"constructor":1}`,
			"/__proto__ is required\n/constructor must be text, not 1"},
		{"array result (TOOL-10)", `{"type":"array","items":{"type":"string"}}`, `["a",1]`, "/1 must be text, not 1"},
		{"null result (TOOL-09)", `{"type":"null"}`, `null`, ""},
		{"not JSON", `{}`, `{"a":`, "is not JSON: unexpected EOF"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, problems := Compile(jsontext.Value(c.schema))
			if len(violations(problems)) > 0 {
				t.Fatalf("schema: %s", lines(problems))
			}
			if got := lines(s.Validate(jsontext.Value(c.value))); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// Numbers are compared as they are written, whatever their size.
func TestValidateExactNumbers(t *testing.T) {
	for _, c := range []struct{ schema, value, want string }{
		{`{"type":"integer","maximum":9007199254740992}`, `9007199254740993`, "must be at most 9007199254740992"},
		{`{"type":"integer","const":9007199254740993}`, `9007199254740992`, "must be 9007199254740993"},
		{`{"type":"number","multipleOf":0.01}`, `0.07`, ""},
		{`{"type":"number","multipleOf":0.01}`, `1.005`, "must be a multiple of 0.01"},
		{`{"multipleOf":3}`, `3e99999999999999999999`, ""},
		{`{"multipleOf":7}`, `1e1000000000`, "must be a multiple of 7"},
		{`{"type":"integer","minimum":1e1000000}`, `1e999999`, "must be at least 1e1000000"},
		{`{"type":"integer"}`, `1e-1000000000`, "must be a whole number, not 1e-1000000000"},
		{`{"minimum":0}`, `-0`, ""},
		{`{"minimum":-1e400,"maximum":1e400}`, `-1.1e400`, "must be at least -1e400"},
		{`{"enum":[1e3]}`, `1000.00`, ""},
		{`{"uniqueItems":true}`, `[1e1000000000,10e999999999]`, "must not repeat a value: items 1 and 2 are equal"},
	} {
		s, _ := Compile(jsontext.Value(c.schema))
		if got := lines(s.Validate(jsontext.Value(c.value))); got != c.want {
			t.Errorf("%s with %s: got %q, want %q", c.schema, c.value, got, c.want)
		}
	}
}

func TestValidateOffsets(t *testing.T) {
	s, _ := Compile(jsontext.Value(`{"properties":{"a":{"type":"string"},"b":{"required":["c"]}}}`))
	value := ` {"a": 5, "b": {}}`
	for _, p := range s.Validate(jsontext.Value(value)) {
		want := map[string]int{"/a": 7, "/b/c": 15}[p.Pointer]
		if p.Offset != want || p.Severity != protocol.Violation {
			t.Errorf("%+v: want offset %d", p, want)
		}
	}
}

func TestCompileProblems(t *testing.T) {
	for _, c := range []struct{ name, schema, rule, ptr, says string }{
		{"BASE-25 unsupported dialect", `{"$schema":"http://json-schema.org/draft-03/schema#"}`, "BASE-25", "", "not supported"},
		{"BASE-25 dialect is no text", `{"$schema":7}`, "BASE-25", "/$schema", "must be a URI"},
		{"BASE-27 network reference", `{"properties":{"a":{"$ref":"https://example.com/x.json"}}}`, "BASE-27", "/properties/a/$ref", `"https://example.com/x.json"`},
		{"BASE-27 file reference", `{"$ref":"file:///etc/passwd"}`, "BASE-27", "/$ref", `"file:///etc/passwd"`},
		{"BASE-27 relative reference", `{"$ref":"other.json#/a"}`, "BASE-27", "/$ref", `"other.json#/a"`},
		{"BASE-30 dangling pointer", `{"$ref":"#/$defs/none"}`, "BASE-30", "/$ref", "leads nowhere"},
		{"BASE-30 dangling anchor", `{"$ref":"#none"}`, "BASE-30", "/$ref", "leads nowhere"},
		{"not JSON", `{"a":}`, "json.syntax", "", "not JSON"},
		{"P10 repeated enum", `{"enum":["a","a"]}`, "schema.duplicate", "/enum/1", "twice"},
		{"P10 null property", `{"properties":{"x":null}}`, "schema.malformed", "/properties/x", "not null"},
		{"case 71 text as a schema", `{"properties":{"q":"string"}}`, "schema.malformed", "/properties/q", "not text"},
		{"root is text", `"string"`, "schema.malformed", "", "not text"},
		{"properties is a list", `{"properties":[1]}`, "schema.malformed", "/properties", "a list"},
		{"unknown type", `{"type":"any"}`, "schema.malformed", "/type", `"any" is not a JSON type`},
		{"minLength is text", `{"minLength":"3"}`, "schema.malformed", "/minLength", "whole number"},
		{"negative minLength", `{"minLength":-1}`, "schema.malformed", "/minLength", "at least 0"},
		{"required on a property", `{"properties":{"a":{"required":true}}}`, "schema.spelling", "/properties/a/required", "lists names"},
		{"draft-07 tuple", `{"items":[{"type":"string"}]}`, "schema.spelling", "/items", "prefixItems"},
		{"draft-04 exclusive", `{"minimum":1,"exclusiveMinimum":true}`, "schema.spelling", "/exclusiveMinimum", "draft-04"},
		{"pattern not supported", `{"pattern":"^(?=.*[A-Z]).{8,}$"}`, "schema.pattern", "/pattern", "pattern not supported here (look-ahead"},
		{"broken pattern", `{"pattern":"("}`, "schema.pattern", "/pattern", "pattern not supported here (missing closing )"},
		{"back-reference", `{"pattern":"(a)\\1"}`, "schema.pattern", "/pattern", "back-references"},
		{"duplicate member", `{"type":"string","type":"number"}`, "schema.duplicate", "/type", "twice"},
		{"same-value loop", `{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}`, "schema.cycle", "", "without end"},
		{"enumNames of another length", `{"enum":["a","b"],"enumNames":["A"]}`, "L-ELIC-12", "/enumNames", "1 names for 2 values"},
		{"title is a number", `{"title":5}`, "schema.malformed", "/title", "must be text"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, problems := Compile(jsontext.Value(c.schema))
			if s == nil {
				t.Fatal("no schema")
			}
			for _, p := range problems {
				if p.Rule == c.rule && p.Pointer == c.ptr && strings.Contains(p.Text, c.says) {
					return
				}
			}
			t.Errorf("got %+v, want rule %s at %q saying %q", problems, c.rule, c.ptr, c.says)
		})
	}
}

// One broken keyword or property costs itself alone (cases 71 and P10).
func TestBrokenPartsCostThemselvesAlone(t *testing.T) {
	s, _ := Compile(jsontext.Value(`{"type":"object","properties":{"bad":"string","null":null,"good":{"type":"integer","minLength":"x"},"yes":true},
		"required":["good",7],"title":false,"pattern":"(?=x)"}`))
	if got := lines(s.Validate(jsontext.Value(`{"bad":1,"null":[],"yes":{},"good":"x"}`))); got != "/good must be a whole number, not text" {
		t.Errorf("got %q", got)
	}
}

// A value that reaches a reference that leads out is not accepted; what does not
// reach it is checked as usual (BASE-27, BASE-30).
func TestUnresolvedReferenceIsNotAccepted(t *testing.T) {
	for _, dialect := range []string{"https://json-schema.org/draft/2020-12/schema", "http://json-schema.org/draft-07/schema#"} {
		s, _ := Compile(jsontext.Value(`{"$schema":"` + dialect + `","properties":{"a":{"$ref":"https://example.com/x","type":"string"},"b":{"type":"string"}}}`))
		if got := s.Validate(jsontext.Value(`{"b":"x"}`)); len(got) != 0 {
			t.Errorf("%s: %s", dialect, lines(got))
		}
		got := s.Validate(jsontext.Value(`{"a":"x","b":1}`))
		if len(got) != 2 || got[0].Rule != "BASE-30" || !strings.Contains(got[0].Text, "https://example.com/x") || got[1].Pointer != "/b" {
			t.Errorf("%s: %+v", dialect, got)
		}
	}
}

func TestUnsupportedDialectIsNotASilentPass(t *testing.T) {
	s, _ := Compile(jsontext.Value(`{"$schema":"https://example.com/my-dialect","type":"string"}`))
	if got := s.Validate(jsontext.Value(`5`)); s.Usable() || len(got) != 1 || got[0].Rule != "BASE-25" {
		t.Errorf("BASE-25: %+v", got)
	}
}

func TestMetaSchemaIsBuiltIn(t *testing.T) {
	s, problems := Compile(jsontext.Value(`{"properties":{"schema":{"$ref":"https://json-schema.org/draft/2020-12/schema"}}}`))
	if len(problems) != 0 {
		t.Fatal(lines(problems))
	}
	if got := s.Validate(jsontext.Value(`{"schema":{"type":5}}`)); len(got) == 0 || got[0].Pointer != "/schema/type" {
		t.Errorf("got %+v", got)
	}
	if got := s.Validate(jsontext.Value(`{"schema":{"multipleOf":1e9999999}}`)); lines(got) != "/schema cannot be checked: it holds a number of extreme size" {
		t.Errorf("got %+v", got)
	}
	f := NewForm(s)
	at(t, f, "/schema").SetText(`{"multipleOf":`)
	if ps := f.Problems(); len(ps) != 1 || ps[0].Rule != "form.draft" {
		t.Errorf("got %+v", ps)
	}
}

func TestPatterns(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		match         bool
	}{
		{`^\d{4}-\d{2}$`, "2026-11", true},
		{`^\d+$`, "٣", false},
		{`^[\s]$`, "\u00a0", true},
		{`^\S+$`, "a b", false},
		{`^\/a\-b$`, "/a-b", true},
		{`^[^]$`, "\n", true},
		{`^.$`, "\u2028", false},
		{`^\u00e4$`, "ä", true},
		{`^\uD83D\uDE00$`, "😀", true},
		{`^\u{1F600}$`, "😀", true},
		{`^\p{Letter}+$`, "Ünï", true},
		{`^\p{Script=Greek}$`, "λ", true},
		{`^[[a]$`, "[", true},
		{`^[\b]$`, "\b", true},
		{`^\cA$`, "\x01", true},
		{`^(?<year>\d+)$`, "2026", true},
		{`b`, "abc", true},
	} {
		p := compilePattern(c.pattern)
		if p.re == nil || p.MatchString(c.text) != c.match {
			t.Errorf("%s on %q: supported %v (%s), want match %v", c.pattern, c.text, p.re != nil, p.why, c.match)
		}
	}
}

// bombs are small schemas that ask for exponential work.
func bombs() map[string][2]string {
	anyOf := `{"$defs":{"x0":{"type":"integer"}`
	for i := 1; i < 30; i++ {
		anyOf += fmt.Sprintf(`,"x%d":{"anyOf":[{"$ref":"#/$defs/x%d"},{"$ref":"#/$defs/x%d"}]}`, i, i-1, i-1)
	}
	anyOf += `},"$ref":"#/$defs/x29"}`
	not := strings.NewReplacer(`"anyOf"`, `"not":{"required":["q"]},"oneOf"`).Replace(anyOf)
	deps := `{"$defs":{"x0":false`
	for i := 1; i < 30; i++ {
		deps += fmt.Sprintf(`,"x%d":{"dependentSchemas":{"a":{"$ref":"#/$defs/x%d"},"b":{"$ref":"#/$defs/x%d"}}}`, i, i-1, i-1)
	}
	deps += `},"not":{"$ref":"#/$defs/x29"}}`
	deep := strings.Repeat(`{"a":`, 60) + "1" + strings.Repeat("}", 60)
	return map[string][2]string{
		"anyOf":             {anyOf, `"x"`},
		"oneOf":             {not, `"x"`},
		"dependentSchemas":  {deps, `{"a":1,"b":2}`},
		"patternProperties": {`{"patternProperties":{"a":{"$ref":"#"},"a+":{"$ref":"#"},"^a":{"$ref":"#"}},"additionalProperties":false}`, deep},
		"unevaluated":       {`{"allOf":[{"properties":{"a":{"$ref":"#"}}},{"properties":{"a":{"$ref":"#"}}}],"unevaluatedProperties":false}`, deep},
	}
}

// BASE-31: a bomb of 2 KB ends within the budget of steps.
func TestValidationIsBounded(t *testing.T) {
	for name, b := range bombs() {
		s, problems := Compile(jsontext.Value(b[0]))
		if !s.Usable() {
			t.Fatalf("%s: %s", name, lines(problems))
		}
		start := time.Now()
		got := s.Validate(jsontext.Value(b[1]))
		t.Logf("%s: %d bytes, %v, steps %d", name, len(b[0]), time.Since(start).Round(time.Millisecond), baseSteps)
		if len(got) != 1 || got[0].Rule != "BASE-31" {
			t.Errorf("%s: %s", name, lines(got))
		}
		if s.meter.left >= 0 || s.meter.left < -1000 {
			t.Errorf("%s: stopped with %d steps left", name, s.meter.left)
		}
	}
}

// BASE-31: size, depth and number of subschemas.
func TestSchemaSizeIsBounded(t *testing.T) {
	object := func(properties int) string {
		var b strings.Builder
		for i := range properties {
			fmt.Fprintf(&b, `,"p%d":{}`, i)
		}
		return `{"properties":{` + b.String()[1:] + `}}`
	}
	chain := `{"$ref":"#/$defs/0","$defs":{`
	for i := range maxChain + 2 {
		chain += fmt.Sprintf(`"%d":{"$ref":"#/$defs/%d"},`, i, i+1)
	}
	for name, text := range map[string]string{
		"deep":  strings.Repeat(`{"items":`, maxSchemaDepth+2) + "{}" + strings.Repeat("}", maxSchemaDepth+2),
		"wide":  object(maxParts),
		"chain": chain + fmt.Sprintf(`"%d":{}}}`, maxChain+2),
	} {
		s, problems := Compile(jsontext.Value(text))
		if s.Usable() || problems[len(problems)-1].Rule != "BASE-31" {
			t.Errorf("%s: %v", name, lines(problems))
		}
	}
	start := time.Now()
	if s, problems := Compile(jsontext.Value(object(maxParts / 4))); !s.Usable() {
		t.Error(lines(problems))
	}
	t.Logf("%d subschemas compiled in %v", maxParts/4, time.Since(start))
	s, _ := Compile(jsontext.Value(`{"items":{"$ref":"#"}}`))
	deep := strings.Repeat("[", maxValueDepth+2) + strings.Repeat("]", maxValueDepth+2)
	if got := s.Validate(jsontext.Value(deep)); len(got) != 1 || got[0].Rule != "BASE-31" {
		t.Errorf("deep value: %s", lines(got))
	}
}

func TestProblemsAreBounded(t *testing.T) {
	s, _ := Compile(jsontext.Value(`{"items":{"type":"string"}}`))
	got := s.Validate(jsontext.Value("[" + strings.Repeat("1,", 5000) + "1]"))
	if len(got) != maxProblems+1 || !strings.Contains(lines(got), "has 4501 more problems") {
		t.Errorf("%d problems", len(got))
	}
}

func TestValidateConcurrently(t *testing.T) {
	s, _ := Compile(jsontext.Value(`{"properties":{"a":{"type":"string","pattern":"^a"}}}`))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				if len(s.Validate(jsontext.Value(`{"a":"b"}`))) != 1 {
					t.Error("wrong")
				}
			}
		})
	}
	wg.Wait()
}
