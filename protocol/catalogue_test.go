package protocol

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// places turns problems into rule@pointer and checks that pointer and offset
// name the same place of the text.
func places(t *testing.T, text string, problems []Problem) string {
	t.Helper()
	var out []string
	for _, p := range problems {
		out = append(out, p.Rule+"@"+p.Pointer)
		if p.Text == "" {
			t.Errorf("%s has no text", p.Rule)
		}
		if p.Offset < 0 {
			continue
		}
		if _, at, ok := Lookup(jsontext.Value(text), p.Pointer); !ok || at != p.Offset {
			t.Errorf("%s: %q is at %d, not at %d", p.Rule, p.Pointer, at, p.Offset)
		}
	}
	return strings.Join(out, " ")
}

// Case 84: one malformed entry never hides the good ones.
func TestDecodeTools(t *testing.T) {
	text := `{"tools":[
		{"name":"ok","title":"Okay","description":"d","inputSchema":{"type":"object"},"outputSchema":{"type":"object"},
		 "annotations":{"title":"A","readOnlyHint":true,"destructiveHint":false},"execution":{"taskSupport":"optional"},
		 "icons":[{"src":"https://x/i.png","mimeType":"image/png","sizes":["48x48","any"],"theme":"dark"}],"_meta":{"k":1.0},"x":9007199254740993},
		{"name":42},
		"text", null, {},
		{"name":"ok","inputSchema":{"type":"object"}},
		{"name":"noschema"},
		{"name":"nullschema","inputSchema":null},
		{"name":"rootless","inputSchema":{"properties":{"x":null,"__proto__":{"enum":["a","a"]},"q":"string"}}},
		{"name":"ok","inputSchema":{"type":"object"},"description":null,"annotations":"no","icons":[{},7,{"src":1,"sizes":"48x48","theme":"blue"}]},
		{"name":"","inputSchema":{"type":"object"},"outputSchema":true}
	],"nextCursor":"","ttlMs":1e3,"cacheScope":"public","_meta":{}}`
	page := DecodeTools(jsontext.Value(text))
	want := []struct {
		name      string
		malformed bool
		ordinal   int
		problems  string
	}{
		{"ok", false, 0, ""},
		{"", true, 0, "L-TOOL-01@/tools/1/name L-TOOL-01@/tools/1 L-TOOL-01@/tools/1"},
		{"", true, 0, "result.shape@/tools/2"},
		{"", true, 0, "result.shape@/tools/3"},
		{"", true, 0, "L-TOOL-01@/tools/4 L-TOOL-01@/tools/4"},
		{"ok", false, 1, "L-TOOL-03@"},
		{"noschema", false, 0, "L-TOOL-01@/tools/6"},
		{"nullschema", false, 0, "L-TOOL-01@/tools/7/inputSchema"},
		{"rootless", false, 0, "L-TOOL-01@/tools/8/inputSchema"},
		{"ok", false, 2, "result.shape@/tools/9/description result.shape@/tools/9/annotations L-ICON-01@/tools/9/icons/0 L-ICON-01@/tools/9/icons/1 L-ICON-03@/tools/9/icons/2/src L-ICON-03@/tools/9/icons/2/sizes L-ICON-03@/tools/9/icons/2/theme L-ICON-01@/tools/9/icons/2 L-TOOL-03@"},
		{"", false, 0, ""},
	}
	if len(page.Items) != len(want) {
		t.Fatalf("%d items", len(page.Items))
	}
	for i, w := range want {
		tool := page.Items[i]
		if tool.Name != w.name || tool.Malformed != w.malformed || tool.Ordinal != w.ordinal || tool.Index != i {
			t.Errorf("item %d is %q, malformed %v, ordinal %d, index %d", i, tool.Name, tool.Malformed, tool.Ordinal, tool.Index)
		}
		if got := places(t, text, tool.Problems); got != w.problems {
			t.Errorf("item %d: got %s\nwant %s", i, got, w.problems)
		}
		if !strings.Contains(text, string(tool.Raw)) || len(tool.Raw) == 0 {
			t.Errorf("item %d: raw is %s", i, tool.Raw)
		}
	}
	tool := page.Items[0]
	if tool.Title != "Okay" || tool.Description != "d" || string(tool.InputSchema) != `{"type":"object"}` || string(tool.OutputSchema) != `{"type":"object"}` ||
		tool.AnnotationTitle != "A" || tool.ReadOnly != HintTrue || tool.Destructive != HintFalse || tool.Idempotent != HintAbsent ||
		tool.TaskSupport != "optional" || string(tool.Meta) != `{"k":1.0}` || !strings.Contains(string(tool.Raw), "9007199254740993") {
		t.Errorf("members are lost: %+v", tool)
	}
	if len(tool.Icons) != 1 || tool.Icons[0].Src != "https://x/i.png" || tool.Icons[0].MIMEType != "image/png" || !slices.Equal(tool.Icons[0].Sizes, []string{"48x48", "any"}) || tool.Icons[0].Theme != "dark" {
		t.Errorf("icons are %+v", tool.Icons)
	}
	if len(page.Items[9].Icons) != 3 || !slices.Equal(page.Items[9].Icons[2].Sizes, []string{"48x48"}) {
		t.Errorf("odd icons are %+v", page.Items[9].Icons)
	}
	// PAGE-05: "" is a cursor.
	if string(page.NextCursor) != `""` || page.TTL != "1e3" || page.CacheScope != "public" || len(page.Problems) != 0 {
		t.Errorf("page is %q %q %q %v", page.NextCursor, page.TTL, page.CacheScope, page.Problems)
	}
	// TOOL-03: the defaults.
	if tool.OpenWorld.Or(true) != true || tool.ReadOnly.Or(false) != true || tool.Destructive.Or(true) != false {
		t.Error("hints have wrong defaults")
	}
}

