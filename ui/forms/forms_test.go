package forms

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"mcploupe/protocol/schema"
	look "mcploupe/ui/theme"
	"mcploupe/ui/view/fields"
)

// desk is a form in a window.
type desk struct {
	testing.TB
	v       *View
	f       *schema.Form
	w       fyne.Window
	changed int
	sent    int
}

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func open(t testing.TB, text string, width, height float32) *desk {
	t.Helper()
	test.NewTempApp(t)
	fyne.CurrentApp().Settings().SetTheme(look.New(look.Options{Mode: look.Light}))
	s, _ := schema.Compile([]byte(text))
	d := &desk{TB: t, f: schema.NewForm(s)}
	d.v = New(d.f, Options{
		Clipboard:  fyne.CurrentApp().Clipboard(),
		ChooseFile: func(done func(string, []byte)) { done("a.bin", []byte{1, 2, 3}) },
		Now:        func() time.Time { return noon },
	})
	d.v.OnChanged = func() { d.changed++ }
	d.v.OnSubmit = func() { d.sent++ }
	d.w = test.NewTempWindow(t, d.v.Object())
	d.w.SetPadded(false)
	d.w.Resize(fyne.NewSize(width, height))
	return d
}

// member opens a form of one optional member "x".
func member(t testing.TB, text string) *desk {
	t.Helper()
	return open(t, `{"type":"object","additionalProperties":false,"properties":{"x":`+text+`}}`, 600, 500)
}

func (d *desk) node(pointer string) *schema.Node {
	d.Helper()
	n := d.f.Root().At(pointer)
	if n == nil {
		d.Fatalf("no node %q in %s", pointer, d.f.Text())
	}
	return n
}

// box is the built line of a node, focused.
func (d *desk) box(pointer string) *box {
	d.Helper()
	d.v.Reveal(pointer)
	l := d.v.area.find(d.node(pointer))
	if l == nil || l.box == nil {
		d.Fatalf("no line for %q", pointer)
	}
	return l.box
}

func (d *desk) typing(text string) {
	d.Helper()
	for _, r := range text {
		f := d.w.Canvas().Focused()
		if f == nil {
			d.Fatalf("nothing has the keyboard while typing %q", text)
		}
		f.TypedRune(r)
	}
}

func (d *desk) key(name fyne.KeyName) {
	d.Helper()
	f := d.w.Canvas().Focused()
	if f == nil {
		d.Fatalf("nothing has the keyboard for %s", name)
	}
	f.TypedKey(&fyne.KeyEvent{Name: name})
}

func (d *desk) shortcut(s fyne.Shortcut) {
	d.Helper()
	d.w.Canvas().Focused().(fyne.Shortcutable).TypedShortcut(s)
}

func (d *desk) want(text string) {
	d.Helper()
	if got := d.f.Text(); got != text {
		d.Errorf("form is %s, want %s", got, text)
	}
}

// tap clicks the middle of an object where it stands in the window.
func (d *desk) tap(o fyne.CanvasObject) { d.tapAt(o, o.Size().Width/2, o.Size().Height/2) }

func (d *desk) tapAt(o fyne.CanvasObject, x, y float32) {
	d.Helper()
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(o)
	test.TapCanvas(d.w.Canvas(), at.AddXY(x, y))
}

// menu does what an entry of a field's menu says.
func (d *desk) menu(pointer string, verb fields.Verb) {
	d.Helper()
	b := d.box(pointer)
	for _, a := range fields.Actions(b.node) {
		if a.Verb == verb {
			b.do(a)
			return
		}
	}
	d.Fatalf("no action %d for %s", verb, pointer)
}

func TestTypingText(t *testing.T) {
	d := member(t, `{"type":"string"}`)
	d.box("/x")
	d.typing("Oslo")
	d.want(`{"x":"Oslo"}`)
	if d.changed != 4 {
		t.Errorf("OnChanged was called %d times for 4 keys", d.changed)
	}
	for range 4 {
		d.key(fyne.KeyBackspace)
	}
	d.want(`{}`)
	d.menu("/x", fields.EmptyText)
	d.want(`{"x":""}`)
	d.menu("/x", fields.Null)
	d.want(`{"x":null}`)
	d.menu("/x", fields.NotSent)
	d.want(`{}`)
}

// BASE-24: a number is the text that was typed.
func TestTypingNumbersKeepsTheText(t *testing.T) {
	d := member(t, `{"type":"number"}`)
	b := d.box("/x")
	d.typing("1.50e+00")
	d.want(`{"x":1.50e+00}`)
	d.key(fyne.KeyBackspace)
	d.key(fyne.KeyBackspace)
	if got := b.control.(*textField).entry.Text; got != "1.50e+" {
		t.Errorf("entry holds %q", got)
	}
	if s := d.node("/x").State(); s != schema.StateDraft {
		t.Errorf("state %v of a number that does not parse", s)
	}
	d.v.Refresh()
	d.typing("7")
	d.want(`{"x":1.50e+7}`)
}

