package view

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/session"
	"mcploupe/ui/view/human"
	"mcploupe/ui/view/safe"
	"mcploupe/ui/view/textdiff"
)

// WatchRow is a watched resource in the list of them.
type WatchRow struct {
	Key    uint64
	URI    string // safe
	Glyph  string
	State  string
	Tone   Tone
	Counts string // updates
	Told   bool   // a subscription says when it changes
}

// WatchRows lists the watched resources of a session, oldest first.
func WatchRows(st session.State) []WatchRow {
	rows := make([]WatchRow, len(st.Watches))
	for i, w := range st.Watches {
		r := WatchRow{Key: w.Key, URI: line(w.URI, subRunes), Glyph: "●", State: "current", Tone: Good, Told: subscribedTo(st, w.URI)}
		switch {
		case w.Reading:
			r.Glyph, r.State, r.Tone = "◌", "reading", Caution
		case len(w.Reads) > 0 && w.Reads[len(w.Reads)-1].Err != "":
			r.Glyph, r.State, r.Tone = "✕", "could not be read", Bad
		case w.Stale:
			r.Glyph, r.State, r.Tone = "◌", "has changed", Caution
		case !r.Told:
			r.Glyph, r.State, r.Tone = "○", "not subscribed", Muted
		}
		r.Counts = UpdatesText(w.Updates, 0)
		rows[i] = r
	}
	return rows
}

// subscribedTo reports whether an open subscription names a resource.
func subscribedTo(st session.State, uri string) bool {
	return slices.ContainsFunc(st.Subscriptions, func(s session.Subscription) bool {
		return s.Phase.Live() && slices.Contains(s.Asked.URIs, uri) && !slices.Contains(s.Missing, uri)
	})
}

// UpdatesText says how often a resource changed and how many of the updates
// have no content of their own.
func UpdatesText(updates, folded uint64) string {
	if updates == 0 {
		return "no update yet"
	}
	text := human.Count(updates) + " updates"
	if updates == 1 {
		text = "1 update"
	}
	if folded > 0 {
		text += ", " + foldedText(folded)
	}
	return text
}

func foldedText(folded uint64) string {
	if folded == 1 {
		return "1 folded"
	}
	return human.Count(folded) + " folded"
}

// WatchOf finds a watch by its key.
func WatchOf(st session.State, key uint64) (session.Watch, bool) {
	i := slices.IndexFunc(st.Watches, func(w session.Watch) bool { return w.Key == key })
	if i < 0 {
		return session.Watch{}, false
	}
	return st.Watches[i], true
}

// WatchedURI finds the watch of a resource, 0 when it is not watched.
func WatchedURI(st session.State, uri string) uint64 {
	for _, w := range st.Watches {
		if w.URI == uri {
			return w.Key
		}
	}
	return 0
}

// WatchStep is one state of a watched resource in its history.
type WatchStep struct {
	Number int // of the read, from 1, also when older ones were dropped
	Time   string
	Why    string
	Folded string // "23 updates folded"
	Short  string // "23 folded"
	Failed bool
	Read   session.WatchRead
}

// WatchSteps is the history of a watch, oldest first.
func WatchSteps(w session.Watch) []WatchStep {
	steps := make([]WatchStep, len(w.Reads))
	for i, r := range w.Reads {
		s := WatchStep{Number: w.Gone + i + 1, Time: human.Clock(r.At.Local()), Read: r, Failed: r.Err != ""}
		switch {
		case s.Failed:
			s.Why = "could not be read: " + line(r.Err, 200)
		case r.Updates == 0 && s.Number == 1:
			s.Why = "first read"
		case r.Updates == 0:
			s.Why = "read again"
		case r.URI != "":
			s.Why = "update of " + line(r.URI, 120)
		default:
			s.Why = "update"
		}
		switch {
		case r.Updates > 2:
			s.Folded, s.Short = human.Count(r.Updates-1)+" updates folded", foldedText(r.Updates-1)
		case r.Updates == 2:
			s.Folded, s.Short = "1 update folded", foldedText(1)
		}
		steps[i] = s
	}
	return steps
}

