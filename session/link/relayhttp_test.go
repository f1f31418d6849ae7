package link

import (
	"bufio"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/recorder/loopback"
	peer "mcploupe/session/sessiontest"
)

// relayTo listens for a server that a test plays.
func relayTo(t *testing.T, target HTTPTarget) (*HTTPRelay, *witness) {
	t.Helper()
	w := newWitness()
	r, err := ListenRelay("127.0.0.1:0", target, w)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r, w
}

// ask sends one request as a client would, follows no redirect and unpacks
// nothing.
func ask(t *testing.T, method, to, body string, header http.Header) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(ctxFor(t), method, to, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, values := range header {
		req.Header[name] = values
	}
	if host := header.Get("Host"); host != "" {
		req.Host = host
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = res.Body.Close() })
	return res
}

func all(t *testing.T, res *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// A call goes to the server as the client sent it, with what the target adds,
// and the answer comes back with its status, headers and bytes. The recording is
// that of a link, credentials masked.
func TestRelayHTTPHandsOnAndRecords(t *testing.T) {
	const body = `{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/call","params":{"name":"x","arguments":{"n":1.0}}}`
	const answer = "{\"jsonrpc\":\"2.0\",\n \"id\":9007199254740993,\"result\":{\"content\":[]}}\n"
	s := peer.NewHTTP(t)
	s.On("POST", peer.JSON(answer, "Mcp-Session-Id: abcdefgh12345678", "X-Own: kept"))
	r, w := relayTo(t, HTTPTarget{URL: s.URL + "?a=b", Headers: []protocol.HeaderField{{Name: "X-Added", Value: "by the target"}}})
	if want := "/mcp?a=b"; !strings.HasSuffix(r.URL(), want) {
		t.Errorf("URL %s", r.URL())
	}
	res := ask(t, "POST", r.URL(), body, http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer s3cr3t-token-value"},
		"Mcp-Method": {"tools/call"}, "Connection": {"x-hop"}, "X-Hop": {"1"}, "Accept-Encoding": {"gzip"}, "User-Agent": {"the client/1"}, "X-Added": {"by the client"}})
	if got := all(t, res); got != answer || res.StatusCode != 200 || res.Header.Get("Mcp-Session-Id") != "abcdefgh12345678" || res.Header.Get("X-Own") != "kept" {
		t.Errorf("the client got %d %v %q", res.StatusCode, res.Header, got)
	}
	got := s.Requests()
	if len(got) != 1 || string(got[0].Body) != body || got[0].Path != "/mcp?a=b" {
		t.Fatalf("the server got %+v", got)
	}
	for name, want := range map[string]string{"Authorization": "Bearer s3cr3t-token-value", "Mcp-Method": "tools/call", "User-Agent": "the client/1",
		"X-Added": "by the target", "X-Hop": "", "Accept-Encoding": ""} {
		if v := strings.Join(got[0].Header[name], ","); v != want {
			t.Errorf("%s: the server got %q, not %q", name, v, want)
		}
	}
	w.await(t, "the end", func() bool { h := w.headsLocked("post-1"); return len(h) > 0 && h[len(h)-1].Done })
	heads, events := w.heads("post-1"), w.log()
	if len(heads) != 3 || heads[0].Method != "POST" || heads[1].Status != 200 || heads[2].Bytes != int64(len(answer)) || heads[2].Error != "" {
		t.Errorf("heads %+v", heads)
	}
	if a := headerOf(heads[0], "Authorization"); strings.Contains(a, "s3cr3t") || a == "" {
		t.Errorf("Authorization is recorded as %q", a)
	}
	if id := headerOf(heads[1], "Mcp-Session-Id"); strings.Contains(id, "abcdefgh12345678") {
		t.Errorf("the session id is recorded as %q", id)
	}
	var said []string
	for _, e := range events {
		if e.Kind == recorder.KindMessage {
			said = append(said, string(e.Data))
		}
	}
	if len(said) != 2 || said[0] != body || said[1] != answer {
		t.Errorf("messages %q", said)
	}
}

