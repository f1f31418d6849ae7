package view

import (
	"hash/maphash"
	"time"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/ui/view/human"
)

var keySeed = maphash.MakeSeed()

// RowKey changes whenever a row would look different.
func (t *Timeline) RowKey(row int) uint64 {
	id := t.ID(row)
	key := rowKey{id: id, time: t.timeMode}
	if m, ok := t.log.Mark(id.Seq); ok {
		key.mark = m
	}
	if t.timeMode == SinceMark {
		key.marks = t.markTurn
	}
	if id.Whole {
		i := t.exchangeIndex(row)
		e := t.ex.At(i)
		key.state, key.events, key.took, key.problems, key.open = e.State, e.Events, e.Took+e.Waited, e.Problems, t.fold.isOpen(i)
	} else {
		h := t.log.Head(id.Seq)
		key.answered, key.problems = h.Partner != 0, h.Problems
		if e, ok := t.asked(h); ok {
			key.took = e.Took
		}
		if i, ok := t.ex.Of(id.Seq); ok && h.Message == protocol.Request && h.Partner == 0 {
			key.state = t.ex.At(i).State
		} else if t.brokenAnswer(h) {
			key.state = recorder.ExchangeInvalid
		}
	}
	return maphash.Comparable(keySeed, key)
}

// rowKey is what may change the look of a row.
type rowKey struct {
	id       RowID
	time     TimeMode
	mark     recorder.Mark
	marks    int
	state    recorder.ExchangeState
	events   int
	took     time.Duration
	answered bool
	problems bool
	open     bool
}

// RowAt makes a row.
func (t *Timeline) RowAt(row int) Row {
	id := t.ID(row)
	var r Row
	if id.Whole {
		i := t.exchangeIndex(row)
		e := t.ex.At(i)
		r = exchangeRow(e)
		r.Channel = line(t.log.Head(e.Request).Channel, idRunes)
		r.Open = t.fold.isOpen(i)
		r.Time = t.timeText(row, e.Start)
	} else {
		h := t.log.Head(id.Seq)
		r = rowOf(t.log, id.Seq)
		if t.brokenAnswer(h) {
			r.Status, r.Tone = recorder.ExchangeInvalid.String(), Bad
		}
		r.Channel = line(h.Channel, idRunes)
		r.Time = t.timeText(row, h.Time)
		r.Sign = statusSign(r)
		if e, ok := t.asked(h); ok {
			r.Took, r.Waited = human.Duration(e.Took), human.Duration(e.Waited)
		}
		r.Member = t.mode == Exchanges
	}
	r.Mark = t.Mark(id.Seq)
	return r
}

// brokenAnswer reports whether an event is a request, or its answer, where the
// answer is none to rely on.
func (t *Timeline) brokenAnswer(h recorder.Head) bool {
	if h.Kind != recorder.KindMessage || h.Partner == 0 || !h.Problems && !t.log.Head(h.Partner).Problems {
		return false
	}
	i, ok := t.ex.Of(h.Seq)
	if !ok {
		return false
	}
	e := t.ex.At(i)
	return e.State == recorder.ExchangeInvalid && (e.Answer == h.Seq || e.Answer == h.Partner)
}

// asked is the exchange of a request and its one answer while which a person was
// asked: the time from one to the other is not that of the work.
func (t *Timeline) asked(h recorder.Head) (recorder.Exchange, bool) {
	if h.Partner == 0 {
		return recorder.Exchange{}, false
	}
	i, ok := t.ex.Of(h.Seq)
	if !ok {
		return recorder.Exchange{}, false
	}
	e := t.ex.At(i)
	whole := e.Request == h.Seq && e.Answer == h.Partner || e.Request == h.Partner && e.Answer == h.Seq
	return e, whole && e.Waited > 0
}

// statusSign is the shape beside the word for how an event stands.
func statusSign(r Row) string {
	switch {
	case r.Status == "":
		return ""
	case r.Status == "pending":
		return "◌"
	}
	switch r.Tone {
	case Good:
		return "✓"
	case Caution:
		return "⚠"
	case Bad:
		return "✕"
	}
	return "○"
}

// exchangeRow fills the columns of an exchange but for its time.
func exchangeRow(e recorder.Exchange) Row {
	r := Row{
		Seq: e.Request, Number: human.Count(e.Request), Arrow: arrow(e.Dir), What: line(e.Method, whatRunes), Name: line(e.Name, nameRunes),
		ID: line(e.ID, idRunes), Size: human.Bytes(e.Bytes), Events: human.Count(e.Events), Whole: true,
	}
	r.Sign, r.Status, r.Tone = exchangeState(e)
	if e.Took > 0 || e.Answer != 0 && e.State != recorder.ExchangePending { // a task was answered and goes on
		r.Took = human.Duration(e.Took)
	}
	if e.Waited > 0 {
		r.Waited = human.Duration(e.Waited)
	}
	if e.Problems && (r.Tone == Good || r.Tone == Plain) {
		r.Sign, r.Tone = "⚠", Caution
		r.Status += ", odd"
	}
	return r
}

// exchangeState is the shape, the word and the weight of how an exchange
// stands.
func exchangeState(e recorder.Exchange) (sign, word string, tone Tone) {
	word = e.State.String()
	switch e.State {
	case recorder.ExchangePending:
		return "◌", word, Plain
	case recorder.ExchangeOK:
		return "✓", word, Good
	case recorder.ExchangeError:
		if code, tone := answered(e.Status); tone == Bad {
			return "✕", code, Bad
		}
		return "✕", word, Bad
	case recorder.ExchangeCancelled:
		return "○", word, Muted
	case recorder.ExchangeTimedOut, recorder.ExchangeLate:
		return "⚠", word, Caution
	}
	return "✕", word, Bad
}
