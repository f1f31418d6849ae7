package protocol

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func TestLookup(t *testing.T) {
	text := jsontext.Value(` {"a/b":{"c~d":[1,{"":2.0},"x"]},"a":1,"a":[ 2 ],"m\u006e":3,"01":{"0":4}} `)
	for pointer, want := range map[string]string{
		"":               strings.TrimSpace(string(text)),
		"/a~1b/c~0d/0":   "1",
		"/a~1b/c~0d/1/":  "2.0",
		"/a~1b/c~0d/1":   `{"":2.0}`,
		"/a":             "[ 2 ]", // the last of duplicates
		"/a/0":           "2",
		"/mn":            "3",
		"/01/0":          "4",
		"/a/1":           "none",
		"/a/00":          "none",
		"/a/-":           "none",
		"/a/-1":          "none",
		"/a/0/x":         "none",
		"/b":             "none",
		"/":              "none",
		"a":              "none",
		"/a~1b/c~0d/1//": "none",
	} {
		v, at, ok := Lookup(text, pointer)
		got := string(v)
		if !ok {
			got = "none"
			if v != nil || at != -1 {
				t.Errorf("%q: %s at %d though not found", pointer, v, at)
			}
		} else if !bytes.HasPrefix(text[at:], v) {
			t.Errorf("%q is not at %d", pointer, at)
		}
		if got != want {
			t.Errorf("%q: got %s, want %s", pointer, got, want)
		}
	}
	for _, broken := range []string{``, `{`, `{"a":}`, `x`} {
		if _, _, ok := Lookup(jsontext.Value(broken), ""); ok {
			t.Errorf("%q: found something", broken)
		}
	}
}

func TestMembersAndElements(t *testing.T) {
	var got []string
	for name, value := range Members(jsontext.Value(` {"a":1,"b" : [ 2 ],"a":{"c":3},"\u0062":"x"} `)) {
		got = append(got, fmt.Sprintf("%s=%s", name, value))
	}
	if strings.Join(got, " ") != `a=1 b=[ 2 ] a={"c":3} b="x"` {
		t.Errorf("members are %v", got)
	}
	got = nil
	for i, value := range Elements(jsontext.Value(`[1, [2,3] ,null]`)) {
		got = append(got, fmt.Sprintf("%d=%s", i, value))
	}
	if strings.Join(got, " ") != `0=1 1=[2,3] 2=null` {
		t.Errorf("elements are %v", got)
	}
	for _, text := range []string{``, `1`, `{}`, `[]`, `{`, `{"a"`, `{"a":`, `{1:2}`, `[x`} {
		for name := range Members(jsontext.Value(text)) {
			t.Errorf("%q has the member %q", text, name)
		}
		for i := range Elements(jsontext.Value(text)) {
			t.Errorf("%q has the element %d", text, i)
		}
	}
	n := 0
	for range Members(jsontext.Value(`{"a":1,"b":2,"c":}`)) {
		n++
	}
	if n != 2 {
		t.Errorf("%d members before the break", n)
	}
	for range Members(jsontext.Value(`{"a":1,"b":2}`)) {
		break
	}
}

func TestStrings(t *testing.T) {
	for text, want := range map[string]string{
		`"abc"`: "abc", ` "a" `: "a", `""`: "", `"\"\\\/\b\f\n\r\t"`: "\"\\/\b\f\n\r\t", `"\u00e9\uD83D\uDE00"`: "é😀",
		`"\ud800x"`: "\ufffdx", `"\ud800\u0041"`: "\ufffdA", `"\udc00"`: "\ufffd", "\"\xff\"": "\ufffd", `"\u0000"`: "\x00", "\"a\tb\"": "a\tb",
	} {
		if got, ok := StringValue(jsontext.Value(text)); !ok || got != want {
			t.Errorf("%s: got %q, %v", text, got, ok)
		}
	}
	for _, text := range []string{``, `abc`, `1`, `"a`, `"a"b`, `"\x"`, `null`, `["a"]`} {
		if got, ok := StringValue(jsontext.Value(text)); ok || got != "" {
			t.Errorf("%s: got %q", text, got)
		}
	}
	for _, text := range []string{"", "plain", "\"\\\n\r\t\x00\x1f\x7f", "é😀\u2028<>&", "a/b"} {
		quoted := QuoteString(text)
		if got, ok := StringValue(quoted); !ok || got != text {
			t.Errorf("%q became %s and %q", text, quoted, got)
		}
		if !quoted.IsValid() {
			t.Errorf("%s is no JSON", quoted)
		}
	}
	if got := string(QuoteString("<\xff>/é")); got != "\"<\ufffd>/é\"" {
		t.Errorf("got %s", got)
	}
}

func TestCompactAndIndent(t *testing.T) {
	text := ` { "a" : [ 1.0 , { } , [ ] , "b : , { \" }" , null ] , "c":-0,"c":1e400, "d":{"e":true}} `
	if got, want := string(Compact(jsontext.Value(text))), `{"a":[1.0,{},[],"b : , { \" }",null],"c":-0,"c":1e400,"d":{"e":true}}`; got != want {
		t.Errorf("compact: %s", got)
	}
	want := `{
  "a": [
    1.0,
    {},
    [],
    "b : , { \" }",
    null
  ],
  "c": -0,
  "c": 1e400,
  "d": {
    "e": true
  }
}`
	if got := string(Indent(jsontext.Value(text))); got != want {
		t.Errorf("indent: %s", got)
	}
	for _, broken := range []string{``, `{`, `{"a":1}x`, `hello`} {
		if got := string(Compact(jsontext.Value(broken))); got != broken {
			t.Errorf("compact changed %q to %q", broken, got)
		}
		if got := string(Indent(jsontext.Value(broken))); got != broken {
			t.Errorf("indent changed %q to %q", broken, got)
		}
	}
	deep := strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001)
	if got := string(Compact(Indent(jsontext.Value(deep)))); got != deep {
		t.Error("a deep value is not itself after indenting")
	}
	if got := len(Indent(jsontext.Value(deep))); got > 20_002*(2*indentMax+2) {
		t.Errorf("a deep value grows to %d bytes", got)
	}
}

func TestIntegerText(t *testing.T) {
	for number, want := range map[string]string{
		"0": "0", "-0": "0", "42": "42", "-42": "-42", "42.0": "42", "42.000": "42", "4.2e1": "42", "420e-1": "42", "1e3": "1000", "1E+3": "1000", "-1.5e1": "-15",
		"9007199254740993": "9007199254740993", "0e999999999999": "0", "0.0": "0", "1e39": "1" + strings.Repeat("0", 39),
		"1.5": "", "1e-1": "", "1e41": "", "1e999999999999": "", "1e-999999999999": "", "0.1": "", "": "", "x": "", `"1"`: "", "1x": "",
	} {
		if got, ok := integerText(number); got != want || ok != (want != "") {
			t.Errorf("%q: got %q, %v", number, got, ok)
		}
	}
}
