package view

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/session"
	"mcploupe/ui/view/human"
)

// RoundRow is one round of a call: what the server wanted before it went on,
// and what it was given.
type RoundRow struct {
	Index    int
	Glyph    string
	Tone     Tone
	Title    string // "Round 1"
	Asked    string // keys and methods
	State    string // of requestState: its size, never its meaning (MRTR-07)
	Answered string
	Seq      uint64 // of the answer that asked
	Body     string // the whole round, as JSON
	Findings []FindingRow
}

// RoundRows lists the rounds of a call, oldest first.
func RoundRows(c session.CallState) []RoundRow {
	var rows []RoundRow
	for i, r := range c.Rounds {
		row := RoundRow{Index: i, Title: fmt.Sprintf("Round %d", i+1), Seq: r.AnswerSeq, Glyph: "◌", Tone: Caution}
		var asked []string
		for _, q := range r.InputRequests {
			asked = append(asked, line(q.Key, 30)+" ("+line(q.Method, 40)+")")
		}
		row.Asked = strings.Join(asked, ", ")
		if len(asked) == 0 {
			row.Asked = "nothing: to be sent again"
		}
		row.State = "no requestState"
		if len(r.State) > 0 {
			row.State = "requestState of " + human.Bytes(int64(len(r.State))) + ", sent back as it came"
		}
		switch {
		case !r.Sent.IsZero() && len(r.Answers) > 0:
			row.Glyph, row.Tone = "✓", Good
			row.Answered = "answered after " + human.Duration(r.Sent.Sub(r.Asked))
		case !r.Sent.IsZero():
			row.Glyph, row.Tone, row.Answered = "↻", Muted, "sent again after "+human.Duration(r.Delay)
		case c.Held:
			row.Answered = "waits to be continued"
		case c.Phase == session.CallWaiting || c.Phase == session.CallPending:
			row.Answered = "waits for answers"
		default:
			row.Glyph, row.Tone, row.Answered = "✕", Muted, "not answered"
		}
		row.Body = roundBody(r)
		for _, p := range r.Problems {
			row.Findings = append(row.Findings, FindingOf(r.AnswerSeq, p))
		}
		rows = append(rows, row)
	}
	return rows
}

// roundBody is what crossed the wire in a round, piece by piece.
func roundBody(r session.Round) string {
	var b strings.Builder
	b.WriteString(`{"inputRequests": {`)
	for i, q := range r.InputRequests {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(string(protocol.QuoteString(q.Key)) + ": " + string(q.Raw))
	}
	b.WriteString("}")
	if len(r.State) > 0 {
		b.WriteString(`, "requestState": ` + string(r.State))
	}
	if len(r.Answers) > 0 {
		b.WriteString(`, "inputResponses": ` + string(r.Answers))
	}
	b.WriteString("}")
	return b.String()
}

// AnswersToResend are the answers to start from when a round is sent again:
// those that were given, or the least that the questions want.
//
// given are those of a round that waits, so far.
func AnswersToResend(c session.CallState, round int, given jsontext.Value) string {
	if round < 0 || round >= len(c.Rounds) {
		return "{}"
	}
	r := c.Rounds[round]
	if len(r.Answers) > 0 {
		return string(protocol.Indent(r.Answers))
	}
	has := map[string]jsontext.Value{}
	for key, answer := range protocol.Members(given) {
		has[key] = answer
	}
	var b strings.Builder
	for i, q := range r.InputRequests {
		if i > 0 {
			b.WriteString(",")
		}
		answer := skeletonOf(q)
		if a, ok := has[q.Key]; ok {
			answer = string(a)
		}
		b.WriteString(string(protocol.QuoteString(q.Key)) + ":" + answer)
	}
	return string(protocol.Indent([]byte("{" + b.String() + "}")))
}

// ContinueVerb is what continuing a held call does now, for its button.
func ContinueVerb(c session.CallState, asks []session.Ask) string {
	n := 0
	for _, a := range asks {
		if openInRound(a, c) {
			n++
		}
	}
	if n == 0 {
		return "Continue"
	}
	return "Continue without " + human.Plural(n, "answer", "answers")
}

// HeldNewest reports whether the round with that index is the one that a held
// call waits in.
func HeldNewest(c session.CallState, round int) bool { return c.Held && round == len(c.Rounds)-1 }

// AskedRow is a call of which the server wanted something, for a list.
type AskedRow struct {
	Key   uint64
	Glyph string
	Tone  Tone
	Text  string
	ID    string // of its newest request
	State string
}

// AskedRows lists the calls with rounds, and those that are to be sent again
// when their pages are done, newest first.
func AskedRows(st session.State) []AskedRow {
	var rows []AskedRow
	for i := len(st.Calls) - 1; i >= 0; i-- {
		c := st.Calls[i]
		if len(c.Rounds) == 0 && !c.Retryable {
			continue
		}
		r := AskedRow{Key: c.Key, Text: CallWord(c), ID: "id " + line(c.ID.String(), 20), Glyph: "✓", Tone: Good}
		if n := len(c.Rounds); n > 0 {
			r.State = human.Plural(n, "round", "rounds")
		}
		switch c.Phase {
		case session.CallPending, session.CallWaiting:
			r.Glyph, r.Tone = "◌", Caution
		case session.CallOK:
		default:
			r.Glyph, r.Tone = "✕", Bad
		}
		if c.Retryable {
			r.Glyph, r.Tone, r.State = "↻", Caution, "retry"
		}
		rows = append(rows, r)
	}
	return rows
}

// CallState says in a line how a call is going or how it ended.
func CallState(c session.CallState) string {
	switch c.Phase {
	case session.CallWaiting:
		if c.Held {
			return "The server wants input, and you continue the call by hand"
		}
		return "The server wants input before it goes on"
	case session.CallPending:
		return "The server works on it"
	}
	word, _ := phaseOutcome(c.Phase)
	text := word + " after " + human.Duration(c.Took)
	if c.Waited > 0 {
		text += ", waited " + human.Duration(c.Waited) + " for you"
	}
	return text
}
