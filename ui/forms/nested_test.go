package forms

import (
	"fmt"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"mcploupe/ui/view/fields"
)

func TestNestedObject(t *testing.T) {
	d := member(t, `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"object","properties":{"c":{"type":"integer"}}}}}`)
	d.box("/x")
	d.key(fyne.KeyReturn)
	d.typing("in a") // the first field inside has the keyboard
	d.want(`{"x":{"a":"in a"}}`)
	d.box("/x/b")
	d.key(fyne.KeyReturn)
	d.typing("7")
	d.want(`{"x":{"a":"in a","b":{"c":7}}}`)
	d.box("/x")
	d.key(fyne.KeyLeft)
	if l := d.v.area.find(d.node("/x/a")); l != nil {
		t.Error("a folded section shows what is in it")
	}
	d.v.Reveal("/x/b/c")
	d.typing("8")
	d.want(`{"x":{"a":"in a","b":{"c":87}}}`)
	d.menu("/x", fields.NotSent)
	d.want(`{}`)
	if d.w.Canvas().Focused() == nil {
		t.Error("the keyboard is lost with the section")
	}
}

func TestListRows(t *testing.T) { // P15
	d := member(t, `{"type":"array","items":{"type":"string"}}`)
	d.box("/x")
	d.key(fyne.KeyReturn)
	d.typing("one")
	adder := d.v.area.lines[len(d.v.area.lines)-1]
	d.tap(adder.box.control.object())
	d.typing("two")
	d.want(`{"x":["one","two"]}`)
	d.shortcut(&desktop.CustomShortcut{KeyName: fyne.KeyUp, Modifier: fyne.KeyModifierAlt})
	d.want(`{"x":["two","one"]}`)
	d.typing("!")
	d.want(`{"x":["two!","one"]}`)
	d.tap(d.box("/x/0").dn)
	d.want(`{"x":["one","two!"]}`)
	d.tap(d.box("/x/1").up)
	d.want(`{"x":["two!","one"]}`)
	d.tap(d.box("/x/0").rm)
	d.want(`{"x":["one"]}`)
	if f := d.w.Canvas().Focused(); f == nil {
		t.Error("the keyboard is lost with the row")
	}
}

func TestListOfObjects(t *testing.T) {
	d := member(t, `{"type":"array","items":{"type":"object","required":["a"],"properties":{"a":{"type":"integer"}}}}`)
	d.box("/x")
	d.key(fyne.KeyReturn)
	d.typing("1")
	d.want(`{"x":[{"a":1}]}`)
	d.menu("/x/0", fields.Remove)
	d.want(`{"x":[]}`)
}

func TestTuple(t *testing.T) { // P15
	d := member(t, `{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],"items":false}`)
	d.box("/x")
	d.key(fyne.KeyReturn)
	d.typing("a")
	d.v.Reveal("/x/1")
	d.typing("2")
	d.want(`{"x":["a",2]}`)
}

func TestMapRows(t *testing.T) { // P15
	d := member(t, `{"type":"object","additionalProperties":{"type":"integer"}}`)
	d.box("/x")
	d.key(fyne.KeyReturn)
	d.tap(d.v.area.lines[len(d.v.area.lines)-1].box.control.object())
	d.typing("speed")
	if got := d.f.Text(); got != `{"x":{"speed":}}` {
		t.Errorf("after naming, the form is %s", got)
	}
	d.w.Canvas().FocusNext()
	d.typing("12")
	d.want(`{"x":{"speed":12}}`)
	d.tap(d.v.area.lines[len(d.v.area.lines)-1].box.control.object())
	d.typing("speed")
	b := d.v.now.box
	if b.caption.error != "another member has this name" {
		t.Errorf("at a name that is taken the field says %q", b.caption.error)
	}
	d.typing("2")
	if b.caption.error == "another member has this name" {
		t.Error("a free name still counts as taken")
	}
	d.tap(b.rm)
	d.want(`{"x":{"speed":12}}`)
}

func TestExtraMembersOfAnObject(t *testing.T) {
	d := open(t, `{"type":"object","properties":{"a":{"type":"string"}}}`, 600, 300)
	d.tap(d.v.area.lines[1].box.control.object())
	d.typing("more")
	d.w.Canvas().FocusNext()
	d.typing(`[1]`)
	d.want(`{"more":[1]}`)
}

// Branches of a oneOf are picked, and what both have stays.
func TestVariants(t *testing.T) { // C56
	d := member(t, `{"oneOf":[
		{"title":"Card","type":"object","required":["kind"],"properties":{"kind":{"const":"card"},"note":{"type":"string"},"number":{"type":"string"}}},
		{"title":"Cash","type":"object","required":["kind"],"properties":{"kind":{"const":"cash"},"note":{"type":"string"}}}]}`)
	d.menu("/x", fields.SetStart)
	d.node("/x/note").SetText("n")
	d.node("/x/number").SetText("1")
	d.v.Refresh()
	p := d.box("/x").pickers[0]
	d.tap(p)
	d.key(fyne.KeyDown)
	d.key(fyne.KeyReturn)
	d.want(`{"x":{"kind":"cash","note":"n"}}`)
	if p.text != "Cash" {
		t.Errorf("the picker says %q", p.text)
	}
}

