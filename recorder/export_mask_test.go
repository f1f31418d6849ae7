package recorder

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func plan(t testing.TB, l *Log, o MaskOptions) *MaskPlan {
	t.Helper()
	p, err := PlanMask(context.Background(), l, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func entryOf(t testing.TB, p *MaskPlan, kind MaskKind) MaskEntry {
	t.Helper()
	for _, e := range p.Entries {
		if e.Kind == kind {
			return e
		}
	}
	t.Fatalf("no %s among %+v", kind, p.Entries)
	return MaskEntry{}
}

const (
	testJWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N"
	testKey = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
)

func TestPlanFindsSecretsByPlaceAndForm(t *testing.T) {
	for _, c := range []struct {
		name   string
		event  Event
		kind   MaskKind
		shown  string
		secret string
		where  string
	}{
		{"authorization", Event{Kind: KindHTTP, Dir: Out, Fields: &HTTPHead{Headers: []HeaderField{{"Authorization", "Bearer qwertyuiopasdfgh"}}}}, MaskHeader, "qwer…", "qwertyuiopasdfgh", "header Authorization"},
		{"a short cookie", Event{Kind: KindHTTP, Dir: Out, Fields: &HTTPHead{Headers: []HeaderField{{"Cookie", "a=xyz"}}}}, MaskHeader, "…", "xyz", "header Cookie"},
		{"user information", Event{Kind: KindHTTP, Dir: Out, Fields: &HTTPHead{URL: "http://u:p%40ssw0rd!@h/x"}}, MaskURL, "p@…", "p@ssw0rd!", "url"},
		{"a parameter", Event{Kind: KindHTTP, Dir: Out, Fields: &HTTPHead{URL: "http://h/x?api_key=zz-1"}}, MaskURL, "z…", "zz-1", "url"},
		{"a bearer token in text", Event{Kind: KindStderr, Dir: In, Data: []byte("sent Bearer abc123def456 to it")}, MaskBearer, "abc…", "abc123def456", "stderr"},
		{"an environment variable in text", Event{Kind: KindStderr, Dir: In, Data: []byte("PATH=/bin API_KEY='k1 k2'")}, MaskEnvironment, "k…", "k1 k2", "stderr"},
		{"a token", message(In, `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"it is `+testJWT+`."}]}}`), MaskJWT, "eyJh…", testJWT, "/result/content/0/text"},
		{"a key", message(In, `{"jsonrpc":"2.0","id":1,"result":{"`+testKey+`":1}}`), MaskKey, "ghp_…", testKey, "/result/" + testKey},
		{"a member", message(Out, `{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":[{"password":"pw"}]}}`), MaskMember, "…", "pw", "/params/a/0/password"},
		{"a member in JSON in a string", message(Out, `{"jsonrpc":"2.0","id":1,"method":"x","params":{"t":"{\"client_secret\":\"q\\\"9\"}"}}`), MaskMember, "…", `q"9`, "/params/t"},
		{"a URL in a string", message(Out, `{"jsonrpc":"2.0","id":1,"method":"x","params":{"u":"see https://h/cb?code=1a2&x=3"}}`), MaskURL, "…", "1a2", "/params/u"},
		{"an unknown member of the recording", Event{Kind: KindNote, Data: []byte("n"), Extra: jsontext.Value(`{"auth":{"token":"tok-123456"}}`)}, MaskMember, "to…", "tok-123456", "extra"},
		{"a body", Event{Kind: KindHTTP, Dir: In, Fields: &HTTPHead{Status: 200, Body: `{"access_token":"tok-123456"}`}}, MaskMember, "to…", "tok-123456", "body"},
	} {
		l := newTestLog(t)
		c.event.Time = 1
		l.Append(c.event)
		l = reopen(t, l)
		p := plan(t, l, MaskOptions{Tokens: true})
		e := entryOf(t, p, c.kind)
		if e.Shown != c.shown || e.Count != 1 || len(e.Places) != 1 || e.Places[0] != (MaskPlace{1, c.where}) {
			t.Errorf("%s: %+v", c.name, e)
		}
		text, r := export(t, l, ExportOptions{Format: ExportRecording, Mask: p})
		m := openText(t, text)
		got, err := m.Read(1, 0)
		if err != nil || r.Masked != 1 || strings.Contains(text, c.secret) || strings.Contains(text, strings.Trim(string(appendString(nil, []byte(c.secret))), `"`)) && len(c.secret) > 2 || !strings.Contains(text, e.Tag) {
			t.Errorf("%s: masked %d times as\n%s\n%v", c.name, r.Masked, text, err)
		}
		if got.Kind != c.event.Kind {
			t.Errorf("%s: became %s", c.name, got.Kind)
		}
		// With its switch off it stays as it is, byte for byte.
		for i := range p.Entries {
			p.Entries[i].Off = true
		}
		off, _ := export(t, l, ExportOptions{Format: ExportRecording, Mask: p})
		if plain, _ := export(t, l, ExportOptions{Format: ExportRecording}); off != plain {
			t.Errorf("%s: switched off\n%s\nis not\n%s", c.name, off, plain)
		}
	}
}

func TestWhatIsNoSecretStays(t *testing.T) {
	l := newTestLog(t)
	for _, text := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","_meta":{"progressToken":"abcdef"}}}`,
		`{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"login","inputSchema":{"type":"object","properties":{"password":{"type":"string","description":"the password=yours"}},"required":["password"]}}],"nextCursor":"c2VjcmV0"}}`,
		`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"basic knowledge and bearer of news at https://example.com/a?x=1"}],"_meta":{"io.modelcontextprotocol/token":"x-1234"}}}`,
	} {
		l.Append(message(In, text))
	}
	if p := plan(t, reopen(t, l), MaskOptions{Tokens: true, Home: true}); len(p.Entries) != 0 {
		t.Errorf("found %+v", p.Entries)
	}
}

func TestPointersOfThePersonMaskWhateverStandsThere(t *testing.T) {
	l := newTestLog(t)
	for _, text := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":{"pin":1.50e3, "who" : {"a":["x"]},"note":"hello pepper"}}}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"arguments":{"pin":"pepper","list":[{"p":"a"},{"p":null}]}}}`,
		`{"jsonrpc":"2.0","id":2,"result":{"echo":"pep\u0070er"}}`,
	} {
		l.Append(message(Out, text))
	}
	l = reopen(t, l)
	p := plan(t, l, MaskOptions{Pointers: []string{"/params/arguments/pin", "/params/arguments/who", "/params/arguments/list/*/p"}})
	if len(p.Entries) != 3 || p.Entries[0].Count != 4 || p.Entries[1].Count != 1 || p.Entries[2].Count != 2 {
		t.Errorf("%+v", p.Entries)
	}
	text, _ := export(t, l, ExportOptions{Format: ExportMessages, Mask: p})
	want := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":{"pin":"#1", "who" : "#2","note":"hello #3"}}}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"arguments":{"pin":"#3","list":[{"p":"#4"},{"p":"#5"}]}}}
{"jsonrpc":"2.0","id":2,"result":{"echo":"#3"}}
`
	if got := untag(text); got != want {
		t.Errorf("masked\n%s\nwant\n%s", got, want)
	}
	p.Entries[0].Off = true
	if text, _ := export(t, l, ExportOptions{Format: ExportMessages, Mask: p}); !strings.Contains(text, `"pin":"pepper"`) || strings.Contains(text, `"p":"a"`) {
		t.Errorf("one switched off:\n%s", text)
	}
	if _, err := PlanMask(context.Background(), l, MaskOptions{Pointers: []string{"params"}}); err == nil {
		t.Error("a pointer without a slash was taken")
	}
}

func TestWordsAndHomeFolders(t *testing.T) {
	l := newTestLog(t)
	l.Append(message(Out, `{"jsonrpc":"2.0","id":1,"method":"x","params":{"p":"/home/alice/src","w":"C:\\Users\\Bob\\x","ACME":"ACME Corp","secret":12345}}`))
	l.Append(Event{Kind: KindStderr, Dir: In, Data: []byte("in /home/alice and %2Fhome%2Falice/y, acme")})
	l = reopen(t, l)
	p := plan(t, l, MaskOptions{Home: true, Words: []string{"ACME", "2345", "secret"}})
	text, _ := export(t, l, ExportOptions{Format: ExportRecording, Mask: p})
	for _, gone := range []string{"alice", "Bob", "ACME", "2345", "secret"} {
		if strings.Contains(text, gone) {
			t.Errorf("%s is still in\n%s", gone, text)
		}
	}
	if !strings.Contains(text, "acme") || !strings.Contains(text, "/src") {
		t.Errorf("too much is masked in\n%s", text)
	}
	m := openText(t, text)
	if _, err := m.Message(1); err != nil || m.Head(1).Problems {
		t.Errorf("the message is broken: %s", text)
	}
}

// spellings are ways in which a secret may stand somewhere.
var spellings = []func(string, *rand.Rand) string{
	func(s string, _ *rand.Rand) string { return s },
	func(s string, _ *rand.Rand) string { return url.QueryEscape(s) },
	func(s string, _ *rand.Rand) string { return url.PathEscape(s) },
	func(s string, _ *rand.Rand) string { // every byte
		var b strings.Builder
		for i := range len(s) {
			fmt.Fprintf(&b, "%%%02x", s[i])
		}
		return b.String()
	},
	func(s string, _ *rand.Rand) string { return url.QueryEscape(url.QueryEscape(s)) },
	func(s string, _ *rand.Rand) string { return base64.StdEncoding.EncodeToString([]byte(s)) },
	func(s string, _ *rand.Rand) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) },
	func(s string, r *rand.Rand) string { // inside of more
		around := "xyz"[:r.IntN(4)]
		return base64.StdEncoding.EncodeToString([]byte("user" + around + ":" + s + around))
	},
	func(s string, _ *rand.Rand) string { b, _ := json.Marshal(s); return string(b[1 : len(b)-1]) },
	func(s string, _ *rand.Rand) string { // JSON in a string of JSON
		b, _ := json.Marshal(map[string]string{"k": s})
		b, _ = json.Marshal(string(b))
		return string(b)
	},
	func(s string, _ *rand.Rand) string { // every character
		var b strings.Builder
		for _, c := range s {
			fmt.Fprintf(&b, `\u%04X`, c)
		}
		return b.String()
	},
}

// leftOver looks for a secret in what was exported, in all spellings.
func leftOver(text, secret string) string {
	forms := []string{text}
	for range 3 { // escapes inside of escapes
		last := forms[len(forms)-1]
		if plain, _ := unescapedView([]byte(last), nil); plain != nil {
			forms = append(forms, string(plain))
		}
	}
	for _, form := range forms {
		if plain, _ := percentView([]byte(form), nil); plain != nil {
			forms = append(forms, string(plain))
			if twice, _ := percentView(plain, nil); twice != nil {
				forms = append(forms, string(twice))
			}
		}
	}
	needles := []string{secret}
	for shift := range 3 {
		core := base64Core(secret, shift)
		needles = append(needles, string(core), string(urlAlphabet(core)))
	}
	for _, form := range forms {
		for _, needle := range needles {
			if strings.Contains(form, needle) {
				return needle
			}
		}
	}
	return ""
}

// No masked secret is left anywhere in an export, in any spelling; JSON stays
// JSON; what holds no secret stays byte for byte.
func TestNoSecretIsLeft(t *testing.T) {
	const alphabet = `abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~+/=&%"\é☃`
	runes := []rune(alphabet)
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 4))
		secrets := make([]string, 1+r.IntN(4))
		for i := range secrets {
			s := make([]rune, 6+r.IntN(20))
			for j := range s {
				s[j] = runes[r.IntN(len(runes))]
			}
			secrets[i] = string(s)
		}
		l := newTestLog(t)
		add := func(e Event) {
			e.Time = 1
			l.Append(e)
		}
		untouched := `{"jsonrpc":"2.0", "id" : 7,"method":"\u0061b","params":{"n":1e400,"n":-0}}`
		add(message(Out, untouched))
		for i, s := range secrets { // how each becomes known
			b, _ := json.Marshal(s)
			switch i % 3 {
			case 0:
				add(message(Out, `{"jsonrpc":"2.0","id":1,"method":"x","params":{"password":`+string(b)+`}}`))
			case 1:
				add(Event{Kind: KindHTTP, Dir: Out, Fields: &HTTPHead{Method: "POST", URL: "http://h/?token=" + url.QueryEscape(s)}})
			case 2:
				add(Event{Kind: KindHTTP, Dir: Out, Fields: &HTTPHead{Headers: []HeaderField{{"X-Api-Key", s}}}})
			}
		}
		for range 12 {
			s := spellings[r.IntN(len(spellings))](secrets[r.IntN(len(secrets))], r)
			b, _ := json.Marshal(s)
			switch r.IntN(6) {
			case 0:
				add(message(In, `{"jsonrpc":"2.0","id":1,"result":{"text":`+string(b)+`,"more":[`+string(b)+`]}}`))
			case 1:
				add(message(In, `{"jsonrpc":"2.0","id":1,"result":{`+string(b)+`:1}}`))
			case 2:
				add(Event{Kind: KindStderr, Dir: In, Data: []byte("out: " + s + "\n")})
			case 3:
				add(Event{Kind: KindBad, Dir: In, Data: []byte("\xff" + s)})
			case 4:
				add(Event{Kind: KindHTTP, Dir: In, Fields: &HTTPHead{Status: 500, Reason: s, Body: s, Headers: []HeaderField{{"X-Echo", s}}}})
			case 5:
				add(Event{Kind: KindState, Dir: In, Fields: &StateChange{State: "failed", Detail: s, Extra: jsontext.Value(`{"x":` + string(b) + `}`)}, Extra: jsontext.Value(`{"y":` + string(b) + `}`)})
			}
		}
		l = reopen(t, l)
		p := plan(t, l, MaskOptions{Tokens: true})
		for _, format := range []ExportFormat{ExportRecording, ExportMessages, ExportMarkdown} {
			text, _ := export(t, l, ExportOptions{Format: format, Mask: p})
			for _, s := range secrets {
				if left := leftOver(text, s); left != "" {
					t.Fatalf("seed %d: of the secret %q %q is left in format %d\n%s", seed, s, left, format, text)
				}
			}
			if format == ExportMarkdown {
				continue
			}
			if !strings.Contains(text, untouched) {
				t.Fatalf("seed %d: a message without a secret changed\n%s", seed, text)
			}
			for _, line := range bytes.Split([]byte(text), []byte("\n")) {
				if len(line) > 0 && !jsontext.Value(line).IsValid(tolerant...) {
					t.Fatalf("seed %d: no JSON any more: %s", seed, line)
				}
			}
		}
		if !slices.ContainsFunc(p.Entries, func(e MaskEntry) bool { return e.Kind == MaskMember && e.Count > 0 }) {
			t.Fatalf("seed %d: %+v", seed, p.Entries)
		}
	}
}

