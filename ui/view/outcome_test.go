package view

import (
	"bytes"
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/session"
)

func ended(method, answer string) session.CallState {
	m := protocol.Parse([]byte(answer))
	phase := session.CallOK
	if m.Kind == protocol.Error {
		phase = session.CallError
	}
	return session.CallState{Method: method, Phase: phase, RequestSeq: 3, AnswerSeq: 9, Took: 4 * time.Millisecond, Answer: m}
}

func toolResult(result string) session.CallState {
	return ended(protocol.MethodToolsCall, `{"jsonrpc":"2.0","id":1,"result":`+result+`}`)
}

func labels(o Outcome) string {
	var all []string
	for _, p := range o.Parts {
		all = append(all, p.Label)
	}
	return strings.Join(all, ",")
}

func TestOutcomeShowsStructuredContentWithItsVerdict(t *testing.T) { // TOOL-08
	schema := jsontext.Value(`{"type":"object","properties":{"total":{"type":"integer"}},"required":["total"]}`)
	o := OutcomeOf(toolResult(`{"content":[],"structuredContent":{"items":[{"id":1}],"total":1}}`), schema)
	if labels(o) != "structured,answer" || !o.Fits || o.Tone != Good || o.Text != "" {
		t.Errorf("%q fits %v tone %v text %q", labels(o), o.Fits, o.Tone, o.Text)
	}
	o = OutcomeOf(toolResult(`{"content":[],"structuredContent":{"total":"1"}}`), schema)
	if o.Fits || o.Parts[0].Tone != Caution || len(o.Findings) == 0 || !strings.Contains(strings.Join(o.Parts[0].Notes, "\n"), "/total") {
		t.Errorf("fits %v, notes %q, findings %v", o.Fits, o.Parts[0].Notes, o.Findings)
	}
	if o.Parts[0].Problems[0].Pointer != "/total" {
		t.Errorf("pointer %q", o.Parts[0].Problems[0].Pointer)
	}
}

func TestOutcomeDoesNotValidateErrors(t *testing.T) { // trap 70
	schema := jsontext.Value(`{"type":"object","required":["total"]}`)
	o := OutcomeOf(toolResult(`{"isError":true,"content":[{"type":"text","text":"quota"}],"structuredContent":{"code":1}}`), schema)
	if o.Verdict != "" || o.Tone != Bad || !strings.HasPrefix(o.Head, "Tool error") || string(o.Parts[0].Body) != "quota" {
		t.Errorf("verdict %q tone %v head %q", o.Verdict, o.Tone, o.Head)
	}
}

func TestOutcomeOfNothingSaysSo(t *testing.T) {
	o := OutcomeOf(toolResult(`{"content":[]}`), nil)
	if !strings.Contains(o.Text, "empty") || !strings.Contains(o.Head, "4 ms") || labels(o) != "answer" {
		t.Errorf("text %q head %q parts %q", o.Text, o.Head, labels(o))
	}
}

func TestOutcomeOfMissingStructuredContent(t *testing.T) {
	o := OutcomeOf(toolResult(`{"content":[{"type":"text","text":"x"}]}`), jsontext.Value(`{"type":"object"}`))
	if o.Fits || !strings.Contains(o.Verdict, "no structured content") {
		t.Errorf("verdict %q", o.Verdict)
	}
}

