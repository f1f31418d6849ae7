package view

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"mcploupe/protocol"
	"mcploupe/recorder/diff"
	"mcploupe/ui/view/textdiff"
)

// CompareText is what is shown of a change or a pair: what is said of it, and
// the two texts. It does not change.
type CompareText struct {
	Ref      ChangeRef
	Glyph    string
	Word     string
	Tone     Tone
	Title    string
	Sentence string
	Where    string // where in the definition or the message, "" for the whole
	Diff     *textdiff.Diff
	At       int // change of the diff to look at
	// Ignore, Vary and Unordered are the rules that would hide it, nil where there is none.
	Ignore, Vary, Unordered *diff.IgnoreRule
}

// Text describes a change and compares its texts. It reads the recordings and
// takes time.
func (c *Comparison) Text(ctx context.Context, ref ChangeRef) (CompareText, error) {
	var t CompareText
	var err error
	switch {
	case ref.Change >= 0:
		t = c.changeText(ref)
	case ref.Rename >= 0:
		t = c.renameText(ref)
	case ref.Row >= 0:
		t, err = c.rowText(ctx, ref)
	default:
		return t, errors.New("describe a change: there is none")
	}
	t.Ignore, t.Vary, t.Unordered = c.Rules(ref)
	return t, err
}

// about puts what is said of a weight.
func (t *CompareText) about(w ChangeWeight) { t.Glyph, t.Word, t.Tone = w.Glyph(), w.Word(), w.Tone() }

func indented(raw []byte) string {
	if len(raw) > textdiff.MaxBytes {
		return string(raw)
	}
	return string(protocol.Indent(raw))
}

// changeText shows the definitions of the entry, at the place of the change.
func (c *Comparison) changeText(ref ChangeRef) CompareText {
	ch := c.Result.Interface.Changes[ref.Change]
	t := CompareText{Ref: ref, Title: entryTitle(ch.Area, ch.Name, ch.Ordinal), Sentence: line(ch.Text, 2000), Where: line(ch.Pointer, 400)}
	t.about(map[diff.Verdict]ChangeWeight{diff.Breaking: BreakingChange, diff.Compatible: CompatibleChange, diff.Note: NoteChange}[ch.Verdict])
	var a, b []byte
	pointer := ch.Pointer
	if ch.Area == diff.Server {
		a, b = aboutServer(c.A.Surface), aboutServer(c.B.Surface)
		if strings.HasPrefix(ch.Rule, "capability.") {
			pointer = "/capabilities" + pointer
		}
	} else {
		t.Title = string(ch.Area) + " " + t.Title
		e := c.entry(ch.Area, ch.Name, ch.Ordinal)
		a, b = e.A, e.B
	}
	before, after := indented(a), indented(b)
	t.Diff = textdiff.Texts(before, after)
	if ch.Kind == diff.Removed {
		from, _ := textMessage{first: 1, text: before}.place(pointer)
		t.At = t.Diff.ChangeAt(from, 0)
	} else {
		from, _ := textMessage{first: 1, text: after}.place(pointer)
		t.At = t.Diff.ChangeAt(0, from)
	}
	return t
}

// entry finds the definitions of an entry.
func (c *Comparison) entry(area diff.Area, name string, ordinal int) CompareEntry {
	lists := map[diff.Area]struct {
		key  string
		a, b diff.List
	}{
		diff.Tools:     {"name", c.A.Surface.Tools, c.B.Surface.Tools},
		diff.Resources: {"uri", c.A.Surface.Resources, c.B.Surface.Resources},
		diff.Templates: {"uriTemplate", c.A.Surface.Templates, c.B.Surface.Templates},
		diff.Prompts:   {"name", c.A.Surface.Prompts, c.B.Surface.Prompts},
	}
	l := lists[area]
	find := func(list diff.List) []byte {
		n := ordinal
		for _, raw := range list.Items {
			if memberText(raw, l.key) != name {
				continue
			}
			if n == 0 {
				return raw
			}
			n--
		}
		return nil
	}
	return CompareEntry{Area: area, Name: name, Ordinal: ordinal, A: find(l.a), B: find(l.b), Guess: -1}
}

