package protocol

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func TestBuild(t *testing.T) {
	tests := []struct {
		got  []byte
		want string
		kind Kind
	}{
		{NewRequest(IntID(1), "tools/list", nil), `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, Request},
		{NewRequest(StringID("a"), `x"y`, jsontext.Value(`{"n": 1.0}`)), `{"jsonrpc":"2.0","id":"a","method":"x\"y","params":{"n": 1.0}}`, Request},
		{NewNotification("notifications/initialized", nil), `{"jsonrpc":"2.0","method":"notifications/initialized"}`, Notification},
		{NewNotification("notifications/cancelled", jsontext.Value(`{"requestId":1}`)), `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, Notification},
		{NewResult(IntID(1), nil), `{"jsonrpc":"2.0","id":1,"result":{}}`, Result},
		{NewResult(IntID(1), jsontext.Value(`{"a":-0}`)), `{"jsonrpc":"2.0","id":1,"result":{"a":-0}}`, Result},
		{NewError(IntID(1), CodeMethodNotFound, "no <such> method", nil), `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no <such> method"}}`, Error},
		{NewError(ID{}, CodeParse, "x", jsontext.Value(`[1]`)), `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x","data":[1]}}`, Error},
	}
	for _, tt := range tests {
		if string(tt.got) != tt.want {
			t.Errorf("got %s, want %s", tt.got, tt.want)
		}
		m := Parse(tt.got)
		if m.Kind != tt.kind || len(m.Problems) != 0 && !slices.Equal(rules(m.Problems), []string{"L-RPC-08"}) {
			t.Errorf("%s parses as %v with %v", tt.got, m.Kind, m.Problems)
		}
	}
}

