package view

import (
	"sort"
	"time"

	"mcploupe/ui/view/human"
)

// TimeMode is what the time column counts from.
type TimeMode string

// The time modes, as they are called in the settings too.
const (
	SinceStart    TimeMode = ""
	TimeOfDay     TimeMode = "clock"
	SincePrevious TimeMode = "previous"
	SinceMark     TimeMode = "mark"
)

// TimeModes are the time modes with their words.
func TimeModes() []Fact {
	return []Fact{
		{"Since the start", string(SinceStart)}, {"Time of day", string(TimeOfDay)},
		{"Since the row above", string(SincePrevious)}, {"Since the last mark before", string(SinceMark)},
	}
}

// Title is the title of the time column.
func (m TimeMode) Title() string {
	switch m {
	case TimeOfDay:
		return "Time of day"
	case SincePrevious:
		return "After"
	case SinceMark:
		return "Since mark"
	}
	return "Time"
}

// TimeWidth is the room that the times need.
func (t *Timeline) TimeWidth() float32 {
	if t.timeMode == TimeOfDay {
		// Its columns have twelve characters of 24 hours, and as wide ones beyond.
		return 96 * float32(len(human.Clock(t.log.Header().Created))) / 12
	}
	switch last := t.log.Head(t.length).Time; {
	case last >= time.Hour:
		return 96
	case last >= 1000*time.Second:
		return 82
	}
	return 68
}

// TimeMode is what times count from.
func (t *Timeline) TimeMode() TimeMode { return t.timeMode }

// SetTimeMode makes times count from something else.
func (t *Timeline) SetTimeMode(m TimeMode) { t.timeMode = m }

// timeText is the time of the event at a row.
func (t *Timeline) timeText(row int, at time.Duration) string {
	switch t.timeMode {
	case TimeOfDay:
		return human.Clock(t.log.Header().Created.Add(at).Local())
	case SincePrevious:
		if row == 0 {
			return ""
		}
		return human.Offset(at - t.log.Head(t.Seq(row-1)).Time)
	case SinceMark:
		marks := t.marks
		i := sort.Search(len(marks), func(i int) bool { return marks[i].At > at })
		if i == 0 {
			return ""
		}
		return human.Offset(at - marks[i-1].At)
	}
	return human.Offset(at)
}
