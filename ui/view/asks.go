package view

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/protocol/schema"
	"mcploupe/session"
	"mcploupe/ui/view/human"
)

// AskRow is one question of a server in a list.
type AskRow struct {
	Key   uint64
	Glyph string
	Tone  Tone
	Kind  string // "form", "URL", ...
	Text  string // first line of the message, or what is asked for
	Cause string // the call that it came with, "" when unknown
	Age   string
	State string // "" while it waits for the person
}

var askGlyphs = map[session.AskKind]string{
	session.AskForm: "✎", session.AskURL: "↗", session.AskSampling: "◇", session.AskRoots: "▤", session.AskOther: "?",
}

var askWords = map[session.AskKind]string{
	session.AskForm: "form", session.AskURL: "URL", session.AskSampling: "sampling", session.AskRoots: "roots", session.AskOther: "request",
}

// wants says what a server asks for, as the end of "The server asks ...".
var wants = map[session.AskKind]string{
	session.AskForm: "you to fill in a form", session.AskURL: "you to visit an address", session.AskSampling: "for a message of a model",
	session.AskRoots: "for your folders", session.AskOther: "for something this program does not know",
}

// AskRowOf makes the row of a question.
func AskRowOf(a session.Ask, now time.Time) AskRow {
	r := AskRow{
		Key: a.Key, Glyph: askGlyphs[a.Kind], Tone: Caution, Kind: askWords[a.Kind], Text: askText(a, 160),
		Cause: CauseOf(a), Age: human.Ago(a.At, now),
	}
	switch a.State {
	case session.AskAnswered:
		r.Glyph, r.Tone, r.State = "✓", Good, "answered"
	case session.AskSending:
		r.Glyph, r.Tone, r.State = "◌", Muted, "sending"
	}
	return r
}

// askText is the first line of what the server says, or what it wants.
func askText(a session.Ask, runes int) string {
	if first := firstLine(a.Message); first != "" {
		return line(first, runes)
	}
	if a.Kind == session.AskSampling {
		return cmp.Or(SamplingOf(a.Params).Brief(runes), "A message of a model")
	}
	if a.Kind == session.AskOther {
		return line(cmp.Or(a.Method, "a request without a method"), runes)
	}
	return "Asks " + wants[a.Kind]
}

// CauseOf names the call that a question came with.
func CauseOf(a session.Ask) string {
	if a.Cause == 0 {
		return ""
	}
	return line(strings.TrimSpace(ShortMethod(a.CauseMethod)+" "+a.CauseName), 80)
}

// AskBar is the strip that says that the server asks, or that a call waits for
// the person.
type AskBar struct {
	Count int    // questions without an answer, and calls to continue
	Text  string // one line
	First uint64 // key of the oldest question without an answer, 0 for none
	Call  uint64 // where First is 0: key of the call that waits
	Retry bool   // the call is over and can be sent again; nobody waits for it
}

// AskBarOf makes the strip of a connection; ok is false when nothing is asked.
func AskBarOf(st session.State) (bar AskBar, ok bool) {
	for _, a := range st.Asks {
		if a.State != session.AskOpen {
			continue
		}
		if bar.Count++; bar.Count == 1 {
			bar.First = a.Key
			bar.Text = "The server asks " + wants[a.Kind]
			if text := firstLine(a.Message); text != "" {
				bar.Text += ": " + line(text, 160)
			}
		}
	}
	for _, c := range st.Calls {
		if c.Held && !slices.ContainsFunc(st.Asks, func(a session.Ask) bool { return openInRound(a, c) }) {
			if bar.Count++; bar.Count == 1 {
				bar.Call = c.Key
				bar.Text = CallWord(c) + " waits for you to continue it"
			}
		}
	}
	if bar.Count == 0 {
		bar.retry(st)
	}
	return bar, bar.Count > 0 || bar.Retry
}

// openInRound reports whether a is a question of the newest round of c that has
// no answer.
func openInRound(a session.Ask, c session.CallState) bool {
	return !a.Legacy && a.Cause == c.Key && a.State == session.AskOpen
}