func TestCheckHasThreeStates(t *testing.T) {
	d := member(t, `{"type":"boolean"}`)
	b := d.box("/x")
	for _, want := range []string{`{"x":true}`, `{"x":false}`, `{}`, `{"x":true}`} {
		d.tapAt(b.control.object(), 10, 10)
		d.want(want)
	}
	d.key(fyne.KeySpace)
	d.want(`{"x":false}`)
	r := open(t, `{"type":"object","required":["x"],"properties":{"x":{"type":"boolean"}}}`, 600, 300)
	r.box("/x")
	for _, want := range []string{`{"x":true}`, `{"x":false}`, `{"x":true}`} {
		r.key(fyne.KeySpace)
		r.want(want)
	}
}

func TestStripChoosesByMouseAndKey(t *testing.T) {
	d := member(t, `{"enum":["C","F",3]}`)
	s := d.box("/x").control.(*choiceStrip).strip
	d.tapAt(s, s.items[1].x+5, s.items[1].y+8)
	d.want(`{"x":"F"}`)
	d.key(fyne.KeyRight)
	d.want(`{"x":3}`)
	d.key(fyne.KeyHome)
	d.want(`{"x":"C"}`)
}

func TestChecksChooseSeveral(t *testing.T) {
	d := member(t, `{"type":"array","items":{"enum":["r","g","b"]}}`)
	s := d.box("/x").control.(*choiceStrip).strip
	d.tapAt(s, s.items[2].x+5, s.items[2].y+8)
	d.tapAt(s, s.items[0].x+5, s.items[0].y+8)
	d.want(`{"x":["b","r"]}`)
	d.key(fyne.KeyRight)
	d.key(fyne.KeySpace)
	d.want(`{"x":["b","r","g"]}`)
	d.tapAt(s, s.items[2].x+5, s.items[2].y+8)
	d.want(`{"x":["r","g"]}`)
}

