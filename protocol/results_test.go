package protocol

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func contentText(c Content) string {
	var b strings.Builder
	b.WriteString(c.Type)
	if c.HasText {
		fmt.Fprintf(&b, " text=%s", c.Text)
	}
	if c.HasData {
		fmt.Fprintf(&b, " data=%s", c.Data)
	}
	for _, f := range [][2]string{{"mime", c.MIMEType}, {"uri", c.URI}, {"name", c.Name}, {"title", c.Title}, {"description", c.Description}, {"size", c.Size}, {"meta", string(c.Meta)}} {
		if f[1] != "" {
			fmt.Fprintf(&b, " %s=%s", f[0], f[1])
		}
	}
	return b.String()
}

func TestDecodeToolResult(t *testing.T) {
	for _, tt := range []struct{ name, text, content, problems string }{
		{"text", `{"content":[{"type":"text","text":"a\u0000b"}]}`, "text text=a\x00b", ""},
		{"empty text", `{"content":[{"type":"text","text":""}]}`, "text text=", ""},
		{"empty, case 80", `{"content":[]}`, "", ""},
		{"image", `{"content":[{"type":"image","data":"AA==","mimeType":"image/png","annotations":{"audience":["user"]},"_meta":{"a":1}}]}`, "image data=AA== mime=image/png meta={\"a\":1}", ""},
		{"audio", `{"content":[{"type":"audio","data":"AA==","mimeType":"audio/wav"}]}`, "audio data=AA== mime=audio/wav", ""},
		{"resource, case 87", `{"content":[{"type":"resource","resource":{"uri":"audio:///1","mimeType":"audio/wav","blob":"UklGRg=="}}]}`, "resource data=UklGRg== mime=audio/wav uri=audio:///1", ""},
		{"text resource", `{"content":[{"type":"resource","resource":{"uri":"a:b","text":"x"}}]}`, "resource text=x uri=a:b", ""},
		{"link, case 89", `{"content":[{"type":"resource_link","uri":"file:///a","name":"a","title":"A","description":"d","size":9007199254740993,"mimeType":"text/plain"}]}`,
			"resource_link mime=text/plain uri=file:///a name=a title=A description=d size=9007199254740993", ""},
		{"unknown type", `{"content":[{"type":"hologram","data":"x","text":"y"}]}`, "hologram text=y data=x", "L-TOOL-09@/content/0"},
		{"object, case 85", `{"content":{"mimeType":"application/json","text":"[]"}}`, " text=[] mime=application/json", "L-TOOL-08@/content L-TOOL-09@/content"},
		{"string", `{"content":"hi"}`, " text=hi", "L-TOOL-08@/content L-TOOL-09@/content"},
		{"bare strings", `{"content":["hi",7]}`, " text=hi|", "L-TOOL-09@/content/0 L-TOOL-09@/content/1"},
		{"null", `{"content":null}`, "", "L-TOOL-08@/content"},
		{"no content", `{}`, "", "L-TOOL-08@"},
		{"only structured, case 79", `{"content":[],"structuredContent":{"items":[{"id":1}],"total":1}}`, "", ""},
		{"good beside bad", `{"content":[{"type":"image"},{"type":"text","text":"x"},{"text":5,"type":"text"}]}`, "image|text text=x|text",
			"L-TOOL-09@/content/0 L-TOOL-09@/content/0 L-TOOL-09@/content/2/text L-TOOL-09@/content/2"},
		{"resource without parts", `{"content":[{"type":"resource","resource":{}},{"type":"resource","resource":7},{"type":"resource_link"}]}`, "resource|resource|resource_link",
			"L-TOOL-09@/content/0 L-TOOL-09@/content/0 L-TOOL-09@/content/1/resource L-TOOL-09@/content/1 L-TOOL-09@/content/1 L-TOOL-09@/content/2 L-TOOL-09@/content/2"},
		{"text and blob", `{"content":[{"type":"resource","resource":{"uri":"a:b","text":"","blob":""}}]}`, "resource text= data= uri=a:b", "L-TOOL-09@/content/0"},
		{"isError text", `{"content":[],"isError":"yes"}`, "", "result.shape@/isError"},
		{"array", `[]`, "", "L-RPC-05@"},
		{"input required", `{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create"}},"requestState":"s"}`, "", ""},
		{"task", `{"task":{"taskId":"1"}}`, "", ""},
		{"task extension", `{"resultType":"task","taskId":"1"}`, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := DecodeToolResult(jsontext.Value(tt.text))
			var content []string
			problems := r.Problems
			for _, c := range r.Content {
				content = append(content, contentText(c))
				problems = append(problems, c.Problems...)
				if len(c.Raw) == 0 || !strings.Contains(tt.text, string(c.Raw)) {
					t.Errorf("raw is %q", c.Raw)
				}
			}
			if got := strings.Join(content, "|"); got != tt.content {
				t.Errorf("content %q, want %q", got, tt.content)
			}
			if got := places(t, tt.text, problems); got != tt.problems {
				t.Errorf("problems %s, want %s", got, tt.problems)
			}
		})
	}
	// TOOL-09: presence of the key is what counts.
	for text, want := range map[string]string{
		`{"content":[],"structuredContent":null}`: "null", `{"content":[],"structuredContent":1.0}`: "1.0", `{"content":[]}`: "absent",
	} {
		r := DecodeToolResult(jsontext.Value(text))
		got := "absent"
		if r.HasStructured {
			got = string(r.Structured)
		}
		if got != want {
			t.Errorf("%s: structured content is %s", text, got)
		}
	}
	r := DecodeToolResult(jsontext.Value(`{"resultType":"input_required","inputRequests":{"b":{"method":"elicitation/create","params":{"n":1.0}},"a":{"params":7},"b":1},"requestState":"\ud800","isError":true,"_meta":{"x":1}}`))
	if r.ResultType != ResultInputRequired || string(r.RequestState) != `"\ud800"` || !r.IsError || string(r.Meta) != `{"x":1}` {
		t.Errorf("trap 18: got %+v", r)
	}
	var keys []string
	for _, q := range DecodeInputRequests(r.InputRequests) {
		keys = append(keys, fmt.Sprintf("%s=%s%s/%d", q.Key, q.Method, string(q.Params), len(q.Problems)))
	}
	if got := strings.Join(keys, " "); got != `b=elicitation/create{"n":1.0}/0 a=/2 b=/1` {
		t.Errorf("trap 23: input requests are %s", got)
	}
}

