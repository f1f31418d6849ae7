package view

import (
	"fmt"
	"testing"
	"time"

	"mcploupe/recorder"
)

// found waits until a find has come to the end of the log.
func (s *searching) found(t *testing.T, f *Find) {
	t.Helper()
	late := time.NewTimer(20 * time.Second)
	defer late.Stop()
	for {
		f.Take()
		if !f.Searching() {
			f.Take()
			return
		}
		select {
		case <-s.news:
		case <-late.C:
			t.Fatalf("the search did not end: %s", f.Said(0))
		}
	}
}

func notes(log *recorder.Log, texts ...string) {
	for _, text := range texts {
		message(log, recorder.In, 1, fmt.Sprintf(`{"jsonrpc":"2.0","method":"n","params":{"t":%q}}`, text))
	}
}

func TestFindCountsStepsAndGoesAround(t *testing.T) {
	log := newLog(t)
	notes(log, "a needle", "hay", "Needle", "hay", `say "needle|x*"`, "hay")
	s := newSearching(t)
	f := NewFind(log, s.run, s.mark)
	if !f.Set("needle", "") || f.Set("needle", " ") {
		t.Error("another search is not told from the same")
	}
	s.found(t, f)
	if f.Count() != 3 || !f.Has(3) || f.Has(2) || f.Said(3) != "2 of 3" || f.Said(2) != "3 matches" {
		t.Errorf("%d found, said %q and %q", f.Count(), f.Said(3), f.Said(2))
	}
	for _, step := range []struct {
		from uint64
		by   int
		want uint64
	}{{0, 1, 1}, {1, 1, 3}, {2, 1, 3}, {5, 1, 1}, {6, 1, 1}, {1, -1, 5}, {2, -1, 1}, {6, -1, 5}, {5, -1, 3}, {3, 0, 3}, {4, 0, 5}, {0, 0, 1}} {
		f.Step(step.from, step.by)
		if got, ok := f.Due(); !ok || got != step.want {
			t.Errorf("from %d by %d: %d %v, want %d", step.from, step.by, got, ok, step.want)
		}
		if _, ok := f.Due(); ok {
			t.Error("a step is due twice")
		}
	}
	f.Set("Needle", "")
	s.found(t, f)
	if f.Said(0) != "1 match" || !f.Has(3) {
		t.Errorf("with a capital letter: %q", f.Said(0))
	}
	f.Set("needle|x*", "")
	s.found(t, f)
	if f.Count() != 1 || !f.Has(5) {
		t.Errorf("signs of the filter language: %q", f.Said(0))
	}
	f.Set("absent", "")
	s.found(t, f)
	f.Step(1, 1)
	if _, ok := f.Due(); ok || f.Said(1) != "no match" {
		t.Errorf("absent: %q", f.Said(1))
	}
	if f.Set("", ""); f.Said(1) != "" || f.Count() != 0 || f.Searching() {
		t.Errorf("nothing: %q", f.Said(1))
	}
}

func TestFindStaysWithinTheFilter(t *testing.T) {
	log := newLog(t)
	notes(log, "needle")
	log.Append(recorder.Event{Dir: recorder.In, Kind: recorder.KindStderr, Data: []byte("needle\n")})
	s := newSearching(t)
	f := NewFind(log, s.run, s.mark)
	f.Set("needle", "kind:stderr")
	s.found(t, f)
	if f.Count() != 1 || !f.Has(2) {
		t.Errorf("with a filter: %q", f.Said(0))
	}
	if f.Set("needle", "kind:nothing") {
		t.Error("a text that is no filter started another search")
	}
	if !f.Set("need", "kind:nothing") {
		t.Error("another text was not searched")
	}
	s.found(t, f)
	if f.Count() != 1 || !f.Has(2) {
		t.Errorf("with the last good filter: %q", f.Said(0))
	}
}

