package ui

import (
	"context"
	"errors"
	"slices"
	"sync"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/ui/view"
	"mcploupe/ui/view/safe"
	"mcploupe/ui/widget"
)

// comparePage is the tab of a comparison: the choice of two sides, then the
// changes between them, both beside each other, and the texts.
type comparePage struct {
	u       *UI
	sides   [2]view.CompareSide
	options view.CompareOptions

	root *fyne.Container
	head *compareHead
	pick *comparePick
	wait *compareWait
	body *compareBody

	pair   *comparedPair // what was read last, nil before
	result *view.Comparison
	turn   int // of comparisons: a late one is dropped
	busy   bool
	remake func() // starts the servers again that are to be compared, nil when they were recorded
	ctx    context.Context
	cancel context.CancelFunc // of all that the page does
	stop   context.CancelFunc // of the comparison that runs
	work   sync.WaitGroup

	mu   sync.Mutex
	came map[int]*compareOutcome // by turn, until somebody takes it
}

// comparedPair are two sides that were read and whoever reads in them.
type comparedPair struct {
	sides [2]*view.ComparedSide
	users sync.WaitGroup
}

// close waits for the readers and closes the recordings.
func (c *comparedPair) close() error {
	if c == nil {
		return nil
	}
	c.users.Wait()
	err := c.sides[0].Close()
	if c.sides[1] != c.sides[0] {
		err = errors.Join(err, c.sides[1].Close())
	}
	return err
}

// compareOutcome is what came of a comparison.
type compareOutcome struct {
	pair   *comparedPair
	result *view.Comparison
	shown  *compareShown
	rules  []view.CompareRule
	err    error
}

func newComparePage(u *UI) *comparePage {
	p := &comparePage{u: u, stop: func() {}, came: map[int]*compareOutcome{}}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	p.head = newCompareHead(p)
	p.pick = newComparePick(p)
	p.wait = newCompareWait(p)
	p.body = newCompareBody(p)
	p.root = container.NewStack(p.pick.root)
	return p
}

func (p *comparePage) tab() stripTab {
	tab := stripTab{Glyph: "⇄", Tone: view.Muted, Text: "Compare", Closes: true}
	if !p.sides[0].IsZero() && !p.sides[1].IsZero() {
		tab.Text = view.PairTitle(safe.Line(p.name(0), 80), safe.Line(p.name(1), 80), 14)
		tab.Whole = p.name(0) + " ⇄ " + p.name(1)
	}
	switch {
	case p.busy:
		tab.Glyph = view.Connecting.Glyph()
	case p.wait.failed:
		tab.Glyph, tab.Tone = view.Failed.Glyph(), view.Bad
	}
	return tab
}

func (p *comparePage) object() fyne.CanvasObject { return p.root }

func (p *comparePage) shown() {
	if p.choosing() {
		p.pick.refresh()
	}
}

func (p *comparePage) hidden() {}

// drop gives up what is on its way and closes the recordings.
func (p *comparePage) drop() error {
	p.cancel()
	p.work.Wait()
	var err error
	p.mu.Lock()
	for _, o := range p.came {
		if o.pair != p.pair {
			err = errors.Join(err, o.pair.close())
		}
	}
	p.mu.Unlock()
	return errors.Join(err, p.pair.close())
}

// choosing reports whether the sides are still to be chosen.
func (p *comparePage) choosing() bool {
	return len(p.root.Objects) == 1 && p.root.Objects[0] == p.pick.root
}

// show puts one of the states of the page on the screen.
func (p *comparePage) show(o fyne.CanvasObject) {
	if len(p.root.Objects) == 1 && p.root.Objects[0] == o {
		return
	}
	p.root.Objects = []fyne.CanvasObject{o}
	p.root.Refresh()
}

// showWait shows how far the work is, or why it failed. It takes the keyboard from
// lists that are not to be seen any more.
func (p *comparePage) showWait() {
	p.show(p.wait.root)
	if p.u.current() == page(p) && len(p.u.dialogs) == 0 {
		p.u.win.Canvas().Focus(p.wait.buttons.Objects[0].(fyne.Focusable))
	}
}

