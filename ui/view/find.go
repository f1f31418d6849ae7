package view

import (
	"context"
	"slices"
	"strings"

	"mcploupe/recorder"
	"mcploupe/ui/view/human"
)

// Find finds a text in a recording and hides nothing: it counts the events that
// hold it, tells which do, and steps from one to the next. It searches among
// the events that a filter shows, since no step could lead to the others.
//
// The search runs beside the window; a step that cannot be decided yet is made
// when it can. All methods belong to one goroutine.
type Find struct {
	log  *recorder.Log
	run  func(func(context.Context))
	mark func()

	text, within string
	filter       *recorder.Filter
	search       *search
	seqs         []uint64 // that hold the text, ascending
	looked       uint64
	err          string

	from uint64 // a step from there waits
	by   int    // 1 or -1, 0 when no step waits

	// Reach says to which events a step may lead, nil for all.
	Reach func(seq uint64) bool
	apart bool // the last step found none that it may lead to
}

// NewFind returns a find in log; run and mark are as for NewTimeline.
func NewFind(log *recorder.Log, run func(func(context.Context)), mark func()) *Find {
	return &Find{log: log, run: run, mark: mark}
}

// Log is the recording that is searched.
func (f *Find) Log() *recorder.Log { return f.log }

// Set finds text, exactly as it stands, among what the filter within shows.
// Without a capital letter it is found in any case; "" finds nothing. It
// reports whether that is another search.
func (f *Find) Set(text, within string) bool {
	within = strings.TrimSpace(within)
	if text == f.text && within == f.within {
		return false
	}
	filter, err := recorder.ParseFilter(joinTerms(within, "text:"+recorder.FilterValue(text)))
	if err != nil && text != "" { // within is no filter: the one in force stays
		if text == f.text {
			return false
		}
		if filter, err = recorder.ParseFilter(joinTerms(f.within, "text:"+recorder.FilterValue(text))); err != nil {
			return false
		}
		within = f.within
	}
	f.end()
	f.text, f.within = text, within
	f.seqs, f.looked, f.err, f.by, f.apart = nil, 0, "", 0, false
	if text != "" {
		f.filter = filter
		f.search = startSearch(f.log, filter, 1, f.run, f.mark)
	}
	return true
}

// Text is what is being found.
func (f *Find) Text() string { return f.text }

func (f *Find) end() {
	if f.search != nil {
		f.search.stop()
		f.search = nil
	}
}

// Take takes in what was found since and reports whether there was anything.
func (f *Find) Take() bool {
	if f.search == nil {
		return false
	}
	before := len(f.seqs)
	var err error
	f.seqs, f.looked, err = f.search.take(f.seqs)
	if err != nil {
		f.err = line("search: "+err.Error(), 200)
	}
	return len(f.seqs) != before
}

// Has reports whether an event holds the text, as far as is known.
func (f *Find) Has(seq uint64) bool {
	_, ok := slices.BinarySearch(f.seqs, seq)
	return ok
}

// Count is how many events hold the text, as far as is known.
func (f *Find) Count() int { return len(f.seqs) }

// Searching, Stopped, Stop and Resume are those of a Timeline.
func (f *Find) Searching() bool { return f.search.running() }

// Stopped reports whether the person stopped the search.
func (f *Find) Stopped() bool { return f.search.halted() }

// Stop leaves what was found as it is.
func (f *Find) Stop() {
	if f.Searching() {
		f.Take()
		f.search.halt(f.looked)
		f.by = 0
	}
}

// Resume goes on with a search that was stopped.
func (f *Find) Resume() {
	if f.Stopped() {
		f.search = startSearch(f.log, f.filter, f.looked+1, f.run, f.mark)
	}
}

// Step asks for the next event after from that holds the text, for -1 for the
// one before, around the ends; from itself counts with 0, when it holds the
// text. The answer comes from Due, at once or later.
func (f *Find) Step(from uint64, by int) {
	if by == 0 {
		from, by = max(from, 1)-1, 1
	}
	f.from, f.by, f.apart = from, by, false
}

// Due is the event that the last Step leads to, once; ok is false while it is
// not known, and when there is none.
func (f *Find) Due() (seq uint64, ok bool) {
	if f.by == 0 || f.search == nil {
		return 0, false
	}
	i, found := slices.BinarySearch(f.seqs, f.from)
	complete := !f.search.running()
	switch {
	case f.by > 0 && found:
		i++
	case f.by < 0:
		i--
		if f.looked+1 < f.from && !complete {
			return 0, false // one nearer may still be found
		}
	}
	for range max(len(f.seqs), 1) {
		if i < 0 || i >= len(f.seqs) {
			if !complete {
				return 0, false
			}
			if len(f.seqs) == 0 {
				f.by = 0
				return 0, false
			}
			i = (i + len(f.seqs)) % len(f.seqs)
		}
		if f.Reach == nil || f.Reach(f.seqs[i]) {
			f.by = 0
			return f.seqs[i], true
		}
		i += f.by
	}
	if complete {
		f.by, f.apart = 0, true
	}
	return 0, false
}

// Apart reports whether the last step led nowhere, since Reach lets it lead to
// none of those that hold the text.
func (f *Find) Apart() bool { return f.apart }

// Said says which of how many the selected event is, and whether the search is
// still on its way.
func (f *Find) Said(selected uint64) string {
	switch {
	case f.text == "":
		return ""
	case f.err != "":
		return f.err
	case len(f.seqs) == 0 && f.search.said() == "":
		return "no match"
	}
	n := human.Count(len(f.seqs))
	if i, ok := slices.BinarySearch(f.seqs, selected); ok {
		return human.Count(i+1) + " of " + n + f.search.said()
	}
	return human.Plural(len(f.seqs), "match", "matches") + f.search.said()
}

// Close ends the search. Its owner waits for the goroutine.
func (f *Find) Close() { f.end() }
