package diff

import (
	"hash/maphash"
	"slices"

	"mcploupe/protocol"
	"mcploupe/recorder"
)

// Some of what a server sends belongs to no call: it asks for the roots, pings,
// logs, or tells of a change when it likes. On a shared stream such a message is
// part of whatever call is under way, and that is chance. So one that a call has
// on one side alone is sought among all such messages of the other side before
// it counts.

// hiddenOrder is the key of what came beside another call.
const hiddenOrder = "order"

// maxAdrift bounds the messages that wait for a partner elsewhere.
const maxAdrift = 1 << 16

// adrift is such a message that one side of a pair has alone.
type adrift struct {
	row  int
	kind Kind // Removed: A has it; Added: B has it
	head recorder.Head
	lane bool // it is a row of its own
}

// drifts reports whether it is chance beside which call a message came.
func drifts(h recorder.Head) bool {
	if h.Dir != recorder.In || h.Kind != recorder.KindMessage {
		return false
	}
	switch h.Method {
	case protocol.MethodRootsList, protocol.MethodPing:
		return h.Message == protocol.Request
	case protocol.NotificationMessage, protocol.NotificationResourceUpdated,
		protocol.NotificationToolsChanged, protocol.NotificationPromptsChanged, protocol.NotificationResourcesChanged:
		return h.Message == protocol.Notification
	}
	return false
}

// voiceOf is the side that has a message alone.
func (t *talk) voiceOf(kind Kind) *voice {
	if kind == Removed {
		return &t.a
	}
	return &t.b
}

// driftKey is equal for messages that may stand for each other: those of a
// method and URI, and of log messages those that say the same.
func (t *talk) driftKey(x adrift) (uint64, error) {
	key := looseKey(x.head, x.head.Name)
	if x.head.Method != protocol.NotificationMessage {
		return key, nil
	}
	data, err := t.voiceOf(x.kind).read(x.head)
	if err != nil {
		return 0, err
	}
	return mix(key, maphash.String(seed, t.stripped([]string{string(data)})[0])), nil
}

// moor pairs what is adrift, and reports what finds no partner.
func (t *talk) moor() error {
	if len(t.adrift) == 0 {
		return nil
	}
	all := t.adrift
	for i, r := range t.out.Rows {
		if r.Lane != PeerLane && r.Lane != NoticeLane || r.Kind != OnlyA && r.Kind != OnlyB {
			continue
		}
		x := adrift{row: i, kind: Removed, head: t.a.log.Head(r.SeqA), lane: true}
		if r.Kind == OnlyB {
			x.kind, x.head = Added, t.b.log.Head(r.SeqB)
		}
		if drifts(x.head) {
			all = append(all, x)
		}
	}
	slices.SortStableFunc(all, func(x, y adrift) int { return int(x.head.Seq) - int(y.head.Seq) })
	keys := make([]uint64, len(all))
	var waiting [2]map[uint64][]int // of A by key: those of a pair, and rows of their own
	for i := range waiting {
		waiting[i] = map[uint64][]int{}
	}
	own := func(x adrift) int {
		if x.lane {
			return 1
		}
		return 0
	}
	for i, x := range all {
		key, err := t.driftKey(x)
		if err != nil {
			return err
		}
		if keys[i] = key; x.kind == Removed {
			waiting[own(x)][key] = append(waiting[own(x)][key], i)
		}
	}
	done := make([]bool, len(all))
	for j, y := range all {
		if y.kind != Added {
			continue
		}
		for _, of := range waiting[:2-own(y)] { // rows of their own were weighed with each other already
			if at := of[keys[j]]; len(at) > 0 {
				done[at[0]], done[j], of[keys[j]] = true, true, at[1:]
				t.tie(all[at[0]], y)
				break
			}
		}
	}
	for i, x := range all {
		if done[i] || x.lane {
			continue
		}
		t.current = x.row
		if err := t.report(&t.out.Rows[x.row], x.kind, x.head); err != nil {
			return err
		}
	}
	return nil
}

// tie takes two messages for one. A row of its own gets its partner.
func (t *talk) tie(a, b adrift) {
	t.beside++
	switch {
	case a.lane:
		r := &t.out.Rows[a.row]
		r.Kind, r.SeqB = Same, b.head.Seq
	case b.lane:
		r := &t.out.Rows[b.row]
		r.Kind, r.SeqA = Same, a.head.Seq
	}
}

// crossed says which of the pairs that moved really stand in another place: order
// means something among messages of one kind, not between what streams bring
// side by side.
func crossed(kinds []uint64, p pairing) []bool {
	stay := map[uint64][2][]int32{} // by kind: the places of those that did not move, on both sides
	for i, j := range p.pair {
		if j >= 0 && !p.moved[i] {
			at := stay[kinds[i]]
			at[0], at[1] = append(at[0], int32(i)), append(at[1], j)
			stay[kinds[i]] = at
		}
	}
	moved := make([]bool, len(p.pair))
	for i, j := range p.pair {
		if j >= 0 && p.moved[i] {
			at := stay[kinds[i]]
			before, _ := slices.BinarySearch(at[0], int32(i))
			after, _ := slices.BinarySearch(at[1], j)
			moved[i] = before != after
		}
	}
	return moved
}
