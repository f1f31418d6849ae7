package view

import (
	"context"
	"errors"
	"sort"
	"strings"

	"mcploupe/recorder"
	"mcploupe/ui/view/human"
	"mcploupe/ui/view/safe"
)

// Timeline is the list of a recording's events, or of those that a filter
// lets through. Rows are in the order of the recording and are only ever added
// at the end, so a row never moves. It costs nothing a row without a filter and
// eight bytes a row with one.
//
// All methods but the search itself belong to one goroutine.
type Timeline struct {
	log  *recorder.Log
	run  func(func(context.Context)) // starts the search; whoever owns it waits for it
	mark func()                      // the search found something; any goroutine

	text    string
	filter  *recorder.Filter // nil shows everything
	problem string           // why text is no filter
	length  uint64           // events of the log that were taken in
	seqs    []uint64         // rows when there is a filter
	changes int              // how often the filter in force became another one
	looked  uint64           // events that the filter has seen, as far as taken in

	selected uint64

	search *search
}

// NewTimeline returns a timeline of log. run starts a goroutine and is called
// once a filter; mark is called from any goroutine.
func NewTimeline(log *recorder.Log, run func(func(context.Context)), mark func()) *Timeline {
	t := &Timeline{log: log, run: run, mark: mark}
	t.length = log.Len()
	return t
}

// Log is the recording that the timeline shows.
func (t *Timeline) Log() *recorder.Log { return t.log }

// SetFilter shows only what text lets through; "" shows everything. A text
// that is no filter leaves the rows as they are; see Problem.
func (t *Timeline) SetFilter(text string) {
	text = strings.TrimSpace(text)
	if text == t.text {
		return
	}
	t.text = text
	if text == "" {
		t.put(nil)
		return
	}
	filter, err := recorder.ParseFilter(text)
	if err != nil {
		t.problem = filterProblem(err)
		return
	}
	t.put(filter)
	t.startSearch(filter, 1)
}

// put makes filter, nil for none, the one in force.
func (t *Timeline) put(filter *recorder.Filter) {
	t.stopSearch()
	t.filter, t.problem, t.seqs, t.looked = filter, "", nil, 0
	t.changes++
}

// Generation changes whenever the rows become other ones, as against more.
func (t *Timeline) Generation() int { return t.changes }

// filterProblem says what is wrong with a filter and where.
func filterProblem(err error) string {
	var at *recorder.FilterError
	if errors.As(err, &at) {
		return line("at "+human.Count(at.Offset+1)+": "+at.Text, 200)
	}
	return line(err.Error(), 200)
}

// Filter is the text of SetFilter.
func (t *Timeline) Filter() string { return t.text }

// Problem says why the filter's text is not in force, or that the search
// failed; "" when all is well.
func (t *Timeline) Problem() string { return t.problem }

func (t *Timeline) startSearch(filter *recorder.Filter, from uint64) {
	t.search = startSearch(t.log, filter, from, t.run, t.mark)
}

func (t *Timeline) stopSearch() {
	if t.search != nil {
		t.search.stop()
		t.search = nil
	}
}

// Take takes in what is new and reports whether rows were added.
func (t *Timeline) Take() bool {
	before, length := t.Rows(), t.length
	t.length = t.log.Len()
	if s := t.search; s != nil {
		var err error
		t.seqs, t.looked, err = s.take(t.seqs)
		if err != nil {
			t.problem = line("search: "+err.Error(), 200)
		}
	}
	return t.Rows() != before || t.length != length
}

// Rows is the number of rows.
func (t *Timeline) Rows() int {
	if t.filter == nil {
		return int(t.length)
	}
	return len(t.seqs)
}

// Seq is the event of a row, 0 when there is no such row.
func (t *Timeline) Seq(row int) uint64 {
	switch {
	case row < 0 || row >= t.Rows():
		return 0
	case t.filter == nil:
		return uint64(row) + 1
	}
	return t.seqs[row]
}

// RowOf is the row of an event; false when the filter hides it or it is not
// there yet.
func (t *Timeline) RowOf(seq uint64) (int, bool) {
	if t.filter == nil {
		return int(seq) - 1, seq >= 1 && seq <= t.length
	}
	i := sort.Search(len(t.seqs), func(i int) bool { return t.seqs[i] >= seq })
	return i, i < len(t.seqs) && t.seqs[i] == seq
}

