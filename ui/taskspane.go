package ui

import (
	"context"
	"errors"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/session"
	"mcploupe/ui/rows"
	"mcploupe/ui/theme"
	"mcploupe/ui/view"
	"mcploupe/ui/widget"
)

// tasksPane is the board of the tasks of a server: what became a task here, and
// what else the server has.
type tasksPane struct {
	conn *view.Conn
	env  *Env
	root fyne.CanvasObject

	list  *rows.View
	note  *widget.Label
	fetch *widget.Button
	clear *widget.Button
	page  *taskPage
	tick  ticker

	tasks []view.TaskRow
	at    uint64 // key of the task that is shown
	sess  *session.Session
}

// NewTasksPane makes the pane of the tasks of a connection.
func NewTasksPane(c *view.Conn, env *Env) Pane {
	p := &tasksPane{conn: c, env: env}
	p.tick = ticker{env: env, do: p.Refresh}
	p.list = rows.New(p.bind, nil)
	p.list.SetColumns(rows.Column{Title: "State", Width: 108}, rows.Column{Title: "Tool", Min: 96}, rows.Column{Title: "Id", Width: 72},
		rows.Column{Title: "Age", Width: 80}, rows.Column{Title: "Kept for", Width: 80}, rows.Column{Title: "Polls", Width: 78},
		rows.Column{Title: "Changed", Width: 78})
	p.list.ShowHeader(true)
	p.list.SetPlaceholder("No tasks yet")
	p.list.OnSelect = func(i int) {
		if i >= 0 {
			p.at = p.tasks[i].Key
			p.showTask()
		}
	}
	p.list.OnActivate = func(int) { p.page.showCall() }
	p.list.OnKey = func(e *fyne.KeyEvent) bool {
		switch e.Name {
		case fyne.KeyF5:
			p.page.poll()
		case fyne.KeyDelete:
			p.page.cancelTask()
		default:
			return false
		}
		return true
	}
	p.note = widget.NewLabel("")
	p.note.Importance, p.note.Wrapping = widget.LowImportance, fyne.TextWrapWord
	p.fetch = quiet("List tasks", fynetheme.ViewRefreshIcon(), p.listTasks)
	adopt := quiet("Follow an id …", fynetheme.ContentAddIcon(), p.adopt)
	p.clear = quiet("Clear ended", nil, p.clearEnded)
	p.page = newTaskPage(p)
	left := widget.Border(container.NewHBox(p.fetch, adopt, p.clear), p.note, nil, nil, p.list)
	split := container.NewHSplit(left, p.page.root)
	env.splits.add("tasks", split, 0.58)
	p.root = split
	return p
}

// Title implements Pane.
func (p *tasksPane) Title() string {
	return countedTitle("Tasks", view.RunningTasks(p.conn.State()))
}

// Object implements Pane.
func (p *tasksPane) Object() fyne.CanvasObject { return p.root }

// Shown implements Pane.
func (p *tasksPane) Shown() { p.Refresh() }

// Hidden implements Pane.
func (p *tasksPane) Hidden() { p.tick.stop() }

// Refresh implements Pane.
func (p *tasksPane) Refresh() {
	st := p.conn.State()
	if sess := p.conn.Session(); sess != p.sess {
		p.sess, p.at = sess, 0
	}
	p.tasks = view.TaskRows(st, p.env.Now())
	if p.list.Count() != len(p.tasks) {
		p.list.Reset(len(p.tasks))
	} else {
		p.list.Invalidate()
	}
	p.mark()
	can, why := view.CanListTasks(st)
	phase, _ := p.conn.Phase()
	able(p.fetch, can && phase.Live())
	note := view.TasksNote(st)
	if !can && st.TaskCapabilities.Kind != 0 && !strings.Contains(note, why) {
		note += "  " + why
	}
	setText(p.note, note)
	able(p.clear, view.RunningTasks(st) < len(st.Tasks))
	p.showTask()
	if phase.Live() && len(st.Tasks) > 0 { // ages and what is left of lives
		p.tick.start()
	} else {
		p.tick.stop()
	}
}

