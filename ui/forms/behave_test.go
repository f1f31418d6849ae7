package forms

import (
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"mcploupe/protocol/schema"
)

// big is a schema of n fields of all kinds and a select of 5,000 entries.
func big(n int) string {
	var b strings.Builder
	b.WriteString(`{"type":"object","properties":{"pick":{"enum":` + enum(5000) + `}`)
	for i := 1; i < n; i++ {
		switch i % 6 {
		case 0:
			fmt.Fprintf(&b, `,"f%d":{"type":"string","minLength":2,"description":"A text of two letters or more"}`, i)
		case 1:
			fmt.Fprintf(&b, `,"f%d":{"type":"integer","minimum":0,"maximum":1000,"default":5}`, i)
		case 2:
			fmt.Fprintf(&b, `,"f%d":{"type":["boolean","null"]}`, i)
		case 3:
			fmt.Fprintf(&b, `,"f%d":{"enum":["a","b","c"]}`, i)
		case 4:
			fmt.Fprintf(&b, `,"f%d":{"type":"array","items":{"enum":["a","b","c"]}}`, i)
		default:
			fmt.Fprintf(&b, `,"f%d":{"type":"object","properties":{"a":{"type":"string"}}}`, i)
		}
	}
	b.WriteString(`},"additionalProperties":false}`)
	return b.String()
}

func (d *desk) built() int {
	n := 0
	for _, l := range d.v.area.lines {
		if l.box != nil {
			n++
		}
	}
	return n
}

func TestOnlyWhatIsSeenIsBuilt(t *testing.T) {
	d := open(t, big(300), 600, 400)
	if n := d.built(); n > 20 {
		t.Errorf("%d lines of 300 are built for a window of 400 pixels", n)
	}
	for range 400 {
		d.v.area.scrollBy(50)
		if n := len(d.v.area.objects); n > 30 {
			t.Fatalf("%d objects are in the window", n)
		}
	}
	if top := d.v.area.top; top != d.v.area.maxTop() || top == 0 {
		t.Errorf("scrolled to %v of %v", top, d.v.area.maxTop())
	}
	last := d.v.area.lines[len(d.v.area.lines)-1]
	if bottom := last.box.object.Position().Y + last.box.h; bottom > d.v.area.Size().Height || bottom < d.v.area.Size().Height-2*bottomPad {
		t.Errorf("the last line ends at %v of %v", bottom, d.v.area.Size().Height)
	}
	d.v.area.scrollBy(-1e6)
	if y := d.v.area.lines[0].box.object.Position().Y; y != topPad {
		t.Errorf("back at the start the first line is at %v", y)
	}
}

func TestScrollingUpDoesNotJump(t *testing.T) {
	d := open(t, big(120), 380, 300)
	d.v.area.scrollBy(1e6)
	for d.v.area.top > 0 {
		anchor, off := d.v.area.anchor()
		y := d.v.area.tops[anchor.at] - d.v.area.top
		d.v.area.scrollBy(-17)
		if now := float64(anchor.box.object.Position().Y); anchor.box.object.Position().Y != outOfSight && d.v.area.top > 0 && now-y > 17.5 {
			t.Fatalf("line %d went from %v to %v by a step of 17 (%v)", anchor.at, y, now, off)
		}
	}
}

func TestTabGoesThroughAllFieldsInOrder(t *testing.T) {
	d := open(t, big(300), 600, 400)
	d.v.FocusFirst()
	for i, l := range d.v.area.lines {
		if d.v.now != l {
			t.Fatalf("after %d times Tab the keyboard is at %v", i, d.v.now)
		}
		y := l.box.object.Position().Y
		if y < 0 || y+l.box.h > d.v.area.Size().Height+1 {
			t.Fatalf("line %d has the keyboard at %v", i, y)
		}
		d.w.Canvas().FocusNext()
	}
	if d.v.now == nil || d.v.now.at != 0 {
		t.Errorf("Tab from the last field went to %v", d.v.now)
	}
	d.v.area.scrollBy(300)
	d.w.Canvas().FocusPrevious()
	if d.v.now == nil || d.v.now.at != len(d.v.area.lines)-1 {
		t.Errorf("Shift+Tab from the first field went to %v", d.v.now)
	}
	d.v.show(d.v.area.lines[150])
	d.v.area.scrollBy(-1e6)
	d.w.Canvas().FocusNext()
	if d.v.now == nil || d.v.now.at != 151 {
		t.Errorf("Tab from a field that was scrolled away went to %v", d.v.now)
	}
	d.v.area.scrollBy(1e6)
	d.w.Canvas().FocusPrevious()
	if d.v.now == nil || d.v.now.at != 150 {
		t.Errorf("Shift+Tab from a field that was scrolled away went to %v", d.v.now)
	}
}

