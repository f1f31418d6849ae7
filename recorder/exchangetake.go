package recorder

import (
	"bytes"

	"mcploupe/protocol"
)

// GivenUp is what HTTPHead.Error says at the end of an HTTP exchange that the
// client closed because its call was cancelled or its time was over.
const GivenUp = "the call was given up"

// take takes in the event seq, for which there is room in owner and next.
func (x *Exchanges) take(seq uint64) {
	e := x.log.index.at(seq)
	switch e.kind() {
	case KindMessage:
		x.takeMessage(seq, e)
	case KindHTTP:
		x.takeHTTP(seq, e)
	case KindState:
		x.takeState(seq, e)
	case KindNote, KindBad, KindSSE:
		x.takeOther(seq, e)
	}
}

func (x *Exchanges) takeMessage(seq uint64, e *entry) {
	var n uint32
	var ok bool
	isRequest := false
	switch e.msg() {
	case protocol.Request:
		n, isRequest, ok = x.takeRequest(seq, e), true, true
	case protocol.Result, protocol.Error:
		n, ok = x.takeResponse(seq, e)
	case protocol.Notification:
		n, ok = x.takeNotification(seq, e)
	case protocol.Batch:
		n, isRequest, ok = x.takeBatch(seq, e)
	default:
		n, ok = x.takeInvalid(seq, e)
	}
	if !ok {
		x.takeOther(seq, e)
		return
	}
	x.attach(n, seq)
	x.attachBefore(n, seq, e)
	x.post(n, seq, e, isRequest)
}

// attachBefore attaches the fields of the server-sent event that brought a
// message.
func (x *Exchanges) attachBefore(n uint32, seq uint64, e *entry) {
	if c := uint64(e.cause); c != 0 && c < seq && x.log.index.at(c).kind() == KindSSE {
		x.attach(n, c)
	}
}

// post makes the HTTP exchange whose body a message is a part of exchange n.
func (x *Exchanges) post(n uint32, seq uint64, e *entry, isRequest bool) {
	c := uint64(e.cause)
	if e.dir() != Out || c == 0 || c >= seq {
		return
	}
	if head := x.log.index.at(c); head.kind() != KindHTTP || head.dir() != Out {
		return
	}
	if t := x.channel(e); t != nil {
		x.owns(t, n)
		if isRequest {
			t.request = uint32(seq)
		}
	} else {
		x.attach(n, c)
	}
}

// owns makes an HTTP exchange a part of exchange n.
func (x *Exchanges) owns(t *channelTie, n uint32) {
	t.owner = n + 1
	for _, seq := range t.early {
		if seq != 0 {
			x.attach(n, uint64(seq))
		}
	}
	t.early = [4]uint32{}
}

// channel is the HTTP exchange that carried an event, nil if it was none.
func (x *Exchanges) channel(e *entry) *channelTie {
	if e.channel == 0 || e.channel&0xff == prefixInFile {
		return nil
	}
	t, _ := x.tie.channels.get(e.channel)
	return t
}

// takeOther ties what names no exchange itself by the HTTP exchange that
// carried it, or by the event that it belongs to.
func (x *Exchanges) takeOther(seq uint64, e *entry) {
	if t := x.channel(e); t != nil {
		if e.dir() == In && (e.kind() == KindBad || e.kind() == KindMessage && e.msg() != protocol.Notification && e.msg() != protocol.Request) {
			t.bad = uint32(seq)
		}
		x.carry(t, seq)
		return
	}
	if c := uint64(e.cause); c != 0 && c < seq && e.kind() != KindMessage && !isMark(e, &x.log.tables) {
		if n := x.owner[c-1]; n != 0 {
			x.attach(n-1, seq)
		}
	}
}

// carry attaches an event to the exchange of its HTTP exchange, now or when
// that is known.
func (x *Exchanges) carry(t *channelTie, seq uint64) {
	if t.owner != 0 {
		x.attach(t.owner-1, seq)
		return
	}
	for i := range t.early {
		if t.early[i] == 0 {
			t.early[i] = uint32(seq)
			return
		}
	}
}

