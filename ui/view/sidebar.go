package view

import (
	"time"

	"mcploupe/ui/settings"
	"mcploupe/ui/view/human"
)

// ServerRow is one entry of the list of servers: a saved server, with its
// connection if it has one, or a connection to a server that is not saved.
type ServerRow struct {
	ServerID string // "" when not saved
	Conn     *Conn  // nil when there is no tab for it
	Glyph    string
	Title    string
	Word     string // state and transport, or when it was last used
	Tone     Tone
}

// ServerRows lists the saved servers in their order, then the connections to
// others in theirs. Recordings are not servers and are left out.
func ServerRows(saved []settings.Server, conns []*Conn, now time.Time) []ServerRow {
	byServer := map[string]*Conn{}
	for _, c := range conns {
		if id := c.Server().ID; id != "" {
			byServer[id] = c
		}
	}
	var rows []ServerRow
	isSaved := map[string]bool{}
	for _, s := range saved {
		isSaved[s.ID] = true
		row := ServerRow{ServerID: s.ID, Title: TitleOf(s.Target), Glyph: Idle.Glyph(), Tone: Muted, Word: savedWord(s, now)}
		if c := byServer[s.ID]; c != nil {
			row.setConn(c)
		}
		rows = append(rows, row)
	}
	for _, c := range conns {
		if phase, _ := c.Phase(); phase == File || isSaved[c.Server().ID] {
			continue
		}
		row := ServerRow{Title: c.Title()}
		row.setConn(c)
		rows = append(rows, row)
	}
	return rows
}

func (r *ServerRow) setConn(c *Conn) {
	phase, _ := c.Phase()
	r.Conn, r.Glyph, r.Word, r.Tone = c, phase.Glyph(), phase.Word(), phase.Tone()
}

func savedWord(s settings.Server, now time.Time) string {
	if s.LastUsed.IsZero() {
		return "never connected"
	}
	return "used " + human.Ago(s.LastUsed, now)
}

// Tone is the weight of a phase.
func (p Phase) Tone() Tone {
	switch p {
	case Connected:
		return Good
	case Failed, Lost:
		return Bad
	case Connecting, Closing:
		return Caution
	}
	return Muted
}