// choose shows the choice of the sides.
func (p *comparePage) choose() {
	p.remake = nil
	p.pick.refresh()
	p.show(p.pick.root)
	p.pick.focus()
}

// setSide takes another side and compares when both are there.
func (p *comparePage) setSide(i int, s view.CompareSide) {
	p.sides[i] = s
	p.start()
}

// start reads both sides and compares them.
func (p *comparePage) start() {
	if p.remake != nil {
		p.remake()
		return
	}
	if p.sides[0].IsZero() || p.sides[1].IsZero() {
		p.choose()
		return
	}
	p.run(true)
}

// reload reads both sides again.
func (p *comparePage) reload() {
	if !p.choosing() {
		p.start()
	}
}

// swap puts each side in the place of the other.
func (p *comparePage) swap() {
	p.sides[0], p.sides[1] = p.sides[1], p.sides[0]
	if p.choosing() {
		p.pick.refresh()
		return
	}
	if p.pair != nil && !p.busy {
		p.pair.sides[0], p.pair.sides[1] = p.pair.sides[1], p.pair.sides[0]
		p.run(false)
		return
	}
	p.start()
}

// again compares with other options what was read.
func (p *comparePage) again() {
	p.run(p.pair == nil || !p.pair.sides[0].Same(p.sides[0]) || !p.pair.sides[1].Same(p.sides[1]))
}

// run compares in the background; reread reads the sides first.
func (p *comparePage) run(reread bool) {
	p.stop()
	ctx, stop := context.WithCancel(p.ctx)
	p.stop = stop
	p.turn++
	turn, sides, pair, options := p.turn, p.sides, p.pair, p.options
	options.Rules = slices.Clone(options.Rules)
	if reread {
		pair = nil
	} else {
		pair.users.Add(1)
	}
	p.busy = true
	p.head.refresh()
	p.wait.begin()
	if p.result == nil || reread && !p.same(sides) {
		p.result = nil
		p.showWait()
	}
	like := p.body.now
	meter := p.u.newMeter(p.wait.at)
	p.work.Go(func() {
		defer stop()
		o := &compareOutcome{pair: pair}
		if pair == nil {
			o.pair, o.err = readPair(ctx, sides, meter)
		} else {
			defer pair.users.Done()
		}
		if o.err == nil {
			o.result, o.err = view.Compare(ctx, o.pair.sides[0], o.pair.sides[1], &options, meter.at)
		}
		if o.err == nil {
			o.rules = options.Rules
			o.shown = newCompareShown(o.result, like)
		}
		meter.close()
		p.mu.Lock()
		p.came[turn] = o
		p.mu.Unlock()
		p.u.cfg.Do(func() { p.ended(turn) })
	})
	p.u.refreshTabs()
}

// same reports whether the sides are those of the result.
func (p *comparePage) same(sides [2]view.CompareSide) bool {
	return p.result != nil && p.result.A.CompareSide.Same(sides[0]) && p.result.B.CompareSide.Same(sides[1])
}

// name is what a side is called, with what is known since it was read.
func (p *comparePage) name(i int) string {
	if p.same(p.sides) {
		return []string{p.result.A.Name, p.result.B.Name}[i]
	}
	return p.sides[i].Title()
}

// readPair reads both sides; each is half of the work. One thing on both is read
// once: a connection would say more at each reading.
func readPair(ctx context.Context, sides [2]view.CompareSide, m *meter) (*comparedPair, error) {
	pair := &comparedPair{}
	for i, s := range sides {
		if i == 1 && s.Same(sides[0]) {
			pair.sides[1] = pair.sides[0]
			break
		}
		side, err := view.ReadSide(ctx, s, func(done, total int64) {
			m.at(uint64(max(done, 0))+uint64(i)*uint64(max(total, 0)), 2*uint64(max(total, 0)))
		})
		if err != nil {
			return nil, errors.Join(err, pair.close())
		}
		pair.sides[i] = side
	}
	return pair, nil
}