// takeRequest returns the exchange of a request: a new one, or the one that it
// is a part of.
func (x *Exchanges) takeRequest(seq uint64, e *entry) uint32 {
	class := x.classOf(e)
	n, ok := x.partOf(seq, e, class)
	if !ok {
		n = x.create(seq)
		x.open(n, uint32(seq), class != classListen)
	}
	if code := e.idCode(); code != 0 {
		x.tie.ids.put(idKey{e.dir(), code}, uint32(seq))
	}
	if code := e.refCode(); code != 0 {
		x.tie.tokens.put(idKey{e.dir(), code}, n)
	}
	return n
}

// partOf finds the exchange that a request is a part of.
func (x *Exchanges) partOf(seq uint64, e *entry, class methodClass) (uint32, bool) {
	switch class {
	case classTaskGet, classTaskResult, classTaskUpdate:
		if n, ok := x.taskOf(seq); ok {
			x.attach(n, seq)
			if class == classTaskUpdate {
				x.taskAnswered(n, e.time)
			}
			return n, true
		}
	}
	if class == classAsk {
		if n, ok := x.relatedTask(seq, e); ok {
			x.asks(n, seq, e)
			return n, true
		}
	}
	if n, ok := x.retryOf(seq, e); ok {
		return n, true
	}
	n, ok := uint32(0), false
	if t := x.channel(e); t != nil && t.owner != 0 {
		// A second request of the client in one HTTP exchange is one of its own.
		n = t.owner - 1
		ok = x.dirOf(n) != e.dir()
	} else if class == classAsk && t == nil || class == classAsk && t.owner == 0 {
		n, ok = x.tie.sole(Out + In - e.dir())
	}
	if ok && class == classAsk {
		x.asks(n, seq, e)
	}
	return n, ok
}

func (x *Exchanges) dirOf(n uint32) Direction { return x.log.index.at(uint64(x.list[n].request)).dir() }

// asks notes that the other side of an exchange asks something.
func (x *Exchanges) asks(n uint32, seq uint64, e *entry) {
	if v, ok := x.tie.live.get(n); ok && len(v.asks) < maxAsks {
		v.begins(e.time)
		v.asks = append(v.asks, uint32(seq))
	}
}

// askEnds notes that a question was answered or withdrawn.
func (x *Exchanges) askEnds(n, asked uint32, at int64) {
	v, ok := x.tie.live.get(n)
	if !ok {
		return
	}
	was := v.waiting()
	for i, seq := range v.asks {
		if seq == asked {
			v.asks = append(v.asks[:i], v.asks[i+1:]...)
			break
		}
	}
	x.waitEnds(v, was, at)
}

// takeResponse ties a response to the exchange of its request.
func (x *Exchanges) takeResponse(seq uint64, e *entry) (uint32, bool) {
	asked := uint64(e.answer())
	if asked == 0 || asked >= seq || x.owner[asked-1] == 0 {
		// Once more to the same id, or to an id of another type.
		q, ok := x.tie.ids.get(idKey{Out + In - e.dir(), e.idCode()})
		if !ok {
			q, ok = x.tie.ids.get(idKey{Out + In - e.dir(), x.otherID(e.idCode())})
		}
		if !ok || x.owner[q-1] == 0 {
			return 0, false
		}
		asked = uint64(q)
	}
	n := x.owner[asked-1] - 1
	x.answered(n, uint32(asked), seq, e)
	return n, true
}

// otherID is the code of an id as a string where it was a number, and the
// reverse; 0 for none.
func (x *Exchanges) otherID(code uint64) uint64 {
	text, missing := x.log.tables.id(code)
	if missing || text == "" {
		return 0
	}
	if text[0] == '"' {
		text = text[1 : len(text)-1]
	} else {
		text = `"` + text + `"`
	}
	return x.log.tables.idCode([]byte(text))
}

