package view

import (
	"slices"
	"strings"
	"time"

	"mcploupe/protocol"
	"mcploupe/recorder/replay"
	"mcploupe/ui/view/human"
)

// replayList is which calls of a plan are shown, by the filter.
type replayList struct {
	plan   *replay.Plan
	filter string
	words  []string
	shown  []int32 // into plan.Calls
}

func newReplayList(p *replay.Plan) replayList {
	l := replayList{plan: p}
	l.fill(nil)
	return l
}

// fill finds what the filter lets through. run may be nil.
func (l *replayList) fill(run *replayRun) {
	l.shown = l.shown[:0]
	for i := range l.plan.Calls {
		if len(l.words) == 0 || l.lets(i, run) {
			l.shown = append(l.shown, int32(i))
		}
	}
}

func (l *replayList) lets(i int, run *replayRun) bool {
	c := l.plan.Calls[i]
	text := strings.ToLower(c.Method + " " + c.Name + " " + riskWord(c))
	if run != nil {
		if res, ok := run.results[i]; ok {
			text += " " + res.Outcome.String()
		}
	}
	for _, w := range l.words {
		without := strings.TrimPrefix(w, "-")
		if strings.Contains(text, without) == (without != w) {
			return false
		}
	}
	return true
}

// ReplayRow is one thing that the recorded client did.
type ReplayRow struct {
	Call     int    // index into the plan, for Toggle
	Number   string // of its event
	Method   string
	Name     string
	Hint     string // what the tool may do, "" when it is none
	HintTone Tone
	Ticked   bool
	Fixed    bool // it cannot be chosen
	Glyph    string
	Word     string // what came of it
	Tone     Tone
	Before   string // how long it took, recorded and now
	Now      string
	Note     string
}

// SetFilter shows the calls in which every word occurs: in the method, the name,
// the hint or what came of them; -word leaves out.
func (r *Replay) SetFilter(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.plan == nil || text == r.calls.filter {
		return
	}
	r.calls.filter, r.calls.words = text, strings.Fields(strings.ToLower(text))
	r.calls.fill(r.run)
}

// Rows is the number of rows that are shown.
func (r *Replay) Rows() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.calls.shown)
}

// Row is the row i of those that are shown.
func (r *Replay) Row(i int) ReplayRow {
	r.mu.Lock()
	defer r.mu.Unlock()
	if i < 0 || i >= len(r.calls.shown) {
		return ReplayRow{}
	}
	return r.row(int(r.calls.shown[i]))
}

// RowOf is the row at which a call is shown, -1 if it is not.
func (r *Replay) RowOf(call int) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	i, ok := slices.BinarySearch(r.calls.shown, int32(call))
	if !ok {
		return -1
	}
	return i
}

func (r *Replay) row(call int) ReplayRow {
	c := r.plan.Calls[call]
	row := ReplayRow{Call: call, Number: human.Count(c.Seq), Method: line(c.Method, 60), Name: line(c.Name, 120), Ticked: c.Chosen, Fixed: c.Negotiation, Hint: riskWord(c), HintTone: Muted}
	if c.Method == "" {
		row.Method = "no valid message"
	}
	switch {
	case c.Negotiation:
		row.Ticked, row.Note = true, "the connection does this itself"
	case c.Risk == replay.Destructive:
		row.HintTone = Caution
		if !c.Chosen {
			row.Note = "off: the tool says that it may destroy something"
		}
	}
	if r.run == nil {
		return row
	}
	if res, ok := r.run.results[call]; ok {
		row.Glyph, row.Tone = outcomeSign(res.Outcome)
		row.Word = res.Outcome.String()
		row.Before, row.Now = tookText(res.TookBefore), tookText(res.Took)
		row.Note = resultNote(res)
		return row
	}
	if r.phase == ReplayRunning && r.run.step.Call == call && r.run.steps > 0 {
		row.Glyph, row.Tone, row.Word = "◌", Caution, "under way"
		if r.run.waits != nil {
			row.Glyph, row.Word = "▸", "next"
		}
	}
	return row
}

