package textview

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
)

// manyLines is a text with more rows than are found at once.
var manyLines = strings.Repeat("a\n", manyRows) + "end"

func rawView(t *testing.T, queue *later) *View {
	t.Helper()
	v := newView(t, "{}")
	v.Run = queue.run
	v.SetMode(Raw)
	v.SetIndex(build(t, manyLines))
	return v
}

// A text of very many lines shows its beginning at once and all of it when its
// rows are found.
func TestManyRowsAreFoundElsewhere(t *testing.T) {
	var queue later
	v := rawView(t, &queue)
	if got := v.layout.rows(); got >= manyRows || got < 1000 || shown(v)[0] != "a" {
		t.Fatalf("at first %d rows", got)
	}
	if len(queue) != 1 {
		t.Fatalf("%d layouts are being made", len(queue))
	}
	queue.finish()
	if got := v.layout.rows(); got != manyRows+1 || v.plain.part {
		t.Errorf("then %d rows, a part: %v", got, v.plain.part)
	}
	v.Resize(fyne.NewSize(300, 300))
	v.Resize(fyne.NewSize(360, 300))
	if len(queue) != 1 {
		t.Errorf("%d layouts are being made for other widths, want 1", len(queue))
	}
	queue.finish()
	if v.plain.wrap != v.columns() {
		t.Errorf("rows of %d bytes, want %d", v.plain.wrap, v.columns())
	}
	v.SetMode(Hex)
	v.SetMode(Raw)
	if len(queue) != 0 {
		t.Error("the layout is made again for a mode that was shown before")
	}
}

// What is asked for before the rows are found is done when they are.
func TestAPlaceIsShownWhenItsRowIsFound(t *testing.T) {
	var queue later
	v := rawView(t, &queue)
	v.ShowOffset(len(manyLines) - 3)
	queue.finish()
	if v.caret.row != manyRows {
		t.Errorf("the caret is in row %d", v.caret.row)
	}
	v = rawView(t, &queue)
	v.SelectAll()
	queue.finish()
	if got := len(v.SelectedText()); got != len(manyLines) {
		t.Errorf("%d bytes are selected, want %d", got, len(manyLines))
	}
	v = rawView(t, &queue)
	v.SetIndex(build(t, "one"))
	queue.finish()
	if v.layout.rows() != 1 {
		t.Error("the rows of the text before are shown")
	}
}

// The rows of a block are found again as they were found first.
func TestRowsAreTheSameInAnyOrder(t *testing.T) {
	raw := []byte(strings.Repeat("word wörd\n\n"+strings.Repeat("x", 30)+" ä\n", 100))
	l := newRawLayout(raw, 12)
	var want []int
	for i, more := 0, true; more; {
		want = append(want, i)
		i, more = l.after(i)
	}
	if l.rows() != len(want) {
		t.Fatalf("%d rows, want %d", l.rows(), len(want))
	}
	for k := range want {
		i := k * 197 % len(want)
		if got := l.offset(i); got != want[i] {
			t.Errorf("row %d begins at %d, want %d", i, got, want[i])
		}
	}
	if got := text(l); got != string(raw) {
		t.Error("the text is another one")
	}
}
