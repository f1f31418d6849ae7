package view

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/recorder/diff"
	"mcploupe/recorder/replay"
	"mcploupe/ui/view/human"
)

// outcomeWords are the outcomes in the order in which a summary names them.
var outcomeWords = []struct {
	of        replay.Outcome
	one, many string
}{
	{replay.Same, "same", "same"},
	{replay.Different, "different", "different"},
	{replay.Missing, "without an answer", "without an answer"},
	{replay.Failed, "error", "errors"},
	{replay.Unmapped, "without a counterpart", "without a counterpart"},
	{replay.Sent, "only sent", "only sent"},
	{replay.Skipped, "skipped", "skipped"},
}

// sayEnd tells what came of a run.
func (run *replayRun) sayEnd(s *ReplayState, why string) {
	counts := map[replay.Outcome]int{}
	for _, res := range run.results {
		counts[res.Outcome]++
	}
	var parts []string
	for _, w := range outcomeWords {
		if n := counts[w.of]; n == 1 {
			parts = append(parts, "1 "+w.one)
		} else if n > 1 {
			parts = append(parts, human.Count(n)+" "+w.many)
		}
	}
	words := strings.Join(parts, ", ")
	s.Share = 1
	switch {
	case why != "" && run.sum == nil:
		s.Glyph, s.Tone, s.Line, s.Detail = "✕", Bad, "The replay did not begin", why
		return
	case why != "":
		s.Glyph, s.Tone, s.Line, s.Detail = "✕", Bad, "The replay broke off: "+words, why
		return
	case run.sum == nil:
		s.Glyph, s.Line = "■", "Stopped before it began"
		return
	}
	switch {
	case s.Different == 0 && len(run.sum.Unasked) == 0:
		s.Glyph, s.Tone, s.Line = "=", Good, "No difference: "+words
	case s.Different == 0:
		s.Glyph, s.Tone, s.Line = "≠", Caution, "The answers are the same, the questions are not: "+words
	default:
		s.Glyph, s.Tone, s.Line = "≠", Caution, human.Plural(s.Different, "difference", "differences")+": "+words
	}
	if run.sum.Stopped != "" {
		s.Line += ". " + asSentence(run.sum.Stopped)
		if s.Tone == Good {
			s.Tone = Muted
		}
	}
	s.Detail = strings.Join(run.remarks(), "  ")
}

