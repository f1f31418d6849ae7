package ui

import (
	"context"

	"mcploupe/session"
	"mcploupe/ui/crash"
	"mcploupe/ui/view"
	"mcploupe/ui/view/safe"
)

// outliving makes sessions whose faults end them alone: a report is written, and
// a bar says so. Without reports to write (in tests) a panic goes its way.
func (u *UI) outliving(open view.OpenFunc) view.OpenFunc {
	if open == nil {
		open = session.Open
	}
	return func(ctx context.Context, t session.Target, o session.Options) (*session.Session, error) {
		if u.cfg.Crash == nil {
			return open(ctx, t, o)
		}
		name := view.TitleOf(t)
		o.OnFault = func(f session.Fault) {
			path, err := u.cfg.Crash.Panic("running a session", f.Value, f.Stack)
			u.cfg.Do(func() { u.lostSession(name, f.Value, path, err) })
		}
		return open(ctx, t, o)
	}
}

// lostSession says that a session was ended by a fault of the program.
func (u *UI) lostSession(name string, value any, path string, err error) {
	detail := "It is a fault of this program: " + crash.Value(value) + ". What was recorded is there; the other sessions go on. "
	n := notice{glyph: "✕", tone: view.Bad, text: "The session with " + safe.Line(name, 60) + " ended by a fault."}
	if err == nil {
		detail += "A report was written to " + path
		n.actions = append(n.actions, noticeAction{"Show the report", func() { u.showReport(path) }})
	} else {
		detail += "No report could be written: " + err.Error()
	}
	n.detail = safe.Line(detail, 400)
	u.trouble.show(n)
}
