package ui

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"mcploupe/assets"
	"mcploupe/protocol"
	"mcploupe/session"
	"mcploupe/session/sessiontest"
	"mcploupe/ui/settings"
	"mcploupe/ui/view"
)

func TestTheFirstStepsAreOfferedAndNeverForced(t *testing.T) {
	d := newDesk(t)
	d.shows("New here?", "Take the first steps")
	if d.tour.root.Visible() {
		t.Error("the bar is there before anybody asked for it")
	}
	test.Tap(d.start.begin)
	d.shows("First steps · 1 of 5 · Connect", "● ○ ○ ○ ○", "Try the demo")
	if d.start.tour.Visible() {
		t.Error("the start page offers what is going on above it")
	}
	d.tour.stop()
	if d.tour.root.Visible() || d.start.tour.Visible() || d.store.Get().Tour != settings.TourOver {
		t.Errorf("ended: bar %v, offer %v, kept %q", d.tour.root.Visible(), d.start.tour.Visible(), d.store.Get().Tour)
	}
	d.tour.start() // from the menu
	if !d.tour.root.Visible() {
		t.Error("the menu does not bring it back")
	}
}

func TestTheFirstStepsThatWereLeftAreOfferedAgain(t *testing.T) {
	d := newDesk(t)
	d.update(func(s *settings.Settings) { s.Tour = settings.TourRunning })
	d.start.refresh()
	d.shows("Go on with the first steps")
	d.update(func(s *settings.Settings) { s.Tour = settings.TourRunning + " 12000" })
	test.Tap(d.start.begin)
	d.shows("First steps · 3 of 5 · Answer the server", "✓ – ● ○ ○")
	test.Tap(d.tour.skip)
	if got := d.store.Get().Tour; got != settings.TourRunning+" 12200" {
		t.Errorf("kept %q", got)
	}
}

func TestTheWordsOfEachStepHaveRoom(t *testing.T) {
	d := newDesk(t)
	d.tour.start()
	for range view.TourOver {
		head, text := d.tour.head, d.tour.text
		if head.Size().Width < head.MinSize().Width || text.Size().Height < text.MinSize().Height {
			t.Errorf("%s: %v for %v, %v for %v", head.Text, head.Size(), head.MinSize(), text.Size(), text.MinSize())
		}
		at := fyne.CurrentApp().Driver().AbsolutePositionForObject
		if at(text).Y <= at(head).Y {
			t.Errorf("%s: beside %s", text.Text, head.Text)
		}
		test.Tap(d.tour.skip)
	}
}

func TestTheStepOfAnsweringLeadsToTheQuestionThatWaits(t *testing.T) {
	d, p, tray := asking(t, askServer(formQuestion), 1)
	d.tour.tour.Pass(view.TourConnect)
	d.tour.tour.Pass(view.TourCall)
	d.tour.start()
	test.Tap(d.tour.show)
	if p.showListed(protocol.MethodToolsCall, view.EntryKey("ask")); d.win.Canvas().Focused() == nil {
		t.Error("a tool that is shown leaves the keyboard nowhere")
	}
	test.Tap(d.tour.show)
	if p.front() != Pane(tray) {
		t.Errorf("it leads to %T", p.front())
	}
}

func TestTheFirstStepsGoOnByWhatIsDone(t *testing.T) {
	d := newDesk(t)
	d.tour.start()
	p := d.open(d.server("hill", sessiontest.Server()), view.Connected)
	d.await("the next step", func() bool { return d.tour.tour.At() == view.TourCall })
	d.shows("2 of 5 · Call a tool")
	sess := p.conn.Session()
	call, err := sess.Do(t.Context(), sess.NewRequest(protocol.MethodToolsCall, []byte(`{"name":"echo","arguments":{}}`)), session.CallOptions{})
	if err != nil {
		t.Fatal(err)
	}
	<-call.Done()
	d.await("the step after the call", func() bool { return d.tour.tour.At() == view.TourAnswer })
	test.Tap(d.tour.skip)
	d.shows("4 of 5 · Watch a resource")
	test.Tap(d.tour.skip)
	test.Tap(d.tour.show)
	d.await("the comparison", func() bool { c := d.currentComparison(); return c != nil && c.result != nil })
	d.shows("First steps · done", "Open the guide", "list_moons")
	if d.store.Get().Tour != settings.TourOver {
		t.Errorf("kept %q at the end", d.store.Get().Tour)
	}
}

func TestTheSamplesAreWrittenOnceAndAreRight(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "samples")
	paths, err := assets.PutSamples(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(paths[0], []byte("spoiled"), 0o600); err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(paths[1])
	if err != nil {
		t.Fatal(err)
	}
	again, err := assets.PutSamples(dir)
	if err != nil || again != paths {
		t.Fatalf("%v, %v", again, err)
	}
	after, err := os.Stat(paths[1])
	if err != nil || !os.SameFile(before, after) {
		t.Errorf("what was right was written again (%v)", err)
	}
	want, err := assets.Sample(assets.SampleOld)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(paths[0]); err != nil || !slices.Equal(got, want) || !strings.HasPrefix(string(got), `{"format":"mcploupe/1"`) {
		t.Errorf("the spoiled one holds %d bytes (%v)", len(got), err)
	}
}
