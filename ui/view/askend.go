package view

import (
	"mcploupe/session"
)

// AskEnd says how a question came to its end and what became of its call.
type AskEnd struct {
	Glyph string
	Tone  Tone
	Title string
	Text  string
}

var endTitles = map[session.Action]string{
	session.ActionAccept: "You accepted this question.", session.ActionDecline: "You declined this question.",
	session.ActionCancel: "You cancelled this question.", session.ActionResult: "You answered this question.",
	session.ActionReject: "You answered this question with an error.",
}

// AskEndOf tells of a question that is no longer open. sent is what the person
// answered, nil for nothing.
func AskEndOf(a session.Ask, sent *session.Reply, st session.State, live bool) AskEnd {
	c, called := CallOf(st, a.Cause)
	over := called && c.Phase != session.CallPending && c.Phase != session.CallWaiting && c.Phase != session.CallWorking
	if sent == nil {
		e := AskEnd{Glyph: "✕", Tone: Caution, Title: "The server withdrew this question.", Text: "Nothing was answered."}
		switch {
		case !live:
			e.Title = "The connection ended before this question was answered."
		case over && c.Phase != session.CallOK && c.Phase != session.CallError:
			e.Title = "The call that this question came with is over."
		}
		return e
	}
	e := AskEnd{Glyph: "✓", Tone: Good, Title: endTitles[sent.Action]}
	switch sent.Action {
	case session.ActionDecline, session.ActionCancel, session.ActionReject:
		e.Glyph, e.Tone = "–", Muted
	}
	switch {
	case !called:
	case !over:
		e.Text = CallWord(c) + " goes on."
	case c.Phase == session.CallOK:
		e.Text = CallWord(c) + " has its result."
	case c.Phase == session.CallError:
		e.Text = CallWord(c) + " ended with an error."
	default:
		e.Text = CallWord(c) + " ended without a result."
	}
	return e
}
