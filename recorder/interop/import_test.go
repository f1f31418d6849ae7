package interop

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"mcploupe/recorder"
)

func importText(t testing.TB, text string) (*recorder.Log, Report) {
	t.Helper()
	l, r, err := Create(context.Background(), strings.NewReader(text), "test", filepath.Join(t.TempDir(), "x"+recorder.Ext), Options{App: "test 1"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	if int(l.Len()) != r.Events {
		t.Errorf("the report says %d events, there are %d", r.Events, l.Len())
	}
	return l, r
}

func importFile(t testing.TB, name string) (*recorder.Log, Report) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return importText(t, string(b))
}

// rows are the events of a recording as text.
func rows(t testing.TB, l *recorder.Log) []string {
	t.Helper()
	var out []string
	for seq := uint64(1); seq <= l.Len(); seq++ {
		e, err := l.Read(seq, 0)
		if err != nil {
			t.Fatal(err)
		}
		h := l.Head(seq)
		row := fmt.Sprintf("%d %s %s %s %s", seq, e.Time.Round(time.Microsecond), e.Dir, e.Kind, e.Channel)
		if e.Cause != 0 {
			row += fmt.Sprintf(" <%d", e.Cause)
		}
		if h.Partner != 0 {
			row += fmt.Sprintf(" =%d", h.Partner)
		}
		switch f := e.Fields.(type) {
		case *recorder.HTTPHead:
			row += fmt.Sprintf(" %s%s %d%s", f.Method, f.URL, f.Status, f.Error)
			if f.Body != "" {
				row += " body " + f.Body
			}
		case *recorder.SSEFields:
			row += fmt.Sprintf(" id=%s retry=%s :%s", f.ID, f.RetryMS, f.Comment)
		case *recorder.StateChange:
			row += " " + f.State + " " + f.Detail
		default:
			row += " " + strings.ReplaceAll(string(e.Data), "\n", "⏎")
		}
		if e.Extra != nil {
			row += " +" + string(e.Extra)
		}
		out = append(out, row)
	}
	return out
}

func compare(t *testing.T, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

var tag = regexp.MustCompile(`‹secret:[0-9a-f]{8}›`)

func names(remarks []Remark) (out []string) {
	for _, r := range remarks {
		out = append(out, r.Where+": "+r.Text)
	}
	return out
}

// Chrome's shape: entries out of order, its own list of the events of a stream
// with their times, a failed request.
func TestImportHAROfABrowser(t *testing.T) {
	l, r := importFile(t, "browser.har")
	got := rows(t, l)
	for i := range got {
		got[i] = tag.ReplaceAllString(got[i], "TAG")
	}
	compare(t, got, []string{
		`1 0s out http get-1 GEThttp://127.0.0.1:7300/logo.png 0`,
		`2 2ms in http get-1 <1  200`,
		`3 3ms  note  <2 a body of 4 bytes, image/png, was not imported`,
		`4 3ms in http get-1 <2  0`,
		`5 150ms out http post-1 POSThttp://127.0.0.1:7300/mcp?token=TAG 0`,
		`6 150ms out msg post-1 <5 =12 {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"n":1.0}}`,
		`7 153.75ms in http post-1 <5  200`,
		`8 156ms in sse post-1 <7 id= retry= : hello`,
		`9 156ms in sse post-1 <7 id=1 retry=10 :`,
		`10 156ms in sse post-1 <7 id=2 retry= :`,
		`11 156ms in msg post-1 <10 {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":0.50}}`,
		`12 160ms in msg post-1 <7 =6 {"jsonrpc":"2.0","id":1,⏎"result":{"tools":[]}}`,
		`13 162.5ms in http post-1 <7  0`,
		`14 900ms out http post-2 POSThttp://127.0.0.1:7300/mcp 0`,
		`15 900ms out msg post-2 <14 {"jsonrpc":"2.0","id":2,"method":"ping"}`,
		`16 900ms in http post-2 <14  0net::ERR_CONNECTION_REFUSED`,
	})
	compare(t, names(r.Skipped), []string{
		`entry 2: a body of 4 bytes, image/png, is left out`,
	})
	if h := l.Header(); r.Format != HAR || h.Target.Transport != "http" || h.App != "test 1" || h.Created.Format(time.RFC3339Nano) != "2026-07-28T10:00:00.1Z" {
		t.Errorf("%v %+v", r.Format, h)
	}
	e, _ := l.Read(5, 0)
	for _, field := range e.Fields.(*recorder.HTTPHead).Headers {
		if field.Name == ":authority" || field.Name == "Authorization" && !tag.MatchString(field.Value) {
			t.Errorf("%+v", field)
		}
	}
}

// The shape of mitmproxy: base64 bodies, missing times, fields left out.
func TestImportHAROfAProxy(t *testing.T) {
	l, r := importFile(t, "proxy.har")
	compare(t, rows(t, l), []string{
		`1 0s out http post-1 POSThttps://h.example/mcp 0`,
		`2 0s out msg post-1 <1 =4 {"jsonrpc": "2.0", "id": "a", "method": "server/discover"}`,
		`3 3ms in http post-1 <1  200`,
		`4 4ms in msg post-1 <3 =2 {"jsonrpc":"2.0","id":"a","result":{"a":-0}}`,
		`5 4ms in http post-1 <3  0`,
		`6 4ms out http post-2 POSThttps://h.example/token 0`,
		`7 4ms in http post-2 <6  401`,
		`8 4ms in http post-2 <7  0 body {"error":"invalid_token"}`,
		`9 4ms out http get-1 GEThttps://h.example/mcp 0`,
		`10 4ms in http get-1 <9  200`,
		`11 4ms  note  <10 the imported file leaves out this body of 900 bytes`,
		`12 4ms in http get-1 <10  0`,
		`13 4ms  bad  {"comment": "no request"}`,
		`14 4ms  note  <13 entry 4: it has no request`,
	})
	compare(t, names(r.Skipped), []string{
		`entry 3: the file leaves out the answer's body of 900 bytes`,
		`entry 4: it has no request`,
	})
	if !slices.ContainsFunc(r.Rules, func(s string) bool { return strings.Contains(s, "startedDateTime") }) {
		t.Errorf("%q", r.Rules)
	}
}

func TestImportInspector(t *testing.T) {
	for _, c := range []struct {
		name    string
		want    []string
		skipped []string
	}{
		{"inspector-protocol.json", []string{
			`1 0s out msg stdio =3 {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"a  b","version":"1"}}}`,
			`2 5ms in msg stdio { "jsonrpc": "2.0", "method": "notifications/message", "params": { "level": "info", "data": "x" } }`,
			`3 12ms in msg stdio =1 {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","big":9007199254740993}}`,
			`4 1s in msg stdio =5 { "jsonrpc": "2.0", "id": 7, "method": "roots/list" }`,
			`5 1.5s out msg stdio =4 { "jsonrpc": "2.0", "id": 7, "result": { "roots": [] } }`,
			`6 1.5s  note  <5 the client refused this answer: it has no name`,
			`7 1.5s  bad  "stray"`,
			`8 1.5s  note  <7 entry 5: nothing that the Inspector exports`,
		}, []string{
			`entry 5: nothing that the Inspector exports`,
		}},
		{"inspector-network.json", []string{
			`1 0s out http post-1 POSThttp://127.0.0.1:7300/mcp 0`,
			`2 0s out msg post-1 <1 =5 {"jsonrpc":"2.0","id":1,"method":"ping"}`,
			`3 7ms in http post-1 <1  200`,
			`4 7ms in sse post-1 <3 id= retry= :`,
			`5 7ms in msg post-1 <4 =2 {"jsonrpc":"2.0","id":1,"result":{}}`,
			`6 7ms in http post-1 <3  0`,
			`7 2s out http get-1 GEThttp://127.0.0.1:7300/.well-known/oauth-protected-resource 0`,
			`8 2s in http get-1 <7  0fetch failed`,
		}, nil},
		{"inspector-logs.json", []string{
			`1 0s in msg stdio {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"warning","data":{"n":1.50}}}`,
		}, nil},
		{"inspector-console.json", []string{
			`1 0s in stderr stdio listening`,
		}, nil},
		{"inspector-history.json", []string{
			`1 0s out msg stdio =2 {"jsonrpc":"2.0","id":"entry-1","method":"tools/list","params":{}}`,
			`2 0s in msg stdio =1 {"jsonrpc":"2.0","id":"entry-1","result":{"tools":[]}}`,
			`3 0s out msg stdio =4 {"jsonrpc":"2.0","id":4,"method":"ping"}`,
			`4 0s in msg stdio =3 {"jsonrpc":"2.0","id":4,"result":{}}`,
			`5 0s  bad  "what?"`,
			`6 0s  note  <5 entry 3: its request is no message`,
		}, []string{
			`entry 3: its request is no message`,
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			l, r := importFile(t, c.name)
			if r.Format != Inspector {
				t.Errorf("taken for %s", r.Format)
			}
			compare(t, rows(t, l), c.want)
			compare(t, names(r.Skipped), c.skipped)
		})
	}
}

func TestImportSnoop(t *testing.T) {
	l, r := importFile(t, "snoop.jsonl")
	compare(t, rows(t, l), []string{
		`1 0s out state stdio starting node`,
		`2 100ms out msg stdio =5 {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","n":1e400}}`,
		`3 100ms in stderr stdio hello`,
		`4 200ms  note  the imported file has lost 2 lines here`,
		`5 200ms in msg stdio =2 {"jsonrpc":"2.0","id":1,"result":{}} +{"mcpsnoop":{"truncated":true,"conn_id":"c9"}}`,
		`6 300ms in bad stdio INFO starting`,
		`7 1s  note  here begins another session of the imported file: s2`,
		`8 1s  bad  {"session_id":"s2","server_label":"notes","seq":0,"ts":"2026-07-28T10:00:01Z","direction":"sideways","transport":"stdio"}`,
		`9 1s  note  <8 line 6: no direction that is known`,
		`10 1s  bad  {"session_id":"s2","se`,
		`11 1s  note  <10 line 7: no JSON`,
	})
	compare(t, names(r.Skipped), []string{
		`line 4: 2 lines before it are missing by their numbers`,
		`line 6: no direction that is known`,
		`line 7: no JSON`,
	})
	if h := l.Header().Target; r.Format != Snoop || h.Name != "notes" || h.Command != "node" || !slices.Equal(h.Args, []string{"server.js"}) || h.Dir != "/srv" {
		t.Errorf("%s %+v", r.Format, h)
	}
}

func TestImportLines(t *testing.T) {
	l, r := importFile(t, "messages.jsonl")
	compare(t, rows(t, l), []string{
		`1 0s out msg stdio =2 {"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`,
		`2 0s in msg stdio =1 {"jsonrpc":"2.0","id":1,"result":{"a" : -0}}`,
		`3 0s  bad  Starting up`,
		`4 0s  note  <3 line 4: no JSON`,
		`5 0s in msg stdio =6 {"jsonrpc":"2.0","id":9,"method":"elicitation/create","params":{}}`,
		`6 0s out msg stdio =5 {"jsonrpc":"2.0","id":9,"result":{"action":"cancel"}}`,
		`7 0s out msg stdio {"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`8 0s out msg stdio [{"jsonrpc":"2.0","id":3,"method":"ping"}]`,
		`9 0s in msg stdio {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`,
		`10 0s in msg stdio {"neither":1}`,
	})
	compare(t, names(r.Skipped), []string{
		`line 4: no JSON`,
		`line 10: JSON, but no JSON-RPC message`,
	})
	if r.Format != Lines || !slices.Contains(r.Rules, directionRule) || !slices.Contains(r.Rules, noTimesRule) {
		t.Errorf("%s %q", r.Format, r.Rules)
	}
}

func TestImportArray(t *testing.T) {
	l, r := importFile(t, "messages.json")
	compare(t, rows(t, l), []string{
		`1 0s out msg stdio =2 {"jsonrpc":"2.0","id":1,"method":"ping"}`,
		`2 0s in msg stdio =1 {"jsonrpc":"2.0","id":1,"result":{}}`,
	})
	if r.Format != Array || !slices.Contains(r.Rules, compactRule) {
		t.Errorf("%s %q", r.Format, r.Rules)
	}
}
