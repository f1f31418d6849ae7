package link

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"mcploupe/protocol"
	peer "mcploupe/session/sessiontest"
)

// oldServer is a server of 2024-11-05: what it gets at /messages it answers on
// the stream, as answer says.
func oldServer(t testing.TB, endpoint string, answers ...peer.Piece) *peer.HTTPServer {
	s := peer.NewHTTP(t)
	s.On("GET", peer.Stream(append([]peer.Piece{{Bytes: "event: endpoint\ndata: " + endpoint + "\n\n"}}, answers...)...))
	s.On("POST", peer.Status(202, "text/plain", "Accepted"))
	return s
}

func dialSSE(t testing.TB, target HTTPTarget, w *witness) *SSELink {
	t.Helper()
	l, err := DialSSE(ctxFor(t), target, w, w)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l.(*SSELink)
}

func TestSSEExchange_SSE01_SSE02_SSE03_SSE05(t *testing.T) {
	posted := make(chan struct{})
	s := oldServer(t, "/messages/?session_id=a%2Fb&x=1", peer.Piece{Wait: posted, Bytes: strings.Replace("event: message\n"+answerEvent, "{{id}}", "1", 1)}, peer.Piece{Hang: true})
	s.On("POST", func(r peer.Request) peer.Exchange {
		close(posted)
		return peer.Status(202, "text/plain", "Accepted")(r)
	})
	w := newWitness()
	l := dialSSE(t, HTTPTarget{URL: s.URL, Bearer: "tok"}, w)
	if want := strings.TrimSuffix(s.URL, "/mcp") + "/messages/?session_id=a%2Fb&x=1"; l.Endpoint() != want || l.Name() != "sse" {
		t.Errorf("endpoint %q, want %q", l.Endpoint(), want)
	}
	if err := l.Send(ctxFor(t), call(1, "x"), SendOptions{Revision: revision(t, "2024-11-05")}); err != nil {
		t.Fatal(err)
	}
	if in := w.answerTo(t, 1); in.Channel != "sse-1" || !in.For.IsZero() || in.Status != 200 {
		t.Errorf("in %+v", in)
	}
	if e := w.endOf(t, 1); e.Err != nil || e.Answer.Body != "Accepted" || len(e.Problems) != 0 {
		t.Errorf("ended %+v", e)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	reqs := s.Requests()
	if len(reqs) != 2 || reqs[1].Path != "/messages/?session_id=a%2Fb&x=1" || string(reqs[1].Body) != string(call(1, "x")) {
		t.Errorf("requests %+v", reqs)
	}
	for _, q := range reqs {
		if q.Header.Get("Authorization") != "Bearer tok" {
			t.Errorf("%s with %v", q.Method, q.Header)
		}
	}
	if len(w.down()) != 0 {
		t.Errorf("downs %+v", w.down())
	}
	var endpoint bool
	for _, f := range sse(w) {
		endpoint = endpoint || f.Event == "endpoint"
	}
	if !endpoint {
		t.Error("the endpoint event is not in the log")
	}
}

func TestSSEEndpointForms_SSE04_trap52(t *testing.T) {
	for _, tc := range []struct {
		name, data, path, says string
	}{
		{"relative", "messages?x=1", "/messages?x=1", ""},
		{"with query only", "?s=1", "/mcp?s=1", ""},
		{"JSON string", `"/m"`, "/m", ""},
		{"absolute", "{{origin}}/m", "/m", ""},
		{"another host", "http://elsewhere.example/m", "", "another origin (http://elsewhere.example/m)"},
		{"another port", "http://127.0.0.1:1/m", "", "another origin"},
		{"another scheme", "//127.0.0.1:1/m", "", "another origin"},
		{"JSON object", `{"uri":"/m"}`, "", "does not hold a URI"},
		{"not a URI", "http://[::1", "", "does not hold a URI"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := peer.NewHTTP(t)
			origin := strings.TrimSuffix(s.URL, "/mcp")
			s.On("GET", peer.Stream(peer.Piece{Bytes: "event: endpoint\ndata: " + strings.Replace(tc.data, "{{origin}}", origin, 1) + "\n\n"}, peer.Piece{Hang: true}))
			w := newWitness()
			l, err := DialSSE(ctxFor(t), HTTPTarget{URL: s.URL}, w, w)
			if err == nil {
				defer func() { _ = l.Close() }()
			}
			switch {
			case tc.says != "":
				if err == nil || !strings.Contains(err.Error(), tc.says) {
					t.Errorf("err %v", err)
				}
			case err != nil:
				t.Error(err)
			case l.(*SSELink).Endpoint() != origin+tc.path:
				t.Errorf("endpoint %q", l.(*SSELink).Endpoint())
			}
		})
	}
}

