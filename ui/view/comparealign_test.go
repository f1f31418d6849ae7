package view

import (
	"fmt"
	"strings"
	"testing"
)

func alignText(a *Alignment) string {
	var b strings.Builder
	for i := range a.Len() {
		r := a.Row(i)
		switch {
		case r.HeadingRow:
			fmt.Fprintf(&b, "[%s]\n", r.A)
			continue
		case r.Kind == PairFolded:
			fmt.Fprintf(&b, "%s %s\n", r.Kind.Glyph(), r.Word)
			continue
		}
		side := func(text, note string) string {
			return strings.TrimSpace(text + " " + strings.Join(strings.Fields(note), " "))
		}
		fmt.Fprintf(&b, "%-20s %s %-20s %s", side(r.A, r.NoteA), r.Kind.Glyph(), side(r.B, r.NoteB), r.Word)
		if r.Other >= 0 {
			fmt.Fprintf(&b, " (row %d)", r.Other)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// What moved is shown where each side has it, each half leading to the other.
func TestConversationsAreAligned(t *testing.T) {
	c := versions(t, nil)
	expect(t, "conversation", alignText(AlignTalk(c)), `
initialize 1         ≠ initialize 1         1 difference
tools/list 3         ≠ tools/list 3         4 differences
                     ↶ echo tools/call 5    moved (row 5)
echo tools/call 5    = echo tools/call 7    same
echo tools/call 7    = echo tools/call 9    same
echo tools/call 9    ↷                      moved (row 2)
sum tools/call 11    ≠ sum tools/call 11    1 difference
gone tools/call 13   −                      only A
                     + fresh tools/call 13  only B
`)
}

func TestInterfacesAreAligned(t *testing.T) {
	c := versions(t, nil)
	a, entries := AlignInterface(c)
	expect(t, "interface", alignText(a), `
[Server]
server               ≠ server               1 note
[Tools]
echo                 ≠ echo                 1 breaking, 1 note
                     + get-tiny-image       only B, renamed? (row 5)
getTinyImage         −                      only A, renamed? (row 4)
sum                  = sum                  same
`)
	if e := entries[a.Row(3).Source]; e.Name != "echo" || len(e.Changes) != 2 {
		t.Errorf("row 3 is %s with %d changes", e.Name, len(e.Changes))
	}
}

// A list that one side does not have tells nothing of what is there.
func TestListsThatOneSideLacksAreLeftOut(t *testing.T) {
	a := newSaid(t, "a", 0).init("1").tools(toolEcho)
	b := newSaid(t, "b", 0).init("1")
	c := compareSides(t, a.side(), b.side(), nil)
	all, _ := AlignInterface(c)
	expect(t, "interface", alignText(all), "[Server]\nserver               = server               same")
	if got := strings.Join(c.Remarks(), " "); !strings.Contains(got, "The tools are not compared: B has no complete list of them.") {
		t.Errorf("the remarks are %q", got)
	}
}

func TestWhatIsTheSameIsFolded(t *testing.T) {
	changed := map[int]bool{10: true, 13: true}
	a := newAlignment(30, func(i int) PairRow { return PairRow{A: fmt.Sprint(i), Source: i, Other: -1} }, func(i int) bool { return !changed[i] })
	a.source = map[int]int{3: 3, 10: 10}
	text := func() string {
		var out []string
		for i := range a.Len() {
			if r := a.Row(i); r.Kind == PairFolded {
				out = append(out, fmt.Sprintf("(%d)", r.Folded))
			} else {
				out = append(out, r.A)
			}
		}
		return strings.Join(out, " ")
	}
	expect(t, "folded", text(), "(8) 8 9 10 11 12 13 14 15 (14)")
	if got := a.Find(10); got != 3 {
		t.Errorf("row 10 is shown at %d", got)
	}
	if a.Open(1) || !a.Open(9) {
		t.Error("the last row is the fold")
	}
	expect(t, "opened", text(), "(8) 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29")
	if got := a.Find(3); got != 3 {
		t.Errorf("a folded row is shown at %d after it was looked for", got)
	}
	a.OpenAll(false)
	expect(t, "folded again", text(), "(8) 8 9 10 11 12 13 14 15 (14)")
	a.OpenAll(true)
	if a.Len() != 30 || a.Total() != 30 {
		t.Errorf("%d of %d rows when all are opened", a.Len(), a.Total())
	}
	same := newAlignment(30, func(int) PairRow { return PairRow{Other: -1} }, func(int) bool { return true })
	if same.Len() != 30 {
		t.Errorf("when nothing differs, %d of 30 rows are shown", same.Len())
	}
}
