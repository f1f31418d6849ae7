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

const answerEvent = "data: {\"jsonrpc\":\"2.0\",\"id\":{{id}},\"result\":{}}\n\n"

// impatient waits for milliseconds where the link would wait for seconds.
func impatient(l *HTTPLink) *HTTPLink {
	l.waits = waits{backoffFirst: time.Millisecond, backoffMax: 4 * time.Millisecond, linger: 20 * time.Millisecond}
	return l
}

func sse(w *witness) []*recorder.SSEFields {
	var out []*recorder.SSEFields
	for _, e := range w.log() {
		if f, ok := e.Fields.(*recorder.SSEFields); ok {
			out = append(out, f)
		}
	}
	return out
}

func isGet(r peer.Request) bool { return r.Method == "GET" }

func TestHTTPEventStreamAnswer_HTTP04_HTTP11_HTTP12(t *testing.T) {
	s := peer.NewHTTP(t)
	text := ": hello\n\nevent: message\r\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\r\ndata: \"params\":{}}\r\n\r\n" +
		"id: 7\nretry: 1500\ndata:\n\n" + answerEvent
	var pieces []peer.Piece
	for _, c := range []byte(strings.Replace(text, "{{id}}", "1", 1)) {
		pieces = append(pieces, peer.Piece{Bytes: string(c)}) // any byte may begin a chunk
	}
	s.On("POST", peer.Stream(pieces...))
	w := newWitness()
	l := dial(t, HTTPTarget{URL: s.URL}, w)
	if err := l.Send(ctxFor(t), modern(1, "x"), SendOptions{Revision: revision(t, "2026-07-28")}); err != nil {
		t.Fatal(err)
	}
	e := w.endOf(t, 1)
	if e.Err != nil || len(e.Problems) != 0 {
		t.Errorf("ended %+v", e)
	}
	if len(w.in()) != 2 || protocol.Parse(w.in()[0].Raw).Method != "notifications/progress" || w.in()[1].For != protocol.IntID(1) {
		t.Errorf("in %+v", w.in())
	}
	var got []string
	for _, f := range sse(w) {
		got = append(got, fmt.Sprintf("%s|%s|%v|%s|%s|%d", f.Event, f.ID, f.HasID, f.RetryMS, strings.TrimSpace(f.Comment), f.Bytes))
	}
	want := []string{"||false||hello|0", "message||false|||64", "|7|true|1500||0"}
	if strings.Join(got, ",") != strings.Join(want, ",") {
		t.Errorf("sse events %q", got)
	}
	if h := w.heads("post-1"); h[len(h)-1].Bytes != int64(len(text)-len("{{id}}")+1) {
		t.Errorf("end %+v", h[len(h)-1])
	}
}

// A modern stream that breaks is lost: no GET, no Last-Event-ID (HTTP-22,
// HTTP-23).
func TestHTTPModernStreamsAreNotResumed_HTTP22_HTTP23(t *testing.T) {
	s := peer.NewHTTP(t)
	s.On("POST", peer.Events("id: 1\nretry: 1\ndata:\n\n"))
	w := newWitness()
	l := impatient(dial(t, HTTPTarget{URL: s.URL}, w))
	if err := l.Send(ctxFor(t), modern(1, "x"), SendOptions{Revision: revision(t, "2026-07-28")}); err != nil {
		t.Fatal(err)
	}
	if e := w.endOf(t, 1); !errors.Is(e.Err, ErrNoAnswer) || rules(e.Problems) != "L-HTTP-19" {
		t.Errorf("ended %+v", e)
	}
	if n := len(s.Requests()); n != 1 {
		t.Errorf("%d requests", n)
	}
}

