package ui

import (
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"mcploupe/session"
	"mcploupe/ui/view"
	"mcploupe/ui/widget"
)

// taskOptions is the line in the options of a tool that makes its call a task.
type taskOptions struct {
	root  *fyne.Container
	check *widget.Check
	ttl   *widget.Entry
	why   *widget.Label
	ttlAt *fyne.Container

	now     *subject
	offer   view.TaskOffer
	setting bool
	edited  func()
}

func newTaskOptions(edited func()) *taskOptions {
	t := &taskOptions{edited: edited}
	t.check = widget.NewCheck("Run as a task", func(on bool) {
		if t.now != nil && !t.setting {
			t.now.asTask = on
			t.edited()
		}
	})
	t.ttl = widget.NewEntry()
	t.ttl.SetPlaceHolder("up to the server")
	t.ttl.OnChanged = func(text string) {
		if t.now != nil && !t.setting {
			t.now.taskTTL = text
			t.edited()
		}
	}
	t.why = widget.NewLabel("")
	t.why.Importance, t.why.Truncation = widget.LowImportance, fyne.TextTruncateEllipsis
	t.ttlAt = widget.Border(nil, nil, caption("Kept for (ttl)"), nil, container.New(&columnWidth{150}, t.ttl))
	t.root = container.New(&tightLayout{}, container.NewHBox(t.check, t.ttlAt), t.why)
	return t
}

// load shows what was chosen for a subject.
func (t *taskOptions) load(s *subject) {
	t.now = s
	t.setting = true
	t.ttl.SetText(s.taskTTL)
	t.setting = false
}

// refresh shows what can be chosen now.
func (t *taskOptions) refresh(st session.State) {
	setHidden(t.root, t.now == nil || t.now.tool == nil)
	if t.root.Hidden {
		return
	}
	t.offer = view.TaskOfferOf(st, t.now.tool.TaskSupport)
	on := t.offer.On || t.offer.Can && t.now.asTask
	t.setting = true
	if t.check.Checked != on {
		t.check.SetChecked(on)
	}
	t.setting = false
	if t.check.Disabled() == t.offer.Can {
		if t.offer.Can {
			t.check.Enable()
		} else {
			t.check.Disable()
		}
	}
	label := "Run as a task"
	if t.offer.Force {
		label += " all the same"
	}
	if t.check.Text != label {
		t.check.SetText(label)
	}
	say(t.why, t.offer.Why)
	setHidden(t.ttlAt, !on || !t.offer.TTL)
}

// taskOf is what a subject asks for about tasks, nil for nothing. why says what
// is wrong with it.
func taskOf(s *subject, st session.State) (o *session.TaskOptions, why string) {
	if s.tool == nil {
		return nil, ""
	}
	offer := view.TaskOfferOf(st, s.tool.TaskSupport)
	if !offer.On && !(offer.Can && s.asTask) {
		return nil, ""
	}
	o = &session.TaskOptions{Force: offer.Force}
	if text := strings.TrimSpace(s.taskTTL); text != "" {
		limit, err := parseLimit(text)
		if err != nil {
			return o, "Options: the ttl cannot be read: write 30 s, 500ms or 2m."
		}
		o.TTL = limit.Truncate(time.Millisecond)
	}
	return o, ""
}
