package protocol

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func TestDecodeElicitation(t *testing.T) { // ELIC-03, ELIC-11 to 13, L-ELIC-02 to 12, cases 97 to 101
	form := func(property string) string {
		return `{"message":"m","requestedSchema":{"type":"object","properties":{"f":` + property + `}}}`
	}
	for _, c := range []struct{ name, params, old, rules string }{
		{"empty", `{"message":"m","requestedSchema":{"type":"object","properties":{}}}`, "", ""},
		{"string", form(`{"type":"string","title":"t","description":"d","minLength":1,"maxLength":2,"format":"email"}`), "", ""},
		{"number", form(`{"type":"integer","minimum":1,"maximum":9007199254740993}`), "", ""},
		{"boolean with a default", form(`{"type":"boolean","default":true}`), "", ""},
		{"enum", form(`{"type":"string","enum":["a","b"]}`), "", ""},
		{"enum with names", form(`{"type":"string","enum":["a"],"enumNames":["A"]}`), "", ""},
		{"names of another length", form(`{"type":"string","enum":["a"],"enumNames":[]}`), "L-ELIC-12", "L-ELIC-12"},
		{"titled", form(`{"type":"string","oneOf":[{"const":"#f00","title":"Red"}]}`), "L-ELIC-03", ""},
		{"several", form(`{"type":"array","items":{"type":"string","enum":["a"]},"minItems":1,"maxItems":2,"default":["a"]}`), "L-ELIC-03", ""},
		{"several titled", form(`{"type":"array","items":{"anyOf":[{"const":"a","title":"A"}]}}`), "L-ELIC-03", ""},
		{"several of anything", form(`{"type":"array","items":{"type":"string"}}`), "L-ELIC-03", "L-ELIC-03"},
		{"default of a string", form(`{"type":"string","default":"x"}`), "L-ELIC-03", ""},
		{"nested", form(`{"type":"object","properties":{}}`), "L-ELIC-03", "L-ELIC-03"},
		{"pattern", form(`{"type":"string","pattern":"x"}`), "L-ELIC-03", "L-ELIC-03"},
		{"another format", form(`{"type":"string","format":"ipv4"}`), "L-ELIC-03", "L-ELIC-03"},
		{"reference", form(`{"$ref":"#/$defs/x"}`), "L-ELIC-03", "L-ELIC-03"},
		{"null", form(`null`), "L-ELIC-03", "L-ELIC-03"},
		{"root keyword", `{"message":"m","requestedSchema":{"type":"object","properties":{},"anyOf":[]}}`, "L-ELIC-03", "L-ELIC-03"},
		{"required of nothing", `{"message":"m","requestedSchema":{"type":"object","properties":{},"required":["x"]}}`, "L-ELIC-03", "L-ELIC-03"},
		{"no type", `{"message":"m","requestedSchema":{"properties":{}}}`, "L-ELIC-03", "L-ELIC-03"},
		{"secret", form(`{"type":"string","title":"API key"}`), "L-ELIC-04", "L-ELIC-04"},
		{"warning of a secret", form(`{"type":"integer","title":"Number","description":"not your pin, please"}`), "", ""},
		{"link", form(`{"type":"string","description":"see https://a.example"}`), "L-ELIC-05", "L-ELIC-05"},
		{"no schema", `{"mode":"form","message":"m"}`, "L-ELIC-02", "L-ELIC-02"},
		{"no message", `{"requestedSchema":{"type":"object","properties":{}}}`, "L-ELIC-02", "L-ELIC-02"},
		{"url without id", `{"mode":"url","message":"m","url":"https://a.example"}`, "L-ELIC-08", ""},
		{"url with id", `{"mode":"url","message":"m","url":"https://a.example","elicitationId":"x"}`, "", "L-ELIC-09"},
		{"no url", `{"mode":"url","message":"m"}`, "L-ELIC-02", "L-ELIC-02"},
		{"another mode", `{"mode":"voice","message":"m"}`, "L-ELIC-02", "L-ELIC-02"},
		{"no object", `7`, "L-ELIC-02", "L-ELIC-02"},
	} {
		for revision, want := range map[string]string{"2025-06-18": c.old, "2026-07-28": c.rules} {
			r, _ := RevisionByName(revision)
			e := DecodeElicitation(jsontext.Value(c.params), r)
			if got := strings.Join(slices.Compact(rules(e.Problems)), " "); got != want {
				t.Errorf("%s in %s: %s, want %s: %+v", c.name, revision, got, want, e.Problems)
			}
			for _, p := range e.Problems {
				if _, at, ok := Lookup(jsontext.Value(c.params), p.Pointer); !ok || at != p.Offset {
					t.Errorf("%s in %s: %s is not at %d", c.name, revision, p.Pointer, p.Offset)
				}
			}
		}
	}
	e := DecodeElicitation(jsontext.Value(`{"message":"m","requestedSchema":{"type":"object","properties":{}},"elicitationId":"i","url":"u"}`), nil)
	if e.Mode != ElicitForm || e.Message != "m" || string(e.Schema) != `{"type":"object","properties":{}}` || e.ID != "i" || e.URL != "u" {
		t.Errorf("%+v", e)
	}
}
