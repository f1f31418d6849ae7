package view

import (
	"slices"
	"strings"
	"time"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/session"
	"mcploupe/ui/view/human"
)

// LogRow is a log message in the list of them.
type LogRow struct {
	Seq    uint64
	Time   string
	Glyph  string
	Level  string
	Tone   Tone
	Logger string
	Text   string
	JSON   bool // the data is more than a text: the viewer shows it
}

var levelSigns = [...]struct {
	glyph string
	tone  Tone
}{
	{"·", Muted}, {"i", Plain}, {"i", Good}, {"▲", Caution}, {"✕", Bad}, {"✕", Bad}, {"✖", Bad}, {"✖", Bad},
}

// LogRowOf makes the row of a log message. It reads no more of it than fits.
func LogRowOf(log *recorder.Log, seq uint64) LogRow {
	h := log.Head(seq)
	r := LogRow{Seq: seq, Time: human.Clock(log.Header().Created.Add(h.Time).Local()), Glyph: "?", Tone: Caution}
	m, ok := smallMessage(log, h)
	if !ok {
		r.Text, r.JSON = human.Bytes(int64(h.Size))+", open it to read it", true
		return r
	}
	e := protocol.DecodeLog(m.Params)
	r.Level, r.Logger = line(e.Level, 20), line(e.Logger, 60)
	if i := slices.Index(protocol.LogLevels, e.Level); i >= 0 {
		r.Glyph, r.Tone = levelSigns[i].glyph, levelSigns[i].tone
	}
	text, isText := protocol.StringValue(e.Data)
	if !isText {
		text, r.JSON = string(e.Data), true
	}
	r.Text = line(text, nameRunes)
	return r
}

// LogData is the data of a log message as it was sent, and whether it is JSON
// beyond a text. It reads the whole message: call it away from the drawing
// goroutine for big ones.
func LogData(log *recorder.Log, seq uint64) (data []byte, isJSON bool, err error) {
	ev, err := log.Read(seq, 0)
	if err != nil {
		return nil, false, err
	}
	e := protocol.DecodeLog(protocol.Parse(ev.Data).Params)
	if text, ok := protocol.StringValue(e.Data); ok {
		return []byte(text), looksLikeJSON([]byte(text)), nil
	}
	return e.Data, true, nil
}

// LevelChoice is a level that can be asked for.
type LevelChoice struct{ Value, Label string }

// LevelChoices are the levels that can be asked for, with "" first where asking
// for none is possible.
func LevelChoices(st session.State) []LevelChoice {
	none := "not set"
	if st.Revision != nil && st.Revision.Modern {
		none = "none"
	}
	out := []LevelChoice{{"", none}}
	for _, l := range protocol.LogLevels {
		out = append(out, LevelChoice{l, "from " + l + " on"})
	}
	return out
}

// LoggingText says which log messages are asked for and how.
func LoggingText(st session.State) (string, Tone) {
	l := st.Logging
	level := line(l.Level, 20)
	switch {
	case st.Revision == nil:
		return "Not connected.", Muted
	case l.By == session.LogBySetLevel:
		return "Asked with logging/setLevel, from " + level + " on.", Plain
	case l.By == session.LogByMeta:
		return "Each request asks in its _meta, from " + level + " on.", Plain
	case st.Revision.Modern:
		return "No request asks for any yet: choose a level.", Muted
	case !st.ServerCapabilities.Logging:
		return "This server does not declare logging.", Caution
	}
	return "No level was asked for: the server decides what it sends.", Muted
}

// LogOnly is a filter of the timeline for a log message's logger and level.
func LogOnly(r LogRow) string {
	text := "method:" + protocol.NotificationMessage
	if r.Logger != "" {
		text += " " + recorder.FilterValue(strings.ToLower(r.Logger))
	}
	return text
}

// PingSeries is the round trips of a session for a graph.
type PingSeries struct {
	Bars    []PingBar // oldest first
	Words   string    // "last 3 ms, least 2 ms, median 3 ms, most 12 ms of 40"
	Missed  int
	Trouble string // since when pings are not answered
	Offered bool   // the revision has pings
}

// PingBar is one ping.
type PingBar struct {
	Share  float32 // of the longest
	Missed bool
}

// PingsOf makes the series of the pings of a session (PING-02 to PING-04).
func PingsOf(st session.State) PingSeries {
	s := PingSeries{Offered: st.Revision != nil && st.Revision.Ping}
	var took []int64
	var last int64
	for _, p := range st.Pings {
		if p.Err != "" {
			s.Missed++
			continue
		}
		last = int64(p.Took)
		took = append(took, last)
	}
	slices.Sort(took)
	for _, p := range st.Pings {
		bar := PingBar{Missed: p.Err != ""}
		if !bar.Missed && took[len(took)-1] > 0 {
			bar.Share = float32(int64(p.Took)) / float32(took[len(took)-1])
		}
		s.Bars = append(s.Bars, bar)
	}
	if n := len(took); n > 0 {
		s.Words = "last " + duration(last) + " · least " + duration(took[0]) + " · median " + duration(took[n/2]) + " · most " + duration(took[n-1]) + " · of " + human.Count(n)
	}
	if s.Missed > 0 {
		if s.Words != "" {
			s.Words += " · "
		}
		s.Words += human.Count(s.Missed) + " not answered"
	}
	if !st.Unresponsive.IsZero() {
		s.Trouble = "Pings have not been answered since " + human.Clock(st.Unresponsive.Local()) + "."
	}
	return s
}

func duration(ns int64) string { return human.Duration(time.Duration(ns)) }
