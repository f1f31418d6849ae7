package replay

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/protocol/jsonvalue"
	"mcploupe/recorder"
)

// play is one recorded leg on its way to a client.
type play struct {
	c       *conversation
	ctx     context.Context
	cl      client
	request protocol.Message // of the client
	out     sender
	leg     int            // -1 for an answer that is made
	from    int            // moment to begin with
	given   jsontext.Value // inputResponses that the client brought
	asks    map[string]ask // what they answer
	made    []byte

	parked  bool // it goes on with a retry
	began   time.Time
	shift   time.Duration // of the recorded times against those since began
	pending map[place]question
	skipped map[place]bool
}

// question is one that the client was asked.
type question struct {
	ask
	reply  <-chan []byte
	forget func()
}

// run plays the leg and returns the answer.
func (p *play) run() []byte {
	if p.leg < 0 {
		return p.fit(protocol.MethodPing, p.made)
	}
	sc := p.c.s.script
	l := &sc.legs[p.leg]
	p.began, p.pending, p.skipped = time.Now(), make(map[place]question), make(map[place]bool)
	defer func() {
		for _, q := range p.pending {
			q.forget()
		}
	}()
	p.shift = -sc.time(l.request)
	if p.from > 0 {
		p.shift = -sc.time(l.in[p.from-1].place)
	}
	if !l.retry && p.from == 0 && l.exchange >= 0 && !p.cl.token.IsZero() {
		p.c.mu.Lock()
		p.c.tokens[l.exchange] = p.cl.token
		p.c.mu.Unlock()
	}
	p.checkInput(l)
	for k := p.from; k < len(l.in); k++ {
		if answer, over := p.moment(l, k); over {
			return answer
		}
	}
	if l.answer.zero() {
		return p.unanswered(l)
	}
	if !p.wait(sc.time(l.answer)) {
		return nil
	}
	answer := sc.message(l.answer)
	if text(lookup(answer.Result, "/resultType")) == protocol.ResultInputRequired {
		return p.inputRequired(l, answer)
	}
	return p.fit(sc.groups[l.group].method, answer.Raw)
}

func (p *play) unanswered(l *leg) []byte {
	text := fmt.Sprintf("The recorded request of event %d was never answered", l.request.seq)
	r := remarkOn(Refused, p.request, text)
	r.Nearest = l.request.seq
	p.c.s.book.add(r)
	return protocol.NewError(p.request.ID, protocol.CodeInternal, text, nil)
}

// wait waits until a recorded time is due. It reports false when the client is
// no longer interested.
func (p *play) wait(at time.Duration) bool {
	if p.c.s.o.Latency == None {
		return p.ctx.Err() == nil
	}
	return sleep(p.ctx, time.Until(p.began.Add(at+p.shift)))
}

