package ui

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/protocol"
	"mcploupe/session"
	"mcploupe/ui/rows"
	"mcploupe/ui/textview"
	"mcploupe/ui/view"
	"mcploupe/ui/view/human"
	"mcploupe/ui/view/safe"
	"mcploupe/ui/widget"
)

// freePane is the free editor: what is typed is sent exactly so, valid or not.
type freePane struct {
	conn *view.Conn
	env  *Env
	root fyne.CanvasObject

	editor  *textview.Editor
	says    *widget.Label
	saysAt  *fyne.Container
	mark    *glyph
	oneLine *widget.Button
	send    *widget.Button
	fresh   *widget.Button
	result  *resultView
	list    *rows.View
	history view.RawHistory

	check view.RawCheck
	turn  int    // of checking: what is about an older text is dropped
	ready bool   // check is about the text in the editor
	sent  string // the text that is in the history
	run   *view.Running
	taken bool
	drawn int // the outcome that is shown, 0 for none
}

// NewRawPane makes the pane with the free editor of a connection.
func NewRawPane(c *view.Conn, env *Env) Pane {
	p := &freePane{conn: c, env: env, taken: true}
	p.editor = textview.NewEditor()
	p.editor.Run = env.run
	env.keepLook(&p.editor.View)
	p.editor.SetPlaceholder("Sent exactly as it stands here, valid or not")
	p.editor.OnChanged = p.look
	p.editor.OnChecked = p.tell
	p.says = widget.NewLabel("")
	p.says.Wrapping, p.says.Selectable = fyne.TextWrapWord, true
	p.saysAt = newClamp(p.says, verdictHeight)
	p.mark = newGlyph("", view.Muted)
	p.send = widget.NewButtonWithIcon("Send", fynetheme.MailSendIcon(), p.Submit)
	p.send.Importance = widget.HighImportance
	p.fresh = widget.NewButtonWithIcon("New message", fynetheme.MenuDropDownIcon(), p.choose)
	format := quiet("Format", nil, func() { p.editor.Format() })
	p.oneLine = quiet("One line", nil, p.join)
	newID := quiet("New id", nil, p.newID)
	p.result = newResultView(env)
	p.result.setEmpty("The answer will be shown here when one can be paired with what is sent.")
	p.list = rows.New(p.bind, nil)
	p.list.SetPlaceholder("Nothing sent yet")
	p.list.OnSelect = func(i int) { p.SetText(p.history.At(i).Text) }
	finder := textview.NewFindBar(&p.editor.View)
	left := widget.Border(caption("Sent from here"), nil, nil, nil, p.list)
	bar := widget.Border(nil, nil, p.fresh, container.NewHBox(newID, format, p.oneLine, p.send))
	edit := widget.Border(bar, widget.Border(nil, nil, container.NewVBox(p.mark), nil, p.saysAt), nil, nil, finder.Object())
	split := container.NewHSplit(left, newRoom(env.splits, "raw form", edit, p.result.object()))
	env.splits.add("raw", split, 0.18)
	p.root = split
	p.look()
	return p
}

// Title implements Pane.
func (p *freePane) Title() string { return "Raw" }

// Object implements Pane.
func (p *freePane) Object() fyne.CanvasObject { return p.root }

// Shown implements Pane.
func (p *freePane) Shown() {
	p.look()
	p.Refresh()
}

// Hidden implements Pane.
func (p *freePane) Hidden() {}

// SetText puts a text into the editor. What stands there is not lost: it goes
// to the history as a draft.
func (p *freePane) SetText(text string) {
	if now := p.editor.Text(); now != text {
		if now != p.sent {
			p.remember(now, true)
		}
		p.editor.SetText(text)
	}
	p.look()
}

// Focus gives the editor the keyboard.
func (p *freePane) Focus() { p.env.Window.Canvas().Focus(p.editor) }

func (p *freePane) remember(text string, draft bool) {
	p.history.Add(text, p.env.Now(), draft)
	p.list.Reset(p.history.Len())
	p.list.Invalidate()
}

func (p *freePane) bind(i int, row *rows.Row) {
	e := p.history.At(i)
	cell := rows.Cell{Text: e.Label, Detail: e.At}
	if e.Draft {
		cell.Badges = []rows.Badge{{Text: "not sent", Color: toneName(view.Caution)}}
	}
	row.Cells[0] = cell
}