// What base64 says stays readable around a secret.
func TestBase64IsWrittenAgain(t *testing.T) {
	f := newSecretFinder()
	f.add("hunter22", 0, "‹t›")
	f.build()
	for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding} {
		for _, around := range []string{"", "a", "ab", "abc>>>???"} {
			in := "x: " + encoding.EncodeToString([]byte(around+"hunter22"+around)) + ";"
			out, places := f.replace([]byte(in))
			run := strings.TrimRight(strings.TrimSuffix(strings.TrimPrefix(string(out), "x: "), ";"), "=")
			plain, err := encoding.WithPadding(base64.NoPadding).DecodeString(run)
			if len(places) != 1 || err != nil || string(plain) != around+"‹t›"+around {
				t.Errorf("%s became %s: %q, %v", in, out, plain, err)
			}
		}
	}
}

func FuzzMaskedJSONStaysJSON(f *testing.F) {
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"params":{"password":"hunter22","u":"http://a:hunter22@h/?x=hunter22"}}`), "hunter22", "/params/*")
	f.Add([]byte(`["\u0068unter22",{"a":12345678}]`), "345678", "/1/a")
	f.Add([]byte(`"aHVudGVyMjI="`), "hunter22", "/")
	f.Fuzz(func(t *testing.T, b []byte, word, pointer string) {
		if len(word) < minSecret || !strings.HasPrefix(pointer, "/") || bytes.IndexByte(b, '\n') >= 0 {
			return
		}
		l := newMemLog(t, &memFile{})
		l.Append(Event{Kind: KindMessage, Dir: Out, Time: 1, Data: b})
		p, err := PlanMask(context.Background(), l, MaskOptions{Tokens: true, Home: true, Words: []string{word}, Pointers: []string{pointer}})
		if err != nil {
			t.Fatal(err)
		}
		valid := jsontext.Value(b).IsValid(tolerant...)
		k := newMasking(p)
		e := Event{Kind: KindMessage, Data: b}
		k.event(&e)
		if valid && !jsontext.Value(e.Data).IsValid(tolerant...) {
			t.Fatalf("%q became %q", b, e.Data)
		}
		if bytes.Contains(e.Data, []byte(word)) && !strings.Contains(p.tag(""), word) {
			t.Fatalf("%q is left in %q of %q", word, e.Data, b)
		}
	})
}
