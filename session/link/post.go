package link

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"mcploupe/protocol"
)

// post is the exchange of one message, with the resumptions of its stream.
type post struct {
	l       *HTTPLink
	m       protocol.Message
	o       SendOptions
	channel string // of the POST
	sent    uint64 // event of the message
	found   []protocol.Problem
	x       *exchange
	s       *stream
	*lifetime
	pending   *pending
	inSession bool
	timer     *time.Timer // of linger
}

// saw follows the messages of this exchange: it finds the answers.
func (p *post) saw(m protocol.Message) {
	p.l.pending.answer(m)
	if m.Kind == protocol.Error && m.ID.IsZero() && carriesMessage(m) {
		p.l.pending.answerAll(p.pending) // an error without an id answers what it was sent for
	}
	if p.pending.answered() {
		p.lingers()
	}
}

// lingers gives the exchange, which has done what it was for, some time to end
// by itself.
func (p *post) lingers() {
	if p.timer == nil {
		p.timer = time.AfterFunc(p.l.waits.linger, func() { p.cancel(errLinger) })
	}
}

// follow reads the answer to its end, resumes it where that is possible, and
// reports.
func (p *post) follow() {
	err := p.s.read(p.ctx, p.x)
	p.closeExchange(err)
	if p.s.form == formEvents && p.resumable() {
		err = p.resume(err)
	}
	p.end(err)
}

// closeExchange records the end of the current HTTP exchange.
func (p *post) closeExchange(err error) {
	if errors.Is(context.Cause(p.ctx), errLinger) {
		p.x.find("L-HTTP-14", protocol.Info, fmt.Sprintf("the stream was still open %v after the answer and was closed", p.l.waits.linger))
		err = nil
	}
	p.x.done(err)
}

// end reports the end of the whole exchange.
func (p *post) end(err error) {
	if p.timer != nil {
		p.timer.Stop()
	}
	err = p.outcome(err)
	p.l.pending.drop(p.pending)
	p.lifetime.end()
	p.l.h.Ended(Ended{Seq: p.x.end, Channel: p.channel, For: p.s.id, Answer: p.x.answer, Err: err, Problems: p.x.takeProblems(), Sent: p.sent, SentProblems: p.found})
}

// outcome tells why the message will not be answered, nil if it was or needs
// no answer.
func (p *post) outcome(err error) error {
	answer := p.x.answer
	switch {
	case p.l.lostSession(p.x, p.inSession):
		return fmt.Errorf("%w: %w", ErrSessionLost, refusal(answer, "to a request with a session id"))
	case p.pending.answered() && p.pending.expects:
		return nil
	case err != nil && !errors.Is(err, errLinger):
		return err
	case answer.Status/100 != 2:
		return refusal(answer, "and no message that answers")
	case !p.pending.expects:
		p.judgeAccepted()
		return nil
	}
	return p.unanswered()
}

// judgeAccepted checks the answer to a message that wants none (HTTP-06).
func (p *post) judgeAccepted() {
	if kind := p.m.Kind; kind != protocol.Notification && kind != protocol.Result && kind != protocol.Error {
		return
	}
	p.x.problems = without(p.x.problems, "L-HTTP-01") // the body means nothing
	if p.x.answer.Status != http.StatusAccepted || p.x.bytes > 0 {
		p.x.find("L-HTTP-02", protocol.Warning, fmt.Sprintf("a notification or response is answered 202 without a body, not %d with %d bytes", p.x.answer.Status, p.x.bytes))
	}
}

func (p *post) unanswered() error {
	answer := p.x.answer
	switch {
	case answer.Status == http.StatusAccepted:
		p.x.find("HTTP-06", protocol.Violation, "202 is the answer to notifications and responses; this was a request")
		return fmt.Errorf("%w: the server answered 202 as if nothing were to be answered", ErrNoAnswer)
	case p.s.form == formEmpty:
		p.x.find("http.body-empty", protocol.Violation, fmt.Sprintf("an answer %d without a body", answer.Status))
		return fmt.Errorf("%w: %d without a body", ErrNoAnswer, answer.Status)
	case p.s.form == formEvents && p.m.Method == protocol.MethodSubscriptionsListen:
		return fmt.Errorf("%w: the event stream ended, without a result", ErrNoAnswer) // whose rule is another (L-SUB-06)
	case p.s.form == formEvents:
		p.x.find("L-HTTP-19", protocol.Violation, "the event stream ended before the answer")
		return fmt.Errorf("%w: the event stream ended before it", ErrNoAnswer)
	case p.s.form == formText:
		return fmt.Errorf("%w: %w", ErrNoAnswer, &AnswerError{Answer: *answer, Text: fmt.Sprintf("the body (%s) is neither JSON nor an event stream", answer.ContentType)})
	}
	return fmt.Errorf("%w: what came does not answer the request", ErrNoAnswer)
}

func (l *HTTPLink) newPost(raw []byte, m protocol.Message, o SendOptions) *post {
	p := &post{l: l, m: m, o: o, pending: l.pending.add(m)}
	own := []protocol.HeaderField{{Name: "Accept", Value: acceptBoth}, {Name: "Content-Type", Value: "application/json"}}
	var found []protocol.Problem
	if o.Revision != nil && !o.Initialize {
		l.SetRevision(o.Revision)
		var fields []protocol.HeaderField
		fields, found = protocol.Headers(o.Revision, m, o.InputSchema)
		own = append(own, fields...)
	}
	session := l.sessionFor(o)
	if session != "" {
		own = append(own, protocol.HeaderField{Name: protocol.HeaderSession, Value: session})
	}
	var id protocol.ID
	if m.Kind == protocol.Request {
		id = m.ID
	}
	p.inSession = session != ""
	p.x = &exchange{
		w: l.wire, channel: l.channel("post"), method: http.MethodPost, url: l.url,
		header: l.header(own, o.Headers), body: append([]byte{}, raw...),
	}
	p.channel, p.found = p.x.channel, found
	p.s = &stream{w: l.wire, id: id, saw: p.saw}
	return p
}

// refusal explains an answer that carries no message and is no success.
func refusal(a *Answer, what string) *AnswerError {
	text := fmt.Sprintf("the server answered %d %s %s", a.Status, a.Reason, what)
	if a.Location != "" {
		text += ", a redirect to " + a.Location
	}
	return &AnswerError{Answer: *a, Text: text}
}
