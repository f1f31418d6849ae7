package view

import (
	"strings"
	"testing"

	"mcploupe/recorder/diff"
)

// A change is found again when the sides change places, and not among the changes
// of other sides.
func TestChangesAreFollowed(t *testing.T) {
	c := versions(t, nil)
	back := compareSides(t, c.B, c.A, nil)
	l := NewChangeList(c)
	followed := 0
	for i := range l.Len() {
		row := l.Row(i)
		if row.Heading {
			continue
		}
		if got := c.Follow(c, row.Ref); got != row.Ref {
			t.Errorf("%s %s becomes %+v of %+v", row.Title, row.Text, got, row.Ref)
		}
		if got := back.Follow(c, row.Ref); got != NoChange {
			followed++
			if now := (&ChangeList{c: back}).row(change{ref: got}); now.Title != row.Title && row.Weight != RenameChange {
				t.Errorf("%s becomes %s", row.Title, now.Title)
			}
		}
	}
	if followed == 0 {
		t.Error("nothing was found with the sides swapped")
	}
	same := compareSides(t, c.A, c.A, nil)
	if got := same.Follow(c, l.Row(l.Step(-1, true)).Ref); got != NoChange {
		t.Errorf("followed to other sides: %+v", got)
	}
	if got := c.Follow(nil, ChangeRef{0, -1, -1, -1}); got != NoChange {
		t.Errorf("followed from nothing: %+v", got)
	}
}

func TestSidesThatAreOneOrHaveNothingInCommonAreNamed(t *testing.T) {
	a, b := newSaid(t, "a", 0).init("1").tools(toolEcho).side(), newSaid(t, "b", 0).init("1").tools(toolSum).side()
	if got := strings.Join(compareSides(t, a, a, nil).Remarks(), " "); got != "Both sides are the same thing." {
		t.Errorf("of one thing: %q", got)
	}
	if got := strings.Join(compareSides(t, a, b, nil).Remarks(), " "); !strings.Contains(got, "A calls itself s, B s. These may be two servers") {
		t.Errorf("of strangers: %q", got)
	}
	both := newSaid(t, "c", 0).init("1").tools(toolSum + "," + toolEcho).side()
	for _, r := range [][2]*ComparedSide{{a, both}, {both, a}, {a, {CompareSide: CompareSide{Path: "x"}, Surface: diff.Surface{}}}} {
		if got := strings.Join(compareSides(t, r[0], r[1], nil).Remarks(), " "); strings.Contains(got, "two servers") {
			t.Errorf("%q", got)
		}
	}
}
