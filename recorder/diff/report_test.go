package diff

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol/jsonvalue"
)

// What Compare says in words, in JSON, in JUnit and in Markdown.
func TestReports(t *testing.T) {
	before := append([]string{
		`> {"jsonrpc":"2.0","id":50,"method":"tools/list"}`,
		`< {"jsonrpc":"2.0","id":50,"result":{"tools":[{"name":"a","inputSchema":{"properties":{"x":{},"y":{}}}},{"name":"b"}]}}`,
	}, call(1, `{}`, `{"content":[{"type":"text","text":"one | <b>\u202e"}]}`)...)
	after := append([]string{
		`> {"jsonrpc":"2.0","id":50,"method":"tools/list"}`,
		`< {"jsonrpc":"2.0","id":50,"result":{"tools":[{"name":"a","inputSchema":{"properties":{"y":{}}}},{"name":"b"},{"name":"c"},{"name":"d"}]}}`,
	}, call(1, `{}`, `{"content":[{"type":"text","text":"two"}]}`)...)
	after = append(after, call(2, `{"more":1}`, `{}`)...)
	r, err := Compare(context.Background(), Side{Name: "old", Log: script(t, before...)}, Side{Name: "new", Log: script(t, after...)}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want := "2 tools are new, 1 has lost an argument that callers use (1 change may break callers); 0 of 3 exchanges are the same, 2 differ, 1 is only in the second."; r.Summary() != want {
		t.Errorf("%s\nwant %s", r.Summary(), want)
	}
	doc := r.JSON()
	if !doc.IsValid() {
		t.Fatalf("%s", doc)
	}
	v, err := jsonvalue.Parse(doc)
	if err != nil {
		t.Fatal(err)
	}
	for pointer, want := range map[string]string{
		"/interface/breaking": "1", "/interface/changes/0/rule": `"property.removed"`, "/conversation/onlyB": "1", "/conversation/rows/1/differences/0/pointer": `"/result/content/0/text"`,
	} {
		if got := v.At(pointer); got == nil || got.Text() != want {
			t.Errorf("%s is %v, want %s", pointer, got, want)
		}
	}
	var xml, md strings.Builder
	if err := errors.Join(r.WriteJUnit(&xml, OnAny), r.WriteMarkdown(&md)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`tests="6" failures="6"`, `<testcase classname="tool" name="tool a">`, "Argument `x` is gone."} {
		if !strings.Contains(xml.String(), want) {
			t.Errorf("no %q in\n%s", want, xml.String())
		}
	}
	for _, want := range []string{"# `old` and `new` compared", "| tool `a` | Argument `x` is gone. | `/inputSchema/properties/x` |", "### `tools/call t`: 1 difference", `\\u202e`, `\<b\>`} {
		if !strings.Contains(md.String(), want) {
			t.Errorf("no %q in\n%s", want, md.String())
		}
	}
	if !r.Fails(OnAny) || !r.Fails(OnBreaking) {
		t.Error("it does not fail")
	}
	r.Interface = nil
	if !r.Fails(OnAny) || r.Fails(OnBreaking) {
		t.Error("a conversation is no matter of what breaks")
	}
	if _, err := Compare(context.Background(), Side{Surface: &Surface{}}, Side{Surface: &Surface{}}, Options{ConversationOnly: true}); !errors.Is(err, ErrNothingToCompare) {
		t.Errorf("%v", err)
	}
}

func TestSnapshotsComeBack(t *testing.T) {
	s := Surface{Revision: "2025-11-25", ServerInfo: jsontext.Value(`{"name":"s","version":"1.0"}`), Capabilities: jsontext.Value(`{"tools":{},"prompts":{}}`),
		Instructions: jsontext.Value(`"Be kind"`), Tools: List{true, []jsontext.Value{jsontext.Value(`{"name":"z","n":1.0}`), jsontext.Value(`{"name":"a","k":"‹secret:0123abcd›"}`)}},
		Resources: List{Known: true}}
	text, err := AppendSnapshot(nil, s)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"format": "mcploupe-catalogue/1"`, `"n": 1.0`, "‹secret:1›", `"resources": []`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
	if strings.Contains(string(text), `"prompts": [`) || strings.Index(string(text), `"a"`) > strings.Index(string(text), `"z"`) {
		t.Errorf("%s", text)
	}
	back, err := ReadSnapshot(text)
	if err != nil {
		t.Fatal(err)
	}
	again, err := AppendSnapshot(nil, back)
	if err != nil || string(again) != string(text) {
		t.Errorf("%v\n%s", err, again)
	}
	if got := back.Unknown(); !slices.Equal(got, []string{"prompts"}) {
		t.Errorf("unknown: %q", got)
	}
	if r := Interfaces(back, back); len(r.Changes) > 0 {
		t.Errorf("%+v", r.Changes)
	}
}

func TestWhatIsASnapshot(t *testing.T) {
	for text, want := range map[string]int{ // tools, -1 for no catalogue
		`{"tools":[{"name":"a"}]}`: 1, `{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a"},{"name":"b"}]}}`: 2,
		`{"format":"mcploupe-catalogue/1"}`: 0, `{"format":"mcploupe/1","created":"2026-11-30T03:12:09Z"}`: -1, `{"log":{"entries":[]}}`: -1, `[]`: -1, ``: -1, `{"tools":{}}`: -1,
		`{"target":"x","lists":{"tools":{"status":"failed"},"prompts":{"status":"complete"}},"tools":[],"prompts":[]}`: 0,
	} {
		if got := IsSnapshot([]byte(text)); got != (want >= 0) {
			t.Errorf("%s: %v", text, got)
		}
		s, err := ReadSnapshot([]byte(text))
		if (err == nil) != (want >= 0) || want >= 0 && len(s.Tools.Items) != want || err != nil && !errors.Is(err, ErrNoSnapshot) {
			t.Errorf("%s: %d tools, %v", text, len(s.Tools.Items), err)
		}
		if strings.Contains(text, "failed") && (s.Tools.Known || !s.Prompts.Known) {
			t.Errorf("%s: %+v", text, s)
		}
	}
	raw, err := os.ReadFile(filepath.Join(corpus, "everything-2026.8.31.json"))
	if err != nil {
		t.Fatal(err)
	}
	if s, err := ReadSnapshot(raw); err != nil || len(s.Tools.Items) != 19 {
		t.Errorf("%d tools, %v", len(s.Tools.Items), err)
	}
}