// ended shows the outcome of a comparison.
func (p *comparePage) ended(turn int) {
	p.mu.Lock()
	o := p.came[turn]
	delete(p.came, turn)
	p.mu.Unlock()
	if o == nil {
		return // the page was closed
	}
	if turn != p.turn || p.ctx.Err() != nil {
		p.retire(o.pair)
		return
	}
	p.busy = false
	if o.err != nil {
		p.retire(o.pair)
		p.failed(o.err)
		return
	}
	if p.pair != o.pair {
		old := p.pair
		p.pair = o.pair
		p.body.forget()
		p.retire(old)
	}
	p.result, p.options.Rules = o.result, o.rules
	p.wait.end()
	p.head.refresh()
	fresh := p.root.Objects[0] != p.body.root
	p.show(p.body.root) // its lists have a size from here on
	p.body.set(o.result, o.shown)
	p.u.tour.compared()
	if fresh && p.u.current() == page(p) && len(p.u.dialogs) == 0 {
		p.u.win.Canvas().Focus(p.body.list)
	}
	p.u.refreshTabs()
}

// retire closes recordings in the background that are not the page's any more.
func (p *comparePage) retire(pair *comparedPair) {
	if pair == nil || pair == p.pair {
		return
	}
	p.work.Go(func() { _ = pair.close() }) // they were only read
}

// failed says why nothing can be shown.
func (p *comparePage) failed(err error) {
	if errors.Is(err, context.Canceled) && p.result != nil && p.same(p.sides) {
		p.wait.end()
		p.head.refresh()
		p.u.refreshTabs()
		p.u.notes.notify("Cancelled: what is shown is from before")
		return
	}
	p.result = nil
	p.wait.fail(err)
	p.head.refresh()
	p.showWait()
	p.u.refreshTabs()
}

// compareWait is what the page shows while there is no result: how far the work
// is, or why it failed.
type compareWait struct {
	p       *comparePage
	root    fyne.CanvasObject
	title   *widget.Label
	why     *widget.Label
	bar     *widget.ProgressBar
	buttons *fyne.Container
	failed  bool
}

func newCompareWait(p *comparePage) *compareWait {
	w := &compareWait{p: p, title: heading(""), why: widget.NewLabel(""), bar: widget.NewProgressBar(), buttons: container.NewHBox()}
	w.why.Wrapping, w.why.Selectable = fyne.TextWrapWord, true
	w.root = container.New(&columnLayout{max: 760}, container.NewVBox(spacer(40), w.title, w.why, w.bar, w.buttons))
	return w
}

// at shows how far the work is.
func (w *compareWait) at(share float64) {
	if w.p.busy {
		w.bar.SetValue(share)
		w.p.head.at(share)
	}
}

func (w *compareWait) begin() {
	w.failed = false
	w.title.SetText("Comparing")
	setOrHide(w.why, safe.Line(w.p.sides[0].Title(), 80)+"  with  "+safe.Line(w.p.sides[1].Title(), 80))
	w.bar.SetValue(0)
	setHidden(w.bar, false)
	w.setButtons(pageButton{"Cancel", fynetheme.CancelIcon(), func() { w.p.stop() }})
}

func (w *compareWait) end() { w.failed = false }

func (w *compareWait) fail(err error) {
	w.failed = true
	setHidden(w.bar, true)
	text := "The comparison failed"
	why := safe.Text(err.Error(), 4<<10)
	var open *view.OpenError
	switch {
	case errors.Is(err, context.Canceled):
		text, why = "Cancelled", "Nothing was compared."
	case errors.As(err, &open):
		text, why = open.Title, open.Why+" "+open.Advice
	}
	w.title.SetText(text)
	setOrHide(w.why, why)
	w.setButtons(pageButton{"Try again", fynetheme.ViewRefreshIcon(), w.p.start},
		pageButton{"Choose others", fynetheme.NavigateBackIcon(), w.p.choose})
}

func (w *compareWait) setButtons(buttons ...pageButton) {
	w.buttons.RemoveAll()
	for i, b := range buttons {
		button := widget.NewButtonWithIcon(b.text, b.icon, b.do)
		if i == 0 && len(buttons) > 1 {
			button.Importance = widget.HighImportance
		}
		w.buttons.Add(button)
	}
	w.buttons.Refresh()
}
