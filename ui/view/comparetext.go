package view

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/recorder"
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
	if r.More == 0 && (r.A >= 0 || r.Lane == diff.NoticeLane) {
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

// textSide is what one side said, with where its messages begin.
type textSide struct {
	b        strings.Builder
	lines    int // whole ones in b
	messages []textMessage
}

type textMessage struct {
	seq   uint64
	first int // its first line, from 1
	text  string
	head  bool // of HTTP
}

// place are the lines of the value at a pointer, or of the nearest one around
// it.
func (m textMessage) place(pointer string) (from, to int) {
	if name, ok := strings.CutPrefix(pointer, "/headers/"); ok && m.head {
		for i, text := range strings.Split(m.text, "\n") {
			if field, _, ok := strings.Cut(text, ":"); ok && strings.EqualFold(field, name) {
				return m.first + i, m.first + i
			}
		}
	}
	if m.head {
		return m.first, m.first
	}
	for {
		if v, offset, ok := protocol.Lookup(jsontext.Value(m.text), pointer); ok {
			from = m.first + strings.Count(m.text[:offset], "\n")
			return from, from + strings.Count(string(v), "\n")
		}
		i := strings.LastIndexByte(pointer, '/')
		if i < 0 {
			return m.first, m.first + strings.Count(m.text, "\n")
		}
		pointer = pointer[:i]
	}
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

// counting tells the lines that a difference is in from those that differ by
// what does not count, such as ids.
func counting(r diff.Row, a, b *textSide) func(textdiff.Row) bool {
	type span struct{ from, to int }
	var left, right []span
	for _, d := range r.Differences {
		from, to := a.place(d.SeqA, d.PointerA)
		left = append(left, span{from, to})
		from, to = b.place(d.SeqB, d.PointerB)
		right = append(right, span{from, to})
	}
	in := func(spans []span, n int) bool {
		return n > 0 && slices.ContainsFunc(spans, func(s span) bool { return n >= s.from && n <= s.to })
	}
	return func(row textdiff.Row) bool { return in(left, row.Left.Number) || in(right, row.Right.Number) }
}

// sideText is what one side has of a row; d is the difference that is looked at,
// nil for none.
func sideText(ctx context.Context, log *recorder.Log, r diff.Row, exchange int, seq uint64, d *diff.Difference) (*textSide, error) {
	s := &textSide{}
	if seq == 0 {
		return s, nil
	}
	switch {
	case r.Lane == diff.StderrLane || r.Lane == diff.StrayLane:
		text, err := laneText(ctx, log, r.Lane)
		s.b.WriteString(text)
		return s, err
	case exchange < 0:
		return s, s.add(log, seq, "")
	}
	x := log.Exchanges()
	x.Take(ctx)
	if exchange >= x.Len() {
		return s, fmt.Errorf("exchange %d is not there any more", exchange)
	}
	heads := d != nil && (d.Class == diff.Status || d.Class == diff.Headers)
	for _, member := range x.Members(exchange) {
		if err := ctx.Err(); err != nil {
			return s, err
		}
		h := log.Head(member)
		title := ""
		switch {
		case h.Kind == recorder.KindHTTP && heads:
		case h.Kind == recorder.KindMessage && !heads:
			title = messageTitle(h)
		case h.Kind == recorder.KindBad && !heads:
			title = "← a line that is no message"
		default:
			continue
		}
		if err := s.add(log, member, title); err != nil {
			return s, err
		}
		if s.b.Len() > textdiff.MaxBytes {
			break
		}
	}
	return s, nil
}

// messageTitle is the line above a message: which way it goes and what it is. It
// says nothing that differs from run to run.
func messageTitle(h recorder.Head) string {
	arrow := "→"
	if h.Dir == recorder.In {
		arrow = "←"
	}
	switch h.Message {
	case protocol.Request:
		return arrow + " request"
	case protocol.Notification:
		return arrow + " notification"
	case protocol.Result:
		return arrow + " result"
	case protocol.Error:
		return arrow + " error"
	case protocol.Batch:
		return arrow + " batch"
	}
	return arrow + " message"
}

func (s *textSide) add(log *recorder.Log, seq uint64, title string) error {
	e, err := log.Read(seq, textdiff.MaxBytes)
	if err != nil {
		return fmt.Errorf("read event %d: %w", seq, err)
	}
	if title != "" {
		s.line(title)
	}
	m := textMessage{seq: seq, first: s.lines + 1}
	switch head, isHead := e.Fields.(*recorder.HTTPHead); {
	case isHead:
		m.text, m.head = headText(head), true
	case e.Kind == recorder.KindMessage:
		m.text = indented(e.Data)
	default:
		m.text = string(e.Data)
	}
	s.line(m.text)
	s.messages = append(s.messages, m)
	return nil
}

func (s *textSide) line(text string) {
	s.b.WriteString(text)
	s.b.WriteByte('\n')
	s.lines += strings.Count(text, "\n") + 1
}

// text is all of it.
func (s *textSide) text() string { return strings.TrimSuffix(s.b.String(), "\n") }

// headText is the head of an HTTP message, a line each field.
func headText(h *recorder.HTTPHead) string {
	var b strings.Builder
	if h.Method != "" {
		b.WriteString(h.Method + " " + h.URL)
	} else {
		fmt.Fprintf(&b, "status %d", h.Status)
	}
	for _, f := range h.Headers {
		b.WriteString("\n" + f.Name + ": " + f.Value)
	}
	if h.Error != "" {
		b.WriteString("\nerror: " + h.Error)
	}
	if h.Body != "" {
		b.WriteString("\n\n" + h.Body)
	}
	return b.String()
}

// laneText is all of standard error, or all lines that are no messages and
// belong to no exchange.
func laneText(ctx context.Context, log *recorder.Log, lane diff.Lane) (string, error) {
	want := recorder.KindStderr
	if lane == diff.StrayLane {
		want = recorder.KindBad
	}
	x := log.Exchanges()
	x.Take(ctx)
	var b strings.Builder
	for seq := uint64(1); seq <= log.Len() && b.Len() < textdiff.MaxBytes; seq++ {
		if seq%4096 == 0 && ctx.Err() != nil {
			return "", ctx.Err()
		}
		if log.Head(seq).Kind != want {
			continue
		}
		if _, belongs := x.Of(seq); belongs && lane == diff.StrayLane {
			continue
		}
		e, err := log.Read(seq, textdiff.MaxBytes-b.Len())
		if err != nil {
			return "", fmt.Errorf("read event %d: %w", seq, err)
		}
		b.Write(e.Data)
		if lane == diff.StrayLane {
			b.WriteByte('\n')
		}
	}
	return PlainTerminal(b.String()), nil
}
