package view

import (
	"errors"
	"slices"
	"strings"

	"mcploupe/recorder"
	"mcploupe/ui/view/safe"
)

// FilterBar is the field that a filter is typed into: what it offers to go on
// with, and what is wrong with the text and where.
//
// Offers appear while one types and after Ask. Tab takes the chosen offer, or
// the first; Enter takes one only after the person has chosen it, so that a
// text can always be sent as it is.
type FilterBar struct {
	text   string
	cursor int // byte offset
	values func() recorder.FilterValues

	offers []recorder.Completion
	at     int // the chosen offer, -1 for none
	fault  FilterFault
	bad    bool
}

// FilterFault says what is wrong with a filter.
type FilterFault struct {
	Start, End int    // byte offsets of the place; equal where something is missing
	Text       string // one sentence; safe
}

// FilterOffer is a way to go on with the text.
type FilterOffer struct {
	Text, Hint string // safe
}

// NewFilterBar returns a bar that offers the words that values gives.
func NewFilterBar(values func() recorder.FilterValues) *FilterBar {
	return &FilterBar{values: values, at: -1}
}

// Text is what the field holds, Cursor the byte offset of the caret in it.
func (b *FilterBar) Text() string { return b.text }

// Cursor is where the caret stands.
func (b *FilterBar) Cursor() int { return b.cursor }

// Typed takes in what the person made of the text. Offers for the word at the
// cursor open or close.
func (b *FilterBar) Typed(text string, cursor int) {
	b.put(text, cursor)
	word := b.word()
	if strings.Trim(word, `-"`) == "" {
		b.Close()
		return
	}
	b.offer()
}

// Set takes in a text that did not come from typing: nothing is offered.
func (b *FilterBar) Set(text string) {
	b.put(text, len(text))
	b.Close()
}

// Moved takes in that the caret alone moved.
func (b *FilterBar) Moved(cursor int) {
	if cursor != b.cursor {
		b.cursor = min(max(cursor, 0), len(b.text))
		b.Close()
	}
}

func (b *FilterBar) put(text string, cursor int) {
	b.text, b.cursor = text, min(max(cursor, 0), len(text))
	b.check()
}

// word is what stands before the caret since the last blank outside of quotes.
func (b *FilterBar) word() string {
	start, quoted := 0, false
	for i := range b.cursor {
		switch c := b.text[i]; {
		case c == '"':
			quoted = !quoted
		case (c == ' ' || c == '\t') && !quoted:
			start = i + 1
		}
	}
	return b.text[start:b.cursor]
}

// Ask opens the offers at the caret, with all keys where no word is begun. It
// reports whether there are any.
func (b *FilterBar) Ask() bool {
	b.offer()
	return b.Open()
}

func (b *FilterBar) offer() {
	b.offers, b.at = b.offers[:0], -1
	for _, c := range recorder.CompleteFilter(b.text, b.cursor, b.values()) {
		if safe.Line(c.Text, len(c.Text)) == c.Text { // what cannot be read cannot be chosen
			b.offers = append(b.offers, c)
		}
	}
}

// Start is the byte offset of the word that the offers stand for.
func (b *FilterBar) Start() int {
	if len(b.offers) == 0 {
		return b.cursor
	}
	return b.offers[0].Start
}

// Open reports whether there are offers.
func (b *FilterBar) Open() bool { return len(b.offers) > 0 }

// Close takes the offers away.
func (b *FilterBar) Close() { b.offers, b.at = nil, -1 }

// Offers is how many offers there are.
func (b *FilterBar) Offers() int { return len(b.offers) }

// Offer is the i-th offer.
func (b *FilterBar) Offer(i int) FilterOffer {
	c := b.offers[i]
	o := FilterOffer{Text: line(c.Text, 80)}
	if strings.HasSuffix(c.Text, ":") || strings.HasSuffix(c.Text, ">") {
		o.Hint = c.Hint
	}
	return o
}

// Chosen is the offer that Enter takes, -1 for none.
func (b *FilterBar) Chosen() int { return b.at }

// Move chooses the next offer, or the one before for -1, around the ends.
func (b *FilterBar) Move(by int) {
	n := len(b.offers)
	switch {
	case n == 0:
	case b.at < 0 && by < 0:
		b.at = n - 1
	case b.at < 0:
		b.at = 0
	default:
		b.at = (b.at + by + n) % n
	}
}

// Accept puts an offer, the chosen or the first one for -1, into the text and
// offers what may follow. It reports whether there was one.
func (b *FilterBar) Accept(i int) bool {
	if i < 0 {
		i = max(b.at, 0)
	}
	if i >= len(b.offers) {
		return false
	}
	c := b.offers[i]
	text := b.text[:c.Start] + c.Text + b.text[c.End:]
	b.put(text, c.Start+len(c.Text))
	b.offer()
	if !strings.HasSuffix(c.Text, ":") {
		b.Close()
	}
	return true
}

// Fault is what is wrong with the text; ok is false when it is a filter. What
// is being typed is no fault yet while there are offers for it.
func (b *FilterBar) Fault() (f FilterFault, ok bool) {
	if b.bad && b.Open() && b.fault.End >= b.cursor-len(b.word()) && b.fault.Start <= b.cursor {
		return FilterFault{}, false
	}
	return b.fault, b.bad
}

// Unfinished reports whether the word at the caret is only the beginning of a
// key or of values on offer, so that as a filter it would show little for the
// moment that it takes to type the rest.
func (b *FilterBar) Unfinished() bool {
	if b.bad || !b.Open() {
		return false
	}
	key, value, ok := strings.Cut(strings.TrimPrefix(b.word(), "-"), ":")
	if !ok {
		return true
	}
	v := b.values()
	is := func(known string) bool { return strings.EqualFold(known, strings.Trim(value, `"`)) }
	switch strings.ToLower(key) {
	case "method":
		return !slices.ContainsFunc(v.Methods, is)
	case "name", "tool", "prompt", "uri":
		return !slices.ContainsFunc(v.Names, is)
	case "channel":
		return !slices.ContainsFunc(v.Channels, is)
	}
	return false
}

// Valid reports whether the text is a filter.
func (b *FilterBar) Valid() bool { return !b.bad }

func (b *FilterBar) check() {
	_, err := recorder.ParseFilter(b.text)
	b.fault, b.bad = FilterFault{}, err != nil
	if err == nil {
		return
	}
	b.fault.Text = line(sentence(err.Error()), 200)
	var at *recorder.FilterError
	if !errors.As(err, &at) {
		return
	}
	start := min(max(at.Offset, 0), len(b.text))
	end := start
	for end < len(b.text) && !strings.ContainsRune(" \t|", rune(b.text[end])) {
		end++
	}
	b.fault = FilterFault{Start: start, End: end, Text: line(sentence(at.Text), 200)}
}

// sentence begins a text with a capital letter.
func sentence(s string) string {
	if s == "" || s[0] < 'a' || s[0] > 'z' {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