func sleep(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// moment plays moment k of a leg; over says that the answer is there or never
// will be.
func (p *play) moment(l *leg, k int) (answer []byte, over bool) {
	sc, mom := p.c.s.script, l.in[k]
	if sc.log.Head(mom.seq).Dir == recorder.Out {
		return nil, !p.awaitReply(mom)
	}
	if !p.wait(sc.time(mom.place)) {
		return nil, true
	}
	m := sc.message(mom.place)
	if m.Kind != protocol.Request {
		return nil, p.c.deliver(mom, m, l.exchange, p.cl, p.out) != nil
	}
	switch m.Method {
	case protocol.MethodElicit, protocol.MethodSampling, protocol.MethodRootsList:
	default:
		return nil, false
	}
	if !p.cl.can(m.Method, m.Params) {
		p.skipped[mom.place] = true
		p.c.unasked(m)
		return nil, false
	}
	if p.cl.modern {
		if p.asks != nil && p.answeredAlready(mom) {
			return nil, false
		}
		return p.gather(l, k)
	}
	out := p.out
	if mom.exchange != l.exchange {
		out = p.c.general
	}
	reply, forget, err := p.c.ask(out, m.Method, m.Params)
	if err != nil {
		return nil, true
	}
	p.pending[mom.place] = question{ask{mom.place, sc.replyTo(mom.place)}, reply, forget}
	return nil, false
}

func (c *conversation) unasked(m protocol.Message) {
	c.s.book.add(remarkOn(Unasked, m, "This client does not declare that it can be asked for "+m.Method+"; the recording went on without it"))
}

// replyTo is the recorded result or error that answered a question of the
// server, nil if it is not known.
func (s *script) replyTo(p place) jsontext.Value {
	if p.item >= 0 {
		return nil
	}
	partner := s.log.Head(p.seq).Partner
	if partner == 0 {
		return nil
	}
	m := s.message(place{partner, -1})
	if m.Result != nil {
		return m.Result
	}
	return m.Error
}

// awaitReply waits for the reply that takes the place of a recorded one.
func (p *play) awaitReply(mom moment) bool {
	sc := p.c.s.script
	asked := place{sc.log.Head(mom.seq).Partner, -1}
	q, ok := p.pending[asked]
	if !ok {
		return p.ctx.Err() == nil
	}
	delete(p.pending, asked)
	defer q.forget()
	start := time.Now()
	select {
	case raw, ok := <-q.reply:
		if !ok {
			return false
		}
		p.c.compareReply(sc.message(asked).Method, q.ask, outcome(raw))
	case <-p.ctx.Done():
		return false
	}
	p.shift += time.Since(start) - (sc.time(mom.place) - sc.time(asked))
	return true
}

// outcome is the result or the error of a response.
func outcome(raw []byte) jsontext.Value {
	m := protocol.Parse(raw)
	if m.Result != nil {
		return m.Result
	}
	return m.Error
}

// compareReply says when a client replied otherwise than was recorded.
func (c *conversation) compareReply(method string, a ask, got jsontext.Value) {
	if a.reply == nil {
		return
	}
	before, err := jsonvalue.Parse(a.reply)
	after, errAfter := jsonvalue.Parse(got)
	if err != nil || errAfter != nil || before.Key() == after.Key() {
		return
	}
	r := Remark{Kind: OtherWise, Method: method, Nearest: a.seq, Differs: compare(before, after, maxDifferences, nil),
		Text: method + " was replied to otherwise than recorded; the recorded answer was given all the same"}
	if a.seq != 0 {
		r.Text = fmt.Sprintf("%s of event %d was replied to otherwise than recorded; the recorded answer was given all the same", method, a.seq)
	}
	c.s.book.add(r)
}

// gather turns the questions from moment k up to the first reply into one answer
// input_required, for a client that has no requests of servers.
func (p *play) gather(l *leg, k int) ([]byte, bool) {
	sc := p.c.s.script
	asks := make(map[string]ask)
	inputs := []byte("{")
	for ; k < len(l.in); k++ {
		mom := l.in[k]
		if sc.log.Head(mom.seq).Dir == recorder.Out {
			break
		}
		m := sc.message(mom.place)
		if m.Kind != protocol.Request {
			if p.c.deliver(mom, m, l.exchange, p.cl, p.out) != nil {
				return nil, true
			}
			continue
		}
		if !p.cl.can(m.Method, m.Params) {
			p.c.unasked(m)
			continue
		}
		key := fmt.Sprintf("question-%d", mom.seq)
		asks[key] = ask{mom.place, sc.replyTo(mom.place)}
		if len(inputs) > 1 {
			inputs = append(inputs, ',')
		}
		inputs = append(append(append(inputs, protocol.QuoteString(key)...), `:{"method":`...), protocol.QuoteString(m.Method)...)
		if m.Params != nil {
			inputs = append(append(inputs, `,"params":`...), m.Params...)
		}
		inputs = append(inputs, '}')
	}
	inputs = append(inputs, '}')
	state := protocol.QuoteString(fmt.Sprintf("recorded-%d-%d-%d", p.leg, k, p.c.roundNumber()))
	p.parked = true
	p.c.park(pendingRound{groupKey: sc.groups[l.group].groupKey, state: state, leg: p.leg, from: k, asks: asks})
	p.c.s.book.add(remarkOn(Fitted, p.request, "A question that was a request of the server was asked as input_required"))
	result := append([]byte(`{"resultType":"input_required","inputRequests":`), inputs...)
	result = append(append(append(result, `,"requestState":`...), state...), '}')
	return protocol.NewResult(p.request.ID, result), true
}

func (c *conversation) roundNumber() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.nextAsk++
	return c.nextAsk
}

func (p *play) answeredAlready(mom moment) bool {
	for _, a := range p.asks {
		if a.place == mom.place {
			return true
		}
	}
	return false
}

// checkInput compares what a retry brings with what was recorded.
func (p *play) checkInput(l *leg) {
	if p.given == nil {
		return
	}
	sc := p.c.s.script
	recorded := lookup(sc.message(l.request).Params, "/inputResponses")
	for key, got := range protocol.Members(p.given) {
		a, known := p.asks[key]
		if !known || a.reply == nil {
			a.reply = lookup(recorded, jsonvalue.Child("", key))
		}
		method := protocol.ResultInputRequired + " " + shortName(key)
		if a.seq != 0 {
			method = sc.message(a.place).Method
		}
		p.c.compareReply(method, a, got)
	}
}

