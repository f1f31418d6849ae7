package view

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func paletteOf(titles ...string) *Palette {
	var entries []PaletteEntry
	for _, t := range titles {
		entries = append(entries, PaletteEntry{Key: t, Title: t})
	}
	p := &Palette{}
	p.Set(nil, NewPaletteList(entries))
	return p
}

func (p *Palette) titles() (all []string) {
	for i := range p.Len() {
		all = append(all, p.At(i).Title)
	}
	return all
}

func TestPaletteRanksWordStartsFirst(t *testing.T) {
	for _, c := range []struct {
		query  string
		titles []string // in the order that is wanted
		not    []string
	}{
		{"conn", []string{"Connect …", "Disconnect"}, []string{"ectoplasm unknown"}},
		{"gs", []string{"get-sum", "bags"}, []string{"sg"}},
		{"gs", []string{"getSum", "bags"}, nil},
		{"fil tim", []string{"Filter the timeline"}, []string{"Fold the timeline"}},
		{"echo", []string{"echo", "echo_more", "re-echo", "anechoic"}, nil},
		{"n2", []string{"node 2", "noun 12"}, nil},
		{"ÄB", []string{"äb"}, []string{"ab"}},
	} {
		// Given in the opposite order, so that their place does not decide.
		given := append(slices.Clone(c.not), c.titles...)
		slices.Reverse(given)
		p := paletteOf(given...)
		p.SetQuery(c.query)
		if got := p.titles(); !slices.Equal(got, c.titles) {
			t.Errorf("%q finds %q, want %q", c.query, got, c.titles)
		}
	}
}

func TestPaletteMarksWhatWasTyped(t *testing.T) {
	for _, c := range []struct{ query, title, marked string }{
		{"conn", "Disconnect, or connect", "conn"},
		{"gs", "get-sum", "gs"},
		{"time fil", "Filter the timeline", "Filtime"},
		{"ö", "Öl", "Ö"},
	} {
		p := paletteOf(c.title)
		p.SetQuery(c.query)
		if p.Len() != 1 {
			t.Errorf("%q does not find %q", c.query, c.title)
			continue
		}
		marks, got := p.Marks(0), ""
		for i, r := range []rune(c.title) {
			if marks[i] {
				got += string(r)
			}
		}
		if got != c.marked {
			t.Errorf("%q marks %q in %q, want %q", c.query, got, c.title, c.marked)
		}
	}
	p := paletteOf("echo")
	if p.Marks(0) != nil {
		t.Error("something is marked though nothing was typed")
	}
}

func TestPaletteFindsByDetailAndKind(t *testing.T) {
	p := &Palette{}
	p.Set(nil, NewPaletteList([]PaletteEntry{
		{Key: "a", Title: "echo", Kind: PaletteTool, Detail: "everything server"},
		{Key: "b", Title: "echo", Kind: PalettePrompt, Detail: "other"},
	}))
	for query, want := range map[string]string{"everyth": "a", "tool echo": "a", "prom ec": "b", "echo other": "b"} {
		p.SetQuery(query)
		if p.Len() == 0 || p.At(0).Key != want {
			t.Errorf("%q finds %d entries, the first is not %s", query, p.Len(), want)
		}
	}
	if p.SetQuery("to"); p.Len() != 0 {
		t.Error("two letters are taken for a kind")
	}
}

func TestPaletteRemembersChoices(t *testing.T) {
	recent := RecentChoices(RecentChoices(RecentChoices(nil, "c"), "b"), "c")
	if !slices.Equal(recent, []string{"c", "b"}) {
		t.Fatalf("recent are %q", recent)
	}
	p := &Palette{}
	list := NewPaletteList([]PaletteEntry{{Key: "a", Title: "alpha"}, {Key: "b", Title: "also"}, {Key: "c", Title: "alas"}})
	p.Set(recent, NewPaletteList(nil), list)
	if got := p.titles(); !slices.Equal(got, []string{"alas", "also", "alpha"}) {
		t.Errorf("without a query: %q", got)
	}
	if !p.Recent(0) || p.Recent(2) {
		t.Error("what was chosen lately is not told from the rest")
	}
	p.SetQuery("al")
	if got := p.titles(); got[0] != "alas" || got[1] != "also" {
		t.Errorf("with a query: %q", got)
	}
	many := []string{}
	for i := range 100 {
		many = RecentChoices(many, fmt.Sprint(i))
	}
	if len(many) != maxRecentChoices || many[0] != "99" {
		t.Errorf("%d are remembered, the newest is %q", len(many), many[0])
	}
}

