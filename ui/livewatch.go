package ui

import (
	"context"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/session"
	"mcploupe/ui/difftext"
	"mcploupe/ui/rows"
	"mcploupe/ui/theme"
	"mcploupe/ui/view"
	"mcploupe/ui/view/human"
	"mcploupe/ui/view/safe"
	"mcploupe/ui/widget"
)

// watchView shows watched resources: what is in them, and on every update what
// changed, with a history to step through.
type watchView struct {
	conn *view.Conn
	env  *Env
	root fyne.CanvasObject

	list    *rows.View
	shown   []view.WatchRow
	chosen  uint64
	uri     *widget.Entry
	steps   []view.WatchStep
	history *rows.View
	at      int  // number of the read that is looked at
	newest  bool // the newest read is followed

	title, says            *widget.Label
	back, next, last       *widget.Button
	again, stop, subscribe *widget.Button
	locate                 *widget.Button
	strip                  *tabStrip
	tab                    int
	change                 view.WatchChange
	stage                  *fyne.Container
	diff                   *difftext.Box
	content                *partPage
	pictures               *picturePair
	message                *widget.Label
	page, empty            fyne.CanvasObject
	detail                 *fyne.Container

	want    watchWant // what is to be shown
	loaded  watchWant // what is shown
	loading bool
}

// watchWant names a state of a resource.
type watchWant struct {
	key   uint64
	first int // of the reads
	read  int
	seq   uint64
}

func newWatchView(c *view.Conn, env *Env) *watchView {
	v := &watchView{conn: c, env: env, newest: true, diff: difftext.NewBox(), content: newPartPage(env), pictures: newPicturePair(env)}
	v.list = rows.New(v.bind, nil)
	v.list.SetColumns(rows.Column{Title: "Resource", Min: 80}, rows.Column{Title: "", Width: 104, Align: fyne.TextAlignTrailing})
	v.list.SetPlaceholder("No resource is watched")
	v.list.OnSelect = func(i int) {
		if i >= 0 && i < len(v.shown) {
			v.choose(v.shown[i].Key)
			v.refresh()
		}
	}
	v.uri = widget.NewEntry()
	v.uri.SetPlaceHolder("Watch any URI")
	v.uri.OnSubmitted = func(string) { v.watchAny() }
	v.history = rows.New(v.bindStep, nil)
	v.history.SetColumns(rows.Column{Title: "", Width: 44, Align: fyne.TextAlignTrailing}, rows.Column{Title: "", Width: 96}, rows.Column{Title: "", Min: 80})
	v.history.SetPlaceholder("Not read yet")
	v.history.OnSelect = func(i int) {
		if i >= 0 && i < len(v.steps) {
			v.step(v.steps[i].Number)
		}
	}
	left := container.NewVSplit(
		widget.Border(widget.Border(nil, nil, nil, quiet("", fynetheme.ContentAddIcon(), v.watchAny), v.uri), nil, nil, nil, v.list),
		widget.Border(caption("History"), nil, nil, nil, v.history))
	env.splits.add("watched", left, 0.4)

	v.title, v.says = widget.NewLabel(""), widget.NewLabel("")
	v.title.TextStyle.Bold = true
	v.title.Truncation, v.says.Truncation = fyne.TextTruncateEllipsis, fyne.TextTruncateEllipsis
	v.says.Importance = widget.LowImportance
	v.back = quiet("", fynetheme.NavigateBackIcon(), func() { v.move(-1) })
	v.next = quiet("", fynetheme.NavigateNextIcon(), func() { v.move(1) })
	v.last = quiet("Newest", fynetheme.MediaSkipNextIcon(), v.toNewest)
	v.again = quiet("Read now", fynetheme.ViewRefreshIcon(), func() {
		if sess := v.conn.Session(); sess != nil {
			if err := sess.ReadWatch(v.chosen); err != nil {
				v.env.Fail("The resource was not read", err)
			}
		}
	})
	v.stop = quiet("Stop watching", fynetheme.MediaStopIcon(), func() {
		key := v.chosen
		env.withSession(c, "The watch was not ended in order", func(ctx context.Context, sess *session.Session) error {
			return view.StopWatching(ctx, sess, key)
		})
	})
	v.subscribe = quiet("Subscribe", fynetheme.ContentAddIcon(), func() {
		if w, ok := view.WatchOf(v.conn.State(), v.chosen); ok {
			v.env.watch(v.conn, w.URI)
		}
	})
	v.locate = quiet("In timeline", nil, func() { env.ShowEvent(v.change.Seq) })
	v.diff.View.OnCopy = func(text string) {
		env.Clipboard.SetContent(text)
		env.Notify("Copied")
	}
	v.message = widget.NewLabel("")
	v.message.Wrapping, v.message.Selectable = fyne.TextWrapWord, true
	v.strip = newTabStrip(v.showTab, nil)
	v.stage = container.NewStack()
	v.page = widget.Border(container.NewVBox(
		widget.Border(nil, nil, nil, container.NewHBox(v.subscribe, v.again, v.stop), v.title),
		widget.Border(nil, nil, container.NewHBox(v.back, v.next, v.last), v.locate, v.says),
		v.strip, widget.NewSeparator()), nil, nil, nil, v.stage)
	hint := widget.NewLabel("Watch a resource to see what changes in it: here, or with Watch at a resource.")
	hint.Importance = widget.LowImportance
	v.empty = container.NewCenter(hint)
	v.detail = container.NewStack(v.empty)
	split := container.NewHSplit(left, v.detail)
	env.splits.add("watch", split, listOffset)
	v.root = split
	return v
}

