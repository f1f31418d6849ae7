package ui

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/session"
	"mcploupe/ui/view"
)

// The desktop is told of what a server asks while the window is not in front, if
// the person wants that, and once for each question.
func TestTheDesktopIsToldOfQuestions(t *testing.T) {
	d, p := offered(t, askServer(formQuestion))
	ask := func(want *fyne.Notification) {
		t.Helper()
		test.AssertNotificationSent(t, want, func() {
			if _, err := p.conn.Send(view.Request{Method: protocol.MethodToolsCall, Params: jsontext.Value(`{"name":"ask"}`)}, p.env.Changed); err != nil {
				t.Fatal(err)
			}
			d.await("the question", func() bool {
				p.flush()
				return len(p.conn.State().Asks) == 1
			})
			p.flush() // the same question is no news
		})
		test.AssertNotificationSent(t, nil, p.flush)
		if err := p.conn.Session().Reply(t.Context(), p.conn.State().Asks[0].Key, session.Reply{Action: session.ActionDecline}); err != nil {
			t.Fatal(err)
		}
		d.gone(p, 0)
	}
	front := func(on bool) {
		t.Helper()
		life, ok := d.app.Lifecycle().(interface {
			OnEnteredForeground() func()
			OnExitedForeground() func()
		})
		if !ok {
			t.Fatal("the toolkit keeps no lifecycle")
		}
		if on {
			life.OnEnteredForeground()()
		} else {
			life.OnExitedForeground()()
		}
	}
	told := fyne.NewNotification(p.conn.Title()+" asks", "The server asks you to fill in a form: Who are you?")
	front(false)
	ask(nil) // not wanted
	d.toggleAlert()
	if !d.store.Get().Alert {
		t.Error("the choice is not kept")
	}
	ask(told)
	front(true)
	ask(nil) // the person sees it
	front(false)
	ask(told)
	d.toggleAlert()
	ask(nil)
}
