package diff

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// What each pair of real versions gained, lost and changed, as counted by hand
// in the two lists: tools gone and new, and what changed of arguments.
func TestRealPairs(t *testing.T) {
	for _, c := range []struct {
		before, after string
		gone, come    int
		breaking      []string // but tools that are gone and inputs that take no other members
	}{
		{"old-everything-2025.9.25", "everything-2026.8.31", 11, 18, nil},
		{"old-everything-2026.1.26", "everything-2026.8.31", 0, 1, nil},
		{"old-filesystem-2025.7.29", "filesystem-2026.8.31", 0, 0, []string{"read_multiple_files bound.tightened /inputSchema/properties/paths/minItems"}},
		{"old-memory-2025.4.25", "memory-2026.8.31", 0, 0, nil},
		{"old-playwright-mcp-0.0.75", "playwright-mcp-0.0.83", 0, 6, []string{"browser_take_screenshot property.added.required /inputSchema/properties/scale"}},
		{"old-notion-1.9.1", "notion-2.5.2", 3, 8, []string{"API-post-search enum.introduced /inputSchema/properties/filter/anyOf/0/properties/value/enum"}},
	} {
		r := Interfaces(toolsOf(t, c.before), toolsOf(t, c.after))
		gone, come := 0, 0
		var breaking []string
		for _, ch := range r.Changes {
			switch {
			case ch.Rule == "tool.removed":
				gone++
			case ch.Rule == "tool.added":
				come++
			case ch.Verdict == Breaking:
				breaking = append(breaking, fmt.Sprintf("%s %s %s", ch.Name, ch.Rule, ch.Pointer))
			}
		}
		if gone != c.gone || come != c.come || !slices.Equal(breaking, c.breaking) || r.Cut != "" {
			t.Errorf("%s: %d gone, %d new, %s, want %d, %d, %s", c.after, gone, come, strings.Join(breaking, "; "), c.gone, c.come, strings.Join(c.breaking, "; "))
		}
	}
}
