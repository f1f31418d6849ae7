package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"mcploupe/protocol"
	"mcploupe/session"
	"mcploupe/ui/view/human"
)

// Badge is a short word beside an entry.
type Badge struct {
	Text string
	Tone Tone
}

// Entry is one row of a listing: a tool, resource, template or prompt.
type Entry struct {
	Key       string // stays the same when the list is read again
	Index     int    // into the session's listing
	Name      string // what a request names it by, safe
	Label     string // title for people when it differs from Name, safe
	About     string // first line of the description, safe
	Badges    []Badge
	Malformed bool
	Reason    string       // why it cannot be used, or what is odd about it
	Change    *EntryChange // since the list was last seen, nil for none
	search    string       // lower case
	titled    bool         // a row begins with Label: Name is an address, and those of a server begin alike
}

// Row is what a list shows of an entry: first what tells it from others.
func (e Entry) Row() (text, detail string) {
	if e.titled && e.Label != "" {
		return e.Label, e.Name
	}
	return e.Name, e.Label
}

// Catalogue is the model of a listing with its filter and selection. The zero
// value is an empty one.
type Catalogue struct {
	all      []Entry
	shown    []int // into all
	filter   string
	selected string // Key, "" for none
	turn     uint64
}

// Set replaces the entries. Filter and selection stay.
func (c *Catalogue) Set(entries []Entry) {
	c.all = entries
	c.turn++
	c.apply()
}

// SetFilter shows the entries that hold every word of text in their name,
// title or description.
func (c *Catalogue) SetFilter(text string) {
	if text == c.filter {
		return
	}
	c.filter = text
	c.turn++
	c.apply()
}

func (c *Catalogue) apply() {
	words := strings.Fields(strings.ToLower(c.filter))
	c.shown = c.shown[:0]
next:
	for i := range c.all {
		for _, w := range words {
			if !strings.Contains(c.all[i].search, w) {
				continue next
			}
		}
		c.shown = append(c.shown, i)
	}
}

// Len is the number of entries that the filter shows.
func (c *Catalogue) Len() int { return len(c.shown) }

// Total is the number of entries.
func (c *Catalogue) Total() int { return len(c.all) }

// At is the i-th shown entry.
func (c *Catalogue) At(i int) Entry { return c.all[c.shown[i]] }

// Turn changes whenever any row may have.
func (c *Catalogue) Turn() uint64 { return c.turn }

// Best is the shown entry that the filter means: the one of that very name, else
// one whose name begins with it or has it, else the first. There has to be one.
func (c *Catalogue) Best() int {
	best, rank := 0, 0
	want := strings.ToLower(strings.TrimSpace(c.filter))
	for i := range c.shown {
		name, r := strings.ToLower(c.At(i).Name), 0
		switch {
		case name == want:
			r = 3
		case strings.HasPrefix(name, want):
			r = 2
		case strings.Contains(name, want):
			r = 1
		}
		if r > rank {
			best, rank = i, r
		}
	}
	return best
}

// Select selects the i-th shown entry.
func (c *Catalogue) Select(i int) {
	c.selected = ""
	if i >= 0 && i < len(c.shown) {
		c.selected = c.At(i).Key
	}
}

// SelectKey selects an entry by its key, shown or not.
func (c *Catalogue) SelectKey(key string) { c.selected = key }

// Selected is the selected entry and its place among the shown ones, -1 when
// the filter hides it. ok is false when nothing is selected or it is gone.
func (c *Catalogue) Selected() (e Entry, row int, ok bool) {
	if c.selected == "" {
		return Entry{}, -1, false
	}
	at := slices.IndexFunc(c.all, func(e Entry) bool { return e.Key == c.selected })
	if at < 0 {
		return Entry{}, -1, false
	}
	return c.all[at], slices.Index(c.shown, at), true
}

// Count is the number of entries in words: "12", or "3 of 12" with a filter.
func (c *Catalogue) Count() string {
	if c.filter == "" {
		return human.Count(len(c.all))
	}
	return human.Count(len(c.shown)) + " of " + human.Count(len(c.all))
}

const (
	entryRunes = 120
	aboutRunes = 160
)

// EntryKey is the Key of the first entry with a name, as it was sent.
func EntryKey(name string) string { return entryKey(name, 0) }

func entryKey(name string, ordinal int) string { return fmt.Sprintf("%s\x00%d", name, ordinal) }

