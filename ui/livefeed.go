package ui

import (
	"context"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/session"
	"mcploupe/ui/pump"
	"mcploupe/ui/rows"
	"mcploupe/ui/textview"
	"mcploupe/ui/theme"
	"mcploupe/ui/view"
	"mcploupe/ui/view/human"
	"mcploupe/ui/view/safe"
	"mcploupe/ui/widget"
)

// feedView shows what the server sends unasked, by kind, or its log messages, by
// level and logger: rows drawn from the recording, with the selected one beside
// them.
type feedView struct {
	conn *view.Conn
	env  *Env
	logs bool
	root fyne.CanvasObject

	feed  *view.Feed // nil before there is a recording
	marks *pump.Pump // nil before it is first looked at
	turn  uint64

	list   *rows.View
	text   *widget.Entry
	says   *widget.Label
	fault  *widget.Label
	pause  *widget.Button
	clear  *widget.Button
	whole  *widget.Button
	chips  *fyne.Container
	kinds  []*chip
	seq    uint64 // the selected event, 0 for none
	body   *textBox
	locate *widget.Button
	title  *widget.Label

	level   *widget.Select // asked for
	choices []view.LevelChoice
	asked   *widget.Label
	least   *widget.Select
	logger  *widget.Select
}

const allLoggers = "all loggers"

func newFeedView(c *view.Conn, env *Env, logs bool) *feedView {
	v := &feedView{conn: c, env: env, logs: logs, body: newTextBox("", env)}
	v.list = rows.New(v.bind, func(i int) uint64 { return v.feed.Seq(i) })
	what := rows.Column{Title: "What", Width: 260, Min: 100}
	if logs {
		v.list.SetColumns(rows.Column{Title: "#", Width: 66, Align: fyne.TextAlignTrailing}, rows.Column{Title: "Time", Width: 100},
			rows.Column{Title: "Level", Width: 96}, rows.Column{Title: "Logger", Width: 120}, rows.Column{Title: "Data", Min: 120})
	} else {
		v.list.SetColumns(rows.Column{Title: "#", Width: 66, Align: fyne.TextAlignTrailing}, rows.Column{Title: "Time", Width: 100},
			what, rows.Column{Title: "Gist", Min: 120}, rows.Column{Title: "Size", Width: 76, Align: fyne.TextAlignTrailing})
	}
	v.list.ShowHeader(true)
	v.list.OnSelect = v.choose
	v.list.OnActivate = func(int) { env.ShowEvent(v.seq) }
	v.list.Follow(true)
	v.text = widget.NewEntry()
	v.text.SetPlaceHolder("Filter: words, or terms of the timeline's filter")
	v.text.OnChanged = func(text string) {
		if v.feed != nil {
			v.feed.SetText(text)
			v.flush()
		}
	}
	v.says, v.fault = widget.NewLabel(""), widget.NewLabel("")
	v.says.Importance, v.fault.Importance = widget.LowImportance, widget.DangerImportance
	v.fault.Truncation = fyne.TextTruncateEllipsis
	v.fault.Hide()
	v.pause = quiet("Pause", fynetheme.MediaPauseIcon(), v.togglePause)
	v.clear = quiet("Clear view", fynetheme.ContentClearIcon(), func() {
		if v.feed != nil {
			v.feed.Clear()
			v.flush()
		}
	})
	v.whole = quiet("Show all again", fynetheme.ContentUndoIcon(), func() {
		if v.feed != nil {
			v.feed.All()
			v.flush()
		}
	})
	v.whole.Hide()
	v.title = widget.NewLabel("Select a row to read it here")
	v.title.Importance = widget.LowImportance
	v.title.Truncation = fyne.TextTruncateEllipsis
	v.locate = quiet("In timeline", nil, func() { env.ShowEvent(v.seq) })
	v.locate.Hide()
	v.body.view().Hide() // until a row is selected
	side := widget.Border(widget.Border(nil, nil, nil, v.locate, v.title), nil, nil, nil, v.body.view())
	split := container.NewHSplit(v.list, side)
	env.splits.add(map[bool]string{false: "feed", true: "log"}[logs], split, 0.66)
	line := widget.Border(nil, nil, nil, container.NewHBox(v.says, v.pause, v.clear, v.whole), v.text)
	head := container.NewVBox()
	if logs {
		head.Add(v.levels())
		v.list.SetPlaceholder("No log message yet")
	} else {
		v.chips = container.NewHBox()
		head.Add(container.NewHScroll(v.chips))
		v.list.SetPlaceholder("The server has sent nothing unasked")
	}
	head.Add(line)
	head.Add(v.fault)
	v.root = widget.Border(head, nil, nil, nil, split)
	return v
}

