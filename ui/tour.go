package ui

import (
	"image/color"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/assets"
	"mcploupe/protocol"
	"mcploupe/ui/settings"
	"mcploupe/ui/theme"
	"mcploupe/ui/view"
	"mcploupe/ui/widget"
)

// tourBar leads through the first five minutes: a bar below the head of the
// window that says what to do next and sees when it is done. It is there only
// while someone is on the way.
type tourBar struct {
	u    *UI
	root *fyne.Container

	tour    view.Tour
	on      bool
	opening bool // the samples are being written
	head    *widget.Label
	marks   *widget.Label
	text    *widget.Label
	show    *widget.Button
	skip    *widget.Button
}

func newTourBar(u *UI) *tourBar {
	b := &tourBar{u: u, head: widget.NewLabel(""), marks: widget.NewLabel(""), text: widget.NewLabel("")}
	b.head.TextStyle.Bold = true
	b.marks.Importance = widget.LowImportance
	b.text.Wrapping = fyne.TextWrapWord
	b.show = widget.NewButton("", b.take)
	b.show.Importance = widget.HighImportance
	b.skip = quiet("Skip this", nil, func() {
		b.tour.Skip()
		b.keep()
		b.refresh()
	})
	end := quiet("End", fynetheme.CancelIcon(), b.stop)
	back := newGround(func() color.Color { return theme.Tint(toneColor(view.Good)) })
	room := &tourLayout{wide: func() float32 { return u.win.Canvas().Size().Width }}
	b.root = container.NewStack(back, container.New(room, container.NewHBox(b.marks, b.head), b.text, container.NewHBox(b.show, b.skip, end)))
	b.root.Hide()
	return b
}

// tourLayout sets the head over the text, with the buttons to their right. The
// bar is as wide as the window, so it knows at once how many lines the text has.
type tourLayout struct{ wide func() float32 }

// Layout implements fyne.Layout.
func (l *tourLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	head, text, buttons := objects[0], objects[1], objects[2]
	least := buttons.MinSize()
	left := max(size.Width-least.Width, 0)
	head.Resize(fyne.NewSize(left, head.MinSize().Height))
	head.Move(fyne.NewPos(0, 0))
	y := head.Size().Height - factTuck()
	text.Resize(fyne.NewSize(left, size.Height-y))
	text.Move(fyne.NewPos(0, y))
	buttons.Resize(least)
	buttons.Move(fyne.NewPos(left, (size.Height-least.Height)/2))
}

// MinSize implements fyne.Layout.
func (l *tourLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	head, text, buttons := objects[0].MinSize(), objects[1], objects[2].MinSize()
	text.Resize(fyne.NewSize(max(l.wide()-buttons.Width, head.Width), text.Size().Height))
	return fyne.NewSize(head.Width+buttons.Width, max(head.Height-factTuck()+text.MinSize().Height, buttons.Height))
}

// start begins the way, or shows where it was left.
func (b *tourBar) start() {
	if b.tour.At() == view.TourOver {
		b.tour = view.Tour{}
	}
	if b.tour == (view.Tour{}) {
		_, kept, _ := strings.Cut(b.u.cfg.Settings.Get().Tour, " ")
		b.tour = view.TourFrom(kept)
	}
	b.on = true
	b.keep()
	b.u.start.refresh()
	b.look()
	b.refresh()
}

// stop ends it for good: it comes back only when it is asked for.
func (b *tourBar) stop() {
	b.on = false
	b.mark(settings.TourOver)
	b.u.start.refresh()
	b.refresh()
}

// keep remembers how far it is.
func (b *tourBar) keep() { b.mark(settings.TourRunning + " " + b.tour.Kept()) }

func (b *tourBar) mark(state string) {
	if b.u.cfg.Settings.Get().Tour != state {
		b.u.update(func(s *settings.Settings) { s.Tour = state })
	}
}

// look takes in what the connections show.
func (b *tourBar) look() {
	if !b.on || b.tour.At() == view.TourOver {
		return
	}
	moved := false
	for _, c := range b.u.conns() {
		phase, _ := c.Phase()
		moved = b.tour.See(c.State(), phase.Live()) || moved
	}
	if moved {
		b.keep()
		b.refresh()
	}
}

// compared takes in that a comparison is shown.
func (b *tourBar) compared() {
	if b.on {
		b.tour.Pass(view.TourCompare)
		b.keep()
		b.refresh()
	}
}

func (b *tourBar) refresh() {
	if b.on {
		b.head.SetText(b.tour.Head())
		b.marks.SetText(b.tour.Marks())
		b.text.SetText(b.tour.Text())
		b.show.SetText(b.tour.Offer())
		setHidden(b.skip, b.tour.At() == view.TourOver)
		if b.tour.At() == view.TourOver {
			b.mark(settings.TourOver)
		}
	}
	setHidden(b.root, !b.on)
	b.u.win.Content().Refresh() // the words have other widths, and perhaps a line more
}

// take does what the step is about as far as a program can, and leaves the rest
// to the person.
func (b *tourBar) take() {
	step := b.tour.At()
	if step == view.TourOver {
		b.stop()
		b.u.openHelp("start", "")
		return
	}
	if step == view.TourCompare {
		b.compare()
		return
	}
	p := b.live()
	if p == nil {
		b.u.tryDemo()
		return
	}
	b.u.show(p)
	switch step {
	case view.TourCall:
		b.showTool(p, view.TourTool)
	case view.TourAnswer:
		if asks, ok := view.AskBarOf(p.conn.State()); ok && asks.First != 0 {
			p.showAsk(asks.First)
			return
		}
		b.showTool(p, view.TourAskTool)
	case view.TourWatch:
		p.env.watch(p.conn, view.TourResource)
		p.showWatch(view.TourResource)
	}
}

func (b *tourBar) showTool(p *connPage, name string) {
	if !p.showCall(protocol.MethodToolsCall, name) {
		b.u.notes.notify("This server has no tool " + name + "; any other does as well.")
		return
	}
	p.showListed(protocol.MethodToolsCall, view.EntryKey(name))
}

// live is the connection to go on with: the one in front, or the demo, or any.
func (b *tourBar) live() *connPage {
	if c := b.u.currentConn(); c != nil && c.conn != nil {
		if phase, _ := c.conn.Phase(); phase.Live() {
			return c
		}
	}
	var found *connPage
	for _, c := range b.u.conns() {
		phase, _ := c.Phase()
		if p := b.u.pageOf(c); p != nil && phase.Live() && (found == nil || b.u.isDemo(c.Server().Target)) {
			found = p
		}
	}
	return found
}

// compare writes the sample recordings and compares them.
func (b *tourBar) compare() {
	if b.opening {
		return
	}
	b.opening = true
	dir := filepath.Join(b.u.recordingDir(), "samples")
	b.u.work.Go(func() {
		paths, err := assets.PutSamples(dir)
		b.u.cfg.Do(func() {
			b.opening = false
			if err != nil {
				b.u.fail("The sample recordings could not be written", err)
				return
			}
			b.u.compareRecordings(paths[0], paths[1])
		})
	})
}
