package view

import (
	"strconv"
	"strings"

	"mcploupe/session"
	"mcploupe/ui/view/human"
)

// Head is the line at the top of a connection.
type Head struct {
	Name  string // of the server as it says, else of the connection
	Glyph string
	Word  string
	Tone  Tone
	Parts []string // revision, transport, round trip, counts
}

// HeadOf makes the head line of c.
func HeadOf(c *Conn) Head {
	st := c.State()
	phase, _ := c.Phase()
	h := Head{Name: c.Title(), Glyph: phase.Glyph(), Word: phase.Word(), Tone: phase.Tone()}
	if phase == File && c.Followed() {
		h.Word, h.Tone = followedWord, Good
	}
	if st.Server.Name != "" {
		h.Name = line(strings.TrimSpace(st.Server.Name+" "+st.Server.Version), 60)
	}
	if st.Revision != nil {
		h.Parts = append(h.Parts, st.Revision.Name)
	}
	if t := transportOf(c, st); t != "" {
		h.Parts = append(h.Parts, t)
	}
	if st.RoundTrip > 0 {
		h.Parts = append(h.Parts, "rtt "+human.Duration(st.RoundTrip))
	}
	for _, l := range []struct {
		kind      session.ListKind
		one, many string
	}{
		{session.Tools, "tool", "tools"}, {session.Resources, "resource", "resources"},
		{session.ResourceTemplates, "template", "templates"}, {session.Prompts, "prompt", "prompts"},
	} {
		if n := st.Lists[l.kind].Count; n > 0 {
			h.Parts = append(h.Parts, human.Plural(n, l.one, l.many))
		}
	}
	if n := st.FindingCount; n > 0 {
		h.Parts = append(h.Parts, human.Plural(n, "finding", "findings"))
	}
	return h
}

// Bar is the strip that says what happened to a connection whose panes are
// still there.
type Bar struct {
	Glyph  string
	Text   string // one line
	Detail string // last line of stderr or of the HTTP answer
	Tone   Tone
	Action string // "Reconnect", "Cancel" or ""
	Does   BarDoes
	Report bool // there is more to read: the report of the connection, or of an import
}

// BarOf makes the bar of c; nil when there is nothing to say.
func BarOf(c *Conn) *Bar {
	phase, why := c.Phase()
	st := c.State()
	b := &Bar{Glyph: phase.Glyph(), Tone: phase.Tone()}
	switch phase {
	case Connecting:
		b.Text, b.Action = "Connecting …", "Cancel"
		if n := len(st.Steps); n > 0 {
			b.Text = "Connecting: " + line(st.Steps[n-1].Title, 80) + " …"
		}
	case Closing:
		b.Text = "Ending the server …"
	case Disconnected:
		b.Text, b.Action = "Disconnected. The recording is kept.", "Reconnect"
		if st.Exit != nil {
			b.Text = "Disconnected (" + ExitText(st.Exit) + "). The recording is kept."
		}
	case Failed, Lost:
		b.Text, b.Action, b.Report = "Connection lost", "Reconnect", true
		if phase == Failed {
			b.Text = "Could not connect again"
		}
		if exit := ExitText(st.Exit); exit != "" {
			b.Text += ": the server's process ended, " + exit
		} else if why != "" {
			b.Text += ": " + line(why, 200)
		}
		b.Detail = lastWords(st)
	case File:
		return fileBar(c)
	default:
		if disk := diskBar(c); disk != nil {
			return disk
		}
		return unreachedBar(st)
	}
	if disk := diskBar(c); disk != nil && b.Detail == "" {
		b.Detail = disk.Text
	}
	return b
}

// lastWords is the last thing the server said outside the protocol.
func lastWords(st session.State) string {
	if text := strings.TrimSpace(PlainTerminal(st.StderrTail)); text != "" {
		return line("stderr: "+text[strings.LastIndexByte(text, '\n')+1:], 200)
	}
	if a := st.LastAnswer; a != nil {
		return line("HTTP "+strconv.Itoa(a.Status)+" "+a.Reason+" "+a.Body, 200)
	}
	return ""
}
