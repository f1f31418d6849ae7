package ui

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"

	"mcploupe/ui/settings"
	"mcploupe/ui/view"
	"mcploupe/ui/widget"
)

// large is a window on a screen of 1280 by 800 with texts half as large again,
// the first steps in it.
func (d *desk) large() {
	d.t.Helper()
	d.changeSettings(func(s *settings.Settings) { s.Zoom = 150 })
	d.queue.run()
	d.win.Resize(fyne.NewSize(1278, 747))
	d.tour.start()
}

func TestNoPaneMakesTheWindowTallerThanTheScreen(t *testing.T) {
	d, p, tray := asking(t, askServer(formQuestion), 1)
	d.large()
	for i, pane := range p.panes {
		p.showPane(i)
		d.fits(pane.Title())
	}
	p.showAsk(p.asks.shown.First)
	d.fits("a question")
	page := tray.shownPage()
	if page == nil {
		t.Fatal("no question is shown")
	}
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject
	if bottom, room := at(page.yes).Y+page.yes.Size().Height, at(p.stage).Y+p.stage.Size().Height; bottom > room {
		t.Errorf("the button ends at %v, the panes at %v", bottom, room)
	}
	if h := page.split.Size().Height; h < 100 {
		t.Errorf("the form is %v high", h)
	}
}

func (d *desk) fits(what string) {
	d.t.Helper()
	if least := d.win.Content().MinSize().Height; least > 680 {
		d.t.Errorf("%s: the window is at least %v high", what, least)
	}
}

func TestTheWordsOfEachStepHaveRoomWhenTextsAreLarge(t *testing.T) {
	d := newDesk(t)
	d.large()
	for range view.TourOver {
		if text := d.tour.text; text.Size().Height < text.MinSize().Height {
			t.Errorf("%s: %v for %v", text.Text, text.Size(), text.MinSize())
		}
		test.Tap(d.tour.skip)
	}
}

func TestAFitScrollsWhereThereIsLessRoomThanNeeded(t *testing.T) {
	test.NewTempApp(t)
	tall := container.NewGridWrap(fyne.NewSize(50, 300), widget.NewLabel(""))
	fit := newFit(tall, 100)
	if got := fit.MinSize().Height; got != 100 {
		t.Errorf("it asks for %v", got)
	}
	w := test.NewTempWindow(t, fit)
	w.Resize(fyne.NewSize(200, 150))
	if got := tall.Size().Height; got != 300 {
		t.Errorf("in less room the content is %v high", got)
	}
	w.Resize(fyne.NewSize(200, 600))
	if got := tall.Size().Height; got < 590 {
		t.Errorf("in more room the content is %v high", got)
	}
}

func TestAHeadYieldsToWhatLiesBelowIt(t *testing.T) {
	test.NewTempApp(t)
	head, foot := container.NewGridWrap(fyne.NewSize(50, 200), widget.NewLabel("")), widget.NewLabel("foot")
	body := container.NewStack()
	page := newYield(head, body, foot, 120)
	low := foot.MinSize().Height
	page.Resize(fyne.NewSize(300, 500))
	if got := body.Size().Height; got != 300-low {
		t.Errorf("with room the body has %v", got)
	}
	page.Resize(fyne.NewSize(300, 200+low))
	if got := body.Size().Height; got != 120 || foot.Position().Y != 200 {
		t.Errorf("without it has %v, and the foot is at %v", got, foot.Position())
	}
	page.Resize(fyne.NewSize(300, low))
	if got := foot.Size().Height; got != low || foot.Position().Y != 0 {
		t.Errorf("the foot is %v high at %v", got, foot.Position())
	}
}