// riskWord says what a tool may do, "" where that is no question.
func riskWord(c replay.Call) string {
	if c.Method != protocol.MethodToolsCall {
		return ""
	}
	switch c.Risk {
	case replay.Harmless:
		return "harmless"
	case replay.Destructive:
		return "destructive"
	}
	return "not stated"
}

// outcomeSign is the shape of an outcome; the word stands next to it.
func outcomeSign(o replay.Outcome) (string, Tone) {
	switch o {
	case replay.Same:
		return "=", Good
	case replay.Different:
		return "≠", Caution
	case replay.Missing:
		return "∅", Bad
	case replay.Failed:
		return "✕", Bad
	case replay.Unmapped:
		return "⊘", Caution
	case replay.Sent:
		return "→", Muted
	}
	return "–", Muted
}

func tookText(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return human.Duration(d)
}

// resultNote is the first thing to be known of a result.
func resultNote(res replay.Result) string {
	n := len(res.Differences)
	switch {
	case res.Text != "":
		return line(res.Text, 300)
	case n == 1:
		return line(differenceText(res.Differences[0]), 300)
	case n > 1:
		return human.Plural(n, "difference", "differences") + ": " + line(differenceText(res.Differences[0]), 240)
	}
	return ""
}

// Toggle chooses a call, or leaves it out.
func (r *Replay) Toggle(call int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.phase.Busy() && r.plan != nil && call >= 0 && call < len(r.plan.Calls) {
		if c := &r.plan.Calls[call]; !c.Negotiation {
			c.Chosen = !c.Chosen
		}
	}
}

// TickAll chooses the calls that are shown, or leaves them out. Destructive ones
// are chosen one by one only.
func (r *Replay) TickAll(on bool) {
	r.tick(func(c *replay.Call) { c.Chosen = on && c.Risk != replay.Destructive }, true)
}

// TickUsual chooses all that is not destructive.
func (r *Replay) TickUsual() {
	r.tick(func(c *replay.Call) { c.Chosen = c.Risk != replay.Destructive }, false)
}

// TickDifferent chooses the calls whose last outcome was a difference, and no
// others; it reports how many there are.
func (r *Replay) TickDifferent() (n int) {
	r.mu.Lock()
	run := r.run
	r.mu.Unlock()
	if run == nil {
		return 0
	}
	i := -1
	r.tick(func(c *replay.Call) {
		i++
		res, ok := run.results[i]
		c.Chosen = ok && res.Outcome.Differs() && !c.Negotiation
		if c.Chosen {
			n++
		}
	}, false)
	return n
}

func (r *Replay) tick(set func(c *replay.Call), shown bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.phase.Busy() || r.plan == nil {
		return
	}
	if !shown {
		for i := range r.plan.Calls {
			set(&r.plan.Calls[i])
		}
		return
	}
	for _, i := range r.calls.shown {
		set(&r.plan.Calls[i])
	}
}

// ChosenText says how many calls are chosen, and what will not be sent and why.
func (r *Replay) ChosenText() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.plan == nil {
		return ""
	}
	chosen, own, destructive := 0, 0, 0
	for _, c := range r.plan.Calls {
		switch {
		case c.Negotiation:
			own++
		case c.Chosen:
			chosen++
		case c.Risk == replay.Destructive:
			destructive++
		}
	}
	text := human.Count(chosen) + " of " + human.Plural(len(r.plan.Calls)-own, "message", "messages") + " chosen"
	if destructive > 0 {
		text += ", " + human.Count(destructive) + " off as destructive"
	}
	if n := len(r.calls.shown); n < len(r.plan.Calls) {
		text += ", " + human.Count(n) + " shown"
	}
	return text
}

// FollowNote says what of a recording is in no row because it follows from the
// rest.
const FollowNote = "Not in the list, because it follows from the rest: answers to questions of the server, further rounds of a call, polls of its task. Ids, tokens, cursors and states become those of the new connection."
