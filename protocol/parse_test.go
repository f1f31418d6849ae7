package protocol

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func rules(problems []Problem) []string {
	var out []string
	for _, p := range problems {
		out = append(out, p.Rule)
	}
	return out
}

func TestParse(t *testing.T) {
	tests := []struct {
		name   string
		raw    string
		kind   Kind
		id     string
		method string
		rules  []string
	}{
		{"request", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, Request, "1", "tools/list", nil},
		{"request with params", `{"jsonrpc":"2.0","id":"a","method":"x","params":{}}`, Request, `"a"`, "x", nil},
		{"notification", `{"jsonrpc":"2.0","method":"notifications/x/custom","params":{}}`, Notification, "", "notifications/x/custom", nil},
		{"result", `{"jsonrpc":"2.0","id":1,"result":{}}`, Result, "1", "", nil},
		{"error", `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}`, Error, "1", "", nil},
		{"error without id, BASE-10", `{"jsonrpc":"2.0","error":{"code":-32700,"message":"no"}}`, Error, "", "", []string{"L-RPC-08"}},
		{"error with id null", `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}`, Error, "", "", []string{"L-RPC-08"}},
		{"blanks and order", " {\t\"method\" : \"x\",\r\n \"id\" : 1 , \"jsonrpc\":\"2.0\" }\r\n", Request, "1", "x", nil},
		{"escaped names", `{"\u006asonrpc":"2.0","\u0069d":1,"m\u0065thod":"to\u006fls\/list"}`, Request, "1", "tools/list", nil},
		{"escaped version", `{"jsonrpc":"\u0032.0","id":1,"result":{}}`, Result, "1", "", nil},

		{"no jsonrpc", `{"id":1,"result":{}}`, Result, "1", "", []string{"L-RPC-01"}},
		{"jsonrpc 1.0", `{"jsonrpc":"1.0","id":1,"result":{}}`, Result, "1", "", []string{"L-RPC-01"}},
		{"jsonrpc number", `{"jsonrpc":2.0,"id":1,"result":{}}`, Result, "1", "", []string{"L-RPC-01"}},
		{"result and error", `{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}}`, Error, "1", "", []string{"L-RPC-03"}},
		{"result and null error", `{"jsonrpc":"2.0","id":1,"result":{},"error":null}`, Result, "1", "", []string{"L-RPC-03"}},
		{"null result and error", `{"jsonrpc":"2.0","id":1,"result":null,"error":{"code":1,"message":""}}`, Error, "1", "", []string{"L-RPC-03"}},
		{"null result", `{"jsonrpc":"2.0","id":1,"result":null}`, Result, "1", "", []string{"L-RPC-03"}},
		{"null error", `{"jsonrpc":"2.0","id":1,"error":null}`, Error, "1", "", []string{"L-RPC-04"}},
		{"array result", `{"jsonrpc":"2.0","id":1,"result":[]}`, Result, "1", "", []string{"L-RPC-05"}},
		{"result without id", `{"jsonrpc":"2.0","result":{}}`, Result, "", "", []string{"L-RPC-02"}},
		{"result with id null", `{"jsonrpc":"2.0","id":null,"result":{}}`, Result, "", "", []string{"BASE-03"}},
		{"request with id null", `{"jsonrpc":"2.0","id":null,"method":"x"}`, Request, "", "x", []string{"BASE-03"}},
		{"notification with id null", `{"jsonrpc":"2.0","id":null,"method":"notifications/progress"}`, Notification, "", "notifications/progress", []string{"L-RPC-11"}},
		{"notification with id", `{"jsonrpc":"2.0","id":7,"method":"notifications/progress"}`, Notification, "7", "notifications/progress", []string{"L-RPC-11"}},
		{"request without id", `{"jsonrpc":"2.0","method":"tools/list"}`, Notification, "", "tools/list", []string{"jsonrpc.no-id"}},
		{"fractional id", `{"jsonrpc":"2.0","id":1.5,"result":{}}`, Result, "1.5", "", []string{"BASE-03"}},
		{"integer id with fraction", `{"jsonrpc":"2.0","id":1.0,"result":{}}`, Result, "1.0", "", []string{"BASE-03"}},
		{"huge id", `{"jsonrpc":"2.0","id":9007199254740993,"result":{}}`, Result, "9007199254740993", "", nil},
		{"negative id", `{"jsonrpc":"2.0","id":-7,"result":{}}`, Result, "-7", "", nil},
		{"array id", `{"jsonrpc":"2.0","id":[1],"result":{}}`, Result, "", "", []string{"BASE-03"}},
		{"bool id", `{"jsonrpc":"2.0","id":true,"method":"x"}`, Request, "", "x", []string{"BASE-03"}},
		{"error text", `{"jsonrpc":"2.0","id":1,"error":"boom"}`, Error, "1", "", []string{"L-RPC-04"}},
		{"error without code", `{"jsonrpc":"2.0","id":1,"error":{"message":"boom"}}`, Error, "1", "", []string{"L-RPC-04"}},
		{"error with text code", `{"jsonrpc":"2.0","id":1,"error":{"code":"E","message":"boom"}}`, Error, "1", "", []string{"L-RPC-04"}},
		{"empty error", `{"jsonrpc":"2.0","id":1,"error":{}}`, Error, "1", "", []string{"L-RPC-04", "L-RPC-04"}},
		{"method number", `{"jsonrpc":"2.0","id":1,"method":42}`, Request, "1", "", []string{"jsonrpc.method"}},
		{"method null", `{"jsonrpc":"2.0","id":1,"method":null,"params":null,"result":{}}`, Result, "1", "", []string{"jsonrpc.method"}},
		{"echoed method", `{"jsonrpc":"2.0","id":1,"method":"tools/list","result":{}}`, Result, "1", "tools/list", []string{"jsonrpc.shape"}},
		{"request with null result", `{"jsonrpc":"2.0","id":1,"method":"ping","result":null}`, Request, "1", "ping", []string{"jsonrpc.shape"}},
		{"params text", `{"jsonrpc":"2.0","id":1,"method":"x","params":"p"}`, Request, "1", "x", []string{"jsonrpc.params"}},
		{"params array", `{"jsonrpc":"2.0","id":1,"method":"x","params":[1]}`, Request, "1", "x", []string{"jsonrpc.params"}},
		{"extra member", `{"jsonrpc":"2.0","id":1,"result":{},"took":3}`, Result, "1", "", []string{"jsonrpc.member"}},
		{"id only", `{"jsonrpc":"2.0","id":1}`, Invalid, "1", "", []string{"jsonrpc.shape"}},
		{"empty object", `{}`, Invalid, "", "", []string{"L-RPC-01", "jsonrpc.shape"}},

		{"duplicate id, last counts", `{"jsonrpc":"2.0","id":1,"id":2,"result":{}}`, Result, "2", "", []string{"json.duplicate"}},
		{"duplicate deep", `{"jsonrpc":"2.0","id":1,"result":{"a":[{"b":1,"\u0062":2}]}}`, Result, "1", "", []string{"json.duplicate"}},
		{"lone surrogate", `{"jsonrpc":"2.0","id":1,"result":{"a":"\ud800"}}`, Result, "1", "", []string{"json.surrogate"}},
		{"lone low surrogate", `{"jsonrpc":"2.0","id":1,"result":{"a":"\udc00\ud800"}}`, Result, "1", "", []string{"json.surrogate"}},
		{"surrogate pair", `{"jsonrpc":"2.0","id":1,"result":{"a":"\ud83d\ude00"}}`, Result, "1", "", nil},
		{"NUL escape", `{"jsonrpc":"2.0","id":1,"result":{"a":"x\u0000"}}`, Result, "1", "", []string{"json.nul"}},
		{"NUL byte", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":\"x\x00\"}}", Result, "1", "", []string{"json.control"}},
		{"raw tab", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":\"x\ty\"}}", Result, "1", "", []string{"json.control"}},
		{"invalid UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":\"x\xff\"}}", Result, "1", "", []string{"L-RPC-12"}},
		{"BOM", "\xef\xbb\xbf{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}", Result, "1", "", []string{"json.bom"}},
		{"UTF-16", "\xff\xfe{\x00}\x00", Invalid, "", "", []string{"L-RPC-12"}},
		{"trailing text", `{"jsonrpc":"2.0","id":1,"result":{}} done`, Result, "1", "", []string{"json.trailing"}},
		{"two values", `{"jsonrpc":"2.0","id":1,"result":{}}{"jsonrpc":"2.0","id":2,"result":{}}`, Result, "1", "", []string{"json.trailing"}},

		{"empty", ``, Invalid, "", "", []string{"json.empty"}},
		{"blank", " \r\n", Invalid, "", "", []string{"json.empty"}},
		{"log line", `INFO     [telemetry] started`, Invalid, "", "", []string{"json.syntax"}},
		{"log line before json", `INFO {"jsonrpc":"2.0","id":1,"result":{}}`, Invalid, "", "", []string{"json.syntax"}},
		{"scalar", `42`, Invalid, "", "", []string{"jsonrpc.shape"}},
		{"string", `"hello"`, Invalid, "", "", []string{"jsonrpc.shape"}},
		{"null", `null`, Invalid, "", "", []string{"jsonrpc.shape"}},
		{"cut", `{"jsonrpc":"2.0","id":1,"result":{"a":`, Invalid, "1", "", []string{"json.syntax"}},
		{"cut in id", `{"jsonrpc":"2.0","id":1`, Invalid, "", "", []string{"json.syntax"}},
		{"NaN", `{"jsonrpc":"2.0","result":{"a":NaN},"id":1}`, Invalid, "1", "", []string{"json.syntax"}},
		{"single quotes", `{'jsonrpc':'2.0','id':1}`, Invalid, "", "", []string{"json.syntax"}},
		{"trailing comma", `{"jsonrpc":"2.0","id":3,"result":{"a":[1,]}}`, Invalid, "3", "", []string{"json.syntax"}},
		{"trailing comma at the top", `{"jsonrpc":"2.0","id":3,"result":{},}`, Invalid, "3", "", []string{"json.syntax"}},
		{"comment", `{"jsonrpc":"2.0","id":3,/*x*/"result":{}}`, Invalid, "3", "", []string{"json.syntax"}},
		{"bad escape", `{"jsonrpc":"2.0","result":{"p":"C:\Users"},"id":"q"}`, Invalid, `"q"`, "", []string{"json.syntax"}},
		{"broken request", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{x}}`, Invalid, "1", "ping", []string{"json.syntax"}},
		{"leading zero", `{"jsonrpc":"2.0","id":01,"result":{}}`, Invalid, "", "", []string{"json.syntax"}},
		{"mismatched brackets", `{"jsonrpc":"2.0","id":1,"result":[}]}`, Invalid, "1", "", []string{"json.syntax"}},
		{"empty batch", `[]`, Batch, "", "", []string{"jsonrpc.batch"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			raw := []byte(tt.raw)
			m := Parse(raw)
			if m.Kind != tt.kind || m.ID.String() != tt.id || m.Method != tt.method {
				t.Errorf("got %v id %q method %q, want %v id %q method %q", m.Kind, m.ID, m.Method, tt.kind, tt.id, tt.method)
			}
			if got := rules(m.Problems); !slices.Equal(got, tt.rules) {
				t.Errorf("rules %q, want %q: %+v", got, tt.rules, m.Problems)
			}
			if len(raw) > 0 && &m.Raw[0] != &raw[0] || len(m.Raw) != len(raw) {
				t.Error("Raw is not the argument itself")
			}
			for _, p := range m.Problems {
				if p.Offset < -1 || p.Offset > len(raw) {
					t.Errorf("offset %d is outside of the text", p.Offset)
				}
			}
		})
	}
}

func TestParseSlices(t *testing.T) {
	raw := []byte(`{"jsonrpc":"2.0","id":1,"method":"m","params": {"a" : 9007199254740993 } }`)
	m := Parse(raw)
	if string(m.Params) != `{"a" : 9007199254740993 }` {
		t.Errorf("params %s", m.Params)
	}
	at := bytes.IndexByte(raw[1:], '{') + 1
	if &m.Params[0] != &raw[at] {
		t.Error("params are a copy")
	}
	if cap(m.Params) != len(m.Params) {
		t.Error("appending to params would overwrite Raw")
	}
	if m := Parse([]byte(`{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"x"}}`)); m.Result == nil || m.Error == nil {
		t.Error("result and error are not both kept")
	}
}

// L-RPC-02: ids keep their text, so that all of these are different.
func TestIDs(t *testing.T) {
	seen := map[ID]string{}
	for _, text := range []string{`1`, `1.0`, `"1"`, `9007199254740993`, `9007199254740992`, `"\u0031"`, `1e0`, `-1`} {
		id := Parse([]byte(`{"jsonrpc":"2.0","id":` + text + `,"result":{}}`)).ID
		if id.String() != text {
			t.Errorf("id %s became %s", text, id)
		}
		if other, dup := seen[id]; dup {
			t.Errorf("%s equals %s", text, other)
		}
		seen[id] = text
	}
	id := func(text string) ID {
		id, ok := ParseID(text)
		if !ok {
			t.Errorf("ParseID(%s) failed", text)
		}
		return id
	}
	if !id(`"\u0031"`).Equal(id(`"1"`)) || id(`1`).Equal(id(`"1"`)) || id(`1`).Equal(id(`1.0`)) || !id(`7`).Equal(id(`7`)) {
		t.Error("Equal mixes up ids")
	}
	for _, text := range []string{``, ` 1`, `1 `, `null`, `true`, `{}`, `[1]`, `01`, `"a`, `"a"b`, `1,`, `+1`} {
		if id, ok := ParseID(text); ok || !id.IsZero() {
			t.Errorf("ParseID(%q) gave %v", text, id)
		}
	}
	if IntID(1<<63).String() != "9223372036854775808" || StringID("a\"\x01é").String() != `"a\"\u0001é"` {
		t.Error("made ids have wrong text")
	}
}

