package view

import (
	"slices"
	"strings"
	"unicode"
)

// paletteName is an entry as it is compared with what is typed.
type paletteName struct {
	title  []rune  // lower case, one for each of the title
	worth  []uint8 // of each letter of the title: more where a word begins
	detail string  // lower case
	kind   string
}

// What a letter is worth that was typed, by where it stands; a letter right after
// another one that was typed, and what lies between two.
const (
	worthLetter = 10
	worthWord   = 9  // the first of a word, in addition
	worthFirst  = 12 // the very first, in addition
	worthRun    = 8
	costGap     = 4 // and one more for each letter between
	costGapMost = 9
	farAway     = costGapMost - costGap + 2 // letters from where on it costs the most

	worthDetail = 6 // the word stands in the detail, whatever its length
	worthKind   = 8 // it is what the entry is, such as tool

	least = 10 // a letter, on the average: less is chance
)

func newPaletteName(e PaletteEntry) paletteName {
	runes := []rune(e.Title)
	n := paletteName{title: make([]rune, len(runes)), worth: make([]uint8, len(runes)), detail: strings.ToLower(e.Detail), kind: e.Kind.Word()}
	before := ' '
	for i, r := range runes {
		n.title[i] = unicode.ToLower(r)
		n.worth[i] = worthLetter
		switch {
		case i == 0:
			n.worth[i] += worthFirst
		case beginsWord(before, r):
			n.worth[i] += worthWord
		}
		before = r
	}
	return n
}

// beginsWord reports whether a word begins with r after before: after a sign, at
// a change to capitals and at a change to digits.
func beginsWord(before, r rune) bool {
	letter := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	switch {
	case !letter(r):
		return false
	case !letter(before):
		return true
	case unicode.IsUpper(r) && !unicode.IsUpper(before):
		return true
	}
	return unicode.IsDigit(r) != unicode.IsDigit(before)
}

// paletteMatcher finds words in names. It keeps its tables from one name to the
// next.
type paletteMatcher struct {
	ends []int // best score with the i-th letter of the word at the j-th of the title
}

// never is the score of what is no match.
const never = -1 << 20

// word says how well a word matches a name: as letters of the title in their
// order, as a part of the detail, or as what kind of thing it is.
func (m *paletteMatcher) word(word []rune, n *paletteName) (score int, ok bool) {
	if best, _ := m.table(word, n); best >= least*len(word) {
		return best, true
	}
	text := string(word)
	if len(word) >= 3 && strings.HasPrefix(n.kind, text) {
		return worthKind, true
	}
	return worthDetail, strings.Contains(n.detail, text)
}

// table fills the scores for a word and returns the best and the place of its
// last letter.
func (m *paletteMatcher) table(word []rune, n *paletteName) (best, at int) {
	w := len(n.title)
	if len(word) > w || !inOrder(word, n.title) {
		return never, -1
	}
	if need := len(word) * w; cap(m.ends) < need {
		m.ends = make([]int, need)
	}
	m.ends = m.ends[:len(word)*w]
	for i, r := range word {
		row := m.ends[i*w : (i+1)*w]
		var above []int
		if i > 0 {
			above = m.ends[(i-1)*w : i*w]
		}
		far := never // the best of those so far away that one more letter makes no difference
		for j := range row {
			row[j] = never
			if k := j - farAway; i > 0 && k >= 0 {
				far = max(far, above[k])
			}
			switch {
			case n.title[j] != r:
			case i == 0:
				row[j] = int(n.worth[j])
			default:
				if far != never {
					row[j] = far + step(farAway, n.worth[j])
				}
				for k := j - 1; k >= 0 && k > j-farAway; k-- {
					if above[k] != never {
						row[j] = max(row[j], above[k]+step(j-k, n.worth[j]))
					}
				}
			}
		}
	}
	last := m.ends[(len(word)-1)*w:]
	best, at = never, -1
	for j, s := range last {
		if s > best {
			best, at = s, j
		}
	}
	return best, at
}

// step is the score for going on with a letter of some worth, so many letters
// after the one before.
func step(distance int, worth uint8) int {
	if distance == 1 {
		return int(worth) + worthRun
	}
	return int(worth) - min(costGap+distance-2, costGapMost)
}

// inOrder reports whether the letters of word are in text in their order.
func inOrder(word, text []rune) bool {
	for _, r := range word {
		at := slices.Index(text, r)
		if at < 0 {
			return false
		}
		text = text[at+1:]
	}
	return true
}

// places are the letters of the title that the best match takes, nil when it is
// not the title that matches.
func (m *paletteMatcher) places(word []rune, n *paletteName) []int {
	best, at := m.table(word, n)
	if best < least*len(word) {
		return nil
	}
	places := make([]int, len(word))
	w := len(n.title)
	for i := len(word) - 1; i >= 0; i-- {
		places[i] = at
		for k := at - 1; i > 0 && k >= i-1; k-- {
			if s := m.ends[(i-1)*w+k]; s != never && s+step(at-k, n.worth[at]) == m.ends[i*w+at] {
				at = k
				break
			}
		}
	}
	return places
}
