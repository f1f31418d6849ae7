package session

import (
	"strings"
	"testing"
	"time"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/session/sessiontest"
)

// A panic in what a session does by itself ends that session and no other, also
// when it left the session's mutex locked.
func TestAPanicEndsItsOwnSessionAlone(t *testing.T) {
	for name, fails := range map[string]func(s *Session){
		"without the mutex": func(*Session) { var none []int; _ = none[1] },
		"with the mutex": func(s *Session) {
			s.mu.Lock()
			var none *Call
			none.st.Key = s.nextKey
			s.mu.Unlock()
		},
		"of a value": func(*Session) { panic("what the server said") },
	} {
		t.Run(name, func(t *testing.T) {
			faults := make(chan Fault, 1)
			s := connectReal(t, scripted(t, sessiontest.Server()), Options{OnFault: func(f Fault) { faults <- f }})
			other := connectReal(t, scripted(t, sessiontest.Server()), Options{OnFault: func(Fault) { t.Error("the other session failed too") }})
			if !s.spawn(func() { fails(s) }) {
				t.Fatal("not started")
			}
			select {
			case f := <-faults:
				if f.Value == nil || !strings.Contains(string(f.Stack), "guard_test.go") {
					t.Errorf("fault %v at %s", f.Value, f.Stack)
				}
			case <-time.After(20 * time.Second):
				t.Fatal("nobody was told")
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			if st := s.State(); st.Phase != Failed || !strings.Contains(st.Err, "fault of this program") {
				t.Errorf("phase %d, %q", st.Phase, st.Err)
			}
			notes := strings.Join(recorded(t, s.log.current(), recorder.Out, recorder.KindNote), "|")
			if !strings.Contains(notes, "fault of this program") || strings.Contains(notes, "what the server said") {
				t.Errorf("notes %q", notes)
			}
			if st := mustCall(t, other, protocol.MethodToolsCall, `{"name":"good"}`, CallOptions{}); st.Phase != CallOK {
				t.Errorf("the other session: %+v", st)
			}
		})
	}
}

// Without somebody to tell, as in the verbs, a panic takes its way.
func TestAPanicIsNotHiddenUnasked(t *testing.T) {
	s := &Session{}
	defer func() {
		if recover() == nil {
			t.Error("the panic was swallowed")
		}
	}()
	s.guard(func() { panic("loud") })
}

// Freeing the mutex leaves it alone when somebody else has it.
func TestFreeingTheMutexOfOthers(t *testing.T) {
	var m stateMutex
	m.free()
	m.Lock()
	m.free() // held by the one that panicked
	done := make(chan struct{})
	m.Lock()
	go func() {
		defer close(done)
		m.free()
	}()
	m.Unlock()
	<-done
	if !m.TryLock() {
		t.Error("it is locked")
	}
}