func TestFindTakesInWhatComesAndStops(t *testing.T) {
	log := newLog(t)
	notes(log, "needle")
	s := newSearching(t)
	f := NewFind(log, s.run, s.mark)
	f.Set("needle", "")
	s.found(t, f)
	notes(log, "hay", "needle")
	late := time.After(20 * time.Second)
	for f.Count() < 2 {
		f.Take()
		select {
		case <-s.news:
		case <-late:
			t.Fatalf("what came is not found: %q", f.Said(0))
		}
	}
	f.Stop()
	if f.Stopped() {
		t.Error("a search that only follows was stopped")
	}
}

// A step waits for what it depends on, and no longer.
func TestFindDecidesAStepAsSoonAsItCan(t *testing.T) {
	f := &Find{text: "x", search: &search{stop: func() {}, looked: 59}, seqs: []uint64{10, 20}, looked: 25}
	f.Step(20, 1)
	if got, ok := f.Due(); ok {
		t.Errorf("went to %d although a later one may come", got)
	}
	f.seqs, f.looked = append(f.seqs, 40), 40
	if got, ok := f.Due(); !ok || got != 40 {
		t.Errorf("did not go on to 40: %d %v", got, ok)
	}
	f.Step(60, -1)
	if got, ok := f.Due(); ok {
		t.Errorf("went back to %d although 41 to 59 are not looked at", got)
	}
	f.looked = 59
	if got, ok := f.Due(); !ok || got != 40 {
		t.Errorf("did not go back to 40: %d %v", got, ok)
	}
	f.Step(10, -1)
	if got, ok := f.Due(); ok {
		t.Errorf("went around to %d before the end is known", got)
	}
	f.Stop()
	if !f.Stopped() || f.Said(40) != "3 of 3, stopped at 59" {
		t.Errorf("said %q", f.Said(40))
	}
	f.Step(10, -1)
	if got, ok := f.Due(); !ok || got != 40 {
		t.Errorf("after the stop what is found is all there is: %d %v", got, ok)
	}
}

func TestStoppedSearchGoesOnWhereItWas(t *testing.T) {
	log := newLog(t)
	notes(log, "needle", "hay", "needle", "needle")
	s := newSearching(t)
	line := NewTimeline(log, s.run, s.mark)
	line.SetFilter("needle")
	line.search.stop() // the goroutine; what it found by then does not matter
	line.search = &search{stop: func() {}, found: []uint64{1}, looked: 2}
	line.StopSearch()
	if !line.Stopped() || line.Rows() != 1 || line.Counts() != "1 of 4, stopped at 2" {
		t.Fatalf("stopped %v, %q", line.Stopped(), line.Counts())
	}
	line.search.add([]uint64{3}, 3, nil) // too late
	if line.Take(); line.Rows() != 1 {
		t.Errorf("%d rows after the stop", line.Rows())
	}
	line.ResumeSearch()
	s.await(t, line, func() bool { return line.Rows() == 3 && !line.Searching() })
	if line.Seq(1) != 3 || line.Seq(2) != 4 || line.Counts() != "3 of 4" {
		t.Errorf("rows %d %d, %q", line.Seq(1), line.Seq(2), line.Counts())
	}
}

// A step leads only where it may: among exchanges not to what belongs to none.
func TestFindReachesWhatItMay(t *testing.T) {
	log := newLog(t)
	notes(log, "needle", "needle", "needle", "hay")
	s := newSearching(t)
	f := NewFind(log, s.run, s.mark)
	may := uint64(3)
	f.Reach = func(seq uint64) bool { return seq == may }
	f.Set("needle", "")
	s.found(t, f)
	for _, by := range []int{1, -1, 0} {
		f.Step(1, by)
		if got, ok := f.Due(); !ok || got != 3 || f.Apart() {
			t.Errorf("by %d: %d %v", by, got, ok)
		}
	}
	may = 4
	f.Step(1, 1)
	if got, ok := f.Due(); ok || !f.Apart() {
		t.Errorf("went to %d, apart %v", got, f.Apart())
	}
	f.Reach = nil
	f.Step(1, 1)
	if got, ok := f.Due(); !ok || got != 2 || f.Apart() {
		t.Errorf("without bounds: %d %v", got, ok)
	}
}