// Events go on when they come, not when the stream ends (HTTP-12).
func TestRelayHTTPStreamsEvents(t *testing.T) {
	next := make(chan struct{})
	first, second := "id: 1\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"a\"}\n\n", ": ping\n\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n"
	s := peer.NewHTTP(t)
	s.On("POST", peer.Stream(peer.Piece{Bytes: first}, peer.Piece{Wait: next, Bytes: second}))
	r, w := relayTo(t, HTTPTarget{URL: s.URL})
	res := ask(t, "POST", r.URL(), `{"jsonrpc":"2.0","id":1,"method":"m"}`, nil)
	got := make([]byte, len(first))
	if _, err := io.ReadFull(res.Body, got); err != nil || string(got) != first {
		t.Fatalf("first %q %v", got, err)
	}
	close(next)
	if rest := all(t, res); rest != second {
		t.Errorf("then %q", rest)
	}
	w.await(t, "both messages", func() bool {
		n := 0
		for _, e := range w.events {
			if e.Kind == recorder.KindMessage && e.Dir == recorder.In {
				n++
			}
		}
		return n == 2
	})
}

// Refusals are the server's own, whatever they are.
func TestRelayHTTPHandsOnRefusals(t *testing.T) {
	s := peer.NewHTTP(t)
	s.On("POST", peer.Status(401, "text/plain", "no", `WWW-Authenticate: Bearer resource_metadata="http://else.example/x"`))
	s.On("DELETE", peer.Status(405, "", ""))
	r, w := relayTo(t, HTTPTarget{URL: s.URL})
	res := ask(t, "POST", r.URL(), `{}`, nil)
	if got := all(t, res); res.StatusCode != 401 || got != "no" || !strings.Contains(res.Header.Get("WWW-Authenticate"), "else.example") {
		t.Errorf("%d %v %q", res.StatusCode, res.Header, got)
	}
	if res := ask(t, "DELETE", r.URL(), "", nil); res.StatusCode != 405 {
		t.Errorf("DELETE %d", res.StatusCode)
	}
	elsewhere, err := url.Parse(r.URL())
	if err != nil {
		t.Fatal(err)
	}
	elsewhere.Path = "/.well-known/x%2Fy"
	if res := ask(t, "GET", elsewhere.String(), "", nil); res.StatusCode != 404 || all(t, res) != "no such page" {
		t.Errorf("another path: %d", res.StatusCode)
	}
	if got := s.Requests(); got[len(got)-1].Path != elsewhere.RequestURI() {
		t.Errorf("another path became %s", got[len(got)-1].Path)
	}
	w.await(t, "three ends", func() bool {
		return len(w.headsLocked("post-1")) == 3 && len(w.headsLocked("delete-1")) == 3 && len(w.headsLocked("get-1")) == 3
	})
}

// Addresses of the server would lead past the relay: in redirects (HTTP-08) and
// in the endpoint event of HTTP+SSE (SSE-04).
func TestRelayHTTPKeepsClientsOnTheWay(t *testing.T) {
	s := peer.NewHTTP(t)
	origin := strings.TrimSuffix(s.URL, "/mcp")
	s.On("POST", peer.Status(307, "", "", "Location: "+origin+"/other?x=1"))
	s.On("GET", peer.Events("event: endpoint\ndata: "+origin+"/messages?id=1\n\n", "data: {\"text\":\""+origin+"/stays\"}\n\n"))
	r, w := relayTo(t, HTTPTarget{URL: s.URL})
	here := strings.TrimSuffix(r.URL(), "/mcp")
	if res := ask(t, "POST", r.URL(), `{}`, nil); res.StatusCode != 307 || res.Header.Get("Location") != here+"/other?x=1" {
		t.Errorf("%d %v", res.StatusCode, res.Header)
	}
	if got, want := all(t, ask(t, "GET", r.URL(), "", nil)), "event: endpoint\ndata: "+here+"/messages?id=1\n\ndata: {\"text\":\""+origin+"/stays\"}\n\n"; got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	notes := strings.Join(w.notes(), "\n")
	if !strings.Contains(notes, "redirect was changed") || !strings.Contains(notes, "endpoint was changed") {
		t.Errorf("notes %q", notes)
	}
}

