package recorder

import "bytes"

// GivenUp is what HTTPHead.Error says at the end of an HTTP exchange that the
// client closed because its call was cancelled or its time was over.
const GivenUp = "the call was given up"

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
