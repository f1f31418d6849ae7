package ui

import (
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/recorder"
	"mcploupe/session/sessiontest"
	"mcploupe/ui/view"
)

func press(to interface{ TypedKey(*fyne.KeyEvent) }, keys ...fyne.KeyName) {
	for _, k := range keys {
		to.TypedKey(&fyne.KeyEvent{Name: k})
	}
}

// recordedDesk is a window with a live recording of some requests.
func recordedDesk(t *testing.T) (*desk, *connPage) {
	t.Helper()
	d := newDesk(t)
	p := d.open(d.server("peer", sessiontest.Server()), view.Connected)
	d.await("the lists", func() bool { return p.conn.Log().Len() > 5 && len(p.conn.Session().Tools()) > 0 })
	p.flushRows()
	return d, p
}

func TestFilterOffersWordsWithoutTakingEnter(t *testing.T) {
	d, p := recordedDesk(t)
	f := p.time.filter
	f.focus()
	test.Type(f.field, "meth")
	if !f.field.AcceptsTab() || len(d.floats.box.Objects) != 1 || !strings.Contains(texts(d.floats.box), "method:") {
		t.Fatalf("offered %q", texts(d.floats.box))
	}
	press(f.field, fyne.KeyReturn) // nothing is chosen: it is the text that is meant
	if f.text() != "meth" || len(d.floats.box.Objects) != 0 || d.win.Canvas().Focused() != fyne.Focusable(p.time.list) {
		t.Errorf("Enter: %q, %d floats, focus on %T", f.text(), len(d.floats.box.Objects), d.win.Canvas().Focused())
	}
	f.setText("")
	f.focus()
	test.Type(f.field, "me")
	press(f.field, fyne.KeyTab)
	if f.text() != "method:" || f.field.CursorColumn != 7 {
		t.Fatalf("Tab: %q, caret at %d", f.text(), f.field.CursorColumn)
	}
	test.Type(f.field, "tools")
	press(f.field, fyne.KeyDown, fyne.KeyReturn)
	if f.text() != "method:tools/list" || f.field.AcceptsTab() || d.win.Canvas().Focused() != fyne.Focusable(f.field) {
		t.Fatalf("chosen with Enter: %q, open %v", f.text(), f.field.AcceptsTab())
	}
	d.await("the filter", func() bool { return p.time.list.Count() == 2 })
	if got := d.store.Get().Filters.Recent; len(got) != 1 || got[0] != "meth" {
		t.Errorf("recent %q before the filter was sent off", got)
	}
	press(f.field, fyne.KeyReturn)
	if got := d.store.Get().Filters.Recent; len(got) != 2 || got[0] != "method:tools/list" {
		t.Errorf("recent %q", got)
	}
}

func TestFilterOffersByMouseAndByAsking(t *testing.T) {
	d, p := recordedDesk(t)
	f := p.time.filter
	f.focus()
	f.field.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeySpace, Modifier: fyne.KeyModifierControl})
	if f.model.Offers() < 15 {
		t.Fatalf("%d keys offered", f.model.Offers())
	}
	size := d.floats.box.Size()
	if at, s := f.offers.Position(), f.offers.Size(); at.X < 0 || at.Y < 0 || at.X+s.Width > size.Width || at.Y+s.Height > size.Height {
		t.Errorf("the offers at %v, %v lie outside of the window, %v", at, s, size)
	}
	f.offers.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.Delta{DY: -20}})
	row := fyne.NewPos(20, offerPad+f.offers.rowHeight()*1.5)
	f.offers.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: row}})
	want := f.model.Offer(2).Text
	f.offers.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: row}, Button: desktop.MouseButtonPrimary})
	f.field.FocusLost() // as the toolkit does after a press elsewhere
	f.offers.MouseUp(nil)
	if f.text() != want || d.win.Canvas().Focused() != fyne.Focusable(f.field) {
		t.Errorf("clicked: %q, want %q; focus on %T", f.text(), want, d.win.Canvas().Focused())
	}
	if f.model.Open() {
		t.Error("the offers stayed open while the field has no keyboard")
	}
	press(f.field, fyne.KeyEscape, fyne.KeyEscape)
	if f.text() != "" || d.win.Canvas().Focused() != fyne.Focusable(p.time.list) {
		t.Errorf("Escape left %q, focus on %T", f.text(), d.win.Canvas().Focused())
	}
}

