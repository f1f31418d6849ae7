package recorder

import (
	"fmt"
	"strings"
)

// stateWords are the states of exchanges as filters name them.
var stateWords = func() []string {
	var words []string
	for s := ExchangePending; int(s) < len(exchangeStates); s++ {
		words = append(words, s.String())
	}
	return words
}()

// compileState matches the state of the exchange that an event belongs to.
func compileState(t *term, tok *token) error {
	var wanted [16]bool
	for _, v := range tok.values {
		found := false
		for s := ExchangePending; int(s) < len(exchangeStates); s++ {
			word := s.String()
			if v.matches(word) || v.matches(strings.ReplaceAll(word, " ", "")) {
				wanted[s], found = true, true
			}
		}
		if !found {
			return &FilterError{v.offset, fmt.Sprintf("%s is one of %s", tok.key, strings.Join(stateWords, ", "))}
		}
	}
	t.head = func(l *Log, h *Head) bool {
		ex, ok := l.Exchanges().entryOf(h.Seq)
		return ok && wanted[ex.state]
	}
	return onlyColon(tok)
}

// ofExchange matches a number of the exchange that an event belongs to.
func ofExchange(parse func(string) (int64, error), get func(*exchangeEntry) int64) func(*term, *token) error {
	return func(t *term, tok *token) error {
		in, err := parseBounds(tok, parse)
		t.head = func(l *Log, h *Head) bool {
			ex, ok := l.Exchanges().entryOf(h.Seq)
			return ok && in(get(&ex))
		}
		return err
	}
}

// compileOf matches the members of the exchange that some event belongs to.
func compileOf(t *term, tok *token) error {
	var seqs []uint64
	for _, v := range tok.values {
		n, err := parseCount(v.text())
		if err != nil {
			return &FilterError{v.offset, err.Error()}
		}
		seqs = append(seqs, uint64(n))
	}
	t.head = func(l *Log, h *Head) bool {
		i, ok := l.Exchanges().Of(h.Seq)
		if !ok {
			return false
		}
		for _, seq := range seqs {
			if j, ok := l.Exchanges().Of(seq); ok && i == j {
				return true
			}
		}
		return false
	}
	return onlyColon(tok)
}

// compileNote finds text in the notes of marks.
func compileNote(t *term, tok *token) error {
	var values []value
	for _, v := range tok.values {
		v.pieces = append(append([]string{""}, v.pieces...), "")
		values = append(values, v)
	}
	t.head = func(l *Log, h *Head) bool {
		m, ok := l.Mark(h.Seq)
		return ok && m.Note != "" && matchesAny(values, m.Note)
	}
	return onlyColon(tok)
}