func TestFocusAndCaretStayWhileTyping(t *testing.T) { // C58, C62
	d := open(t, `{"type":"object","properties":{"first":{"type":"string","minLength":5},"code":{"type":"string"}},
		"if":{"properties":{"code":{"const":"ab"}},"required":["code"]},
		"then":{"properties":{"added":{"type":"string"}},"required":["added"]}}`, 600, 400)
	e := d.box("/code").control.(*textField).entry
	for i, r := range "xab" {
		d.typing(string(r))
		if d.w.Canvas().Focused() != fyne.Focusable(e) || e.CursorColumn != i+1 {
			t.Fatalf("after %d letters the caret is at %d of %T", i+1, e.CursorColumn, d.w.Canvas().Focused())
		}
	}
	e.CursorColumn = 1
	d.key(fyne.KeyBackspace)
	if d.f.Root().Member("added") == nil {
		t.Fatalf("the condition does not hold: %s", d.f.Text())
	}
	if d.w.Canvas().Focused() != fyne.Focusable(e) || e.CursorColumn != 0 {
		t.Errorf("when a field came, the caret went to %d of %T", e.CursorColumn, d.w.Canvas().Focused())
	}
	d.typing("z")
	d.want(`{"code":"zab"}`)
}

func TestDraftsSurvive(t *testing.T) { // C58, C60
	d := open(t, big(300), 600, 300)
	d.box("/f1").control.(*textField).entry.SetText("")
	d.typing("1e")
	d.w.Canvas().Unfocus()
	d.v.area.scrollBy(1e6)
	for _, l := range d.v.area.lines[:10] {
		l.box = nil // as when many others were built
	}
	d.v.Refresh()
	b := d.box("/f1")
	if got := b.control.(*textField).entry.Text; got != "1e" {
		t.Errorf("the draft is %q", got)
	}
	if b.caption.error == "" {
		t.Error("a draft is shown without its problem")
	}
	if _, problems := d.f.Value(); len(problems) != 1 {
		t.Errorf("problems %v", problems)
	}
}

func TestErrorsShowOnceTouched(t *testing.T) { // P11
	d := open(t, `{"type":"object","required":["a","b"],"properties":{"a":{"type":"string"},"b":{"type":"string","minLength":3},"c":{"type":"string"}}}`, 600, 400)
	a, b := d.v.area.lines[0], d.v.area.lines[1]
	if a.box.caption.error != "" || b.box.caption.error != "" || d.v.summary.head.text != "2 fields to fill in" {
		t.Errorf("at first: %q %q %q", a.box.caption.error, b.box.caption.error, d.v.summary.head.text)
	}
	d.v.FocusFirst()
	d.w.Canvas().FocusNext() // leaves a empty
	if a.box.caption.error != "is required" || b.box.caption.error != "" {
		t.Errorf("after leaving a: %q %q", a.box.caption.error, b.box.caption.error)
	}
	d.typing("x")
	if b.box.caption.error != "must be at least 3 characters, has 1" || d.v.summary.head.text != "2 problems" {
		t.Errorf("while typing: %q %q", b.box.caption.error, d.v.summary.head.text)
	}
	d.typing("yz")
	if b.box.caption.error != "" || d.v.summary.head.text != "1 problem" {
		t.Errorf("when mended: %q %q", b.box.caption.error, d.v.summary.head.text)
	}
}