// answered takes a response to a request of exchange n.
func (x *Exchanges) answered(n, asked uint32, seq uint64, e *entry) {
	q := x.log.index.at(uint64(asked))
	ex := &x.list[n]
	class := x.classOf(q)
	switch {
	case q.dir() != x.dirOf(n):
		x.askEnds(n, asked, e.time)
		return
	case ex.flags&flagTask != 0 && class >= classTaskGet && class <= classTaskUpdate && asked != ex.request:
		x.taskReplied(n, asked, class, seq, e)
		return
	case ex.flags&flagBatch != 0 && asked == ex.request:
		x.batchAnswered(n, 1, x.resultOf(seq, e), seq, e)
		return
	}
	v, isLive := x.tie.live.get(n)
	if ex.state == ExchangePending && isLive && v.current != asked {
		return // an earlier round, once more
	}
	word := x.statusWord(e)
	switch ex.state {
	case ExchangeCancelled, ExchangeTimedOut:
		ex.answer = uint32(seq)
		x.list[n].state = ExchangeLate
	case ExchangePending, ExchangeLost:
		ex.answer = uint32(seq)
		switch {
		case e.msg() == protocol.Result && word == resultInputRequired && isLive:
			x.roundBegins(v, e.time)
		case e.msg() == protocol.Result && word == resultTask:
			x.taskBegins(n, seq)
		default:
			x.list[n].state = x.resultOf(seq, e)
			x.close(n, e.time)
			if class == classCall {
				x.mayBeTask(seq, e)
			}
		}
	}
}

// The result types that exchanges know.
const (
	resultInputRequired = "input_required"
	resultTask          = "task"
)

// maxPeek is up to which length a message is read to learn what it means to its
// exchange.
const maxPeek = 1 << 20

// peek returns a message, unless it is long.
func (x *Exchanges) peek(seq uint64, e *entry) (protocol.Message, bool) {
	if e.size > maxPeek {
		return protocol.Message{}, false
	}
	m, err := x.log.Message(seq)
	return m, err == nil
}

// resultOf is the state that a response brings.
func (x *Exchanges) resultOf(seq uint64, e *entry) ExchangeState {
	if e.problems() {
		if m, ok := x.peek(seq, e); ok && brokenAnswer(m) {
			return ExchangeInvalid
		}
	}
	switch {
	case e.msg() == protocol.Error:
		return ExchangeError
	case x.statusWord(e) == statusToolError:
		return ExchangeToolError
	}
	return ExchangeOK
}

// brokenAnswer reports whether a response breaks a rule without which it is no
// answer to rely on.
func brokenAnswer(m protocol.Message) bool {
	for _, p := range m.Problems {
		switch p.Rule {
		case "L-RPC-01", "L-RPC-03", "L-RPC-05":
			return true
		}
	}
	return m.Kind == protocol.Error && m.Error.Kind() == 'n'
}

// takeNotification ties a notification by the token, id or task that it names,
// by the HTTP exchange that carried it, or, a log message, by being sent while
// one request alone was worked on.
func (x *Exchanges) takeNotification(seq uint64, e *entry) (uint32, bool) {
	other := Out + In - e.dir()
	ref := e.refCode()
	class := x.classOf(e)
	switch class {
	case classProgress:
		if n, ok := x.tie.tokens.get(idKey{other, ref}); ok && ref != 0 {
			return n, true
		}
	case classCancelled:
		if n, ok := x.cancelled(e, ref); ok {
			return n, true
		}
	case classTaskStatus:
		if n, ok := x.taskOf(seq); ok {
			if m, ok := x.peek(seq, e); ok {
				x.taskStatus(n, m.Params, seq, e.time)
			}
			return n, true
		}
	}
	if q, ok := x.tie.ids.get(idKey{other, ref}); ok && ref != 0 && class != classCancelled && x.owner[q-1] != 0 &&
		x.classOf(x.log.index.at(uint64(q))) == classListen {
		return x.owner[q-1] - 1, true
	}
	if class == classLog && x.channel(e) == nil {
		return x.tie.sole(other)
	}
	if class == classLog && e.dir() == In {
		if t := x.channel(e); t.owner == 0 && t.request == 0 {
			return x.tie.sole(other)
		}
	}
	return 0, false
}

