package forms

import (
	"os"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"mcploupe/protocol/schema"
	"mcploupe/ui/view/fields"
)

func TestTypingText(t *testing.T) { // C48
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

// A number is the text that was typed.
func TestTypingNumbersKeepsTheText(t *testing.T) { // C62, C63, C64, P12
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

func TestCheckHasThreeStates(t *testing.T) { // C46, P14
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

func TestPickSeveralCountsAgainstBounds(t *testing.T) { // E98
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

// ELIC-10, ELIC-11, ELIC-12: the question of a real server comes up with its
// defaults, and every field of it has a control of its own.
func TestElicitation(t *testing.T) { // E106
	raw, err := os.ReadFile("../../protocol/schema/testdata/elicitation/npm-everything.json")
	if err != nil {
		t.Fatal(err)
	}
	d := open(t, string(schemasIn(raw)[0]), 620, 900)
	d.want(`{"firstLine":"It was a dark and stormy night.","integer":42,"number":3.14,"untitledSingleSelectEnum":"Monica",` +
		`"untitledMultipleSelectEnum":["Guitar"],"titledSingleSelectEnum":"hero-1","titledMultipleSelectEnum":["fish-1"],"legacyTitledEnum":"pet-1"}`)
	want := map[string]fields.Control{
		"name": fields.Entry, "check": fields.Check, "firstLine": fields.Entry, "email": fields.Entry, "homepage": fields.Entry,
		"birthdate": fields.Date, "integer": fields.Number, "number": fields.Number, "untitledSingleSelectEnum": fields.Pick,
		"untitledMultipleSelectEnum": fields.Checks, "titledSingleSelectEnum": fields.Strip, "titledMultipleSelectEnum": fields.Checks,
		"legacyTitledEnum": fields.Pick,
	}
	for name, control := range want {
		if b := d.box("/" + name); b.kind != control {
			t.Errorf("%s has control %d, want %d", name, b.kind, control)
		}
	}
	d.box("/email")
	d.typing("x@")
	if got := d.box("/email").caption.error; got != "must be an e-mail address such as name@example.com" {
		t.Errorf("a wrong address is called %q", got)
	}
	s := d.box("/untitledMultipleSelectEnum").control.(*choiceStrip).strip
	for i := 1; i < 4; i++ {
		s.pick(i)
	}
	if got := d.box("/untitledMultipleSelectEnum").caption.error; got == "" {
		t.Error("four of at most three are taken without a word")
	}
}

// Long JSON in a field is checked, elsewhere than on the drawing goroutine.
func TestLongJSONIsCheckedElsewhere(t *testing.T) {
	d := member(t, `{}`)
	var works []func() func()
	d.v = New(d.f, Options{Run: func(work func() func()) { works = append(works, work) }})
	d.w.SetContent(d.v.Object())
	e := d.box("/x").control.(*editField).editor
	e.SetText("[" + strings.Repeat("1,", 100_000) + "oops]")
	if _, _, _, bad := e.SyntaxError(); bad || len(works) != 1 {
		t.Fatalf("%d checks were asked for", len(works))
	}
	works[0]()()
	if line, col, _, bad := e.SyntaxError(); !bad || line != 1 || col < 200_000 {
		t.Errorf("fault at %d:%d, %v", line, col, bad)
	}
}

func TestRootHasAName(t *testing.T) {
	d := open(t, `{"type":"string"}`, 600, 300)
	if got := d.box("").labelText; got != "value" {
		t.Errorf("without a name: %q", got)
	}
	d.v.opt.Root = "arguments"
	if got := d.v.label(d.f.Root()); got != "arguments" {
		t.Errorf("label %q", got)
	}
	titled := open(t, `{"type":"string","title":"Count"}`, 600, 300)
	titled.v.opt.Root = "arguments"
	if got := titled.v.label(titled.f.Root()); got != "Count" {
		t.Errorf("label of one with a title: %q", got)
	}
}
