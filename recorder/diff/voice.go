package diff

import (
	"cmp"
	"context"
	"errors"
	"hash/maphash"
	"regexp"
	"slices"
	"strings"

	"mcploupe/protocol"
	"mcploupe/protocol/jsonvalue"
	"mcploupe/recorder"
)

const (
	maxLineBytes = 8 << 20 // of standard error and of stray lines
	maxMessage   = 8 << 20 // bytes of a message that is looked into
)

// voice is one side of a conversation: what is aligned, read once from the
// index and the requests.
type voice struct {
	log       *recorder.Log
	window    *recorder.Window
	exchanges *recorder.Exchanges
	lanes     [NoticeLane + 1]lane
	texts     [ExitLane + 1]lineLane // those from StderrLane on
	http      bool
	cut       bool
}

// lane are the members of a lane in their order.
type lane struct {
	sequence
	seqs []uint64
	ex   []int32 // exchange, -1 for none
}

// lineLane are the lines of a lane.
type lineLane struct {
	lines []string
	seq   []uint64 // event that each begins in
	size  int
	open  bool   // the last line has no end yet
	tail  []byte // of it
}

// lineLanes are the lanes of lines, in the order of their rows.
var lineLanes = []struct {
	lane  Lane
	class Class
}{{StderrLane, Stderr}, {StrayLane, Stray}, {EventLane, EventStream}, {ExitLane, Exit}}

// listen reads the recording.
func (v *voice) listen(ctx context.Context, log *recorder.Log) error {
	v.log, v.window, v.exchanges = log, recorder.NewWindow(log), recorder.NewExchanges(log)
	v.exchanges.Take(ctx)
	if err := ctx.Err(); err != nil {
		return err
	}
	next := 0
	for seq := uint64(1); seq <= v.exchanges.Taken(); seq++ {
		if seq&1023 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		i, belongs := v.exchanges.Of(seq)
		h := v.log.Head(seq)
		switch {
		case h.Kind == recorder.KindHTTP:
			v.http = true
		case h.Kind == recorder.KindSSE:
			v.addFields(seq)
		case h.Kind == recorder.KindState:
			v.addExit(seq)
		case h.Kind == recorder.KindStderr:
			v.addLines(&v.texts[StderrLane], seq)
		case h.Kind == recorder.KindBad && !belongs:
			v.addLines(&v.texts[StrayLane], seq)
		case h.Kind != recorder.KindMessage:
		case belongs && i == next:
			next++ // exchanges are in the order of their requests
			to := &v.lanes[Exchanges]
			if h.Dir == recorder.In {
				to = &v.lanes[PeerLane]
			}
			if err := v.add(to, h, h.Name, int32(i)); err != nil {
				return err
			}
		case !belongs:
			if err := v.add(&v.lanes[NoticeLane], h, "", -1); err != nil {
				return err
			}
		}
	}
	for i := range v.texts {
		v.texts[i].ended()
	}
	return nil
}

func (v *voice) add(to *lane, h recorder.Head, name string, exchange int32) error {
	data, err := v.read(h)
	if err != nil {
		return err
	}
	to.seqs, to.ex = append(to.seqs, h.Seq), append(to.ex, exchange)
	to.exact = append(to.exact, mix(messageKey(data), looseKey(h, "")))
	to.loose = append(to.loose, looseKey(h, name))
	return nil
}

// read returns a message, or the beginning of one that is too large to be
// looked into. It is valid until the next call.
func (v *voice) read(h recorder.Head) ([]byte, error) {
	data, err := v.window.Data(h.Seq, maxMessage)
	if errors.Is(err, recorder.ErrLost) {
		return nil, nil
	}
	return data, err
}

// varyingName are the parts of a URI that are taken as ids.
var varyingName = regexp.MustCompile(`[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}|[0-9]+`)

// looseKey says what a message is: its way, method and the tool, prompt or URI.
// Ids of tasks are left out, as are the numbers of a URI.
func looseKey(h recorder.Head, name string) uint64 {
	switch {
	case strings.HasPrefix(h.Method, "tasks/"):
		name = ""
	case strings.Contains(name, ":"):
		name = varyingName.ReplaceAllString(name, "0")
	}
	k := mix(uint64(h.Dir)<<8|uint64(h.Message), maphash.String(seed, h.Method))
	return mix(k, maphash.String(seed, name))
}

// addLines takes the text of an event as lines.
func (v *voice) addLines(l *lineLane, seq uint64) {
	if l.size >= maxLineBytes {
		v.cut = true
		return
	}
	e, err := v.log.Read(seq, maxLineBytes-l.size)
	if err != nil {
		return // a fault of the file, which the recording itself tells of
	}
	text := string(e.Data)
	if e.Kind == recorder.KindBad {
		text += "\n"
	}
	v.addText(l, seq, text)
}

