package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"mcploupe/recorder/diff"
	"mcploupe/ui/compare"
	"mcploupe/ui/rows"
	"mcploupe/ui/view"
	"mcploupe/ui/view/human"
	"mcploupe/ui/widget"
)

// compareShown is what is drawn of a comparison, made away from the UI
// goroutine.
type compareShown struct {
	list    *view.ChangeList
	talk    *view.Alignment // nil without conversations
	faces   *view.Alignment
	entries []view.CompareEntry
}

// newCompareShown makes what is drawn of c. like, unless nil, is what was drawn
// before: the list is narrowed alike.
func newCompareShown(c *view.Comparison, like *compareShown) *compareShown {
	s := &compareShown{}
	if like != nil {
		s.list = like.list.Like(c)
	} else {
		s.list = view.NewChangeList(c)
	}
	s.faces, s.entries = view.AlignInterface(c)
	if c.Result.Conversation != nil {
		s.talk = view.AlignTalk(c)
	}
	return s
}

// compareBody is the outcome of a comparison: left the changes by verdict,
// middle both sides, right the texts.
type compareBody struct {
	p    *comparePage
	root *fyne.Container

	now    *compareShown
	of     *view.Comparison // that now is drawn from
	chips  map[view.ChangeWeight]*chip
	strip  *fyne.Container
	filter *keyedEntry
	area   *widget.Select
	list   *rows.View
	none   *fyne.Container // covers the list when nothing differs
	noneOf *widget.Label

	tabs  *tabStrip
	open  *widget.Check
	pairs *compare.Pairs
	drawn *view.Alignment // what pairs has the rows of
	talk  bool            // the conversations are shown, not the interfaces

	text   *compareTextPane
	splits *splits
}

func newCompareBody(p *comparePage) *compareBody {
	b := &compareBody{p: p, chips: map[view.ChangeWeight]*chip{}, splits: &splits{kept: p.u.splitOffset}, talk: true}
	b.text = newCompareTextPane(p)
	b.root = container.NewStack()
	left, middle := b.newList(), b.newPairs()
	inner := container.NewHSplit(middle, b.text.root)
	outer := container.NewHSplit(left, inner)
	b.splits.add("compare changes", outer, 0.28)
	b.splits.add("compare texts", inner, 0.46)
	b.root = widget.Border(container.NewVBox(p.head.root, widget.NewSeparator()), nil, nil, nil, outer)
	return b
}

// newPairs makes the middle part.
func (b *compareBody) newPairs() fyne.CanvasObject {
	b.tabs = newTabStrip(func(i int) { b.showTalk(i == 0 && b.now.talk != nil) }, nil)
	b.open = widget.NewCheck("Unfold", func(on bool) {
		if a := b.aligned(); a != nil && a.OpenedAll() != on {
			source := b.source()
			a.OpenAll(on)
			b.draw(a)
			b.reveal(source)
		}
	})
	b.pairs = compare.New(func(i int) compare.Pair { return pairOf(b.drawn.Row(i)) })
	b.pairs.SetPlaceholder("Nothing was said")
	b.pairs.OnSelect = b.choosePair
	b.pairs.OnActivate = func(int) { b.text.focus() }
	b.pairs.OnOpen = func(i int) {
		a := b.aligned()
		before := a.Len()
		a.Open(i)
		b.pairs.Update(i, 1, a.Len()-before+1)
		b.pairs.Select(i)
		b.choosePair(i)
	}
	b.pairs.OnKey = b.key
	b.pairs.OnRune = b.typed
	return widget.Border(widget.Border(nil, nil, nil, b.open, b.tabs), nil, nil, nil, b.pairs.Object())
}

// draw shows the rows of an alignment in the middle.
func (b *compareBody) draw(a *view.Alignment) {
	b.drawn = a
	b.pairs.Reset(a.Len())
}

// aligned is what the middle shows, nil for nothing.
func (b *compareBody) aligned() *view.Alignment {
	switch {
	case b.now == nil:
		return nil
	case b.talk && b.now.talk != nil:
		return b.now.talk
	}
	return b.now.faces
}

var pairLinks = map[view.PairKind]compare.Link{
	view.PairSame: compare.Same, view.PairChanged: compare.Changed, view.PairOnlyA: compare.OnlyLeft, view.PairOnlyB: compare.OnlyRight,
	view.PairMovedA: compare.Moved, view.PairMovedB: compare.Moved, view.PairUnread: compare.Unread,
}

// pairOf is a row as the widget takes it.
func pairOf(r view.PairRow) compare.Pair {
	if r.HeadingRow {
		return compare.Pair{Left: compare.Side{Text: r.A}, Title: true, Other: -1}
	}
	if r.Kind == view.PairFolded {
		return compare.Pair{Left: compare.Side{Text: r.Word}, Fold: true, Other: -1}
	}
	p := compare.Pair{Link: pairLinks[r.Kind], Sign: r.Kind.Glyph(), Color: toneName(r.Kind.Tone()), Word: r.Word, Other: r.Other}
	side := func(text, note string) compare.Side {
		return compare.Side{Text: text, Note: note, Glyph: r.Dir, Indent: r.Indent}
	}
	p.Left, p.Right = side(r.A, r.NoteA), side(r.B, r.NoteB)
	return p
}

