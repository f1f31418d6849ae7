package ui

import (
	"context"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"mcploupe/session"
	"mcploupe/ui/rows"
	"mcploupe/ui/textview"
	"mcploupe/ui/view"
	"mcploupe/ui/view/safe"
)

// resultView shows how a call is going or how it ended: a line that says so,
// the parts of the result, and the one that is selected.
type resultView struct {
	env  *Env
	read func(uri string) // reads a resource that a result links to

	root    *fyne.Container
	glyph   *glyph
	head    *widget.Label
	verdict *widget.Label
	actions *fyne.Container
	cancel  *widget.Button
	locate  *widget.Button
	bar     *widget.ProgressBar
	busy    *widget.ProgressBarInfinite
	body    *fyne.Container // what lies below the head

	parts   *rows.View
	split   *container.Split
	text    *textBox
	notes   *widget.Label
	message *widget.Label
	picture *fyne.Container
	shown   *fyne.Container // of the selected part
	save    *widget.Button
	open    *widget.Button
	copy    *widget.Button
	follow  *widget.Button

	outcome view.Outcome
	at      int
	turn    int // of showing a part, so that a late picture is dropped
	stop    func()
}

func newResultView(env *Env, read func(uri string)) *resultView {
	r := &resultView{env: env, read: read, at: -1}
	r.glyph = newGlyph("", view.Muted)
	r.head, r.verdict = widget.NewLabel(""), widget.NewLabel("")
	r.head.TextStyle.Bold = true
	r.head.Truncation, r.verdict.Truncation = fyne.TextTruncateEllipsis, fyne.TextTruncateEllipsis
	quiet := func(text string, icon fyne.Resource, do func()) *widget.Button {
		b := widget.NewButtonWithIcon(text, icon, do)
		b.Importance = widget.LowImportance
		return b
	}
	r.cancel = widget.NewButtonWithIcon("Cancel", fynetheme.CancelIcon(), func() {
		if r.stop != nil {
			r.stop()
		}
	})
	r.locate = quiet("In timeline", nil, func() { env.ShowEvent(r.outcome.Seq) })
	r.follow = quiet("Read resource", fynetheme.MailForwardIcon(), func() {
		if p, ok := r.part(); ok && r.read != nil {
			r.read(p.URI)
		}
	})
	r.save = quiet("Save", fynetheme.DocumentSaveIcon(), func() {
		if p, ok := r.part(); ok {
			env.SaveFile(p.FileName, p.Data)
		}
	})
	r.open = quiet("Open", fynetheme.FileIcon(), func() {
		if p, ok := r.part(); ok {
			env.OpenFile(p.FileName, p.Data)
		}
	})
	r.copy = quiet("Copy", fynetheme.ContentCopyIcon(), func() {
		if p, ok := r.part(); ok {
			env.Clipboard.SetContent(string(p.Body))
			env.Notify("Copied")
		}
	})
	r.actions = container.NewHBox(r.follow, r.open, r.save, r.copy, r.locate, r.cancel)
	r.bar, r.busy = widget.NewProgressBar(), widget.NewProgressBarInfinite()
	r.busy.Stop()

	r.parts = rows.New(r.bind, nil)
	r.parts.SetColumns(rows.Column{Title: "Part", Min: 60})
	r.parts.OnSelect = r.showPart
	r.text = newTextBox("", env)
	r.notes, r.message = widget.NewLabel(""), widget.NewLabel("")
	r.notes.Wrapping, r.message.Wrapping = fyne.TextWrapBreak, fyne.TextWrapBreak
	r.notes.Importance = widget.LowImportance
	r.message.Selectable, r.notes.Selectable = true, true
	r.picture, r.shown = container.NewStack(), container.NewStack()
	r.split = container.NewHSplit(r.parts, container.NewBorder(nil, r.notes, nil, nil, r.shown))
	r.split.SetOffset(0.22)
	r.body = container.NewStack()
	title := container.NewBorder(nil, nil, container.NewHBox(r.glyph), r.actions, container.NewGridWithColumns(2, r.head, r.verdict))
	r.root = container.NewBorder(container.NewVBox(title, r.bar, r.busy), nil, nil, nil, r.body)
	r.setEmpty("")
	return r
}

func (r *resultView) object() fyne.CanvasObject { return r.root }

// setEmpty shows that there is no call yet, with what to do.
func (r *resultView) setEmpty(text string) {
	r.reset()
	r.glyph.set("", view.Muted)
	r.head.SetText("")
	r.say(text, true)
}

// setPending shows a call that is going on. stop cancels it.
func (r *resultView) setPending(c session.CallState, elapsed string, stop func()) {
	if r.stop == nil {
		r.reset()
	}
	r.stop = stop
	r.cancel.Show()
	r.glyph.set("◌", view.Caution)
	head := "Waiting · " + elapsed
	p := c.Progress
	if p.Progress != "" {
		head += " · progress " + safe.Line(p.Progress, 20)
		if p.Total != "" {
			head += " of " + safe.Line(p.Total, 20)
		}
	}
	r.head.SetText(head)
	r.verdict.SetText(safe.Line(p.Message, 200))
	if share, ok := view.Share(p); ok {
		r.bar.SetValue(share)
		r.bar.Show()
		r.busy.Stop()
		r.busy.Hide()
		return
	}
	r.bar.Hide()
	if !r.busy.Visible() {
		r.busy.Show()
		r.busy.Start()
	}
}