// L-TOOL-10, L-RSRC-02
func TestContentDecode(t *testing.T) {
	for _, tt := range []struct {
		data, want string
		err        bool
	}{
		{"", "", false},
		{"aGk=", "hi", false},
		{"aGk", "hi", true},
		{"aG k=", "hi", true},
		{"aG\nk=", "hi", true},
		{"_-8=", "\xff\xef", true},
		{"/+8=", "\xff\xef", false},
		{"aGl=", "hi", true}, // bits beyond the last byte
		{"a", "", true},
		{"%%%%", "", true},
	} {
		c := Content{Data: tt.data}
		got, err := c.Decode()
		if string(got) != tt.want || (err != nil) != tt.err || err != nil && !errors.Is(err, ErrBase64) {
			t.Errorf("%q: got %q, %v", tt.data, got, err)
		}
		if err == nil && c.DecodedLen() != len(got) {
			t.Errorf("%q: %d bytes expected", tt.data, c.DecodedLen())
		}
	}
}

func TestDecodeReadResult(t *testing.T) {
	for _, tt := range []struct{ text, contents, problems string }{
		{`{"contents":[{"uri":"a:b","mimeType":"text/plain","text":"x"},{"uri":"a:c","blob":"AA=="}]}`, "resource text=x mime=text/plain uri=a:b|resource data=AA== uri=a:c", ""},
		{`{"contents":[]}`, "", ""},
		{`{"contents":[{"uri":"a:b"},{"text":"x"},"y",{"uri":"a:b","text":"x","blob":"AA=="}]}`, "resource uri=a:b|resource text=x|resource text=y|resource text=x data=AA== uri=a:b",
			"L-RSRC-02@/contents/0 L-RSRC-02@/contents/1 L-RSRC-02@/contents/2 L-RSRC-02@/contents/3"},
		{`{"contents":{"uri":"a:b","text":"x"}}`, "resource text=x uri=a:b", "result.shape@/contents"},
		{`{}`, "", "result.shape@"},
	} {
		r := DecodeReadResult(jsontext.Value(tt.text))
		var contents []string
		problems := r.Problems
		for _, c := range r.Contents {
			contents = append(contents, contentText(c))
			problems = append(problems, c.Problems...)
		}
		if got := strings.Join(contents, "|"); got != tt.contents {
			t.Errorf("%s: contents %q", tt.text, got)
		}
		if got := places(t, tt.text, problems); got != tt.problems {
			t.Errorf("%s: problems %s", tt.text, got)
		}
	}
	r := DecodeReadResult(jsontext.Value(`{"contents":[],"ttlMs":0,"cacheScope":"private","resultType":"complete","_meta":{}}`))
	if r.TTL != "0" || r.CacheScope != "private" || r.ResultType != ResultComplete || string(r.Meta) != "{}" {
		t.Errorf("got %+v", r)
	}
}

