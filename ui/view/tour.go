package view

import (
	"fmt"
	"slices"
	"strings"

	"mcploupe/protocol"
	"mcploupe/session"
	"mcploupe/ui/view/human"
)

// TourStep is a step of the way through the first five minutes.
type TourStep uint8

// The steps, in their order.
const (
	TourConnect TourStep = iota
	TourCall
	TourAnswer
	TourWatch
	TourCompare
	TourOver // all are done
)

// What the tour is shown with: entries of the demo server.
const (
	TourTool     = "weather_now"
	TourAskTool  = "visitor_form"
	TourResource = "kestrel://clock"
)

// tourSteps say what to do, and what was seen when it is done.
var tourSteps = [TourOver]struct{ title, text, show string }{
	TourConnect: {"Connect", "Start the demo, a server that comes with the program. Your own goes with Ctrl+N: a command line or an address.", "Try the demo"},
	TourCall:    {"Call a tool", "Choose " + TourTool + " among the tools, fill its form in as you like, and press Call, or Ctrl+Enter.", "Take me there"},
	TourAnswer:  {"Answer the server", "Call " + TourAskTool + ": the server asks you something. Open the question, fill the form in, and press Accept.", "Take me there"},
	TourWatch:   {"Watch a resource", "Watch " + TourResource + ", which changes every second: each change is shown as a difference, and the timeline has every byte.", "Watch it"},
	TourCompare: {"Compare two versions", "Two sample recordings are of two versions of a server: see what changed, and what of it breaks callers.", "Compare them"},
}

// Tour is how far someone has come on the way. The zero value stands at its
// beginning.
type Tour struct {
	steps [TourOver]stepState
}

type stepState uint8

const (
	stepToDo stepState = iota
	stepDone
	stepSkipped
)

// At is the step to do next, TourOver when there is none.
func (t *Tour) At() TourStep {
	for step, state := range t.steps {
		if state == stepToDo {
			return TourStep(step)
		}
	}
	return TourOver
}

// Pass marks a step as done.
func (t *Tour) Pass(step TourStep) {
	if step < TourOver {
		t.steps[step] = stepDone
	}
}

// Skip leaves the step that is next out.
func (t *Tour) Skip() {
	if at := t.At(); at < TourOver {
		t.steps[at] = stepSkipped
	}
}

// Kept is how far it is, to go on another time.
func (t *Tour) Kept() string {
	digits := make([]byte, TourOver)
	for i, state := range t.steps {
		digits[i] = '0' + byte(state)
	}
	return string(digits)
}

// TourFrom goes on with what was kept; of what it does not know it begins anew.
func TourFrom(kept string) Tour {
	var t Tour
	if len(kept) != int(TourOver) {
		return t
	}
	for i := range t.steps {
		state := stepState(kept[i] - '0')
		if state > stepSkipped {
			return Tour{}
		}
		t.steps[i] = state
	}
	return t
}

// See takes in what a connection shows and reports whether a step became done.
func (t *Tour) See(st session.State, live bool) bool {
	before := t.steps
	if live {
		t.Pass(TourConnect)
	}
	for _, c := range st.Calls {
		if c.Method != protocol.MethodToolsCall || c.Phase != session.CallOK {
			continue
		}
		t.Pass(TourCall)
		if c.Waited > 0 {
			t.Pass(TourAnswer)
		}
	}
	for _, w := range st.Watches {
		if w.Updates > 0 {
			t.Pass(TourWatch)
		}
	}
	return t.steps != before
}

// Head is how far it is, such as "First steps · 2 of 5 · Call a tool".
func (t *Tour) Head() string {
	at := t.At()
	if at == TourOver {
		return "First steps · done"
	}
	return fmt.Sprintf("First steps · %d of %d · %s", at+1, TourOver, tourSteps[at].title)
}

// Marks draws the steps, a sign for each: done, skipped, next, to come.
func (t *Tour) Marks() string {
	marks := make([]string, TourOver)
	for step, state := range t.steps {
		switch {
		case state == stepDone:
			marks[step] = "✓"
		case state == stepSkipped:
			marks[step] = "–"
		case TourStep(step) == t.At():
			marks[step] = "●"
		default:
			marks[step] = "○"
		}
	}
	return strings.Join(marks, " ")
}

// Text is what to do next.
func (t *Tour) Text() string {
	if at := t.At(); at < TourOver {
		return tourSteps[at].text
	}
	if slices.Contains(t.steps[:], stepSkipped) {
		return "That was the last step. The guide (F1) has a page for each job; this path is in the Help menu."
	}
	return fmt.Sprintf("That was all %s. The guide (F1) has a page for each job; this path is in the Help menu.", human.Plural(int(TourOver), "step", "steps"))
}

// Offer is the word on the button that leads to the step.
func (t *Tour) Offer() string {
	if at := t.At(); at < TourOver {
		return tourSteps[at].show
	}
	return "Open the guide"
}
