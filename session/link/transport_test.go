package link

import (
	"context"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcploupe/recorder"
	peer "mcploupe/session/sessiontest"
)

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

func TestHTTP2(t *testing.T) {
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		rw.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(rw, strings.Replace(answerEvent, "{{id}}", "1", 1))
		_ = http.NewResponseController(rw).Flush()
		<-r.Context().Done()
	}))
	srv.EnableHTTP2 = true
	srv.StartTLS()
	t.Cleanup(srv.Close)
	ca := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: srv.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	w := newWitness()
	l := dial(t, HTTPTarget{URL: srv.URL, CAFile: ca}, w)
	ctx, cancel := context.WithCancel(ctxFor(t))
	defer cancel()
	if err := l.Send(ctx, call(1, "x"), SendOptions{}); err != nil {
		t.Fatal(err)
	}
	w.answerTo(t, 1)
	cancel()
	if e := w.endOf(t, 1); e.Err != nil {
		t.Error(e.Err)
	}
	if h := w.heads("post-1"); h[1].Proto != "HTTP/2.0" {
		t.Errorf("protocol %s", h[1].Proto)
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