// What breaks off for the relay breaks off for the client.
func TestRelayHTTPOfAServerThatIsGone(t *testing.T) {
	s := peer.NewHTTP(t)
	s.On("POST", peer.RawAnswer("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"half\":"))
	r, w := relayTo(t, HTTPTarget{URL: s.URL})
	res := ask(t, "POST", r.URL(), `{}`, nil)
	if got, err := io.ReadAll(res.Body); err == nil {
		t.Errorf("the client took %q for whole", got)
	}
	nobody, w2 := relayTo(t, HTTPTarget{URL: "http://127.0.0.1:1/mcp"})
	res = ask(t, "POST", nobody.URL(), `{}`, nil)
	if got := all(t, res); res.StatusCode != 502 || !strings.Contains(got, "nothing listens at 127.0.0.1:1") {
		t.Errorf("%d %q", res.StatusCode, got)
	}
	for _, w := range []*witness{w, w2} {
		w.await(t, "an end with an error", func() bool {
			h := w.headsLocked("post-1")
			return len(h) > 0 && h[len(h)-1].Done && h[len(h)-1].Error != ""
		})
	}
}

// What is too long to record is handed on whole; what is too long to hold is
// refused.
func TestRelayHTTPBounds(t *testing.T) {
	long := `{"x":"` + strings.Repeat("y", 3000) + `"}`
	s := peer.NewHTTP(t)
	s.On("POST", peer.JSON(long))
	r, w := relayTo(t, HTTPTarget{URL: s.URL, MaxBody: 1000})
	if got := all(t, ask(t, "POST", r.URL(), `{}`, nil)); got != long {
		t.Errorf("%d bytes of %d", len(got), len(long))
	}
	if res := ask(t, "POST", r.URL(), long, nil); res.StatusCode != 413 {
		t.Errorf("a long request: %d", res.StatusCode)
	}
	if n := len(s.Requests()); n != 1 {
		t.Errorf("the server got %d requests", n)
	}
	w.await(t, "notes of both", func() bool {
		var notes string
		for _, e := range w.events {
			if e.Kind == recorder.KindNote {
				notes += string(e.Data)
			}
		}
		return strings.Contains(notes, "http.body-size") && strings.Contains(notes, "was not handed on")
	})
}

// The relay is for this machine alone (DNS rebinding, other origins).
func TestRelayHTTPLetsNobodyElseIn(t *testing.T) {
	if r, err := ListenRelay("0.0.0.0:0", HTTPTarget{URL: "http://127.0.0.1:1/"}, newWitness()); !errors.Is(err, loopback.ErrElsewhere) {
		t.Errorf("listens on %v: %v", r, err)
	}
	s := peer.NewHTTP(t)
	r, w := relayTo(t, HTTPTarget{URL: s.URL})
	for name, header := range map[string]http.Header{"a host": {"Host": {"evil.example"}}, "an origin": {"Origin": {"https://evil.example"}}} {
		if res := ask(t, "POST", r.URL(), `{}`, header); res.StatusCode != 403 {
			t.Errorf("%s of elsewhere: %d", name, res.StatusCode)
		}
	}
	if len(s.Requests()) != 0 || len(w.log()) != 0 {
		t.Error("it went on all the same")
	}
}

// Closing ends streams on both sides.
func TestRelayHTTPCloseEndsStreams(t *testing.T) {
	left := make(chan struct{})
	s := peer.NewHTTP(t)
	s.On("GET", peer.Stream(peer.Piece{Bytes: ": hello\n\n", Hang: true, Gone: left}))
	r, _ := relayTo(t, HTTPTarget{URL: s.URL})
	res := ask(t, "GET", r.URL(), "", nil)
	b := bufio.NewReader(res.Body)
	if line, err := b.ReadString('\n'); err != nil || line != ": hello\n" {
		t.Fatalf("%q %v", line, err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	<-left
	if _, err := io.ReadAll(b); err == nil {
		t.Error("the client takes the stream for ended in order")
	}
}