// inputRequired plays a recorded answer that asks for input: as it is to a
// client that knows such answers, as requests to one that does not.
func (p *play) inputRequired(l *leg, answer protocol.Message) []byte {
	sc := p.c.s.script
	next := sc.next(p.leg)
	inputs := protocol.DecodeInputRequests(lookup(answer.Result, "/inputRequests"))
	unable := slices.ContainsFunc(inputs, func(in protocol.InputRequest) bool { return !p.cl.can(in.Method, in.Params) })
	if p.cl.modern && !unable {
		p.parked = true
		p.c.park(pendingRound{groupKey: sc.groups[l.group].groupKey, state: lookup(answer.Result, "/requestState"), leg: next})
		return p.fit(sc.groups[l.group].method, answer.Raw)
	}
	var recorded jsontext.Value
	if next >= 0 {
		recorded = lookup(sc.message(sc.legs[next].request).Params, "/inputResponses")
	}
	var open []question
	var methods []string
	defer func() {
		for _, q := range open {
			q.forget()
		}
	}()
	for _, in := range inputs {
		if p.cl.modern || !p.cl.can(in.Method, in.Params) {
			p.c.unasked(protocol.Message{Method: in.Method, Params: in.Params})
			continue
		}
		reply, forget, err := p.c.ask(p.out, in.Method, in.Params)
		if err != nil {
			return nil
		}
		methods = append(methods, in.Method)
		open = append(open, question{ask{place{}, bytes.Clone(lookup(recorded, jsonvalue.Child("", in.Key)))}, reply, forget})
	}
	if len(open) > 0 {
		p.c.s.book.add(remarkOn(Fitted, p.request, "An answer input_required was put as requests of the server"))
	}
	for i, q := range open {
		select {
		case raw, ok := <-q.reply:
			if !ok {
				return nil
			}
			p.c.compareReply(methods[i], q.ask, outcome(raw))
		case <-p.ctx.Done():
			return nil
		}
	}
	if next < 0 {
		return p.unanswered(l)
	}
	p.leg, p.from, p.given, p.asks = next, 0, nil, nil
	return p.run()
}

// fit gives an answer the client's id and, where revisions differ, what the
// client's cannot do without.
func (p *play) fit(method string, raw []byte) []byte {
	out, err := protocol.SetID(bytes.Clone(raw), p.request.ID)
	if err != nil {
		return protocol.NewError(p.request.ID, protocol.CodeInternal, "The recorded answer is not a message", nil)
	}
	if !p.cl.modern {
		return out
	}
	result := protocol.Parse(out).Result
	fitted := result
	switch {
	case result == nil || result.Kind() != '{':
		return out
	case method == protocol.MethodToolsList || method == protocol.MethodPromptsList || method == protocol.MethodResourcesList ||
		method == protocol.MethodResourceTemplatesList || method == protocol.MethodResourcesRead || method == protocol.MethodDiscover:
		fitted = withMember(withMember(fitted, "cacheScope", jsontext.Value(`"private"`)), "ttlMs", jsontext.Value("0"))
	}
	fitted = withMember(fitted, "resultType", jsontext.Value(`"complete"`))
	if len(fitted) == len(result) {
		return out
	}
	return splice(out, "/result", fitted)
}

// afterwards plays what the server sent between an answer and the next request.
func (c *conversation) afterwards(i int, cl client) func(context.Context) {
	sc := c.s.script
	if i < 0 || len(sc.legs[i].after) == 0 {
		return nil
	}
	l := &sc.legs[i]
	return func(ctx context.Context) {
		began, base := time.Now(), sc.time(l.answer)
		for _, mom := range l.after {
			if sc.log.Head(mom.seq).Dir == recorder.Out {
				continue
			}
			if c.s.o.Latency == Recorded && !sleep(ctx, time.Until(began.Add(sc.time(mom.place)-base))) || ctx.Err() != nil {
				return
			}
			m := sc.message(mom.place)
			if m.Kind != protocol.Request {
				if c.deliver(mom, m, -1, cl, c.general) != nil {
					return
				}
				continue
			}
			if m.Method == protocol.MethodPing || cl.modern || !cl.can(m.Method, m.Params) {
				continue
			}
			if _, forget, err := c.ask(c.general, m.Method, m.Params); err == nil {
				defer forget()
			}
		}
	}
}