func TestHTTPResumption_HTTP46toHTTP51_case44(t *testing.T) {
	s := peer.NewHTTP(t)
	s.ServeMCP()
	s.On("POST tools/call", peer.Events("id: 7\nretry: 20\ndata:\n\n", "id: 8\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}\n\n"))
	s.On("GET", peer.InTurn(
		peer.Events("id: 9\ndata:\n\n"), // polled too early
		peer.Events("id: 10\n", strings.Replace(answerEvent, "{{id}}", "1", 1)),
	))
	w := newWitness()
	r := revision(t, "2025-11-25")
	l := dial(t, HTTPTarget{URL: s.URL}, w)
	connect(t, l, w, r)
	began := time.Now()
	if err := l.Send(ctxFor(t), call(1, "x"), SendOptions{Revision: r}); err != nil {
		t.Fatal(err)
	}
	e := w.endOf(t, 1)
	if e.Err != nil || e.Channel != "post-3" {
		t.Errorf("ended %+v", e)
	}
	if took := time.Since(began); took < 40*time.Millisecond {
		t.Errorf("retry was not waited for: %v", took)
	}
	if in := w.answerTo(t, 1); in.For != protocol.IntID(1) || in.Channel != "get-2" {
		t.Errorf("in %+v", in)
	}
	gets := s.Await(ctxFor(t), 2, isGet)
	if len(gets) != 2 || gets[0].Header.Get("Last-Event-Id") != "8" || gets[1].Header.Get("Last-Event-Id") != "9" {
		t.Fatalf("gets %+v", gets)
	}
	for _, g := range gets {
		if g.Header.Get("Accept") != "text/event-stream" || g.Header.Get("Mcp-Session-Id") != "session-1" || g.Header.Get("Mcp-Protocol-Version") != "2025-11-25" {
			t.Errorf("get with %v", g.Header)
		}
	}
	if st := w.states("resumed"); len(st) != 2 || !strings.Contains(st[0].Detail, "request 1 after event 8") {
		t.Errorf("states %+v", st)
	}
}

// An answer with a careless id is no reason to resume the stream.
func TestHTTPNoResumptionAfterALooseAnswer(t *testing.T) {
	for _, id := range []string{`"1"`, `1.0`, `"\u0031"`} {
		s := peer.NewHTTP(t)
		s.On("POST", peer.Events("id: 5\nretry: 1\ndata: {\"jsonrpc\":\"2.0\",\"id\":"+id+",\"result\":{}}\n\n"))
		w := newWitness()
		l := impatient(dial(t, HTTPTarget{URL: s.URL}, w))
		if err := l.Send(ctxFor(t), call(1, "x"), SendOptions{Revision: revision(t, "2025-11-25")}); err != nil {
			t.Fatal(err)
		}
		if e := w.endOf(t, 1); e.Err != nil || len(s.Requests()) != 1 {
			t.Errorf("%s: %v, %d requests", id, e.Err, len(s.Requests()))
		}
	}
}

func TestHTTPResumptionEnds_HTTP58(t *testing.T) {
	for _, tc := range []struct {
		name   string
		first  peer.Responder
		get    peer.Responder
		gets   int
		isLost bool
		says   string
	}{
		{"no ids", peer.Events("data: {\"jsonrpc\":\"2.0\",\"method\":\"x\"}\n\n"), nil, 0, false, "ended before"},
		{"an empty id takes it back", peer.Events("id: 1\ndata:\n\nid:\ndata:\n\n"), nil, 0, false, "ended before"},
		{"broken within", peer.Stream(peer.Piece{Bytes: "data: {\"json"}, peer.Piece{Reset: true}), nil, 0, false, "reset"},
		{"405", peer.Events("id: 1\nretry: 1\ndata:\n\n"), peer.Status(405, "", ""), 1, false, "cannot be resumed: 405"},
		{"session lost", peer.Events("id: 1\nretry: 1\ndata:\n\n"), peer.Status(404, "", ""), 1, true, ""},
		{"never anything", peer.Events("id: 1\nretry: 1\ndata:\n\n"), peer.Events(""), maxFruitless, false, "brought nothing"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := peer.NewHTTP(t)
			s.ServeMCP()
			s.On("POST tools/call", tc.first)
			if tc.get != nil {
				s.On("GET", tc.get)
			}
			w := newWitness()
			r := revision(t, "2025-11-25")
			l := impatient(dial(t, HTTPTarget{URL: s.URL}, w))
			connect(t, l, w, r)
			if err := l.Send(ctxFor(t), call(1, "x"), SendOptions{Revision: r}); err != nil {
				t.Fatal(err)
			}
			e := w.endOf(t, 1)
			if e.Err == nil || !strings.Contains(e.Err.Error(), tc.says) || errors.Is(e.Err, ErrSessionLost) != tc.isLost {
				t.Errorf("err %v", e.Err)
			}
			n := 0
			for _, q := range s.Requests() {
				if isGet(q) {
					n++
				}
			}
			if n != tc.gets {
				t.Errorf("%d GETs", n)
			}
		})
	}
}

