package ui

import (
	"context"
	"fmt"
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/session"
	"mcploupe/ui/settings"
	"mcploupe/ui/theme"
	"mcploupe/ui/view"
	"mcploupe/ui/view/human"
	"mcploupe/ui/view/safe"
	"mcploupe/ui/widget"
)

// runStrip says which calls are running, in the room beside the tabs of a
// connection, which nothing else needs: it comes and goes without moving
// anything. The oldest call has it, a click opens the board of all.
type runStrip struct {
	page *connPage
	runs view.Runs
	root *fyne.Container

	line  *fyne.Container
	count *badgeRow
	title *widget.Button
	share *shareBar
	words *cutLabel
	stop  *widget.Button
	more  *widget.Button
	board *runBoard
	armed bool // something will look again by itself
}

// runWidth is the width of the strip, whatever is said in it. The name of the call
// has more of it where little else is told, in runes.
const (
	runWidth      = 460
	runTitle      = 16
	runTitleAlone = 28
)

func newRunStrip(p *connPage) *runStrip {
	s := &runStrip{page: p, count: newBadgeRow(), share: newShareBar()}
	s.title = quiet("", nil, func() { s.show(s.first()) })
	s.words = newCutLabel(p.u.tip, "")
	s.stop = quiet("", fynetheme.CancelIcon(), func() { s.page.cancelCalls(s.first().Key) })
	s.more = quiet("", fynetheme.MenuDropDownIcon(), func() { s.open(0) })
	s.line = widget.Border(nil, nil,
		container.NewHBox(container.NewCenter(s.count), s.title, container.New(&thinLayout{}, s.share)),
		container.NewHBox(s.stop, s.more), s.words)
	s.root = container.New(&columnWidth{runWidth}, s.line)
	s.root.Hide()
	return s
}

func (s *runStrip) object() fyne.CanvasObject { return s.root }

// first is the call that the strip has room for.
func (s *runStrip) first() view.RunRow {
	if rows := s.runs.Rows(); len(rows) > 0 {
		return rows[0]
	}
	return view.RunRow{}
}

// row makes the row of a call for the place of its result.
func (s *runStrip) row(c session.CallState) view.RunRow {
	return s.runs.Row(c, s.page.conn.State(), s.page.u.cfg.now())
}

// take takes in what changed, whether the page is in sight or not.
func (s *runStrip) take() {
	s.runs.Take(s.page.conn.Session(), s.page.conn.State(), s.page.u.cfg.now())
}

// refresh shows what is running.
func (s *runStrip) refresh() {
	rows := s.runs.Rows()
	hidden := len(rows) == 0
	if s.root.Hidden != hidden {
		s.root.Hidden = hidden
		s.page.root.Refresh()
	}
	if s.board != nil {
		s.board.refresh(rows)
	}
	s.arm()
	if hidden {
		return
	}
	r := rows[0]
	count := "running"
	if len(rows) > 1 {
		count = human.Count(len(rows)) + " running"
	}
	if len(s.count.shows) == 0 || s.count.shows[0].Text != count {
		s.count.set([]view.Badge{{Text: count, Tone: view.Caution}})
	}
	room := runTitle
	if r.State == "" && r.Count == "" && r.Message == "" {
		room = runTitleAlone
	}
	if title := safe.Line(r.Title, room); s.title.Text != title {
		s.title.SetText(title)
	}
	told := s.share.Visible()
	s.share.set(r)
	if told != r.Total {
		s.line.Refresh() // the words make room for the bar, or get it back
	}
	words := ""
	for _, w := range r.Words() {
		if words != "" {
			words += " · "
		}
		words += w
	}
	setText(&s.words.Label, words)
}

// arm looks again when time alone changes what is shown, while it is in sight.
func (s *runStrip) arm() {
	next := s.runs.Next()
	if s.armed || next == 0 || !s.page.visible {
		return
	}
	s.armed = true
	s.page.conn.Go(func(ctx context.Context) {
		over, release := s.page.u.cfg.Clock.NewTimer(next)
		defer release()
		select {
		case <-over:
		case <-ctx.Done():
			return
		}
		s.page.u.cfg.Do(func() {
			s.armed = false
			if s.page.visible {
				s.page.flush()
			}
		})
	})
}

// show shows what the call was made from, or the call itself.
func (s *runStrip) show(r view.RunRow) {
	if r.Key == 0 {
		return
	}
	if !s.page.showCall(r.Method, r.Name) {
		s.page.showEvent(r.Seq)
	}
}

// open shows the board of all running calls below the strip, with a call
// selected; 0 is the oldest.
func (s *runStrip) open(key uint64) {
	if s.board == nil {
		s.board = newRunBoard(s)
	}
	s.board.open(key)
}

// cancelCalls gives calls up with the reason that was given last.
func (p *connPage) cancelCalls(keys ...uint64) {
	sess := p.conn.Session()
	if sess == nil {
		return
	}
	reason := p.u.cfg.Settings.Get().CancelReason
	for _, key := range keys {
		sess.CancelCall(key, reason)
	}
	p.flush()
}

// cancelRunning gives up all calls that are listed as running.
func (p *connPage) cancelRunning() {
	if p.nothingRuns() {
		return
	}
	var keys []uint64
	for _, r := range p.running.runs.Rows() {
		keys = append(keys, r.Key)
	}
	p.cancelCalls(keys...)
	p.u.notes.notify("Cancelled " + human.Plural(len(keys), "call", "calls"))
}

