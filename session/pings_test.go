package session

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"mcploupe/protocol"
	"mcploupe/session/link"
)

func TestPings(t *testing.T) { // PING-02, PING-03, L-INIT-07
	synctest.Test(t, func(t *testing.T) {
		var silence, odd atomic.Bool
		s, f, done := ready(t, stdioTarget, Options{KeepAlive: time.Millisecond}, legacy(func(l *fakeLink, m protocol.Message, _ link.SendOptions) {
			switch {
			case m.Method != protocol.MethodPing || silence.Load():
			case odd.Load():
				l.fail(m, "-32601", "")
			default:
				time.Sleep(3 * time.Millisecond)
				l.result(m, `{}`)
			}
		}))
		defer done()
		if got := s.State().KeepAlive; got != minKeepAlive {
			t.Errorf("pings every %s", got)
		}
		s.SetKeepAlive(20 * time.Second)
		time.Sleep(time.Minute + time.Second)
		st := s.State()
		if len(st.Pings) != 3 || st.Pings[0].Took != 3*time.Millisecond || st.Pings[0].Seq == 0 || st.RoundTrip != 3*time.Millisecond || !st.Unresponsive.IsZero() {
			t.Errorf("%+v", st.Pings)
		}
		silence.Store(true)
		time.Sleep(2 * time.Minute)
		st = s.State()
		if last := st.Pings[len(st.Pings)-1]; st.Unresponsive.IsZero() || last.Err == "" || rules(st) != "PING-03" || st.Phase != Ready {
			t.Errorf("without answers: %+v, since %s, findings %s", last, st.Unresponsive, rules(st))
		}
		silence.Store(false)
		odd.Store(true)
		time.Sleep(time.Minute)
		if st := s.State(); !st.Unresponsive.IsZero() || !strings.Contains(rules(st), "L-INIT-07") {
			t.Errorf("since %s, findings %s", st.Unresponsive, rules(st))
		}
		odd.Store(false)
		if took, err := s.Ping(t.Context()); err != nil || took != 3*time.Millisecond {
			t.Errorf("%s, %v", took, err)
		}
		if got := states(t, s); strings.Count(got, "unresponsive: ") != 1 || strings.Count(got, "\nresponsive: ") != 1 {
			t.Errorf("the log says %s", got)
		}
		time.Sleep(3 * time.Hour)
		if st := s.State(); len(st.Pings) != maxPings || len(st.Calls) > 2*maxBriefs {
			t.Errorf("%d pings and %d calls kept", len(st.Pings), len(st.Calls))
		}
		s.SetKeepAlive(0)
		before := strings.Count(f.methods(), "ping")
		time.Sleep(time.Hour)
		if n := strings.Count(f.methods(), "ping") - before; n > 0 || s.State().KeepAlive != 0 {
			t.Errorf("%d pings after they were switched off", n)
		}
	})
}

func TestTheModernRevisionHasNoPing(t *testing.T) { // PING-04
	synctest.Test(t, func(t *testing.T) {
		s, f, done := ready(t, stdioTarget, Options{KeepAlive: time.Second}, modern(silent))
		defer done()
		if _, err := s.Ping(t.Context()); !errors.Is(err, errNoPing) {
			t.Errorf("%v", err)
		}
		time.Sleep(time.Hour)
		if strings.Contains(f.methods(), "ping") {
			t.Errorf("sent %s", f.methods())
		}
	})
}