// retry offers the newest call whose pages the server says are all done
// (ELIC-31 to 33).
func (b *AskBar) retry(st session.State) {
	for _, c := range slices.Backward(st.Calls) {
		if !c.Retryable {
			continue
		}
		visits, done := 0, 0
		for _, v := range st.Visits {
			if v.Cause == c.Key {
				visits++
				if !v.Completed.IsZero() {
					done++
				}
			}
		}
		if visits > 0 && visits == done {
			b.Call, b.Retry = c.Key, true
			b.Text = "The server says that the page is done: " + CallWord(c) + " can be sent again"
			return
		}
	}
}

// AskHead says whose question it is and where it came from.
type AskHead struct {
	Title string // what is asked for
	Facts []Fact
	Notes []FindingRow // rules that the question breaks
}

// AskHeadOf makes the head of a question (ELIC-04, ELIC-07).
func AskHeadOf(a session.Ask, st session.State) AskHead {
	h := AskHead{Title: "The server asks " + wants[a.Kind]}
	server := strings.TrimSpace(line(cmp.Or(st.Server.Title, st.Server.Name, TitleOf(st.Target)), 80) + " " + line(st.Server.Version, 40))
	if st.Revision != nil {
		server += " · revision " + st.Revision.Name
	}
	h.Facts = append(h.Facts, Fact{"Server", server})
	h.Facts = append(h.Facts, Fact{"Request", requestWords(a)})
	if cause := CauseOf(a); cause != "" {
		h.Facts = append(h.Facts, Fact{"Caused by", cause})
	} else {
		h.Facts = append(h.Facts, Fact{"Caused by", "no call that is known"})
	}
	for _, p := range a.Problems {
		h.Notes = append(h.Notes, FindingOf(a.Seq, p))
	}
	return h
}

func requestWords(a session.Ask) string {
	words := line(a.Method, 60)
	switch a.Kind {
	case session.AskForm:
		words += ", form mode"
	case session.AskURL:
		words += ", URL mode"
	}
	switch {
	case a.FromError:
		return "an address that error -32042 of the call names"
	case a.Legacy:
		return words + ", a request of its own"
	case a.Task != 0:
		return words + fmt.Sprintf(", %q of the task", line(a.InputKey, 40))
	}
	return words + fmt.Sprintf(", %q in round %d of the call", line(a.InputKey, 40), a.Round+1)
}

// RoundProgress says how many answers of the same round are missing; "" for
// a question that is alone. held says that its call waits to be continued.
func RoundProgress(a session.Ask, asks []session.Ask, held bool) string {
	if a.Legacy || a.FromError {
		return ""
	}
	all, open := 0, 0
	for _, other := range asks {
		if other.Legacy || other.FromError || other.Cause != a.Cause || other.Round != a.Round {
			continue
		}
		all++
		if other.State == session.AskOpen {
			open++
		}
	}
	switch {
	case all < 2 && !held:
		return ""
	case all < 2 && a.State == session.AskOpen:
		return "The answer is sent when you continue the call."
	case open == 0 && held:
		return "All answers of the round are there. They are sent when you continue the call."
	case open == 0:
		return "All answers of the round are there; they are being sent."
	case a.State == session.AskAnswered:
		return "Answered. Waiting for " + human.Plural(open, "more answer", "more answers") + " of the round; until then this one can be changed."
	case held && open == 1:
		return "The last answer of the round; sent when you continue the call."
	case held:
		return fmt.Sprintf("One of %d without an answer; sent when you continue the call.", open)
	case open == 1:
		return "The last answer of the round: all of them are sent with it."
	}
	return fmt.Sprintf("One of %s of the round without an answer; they are sent together.", human.Plural(open, "question", "questions"))
}

// Inbox keeps what was filled in for the questions of a connection, for as long
// as they wait. It belongs to one goroutine.
type Inbox struct {
	conn   *Conn
	sess   *session.Session
	drafts map[uint64]*AskDraft
	asks   []session.Ask
}

// NewInbox makes the inbox of a connection.
func NewInbox(c *Conn) *Inbox { return &Inbox{conn: c, drafts: map[uint64]*AskDraft{}} }

// Take brings the inbox up to date with the snapshot of the connection.
func (b *Inbox) Take() {
	if sess := b.conn.Session(); sess != b.sess {
		b.sess = sess
		clear(b.drafts)
	}
	b.asks = b.conn.State().Asks
	if phase, _ := b.conn.Phase(); !phase.Live() {
		b.asks = nil
	}
	for key := range b.drafts {
		if _, ok := b.Ask(key); !ok {
			delete(b.drafts, key)
		}
	}
}

