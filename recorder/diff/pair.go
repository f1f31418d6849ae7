package diff

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"io"
	"slices"
	"time"

	"mcploupe/protocol"
	"mcploupe/protocol/jsonvalue"
	"mcploupe/recorder"
)

// pieces are the events of an exchange by what they are.
type pieces struct {
	requests []recorder.Head
	answers  map[uint64][]recorder.Head // by request
	notices  []recorder.Head
	stray    []recorder.Head
	heads    [3][]recorder.Head // of HTTP, by direction
	end      *recorder.Head     // the poll that was told how the task ended, nil if none was
}

func (v *voice) pieces(i int) pieces {
	p := pieces{answers: map[uint64][]recorder.Head{}}
	asked := v.exchanges.At(i).Request
	for _, seq := range v.exchanges.Members(i) {
		h := v.log.Head(seq)
		switch {
		case h.Kind == recorder.KindHTTP:
			p.heads[h.Dir] = append(p.heads[h.Dir], h)
		case h.Kind == recorder.KindBad:
			p.stray = append(p.stray, h)
		case h.Kind != recorder.KindMessage:
		case h.Method == protocol.MethodTasksGet && h.Message == protocol.Request && seq != asked:
			// A task is asked for again and again: how often, and what it is doing
			// then, depends on the clock.
			if h.Partner != 0 && v.tellsEnd(h.Partner) {
				p.end = &h
			}
		case h.Message == protocol.Request || seq == asked:
			p.requests = append(p.requests, h)
		case h.Message == protocol.Notification:
			p.notices = append(p.notices, h)
		default:
			to := h.Partner
			if to == 0 && len(p.requests) > 0 {
				to = p.requests[0].Seq // the answer of a batch, or one more answer
			}
			p.answers[to] = append(p.answers[to], h)
		}
	}
	return p
}

// tellsEnd reports whether the answer to a poll says that the task is over, or
// is an error.
func (v *voice) tellsEnd(seq uint64) bool {
	m, err := v.log.Message(seq)
	if err != nil {
		return false // what cannot be read is reported where it is compared
	}
	status, _, _ := protocol.Lookup(m.Result, "/status")
	name, _ := protocol.StringValue(status)
	return m.Kind == protocol.Error || protocol.TaskStatus(name).Over()
}

// exchange compares two exchanges.
func (t *talk) exchange(r *Row) error {
	a, b := t.a.pieces(r.A), t.b.pieces(r.B)
	// A notification may have told one side of the end before it polled.
	if a.end != nil && b.end != nil {
		a.requests, b.requests = append(a.requests, *a.end), append(b.requests, *b.end)
	}
	err := t.zip(r, a.requests, b.requests, func(x, y recorder.Head) error {
		class := Params
		if x.Dir == recorder.In {
			class = PeerRequests
		}
		m := &messages{t: t, row: r, class: class, fromServer: x.Dir == recorder.In}
		if err := m.events(x.Seq, y.Seq); err != nil {
			return err
		}
		return t.zip(r, a.answers[x.Seq], b.answers[y.Seq], func(x, y recorder.Head) error {
			m := &messages{t: t, row: r, class: classOf(x.Dir, true), fromServer: x.Dir == recorder.In}
			return m.events(x.Seq, y.Seq)
		})
	})
	if err != nil {
		return err
	}
	err = t.zip(r, a.notices, b.notices, func(x, y recorder.Head) error {
		m := &messages{t: t, row: r, class: classOf(x.Dir, false), fromServer: x.Dir == recorder.In}
		return m.events(x.Seq, y.Seq)
	})
	if err != nil {
		return err
	}
	if t.o.Without&Stray == 0 {
		var la, lb lineLane
		for _, h := range a.stray {
			t.a.addLines(&la, h.Seq)
		}
		for _, h := range b.stray {
			t.b.addLines(&lb, h.Seq)
		}
		t.compareLines(r, Stray, la, lb)
	}
	for _, dir := range []recorder.Direction{recorder.Out, recorder.In} {
		if err := t.httpHeads(r, a.heads[dir], b.heads[dir]); err != nil {
			return err
		}
	}
	t.ends(r, t.a.exchanges.At(r.A), t.b.exchanges.At(r.B))
	return nil
}

// seconds writes how long something took as people do.
func seconds(d time.Duration) string {
	ms := d.Round(time.Millisecond).Milliseconds()
	if ms < 1000 {
		return fmt.Sprintf("%d ms", ms)
	}
	return fmt.Sprintf("%d.%02d s", ms/1000, ms%1000/10)
}

// ends compares how two exchanges ended, and how long they took.
func (t *talk) ends(r *Row, a, b recorder.Exchange) {
	m := &messages{t: t, row: r, class: Results, seqA: a.Request, seqB: b.Request}
	said := slices.ContainsFunc(r.Differences, func(d Difference) bool { return d.Class == Results && d.Severity == Differs })
	if a.State != b.State && !said && r.More == 0 && t.o.Without&Results == 0 {
		m.put(Difference{Severity: Differs, Text: "It ended as " + b.State.String() + ", before as " + a.State.String() + ".",
			Before: a.State.String(), After: b.State.String()}, nil)
	}
	if t.o.Without&Timing != 0 || a.Took == 0 || b.Took == 0 {
		return
	}
	const apart = 100 * time.Millisecond
	word := ""
	switch {
	case b.Took > 2*a.Took && b.Took-a.Took > apart:
		word = "slower"
	case a.Took > 2*b.Took && a.Took-b.Took > apart:
		word = "faster"
	default:
		return
	}
	m.class, m.seqA, m.seqB = Timing, a.Answer, b.Answer
	before, after := seconds(a.Took), seconds(b.Took)
	m.put(Difference{Severity: Remark, Text: "The answer is " + word + ": " + after + ", before " + before + ".", Before: before, After: after}, nil)
}

