package view

import "strings"

// KeyLine is a key and what it does.
type KeyLine struct {
	Where string // the part of the window, or the menu
	Keys  string // "Ctrl+Shift+N"
	Does  string
}

// KeyPage is the page of the keyboard with what is searched for in it. The zero
// value is an empty one.
type KeyPage struct {
	all   []KeyLine
	shown []int
	query string
}

// Set replaces the lines.
func (p *KeyPage) Set(lines []KeyLine) {
	p.all = lines
	p.apply()
}

// SetQuery shows the lines that hold every word of text. A key can be written as
// it is, such as ctrl+n.
func (p *KeyPage) SetQuery(text string) {
	p.query = text
	p.apply()
}

func (p *KeyPage) apply() {
	words := strings.Fields(strings.ToLower(p.query))
	p.shown = p.shown[:0]
next:
	for i, l := range p.all {
		text := strings.ToLower(l.Where + "\n" + l.Keys + "\n" + l.Does)
		for _, w := range words {
			if !strings.Contains(text, w) {
				continue next
			}
		}
		p.shown = append(p.shown, i)
	}
}

// Len is the number of lines that are shown, Total of all.
func (p *KeyPage) Len() int { return len(p.shown) }

// Total is the number of all lines.
func (p *KeyPage) Total() int { return len(p.all) }

// At is the i-th line that is shown. Where is "" when it is that of the line
// above.
func (p *KeyPage) At(i int) KeyLine {
	l := p.all[p.shown[i]]
	if i > 0 && p.all[p.shown[i-1]].Where == l.Where {
		l.Where = ""
	}
	return l
}