func TestDecodePromptResult(t *testing.T) {
	text := `{"description":"d","messages":[{"role":"user","content":{"type":"text","text":"hi"}},{"role":"system","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]},{"content":"bare"},7]}`
	r := DecodePromptResult(jsontext.Value(text))
	if r.Description != "d" || len(r.Messages) != 4 || len(r.Problems) != 0 {
		t.Fatalf("got %+v", r)
	}
	if m := r.Messages[0]; m.Role != "user" || contentText(m.Content) != "text text=hi" || len(m.Problems) != 0 || len(m.Content.Problems) != 0 {
		t.Errorf("got %+v", m)
	}
	if m := r.Messages[1]; len(m.More) != 1 || string(m.Content.Text) != "a" || string(m.More[0].Text) != "b" || places(t, text, m.Problems) != "L-PRMT-01@/messages/1/role L-PRMT-01@/messages/1/content" {
		t.Errorf("got %+v", m)
	}
	if m := r.Messages[2]; string(m.Content.Text) != "bare" || places(t, text, m.Problems) != "L-PRMT-01@/messages/2" || places(t, text, m.Content.Problems) != "L-TOOL-09@/messages/2/content" {
		t.Errorf("got %+v", m)
	}
	if m := r.Messages[3]; string(m.Raw) != "7" || places(t, text, m.Problems) != "L-PRMT-01@/messages/3" {
		t.Errorf("got %+v", m)
	}
	if got := rules(DecodePromptResult(jsontext.Value(`{"messages":{}}`)).Problems); !slices.Equal(got, []string{"result.shape"}) {
		t.Errorf("messages of a wrong type: %v", got)
	}
}

func TestDecodeCompletion(t *testing.T) {
	c := DecodeCompletion(jsontext.Value(`{"completion":{"values":["a",1,"b"],"total":9007199254740993,"hasMore":true}}`))
	if !slices.Equal(c.Values, []string{"a", "b"}) || c.Total != "9007199254740993" || !c.HasMore || !slices.Equal(rules(c.Problems), []string{"L-COMP-02"}) {
		t.Errorf("got %+v", c)
	}
	for text, want := range map[string]int{
		`{}`: 1, `{"completion":{}}`: 1, `{"completion":[]}`: 2, `{"completion":{"values":[]}}`: 0,
		`{"completion":{"values":[` + strings.TrimSuffix(strings.Repeat(`"x",`, 101), ",") + `]}}`: 1,
	} {
		if c := DecodeCompletion(jsontext.Value(text)); len(c.Problems) != want {
			t.Errorf("%.40s: %v", text, c.Problems)
		}
	}
}

func TestDecodeInitialize(t *testing.T) {
	s := DecodeInitialize(jsontext.Value(`{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"n","title":"t","version":"1","description":"d","websiteUrl":"w","icons":[{"src":"data:,"}]},"instructions":"i","_meta":{}}`))
	if s.Revision != "2025-11-25" || s.Name != "n" || s.Label() != "t" || s.Version != "1" || s.Description != "d" || s.WebsiteURL != "w" || len(s.Icons) != 1 || s.Instructions != "i" ||
		string(s.Capabilities) != `{"tools":{}}` || len(s.Problems) != 0 {
		t.Errorf("got %+v", s)
	}
	// Case 2: the missing members are named.
	text := `{"name":"x","version":"1"}`
	s = DecodeInitialize(jsontext.Value(text))
	var sentences []string
	for _, p := range s.Problems {
		sentences = append(sentences, p.Text)
	}
	for _, name := range []string{"protocolVersion", "capabilities", "serverInfo"} {
		if !strings.Contains(strings.Join(sentences, " "), name) {
			t.Errorf("case 2: %s is not named in %q", name, sentences)
		}
	}
	text = `{"protocolVersion":1,"capabilities":[],"serverInfo":{"name":7}}`
	if got := places(t, text, DecodeInitialize(jsontext.Value(text)).Problems); got != "L-INIT-03@/protocolVersion L-INIT-03@/capabilities L-INIT-03@/serverInfo/name L-INIT-03@/serverInfo L-INIT-03@/serverInfo L-INIT-03@ L-INIT-03@" {
		t.Errorf("got %s", got)
	}
}