// PartPair is one content of a resource before and after.
type PartPair struct {
	Label  string
	Before Part // of no Kind that shows anything when HasBefore is false
	After  Part
	Diff   *textdiff.Diff // nil for what is not text
	Same   bool

	HasBefore, HasAfter bool
}

// WatchChange is what changed between two reads of a resource.
type WatchChange struct {
	Title string
	Err   string // why there is nothing to compare
	Pairs []PartPair
	Seq   uint64 // event of the later answer
}

// maxWatchBytes bounds an answer that is read for the comparison.
const maxWatchBytes = 8 << 20

// LoadWatchChange reads the contents of two reads of a resource from the
// recording and compares them; before may be nil. It takes time: call it away
// from the drawing goroutine.
func LoadWatchChange(ctx context.Context, log *recorder.Log, before *WatchStep, after WatchStep) WatchChange {
	c := WatchChange{Seq: after.Read.AnswerSeq, Title: fmt.Sprintf("read %d, %s", after.Number, after.Time)}
	if before != nil {
		c.Title = fmt.Sprintf("read %d, %s, then read %d, %s", before.Number, before.Time, after.Number, after.Time)
	}
	if after.Failed {
		c.Err = "The resource could not be read: " + safe.Text(after.Read.Err, 4<<10)
		return c
	}
	parts, err := watchParts(log, after.Read.AnswerSeq)
	if err != nil {
		c.Err = "The contents cannot be shown: " + err.Error()
		return c
	}
	var old []Part
	if before != nil {
		if old, err = watchParts(log, before.Read.AnswerSeq); err != nil {
			c.Err = "The contents before cannot be shown: " + err.Error()
			return c
		}
	}
	for i := range max(len(parts), len(old)) {
		if ctx.Err() != nil {
			return c
		}
		p := PartPair{HasBefore: i < len(old), HasAfter: i < len(parts)}
		if p.HasBefore {
			p.Before, p.Label = old[i], old[i].Label
		}
		if p.HasAfter {
			p.After, p.Label = parts[i], parts[i].Label
		}
		if before != nil {
			p.compare()
		}
		c.Pairs = append(c.Pairs, p)
	}
	if len(c.Pairs) == 0 {
		c.Err = "The resource has no contents."
	}
	return c
}

// compare finds what changed in a content.
func (p *PartPair) compare() {
	text := func(part Part, has bool) bool { return !has || part.Kind == PartText || part.Kind == PartJSON }
	if !text(p.Before, p.HasBefore) || !text(p.After, p.HasAfter) {
		p.Same = p.HasBefore && p.HasAfter && slices.Equal(p.Before.Data, p.After.Data)
		return
	}
	if p.Before.Kind == PartJSON || p.After.Kind == PartJSON {
		p.Diff = textdiff.JSON(p.Before.Body, p.After.Body)
	} else {
		p.Diff = textdiff.Texts(string(p.Before.Body), string(p.After.Body))
	}
	p.Same = p.HasBefore == p.HasAfter && p.Diff.Equal()
}

// watchParts reads the contents that an answer brought.
func watchParts(log *recorder.Log, seq uint64) ([]Part, error) {
	head := log.Head(seq)
	if head.Seq == 0 {
		return nil, fmt.Errorf("the recording has no event %d", seq)
	}
	if head.Size > maxWatchBytes {
		return nil, fmt.Errorf("the answer has %s, more than %s", human.Bytes(int64(head.Size)), human.Bytes(maxWatchBytes))
	}
	e, err := log.Read(seq, 0)
	if err != nil {
		return nil, fmt.Errorf("read event %d: %w", seq, err)
	}
	r := protocol.DecodeReadResult(protocol.Parse(e.Data).Result)
	parts := make([]Part, len(r.Contents))
	for i, c := range r.Contents {
		parts[i] = partOf(c)
		if c.URI != "" {
			parts[i].Label = line(lastSegment(c.URI), 40)
		}
	}
	return parts, nil
}

