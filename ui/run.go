package ui

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"fyne.io/fyne/v2"
)

// leaveGrace is how long the toolkit may take to leave its loop.
const leaveGrace = 3 * time.Second

// Run shows the window of cfg in app and returns when the person has quit, or
// the system asked the program to end, and every server has ended. Where the
// toolkit does not come back, Config.Exit is called in place of returning.
func Run(app fyne.App, cfg Config) error {
	if cfg.Settings == nil {
		return errors.New("open the window: no settings")
	}
	// Once its loop has ended the toolkit runs functions on whichever goroutine
	// calls: of the window nothing may run there.
	cfg = cfg.withDefaults()
	var over atomic.Bool
	do := cfg.Do
	cfg.Do = func(f func()) {
		do(func() {
			if !over.Load() {
				f()
			}
		})
	}
	u := New(app, cfg)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	release := context.AfterFunc(ctx, func() { u.cfg.Do(u.Quit) })
	defer release()
	leaving, left := make(chan struct{}), make(chan struct{})
	u.leave = func() {
		over.Store(true)
		close(leaving)
		app.Quit()
	}
	u.Show()
	if u.cfg.Started != nil {
		u.cfg.Do(func() { u.cfg.Started(u.win, u.Guarded) })
	}
	var watch sync.WaitGroup
	watch.Go(func() {
		select {
		case <-leaving:
		case <-ctx.Done():
		case <-left:
			return
		}
		if u.stuck(left) {
			over.Store(true)
			u.Close()
			u.cfg.Exit()
		}
	})
	app.Run()
	close(left)
	watch.Wait()
	over.Store(true)
	u.Close()
	return nil
}

// stuck reports whether the toolkit does not come back in time: it waits for all
// its events to be handled, also for one that was still in its queue when the
// loop ended, which nobody handles any more.
func (u *UI) stuck(left <-chan struct{}) bool {
	late, release := u.cfg.Clock.NewTimer(leaveGrace)
	defer release()
	select {
	case <-left:
		return false
	case <-late:
		return true
	}
}
