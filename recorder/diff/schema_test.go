package diff

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"mcploupe/protocol/jsonvalue"
)

// Every rule, with what it is worth in an input and in an output schema; each
// is read the other way round too.
func TestSchemaRules(t *testing.T) {
	const (
		B = Breaking
		C = Compatible
		N = Note
	)
	for _, c := range []struct {
		name, before, after string
		rule                string
		in, out             Verdict
		pointer             string
	}{
		{"new required", `{"properties":{}}`, `{"properties":{"a":{}},"required":["a"]}`, "property.added.required", B, C, "/properties/a"},
		{"new optional", `{"properties":{}}`, `{"properties":{"a":{}}}`, "property.added", C, C, "/properties/a"},
		{"gone", `{"properties":{"a/b":{}}}`, `{"properties":{}}`, "property.removed", B, B, "/properties/a~1b"},
		{"gone, but others are taken", `{"properties":{"a":{}},"additionalProperties":true}`, `{"additionalProperties":true}`, "property.undescribed", C, B, "/properties/a"},
		{"bounds of integers", `{"type":"integer"}`, `{"type":"integer","maximum":9007199254740991}`, "bound.integers.added", N, N, "/maximum"},
		{"required now", `{"properties":{"a":{}}}`, `{"properties":{"a":{}},"required":["a"]}`, "required.added", B, C, "/required/0"},
		{"required without a schema", `{}`, `{"required":["a"]}`, "required.added", B, C, "/required/0"},
		{"type narrowed", `{"type":["string","null"]}`, `{"type":"string"}`, "type.narrowed", B, C, "/type"},
		{"type given", `{}`, `{"type":"string"}`, "type.narrowed", B, C, "/type"},
		{"number to integer", `{"type":"number"}`, `{"type":"integer"}`, "type.narrowed", B, C, "/type"},
		{"type changed", `{"type":"string"}`, `{"type":"number"}`, "type.changed", B, B, "/type"},
		{"null in anyOf", `{"anyOf":[{"type":"string"},{"type":"null"}]}`, `{"type":"string"}`, "type.narrowed", B, C, "/type"},
		{"enum grown", `{"enum":["a"]}`, `{"enum":["a","b"]}`, "enum.added", C, B, "/enum"},
		{"enum given", `{"type":"string"}`, `{"type":"string","enum":["a"]}`, "enum.introduced", B, C, "/enum"},
		{"const in oneOf", `{"oneOf":[{"const":1},{"const":2}]}`, `{"enum":[1]}`, "enum.removed", B, C, "/enum"},
		{"minimum raised", `{"minimum":1}`, `{"minimum":2}`, "bound.tightened", B, C, "/minimum"},
		{"minimum excluded", `{"minimum":1}`, `{"exclusiveMinimum":1}`, "bound.tightened", B, C, "/exclusiveMinimum"},
		{"maximum beyond 2^53", `{"maximum":9007199254740993}`, `{"maximum":9007199254740992}`, "bound.tightened", B, C, "/maximum"},
		{"length bounded", `{}`, `{"maxLength":5}`, "bound.tightened", B, C, "/maxLength"},
		{"items bounded", `{"minItems":1}`, `{"minItems":2}`, "bound.tightened", B, C, "/minItems"},
		{"unique", `{}`, `{"uniqueItems":true}`, "bound.tightened", B, C, "/uniqueItems"},
		{"multiple of a multiple", `{"multipleOf":2}`, `{"multipleOf":4}`, "bound.tightened", B, C, "/multipleOf"},
		{"another multiple", `{"multipleOf":2}`, `{"multipleOf":3}`, "bound.changed", B, B, "/multipleOf"},
		{"pattern given", `{}`, `{"pattern":"a"}`, "pattern.added", B, C, "/pattern"},
		{"another pattern", `{"pattern":"b"}`, `{"pattern":"a"}`, "pattern.changed", B, B, "/pattern"},
		{"format given", `{}`, `{"format":"email"}`, "format.added", B, C, "/format"},
		{"another format", `{"format":"uri"}`, `{"format":"email"}`, "format.changed", B, B, "/format"},
		{"no others", `{}`, `{"additionalProperties":false}`, "additional.forbidden", B, C, "/additionalProperties"},
		{"others held", `{}`, `{"additionalProperties":{"type":"string"}}`, "schema.added", B, C, "/additionalProperties"},
		{"others narrowed", `{"additionalProperties":{"type":["string","null"]}}`, `{"additionalProperties":{"type":"string"}}`, "type.narrowed", B, C, "/additionalProperties/type"},
		{"items", `{"items":{"type":"number"}}`, `{"items":{"type":"integer"}}`, "type.narrowed", B, C, "/items/type"},
		{"tuple", `{"prefixItems":[{"type":"number"}]}`, `{"prefixItems":[{"type":"integer"}]}`, "type.narrowed", B, C, "/prefixItems/0/type"},
		{"forbidden", `{"properties":{"a":{}}}`, `{"properties":{"a":false}}`, "schema.closed", B, C, "/properties/a"},
		{"one form more", `{"anyOf":[{"type":"object","title":"A"},{"type":"array"}]}`, `{"anyOf":[{"type":"object","title":"A"},{"type":"array"},{"type":"object","title":"B","properties":{"x":{}}}]}`, "variant.added", C, B, "/anyOf/2"},
		{"form narrowed", `{"oneOf":[{"properties":{"k":{"const":"x"},"v":{"type":"number"}}},{"properties":{"k":{"const":"y"}}}]}`, `{"oneOf":[{"properties":{"k":{"const":"y"}}},{"properties":{"k":{"const":"x"},"v":{"type":"integer"}}}]}`, "type.narrowed", B, C, "/oneOf/1/properties/v/type"},
		{"joined by a form", `{"properties":{"p":{"type":"object","properties":{"a":{}}}}}`, `{"properties":{"p":{"anyOf":[{"type":"object","properties":{"b":{}}},{"type":"object","properties":{"a":{}}}]}}}`, "variant.added", C, B, "/properties/p/anyOf/0"},
		{"needs another", `{"dependentRequired":{"a":[]}}`, `{"dependentRequired":{"a":["b"]}}`, "dependency.added", B, C, "/dependentRequired/a/0"},
		{"draft-07 dependency", `{"dependencies":{"a":[]}}`, `{"dependencies":{"a":["b"]}}`, "dependency.added", B, C, "/dependencies/a/0"},
		{"another condition", `{"not":{"type":"string"}}`, `{"not":{"type":"number"}}`, "schema.changed", B, B, "/not"},
		{"then narrowed", `{"if":{"required":["a"]},"then":{"minProperties":2}}`, `{"if":{"required":["a"]},"then":{"minProperties":3}}`, "bound.tightened", B, C, "/then/minProperties"},
		{"description", `{"description":"a"}`, `{"description":"b"}`, "text.changed", N, N, "/description"},
		{"title of a choice", `{"oneOf":[{"const":1,"title":"x"}]}`, `{"oneOf":[{"const":1,"title":"y"}]}`, "text.changed", N, N, "/oneOf"},
		{"default", `{"default":1}`, `{"default":2}`, "default.changed", N, N, "/default"},
		{"deprecated", `{}`, `{"deprecated":true}`, "deprecated.added", N, N, "/deprecated"},
		{"unknown keyword", `{"x-a":1}`, `{"x-a":2}`, "keyword.changed", N, N, "/x-a"},
		{"allOf", `{"allOf":[{"minimum":1},{"maximum":9}]}`, `{"allOf":[{"minimum":1},{"maximum":8}]}`, "bound.tightened", B, C, "/allOf/1/maximum"},
		{"through a reference", `{"$ref":"#/$defs/x","$defs":{"x":{"type":"number"}}}`, `{"$ref":"#/$defs/x","$defs":{"x":{"type":"integer"}}}`, "type.narrowed", B, C, "/$defs/x/type"},
		{"broken reference", `{"$ref":"#/$defs/x","$defs":{"x":{}}}`, `{"$ref":"#/$defs/y","$defs":{"x":{}}}`, "reference.broken", B, B, "/$ref"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, way := range []struct {
				sense         sense
				want          Verdict
				before, after string
				rule          string
			}{
				{input, c.in, c.before, c.after, c.rule},
				{output, c.out, c.before, c.after, c.rule},
				{input, ruleByKey[ruleByKey[c.rule].Mirror].Input, c.after, c.before, ruleByKey[c.rule].Mirror},
				{output, ruleByKey[ruleByKey[c.rule].Mirror].Output, c.after, c.before, ruleByKey[c.rule].Mirror},
			} {
				got, cut := schemas(value(t, way.before), value(t, way.after), "", way.sense)
				if cut || len(got) != 1 {
					t.Fatalf("sense %d: %d changes, want one: %v", way.sense, len(got), got)
				}
				// A property that goes was required or not: both are the mirror of its removal.
				if got[0].Rule != way.rule && !strings.HasPrefix(got[0].Rule, way.rule+".") || got[0].Rule == way.rule && got[0].Verdict != way.want {
					t.Errorf("sense %d: %s %s, want %s %s", way.sense, got[0].Rule, got[0].Verdict, way.rule, way.want)
				}
				if way.before == c.before && got[0].Pointer != c.pointer {
					t.Errorf("at %q, want %q", got[0].Pointer, c.pointer)
				}
				if got[0].Text == "" || strings.Contains(got[0].Text, "%!") {
					t.Errorf("says %q", got[0].Text)
				}
			}
		})
	}
}