func (v *watchView) object() fyne.CanvasObject { return v.root }

// watch reads a resource whenever it changes and subscribes to it.
func (e *Env) watch(c *view.Conn, uri string) {
	e.withSession(c, "The resource is watched, but not subscribed to", func(ctx context.Context, sess *session.Session) error {
		return view.WatchAndSubscribe(ctx, sess, uri)
	})
}

func (v *watchView) watchAny() {
	if uri := v.uri.Text; uri != "" {
		v.env.watch(v.conn, uri)
		v.uri.SetText("")
	}
}

// choose looks at another resource, its newest state.
func (v *watchView) choose(key uint64) {
	if v.chosen != key {
		v.chosen, v.newest, v.steps = key, true, nil
	}
}

// refresh brings the lists up to date and shows what is to be looked at.
func (v *watchView) refresh() {
	st := v.conn.State()
	v.shown = view.WatchRows(st)
	if v.list.Count() != len(v.shown) {
		v.list.Reset(len(v.shown))
	} else {
		v.list.Invalidate()
	}
	at := -1
	for i, r := range v.shown {
		if r.Key == v.chosen {
			at = i
		}
	}
	if at < 0 && len(v.shown) > 0 {
		at = len(v.shown) - 1
		v.choose(v.shown[at].Key)
	}
	if v.list.Current() != at {
		v.list.Select(at)
	}
	w, ok := view.WatchOf(st, v.chosen)
	if !ok {
		v.steps = nil
		v.history.Reset(0)
		v.put(v.empty)
		return
	}
	v.setSteps(view.WatchSteps(w))
	row := v.shown[at]
	setText(v.title, row.URI)
	phase, _ := v.conn.Phase()
	setEnabled(v.again, phase.Live())
	setEnabled(v.stop, phase.Live())
	setHidden(v.subscribe, row.Told || !phase.Live())
	v.follow(w)
	v.put(v.page)
}

func (v *watchView) put(o fyne.CanvasObject) {
	if v.detail.Objects[0] != o {
		v.detail.Objects = []fyne.CanvasObject{o}
		v.detail.Refresh()
	}
}

// setSteps shows the history; what is looked at stays.
func (v *watchView) setSteps(steps []view.WatchStep) {
	if len(steps) == len(v.steps) && (len(steps) == 0 || steps[0].Number == v.steps[0].Number && v.history.Count() == len(steps)) {
		return
	}
	v.steps = steps
	row, hidden := v.history.Place()
	v.history.Reset(len(steps))
	if v.newest {
		v.history.ScrollEnd()
	} else {
		v.history.SetPlace(row, hidden)
	}
}

