package recorder

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

const testHeader = `{"format":"mcploupe/1","created":"2026-11-30T03:12:09Z","target":{"transport":"stdio","color":"blue"},"app":"x","later":[1, 2.50]}` + "\n"

// The lines of the package comment, and what people do to them with jq and
// grep.
func TestLinesInAnyOrderAreRead(t *testing.T) {
	l := openMem(t, []byte(testHeader+
		`{"q":1,"t":0,"d":"out","k":"msg","c":"stdio","m":"server/discover","i":1,"msg":{"jsonrpc":"2.0","id":1,"method":"server/discover"}}
{"msg":{"jsonrpc":"2.0","id":1,"result":{"a":1.0}},"c":"stdio","k":"msg","i":1,"d":"in","t":41,"q":2}
 { "q" : 3 , "t" : 5 , "k" : "stderr" , "text" : "li\u0073tening\n" , "d" : "in" }`+"\r"+`
{"q":4,"t":6,"k":"msg","d":"in","y":"result","i":9,"a":0,"msg":{"jsonrpc":"2.0","id":9,"result":{}},"seen":{"by":"me"}}

{"q":5,"t":7,"k":"state","state":{"state":"ready","mood":"good"},"extra":null}
{"q":6,"t":8,"k":"hologram","hologram":{"x":1},"text":"t"}
not JSON
{"q":8,"t":9,"k":"bad","b64":"//4="}
`))
	if l.Len() != 8 {
		t.Fatalf("%d events", l.Len())
	}
	want := []Head{
		{Seq: 1, Dir: Out, Kind: KindMessage, Message: 1, Method: "server/discover", ID: "1", Channel: "stdio", Size: 51, Status: "ok", Partner: 2, Took: 41},
		{Seq: 2, Time: 41, Dir: In, Kind: KindMessage, Message: 3, Method: "server/discover", ID: "1", Channel: "stdio", Size: 43, Status: "ok", Partner: 1, Took: 41},
		{Seq: 3, Time: 5, Dir: In, Kind: KindStderr, Size: 10},
		{Seq: 4, Time: 6, Dir: In, Kind: KindMessage, Message: 3, ID: "9", Size: 36},
		{Seq: 5, Time: 7, Kind: KindState},
		{Seq: 6, Time: 8},
		{Seq: 7, Size: 8, Problems: true},
		{Seq: 8, Time: 9, Kind: KindBad, Size: 2},
	}
	for i, w := range want {
		if got := l.Head(uint64(i + 1)); got != w {
			t.Errorf("head %d\n got %+v\nwant %+v", i+1, got, w)
		}
	}
	for seq, w := range map[uint64]Event{
		2: {Seq: 2, Time: 41, Dir: In, Kind: KindMessage, Channel: "stdio", Data: []byte(`{"jsonrpc":"2.0","id":1,"result":{"a":1.0}}`)},
		3: {Seq: 3, Time: 5, Dir: In, Kind: KindStderr, Data: []byte("listening\n")},
		4: {Seq: 4, Time: 6, Dir: In, Kind: KindMessage, Data: []byte(`{"jsonrpc":"2.0","id":9,"result":{}}`), Extra: []byte(`{"seen":{"by":"me"}}`)},
		5: {Seq: 5, Time: 7, Kind: KindState, Fields: &StateChange{State: "ready", Extra: []byte(`{"mood":"good"}`)}, Extra: []byte(`{"extra":null}`)},
		6: {Seq: 6, Time: 8, Extra: []byte(`{"k":"hologram","hologram":{"x":1},"text":"t"}`)},
		7: {Seq: 7, Data: []byte("not JSON")},
		8: {Seq: 8, Time: 9, Kind: KindBad, Data: []byte("\xff\xfe")},
	} {
		if got, err := l.Read(seq, 0); err != nil || !reflect.DeepEqual(got, w) {
			t.Errorf("event %d\n got %+v, %v\nwant %+v", seq, got, err, w)
		}
	}
}

