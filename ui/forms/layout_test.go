package forms

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/protocol/schema"
	look "mcploupe/ui/theme"
	"mcploupe/ui/view/fields"
	"mcploupe/ui/view/safe"
)

func TestHostileTextStaysInThePane(t *testing.T) {
	long := strings.Repeat("W", 3000)
	evil := `\u202e\u0000\u200b` + strings.Repeat(`x\ny `, 300)
	d := open(t, `{"type":"object","required":["a"],"description":"`+evil+`","properties":{
		"a":{"type":"string","title":"`+long+`","description":"`+evil+`","pattern":"`+long+`","default":"`+long+`","x-mcp-header":"`+long+`"},
		"`+long+`":{"type":"integer","title":"`+evil+`","minimum":1`+strings.Repeat("0", 900)+`,"format":"`+long+`"},
		"c":{"enum":["`+long+`","`+evil+`","b"],"description":"`+long+`"},
		"d":{"type":"array","items":{"enum":["`+long+`","`+evil+`"]}},
		"e":{"const":"`+evil+`","deprecated":true},
		"f":{"oneOf":[{"title":"`+long+`","type":"string"},{"title":"`+evil+`","type":"integer"}]},
		"g":{"type":"object","title":"`+long+`","properties":{"`+evil+`":{"type":"boolean"}}},
		"h":{"type":"string","examples":["`+evil+`"]}}}`, 400, 900)
	d.f.Root().Member("g").Enable()
	d.v.Refresh()
	d.v.ShowAll(true)
	if min := d.v.Object().MinSize(); min.Width > 200 || min.Height > 150 {
		t.Errorf("the form asks for %v", min)
	}
	if size := d.w.Canvas().Size(); size.Width != 400 {
		t.Errorf("the window grew to %v", size)
	}
	for step := 0; ; step++ {
		walk(d.v.Object(), func(o fyne.CanvasObject, p fyne.Position) bool {
			text, ok := o.(*canvas.Text)
			if !ok || p.Y < 0 {
				return false
			}
			if right := p.X + text.MinSize().Width; right > 402 && !inEntry(d, p) {
				t.Errorf("%.30q reaches to %v", text.Text, right)
			}
			if strings.ContainsFunc(text.Text, safe.Hidden) {
				t.Errorf("%.30q hides characters", text.Text)
			}
			return false
		})
		top := d.v.area.top
		d.v.area.scrollBy(300)
		if d.v.area.top == top {
			return
		}
	}
}

// inEntry reports whether a place is in an entry, which clips what it shows.
func inEntry(d *desk, at fyne.Position) bool {
	return walk(d.v.Object(), func(o fyne.CanvasObject, p fyne.Position) bool {
		_, ok := o.(*entry)
		size := o.Size()
		return ok && at.X >= p.X-1 && at.Y >= p.Y-1 && at.X < p.X+size.Width && at.Y < p.Y+size.Height
	})
}

func TestNothingOverlapsAtAnyWidth(t *testing.T) {
	text := `{"type":"object","required":["name"],"properties":{
		"name":{"type":"string","description":"A name"},"averyveryverylongname":{"type":["integer","null"],"minimum":2},
		"unit":{"enum":["alpha","beta","gamma"]},"flags":{"type":"array","items":{"enum":["one","two","three","four","five"]}},
		"id":{"anyOf":[{"type":"string"},{"type":"integer"}]},"when":{"type":"string","format":"date-time","deprecated":true},
		"list":{"type":"array","items":{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"array","items":{"type":"number"}}}}},
		"pay":{"oneOf":[{"title":"Card","type":"object","properties":{"n":{"type":"string"}}},{"title":"Cash","type":"object","properties":{}}]},
		"map":{"type":"object","additionalProperties":{"type":"string"}},"any":{},"file":{"type":"string","contentEncoding":"base64"}}}`
	for _, width := range []float32{350, 459, 461, 640, 1000, 1400} {
		d := open(t, text, width, 1600)
		if err := d.f.SetValue([]byte(`{"list":[{"a":"x","b":[1,2]},{}],"pay":{},"map":{"k":"v"}}`)); err != nil {
			t.Fatal(err)
		}
		d.v.Refresh()
		d.v.ShowAll(true)
		for _, l := range d.v.area.lines {
			if l.box == nil {
				continue
			}
			var parts []fyne.CanvasObject
			for _, o := range l.box.object.Objects {
				_, rect := o.(*canvas.Rectangle)
				_, over := o.(*hit)
				if o.Visible() && !rect && !over {
					parts = append(parts, o)
				}
			}
			for i, o := range parts {
				p, s := o.Position(), o.Size()
				if p.X < 0 || p.X+s.Width > width+1 || p.Y+s.Height > l.box.h+1 {
					t.Errorf("%v wide: %T of %s at %v %v leaves the line of %v", width, o, l.Node.Pointer(), p, s, l.box.h)
				}
				for _, q := range parts[i+1:] {
					if overlap(o, q) {
						t.Errorf("%v wide: in %s %T %v %v overlaps %T %v %v", width, l.Node.Pointer(), o, p, s, q, q.Position(), q.Size())
					}
				}
			}
		}
	}
}

