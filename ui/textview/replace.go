package textview

import (
	"context"
	"strings"
)

// ReplaceHit puts s in place of the found text that the search stands on and goes to the next one. It reports whether
// there was one.
func (e *Editor) ReplaceHit(s string) bool {
	if e.readOnly || e.hit < 0 || e.hit >= len(e.hits.starts) {
		return false
	}
	at := int(e.hits.starts[e.hit])
	e.buf.seal()
	e.replace(e.spotAt(at), e.spotAt(at+e.hits.Length), s)
	e.buf.seal()
	if n := len(e.hits.starts); n > 0 {
		e.hit = e.hits.from(at + len(s))
		if e.hit >= n {
			e.hit = 0
		}
		e.showHit()
		e.reportHits()
	}
	return true
}

// ReplaceAll puts s in place of all found texts, as one change for Undo, and returns how many there were.
func (e *Editor) ReplaceAll(s string) int {
	text := e.Text()
	if e.readOnly || e.query == "" {
		return 0
	}
	out, n := replaceAll(text, e.query, s)
	if n == 0 {
		return 0
	}
	caret := e.buf.offset(e.lines().spotOf(e.caret))
	e.buf.seal()
	e.replace(spot{}, e.buf.end(), out)
	e.buf.seal()
	e.moveCaret(e.lines().placeOf(e.spotAt(min(caret, len(out)))), false)
	return n
}

// replaceAll replaces what Search finds.
func replaceAll(text, query, s string) (out string, n int) {
	var b strings.Builder
	last := 0
	for {
		hits, err := Search(context.Background(), []byte(text[last:]), query)
		if err != nil || len(hits.starts) == 0 {
			break
		}
		base := last
		for _, start := range hits.starts {
			b.WriteString(text[last : base+int(start)])
			b.WriteString(s)
			last = base + int(start) + hits.Length
			n++
		}
		if hits.Count == len(hits.starts) {
			break
		}
	}
	b.WriteString(text[last:])
	return b.String(), n
}
