package view

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
)

func TestFindingsInADefinition(t *testing.T) { // L-RPC-20, L-TOOL-04, TOOL-10
	old, _ := protocol.RevisionByName("2025-06-18")
	modern, _ := protocol.RevisionByName("2026-07-28")
	for _, c := range []struct {
		name, definition string
		r                *protocol.Revision
		want             string
	}{
		{"C72 valid and refused by some", `{"name":"t","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"data":true,"b":{"type":["null","boolean"]}}}}`, modern,
			"/outputSchema/properties/data schema.portable /outputSchema/properties/b/type schema.portable"},
		{"C76 a list at the root", `{"name":"t","inputSchema":{"type":"object"},"outputSchema":{"type":"array","items":{"type":"string"}}}`, old, "/outputSchema L-TOOL-04"},
		{"C76 a list at the root of a newer server", `{"name":"t","inputSchema":{"type":"object"},"outputSchema":{"type":"array","items":{"type":"string"}}}`, modern, ""},
		{"P10 repeated", `{"name":"t","inputSchema":{"type":"object","properties":{"e":{"enum":["a","a"]}}}}`, modern, "/inputSchema/properties/e/enum/1 schema.duplicate"},
		{"no schemas", `{"name":"t"}`, old, ""},
		{"no schema", `{"name":"t","inputSchema":7,"outputSchema":"x"}`, old, "/outputSchema L-TOOL-04"},
	} {
		t.Run(c.name, func(t *testing.T) {
			found := ToolFindings(jsontext.Value(c.definition), c.r)
			var got []string
			for _, p := range found {
				got = append(got, p.Pointer, p.Rule)
				if _, at, ok := protocol.Lookup(jsontext.Value(c.definition), p.Pointer); !ok || at != p.Offset {
					t.Errorf("%s is at %d, said to be at %d", p.Pointer, at, p.Offset)
				}
			}
			if text := strings.Join(got, " "); text != c.want {
				t.Errorf("found %s, want %s", text, c.want)
			}
			if text, _ := FindingsNote(found); (text == "") != (c.want == "") {
				t.Errorf("the note says %q", text)
			}
		})
	}
}

func TestFindingsNoteIsShort(t *testing.T) {
	var many []protocol.Problem
	for range 9 {
		many = append(many, protocol.Problem{Severity: protocol.Info, Pointer: "/a", Text: "is odd"})
	}
	if text, tone := FindingsNote(many); strings.Count(text, "\n") != 3 || !strings.Contains(text, "6 more") || tone != Muted {
		t.Errorf("%v: %q", tone, text)
	}
	many[8].Severity = protocol.Violation
	if _, tone := FindingsNote(many); tone != Caution {
		t.Errorf("with a violation the tone is %v", tone)
	}
}
