package settings

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // zones have names where the system has no list of them, too
)

// Densities.
const (
	DensityCompact     = "compact"
	DensityComfortable = "comfortable"
)

// The bounds of Settings.Zoom, in per cent, and what a step changes.
const (
	MinZoom  = 70
	MaxZoom  = 200
	ZoomStep = 10
)

// Formats of a time of day.
const (
	Hours24 = "24h"
	Hours12 = "12h"
	ISO     = "iso"
)

// ZoneUTC is the Clock.Zone of coordinated universal time.
const ZoneUTC = "UTC"

// Clock is how times are shown.
type Clock struct {
	Zone   string `json:"zone,omitempty"`   // "" for the machine's, ZoneUTC, or a name such as Europe/Paris
	Format string `json:"format,omitempty"` // "" for Hours24
}

// Location is the time zone that was chosen.
func (c Clock) Location() (*time.Location, error) {
	if c.Zone == "" {
		return time.Local, nil
	}
	zone, err := time.LoadLocation(c.Zone)
	if err != nil {
		return nil, fmt.Errorf("the time zone %q is not known", c.Zone)
	}
	return zone, nil
}

// Retention is which recordings the program deletes by itself. A new
// installation deletes none.
type Retention struct {
	On    bool  `json:"on,omitempty"`
	Days  int   `json:"days,omitempty"`  // since a recording was last written to; 0 for any
	Bytes int64 `json:"bytes,omitempty"` // of all recordings in the folder; 0 for any
}

// MaxDays is the longest time that Retention.Days takes.
const MaxDays = 10_000

// MaxAge is Days as a time.
func (r Retention) MaxAge() time.Duration { return time.Duration(r.Days) * 24 * time.Hour }

// NewServer is what a server has that is met for the first time.
type NewServer struct {
	Off      []string `json:"off,omitempty"`      // what this client does not declare, though it could
	AskRoots bool     `json:"askRoots,omitempty"` // the person answers when it asks for the roots
	Live     Live     `json:"live,omitzero"`
}

// Of gives a server what new ones have.
func (n NewServer) Of(s Server) Server {
	s.Off, s.AskRoots, s.Live = slices.Clone(n.Off), n.AskRoots, n.Live
	return s
}

// Programs are command lines of other programs, taken apart into words as the
// one of a server is; no shell sees them. "" means what the system has for it.
type Programs struct {
	Editor  string `json:"editor,omitempty"`  // {file} stands for the file; without it the file comes last
	Browser string `json:"browser,omitempty"` // {url} stands for the address; without it that comes last
}

// ZoomFactor is Zoom as a factor, 1 when nothing was chosen.
func (s Settings) ZoomFactor() float32 {
	if s.Zoom == 0 {
		return 1
	}
	return float32(min(max(s.Zoom, MinZoom), MaxZoom)) / 100
}

// mend puts defaults in place of what no choice of this program is.
func (s *Settings) mend() {
	if !slices.Contains([]string{ThemeSystem, ThemeLight, ThemeDark}, s.Theme) {
		s.Theme = ThemeSystem
	}
	if !slices.Contains([]string{DensityCompact, DensityComfortable}, s.Density) {
		s.Density = DensityCompact
	}
	if s.Zoom != 0 {
		s.Zoom = min(max(s.Zoom, MinZoom), MaxZoom)
	}
	if !slices.Contains([]string{"", Hours24, Hours12, ISO}, s.Clock.Format) {
		s.Clock.Format = ""
	}
	if _, err := s.Clock.Location(); err != nil || strings.EqualFold(s.Clock.Zone, "local") {
		s.Clock.Zone = ""
	}
	s.Retention.Days = min(max(s.Retention.Days, 0), MaxDays)
	s.Retention.Bytes = max(s.Retention.Bytes, 0)
	if s.Retention.Days == 0 && s.Retention.Bytes == 0 {
		s.Retention.On = false
	}
	for _, ms := range []*int64{&s.Limits.ProbeMS, &s.Limits.InitMS, &s.Limits.CallMS, &s.Limits.CallMaxMS, &s.Limits.PingMS, &s.Limits.AckMS} {
		*ms = min(max(*ms, -1), math.MaxInt64/int64(time.Millisecond))
	}
	s.Limits.MessageBytes = max(s.Limits.MessageBytes, 0)
	s.Limits.CacheBytes = max(s.Limits.CacheBytes, 0)
}