// mark selects the row of the task that is shown; the newest where none is.
func (p *tasksPane) mark() {
	at := -1
	for i, t := range p.tasks {
		if t.Key == p.at {
			at = i
		}
	}
	if at < 0 && len(p.tasks) > 0 {
		at, p.at = 0, p.tasks[0].Key
	}
	if p.list.Current() != at {
		p.list.Select(at)
	}
}

func (p *tasksPane) showTask() {
	t, ok := view.TaskOf(p.conn.State(), p.at)
	p.page.show(t, ok)
}

// ShowTask shows a task.
func (p *tasksPane) ShowTask(key uint64) {
	p.at = key
	p.Refresh()
}

func (p *tasksPane) bind(i int, row *rows.Row) {
	t := p.tasks[i]
	row.Mark = toneName(t.Tone)
	row.Cells[0] = rows.Cell{Glyph: t.Glyph, GlyphColor: toneName(t.Tone), Text: t.State}
	row.Cells[1] = rows.Cell{Text: t.Tool, Detail: t.Message}
	if t.Mark != "" {
		row.Cells[1].Badges = append(row.Cells[1].Badges, rows.Badge{Text: t.Mark})
	}
	if t.Odd != "" {
		row.Cells[1].Badges = append(row.Cells[1].Badges, rows.Badge{Text: t.Odd, Color: toneName(view.Bad)})
	}
	row.Cells[2] = rows.Cell{Text: t.ID, Mono: true, Color: theme.ColorMuted}
	row.Cells[3] = rows.Cell{Text: t.Age}
	row.Cells[4] = rows.Cell{Text: t.Life}
	row.Cells[5] = rows.Cell{Text: t.Polls}
	row.Cells[6] = rows.Cell{Text: t.Updated, Color: theme.ColorMuted}
}

// ask has the session do something about tasks and shows what went wrong.
func (p *tasksPane) ask(title string, do func(ctx context.Context, sess *session.Session) error) {
	sess := p.conn.Session()
	if phase, _ := p.conn.Phase(); sess == nil || !phase.Live() {
		p.env.Notify("Not connected")
		return
	}
	p.env.Go(func(ctx context.Context) {
		err := do(ctx, sess)
		if err != nil && ctx.Err() == nil {
			p.env.Do(func() { p.env.Fail(title, err) })
		}
		p.env.Changed()
	})
}

func (p *tasksPane) listTasks() {
	p.ask("The tasks were not listed", func(ctx context.Context, sess *session.Session) error { return sess.ListTasks(ctx) })
}

// adopt follows a task that is known by its id alone, such as one of an older
// session (TSKX-06, TSKX-18).
func (p *tasksPane) adopt() {
	id := widget.NewEntry()
	id.SetPlaceHolder("Task id")
	d := dialog.NewCustomConfirm("Follow a task", "Follow", "Cancel", container.NewVBox(caption("Its status is asked for until it is over."), id), func(yes bool) {
		if !yes {
			return
		}
		sess := p.conn.Session()
		if sess == nil {
			p.env.Fail("The task is not followed", errors.New("there is no connection"))
			return
		}
		key, err := sess.AddTask(session.TaskRef{ID: strings.TrimSpace(id.Text)})
		if err != nil {
			p.env.Fail("The task is not followed", err)
			return
		}
		p.at = key
		p.env.Changed()
	}, p.env.Window)
	p.env.Ask(d, fyne.NewSize(460, 180))
	p.env.Window.Canvas().Focus(id)
}

func (p *tasksPane) clearEnded() {
	sess := p.conn.Session()
	if sess == nil {
		return
	}
	for _, t := range p.conn.State().Tasks {
		if t.Over() || t.Loss != session.TaskKept {
			sess.ForgetTask(t.Key)
		}
	}
	p.env.Changed()
}

// able lets a button be pressed or not.
func able(b *widget.Button, can bool) {
	if b.Disabled() != can {
		return
	}
	if can {
		b.Enable()
	} else {
		b.Disable()
	}
}