// forget drops what reads in recordings that are going.
func (b *compareBody) forget() { b.text.stop() }

// set shows another outcome.
func (b *compareBody) set(c *view.Comparison, s *compareShown) {
	same := b.of != nil && c.Of(b.of.A.CompareSide, b.of.B.CompareSide)
	ref, was := c.Follow(b.of, b.text.ref), b.list.Current()
	b.of = c
	b.list.Reset(0) // no row of what was shown is drawn any more
	b.pairs.Reset(0)
	b.now = s
	nameA, nameB := view.TellApart(c.A.Name, c.B.Name)
	b.pairs.SetTitles("A  "+nameA, "B  "+nameB)
	b.text.clear()
	none := s.list.Total() == 0
	setHidden(b.none, !none)
	b.list.SetPlaceholder("No change of these kinds")
	if none {
		b.list.SetPlaceholder("")
		words := "Both offer the same."
		if s.talk != nil {
			words = "Both offer the same, and the same was said."
		}
		b.noneOf.SetText(words)
	}
	b.relist()
	if !same {
		b.talk = s.talk != nil && c.Result.Interface.Count(diff.Breaking) == 0
	}
	b.showTalk(b.talk)
	at := s.list.Find(ref)
	if at < 0 && same && was >= 0 { // the change is gone, as by a rule: the one that took its place
		at = s.list.Step(min(was, s.list.Len())-1, true)
	}
	if at < 0 {
		at = s.list.Step(-1, true)
	}
	if at >= 0 {
		b.mark(at)
		b.choose(at)
	}
}

// showTalk shows the conversations in the middle, or the interfaces.
func (b *compareBody) showTalk(on bool) {
	b.talk = on && b.now.talk != nil
	tabs := []stripTab{{Text: "Conversation"}, {Text: "Interface " + human.Count(len(b.now.entries))}}
	if b.now.talk != nil {
		tabs[0].Text += " " + human.Count(b.now.talk.Total())
	}
	at := 0
	if b.now.talk == nil {
		tabs = tabs[1:]
	} else if !b.talk {
		at = 1
	}
	b.tabs.Set(tabs, at)
	a := b.aligned()
	b.draw(a)
	b.open.SetChecked(a.OpenedAll())
	b.revealRef(b.text.ref)
}

// choose shows the change of a row of the list.
func (b *compareBody) choose(i int) {
	if i < 0 || b.now.list.Row(i).Heading {
		return
	}
	ref := b.now.list.Row(i).Ref
	if talk := ref.Row >= 0; talk != b.talk && (!talk || b.now.talk != nil) {
		b.text.ref = ref
		b.showTalk(talk)
	}
	b.revealRef(ref)
	b.text.show(ref)
}

// revealRef selects in the middle what a change is of.
func (b *compareBody) revealRef(ref view.ChangeRef) {
	switch {
	case ref.Row >= 0 && b.talk:
		b.reveal(ref.Row)
	case ref.Change >= 0 && !b.talk:
		for i, e := range b.now.entries {
			for _, n := range e.Changes {
				if n == ref.Change {
					b.reveal(i)
					return
				}
			}
		}
	case ref.Rename >= 0 && !b.talk:
		n := b.p.result.Result.Interface.Renames[ref.Rename]
		for i, e := range b.now.entries {
			if e.Area == n.Area && e.Name == n.From {
				b.reveal(i)
				return
			}
		}
	}
}

// reveal selects the row of a source in the middle.
func (b *compareBody) reveal(source int) {
	a := b.aligned()
	if source < 0 || a == nil {
		return
	}
	before := a.Len()
	at := a.Find(source)
	if a.Len() != before {
		b.draw(a)
	}
	b.pairs.Select(at)
}

// source is what the selected row of the middle shows, -1 for nothing.
func (b *compareBody) source() int {
	if at := b.pairs.Current(); at >= 0 && at < b.aligned().Len() {
		return b.aligned().Row(at).Source
	}
	return -1
}

// choosePair shows both sides of a row of the middle, and selects its first
// change in the list.
func (b *compareBody) choosePair(i int) {
	if i < 0 {
		return
	}
	source := b.aligned().Row(i).Source
	if source < 0 {
		return
	}
	at := -1
	if b.talk {
		at = b.now.list.FindRow(source)
		b.text.show(view.ChangeRef{Change: -1, Rename: -1, Row: source, Item: -1})
	} else {
		e := b.now.entries[source]
		if len(e.Changes) > 0 {
			at = b.now.list.Find(view.ChangeRef{Change: e.Changes[0], Rename: -1, Row: -1, Item: -1})
		}
		b.text.showEntry(e)
	}
	b.list.Select(at)
	if at >= 0 {
		b.mark(at)
	}
}

// key takes the keys of all lists of the page.
func (b *compareBody) key(k *fyne.KeyEvent) bool {
	switch k.Name {
	case fyne.KeyF7:
		b.step(rows.Modifiers()&fyne.KeyModifierShift == 0)
	case fyne.KeyF8:
		b.text.box.View.Step(rows.Modifiers()&fyne.KeyModifierShift == 0)
	case fyne.KeyF5:
		b.p.reload()
	default:
		return false
	}
	return true
}