func TestParseProblemPlaces(t *testing.T) {
	tests := []struct {
		raw, rule, pointer, at string
	}{
		{`{"jsonrpc":"2.0","id":1,"result":{"a/b":[0,{"c~":1,"c~":2}]}}`, "json.duplicate", "/result/a~1b/1/c~0", `"c~":2`},
		{`{"jsonrpc":"2.0","id":1,"result":{"a":[0,"\ud800"]}}`, "json.surrogate", "/result/a/1", `\ud800`},
		{`{"jsonrpc":"2.0","id":1,"result":{"a":[0,tru]}}`, "json.syntax", "/result/a/1", `tru]`},
		{`{"jsonrpc":"2.0","id":1,"error":{"code":"x","message":"m"}}`, "L-RPC-04", "/error/code", `"x"`},
		{`{"jsonrpc":"2.0","id":1,"result":{}} x`, "json.trailing", "", `x`},
		{`{"jsonrpc":"2.0","id":1.5,"result":{}}`, "BASE-03", "/id", `1.5`},
		{`{"jsonrpc":"2.0","id":1,"result":{},"zz":1}`, "jsonrpc.member", "/zz", `"zz"`},
	}
	for _, tt := range tests {
		m := Parse([]byte(tt.raw))
		i := slices.IndexFunc(m.Problems, func(p Problem) bool { return p.Rule == tt.rule })
		if i < 0 {
			t.Errorf("%s: no %s in %v", tt.raw, tt.rule, m.Problems)
			continue
		}
		if p := m.Problems[i]; p.Pointer != tt.pointer || p.Offset != strings.LastIndex(tt.raw, tt.at) {
			t.Errorf("%s: %s at %q offset %d, want %q offset %d", tt.raw, tt.rule, p.Pointer, p.Offset, tt.pointer, strings.LastIndex(tt.raw, tt.at))
		}
	}
}

