package diff

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"mcploupe/recorder"
)

const defaultLimit = 10 * time.Second

// hiddenIDs is the key of what the protocol makes differ.
const hiddenIDs = "ids"

// talk is a comparison of two conversations at work.
type talk struct {
	o        Options
	a, b     voice
	rules    *ruleMatcher
	volatile volatileRules
	origins  *origins
	ids      int
	vary     map[Volatile]int
	kept     int // bytes of values that are kept
	dropped  bool
	coarse   bool
	large    int       // messages that were too large to look into
	current  int       // row
	deadline time.Time // zero for none
	unmarked int       // texts that were not compared by lines for want of time
	waiting  map[int][]waitingDifference
	adrift   []adrift // messages that may have a partner elsewhere
	beside   int      // those that had one
	out      *Conversation
}

// waitingDifference may turn out to be a value that travels.
type waitingDifference struct {
	at int // in the row's Differences
	pending
}

func (t *talk) hide(string) { t.ids++ }

func (t *talk) hideVolatile(kinds Volatile) {
	for _, v := range Volatiles {
		if kinds&v.Rule != 0 {
			t.vary[v.Rule]++
		}
	}
}

// Conversations compares what was said in two recordings, a being the older.
// It reads the recordings as they are at the call. It holds no more of them
// than the differences and a few numbers an exchange. When ctx ends its error
// is returned.
func Conversations(ctx context.Context, a, b *recorder.Log, o Options) (*Conversation, error) {
	t := &talk{
		o: o, rules: newMatcher(o.Rules), volatile: newVolatile(o.Count), origins: newOrigins(),
		vary: map[Volatile]int{}, waiting: map[int][]waitingDifference{}, out: &Conversation{},
	}
	limit := o.Limit
	if limit == 0 {
		limit = defaultLimit
	}
	t.deadline = time.Now().Add(limit)
	heard := make(chan error)
	go func() { heard <- t.a.listen(ctx, a) }()
	errB, errA := t.b.listen(ctx, b), <-heard
	if err := errors.Join(errA, errB); err != nil {
		return nil, fmt.Errorf("read the recordings: %w", err)
	}
	t.unlike()
	t.rows()
	total := uint64(len(t.out.Rows))
	for i := range t.out.Rows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if t.o.Progress != nil && i&1023 == 0 {
			t.o.Progress(uint64(i), total)
		}
		if t.late() {
			t.notCompared(i, limit)
			break
		}
		t.current = i
		if err := t.row(&t.out.Rows[i]); err != nil {
			return nil, err
		}
	}
	if err := t.moor(); err != nil {
		return nil, err
	}
	t.settle()
	return t.out, nil
}

// late reports whether the time is over.
func (t *talk) late() bool { return !t.deadline.IsZero() && time.Now().After(t.deadline) }

// notCompared marks the pairs from i on as unread.
func (t *talk) notCompared(i int, limit time.Duration) {
	n := 0
	for j := i; j < len(t.out.Rows); j++ {
		if r := &t.out.Rows[j]; r.Kind == Same {
			r.Kind = NotCompared
			n++
		}
	}
	if n > 0 {
		t.out.Cut = append(t.out.Cut, fmt.Sprintf("%d of %d pairs were not compared: the limit of %s was reached.", n, len(t.out.Rows), limit))
	}
}

// row compares a row of which both sides have something.
func (t *talk) row(r *Row) error {
	switch {
	case r.Kind != Same:
		return nil
	case r.Lane >= StderrLane:
		t.lines(r)
		return nil
	case r.Lane == NoticeLane:
		m := &messages{t: t, row: r, class: classOf(r.Dir, false), fromServer: r.Dir == recorder.In}
		return m.events(r.SeqA, r.SeqB)
	}
	return t.exchange(r)
}

