package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/session"
	"mcploupe/ui/view/human"
	"mcploupe/ui/view/safe"
)

// SubRow is a subscription in the list of them, the same for all revisions.
type SubRow struct {
	Key      uint64
	Glyph    string
	State    string
	Tone     Tone
	Kind     string
	What     string // that was asked for
	Agreed   string // by the server
	Lacks    bool   // the server agreed to less
	Count    string
	Rate     string
	Last     string
	Problems string
	Open     bool
}

const (
	subRunes   = 200
	subTexts   = 3 // URIs that are named, the others are counted
	stateRunes = 60
)

// SubRows lists the subscriptions of a session, oldest first.
func SubRows(st session.State, now time.Time) []SubRow {
	rows := make([]SubRow, len(st.Subscriptions))
	for i, s := range st.Subscriptions {
		rows[i] = subRow(s, now)
	}
	return rows
}

// SubOf finds a subscription by its key.
func SubOf(st session.State, key uint64) (session.Subscription, bool) {
	i := slices.IndexFunc(st.Subscriptions, func(s session.Subscription) bool { return s.Key == key })
	if i < 0 {
		return session.Subscription{}, false
	}
	return st.Subscriptions[i], true
}

// OpenSubscriptions is how many subscriptions something may come on.
func OpenSubscriptions(st session.State) int {
	n := 0
	for _, s := range st.Subscriptions {
		if s.Phase.Live() {
			n++
		}
	}
	return n
}

func subRow(s session.Subscription, now time.Time) SubRow {
	r := SubRow{
		Key: s.Key, Kind: s.Kind.String(), What: FilterText(s.Asked), Count: human.Count(s.Count), Last: human.Ago(s.Last, now),
		Open: s.Phase.Live(),
	}
	r.Glyph, r.State, r.Tone = subState(s, now)
	if s.Kind == session.SubStream {
		r.What = "whatever the server sends by itself"
	}
	switch {
	case s.Kind == session.SubListen && s.Agreed.Raw == nil && s.Phase == session.SubEnded:
		r.Agreed = "nothing"
	case s.Kind == session.SubListen && s.Agreed.Raw == nil:
		r.Agreed = "nothing yet"
	case s.Kind != session.SubListen && s.AckSeq != 0:
		r.Agreed = "yes"
	case s.Kind == session.SubLists:
		r.Agreed = "declared"
	case s.Kind == session.SubStream:
		r.Agreed = ""
	case s.Kind != session.SubListen:
		r.Agreed = "not yet"
	case len(s.Missing) > 0:
		r.Agreed, r.Lacks = line("all but "+someOf(s.Missing), subRunes), true
	default:
		r.Agreed = "all"
	}
	if s.Phase == session.SubEnded && s.End == session.EndRefused {
		r.Agreed = "refused"
	}
	if s.Phase.Live() {
		r.Rate = perSecond(s.Rate(now))
	}
	if s.Count == 0 {
		r.Last = ""
	}
	if n := len(s.Problems); n > 0 {
		r.Problems = human.Plural(n, "finding", "findings")
	}
	return r
}

// perSecond writes what came in a RateWindow as a rate.
func perSecond(n uint64) string {
	const window = uint64(session.RateWindow / time.Second)
	switch {
	case n == 0:
		return "0/s"
	case n < 10*window:
		return fmt.Sprintf("%d.%d/s", n/window, n%window*10/window)
	}
	return human.Count(n/window) + "/s"
}

// subState is the state as sign and words.
func subState(s session.Subscription, now time.Time) (glyph, word string, tone Tone) {
	switch s.Phase {
	case session.SubAsked:
		return "◌", "asked", Caution
	case session.SubAcknowledged:
		return "◐", "acknowledged", Good
	case session.SubOpen:
		return "●", "open", Good
	case session.SubRelistening:
		return "◌", line(afterEnd("asked again after", s), stateRunes), Caution
	case session.SubBroken:
		word = "broken"
		if !s.NextTry.IsZero() {
			word += ", again in " + countdown(s.NextTry.Sub(now))
		}
		return "✕", line(afterEnd(word, s), stateRunes+30), Bad
	}
	switch s.End {
	case session.EndByUs, session.EndClosed:
		return "○", endWord(s), Muted
	case session.EndWithResult, session.EndCancelled:
		return "■", endWord(s), Muted
	}
	return "✕", cmp.Or(endWord(s), "ended"), Bad
}

func endWord(s session.Subscription) string { return s.End.String() }

// afterEnd adds to a word how the last attempt ended, if that is known.
func afterEnd(word string, s session.Subscription) string {
	if s.End == session.EndNone {
		return word
	}
	return word + ": " + endWord(s)
}

// countdown is a time that is left, in whole seconds.
func countdown(left time.Duration) string {
	if left <= 0 {
		return "a moment"
	}
	return human.Seconds(left)
}