// Counts says how many of how many events are shown, and whether the filter is
// still searching or was stopped.
func (t *Timeline) Counts() string {
	return human.Count(t.Rows()) + " of " + human.Count(t.length) + t.search.said()
}

// Searching reports whether the filter has not seen all events yet.
func (t *Timeline) Searching() bool { return t.search.running() }

// Stopped reports whether the person stopped the search.
func (t *Timeline) Stopped() bool { return t.search.halted() }

// StopSearch leaves the rows as far as they were found.
func (t *Timeline) StopSearch() {
	if t.Searching() {
		t.Take()
		t.search.halt(t.looked)
	}
}

// ResumeSearch goes on with a search that was stopped.
func (t *Timeline) ResumeSearch() {
	if t.Stopped() {
		t.startSearch(t.filter, t.looked+1)
	}
}

// Select makes an event the current one; 0 selects none.
func (t *Timeline) Select(seq uint64) { t.selected = seq }

// Selected is the current event, 0 if none.
func (t *Timeline) Selected() uint64 { return t.selected }

// Close ends a search. The goroutine ends soon after; its owner waits for it.
func (t *Timeline) Close() { t.stopSearch() }

// RowKey changes whenever the row of an event would look different.
func (t *Timeline) RowKey(row int) uint64 {
	seq := t.Seq(row)
	h := t.log.Head(seq)
	key := seq << 2
	if h.Partner != 0 {
		key |= 1
	}
	if h.Problems {
		key |= 2
	}
	return key
}

// Tone is the weight of a row; widgets give it a colour beside the word that
// says the same.
type Tone uint8

// The tones.
const (
	Plain Tone = iota
	Muted      // transport details
	Good
	Caution
	Bad
)

// Row is what the timeline shows of one event, in the order of its columns.
type Row struct {
	Seq    uint64
	Number string // "17"
	Time   string // since the start of the recording
	Arrow  string // → to the server, ← from it
	What   string // method, or what kind of event
	Name   string // tool, address, prompt, or the start of a text
	ID     string
	Status string
	Took   string
	Size   string
	Tone   Tone
}

const (
	whatRunes = 60
	nameRunes = 160
	idRunes   = 40
)

// Row makes the row of an event.
func (t *Timeline) Row(seq uint64) Row { return rowOf(t.log, seq) }

func rowOf(log *recorder.Log, seq uint64) Row {
	h := log.Head(seq)
	r := Row{
		Seq: seq, Number: human.Count(seq), Time: human.Offset(h.Time), Arrow: arrow(h.Dir),
		Name: line(h.Name, nameRunes), ID: line(h.ID, idRunes), Size: human.Bytes(int64(h.Size)),
	}
	switch h.Kind {
	case recorder.KindMessage:
		messageRow(log, h, &r)
	case recorder.KindBad:
		r.What, r.Status, r.Tone = "not a message", "bad", Bad
		r.Name = preview(log, seq)
	case recorder.KindStderr:
		r.What = "stderr"
		r.Name = preview(log, seq)
	case recorder.KindNote:
		r.What, r.Tone = "note", Muted
		r.Name = preview(log, seq)
	case recorder.KindHTTP:
		httpRow(log, h, &r)
	case recorder.KindSSE:
		r.What, r.Tone, r.Size = "sse", Muted, ""
		r.Name = sseText(log, seq)
	case recorder.KindState:
		stateRow(log, h, &r)
	}
	if h.Problems && r.Tone != Bad {
		r.Tone = Caution
		if r.Status == "" {
			r.Status = "odd"
		}
	}
	return r
}

func arrow(d recorder.Direction) string {
	switch d {
	case recorder.Out:
		return "→"
	case recorder.In:
		return "←"
	}
	return ""
}

// previewBytes bounds what a row reads of an event's text.
const previewBytes = 400

func preview(log *recorder.Log, seq uint64) string {
	e, err := log.Read(seq, previewBytes)
	if err != nil {
		return ""
	}
	return safe.Line(strings.TrimRight(PlainTerminal(string(e.Data)), "\r\n"), nameRunes)
}
