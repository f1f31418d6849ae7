package view

import (
	"time"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/ui/view/human"
)

// AxisPart is a part of a time axis, from 0 to 1.
type AxisPart struct {
	From, To float32
	Waits    bool // for the person
}

// Axis is the time that a waterfall shows.
type Axis struct{ From, To time.Duration }

// Texts are the ends of the axis.
func (a Axis) Texts() (from, to string) { return human.Offset(a.From), human.Offset(a.To) }

func (a Axis) share(t time.Duration) float32 {
	return float32(float64(t-a.From) / float64(max(1, a.To-a.From)))
}

// Axis is the time of the filter, or all of it.
func (t *Timeline) Axis() Axis {
	d, _ := t.Density()
	from, to, _ := RangeOf(t.text, d)
	return Axis{from, max(to, from+1)}
}

// maxStretch is how many times as long as the starts of the rows in sight are
// apart their axis may be: a call that takes much longer reaches its end.
const maxStretch = 3

// AxisOf is the time of some rows one below the other, for bars that can be told
// from each other however long the recording is. Rows that are sorted are shown
// in the time of all.
func (t *Timeline) AxisOf(first, last int) Axis {
	if t.sort.order != nil || first < 0 || last >= t.Rows() || first > last {
		return t.Axis()
	}
	from := t.log.Head(t.Seq(first)).Time
	start, end := from, from
	for row := first; row <= last; row++ {
		id := t.ID(row)
		h := t.log.Head(id.Seq)
		from, start = min(from, h.Time), max(start, h.Time)
		if id.Whole {
			e := t.ex.At(t.exchangeIndex(row))
			end = max(end, e.Start+e.Took+e.Waited)
		} else {
			end = max(end, h.Time)
		}
	}
	if apart := start - from; apart > 0 {
		end = min(end, from+maxStretch*apart)
	}
	return Axis{from, max(end, start, from+1)}
}

// Bars are when a row's exchange was at work and when it waited for the person;
// of a row below it, when the event was.
func (t *Timeline) Bars(row int, a Axis) []AxisPart {
	id := t.ID(row)
	if !id.Whole {
		h := t.log.Head(id.Seq)
		end := h.Time
		if h.Message == protocol.Request {
			end += h.Took
		}
		return []AxisPart{{From: a.share(h.Time), To: a.share(end)}}
	}
	i := t.exchangeIndex(row)
	e := t.ex.At(i)
	end := e.Start + e.Took + e.Waited
	if e.State == recorder.ExchangePending {
		end = t.log.Head(t.length).Time
	}
	bars := []AxisPart{{From: a.share(e.Start), To: a.share(end)}}
	if e.Waited == 0 {
		return bars
	}
	for _, w := range t.waits(i, e) {
		bars = append(bars, AxisPart{a.share(w.From), a.share(w.To), true})
	}
	return bars
}

// waits are the times at which an exchange waited for the person: from a
// question of the other side to its answer, and from an answer that asks to the
// request that goes on.
func (t *Timeline) waits(i int, e recorder.Exchange) []Axis {
	var out []Axis
	var asked time.Duration
	asking := false
	for _, seq := range t.members(i) {
		h := t.log.Head(seq)
		switch {
		case h.Message == protocol.Request && h.Dir != e.Dir && h.Partner != 0:
			out = append(out, Axis{h.Time, h.Time + h.Took})
		case h.Message == protocol.Request && h.Dir == e.Dir && asking:
			out = append(out, Axis{asked, h.Time})
			asking = false
		case h.Message == protocol.Result && h.Status == "input_required":
			asked, asking = h.Time, true
		}
	}
	return out
}