// someOf names the first of some texts and counts the others.
func someOf(texts []string) string {
	if len(texts) <= subTexts {
		return strings.Join(texts, ", ")
	}
	return strings.Join(texts[:subTexts], ", ") + " and " + human.Count(len(texts)-subTexts) + " more"
}

// FilterText says in a line what a filter asks for.
func FilterText(f session.SubscriptionFilter) string {
	var lists, parts []string
	for _, l := range []struct {
		on   bool
		word string
	}{{f.Tools, "tools"}, {f.Resources, "resources"}, {f.Prompts, "prompts"}} {
		if l.on {
			lists = append(lists, l.word)
		}
	}
	if len(lists) > 0 {
		parts = append(parts, "lists of "+strings.Join(lists, ", "))
	}
	if len(f.URIs) > 0 {
		parts = append(parts, someOf(f.URIs))
	}
	if len(f.TaskIDs) > 0 {
		parts = append(parts, "tasks "+someOf(f.TaskIDs))
	}
	if len(parts) == 0 {
		return "nothing"
	}
	return line(strings.Join(parts, " · "), subRunes)
}

// SubFacts is what there is to say of a subscription in its detail.
func SubFacts(s session.Subscription, now time.Time) []Fact {
	var f facts
	glyph, word, _ := subState(s, now)
	f.add("State", glyph+" "+word)
	f.add("Said", s.Err)
	for _, odd := range oddOf(s.Problems) {
		f.add(odd.Label, odd.Value)
	}
	f.add("By", s.Kind.String())
	f.add("Asked for", FilterText(s.Asked))
	if len(s.Missing) > 0 {
		f.add("Not agreed to", strings.Join(s.Missing, "\n"))
	}
	if !s.ID.IsZero() {
		f.add("Subscription id", s.ID.String())
	}
	f.add("Stream", s.Channel)
	f.add("First asked", human.Clock(s.Since.Local()))
	if !s.Opened.IsZero() {
		f.add("Acknowledged", human.Clock(s.Opened.Local())+", "+human.Duration(s.Opened.Sub(s.Since))+" after it was first asked for")
	}
	f.add("Messages", human.Count(s.Count))
	if s.Attempts > 0 {
		f.add("In vain", human.Plural(s.Attempts, "request", "requests")+" in succession")
	}
	if s.Manual {
		f.add("Note", "Sent as a raw request: it is not asked for again by itself.")
	}
	return f
}

// oddOf says what is odd about a subscription: the newest of each rule, and how
// many there are.
func oddOf(problems []protocol.Problem) []Fact {
	var out []Fact
	for i, p := range problems {
		same := func(other protocol.Problem) bool { return other.Rule == p.Rule }
		if slices.ContainsFunc(problems[i+1:], same) {
			continue
		}
		text, n := p.Text, 0
		for _, other := range problems[:i+1] {
			if same(other) {
				n++
			}
		}
		if n > 1 {
			text += " (" + human.Count(n) + " of this rule)"
		}
		out = append(out, Fact{safe.Line(p.Rule, 40), text})
	}
	return out
}

// SubJSON is what was asked and what was agreed to, as they crossed the wire;
// agreed is nil before the server has said anything.
func SubJSON(s session.Subscription) (asked, agreed jsontext.Value) {
	return filterJSON(s.Asked), s.Agreed.Raw
}

func filterJSON(f session.SubscriptionFilter) jsontext.Value {
	if f.Raw != nil {
		return f.Raw
	}
	b := []byte("{")
	add := func(name string, value []byte) {
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(append(b, protocol.QuoteString(name)...), ':'), value...)
	}
	for _, l := range []struct {
		on   bool
		name string
	}{{f.Tools, "toolsListChanged"}, {f.Prompts, "promptsListChanged"}, {f.Resources, "resourcesListChanged"}} {
		if l.on {
			add(l.name, []byte("true"))
		}
	}
	texts := func(name string, all []string) {
		if len(all) == 0 {
			return
		}
		v := []byte("[")
		for i, text := range all {
			if i > 0 {
				v = append(v, ',')
			}
			v = append(v, protocol.QuoteString(text)...)
		}
		add(name, append(v, ']'))
	}
	texts("resourceSubscriptions", f.URIs)
	texts("taskIds", f.TaskIDs)
	return append(b, '}')
}

// SubEvents is a filter of the timeline for what belongs to a subscription.
func SubEvents(s session.Subscription) string {
	switch s.Kind {
	case session.SubListen:
		text, ok := protocol.StringValue(jsontext.Value(s.ID.String()))
		if !ok {
			text = s.ID.String()
		}
		return "ref:" + recorder.FilterValue(text)
	case session.SubResource:
		return "uri:" + recorder.FilterValue(strings.Join(s.Asked.URIs, " "))
	case session.SubStream:
		return "channel:" + recorder.FilterValue(s.Channel)
	}
	return "method:notifications/*list_changed"
}
