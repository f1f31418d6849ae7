package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"mcploupe/recorder"
	"mcploupe/ui/settings"
	"mcploupe/ui/theme"
	"mcploupe/ui/view"
	"mcploupe/ui/view/human"
)

func settingsDesk(t *testing.T) (*desk, *settingsPage) {
	t.Helper()
	t.Cleanup(func() { human.SetTimes(human.Times{}); recorder.SetCache(0) })
	d := newDesk(t)
	d.openSettings()
	p, ok := d.current().(*settingsPage)
	if !ok {
		t.Fatal("the settings did not open")
	}
	return d, p
}

func (p *settingsPage) row(t *testing.T, key string) *settingRow {
	t.Helper()
	for _, r := range p.rows {
		if r.s.Key == key {
			return r
		}
	}
	t.Fatalf("there is no setting %q", key)
	return nil
}

// Their key gives the keyboard to the search, also when they are open already;
// Escape then closes them.
func TestSettingsAreSearchedAtOnce(t *testing.T) {
	d, p := settingsDesk(t)
	d.activate(0)
	d.win.Canvas().Unfocus()
	d.openSettings()
	if len(d.pages) != 2 || d.win.Canvas().Focused() != fyne.Focusable(p.search) {
		t.Fatalf("%d tabs, %v has the keyboard", len(d.pages), d.win.Canvas().Focused())
	}
	d.press(fyne.KeyEscape)
	if len(d.pages) != 1 {
		t.Error("Escape does not close them")
	}
}

// Each way to write the time of day is offered as it is then written.
func TestTimesOfDayAreOfferedAsWritten(t *testing.T) {
	d, p := settingsDesk(t)
	d.changeSettings(func(s *settings.Settings) { s.Clock.Zone = "Etc/GMT-2" })
	hours := p.row(t, "hours")
	for i, c := range hours.s.Choices {
		hours.choose.SetSelectedIndex(i)
		written := human.Clock(time.Date(2026, 11, 30, 19, 4, 5, 678_000_000, time.UTC))
		if _, offered, _ := strings.Cut(c.Label, ": "); written != offered {
			t.Errorf("%q is offered, %q is written", offered, written)
		}
	}
}

func TestSettingsArePutInForceAtOnce(t *testing.T) {
	d, p := settingsDesk(t)
	look := func() theme.Options { return d.app.Settings().Theme().(*theme.Theme).Options() }
	p.row(t, "theme").choose.SetSelectedIndex(2)
	p.row(t, "density").choose.SetSelectedIndex(1)
	p.row(t, "zoom").choose.SetSelected("150 %")
	if got := look(); got != (theme.Options{Mode: theme.Dark, Density: theme.Comfortable, Zoom: 1.5}) {
		t.Errorf("the look is %+v", got)
	}
	p.row(t, "hours").choose.SetSelectedIndex(1)
	if got := human.Clock(time.Date(2026, 11, 30, 21, 4, 5, 0, time.Local)); got != "09:04:05.000 pm" {
		t.Errorf("a time is shown as %q", got)
	}
	kept := d.store.Get()
	if kept.Theme != settings.ThemeDark || kept.Zoom != 150 || kept.Density != settings.DensityComfortable {
		t.Errorf("kept is %+v", kept)
	}
	zoom := p.row(t, "zoom")
	if zoom.reset.Hidden {
		t.Fatal("a changed setting cannot be taken back")
	}
	test.Tap(zoom.reset)
	if look().Zoom != 1 || !zoom.reset.Hidden || zoom.choose.Selected != "100 %" {
		t.Errorf("the zoom is %v, shown as %q", look().Zoom, zoom.choose.Selected)
	}
}