// addText takes a text as lines; one that is open goes on.
func (v *voice) addText(l *lineLane, seq uint64, text string) {
	if l.size >= maxLineBytes {
		v.cut = true
		return
	}
	for l.size += len(text); text != ""; {
		line, rest, whole := strings.Cut(text, "\n")
		if !l.open {
			l.lines, l.seq, l.tail = append(l.lines, ""), append(l.seq, seq), l.tail[:0]
		}
		switch {
		case whole && len(l.tail) == 0:
			l.lines[len(l.lines)-1] = line
		case whole:
			l.lines[len(l.lines)-1] = string(append(l.tail, line...))
		default:
			l.tail = append(l.tail, line...)
		}
		if l.open, text = !whole, rest; whole {
			l.tail = l.tail[:0]
		}
	}
}

// ended ends the line that is open.
func (l *lineLane) ended() {
	if l.open {
		l.lines[len(l.lines)-1], l.tail, l.open = string(l.tail), nil, false
	}
}

// sketch is what a request takes.
func (v *voice) sketch(seq uint64) sketch {
	data, err := v.window.Data(seq, maxMessage)
	if err != nil {
		return nil
	}
	value, err := jsonvalue.Parse(data)
	if err != nil {
		return nil
	}
	if p := value.Get("params"); p != nil {
		if args := p.Get("arguments"); args != nil {
			return sketchOf(args)
		}
		return sketchOf(p)
	}
	return sketch{}
}

// rows aligns the lanes and lists their rows.
func (t *talk) rows() {
	type placed struct {
		Row
		at uint64 // event of B that it stands at
	}
	var all []placed
	for l := range t.a.lanes {
		a, b := t.a.lanes[l], t.b.lanes[l]
		if Lane(l) == PeerLane && t.o.Without&PeerRequests != 0 || Lane(l) == NoticeLane && t.o.Without&Notifications != 0 {
			continue
		}
		sketches := [2]map[int]sketch{{}, {}}
		get := func(side int, v *voice, seqs []uint64, i int) sketch {
			s, has := sketches[side][i]
			if !has {
				s = v.sketch(seqs[i])
				sketches[side][i] = s
			}
			return s
		}
		p := pairUp(a.sequence, b.sequence, func(i, j int) int {
			return get(0, &t.a, a.seqs, i).likeness(get(1, &t.b, b.seqs, j))
		})
		t.coarse = t.coarse || p.coarse
		if Lane(l) != Exchanges {
			p.moved = crossed(a.loose, p)
		}
		last := uint64(0)
		for i, seq := range a.seqs {
			r := placed{Row: Row{Kind: OnlyA, Lane: Lane(l), A: int(a.ex[i]), B: -1, SeqA: seq}, at: last}
			if j := p.pair[i]; j >= 0 {
				r.Kind, r.B, r.SeqB, r.Moved, r.at = Same, int(b.ex[j]), b.seqs[j], p.moved[i], b.seqs[j]
				if !r.Moved {
					last = r.at
				}
			}
			t.about(&r.Row)
			all = append(all, r)
		}
		for j, seq := range b.seqs {
			if !p.taken[j] {
				r := placed{Row: Row{Kind: OnlyB, Lane: Lane(l), A: -1, B: int(b.ex[j]), SeqB: seq}, at: seq}
				t.about(&r.Row)
				all = append(all, r)
			}
		}
	}
	slices.SortStableFunc(all, func(x, y placed) int { return cmp.Compare(x.at, y.at) })
	for _, r := range all {
		t.out.Rows = append(t.out.Rows, r.Row)
	}
	for _, x := range lineLanes {
		a, b := t.a.texts[x.lane], t.b.texts[x.lane]
		if t.o.Without&x.class == 0 && (a.lines != nil || b.lines != nil) {
			t.out.Rows = append(t.out.Rows, Row{Lane: x.lane, A: -1, B: -1, SeqA: first(a.seq), SeqB: first(b.seq), Dir: recorder.In})
		}
	}
}

func first(seqs []uint64) uint64 {
	if len(seqs) == 0 {
		return 0
	}
	return seqs[0]
}

// about fills in what a row is about.
func (t *talk) about(r *Row) {
	v, seq := &t.a, r.SeqA
	if seq == 0 {
		v, seq = &t.b, r.SeqB
	}
	h := v.log.Head(seq)
	r.Dir, r.Method, r.Name = h.Dir, h.Method, h.Name
	if r.Method == "" {
		r.Method = map[protocol.Kind]string{protocol.Batch: "(batch)", protocol.Result: "(answer)", protocol.Error: "(answer)"}[h.Message]
	}
}