// lastSegment is the end of a URI that tells contents apart.
func lastSegment(uri string) string {
	trimmed := strings.TrimRight(uri, "/")
	return trimmed[strings.LastIndexByte(trimmed, '/')+1:]
}

// WatchAndSubscribe reads a resource whenever it changes, and subscribes to it
// unless an open subscription names it already. It waits for the answers of the
// server; when it does not take the subscription the resource is watched all the
// same, and the error says why.
func WatchAndSubscribe(ctx context.Context, sess *session.Session, uri string) error {
	if _, err := sess.WatchResource(uri); err != nil {
		return fmt.Errorf("watch %s: %w", safe.Line(uri, 80), err)
	}
	if subscribedTo(sess.State(), uri) {
		return nil
	}
	if _, err := sess.Subscribe(ctx, session.SubscriptionFilter{URIs: []string{uri}}); err != nil {
		return fmt.Errorf("subscribe to %s: %w", safe.Line(uri, 80), err)
	}
	return nil
}

// StopWatching ends the watch of a resource and the subscriptions that are for
// it alone.
func StopWatching(ctx context.Context, sess *session.Session, key uint64) error {
	st := sess.State()
	w, ok := WatchOf(st, key)
	if !ok {
		return nil
	}
	sess.StopWatch(key)
	for _, s := range st.Subscriptions {
		a := s.Asked
		if s.Phase != session.SubEnded && !s.Manual && !a.Tools && !a.Prompts && !a.Resources && len(a.TaskIDs) == 0 && slices.Equal(a.URIs, []string{w.URI}) {
			if err := sess.Unsubscribe(ctx, s.Key); err != nil {
				return fmt.Errorf("unsubscribe from %s: %w", safe.Line(w.URI, 80), err)
			}
		}
	}
	return nil
}

// freshText says how long a listing may be taken as current.
func freshText(l session.List, now time.Time) (string, Tone) {
	left, hinted := l.Fresh(now)
	switch {
	case l.TTL == "":
		return "", Plain
	case !hinted:
		return "stale at once (ttlMs " + line(l.TTL, 20) + ")", Muted
	case left > 0:
		return "fresh for " + countdown(left), Muted
	}
	return "stale for " + human.Seconds(-left), Muted
}

// AgeNote says how old a listing is, how long it is fresh and for whom (CACHE-05,
// CACHE-16); "" when it was never read.
func AgeNote(l session.List, now time.Time) (string, Tone) {
	if l.Updated.IsZero() {
		return "", Plain
	}
	parts := []string{"read " + human.Ago(l.Updated, now)}
	fresh, tone := freshText(l, now)
	if l.Status == session.ListStale {
		fresh, tone = "", Plain // what the server says stands above
	}
	if fresh != "" {
		parts = append(parts, fresh)
	}
	switch {
	case l.Scope == "public" || l.Scope == "private":
		parts = append(parts, l.Scope)
	case l.Scope != "":
		parts = append(parts, "scope "+line(l.Scope, 20)+", taken as private")
	}
	if l.Rereading {
		parts = append(parts, "reading it again …")
	}
	return strings.Join(parts, " · "), tone
}

// MarkWatched marks the resources that are watched.
func MarkWatched(entries []Entry, resources []protocol.Resource, st session.State) []Entry {
	if len(st.Watches) == 0 {
		return entries
	}
	for i := range entries {
		if WatchedURI(st, resources[i].URI) != 0 {
			entries[i].Badges = append([]Badge{{"◉ watched", Good}}, entries[i].Badges...)
		}
	}
	return entries
}

// WatchedStamp is another number whenever other resources are watched.
func WatchedStamp(st session.State) uint64 {
	var n uint64
	for _, w := range st.Watches {
		n = n*31 + w.Key
	}
	return n
}
