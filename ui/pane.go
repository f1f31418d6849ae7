// Package ui is the window: widgets that copy what the view models of ui/view
// say and turn what the person does into calls on them.
//
// Everything here runs on the UI goroutine. Other goroutines reach it through
// Env.Do only, and only to mark something as changed; drawing then happens
// once for many changes. No widget decides a rule of the protocol.
package ui

import (
	"context"
	"net/url"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"

	"mcploupe/session"
	"mcploupe/ui/pump"
	"mcploupe/ui/settings"
	"mcploupe/ui/textview"
	"mcploupe/ui/view"
)

// Pane is one tab of a connection.
//
// All methods are called on the UI goroutine. A pane that is not visible gets
// no Refresh; Shown is called when it becomes visible and must bring it up to
// date.
type Pane interface {
	Title() string             // with a count, e.g. "Tools 12"; short, already safe
	Object() fyne.CanvasObject // the same object each time
	Refresh()                  // called when visible and something changed
	Shown()                    // became visible
	Hidden()                   // another tab covers it, or the tab is gone
}

// PaneMaker makes the pane of one connection. It is called once a tab, before
// the connection is made.
type PaneMaker func(c *view.Conn, env *Env) Pane

// Env is what the window lends to the panes of one connection. It is made by
// the window and not changed afterwards.
type Env struct {
	Window    fyne.Window
	Do        func(func())     // runs on the UI goroutine, later; safe from any goroutine
	Now       func() time.Time // the clock
	Clock     pump.Clock       // the same, with timers
	Clipboard fyne.Clipboard
	Settings  *settings.Store

	// Go runs f in a goroutine that closing the connection waits for. f must end
	// soon after its context does, and reach widgets through Do only.
	Go func(f func(ctx context.Context))
	// Changed asks for a Refresh of the panes of this connection soon. It is
	// safe from any goroutine and cheap: many calls make one Refresh.
	Changed func()
	// ShowEvent selects an event in the timeline and brings it into view.
	ShowEvent func(seq uint64)
	// OpenURL shows the whole address to the person and opens it in the browser
	// when they agree. Addresses that are not http or https are refused.
	OpenURL func(u *url.URL)
	// OpenFile writes data to a private temporary file named like name and
	// opens it with the program that the system has for it.
	OpenFile func(name string, data []byte)
	// SaveFile asks where to and writes data there.
	SaveFile func(name string, data []byte)
	// ChooseFile asks for a file of at most 32 MB and reads it in the
	// background; done is not called when there is nothing to give.
	ChooseFile func(done func(name string, data []byte))
	// ChooseFolder asks for a folder of this machine; done is not called when
	// the person gives none.
	ChooseFolder func(done func(path string))
	// Ask shows a dialog of a size; Escape closes it.
	Ask func(d dialog.Dialog, size fyne.Size)
	// Notify shows one line of plain text at the top of the window for a
	// while: "Copied", "Saved to ...".
	Notify func(text string)
	// Fail shows an error with its text in a view that scrolls and can be
	// copied.
	Fail func(title string, err error)
	// ShowCall shows the tool, prompt or resource that a call was made from.
	ShowCall func(method, name string)
	// ShowRounds shows the rounds of a call among the questions of the server.
	ShowRounds func(call uint64)
	// FilterEvents shows in the timeline what a filter lets through.
	FilterEvents func(text string)
	// ShowWatch shows a resource among those that are watched; it is nil where
	// there is no server.
	ShowWatch func(uri string)
	// ShowAsk shows a question of the server in the tray.
	ShowAsk func(key uint64)
	// ShowTask shows a task on the board.
	ShowTask func(key uint64)
	// TakeCall shows a call that was sent again where calls of its kind are sent,
	// with its result; it reports whether there is such a place.
	TakeCall func(call *session.Call) bool
	// SendRaw opens the pane with the free editor and puts text into it.
	SendRaw func(text string)
	// ReadResource opens the pane with the resources and reads the one at uri.
	// It is nil where there is no server to read from.
	ReadResource func(uri string)
	// ConnectRecorded shows the server that a recording was made of, to be
	// connected to. It is nil where there is none.
	ConnectRecorded func()

	tip    *hoverTip // shows what is cut where it stands
	splits *splits
	cost   func()                                // shows what the listings cost a model's context; nil where nothing is listed
	state  func() session.State                  // as it was taken in last
	runOf  func(c session.CallState) view.RunRow // of a call that is running
	runs   func(key uint64)                      // opens the board of the running calls
}

// keepLook shows a text as the last one was shown, and keeps how the person
// wants to see this one.
func (e *Env) keepLook(v *textview.View) {
	if e.Settings == nil {
		return
	}
	kept := e.Settings.Get().Window.Text
	v.SetWrap(!kept.NoWrap)
	v.SetNumbers(!kept.NoNumbers)
	v.OnLook = func() {
		err := e.Settings.Update(func(s *settings.Settings) {
			s.Window.Text = settings.Text{NoWrap: !v.Wrap(), NoNumbers: !v.Numbers()}
		})
		if err != nil {
			e.Notify("Settings were not saved: " + err.Error())
		}
	}
}

// run gives the work of a text view, such as searching a big text, a goroutine;
// show follows on the UI goroutine. It is for textview.View.Run.
func (e *Env) run(work func() (show func())) {
	e.Go(func(ctx context.Context) {
		if show := work(); ctx.Err() == nil {
			e.Do(show)
		}
	})
}
