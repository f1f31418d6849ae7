package view

import (
	"errors"
	"slices"
	"sort"
	"strings"

	"mcploupe/recorder"
	"mcploupe/ui/view/human"
)

// Mark is the mark of an event.
func (t *Timeline) Mark(seq uint64) recorder.Mark {
	m, _ := t.log.Mark(seq)
	m.Seq = seq
	return m
}

// SetMark changes the mark of an event; one that says nothing is taken away.
// The error is for the person.
func (t *Timeline) SetMark(m recorder.Mark) error {
	m.Note = line(m.Note, maxNote)
	err := t.log.SetMark(m)
	if errors.Is(err, recorder.ErrReadOnly) {
		return errors.New("marks cannot be kept: this recording can only be read")
	}
	if err != nil {
		return errors.New("the mark was not kept: " + line(err.Error(), 200))
	}
	t.takeMarks()
	t.watch.poke()
	return nil
}

// MarkWidth is the room that the marks need.
func (t *Timeline) MarkWidth() float32 {
	if len(t.marks) > 0 {
		return 72
	}
	return 0
}

// maxNote is the longest note, in characters.
const maxNote = 500

// takeMarks reads the marks anew.
func (t *Timeline) takeMarks() {
	all := t.log.Marks()
	t.marks = make([]MarkAt, len(all))
	for i, m := range all {
		t.marks[i] = MarkAt{m, t.log.Head(m.Seq).Time}
	}
	t.markTurn++
}

// takeMarksIfOthers takes in marks that others set, as of the last density.
func (t *Timeline) takeMarksIfOthers() {
	d, turn := t.Density()
	if turn == t.markSeen {
		return
	}
	t.markSeen = turn
	if !slices.Equal(d.Marks, t.marks) {
		t.takeMarks()
	}
}

// NextMark is the marked event after seq, or with back the one before it; 0 when
// there is none. Those that the filter hides are passed over.
func (t *Timeline) NextMark(seq uint64, back bool) uint64 {
	marks := t.marks
	i := sort.Search(len(marks), func(i int) bool { return marks[i].Seq >= seq })
	step := 1
	if back {
		i, step = i-1, -1
	} else if i < len(marks) && marks[i].Seq == seq {
		i++
	}
	for ; i >= 0 && i < len(marks); i += step {
		if _, ok := t.RowOf(marks[i].Seq); ok {
			return marks[i].Seq
		}
	}
	return 0
}

// markSet is the mark that an event sets on another; ok is false for any other
// event.
func markSet(log *recorder.Log, h recorder.Head) (m recorder.Mark, ok bool) {
	if h.Kind != recorder.KindNote || h.Cause == 0 {
		return m, false
	}
	e, err := log.Read(h.Seq, previewBytes)
	set, ok := e.Fields.(*recorder.Mark)
	if err != nil || !ok || set == nil {
		return m, false
	}
	return *set, true
}

// markText says what a mark did to an event.
func markText(m recorder.Mark, of uint64) string {
	var parts []string
	if m.Pinned {
		parts = append(parts, "pinned")
	}
	if m.Color != "" {
		parts = append(parts, line(m.Color, idRunes))
	}
	text := "#" + human.Count(of) + " " + strings.Join(parts, ", ")
	switch {
	case m.IsZero():
		return text + "no longer marked"
	case m.Note != "" && len(parts) > 0:
		text += ": "
	}
	return text + line(m.Note, nameRunes)
}

// MarkSign is what the mark column shows: a sign, and the note or, when there
// is none, the word for the colour.
func MarkSign(m recorder.Mark) (sign, text string) {
	switch {
	case m.IsZero():
		return "", ""
	case m.Pinned:
		sign = "◆"
	case m.Color != "":
		sign = "■"
	default:
		sign = "□"
	}
	if text = line(m.Note, whatRunes); text == "" {
		text = m.Color
	}
	return sign, text
}
