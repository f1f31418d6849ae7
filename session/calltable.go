package session

import (
	"cmp"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/protocol/jsonvalue"
)

const (
	maxFinished      = 512      // calls kept after their end
	maxFinishedBytes = 64 << 20 // of their requests and answers
	maxWritten       = 1024     // ids of requests sent with Write
	maxBriefs        = 8        // calls of the session's own kept after their end
)

// callTable holds the calls in the order of their keys: all that are pending
// and the most recent ones that have ended. Session.mu guards it.
type callTable struct {
	all     []*Call
	over    []*Call            // the ended ones, in the order in which they ended
	briefs  []*Call            // the ended ones of the session's own, likewise
	byID    map[string][]*Call // by looseKey of the id
	byToken map[string][]*Call // by looseKey of the progress token
	bytes   int                // of over
	most    int                // limit of bytes

	byWrite map[protocol.ID]bool
	writes  []protocol.ID // of byWrite, oldest first
}

func (t *callTable) init() {
	t.most = maxFinishedBytes
	t.byID, t.byToken = make(map[string][]*Call), make(map[string][]*Call)
	t.byWrite = make(map[protocol.ID]bool)
}

func (t *callTable) add(c *Call) {
	t.all = append(t.all, c)
	t.link(c)
}

// link makes c known by its id and token, until unlink.
func (t *callTable) link(c *Call) {
	key := looseKey(c.st.ID)
	t.byID[key] = append(t.byID[key], c)
	if !c.token.IsZero() {
		key = looseKey(c.token)
		t.byToken[key] = append(t.byToken[key], c)
	}
}

// finished counts a call that has ended and drops those beyond the limits that
// ended first.
func (t *callTable) finished(c *Call) {
	if c.p.brief {
		t.bytes += c.weight()
		if t.briefs = append(t.briefs, c); len(t.briefs) > maxBriefs {
			t.drop(t.briefs[0])
			t.briefs = slices.Delete(t.briefs, 0, 1)
		}
		return
	}
	t.over = append(t.over, c)
	t.bytes += c.weight()
	for len(t.over) > 1 && (len(t.over) > maxFinished || t.bytes > t.most) {
		t.drop(t.over[0])
		t.over = slices.Delete(t.over, 0, 1)
	}
}

func (t *callTable) drop(c *Call) {
	i, _ := slices.BinarySearchFunc(t.all, c.st.Key, func(c *Call, key uint64) int { return cmp.Compare(c.st.Key, key) })
	t.all = slices.Delete(t.all, i, i+1)
	t.bytes -= c.weight()
	c.cancelExchange(errAnswered)
	t.unlink(c)
}

func (t *callTable) unlink(c *Call) {
	remove(t.byID, looseKey(c.st.ID), c)
	if !c.token.IsZero() {
		remove(t.byToken, looseKey(c.token), c)
	}
}

func remove(m map[string][]*Call, key string, c *Call) {
	if rest := slices.DeleteFunc(m[key], func(other *Call) bool { return other == c }); len(rest) > 0 {
		m[key] = rest
	} else {
		delete(m, key)
	}
}

// weight is about what the call holds in memory.
func (c *Call) weight() int { return len(c.raw) + len(c.st.Answer.Raw) + c.kept }

// pending returns the calls that have not ended.
func (t *callTable) pending() []*Call {
	var out []*Call
	for _, c := range t.all {
		if !c.ended() {
			out = append(out, c)
		}
	}
	return out
}

// inFlight returns the calls that wait for an answer; a listen request waits for
// its end.
func (t *callTable) inFlight() []*Call {
	return slices.DeleteFunc(t.pending(), func(c *Call) bool { return !c.inFlight() || c.sub != nil })
}

// byKey returns the call with that CallState.Key, nil if it is not kept.
func (t *callTable) byKey(key uint64) *Call {
	i, ok := slices.BinarySearchFunc(t.all, key, func(c *Call, key uint64) int { return cmp.Compare(c.st.Key, key) })
	if !ok {
		return nil
	}
	return t.all[i]
}

// byRound returns the call one of whose rounds had that id.
func (t *callTable) byRound(id protocol.ID) *Call {
	for _, c := range t.all {
		if slices.ContainsFunc(c.st.Rounds, func(r Round) bool { return r.ID.Equal(id) }) {
			return c
		}
	}
	return nil
}

func (t *callTable) snapshot() []CallState {
	now := time.Now()
	out := make([]CallState, len(t.all))
	for i, c := range t.all {
		out[i] = c.snapshot(now)
	}
	return out
}

// written remembers the id of a request that nobody waits for.
func (t *callTable) written(id protocol.ID) {
	if id.IsZero() || t.byWrite[id] {
		return
	}
	if len(t.writes) == maxWritten {
		delete(t.byWrite, t.writes[0])
		t.writes = slices.Delete(t.writes, 0, 1)
	}
	t.byWrite[id], t.writes = true, append(t.writes, id)
}

// match is how an answer found its call.
type match uint8

const (
	matchNone  match = iota
	matchExact       // the same id
	matchLoose       // the same but for its type or spelling
)

// find returns the call that id belongs to: pending before ended ones, the same
// text before the same meaning before a likeness, and the oldest pending one or
// the latest ended one.
func find(m map[string][]*Call, id protocol.ID, of func(*Call) protocol.ID) (*Call, match) {
	var best *Call
	rank := 0
	for _, c := range m[looseKey(id)] {
		r := 1
		if of(c).Equal(id) {
			r = 2
		}
		if of(c) == id {
			r = 3
		}
		if !c.ended() {
			r += 3
		}
		if r > rank || r == rank && c.ended() {
			best, rank = c, r
		}
	}
	switch {
	case best == nil:
		return nil, matchNone
	case of(best).Equal(id):
		return best, matchExact
	}
	return best, matchLoose
}

// byAnswer finds the call for the id of an answer.
func (t *callTable) byAnswer(id protocol.ID) (*Call, match) {
	return find(t.byID, id, func(c *Call) protocol.ID { return c.st.ID })
}

// byProgress finds the call for a progress token.
func (t *callTable) byProgress(token protocol.ID) (*Call, match) {
	return find(t.byToken, token, func(c *Call) protocol.ID { return c.token })
}

// looseKey is equal for ids that a sloppy peer may take for each other: 1, "1"
// and 1.0.
func looseKey(id protocol.ID) string {
	text := id.String()
	if s, ok := protocol.StringValue(jsontext.Value(text)); ok {
		text = s
	}
	if strings.Trim(text, "-+0123456789.eE") != "" || len(text) > 40 || text == "" {
		return text
	}
	f, _, err := big.ParseFloat(text, 10, 160, big.ToNearestEven)
	if err != nil || !f.IsInt() || f.MantExp(nil) > 150 {
		return text
	}
	return f.Text('f', 0)
}

// compareNumbers compares the texts of two JSON numbers. It reports false when
// one is no number.
func compareNumbers(a, b string) (int, bool) {
	x, isX := jsonvalue.ParseDecimal(a)
	y, isY := jsonvalue.ParseDecimal(b)
	return x.Cmp(y), isX && isY
}