// BASE-11: batches of any mixture.
func TestParseBatch(t *testing.T) {
	raw := ` [ {"jsonrpc":"2.0","id":1,"result":{}} , 5, {"jsonrpc":"2.0","method":"x","params":1}, [] ] `
	m := Parse([]byte(raw))
	if m.Kind != Batch || len(m.Items) != 4 || len(m.Problems) != 0 {
		t.Fatalf("got %v, %d items, %v", m.Kind, len(m.Items), m.Problems)
	}
	wantKinds := []Kind{Result, Invalid, Notification, Invalid}
	for i, item := range m.Items {
		if item.Kind != wantKinds[i] || !strings.Contains(raw, string(item.Raw)) {
			t.Errorf("item %d is %v %s", i, item.Kind, item.Raw)
		}
	}
	if p := m.Items[2].Problems[0]; p.Pointer != "/params" || m.Items[2].Raw[p.Offset] != '1' {
		t.Errorf("the place of an item's problem does not count from the item: %+v", p)
	}
	m = Parse([]byte(`[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":2,"result":{"a":x}}]`))
	if m.Kind != Invalid || len(m.Items) != 2 || m.Items[0].Kind != Result || !m.Items[1].BrokenAnswer() || m.Items[1].ID != IntID(2) {
		t.Errorf("broken batch: %v %+v", m.Kind, m.Items)
	}
	large := []byte("[" + strings.Repeat("1,", itemsMax+5) + "1]")
	m = Parse(large)
	if m.Kind != Batch || len(m.Items) != itemsMax || !slices.Contains(rules(m.Problems), "jsonrpc.batch") {
		t.Errorf("large batch: %v, %d items, %v", m.Kind, len(m.Items), rules(m.Problems))
	}
	m = Parse([]byte("[" + strings.Repeat("1,", itemsMax+5) + "x]"))
	if m.Kind != Invalid || !slices.Contains(rules(m.Problems), "json.syntax") {
		t.Errorf("large broken batch: %v, %v", m.Kind, rules(m.Problems))
	}
}

