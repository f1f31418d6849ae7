package ui

import (
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"mcploupe/ui/textview"
	"mcploupe/ui/view"
	"mcploupe/ui/view/safe"
	"mcploupe/ui/widget"
)

const textviewPretty = textview.Pretty

// requestOptions is the page of what goes with any request: the time-out,
// _meta, and the headers that follow from the arguments.
type requestOptions struct {
	timeout *widget.Entry
	meta    *textview.Editor
	headers *textBox
	right   *fyne.Container
	byHand  *widget.Check // of the server, not of one request
	task    *taskOptions
	root    *fyne.Container

	now     *subject
	edited  func()
	setting bool
}

func newRequestOptions(conn *view.Conn, env *Env, edited func()) *requestOptions {
	o := &requestOptions{edited: edited}
	o.timeout = widget.NewEntry()
	o.timeout.SetPlaceHolder("60 s without an answer or progress")
	o.timeout.OnChanged = func(text string) {
		if o.now != nil && o.now.timeout != text {
			o.now.timeout = text
			edited()
		}
	}
	o.meta = textview.NewEditor()
	o.meta.Run = env.run
	o.meta.SetPlaceholder(`{"com.example/trace": "a1"}`)
	o.meta.SetMinRows(3)
	o.meta.OnChanged = func() {
		if o.now != nil {
			o.now.metaText = o.meta.Text()
			edited()
		}
	}
	o.headers = newTextBox("", env)
	o.right = widget.Border(caption("HTTP headers of this request"), nil, nil, nil, o.headers.view())
	o.byHand = widget.NewCheck("Rounds by hand: when this server wants input, the call waits until you continue it", func(on bool) {
		if !o.setting {
			env.keepServer(conn.SetManner(view.HoldRounds, on))
		}
	})
	o.task = newTaskOptions(edited)
	o.root = widget.Border(
		container.NewVBox(widget.Border(nil, nil, caption("Time-out"), nil, o.timeout), o.task.root, o.byHand), nil, nil, nil,
		container.NewGridWithColumns(1, widget.Border(caption("Members for params._meta"), nil, nil, nil, o.meta), o.right))
	return o
}

// caption is the name of a part of a page.
func caption(text string) *widget.Label {
	l := widget.NewLabel(text)
	l.Importance = widget.LowImportance
	l.Truncation = fyne.TextTruncateOff
	return l
}

func (o *requestOptions) object() fyne.CanvasObject { return o.root }

// fine reports that nothing is wrong with the options, as far as they are set.
func (o *requestOptions) fine() bool {
	s := o.now
	if s == nil {
		return true
	}
	if text := strings.TrimSpace(s.timeout); text != "" {
		if _, err := parseLimit(text); err != nil {
			return false
		}
	}
	if text := strings.TrimSpace(s.taskTTL); text != "" && s.tool != nil {
		if _, err := parseLimit(text); err != nil {
			return false
		}
	}
	text := strings.TrimSpace(s.metaText)
	return text == "" || view.IsObject([]byte(text))
}

// load shows what was set for a subject.
func (o *requestOptions) load(s *subject) {
	o.now = nil // setting the texts is no edit
	o.timeout.SetText(s.timeout)
	o.meta.SetText(s.metaText)
	o.task.load(s)
	o.now = s
}

// refresh shows the headers that would be sent now.
func (o *requestOptions) refresh(conn *view.Conn, s *subject, request func() (view.Request, string, bool)) {
	o.setting = true
	if on := conn.Server().HoldRounds; o.byHand.Checked != on {
		o.byHand.SetChecked(on)
	}
	o.setting = false
	st := conn.State()
	o.task.refresh(st)
	if modern := st.Revision == nil || st.Revision.Modern; o.byHand.Visible() != modern {
		setHidden(o.byHand, !modern)
		o.root.Refresh()
	}
	r, _, _ := request()
	fields, problems, ok := r.Headers(st)
	if o.right.Hidden == ok {
		setHidden(o.right, !ok)
		o.root.Refresh()
	}
	if !ok {
		return
	}
	var b strings.Builder
	for _, f := range fields {
		fmt.Fprintf(&b, "%s: %s\n", f.Name, f.Value)
	}
	for _, p := range problems {
		fmt.Fprintf(&b, "! %s\n", safe.Line(strings.TrimSpace(p.Pointer+" "+p.Text), 300))
	}
	o.headers.set(b.String())
}
