package schema

import (
	"slices"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
)

// violations keeps the findings that make a value invalid.
func violations(ps []protocol.Problem) []protocol.Problem {
	var out []protocol.Problem
	for _, p := range ps {
		if p.Severity == protocol.Violation {
			out = append(out, p)
		}
	}
	return out
}

// invalid reports findings that make a value invalid in every dialect; formats
// are asserted here on top of that (ELIC-11).
func invalid(ps []protocol.Problem) bool {
	return slices.ContainsFunc(violations(ps), func(p protocol.Problem) bool { return p.Rule != "schema.format" })
}

const (
	draft4  = `"$schema":"http://json-schema.org/draft-04/schema#"`
	draft6  = `"$schema":"http://json-schema.org/draft-06/schema#"`
	draft7  = `"$schema":"http://json-schema.org/draft-07/schema#"`
	draft19 = `"$schema":"https://json-schema.org/draft/2019-09/schema"`
)

// keywordCases hold for each keyword a value that it takes and one that it
// refuses.
var keywordCases = []struct{ name, schema, good, bad string }{
	{"type", `{"type":"integer"}`, `1.0`, `1.5`},
	{"type list", `{"type":["null","boolean"]}`, `null`, `0`},
	{"enum", `{"enum":[1,"1",null]}`, `1.0`, `true`},
	{"const", `{"const":{"a":[1]}}`, `{"a":[1.0]}`, `{"a":[1,1]}`},
	{"minimum", `{"minimum":9007199254740993}`, `9007199254740993`, `9007199254740992`},
	{"maximum", `{"maximum":-0.1}`, `-0.1`, `0`},
	{"exclusiveMinimum", `{"exclusiveMinimum":3}`, `3.0000000000000000001`, `3`},
	{"exclusiveMaximum", `{"exclusiveMaximum":3}`, `2.9`, `3e0`},
	{"multipleOf", `{"multipleOf":0.01}`, `0.07`, `0.075`},
	{"minLength", `{"minLength":2}`, `"😀x"`, `"😀"`},
	{"maxLength", `{"maxLength":1}`, `"😀"`, `"ab"`},
	{"pattern", `{"pattern":"^a+$"}`, `"aa"`, `"ab"`},
	{"items", `{"items":{"type":"string"}}`, `["a"]`, `[1]`},
	{"prefixItems", `{"prefixItems":[{"type":"string"},{"type":"number"}]}`, `["a",1,null]`, `["a","b"]`},
	{"items after prefixItems", `{"prefixItems":[true],"items":false}`, `[1]`, `[1,2]`},
	{"contains", `{"contains":{"const":1}}`, `[0,1]`, `[0]`},
	{"minContains", `{"contains":{"const":1},"minContains":2}`, `[1,1]`, `[1]`},
	{"maxContains", `{"contains":{"const":1},"maxContains":1}`, `[1,0]`, `[1,1]`},
	{"minItems", `{"minItems":1}`, `[null]`, `[]`},
	{"maxItems", `{"maxItems":1}`, `[]`, `[1,2]`},
	{"uniqueItems", `{"uniqueItems":true}`, `[1,"1",{"a":1}]`, `[{"a":1,"b":2},{"b":2,"a":1.0}]`},
	{"properties", `{"properties":{"a":{"type":"null"}}}`, `{"a":null,"b":1}`, `{"a":1}`},
	{"required", `{"required":["a"]}`, `{"a":null}`, `{"b":1}`},
	{"additionalProperties", `{"properties":{"a":true},"additionalProperties":false}`, `{"a":1}`, `{"b":1}`},
	{"patternProperties", `{"patternProperties":{"^x-":{"type":"string"}}}`, `{"x-a":"s","y":1}`, `{"x-a":1}`},
	{"propertyNames", `{"propertyNames":{"maxLength":2}}`, `{"ab":1}`, `{"abc":1}`},
	{"minProperties", `{"minProperties":1}`, `{"a":1}`, `{}`},
	{"maxProperties", `{"maxProperties":1}`, `{"a":1}`, `{"a":1,"b":2}`},
	{"dependentRequired", `{"dependentRequired":{"a":["b"]}}`, `{"a":1,"b":1}`, `{"a":1}`},
	{"dependentSchemas", `{"dependentSchemas":{"a":{"required":["b"]}}}`, `{"b":1}`, `{"a":1}`},
	{"allOf", `{"allOf":[{"minimum":1},{"maximum":2}]}`, `2`, `3`},
	{"anyOf", `{"anyOf":[{"type":"string"},{"minimum":5}]}`, `5`, `4`},
	{"oneOf", `{"oneOf":[{"minimum":1},{"maximum":3}]}`, `0`, `2`},
	{"not", `{"not":{"type":"string"}}`, `1`, `"a"`},
	{"if then else", `{"if":{"required":["a"]},"then":{"required":["b"]},"else":{"required":["c"]}}`, `{"c":1}`, `{"a":1}`},
	{"false", `{"properties":{"a":false}}`, `{}`, `{"a":1}`},
	{"$ref to $defs", `{"$defs":{"n":{"type":"number"}},"properties":{"a":{"$ref":"#/$defs/n"}}}`, `{"a":1}`, `{"a":"1"}`},
	{"$ref to a property", `{"properties":{"a":{"type":"string"},"b":{"$ref":"#/properties/a"}}}`, `{"b":"x"}`, `{"b":1}`},
	{"$ref with siblings", `{"$defs":{"n":{"type":"number"}},"$ref":"#/$defs/n","minimum":2}`, `2`, `1`},
	{"$anchor", `{"$defs":{"n":{"$anchor":"num","type":"number"}},"$ref":"#num"}`, `1`, `"1"`},
	{"recursion", `{"properties":{"next":{"$ref":"#"}},"additionalProperties":false}`, `{"next":{"next":{}}}`, `{"next":{"x":1}}`},
	{"$dynamicRef", `{"$dynamicAnchor":"node","properties":{"kids":{"items":{"$dynamicRef":"#node"}}},"required":["kids"]}`, `{"kids":[{"kids":[]}]}`, `{"kids":[{}]}`},
	{"unevaluatedProperties", `{"allOf":[{"properties":{"a":true}}],"unevaluatedProperties":false}`, `{"a":1}`, `{"a":1,"b":1}`},
	{"unevaluatedItems", `{"prefixItems":[true],"unevaluatedItems":false}`, `[1]`, `[1,2]`},
	{"2019-09 items list", `{` + draft19 + `,"items":[{"type":"string"}],"additionalItems":false}`, `["a"]`, `["a",1]`},
	{"draft-07 definitions", `{` + draft7 + `,"definitions":{"s":{"type":"string"}},"items":{"$ref":"#/definitions/s"}}`, `["a"]`, `[1]`},
	{"draft-07 dependencies", `{` + draft7 + `,"dependencies":{"a":["b"],"c":{"required":["d"]}}}`, `{"a":1,"b":1}`, `{"c":1}`},
	{"draft-07 $ref hides its siblings", `{` + draft7 + `,"definitions":{"n":{"type":"number"}},"properties":{"a":{"$ref":"#/definitions/n","minimum":9}}}`, `{"a":1}`, `{"a":"9"}`},
	{"draft-06 exclusiveMinimum", `{` + draft6 + `,"exclusiveMinimum":1}`, `2`, `1`},
	{"draft-04 exclusiveMinimum", `{` + draft4 + `,"minimum":1,"exclusiveMinimum":true}`, `2`, `1`},
	{"draft-04 integer", `{` + draft4 + `,"type":"integer"}`, `1`, `1.5`},
}

// TestKeywords tries each keyword of every dialect both ways (BASE-24, BASE-25).
func TestKeywords(t *testing.T) {
	for _, c := range keywordCases {
		s, problems := Compile(jsontext.Value(c.schema))
		if len(violations(problems)) > 0 {
			t.Errorf("%s: the schema is refused: %v", c.name, problems)
		}
		if got := s.Validate(jsontext.Value(c.good)); invalid(got) {
			t.Errorf("%s: %s is refused: %v", c.name, c.good, got)
		}
		if !invalid(s.Validate(jsontext.Value(c.bad))) {
			t.Errorf("%s: %s is taken", c.name, c.bad)
		}
	}
}