// A program that knows less than the file writes everything again.
func TestUnknownMembersSurviveARewrite(t *testing.T) {
	lines := []string{
		`{"q":1,"t":1,"d":"in","k":"msg","y":"result","i":9,"a":0,"w":"ok","s":36,"seen":{"by":[1.0]},"msg":{"jsonrpc":"2.0","id":9,"result":{}}}`,
		`{"q":2,"t":2,"k":"state","w":"ready","extra":null,"state":{"state":"ready","mood":"good"}}`,
		`{"q":3,"t":3,"d":"in","k":"http","w":"200","http":{"status":200,"tls":{"v":13}}}`,
		`{"q":4,"t":4,"k":"sse","w":"id","sse":{"hasId":true,"x":1}}`,
	}
	unknown := `{"q":5,"t":5,"k":"hologram","hologram":{"x":1},"text":"t"}`
	l := openMem(t, []byte(testHeader+strings.Join(lines, "\n")+"\n"+unknown+"\nnot an event\n"))
	m := &memFile{}
	w, err := create(m, "copy", l.Header())
	if err != nil {
		t.Fatal(err)
	}
	for seq := uint64(1); seq <= l.Len(); seq++ {
		e, err := l.Read(seq, 0)
		if err != nil {
			t.Fatal(err)
		}
		if e.Time == 0 {
			e.Time = 6
		}
		w.Append(e)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	got := strings.Split(string(m.bytes()), "\n")
	if got[0]+"\n" != strings.Replace(testHeader, "[1, 2.50]", "[1,2.50]", 1) {
		t.Errorf("header\n got %s\nwant %s", got[0], testHeader)
	}
	for i, want := range lines {
		if got[i+1] != want {
			t.Errorf("line %d\n got %s\nwant %s", i+1, got[i+1], want)
		}
	}
	for i, part := range []string{`"k":"hologram","hologram":{"x":1},"text":"t"`, `"k":"line","text":"not an event"`} {
		if !strings.Contains(got[len(lines)+1+i], part) {
			t.Errorf("line %d is %s, want %s in it", len(lines)+1+i, got[len(lines)+1+i], part)
		}
	}
	again := openMem(t, m.bytes())
	if e, err := again.Read(6, 0); err != nil || e.Kind != 0 || string(e.Data) != "not an event" {
		t.Errorf("the line that is no event is %+v, %v", e, err)
	}
}

// Lines taken out with grep keep pointing at one another.
func TestLinesTakenOutAreRenumbered(t *testing.T) {
	l := newTestLog(t)
	for i := range 50 {
		id := string(rune('0' + i%10))
		l.Append(message(Out, `{"jsonrpc":"2.0","id":`+id+`,"method":"ping"}`))
		l.Append(Event{Kind: KindStderr, Data: []byte("noise")})
		l.Append(Event{Kind: KindHTTP, Dir: In, Cause: uint64(3*i + 1), Fields: &HTTPHead{Status: 200}})
		l.Append(message(In, `{"jsonrpc":"2.0","id":`+id+`,"result":{}}`))
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(l.Path())
	if err != nil {
		t.Fatal(err)
	}
	var kept []string
	for _, line := range strings.Split(string(file), "\n") {
		if !strings.Contains(line, "noise") {
			kept = append(kept, line)
		}
	}
	r := openMem(t, []byte(strings.Join(kept, "\n")))
	if r.Len() != 150 {
		t.Fatalf("%d events", r.Len())
	}
	for seq := uint64(1); seq <= r.Len(); seq += 3 {
		if h := r.Head(seq); h.Partner != seq+2 || r.Head(seq+2).Partner != seq {
			t.Fatalf("request %d has partner %d, answer %d has %d", seq, h.Partner, seq+2, r.Head(seq+2).Partner)
		}
	}
	// Event 3i+1 was, of the original's four a round, one that is left or not.
	for i := range uint64(50) {
		was := 3*i + 1
		want := uint64(0)
		if was%4 != 2 {
			want = was - (was+2)/4
		}
		if got := r.Head(3*i + 2).Cause; got != want {
			t.Fatalf("event %d belongs to %d, want %d", 3*i+2, got, want)
		}
	}
}

func TestHeaderKeepsWhatItDoesNotKnow(t *testing.T) {
	h, err := parseHeader([]byte(strings.TrimSuffix(testHeader, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	if string(h.Extra) != `{"later":[1, 2.50]}` || string(h.Target.Extra) != `{"color":"blue"}` ||
		!h.Created.Equal(time.Date(2026, 11, 30, 3, 12, 9, 0, time.UTC)) {
		t.Errorf("header is %+v", h)
	}
	line, err := appendHeader(nil, h)
	if err != nil || string(line) != strings.Replace(testHeader, "[1, 2.50]", "[1,2.50]", 1) {
		t.Errorf("written again: %s, %v", line, err)
	}
}

func TestForeignFilesAreRefusedWithAReason(t *testing.T) {
	dir := t.TempDir()
	for content, want := range map[string]string{
		"":                                       "the file is empty",
		`{"format":"mcploupe/1","cre`:            "is cut or has no line feed",
		`{"format":"mcploupe/1","cre` + "\n{}\n": "it ends too early, after 27 bytes",
		"hello\n":                                "the first line is no JSON object",
		"\n{}\n":                                 "the first line is empty",
		"[]\n":                                   "it begins with a JSON array",
		"{}\n":                                   `no "format":"mcploupe/1"`,
		`{"format":5}` + "\n":                    `no "format"`,
		`{"format":"mcploupe/2"}` + "\n":         `its format is "mcploupe/2"`,
		strings.Repeat("x", maxHeader+10) + "\n": "the first line is no JSON object",
		`{"format":"mcploupe/1","app":"` + strings.Repeat("x", maxHeader) + `"}` + "\n": "longer than",
		"{\"log\": {\n \"version\": \"1.2\", \"entries\": []}}\n":                       "it looks like a HAR file",
		`{"jsonrpc":"2.0","method":"ping","id":1}` + "\n":                               "a JSON-RPC message without an envelope",
		"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03abc\n":                                 "compressed with gzip",
		"PK\x03\x04abc\n":                 "ZIP archive",
		"\xff\xfe{\x00\"\x00":             "UTF-16",
		"\x7fELF\x02\x01\x01\x00\n":       "a program",
		"\x01\x02\x00\x03\nabc\n":         "a binary file",
		"\xc3\x28\xa0\xa1 and text\n":     "a binary file",
		strings.Repeat("\x00", 5000):      "begins with NUL bytes",
		`{"format":"mcploupe/1",}` + "\n": "no JSON from byte 24 on",
	} {
		path := filepath.Join(dir, "foreign")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Open(path)
		if !errors.Is(err, ErrForeign) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%.40q gave %v, want %q", content, err, want)
		}
		if after, _ := os.ReadFile(path); string(after) != content {
			t.Errorf("%.40q was changed", content)
		}
	}
}

func TestJunkLinesAreReportedAndKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "junk"+Ext)
	file := testHeader + `{"q":1,"t":1,"k":"note","s":1,"text":"a"}` + "\njunk\n{\"x\":1}\n" + `{"q":2,"t":2,"k":"note","s":1,"text":"b"}` + "\n"
	if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	l := mustOpen(t, path)
	if l.Len() != 4 || l.Repaired() != "2 lines are no events but listed as such; the first is line 3, event 2: no JSON object" {
		t.Errorf("%d events, Repaired says %q", l.Len(), l.Repaired())
	}
	if e, err := l.Read(3, 0); err != nil || string(e.Data) != `{"x":1}` {
		t.Errorf("event 3 is %+v, %v", e, err)
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != file {
		t.Errorf("the file was changed: %v", err)
	}
}