// TOOL-04
func TestLabels(t *testing.T) {
	tool := Tool{Name: "n", Title: "t", AnnotationTitle: "a"}
	if tool.Label() != "t" {
		t.Error(tool.Label())
	}
	tool.Title = ""
	if tool.Label() != "a" {
		t.Error(tool.Label())
	}
	tool.AnnotationTitle = ""
	if tool.Label() != "n" {
		t.Error(tool.Label())
	}
	for got, want := range map[string]string{
		Resource{URI: "u"}.Label(): "u", Resource{URI: "u", Name: "r"}.Label(): "r",
		ResourceTemplate{URITemplate: "w", Name: ""}.Label(): "w", ResourceTemplate{Title: "T", Name: "n"}.Label(): "T",
		Prompt{Name: "p"}.Label(): "p", PromptArgument{Name: "a", Title: "A"}.Label(): "A", ServerInfo{Name: "s"}.Label(): "s",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestDecodePages(t *testing.T) {
	for _, tt := range []struct {
		text             string
		items            int
		cursor, problems string
	}{
		{`{"tools":[]}`, 0, "", ""},
		{`{}`, 0, "", "result.shape@"},
		{`[]`, 0, "", "result.shape@"},
		{``, 0, "", "result.shape@"},
		{`{"tools":`, 0, "", "result.shape@"},
		{`{"tools":null}`, 0, "", "result.shape@/tools"},
		{`{"tools":{"a":{}}}`, 0, "", "result.shape@/tools"},
		{`{"tools":[],"nextCursor":null}`, 0, "", "L-PAGE-03@/nextCursor"},
		{`{"tools":[],"nextCursor":7}`, 0, "7", "L-PAGE-03@/nextCursor"},
		{`{"tools":[],"nextCursor":"a\u0000b"}`, 0, `"a\u0000b"`, ""},
		{`{"tools":[],"ttlMs":"5","cacheScope":1,"_meta":[]}`, 0, "", "result.shape@/ttlMs result.shape@/cacheScope result.shape@/_meta"},
		{`{"tools":[1],"tools":[1,2]}`, 2, "", ""},
	} {
		page := DecodeTools(jsontext.Value(tt.text))
		if got := places(t, tt.text, page.Problems); len(page.Items) != tt.items || string(page.NextCursor) != tt.cursor || got != tt.problems {
			t.Errorf("%s: %d items, cursor %s, %s", tt.text, len(page.Items), page.NextCursor, got)
		}
	}
}

func TestDecodeResources(t *testing.T) { // RES-08, RES-09
	text := `{"resources":[{"uri":"a:b","name":"n","title":"t","description":"d","mimeType":"text/plain","size":1e400,
		"annotations":{"audience":["user","robot",1],"priority":1.5,"lastModified":"2025-01-01T00:00:00Z"}},
		{"uri":"a:b","annotations":{"priority":0.5}},{"name":"n"}]}`
	page := DecodeResources(jsontext.Value(text))
	if len(page.Items) != 3 {
		t.Fatal(page)
	}
	r := page.Items[0]
	if r.URI != "a:b" || r.Name != "n" || r.Title != "t" || r.Description != "d" || r.MIMEType != "text/plain" || r.Size != "1e400" ||
		r.Annotations.Priority != "1.5" || r.Annotations.LastModified != "2025-01-01T00:00:00Z" || !slices.Equal(r.Annotations.Audience, []string{"user", "robot"}) {
		t.Errorf("got %+v", r)
	}
	for i, want := range []string{
		"L-RSRC-07@/resources/0/annotations/audience/2 L-RSRC-07@/resources/0/annotations/audience L-RSRC-07@/resources/0/annotations/priority",
		"L-RSRC-01@/resources/1 list.duplicate@",
		"L-RSRC-01@/resources/2",
	} {
		if got := places(t, text, page.Items[i].Problems); got != want {
			t.Errorf("%d: %s", i, got)
		}
	}
	if page.Items[1].Ordinal != 1 || page.Items[1].Malformed || !page.Items[2].Malformed {
		t.Errorf("got %+v", page.Items)
	}
	for number, want := range map[string]bool{"0": true, "1": true, "0.5": true, "1.0": true, "1e0": true, "10e-1": true, "-0": true, "-0.1": false, "1.01": false, "2": false, "1e1": false, "5e-1": true, "1e9999999": false} {
		if isUnitInterval(number) != want {
			t.Errorf("%s within 0 and 1: %v", number, !want)
		}
	}
}

// Cases 114 and 115: a malformed template is listed with the reason.
func TestDecodeTemplates(t *testing.T) {
	text := `{"resourceTemplates":[{"uriTemplate":"x://{a}","name":"n","mimeType":"text/plain"},{"uriTemplate":"x://{}","name":"n"},{"uriTemplate":5,"name":"n"},{"uriTemplate":"x://{a}"}]}`
	page := DecodeResourceTemplates(jsontext.Value(text))
	for i, want := range []string{
		"",
		"L-RSRC-06@/resourceTemplates/1/uriTemplate",
		"L-RSRC-06@/resourceTemplates/2/uriTemplate L-RSRC-06@/resourceTemplates/2",
		"L-RSRC-01@/resourceTemplates/3 list.duplicate@",
	} {
		if got := places(t, text, page.Items[i].Problems); got != want {
			t.Errorf("%d: %s", i, got)
		}
		if page.Items[i].Malformed != (i == 2) {
			t.Errorf("%d: malformed %v", i, page.Items[i].Malformed)
		}
	}
}

func TestDecodePrompts(t *testing.T) {
	text := `{"prompts":[{"name":"p","title":"P","description":"d","arguments":[{"name":"a","title":"A","description":"x","required":true},{"name":"a"},{"required":"yes"},7]},{"arguments":{}},{"name":"q","arguments":null}]}`
	page := DecodePrompts(jsontext.Value(text))
	p := page.Items[0]
	if p.Name != "p" || p.Title != "P" || p.Description != "d" || len(p.Arguments) != 4 || p.Arguments[0].Name != "a" || !p.Arguments[0].Required || p.Arguments[0].Title != "A" ||
		p.Arguments[0].Description != "x" || p.Arguments[1].Required || !p.Arguments[2].Malformed || !p.Arguments[3].Malformed || string(p.Arguments[3].Raw) != "7" {
		t.Errorf("got %+v", p)
	}
	for i, want := range []string{
		"L-PRMT-04@/prompts/0/arguments/1 result.shape@/prompts/0/arguments/2/required result.shape@/prompts/0/arguments/2 result.shape@/prompts/0/arguments/3",
		"result.shape@/prompts/1/arguments result.shape@/prompts/1",
		"result.shape@/prompts/2/arguments",
	} {
		if got := places(t, text, page.Items[i].Problems); got != want {
			t.Errorf("%d: %s", i, got)
		}
	}
}

func TestNumber(t *testing.T) {
	one := DecodeTools(jsontext.Value(`{"tools":[{"name":"a","inputSchema":{"type":"object"}},{"name":"b","inputSchema":{"type":"object"}},{}]}`)).Items
	two := DecodeTools(jsontext.Value(`{"tools":[{"name":"b","inputSchema":{"type":"object"}},{"name":"b","inputSchema":{"type":"object"}},{}]}`)).Items
	all := slices.Concat(one, two)
	Number(all)
	var got []string
	for _, tool := range all {
		got = append(got, fmt.Sprintf("%d%s%d/%d", tool.Index, tool.Name, tool.Ordinal, len(tool.Problems)))
	}
	if want := "0a0/0 1b0/0 20/2 3b1/1 4b2/1 50/2"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

// What a peer sends is small next to what it may be decoded to.
func TestDecodeBounds(t *testing.T) {
	zeros := strings.Repeat("0,", elementsMax+5) + "0"
	tools := DecodeTools(jsontext.Value(`{"tools":[` + zeros + `]}`))
	if len(tools.Items) != elementsMax || !slices.Equal(rules(tools.Problems), []string{"list.long"}) {
		t.Errorf("%d tools, %v", len(tools.Items), rules(tools.Problems))
	}
	called := DecodeToolResult(jsontext.Value(`{"content":[` + zeros + `]}`))
	if len(called.Content) != elementsMax || !slices.Equal(rules(called.Problems), []string{"list.long"}) {
		t.Errorf("%d blocks, %v", len(called.Content), rules(called.Problems))
	}
	completion := DecodeCompletion(jsontext.Value(`{"completion":{"values":[` + zeros + `]}}`))
	if len(completion.Problems) != findingsMax+2 {
		t.Errorf("%d findings about a completion", len(completion.Problems))
	}
	again := strings.Repeat(`"name":1,`, 1000)
	tools = DecodeTools(jsontext.Value(`{"tools":[{` + again + `"inputSchema":{"type":"object"}}]}`))
	if got := tools.Items[0].Problems; len(got) != findingsMax+1 || got[findingsMax].Rule != "json.more" {
		t.Errorf("%d findings about a tool", len(got))
	}
	if _, problems := DecodeError(jsontext.Value(`{` + strings.Repeat(`"code":"x",`, 1000) + `"message":""}`)); len(problems) != findingsMax+1 {
		t.Errorf("%d findings about an error", len(problems))
	}
	requests := DecodeInputRequests(jsontext.Value(`{` + strings.Repeat(`"a":0,`, 2000) + `"b":0}`))
	if len(requests) != 1000 {
		t.Errorf("%d input requests", len(requests))
	}
	capabilities := DecodeServerCapabilities(jsontext.Value(`{` + strings.Repeat(`"a":0,`, 2000) + `"tools":{}}`))
	if len(capabilities.Other) != 1000 || !capabilities.Tools {
		t.Errorf("%d other capabilities", len(capabilities.Other))
	}
}

func FuzzCatalogue(f *testing.F) {
	f.Add([]byte(`{"tools":[{"name":"a","icons":[{"src":1}],"annotations":{"priority":1}},7],"nextCursor":null}`))
	f.Add([]byte(`{"resources":[{"uri":"a","annotations":{"audience":[1],"priority":-1e5}}],"contents":[{"uri":"a","blob":"%"}]}`))
	f.Add([]byte(`{"content":[{"type":"resource","resource":{"uri":1}},"x",{"type":"image"}],"structuredContent":null,"isError":1}`))
	f.Add([]byte(`{"messages":[{"role":"x","content":[1]}],"completion":{"values":[1],"total":"x"},"inputRequests":{"a":{"method":1}}}`))
	f.Add([]byte(`{"protocolVersion":1,"capabilities":{"tools":true},"serverInfo":{"name":1},"supportedVersions":["a",1],"_meta":{"io.modelcontextprotocol/serverInfo":1}}`))
	f.Add([]byte(`{"prompts":[{"name":"a","arguments":[{"name":"b"},{"name":"b"}]}],"resourceTemplates":[{"uriTemplate":"{"}],"level":"x","progressToken":1.5}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		before := bytes.Clone(raw)
		v := jsontext.Value(raw)
		var problems []Problem
		check := func(n int, more ...[]Problem) {
			for _, list := range more {
				problems = append(problems, list...)
			}
			if n > len(raw) {
				t.Fatalf("%d items of %d bytes", n, len(raw))
			}
		}
		tools := DecodeTools(v)
		check(len(tools.Items), tools.Problems)
		for _, x := range tools.Items {
			check(0, x.Problems)
			if x.Malformed && len(x.Problems) == 0 {
				t.Fatalf("%q is malformed without a reason", x.Raw)
			}
			HeaderAnnotations(x.InputSchema)
		}
		resources := DecodeResources(v)
		check(len(resources.Items), resources.Problems)
		for _, x := range resources.Items {
			check(0, x.Problems)
		}
		templates := DecodeResourceTemplates(v)
		check(len(templates.Items), templates.Problems)
		for _, x := range templates.Items {
			check(0, x.Problems)
		}
		prompts := DecodePrompts(v)
		check(len(prompts.Items), prompts.Problems)
		for _, x := range prompts.Items {
			check(len(x.Arguments), x.Problems)
		}
		called := DecodeToolResult(v)
		check(len(called.Content), called.Problems)
		for _, x := range called.Content {
			check(0, x.Problems)
			if data, err := x.Decode(); err == nil && len(data) != x.DecodedLen() {
				t.Fatalf("%q decodes to %d bytes, not %d", x.Data, len(data), x.DecodedLen())
			}
		}
		read := DecodeReadResult(v)
		check(len(read.Contents), read.Problems)
		prompt := DecodePromptResult(v)
		check(len(prompt.Messages), prompt.Problems)
		completion := DecodeCompletion(v)
		check(len(completion.Values), completion.Problems)
		check(0, DecodeInitialize(v).Problems)
		discover, versions := DecodeDiscover(v)
		check(len(versions), discover.Problems)
		check(0, DecodeServerCapabilities(v).Problems, ServerOf(v).Problems, DecodeProgress(v).Problems, DecodeLog(v).Problems)
		check(len(DecodeInputRequests(v)))
		DecodeCancelled(v)
		_, wrong := DecodeError(v)
		check(0, wrong)
		for _, p := range problems {
			if p.Offset < -1 || p.Offset > len(raw) || p.Text == "" || p.Rule == "" {
				t.Fatalf("%q: odd problem %+v", raw, p)
			}
		}
		if !bytes.Equal(raw, before) {
			t.Fatal("the text was changed")
		}
	})
}

func BenchmarkDecodeTools5000(b *testing.B) {
	var text bytes.Buffer
	text.WriteString(`{"tools":[`)
	for i := range 5000 {
		if i > 0 {
			text.WriteByte(',')
		}
		fmt.Fprintf(&text, `{"name":"tool-%d","title":"Tool %d","description":"%s","inputSchema":{"type":"object","properties":{"a":{"type":"string","description":"first"},"b":{"type":"integer","minimum":0}},"required":["a"]},"annotations":{"readOnlyHint":true}}`, i, i, strings.Repeat("word ", 40))
	}
	text.WriteString(`]}`)
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if page := DecodeTools(text.Bytes()); len(page.Items) != 5000 {
			b.Fatal(len(page.Items))
		}
	}
}