// setOutcome shows how a call ended.
func (r *resultView) setOutcome(o view.Outcome) {
	r.reset()
	r.outcome = o
	r.glyph.set(toneGlyph(o.Tone), o.Tone)
	r.head.SetText(o.Head)
	r.verdict.SetText(o.Verdict)
	r.verdict.Importance = widget.MediumImportance
	if o.Verdict != "" && !o.Fits {
		r.verdict.Importance = widget.WarningImportance
	}
	r.verdict.Refresh()
	r.locate.Show()
	if len(o.Parts) == 0 {
		r.say(o.Text, false)
		return
	}
	r.message.SetText(safe.Text(o.Text, 16<<10))
	var top fyne.CanvasObject
	if o.Text != "" {
		top = r.message
	}
	r.parts.Reset(len(o.Parts))
	r.body.Objects = []fyne.CanvasObject{container.NewBorder(top, nil, nil, nil, r.split)}
	r.body.Refresh()
	r.parts.Select(0)
	r.showPart(0)
}

func (r *resultView) reset() {
	r.outcome, r.at, r.stop = view.Outcome{}, -1, nil
	r.turn++
	for _, b := range []*widget.Button{r.cancel, r.locate, r.follow, r.save, r.open, r.copy} {
		b.Hide()
	}
	r.bar.Hide()
	r.busy.Stop()
	r.busy.Hide()
	r.verdict.SetText("")
	r.body.Objects = nil
	r.body.Refresh()
}

// say shows a text in place of parts.
func (r *resultView) say(text string, quiet bool) {
	r.message.SetText(safe.Text(text, 16<<10))
	r.message.Importance = widget.MediumImportance
	if quiet {
		r.message.Importance = widget.LowImportance
	}
	r.message.Refresh()
	r.body.Objects = []fyne.CanvasObject{container.NewVScroll(r.message)}
	r.body.Refresh()
}

func toneGlyph(t view.Tone) string {
	switch t {
	case view.Good:
		return "✓"
	case view.Caution:
		return "!"
	case view.Bad:
		return "✕"
	}
	return "·"
}

func (r *resultView) bind(i int, row *rows.Row) {
	p := r.outcome.Parts[i]
	row.Cells[0] = rows.Cell{Text: p.Label, Color: toneName(p.Tone), Detail: p.Detail}
}

func (r *resultView) part() (view.Part, bool) {
	if r.at < 0 || r.at >= len(r.outcome.Parts) {
		return view.Part{}, false
	}
	return r.outcome.Parts[r.at], true
}

// showPart shows one part of the result.
func (r *resultView) showPart(i int) {
	r.at = i
	r.turn++
	p, ok := r.part()
	if !ok {
		return
	}
	r.notes.SetText(safe.Text(strings.Join(p.Notes, "\n"), 8<<10))
	setHidden(r.notes, len(p.Notes) == 0)
	isFile := p.Kind == view.PartImage || p.Kind == view.PartFile
	setHidden(r.save, !isFile)
	setHidden(r.open, !isFile)
	setHidden(r.copy, isFile)
	setHidden(r.follow, p.URI == "" || r.read == nil)
	switch p.Kind {
	case view.PartImage:
		r.showPicture(p)
	case view.PartFile:
		r.put(r.text.view())
		r.text.setBytes(p.Data, nil)
		r.text.text.SetMode(textview.Hex)
	default:
		r.put(r.text.view())
		r.text.setBytes(p.Body, p.Problems)
		mode := textview.Raw
		if p.Kind != view.PartText {
			mode = textview.Pretty
		}
		r.text.text.SetMode(mode)
	}
	r.actions.Refresh()
}

func (r *resultView) put(o fyne.CanvasObject) {
	if len(r.shown.Objects) == 1 && r.shown.Objects[0] == o {
		return
	}
	r.shown.Objects = []fyne.CanvasObject{o}
	r.shown.Refresh()
}

// showPicture decodes in the background: a picture may be large.
func (r *resultView) showPicture(p view.Part) {
	turn := r.turn
	wait := widget.NewLabel("Decoding the picture …")
	wait.Importance = widget.LowImportance
	r.picture.Objects = []fyne.CanvasObject{wait}
	r.put(r.picture)
	r.env.Go(func(context.Context) {
		picture, about, err := decodePicture(p.Data)
		r.env.Do(func() {
			if turn != r.turn {
				return
			}
			if err != nil {
				r.put(r.text.view())
				r.text.setBytes(p.Data, nil)
				r.text.text.SetMode(textview.Hex)
				r.notes.SetText(safe.Text("This is not a picture that can be drawn: "+err.Error(), 4<<10))
				r.notes.Show()
				return
			}
			shown := canvas.NewImageFromImage(picture)
			shown.FillMode = canvas.ImageFillContain
			shown.ScaleMode = canvas.ImageScaleSmooth
			if b := picture.Bounds(); b.Dx() <= 64 && b.Dy() <= 64 {
				shown.ScaleMode = canvas.ImageScalePixels
			}
			r.picture.Objects = []fyne.CanvasObject{shown}
			r.picture.Refresh()
			r.notes.SetText(safe.Text(strings.Join(append([]string{about}, p.Notes...), "\n"), 8<<10))
			r.notes.Show()
		})
	})
}
