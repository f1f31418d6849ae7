package link

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
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

func TestHTTPRedirects_trap38(t *testing.T) {
	other := peer.NewHTTP(t)
	other.On("POST", peer.Result(`{}`))
	for _, tc := range []struct {
		code    int
		where   func(s *peer.HTTPServer) string
		follows bool
	}{
		{307, func(*peer.HTTPServer) string { return "/moved?x=1" }, true},
		{308, func(s *peer.HTTPServer) string { return strings.TrimSuffix(s.URL, "/mcp") + "/moved?x=1" }, true},
		{301, func(*peer.HTTPServer) string { return "/moved" }, false},
		{302, func(*peer.HTTPServer) string { return "/moved" }, false},
		{303, func(*peer.HTTPServer) string { return "/moved" }, false},
		{307, func(*peer.HTTPServer) string { return other.URL }, false},
	} {
		t.Run(fmt.Sprint(tc.code, tc.follows), func(t *testing.T) {
			s := peer.NewHTTP(t)
			s.On("POST", func(r peer.Request) peer.Exchange {
				if strings.HasPrefix(r.Path, "/moved") {
					return peer.Result(`{}`)(r)
				}
				return peer.Status(tc.code, "text/plain", "moved", "Location: "+tc.where(s))(r)
			})
			w := newWitness()
			l := dial(t, HTTPTarget{URL: s.URL, Bearer: "tok"}, w)
			if err := l.Send(ctxFor(t), call(1, "x"), SendOptions{}); err != nil {
				t.Fatal(err)
			}
			e := w.endOf(t, 1)
			reqs := s.Requests()
			if !tc.follows {
				if len(reqs) != 1 || e.Answer.Status != tc.code || e.Answer.Location == "" || e.Err == nil || rules(e.Problems) != "http.redirect" {
					t.Errorf("%d requests, ended %+v", len(reqs), e)
				}
				return
			}
			if len(reqs) != 2 || reqs[1].Method != "POST" || string(reqs[1].Body) != string(call(1, "x")) || reqs[1].Path != "/moved?x=1" || reqs[1].Header.Get("Authorization") != "Bearer tok" {
				t.Errorf("requests %+v", reqs)
			}
			if e.Err != nil {
				t.Error(e.Err)
			}
			heads := w.heads("post-1")
			if len(heads) != 6 || heads[1].Status != tc.code || heads[2].Body != "moved" || !strings.HasSuffix(heads[3].URL, "/moved?x=1") {
				t.Errorf("heads %+v", heads)
			}
		})
	}
	if n := len(other.Requests()); n != 0 {
		t.Errorf("%d requests reached another origin", n)
	}
	t.Run("endless", func(t *testing.T) {
		s := peer.NewHTTP(t)
		s.On("POST", peer.Status(307, "", "", "Location: /mcp"))
		w := newWitness()
		l := dial(t, HTTPTarget{URL: s.URL}, w)
		if err := l.Send(ctxFor(t), call(1, "x"), SendOptions{}); err != nil {
			t.Fatal(err)
		}
		if e := w.endOf(t, 1); rules(e.Problems) != "http.redirect" || len(s.Requests()) != maxRedirects+1 {
			t.Errorf("%d requests, %+v", len(s.Requests()), e)
		}
	})
}

func TestHTTPCustomCA(t *testing.T) {
	s := peer.NewHTTPS(t)
	s.ServeMCP()
	w := newWitness()
	l := dial(t, HTTPTarget{URL: s.URL, CAFile: s.CAFile()}, w)
	if err := l.Send(ctxFor(t), request(1, "ping", "{}"), SendOptions{}); err != nil {
		t.Fatal(err)
	}
	w.answerTo(t, 1)
	plain := newWitness()
	l2 := dial(t, HTTPTarget{URL: s.URL}, plain)
	err := l2.Send(ctxFor(t), request(1, "ping", "{}"), SendOptions{})
	var te *TransportError
	if !errors.As(err, &te) || te.Kind != FailTLS || !strings.Contains(te.Text, "not trusted") {
		t.Errorf("err %v", err)
	}
	if _, err := DialHTTP(HTTPTarget{URL: s.URL, CAFile: "/no/such/file"}, plain, plain); err == nil {
		t.Error("a missing CA file was taken")
	}
}

func TestHTTPProxyFromEnvironment_case43(t *testing.T) {
	proxy := peer.NewHTTP(t)
	proxy.On("POST", peer.Result(`{}`))
	t.Setenv("HTTP_PROXY", "http://user:pass@"+strings.TrimPrefix(strings.TrimSuffix(proxy.URL, "/mcp"), "http://"))
	t.Setenv("NO_PROXY", "direct.example")
	w := newWitness()
	l := dial(t, HTTPTarget{URL: "http://server.example/mcp"}, w)
	if err := l.Send(ctxFor(t), request(1, "ping", "{}"), SendOptions{}); err != nil {
		t.Fatal(err)
	}
	w.answerTo(t, 1)
	if r := proxy.Requests(); len(r) != 1 || r[0].Header.Get("Host") != "server.example" || r[0].Header.Get("Proxy-Authorization") == "" {
		t.Errorf("the proxy saw %+v", r)
	}
	if notes := strings.Join(w.notes(), "|"); !strings.Contains(notes, "through the proxy") || strings.Contains(notes, "pass@") {
		t.Errorf("notes %q", notes)
	}
}

