package view

import (
	"slices"
	"strings"

	"mcploupe/recorder"
)

// FilterChip is a filter at a click: values of one key that are put into the
// text of the filter, or taken out of it. Chips of one key are alternatives.
type FilterChip struct {
	Label string
	key   string
	alts  []string
}

// ChipState says what the text of a filter makes of a chip.
type ChipState uint8

// The states of a chip.
const (
	ChipOff      ChipState = iota // the text does not speak of it
	ChipOn                        // the text asks for it
	ChipExcluded                  // the text excludes it
)

// FilterChips are the chips, in the order in which they are shown.
func FilterChips() []FilterChip {
	return []FilterChip{
		{"Errors", "is", []string{"error"}},
		{"Problems", "is", []string{"problem"}},
		{"Pending", "is", []string{"pending"}},
		{"Marked", "is", []string{"marked"}},
		{"Requests", "kind", []string{"request"}},
		{"Notifications", "kind", []string{"notification"}},
		{"stderr", "kind", []string{"stderr"}},
		{"HTTP", "kind", []string{"http", "sse"}},
	}
}

// Term is the chip as a filter by itself.
func (c FilterChip) Term() string { return c.key + ":" + strings.Join(c.alts, "|") }

// holds reports whether a term names all that the chip stands for.
func (c FilterChip) holds(t recorder.FilterTerm) bool {
	if t.Key != c.key || t.Op != ":" {
		return false
	}
	for _, alt := range c.alts {
		if !slices.ContainsFunc(t.Values, func(v string) bool { return strings.EqualFold(strings.Trim(v, `"`), alt) }) {
			return false
		}
	}
	return true
}

// State is what a filter's text says of the chip.
func (c FilterChip) State(text string) ChipState {
	for _, t := range recorder.FilterTerms(text) {
		if c.holds(t) {
			if t.Negate {
				return ChipExcluded
			}
			return ChipOn
		}
	}
	return ChipOff
}

// Toggle puts the chip into the text, or takes it out when the text speaks of
// it already. The rest of the text stays as it was typed.
func (c FilterChip) Toggle(text string) string {
	if c.State(text) != ChipOff {
		return c.without(text)
	}
	for _, t := range recorder.FilterTerms(text) {
		if t.Key == c.key && t.Op == ":" && !t.Negate {
			for _, alt := range c.alts {
				if !slices.Contains(t.Values, alt) {
					t.Values = append(t.Values, alt)
				}
			}
			return text[:t.Start] + t.String() + text[t.End:]
		}
	}
	return joinTerms(text, c.Term())
}

// Exclude makes the text exclude what the chip stands for, or not any more.
func (c FilterChip) Exclude(text string) string {
	state := c.State(text)
	text = c.without(text)
	if state == ChipExcluded {
		return text
	}
	return joinTerms(text, "-"+c.Term())
}

// without takes the chip out of every term that names it.
func (c FilterChip) without(text string) string {
	terms := recorder.FilterTerms(text)
	for _, t := range slices.Backward(terms) {
		if !c.holds(t) {
			continue
		}
		t.Values = slices.DeleteFunc(t.Values, func(v string) bool {
			return slices.ContainsFunc(c.alts, func(alt string) bool { return strings.EqualFold(strings.Trim(v, `"`), alt) })
		})
		before, after := text[:t.Start], text[t.End:]
		if len(t.Values) > 0 {
			text = before + t.String() + after
			continue
		}
		text = joinTerms(before, after)
	}
	return text
}

// joinTerms puts two filters into one that asks for both.
func joinTerms(a, b string) string {
	return strings.TrimSpace(strings.TrimSpace(a) + " " + strings.TrimSpace(b))
}
