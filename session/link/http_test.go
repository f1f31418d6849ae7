package link

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"mcploupe/protocol"
	"mcploupe/recorder"
	peer "mcploupe/session/sessiontest"
)

func revision(t testing.TB, name string) *protocol.Revision {
	t.Helper()
	r, ok := protocol.RevisionByName(name)
	if !ok {
		t.Fatalf("no revision %s", name)
	}
	return r
}

func dial(t testing.TB, target HTTPTarget, w *witness) *HTTPLink {
	t.Helper()
	l, err := DialHTTP(target, w, w)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l.(*HTTPLink)
}

// endOf waits for the end of the exchange of request id.
func (w *witness) endOf(t testing.TB, id uint64) Ended {
	t.Helper()
	var found Ended
	w.await(t, fmt.Sprintf("the end of %d", id), func() bool {
		for _, e := range w.ended {
			if e.For == protocol.IntID(id) {
				found = e
				return true
			}
		}
		return false
	})
	return found
}

// heads returns the HTTP heads of a channel in order.
func (w *witness) heads(channel string) []*recorder.HTTPHead {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.headsLocked(channel)
}

func (w *witness) headsLocked(channel string) (out []*recorder.HTTPHead) {
	for _, e := range w.events {
		if h, ok := e.Fields.(*recorder.HTTPHead); ok && e.Channel == channel {
			out = append(out, h)
		}
	}
	return out
}

func headerOf(h *recorder.HTTPHead, name string) string {
	for _, f := range h.Headers {
		if strings.EqualFold(f.Name, name) {
			return f.Value
		}
	}
	return ""
}

// modern is a call with the version that headers are made from.
func modern(id uint64, tool string) []byte {
	return request(id, "tools/call", `{"name":"`+tool+`","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}`)
}

func rules(problems []protocol.Problem) string {
	var out []string
	for _, p := range problems {
		out = append(out, p.Rule)
	}
	return strings.Join(out, " ")
}

// connect makes a legacy session on l.
func connect(t testing.TB, l *HTTPLink, w *witness, r *protocol.Revision) {
	t.Helper()
	if err := l.Send(ctxFor(t), request(1000, "initialize", "{}"), SendOptions{Initialize: true, Revision: r}); err != nil {
		t.Fatal(err)
	}
	w.answerTo(t, 1000)
	if err := l.Send(ctxFor(t), protocol.NewNotification("notifications/initialized", nil), SendOptions{Revision: r}); err != nil {
		t.Fatal(err)
	}
	w.await(t, "202", func() bool {
		for _, e := range w.ended {
			if e.Channel == "post-2" {
				return true
			}
		}
		return false
	})
}