func TestShowAllShowsEveryProblem(t *testing.T) {
	d := open(t, `{"type":"object","required":["a"],"properties":{"a":{"type":"string"}}}`, 600, 400)
	d.v.ShowAll(true)
	if got := d.v.area.lines[0].box.caption.error; got != "is required" {
		t.Errorf("the field says %q", got)
	}
}

// A value that came with the form, or as JSON, is wrong before anybody has been
// at its field; what is not there yet is not.
func TestAWrongValueIsMarkedWhereverItCameFrom(t *testing.T) {
	d := open(t, `{"type":"object","required":["a","b"],"properties":{"a":{"type":"string"},"b":{"type":"integer","maximum":10,"default":12},"pad":{"type":"string"}}}`, 600, 400)
	if a, b := d.v.area.lines[0].box.caption.error, d.v.area.lines[1].box.caption.error; a != "" || b == "" {
		t.Errorf("what is missing says %q, what is wrong %q", a, b)
	}
	if got := d.v.summary.head.text; got != "2 problems" {
		t.Errorf("above it says %q", got)
	}
}

func TestErrorTakesThePlaceOfTheHelp(t *testing.T) {
	d := open(t, `{"type":"object","properties":{"a":{"type":"integer","description":"How many"},"b":{"type":"string"}}}`, 600, 400)
	before := d.v.area.tops[1]
	d.v.FocusFirst()
	d.typing("x")
	if d.v.area.lines[0].box.caption.error == "" || d.v.area.tops[1] != before {
		t.Errorf("the next field moved from %v to %v", before, d.v.area.tops[1])
	}
}

func TestRevealOpensAndFocuses(t *testing.T) {
	d := open(t, `{"type":"object","properties":{"pad":{"type":"array","items":{"type":"string"}},
		"o":{"type":"object","properties":{"list":{"type":"array","items":{"type":"object","properties":{"n":{"type":"integer"}}}}}}}}`, 500, 200)
	if err := d.f.SetValue([]byte(`{"pad":["1","2","3","4","5","6","7","8"],"o":{"list":[{},{"n":1.5}]}}`)); err != nil {
		t.Fatal(err)
	}
	d.v.Refresh()
	d.v.setFolded(d.node("/o"), true)
	d.v.Reveal(d.f.Problems()[0].Pointer)
	if d.v.now == nil || d.v.now.Node != d.node("/o/list/1/n") {
		t.Fatalf("the keyboard is at %v", d.v.now)
	}
	if y := d.v.now.box.object.Position().Y; y < 0 || y > d.v.area.Size().Height {
		t.Errorf("it is at %v", y)
	}
	d.v.Reveal("/o/list/1/none")
	if d.v.now == nil || d.v.now.Node != d.node("/o/list/1") {
		t.Errorf("for a place without a field, the keyboard is at %v", d.v.now)
	}
}

func TestRevealBeforeThereIsAWindow(t *testing.T) {
	test.NewTempApp(t)
	s, _ := schema.Compile([]byte(big(100)))
	v := New(schema.NewForm(s), Options{})
	v.Reveal("/f90")
	w := test.NewTempWindow(t, v.Object())
	w.Resize(fyne.NewSize(500, 300))
	if v.now == nil || v.now.Node.Name() != "f90" {
		t.Errorf("the keyboard is at %v", v.now)
	}
}

func TestSummaryJumps(t *testing.T) {
	d := open(t, `{"type":"object","required":["f90","f3"],`+big(100)[len(`{"type":"object",`):], 500, 300)
	d.tap(d.v.summary.text)
	if d.v.now == nil || d.v.now.Node.Name() != "f3" {
		t.Errorf("the first problem led to %v", d.v.now)
	}
	d.tap(d.v.summary.head)
	d.v.summary.list.Choose(1)
	if d.v.now == nil || d.v.now.Node.Name() != "f90" {
		t.Errorf("the second problem led to %v", d.v.now)
	}
	d.v.FocusFirst()
	d.key(fyne.KeyF8)
	d.key(fyne.KeyF8)
	if d.v.now == nil || d.v.now.Node.Name() != "f90" {
		t.Errorf("F8 twice led to %v", d.v.now)
	}
	d.key(fyne.KeyF8)
	if d.v.now == nil || d.v.now.Node.Name() != "f3" {
		t.Errorf("F8 from the last went to %v", d.v.now)
	}
}