// Asks are the questions, oldest first.
func (b *Inbox) Asks() []session.Ask { return b.asks }

// Ask is the question with that key.
func (b *Inbox) Ask(key uint64) (session.Ask, bool) {
	i := slices.IndexFunc(b.asks, func(a session.Ask) bool { return a.Key == key })
	if i < 0 {
		return session.Ask{}, false
	}
	return b.asks[i], true
}

// Draft is what was filled in for a question; it is made when the question is
// looked at first. It is nil for one that does not wait any more.
func (b *Inbox) Draft(key uint64) *AskDraft {
	a, ok := b.Ask(key)
	if !ok {
		return nil
	}
	d := b.drafts[key]
	if d == nil {
		d = b.newDraft(a)
		b.drafts[key] = d
	}
	d.Ask = a
	d.take()
	return d
}

// newDraft makes the draft of a question. A large schema is read in the
// background; the connection says that it changed when that is done.
func (b *Inbox) newDraft(a session.Ask) *AskDraft {
	if a.Kind != session.AskForm || len(a.Schema) < SlowSchema {
		return newAskDraft(a, b.conn.State())
	}
	read := make(chan *schema.Schema, 1)
	b.conn.Go(func(context.Context) {
		read <- compileSchema(a.Schema)
		b.conn.o.Changed()
	})
	return &AskDraft{Ask: a, read: read}
}

// Preview is the exact text that a reply would send, "" when nothing would be.
func (b *Inbox) Preview(key uint64, r session.Reply) string {
	if b.sess == nil {
		return ""
	}
	return string(b.sess.PreviewReply(key, r))
}

// Send answers a question in the background. done is called, from any
// goroutine, with what went wrong.
func (b *Inbox) Send(key uint64, r session.Reply, done func(error)) {
	sess := b.sess
	if sess == nil {
		done(errNotConnected)
		return
	}
	b.conn.Go(func(ctx context.Context) {
		done(sess.Reply(ctx, key, r))
	})
}

var errAnswersNoJSON = errors.New("the answers are not JSON")

// Resend sends a round of a call again with other answers. answers is the text
// of inputResponses. done gets the new call, or what went wrong.
func (b *Inbox) Resend(call uint64, round int, answers string, done func(*session.Call, error)) {
	raw := []byte(answers)
	switch {
	case b.sess == nil:
		done(nil, errNotConnected)
		return
	case !protocol.Valid(raw):
		done(nil, errAnswersNoJSON)
		return
	}
	sess := b.sess
	b.conn.Go(func(ctx context.Context) { done(sess.ResendRound(ctx, call, round, raw)) })
}

// Retry sends the request of a call once more (ELIC-29). done gets the new call,
// or what went wrong.
func (b *Inbox) Retry(call uint64, done func(*session.Call, error)) {
	if b.sess == nil {
		done(nil, errNotConnected)
		return
	}
	sess := b.sess
	b.conn.Go(func(ctx context.Context) { done(sess.RetryCall(ctx, call)) })
}

// Continue sends the next request of a held call, with answers as the text of
// inputResponses, or with those that are given when it is "".
func (b *Inbox) Continue(call uint64, answers string, done func(error)) {
	if b.sess == nil {
		done(errNotConnected)
		return
	}
	raw := b.sess.RoundAnswers(call)
	if answers != "" {
		raw = []byte(answers)
	}
	if raw != nil && !protocol.Valid(raw) {
		done(errAnswersNoJSON)
		return
	}
	sess := b.sess
	b.conn.Go(func(context.Context) { done(sess.ContinueRound(call, raw)) })
}

// Given are the answers of the newest round of a held call so far.
func (b *Inbox) Given(call uint64) jsontext.Value {
	if b.sess == nil {
		return nil
	}
	return b.sess.RoundAnswers(call)
}

// ReachNote says when what the server asks by itself cannot reach this client:
// it has no stream for that (HTTP-42). "" when it can, or when that is not known.
func ReachNote(st session.State) string {
	for _, s := range st.Subscriptions {
		if s.Kind == session.SubStream && s.Phase == session.SubEnded && s.End == session.EndRefused {
			return "The server refused the stream for what it sends by itself, so requests from server to client cannot reach us outside of a call."
		}
	}
	return ""
}
