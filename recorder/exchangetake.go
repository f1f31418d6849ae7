package recorder

import "mcploupe/protocol"

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