func TestSettingTextsAreCheckedWhereTheyAreTyped(t *testing.T) {
	d, p := settingsDesk(t)
	row := p.row(t, "call")
	d.win.Canvas().Focus(row.entry)
	test.Type(row.entry, "soon")
	if row.problem.Hidden || row.problem.Text == "" {
		t.Error("nothing is said about a limit that is none")
	}
	d.win.Canvas().Unfocus()
	if d.store.Get().Limits.CallMS != 0 {
		t.Error("a wrong limit was taken")
	}
	d.win.Canvas().Focus(row.entry)
	row.entry.SetText("90")
	if !row.problem.Hidden {
		t.Errorf("a limit that is fine is said to be wrong: %s", row.problem.Text)
	}
	d.win.Canvas().Unfocus()
	if d.store.Get().Limits.CallMS != 90_000 || row.entry.Text != "90 s" {
		t.Errorf("the limit is %d ms, shown as %q", d.store.Get().Limits.CallMS, row.entry.Text)
	}
	d.win.Canvas().Focus(row.entry)
	row.entry.SetText("7 s")
	row.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if d.store.Get().Limits.CallMS != 90_000 || row.entry.Text != "90 s" {
		t.Errorf("after Escape the limit is %d ms, shown as %q", d.store.Get().Limits.CallMS, row.entry.Text)
	}
}

func TestSettingsAreFound(t *testing.T) {
	d, p := settingsDesk(t)
	p.search.SetText("browser")
	all := texts(d.win.Content())
	if !strings.Contains(all, "Browser") || strings.Contains(all, "Text zoom") {
		t.Errorf("the page shows %s", all)
	}
	p.search.SetText("nothing of the kind")
	d.shows("No setting has these words.")
	p.search.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	d.shows("Text zoom")
	p.search.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if d.current() == page(p) {
		t.Error("Escape in an empty search leaves the page open")
	}
}

func TestZoomKeys(t *testing.T) {
	d, p := settingsDesk(t)
	for range 20 {
		d.zoomBy(1)
	}
	if got := d.store.Get().Zoom; got != settings.MaxZoom {
		t.Errorf("zoomed in to %d", got)
	}
	if got := p.row(t, "zoom").choose.Selected; got != "200 %" {
		t.Errorf("the page shows a zoom of %q", got)
	}
	for range 20 {
		d.zoomBy(-1)
	}
	if got := d.store.Get().Zoom; got != settings.MinZoom {
		t.Errorf("zoomed out to %d", got)
	}
	d.zoomBy(0)
	if got := d.app.Settings().Theme().(*theme.Theme).Options().Zoom; got != 1 {
		t.Errorf("taken back to %v", got)
	}
}

// What another window changes is seen when this one comes to the front.
func TestSettingsOfAnotherWindowAreTakenIn(t *testing.T) {
	d, p := settingsDesk(t)
	other, err := settings.Load(d.store.Path())
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Update(func(s *settings.Settings) { s.Zoom, s.Clock.Zone = 130, settings.ZoneUTC }); err != nil {
		t.Fatal(err)
	}
	d.reloadSettings()
	if got := d.app.Settings().Theme().(*theme.Theme).Options().Zoom; got != 1.3 {
		t.Errorf("the zoom is %v", got)
	}
	if got := p.row(t, "zone").entry.Text; got != settings.ZoneUTC {
		t.Errorf("the page shows the zone %q", got)
	}
}

