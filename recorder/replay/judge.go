package replay

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/recorder/diff"
)

// learn binds the values that the answers of two exchanges give at the same
// places.
func (r *run) learn(before, after int) {
	was, is := answersOf(r.s.log, r.s.ex.Members(before)), answersOf(r.t.Log(), r.t.Log().Exchanges().Members(after))
	for i := range min(len(was), len(is)) {
		r.bind.learnFrom(was[i], is[i])
	}
}

func answersOf(l *recorder.Log, members []uint64) (results []jsontext.Value) {
	const most = 100
	for _, seq := range members {
		if h := l.Head(seq); h.Dir == recorder.In && h.Kind == recorder.KindMessage && h.Message == protocol.Result && len(results) < most {
			if m, err := l.Message(seq); err == nil {
				results = append(results, m.Result)
			}
		}
	}
	return results
}

// compared compares an exchange with a recorded one and gives the result.
func (r *run) compared(res Result, before int) {
	res.Outcome = Same
	switch {
	case r.cross:
		res.Differences = r.acrossEras(before, res)
		if len(res.Differences) > 0 {
			res.Outcome = Different
		}
	case res.Exchange >= 0:
		row, err := r.pairs.Compare(before, res.Exchange)
		if err != nil {
			res.Outcome, res.Text = Failed, err.Error()
			break
		}
		r.judge(&res, row, nil)
	}
	r.result(res)
}

// judge takes over the differences of a row. What the server said besides an
// answer counts only as far as moved does not hold for it; nil holds for all.
func (r *run) judge(res *Result, row diff.Row, moved func(groupKey) bool) {
	drop := false
	res.Differences = slices.DeleteFunc(slices.Clone(row.Differences), func(d diff.Difference) bool {
		key, loose := r.loose(d)
		loose = loose && (moved == nil || moved(key))
		drop = drop || loose
		return loose || r.bound(d)
	})
	if drop { // the HTTP exchange that carried it went along
		res.Differences = slices.DeleteFunc(res.Differences, func(d diff.Difference) bool { return d.Class&(diff.Status|diff.Headers|diff.EventStream) != 0 })
	}
	if r.p.Calls[res.Call].Negotiation { // what was asked for is this side's
		res.Differences = slices.DeleteFunc(res.Differences, func(d diff.Difference) bool {
			return d.Class == diff.Params || r.was != r.is && d.Pointer() == "/result/protocolVersion"
		})
	}
	res.Outcome = Same
	if row.More > 0 || slices.ContainsFunc(res.Differences, func(d diff.Difference) bool { return d.Severity == diff.Differs }) {
		res.Outcome = Different
	}
}

// loose reports whether a difference is that something came or did not come
// which a server says in its own time: it belongs to a call only by chance.
func (r *run) loose(d diff.Difference) (groupKey, bool) {
	if d.Class&(diff.PeerRequests|diff.PeerAnswers|diff.Notifications) == 0 || d.PointerA != "" || d.PointerB != "" {
		return groupKey{}, false
	}
	var h recorder.Head
	switch d.Kind {
	case diff.Removed:
		h = r.s.log.Head(d.SeqA)
	case diff.Added:
		h = r.t.Log().Head(d.SeqB)
	}
	return keyOf(h), ownTime(h.Method)
}

func keyOf(h recorder.Head) groupKey {
	if h.Message == protocol.Result || h.Message == protocol.Error {
		return groupKey{"answer to " + h.Method, h.Name}
	}
	return groupKey{h.Method, h.Name}
}

// ownTime reports whether servers send something when they like.
func ownTime(method string) bool {
	switch method {
	case protocol.MethodRootsList, protocol.NotificationMessage, protocol.NotificationResourceUpdated, protocol.NotificationToolsChanged,
		protocol.NotificationPromptsChanged, protocol.NotificationResourcesChanged:
		return true
	}
	return false
}

// bound reports whether a difference is between two values that were bound to
// each other.
func (r *run) bound(d diff.Difference) bool { return r.oneOrigin(d.Before, d.After) }

func (r *run) oneOrigin(before, after string) bool {
	for _, values := range r.bind.values {
		if to, ok := values[before]; ok && string(to) == after {
			return true
		}
	}
	return false
}

