package view

import (
	"cmp"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"mcploupe/ui/view/human"
)

// HelpOrder are the pages of the user guide, in their order: the names of their
// files without .md.
var HelpOrder = []string{
	"start", "explore", "forms", "recordings", "live", "compare", "replay", "settings", "verbs", "troubleshooting", "format",
}

// Help is the user guide.
type Help struct{ pages []HelpPage }

// HelpPage is one page of it.
type HelpPage struct {
	Key    string // as in HelpOrder
	Title  string
	Lead   string // the first paragraph, as plain text
	Blocks []HelpBlock
}

// NewHelp reads the pages from a folder of Markdown files.
func NewHelp(files fs.FS) (*Help, error) {
	h := &Help{}
	for _, key := range HelpOrder {
		raw, err := fs.ReadFile(files, key+".md")
		if err != nil {
			return nil, fmt.Errorf("read the page %s of the guide: %w", key, err)
		}
		p := HelpPage{Key: key, Title: key, Blocks: parseHelp(string(raw))}
		for _, b := range p.Blocks {
			switch {
			case b.Kind == HelpTitle:
				p.Title = b.Plain()
			case b.Kind == HelpText && p.Lead == "":
				p.Lead = b.Plain()
			}
		}
		h.pages = append(h.pages, p)
	}
	return h, nil
}

// Pages are all pages, in order.
func (h *Help) Pages() []HelpPage { return h.pages }

// Index finds a page by its key, -1 if there is none.
func (h *Help) Index(key string) int {
	return slices.IndexFunc(h.pages, func(p HelpPage) bool { return p.Key == key })
}

// Section is the block that a heading with that anchor is, 0 for none: the top.
func (p HelpPage) Section(anchor string) int {
	return max(0, slices.IndexFunc(p.Blocks, func(b HelpBlock) bool { return anchor != "" && b.Anchor == anchor }))
}

// HelpHit is a place that holds what is searched.
type HelpHit struct {
	Page    int    // index in Pages
	Block   int    // in the page
	Title   string // of the page
	Section string // the heading above it, "" at the top
	Text    string // around the words, short
	score   int
}

const (
	// maxHelpHits is how many places a search finds at most.
	maxHelpHits = 60
	// helpSnippet is how much of a block a hit shows, in characters.
	helpSnippet = 90
	// maxHelpQuery is how much of a query counts, in bytes.
	maxHelpQuery = 200
)

// Head is what a place is called: its section, or its page at the top.
func (h HelpHit) Head() string { return cmp.Or(h.Section, h.Title) }

// Detail says more of a place: the text, or the page where that is its head.
func (h HelpHit) Detail() string {
	if h.Text == h.Head() {
		return h.Title
	}
	return h.Text
}

// HelpHitsText says how many places were found.
func HelpHitsText(n int) string {
	switch n {
	case 0:
		return "Nothing found"
	case maxHelpHits:
		return fmt.Sprintf("The first %d places", n)
	}
	return human.Plural(n, "place", "places")
}

// HelpSearches reports whether a query holds a word to search.
func HelpSearches(query string) bool { return strings.TrimSpace(query) != "" }

// Search finds the blocks that hold every word of a query, in any case: the
// headings first, then in the order of the guide.
func (h *Help) Search(query string) []HelpHit {
	words := strings.Fields(strings.ToLower(query[:min(len(query), maxHelpQuery)]))
	if len(words) == 0 {
		return nil
	}
	var hits []HelpHit
	for n, p := range h.pages {
		section := ""
		for i, b := range p.Blocks {
			text := b.Plain()
			if b.Kind == HelpSection {
				section = text
			}
			if !containsAll(strings.ToLower(text), words) {
				continue
			}
			hit := HelpHit{Page: n, Block: i, Title: p.Title, Section: section, Text: snippet(text, words[0])}
			switch b.Kind {
			case HelpTitle:
				hit.score, hit.Section = 2, ""
			case HelpSection:
				hit.score = 1
			}
			hits = append(hits, hit)
		}
	}
	slices.SortStableFunc(hits, func(a, b HelpHit) int { return cmp.Compare(b.score, a.score) })
	return hits[:min(len(hits), maxHelpHits)]
}

func containsAll(text string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

// snippet is a part of a text around a word, on one line.
func snippet(text, word string) string {
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) <= helpSnippet {
		return string(runes)
	}
	before, _, _ := strings.Cut(strings.ToLower(string(runes)), word)
	from := max(0, min(len([]rune(before))-helpSnippet/4, len(runes)-helpSnippet))
	for from > 0 && runes[from-1] != ' ' {
		from--
	}
	to := min(from+helpSnippet, len(runes))
	out := string(runes[from:to])
	if from > 0 {
		out = "… " + out
	}
	if to < len(runes) {
		out += " …"
	}
	return out
}
