package fields

import (
	"fmt"
	"strings"
	"time"
)

// Moment is a date and time with zone in the parts that a picker shows.
type Moment struct {
	Date string // 2026-11-30
	Time string // 15:04:05, with fractions as written
	Zone string // Z or +02:00
}

// ReadMoment takes RFC 3339 apart. What is missing or broken comes from now.
func ReadMoment(text string, now time.Time) Moment {
	m := Moment{Date: now.Format(time.DateOnly), Time: now.Format("15:04:00"), Zone: ZoneOf(now)}
	text = strings.TrimSpace(text)
	if len(text) < 10 {
		return m
	}
	if _, err := time.Parse(time.DateOnly, text[:10]); err != nil {
		return m
	}
	m.Date = text[:10]
	if len(text) < 12 {
		return m
	}
	clock := text[11:]
	if at := strings.LastIndexAny(clock, "Zz+-"); at >= 0 {
		m.Zone = strings.ToUpper(clock[at:])
		clock = clock[:at]
	}
	if clock != "" {
		m.Time = clock
	}
	return m
}

// String is the moment in RFC 3339, as far as its parts are right.
func (m Moment) String() string {
	clock := strings.TrimSpace(m.Time)
	if strings.Count(clock, ":") == 1 {
		clock += ":00"
	}
	return m.Date + "T" + clock + m.Zone
}

// ZoneOf is the offset of a time as RFC 3339 writes it; UTC is Z.
func ZoneOf(t time.Time) string {
	z := t.Format("Z07:00")
	if t.Location() == time.UTC {
		return "Z"
	}
	return z
}

// Zones are the offsets to choose from: UTC, the local one, then all that are in
// use somewhere.
func Zones(now time.Time) (offsets, titles []string) {
	seen := map[string]bool{}
	add := func(offset, title string) {
		if !seen[offset] {
			seen[offset] = true
			offsets, titles = append(offsets, offset), append(titles, title)
		}
	}
	if local := ZoneOf(now); local != "Z" {
		add(local, local+"  local")
	}
	add("Z", "Z  UTC")
	for minutes := -12 * 60; minutes <= 14*60; minutes += 30 {
		sign, m := '+', minutes
		if m < 0 {
			sign, m = '-', -m
		}
		if minutes != 0 {
			z := fmt.Sprintf("%c%02d:%02d", sign, m/60, m%60)
			add(z, z)
		}
		if minutes == 5*60+30 || minutes == 8*60+30 || minutes == 12*60+30 {
			z := fmt.Sprintf("+%02d:45", minutes/60)
			add(z, z)
		}
	}
	return offsets, titles
}

// MoveDate moves a date, or the day of a date-time, by days and months. An empty
// text becomes today; ok is false for one that is no date.
func MoveDate(text string, clock bool, days, months int, now time.Time) (moved string, ok bool) {
	m := ReadMoment(text, now)
	if strings.TrimSpace(text) != "" {
		t, err := time.Parse(time.DateOnly, text[:min(10, len(text))])
		if err != nil {
			return "", false
		}
		day := min(t.Day(), time.Date(t.Year(), t.Month()+time.Month(months)+1, 0, 0, 0, 0, 0, time.UTC).Day())
		m.Date = time.Date(t.Year(), t.Month()+time.Month(months), day+days, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
	}
	if clock {
		return m.String(), true
	}
	return m.Date, true
}

// Day reads a date, or gives the day of now.
func Day(text string, now time.Time) time.Time {
	if len(text) >= 10 {
		if t, err := time.ParseInLocation(time.DateOnly, text[:10], now.Location()); err == nil {
			return t
		}
	}
	return now
}
