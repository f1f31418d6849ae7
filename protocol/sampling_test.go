package protocol

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

const fullSampling = `{"messages":[
 {"role":"user","content":{"type":"text","text":"look"}},
 {"role":"user","content":[{"type":"image","data":"AA==","mimeType":"image/png"},{"type":"audio","data":"AA==","mimeType":"audio/wav"}]},
 {"role":"assistant","content":[{"type":"tool_use","id":"u1","name":"altitude","input":{"n":9007199254740993},"_meta":{"k":1}}]},
 {"role":"user","content":[{"type":"tool_result","toolUseId":"u1","content":[{"type":"text","text":"41"}],"structuredContent":null,"isError":true}]}],
 "systemPrompt":"be brief","tools":[{"name":"altitude","inputSchema":{"type":"object"}}],"toolChoice":{"mode":"auto"},
 "modelPreferences":{"hints":[{"name":"small"},{"name":"tiny"}],"costPriority":0.8,"speedPriority":1.0,"intelligencePriority":0},
 "maxTokens":9007199254740993,"temperature":0.70,"stopSequences":["\n"],"includeContext":"none","metadata":{"a":1.0}}`

func TestDecodeSampling(t *testing.T) { // case 112, SAMP-15
	r := DecodeSampling(jsontext.Value(fullSampling))
	for _, m := range r.Messages {
		for _, b := range m.Blocks {
			r.Problems = append(r.Problems, b.Problems...)
		}
	}
	if len(r.Problems) != 0 || len(r.Messages) != 4 {
		t.Fatalf("problems %+v, %d messages", r.Problems, len(r.Messages))
	}
	if r.SystemPrompt != "be brief" || !r.HasTools || len(r.Tools) != 1 || r.Tools[0].Name != "altitude" || r.ToolChoice != "auto" || !slices.Equal(r.Hints, []string{"small", "tiny"}) ||
		r.Cost != "0.8" || r.Speed != "1.0" || r.Intelligence != "0" || r.MaxTokens != "9007199254740993" || r.Temperature != "0.70" ||
		!slices.Equal(r.StopSequences, []string{"\n"}) || r.IncludeContext != "none" || string(r.Metadata) != `{"a":1.0}` {
		t.Errorf("%+v", r)
	}
	if b := r.Messages[1].Blocks; len(b) != 2 || b[0].Type != "image" || b[1].MIMEType != "audio/wav" {
		t.Errorf("media %+v", b)
	}
	if b := r.Messages[2].Blocks[0]; b.ToolUse != "u1" || b.Name != "altitude" || string(b.Input) != `{"n":9007199254740993}` || string(b.Meta) != `{"k":1}` {
		t.Errorf("use %+v", b)
	}
	if b := r.Messages[3].Blocks[0]; b.ToolUse != "u1" || len(b.Results) != 1 || string(b.Results[0].Text) != "41" || !b.HasStructured || string(b.Structured) != "null" || !b.IsError {
		t.Errorf("result %+v", b)
	}
}