// settle drops the differences that were values that travel, and counts.
func (t *talk) settle() {
	for i, all := range t.waiting {
		r := &t.out.Rows[i]
		gone := map[int]bool{}
		for _, w := range all {
			if t.origins.returned(w.pending) {
				gone[w.at] = true
			}
		}
		if len(gone) == 0 {
			continue
		}
		kept := r.Differences[:0]
		for at, d := range r.Differences {
			if !gone[at] {
				kept = append(kept, d)
			}
		}
		r.Differences = slices.Clip(kept)
	}
	c := t.out
	for i := range c.Rows {
		r := &c.Rows[i]
		if r.Kind == Same && (r.More > 0 || r.Counts(Differs) > 0) {
			r.Kind = Different
		}
		if r.Lane != Exchanges && r.Lane != PeerLane {
			continue
		}
		*map[RowKind]*int{Same: &c.Same, Different: &c.Different, OnlyA: &c.OnlyA, OnlyB: &c.OnlyB, NotCompared: &c.NotCompared}[r.Kind]++
		if r.Moved {
			c.Moved++
		}
	}
	if t.ids > 0 {
		c.Hidden = append(c.Hidden, Hidden{hiddenIDs, "ids of requests, sessions, subscriptions and tasks, progress tokens, request states", t.ids})
	}
	for _, v := range Volatiles {
		if n := t.vary[v.Rule]; n > 0 {
			c.Hidden = append(c.Hidden, Hidden{v.Key, v.Title, n})
		}
	}
	if t.origins.count > 0 {
		c.Hidden = append(c.Hidden, Hidden{"origin", "values of the server that were sent back to it", t.origins.count})
	}
	if t.beside > 0 {
		c.Hidden = append(c.Hidden, Hidden{hiddenOrder, "messages of the server that came beside another call", t.beside})
	}
	c.Origins = t.origins.list
	for i, rule := range t.rules.rules {
		if rule.Area == "" {
			c.Rules = append(c.Rules, RuleUse{rule, t.rules.uses[i]})
		}
	}
	t.limits()
}

// limits says what was left out.
func (t *talk) limits() {
	c := t.out
	if t.coarse {
		c.Cut = append(c.Cut, "The sequences differ so much that some pairs were matched coarsely.")
	}
	if t.large > 0 {
		c.Cut = append(c.Cut, fmt.Sprintf("%d messages of more than %d MB are compared as a whole.", t.large, maxMessage>>20))
	}
	if t.unmarked > 0 {
		c.Cut = append(c.Cut, fmt.Sprintf("%d texts are not compared by lines: the limit was reached.", t.unmarked))
	}
	if t.dropped {
		c.Cut = append(c.Cut, fmt.Sprintf("The values of further differences are left out: there are more than %d MB of them.", maxKept>>20))
	}
	if t.origins.full {
		c.Cut = append(c.Cut, fmt.Sprintf("Only the first %d values of the servers are recognised when they are sent back.", maxCame))
	}
	if t.a.cut || t.b.cut {
		c.Cut = append(c.Cut, fmt.Sprintf("Only the first %d MB of standard error, of stray lines and of what event streams say besides messages are compared.", maxLineBytes>>20))
	}
}

// unlike leaves out what only one of the recordings can have.
func (t *talk) unlike() {
	if len(t.a.lanes[Exchanges].seqs) == 0 || len(t.b.lanes[Exchanges].seqs) == 0 {
		return
	}
	for _, x := range []struct {
		classes Class
		in      func(voice) bool
		says    string
	}{
		{Status | Headers | EventStream, func(v voice) bool { return v.http }, "Only one of the recordings has HTTP heads and event streams: they are not compared."},
		{Stderr | Exit, func(v voice) bool { return !v.http || v.texts[StderrLane].seq != nil }, "Only one of the recordings is of a process with standard error: it is not compared."},
		{Exit, func(v voice) bool { return v.texts[ExitLane].seq != nil }, "Only one of the recordings has the end of the process: it is not compared."},
	} {
		if t.o.Without&x.classes != x.classes && x.in(t.a) != x.in(t.b) {
			t.o.Without |= x.classes
			t.out.Remarks = append(t.out.Remarks, x.says)
		}
	}
}

// classOf is the class of what goes a way: requests and notifications, or the
// answers.
func classOf(dir recorder.Direction, answer bool) Class {
	switch {
	case answer && dir == recorder.In:
		return Results
	case answer:
		return PeerAnswers
	case dir == recorder.In:
		return Notifications
	}
	return Params
}