// reconcile takes over what only the whole shows: values that were sent back
// later are no difference, and neither is what came at another time.
func (r *run) reconcile(c *diff.Conversation) {
	rows := make(map[[2]int]*diff.Row)
	was, is := make(map[groupKey]int), make(map[groupKey]int)
	for i := range c.Rows {
		row := &c.Rows[i]
		if row.Lane == diff.Exchanges && row.A >= 0 && row.B >= 0 {
			rows[[2]int{row.A, row.B}] = row
		}
		switch {
		case row.Lane != diff.PeerLane && row.Lane != diff.NoticeLane:
		case row.Kind == diff.OnlyA:
			was[keyOf(r.s.log.Head(row.SeqA))]++
		case row.Kind == diff.OnlyB:
			is[keyOf(r.t.Log().Head(row.SeqB))]++
		}
		for _, d := range row.Differences {
			key, loose := r.loose(d)
			switch {
			case !loose:
			case d.Kind == diff.Removed:
				was[key]++
			default:
				is[key]++
			}
		}
	}
	moved := func(key groupKey) bool {
		return was[key] == is[key] || strings.HasPrefix(key.method, "answer to ") || varies(key.method)
	}
	for _, res := range r.results {
		row := rows[[2]int{r.p.Calls[res.Call].Exchange, res.Exchange}]
		if row == nil || res.Text != "" || row.Kind != diff.Same && row.Kind != diff.Different || res.Outcome != Same && res.Outcome != Different {
			continue
		}
		before := res.Outcome
		r.judge(res, *row, moved)
		if before != res.Outcome && r.o.OnResult != nil {
			r.o.OnResult(*res)
		}
	}
	for key, n := range was {
		r.unbalanced(key, n, is[key])
	}
	for key, n := range is {
		if was[key] == 0 {
			r.unbalanced(key, 0, n)
		}
	}
	slices.Sort(r.sum.Notices)
}

// partly reports whether calls were left out that the server may have had
// something to say to.
func (r *run) partly() bool {
	for _, res := range r.results {
		if res.Outcome == Skipped || res.Outcome == Unmapped && !r.p.Calls[res.Call].Negotiation {
			return true
		}
	}
	return r.sum.Stopped != ""
}

// varies reports whether how often something comes depends on the clock.
func varies(method string) bool {
	return method == protocol.NotificationMessage || method == protocol.NotificationResourceUpdated
}

// unbalanced says that the server said something besides its answers more or
// less often than before.
func (r *run) unbalanced(key groupKey, was, is int) {
	if was == is || strings.HasPrefix(key.method, "answer to ") {
		return
	}
	count := func(l *recorder.Log) (n int) {
		for seq := uint64(1); seq <= l.Len(); seq++ {
			if h := l.Head(seq); h.Dir == recorder.In && h.Kind == recorder.KindMessage && (h.Message == protocol.Notification || h.Message == protocol.Request) && keyOf(h) == key {
				n++
			}
		}
		return n
	}
	before, after := count(r.s.log), count(r.t.Log())
	if before == after {
		return
	}
	what := key.method
	if key.name != "" {
		what += " " + shortName(key.name)
	}
	text := fmt.Sprintf("The server sent %s %d times, before %d times", what, after, before)
	if r.partly() || varies(key.method) && before > 0 && after > 0 {
		r.sum.Notices = append(r.sum.Notices, text)
		return
	}
	r.sum.Unasked = append(r.sum.Unasked, text)
}

// headers are the first values of the headers that belong to one connection, as
// they were masked.
func headers(l *recorder.Log) map[string]string {
	out := make(map[string]string)
	for seq, looked := uint64(1), 0; seq <= l.Len() && looked < 20; seq++ {
		if h := l.Head(seq); h.Kind != recorder.KindHTTP || h.Dir != recorder.Out {
			continue
		}
		looked++
		e, err := l.Read(seq, 0)
		head, ok := e.Fields.(*recorder.HTTPHead)
		if err != nil || !ok {
			continue
		}
		for _, f := range head.Headers {
			if protocol.IsSecretHeader(f.Name) && out[f.Name] == "" {
				out[f.Name] = f.Value
			}
		}
	}
	return out
}