// index is the place of the read that is looked at, -1 when there is none.
func (v *watchView) index() int {
	if len(v.steps) == 0 {
		return -1
	}
	if v.newest {
		return len(v.steps) - 1
	}
	return min(max(v.at-v.steps[0].Number, 0), len(v.steps)-1)
}

// follow shows the read that is to be looked at.
func (v *watchView) follow(w session.Watch) {
	i := v.index()
	setEnabled(v.back, i > 0)
	setEnabled(v.next, i >= 0 && i+1 < len(v.steps))
	setEnabled(v.last, !v.newest)
	if v.history.Current() != i {
		v.history.Select(i)
	}
	text := view.UpdatesText(w.Updates, w.Folded)
	if i >= 0 {
		s := v.steps[i]
		v.at = s.Number
		text = "read " + human.Count(s.Number) + " of " + human.Count(v.steps[len(v.steps)-1].Number) + " · " + s.Why
		if s.Folded != "" {
			text += " · " + s.Folded
		}
		if w.Updates > 0 {
			text += " · of all: " + view.UpdatesText(w.Updates, w.Folded)
		}
		v.want = watchWant{w.Key, w.Gone, s.Number, s.Read.AnswerSeq}
		if v.want.key != v.loaded.key || v.want.read != v.loaded.read || v.want.seq != v.loaded.seq {
			v.load()
		}
	}
	setText(v.says, text)
}

func (v *watchView) move(by int) {
	if i := v.index() + by; i >= 0 && i < len(v.steps) {
		v.step(v.steps[i].Number)
	}
}

// step looks at a read.
func (v *watchView) step(number int) {
	v.at = number
	v.newest = len(v.steps) > 0 && number == v.steps[len(v.steps)-1].Number
	v.refresh()
}

func (v *watchView) toNewest() {
	v.newest = true
	v.refresh()
}

// load reads what is wanted from the recording in the background, one at a time:
// of states that come faster the newest counts.
func (v *watchView) load() {
	log, i := v.conn.Log(), v.index()
	if v.loading || log == nil || i < 0 {
		return
	}
	after := v.steps[i]
	var before *view.WatchStep
	for k := i - 1; k >= 0; k-- { // what could not be read is no state to compare with
		if !v.steps[k].Failed {
			before = &v.steps[k]
			break
		}
	}
	want := v.want
	v.loading = true
	v.env.Go(func(ctx context.Context) {
		change := view.LoadWatchChange(ctx, log, before, after)
		v.env.Do(func() {
			v.loading = false
			if ctx.Err() != nil {
				return
			}
			v.loaded, v.change = want, change
			v.showChange()
			v.env.Changed() // something newer may be wanted
		})
	})
}

// showChange makes a tab of each content, with the one that is looked at.
func (v *watchView) showChange() {
	var tabs []stripTab
	for _, p := range v.change.Pairs {
		name := ""
		if len(v.change.Pairs) > 1 {
			name = " · " + safe.Line(p.Label, stripRunes-10)
		}
		diff := stripTab{Text: "Changes" + name}
		if !p.Same && p.HasBefore {
			diff.Glyph, diff.Tone = "●", view.Caution
		}
		tabs = append(tabs, diff, stripTab{Text: "Content" + name})
	}
	v.tab = min(v.tab, max(len(tabs)-1, 0))
	v.strip.Set(tabs, v.tab)
	setHidden(v.strip, len(tabs) == 0)
	v.showTab(v.tab)
}

