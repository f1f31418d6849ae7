package view

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
)

const samplingParams = `{
 "messages":[
  {"role":"user","content":{"type":"text","text":"What is\nthis?"}},
  {"role":"assistant","content":[{"type":"tool_use","id":"u1","name":"look","input":{"n":9007199254740993}}]},
  {"role":"user","content":[{"type":"tool_result","toolUseId":"u1","content":[{"type":"image","mimeType":"image/png","data":"iVBORw=="}]}]},
  {"role":"user","content":[{"type":"audio","mimeType":"audio/wav","data":"UklGRg=="},{"type":"text","text":"last words"}]}
 ],
 "systemPrompt":"Be short.","maxTokens":100,"temperature":0.10,"includeContext":"none","stopSequences":["END"],
 "modelPreferences":{"hints":[{"name":"big"},{"name":"small"}],"speedPriority":0.5},
 "tools":[{"name":"look","description":"Looks","inputSchema":{"type":"object"}}],"toolChoice":{"mode":"required"},
 "x-more":{"a":1}
}`

func TestSamplingShowsEverything(t *testing.T) { // SAMP-02, P17; F112, F113
	q := SamplingOf(jsontext.Value(samplingParams))
	var labels []string
	for _, p := range q.Parts {
		labels = append(labels, p.Label)
	}
	want := []string{"system prompt", "1 user: text", "2 assistant: tool use", "3 user: tool result", "3 user: result: image", "4 user: audio", "4 user: text", "tool look"}
	if strings.Join(labels, "|") != strings.Join(want, "|") {
		t.Errorf("parts %q, want %q", labels, want)
	}
	if q.Parts[4].Kind != PartImage || q.Parts[5].Kind != PartFile || !strings.Contains(string(q.Parts[2].Body), "9007199254740993") {
		t.Errorf("picture %v, sound %v, tool use %s", q.Parts[4].Kind, q.Parts[5].Kind, q.Parts[2].Body)
	}
	facts := map[string]string{}
	for _, f := range q.Facts {
		facts[f.Label] = f.Value
	}
	for label, value := range map[string]string{
		"max tokens": "100", "temperature": "0.10", "context": "none", "stop sequences": `["END"]`,
		"model": "big, then small, speed 0.5", "tool choice": `{"mode":"required"}`, "x-more": `{"a":1}`,
	} {
		if facts[label] != value {
			t.Errorf("%s is %q, want %q", label, facts[label], value)
		}
	}
	if got := q.Brief(80); got != "last words" {
		t.Errorf("brief %q", got)
	}
	if _, begins := PartRow(q.Parts[1]); begins != "What is" {
		t.Errorf("the first message begins %q", begins)
	}
}

func TestSamplingOfWhatIsNone(t *testing.T) {
	for _, params := range []string{``, `null`, `[]`, `{"messages":7,"tools":"x","systemPrompt":[],"modelPreferences":3}`} {
		q := SamplingOf(jsontext.Value(params))
		if len(q.Parts) != 0 {
			t.Errorf("%s has parts %v", params, q.Parts)
		}
		if strings.HasPrefix(params, "{") && len(q.Facts) != 4 {
			t.Errorf("%s: something is left out: %v", params, q.Facts)
		}
	}
}

func TestSamplingAnswerIsTwoViewsOfOneValue(t *testing.T) { // SAMP-11; F111
	a := NewSamplingAnswer(SamplingOf(jsontext.Value(`{"messages":[],"maxTokens":3}`)), nil)
	a.SetFields(SamplingFields{Model: "m", StopReason: "", Text: "a \"b\""})
	text, reason, ok := a.Result()
	if !ok || reason != "" || !strings.Contains(text, `"a \"b\""`) || strings.Contains(text, "stopReason") {
		t.Errorf("%s %q %v", text, reason, ok)
	}
	a.SetText(`{"model":"x","role":"assistant","content":{"text":"hi","type":"text"},"stopReason":"mine"}`)
	if f, ok := a.Fields(); !ok || f != (SamplingFields{"x", "mine", "hi"}) {
		t.Errorf("fields %+v %v", f, ok)
	}
	for _, more := range []string{
		`{"role":"user","content":{"type":"text","text":""},"model":"x"}`,
		`{"role":"assistant","content":[{"type":"text","text":""}],"model":"x"}`,
		`{"role":"assistant","content":{"type":"text","text":"","_meta":{}},"model":"x"}`,
		`{"role":"assistant","content":{"type":"text","text":""},"model":"x","_meta":{}}`,
		`{"role":"assistant","content":{"type":"text","text":""},"model":"x","model":"y"}`,
		`{"role":"assistant","content":{"type":"text","text":""}}`, `{`,
	} {
		a.SetText(more)
		if _, ok := a.Fields(); ok {
			t.Errorf("%s is said to be in the fields", more)
		}
		if a.Text() != more {
			t.Errorf("%s became %s", more, a.Text())
		}
	}
	if _, reason, ok := a.Result(); ok || reason == "" {
		t.Errorf("half a text is sendable: %q", reason)
	}
	a.SetFields(SamplingFields{Model: "m", Text: "one two three four"})
	if _, reason, ok := a.Result(); !ok || !strings.Contains(reason, "maxTokens") { // SAMP-09
		t.Errorf("too many words: %q %v", reason, ok)
	}
}

func TestCannedAnswersFitTheRequest(t *testing.T) { // F111
	old, _ := protocol.RevisionByName("2025-06-18")
	request := SamplingOf(jsontext.Value(strings.Replace(samplingParams, `"required"`, `"auto"`, 1)))
	for _, c := range NewSamplingAnswer(request, nil).Canned() {
		a := NewSamplingAnswer(request, nil)
		a.Use(c)
		if _, reason, ok := a.Result(); !ok || reason != "" {
			t.Errorf("%s: %q %v", c.Title, reason, ok)
		}
	}
	a := NewSamplingAnswer(SamplingOf(jsontext.Value(`{"messages":[]}`)), old)
	for _, c := range a.Canned() {
		if a.Use(c); strings.Contains(a.Text(), `"content":[`) {
			t.Errorf("%s has a list of blocks in 2025-06-18", c.Title)
		}
	}
	a.SetText(`{"role":"assistant","model":"m","content":[{"type":"text","text":""}]}`)
	if _, reason, _ := a.Result(); !strings.Contains(reason, "one block") {
		t.Errorf("a list in 2025-06-18: %q", reason)
	}
}
