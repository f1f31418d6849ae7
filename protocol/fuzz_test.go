package protocol

import (
	"bytes"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// FuzzParse checks what Parse promises for any bytes, and that it agrees with
// jsontext about what JSON is.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"a":[1.0,-0,1e400,"\ud800"]}}}`,
		`[{"jsonrpc":"2.0","id":"a","result":{}},{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"m"}},[],7]`,
		"\xef\xbb\xbf {\"jsonrpc\":\"2.0\",\"id\":1.5,\"result\":null,\"error\":{}} trailing",
		`{"id":1,"id":2,"result":{"a":1,"a":2,"b":{"c":NaN}}}`,
		"{\"id\":1,\"result\":\"\x00\xff\\u0000\\udc00\"",
		`INFO {"jsonrpc":"2.0"}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		before := bytes.Clone(raw)
		m := Parse(raw)
		if !bytes.Equal(raw, before) {
			t.Fatal("the text was changed")
		}
		checkMessage(t, raw, m)
		if m.Kind == Invalid && len(m.Problems) == 0 {
			t.Fatalf("%q is invalid without a reason", raw)
		}
		if bytes.HasPrefix(raw, []byte(bom)) {
			return
		}
		// jsontext refuses raw control characters and deep nesting, which
		// Valid takes; apart from that the two agree.
		loose := jsontext.Value(raw).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
		if loose && !Valid(raw) {
			t.Fatalf("%q is JSON and was refused", raw)
		}
		if Valid(raw) && !loose && !hasRule(m, "json.control") && !hasRule(m, "json.depth") && m.Kind != Batch {
			t.Fatalf("%q was taken as JSON: %v", raw, m.Problems)
		}
		if jsontext.Value(raw).IsValid() && (hasRule(m, "json.syntax") || hasRule(m, "json.duplicate") || hasRule(m, "json.control") || hasRule(m, "L-RPC-12")) && m.Kind != Batch {
			t.Fatalf("%q is strict JSON, but %v", raw, m.Problems)
		}
		if again := Parse(Compact(raw)); Valid(raw) && m.Kind != Invalid && (again.Kind != m.Kind || again.ID != m.ID || again.Method != m.Method) {
			t.Fatalf("%q is another message when it is compact", raw)
		}
	})
}

func hasRule(m Message, rule string) bool {
	for _, p := range m.Problems {
		if p.Rule == rule {
			return true
		}
	}
	return false
}

func checkMessage(t *testing.T, raw []byte, m Message) {
	t.Helper()
	if len(m.Raw) != len(raw) || len(raw) > 0 && &m.Raw[0] != &raw[0] {
		t.Fatal("Raw is not the text")
	}
	for _, v := range []jsontext.Value{m.Params, m.Result, m.Error} {
		if v != nil && !Valid(v) {
			t.Fatalf("%q of %q is no JSON", v, raw)
		}
	}
	if _, ok := ParseID(m.ID.String()); !ok && !m.ID.IsZero() {
		t.Fatalf("%q is no id", m.ID)
	}
	for _, p := range m.Problems {
		if p.Rule == "" || p.Text == "" || p.Offset < -1 || p.Offset > len(raw) {
			t.Fatalf("%q: odd problem %+v", raw, p)
		}
	}
	for _, item := range m.Items {
		if !bytes.Contains(raw, item.Raw) {
			t.Fatalf("%q is no part of %q", item.Raw, raw)
		}
		checkMessage(t, item.Raw, item)
	}
}