// cancelled takes a cancellation of the request with an id.
func (x *Exchanges) cancelled(e *entry, id uint64) (uint32, bool) {
	q, ok := x.tie.ids.get(idKey{e.dir(), id})
	if !ok {
		// A server ends the subscription that a client asked for.
		q, ok = x.tie.ids.get(idKey{Out + In - e.dir(), id})
		ok = ok && x.classOf(x.log.index.at(uint64(q))) == classListen
	}
	if !ok || id == 0 || x.owner[q-1] == 0 {
		return 0, false
	}
	n := x.owner[q-1] - 1
	if x.log.index.at(uint64(q)).dir() != x.dirOf(n) {
		x.askEnds(n, q, e.time)
		return n, true
	}
	if v, ok := x.tie.live.get(n); ok && v.current == q && x.list[n].state == ExchangePending {
		x.endWithout(n, ExchangeCancelled, e.time)
	}
	return n, true
}

// endWithout ends an exchange without an answer.
func (x *Exchanges) endWithout(n uint32, s ExchangeState, at int64) {
	x.list[n].state = s
	x.close(n, at)
}

// takeInvalid ties a message that is none by its id, in place of an answer.
func (x *Exchanges) takeInvalid(seq uint64, e *entry) (uint32, bool) {
	code := e.idCode()
	if code == 0 || e.id>>48 != 0 {
		return 0, false
	}
	q, ok := x.tie.ids.get(idKey{Out + In - e.dir(), code})
	if !ok || x.owner[q-1] == 0 {
		return 0, false
	}
	n := x.owner[q-1] - 1
	v, ok := x.tie.live.get(n)
	if ok && v.current == q && x.list[n].state == ExchangePending {
		x.list[n].answer = uint32(seq)
		x.endWithout(n, ExchangeInvalid, e.time)
	}
	return n, true
}

// takeHTTP ties the heads of an HTTP exchange, and ends the exchange when no
// answer can come any more.
func (x *Exchanges) takeHTTP(seq uint64, e *entry) {
	t := x.channel(e)
	if e.dir() == Out && e.channel != 0 && e.channel&0xff != prefixInFile && (t == nil || e.cause == 0) {
		t = &channelTie{}
		x.tie.channels.put(e.channel, t)
	}
	if t == nil {
		x.takeOther(seq, e)
		return
	}
	x.carry(t, seq)
	if e.dir() != In {
		return
	}
	if s := e.status(); s > 0 && s < firstStatusWord {
		t.status = s
		return
	}
	if word := x.statusWord(e); t.request != 0 && (word == "done" || word == "failed") {
		x.httpEnds(t, seq, e, word == "failed")
	}
}

// httpEnds ends the exchange whose request was posted in an HTTP exchange, if
// its answer can only have come there.
func (x *Exchanges) httpEnds(t *channelTie, seq uint64, e *entry, failed bool) {
	n := t.owner - 1
	v, ok := x.tie.live.get(n)
	if !ok || v.current != t.request || v.round || x.list[n].state != ExchangePending || x.list[n].flags&flagTask != 0 {
		return
	}
	switch {
	case failed && x.log.Head(seq).Name == GivenUp:
		x.endWithout(n, ExchangeCancelled, e.time)
	case !failed && t.status == 202: // the answer comes on another stream
	case t.bad != 0 && x.owner[t.bad-1] == t.owner && t.status < 400:
		x.list[n].answer = t.bad
		x.endWithout(n, ExchangeInvalid, e.time)
	default:
		x.endWithout(n, ExchangeLost, e.time)
	}
}

// takeState ties changes of the connection that are about one request, and ends
// what the end of the connection leaves without an answer.
func (x *Exchanges) takeState(seq uint64, e *entry) {
	switch x.statusWord(e) {
	case "timeout":
		if n, ok := x.timeout(seq, e); ok {
			x.attach(n, seq)
			return
		}
	case "resumed":
		if t := x.channel(e); t != nil && t.owner == 0 {
			if n, ok := x.named(x.log.Head(seq).Name, "the answer to request "); ok {
				x.owns(t, n)
			}
		}
	case "exited", "failed", "closed":
		x.tie.live.all(func(v *liveExchange) {
			if x.list[v.n].flags&flagTask == 0 {
				x.endWithout(v.n, ExchangeLost, e.time)
			}
		})
	}
	x.takeOther(seq, e)
}

