package human

import (
	"sync/atomic"
	"time"
)

// Hours is how a time of day is written.
type Hours uint8

// The ways of writing a time of day.
const (
	Hours24 Hours = iota // 21:04:05.678
	Hours12              // 09:04:05.678 pm
	ISO                  // 21:04:05.678+02:00, and a T between day and time
)

// Times is how the whole program shows times of day.
type Times struct {
	Zone  *time.Location // nil for the zone that a time has by itself
	Hours Hours
}

var times atomic.Pointer[Times]

// SetTimes changes how Clock, Date and Ago write, from the next text on. It may be
// called from any goroutine.
func SetTimes(t Times) { times.Store(&t) }

// shown is t in the zone that is shown, and how its hours are.
func shown(t time.Time) (time.Time, Hours) {
	set := times.Load()
	if set == nil {
		return t, Hours24
	}
	if set.Zone != nil {
		t = t.In(set.Zone)
	}
	return t, set.Hours
}

// Clock writes the time of day to the millisecond, in t's zone unless SetTimes
// said another: 09:12:03.204. The zero time gives "".
func Clock(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	t, hours := shown(t)
	return t.Format([...]string{Hours24: "15:04:05.000", Hours12: "03:04:05.000 pm", ISO: "15:04:05.000Z07:00"}[hours])
}

// Date writes day and minute, in t's zone unless SetTimes said another:
// 2026-11-30 09:12. The zero time gives "".
func Date(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	t, hours := shown(t)
	return t.Format([...]string{Hours24: "2006-01-02 15:04", Hours12: "2006-01-02 03:04 pm", ISO: "2006-01-02T15:04Z07:00"}[hours])
}

// Day writes the day alone: 2026-11-30. The zero time gives "".
func Day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	t, _ = shown(t)
	return t.Format("2006-01-02")
}
