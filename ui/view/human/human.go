// Package human writes numbers the one way the whole program shows them: sizes, durations, counts and clock times.
//
// Everything is ASCII but the thin blank between groups of digits and the micro sign, so that any font draws it.
// Sizes use decimal units (1 kB = 1000 B), as the filter language does.
package human

import (
	"strconv"
	"strings"
	"time"
)

// thin separates groups of three digits; it does not break at a line's end.
const thin = "\u202f"

// Count writes n with its digits in groups of three: 1 204. Four digits are grouped too, so that columns line up.
func Count[N int | int32 | int64 | uint | uint32 | uint64](n N) string {
	s := strconv.FormatInt(int64(n), 10)
	if n > 0 {
		s = strconv.FormatUint(uint64(n), 10)
	}
	return group(s)
}

// group puts thin blanks into the digits of s, which may start with a minus.
func group(s string) string {
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "-", s[1:]
	}
	if len(s) <= 3 {
		return sign + s
	}
	var b strings.Builder
	b.WriteString(sign)
	first := len(s) % 3
	b.WriteString(s[:first])
	for i := first; i < len(s); i += 3 {
		if i > 0 {
			b.WriteString(thin)
		}
		b.WriteString(s[i : i+3])
	}
	return b.String()
}

// Plural writes a count with its noun: 1 tool, 12 tools, 0 tools.
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Count(n) + " " + many
}

// Bytes writes a size: 212 B, 1.2 kB, 48 kB, 20.0 MB. Negative sizes, meaning unknown, give "".
func Bytes(n int64) string {
	if n < 0 {
		return ""
	}
	if n < 1000 {
		return strconv.FormatInt(n, 10) + " B"
	}
	v, unit := n, 0
	// What would print as 1000 of a unit is one of the next.
	for limit := int64(999_500); v >= limit && unit < 5; limit = 999_950 {
		v /= 1000
		unit++
	}
	name := " " + string("kMGTPE"[unit]) + "B"
	tenths := (v + 50) / 100
	if unit == 0 && tenths >= 100 { // whole kilobytes are precise enough
		return strconv.FormatInt((v+500)/1000, 10) + name
	}
	return strconv.FormatInt(tenths/10, 10) + "." + strconv.FormatInt(tenths%10, 10) + name
}

// Seconds writes a time that goes by on the screen, in whole seconds, begun ones
// as a whole: 2 s, 42 s, beyond a minute as Duration does.
func Seconds(d time.Duration) string {
	d = (d + time.Second - 1).Truncate(time.Second)
	if d < time.Minute {
		return strconv.FormatInt(int64(d/time.Second), 10) + " s"
	}
	return Duration(d)
}

// Duration writes how long something took, with two or three significant digits: 850 ns, 12 µs, 4 ms, 1.20 s, 12.4 s,
// 2 min 26 s, 1 h 04 min, 3 d 02 h.
func Duration(d time.Duration) string {
	sign := ""
	if d < 0 {
		if sign, d = "-", -d; d < 0 { // the smallest value has no opposite
			d = 1<<63 - 1
		}
	}
	return sign + duration(d)
}

// Ticking writes a time that goes on or runs down, in whole seconds: 0 s, 4 s, 2 min 26 s.
func Ticking(d time.Duration) string {
	if d = d.Truncate(time.Second); d > -time.Minute && d < time.Minute {
		return strconv.FormatInt(int64(d/time.Second), 10) + " s"
	}
	return Duration(d)
}

func duration(d time.Duration) string {
	switch {
	case d < time.Microsecond:
		return strconv.FormatInt(int64(d), 10) + " ns"
	case d < time.Millisecond-500:
		return strconv.FormatInt(int64(d.Round(time.Microsecond)/time.Microsecond), 10) + " µs"
	case d < 10*time.Millisecond-50*time.Microsecond:
		return fixed(d, time.Millisecond, 1) + " ms"
	case d < time.Second-500*time.Microsecond:
		return fixed(d, time.Millisecond, 0) + " ms"
	case d < 10*time.Second-5*time.Millisecond:
		return fixed(d, time.Second, 2) + " s"
	case d < time.Minute-50*time.Millisecond:
		return fixed(d, time.Second, 1) + " s"
	case d < time.Hour-500*time.Millisecond:
		d = d.Round(time.Second)
		return parts(d/time.Minute, "min", d%time.Minute/time.Second, "s")
	case d < 24*time.Hour-30*time.Second:
		d = d.Round(time.Minute)
		return parts(d/time.Hour, "h", d%time.Hour/time.Minute, "min")
	}
	d = min(d, 1<<63-1-time.Hour).Round(time.Hour)
	return parts(d/(24*time.Hour), "d", d%(24*time.Hour)/time.Hour, "h")
}

// fixed writes d in units with so many decimals, rounded, without a trailing ".0".
func fixed(d, unit time.Duration, decimals int) string {
	step := unit
	for range decimals {
		step /= 10
	}
	n := int64((d + step/2) / step)
	s := strconv.FormatInt(n, 10)
	if decimals == 0 {
		return s
	}
	s = s[:len(s)-decimals] + "." + s[len(s)-decimals:]
	if decimals == 1 {
		s = strings.TrimSuffix(s, ".0")
	}
	return s
}

func parts(big time.Duration, bigUnit string, small time.Duration, smallUnit string) string {
	s := strconv.FormatInt(int64(small), 10)
	if small < 10 {
		s = "0" + s
	}
	return group(strconv.FormatInt(int64(big), 10)) + " " + bigUnit + " " + s + " " + smallUnit
}

// Offset writes a time since a start to the millisecond, in seconds up to an hour: +1.204, -0.030, +1:02:03.500.
func Offset(d time.Duration) string {
	sign := "+"
	if d < 0 {
		if sign, d = "-", -d; d < 0 {
			d = 1<<63 - 1
		}
	}
	ms := int64(d / time.Millisecond)
	sec, frac := ms/1000, pad(ms%1000, 3)
	if sec < 3600 {
		return sign + group(strconv.FormatInt(sec, 10)) + "." + frac
	}
	return sign + strconv.FormatInt(sec/3600, 10) + ":" + pad(sec/60%60, 2) + ":" + pad(sec%60, 2) + "." + frac
}

func pad(n int64, width int) string {
	s := strconv.FormatInt(n, 10)
	if len(s) < width {
		s = strings.Repeat("0", width-len(s)) + s
	}
	return s
}

// Ago writes how long before now t was, in one unit: just now, 40 s ago, 3 min ago, 5 h ago, yesterday, 4 d ago; beyond
// a month the date. A time after now, as from a clock that runs ahead, counts as just now. The zero time gives "never".
func Ago(t, now time.Time) string {
	if t.IsZero() {
		return "never"
	}
	switch d := now.Sub(t); {
	case d < 5*time.Second:
		return "just now"
	case d < time.Minute:
		return strconv.Itoa(int(d/time.Second)) + " s ago"
	case d < time.Hour:
		return strconv.Itoa(int(d/time.Minute)) + " min ago"
	case d < 24*time.Hour:
		return strconv.Itoa(int(d/time.Hour)) + " h ago"
	case d < 48*time.Hour:
		return "yesterday"
	case d < 31*24*time.Hour:
		return strconv.Itoa(int(d/(24*time.Hour))) + " d ago"
	}
	return Day(t)
}