// Deleting begins only after the person has seen what is due.
func TestRetentionIsShownBeforeItBegins(t *testing.T) {
	d, p := settingsDesk(t)
	dir := d.recordingDir()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "notes-20250101-101112"+recorder.Ext)
	log, err := recorder.Create(path, recorder.Header{Created: time.Now()})
	if err != nil {
		t.Fatal(err)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	long := time.Now().AddDate(-1, 0, 0)
	if err := os.Chtimes(path, long, long); err != nil {
		t.Fatal(err)
	}
	if !p.clean.check.Disabled() {
		t.Error("it can be switched on without a limit")
	}
	p.set(p.row(t, "days").s, "90")
	d.await("look at the folder", func() bool { return len(p.clean.plan.Delete) == 1 })
	p.clean.check.SetChecked(true)
	if d.store.Get().Retention.On || len(d.dialogs) != 1 {
		t.Fatalf("on without a question: %v, dialogs %d", d.store.Get().Retention.On, len(d.dialogs))
	}
	if all := overlayTexts(d); !strings.Contains(all, "notes-20250101-101112") {
		t.Errorf("the question does not name the recording: %s", all)
	}
	d.closeDialog()
	if d.store.Get().Retention.On || p.clean.check.Checked {
		t.Error("a question that was not agreed to counts as agreed")
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
	d.changeSettings(func(s *settings.Settings) { s.Retention.On = true })
	d.retain()
	d.await("deletion", func() bool { _, err := os.Stat(path); return os.IsNotExist(err) })
	d.await("note", func() bool { return strings.Contains(d.notes.label.Text, view.RetentionLog) })
}

func overlayTexts(d *desk) string {
	top := d.win.Canvas().Overlays().Top()
	if top == nil {
		return ""
	}
	return texts(top)
}

func TestLayoutIsKeptForTheScreen(t *testing.T) {
	d := newDesk(t)
	d.screen = "1920x1080"
	d.split.SetOffset(0.3)
	d.saveLayout()
	d.screen = "1280x800"
	d.split.SetOffset(0.2)
	d.saveLayout()
	for screen, want := range map[string]float64{"1920x1080": 0.3, "1280x800": 0.2, "a new one": 0.2} {
		d.screen = screen
		if got := d.splitOffset("side", sideOffset); got != want {
			t.Errorf("on %s the bar stands at %v, want %v", screen, got, want)
		}
	}
}

// The tab of a connection that was in front last is in front of the next one.
func TestLastTabIsInFrontAgain(t *testing.T) {
	d := newDesk(t)
	c := newConnPage(d.UI, settings.Server{})
	d.addPage(c)
	c.everConnected = true
	c.showReport(false)
	c.showPane(1)
	d.saveLayout()
	d.closePage(c)
	next := newConnPage(d.UI, settings.Server{})
	d.addPage(next)
	if next.at != 1 {
		t.Errorf("tab %d is in front", next.at)
	}
	if err := d.store.Update(func(s *settings.Settings) { s.Window.Pane = 99 }); err != nil {
		t.Fatal(err)
	}
	if far := newConnPage(d.UI, settings.Server{}); far.at != 0 {
		t.Errorf("of a tab that is not there tab %d is in front", far.at)
	} else if err := far.drop(); err != nil {
		t.Error(err)
	}
}

// What is chosen for new servers counts for those that are not saved, too.
func TestNewConnectionsHaveWhatNewServersHave(t *testing.T) {
	d := newDesk(t)
	if err := d.store.Update(func(s *settings.Settings) { s.NewServers.Off = []string{"sampling"} }); err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]int{"": 1, "saved": 0} {
		c := newConnPage(d.UI, settings.Server{ID: id})
		if got := len(c.conn.Server().Off); got != want {
			t.Errorf("a server with the id %q has %d features switched off", id, got)
		}
		if err := c.drop(); err != nil {
			t.Error(err)
		}
	}
}

// A text that is cut can be read in full.
func TestCutTextsAreShownUnderTheMouse(t *testing.T) {
	d := newDesk(t)
	long := strings.Repeat("a very long name of something ", 12)
	d.tip.show(long, fyne.NewPos(1200, 780))
	box := d.tip.box
	if len(d.floats.box.Objects) != 1 {
		t.Fatal("nothing is shown")
	}
	if p, s, room := box.Position(), box.Size(), d.floats.box.Size(); p.X < 0 || p.Y < 0 || p.X+s.Width > room.Width || p.Y+s.Height > room.Height {
		t.Errorf("it stands at %v with a size of %v in %v", p, s, room)
	}
	var shown []string
	for _, o := range box.Objects {
		if text, ok := o.(*canvas.Text); ok {
			shown = append(shown, strings.TrimSpace(text.Text))
		}
	}
	if got := strings.Join(shown, " "); got != strings.TrimSpace(long) {
		t.Errorf("it says %q", got)
	}
	d.tip.out()
	if len(d.floats.box.Objects) != 0 {
		t.Error("it stays")
	}
	d.tip.show(strings.Repeat("line\n", 100), fyne.NewPos(0, 0))
	if n := len(d.tip.box.Objects) - 1; n != tipLines {
		t.Errorf("%d lines are shown", n)
	}
	label := newCutLabel(d.tip, long)
	label.Resize(fyne.NewSize(100, 20))
	turn := d.tip.turn
	label.MouseIn(&desktop.MouseEvent{})
	if d.tip.turn == turn {
		t.Error("a label that is cut tells nothing")
	}
	label.Resize(fyne.NewSize(9000, 20))
	turn = d.tip.turn
	label.MouseIn(&desktop.MouseEvent{})
	if d.tip.turn != turn {
		t.Error("a label that is whole tells itself twice")
	}
}