func asSentence(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

// maxRemarks bounds the sentences below a summary.
const maxRemarks = 3

// remarks are sentences about what belongs to no call.
func (run *replayRun) remarks() (out []string) {
	all := slices.Concat(run.sum.Unmapped, run.sum.Unasked)
	for i, text := range all {
		if i == maxRemarks {
			out = append(out, "And "+human.Count(len(all)-i)+" more, see Summary.")
			break
		}
		out = append(out, asSentence(line(text, 200)))
	}
	return out
}

// SummaryFacts are what the last run has to say as a whole.
func (r *Replay) SummaryFacts() []Fact {
	r.mu.Lock()
	defer r.mu.Unlock()
	run := r.run
	if run == nil {
		return nil
	}
	var f facts
	f.add("Target", TitleOf(run.server.Target))
	f.add("Recorded in", run.recorded)
	if run.conn != nil {
		if v := run.conn.State().Revision; v != nil {
			f.add("Played in", v.Name)
		}
	}
	if run.sum == nil {
		return f
	}
	f.add("New recording", run.path)
	for _, b := range run.sum.Bindings {
		f.add(line(b.Where, 60), bindingText(b))
	}
	for _, text := range run.sum.Unmapped {
		f.add("No counterpart", line(text, 400))
	}
	for _, text := range run.sum.Unasked {
		f.add("Questions", line(text, 400))
	}
	if c := run.sum.Conversation; c != nil {
		for _, h := range c.Hidden {
			f.add("Hidden by a rule", h.Title+": "+human.Plural(h.Count, "place", "places"))
		}
	}
	return f
}

func bindingText(b replay.Binding) string {
	from := line(b.From, 120)
	if from == "" {
		from = "nothing"
	}
	return from + ", now " + line(b.To, 120)
}

// differenceText is a difference in a sentence.
func differenceText(d diff.Difference) string {
	if d.Text != "" {
		return d.Text
	}
	return d.Kind.String() + " " + d.Pointer()
}

// ReplayDifference is one place where an answer differs.
type ReplayDifference struct {
	Kind   string // in a word
	Glyph  string
	Tone   Tone
	Path   string // JSON Pointer
	Before string
	After  string
	Text   string
}

// ReplayBinding is a value that was replaced by that of the new connection.
type ReplayBinding struct{ Kind, Where, From, To string }

// ReplayDetail is all that is known of one call.
type ReplayDetail struct {
	Call        int
	Title       string
	Glyph       string
	Tone        Tone
	Line        string // what came of it
	Differences []ReplayDifference
	None        string // in place of differences, when there are none
	Bindings    []ReplayBinding
	More        int // of either that are left out
}

// maxDetails bounds the differences and the bindings that are listed of a call.
const maxDetails = 500

// Detail is what is known of a call; ok is false when there is no such.
func (r *Replay) Detail(call int) (d ReplayDetail, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.plan == nil || call < 0 || call >= len(r.plan.Calls) {
		return d, false
	}
	row := r.row(call)
	d = ReplayDetail{Call: call, Title: strings.TrimSpace(row.Method + "  " + row.Name), Glyph: row.Glyph, Tone: row.Tone}
	d.Line = row.Note
	if row.Word != "" {
		d.Title += ": " + row.Word
	}
	d.None = "Not compared yet"
	if r.run == nil {
		return d, true
	}
	res, ended := r.run.results[call]
	switch {
	case res.Outcome == replay.Same:
		d.None = "No difference"
	case ended:
		d.None = "Not compared"
	}
	for _, x := range res.Differences {
		if len(d.Differences) == maxDetails {
			d.More += len(res.Differences) - maxDetails
			break
		}
		d.Differences = append(d.Differences, replayDifference(x))
	}
	for i, b := range res.Bindings {
		if i == maxDetails {
			d.More += len(res.Bindings) - maxDetails
			break
		}
		d.Bindings = append(d.Bindings, ReplayBinding{string(b.Kind), line(b.Where, 200), line(b.From, 300), line(b.To, 300)})
	}
	return d, true
}

func replayDifference(x diff.Difference) ReplayDifference {
	where := x.Pointer()
	if x.Inside != "" {
		where += " › " + x.Inside
	}
	d := ReplayDifference{Kind: x.Kind.String(), Glyph: "≠", Tone: Caution, Path: line(where, 1000), Before: line(x.Before, 400), After: line(x.After, 400), Text: line(x.Text, 400)}
	switch x.Kind {
	case diff.Added:
		d.Glyph = "+"
	case diff.Removed:
		d.Glyph = "−"
	}
	if x.Severity != diff.Differs {
		d.Tone = Muted
	}
	return d
}

// PathTail is the end of a path in at most that many characters: it tells most of
// it.
func PathTail(path string, most int) string {
	if runes := []rune(path); most > 0 && len(runes) > most {
		return "…" + string(runes[len(runes)-most+1:])
	}
	return path
}

// ReplaySide is one of the messages of a call.
type ReplaySide uint8

// The messages of a call.
const (
	RequestBefore ReplaySide = iota
	AnswerBefore
	RequestNow
	AnswerNow
)

// maxReplayMessage bounds the message that is read to be shown, in bytes.
const maxReplayMessage = 64 << 20

// Message reads one of the messages of a call; it may take a while. The text is
// empty and note says why when there is none.
func (r *Replay) Message(ctx context.Context, call int, side ReplaySide) (raw []byte, problems []protocol.Problem, note string) {
	log, seq, done := r.find(call, side)
	defer done()
	switch {
	case log == nil:
		return nil, nil, "Not replayed yet."
	case seq == 0 && (side == AnswerBefore || side == AnswerNow):
		return nil, nil, "There is no answer."
	case seq == 0:
		return nil, nil, "Nothing was sent."
	case ctx.Err() != nil:
		return nil, nil, ""
	}
	e, err := log.Read(seq, maxReplayMessage)
	if err != nil {
		return nil, nil, "The message cannot be read: " + line(err.Error(), 300)
	}
	return e.Data, protocol.Parse(e.Data).Problems, ""
}

// find is where a message is. The log is open until done is called.
func (r *Replay) find(call int, side ReplaySide) (log *recorder.Log, seq uint64, done func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	done = func() {}
	if r.closed || r.plan == nil || call < 0 || call >= len(r.plan.Calls) {
		return nil, 0, done
	}
	c := r.plan.Calls[call]
	switch side {
	case RequestBefore:
		return r.log, c.Seq, done
	case AnswerBefore:
		if c.Exchange < 0 {
			return r.log, 0, done
		}
		return r.log, r.log.Exchanges().At(c.Exchange).Answer, done
	}
	if r.run == nil {
		return nil, 0, done
	}
	res, ok := r.run.results[call]
	if !ok {
		return nil, 0, done
	}
	log = r.run.log
	if log == nil && r.run.conn != nil {
		log = r.run.conn.Log()
	}
	if side == RequestNow {
		return log, res.Request, done
	}
	return log, res.Answer, done
}

// Settle takes the new recording for reading once its connection is closed, so
// that what was answered can still be shown.
func (r *Replay) Settle() error {
	r.mu.Lock()
	run := r.run
	if r.closed || run == nil || run.path == "" || run.log != nil {
		r.mu.Unlock()
		return nil
	}
	path := run.path
	r.mu.Unlock()
	log, err := recorder.OpenToRead(r.ctx, path, nil)
	if err != nil {
		return fmt.Errorf("read the new recording: %w", err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed || r.run != run || run.log != nil {
		return log.Close()
	}
	run.log = log
	r.o.Changed()
	return nil
}

// errNoOutcome says that there is nothing to compare.
var errNoOutcome = errors.New("there is no new recording")

// Outcome is the path of the new recording of the last run.
func (r *Replay) Outcome() (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.run == nil || r.run.path == "" {
		return "", errNoOutcome
	}
	return r.run.path, nil
}
