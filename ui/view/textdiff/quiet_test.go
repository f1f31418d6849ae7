package textdiff

import (
	"strings"
	"testing"
)

func TestQuietLeavesOnlyWhatCounts(t *testing.T) {
	a := "{\n  \"id\": 1,\n  \"x\": 1,\n  \"y\": 2,\n  \"gone\": 0\n}"
	b := "{\n  \"id\": 7,\n  \"x\": 1,\n  \"y\": 3\n}"
	d := Texts(a, b)
	q := d.Quiet(func(r Row) bool { return !strings.Contains(r.Left.Text, `"id"`) })
	if len(d.Changes) != 2 || len(q.Changes) != 1 {
		t.Fatalf("%d changes before, %d after", len(d.Changes), len(q.Changes))
	}
	id := q.Rows[1]
	if id.Op != Same || id.Left.Text != `  "id": 1,` || id.Right.Text != `  "id": 7,` || id.Right.Marks != nil {
		t.Errorf("the quiet line is %+v", id)
	}
	if d.Rows[1].Op != Changed || d.Rows[1].Right.Marks == nil {
		t.Errorf("the diff itself was changed: %+v", d.Rows[1])
	}
	all := d.Quiet(func(Row) bool { return true })
	if len(all.Changes) != len(d.Changes) || all.Changes[1] != d.Changes[1] || all.Added != d.Added || all.Removed != d.Removed {
		t.Errorf("when all counts: %+v, not %+v", all, d)
	}
}

func TestChangeAtFindsTheLine(t *testing.T) {
	a := strings.Repeat("same\n", 10) + "a\n" + strings.Repeat("same\n", 10) + "b"
	b := strings.Repeat("same\n", 10) + "x\n" + strings.Repeat("same\n", 10) + "y"
	d := Texts(a, b)
	for _, c := range []struct{ left, right, want int }{{1, 0, 0}, {0, 11, 0}, {0, 12, 1}, {22, 0, 1}, {99, 0, 1}} {
		if got := d.ChangeAt(c.left, c.right); got != c.want {
			t.Errorf("line %d, %d: change %d, want %d", c.left, c.right, got, c.want)
		}
	}
	if got := Texts(a, a).ChangeAt(1, 1); got != -1 {
		t.Errorf("of no change: %d", got)
	}
}