// timeout takes the end of the time of a request, which the event names as its
// cause or in its text: the method, a blank, the id, a colon.
func (x *Exchanges) timeout(seq uint64, e *entry) (n uint32, ok bool) {
	if c := uint64(e.cause); c != 0 && c < seq && x.owner[c-1] != 0 {
		n, ok = x.owner[c-1]-1, true
	} else {
		n, ok = x.named(x.log.Head(seq).Name, "")
	}
	if ok && x.list[n].state == ExchangePending {
		x.endWithout(n, ExchangeTimedOut, e.time)
	}
	return n, ok
}

// named finds the exchange of the client's request whose id comes in a text
// after a beginning, or after the first blank.
func (x *Exchanges) named(text, before string) (uint32, bool) {
	b := []byte(text)
	if before == "" {
		_, b, _ = bytes.Cut(b, []byte(" "))
	} else {
		b, _ = bytes.CutPrefix(b, []byte(before))
	}
	end := bytes.IndexAny(b, " :")
	if len(b) > 0 && b[0] == '"' {
		end, _ = scanString(b, 0)
	}
	if end <= 0 {
		return 0, false
	}
	q, ok := x.tie.ids.get(idKey{Out, x.log.tables.idCode(b[:end])})
	if !ok || x.owner[q-1] == 0 {
		return 0, false
	}
	return x.owner[q-1] - 1, true
}

// takeBatch ties a batch: one with requests is an exchange, one with responses
// is a part of the exchange of the first that it answers.
func (x *Exchanges) takeBatch(seq uint64, e *entry) (n uint32, isRequest, ok bool) {
	var v envelope
	var pl payload
	if _, err := x.log.readEnvelope(seq, &v, &pl); err != nil {
		return 0, false, false
	}
	requests, responses := 0, 0
	for _, it := range v.items {
		switch it.kind {
		case protocol.Request:
			requests++
		case protocol.Result, protocol.Error:
			responses++
		}
	}
	if asked := uint64(e.answer()); responses > 0 && asked != 0 && asked < seq && x.owner[asked-1] != 0 {
		n = x.owner[asked-1] - 1
		if x.list[n].flags&flagBatch != 0 {
			x.batchAnswered(n, responses, x.batchResult(seq, e), seq, e)
		} else {
			x.answered(n, uint32(asked), seq, e)
		}
		return n, false, true
	}
	if requests == 0 {
		return 0, false, false
	}
	n = x.create(seq)
	x.list[n].flags |= flagBatch
	x.open(n, uint32(seq), true).rest = requests
	for _, it := range v.items {
		if it.kind == protocol.Request && len(it.id) > 0 {
			x.tie.ids.put(idKey{e.dir(), x.log.tables.keepID(it.id)}, uint32(seq))
		}
	}
	return n, true, true
}

// batchResult is the worst state that a batch of responses brings.
func (x *Exchanges) batchResult(seq uint64, e *entry) ExchangeState {
	worst := ExchangeOK
	m, _ := x.peek(seq, e)
	for _, it := range m.Items {
		if it.Kind == protocol.Error {
			worst = ExchangeError
		} else if failed, _, _ := protocol.Lookup(it.Result, "/isError"); string(failed) == "true" {
			worst = max(worst, ExchangeToolError)
		}
	}
	return worst
}

// batchAnswered takes responses to a batch, which ends with the last.
func (x *Exchanges) batchAnswered(n uint32, responses int, s ExchangeState, seq uint64, e *entry) {
	ex := &x.list[n]
	v, ok := x.tie.live.get(n)
	if !ok {
		if ex.state == ExchangeCancelled || ex.state == ExchangeTimedOut {
			ex.answer = uint32(seq)
			x.list[n].state = ExchangeLate
		}
		return
	}
	ex.answer = uint32(seq)
	v.rest -= responses
	v.worst = max(v.worst, s)
	if v.rest <= 0 {
		x.list[n].state = v.worst
		x.close(n, e.time)
	}
}