// zip pairs the events of two lists and reports those that have no partner.
func (t *talk) zip(r *Row, as, bs []recorder.Head, each func(a, b recorder.Head) error) error {
	a, b := loose(as), loose(bs)
	var p pairing
	if slices.Equal(a.loose, b.loose) {
		a.exact, b.exact = a.loose, b.loose // none is missing: they go together as they stand
	} else {
		for _, s := range []struct {
			v   *voice
			hs  []recorder.Head
			seq *sequence
		}{{&t.a, as, &a}, {&t.b, bs, &b}} {
			for i, h := range s.hs {
				data, err := s.v.read(h)
				if err != nil {
					return err
				}
				s.seq.exact = append(s.seq.exact, mix(messageKey(data), s.seq.loose[i]))
			}
		}
	}
	p = pairUp(a, b, func(int, int) int { return 0 })
	for i, j := range p.pair {
		if j < 0 {
			if err := t.alone(r, Removed, as[i]); err != nil {
				return err
			}
			continue
		}
		if err := each(as[i], bs[j]); err != nil {
			return err
		}
	}
	for j, taken := range p.taken {
		if !taken {
			if err := t.alone(r, Added, bs[j]); err != nil {
				return err
			}
		}
	}
	return nil
}

func loose(hs []recorder.Head) (s sequence) {
	for _, h := range hs {
		answer := h
		if h.Message == protocol.Result || h.Message == protocol.Error {
			answer.Message = protocol.Result // an error may take the place of a result
		}
		s.loose = append(s.loose, looseKey(answer, ""))
	}
	return s
}

// alone takes a message that one side of a pair has.
func (t *talk) alone(r *Row, kind Kind, h recorder.Head) error {
	if drifts(h) && len(t.adrift) < maxAdrift {
		t.adrift = append(t.adrift, adrift{row: t.current, kind: kind, head: h})
		return nil
	}
	return t.report(r, kind, h)
}

// report reports a message that one side has.
func (t *talk) report(r *Row, kind Kind, h recorder.Head) error {
	class, what := Params, ""
	switch {
	case h.Message == protocol.Request && h.Dir == recorder.In:
		class, what = PeerRequests, "The server asks `"+h.Method+"`"
	case h.Message == protocol.Request:
		what = "The client sends `" + h.Method + "`"
	case h.Message == protocol.Notification && h.Dir == recorder.In:
		class, what = Notifications, "The server notifies of `"+h.Method+"`"
	case h.Message == protocol.Notification:
		what = "The client notifies of `" + h.Method + "`"
	default:
		class, what = classOf(h.Dir, true), "There is an answer to `"+h.Method+"`"
	}
	if t.o.Without&class != 0 {
		return nil
	}
	e, err := t.voiceOf(kind).log.Read(h.Seq, maxShown)
	if err != nil {
		return err
	}
	m := &messages{t: t, row: r, class: class}
	d := Difference{Severity: Differs, Kind: kind}
	if kind == Added {
		m.seqB, d.After, d.Text = h.Seq, t.keep(string(e.Data)), what+" now."
	} else {
		m.seqA, d.Before, d.Text = h.Seq, t.keep(string(e.Data)), what+" no more."
	}
	if i := m.rule(Ignore, spot{}); i >= 0 {
		t.rules.uses[i]++
		return nil
	}
	m.put(d, nil)
	return nil
}

// events compares two messages.
func (m *messages) events(seqA, seqB uint64) error {
	ha, hb := m.t.a.log.Head(seqA), m.t.b.log.Head(seqB)
	if err := m.t.sse(m.row, ha, hb); err != nil {
		return err
	}
	if m.t.o.Without&m.class != 0 {
		return nil
	}
	m.seqA, m.seqB = seqA, seqB
	if ha.Size > maxMessage || hb.Size > maxMessage {
		return m.largeEvents(ha, hb)
	}
	a, err := m.t.a.read(ha)
	if err != nil {
		return err
	}
	b, err := m.t.b.read(hb)
	if err != nil || bytes.Equal(a, b) {
		return err
	}
	va, errA := jsonvalue.Parse(a)
	vb, errB := jsonvalue.Parse(b)
	if errA != nil || errB != nil {
		m.put(Difference{Severity: Differs, Text: "The message, which is no JSON, is another.", Before: m.t.keep(string(a)), After: m.t.keep(string(b))}, nil)
		return nil
	}
	m.values(va, vb, spot{})
	return nil
}

// largeEvents compares messages by the hash of all that is in them.
func (m *messages) largeEvents(a, b recorder.Head) error {
	m.t.large++
	var sums [2]uint64
	for i, x := range []struct {
		v *voice
		h recorder.Head
	}{{&m.t.a, a}, {&m.t.b, b}} {
		body, err := x.v.log.Body(x.h.Seq)
		if err != nil {
			return err
		}
		var h maphash.Hash
		h.SetSeed(seed)
		if _, err := io.Copy(&h, body); err != nil {
			return fmt.Errorf("read event %d: %w", x.h.Seq, err)
		}
		sums[i] = h.Sum64()
	}
	if sums[0] != sums[1] {
		m.put(Difference{Severity: Differs, Text: fmt.Sprintf("The message of %d bytes is another, before it had %d bytes.", b.Size, a.Size)}, nil)
	}
	return nil
}
