package human

import (
	"testing"
	"time"
)

// setTimes is SetTimes for one test.
func setTimes(t *testing.T, to Times) {
	before := times.Load()
	SetTimes(to)
	t.Cleanup(func() { times.Store(before) })
}

func TestTimesAreShownAsChosen(t *testing.T) {
	at := time.Date(2026, 11, 30, 20, 4, 5, 678_000_000, time.UTC)
	east := time.FixedZone("east", 5*3600+1800)
	for _, tt := range []struct {
		name             string
		times            Times
		clock, date, day string
	}{
		{"as it is", Times{}, "20:04:05.678", "2026-11-30 20:04", "2026-11-30"},
		{"another zone", Times{Zone: east}, "01:34:05.678", "2026-12-01 01:34", "2026-12-01"},
		{"12 hours", Times{Zone: time.UTC, Hours: Hours12}, "08:04:05.678 pm", "2026-11-30 08:04 pm", "2026-11-30"},
		{"ISO", Times{Zone: east, Hours: ISO}, "01:34:05.678+05:30", "2026-12-01T01:34+05:30", "2026-12-01"},
		{"ISO in UTC", Times{Zone: time.UTC, Hours: ISO}, "20:04:05.678Z", "2026-11-30T20:04Z", "2026-11-30"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			setTimes(t, tt.times)
			if got := [3]string{Clock(at), Date(at), Day(at)}; got != [3]string{tt.clock, tt.date, tt.day} {
				t.Errorf("shown as %q", got)
			}
			if got := Ago(at, at.AddDate(1, 0, 0)); got != tt.day {
				t.Errorf("a year ago is %q, want %q", got, tt.day)
			}
		})
	}
	if Clock(time.Time{})+Date(time.Time{})+Day(time.Time{}) != "" {
		t.Error("no time is shown as one")
	}
}