// What is written in another way and admits the same is no change.
func TestSchemasThatMeanTheSame(t *testing.T) {
	for _, c := range [][2]string{
		{`{"type":"object","properties":{"a":{"type":"string"},"b":{}}}`, `{"properties":{"b":{},"a":{"type":"string"}},"type":"object"}`},
		{`{"required":["a","b"]}`, `{"required":["b","a"]}`},
		{`{"enum":["a",1]}`, `{"enum":[1.0,"a"]}`},
		{`{"properties":{"a":{"type":"string"}}}`, `{"properties":{"a":{"$ref":"#/$defs/s"}},"$defs":{"s":{"type":"string"}}}`},
		{`{"$ref":"#/$defs/s","$defs":{"s":{"type":"string"}}}`, `{"$ref":"#/definitions/t","definitions":{"t":{"type":"string"}}}`},
		{`{"$ref":"#n","$defs":{"s":{"$anchor":"n","type":"string"}}}`, `{"type":"string"}`},
		{`{"anyOf":[{"type":"string"},{"type":"null"}]}`, `{"type":["null","string"]}`},
		{`{"anyOf":[{"type":"string"},{"type":"number"}]}`, `{"type":["number","string"]}`},
		{`{"oneOf":[{"const":"a"},{"const":"b"}]}`, `{"enum":["b","a"]}`},
		{`{"type":"string","enum":["a",null]}`, `{"const":"a"}`},
		{`{"type":"integer","enum":[1,1.5,2.0]}`, `{"enum":[1,2]}`},
		{`{"allOf":[{"type":"object"},{"properties":{"a":{}}}]}`, `{"type":"object","properties":{"a":{}}}`},
		{`{"minLength":0,"additionalProperties":true,"items":{}}`, `{}`},
		{`{"minimum":1,"maximum":1e2}`, `{"minimum":1.0,"maximum":100}`},
		{`{"type":["integer","number"]}`, `{"type":"number"}`},
		{`{"items":[{"type":"string"}],"additionalItems":false}`, `{"prefixItems":[{"type":"string"}],"items":false}`},
		{`{"minimum":1,"exclusiveMinimum":true}`, `{"exclusiveMinimum":1}`},
		{`{"properties":{"a":false}}`, `{"properties":{}}`},
		{`{"anyOf":[{"required":["a"]},{"required":["b"]}]}`, `{"anyOf":[{"required":["b"]},{"required":["a"]}]}`},
		{`{"type":"object","properties":{"n":{"$ref":"#"}}}`, `{"type":"object","properties":{"n":{"$ref":"#/$defs/self"}},"$defs":{"self":{"type":"object","properties":{"n":{"$ref":"#/$defs/self"}}}}}`},
		{`true`, `{}`},
		{`{"anyOf":[{"oneOf":[{"const":"a"},{"const":"b"}]},{"type":"null"}]}`, `{"enum":["a","b",null]}`},
	} {
		for _, s := range []sense{input, output} {
			for _, way := range [][2]string{c, {c[1], c[0]}} {
				if got, _ := schemas(value(t, way[0]), value(t, way[1]), "", s); len(got) > 0 {
					t.Errorf("%s\nand %s differ: %s %s", way[0], way[1], got[0].Rule, got[0].Text)
				}
			}
		}
	}
}

