package session

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// maxSteps are kept; a server that ends its HTTP session again and again adds
// more.
const maxSteps = 200

// stepHandle writes one line of the checklist.
type stepHandle struct {
	s      *Session
	number int // counted from the first step of the session
	since  time.Time
}

// step begins a line of the checklist.
func (s *Session) step(title string) *stepHandle {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := &s.view
	if len(v.steps) == maxSteps {
		v.steps = append(v.steps[:0], v.steps[maxSteps/2:]...)
		v.stepsGone += maxSteps / 2
	}
	v.steps = append(v.steps, Step{Title: title})
	s.changed()
	return &stepHandle{s, v.stepsGone + len(v.steps) - 1, time.Now()}
}

// edit changes the step, if it is still there.
func (h *stepHandle) edit(f func(*Step)) {
	s := h.s
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := h.number - s.view.stepsGone; i >= 0 {
		f(&s.view.steps[i])
		s.changed()
	}
}

func (h *stepHandle) end(status StepStatus, detail, advice string) {
	took := time.Since(h.since)
	h.edit(func(st *Step) { st.Status, st.Detail, st.Advice, st.Took = status, detail, advice, took })
}

func (h *stepHandle) ok(detail string)           { h.end(StepOK, detail, "") }
func (h *stepHandle) skip(detail string)         { h.end(StepSkipped, detail, "") }
func (h *stepHandle) fail(detail, advice string) { h.end(StepFailed, detail, advice) }

// at names the event to look at.
func (h *stepHandle) at(seq uint64) {
	if seq != 0 {
		h.edit(func(st *Step) { st.Seq = seq })
	}
}

// sentence writes an error as a sentence for people.
func sentence(err error) string {
	text := strings.TrimSpace(err.Error())
	r, n := utf8.DecodeRuneInString(text)
	if n > 0 {
		text = string(unicode.ToUpper(r)) + text[n:]
	}
	if text != "" && !strings.ContainsAny(text[len(text)-1:], ".!?") {
		text += "."
	}
	return text
}

// lowerFirst makes a sentence fit behind a colon.
func lowerFirst(text string) string {
	r, n := utf8.DecodeRuneInString(text)
	if next, _ := utf8.DecodeRuneInString(text[n:]); n == 0 || unicode.IsUpper(next) {
		return text // an abbreviation such as HTTP
	}
	return string(unicode.ToLower(r)) + text[n:]
}
