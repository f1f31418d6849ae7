package ui

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"
	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/session"
	"mcploupe/ui/view"
	"mcploupe/ui/view/safe"
	"mcploupe/ui/widget"
)

// taskPage shows one task: what is known of it, its JSON, its result, and what
// can be done with it.
type taskPage struct {
	pane *tasksPane
	root *fyne.Container

	empty   *widget.Label
	whole   *fyne.Container
	sign    *glyph
	title   *widget.Label
	answer  *widget.Button
	stop    *widget.Button
	now     *widget.Button
	call    *widget.Button
	locate  *widget.Button
	copy    *widget.Button
	more    *widget.Button
	strip   *tabStrip
	at      int
	chosen  bool // the person did
	stage   *fyne.Container
	facts   *factGrid
	odd     *widget.Label
	about   fyne.CanvasObject
	json    *textBox
	result  *resultView
	detail  view.TaskDetail
	task    session.Task
	read    uint64 // event whose JSON is shown
	outcome uint64 // event whose outcome is shown
	said    string // why there is no outcome
}

// The pages of a task.
const (
	taskAbout = iota
	taskResult
	taskJSON
)

func newTaskPage(p *tasksPane) *taskPage {
	t := &taskPage{pane: p, sign: newGlyph("", view.Muted)}
	t.empty = widget.NewLabel("A call that becomes a task is followed here until it is over.\nThe Options of a tool say whether one can be asked for.")
	t.empty.Importance, t.empty.Alignment, t.empty.Wrapping = widget.LowImportance, fyne.TextAlignCenter, fyne.TextWrapWord
	t.title = widget.NewLabelWithStyle("", fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	t.title.Truncation = fyne.TextTruncateEllipsis
	t.answer = widget.NewButton("Answer", func() { p.env.ShowAsk(t.detail.Ask) })
	t.answer.Importance = widget.HighImportance
	t.stop = quiet("Cancel", fynetheme.CancelIcon(), t.cancelTask)
	t.now = quiet("", fynetheme.ViewRefreshIcon(), t.poll)
	t.call = quiet("Show call", nil, t.showCall)
	t.locate = quiet("In timeline", nil, func() { p.env.ShowEvent(t.detail.Seq) })
	t.copy = quiet("", fynetheme.ContentCopyIcon(), func() {
		p.env.Clipboard.SetContent(t.task.ID)
		p.env.Notify("Copied the id of the task")
	})
	t.more = quiet("", fynetheme.MoreVerticalIcon(), t.menu)
	t.strip = newTabStrip(func(at int) {
		t.chosen = true
		t.turn(at)
	}, nil)
	t.facts = newFactGrid()
	t.odd = widget.NewLabel("")
	t.odd.Wrapping, t.odd.Selectable, t.odd.Importance = fyne.TextWrapWord, true, widget.WarningImportance
	t.about = container.NewVScroll(container.NewVBox(t.odd, t.facts.box))
	t.json = newTextBox("", p.env)
	t.result = newResultView(p.env)
	t.stage = container.NewStack(t.about)
	head := container.NewVBox(
		widget.Border(nil, nil, t.sign, container.NewHBox(t.answer, t.stop), t.title),
		widget.Border(nil, nil, nil, container.NewHBox(t.now, t.call, t.locate, t.copy, t.more), t.strip),
		widget.NewSeparator())
	t.whole = widget.Border(head, nil, nil, nil, t.stage)
	t.root = container.NewStack(container.NewVBox(spacer(40), t.empty)) // wraps, which in a centre it would not
	return t
}

// show shows a task as it is now; ok is false when there is none.
func (t *taskPage) show(task session.Task, ok bool) {
	shows := fyne.CanvasObject(t.whole)
	if !ok {
		shows = widget.Border(nil, nil, nil, nil, container.NewVBox(spacer(40), t.empty))
	}
	if ok || t.root.Objects[0] == fyne.CanvasObject(t.whole) || t.task.Key != 0 {
		if t.root.Objects[0] != shows {
			t.root.Objects[0] = shows
			t.root.Refresh()
		}
	}
	if !ok {
		t.task = session.Task{}
		return
	}
	if task.Key != t.task.Key || task.ID != t.task.ID {
		t.read, t.outcome, t.said = 0, 0, "\x00"
		t.at, t.chosen = taskAbout, false
	}
	if task.ResultSeq != 0 && !t.chosen { // what one waits for
		t.at = taskResult
	}
	t.task = task
	t.detail = view.TaskDetailOf(t.pane.conn.State(), task, t.pane.env.Now())
	d := t.detail
	t.sign.set(d.Glyph, d.Tone)
	setText(t.title, d.Title)
	setHidden(t.answer, d.Ask == 0)
	phase, _ := t.pane.conn.Phase()
	able(t.stop, d.Cancel && phase.Live())
	able(t.now, d.Poll && phase.Live())
	setHidden(t.call, task.Tool == "")
	able(t.locate, d.Seq != 0)
	t.facts.set(d.Facts)
	text := ""
	for _, f := range d.Findings {
		text += f.Word + " " + f.Rule + "  " + f.Text + "\n"
	}
	say(t.odd, text)
	t.turn(t.at)
}

// turn shows one of the pages.
func (t *taskPage) turn(at int) {
	t.at = at
	word := stripTab{Text: "Result"}
	if t.detail.Result != 0 {
		word.Glyph, word.Tone = t.detail.Glyph, t.detail.Tone
	}
	t.strip.Set([]stripTab{{Text: "About"}, word, {Text: "JSON"}}, at)
	pages := []fyne.CanvasObject{t.about, t.result.object(), t.json.view()}
	if t.stage.Objects[0] != pages[at] {
		t.stage.Objects[0] = pages[at]
		t.stage.Refresh()
	}
	switch at {
	case taskResult:
		t.showResult()
	case taskJSON:
		t.showJSON()
	}
}

// showJSON shows the message that told the status last.
func (t *taskPage) showJSON() {
	seq, key := t.detail.Told, t.task.Key
	if seq == t.read {
		return
	}
	t.read = seq
	t.load(seq, func(m protocol.Message) func() {
		return func() {
			if t.task.Key == key && t.read == seq {
				t.json.setBytes(m.Raw, m.Problems)
			}
		}
	})
}

// showResult shows how the task ended, as the result of a call.
func (t *taskPage) showResult() {
	if why := t.detail.NoResult; why != t.said {
		t.said = why
		if why != "" {
			t.result.setEmpty(why)
		}
	}
	seq, task := t.detail.Result, t.task
	if seq == 0 || seq == t.outcome {
		return
	}
	t.outcome = seq
	output := t.outputSchema(task.Tool)
	t.load(seq, func(m protocol.Message) func() {
		out, ok := view.TaskOutcome(task, m, output)
		return func() {
			switch {
			case t.task.Key != task.Key || t.outcome != seq:
			case ok:
				t.result.setOutcome(out, task.Tool)
			default:
				t.result.setEmpty("The message that told the end of the task has no outcome in it.")
			}
		}
	})
}

func (t *taskPage) outputSchema(tool string) jsontext.Value {
	lists := t.pane.conn.Lists()
	if lists == nil {
		return nil
	}
	for _, d := range lists.Tools() {
		if d.Name == tool {
			return d.OutputSchema
		}
	}
	return nil
}

// maxTaskMessage bounds the message that is read to be shown.
const maxTaskMessage = 64 << 20

// load reads a message of the recording in the background; work is done there
// too, and what it returns is run on the UI goroutine.
func (t *taskPage) load(seq uint64, work func(m protocol.Message) func()) {
	log := t.pane.conn.Log()
	if log == nil || seq == 0 {
		return
	}
	env := t.pane.env
	env.Go(func(ctx context.Context) {
		e, err := log.Read(seq, maxTaskMessage)
		if err != nil {
			env.Do(func() { env.Notify("The message cannot be read: " + safe.Line(err.Error(), 200)) })
			return
		}
		show := work(protocol.Parse(e.Data))
		if ctx.Err() == nil {
			env.Do(show)
		}
	})
}

func (t *taskPage) showCall() {
	if t.task.Tool != "" {
		t.pane.env.ShowCall(protocol.MethodToolsCall, t.task.Tool)
	}
}

// cancelTask asks the server to stop the task; the protocol has no place for a
// reason (TASK-17, TSKX-13).
func (t *taskPage) cancelTask() {
	if key := t.task.Key; key != 0 && t.detail.Cancel {
		t.pane.ask("The task was not cancelled", func(ctx context.Context, sess *session.Session) error { return sess.CancelTask(ctx, key) })
	}
}

func (t *taskPage) poll() {
	if key := t.task.Key; key != 0 && t.detail.Poll {
		t.pane.ask("The task was not asked for", func(_ context.Context, sess *session.Session) error { return sess.PollTask(key) })
	}
}

// menu offers what is done seldom.
func (t *taskPage) menu() {
	key, d := t.task.Key, t.detail
	follow := fyne.NewMenuItem("Follow", func() { t.follow(key, true) })
	follow.Disabled = !d.Follow
	leave := fyne.NewMenuItem("Follow no more", func() { t.follow(key, false) })
	leave.Disabled = !t.task.Followed()
	fetch := fyne.NewMenuItem("Ask for its result", func() {
		t.pane.ask("There is no result", func(ctx context.Context, sess *session.Session) error { return sess.TaskResult(ctx, key) })
	})
	fetch.Disabled = !d.Fetch
	forget := fyne.NewMenuItem("Take off the board", func() {
		if sess := t.pane.conn.Session(); sess != nil {
			sess.ForgetTask(key)
			t.pane.env.Changed()
		}
	})
	forget.Disabled = t.task.Followed()
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(t.more)
	at.Y += t.more.Size().Height
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", follow, leave, fetch, forget), t.pane.env.Window.Canvas(), at)
}

func (t *taskPage) follow(key uint64, on bool) {
	t.pane.ask("The task", func(_ context.Context, sess *session.Session) error { return sess.FollowTask(key, on) })
}