func TestSamplingProblems(t *testing.T) { // SAMP-13, L-SAMP-01, 03, 04, 06
	use := `{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"x","input":{}},{"type":"tool_use","id":"b","name":"x","input":{}}]}`
	result := func(id string) string { return `{"type":"tool_result","toolUseId":"` + id + `","content":[]}` }
	user := func(blocks ...string) string {
		return `{"role":"user","content":[` + strings.Join(blocks, ",") + `]}`
	}
	text := `{"type":"text","text":"t"}`
	for _, c := range []struct{ name, params, rules string }{
		{"balanced", `{"messages":[` + user(text) + "," + use + "," + user(result("a"), result("b")) + `],"maxTokens":1}`, ""},
		{"one is missing", `{"messages":[` + use + "," + user(result("a")) + `],"maxTokens":1}`, "L-SAMP-04"},
		{"nothing follows", `{"messages":[` + use + `],"maxTokens":1}`, "L-SAMP-04 L-SAMP-04"},
		{"mixed", `{"messages":[` + use + "," + user(result("a"), result("b"), text) + `],"maxTokens":1}`, "L-SAMP-03"},
		{"no use", `{"messages":[` + user(result("z")) + `],"maxTokens":1}`, "L-SAMP-04"},
		{"no messages", `{"maxTokens":1}`, "L-SAMP-01"},
		{"no limit", `{"messages":[` + user(text) + `]}`, "L-SAMP-01"},
		{"role", `{"messages":[{"role":"system","content":` + text + `}],"maxTokens":1}`, "L-SAMP-01"},
		{"priority", `{"messages":[` + user(text) + `],"maxTokens":1,"modelPreferences":{"costPriority":1.01}}`, "L-SAMP-06"},
		{"context", `{"messages":[` + user(text) + `],"maxTokens":1,"includeContext":"all"}`, "L-SAMP-01"},
		{"choice", `{"messages":[` + user(text) + `],"maxTokens":1,"toolChoice":{"mode":"any"}}`, "L-SAMP-01"},
		{"no object", `[]`, "L-SAMP-01"},
	} {
		if got := strings.Join(rules(DecodeSampling(jsontext.Value(c.params)).Problems), " "); got != c.rules {
			t.Errorf("%s: %s, want %s", c.name, got, c.rules)
		}
	}
}

func TestCannedAnswersFit(t *testing.T) { // case 111, SAMP-11, SAMP-12
	r := DecodeSampling(jsontext.Value(fullSampling))
	canned := r.Canned()
	if len(canned) != 6 {
		t.Fatalf("%d canned answers", len(canned))
	}
	for _, c := range canned {
		if p := r.CheckResult(c.Result); len(p) != 0 {
			t.Errorf("%s: %s: %+v", c.Title, c.Result, p)
		}
	}
	if got := string(canned[5].Result); got != `{"role":"assistant","content":[{"type":"tool_use","id":"use-1","name":"altitude","input":{}}],"model":"small","stopReason":"toolUse"}` {
		t.Errorf("use %s", got)
	}
	use := `{"role":"assistant","model":"m","stopReason":"toolUse","content":[{"type":"tool_use","id":"1","name":"altitude","input":{}}]}`
	for _, c := range []struct{ name, choice, result, rule string }{
		{"required, none used", "required", `{"role":"assistant","model":"m","content":{"type":"text","text":""}}`, "SAMP-12"},
		{"none, one used", "none", use, "SAMP-12"},
		{"one used", "auto", use, ""},
		{"another tool", "auto", strings.Replace(use, "altitude", "azimuth", 1), "SAMP-11"},
		{"no model", "auto", `{"role":"assistant","content":{"type":"text","text":""}}`, "SAMP-11"},
		{"no content", "auto", `{"role":"assistant","model":"m"}`, "L-SAMP-01"},
		{"wrong reason", "auto", strings.Replace(use, "toolUse", "endTurn", 1), "SAMP-11"},
		{"no JSON", "auto", `{"role":`, "SAMP-11"},
	} {
		r.ToolChoice = c.choice
		got := rules(r.CheckResult(jsontext.Value(c.result)))
		if strings.Join(slices.Compact(got), " ") != c.rule {
			t.Errorf("%s: %v, want %s", c.name, got, c.rule)
		}
	}
}

func FuzzAsks(f *testing.F) {
	f.Add([]byte(fullSampling))
	f.Add([]byte(`{"mode":"url","url":"https://a.example","requestedSchema":{"type":"object","properties":{"a":{"type":"array","items":{"anyOf":[1]}},"__proto__":null}}}`))
	f.Add([]byte(`{"messages":[{"content":[{"type":"tool_result"}]}],"tools":[null]}`))
	f.Fuzz(func(t *testing.T, params []byte) {
		for _, p := range slices.Concat(DecodeSampling(params).Problems, DecodeElicitation(params, nil).Problems) {
			if p.Offset > len(params) || p.Text == "" {
				t.Errorf("problem %+v in %d bytes", p, len(params))
			}
		}
		DecodeSampling(params).CheckResult(params)
		DecodeSampling(params).Canned()
	})
}