// The answer may come on another stream while this one waits (HTTP-51, trap
// 48).
func TestHTTPAnswerOnTheStandaloneStream_HTTP44_HTTP51(t *testing.T) {
	s := peer.NewHTTP(t)
	s.ServeMCP()
	s.On("POST tools/call", peer.Events("id: 1\nretry: 3600000\ndata:\n\n"))
	release := make(chan struct{})
	s.On("GET", peer.Stream(
		peer.Piece{Bytes: "data: {\"jsonrpc\":\"2.0\",\"id\":\"p\",\"method\":\"ping\"}\n\n"},
		peer.Piece{Wait: release, Bytes: strings.Replace(answerEvent, "{{id}}", "1", 1)}, peer.Piece{Hang: true}))
	w := newWitness()
	r := revision(t, "2025-11-25")
	l := dial(t, HTTPTarget{URL: s.URL}, w)
	connect(t, l, w, r)
	<-l.StreamAnswered() // there is none yet
	l.OpenStream(r)
	l.OpenStream(r)
	<-l.StreamAnswered()
	s.Await(ctxFor(t), 1, isGet)
	w.await(t, "the ping", func() bool {
		for _, in := range w.ins {
			if in.Channel == "get-1" && in.For.IsZero() {
				return true
			}
		}
		return false
	})
	if err := l.Send(ctxFor(t), call(1, "x"), SendOptions{Revision: r}); err != nil {
		t.Fatal(err)
	}
	w.await(t, "the end of the POST", func() bool { return len(w.headsLocked("post-3")) == 3 })
	close(release)
	if e := w.endOf(t, 1); e.Err != nil {
		t.Errorf("err %v", e.Err)
	}
	if in := w.answerTo(t, 1); in.Channel != "get-1" {
		t.Errorf("in %+v", in)
	}
	if n := len(s.Await(ctxFor(t), 1, isGet)); n != 1 {
		t.Errorf("%d GETs", n)
	}
}

func TestHTTPStandaloneStream_HTTP40_HTTP42_case26(t *testing.T) {
	for _, tc := range []struct {
		name  string
		get   peer.Responder
		gets  int
		isErr string
		rules string
	}{
		{"405 is fine", peer.Status(405, "text/plain", "no"), 1, "", ""},
		{"404 is fine without a session", peer.Status(404, "text/plain", "no"), 1, "", ""},
		{"400 is one row", peer.Status(400, "text/plain", "No sessionId"), 1, "400", "L-SES-06"},
		{"409 is one row", peer.Status(409, "application/json", `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"one stream only"}}`), 1, "409", "L-SES-06"},
		{"401", peer.Status(401, "", ""), 1, "401", "L-SES-06"},
		{"JSON", peer.JSON(`{"ok":true}`), 1, "no event stream", "L-SES-06"},
		{"HTML", peer.Status(200, "text/html", "<html>"), 1, "no event stream", "L-HTTP-01 L-SES-06"},
		{"503 for ever", peer.Status(503, "", ""), maxFruitless, "503", ""},
		{"reset for ever", peer.Pieces(peer.Piece{Reset: true}), maxFruitless, "reset", "http.broken"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := peer.NewHTTP(t)
			s.On("GET", tc.get)
			w := newWitness()
			l := impatient(dial(t, HTTPTarget{URL: s.URL}, w))
			l.OpenStream(revision(t, "2025-06-18"))
			w.await(t, "the end of the stream", func() bool { return len(w.ended) == 1 })
			e := w.ends()[0]
			if tc.isErr == "" && e.Err != nil || tc.isErr != "" && (e.Err == nil || !strings.Contains(e.Err.Error(), tc.isErr)) {
				t.Errorf("err %v", e.Err)
			}
			var in []protocol.Problem
			for _, i := range w.in() {
				in = append(in, i.Problems...)
			}
			if got := rules(append(in, e.Problems...)); got != tc.rules {
				t.Errorf("rules %q", got)
			}
			if n := len(s.Requests()); n != tc.gets {
				t.Errorf("%d GETs", n)
			}
		})
	}
}