func TestSharedDefinitionChangesOnce(t *testing.T) {
	schema := `{"properties":{"a":{"$ref":"#/$defs/x"},"b":{"$ref":"#/$defs/x"},"c":{"items":{"$ref":"#/$defs/x"}}},"$defs":{"x":{"type":%s}}}`
	got, _ := schemas(value(t, fmt.Sprintf(schema, `"number"`)), value(t, fmt.Sprintf(schema, `"integer"`)), "", input)
	if len(got) != 1 {
		t.Fatalf("%d changes, want one: %v", len(got), got)
	}
}

func TestHugeSchemasAreCut(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"properties":{`)
	for i := range maxCompared + 10 {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `"p%d":{"type":"string"}`, i)
	}
	b.WriteString(`}}`)
	after := strings.Replace(b.String(), `"p1":{"type":"string"}`, `"p1":{"type":"number"}`, 1)
	got, cut := schemas(value(t, b.String()), value(t, after), "", input)
	if !cut || len(got) != 1 {
		t.Errorf("cut %v with %d changes", cut, len(got))
	}
}

func TestSchemasThatReferToThemselves(t *testing.T) {
	a := value(t, `{"type":"object","properties":{"a":{"$ref":"#"}},"$defs":{"x":{"anyOf":[{"type":"null"},{"$ref":"#"}]}}}`)
	for _, base := range []string{"", "/inputSchema"} {
		if got, cut := schemas(a, a, base, input); len(got) > 0 || cut {
			t.Errorf("at %q: %v, cut %v", base, got, cut)
		}
	}
	deep := strings.Repeat(`{"properties":{"a":`, 2*maxNested) + `{"type":"%s"}` + strings.Repeat("}}", 2*maxNested)
	if got, cut := schemas(value(t, fmt.Sprintf(deep, "string")), value(t, fmt.Sprintf(deep, "number")), "", input); len(got) > 0 || !cut {
		t.Errorf("%v, cut %v", got, cut)
	}
}

func TestRulesMirrorEachOther(t *testing.T) {
	for _, r := range Rules() {
		m, ok := ruleByKey[r.Mirror]
		if !ok {
			t.Errorf("%s has no mirror %q", r.Key, r.Mirror)
			continue
		}
		if !strings.HasPrefix(r.Key, "property.") && m.Mirror != r.Key {
			t.Errorf("the mirror of %s is %s, whose mirror is %s", r.Key, m.Key, m.Mirror)
		}
		// Where one sense breaks by narrowing, the other breaks by the way back.
		if !strings.HasPrefix(r.Key, "property.") && (r.Input != m.Output || r.Output != m.Input) {
			t.Errorf("%s and %s do not vary in opposite senses", r.Key, m.Key)
		}
	}
}

func FuzzSchemasMirror(f *testing.F) {
	f.Add(`{"type":"object","properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"anyOf":[{"type":"null"},{"$ref":"#"}]}}}`, `{"allOf":[{"$ref":"#"},{"not":{}}],"items":[true,false]}`)
	f.Add(`{"oneOf":[{"const":1},{"properties":{"k":{"const":"a"}}}]}`, `{"oneOf":[{"properties":{"k":{"const":"b"}}},{"const":1}],"if":true,"then":false}`)
	f.Fuzz(func(t *testing.T, before, after string) {
		a, err := jsonvalue.Parse([]byte(before))
		if err != nil {
			return
		}
		b, err := jsonvalue.Parse([]byte(after))
		if err != nil {
			return
		}
		if same, _ := schemas(a, a, "", input); len(same) > 0 {
			t.Fatalf("%s differs from itself: %s", before, same[0].Text)
		}
		there, cutThere := schemas(a, b, "", input)
		back, cutBack := schemas(b, a, "", output)
		if cutThere || cutBack {
			return
		}
		if got, want := verdicts(there), verdicts(back); !slices.Equal(got, want) {
			t.Fatalf("%s and %s:\nthere %v\nback  %v", before, after, there, back)
		}
	})
}

// verdicts lists the verdicts of changes but those of properties, which break
// both ways when they go.
func verdicts(changes []Change) []Verdict {
	var out []Verdict
	for _, c := range changes {
		if !strings.HasPrefix(c.Rule, "property.") {
			out = append(out, c.Verdict)
		}
	}
	slices.Sort(out)
	return out
}

func value(t *testing.T, s string) *jsonvalue.Value {
	t.Helper()
	v, err := jsonvalue.Parse([]byte(s))
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return v
}