func enum(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"e%d",`, i)
	}
	return `[` + strings.TrimSuffix(b.String(), ",") + `]`
}

func TestPickFromALongList(t *testing.T) {
	d := member(t, `{"enum":`+enum(5000)+`}`)
	d.box("/x")
	d.typing("4") // opens with a filter
	d.typing("99")
	d.key(fyne.KeyDown)
	d.key(fyne.KeyReturn)
	d.want(`{"x":"e1499"}`)
	if top := d.w.Canvas().Overlays().Top(); top != nil {
		t.Error("the list is still open")
	}
	p := d.box("/x").control.(*choicePick).pick
	if d.w.Canvas().Focused() != fyne.Focusable(p) || p.text != "e1499" {
		t.Errorf("after choosing, %T has the keyboard and the field shows %q", d.w.Canvas().Focused(), p.text)
	}
	d.key(fyne.KeyDown)
	d.key(fyne.KeyEscape)
	d.want(`{"x":"e1499"}`)
}

func TestPickByMouse(t *testing.T) {
	d := member(t, `{"enum":`+enum(8)+`}`)
	p := d.box("/x").control.(*choicePick).pick
	d.tap(p)
	hit := find[*rowHit](d.w.Canvas().Overlays().Top())
	if hit == nil {
		t.Fatal("no list is open")
	}
	d.tapAt(hit, 30, hit.ch.list.RowTop(3)+5)
	d.want(`{"x":"e3"}`)
}

func TestPickSeveralCountsAgainstBounds(t *testing.T) {
	d := member(t, `{"type":"array","minItems":2,"items":{"enum":`+enum(60)+`}}`)
	d.box("/x")
	d.key(fyne.KeyReturn)
	hit := find[*rowHit](d.w.Canvas().Overlays().Top())
	d.typing("7")
	d.key(fyne.KeyReturn)
	if got := hit.ch.count.Text; got != "1 chosen, at least 2  ·  6 of 60" {
		t.Errorf("the list says %q", got)
	}
	d.key(fyne.KeyDown)
	d.key(fyne.KeyReturn)
	d.want(`{"x":["e7","e17"]}`)
	d.key(fyne.KeyUp)
	d.key(fyne.KeyReturn)
	d.want(`{"x":["e17"]}`)
}

// find is the first object of a type in a tree.
func find[T fyne.CanvasObject](o fyne.CanvasObject) T {
	var found T
	walk(o, func(o fyne.CanvasObject, _ fyne.Position) bool {
		if x, ok := o.(T); ok {
			found = x
			return true
		}
		return false
	})
	return found
}

// walk visits the visible objects of a tree with their places, until f is true.
func walk(o fyne.CanvasObject, f func(fyne.CanvasObject, fyne.Position) bool) bool {
	return walkFrom(o, fyne.Position{}, f)
}

func walkFrom(o fyne.CanvasObject, at fyne.Position, f func(fyne.CanvasObject, fyne.Position) bool) bool {
	if o == nil || !o.Visible() {
		return false
	}
	at = at.Add(o.Position())
	if f(o, at) {
		return true
	}
	var inside []fyne.CanvasObject
	switch x := o.(type) {
	case *fyne.Container:
		inside = x.Objects
	case fyne.Widget:
		inside = test.WidgetRenderer(x).Objects()
	}
	for _, c := range inside {
		if walkFrom(c, at, f) {
			return true
		}
	}
	return false
}

func TestDates(t *testing.T) {
	d := member(t, `{"type":"string","format":"date"}`)
	f := d.box("/x").control.(*dateField)
	d.typing("2026-02-3")
	d.want(`{"x":"2026-02-3"}`)
	d.tap(f.button)
	calendar := d.w.Canvas().Overlays().Top()
	if calendar == nil {
		t.Fatal("no calendar is open")
	}
	tapText(d, calendar, "17")
	d.want(`{"x":"2026-11-17"}`)
	d.tap(f.button)
	tapText(d, d.w.Canvas().Overlays().Top(), "18")
	d.want(`{"x":"2026-11-18"}`)
}

// tapText clicks a text in a tree.
func tapText(d *desk, o fyne.CanvasObject, text string) {
	d.Helper()
	var at fyne.Position
	if !walk(o, func(o fyne.CanvasObject, p fyne.Position) bool {
		x, ok := o.(*canvas.Text)
		at = p
		return ok && x.Text == text
	}) {
		d.Fatalf("no text %q", text)
	}
	test.TapCanvas(d.w.Canvas(), at.AddXY(3, 3))
}

func TestDatesByKey(t *testing.T) {
	d := member(t, `{"type":"string","format":"date"}`)
	e := d.box("/x").control.(*dateField).entry
	d.key(fyne.KeyUp)
	d.want(`{"x":"2026-11-30"}`)
	d.key(fyne.KeyUp)
	d.want(`{"x":"2026-12-01"}`)
	d.key(fyne.KeyF4)
	d.key(fyne.KeyPageDown)
	d.want(`{"x":"2026-11-01"}`)
	d.key(fyne.KeyEscape)
	if d.w.Canvas().Overlays().Top() != nil || d.w.Canvas().Focused() != fyne.Focusable(e) {
		t.Errorf("after Esc, %T has the keyboard", d.w.Canvas().Focused())
	}
	e.CursorColumn = len(e.Text)
	d.key(fyne.KeyBackspace)
	d.key(fyne.KeyUp)
	d.want(`{"x":"2026-11-0"}`)
}

func TestDateTimeKeepsWhatWasWritten(t *testing.T) {
	d := member(t, `{"type":"string","format":"date-time"}`)
	f := d.box("/x").control.(*dateField)
	d.typing("2026-02-03T04:05:06.789+05:45")
	f.open()
	tapText(d, d.w.Canvas().Overlays().Top(), "17")
	d.want(`{"x":"2026-02-17T04:05:06.789+05:45"}`)
	tapText(d, d.w.Canvas().Overlays().Top(), "Now")
	d.want(`{"x":"2026-11-30T12:00:00Z"}`)
}

func TestFileBecomesBase64(t *testing.T) {
	d := member(t, `{"type":"string","contentEncoding":"base64"}`)
	f := d.box("/x").control.(*fileField)
	d.typing("AQ")
	d.want(`{"x":"AQ"}`)
	d.tap(f.choose)
	d.want(`{"x":"AQID"}`)
	if got := f.brief.text; got != "a.bin · 3 B in base64" || f.entry.Visible() {
		t.Errorf("the field says %q", got)
	}
}

func TestJSONField(t *testing.T) {
	d := member(t, `{}`)
	d.box("/x")
	d.typing(`{"a": 1.0`)
	if s := d.node("/x").State(); s != schema.StateDraft {
		t.Errorf("state %v of JSON that does not parse", s)
	}
	d.typing(`}`)
	d.want(`{"x":{"a":1.0}}`)
	d.menu("/x", fields.NotSent)
	d.want(`{}`)
	if e := d.box("/x").control.(*editField).editor; e.Text() != "" {
		t.Errorf("the editor still holds %q", e.Text())
	}
}

func TestFixedValue(t *testing.T) {
	d := member(t, `{"const":{"a":1}}`)
	d.box("/x")
	d.key(fyne.KeySpace)
	d.want(`{"x":{"a":1}}`)
	d.key(fyne.KeySpace)
	d.want(`{}`)
}

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

func TestListRows(t *testing.T) {
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

func TestTuple(t *testing.T) {
	d := member(t, `{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],"items":false}`)
	d.box("/x")
	d.key(fyne.KeyReturn)
	d.typing("a")
	d.v.Reveal("/x/1")
	d.typing("2")
	d.want(`{"x":["a",2]}`)
}

func TestMapRows(t *testing.T) {
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

// TOOL-13, ELIC-12: branches of a oneOf are picked, and what both have stays.
func TestVariants(t *testing.T) {
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

func TestTypesToPick(t *testing.T) {
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
