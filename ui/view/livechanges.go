package view

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/session"
	"mcploupe/ui/view/human"
	"mcploupe/ui/view/textdiff"
)

// EntryChange is what became of an entry since the list was last seen.
type EntryChange struct {
	Kind          session.ListChangeKind
	Before, After jsontext.Value
}

// Diff compares the definitions; it takes time for big ones.
func (c EntryChange) Diff() *textdiff.Diff { return textdiff.JSON(c.Before, c.After) }

// Title says what the diff shows.
func (c EntryChange) Title() string {
	return [...]string{"This entry is new", "This entry was removed", "The definition before and after"}[c.Kind]
}

var changeBadges = [...]Badge{
	session.EntryAdded:   {"+ added", Good},
	session.EntryRemoved: {"− removed", Bad},
	session.EntryChanged: {"~ changed", Caution},
}

// MarkChanges marks entries that changed since the list was last seen and adds
// those that were removed at the end; these have the Index -1.
func MarkChanges(entries []Entry, changes []session.ListChange) []Entry {
	if len(changes) == 0 {
		return entries
	}
	place := make(map[string]int, len(entries))
	for i, e := range entries {
		place[e.Key] = i
	}
	for _, c := range changes {
		change := &EntryChange{Kind: c.Kind, Before: c.Before, After: c.After}
		badge := changeBadges[c.Kind]
		if c.Kind == session.EntryRemoved {
			name := line(c.Name, entryRunes)
			entries = append(entries, Entry{
				Key: "removed\x00" + entryKey(c.Name, c.Ordinal), Index: -1, Name: name, Change: change, Badges: []Badge{badge},
				search: strings.ToLower(name) + "\nremoved",
			})
			continue
		}
		if i, ok := place[entryKey(c.Name, c.Ordinal)]; ok {
			entries[i].Change = change
			entries[i].Badges = append([]Badge{badge}, entries[i].Badges...)
			entries[i].search += "\n" + c.Kind.String()
		}
	}
	return entries
}

// ChangesNote counts the changes of a list, "" when there are none.
func ChangesNote(changes []session.ListChange) string {
	var n [3]int
	for _, c := range changes {
		n[c.Kind]++
	}
	var parts []string
	for _, k := range []session.ListChangeKind{session.EntryAdded, session.EntryChanged, session.EntryRemoved} {
		if n[k] > 0 {
			parts = append(parts, fmt.Sprintf("%s %s", human.Count(n[k]), k))
		}
	}
	return strings.Join(parts, ", ")
}