func TestSplice(t *testing.T) {
	meta := func(raw string) ([]byte, error) { return SetMeta([]byte(raw), "k", jsontext.Value(` 1.0 `)) }
	param := func(raw string) ([]byte, error) { return SetParam([]byte(raw), "a b", jsontext.Value(`"x"`)) }
	id := func(raw string) ([]byte, error) { return SetID([]byte(raw), IntID(9)) }
	tests := []struct {
		name      string
		set       func(string) ([]byte, error)
		raw, want string
	}{
		{"no params", meta, `{"jsonrpc":"2.0","id":1,"method":"x"}`, `{"jsonrpc":"2.0","id":1,"method":"x","params":{"_meta":{"k":1.0}}}`},
		{"no params, blanks", meta, "{ \"method\" : \"x\"\n}\n", "{ \"method\" : \"x\",\"params\":{\"_meta\":{\"k\":1.0}}\n}\n"},
		{"empty", meta, `{ }`, `{"params":{"_meta":{"k":1.0}} }`},
		{"empty params", meta, `{"params":{}}`, `{"params":{"_meta":{"k":1.0}}}`},
		{"params", meta, `{"params":{"a":1e2 },"id":1}`, `{"params":{"a":1e2,"_meta":{"k":1.0} },"id":1}`},
		{"meta", meta, `{"params":{"_meta":{"progressToken":1},"a":1}}`, `{"params":{"_meta":{"progressToken":1,"k":1.0},"a":1}}`},
		{"replace", meta, `{"params":{"_meta":{"k" : {"x":[1]} ,"z":0}}}`, `{"params":{"_meta":{"k" : 1.0 ,"z":0}}}`},
		{"duplicate key", meta, `{"params":{"_meta":{"k":1,"k":2}}}`, `{"params":{"_meta":{"k":1,"k":1.0}}}`},
		{"duplicate meta", meta, `{"params":{"_meta":{"k":1},"_meta":{}}}`, `{"params":{"_meta":{"k":1},"_meta":{"k":1.0}}}`},
		{"duplicate params", meta, `{"params":{},"params":{"a":1}}`, `{"params":{},"params":{"a":1,"_meta":{"k":1.0}}}`},
		{"escaped names", meta, `{"p\u0061rams":{"\u005fmeta":{"\u006b":0}}}`, `{"p\u0061rams":{"\u005fmeta":{"\u006b":1.0}}}`},
		{"deep elsewhere", meta, `{"params":{"x":{"_meta":{"k":0}}}}`, `{"params":{"x":{"_meta":{"k":0}},"_meta":{"k":1.0}}}`},
		{"trailing text", meta, `{} {"params":1}`, `{"params":{"_meta":{"k":1.0}}} {"params":1}`},
		{"BOM", meta, "\xef\xbb\xbf{}", "\xef\xbb\xbf{\"params\":{\"_meta\":{\"k\":1.0}}}"},
		{"odd strings", meta, "{\"a\":\"\\ud800\xff\"}", "{\"a\":\"\\ud800\xff\",\"params\":{\"_meta\":{\"k\":1.0}}}"},
		{"param", param, `{"params":{"a b":2}}`, `{"params":{"a b":"x"}}`},
		{"new param", param, `{"id":1}`, `{"id":1,"params":{"a b":"x"}}`},
		{"id", id, `{"jsonrpc":"2.0","id": "old" ,"method":"x"}`, `{"jsonrpc":"2.0","id": 9 ,"method":"x"}`},
		{"no id", id, `{"jsonrpc":"2.0","method":"x"}`, `{"jsonrpc":"2.0","id":9,"method":"x"}`},
		{"no id, no jsonrpc", id, `{"method":"x"}`, `{"id":9,"method":"x"}`},
		{"no id, empty", id, `{}`, `{"id":9}`},
		{"two ids", id, `{"id":1,"id":2}`, `{"id":1,"id":9}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before := strings.Clone(tt.raw)
			got, err := tt.set(tt.raw)
			if err != nil || string(got) != tt.want {
				t.Errorf("got %s, %v\nwant %s", got, err, tt.want)
			}
			if tt.raw != before {
				t.Error("the argument was changed")
			}
		})
	}
	refused := []struct {
		name string
		set  func(string) ([]byte, error)
		raw  string
		want error
	}{
		{"array", meta, `[{}]`, ErrNotObject},
		{"text", meta, `hello`, ErrNotObject},
		{"nothing", meta, ``, ErrNotObject},
		{"broken", meta, `{"a":}`, ErrNotObject},
		{"params array", meta, `{"params":[]}`, ErrNotObject},
		{"params null", meta, `{"params":null}`, ErrNotObject},
		{"meta text", meta, `{"params":{"_meta":"x"}}`, ErrNotObject},
		{"id in array", id, `[]`, ErrNotObject},
		{"no value", func(raw string) ([]byte, error) { return SetMeta([]byte(raw), "k", nil) }, `{}`, ErrNoValue},
		{"two values", func(raw string) ([]byte, error) { return SetMeta([]byte(raw), "k", jsontext.Value(`1 2`)) }, `{}`, ErrNoValue},
		{"escape attempt", func(raw string) ([]byte, error) { return SetMeta([]byte(raw), "k", jsontext.Value(`1},"x":{`)) }, `{}`, ErrNoValue},
		{"no id", func(raw string) ([]byte, error) { return SetID([]byte(raw), ID{}) }, `{}`, ErrNoValue},
	}
	for _, tt := range refused {
		t.Run("refused "+tt.name, func(t *testing.T) {
			if got, err := tt.set(tt.raw); !errors.Is(err, tt.want) || got != nil {
				t.Errorf("got %s, %v", got, err)
			}
		})
	}
}

func TestAddMeta(t *testing.T) {
	got, err := AddMeta([]byte(`{"method":"x","params":{"_meta":{"b":"mine","a/b":0}}}`), jsontext.Value(`{"a/b":1,"b":2,"c~":{"d":3}}`))
	if want := `{"method":"x","params":{"_meta":{"b":"mine","a/b":0,"c~":{"d":3}}}}`; err != nil || string(got) != want {
		t.Errorf("got %s, %v", got, err)
	}
	raw := []byte(`{"method":"x"}`)
	if got, err := AddMeta(raw, nil); err != nil || string(got) != string(raw) {
		t.Errorf("nothing to add: %s, %v", got, err)
	}
}

func TestRetry(t *testing.T) {
	first := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"n":1.0},"_meta":{"x":1}}}`
	state := jsontext.Value(`"\ud800\u003c<"`)
	got, err := Retry([]byte(first), IntID(2), jsontext.Value(`{"a":{"action":"accept"}}`), state)
	want := `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t","arguments":{"n":1.0},"_meta":{"x":1},"inputResponses":{"a":{"action":"accept"}},"requestState":"\ud800\u003c<"}}`
	if err != nil || string(got) != want {
		t.Fatalf("MRTR-04, 06: got %s, %v", got, err)
	}
	// MRTR-11: the next round carries nothing of the last one.
	next, err := Retry(got, IntID(3), jsontext.Value(`{"b":{}}`), nil)
	want = `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"t","arguments":{"n":1.0},"_meta":{"x":1},"inputResponses":{"b":{}}}}`
	if err != nil || string(next) != want {
		t.Fatalf("MRTR-08, 11: got %s, %v", next, err)
	}
	last, err := Retry(next, IntID(4), nil, nil)
	if err != nil || string(last) != strings.Replace(first, `"id":1`, `"id":4`, 1) {
		t.Fatalf("state only: got %s, %v", last, err)
	}
	for raw, want := range map[string]string{
		`{"id":1,"params":{"requestState":1}}`:                                      `{"id":2,"params":{}}`,
		`{"id":1,"params":{ "requestState" : 1 , "a":2}}`:                           `{"id":2,"params":{ "a":2}}`,
		`{"id":1,"params":{"a":2 , "requestState":1 }}`:                             `{"id":2,"params":{"a":2 }}`,
		`{"id":1,"params":{"requestState":1,"requestState":2}}`:                     `{"id":2,"params":{}}`,
		`{"id":1,"params":{"requestState":1,"a":0,"inputResponses":0,"b":1}}`:       `{"id":2,"params":{"a":0,"b":1}}`,
		`{"id":1,"params":{"a":0,"inputResponses":0,"requestState":{"x":1}},"z":1}`: `{"id":2,"params":{"a":0},"z":1}`,
	} {
		if got, err := Retry([]byte(raw), IntID(2), nil, nil); err != nil || string(got) != want {
			t.Errorf("%s became %s, %v, want %s", raw, got, err, want)
		}
	}
	if _, err := Retry([]byte(`[]`), IntID(2), nil, nil); !errors.Is(err, ErrNotObject) {
		t.Errorf("array: %v", err)
	}
}

func FuzzSplice(f *testing.F) {
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"method":"x","params":{"_meta":{"k":0},"a":[1,{"b":2}]}}`), "k", []byte(`{"x":1}`))
	f.Add([]byte(" {\"params\" :{ } , \"id\":null}x"), "a/b~\x00", []byte(`"v"`))
	f.Add([]byte(`{"params":{"a":1,"a":2,"_meta":{"k":1,"k":2}}}`), "a", []byte(`1e400`))
	f.Fuzz(func(t *testing.T, raw []byte, key string, value []byte) {
		before := bytes.Clone(raw)
		for _, change := range []struct {
			pointer string
			want    jsontext.Value
			set     func() ([]byte, error)
		}{
			{"/params/_meta" + string(appendPointer(nil, string([]rune(key)))), value, func() ([]byte, error) { return SetMeta(raw, key, value) }},
			{"/params" + string(appendPointer(nil, string([]rune(key)))), value, func() ([]byte, error) { return SetParam(raw, key, value) }},
			{"/id", jsontext.Value(`"new"`), func() ([]byte, error) { return SetID(raw, StringID("new")) }},
		} {
			got, err := change.set()
			if !bytes.Equal(raw, before) {
				t.Fatal("the argument was changed")
			}
			if err != nil {
				if got != nil {
					t.Fatal("an error and a message")
				}
				continue
			}
			changed := object(got)
			if changed == nil {
				t.Fatalf("%q became %q, which is no object", raw, got)
			}
			v, at, ok := Lookup(changed, change.pointer)
			if !ok || !bytes.Equal(v, bytes.Trim(change.want, " \t\r\n")) {
				t.Fatalf("%q has %q at %s, want %q", got, v, change.pointer, change.want)
			}
			at += bytes.Index(got, changed)
			// Everything that was there is still there: what remains when the
			// value is cut out begins and ends as before.
			head, tail := got[:at], got[at+len(v):]
			n := 0
			for n < len(head) && n < len(raw) && head[n] == raw[n] {
				n++
			}
			m := 0
			for m < len(tail) && m < len(raw) && tail[len(tail)-1-m] == raw[len(raw)-1-m] {
				m++
			}
			if _, _, was := Lookup(object(raw), change.pointer); was {
				if n != len(head) || m != len(tail) {
					t.Fatalf("%q became %q: more than the value changed", raw, got)
				}
			} else if n+m < len(raw) {
				t.Fatalf("%q became %q: bytes were lost", raw, got)
			}
		}
	})
}
