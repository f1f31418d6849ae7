package textview

import (
	"sort"
	"strconv"

	"fyne.io/fyne/v2"

	"mcploupe/protocol"
	"mcploupe/ui/rows"
	look "mcploupe/ui/theme"
)

// BeforeRows is for the area: it makes the layout for a new width.
func (v *View) BeforeRows() bool {
	changed := v.Mode() != Hex && v.columns() != v.cols
	if changed {
		v.refit(v.firstOffset())
	}
	v.setWide()
	return changed
}

// setWide lets the area scroll sideways over the widest row seen.
func (v *View) setWide() {
	if v.wide > v.ViewWidth() {
		v.SetContentWidth(v.wide)
	} else {
		v.SetContentWidth(0)
	}
}

// AfterRows is for the area: it places the caret.
func (v *View) AfterRows() {
	v.setWide()
	r := v.caretRect
	y := v.RowTop(v.caret.row)
	x := v.textX() + v.xOf(v.caret) - v.OffsetX()
	r.Hidden = !v.Focused() || y < -v.RowHeight() || y > v.Size().Height || x < v.gutter || x > v.ViewWidth()
	if !r.Hidden {
		r.Move(fyne.NewPos(x-0.5, y+1))
		r.Resize(fyne.NewSize(1.5, v.RowHeight()-2))
	}
}

func (v *View) textX() float32 { return v.gutter + textPad }

// xOf returns where a place is drawn, from the start of the text.
func (v *View) xOf(p pos) float32 {
	if p.col == 0 || p.row >= v.layout.rows() {
		return 0
	}
	v.segs = v.layout.segments(p.row, v.segs[:0])
	return colX(v.segs, v.font, p.col)
}

// RowKey is for the area: rows change only with a forced pass.
func (v *View) RowKey(i int) uint64 { return 0 }

// DrawRow is for the area.
func (v *View) DrawRow(s *rows.Slot, i int) {
	p, _ := s.Data.(*painted)
	if p == nil {
		p = newPainted()
		s.Data = p
	}
	p.segs = v.layout.segments(i, p.segs[:0])
	height := v.RowHeight()
	v.wide = max(v.wide, p.paintText(v.font, v.textX(), height)+textPad)
	v.drawGutter(p, i, height)
}

func (v *View) drawGutter(p *painted, i int, height float32) {
	width := v.gutter
	cell := v.font.Rune('0')
	p.gutterGround.FillColor = look.Color(v.ground)
	p.gutterGround.Resize(fyne.NewSize(width, height))
	number := ""
	if n := v.layout.number(i); n > 0 && v.want != Hex {
		number = strconv.Itoa(n)
	}
	beside := 2 * cell // room for the fold mark
	if v.editor != nil {
		beside = cell / 2
	}
	setGutterText(p.number, number, v.font, look.ColorMuted, width-textPad-beside-v.font.Width(number), height)
	fold := ""
	if v.Mode() == Pretty {
		if l := v.pretty.lines[i]; l.part() == 0 && v.pretty.foldable(l.node()) {
			if fold = "▾"; v.pretty.folded(l.node()) {
				fold = "▸"
			}
		}
	}
	setGutterText(p.fold, fold, v.font, look.ColorMuted, width-textPad-1.3*cell, height)
	mark, color := "", fyne.ThemeColorName(look.ColorMuted)
	if from, to := v.problemsOf(i); from < to {
		worst, _ := protocol.Worst(v.problems[from:to])
		mark, color = severityMark(worst)
	}
	setGutterText(p.remark, mark, v.font, color, 0.4*cell, height)
}

// severityMark returns a symbol and a colour for a severity.
func severityMark(s protocol.Severity) (string, fyne.ThemeColorName) {
	switch s {
	case protocol.Violation:
		return "✖", look.ColorFailed
	case protocol.Warning:
		return "▲", look.ColorWarning
	}
	return "●", look.ColorOut
}

// rawRange returns the raw bytes that row i shows, those folded into it included.
func (v *View) rawRange(i int) (from, to int) {
	from = v.layout.offset(i)
	if i+1 < v.layout.rows() {
		return from, v.layout.offset(i + 1)
	}
	return from, v.layout.size() + 1
}

