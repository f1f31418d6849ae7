package view

import (
	"strings"
	"testing"
	"time"

	"mcploupe/protocol"
	"mcploupe/session"
)

func TestTourGoesOnWithWhatIsDone(t *testing.T) {
	call := func(phase session.CallPhase, waited time.Duration) session.State {
		return session.State{Calls: []session.CallState{{Method: protocol.MethodToolsCall, Phase: phase, Waited: waited}}}
	}
	tour := &Tour{}
	for _, c := range []struct {
		name  string
		st    session.State
		live  bool
		moves bool
		want  TourStep
	}{
		{"nothing yet", session.State{}, false, false, TourConnect},
		{"connected", session.State{}, true, true, TourCall},
		{"still connected", session.State{}, true, false, TourCall},
		{"a call runs", call(session.CallPending, 0), true, false, TourCall},
		{"a call failed", call(session.CallError, 0), true, false, TourCall},
		{"a list was read", session.State{Calls: []session.CallState{{Method: protocol.MethodToolsList, Phase: session.CallOK}}}, true, false, TourCall},
		{"a call is answered", call(session.CallOK, 0), true, true, TourAnswer},
		{"a call that asked is answered", call(session.CallOK, time.Second), true, true, TourWatch},
		{"watched, nothing came", session.State{Watches: []session.Watch{{URI: TourResource}}}, true, false, TourWatch},
		{"watched", session.State{Watches: []session.Watch{{URI: TourResource, Updates: 1}}}, true, true, TourCompare},
	} {
		if moved := tour.See(c.st, c.live); moved != c.moves || tour.At() != c.want {
			t.Errorf("%s: moved %v to step %d, want %v and %d", c.name, moved, tour.At(), c.moves, c.want)
		}
	}
	tour.Pass(TourCompare)
	if tour.At() != TourOver || !strings.Contains(tour.Head(), "done") || tour.Marks() != "✓ ✓ ✓ ✓ ✓" {
		t.Errorf("at the end it says %q %q", tour.Head(), tour.Marks())
	}
}

func TestTourMayBeDoneInAnyOrder(t *testing.T) {
	tour := &Tour{}
	tour.Pass(TourWatch)
	if tour.At() != TourConnect || tour.Marks() != "● ○ ○ ✓ ○" {
		t.Errorf("at %d, %s", tour.At(), tour.Marks())
	}
	for tour.At() < TourOver {
		if tour.Text() == "" || tour.Offer() == "" || !strings.Contains(tour.Head(), "of 5") {
			t.Errorf("step %d says %q, %q, %q", tour.At(), tour.Head(), tour.Text(), tour.Offer())
		}
		tour.Pass(tour.At())
	}
}

func TestASkippedStepIsNotDone(t *testing.T) {
	tour := &Tour{}
	tour.Pass(TourConnect)
	tour.Skip()
	if tour.At() != TourAnswer || tour.Marks() != "✓ – ● ○ ○" {
		t.Errorf("at %d, %s", tour.At(), tour.Marks())
	}
	again := TourFrom(tour.Kept())
	if again != *tour {
		t.Errorf("kept %q, read %+v", tour.Kept(), again)
	}
	for range TourOver {
		again.Skip()
	}
	if again.At() != TourOver || strings.Contains(again.Text(), "all") {
		t.Errorf("at %d it says %q", again.At(), again.Text())
	}
	for _, kept := range []string{"", "1", "11119", "ünf", "000000"} {
		if got := TourFrom(kept); got != (Tour{}) {
			t.Errorf("%q: %+v", kept, got)
		}
	}
}
