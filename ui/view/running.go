package view

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"mcploupe/protocol"
	"mcploupe/session"
	"mcploupe/ui/view/human"
)

// RunsAfter is how long a call runs before it is listed: most are over sooner.
const RunsAfter = 300 * time.Millisecond

// RunRow is a call that is running, for the strip and for the place of its
// result.
type RunRow struct {
	Key          uint64
	Seq          uint64 // event of its request
	Method, Name string // as sent, for Env.ShowCall
	Title        string // what is called
	Glyph        string
	Tone         Tone
	Share        float64 // done so far, from 0 to 1; see Total
	Total        bool    // the progress has a total
	Count        string  // "2 of 5" or "47", "" without progress
	Rate         string  // "0.8/s", or for how long nothing came; "" when it cannot be told
	Message      string
	Elapsed      string
	State        string            // "waits for you", "task: working", ...; "" while it simply runs
	Odd          string            // what is odd about its progress, in a word or two (PROG-07)
	OddSeq       uint64            // where the first of that is told
	Reports      []session.Finding // all of it
	Way          string            // how the server is told of a cancellation
	Reason       bool              // a reason for it is sent
}

// Words are what is known of the call besides its name, one after the other.
func (r RunRow) Words() []string {
	var words []string
	for _, w := range []string{r.State, r.Odd, r.Elapsed, r.Count, r.Rate, r.Message} {
		if w != "" {
			words = append(words, w)
		}
	}
	return words
}

// Runs follows the calls that are running. It belongs to one goroutine.
type Runs struct {
	sess   *session.Session
	tracks map[uint64]*runTrack
	rows   []RunRow
	next   time.Duration
}

// runTrack is the progress of a call as it came.
type runTrack struct {
	last    string
	samples []runSample
}

type runSample struct {
	at    time.Time
	value float64 // for a rate alone: what the server sent stays text
}

const maxSamples = 8

// Take takes in a snapshot. The connection's session tells apart calls with the
// same key.
func (r *Runs) Take(sess *session.Session, st session.State, now time.Time) {
	if r.sess != sess || r.tracks == nil {
		r.sess, r.tracks = sess, map[uint64]*runTrack{}
	}
	running := map[uint64]bool{}
	r.rows, r.next = r.rows[:0], 0
	for _, c := range st.Calls {
		if !Pending(c.Phase) || !listed(c) || st.Phase != session.Ready {
			continue
		}
		running[c.Key] = true
		r.track(c, now)
		if age := now.Sub(c.Started); age < RunsAfter {
			r.soon(RunsAfter - age)
			continue
		}
		r.soon(time.Second - now.Sub(c.Started)%time.Second)
		r.rows = append(r.rows, r.Row(c, st, now))
	}
	for key := range r.tracks {
		if !running[key] {
			delete(r.tracks, key)
		}
	}
}

func (r *Runs) soon(d time.Duration) {
	if r.next == 0 || d < r.next {
		r.next = d
	}
}

// Rows are the calls that have been running for a while, oldest first.
func (r *Runs) Rows() []RunRow { return r.rows }

// Next is when there is something new to show though nothing came, 0 for never.
func (r *Runs) Next() time.Duration { return r.next }

// Pending reports whether a call in that phase is not over.
func Pending(p session.CallPhase) bool {
	return p == session.CallPending || p == session.CallWaiting || p == session.CallWorking
}

// ownMethods are requests of the session itself that have a place elsewhere.
var ownMethods = []string{
	protocol.MethodPing, protocol.MethodDiscover, protocol.MethodInitialize,
	protocol.MethodTasksGet, protocol.MethodTasksResult, protocol.MethodTasksList, protocol.MethodTasksCancel, protocol.MethodTasksUpdate,
}

func listed(c session.CallState) bool {
	return c.Subscription == 0 && !slices.Contains(ownMethods, c.Method)
}

// track takes the newest progress of a call.
func (r *Runs) track(c session.CallState, now time.Time) {
	t := r.tracks[c.Key]
	if t == nil {
		t = &runTrack{}
		r.tracks[c.Key] = t
	}
	if c.Progress.Progress == t.last {
		return
	}
	t.last = c.Progress.Progress
	value, err := strconv.ParseFloat(t.last, 64)
	if err != nil || len(t.samples) > 0 && value <= t.samples[len(t.samples)-1].value {
		t.samples = t.samples[:0] // it went back: the rate starts over
	}
	if err == nil {
		t.samples = append(t.samples, runSample{now, value})
	}
	if len(t.samples) > maxSamples {
		t.samples = slices.Delete(t.samples, 0, 1)
	}
}

