package ui

import (
	"path/filepath"
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"mcploupe/ui/settings"
)

// deafApp is a toolkit that does not come back from its loop, or does when it is
// to quit.
type deafApp struct {
	fyne.App
	comesBack bool
	quit      chan struct{}
	once      sync.Once
	free      chan struct{} // ends the test
}

func (a *deafApp) Run() {
	if a.comesBack {
		<-a.quit
		return
	}
	<-a.free
}

func (a *deafApp) Quit() { a.once.Do(func() { close(a.quit) }) }

// lateClock is a clock whose timers are late when the test says so.
type lateClock struct {
	late chan time.Time
	wait chan time.Duration
}

func (lateClock) Now() time.Time { return time.Now() }

func (c lateClock) NewTimer(d time.Duration) (<-chan time.Time, func()) {
	if d == leaveGrace {
		c.wait <- d
		return c.late, func() {}
	}
	t := time.NewTimer(d)
	return t.C, func() { t.Stop() }
}

// The program ends also when the toolkit waits for ever for an event that it has
// lost, and only then without coming back.
func TestQuitEndsTheProgramWithoutTheToolkit(t *testing.T) {
	for name, comesBack := range map[string]bool{"it comes back": true, "it does not": false} {
		t.Run(name, func(t *testing.T) {
			store, err := settings.Load(filepath.Join(t.TempDir(), "settings.json"))
			if err != nil {
				t.Fatal(err)
			}
			app := &deafApp{App: test.NewTempApp(t), comesBack: comesBack, quit: make(chan struct{}), free: make(chan struct{})}
			clock := lateClock{late: make(chan time.Time), wait: make(chan time.Duration, 1)}
			tasks, exits, returned := make(chan func(), 100), make(chan struct{}, 1), make(chan error, 1)
			started := make(chan fyne.Window, 1)
			go func() {
				returned <- Run(app, Config{Settings: store, Version: "test", Executable: "mcploupe", Clock: clock,
					Do: func(f func()) { tasks <- f }, Exit: func() { exits <- struct{}{} },
					Started: func(win fyne.Window, _ func(func())) { started <- win }})
			}()
			(<-tasks)() // the window is there
			for _, menu := range (<-started).MainMenu().Items {
				for _, item := range menu.Items {
					if item.IsQuit {
						item.Action()
					}
				}
			}
			for done := false; !done; {
				select {
				case f := <-tasks:
					f()
				case <-app.quit:
					done = true
				}
			}
			if comesBack {
				if err := <-returned; err != nil || len(exits) != 0 {
					t.Errorf("%v, %d exits", err, len(exits))
				}
				return
			}
			<-clock.wait
			clock.late <- time.Now()
			<-exits
			close(app.free)
			if err := <-returned; err != nil {
				t.Error(err)
			}
		})
	}
}
