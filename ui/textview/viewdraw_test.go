package textview

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"mcploupe/protocol"
	look "mcploupe/ui/theme"
)

// drawnTexts returns what the canvas draws for a row, left to right.
func drawnTexts(p *painted) (out []string) {
	for _, t := range p.texts {
		if !t.Hidden {
			out = append(out, t.Text)
		}
	}
	return out
}

func TestHiddenCharactersAreDrawnAsMarks(t *testing.T) {
	v := newView(t, "{\"a\":\"x\u202ey\u200b\x00\xff\"}")
	if got := strings.Join(drawnTexts(slotOf(v, 1)), "|"); got != `  "a"|: |"x|‹U+202E›|y|‹ZWSP›|‹NUL›|‹xFF›|"` && got != `"a"|: |"x|‹U+202E›|y|‹ZWSP›|‹NUL›|‹xFF›|"` {
		t.Errorf("drawn as %s", got)
	}
	v.SelectAll()
	if !strings.Contains(v.SelectedText(), "x\u202ey\u200b\x00\xff") {
		t.Error("what is copied is not what is in the text")
	}
}

func TestEmojiKeepTheirStyle(t *testing.T) {
	v := newView(t, "{\"a\":\"⚠\ufe0f x\ufe0f\"}")
	if got := strings.Join(drawnTexts(slotOf(v, 1)), "|"); !strings.HasSuffix(got, "|⚠\ufe0f| x|‹U+FE0F›|\"") {
		t.Errorf("drawn as %q", got)
	}
}

func TestWideRunesAreMeasured(t *testing.T) {
	v := newView(t, `["日本語abc","xyz"]`)
	p := slotOf(v, 1)
	cell := v.font.Rune('0')
	wide := v.font.Rune('日')
	if got, want := colX(p.segs, v.font, 3+9), 3*cell+3*wide; got < want-0.01 || got > want+0.01 {
		t.Errorf("after three wide runes x is %v, want %v", got, want)
	}
	for col := range len(`  "日本語abc"`) {
		if (col-3)%3 != 0 && col > 3 && col < 12 {
			continue // inside a rune
		}
		if got := xCol(p.segs, v.font, colX(p.segs, v.font, col)); got != col {
			t.Errorf("byte %d is found at byte %d", col, got)
		}
	}
	texts := drawnTexts(p)
	if !slices.Contains(texts, "日本語") {
		t.Errorf("drawn as %q, want the wide runes by themselves", texts)
	}
}

func TestProblems(t *testing.T) {
	v := newView(t, small)
	v.SetProblems([]protocol.Problem{
		{Severity: protocol.Violation, Offset: strings.Index(small, "9007"), Text: "too large"},
		{Severity: protocol.Warning, Offset: strings.Index(small, `"echo"`), Text: "odd"},
		{Severity: protocol.Info, Offset: -1, Text: "nowhere"},
	})
	p := slotOf(v, 4)
	if p.remark.Text != "✖" || p.nOver != 1 {
		t.Errorf("row with a violation has mark %q and %d lines", p.remark.Text, p.nOver)
	}
	if x, want := p.over[0].Position().X, v.textX()+4*v.font.Rune('0'); x < want-0.1 || x > want+0.1 {
		t.Errorf("the line is at %v, want %v", x, want)
	}
	var got []string
	for _, at := range []fyne.Position{v.at(4, 5), v.at(1, 12), v.at(0, 0)} {
		v.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: at}})
		if v.tip.box.Hidden {
			got = append(got, "-")
		} else {
			got = append(got, v.tip.lines[0].Text)
		}
	}
	if fmt.Sprint(got) != "[violation  too large warning  odd -]" {
		t.Errorf("problems under the mouse: %v", got)
	}
	var clicked protocol.Problem
	v.OnProblem = func(p protocol.Problem) { clicked = p }
	v.press(fyne.NewPos(v.font.Rune('0'), v.at(4, 0).Y), 0)
	if clicked.Text != "too large" {
		t.Errorf("a click on the mark reports %+v", clicked)
	}
	v.Toggle(2)
	if p := slotOf(v, 2); p.remark.Text != "✖" {
		t.Error("a folded violation is not marked")
	}
}

func TestThemeChange(t *testing.T) {
	v := newView(t, small)
	before := slotOf(v, 1).texts[0].Color
	test.ApplyTheme(t, look.New(look.Options{Mode: look.Dark, Zoom: 1.5}))
	p := slotOf(v, 1)
	if p.texts[0].Color == before || p.texts[0].TextSize != look.Size(look.SizeMono) {
		t.Error("the text keeps the old look")
	}
	if v.RowHeight() != look.Size(look.SizeLine) {
		t.Errorf("rows are %v high", v.RowHeight())
	}
}
