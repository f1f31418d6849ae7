package view

import (
	"cmp"
	"slices"
	"strings"
)

// PaletteKind says what an entry of the palette is.
type PaletteKind uint8

// The kinds, in the order in which they are listed.
const (
	PaletteAction PaletteKind = iota
	PaletteTab
	PaletteServer
	PaletteRecording
	PaletteTool
	PalettePrompt
	PaletteResource
	PaletteTemplate
	PaletteSetting
	PaletteGuide
)

// Word is the kind in a word.
func (k PaletteKind) Word() string {
	return [...]string{"action", "tab", "server", "recording", "tool", "prompt", "resource", "template", "setting", "guide"}[k]
}

// PaletteEntry is something that can be chosen by its name. All of its texts
// are safe.
type PaletteEntry struct {
	Key      string // stays the same from one opening to the next, and is remembered
	Kind     PaletteKind
	Title    string
	Detail   string // where it is, what it does
	Shortcut string // "Ctrl+N", "" for none
	Why      string // why it cannot be chosen now, "" when it can
	Do       func()
}

// PaletteList is a part of the entries, made ready for matching. It is not
// changed any more.
type PaletteList struct {
	entries []PaletteEntry
	names   []paletteName
}

// NewPaletteList makes entries ready.
func NewPaletteList(entries []PaletteEntry) PaletteList {
	l := PaletteList{entries: entries, names: make([]paletteName, len(entries))}
	for i, e := range entries {
		l.names[i] = newPaletteName(e)
	}
	return l
}

// Palette is the model of the list of everything, with what is typed and what
// is chosen. The zero value is an empty one.
type Palette struct {
	lists  []PaletteList
	starts []int // of the lists, in the whole
	total  int
	recent map[string]int // 1 for the newest, by key
	query  string
	words  [][]rune
	shown  []paletteHit
	chosen int
	match  paletteMatcher
}

type paletteHit struct {
	index int // in the whole
	score int
}

// maxRecentChoices bounds what is remembered.
const maxRecentChoices = 40

// RecentChoices puts a choice before the earlier ones.
func RecentChoices(recent []string, key string) []string {
	out := append([]string{key}, slices.DeleteFunc(slices.Clone(recent), func(k string) bool { return k == key })...)
	return out[:min(len(out), maxRecentChoices)]
}

// Set replaces the entries. recent are the keys of earlier choices, the newest
// first.
func (p *Palette) Set(recent []string, lists ...PaletteList) {
	p.lists, p.starts, p.total = lists, nil, 0
	for _, l := range lists {
		p.starts = append(p.starts, p.total)
		p.total += len(l.entries)
	}
	p.recent = make(map[string]int, len(recent))
	for i, key := range recent {
		p.recent[key] = i + 1
	}
	p.apply()
}

// SetQuery shows the entries that every word of text is found in, the best
// first.
func (p *Palette) SetQuery(text string) {
	if text == p.query {
		return
	}
	p.query = text
	p.words = nil
	for _, w := range strings.Fields(strings.ToLower(text)) {
		p.words = append(p.words, []rune(w))
	}
	p.apply()
}

// Query is what is typed.
func (p *Palette) Query() string { return p.query }

func (p *Palette) at(index int) (*PaletteEntry, *paletteName) {
	list, found := slices.BinarySearch(p.starts, index)
	if !found {
		list--
	}
	for len(p.lists[list].entries) == 0 {
		list++ // an empty one begins where the next does
	}
	i := index - p.starts[list]
	return &p.lists[list].entries[i], &p.lists[list].names[i]
}

func (p *Palette) apply() {
	p.shown, p.chosen = p.shown[:0], 0
	index := 0
	for l := range p.lists {
		list := &p.lists[l]
		for i := range list.entries {
			if score, ok := p.score(&list.entries[i], &list.names[i]); ok {
				p.shown = append(p.shown, paletteHit{index, score})
			}
			index++
		}
	}
	slices.SortStableFunc(p.shown, func(a, b paletteHit) int { return cmp.Compare(b.score, a.score) })
}

// What the circumstances of an entry are worth, beside how well it matches.
const (
	scoreRecent = 20 // for the newest, less for each that is older
	scoreCannot = -15
	scoreWhole  = 60 // the title is what was typed
)

// score says how well an entry matches; ok is false when it does not.
func (p *Palette) score(e *PaletteEntry, n *paletteName) (score int, ok bool) {
	for _, word := range p.words {
		s, ok := p.match.word(word, n)
		if !ok {
			return 0, false
		}
		score += s
	}
	recent := p.recent[e.Key]
	if len(p.words) == 0 {
		switch {
		case recent > 0:
			return maxRecentChoices + 1 - recent, true
		case e.Why != "":
			return -1, true
		}
		return 0, true
	}
	if recent > 0 {
		score += max(scoreRecent-recent, 1)
	}
	if e.Why != "" {
		score += scoreCannot
	}
	if len(p.words) == 1 && slices.Equal(p.words[0], n.title) {
		score += scoreWhole
	}
	return score - min(len(n.title)/8, 6) - int(e.Kind), true
}

// Len is the number of entries that are shown.
func (p *Palette) Len() int { return len(p.shown) }

// Total is the number of entries.
func (p *Palette) Total() int { return p.total }

// At is the i-th entry that is shown.
func (p *Palette) At(i int) PaletteEntry {
	e, _ := p.at(p.shown[i].index)
	return *e
}

// Recent reports whether the i-th entry that is shown was chosen lately.
func (p *Palette) Recent(i int) bool {
	e, _ := p.at(p.shown[i].index)
	return p.recent[e.Key] > 0
}

// Marks tells which letters of the title of the i-th entry were typed. It has
// one member a letter, or none when nothing of it was.
func (p *Palette) Marks(i int) []bool {
	_, n := p.at(p.shown[i].index)
	var marks []bool
	for _, word := range p.words {
		for _, at := range p.match.places(word, n) {
			if marks == nil {
				marks = make([]bool, len(n.title))
			}
			marks[at] = true
		}
	}
	return marks
}

// Chosen is the entry that Enter takes, -1 when nothing is shown.
func (p *Palette) Chosen() int {
	if len(p.shown) == 0 {
		return -1
	}
	return p.chosen
}

// Choose makes the i-th entry the one that Enter takes.
func (p *Palette) Choose(i int) { p.chosen = max(min(i, len(p.shown)-1), 0) }

// Move goes up or down by so many; one step beyond an end goes to the other.
func (p *Palette) Move(by int) {
	n := len(p.shown)
	switch at := p.chosen + by; {
	case n == 0:
	case by == 1 && at == n:
		p.chosen = 0
	case by == -1 && at < 0:
		p.chosen = n - 1
	default:
		p.Choose(at)
	}
}