func TestFilterFaultIsMarkedAtItsPlace(t *testing.T) {
	_, p := recordedDesk(t)
	f := p.time.filter
	height := f.object().MinSize().Height + f.second().MinSize().Height
	f.setText("kind:request dur>fast")
	if !f.under.Visible() || !f.fault.Visible() || f.strip.Visible() || !strings.Contains(f.fault.Text, `"fast" is no duration`) {
		t.Fatalf("underlined %v, %q", f.under.Visible(), f.fault.Text)
	}
	from, _ := f.field.place(len("kind:request dur>"))
	to, _ := f.field.place(len(f.text()))
	if f.under.Position().X != from || f.under.Size().Width != to-from {
		t.Errorf("underlined from %v, %v wide, want %v to %v", f.under.Position().X, f.under.Size().Width, from, to)
	}
	if now := f.object().MinSize().Height + f.second().MinSize().Height; now != height {
		t.Errorf("the fault makes the bar %v high, was %v", now, height)
	}
	f.setText("kind:request dur>fast " + strings.Repeat("word ", 200))
	if f.under.Visible() || !strings.HasPrefix(f.fault.Text, "fast: ") {
		t.Errorf("in a text wider than the field: underlined %v, %q", f.under.Visible(), f.fault.Text)
	}
	if f.fault.Size().Width > f.below.Size().Width {
		t.Error("the sentence is wider than its room")
	}
	f.setText("")
	width := f.object().MinSize().Width
	f.focus()
	test.Type(f.field, "kind:req tool") // a fault, and offers for what is typed
	p.flushRows()
	if now := f.object().MinSize().Width; now > width+30 { // the counts may have a digit more
		t.Errorf("a fault makes the bar %v wide, was %v", now, width)
	}
	f.setText("kind:request")
	if f.under.Visible() || f.fault.Visible() || !f.strip.Visible() {
		t.Error("the fault stays although it is mended")
	}
}

func TestChipsShowAndChangeTheText(t *testing.T) {
	_, p := recordedDesk(t)
	f := p.time.filter
	chips := map[string]*chip{}
	for _, c := range f.chips {
		chips[c.label] = c
	}
	test.Tap(chips["Requests"])
	chips["HTTP"].FocusGained()
	chips["HTTP"].TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
	if f.text() != "kind:request|http|sse" || chips["HTTP"].state != view.ChipOn || chips["HTTP"].text.Text != "✓ HTTP" {
		t.Fatalf("%q, HTTP is %d %q", f.text(), chips["HTTP"].state, chips["HTTP"].text.Text)
	}
	chips["stderr"].TappedSecondary(nil)
	if f.text() != "kind:request|http|sse -kind:stderr" || chips["stderr"].text.Text != "− stderr" {
		t.Errorf("%q, stderr shows %q", f.text(), chips["stderr"].text.Text)
	}
	size := chips["stderr"].MinSize()
	f.setText("is:error")
	if chips["Errors"].state != view.ChipOn || chips["Requests"].state != view.ChipOff || chips["stderr"].MinSize() != size {
		t.Error("the chips do not follow the text, or change their size")
	}
	chips["Errors"].TypedRune('-')
	if f.text() != "-is:error" {
		t.Errorf("minus: %q", f.text())
	}
}