func entry(e protocol.Entry, name, label, about string) Entry {
	first, _, _ := strings.Cut(strings.TrimSpace(about), "\n")
	out := Entry{
		Key: entryKey(name, e.Ordinal), Index: e.Index, Name: line(name, entryRunes), About: line(first, aboutRunes),
		Malformed: e.Malformed,
	}
	if label != name {
		out.Label = line(label, entryRunes)
	}
	if name == "" {
		out.Key = fmt.Sprintf("\x00#%d", e.Index)
		out.Name = fmt.Sprintf("entry %d has no name", e.Index+1)
	}
	if e.Malformed {
		out.Badges = append(out.Badges, Badge{"malformed", Bad})
	}
	if e.Ordinal > 0 {
		out.Badges = append(out.Badges, Badge{fmt.Sprintf("duplicate %d", e.Ordinal+1), Caution})
	}
	var reasons []string
	for _, p := range e.Problems {
		reasons = append(reasons, strings.TrimSpace(p.Pointer+" "+p.Text))
	}
	out.Reason = line(strings.Join(reasons, " · "), 600)
	out.search = strings.ToLower(name + "\n" + label + "\n" + about)
	return out
}

// ToolEntries are the rows of the tools. http says that the annotations of
// headers count (HDR-22): a tool that breaks their rules is shown as excluded.
func ToolEntries(tools []protocol.Tool, http bool) []Entry {
	entries := make([]Entry, len(tools))
	for i, t := range tools {
		e := entry(t.Entry, t.Name, t.Label(), t.Description)
		e.Index = i
		e.Badges = append(e.Badges, toolBadges(t)...)
		if http {
			if _, problems := protocol.HeaderAnnotations(t.InputSchema); len(problems) > 0 {
				e.Badges = append(e.Badges, Badge{"excluded", Bad})
				e.Reason = line("A client must leave this tool out over HTTP: "+problems[0].Text, 600)
			}
		}
		entries[i] = e
	}
	return entries
}

// toolBadges tell what the annotations say; they are the server's word alone
// (TOOL-02, TOOL-03).
func toolBadges(t protocol.Tool) []Badge {
	var b []Badge
	switch t.TaskSupport {
	case protocol.TaskRequired:
		b = append(b, Badge{"needs a task", Caution})
	case protocol.TaskOptional:
		b = append(b, Badge{"task", Muted})
	}
	if len(t.Annotations) == 0 {
		return b
	}
	switch {
	case t.ReadOnly.Or(false):
		b = append(b, Badge{"read-only", Good})
	case t.Destructive == protocol.HintTrue:
		b = append(b, Badge{"destructive", Caution})
	}
	if t.Idempotent.Or(false) && !t.ReadOnly.Or(false) {
		b = append(b, Badge{"idempotent", Muted})
	}
	return b
}

// ResourceEntries are the rows of the resources.
func ResourceEntries(resources []protocol.Resource) []Entry {
	entries := make([]Entry, len(resources))
	for i, r := range resources {
		e := entry(r.Entry, r.URI, r.Label(), cmp.Or(r.Description, r.MIMEType))
		e.Index, e.titled = i, true
		entries[i] = e
	}
	return entries
}

// TemplateEntries are the rows of the resource templates.
func TemplateEntries(templates []protocol.ResourceTemplate) []Entry {
	entries := make([]Entry, len(templates))
	for i, r := range templates {
		e := entry(r.Entry, r.URITemplate, r.Label(), cmp.Or(r.Description, r.MIMEType))
		e.Index, e.titled = i, true
		entries[i] = e
	}
	return entries
}

// PromptEntries are the rows of the prompts.
func PromptEntries(prompts []protocol.Prompt) []Entry {
	entries := make([]Entry, len(prompts))
	for i, p := range prompts {
		e := entry(p.Entry, p.Name, p.Label(), p.Description)
		e.Index = i
		entries[i] = e
	}
	return entries
}

// ListNote says how complete a listing is, "" when there is nothing to say.
func ListNote(l session.List, many string) (string, Tone) {
	switch l.Status {
	case session.ListUnsupported:
		return "This server does not offer " + many + ".", Muted
	case session.ListLoading:
		if l.Pages > 0 {
			return fmt.Sprintf("Loading … %s so far", human.Plural(l.Count, "entry", "entries")), Muted
		}
		return "Loading …", Muted
	case session.ListFailed:
		text := "The list could not be read: " + line(l.Err, 400)
		if l.Count > 0 {
			text += " What came before is shown."
		}
		return text, Bad
	case session.ListStale:
		return "The server says that this list has changed. Refresh to read it again.", Caution
	case session.ListComplete:
		if l.Count == 0 {
			return "The server lists no " + many + ".", Muted
		}
	}
	return "", Plain
}