// lines reports whether a line break ends a message.
func (p *freePane) lines() bool { return p.conn.State().Transport == string(session.Stdio) }

// verdictHeight bounds what is said about the text, which scrolls beyond it.
const verdictHeight = 78

// look says what the parser makes of the text, of a long one as soon as that is
// known. It keeps nobody from sending it.
func (p *freePane) look() {
	text, lines := p.editor.Text(), p.lines()
	p.turn++
	if len(text) <= view.RawCheckNow {
		p.take(view.CheckRaw(text, lines))
		return
	}
	if p.ready {
		p.ready = false
		p.checkLater()
	}
	p.follow()
}

// checkLater checks a long text in the background, and once more when it has
// changed meanwhile: one check at a time.
func (p *freePane) checkLater() {
	turn, text, lines := p.turn, p.editor.Text(), p.lines()
	p.env.Go(func(context.Context) {
		check := view.CheckRaw(text, lines)
		p.env.Do(func() {
			switch {
			case p.ready:
			case turn == p.turn:
				p.take(check)
			default:
				p.checkLater()
			}
		})
	})
}

// take shows what was found out about the text.
func (p *freePane) take(check view.RawCheck) {
	p.check, p.ready = check, true
	p.editor.SetProblems(check.Problems)
	p.tell()
	p.follow()
}

// tell writes the verdict, with the place where the text stops being JSON.
func (p *freePane) tell() {
	text := p.check.Line
	if line, col, _, bad := p.editor.SyntaxError(); bad && text != "" && p.ready {
		text = "Line " + human.Count(line) + ", column " + human.Count(col) + ": " + text
	}
	say(p.says, text)
	p.says.Show()
	setHidden(p.saysAt, text == "")
	p.mark.set(map[bool]string{true: "", false: toneGlyph(p.check.Tone)}[text == ""], p.check.Tone)
}

// follow enables what is possible now.
func (p *freePane) follow() {
	phase, _ := p.conn.Phase()
	can := phase.Live() && p.editor.Text() != ""
	if p.send.Disabled() == can {
		if can {
			p.send.Enable()
		} else {
			p.send.Disable()
		}
	}
}

// Refresh implements Pane.
func (p *freePane) Refresh() {
	p.follow()
	if p.run != nil {
		p.drawn = p.result.showRun(p.run, p.drawn)
		p.taken = p.drawn > 0
	}
}

// Submit sends the text, for the shortcut.
func (p *freePane) Submit() {
	p.follow()
	if p.send.Disabled() {
		return
	}
	text := p.editor.Text()
	if !p.ready {
		p.take(view.CheckRaw(text, p.lines()))
	}
	p.remember(text, false)
	p.sent = text
	if p.check.Paired {
		m := protocol.Parse([]byte(text))
		run, err := p.conn.SendRaw([]byte(text), view.Request{Method: m.Method}, p.env.Changed)
		if err == nil {
			p.run, p.taken, p.drawn = run, false, 0
			p.Refresh()
			return
		}
	}
	p.run, p.taken = nil, true
	p.conn.Write(text, func(err error) {
		p.env.Do(func() {
			if err != nil {
				p.result.setEmpty("It could not be sent: " + safe.Text(err.Error(), 2<<10))
				return
			}
			p.result.setEmpty("Sent. No answer can be paired with it; what the server makes of it is in the timeline.")
		})
	})
}

// choose offers the messages that the revision knows.
func (p *freePane) choose() {
	var items []*fyne.MenuItem
	for _, t := range view.RawTemplates(p.conn.State()) {
		items = append(items, fyne.NewMenuItem(view.ShortMethod(t.Method), func() {
			p.SetText(t.Text(p.conn.Session()))
			focusOn(p.editor)
		}))
	}
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(p.fresh)
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", items...), p.env.Window.Canvas(), at.AddXY(0, p.fresh.Size().Height))
}

// join takes the line breaks out, for servers where a line is a message.
func (p *freePane) join() {
	text, ok := view.OneLine(p.editor.Text())
	if !ok {
		p.env.Notify("This is not JSON")
		return
	}
	p.SetText(text)
}

// newID gives a request an id that has not been used.
func (p *freePane) newID() {
	text, ok := view.WithNewID(p.conn.Session(), p.editor.Text())
	if !ok {
		p.env.Notify("This is not a request with an id")
		return
	}
	p.SetText(text)
}