func TestFiltersAreKeptFromTheMenu(t *testing.T) {
	d, p := recordedDesk(t)
	f := p.time.filter
	find := func(label string) *fyne.MenuItem {
		t.Helper()
		for _, item := range f.menuItems() {
			if item.Label == label {
				return item
			}
		}
		t.Fatalf("no %q in the menu", label)
		return nil
	}
	if !find("Save this filter …").Disabled {
		t.Error("an empty filter can be saved")
	}
	f.setText("dur>1s")
	find("Save this filter …").Action()
	entry, _ := d.win.Canvas().Focused().(*keyedEntry)
	if entry == nil {
		t.Fatalf("the name is not asked for: focus on %T", d.win.Canvas().Focused())
	}
	test.Type(entry, "slow")
	press(entry, fyne.KeyReturn)
	if saved := d.store.Get().Filters.Saved; len(saved) != 1 || saved[0].Name != "slow" || saved[0].Text != "dur>1s" {
		t.Fatalf("saved %q", saved)
	}
	f.setText("")
	find("slow").Action()
	if f.text() != "dur>1s" || !find("slow").Checked {
		t.Errorf("chosen: %q", f.text())
	}
	find("Rename").ChildMenu.Items[0].Action()
	entry = d.win.Canvas().Focused().(*keyedEntry)
	entry.SetText("very slow")
	press(entry, fyne.KeyReturn)
	find("very slow")
	find("Delete").ChildMenu.Items[0].Action()
	if dialog := d.win.Canvas().Overlays().Top(); dialog == nil || !strings.Contains(texts(dialog), "very slow") {
		t.Error("deleting is not asked about")
	}
	d.closeDialog()
	find("Forget the recent ones").Action()
	if got := d.store.Get().Filters.Recent; len(got) != 0 {
		t.Errorf("recent %q", got)
	}
}

func TestFindStepsWithoutHidingRows(t *testing.T) {
	d, p := recordedDesk(t)
	log := p.conn.Log()
	first := log.Len() + 1
	for i := range 40 {
		text := "hay"
		if i%10 == 0 {
			text = "Needle"
		}
		log.Append(recorder.Event{Dir: recorder.In, Kind: recorder.KindStderr, Channel: "stdio", Data: []byte(fmt.Sprintf("%s %d\n", text, i))})
	}
	p.flushRows()
	rows := p.time.list.Count()
	b := p.time.find
	b.focus()
	test.Type(b.field, "needle")
	d.await("the first place", func() bool { return p.time.line.Selected() == first })
	d.await("the count", func() bool { return b.count.Text == "1 of 4" })
	if p.time.list.Count() != rows {
		t.Errorf("%d rows, were %d", p.time.list.Count(), rows)
	}
	press(b.field, fyne.KeyReturn)
	press(b.field, fyne.KeyF3)
	if got := p.time.line.Selected(); got != first+20 || b.count.Text != "3 of 4" {
		t.Errorf("after two steps on %d, %q", got, b.count.Text)
	}
	b.step(-1)
	if got := p.time.line.Selected(); got != first+10 {
		t.Errorf("back on %d", got)
	}
	p.time.list.TypedKey(&fyne.KeyEvent{Name: fyne.KeyF3})
	if got := p.time.line.Selected(); got != first+20 {
		t.Errorf("F3 in the rows went to %d", got)
	}
	if !b.has(first) || b.has(first+1) {
		t.Error("the rows that hold the text are not told apart")
	}
	press(b.field, fyne.KeyEscape)
	if b.count.Text != "" || !b.next.Disabled() || b.has(first) {
		t.Errorf("after Escape: %q", b.count.Text)
	}
}

// The hint of the empty field has the room that it needs: more would be drawn with
// a scroll bar over it.
func TestFilterHintFitsTheField(t *testing.T) {
	_, p := recordedDesk(t)
	f := p.time.filter.field
	left, pad := f.left()
	for _, width := range []float32{900, 400, 250, 100, 20} {
		f.Resize(fyne.NewSize(width, 36))
		need := left + 2*pad + fyne.MeasureText(f.PlaceHolder, fynetheme.Size(fynetheme.SizeNameText), f.TextStyle).Width
		if f.PlaceHolder != "" && need >= width {
			t.Errorf("%q needs %v of %v", f.PlaceHolder, need, width)
		}
	}
	f.Resize(fyne.NewSize(900, 36))
	if f.PlaceHolder != filterHints[0] {
		t.Errorf("in a wide field it is %q", f.PlaceHolder)
	}
}
