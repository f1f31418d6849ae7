package recorder

import "mcploupe/protocol"

// takeBatch ties a batch: one with requests is an exchange, one with responses
// is a part of the exchange of the first that it answers.
func (x *Exchanges) takeBatch(seq uint64, e *entry) (n uint32, isRequest, ok bool) {
	x.read += int(e.size)
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