func TestHTTPTransportFailuresAreExplained(t *testing.T) {
	dead, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = dead.Close()
	plain := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(plain.Close)
	bad := peer.NewHTTP(t)
	for name, answer := range map[string]peer.Responder{
		"garbage": peer.RawAnswer("SSH-2.0-OpenSSH_9.2\r\n"), "closed": peer.Pieces(), "reset": peer.Pieces(peer.Piece{Reset: true}),
	} {
		bad.On("POST "+name, answer)
	}
	for _, tc := range []struct {
		name, url, method string
		kind              TransportKind
		says              string
	}{
		{"dns", "http://no-such-host.invalid/mcp", "x", FailDNS, "no-such-host.invalid could not be resolved"},
		{"refused", "http://" + dead.Addr().String() + "/mcp", "x", FailRefused, "nothing listens at " + dead.Addr().String()},
		{"plain http", strings.Replace(plain.URL, "http:", "https:", 1), "x", FailTLS, "plain HTTP"},
		{"garbage", bad.URL, "garbage", FailHTTP, "breaks HTTP"},
		{"closed", bad.URL, "closed", FailClosed, "closed the connection"},
		{"reset", bad.URL, "reset", FailReset, "reset the connection"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newWitness()
			l := dial(t, HTTPTarget{URL: tc.url + "?token=hidden"}, w)
			err := l.Send(ctxFor(t), request(1, tc.method, "{}"), SendOptions{})
			var te *TransportError
			if !errors.As(err, &te) || te.Kind != tc.kind || !strings.Contains(te.Text, tc.says) || strings.Contains(te.Text, "hidden") {
				t.Fatalf("err %v", err)
			}
			e := w.endOf(t, 1)
			if !errors.As(e.Err, &te) || e.Answer != nil {
				t.Errorf("ended %+v", e)
			}
			heads := w.heads("post-1")
			if len(heads) != 2 || !heads[1].Done || heads[1].Error != te.Text {
				t.Errorf("heads %+v", heads)
			}
			if tc.name == "garbage" && !strings.Contains(strings.Join(w.notes(), "|"), "OpenSSH") {
				t.Errorf("the bytes are not in the log: %q", w.notes())
			}
		})
	}
}

func TestHTTPTargetErrors(t *testing.T) {
	w := newWitness()
	for _, u := range []string{"", "ftp://x/", "http://", "://", "mailto:x"} {
		if l, err := DialHTTP(HTTPTarget{URL: u}, w, w); err == nil || l != nil {
			t.Errorf("%q was taken", u)
		}
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

func TestHTTPBodies(t *testing.T) {
	const size = 20 << 20
	big := strings.Repeat("b", size)
	s := peer.NewHTTP(t)
	s.On("POST tools/call big", peer.Result(`"`+big+`"`))
	s.On("POST tools/call over", peer.Status(200, "application/json", `"`+strings.Repeat("o", 3<<20)+`"`))
	s.On("POST tools/call cut", peer.RawAnswer(peer.Head(200, "application/json", "Content-Length: 1000")+`{"jsonrpc":"2.0","id":{{id}},`))
	s.On("POST tools/call short", peer.RawAnswer(peer.Head(200, "application/json", "Content-Length: 1000")+`{"jsonrpc":"2.0","id":{{id}},"result":{}}`))
	w := newWitness()
	l := dial(t, HTTPTarget{URL: s.URL}, w)
	send := func(l *HTTPLink, id uint64, name string) {
		t.Helper()
		if err := l.Send(ctxFor(t), call(id, name), SendOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	send(l, 1, "big")
	if in := w.answerTo(t, 1); len(in.Raw) < size || in.Cut {
		t.Errorf("%d bytes", len(in.Raw))
	}
	if e := w.endOf(t, 1); e.Err != nil {
		t.Error(e.Err)
	}

	send(l, 2, "cut")
	e := w.endOf(t, 2)
	var te *TransportError
	if !errors.As(e.Err, &te) || te.Kind != FailClosed {
		t.Errorf("err %v", e.Err)
	}
	if in := w.in()[len(w.in())-1]; !strings.HasPrefix(string(in.Raw), `{"jsonrpc":"2.0","id":2,`) || rules(in.Problems) != "http.body-cut" {
		t.Errorf("in %s %v", in.Raw, in.Problems)
	}

	send(l, 3, "short") // all of the message came: that counts
	if in := w.answerTo(t, 3); rules(in.Problems) != "http.body-cut" {
		t.Errorf("problems %v", in.Problems)
	}
	if e := w.endOf(t, 3); e.Err != nil {
		t.Errorf("err %v", e.Err)
	}

	small := newWitness()
	l2 := dial(t, HTTPTarget{URL: s.URL, MaxBody: 2 << 20}, small)
	send(l2, 4, "over")
	e = small.endOf(t, 4)
	in := small.in()[0]
	if !in.Cut || len(in.Raw) != cutRaw || rules(in.Problems) != "http.body-size" || !errors.Is(e.Err, ErrNoAnswer) {
		t.Errorf("cut %v, %d bytes, %v, %v", in.Cut, len(in.Raw), in.Problems, e.Err)
	}
	var kept int
	for _, ev := range small.log() {
		if ev.Kind == recorder.KindBad {
			kept += len(ev.Data)
			if len(ev.Data) > longPiece {
				t.Errorf("event of %d bytes", len(ev.Data))
			}
		}
	}
	if kept != 2<<20+1 {
		t.Errorf("%d bytes kept", kept)
	}
}
