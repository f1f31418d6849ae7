package view

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
)

func promptOf(t *testing.T, definition string) protocol.Prompt {
	t.Helper()
	page := protocol.DecodePrompts(jsontext.Value(`{"prompts":[` + definition + `]}`))
	if len(page.Items) != 1 {
		t.Fatalf("%d prompts", len(page.Items))
	}
	return page.Items[0]
}

func templateOf(t *testing.T, template string) protocol.ResourceTemplate {
	t.Helper()
	page := protocol.DecodeResourceTemplates(jsontext.Value(`{"resourceTemplates":[{"name":"x","uriTemplate":` + string(protocol.QuoteString(template)) + `}]}`))
	if len(page.Items) != 1 {
		t.Fatalf("%d templates", len(page.Items))
	}
	return page.Items[0]
}

func TestPromptArgumentsAreStringsOrAbsent(t *testing.T) {
	f := PromptFields(promptOf(t, `{"name":"p","arguments":[{"name":"a","required":true},{"name":"b"},{"name":7}]}`))
	if len(f.Fields) != 2 || !f.Fields[0].Required || f.Fields[1].Required {
		t.Fatalf("fields %+v", f.Fields)
	}
	got := f.Filling()
	if string(got.Params) != `{"name":"p"}` || !got.Sendable || !strings.Contains(got.Reason, "a: required") {
		t.Errorf("nothing filled in: %+v", got)
	}
	f.Fields[0].Value, f.Fields[1].Empty = "9007199254740993", true
	got = f.Filling()
	if string(got.Params) != `{"name":"p","arguments":{"a":"9007199254740993","b":""}}` || got.Reason != "" {
		t.Errorf("filled in: %s %q", got.Params, got.Reason)
	}
	q := f.Subject(0)
	if q.Argument != "a" || len(q.Others) != 1 || q.Others[0] != (NamedValue{"b", ""}) {
		t.Errorf("subject %+v", q)
	}
}

func TestTemplateVariables(t *testing.T) {
	f := TemplateFields(templateOf(t, "x://{topic}/{?size,palette}"))
	if len(f.Fields) != 3 || !f.Fields[0].Required || f.Fields[1].Required {
		t.Fatalf("fields %+v", f.Fields)
	}
	got := f.Filling()
	if !got.Sendable || !strings.Contains(got.Reason, "{topic}") {
		t.Errorf("without topic: %+v", got)
	}
	f.Fields[0].Value = "foo/bar"
	if got := f.Preview(); got != "x://foo%2Fbar/" {
		t.Errorf("preview %s", got)
	}
	f.Fields[1].Empty = true
	f.Fields[2].Value = "é"
	got = f.Filling()
	if string(got.Params) != `{"uri":"x://foo%2Fbar/?size=&palette=%C3%A9"}` || got.Reason != "" {
		t.Errorf("filled in: %s %q", got.Params, got.Reason)
	}
}

func TestTemplateLists(t *testing.T) {
	f := TemplateFields(templateOf(t, "x://{?tag*}"))
	f.Fields[0].Value = "a,b"
	if got := f.Preview(); got != "x://?tag=a&tag=b" {
		t.Errorf("preview %s", got)
	}
}

func TestMalformedTemplateSaysWhy(t *testing.T) {
	for _, template := range []string{"x://{}", "x://{id:abc}", "x://{"} {
		f := TemplateFields(templateOf(t, template))
		got := f.Filling()
		if got.Sendable || !strings.Contains(got.Reason, "malformed") || f.Broken() == "" {
			t.Errorf("%s: %+v", template, got)
		}
		if !strings.Contains(string(got.Params), template) {
			t.Errorf("%s: params %s", template, got.Params)
		}
	}
}

func TestAnyURI(t *testing.T) {
	f := URIFields("file:///a b\"")
	if got := f.Filling(); string(got.Params) != `{"uri":"file:///a b\""}` || got.Reason != "" {
		t.Errorf("filling %+v", got)
	}
	f.Fields[0].Value = ""
	if got := f.Filling(); got.Reason == "" || !got.Sendable {
		t.Errorf("empty: %+v", got)
	}
}

func TestValuesMoveToAChangedDefinition(t *testing.T) {
	old := PromptFields(promptOf(t, `{"name":"p","arguments":[{"name":"a"},{"name":"b"}]}`))
	old.Fields[0].Value, old.Fields[1].Empty = "1", true
	fresh := PromptFields(promptOf(t, `{"name":"p","arguments":[{"name":"b"},{"name":"a"},{"name":"c"}]}`))
	fresh.Adopt(old)
	if !fresh.Fields[0].Empty || fresh.Fields[1].Value != "1" || fresh.Fields[2].Set() {
		t.Errorf("fields %+v", fresh.Fields)
	}
}