// levels is the line with what is asked for and what is shown.
func (v *feedView) levels() fyne.CanvasObject {
	v.level = widget.NewSelect(nil, nil)
	v.level.PlaceHolder = "not set"
	v.asked = widget.NewLabel("")
	v.asked.Truncation = fyne.TextTruncateEllipsis
	v.asked.Importance = widget.LowImportance
	var least []string
	for _, l := range protocol.LogLevels {
		least = append(least, l+" and up")
	}
	least[0] = "all levels"
	v.least = widget.NewSelect(least, func(string) {
		if v.feed != nil {
			v.feed.SetLeast(max(v.least.SelectedIndex(), 0))
			v.flush()
		}
	})
	v.least.Selected = least[0]
	v.logger = widget.NewSelect([]string{allLoggers}, func(string) {
		if v.feed != nil {
			v.feed.SetLogger(v.logger.SelectedIndex() - 1)
			v.flush()
		}
	})
	v.logger.Selected = allLoggers
	return widget.Border(nil, nil, container.NewHBox(caption("Ask for"), container.New(&fixedWidth{176}, v.level)), container.NewHBox(caption("Show"), container.New(&fixedWidth{176}, v.least), container.New(&fixedWidth{176}, v.logger)), v.asked)
}

func (v *feedView) object() fyne.CanvasObject { return v.root }

// total is how many have come.
func (v *feedView) total() int {
	if v.feed == nil {
		return 0
	}
	return v.feed.Total()
}

// follow begins to follow the recording.
func (v *feedView) follow() {
	log := v.conn.Log()
	if log == nil || v.feed != nil && v.feed.Log() == log {
		return
	}
	if v.marks == nil {
		v.marks = pump.New(v.env.Do, v.env.Clock, pump.FollowTail, v.flush)
		marks := v.marks
		v.env.Go(func(ctx context.Context) {
			<-ctx.Done()
			marks.Close()
		})
	}
	if v.feed != nil {
		v.feed.Close()
	}
	v.feed, v.turn, v.seq = view.NewFeed(log, v.logs, v.env.Go, v.marks.Mark), 0, 0
	v.feed.SetText(v.text.Text)
	if v.logs {
		v.feed.SetLeast(max(v.least.SelectedIndex(), 0))
		v.logger.Options, v.logger.Selected = nil, allLoggers // those of another recording
		v.logger.Refresh()
	}
	v.showPause()
	v.list.Reset(0)
}

// refresh takes in what changed in the session.
func (v *feedView) refresh() {
	v.follow()
	v.flush()
	if v.logs {
		v.refreshLevels()
	}
}

// flush takes in what the recording gained.
func (v *feedView) flush() {
	if v.feed == nil {
		return
	}
	v.feed.Take()
	if turn := v.feed.Turn(); turn != v.turn {
		v.turn = turn
		v.list.Reset(v.feed.Rows())
		if row := v.feed.RowOf(v.seq); row >= 0 {
			v.list.Select(row)
		}
	} else {
		v.list.SetCount(v.feed.Rows())
	}
	setText(v.says, v.feed.Said())
	say(v.fault, v.feed.Problem())
	setHidden(v.fault, v.feed.Problem() == "")
	setHidden(v.whole, v.feed.Cleared() == 0)
	if v.logs {
		v.setLoggers(v.feed.Loggers())
	} else {
		v.setKinds(v.feed.Kinds())
	}
}

// setKinds shows a chip for each method, with its count.
func (v *feedView) setKinds(kinds []view.FeedKind) {
	for i := len(v.kinds); i < len(kinds); i++ {
		c := newChip("", func() { v.feed.SetKind(i, v.feed.Kinds()[i].Off); v.flush() }, func() { v.feed.OnlyKind(i); v.flush() })
		v.kinds = append(v.kinds, c)
		v.chips.Add(c)
	}
	for i := len(kinds); i < len(v.kinds); i++ {
		v.kinds[i].Hide()
	}
	for i, k := range kinds {
		c, label, state := v.kinds[i], safe.Line(strings.TrimPrefix(k.Method, "notifications/"), 48)+" "+human.Count(k.Count), view.ChipOn
		if k.Off {
			state = view.ChipExcluded
		}
		if c.label != label || c.state != state || !c.Visible() {
			grows := len(c.label) != len(label)
			c.label, c.state = label, state
			c.Show()
			c.Refresh()
			if grows {
				v.chips.Refresh()
			}
		}
	}
}

func (v *feedView) setLoggers(loggers []string) {
	options := []string{allLoggers}
	for _, name := range loggers {
		if name == "" {
			name = "without a logger"
		}
		options = append(options, safe.Line(name, 30))
	}
	if !slices.Equal(options, v.logger.Options) {
		v.logger.Options = options
		v.logger.Refresh()
	}
}