// P5: what a session needs in order to say that an answer came that is not
// valid.
func TestBrokenAnswer(t *testing.T) {
	for raw, want := range map[string]bool{
		`{"jsonrpc":"2.0","id":1,"result":{"a":NaN}}`:           true,
		`{"jsonrpc":"2.0","id":1}`:                              true,
		`{"jsonrpc":"2.0","id":1,"method":"ping","params":{x}}`: false,
		`{"jsonrpc":"2.0","id":1,"result":null}`:                false,
		`oops`:                                                  false,
	} {
		if got := Parse([]byte(raw)).BrokenAnswer(); got != want {
			t.Errorf("%s: %v", raw, got)
		}
	}
}

func TestParseDeep(t *testing.T) {
	for _, depth := range []int{129, 10_000, 300_000} {
		for _, open := range []string{`[`, `{"a":`} {
			shut := map[string]string{`[`: `]`, `{"a":`: `}`}[open]
			raw := []byte(`{"jsonrpc":"2.0","id":1,"result":{"x":` + strings.Repeat(open, depth) + `0` + strings.Repeat(shut, depth) + `,"x":1}}`)
			m := Parse(raw)
			if m.Kind != Result || m.ID != IntID(1) || !slices.Equal(rules(m.Problems), []string{"json.depth", "json.duplicate"}) {
				t.Errorf("depth %d of %s: %v %v", depth, open, m.Kind, rules(m.Problems))
			}
			m = Parse(raw[:len(raw)-2])
			if m.Kind != Invalid || m.ID != IntID(1) {
				t.Errorf("cut, depth %d of %s: %v %v", depth, open, m.Kind, m.ID)
			}
		}
	}
	if m := Parse([]byte(`{"jsonrpc":"2.0","id":1,"result":{"x":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}}`)); len(m.Problems) != 0 {
		t.Errorf("100 levels: %v", m.Problems)
	}
}

