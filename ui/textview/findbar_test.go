package textview

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

func TestFindBar(t *testing.T) {
	v := newView(t, `{"a":"one","b":"one two"}`)
	bar := NewFindBar(v)
	w := test.NewTempWindow(t, bar.Object())
	w.Resize(fyne.NewSize(600, 300))
	v.Focus()
	ctrl(v, fyne.KeyF)
	if !bar.find.Visible() || w.Canvas().Focused() != bar.field {
		t.Fatal("Ctrl+F does not open the bar")
	}
	if bar.find.Size().Height < 10 || v.Position().Y < bar.find.Size().Height {
		t.Errorf("the bar is %v high, the view begins at %v", bar.find.Size().Height, v.Position().Y)
	}
	test.Type(bar.field, "one")
	if bar.count.Text != "1 of 2" {
		t.Errorf("count is %q", bar.count.Text)
	}
	keys(bar.field, fyne.KeyReturn)
	if bar.count.Text != "2 of 2" || v.caret.row != 2 {
		t.Errorf("after Enter %q, row %d", bar.count.Text, v.caret.row)
	}
	withShift(bar.field, fyne.KeyReturn)
	if bar.count.Text != "1 of 2" {
		t.Errorf("after Shift+Enter %q", bar.count.Text)
	}
	test.Type(bar.field, "x")
	if bar.count.Text != "not found" {
		t.Errorf("count is %q", bar.count.Text)
	}
	keys(bar.field, fyne.KeyEscape)
	if bar.find.Visible() || !v.Focused() || v.query != "" {
		t.Error("Esc does not close the bar")
	}
	v.DoubleTapped(&fyne.PointEvent{Position: v.at(2, 13)})
	ctrl(v, fyne.KeyF)
	if bar.field.Text != "two" {
		t.Errorf("the selected word is not searched: %q", bar.field.Text)
	}
}

func TestFindBarOfAnEditor(t *testing.T) {
	e := newEditor(t, "one\none")
	bar := NewFindBar(&e.View)
	w := test.NewTempWindow(t, bar.Object())
	w.Resize(fyne.NewSize(600, 300))
	ctrl(e, fyne.KeyF)
	test.Type(bar.field, "one")
	if bar.count.Text != "1 of 2" {
		t.Errorf("count is %q", bar.count.Text)
	}
	keys(bar.field, fyne.KeyEscape)
	if w.Canvas().Focused() != e {
		t.Error("Esc does not give the keyboard back to the editor")
	}
}
