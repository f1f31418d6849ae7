package view

import (
	"io/fs"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"mcploupe/assets"
)

func guide(t testing.TB) *Help {
	t.Helper()
	h, err := NewHelp(assets.Guide())
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// Every page of the guide is listed, has a title and a first paragraph, and
// fits what the help page can draw.
func TestGuideIsWhole(t *testing.T) {
	h := guide(t)
	files, err := fs.Glob(assets.Guide(), "*")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if key, ok := strings.CutSuffix(f, ".md"); !ok || h.Index(key) < 0 {
			t.Errorf("%s is in no list", f)
		}
	}
	if len(h.Pages()) != len(files) {
		t.Errorf("%d pages of %d files", len(h.Pages()), len(files))
	}
	for _, p := range h.Pages() {
		if p.Title == p.Key || p.Lead == "" || len(p.Blocks) < 4 || p.Blocks[0].Kind != HelpTitle {
			t.Errorf("%s has the title %q, the lead %q and %d blocks", p.Key, p.Title, p.Lead, len(p.Blocks))
		}
		for _, b := range p.Blocks {
			if n := len(b.Plain()); n > 4<<10 && b.Kind != HelpCode || n > 8<<10 {
				t.Errorf("%s has a block of %d bytes: %.60s", p.Key, n, b.Plain())
			}
		}
	}
}

// Links lead to pages and headings that are there.
func TestGuideLinksLead(t *testing.T) {
	h := guide(t)
	links := 0
	for _, p := range h.Pages() {
		for _, s := range allSpans(p) {
			if s.Page == "" && s.Anchor == "" {
				continue
			}
			links++
			to := p
			if s.Page != "" {
				i := h.Index(s.Page)
				if i < 0 {
					t.Errorf("%s: no page %q", p.Key, s.Page)
					continue
				}
				to = h.Pages()[i]
			}
			if s.Anchor != "" && to.Section(s.Anchor) == 0 {
				t.Errorf("%s: no section %q in %s", p.Key, s.Anchor, to.Key)
			}
		}
	}
	if links < 20 {
		t.Errorf("%d links seen", links)
	}
}

func allSpans(p HelpPage) []HelpSpan {
	var all []HelpSpan
	for _, b := range p.Blocks {
		all = append(all, b.Spans...)
		for _, row := range b.Facts {
			all = append(append(all, row[0]...), row[1]...)
		}
	}
	return all
}

func TestHelpPageIsTakenApart(t *testing.T) {
	h := HelpPage{Blocks: parseHelp(strings.Join([]string{
		"# A title", "", "One **two `x` four** five", "and *six*.", "", "## Part two!", "- first", "  goes on", "- [second](b.md#c-d)", "", "1. step", "12. twelve",
		"```sh", "a  b", "", "# no heading", "```", "| k | v |", "|---|:--|", "| `a` | see [it](#part-two) |", "end * of ** it [x] `",
	}, "\n"))}
	want := []HelpBlock{
		{Kind: HelpTitle, Anchor: "a-title", Spans: []HelpSpan{{Text: "A title"}}},
		{Kind: HelpText, Spans: []HelpSpan{{Text: "One "}, {Text: "two ", Bold: true}, {Text: "x", Bold: true, Code: true}, {Text: " four", Bold: true}, {Text: " five and "}, {Text: "six", Italic: true}, {Text: "."}}},
		{Kind: HelpSection, Anchor: "part-two", Spans: []HelpSpan{{Text: "Part two!"}}},
		{Kind: HelpItem, Spans: []HelpSpan{{Text: "first goes on"}}},
		{Kind: HelpItem, Spans: []HelpSpan{{Text: "second", Page: "b", Anchor: "c-d"}}},
		{Kind: HelpStep, Number: 1, Spans: []HelpSpan{{Text: "step"}}},
		{Kind: HelpStep, Number: 12, Spans: []HelpSpan{{Text: "twelve"}}},
		{Kind: HelpCode, Code: "a  b\n\n# no heading"},
		{Kind: HelpFacts, Facts: [][2][]HelpSpan{{{{Text: "k"}}, {{Text: "v"}}}, {{{Text: "a", Code: true}}, {{Text: "see "}, {Text: "it", Anchor: "part-two"}}}}},
		{Kind: HelpText, Spans: []HelpSpan{{Text: "end * of ** it [x] `"}}},
	}
	for i, w := range want {
		if i >= len(h.Blocks) || !reflect.DeepEqual(h.Blocks[i], w) {
			t.Errorf("block %d is %+v\nwant %+v", i, h.Blocks[min(i, len(h.Blocks)-1)], w)
		}
	}
	if len(h.Blocks) != len(want) {
		t.Errorf("%d blocks, want %d", len(h.Blocks), len(want))
	}
	if h.Section("part-two") != 2 || h.Section("gone") != 0 || h.Section("") != 0 {
		t.Errorf("sections at %d, %d, %d", h.Section("part-two"), h.Section("gone"), h.Section(""))
	}
}

func TestGuideIsSearched(t *testing.T) {
	h := guide(t)
	if hits := h.Search("  "); hits != nil {
		t.Errorf("no words gave %d hits", len(hits))
	}
	hits := h.Search("Elicitation")
	if len(hits) < 2 || hits[0].Section != "Elicitation forms" || h.Pages()[hits[0].Page].Key != "forms" {
		t.Fatalf("hits %+v", hits)
	}
	all := h.Search("cut crash")
	if len(all) == 0 || !slices.ContainsFunc(all, func(x HelpHit) bool { return h.Pages()[x.Page].Key == "troubleshooting" }) {
		t.Errorf("hits %+v", all)
	}
	for _, x := range h.Search("the") {
		text := strings.ToLower(h.Pages()[x.Page].Blocks[x.Block].Plain())
		if !strings.Contains(text, "the") || len([]rune(x.Text)) > helpSnippet+40 || strings.Contains(x.Text, "\n") {
			t.Errorf("hit %+v", x)
		}
	}
	if n := len(h.Search("e")); n != maxHelpHits {
		t.Errorf("%d hits, want %d at most", n, maxHelpHits)
	}
	if hits := h.Search(strings.Repeat("zebra ", 1000)); len(hits) != 0 {
		t.Errorf("%d hits of a word that is not there", len(hits))
	}
}

func TestGuideWithoutAPageIsAnError(t *testing.T) {
	if _, err := NewHelp(fstest.MapFS{"start.md": {Data: []byte("# x")}}); err == nil {
		t.Error("no error")
	}
}

// FuzzHelp: no text is lost on the way, whatever it looks like.
func FuzzHelp(f *testing.F) {
	f.Add("# a\n\nb **c** `d` [e](f.md)\n\n- g\n\n| h | i |\n|---|---|\n")
	f.Add("**")
	f.Add("[](")
	f.Add("```\nopen")
	f.Fuzz(func(t *testing.T, text string) {
		var got strings.Builder
		for _, b := range parseHelp(text) {
			got.WriteString(b.Plain())
		}
		for _, word := range strings.FieldsFunc(text, func(r rune) bool { return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') }) {
			if !strings.Contains(text, "](") && !strings.Contains(text, "```") && !strings.Contains(text, "|") && !strings.Contains(got.String(), word) {
				t.Fatalf("%q is lost of %q: %q", word, text, got.String())
			}
		}
	})
}