// EntryText shows the definitions of an entry.
func (c *Comparison) EntryText(e CompareEntry) CompareText {
	t := CompareText{Ref: NoChange, Title: entryTitle(e.Area, e.Name, e.Ordinal), Diff: textdiff.JSON([]byte(indented(e.A)), []byte(indented(e.B)))}
	if e.Area != diff.Server {
		t.Title = string(e.Area) + " " + t.Title
	}
	p := entryPair(e, c.Result.Interface)
	t.Glyph, t.Word, t.Tone = p.Kind.Glyph(), p.Kind.Word(), p.Kind.Tone()
	switch p.Kind {
	case PairOnlyA:
		t.Sentence = "A alone offers it."
	case PairOnlyB:
		t.Sentence = "B alone offers it."
	case PairChanged:
		t.Sentence = "It changed: " + p.Word + "."
	default:
		t.Sentence = "Nothing changed that matters."
		if t.Diff.Equal() {
			t.Sentence = "Both definitions are the same."
		}
	}
	return t
}

// renameText shows two definitions that are alike.
func (c *Comparison) renameText(ref ChangeRef) CompareText {
	n := c.Result.Interface.Renames[ref.Rename]
	t := CompareText{Ref: ref, Title: line(string(n.Area)+" "+n.From+" → "+n.To, 200),
		Sentence: "They are " + strconv.Itoa(n.Likeness) + " % alike: it may have been renamed. It counts as removed and added."}
	t.about(RenameChange)
	a, b := c.entry(n.Area, n.From, 0), c.entry(n.Area, n.To, 0)
	t.Diff = textdiff.Texts(indented(a.A), indented(b.B))
	return t
}

// rowText shows both sides of a row of the conversation.
func (c *Comparison) rowText(ctx context.Context, ref ChangeRef) (CompareText, error) {
	r := c.Result.Conversation.Rows[ref.Row]
	t := CompareText{Ref: ref, Title: line(rowTitle(r), 200), Sentence: rowSentence(r), Glyph: "=", Word: "same", Tone: Muted}
	if r.Kind != diff.Same || r.Moved {
		t.about(DifferenceChange)
	}
	item := ref.Item
	if item < 0 && len(r.Differences) > 0 {
		item = 0
		t.Sentence = moreSentence(r)
	}
	var d *diff.Difference
	if item >= 0 {
		d = &r.Differences[item]
	}
	if ref.Item >= 0 {
		t.Sentence, t.Where = line(d.Text, 2000), line(d.Pointer(), 400)
		if d.Inside != "" {
			t.Where = line(t.Where+"  inside "+d.Inside, 400)
		}
		if d.Severity == diff.Remark {
			t.about(NoteChange)
		}
	}
	a, err := sideText(ctx, c.A.Log, r, r.A, r.SeqA, d)
	if err != nil {
		return t, fmt.Errorf("read A: %w", err)
	}
	b, err := sideText(ctx, c.B.Log, r, r.B, r.SeqB, d)
	if err != nil {
		return t, fmt.Errorf("read B: %w", err)
	}
	t.Diff = textdiff.Texts(a.text(), b.text())
	if r.More == 0 && (r.A >= 0 || r.Lane == diff.PeerLane || r.Lane == diff.NoticeLane) {
		t.Diff = t.Diff.Quiet(counting(r, a, b))
	}
	if d != nil {
		left, _ := a.place(d.SeqA, d.PointerA)
		right, _ := b.place(d.SeqB, d.PointerB)
		t.At = t.Diff.ChangeAt(left, right)
	}
	return t, nil
}

func moreSentence(r diff.Row) string {
	s := rowSentence(r)
	if n := len(r.Differences) + r.More; n == 1 {
		s += " " + r.Differences[0].Text
	}
	return line(s, 2000)
}

// Rules are the rules that would hide a change, nil where there is none.
func (c *Comparison) Rules(ref ChangeRef) (ignore, vary, unordered *diff.IgnoreRule) {
	switch {
	case ref.Change >= 0:
		rule := diff.IgnoreChange(c.Result.Interface.Changes[ref.Change])
		return &rule, nil, nil
	case ref.Item >= 0:
		r := c.Result.Conversation.Rows[ref.Row]
		d := r.Differences[ref.Item]
		first, second := diff.IgnorePath(r, d), diff.TreatVolatile(r, d)
		if rule, ok := diff.TreatUnordered(r, d); ok {
			unordered = &rule
		}
		return &first, &second, unordered
	}
	return nil, nil, nil
}

// place are the lines of a place in an event, 0 when there is none.
func (s *textSide) place(seq uint64, pointer string) (from, to int) {
	for _, m := range s.messages {
		if m.seq == seq {
			return m.place(pointer)
		}
	}
	return 0, 0
}
