package ui

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"mcploupe/protocol"
	"mcploupe/ui/textview"
	"mcploupe/ui/theme"
	"mcploupe/ui/widget"
)

// textBox shows a text of any size that came from a peer, in a text view that
// can be selected, searched and copied. It does nothing when the text stays the
// same. What strings of the text hold opens in its place, with a way back.
type textBox struct {
	env    *Env
	text   *textview.View
	finder *textview.FindBar
	stage  *fyne.Container // the text, or what was opened from it
	inner  []*innerBox     // opened one from another
	root   *fyne.Container
	shown  string
	empty  bool // shown says nothing about what is shown
	turn   int  // of setting, so that a late index of an older text is dropped

	problems []protocol.Problem
	tail     bool   // the end is what matters
	sought   string // is shown in the text as soon as that is there
}

// firstLook is how much of a long text is shown at once, before its index is
// built.
const firstLook = 16 << 10

// boxHeight is the height of a box that stands in a page which scrolls.
const boxHeight = 150

func newTextBox(title string, env *Env) *textBox {
	b := &textBox{env: env, text: textview.New(), empty: true}
	b.text.SetMode(textview.Raw)
	b.text.Run = env.run
	env.keepLook(b.text)
	b.text.OnOpen = func(v textview.Value, c textview.Content) { b.open(b.text, v, c) }
	b.finder = textview.NewFindBar(b.text)
	b.stage = container.NewStack(b.finder.Object())
	framed := container.New(&fixedHeight{boxHeight}, b.stage)
	if title == "" {
		b.root = container.NewStack(b.stage)
	} else {
		b.root = widget.Border(heading(title), nil, nil, nil, framed)
		b.root.Hide()
	}
	return b
}

// object is the box for a page, with its title; it is hidden while it is empty.
func (b *textBox) object() fyne.CanvasObject { return b.root }

// view is the text alone, for a place that gives it its size.
func (b *textBox) view() fyne.CanvasObject { return b.stage }

// set shows a text.
func (b *textBox) set(text string) {
	if b.shown == text && !b.empty {
		return
	}
	b.shown, b.empty = text, false
	b.put([]byte(text), nil)
	hide := text == ""
	if b.root.Visible() == hide {
		setHidden(b.root, hide)
	}
}

// setOr shows a text, or another when it is empty.
func (b *textBox) setOr(text, empty string) {
	if text == "" {
		text = empty
	}
	b.set(text)
}

// setBytes shows a text with the places of its problems marked. A long one is
// indexed in the background.
func (b *textBox) setBytes(raw []byte, problems []protocol.Problem) {
	b.shown, b.empty = "", true
	b.put(raw, problems)
}

// peek shows the beginning of a text that is still being read.
func (b *textBox) peek(first []byte) {
	b.shown, b.empty = "", true
	b.turn++
	b.problems = nil
	b.closeInner(0)
	b.text.SetBytes(first[:min(len(first), firstLook)])
}

func (b *textBox) put(raw []byte, problems []protocol.Problem) {
	b.turn++
	b.problems = problems
	b.closeInner(0)
	if b.text.SetBytes(raw) {
		b.placed()
		return
	}
	b.text.SetBytes(raw[:firstLook]) // something to read until the index is there
	turn := b.turn
	b.env.Go(func(ctx context.Context) {
		index, err := textview.Build(ctx, raw)
		b.env.Do(func() {
			if turn != b.turn {
				return
			}
			if err != nil {
				b.text.SetBytes([]byte("This text cannot be shown: " + err.Error()))
				return
			}
			b.text.SetIndex(index)
			b.placed()
		})
	})
}

// seek marks a text and shows its first place, unless the person searches this
// text for another; "" takes the marks away. What has been asked for and is not
// there yet is sought when it is.
func (b *textBox) seek(text string) {
	if b.finder.Searching() {
		return
	}
	b.sought = text
	b.text.Find(text)
}

func (b *textBox) placed() {
	if b.sought != "" && !b.finder.Searching() {
		b.text.Seek(b.sought)
	}
	if len(b.problems) > 0 {
		b.text.SetProblems(b.problems)
	}
	if b.tail {
		b.text.ScrollEnd()
	}
}

// fixedHeight gives its one object a height of its own.
type fixedHeight struct{ height float32 }

// Layout implements fyne.Layout.
func (l *fixedHeight) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		o.Move(fyne.NewPos(0, 0))
		o.Resize(size)
	}
}

// MinSize implements fyne.Layout.
func (l *fixedHeight) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(50, theme.Scaled(l.height))
}
