package recorder

import "mcploupe/protocol"

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
	x.read += int(e.size)
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
