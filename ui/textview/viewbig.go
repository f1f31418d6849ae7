package textview

import (
	"context"
	"slices"
)

const (
	// manyNodes is from how many nodes on folding is felt.
	manyNodes = 200_000
	// longValue is from how many bytes of a string on opening it is felt.
	longValue = 1 << 20
)

// much reports whether folding or opening a node is felt.
func (x *Index) much(n int) bool {
	nd := &x.nodes[n]
	return int(nd.after)-n > manyNodes || !nd.container() && nd.end-nd.start > longValue
}

// making is a layout that is being made away from the drawing goroutine.
type making struct {
	cancel context.CancelFunc // nil when there is none
}

// start ends what is being made and returns the context of the next.
func (m *making) start() context.Context {
	m.stop()
	ctx, cancel := context.WithCancel(context.Background())
	m.cancel = cancel
	return ctx
}

func (m *making) stop() {
	if m.cancel != nil {
		m.cancel()
	}
	*m = making{}
}

// slow reports whether making the layout would be felt and can be done elsewhere.
func (v *View) slow() bool {
	return v.Run != nil && v.editor == nil && (v.index.big() || len(v.index.nodes) > manyNodes)
}

// remake makes a pretty layout for the width of the window from the present one with change, elsewhere. It shows it and
// calls then, when nothing has come between.
func (v *View) remake(change func(p *prettyLayout), then func()) {
	ctx := v.making.start()
	from := *v.pretty
	p := &from
	p.owned, v.pretty.owned = false, false // both have the same lines, until one of them changes
	p.flips = slices.Clone(p.flips)
	p.forget()
	x, cols := v.index, v.cols
	v.Run(func() func() {
		change(p)
		if p.wrap != cols {
			p.wrap = cols
			p.rebuild()
		}
		return func() {
			if ctx.Err() != nil || v.index != x {
				return
			}
			v.making.stop()
			if v.Mode() == Pretty {
				v.swap(p)
				v.rewrap()
			} else {
				v.pretty = p
			}
			if then != nil {
				then()
			}
		}
	})
}

// rewrap makes the layout for the width of the window elsewhere, one at a time; until it is there rows keep the width
// they have.
func (v *View) rewrap() {
	if v.pretty.wrap != v.cols && v.making.cancel == nil {
		v.remake(func(*prettyLayout) {}, nil)
	}
}

// swap shows another pretty layout of the same text, with place, caret and selection kept.
func (v *View) swap(p *prettyLayout) {
	first, caret, anchor := v.firstOffset(), v.offsetOf(v.caret), v.offsetOf(v.anchor)
	v.pretty, v.layout, v.wide = p, p, 0
	v.SetCount(p.rows())
	v.caret, v.anchor = v.placeOf(caret), v.placeOf(anchor)
	v.SetPlace(rowAt(p, first), 0)
	v.Redraw(true)
}

// refold changes what is folded, elsewhere when it is much. The window stays where it was, the caret stands where it
// was or on what holds it folded. then, if not nil, is called when it is shown.
func (v *View) refold(much bool, change func(p *prettyLayout), then func()) {
	if much && v.Run != nil {
		v.remake(change, then)
		return
	}
	v.making.stop() // it has not seen this change
	first, caret := v.firstOffset(), v.offsetOf(v.caret)
	change(v.pretty)
	v.SetCount(v.layout.rows())
	v.caret = v.placeOf(caret)
	v.anchor = v.caret
	v.SetPlace(rowAt(v.layout, first), 0)
	v.Redraw(true)
	if v.slow() {
		v.rewrap()
	}
	if then != nil {
		then()
	}
}
