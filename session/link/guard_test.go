//go:build unix

package link

import (
	"strings"
	"testing"
	"time"

	peer "mcploupe/session/sessiontest"
)

// broken is a handler that panics at the first message, and keeps what comes of
// it, as a session does.
type broken struct {
	*witness
	caught chan any
}

func (b *broken) Receive(in Incoming) {
	b.witness.Receive(in)
	panic("a fault")
}

func (b *broken) Guard(f func()) {
	defer func() {
		if v := recover(); v != nil {
			b.caught <- v
		}
	}()
	f()
}

// A panic in a goroutine of a link is caught by a handler that guards, and the
// link can be closed: nothing waits for the goroutine that is gone.
func TestAGuardedLinkOutlivesAPanic(t *testing.T) {
	modern := revision(t, "2026-07-28")
	for name, dial := range map[string]func(h *broken) (Link, error){
		"stdio": func(h *broken) (Link, error) {
			return StartStdio(ctxFor(t), quick(t, peer.Server()), h, h)
		},
		"http": func(h *broken) (Link, error) {
			s := peer.NewHTTP(t)
			s.On("POST", peer.Result(`{}`))
			return DialHTTP(HTTPTarget{URL: s.URL}, h, h)
		},
		"sse": func(h *broken) (Link, error) {
			s := oldServer(t, "/messages/", peer.Piece{Bytes: "event: message\n" + strings.Replace(answerEvent, "{{id}}", "1", 1)}, peer.Piece{Hang: true})
			return DialSSE(ctxFor(t), HTTPTarget{URL: s.URL}, h, h)
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := &broken{newWitness(), make(chan any, 9)}
			l, err := dial(h)
			if err != nil {
				t.Fatal(err)
			}
			_ = l.Send(ctxFor(t), call(1, "tools/list"), SendOptions{Revision: modern}) // the panic may come first
			select {
			case <-h.caught:
			case <-time.After(testTimeout):
				t.Fatal("nothing was caught")
			}
			if err := l.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}
