package demo

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// A target is something in the sky that the observatory can look at.
type target struct {
	Name      string  `json:"name"`
	Title     string  `json:"title"`
	Kind      string  `json:"kind"`
	RA        float64 `json:"raHours"`    // right ascension, hours
	Dec       float64 `json:"decDegrees"` // declination, degrees
	Magnitude float64 `json:"magnitude"`
	Note      string  `json:"note"`
}

var catalogue = []target{
	{"albireo", "Albireo", "star", 19.512, 27.960, 3.1, "A gold and a blue star side by side; the favourite of every open evening."},
	{"andromeda", "Andromeda Galaxy", "galaxy", 0.712, 41.269, 3.4, "The farthest thing most people ever see with the naked eye."},
	{"crab-pulsar", "Crab Pulsar", "pulsar", 5.575, 22.014, 16.5, "Turns 30 times a second. The dish plays it as sound."},
	{"dumbbell", "Dumbbell Nebula", "nebula", 19.993, 22.721, 7.5, "The last breath of a star like ours."},
	{"hercules", "Hercules Cluster", "cluster", 16.695, 36.460, 5.8, "Three hundred thousand stars in one ball."},
	{"jupiter", "Jupiter", "planet", 7.350, 22.100, -2.1, "Four moons in a row, different every night."},
	{"m51", "Whirlpool Galaxy", "galaxy", 13.498, 47.195, 8.4, "Two galaxies in a slow collision."},
	{"orion", "Orion Nebula", "nebula", 5.588, -5.391, 4.0, "A nursery of stars, best in winter."},
	{"pleiades", "Pleiades", "cluster", 3.790, 24.117, 1.6, "Seven sisters; most people count six."},
	{"polaris", "Polaris", "star", 2.530, 89.264, 2.0, "Hardly moves. Good for aligning a mount."},
	{"ring", "Ring Nebula", "nebula", 18.893, 33.029, 8.8, "A smoke ring in Lyra."},
	{"saturn", "Saturn", "planet", 0.250, -1.200, 0.9, "Nobody forgets the first look."},
	{"vega", "Vega", "star", 18.616, 38.784, 0.0, "The star the magnitude scale once started from."},
	{"vela-pulsar", "Vela Pulsar", "pulsar", 8.589, -45.176, 23.6, "Never rises here; the archive keeps a recording from the south."},
}

func findTarget(name string) (target, bool) {
	i := slices.IndexFunc(catalogue, func(t target) bool { return t.Name == name })
	if i < 0 {
		return target{}, false
	}
	return catalogue[i], true
}

func targetNames() []string {
	names := make([]string, len(catalogue))
	for i, t := range catalogue {
		names[i] = t.Name
	}
	return names
}

// A telescope is one of the instruments on the hill.
type telescope struct {
	Name     string   `json:"name"`
	Title    string   `json:"title"`
	Aperture string   `json:"aperture"`
	Cameras  []string `json:"cameras"`
	Parked   bool     `json:"parked"`
}

var telescopes = []telescope{
	{"merlin", "Merlin", "40 cm reflector", []string{"deep-sky", "planetary"}, false},
	{"wren", "Wren", "8 cm refractor", []string{"wide-field"}, true},
	{"heron", "Heron", "3 m radio dish", []string{"receiver"}, false},
}

func telescopeNames() []string {
	names := make([]string, len(telescopes))
	for i, t := range telescopes {
		names[i] = t.Name
	}
	return names
}

// The hill: 47.27° north, 11.38° east, 1,460 m above the sea.
const (
	latitude  = 47.27
	longitude = 11.38
)

// siderealHours is the local mean sidereal time at the observatory, in hours.
func siderealHours(at time.Time) float64 {
	days := at.Sub(time.Date(2000, 1, 1, 12, 0, 0, 0, time.UTC)).Hours() / 24
	h := math.Mod(18.697374558+24.06570982441908*days+longitude/15, 24)
	if h < 0 {
		h += 24
	}
	return h
}

// altitude is how high t stands above the horizon, in degrees; negative when it has set.
func (t target) altitude(at time.Time) float64 {
	rad := math.Pi / 180
	hour := (siderealHours(at) - t.RA) * 15 * rad
	s := math.Sin(latitude*rad)*math.Sin(t.Dec*rad) + math.Cos(latitude*rad)*math.Cos(t.Dec*rad)*math.Cos(hour)
	return round(math.Asin(s)/rad, 1)
}

// masts are the weather masts on and around the hill.
var masts = []string{"summit", "valley", "lake"}

// A reading is what a mast measures at one moment. It is worked out from the time alone, so that the same second reads the
// same on every connection.
type reading struct {
	Mast        string  `json:"mast"`
	At          string  `json:"at"`
	Temperature float64 `json:"temperatureCelsius"`
	Humidity    int     `json:"humidityPercent"`
	Wind        float64 `json:"windMetresPerSecond"`
	Gust        float64 `json:"gustMetresPerSecond"`
	Cloud       int     `json:"cloudPercent"`
	Observable  bool    `json:"observable"`
}

func measure(mast string, at time.Time) reading {
	offset := float64(slices.Index(masts, mast)) * 1.7
	day := float64(at.Unix()%86400) / 86400 * 2 * math.Pi
	flutter := float64(at.Unix()%997) / 997 * 2 * math.Pi
	wind := 4 + 2.5*math.Sin(day*3+offset) + 1.2*math.Sin(flutter*31)
	cloud := int(50 + 48*math.Sin(day*2+offset))
	r := reading{
		Mast:        mast,
		At:          at.UTC().Format(time.RFC3339),
		Temperature: round(6-7*math.Cos(day-0.6)+offset+0.4*math.Sin(flutter*17), 1),
		Humidity:    int(62 + 25*math.Cos(day+offset)),
		Wind:        round(wind, 1),
		Gust:        round(wind*1.45+0.8, 1),
		Cloud:       cloud,
	}
	r.Observable = r.Cloud < 60 && r.Gust < 12
	return r
}

func round(v float64, digits int) float64 {
	p := math.Pow10(digits)
	return math.Round(v*p) / p
}

// clockText is the station clock as the resource kestrel://clock shows it.
func clockText(at time.Time) string {
	s := siderealHours(at)
	h := int(s)
	m := int((s - float64(h)) * 60)
	return fmt.Sprintf("UTC       %s\nSidereal  %02d:%02d\n", at.UTC().Format("2006-01-02 15:04:05"), h, m)
}

// startingWith returns those of words that start with prefix, ignoring case.
func startingWith(words []string, prefix string) []string {
	out := []string{}
	for _, w := range words {
		if strings.HasPrefix(strings.ToLower(w), strings.ToLower(prefix)) {
			out = append(out, w)
		}
	}
	return out
}
