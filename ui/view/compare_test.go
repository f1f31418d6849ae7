package view

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mcploupe/recorder"
	"mcploupe/recorder/diff"
	"mcploupe/ui/view/textdiff"
)

// said is a recording that a test makes.
type said struct {
	t   *testing.T
	log *recorder.Log
	id  int
	now time.Duration
}

func newSaid(t *testing.T, name string, first int) *said {
	t.Helper()
	log, err := recorder.Create(filepath.Join(t.TempDir(), name+recorder.Ext), recorder.Header{Target: recorder.Target{Transport: "stdio", Command: "x"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = log.Close() })
	return &said{t: t, log: log, id: first}
}

func (s *said) event(dir recorder.Direction, kind recorder.EventKind, text string) {
	s.now += time.Millisecond
	s.log.Append(recorder.Event{Time: s.now, Dir: dir, Kind: kind, Channel: "stdio", Data: []byte(text)})
}

func (s *said) ask(rest, result string) *said {
	s.id++
	s.event(recorder.Out, recorder.KindMessage, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,%s}`, s.id, rest))
	s.event(recorder.In, recorder.KindMessage, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":%s}`, s.id, result))
	return s
}

func (s *said) init(version string) *said {
	return s.ask(`"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}`,
		`{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"`+version+`"}}`)
}

func (s *said) tools(list string) *said {
	return s.ask(`"method":"tools/list"`, `{"tools":[`+list+`]}`)
}

func (s *said) call(tool, word, answer string) *said {
	return s.ask(fmt.Sprintf(`"method":"tools/call","params":{"name":%q,"arguments":{"word":%q}}`, tool, word),
		fmt.Sprintf(`{"content":[{"type":"text","text":%q}]}`, answer))
}

// side reads what was recorded.
func (s *said) side() *ComparedSide {
	s.t.Helper()
	if err := s.log.Sync(); err != nil {
		s.t.Fatal(err)
	}
	return readSide(s.t, s.log.Path())
}

func readSide(t *testing.T, path string) *ComparedSide {
	t.Helper()
	side, err := ReadSide(t.Context(), CompareSide{Path: path}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = side.Close() })
	return side
}

const (
	toolEcho  = `{"name":"echo","description":"Says it again","inputSchema":{"type":"object","properties":{"word":{"type":"string"}}}}`
	toolEcho2 = `{"name":"echo","description":"Repeats it","inputSchema":{"type":"object","properties":{"word":{"type":"string"},"page":{"type":"integer"}},"required":["page"]}}`
	toolSum   = `{"name":"sum","inputSchema":{"type":"object"}}`
	toolOld   = `{"name":"getTinyImage","description":"Returns a tiny image","inputSchema":{"type":"object"}}`
	toolNew   = `{"name":"get-tiny-image","description":"Returns a tiny image","inputSchema":{"type":"object"}}`
)

// versions is a server in two versions, with something said to each.
func versions(t *testing.T, o *CompareOptions) *Comparison {
	t.Helper()
	a := newSaid(t, "old", 0).init("1").tools(toolEcho+","+toolOld+","+toolSum).
		call("echo", "a", "a").call("echo", "b", "b").call("echo", "c", "c").call("sum", "x", "1").call("gone", "x", "0")
	b := newSaid(t, "new", 40).init("2").tools(toolEcho2+","+toolNew+","+toolSum).
		call("echo", "c", "c").call("echo", "a", "a").call("echo", "b", "b").call("sum", "x", "2").call("fresh", "x", "0")
	return compareSides(t, a.side(), b.side(), o)
}

