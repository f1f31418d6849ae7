package ui

import (
	"context"
	"time"
)

// ticker calls do once a second while it is on, for times that go by on the
// screen.
type ticker struct {
	env  *Env
	do   func()
	turn int // of going on; a goroutine of an earlier one ends
	on   bool
}

func (t *ticker) start() {
	if t.on {
		return
	}
	t.on = true
	t.turn++
	t.wait(t.turn)
}

func (t *ticker) stop() { t.on = false }

// wait is one second of the ticker.
func (t *ticker) wait(turn int) {
	t.env.Go(func(ctx context.Context) {
		over, release := t.env.Clock.NewTimer(time.Second)
		defer release()
		select {
		case <-over:
		case <-ctx.Done():
			return
		}
		t.env.Do(func() {
			if t.on && t.turn == turn {
				t.do()
				t.wait(turn)
			}
		})
	})
}
