package view

import (
	"strings"
	"unicode/utf8"
)

// TellApart shortens the names of two sides to what tells them apart, where
// there is little room: of "server 1.0.0" and "server 2.0.0" the versions. What
// only one of them would lose, both keep.
func TellApart(a, b string) (string, string) {
	if a == b {
		return a, b
	}
	cut := 0
	for i, r := range a {
		if i >= len(b) || !strings.HasPrefix(b[i:], string(r)) {
			break
		}
		if strings.ContainsRune(" -_@/:", r) {
			cut = i + utf8.RuneLen(r)
		}
	}
	if cut == 0 || cut >= len(a) || cut >= len(b) {
		return a, b
	}
	return "…" + a[cut:], "…" + b[cut:]
}

// PairTitle names two sides in a few words, each of at most max runes: what both
// begin with is named once.
func PairTitle(a, b string, max int) string {
	shortA, shortB := TellApart(a, b)
	if shortA == a {
		return line(a, max) + " ⇄ " + line(b, max)
	}
	shared := strings.TrimRight(a[:len(a)-len(strings.TrimPrefix(shortA, "…"))], " -_@/:")
	return line(shared, max) + " " + line(strings.TrimPrefix(shortA, "…"), max) + " ⇄ " + line(strings.TrimPrefix(shortB, "…"), max)
}