func TestHTTPLegacySession_HTTP52_HTTP55_HDR29(t *testing.T) {
	s := peer.NewHTTP(t)
	s.ServeMCP()
	w := newWitness()
	r := revision(t, "2025-11-25")
	l := dial(t, HTTPTarget{URL: s.URL, Bearer: "tok-secret", Headers: []protocol.HeaderField{{Name: "x-api-key", Value: "k"}}}, w)
	connect(t, l, w, r)
	if l.SessionID() != "session-1" {
		t.Errorf("session %q", l.SessionID())
	}
	if err := l.Send(ctxFor(t), call(1, "good"), SendOptions{Revision: r, Headers: []protocol.HeaderField{{Name: "X-Api-Key", Value: "other"}}}); err != nil {
		t.Fatal(err)
	}
	in := w.answerTo(t, 1)
	if in.Status != 200 || in.For != protocol.IntID(1) || in.Channel != "post-3" {
		t.Errorf("in %+v", in)
	}
	if e := w.endOf(t, 1); e.Err != nil || e.Answer == nil || e.Answer.Status != 200 || len(e.Problems) != 0 {
		t.Errorf("ended %+v", e)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	reqs := s.Requests()
	if len(reqs) != 4 {
		t.Fatalf("%d requests", len(reqs))
	}
	first, called, last := reqs[0], reqs[2], reqs[3]
	if first.Header.Get("Mcp-Session-Id") != "" || first.Header.Get("Mcp-Protocol-Version") != "" {
		t.Errorf("initialize was sent with %v", first.Header)
	}
	for _, q := range reqs[1:] {
		if q.Header.Get("Mcp-Session-Id") != "session-1" || q.Header.Get("Mcp-Protocol-Version") != "2025-11-25" {
			t.Errorf("%s was sent with %v", q.Method, q.Header)
		}
	}
	for _, q := range reqs {
		if q.Header.Get("Authorization") != "Bearer tok-secret" || q.Header.Get("Accept-Encoding") != "" {
			t.Errorf("%s was sent with %v", q.Method, q.Header)
		}
	}
	if called.Header.Get("X-Api-Key") != "other" || first.Header.Get("X-Api-Key") != "k" {
		t.Errorf("header layers: %v, %v", first.Header, called.Header)
	}
	if called.Header.Get("Accept") != "application/json, text/event-stream" || called.Header.Get("Content-Type") != "application/json" {
		t.Errorf("negotiation %v", called.Header)
	}
	if string(called.Body) != string(call(1, "good")) {
		t.Errorf("body %s", called.Body)
	}
	if last.Method != "DELETE" {
		t.Errorf("the last request was %s", last.Method)
	}
	heads := w.heads("post-3")
	if len(heads) != 3 || heads[0].Method != "POST" || heads[1].Status != 200 || !heads[2].Done || heads[2].Bytes == 0 {
		t.Fatalf("heads %+v", heads)
	}
	for _, e := range w.log() {
		if text := fmt.Sprintf("%s %+v", e.Data, e.Fields); strings.Contains(text, "tok-secret") || strings.Contains(text, "session-1") {
			t.Errorf("a secret in event %d: %s", e.Seq, text)
		}
		if h, ok := e.Fields.(*recorder.HTTPHead); ok {
			for _, f := range h.Headers {
				if strings.Contains(f.Value, "tok-secret") || strings.Contains(f.Value, "session-1") {
					t.Errorf("a secret in event %d: %+v", e.Seq, f)
				}
			}
		}
	}
	if h := heads[0]; headerOf(h, "Host") == "" || headerOf(h, "Content-Length") == "" || headerOf(h, "User-Agent") != "mcploupe" || headerOf(h, "Authorization") == "" {
		t.Errorf("request head %+v", h.Headers)
	}
}

func TestHTTPModernIsStateless_HTTP25_HDR01to06(t *testing.T) {
	s := peer.NewHTTP(t)
	s.On("POST tools/call", peer.Result(peer.CallResult, "Mcp-Session-Id: unwanted"))
	w := newWitness()
	r := revision(t, "2026-07-28")
	l := dial(t, HTTPTarget{URL: s.URL}, w)
	schema := `{"type":"object","properties":{"city":{"type":"string","x-mcp-header":"City"}}}`
	raw := request(1, "tools/call", `{"name":"wäter","arguments":{"city":"Köln"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}`)
	if err := l.Send(ctxFor(t), raw, SendOptions{Revision: r, InputSchema: []byte(schema)}); err != nil {
		t.Fatal(err)
	}
	w.answerTo(t, 1)
	w.endOf(t, 1)
	l.OpenStream(r)
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	reqs := s.Requests()
	if len(reqs) != 1 {
		t.Fatalf("%d requests: a modern link has no GET and no DELETE", len(reqs))
	}
	h := reqs[0].Header
	for name, want := range map[string]string{
		"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": protocol.EncodeHeaderValue("wäter"),
		"Mcp-Param-City": protocol.EncodeHeaderValue("Köln"), "Mcp-Session-Id": "",
	} {
		if got := h.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if l.SessionID() != "" {
		t.Errorf("session %q", l.SessionID())
	}
}

// Whatever the status, a JSON body reaches the session, and so does the text
// of any other (HTTP-06, HTTP-07, trap 37).
func TestHTTPAnswersByStatus(t *testing.T) {
	rpcError := `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no"}}`
	for _, tc := range []struct {
		name     string
		answer   peer.Responder
		received string
		body     string
		errIs    string
		rules    string
	}{
		{"400 with an error without id", peer.Status(400, "application/json", rpcError), rpcError, "", "", ""},
		{"404 with -32601", peer.Status(404, "application/json; charset=utf-8", `{"jsonrpc":"2.0","id":{{id}},"error":{"code":-32601,"message":"x"}}`), `"code":-32601`, "", "", ""},
		{"401 with foreign JSON", peer.Status(401, "application/json", `{"error":"invalid_token"}`, "WWW-Authenticate: Bearer"), `{"error":"invalid_token"}`, `{"error":"invalid_token"}`, "401 Unauthorized", ""},
		{"502 with HTML", peer.Status(502, "text/html", "<h1>Bad gateway</h1>"), "", "<h1>Bad gateway</h1>", "502 Bad Gateway", ""},
		{"405 with text", peer.Status(405, "text/plain", "no"), "", "no", "405", ""},
		{"JSON error in text/plain", peer.Status(400, "text/plain", rpcError), rpcError, "", "", ""},
		{"500 with broken JSON", peer.Status(500, "application/json", `{"jsonrpc":`), "", `{"jsonrpc":`, "500", ""},
		{"200 with HTML", peer.Status(200, "text/html", "<html>"), "", "<html>", "neither JSON nor an event stream", "L-HTTP-01"},
		{"200 empty", peer.Status(200, "application/json", ""), "", "", "without a body", "http.body-empty"},
		{"202 to a request", peer.Status(202, "", ""), "", "", "202", "HTTP-06"},
		{"204 to a request", peer.Status(204, "", ""), "", "", "204 without a body", "http.body-empty"},
		{"302", peer.Status(302, "", "", "Location: https://elsewhere.example/login"), "", "", "302 Found", "http.redirect"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := peer.NewHTTP(t)
			s.On("POST", tc.answer)
			w := newWitness()
			l := dial(t, HTTPTarget{URL: s.URL}, w)
			if err := l.Send(ctxFor(t), modern(1, "x"), SendOptions{Revision: revision(t, "2026-07-28")}); err != nil {
				t.Fatal(err)
			}
			e := w.endOf(t, 1)
			var in Incoming
			if len(w.in()) > 0 {
				in = w.in()[0]
			}
			if (tc.received == "") != (len(w.in()) == 0) || !strings.Contains(string(in.Raw), tc.received) {
				t.Errorf("received %q", in.Raw)
			}
			if e.Answer == nil || e.Answer.Body != tc.body {
				t.Errorf("answer %+v", e.Answer)
			}
			if tc.errIs == "" && e.Err != nil || tc.errIs != "" && (e.Err == nil || !strings.Contains(e.Err.Error(), tc.errIs)) {
				t.Errorf("err %v", e.Err)
			}
			if got := rules(append(in.Problems, e.Problems...)); got != tc.rules {
				t.Errorf("rules %q", got)
			}
			heads := w.heads("post-1")
			if last := heads[len(heads)-1]; !last.Done || last.Body != tc.body {
				t.Errorf("end %+v", last)
			}
		})
	}
}

func TestHTTPSessionLoss_HTTP54(t *testing.T) {
	s := peer.NewHTTP(t)
	s.ServeMCP()
	w := newWitness()
	r := revision(t, "2025-06-18")
	l := dial(t, HTTPTarget{URL: s.URL}, w)
	connect(t, l, w, r)
	s.On("POST tools/call", peer.Status(404, "application/json", `{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}`))
	if err := l.Send(ctxFor(t), call(1, "good"), SendOptions{Revision: r}); err != nil {
		t.Fatal(err)
	}
	e := w.endOf(t, 1)
	var refused *AnswerError
	if !errors.Is(e.Err, ErrSessionLost) || !errors.As(e.Err, &refused) || refused.Answer.Status != 404 {
		t.Errorf("err %v", e.Err)
	}
	if w.in()[len(w.in())-1].Status != 404 {
		t.Errorf("in %+v", w.in())
	}
	l.ResetSession()
	if l.SessionID() != "" {
		t.Error("the session id is still there")
	}
	s.On("POST initialize", peer.Result(peer.InitializeResult, "Mcp-Session-Id: session-2"))
	if err := l.Send(ctxFor(t), request(2, "initialize", "{}"), SendOptions{Revision: r, Initialize: true}); err != nil {
		t.Fatal(err)
	}
	w.answerTo(t, 2)
	if l.SessionID() != "session-2" {
		t.Errorf("session %q", l.SessionID())
	}
	// Without a session 404 is only a wrong address.
	fresh := newWitness()
	l2 := dial(t, HTTPTarget{URL: s.URL}, fresh)
	if err := l2.Send(ctxFor(t), call(1, "good"), SendOptions{Revision: r}); err != nil {
		t.Fatal(err)
	}
	if e := fresh.endOf(t, 1); errors.Is(e.Err, ErrSessionLost) {
		t.Errorf("err %v", e.Err)
	}
}

// Cancelling closes the stream; the server sees it (HTTP-24).
func TestHTTPCancelClosesTheStream_HTTP24(t *testing.T) {
	s := peer.NewHTTP(t)
	gone := make(chan struct{})
	s.On("POST", peer.Stream(peer.Piece{Hang: true, Gone: gone}))
	w := newWitness()
	l := dial(t, HTTPTarget{URL: s.URL}, w)
	ctx, cancel := context.WithCancel(ctxFor(t))
	if err := l.Send(ctx, call(1, "slow"), SendOptions{Revision: revision(t, "2026-07-28")}); err != nil {
		t.Fatal(err)
	}
	cancel()
	if e := w.endOf(t, 1); !errors.Is(e.Err, ErrCancelled) || !errors.Is(e.Err, context.Canceled) {
		t.Errorf("err %v", e.Err)
	}
	select {
	case <-gone:
	case <-time.After(testTimeout):
		t.Error("the server does not see it")
	}
	// A request that is stuck before its answer's head ends too.
	s.On("POST", peer.Pieces(peer.Piece{Hang: true}))
	ctx, cancel = context.WithCancel(ctxFor(t))
	sent := make(chan error)
	go func() { sent <- l.Send(ctx, call(2, "slow"), SendOptions{}) }()
	s.Await(ctxFor(t), 2, peer.Is("POST", ""))
	cancel()
	if err := <-sent; !errors.Is(err, ErrCancelled) {
		t.Errorf("Send: %v", err)
	}
	w.endOf(t, 2)
}

// What is written without waiting for an answer is answered all the same.
func TestHTTPUnpairedOutlivesItsSender(t *testing.T) {
	s := peer.NewHTTP(t)
	late := make(chan struct{})
	s.On("POST", peer.Stream(peer.Piece{Wait: late, Bytes: strings.Replace(answerEvent, "{{id}}", "1", 1)}))
	w := newWitness()
	l := dial(t, HTTPTarget{URL: s.URL}, w)
	ctx, cancel := context.WithCancel(ctxFor(t))
	if err := l.Send(ctx, call(1, "x"), SendOptions{Revision: revision(t, "2025-11-25"), Unpaired: true}); err != nil {
		t.Fatal(err)
	}
	cancel()
	close(late)
	w.answerTo(t, 1)
	if e := w.endOf(t, 1); e.Err != nil {
		t.Errorf("err %v", e.Err)
	}
}

func TestHTTPCloseEndsEverything(t *testing.T) {
	s := peer.NewHTTP(t)
	s.ServeMCP()
	s.On("POST tools/call", peer.Stream(peer.Piece{Hang: true}))
	s.On("GET", peer.Stream(peer.Piece{Hang: true}))
	s.On("DELETE", peer.Status(405, "text/plain", "not here"))
	w := newWitness()
	r := revision(t, "2025-11-25")
	l := dial(t, HTTPTarget{URL: s.URL}, w)
	connect(t, l, w, r)
	l.OpenStream(r)
	if err := l.Send(ctxFor(t), call(1, "x"), SendOptions{Revision: r}); err != nil {
		t.Fatal(err)
	}
	s.Await(ctxFor(t), 1, peer.Is("GET", ""))
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	if e := w.endOf(t, 1); !errors.Is(e.Err, ErrClosed) {
		t.Errorf("err %v", e.Err)
	}
	n := len(w.log())
	if err := l.Send(ctxFor(t), call(2, "x"), SendOptions{Revision: r}); !errors.Is(err, ErrClosed) {
		t.Errorf("Send: %v", err)
	}
	if len(w.log()) != n+2 { // the message and the note
		t.Errorf("%d events after Close", len(w.log())-n)
	}
	if q := s.Requests(); q[len(q)-1].Method != "DELETE" {
		t.Errorf("last request %s", q[len(q)-1].Method)
	}
}

func TestHTTPCloseDoesNotWaitForADeadServer(t *testing.T) {
	s := peer.NewHTTP(t)
	s.ServeMCP()
	s.On("DELETE", peer.Pieces(peer.Piece{Hang: true}))
	w := newWitness()
	l := dial(t, HTTPTarget{URL: s.URL, CloseTimeout: 50 * time.Millisecond}, w)
	connect(t, l, w, revision(t, "2025-11-25"))
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	if h := w.heads("delete-1"); len(h) != 2 || h[1].Error == "" {
		t.Errorf("heads %+v", h)
	}
}
