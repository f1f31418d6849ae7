package view

import (
	"testing"
	"time"

	"mcploupe/recorder"
)

func TestRangeOfTimeInAFilter(t *testing.T) {
	second := time.Second
	for _, c := range []struct {
		filter   string
		from, to time.Duration
		want     string
	}{
		{"", second, 3 * second, "after:1s before:3.01s"},
		{"method:ping", 1234567890, 2234567890, "method:ping after:1.234s before:2.235s"},
		{`"a after:1s b"  after:5s before:9s -is:bad`, 0, second, `"a after:1s b" -is:bad after:0s before:1.001s`},
		{"after:5s x before:9s", 0, 0, "x"},
		{"after:soon", 0, 0, "after:soon"},
		{`"open after:1s`, 0, 0, `"open after:1s`},
	} {
		got := WithRange(c.filter, c.from, c.to)
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.filter, got, c.want)
		}
		if c.to == 0 {
			continue
		}
		if _, err := recorder.ParseFilter(got); err != nil {
			t.Errorf("%q: %v", got, err)
		}
		from, to, ok := RangeOf(got, Density{From: 0, To: time.Hour})
		if !ok || from > c.from || to <= c.to || to-from > (c.to-c.from)*102/100 {
			t.Errorf("%q lets %v to %v through, brushed were %v to %v", got, from, to, c.from, c.to)
		}
	}
	whole := Density{From: second, To: 10 * second}
	for filter, want := range map[string][2]time.Duration{
		"after:4s": {4 * second, 10 * second}, "before:4s x": {second, 4 * second}, "after:2s after:3s": {3 * second, 10 * second},
	} {
		if from, to, ok := RangeOf(filter, whole); !ok || from != want[0] || to != want[1] {
			t.Errorf("%q: %v to %v, %v", filter, from, to, ok)
		}
	}
	for _, filter := range []string{"", "x", "after:20s", "-after:1s"} {
		if _, _, ok := RangeOf(filter, whole); ok {
			t.Errorf("%q has a range", filter)
		}
	}
}

func TestDensitySaysWhatIsThere(t *testing.T) {
	d := Density{To: 10 * time.Second, Buckets: make([]recorder.Bucket, 10)}
	d.Buckets[9] = recorder.Bucket{In: 1200, Out: 1, Errors: 2, Problems: 1}
	if got := d.HintText(10 * time.Second); got != "+10.000 · 1 out · 1\u202f200 in · 2 errors · 1 problem" {
		t.Errorf("%q", got)
	}
	if got := d.HintText(0); got != "+0.000" {
		t.Errorf("%q", got)
	}
}
