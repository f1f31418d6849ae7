package view

import (
	"slices"
	"strings"
	"time"

	"mcploupe/ui/settings"
	"mcploupe/ui/view/human"
)

// SideEntry is one line of the list of servers: the heading of a group, or a
// server.
type SideEntry struct {
	Heading bool
	Group   string // the name of the heading, or the group that the server is in
	Folded  bool
	Count   int // servers of the heading
	Found   int // those of them that are meant, all unless one is looked for
	Server  ServerRow
}

// GroupTitle is the group's name for the screen.
func (e SideEntry) GroupTitle() string { return line(e.Group, titleRunes) }

// CountText says how many servers are below a heading: "3", or "1 of 3" when one
// is looked for.
func (e SideEntry) CountText() string {
	if e.Found != e.Count {
		return human.Count(e.Found) + " of " + human.Count(e.Count)
	}
	return human.Count(e.Count)
}

// unsavedGroup heads the connections to servers that are not saved, where there
// are groups.
const unsavedGroup = "Not saved"

// ServerEntries lists the saved servers in their order, those in no group first,
// then each group under its heading, then connections to others. find keeps what
// has all of its words; folded groups are open then.
func ServerEntries(st settings.Settings, conns []*Conn, now time.Time, find string) []SideEntry {
	saved := make([]settings.Server, 0, len(st.Servers))
	for _, i := range st.Order() {
		saved = append(saved, st.Servers[i])
	}
	rows := ServerRows(saved, conns, now)
	words := strings.Fields(strings.ToLower(find))
	groups := st.AllGroups()
	var out []SideEntry
	add := func(group settings.Group, rows []ServerRow, match func(i int) bool) {
		var kept []SideEntry
		for i, row := range rows {
			if match(i) {
				kept = append(kept, SideEntry{Group: group.Name, Server: row})
			}
		}
		if group.Name != "" && (len(words) == 0 || len(kept) > 0) {
			out = append(out, SideEntry{Heading: true, Group: group.Name, Folded: group.Folded && len(words) == 0, Count: len(rows), Found: len(kept)})
		}
		if !group.Folded || len(words) > 0 {
			out = append(out, kept...)
		}
	}
	for _, group := range append([]settings.Group{{}}, groups...) {
		var mine []ServerRow
		var of []settings.Server
		for i, x := range saved {
			if x.Group == group.Name {
				mine, of = append(mine, rows[i]), append(of, x)
			}
		}
		add(group, mine, func(i int) bool { return matches(words, of[i], mine[i]) })
	}
	if others := rows[len(saved):]; len(others) > 0 {
		group := settings.Group{}
		if len(groups) > 0 {
			group.Name = unsavedGroup
		}
		add(group, others, func(i int) bool { return matches(words, settings.Server{}, others[i]) })
	}
	return out
}

// matches reports whether all words are in what a server is known by.
func matches(words []string, x settings.Server, row ServerRow) bool {
	text := strings.ToLower(strings.Join([]string{row.Title, x.Target.Name, x.Group, x.Target.Command, strings.Join(x.Target.Args, " "), x.Target.URL}, "\n"))
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
}

// IsUnsaved reports whether an entry is the heading of what is not saved, which
// is no group.
func (e SideEntry) IsUnsaved() bool {
	return e.Heading && e.Group == unsavedGroup && e.Server == (ServerRow{})
}