func TestPartsByWhatTheyHold(t *testing.T) { // TOOL-16
	data := base64.StdEncoding.EncodeToString([]byte("bytes"))
	for name, c := range map[string]struct {
		content string
		kind    PartKind
		check   func(Part) bool
	}{
		"text":      {`{"type":"text","text":"a\u202eb"}`, PartText, func(p Part) bool { return string(p.Body) == "a\u202eb" }},
		"JSON text": {`{"type":"text","text":"{\"n\": 1.0}"}`, PartJSON, func(p Part) bool { return string(p.Body) == `{"n": 1.0}` }},
		"image":     {`{"type":"image","mimeType":"image/png","data":"` + data + `"}`, PartImage, func(p Part) bool { return string(p.Data) == "bytes" && p.FileName == "image.png" }},
		"svg":       {`{"type":"image","mimeType":"image/svg+xml","data":"` + data + `"}`, PartFile, func(p Part) bool { return p.FileName == "image.svg" }},
		"audio":     {`{"type":"audio","mimeType":"audio/wav","data":"` + data + `"}`, PartFile, func(p Part) bool { return p.FileName == "audio.wav" }},
		"link":      {`{"type":"resource_link","uri":"file:///a","name":"a"}`, PartLink, func(p Part) bool { return p.URI == "file:///a" && p.Detail == "a" }},
		"embedded":  {`{"type":"resource","resource":{"uri":"audio:///../x/1","mimeType":"audio/wav","blob":"` + data + `"}}`, PartFile, func(p Part) bool { return p.FileName == "1.wav" && p.URI == "audio:///../x/1" }},
		"unknown":   {`{"type":"hologram","x":1}`, PartJSON, func(p Part) bool { return len(p.Notes) > 0 && bytes.Contains(p.Body, []byte("hologram")) }},
		"bad data":  {`{"type":"image","mimeType":"image/png","data":"%%%"}`, PartJSON, func(p Part) bool { return p.Tone == Caution && len(p.Notes) > 0 }},
	} {
		o := OutcomeOf(toolResult(`{"content":[`+c.content+`]}`), nil)
		if p := o.Parts[0]; p.Kind != c.kind || !c.check(p) {
			t.Errorf("%s: %+v", name, p)
		}
	}
}

func TestFileNamesAreNoPaths(t *testing.T) {
	for uri, want := range map[string]string{
		"file:///etc/../../passwd": "passwd",
		`C:\a\b.txt`:               "b.txt",
		"x:///.hidden":             "hidden",
		"x:///a?b*c":               "a_b_c",
		"x://":                     "x_",
	} {
		if got := contentName(protocol.Content{URI: uri}); got != want || strings.ContainsAny(got, `/\`) {
			t.Errorf("%s: %q, want %q", uri, got, want)
		}
	}
}

func TestOutcomeOfErrorsAndSilence(t *testing.T) {
	o := OutcomeOf(ended(protocol.MethodToolsCall, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Unknown tool"}}`), nil)
	if o.Tone != Bad || !strings.Contains(o.Text, "-32602") || !strings.Contains(o.Text, "Unknown tool") {
		t.Errorf("%v %q", o.Tone, o.Text)
	}
	o = OutcomeOf(session.CallState{Phase: session.CallTimedOut, RequestSeq: 3, Err: "no answer within 60 s"}, nil)
	if o.Seq != 3 || o.Text != "no answer within 60 s" || len(o.Parts) != 0 {
		t.Errorf("%+v", o)
	}
}

func TestOutcomeOfPromptsAndResources(t *testing.T) {
	o := OutcomeOf(ended(protocol.MethodPromptsGet, `{"jsonrpc":"2.0","id":1,"result":{"description":"d","messages":[{"role":"user","content":{"type":"text","text":"hi"}}]}}`), nil)
	if labels(o) != "user: text,answer" || o.Text != "d" {
		t.Errorf("%q %q", labels(o), o.Text)
	}
	o = OutcomeOf(ended(protocol.MethodResourcesRead, `{"jsonrpc":"2.0","id":1,"result":{"contents":[{"uri":"a:b","mimeType":"application/json","text":"{}"},{"uri":"a:c","text":"t"}]}}`), nil)
	if len(o.Parts) != 3 || o.Parts[0].Kind != PartJSON || o.Parts[1].Kind != PartText {
		t.Errorf("%+v", o.Parts)
	}
}

func TestInputRequiredIsNotEmpty(t *testing.T) { // MRTR-16
	o := OutcomeOf(toolResult(`{"resultType":"input_required","inputRequests":{"a":{}},"requestState":"s","content":null}`), nil)
	if !o.Inputs || o.Text != "" || o.Tone == Bad {
		t.Errorf("%+v", o)
	}
}

// A large text result is shown without being copied more than it has to be.
func BenchmarkOutcomeOf20MB(b *testing.B) {
	text := strings.Repeat(`{"a": [1, 2, 3], "b": "some text that is longer"}, `, 20<<20/51)
	raw := []byte(`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":` + string(protocol.QuoteString(text)) + `}]}}`)
	m := protocol.Parse(raw)
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		o := OutcomeOf(session.CallState{Method: protocol.MethodToolsCall, Phase: session.CallOK, Answer: m}, nil)
		if len(o.Parts) != 2 || len(o.Parts[0].Body) != len(text) {
			b.Fatalf("%d parts", len(o.Parts))
		}
	}
}