// Row makes the row of a call, also of one that has not run for long.
func (r *Runs) Row(c session.CallState, st session.State, now time.Time) RunRow {
	row := RunRow{
		Key: c.Key, Seq: c.RequestSeq, Method: c.Method, Name: c.Name, Title: line(cmp.Or(c.Name, c.Method), 80),
		Glyph: "◌", Tone: Caution, Message: line(c.Progress.Message, 200), Reports: c.Reports,
		Count: countOf(c.Progress),
	}
	row.Share, row.Total = Share(c.Progress)
	if t := r.tracks[c.Key]; t != nil {
		row.Rate = t.rate(now)
	}
	row.State = runState(c, st)
	asks := asksPerson(c, st)
	row.Elapsed = elapsed(c, now, asks)
	if asks {
		row.Glyph = "?"
	}
	if len(c.Reports) > 0 {
		row.Odd, row.OddSeq = oddWords(c.Reports), c.Reports[0].Seq
	}
	row.Way, row.Reason = cancelWay(c, st)
	return row
}

func countOf(p protocol.Progress) string {
	switch {
	case p.Progress == "":
		return ""
	case p.Total == "":
		return line(p.Progress, 24)
	}
	return line(p.Progress, 24) + " of " + line(p.Total, 24)
}

// oddWords names the first finding about progress, and counts them.
func oddWords(reports []session.Finding) string {
	word := oddWord(reports[0].Rule)
	if n := len(reports); n > 1 {
		word += " (" + human.Plural(n, "finding", "findings") + ")"
	}
	return word
}

// oddWord says in a word what is odd about progress.
func oddWord(rule string) string {
	switch rule {
	case "L-PROG-01":
		return "odd token"
	case "L-PROG-02":
		return "progress went back"
	case "L-PROG-03":
		return "progress after the end"
	case "L-PROG-04":
		return "odd total"
	case "L-PROG-05":
		return "too much progress"
	}
	return "odd progress"
}

// runState says what the call waits for.
func runState(c session.CallState, st session.State) string {
	switch {
	case c.Held:
		return "waits to be continued"
	case asksPerson(c, st):
		return "asks you"
	case c.Phase == session.CallWorking:
		if t, ok := TaskOf(st, c.Task); ok {
			return "task " + taskWord(t)
		}
		return "goes on as a task"
	}
	return ""
}

// asksPerson reports whether the call waits for an answer of the person.
func asksPerson(c session.CallState, st session.State) bool {
	return c.Phase == session.CallWaiting || slices.ContainsFunc(st.Asks, func(a session.Ask) bool {
		return a.State == session.AskOpen && (a.Cause == c.Key || a.Task != 0 && a.Task == c.Task)
	})
}

// rate is how fast the progress goes, or for how long none came.
func (t *runTrack) rate(now time.Time) string {
	n := len(t.samples)
	if n < 2 {
		return ""
	}
	first, last := t.samples[0], t.samples[n-1]
	span := last.at.Sub(first.at)
	if span < 500*time.Millisecond {
		return ""
	}
	if idle := now.Sub(last.at); idle > 5*time.Second && idle > 3*span/time.Duration(n-1) {
		return "nothing for " + human.Ticking(idle)
	}
	return perTime((last.value - first.value) / span.Seconds())
}

// perTime writes a rate in a second, a minute or an hour: what gives a number
// that can be read.
func perTime(rate float64) string {
	unit := "/s"
	for _, longer := range []string{"/min", "/h"} {
		if rate >= 0.1 {
			break
		}
		rate, unit = rate*60, longer
	}
	if rate >= 100 {
		return human.Count(uint64(min(rate, 1e18))) + unit
	}
	return strings.TrimSuffix(strconv.FormatFloat(rate, 'f', 1, 64), ".0") + unit
}

// cancelWay says what goes out when a call is given up (CAN-03, CAN-07), and
// whether it has a place for a reason.
func cancelWay(c session.CallState, st session.State) (way string, reason bool) {
	revision := st.Revision
	switch {
	case c.Phase == session.CallWorking:
		return "tasks/cancel goes out for its task; there is no place in it for a reason.", false
	case c.Phase == session.CallWaiting:
		return "Nothing goes out: between two rounds the server has no request to cancel.", false
	case revision == nil:
		return "Nothing goes out: there is no revision yet.", false
	case st.Transport == string(session.HTTP) && !revision.CancelByNotificationOnHTTP:
		return "The stream of its answer is closed, which cancels it in " + revision.Name + "; a reason cannot be sent.", false
	}
	return "notifications/cancelled goes out with its id and the reason.", true
}
