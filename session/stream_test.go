package session

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"mcploupe/recorder"
	"mcploupe/session/link"
	"mcploupe/session/sessiontest"
)

// fakeStream is a link whose server takes its time to open the stream.
type fakeStream struct {
	fakeHTTP
	answered chan struct{}
}

func (l fakeStream) StreamAnswered() <-chan struct{} { return l.answered }

func TestTheStreamIsThereBeforeTheFirstRequest(t *testing.T) { // HTTP-40, case 110
	for _, c := range []struct {
		name        string
		after, took time.Duration // when the server answers the GET, how long negotiating takes
	}{
		{"soon", 300 * time.Millisecond, 300 * time.Millisecond},
		{"never", time.Hour, streamPatience},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &fakes{servers: []server{legacy(silent)}}
				d := f.dialers()
				answered := make(chan struct{})
				d.http = func(_ link.HTTPTarget, log recorder.Appender, h link.Handler) (link.Link, error) {
					return fakeStream{fakeHTTP{f.dial("http", log, h)}, answered}, nil
				}
				log := newLog(t)
				s, err := open(context.Background(), httpTarget, Options{Log: log}, d)
				if err != nil {
					t.Fatal(err)
				}
				began := time.Now()
				time.AfterFunc(c.after, func() { close(answered) })
				if err := s.Negotiate(context.Background()); err != nil || s.State().Phase != Ready || time.Since(began) != c.took {
					t.Errorf("%v, phase %d after %s", err, s.State().Phase, time.Since(began))
				}
				if err := s.Close(); err != nil {
					t.Error(err)
				}
				if err := log.Close(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

func TestTheStreamOfTheServerIsShown(t *testing.T) { // HTTP-40 to HTTP-46, SUB-13
	server := sessiontest.NewHTTP(t)
	server.ServeMCP()
	server.On("POST initialize", sessiontest.Result(subscribeInit, "Mcp-Session-Id: session-1"))
	server.On("POST tools/list", sessiontest.Result(sessiontest.ToolsResult))
	drop := make(chan struct{})
	event := func(id string) string {
		return "id: " + id + "\nretry: 10\ndata: " + `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}` + "\n\n"
	}
	open := sessiontest.Head(200, "text/event-stream")
	server.On("GET", sessiontest.InTurn(
		sessiontest.Pieces(sessiontest.Piece{Bytes: open + event("e1")}, sessiontest.Piece{Wait: drop}),
		sessiontest.Pieces(sessiontest.Piece{Bytes: open + event("e2")}, sessiontest.Piece{Hang: true}),
	))
	s := connectReal(t, Target{URL: server.URL}, Options{})
	stream := func(st State) Subscription {
		for _, sub := range st.Subscriptions {
			if sub.Kind == SubStream {
				return sub
			}
		}
		return Subscription{}
	}
	st := until(t, s, "the first event", func(st State) bool { return stream(st).Count == 1 })
	if sub := stream(st); sub.Phase != SubOpen || sub.Channel == "" || sub.AckSeq == 0 {
		t.Errorf("%+v", sub)
	}
	close(drop)
	st = until(t, s, "the event after the stream was resumed", func(st State) bool { return stream(st).Count == 2 })
	gets := server.Await(t.Context(), 2, sessiontest.Is("GET", ""))
	if got := gets[1].Header.Get("Last-Event-Id"); got != "e1" || !strings.Contains(states(t, s), "resumed: the standalone stream after event e1") {
		t.Errorf("resumed after %q; the log says %s", got, states(t, s))
	}
	if sub := stream(st); sub.Phase != SubOpen || sub.Attempts != 0 {
		t.Errorf("%+v", sub)
	}
	if err := s.Unsubscribe(t.Context(), stream(st).Key); err != nil {
		t.Fatal(err)
	}
	st = until(t, s, "the end of the stream", func(st State) bool { return stream(st).Phase == SubEnded })
	if stream(st).End != EndByUs {
		t.Errorf("%+v", stream(st))
	}
	if err := s.Relisten(t.Context(), stream(st).Key); err != nil {
		t.Fatal(err)
	}
	until(t, s, "a new stream", func(st State) bool { return stream(st).Phase == SubOpen })
}

func TestARefusedStreamIsShown(t *testing.T) { // HTTP-42
	server := sessiontest.NewHTTP(t)
	server.ServeMCP()
	s := connectReal(t, Target{URL: server.URL}, Options{})
	until(t, s, "the refusal", func(st State) bool {
		return len(st.Subscriptions) == 1 && st.Subscriptions[0].Kind == SubStream && st.Subscriptions[0].End == EndRefused
	})
}