func TestPaletteChoosesWithTheKeyboard(t *testing.T) {
	p := paletteOf("a1", "a2", "a3")
	if p.Chosen() != 0 {
		t.Fatalf("chosen is %d", p.Chosen())
	}
	for _, step := range []struct{ by, want int }{{1, 1}, {1, 2}, {1, 0}, {-1, 2}, {-10, 0}, {10, 2}} {
		if p.Move(step.by); p.Chosen() != step.want {
			t.Errorf("after %+d the chosen one is %d, want %d", step.by, p.Chosen(), step.want)
		}
	}
	if p.SetQuery("a2"); p.Chosen() != 0 || p.At(0).Title != "a2" {
		t.Errorf("another query keeps the place %d", p.Chosen())
	}
	p.SetQuery("nothing like that")
	if p.Move(1); p.Chosen() != -1 || p.Len() != 0 {
		t.Errorf("chosen is %d of %d", p.Chosen(), p.Len())
	}
}

func TestWhatCannotBeDoneComesAfterWhatCan(t *testing.T) {
	p := &Palette{}
	p.Set(nil, NewPaletteList([]PaletteEntry{{Key: "a", Title: "save one", Why: "there is nothing"}, {Key: "b", Title: "save all"}}))
	p.SetQuery("save")
	if got := p.titles(); !slices.Equal(got, []string{"save all", "save one"}) {
		t.Errorf("%q", got)
	}
	if p.Total() != 2 {
		t.Errorf("%d in all", p.Total())
	}
}

// The score of the best match is the sum along the places that are marked, for
// any word and title: what is drawn is what was ranked.
func FuzzPaletteMatch(f *testing.F) {
	f.Add("gs", "get-sum")
	f.Add("aaa", strings.Repeat("a", 120))
	f.Add("é世", "Aé 世界")
	f.Fuzz(func(t *testing.T, query, title string) {
		if len(query) > 64 || len(title) > 512 {
			return
		}
		n := newPaletteName(PaletteEntry{Title: title})
		var m paletteMatcher
		for _, w := range strings.Fields(strings.ToLower(query)) {
			word := []rune(w)
			best, _ := m.table(word, &n)
			places := m.places(word, &n)
			if best < least*len(word) {
				if places != nil {
					t.Fatalf("%q in %q: places of no match", w, title)
				}
				continue
			}
			sum := 0
			for i, at := range places {
				if n.title[at] != word[i] || i > 0 && at <= places[i-1] {
					t.Fatalf("%q in %q: places %v", w, title, places)
				}
				if i == 0 {
					sum = int(n.worth[at])
				} else {
					sum += step(at-places[i-1], n.worth[at])
				}
			}
			if sum != best {
				t.Fatalf("%q in %q: the score is %d, that of %v is %d", w, title, best, places, sum)
			}
		}
	})
}

// benchPalette is the palette of a server with so many tools.
func benchPalette(n int) *Palette {
	entries := make([]PaletteEntry, n)
	verbs := []string{"create", "list", "update", "delete", "search", "get", "assign", "archive"}
	nouns := []string{"issue", "pull_request", "repository", "branch", "commit", "review_comment", "workflow_run", "release"}
	for i := range entries {
		entries[i] = PaletteEntry{
			Key: fmt.Sprint(i), Kind: PaletteTool, Title: fmt.Sprintf("%s_%s_%d", verbs[i%8], nouns[i/8%8], i),
			Detail: "many tools  ·  Does what its name says to what its name says, and tells what came of it.",
		}
	}
	p := &Palette{}
	p.Set(nil, NewPaletteList(entries))
	return p
}

// BenchmarkPaletteQuery is what a key in the field costs with 5,000 tools; for
// reference every third makes the list long again.
func BenchmarkPaletteQuery(b *testing.B) {
	p := benchPalette(5000)
	queries := []string{"c", "cre", "create", "create is", "list pull 40", "gr", ""}
	for b.Loop() {
		for _, q := range queries {
			p.SetQuery(q)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(queries)), "µs/key")
}

// BenchmarkPaletteOpen is what making 5,000 entries ready costs.
func BenchmarkPaletteOpen(b *testing.B) {
	for b.Loop() {
		benchPalette(5000)
	}
}