// refreshLevels shows which level is asked for.
func (v *feedView) refreshLevels() {
	st := v.conn.State()
	choices := view.LevelChoices(st)
	if !slices.Equal(choices, v.choices) {
		v.choices = choices
		v.level.Options = nil
		for _, c := range choices {
			v.level.Options = append(v.level.Options, c.Label)
		}
	}
	at := slices.IndexFunc(choices, func(c view.LevelChoice) bool { return c.Value == st.Logging.Level })
	v.level.OnChanged = nil
	if at >= 0 && v.level.Selected != choices[at].Label {
		v.level.SetSelectedIndex(at)
	}
	v.level.OnChanged = func(string) { v.setLevel() }
	phase, _ := v.conn.Phase()
	if phase.Live() == v.level.Disabled() {
		if phase.Live() {
			v.level.Enable()
		} else {
			v.level.Disable()
		}
	}
	text, tone := view.LoggingText(st)
	v.asked.Importance = widget.LowImportance
	if tone == view.Caution {
		v.asked.Importance = widget.WarningImportance
	}
	say(v.asked, text)
}

// setLevel asks for another level.
func (v *feedView) setLevel() {
	at := v.level.SelectedIndex()
	if at < 0 || v.choices[at].Value == v.conn.State().Logging.Level {
		return
	}
	level := v.choices[at].Value
	v.env.withSession(v.conn, "The log level was not set", func(ctx context.Context, sess *session.Session) error {
		return sess.SetLogLevel(ctx, level)
	})
}

func (v *feedView) togglePause() {
	if v.feed == nil {
		return
	}
	v.feed.Pause(!v.feed.Paused())
	v.showPause()
	v.flush()
}

// showPause says what the button does now.
func (v *feedView) showPause() {
	if v.feed.Paused() {
		v.pause.SetText("Go on")
		v.pause.SetIcon(fynetheme.MediaPlayIcon())
	} else {
		v.pause.SetText("Pause")
		v.pause.SetIcon(fynetheme.MediaPauseIcon())
	}
}

// choose shows an event beside the list.
func (v *feedView) choose(row int) {
	if row < 0 || row >= v.feed.Rows() {
		return
	}
	v.seq = v.feed.Seq(row)
	v.list.Pause() // what is looked at keeps its place
	v.locate.Show()
	v.body.view().Show()
	log, seq := v.feed.Log(), v.seq
	setText(v.title, "Event "+human.Count(seq))
	if log.Head(seq).Size <= loadNow {
		v.put(v.load(log, seq))
		return
	}
	v.env.Go(func(context.Context) {
		data, mode := v.load(log, seq)
		v.env.Do(func() {
			if v.seq == seq {
				v.put(data, mode)
			}
		})
	})
}

// load reads what is shown of an event: the data of a log message, or all of it.
func (v *feedView) load(log *recorder.Log, seq uint64) (data []byte, mode textview.Mode) {
	if v.logs {
		data, isJSON, err := view.LogData(log, seq)
		switch {
		case err != nil:
			return []byte(err.Error()), textview.Raw
		case !isJSON:
			return data, textview.Raw
		}
		return data, textview.Pretty
	}
	e, err := log.Read(seq, 0)
	if err != nil {
		return []byte(err.Error()), textview.Raw
	}
	return e.Data, textview.Pretty
}

func (v *feedView) put(data []byte, mode textview.Mode) {
	v.body.setBytes(data, nil)
	v.body.text.SetMode(mode)
}

func (v *feedView) bind(i int, row *rows.Row) {
	seq := v.feed.Seq(i)
	muted := func(text string) rows.Cell { return rows.Cell{Text: text, Color: theme.ColorMuted} }
	row.Cells[0] = muted(human.Count(seq))
	if v.logs {
		r := view.LogRowOf(v.feed.Log(), seq)
		row.Mark = toneName(r.Tone)
		row.Cells[1] = muted(r.Time)
		row.Cells[2] = rows.Cell{Glyph: r.Glyph, GlyphColor: toneName(r.Tone), Text: r.Level, Color: toneName(r.Tone)}
		row.Cells[3] = muted(r.Logger)
		row.Cells[4] = rows.Cell{Text: r.Text, Mono: r.JSON}
		return
	}
	log := v.feed.Log()
	r := view.EventRow(log, seq)
	row.Cells[1] = muted(human.Clock(log.Header().Created.Add(log.Head(seq).Time).Local()))
	row.Cells[2] = rows.Cell{Glyph: r.Arrow, GlyphColor: theme.ColorIn, Text: r.What}
	row.Cells[3] = rows.Cell{Text: r.Name}
	row.Cells[4] = muted(r.Size)
}

// fixedWidth gives its one object a width of its own: a select is as wide as
// what is chosen, and would move its neighbours.
type fixedWidth struct{ width float32 }

// Layout implements fyne.Layout.
func (l *fixedWidth) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		o.Move(fyne.NewPos(0, 0))
		o.Resize(size)
	}
}

// MinSize implements fyne.Layout.
func (l *fixedWidth) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(theme.Scaled(l.width), objects[0].MinSize().Height)
}