func TestDecodeDiscover(t *testing.T) {
	const good = `{"supportedVersions":["2026-07-28","2025-11-25"],"capabilities":{},"ttlMs":0,"cacheScope":"public","resultType":"complete","instructions":"i"`
	s, versions := DecodeDiscover(jsontext.Value(good + `,"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"n","version":"1"}}}`))
	if !slices.Equal(versions, []string{"2026-07-28", "2025-11-25"}) || s.Name != "n" || s.Version != "1" || s.Instructions != "i" || s.Revision != "" || len(s.Problems) != 0 {
		t.Errorf("got %+v %v", s, versions)
	}
	// Trap 80: a top-level serverInfo is of a draft.
	s, _ = DecodeDiscover(jsontext.Value(good + `,"serverInfo":{"name":"n","version":"1"}}`))
	if s.Name != "n" || !slices.Equal(rules(s.Problems), []string{"L-DISC-08"}) {
		t.Errorf("got %+v", s)
	}
	s, _ = DecodeDiscover(jsontext.Value(good + `}`))
	if !slices.Equal(rules(s.Problems), []string{"L-DISC-08"}) {
		t.Errorf("nameless: %v", s.Problems)
	}
	s, versions = DecodeDiscover(jsontext.Value(`{"protocolVersion":"2025-11-25"}`))
	if versions != nil || !slices.Contains(rules(s.Problems), "L-DISC-02") {
		t.Errorf("no DiscoverResult: %v %v", versions, s.Problems)
	}
	if s, versions = DecodeDiscover(jsontext.Value(`"x"`)); versions != nil || len(s.Problems) != 1 {
		t.Errorf("no object: %v %v", versions, s.Problems)
	}
	if got := ServerOf(jsontext.Value(`{"io.modelcontextprotocol/serverInfo":{"name":"n","version":"1"}}`)); got.Name != "n" || len(got.Problems) != 0 {
		t.Errorf("META-14: got %+v", got)
	}
	if got := ServerOf(nil); got.Name != "" || len(got.Problems) != 0 {
		t.Errorf("META-14, absent: got %+v", got)
	}
}

func TestDecodeServerCapabilities(t *testing.T) {
	c := DecodeServerCapabilities(jsontext.Value(`{"tools":{"listChanged":true},"resources":{"subscribe":true,"listChanged":false},"prompts":{},"logging":{},"completions":{},"tasks":{"list":{}},"extensions":{"a/b":{}},"experimental":{"x":1},"y":{}}`))
	if !c.Tools || !c.ToolsListChanged || !c.Resources || !c.ResourcesSubscribe || c.ResourcesListChanged || !c.Prompts || c.PromptsListChanged || !c.Logging || !c.Completions ||
		string(c.Tasks) != `{"list":{}}` || string(c.Extensions) != `{"a/b":{}}` || string(c.Experimental) != `{"x":1}` || !slices.Equal(c.Other, []string{"y"}) || len(c.Problems) != 0 {
		t.Errorf("got %+v", c)
	}
	text := `{"tools":true,"resources":null,"prompts":false,"logging":{"x":1},"completions":[]}`
	c = DecodeServerCapabilities(jsontext.Value(text))
	if !c.Tools || c.Resources || c.Prompts || !c.Logging || c.Completions || places(t, text, c.Problems) != "result.shape@/tools result.shape@/resources result.shape@/prompts result.shape@/completions" {
		t.Errorf("got %+v", c)
	}
	if c := DecodeServerCapabilities(nil); c.Tools || len(c.Problems) != 0 {
		t.Errorf("nil: %+v", c)
	}
	if c := DecodeServerCapabilities(jsontext.Value(`[]`)); len(c.Problems) != 1 {
		t.Errorf("array: %+v", c)
	}
}