func TestSSERefusals(t *testing.T) {
	for _, tc := range []struct {
		name   string
		answer peer.Responder
		status int
		says   string
	}{
		{"404", peer.Status(404, "text/plain", "nothing here"), 404, "404 Not Found"},
		{"HTML", peer.Status(200, "text/html", "<html>"), 200, "named no endpoint"},
		{"JSON", peer.JSON(`{}`), 200, "named no endpoint"},
		{"a stream without an endpoint", peer.Events("data: {}\n\n"), 200, "named no endpoint"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := peer.NewHTTP(t)
			s.On("GET", tc.answer)
			w := newWitness()
			l, err := DialSSE(ctxFor(t), HTTPTarget{URL: s.URL}, w, w)
			var refused *AnswerError
			if l != nil || !errors.As(err, &refused) || refused.Answer.Status != tc.status || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("link %v, err %v", l, err)
			}
			if len(w.down()) != 0 {
				t.Errorf("downs %+v", w.down())
			}
		})
	}
	t.Run("silent", func(t *testing.T) {
		s := peer.NewHTTP(t)
		s.On("GET", peer.Stream(peer.Piece{Hang: true}))
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		defer cancel()
		w := newWitness()
		if l, err := DialSSE(ctx, HTTPTarget{URL: s.URL}, w, w); l != nil || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("link %v, err %v", l, err)
		}
	})
}

func TestSSEStreamLost_SSE06(t *testing.T) {
	for name, end := range map[string]peer.Piece{"closed": {}, "reset": {Reset: true}} {
		t.Run(name, func(t *testing.T) {
			over := make(chan struct{})
			end.Wait = over
			s := oldServer(t, "/m", end)
			w := newWitness()
			l := dialSSE(t, HTTPTarget{URL: s.URL}, w)
			close(over)
			w.await(t, "Down", func() bool { return len(w.downs) == 1 })
			if w.down()[0].Err == nil || w.down()[0].Exit != nil {
				t.Errorf("down %+v", w.down()[0])
			}
			if err := l.Send(ctxFor(t), call(1, "x"), SendOptions{}); !errors.Is(err, ErrClosed) {
				t.Errorf("Send: %v", err)
			}
		})
	}
}

// An answer in the POST and on the stream: both are handed on, the pairing is
// the session's (trap 53). A refused POST ends its request.
func TestSSEAnswerInThePost_LSSE04(t *testing.T) {
	posted := make(chan struct{})
	s := oldServer(t, "/m", peer.Piece{Wait: posted, Bytes: strings.Replace(answerEvent, "{{id}}", "1", 1)}, peer.Piece{Hang: true})
	s.On("POST tools/call twice", func(r peer.Request) peer.Exchange {
		close(posted)
		return peer.Result(`{}`)(r)
	})
	s.On("POST tools/call refused", peer.Status(400, "text/plain", "Invalid session"))
	w := newWitness()
	l := dialSSE(t, HTTPTarget{URL: s.URL}, w)
	if err := l.Send(ctxFor(t), call(1, "twice"), SendOptions{}); err != nil {
		t.Fatal(err)
	}
	w.await(t, "two answers", func() bool { return len(w.ins) == 2 })
	var found []protocol.Problem
	for _, in := range w.in() {
		found = append(found, in.Problems...)
	}
	if e := w.endOf(t, 1); e.Err != nil || rules(append(found, e.Problems...)) != "L-SSE-04" {
		t.Errorf("ended %+v, found %v", e, found)
	}
	if err := l.Send(ctxFor(t), call(2, "refused"), SendOptions{}); err != nil {
		t.Fatal(err)
	}
	var refused *AnswerError
	if e := w.endOf(t, 2); !errors.As(e.Err, &refused) || refused.Answer.Body != "Invalid session" {
		t.Errorf("ended %+v", e)
	}
}