// showRunning opens the board of what runs, from its oldest call on.
func (p *connPage) showRunning() {
	if !p.nothingRuns() {
		p.running.open(0)
	}
}

// nothingRuns says so, if it is so.
func (p *connPage) nothingRuns() bool {
	none := len(p.running.runs.Rows()) == 0
	if none {
		p.u.notes.notify("No call is running on this connection")
	}
	return none
}

// showTask shows a task on the board.
func (p *connPage) showTask(key uint64) {
	for i, pane := range p.panes {
		if board, ok := pane.(*tasksPane); ok {
			p.showPane(i)
			board.ShowTask(key)
			return
		}
	}
}

// keepReason remembers the reason for cancellations.
func (p *connPage) keepReason(reason string) {
	if reason != p.u.cfg.Settings.Get().CancelReason {
		p.u.update(func(s *settings.Settings) { s.CancelReason = reason })
	}
}

// columnWidth gives its object a width.
type columnWidth struct{ width float32 }

// Layout implements fyne.Layout.
func (l *columnWidth) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		o.Resize(size)
		o.Move(fyne.NewPos(0, 0))
	}
}

// MinSize implements fyne.Layout.
func (l *columnWidth) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var height float32
	for _, o := range objects {
		height = max(height, o.MinSize().Height)
	}
	return fyne.NewSize(l.width, height)
}

// thinLayout centres a bar in height, and takes no room for one that is hidden.
type thinLayout struct{}

// Layout implements fyne.Layout.
func (thinLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		o.Resize(fyne.NewSize(size.Width, shareHeight))
		o.Move(fyne.NewPos(0, (size.Height-shareHeight)/2))
	}
}

// MinSize implements fyne.Layout.
func (thinLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	if len(objects) == 0 || !objects[0].Visible() {
		return fyne.NewSize(0, shareHeight)
	}
	return fyne.NewSize(70, shareHeight)
}

const shareHeight = 6

// shareBar is a thin bar of how much is done. It is hidden while that is not
// known.
type shareBar struct {
	widget.BaseWidget
	share       float64
	ground, bar *canvas.Rectangle
}

func newShareBar() *shareBar {
	b := &shareBar{ground: canvas.NewRectangle(color.Transparent), bar: canvas.NewRectangle(color.Transparent)}
	b.ground.CornerRadius, b.bar.CornerRadius = shareHeight/2, shareHeight/2
	b.ExtendBaseWidget(b)
	b.Hide()
	return b
}

// set shows how much of a call is done.
func (b *shareBar) set(r view.RunRow) {
	setHidden(b, !r.Total)
	if b.share != r.Share {
		b.share = r.Share
		b.Refresh()
	}
}

// CreateRenderer implements fyne.Widget.
func (b *shareBar) CreateRenderer() fyne.WidgetRenderer {
	r := &shareRenderer{b}
	r.Refresh()
	return r
}

type shareRenderer struct{ b *shareBar }

func (r *shareRenderer) Destroy()           {}
func (r *shareRenderer) MinSize() fyne.Size { return fyne.NewSize(40, shareHeight) }
func (r *shareRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.b.ground, r.b.bar}
}

func (r *shareRenderer) Layout(size fyne.Size) {
	r.b.ground.Resize(fyne.NewSize(size.Width, shareHeight))
	r.b.bar.Resize(fyne.NewSize(size.Width*float32(r.b.share), shareHeight))
}

func (r *shareRenderer) Refresh() {
	r.b.ground.FillColor, r.b.bar.FillColor = theme.Color(fynetheme.ColorNameInputBorder), theme.Color(fynetheme.ColorNamePrimary)
	r.Layout(r.b.Size())
	canvas.Refresh(r.b)
}

// showRun shows how a call is going or how it ended. turn is the outcome that is
// shown already, 0 for none; it returns the one that is shown now.
func (r *resultView) showRun(run *view.Running, turn int) int {
	now := run.Turn()
	out, over := run.Outcome()
	switch {
	case !over:
		r.setPending(run.State(), func() { run.Cancel(r.env.Settings.Get().CancelReason) })
		return 0
	case now != turn:
		r.setOutcome(out, run.State().Name)
	}
	return now
}

// pendingText says below the head of a running call what there is to know of it:
// what the server asks, its task, and what is odd about its progress.
func (r *resultView) pendingText(c session.CallState, row view.RunRow) string {
	text := ""
	if asks := view.Questions(c); asks != "" {
		text = "Before it goes on the server wants to know (see Requests):\n\n" + asks + "\n\n"
	}
	if t, ok := view.TaskOf(r.env.state(), c.Task); ok {
		for _, f := range view.TaskPhase(t, r.env.Now()) {
			text += f.Label + ": " + f.Value + "\n"
		}
		if c.Immediate != "" {
			text += "\nMeanwhile the server says:\n" + safe.Text(c.Immediate, 4<<10) + "\n"
		}
	}
	for _, f := range row.Reports {
		text += fmt.Sprintf("%s %s  %s  (event %s)\n", f.Severity, safe.Line(f.Rule, 40), safe.Line(f.Text, 300), human.Count(f.Seq))
	}
	return text
}
