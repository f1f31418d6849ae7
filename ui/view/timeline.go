package view

import (
	"context"
	"errors"
	"strings"

	"mcploupe/recorder"
	"mcploupe/ui/view/human"
	"mcploupe/ui/view/safe"
)

// Timeline is the list of a recording's events or exchanges, or of those that a
// filter lets through. Rows are in the order of the recording unless they are
// sorted. Events are only ever added at the end; Moved tells when exchanges, or
// the events below one that is open, came in between. A row costs nothing, with
// a filter eight bytes and sorted four.
//
// All methods belong to one goroutine.
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

	selected RowID
	related  int // exchange of the row under the mouse, noExchange for none

	search *search

	mode     Mode
	ex       *recorder.Exchanges
	exLen    int      // exchanges that were taken in
	exRows   []uint32 // those of the filter's events, ascending
	exHas    bits     // the same
	exTaken  int      // of seqs, how many were turned into exchanges
	lists    map[int][]uint64
	fold     folding
	moved    int
	sort     sorting
	timeMode TimeMode
	marks    []MarkAt
	markTurn int // counts the changes of marks
	markSeen int // density that marks were last compared with

	watch     *watch
	stopWatch context.CancelFunc
}

// NewTimeline returns a timeline of log; see Start. run starts a goroutine;
// mark is called from any goroutine when there is something to Take.
func NewTimeline(log *recorder.Log, run func(func(context.Context)), mark func()) *Timeline {
	t := &Timeline{log: log, run: run, mark: mark, related: noExchange, ex: log.Exchanges(), watch: newWatch(), stopWatch: func() {}}
	t.length = log.Len()
	t.takeMarks()
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
	t.rebase()
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
	t.takeExchanges()
	t.takeSort()
	t.takeMarksIfOthers()
	return t.Rows() != before || t.length != length
}

// Counts says how many of how many events or exchanges are shown, and whether
// the filter is still searching or was stopped.
func (t *Timeline) Counts() string {
	of := t.length
	if t.mode == Exchanges {
		of = uint64(t.exLen)
	}
	text := human.Count(t.natural()) + " of " + human.Count(of)
	switch late := t.behind(); {
	case t.Sorting():
		text += ", sorting…"
	case late > 0:
		text += ", " + human.Count(late) + " new below"
	}
	return text + t.search.said()
}

// MostCounts is the longest that Counts says while a filter searches.
func (t *Timeline) MostCounts() string {
	all := human.Count(t.length)
	return all + " of " + all + ", searching…"
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

// Select makes a row the current one; -1 selects none.
func (t *Timeline) Select(row int) { t.selected = t.ID(row) }

// Selected is the event of the current row, 0 if there is none.
func (t *Timeline) Selected() uint64 { return t.selected.Seq }

// SelectedID is the current row.
func (t *Timeline) SelectedID() RowID { return t.selected }

// Close ends what runs in the background. The goroutines end soon after; their
// owner waits for them.
func (t *Timeline) Close() {
	t.stopSearch()
	t.stopSort()
	t.stopWatch()
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

	Sign    string // a shape for the status
	Channel string
	Waited  string // of an exchange: while the person was asked
	Events  string // of an exchange: how many
	Mark    recorder.Mark
	Whole   bool // the row stands for an exchange
	Open    bool // its events are below it
	Member  bool // the row is below its exchange
}

const (
	whatRunes = 60
	nameRunes = 160
	idRunes   = 40
)

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
		if m, ok := markSet(log, h); ok {
			r.What, r.Name, r.Size = "mark", markText(m, h.Cause), ""
		} else {
			r.Name = preview(log, seq)
		}
	case recorder.KindHTTP:
		httpRow(log, h, &r)
	case recorder.KindSSE:
		r.What, r.Tone, r.Size = "sse", Muted, ""
		r.Name = sseText(log, seq)
	case recorder.KindState:
		stateRow(log, h, &r)
	default:
		r.What, r.Status, r.Tone = "not an event", "bad", Bad
		if r.Name = preview(log, seq); r.Name == "" {
			r.What, r.Status, r.Tone = "event of an unknown kind", "odd", Caution
		}
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