func TestParseBoundsFindings(t *testing.T) {
	raw := []byte(`{"jsonrpc":"2.0","id":1,"result":{"x":[` + strings.Repeat(`"\ud800",`, 1000) + `{"a":1,"a":2}],"y":null},"result":{}}`)
	m := Parse(raw)
	want := append(slices.Repeat([]string{"json.surrogate"}, findingsMax), "json.duplicate", "json.duplicate", "json.more")
	if got := rules(m.Problems); !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestDuplicatesInLargeObjects(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"jsonrpc":"2.0","id":1,"result":{`)
	for i := range 50_000 {
		fmt.Fprintf(&b, `"k%d":0,`, i)
	}
	b.WriteString(`"k49":1}}`)
	m := Parse([]byte(b.String()))
	if len(m.Problems) != 1 || m.Problems[0].Pointer != "/result/k49" {
		t.Errorf("got %v", m.Problems)
	}
}

// large returns a message of about n bytes, of many small values or of one string.
func large(n int, values bool) []byte {
	var b bytes.Buffer
	b.WriteString(`{"jsonrpc":"2.0","id":1,"result":{"content":[`)
	if values {
		for i := 0; b.Len() < n; i++ {
			fmt.Fprintf(&b, `{"type":"text","n":%d,"text":"line é","ok":true},`, i)
		}
		b.WriteString(`0`)
	} else {
		b.WriteString(`{"type":"text","text":"` + strings.Repeat("abcdefghi\\n", n/11) + `"}`)
	}
	b.WriteString(`]}}`)
	return b.Bytes()
}

// Parse must stay linear. Quadratic work on any of these shapes would take
// longer than a test may.
func TestParseLinear(t *testing.T) {
	const n = 1 << 20
	shapes := map[string][]byte{
		"values":  large(n, true),
		"string":  large(n, false),
		"quotes":  bytes.Repeat([]byte(`"`), n),
		"braces":  bytes.Repeat([]byte(`{"":`), n/4),
		"commas":  bytes.Repeat([]byte(`[1,`), n/3),
		"names":   append(append([]byte(`{`), bytes.Repeat([]byte(`"a":0,`), n/6)...), `"b":0}`...),
		"escapes": append(append([]byte(`{"`), bytes.Repeat([]byte(`\u0000`), n/6)...), `":0}`...),
		"high":    append(append([]byte(`{"`), bytes.Repeat([]byte("\xff"), n)...), `":0}`...),
		"objects": append(append([]byte(`[`), bytes.Repeat([]byte(`{"a":0,"a":1},`), n/14)...), `0]`...),
	}
	for name, raw := range shapes {
		m := Parse(raw)
		if len(m.Raw) != len(raw) {
			t.Errorf("%s: bytes lost", name)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	small := []byte(`{"jsonrpc":"2.0","id":12,"method":"tools/call","params":{"name":"get-sum","arguments":{"a":9007199254740993,"b":1,"items":[` +
		strings.TrimSuffix(strings.Repeat(`{"name":"alpha","size":10,"ok":true},`, 20), ",") + `]},"_meta":{"progressToken":12,"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`)
	for _, bench := range []struct {
		name string
		raw  []byte
	}{{"1KB", small}, {"64MBValues", large(64<<20, true)}, {"64MBString", large(64<<20, false)}} {
		b.Run(bench.name, func(b *testing.B) {
			b.SetBytes(int64(len(bench.raw)))
			b.ReportAllocs()
			for b.Loop() {
				if m := Parse(bench.raw); m.Kind == Invalid {
					b.Fatal(m.Problems)
				}
			}
		})
	}
}