func TestDecodeNotifications(t *testing.T) {
	p := DecodeProgress(jsontext.Value(`{"progressToken":"\u0061","progress":1.50,"total":1e400,"message":"m"}`))
	if p.Token.String() != `"\u0061"` || p.Progress != "1.50" || p.Total != "1e400" || p.Message != "m" || len(p.Problems) != 0 {
		t.Errorf("PROG-02: got %+v", p)
	}
	if p := DecodeProgress(jsontext.Value(`{"progressToken":null,"progress":"1"}`)); !p.Token.IsZero() || p.Progress != "" || len(p.Problems) != 4 {
		t.Errorf("got %+v", p)
	}
	if p := DecodeProgress(nil); len(p.Problems) != 2 {
		t.Errorf("got %+v", p)
	}
	l := DecodeLog(jsontext.Value(`{"level":"warning","logger":"a","data":null}`))
	if l.Level != "warning" || l.Logger != "a" || string(l.Data) != "null" || len(l.Problems) != 0 {
		t.Errorf("LOG-05: got %+v", l)
	}
	if l := DecodeLog(jsontext.Value(`{"level":"warn"}`)); l.Level != "warn" || !slices.Equal(rules(l.Problems), []string{"L-LOG-07", "notification.shape"}) {
		t.Errorf("got %+v", l)
	}
	if id, reason := DecodeCancelled(jsontext.Value(`{"requestId":1.0,"reason":"r"}`)); id.String() != "1.0" || reason != "r" {
		t.Errorf("got %v %q", id, reason)
	}
	if id, reason := DecodeCancelled(jsontext.Value(`{"requestId":{}}`)); !id.IsZero() || reason != "" {
		t.Errorf("CAN-10: got %v %q", id, reason)
	}
}

func TestDecodeError(t *testing.T) {
	for _, tt := range []struct{ text, code, message, data, problems string }{
		{`{"code":-32022,"message":"m","data":{"supported":["2026-07-28"]}}`, "-32022", "m", `{"supported":["2026-07-28"]}`, ""},
		{`{"code":1.0,"message":"m"}`, "1.0", "m", "", ""},
		{`{"code":1.5,"message":"m"}`, "1.5", "m", "", "L-RPC-04@/code"},
		{`{"code":"ENOENT","message":7,"data":null}`, `"ENOENT"`, "7", "null", "L-RPC-04@/code L-RPC-04@/message"},
		{`"boom"`, "", "boom", "", "L-RPC-04@"},
		{`[1]`, "", "[1]", "", "L-RPC-04@"},
		{`{}`, "", "", "", "L-RPC-04@ L-RPC-04@"},
	} {
		e, problems := DecodeError(jsontext.Value(tt.text))
		if e.Code != tt.code || e.Message != tt.message || string(e.Data) != tt.data || places(t, tt.text, problems) != tt.problems {
			t.Errorf("%s: got %+v, %v", tt.text, e, problems)
		}
	}
	if e := (RPCError{Code: "-3.2601e4"}); !e.HasCode(CodeMethodNotFound) || e.HasCode(CodeParse) {
		t.Error("a code in another dress is not recognised")
	}
	for _, code := range []int{CodeParse, CodeInvalidRequest, CodeMethodNotFound, CodeInvalidParams, CodeInternal, CodeHeaderMismatch, CodeMissingCapability, CodeUnsupportedVersion, CodeResourceNotFound, CodeURLElicitationRequired, CodeRejected} {
		if CodeName(fmt.Sprint(code)) == "" {
			t.Errorf("%d has no name", code)
		}
	}
	// BASE-18: no meaning is given to these.
	for _, code := range []string{"-32000", "-32001", "-32003", "-32004", "-32019", "1", "", `"x"`} {
		if name := CodeName(code); name != "" {
			t.Errorf("%s is called %s", code, name)
		}
	}
	for want, e := range map[string]RPCError{"m (-1)": {Code: "-1", Message: "m"}, "error -1": {Code: "-1"}, "m": {Message: "m"}} {
		if e.Error() != want {
			t.Errorf("%q, want %q", e.Error(), want)
		}
	}
}