// showTab shows the change of a content, or the content.
func (v *watchView) showTab(i int) {
	v.tab = i
	var o fyne.CanvasObject = v.message
	if i/2 >= len(v.change.Pairs) {
		v.say(v.change.Err)
	} else {
		p := v.change.Pairs[i/2]
		switch {
		case i%2 == 1 && p.HasAfter:
			v.content.show(p.After)
			o = widget.Border(nil, nil, nil, nil, v.content.object())
		case i%2 == 1:
			v.say("This content is gone.")
		case p.Diff != nil:
			v.diff.Set(v.change.Title, p.Diff)
			o = v.diff.Object()
		case !p.HasBefore && len(v.steps) > 0 && v.index() == 0:
			v.say("This is the first read: there is nothing to compare with yet. The content is in the next tab.")
		case p.Before.Kind == view.PartImage || p.After.Kind == view.PartImage:
			v.pictures.set(p)
			o = v.pictures.object()
		case p.Same:
			v.say("The bytes are the same.")
		default:
			v.say("The bytes differ: " + strconv.Itoa(len(p.Before.Data)) + " before, " + strconv.Itoa(len(p.After.Data)) + " after.")
		}
	}
	tabs := make([]stripTab, len(v.strip.tabs))
	for k, tab := range v.strip.tabs {
		tabs[k] = tab.shows
	}
	v.strip.Set(tabs, i)
	if len(v.stage.Objects) != 1 || v.stage.Objects[0] != o {
		v.stage.Objects = []fyne.CanvasObject{o}
		v.stage.Refresh()
	}
}

func (v *watchView) say(text string) { setText(v.message, safe.Text(text, 8<<10)) }

func (v *watchView) bind(i int, row *rows.Row) {
	r := v.shown[i]
	row.Mark = toneName(r.Tone)
	row.Cells[0] = rows.Cell{Glyph: r.Glyph, GlyphColor: toneName(r.Tone), Text: r.URI}
	row.Cells[1] = rows.Cell{Text: r.Counts, Color: theme.ColorMuted}
	if r.Tone != view.Good {
		row.Cells[1].Text = r.State
	}
}

func (v *watchView) bindStep(i int, row *rows.Row) {
	s := v.steps[i]
	row.Cells[0] = rows.Cell{Text: human.Count(s.Number), Color: theme.ColorMuted}
	row.Cells[1] = rows.Cell{Text: s.Time, Color: theme.ColorMuted}
	row.Cells[2] = rows.Cell{Text: s.Why, Detail: s.Short}
	if s.Failed {
		row.Cells[2].Color = theme.ColorFailed
	}
}

// picturePair shows a picture before and after beside each other.
type picturePair struct {
	env   *Env
	root  *fyne.Container
	sides [2]*fyne.Container
	notes [2]*widget.Label
	turn  int
}

func newPicturePair(env *Env) *picturePair {
	p := &picturePair{env: env}
	half := func(i int, title string) fyne.CanvasObject {
		p.sides[i], p.notes[i] = container.NewStack(), widget.NewLabel("")
		p.notes[i].Importance, p.notes[i].Truncation = widget.LowImportance, fyne.TextTruncateEllipsis
		return widget.Border(caption(title), p.notes[i], nil, nil, p.sides[i])
	}
	p.root = container.NewGridWithColumns(2, half(0, "Before"), half(1, "After"))
	return p
}

func (p *picturePair) object() fyne.CanvasObject { return p.root }

// set decodes both pictures in the background.
func (p *picturePair) set(pair view.PartPair) {
	p.turn++
	turn := p.turn
	for i, part := range []view.Part{pair.Before, pair.After} {
		has := []bool{pair.HasBefore, pair.HasAfter}[i]
		p.sides[i].Objects = nil
		p.sides[i].Refresh()
		if !has {
			p.notes[i].SetText("nothing")
			continue
		}
		p.notes[i].SetText("Decoding the picture …")
		p.env.Go(func(context.Context) {
			picture, about, err := decodePicture(part.Data)
			p.env.Do(func() {
				if turn != p.turn {
					return
				}
				if err != nil {
					p.notes[i].SetText(safe.Line("This is not a picture that can be drawn: "+err.Error(), 300))
					return
				}
				p.sides[i].Objects = []fyne.CanvasObject{drawn(picture)}
				p.sides[i].Refresh()
				if pair.Same {
					about += " · the same bytes"
				}
				p.notes[i].SetText(about)
			})
		})
	}
}