func TestHTTPStandaloneStreamReconnects_appendixC6(t *testing.T) {
	s := peer.NewHTTP(t)
	s.ServeMCP()
	s.On("GET", peer.InTurn(
		peer.Events("id: a\nretry: 1\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"one\"}\n\n"),
		peer.Status(503, "", ""),
		peer.Pieces(peer.Piece{Reset: true}),
		peer.Events("id: b\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"two\"}\n\n"),
		peer.Events(""),
		peer.Stream(peer.Piece{Bytes: "data: {\"jsonrpc\":\"2.0\",\"method\":\"three\"}\n\n"}, peer.Piece{Hang: true}),
	))
	w := newWitness()
	r := revision(t, "2025-11-25")
	l := impatient(dial(t, HTTPTarget{URL: s.URL}, w))
	connect(t, l, w, r)
	l.OpenStream(r)
	w.await(t, "three", func() bool {
		n := len(w.ins)
		return n > 0 && protocol.Parse(w.ins[n-1].Raw).Method == "three"
	})
	var last []string
	for _, q := range s.Requests() {
		if isGet(q) {
			last = append(last, q.Header.Get("Last-Event-Id"))
		}
	}
	if strings.Join(last, ",") != ",a,a,a,b,b" {
		t.Errorf("Last-Event-ID %q", last)
	}
	l.ResetSession()
	w.await(t, "the end of the stream", func() bool {
		e := w.ended[len(w.ended)-1]
		return e.Channel == "get-6" && e.Err == nil
	})
	l.OpenStream(r) // a new one may be opened now
	s.Await(ctxFor(t), 7, isGet)
}

func TestHTTPStandaloneStreamSessionLost_HTTP54(t *testing.T) {
	s := peer.NewHTTP(t)
	s.ServeMCP()
	s.On("GET", peer.Status(404, "", ""))
	w := newWitness()
	r := revision(t, "2025-11-25")
	l := dial(t, HTTPTarget{URL: s.URL}, w)
	connect(t, l, w, r)
	l.OpenStream(r)
	w.await(t, "the end of the stream", func() bool { return w.ended[len(w.ended)-1].Channel == "get-1" })
	if e := w.ends()[len(w.ends())-1]; !errors.Is(e.Err, ErrSessionLost) {
		t.Errorf("err %v", e.Err)
	}
}

func TestHTTPStreamOpenAfterTheAnswer_LHTTP14(t *testing.T) {
	s := peer.NewHTTP(t)
	s.On("POST", peer.Stream(peer.Piece{Bytes: answerEvent}, peer.Piece{Hang: true}))
	w := newWitness()
	l := impatient(dial(t, HTTPTarget{URL: s.URL}, w))
	if err := l.Send(ctxFor(t), modern(1, "x"), SendOptions{Revision: revision(t, "2026-07-28")}); err != nil {
		t.Fatal(err)
	}
	if e := w.endOf(t, 1); e.Err != nil || rules(e.Problems) != "L-HTTP-14" {
		t.Errorf("ended %+v", e)
	}
}

