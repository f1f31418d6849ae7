package textview

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"fyne.io/fyne/v2"
)

var png = append([]byte("\x89PNG\r\n\x1a\n"), bytes.Repeat([]byte{1, 2, 3}, 40)...)

func TestGuess(t *testing.T) {
	b64 := base64.StdEncoding.EncodeToString
	wave := append([]byte("RIFF\x00\x00\x00\x00WAVEfmt "), make([]byte, 100)...)
	webp := append([]byte("RIFF\x00\x00\x00\x00WEBPVP8 "), make([]byte, 100)...)
	for _, tt := range []struct {
		name, s, said string
		inside        Inside
		mime          string
	}{
		{"short text", "hello world", "", Plain, ""},
		{"long text", strings.Repeat("word ", 1000), "", Lines, ""},
		{"two lines", `a\nb`, "", Lines, ""},
		{"object", `{\"a\": 1}`, "", Document, ""},
		{"array after blanks", `\n [1, 2, 3]\n`, "", Document, ""},
		{"no JSON", "[not json at all]", "", Plain, ""},
		{"a template", "{name} is {age}", "", Plain, ""},
		{"long array of numbers", "[" + strings.Repeat("1,", 3000) + "1]", "", Document, ""},
		{"address", "https://example.com/a?b=c", "", Address, ""},
		{"no address", "https://example.com/ and more", "", Plain, ""},
		{"a script address", "javascript:alert(1)", "", Plain, ""},
		{"PNG", b64(png), "", Image, "image/png"},
		{"WAV", b64(wave), "", Audio, "audio/wav"},
		{"WebP", b64(webp), "", Image, "image/webp"},
		{"said to be audio", b64([]byte("abcdefgh")), "audio/x-unknown", Audio, "audio/x-unknown"},
		{"bytes win over what is said", b64(png), "audio/wav", Image, "image/png"},
		{"SVG is not drawn", b64([]byte("what is that")), "image/svg+xml", Binary, "image/svg+xml"},
		{"text with a type beside", "plain words here", "text/plain", Plain, ""},
		{"data URL", "data:image/gif;base64,R0lGODlh", "", Image, "image/gif"},
		{"other data URL", "data:text/plain,a%20b", "", Binary, "text/plain"},
		{"one long word", strings.Repeat("a", 3000), "", Binary, ""},
		{"a hash", strings.Repeat("0123456789abcdef", 8), "", Plain, ""},
	} {
		if got := guess([]byte(tt.s), tt.said); got.Inside != tt.inside || got.MIME != tt.mime {
			t.Errorf("%s: %+v", tt.name, got)
		}
	}
}

// D87: what a content block says about its data counts, wherever it stands.
func TestMediaBesideData(t *testing.T) {
	data := base64.StdEncoding.EncodeToString([]byte("no known beginning"))
	for _, raw := range []string{
		`{"type":"audio","data":"` + data + `","mimeType":"audio/wav"}`,
		`{"mimeType":"audio/wav","_meta":{"a":[1,{"mimeType":"image/png"}]},"blob":"` + data + `"}`,
		`[{"mimeType":"image/png"},{"data":"` + data + `","x":{"mimeType":"image/png"},"mimeType":"audio/wav; a=b"}]`,
	} {
		x := build(t, raw)
		v, _ := x.Value(strings.Index(raw, data))
		if c := x.Content(v); c.Inside != Audio || c.MIME != "audio/wav" {
			t.Errorf("%s: %+v", raw, c)
		}
	}
	x := build(t, `{"mimeType":"audio/wav","text":"`+data+`"}`)
	if v, _ := x.Value(30); x.Content(v).Inside != Plain {
		t.Errorf("a text beside a type: %+v", x.Content(v))
	}
}

func TestDecode(t *testing.T) {
	std, raw, url := base64.StdEncoding.EncodeToString(png), base64.RawStdEncoding.EncodeToString(png), base64.URLEncoding.EncodeToString(png)
	for _, tt := range []struct {
		s, want string
		c       Content
	}{
		{std, string(png), Content{Inside: Image}},
		{raw, string(png), Content{Inside: Image}},
		{url, string(png), Content{Inside: Image}},
		{strings.ReplaceAll(std[:60], "/", `\/`) + `\n` + std[60:], string(png), Content{Inside: Image}},
		{"data:image/png;base64," + std, string(png), Content{Inside: Image}},
		{"data:text/plain,a%20b%zz%", "a b%zz%", Content{Inside: Binary}},
		{`{\"a\":\"\u202e9007199254740993\"}`, "{\"a\":\"\u202e9007199254740993\"}", Content{Inside: Document}},
		{`a\nb\tc`, "a\nb\tc", Content{Inside: Lines}},
		{"a\xffb", "a\ufffdb", Content{Inside: Lines}},
	} {
		x := build(t, `["`+tt.s+`"]`)
		v, _ := x.Value(2)
		got, err := x.Decode(v, tt.c)
		if err != nil || string(got) != tt.want {
			t.Errorf("%q: %q, %v", tt.s, got, err)
		}
	}
	x := build(t, `["?!"]`)
	v, _ := x.Value(2)
	if got, err := x.Decode(v, Content{Inside: Binary}); err == nil {
		t.Errorf("decoded %q", got)
	}
	if _, err := x.Decode(Value{Kind: "array"}, Content{}); err == nil {
		t.Error("an array was decoded")
	}
}