func TestEnterAndSubmit(t *testing.T) {
	d := open(t, `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"boolean"},"c":{},"d":{"enum":["x","y"]},"body":{"type":"string"}}}`, 600, 600)
	ctrlEnter := &desktop.CustomShortcut{KeyName: fyne.KeyReturn, Modifier: fyne.KeyModifierControl}
	d.box("/a")
	d.typing("x")
	d.key(fyne.KeyReturn)
	d.want(`{"a":"x"}`)
	d.box("/body")
	d.typing("x")
	d.key(fyne.KeyReturn)
	d.want(`{"a":"x","body":"x\n"}`)
	if d.sent != 0 {
		t.Error("Enter alone submits")
	}
	for i, p := range []string{"/a", "/b", "/c", "/d", "/body"} {
		d.box(p)
		d.shortcut(ctrlEnter)
		if d.sent != i+1 {
			t.Errorf("Ctrl+Enter does nothing in %s", p)
		}
	}
	d.want(`{"a":"x","body":"x\n"}`)
}

func TestShortcutsOfTheWindowWorkInFields(t *testing.T) {
	d := open(t, `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"boolean"},"c":{"enum":["a","b"]}}}`, 600, 600)
	k := &desktop.CustomShortcut{KeyName: fyne.KeyK, Modifier: fyne.KeyModifierControl}
	called := 0
	d.v.forward = func(s fyne.Shortcut) {
		if s == fyne.Shortcut(k) {
			called++
		}
	}
	for i, p := range []string{"/a", "/b", "/c"} {
		d.box(p)
		d.shortcut(k)
		if called != i+1 {
			t.Errorf("Ctrl+K does nothing in %s", p)
		}
	}
}

func TestTabLeavesEditors(t *testing.T) {
	d := open(t, `{"type":"object","properties":{"a":{},"body":{"type":"string"},"b":{"type":"string"}}}`, 600, 600)
	d.box("/a")
	d.key(fyne.KeyTab)
	if d.v.now == nil || d.v.now.Node.Name() != "body" {
		t.Errorf("Tab in an editor led to %v", d.v.now)
	}
	if f := d.w.Canvas().Focused().(fyne.Tabbable); f.AcceptsTab() {
		t.Error("an entry of several lines keeps Tab for itself")
	}
}

func TestWheelScrollsTheFormOverEntries(t *testing.T) {
	d := open(t, big(100), 600, 300)
	e := d.box("/f1").control.object()
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(e).AddXY(20, 8)
	test.Scroll(d.w.Canvas(), at, 0, -20)
	if d.v.area.top == 0 {
		t.Error("the wheel over an entry does not scroll the form")
	}
}

func TestWheelOverAnEntryOfSeveralLinesScrollsTheFormWhereItsTextDoesNotMove(t *testing.T) {
	d := open(t, `{"type":"object","properties":{"body":{"type":"string","maxLength":5000},`+
		strings.TrimPrefix(big(100), `{"type":"object","properties":{`), 600, 300)
	b := d.box("/body")
	if e := find[*entry](b.object); e == nil || !e.MultiLine {
		t.Fatal("the body is not an entry of several lines")
	}
	d.typing("short")
	wheel := func(dy float32) {
		at := fyne.CurrentApp().Driver().AbsolutePositionForObject(b.control.object()).AddXY(20, 8)
		d.v.area.Scrolled(&fyne.ScrollEvent{PointEvent: fyne.PointEvent{AbsolutePosition: at}, Scrolled: fyne.NewDelta(0, dy)})
	}
	wheel(-20)
	if d.v.area.top == 0 {
		t.Error("a text that fits keeps the wheel from the form")
	}

	for range 30 {
		d.key(fyne.KeyReturn)
	}
	d.v.area.scrollBy(5 - d.v.area.top)
	e := find[*entry](b.object)
	was := e.inside.Offset.Y
	wheel(20)
	if e.inside.Offset.Y >= was {
		t.Errorf("the text stands at %v, want it above %v", e.inside.Offset.Y, was)
	}
	if d.v.area.top != 5 {
		t.Errorf("the wheel over a text that can move takes the form to %v", d.v.area.top)
	}
}