// problemsOf returns which problems stand on row i.
func (v *View) problemsOf(i int) (from, to int) {
	if len(v.problems) == 0 {
		return 0, 0
	}
	lo, hi := v.rawRange(i)
	if i == 0 {
		lo = 0
	}
	from = sort.Search(len(v.problems), func(k int) bool { return v.problems[k].Offset >= lo })
	to = sort.Search(len(v.problems), func(k int) bool { return v.problems[k].Offset >= hi })
	return from, to
}

// DecorateRow is for the area: grounds, selection, hits and marks.
func (v *View) DecorateRow(s *rows.Slot, i int) {
	p := s.Data.(*painted)
	height, x0 := v.RowHeight(), v.textX()
	p.clearRects()
	p.gutter.Move(fyne.NewPos(v.OffsetX(), 0))
	p.ground.Hidden = !v.Focused() || i != v.caret.row || v.caret != v.anchor
	if !p.ground.Hidden {
		p.ground.FillColor = look.Color(look.ColorRowHover)
		p.ground.Resize(fyne.NewSize(v.RowWidth(), height))
	}
	if from, to := ordered(v.caret, v.anchor); from != to && i >= from.row && i <= to.row {
		left, right := float32(0), colX(p.segs, v.font, 1<<30)
		if i == from.row {
			left = colX(p.segs, v.font, from.col)
		}
		if i == to.row {
			right = colX(p.segs, v.font, to.col)
		} else if !v.layout.soft(i) {
			right += v.font.Rune('0') / 2 // the line end is selected too
		}
		p.rect(&p.under, &p.nUnder, look.ColorSelection, x0+left, 0, right-left, height)
	}
	v.decorateHits(p, i, x0, height)
	if v.editor != nil {
		v.editor.decorateBrackets(p, i, x0, height)
	}
	v.decorateProblems(p, i, x0, height)
	if p.grown {
		s.Box.Objects = p.objects()
		p.grown = false
	}
}

func (v *View) decorateHits(p *painted, i int, x0, height float32) {
	if len(v.hits.starts) == 0 {
		return
	}
	lo, hi := v.rawRange(i)
	for k := v.hits.from(lo); k < len(v.hits.starts) && int(v.hits.starts[k]) < hi; k++ {
		start := int(v.hits.starts[k])
		left, right, ok := spanOf(p.segs, start, start+v.hits.Length)
		if !ok {
			continue
		}
		color := look.ColorHit
		if k == v.hit {
			color = look.ColorHitCurrent
		}
		x, end := colX(p.segs, v.font, left), colX(p.segs, v.font, right)
		r := p.rect(&p.under, &p.nUnder, color, x0+x, 1, end-x, height-2)
		r.CornerRadius = 2
		if k == v.hit {
			r.StrokeWidth, r.StrokeColor = 1, look.Color(look.ColorWarning)
		}
	}
}

// spanOf returns the bytes of a row that show the raw bytes from..to-1.
func spanOf(segs []segment, from, to int) (left, right int, ok bool) {
	at := 0
	for i := range segs {
		s := &segs[i]
		if s.src >= 0 {
			lo, hi := max(from, s.src), min(to, s.src+len(s.text))
			if lo < hi {
				if !ok {
					left = at + lo - s.src
				}
				right, ok = at+hi-s.src, true
			}
		}
		at += len(s.text)
	}
	return left, right, ok
}

func (v *View) decorateProblems(p *painted, i int, x0, height float32) {
	from, to := v.problemsOf(i)
	for _, pr := range v.problems[from:to] {
		_, color := severityMark(pr.Severity)
		left, right := markSpan(p.segs, pr.Offset)
		x, end := colX(p.segs, v.font, left), colX(p.segs, v.font, right)
		p.rect(&p.over, &p.nOver, color, x0+x, height-2, max(end-x, v.font.Rune('0')/2), 1.5)
	}
}

// markSpan returns the bytes of a row below which a problem at offset is marked: the rest of the token it stands in, or
// all of the row.
func markSpan(segs []segment, offset int) (left, right int) {
	at := 0
	for _, s := range segs {
		if s.src >= 0 && offset >= s.src && offset < s.src+len(s.text) {
			return at + offset - s.src, at + len(s.text)
		}
		if !s.link {
			right += len(s.text)
		}
		at += len(s.text)
	}
	return 0, right
}