func TestFileNames(t *testing.T) {
	for want, c := range map[string]Content{
		"data.png": {Inside: Image, MIME: "image/png"}, "data.bin": {Inside: Binary}, "data.json": {Inside: Document}, "data.txt": {Inside: Lines},
	} {
		if got := c.FileName("/content/0/data"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := (Content{}).FileName(""); got != "value.txt" {
		t.Errorf("%q", got)
	}
}

// A link stands after a string that holds more than a text, opens it, and is no part of what is copied.
func TestLinks(t *testing.T) {
	inner := strings.Repeat("x", 40)
	v := newView(t, `{"a":"{\"b\":1}","c":"`+inner+`","d":"https://example.com/"}`)
	if s := strings.Join(shown(v), "\n"); strings.Contains(s, "[open") {
		t.Errorf("links without anybody to open them:\n%s", s)
	}
	var opened []string
	v.OnOpen = func(val Value, c Content) { opened = append(opened, val.Pointer+" "+c.Name) }
	v.SetIndex(v.Index())
	got := shown(v)
	if !strings.HasSuffix(got[1], "[open JSON]") || strings.Contains(got[2], "[open") || !strings.HasSuffix(got[3], "[open address]") {
		t.Fatalf("rows %q", got)
	}
	if n := len(got[1]); true {
		v.press(v.at(1, n-3), 0)
		v.press(v.at(1, 6), 0)
	}
	v.press(v.at(3, 5), 0)
	keys(v, fyne.KeyReturn)
	if strings.Join(opened, ", ") != "/a JSON in a string, /d address" {
		t.Errorf("opened %q", opened)
	}
	v.SelectAll()
	if s := v.SelectedText(); strings.Contains(s, "open") {
		t.Errorf("links are copied: %q", s)
	}
}

// A row that is nearly full has no link: nothing has to be scrolled to for it. A folded string always has one.
func TestLinksFit(t *testing.T) {
	blob := base64.StdEncoding.EncodeToString(bytes.Repeat(png, 30))
	v := newView(t, `{"data":"`+blob+`","mimeType":"image/png"}`)
	v.OnOpen = func(Value, Content) {}
	v.SetIndex(v.Index())
	if got := shown(v)[1]; !strings.HasSuffix(got, "kB, PNG image in base64,  [show picture]") {
		t.Errorf("row %q", got)
	}
	if v.wide > v.ViewWidth() {
		t.Errorf("rows are %v wide, the window %v", v.wide, v.ViewWidth())
	}
}

// A folded string fits rows that are narrow: it says less of itself there.
func TestFoldedStringsFitNarrowRows(t *testing.T) {
	blob := base64.StdEncoding.EncodeToString(bytes.Repeat(png, 3000))
	x, err := Build(t.Context(), []byte(`{"result":{"content":[{"data":"`+blob+`","mimeType":"image/png"}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, links := range []bool{true, false} {
		for wrap := 48; wrap <= 140; wrap += 4 {
			p := newPrettyLayout(x, wrap)
			p.links = links
			row, text := p.segments(4, nil), ""
			for _, s := range row {
				text += s.text
			}
			if n := columnsOf(row); n > wrap || !strings.Contains(text, "kB") || strings.Contains(text, "show picture") != links {
				t.Errorf("%d columns of %d: %s", n, wrap, text)
			}
			if wrap > 100 && !strings.Contains(text, "kB, PNG image in base64") {
				t.Errorf("%d columns have room for more: %s", wrap, text)
			}
		}
	}
}

// Decode gives what the standard decoder gives, for every string of a text.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{`{"a":"{\"b\":1}"}`, `["\ud800", "\u0000\n"]`, `{"mimeType":"image/png","data":"iVBORw0KGgo="}`, `["data:,%41"]`, "[\"\xff\"]"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		x, err := Build(t.Context(), raw)
		if err != nil || !x.JSON() {
			return
		}
		for i := range x.nodes {
			c := x.content(i)
			if x.nodes[i].kind != kindString {
				if c.Inside != Plain {
					t.Errorf("node %d holds %+v", i, c)
				}
				continue
			}
			v := x.valueOf(i)
			if _, err := x.Decode(v, c); err != nil && c.Inside == Document && len(raw) < sniffBytes {
				t.Errorf("%s was taken for JSON: %v", raw[v.Start:v.End], err)
			}
			var want string
			if json.Unmarshal(raw[v.Start:v.End], &want) != nil || !utf8.Valid(raw[v.Start:v.End]) {
				continue
			}
			if got, err := x.Decode(v, Content{Inside: Lines}); err == nil && string(got) != want {
				t.Errorf("%s: %q, want %q", raw[v.Start:v.End], got, want)
			}
		}
	})
}