// Whoever sent a notification need not wait for the end of its exchange.
func TestHTTPNotificationOutlivesItsSender(t *testing.T) {
	release := make(chan struct{})
	s := peer.NewHTTP(t)
	s.On("POST", peer.Pieces(peer.Piece{Bytes: peer.Head(202, "", "Content-Length: 2")}, peer.Piece{Wait: release, Bytes: "ok"}))
	w := newWitness()
	l := dial(t, HTTPTarget{URL: s.URL}, w)
	ctx, cancel := context.WithCancel(ctxFor(t))
	if err := l.Send(ctx, protocol.NewNotification("notifications/initialized", nil), SendOptions{}); err != nil {
		t.Fatal(err)
	}
	cancel()
	close(release)
	w.await(t, "the end", func() bool { return len(w.ended) == 1 })
	if e := w.ends()[0]; e.Err != nil || e.Answer.Body != "ok" || rules(e.Problems) != "L-HTTP-02" {
		t.Errorf("ended %+v", e)
	}
	// One that never ends is ended after a while.
	s.On("POST", peer.Pieces(peer.Piece{Bytes: peer.Head(202, "", "Content-Length: 2")}, peer.Piece{Hang: true}))
	impatient(l)
	if err := l.Send(ctxFor(t), protocol.NewNotification("notifications/initialized", nil), SendOptions{}); err != nil {
		t.Fatal(err)
	}
	w.await(t, "the end", func() bool { return len(w.ended) == 2 })
	if e := w.ends()[1]; e.Err != nil || !strings.Contains(rules(e.Problems), "L-HTTP-14") {
		t.Errorf("ended %+v", e)
	}
}

func TestHTTPBatches_HTTP57(t *testing.T) {
	s := peer.NewHTTP(t)
	s.On("POST", peer.JSON(`[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":2,"result":{}}]`))
	w := newWitness()
	l := dial(t, HTTPTarget{URL: s.URL}, w)
	raw := []byte("[" + string(request(1, "ping", "{}")) + "," + string(request(2, "ping", "{}")) + "]")
	if err := l.Send(ctxFor(t), raw, SendOptions{Revision: revision(t, "2025-03-26")}); err != nil {
		t.Fatal(err)
	}
	w.await(t, "the end", func() bool { return len(w.ended) == 1 })
	if e := w.ends()[0]; e.Err != nil || !e.For.IsZero() || len(w.in()) != 1 {
		t.Errorf("ended %+v, in %+v", e, w.in())
	}
}

func TestHTTPBurstOnAStream(t *testing.T) {
	const n = 100_000
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"n\":%d}}\n\n", i)
	}
	s := peer.NewHTTP(t)
	s.On("POST", peer.Events(b.String(), answerEvent))
	w := newWitness()
	l := dial(t, HTTPTarget{URL: s.URL}, w)
	began := time.Now()
	if err := l.Send(ctxFor(t), call(1, "x"), SendOptions{}); err != nil {
		t.Fatal(err)
	}
	if e := w.endOf(t, 1); e.Err != nil {
		t.Error(e.Err)
	}
	t.Logf("%d notifications in %v", n, time.Since(began))
	if len(w.in()) != n+1 {
		t.Errorf("%d messages", len(w.in()))
	}
	for i, in := range w.in()[:n] {
		if !strings.HasSuffix(string(in.Raw), fmt.Sprintf(":%d}}", i)) {
			t.Fatalf("message %d is %s", i, in.Raw)
		}
	}
}

func TestStreamWait_HTTP48(t *testing.T) {
	s := &stream{w: &wire{waits: defaultWaits}}
	for n, want := range map[int]time.Duration{1: time.Second, 2: 2 * time.Second, 5: 16 * time.Second, 6: 30 * time.Second, 60: 30 * time.Second} {
		if got := s.wait(n); got != want {
			t.Errorf("wait %d is %v", n, got)
		}
	}
	for retry, want := range map[string]time.Duration{"0": 0, "1500": 1500 * time.Millisecond, "99999999999999999999999": retryMax, "7200000": retryMax} {
		s.retry = retry
		if got := s.wait(3); got != want {
			t.Errorf("retry %s is %v", retry, got)
		}
	}
}
