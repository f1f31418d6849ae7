package human

import (
	"math"
	"testing"
	"time"
)

func TestCount(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", 7: "7", 999: "999", 1000: "1\u202f000", 1204: "1\u202f204", 123456: "123\u202f456",
		1234567: "1\u202f234\u202f567", -5: "-5", -1234: "-1\u202f234",
		math.MinInt64: "-9\u202f223\u202f372\u202f036\u202f854\u202f775\u202f808",
	} {
		if got := Count(n); got != want {
			t.Errorf("Count(%d) = %q, want %q", n, got, want)
		}
	}
	if got, want := Count(uint64(math.MaxUint64)), "18\u202f446\u202f744\u202f073\u202f709\u202f551\u202f615"; got != want {
		t.Errorf("Count(max) = %q, want %q", got, want)
	}
}

func TestPlural(t *testing.T) {
	for n, want := range map[int]string{0: "0 tools", 1: "1 tool", 2: "2 tools", 5000: "5\u202f000 tools"} {
		if got := Plural(n, "tool", "tools"); got != want {
			t.Errorf("Plural(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestBytes(t *testing.T) {
	for n, want := range map[int64]string{
		-1: "", 0: "0 B", 1: "1 B", 212: "212 B", 999: "999 B", 1000: "1.0 kB", 1249: "1.2 kB", 1250: "1.3 kB",
		9949: "9.9 kB", 9950: "10 kB", 48_200: "48 kB", 999_499: "999 kB", 999_500: "1.0 MB", 999_949_000: "999.9 MB", 999_950_000: "1.0 GB",
		1_000_000: "1.0 MB", 20_000_000: "20.0 MB", 999_949_999: "999.9 MB", 1_500_000_000: "1.5 GB",
		math.MaxInt64: "9.2 EB",
	} {
		if got := Bytes(n); got != want {
			t.Errorf("Bytes(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0 ns", 850: "850 ns", 12 * time.Microsecond: "12 µs", 999_499: "999 µs", 999_500: "1 ms",
		4 * time.Millisecond: "4 ms", 4_260_000: "4.3 ms", 9_949_999: "9.9 ms", 9_950_000: "10 ms",
		212 * time.Millisecond: "212 ms", 999_499_999: "999 ms", 999_500_000: "1.00 s", 1204 * time.Millisecond: "1.20 s",
		9_994 * time.Millisecond: "9.99 s", 9_995 * time.Millisecond: "10 s", 12_440 * time.Millisecond: "12.4 s",
		59_949 * time.Millisecond: "59.9 s", 59_950 * time.Millisecond: "1 min 00 s", 146 * time.Second: "2 min 26 s",
		time.Hour - 500*time.Millisecond: "1 h 00 min", 64 * time.Minute: "1 h 04 min",
		24*time.Hour - 30*time.Second: "1 d 00 h", 74 * time.Hour: "3 d 02 h", -4 * time.Millisecond: "-4 ms",
		math.MaxInt64: "106\u202f751 d 23 h", math.MinInt64: "-106\u202f751 d 23 h",
	} {
		if got := Duration(d); got != want {
			t.Errorf("Duration(%d) = %q, want %q", int64(d), got, want)
		}
	}
}

func TestOffset(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "+0.000", 1204 * time.Millisecond: "+1.204", -30 * time.Millisecond: "-0.030",
		59*time.Minute + 59*time.Second + 999*time.Millisecond:           "+3\u202f599.999",
		time.Hour + 2*time.Minute + 3*time.Second + 500*time.Millisecond: "+1:02:03.500",
		math.MinInt64: "-2562047:47:16.854",
	} {
		if got := Offset(d); got != want {
			t.Errorf("Offset(%v) = %q, want %q", d, got, want)
		}
	}
}

func TestClockAndDate(t *testing.T) {
	at := time.Date(2026, 11, 30, 9, 12, 3, 204_999_999, time.FixedZone("", 3600))
	if got := Clock(at); got != "09:12:03.204" {
		t.Errorf("Clock = %q", got)
	}
	if got := Date(at); got != "2026-11-30 09:12" {
		t.Errorf("Date = %q", got)
	}
	if Clock(time.Time{})+Date(time.Time{}) != "" {
		t.Error("the zero time is shown")
	}
}

func TestAgo(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for before, want := range map[time.Duration]string{
		-time.Minute: "just now", 4 * time.Second: "just now", 40 * time.Second: "40 s ago", 3 * time.Minute: "3 min ago",
		5 * time.Hour: "5 h ago", 30 * time.Hour: "yesterday", 100 * time.Hour: "4 d ago", 40 * 24 * time.Hour: "2026-10-21",
	} {
		if got := Ago(now.Add(-before), now); got != want {
			t.Errorf("Ago(%v) = %q, want %q", before, got, want)
		}
	}
	if got := Ago(time.Time{}, now); got != "never" {
		t.Errorf("Ago(zero) = %q", got)
	}
}

func TestSeconds(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0 s", 1: "1 s", 2 * time.Second: "2 s", 2500 * time.Millisecond: "3 s", 59 * time.Second: "59 s", 146 * time.Second: "2 min 26 s",
	} {
		if got := Seconds(d); got != want {
			t.Errorf("%s is %q, want %q", d, got, want)
		}
	}
}

func TestTicking(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0 s", 900 * time.Millisecond: "0 s", 4999 * time.Millisecond: "4 s", 59999 * time.Millisecond: "59 s",
		146 * time.Second: "2 min 26 s", -3 * time.Second: "-3 s", 64 * time.Minute: "1 h 04 min",
	} {
		if got := Ticking(d); got != want {
			t.Errorf("%s is %q, want %q", d, got, want)
		}
	}
}
