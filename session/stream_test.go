package session

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"mcploupe/recorder"
	"mcploupe/session/link"
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