func compareSides(t *testing.T, a, b *ComparedSide, o *CompareOptions) *Comparison {
	t.Helper()
	if o == nil {
		o = &CompareOptions{}
	}
	c, err := Compare(t.Context(), a, b, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func listText(l *ChangeList) string {
	var b strings.Builder
	for i := range l.Len() {
		r := l.Row(i)
		if r.Heading {
			fmt.Fprintf(&b, "%s %s\n", r.Glyph, r.Title)
			continue
		}
		fmt.Fprintf(&b, "  %s %s: %s\n", r.Glyph, r.Title, r.Text)
	}
	return b.String()
}

func alignText(a *Alignment) string {
	var b strings.Builder
	for i := range a.Len() {
		r := a.Row(i)
		switch {
		case r.HeadingRow:
			fmt.Fprintf(&b, "[%s]\n", r.A)
			continue
		case r.Kind == PairFolded:
			fmt.Fprintf(&b, "%s %s\n", r.Kind.Glyph(), r.Word)
			continue
		}
		side := func(text, note string) string {
			return strings.TrimSpace(text + " " + strings.Join(strings.Fields(note), " "))
		}
		fmt.Fprintf(&b, "%-20s %s %-20s %s", side(r.A, r.NoteA), r.Kind.Glyph(), side(r.B, r.NoteB), r.Word)
		if r.Other >= 0 {
			fmt.Fprintf(&b, " (row %d)", r.Other)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func expect(t *testing.T, what, got, want string) {
	t.Helper()
	trim := func(s string) string {
		lines := strings.Split(strings.TrimSpace(s), "\n")
		for i := range lines {
			lines[i] = strings.TrimRight(lines[i], " \t")
		}
		return strings.Join(lines, "\n")
	}
	if trim(got) != trim(want) {
		t.Errorf("%s:\n%s\nwant:\n%s", what, got, want)
	}
}

// Cases 143 and 149: the list tells of the changed tool and field, by verdict.
func TestChangesAreListedByVerdict(t *testing.T) {
	c := versions(t, nil)
	l := NewChangeList(c)
	l.SetArea(ToolArea)
	expect(t, "tools", listText(l), `
✕ Breaking 2
  ✕ echo: Argument `+"`page`"+` is new and required.
  ✕ getTinyImage: The tool is gone.
✓ Compatible 1
  ✓ get-tiny-image: The tool is new.
· Notes 1
  · echo: It has another `+"`description`"+`.
⇄ Renamed? 1
  ⇄ getTinyImage: may be get-tiny-image now: 100 % alike.
`)
	l.SetArea(AllAreas)
	l.Toggle(NoteChange)
	l.Toggle(RenameChange)
	l.Fold(DifferenceChange)
	l.SetFilter("PAGE")
	expect(t, "filtered", listText(l), `
✕ Breaking 1
  ✕ echo: Argument `+"`page`"+` is new and required.
≠ Differences 1
`)
	if l.Shown(NoteChange) || l.Count(NoteChange) != 0 {
		t.Errorf("notes: shown %t, %d", l.Shown(NoteChange), l.Count(NoteChange))
	}
	if next := l.Like(c); listText(next) != listText(l) {
		t.Errorf("another list of the same narrowing is\n%s", listText(next))
	}
}

func TestStepsGoFromChangeToChange(t *testing.T) {
	l := NewChangeList(versions(t, nil))
	var places []int
	for at := l.Step(-1, true); at >= 0; at = l.Step(at, true) {
		if l.Row(at).Heading {
			t.Errorf("row %d is a heading", at)
		}
		if l.Find(l.Row(at).Ref) != at {
			t.Errorf("row %d is found at %d", at, l.Find(l.Row(at).Ref))
		}
		places = append(places, at)
	}
	if len(places) != l.Total() {
		t.Errorf("%d steps for %d changes", len(places), l.Total())
	}
	back := l.Step(-1, false)
	if back != places[len(places)-1] || l.Step(places[0], false) != -1 {
		t.Errorf("back from the end to %d, from the first to %d", back, l.Step(places[0], false))
	}
}

// What moved is shown where each side has it, each half leading to the other.
func TestConversationsAreAligned(t *testing.T) {
	c := versions(t, nil)
	expect(t, "conversation", alignText(AlignTalk(c)), `
initialize 1         ≠ initialize 1         1 difference
tools/list 3         ≠ tools/list 3         4 differences
                     ↶ echo tools/call 5    moved (row 5)
echo tools/call 5    = echo tools/call 7    same
echo tools/call 7    = echo tools/call 9    same
echo tools/call 9    ↷                      moved (row 2)
sum tools/call 11    ≠ sum tools/call 11    1 difference
gone tools/call 13   −                      only A
                     + fresh tools/call 13  only B
`)
}

func TestInterfacesAreAligned(t *testing.T) {
	c := versions(t, nil)
	a, entries := AlignInterface(c)
	expect(t, "interface", alignText(a), `
[Server]
server               ≠ server               1 note
[Tools]
echo                 ≠ echo                 1 breaking, 1 note
                     + get-tiny-image       only B, renamed? (row 5)
getTinyImage         −                      only A, renamed? (row 4)
sum                  = sum                  same
`)
	if e := entries[a.Row(3).Source]; e.Name != "echo" || len(e.Changes) != 2 {
		t.Errorf("row 3 is %s with %d changes", e.Name, len(e.Changes))
	}
}

// A list that one side does not have tells nothing of what is there.
func TestListsThatOneSideLacksAreLeftOut(t *testing.T) {
	a := newSaid(t, "a", 0).init("1").tools(toolEcho)
	b := newSaid(t, "b", 0).init("1")
	c := compareSides(t, a.side(), b.side(), nil)
	all, _ := AlignInterface(c)
	expect(t, "interface", alignText(all), "[Server]\nserver               = server               same")
	if got := strings.Join(c.Remarks(), " "); !strings.Contains(got, "The tools are not compared: B has no complete list of them.") {
		t.Errorf("the remarks are %q", got)
	}
}

func TestWhatIsTheSameIsFolded(t *testing.T) {
	changed := map[int]bool{10: true, 13: true}
	a := newAlignment(30, func(i int) PairRow { return PairRow{A: fmt.Sprint(i), Source: i, Other: -1} }, func(i int) bool { return !changed[i] })
	a.source = map[int]int{3: 3, 10: 10}
	text := func() string {
		var out []string
		for i := range a.Len() {
			if r := a.Row(i); r.Kind == PairFolded {
				out = append(out, fmt.Sprintf("(%d)", r.Folded))
			} else {
				out = append(out, r.A)
			}
		}
		return strings.Join(out, " ")
	}
	expect(t, "folded", text(), "(8) 8 9 10 11 12 13 14 15 (14)")
	if got := a.Find(10); got != 3 {
		t.Errorf("row 10 is shown at %d", got)
	}
	if a.Open(1) || !a.Open(9) {
		t.Error("the last row is the fold")
	}
	expect(t, "opened", text(), "(8) 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29")
	if got := a.Find(3); got != 3 {
		t.Errorf("a folded row is shown at %d after it was looked for", got)
	}
	a.OpenAll(false)
	expect(t, "folded again", text(), "(8) 8 9 10 11 12 13 14 15 (14)")
	a.OpenAll(true)
	if a.Len() != 30 || a.Total() != 30 {
		t.Errorf("%d of %d rows when all are opened", a.Len(), a.Total())
	}
	same := newAlignment(30, func(int) PairRow { return PairRow{Other: -1} }, func(int) bool { return true })
	if same.Len() != 30 {
		t.Errorf("when nothing differs, %d of 30 rows are shown", same.Len())
	}
}

// The text of a difference is the whole exchange, at the line that differs; ids
// are shown and not marked.
func TestTextIsAtTheDifference(t *testing.T) {
	c := versions(t, nil)
	l := NewChangeList(c)
	l.SetFilter("sum")
	at := -1
	for i := range l.Len() {
		if l.Row(i).Weight == DifferenceChange && l.Row(i).Ref.Item >= 0 {
			at = i
		}
	}
	text, err := c.Text(t.Context(), l.Row(at).Ref)
	if err != nil {
		t.Fatal(err)
	}
	if text.Title != "tools/call sum" || text.Where != "/result/content/0/text" || text.Ignore == nil || text.Vary == nil {
		t.Errorf("it says %+v", text)
	}
	if len(text.Diff.Changes) != 1 || text.At != 0 {
		t.Fatalf("%d changes, at %d", len(text.Diff.Changes), text.At)
	}
	row := text.Diff.Rows[text.Diff.Changes[0].From]
	if !strings.Contains(row.Left.Text, `"1"`) || !strings.Contains(row.Right.Text, `"2"`) {
		t.Errorf("the change is %q and %q", row.Left.Text, row.Right.Text)
	}
	quiet := false
	for _, r := range text.Diff.Rows {
		if strings.Contains(r.Left.Text, `"id": 6`) && strings.Contains(r.Right.Text, `"id": 46`) && r.Op == textdiff.Same {
			quiet = true
		}
	}
	if !quiet {
		t.Error("the ids are not there as they were sent, or are marked")
	}
}

func TestTextOfAnInterfaceIsAtItsPointer(t *testing.T) {
	c := versions(t, nil)
	for i, ch := range c.Result.Interface.Changes {
		if ch.Rule != "property.added.required" {
			continue
		}
		text, err := c.Text(t.Context(), ChangeRef{i, -1, -1, -1})
		if err != nil {
			t.Fatal(err)
		}
		change := text.Diff.Changes[text.At]
		found := false
		for _, r := range text.Diff.Rows[change.From:change.To] {
			found = found || strings.Contains(r.Right.Text, `"page"`)
		}
		if !found || text.Title != "tool echo" || text.Word != "breaking" {
			t.Errorf("%s %s at %+v", text.Word, text.Title, change)
		}
		return
	}
	t.Fatal("no such change")
}

// A rule says how often it hid something, goes into a file and comes back.
func TestRulesHideAndCount(t *testing.T) {
	o := &CompareOptions{}
	c := versions(t, o)
	l := NewChangeList(c)
	l.SetFilter("sum text")
	var ref ChangeRef
	for i := range l.Len() {
		if r := l.Row(i); !r.Heading && r.Ref.Item >= 0 && r.Weight == DifferenceChange {
			ref = r.Ref
		}
	}
	ignore, _, _ := c.Rules(ref)
	o.AddRule(*ignore)
	o.AddRule(*ignore)
	again := compareSides(t, c.A, c.B, o)
	if len(o.Rules) != 1 || o.Rules[0].Count != 1 {
		t.Fatalf("the rules are %+v", o.Rules)
	}
	if again.Result.Conversation.Same != c.Result.Conversation.Same+1 {
		t.Errorf("%d the same, before %d", again.Result.Conversation.Same, c.Result.Conversation.Same)
	}
	if row := RuleRowOf(o.Rules[0]); row.Uses != "hid 1" || row.Place != "/result/content/*/text" || row.Of != "tools/call sum" {
		t.Errorf("the rule is shown as %+v", row)
	}
	o.Rules[0].On = false
	if off := compareSides(t, c.A, c.B, o); off.Result.Conversation.Same != c.Result.Conversation.Same || RuleRowOf(o.Rules[0]).Uses != "off" {
		t.Error("a rule that is off hides something")
	}
	o.Rules[0].On = true
	next := &CompareOptions{}
	if n, err := next.LoadRules(o.RulesText()); n != 1 || err != nil || next.Rules[0].IgnoreRule != o.Rules[0].IgnoreRule {
		t.Errorf("%d rules came back as %+v: %v", n, next.Rules, err)
	}
	if n, err := next.LoadRules(o.RulesText()); n != 0 || err != nil {
		t.Errorf("the same rules again: %d, %v", n, err)
	}
	if _, err := next.LoadRules([]byte(`{"format":"mcploupe-rules/1"}`)); !errors.Is(err, ErrNoRules) {
		t.Errorf("a file without rules: %v", err)
	}
}

func TestSwitches(t *testing.T) {
	var o CompareOptions
	for _, s := range CompareSwitches() {
		was := s.On(o)
		s.Toggle(&o)
		if s.On(o) == was {
			t.Errorf("%s did not turn", s.Label)
		}
		s.Toggle(&o)
		if s.On(o) != was || o.Without != 0 || o.Count != 0 {
			t.Errorf("%s did not turn back: %+v", s.Label, o)
		}
	}
	o.Without = diff.Status
	http := CompareSwitches()[2]
	if http.On(o) {
		t.Error("HTTP counts as compared when its status is left out")
	}
	if http.Toggle(&o); o.Without != 0 {
		t.Errorf("turned on it leaves out %d", o.Without)
	}
}

func TestSameRecordingHasNoDifference(t *testing.T) {
	a := newSaid(t, "a", 0).init("1").tools(toolEcho).call("echo", "x", "x")
	a.event(recorder.In, recorder.KindStderr, "ready\n")
	c := compareSides(t, a.side(), readSide(t, a.log.Path()), nil)
	if !c.Equal() || NewChangeList(c).Len() != 0 {
		t.Errorf("it differs from itself: %s", c.Summary())
	}
}

// Standard error is one row with all of its text.
func TestStderrIsOneRow(t *testing.T) {
	a, b := newSaid(t, "a", 0).init("1"), newSaid(t, "b", 0).init("1")
	a.event(recorder.In, recorder.KindStderr, "one\ntwo\n")
	b.event(recorder.In, recorder.KindStderr, "one\n")
	b.event(recorder.In, recorder.KindStderr, "three\n")
	c := compareSides(t, a.side(), b.side(), nil)
	expect(t, "conversation", alignText(AlignTalk(c)), `
initialize 1         = initialize 1         same
standard error 3     ≠ standard error 3     2 differences`)
	text, err := c.Text(t.Context(), ChangeRef{-1, -1, 1, 0})
	if err != nil {
		t.Fatal(err)
	}
	if len(text.Diff.Rows) < 2 || text.Diff.Rows[0].Op != textdiff.Same || text.Diff.Rows[1].Left.Text != "two" || text.Diff.Rows[1].Right.Text != "three" {
		t.Errorf("the text is %+v", text.Diff.Rows)
	}
}

func TestSidesAreReadByWhatTheyAre(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	saved := readSide(t, file("v1"+diff.SnapshotExt, `{"format":"mcploupe-catalogue/1","tools":[`+toolEcho+`]}`))
	if saved.Log != nil || len(saved.Surface.Tools.Items) != 1 || saved.Name != "v1" || saved.Words != "saved catalogue" {
		t.Errorf("a catalogue is read as %+v", saved)
	}
	recording := newSaid(t, "r", 0).init("1").tools(toolEcho2).side()
	if recording.Log == nil || recording.Words != "recording, 4 events" {
		t.Errorf("a recording is read as %+v", recording)
	}
	c := compareSides(t, saved, recording, nil)
	if c.Result.Conversation != nil || c.Result.Interface.Count(diff.Breaking) == 0 {
		t.Errorf("a catalogue and a recording: %s", c.Summary())
	}
	for name, want := range map[string]string{"gone": "no such file", file("package.json", `{"name":"x"}`): "neither a recording nor a saved catalogue"} {
		if _, err := ReadSide(t.Context(), CompareSide{Path: name}, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	gone, end := context.WithCancel(t.Context())
	end()
	if _, err := ReadSide(gone, CompareSide{Path: recording.Path}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestChoicesAreFilteredByWords(t *testing.T) {
	files := []RecordingRow{{Path: "/r/one.mcp.jsonl", Title: "one", Sub: "Monday"}, {Path: "/r/two.mcp.jsonl", Title: "two", Sub: "Tuesday"}, {Path: "/r/gone", Title: "gone", Gone: true}}
	all := CompareChoices(nil, files)
	if len(all) != 2 {
		t.Fatalf("offered: %+v", all)
	}
	if got := FilterChoices(all, "TUE two"); len(got) != 1 || got[0].Title != "two" {
		t.Errorf("filtered: %+v", got)
	}
}

// Recordings that the program named itself are told apart by the version.
func TestOwnRecordingsAreNamedByVersion(t *testing.T) {
	s := newSaid(t, "everything-20261130-101500", 0).init("2.0.0")
	if got := s.side().Name; got != "everything 2.0.0" {
		t.Errorf("it is called %q", got)
	}
	if got := newSaid(t, "mine", 0).init("2.0.0").side().Name; got != "mine" {
		t.Errorf("a recording that a person named is called %q", got)
	}
}