func overlap(a, b fyne.CanvasObject) bool {
	const slack = 1.5
	p, q, s, r := a.Position(), b.Position(), a.Size(), b.Size()
	return p.X+s.Width > q.X+slack && q.X+r.Width > p.X+slack && p.Y+s.Height > q.Y+slack && q.Y+r.Height > p.Y+slack
}

func TestThemeChanges(t *testing.T) {
	d := open(t, big(20), 600, 400)
	d.box("/f1")
	d.typing("1")
	before := d.v.area.lines[0].box.label.Color
	fyne.CurrentApp().Settings().SetTheme(look.New(look.Options{Mode: look.Dark, Zoom: 1.5}))
	d.v.Object().Refresh()
	b := d.v.area.lines[0].box
	if b.label.Color == before || b.label.TextSize != look.Size("text") {
		t.Errorf("the label keeps colour %v or size %v", b.label.Color, b.label.TextSize)
	}
	if menu := d.v.area.lines[2].box.menu; menu.label.Text != menu.text || menu.text == "" {
		t.Errorf("the menu of a field says %q of %q", menu.label.Text, menu.text)
	}
	if got := d.node("/f1").Text(); got != "15" && got != "51" {
		t.Errorf("the value is %q", got)
	}
}

// Every schema of the corpus is drawn whole, and filled in through the form.
func TestCorpus(t *testing.T) {
	d := open(t, `{}`, 520, 500)
	files, err := filepath.Glob("../../protocol/schema/testdata/[te]*/*.json") // tools and elicitation
	if err != nil || len(files) == 0 {
		t.Fatal("no corpus ", err)
	}
	forms, total, asJSON := 0, 0, 0
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, tool := range schemasIn(raw) {
			s, _ := schema.Compile(tool)
			d.f = schema.NewForm(s)
			d.v = New(d.f, Options{})
			d.w.SetContent(d.v.Object())
			forms++
			if d.f.Root().Kind() == schema.KindJSON {
				t.Errorf("%s: a whole form as JSON: %s", filepath.Base(file), d.f.Root().Reason())
			}
			if v := schema.Generate(s); v != nil {
				if err := d.f.SetValue(v); err != nil {
					t.Fatal(err)
				}
				d.v.Refresh()
			}
			for i := 0; i < 200 && d.v.area.top < d.v.area.maxTop(); i++ {
				d.v.area.scrollBy(400)
			}
			for _, l := range d.v.area.lines {
				if l.Role == fields.Field {
					total++
					if k := l.Node.Kind(); k == schema.KindJSON {
						asJSON++
						t.Logf("%s %s is JSON: %s", filepath.Base(file), l.Node.Pointer(), l.Node.Reason())
					}
				}
			}
		}
	}
	t.Logf("%d forms, %d fields, %d as JSON", forms, total, asJSON)
}

// schemasIn finds the schemas of forms in a list of tools or of questions.
func schemasIn(v jsontext.Value) []jsontext.Value {
	var out []jsontext.Value
	switch v.Kind() {
	case '{':
		for name, value := range protocol.Members(v) {
			if name == "inputSchema" || name == "requestedSchema" {
				out = append(out, value)
			} else if value.Kind() == '{' || value.Kind() == '[' {
				out = append(out, schemasIn(value)...)
			}
		}
	case '[':
		for i := 0; ; i++ {
			item, _, ok := protocol.Lookup(v, fmt.Sprintf("/%d", i))
			if !ok {
				return out
			}
			out = append(out, schemasIn(item)...)
		}
	}
	return out
}

// What a section is, how much is in it and which variant was picked can be read
// at the widths that a form has beside its result.
func TestSectionHeadIsWholeBesideItsPicker(t *testing.T) {
	for _, width := range []float32{385, 470, 520, 600, 760, 1000} {
		d := open(t, `{"type":"object","properties":{"payment":{"title":"Payment method","required":["card"],"oneOf":[
			{"title":"By credit card","type":"object","minProperties":1,"properties":{"card":{"type":"string"}}},
			{"title":"Cash on delivery","type":"object","required":["note"],"properties":{"note":{"type":"string"}}}]}}}`, width, 500)
		if err := d.f.SetValue([]byte(`{"payment":{"card":"1"}}`)); err != nil {
			t.Fatal(err)
		}
		d.v.Refresh()
		b := d.box("/payment")
		if len(b.pickers) != 1 || b.l.Role != fields.Section {
			t.Fatalf("%d pickers, role %v", len(b.pickers), b.l.Role)
		}
		for _, text := range []*canvas.Text{b.label, b.note} {
			if strings.Contains(text.Text, "…") {
				t.Errorf("%v wide the head says %q", width, text.Text)
			}
		}
		if on := textsOf(b.object); !strings.Contains(on, "at least 1 member") {
			t.Errorf("%v wide it does not say how many members it needs:\n%s", width, on)
		}
		if p := b.pickers[0]; p.Size().Width < p.wide() {
			t.Errorf("%v wide the picker has %v of the %v it needs", width, p.Size().Width, p.wide())
		}
	}
}

// textsOf collects the visible texts of a line.
func textsOf(o fyne.CanvasObject) string {
	var b strings.Builder
	for _, x := range test.LaidOutObjects(o) {
		if t, ok := x.(*canvas.Text); ok && t.Visible() {
			b.WriteString(t.Text + "\n")
		}
	}
	return b.String()
}