func TestPastingWhatAnEntryWouldSpoil(t *testing.T) {
	for name, text := range map[string]string{
		"line ends": "one\ntwo", "hidden": "a\u202eb", "long": strings.Repeat("word ", 20_000), "tab": "a\tb",
	} {
		t.Run(name, func(t *testing.T) {
			d := member(t, `{"type":"string"}`)
			d.box("/x")
			d.typing("[]")
			d.key(fyne.KeyLeft)
			fyne.CurrentApp().Clipboard().SetContent(text)
			d.shortcut(&fyne.ShortcutPaste{Clipboard: fyne.CurrentApp().Clipboard()})
			if got := d.node("/x").Text(); got != "["+text+"]" {
				t.Errorf("pasting gave %.40q", got)
			}
			d.typing("!")
			if got := d.node("/x").Text(); !strings.Contains(got, "!") {
				t.Error("after pasting nothing has the keyboard")
			}
		})
	}
}

// A form that moved from under the pointer would have the button let go over
// something else, which takes the keyboard away.
func TestFormHoldsStillUnderThePointerUntilTheButtonIsLetGo(t *testing.T) {
	var members []string
	for i := range 40 {
		members = append(members, fmt.Sprintf(`"m%02d":{"type":"string"}`, i))
	}
	d := open(t, `{"type":"object","properties":{`+strings.Join(members, ",")+`}}`, 600, 300)
	d.v.Reveal("/m20")
	a := d.v.area
	l := a.find(d.node("/m20"))
	a.scrollBy(a.tops[l.at] + float64(l.h)/2 - a.top) // half of it is above the edge
	d.w.Canvas().Unfocus()
	e := find[*entry](l.box.object)
	if e == nil {
		t.Fatal("the line has no entry")
	}
	before := a.top

	press := &desktop.MouseEvent{Button: desktop.MouseButtonPrimary}
	e.MouseDown(press)
	d.w.Canvas().Focus(e)
	if a.top != before {
		t.Errorf("the form went from %v to %v while the button was down", before, a.top)
	}
	e.MouseUp(press)
	if want := a.tops[l.at]; a.top != want {
		t.Errorf("after the button the form stands at %v, want the whole line at %v", a.top, want)
	}
	if d.w.Canvas().Focused() != fyne.Focusable(e) {
		t.Errorf("%v has the keyboard, want the entry", d.w.Canvas().Focused())
	}

	d.w.Canvas().Unfocus()
	a.scrollBy(float64(l.h) / 2)
	d.w.Canvas().Focus(e) // by the keyboard
	if want := a.tops[l.at]; a.top != want {
		t.Errorf("by the keyboard the form stands at %v, want %v", a.top, want)
	}
}

func TestFormHoldsStillUnderAPressedEditor(t *testing.T) {
	var members []string
	for i := range 40 {
		members = append(members, fmt.Sprintf(`"m%02d":{}`, i))
	}
	d := open(t, `{"type":"object","properties":{`+strings.Join(members, ",")+`}}`, 600, 300)
	if err := d.f.SetValue([]byte(`{"m20":[1]}`)); err != nil {
		t.Fatal(err)
	}
	d.v.Refresh()
	d.v.Reveal("/m20")
	a := d.v.area
	l := a.find(d.node("/m20"))
	a.scrollBy(a.tops[l.at] + float64(l.h)/2 - a.top) // half of it is above the edge
	d.w.Canvas().Unfocus()
	e := l.box.control.(*editField).editor
	before := a.top

	press := &desktop.MouseEvent{Button: desktop.MouseButtonPrimary}
	e.MouseDown(press)
	if a.top != before || d.w.Canvas().Focused() != fyne.Focusable(e) {
		t.Errorf("while the button is down the form goes from %v to %v, the keyboard is with %v", before, a.top, d.w.Canvas().Focused())
	}
	e.MouseUp(press)
	if want := a.tops[l.at]; a.top != want {
		t.Errorf("after the button the form stands at %v, want the whole line at %v", a.top, want)
	}
}