func TestTypesToPick(t *testing.T) { // C69, P15
	d := member(t, `{"type":["string","integer"]}`)
	b := d.box("/x")
	d.typing("12")
	d.want(`{"x":"12"}`)
	d.tap(b.pickers[0])
	d.key(fyne.KeyDown)
	d.key(fyne.KeyReturn)
	d.want(`{"x":12}`)
}

func TestChangesElsewhereAreShown(t *testing.T) {
	d := open(t, `{"type":"object","properties":{"s":{"type":"string"},"n":{"type":"integer"},"b":{"type":"boolean"},"e":{"enum":["x","y"]},
		"l":{"type":"array","items":{"type":"string"}},"j":{}}}`, 600, 700)
	if err := d.f.SetValue([]byte(`{"n":1.0,"s":"hello","e":"y","b":true,"l":["a","b"],"j":[1],"extra":null}`)); err != nil {
		t.Fatal(err)
	}
	d.v.Refresh()
	if d.changed != 0 {
		t.Error("OnChanged was called for a change that the person did not make in the form")
	}
	for pointer, want := range map[string]string{"/s": "hello", "/n": "1.0", "/l/1": "b"} {
		if got := d.box(pointer).control.(*textField).entry.Text; got != want {
			t.Errorf("%s shows %q, want %q", pointer, got, want)
		}
	}
	if c := d.box("/b").control.(*boolField).check; c.state != checkOn {
		t.Error("the check is not on")
	}
	if s := d.box("/e").control.(*choiceStrip).strip; !s.on[1] {
		t.Error("the choice is not on")
	}
	if e := d.box("/j").control.(*editField).editor; e.Text() != "[1]" {
		t.Errorf("the editor shows %q", e.Text())
	}
	d.box("/extra")
	d.want(`{"n":1.0,"s":"hello","e":"y","b":true,"l":["a","b"],"j":[1],"extra":null}`)
}

func TestRefreshWithoutChangesDoesNothing(t *testing.T) {
	d := member(t, `{"type":"string"}`)
	d.v.Refresh()
	if n := testing.AllocsPerRun(100, d.v.Refresh); n != 0 {
		t.Errorf("%v allocations for nothing", n)
	}
}

func TestRowsAreDragged(t *testing.T) { // P15
	d := member(t, `{"type":"array","items":{"type":"object","properties":{"a":{"type":"string"}}}}`)
	if err := d.f.SetValue([]byte(`{"x":[{"a":"0"},{"a":"1"},{"a":"2"},{"a":"3"}]}`)); err != nil {
		t.Fatal(err)
	}
	d.v.Refresh()
	a := d.v.area
	drag := func(from int, over float32, end bool) *grip {
		t.Helper()
		b := d.box(fmt.Sprintf("/x/%d", from))
		for range 4 { // in small steps, as a pointer does
			b.grip.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(5, 5+over/4)}, Dragged: fyne.NewDelta(0, over/4)})
		}
		if end {
			b.grip.DragEnd()
		}
		return b.grip
	}
	item := float32(a.tops[a.find(d.node("/x/1")).at] - a.tops[a.find(d.node("/x/0")).at])
	drag(0, 2.6*item, true) // into the lower half of the third
	d.want(`{"x":[{"a":"1"},{"a":"2"},{"a":"0"},{"a":"3"}]}`)
	drag(3, -10*item, true) // past the first
	d.want(`{"x":[{"a":"3"},{"a":"1"},{"a":"2"},{"a":"0"}]}`)
	drag(1, 100*item, true) // past the last
	d.want(`{"x":[{"a":"3"},{"a":"2"},{"a":"0"},{"a":"1"}]}`)
	changed := d.changed
	drag(1, 3, true)
	drag(1, -3, true)
	if d.want(`{"x":[{"a":"3"},{"a":"2"},{"a":"0"},{"a":"1"}]}`); d.changed != changed {
		t.Error("a row that was let go where it was counts as an edit")
	}
	g := drag(0, 1.6*item, false)
	if !a.target.Visible() || a.aim.to != 1 {
		t.Errorf("while a row is dragged its place is not shown: %v, %+v", a.target.Visible(), a.aim)
	}
	d.node("/x").Children()[0].Remove() // meanwhile, from elsewhere
	d.v.Refresh()
	g.DragEnd()
	d.want(`{"x":[{"a":"2"},{"a":"0"},{"a":"1"}]}`)
	if a.draw(); a.target.Visible() {
		t.Error("the place stays in sight")
	}
	alone := member(t, `{"type":"array","items":{"type":"string"}}`)
	if err := alone.f.SetValue([]byte(`{"x":["only"]}`)); err != nil {
		t.Fatal(err)
	}
	alone.v.Refresh()
	if alone.box("/x/0").grip.Visible() {
		t.Error("a row that is alone can be dragged")
	}
}
