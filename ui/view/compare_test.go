package view

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mcploupe/recorder"
	"mcploupe/recorder/diff"
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
	if said := strings.Join(again.Remarks(), " "); !strings.Contains(said, "1 difference by your rules") {
		t.Errorf("what a rule hid is not told: %q", said)
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

// Where there is little room the end of a place tells differences apart.
func TestListSaysTheEndOfAPlaceFirst(t *testing.T) {
	for _, c := range []struct {
		pointer, inside, text, want string
	}{
		{"/result/structuredContent/cloudPercent", "", "`/result/structuredContent/cloudPercent` is 1, before 2.", "…/cloudPercent is 1, before 2."},
		{"/result/content/0/text", "", "`/result/content/0/text` is another text.", "…/content/0/text is another text."},
		{"/result/content/0/text", "/windMetresPerSecond", "/result/content/0/text inside `/windMetresPerSecond` is 1.", "windMetresPerSecond is 1."},
		{"/result", "", "`/result` is gone.", "result is gone."},
		{"", "", "The server notifies of a change.", "The server notifies of a change."},
	} {
		if got := shortly(diff.Difference{PointerB: c.pointer, Inside: c.inside, Text: c.text}); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
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
	var all diff.Class
	for _, s := range CompareSwitches() {
		if all&s.classes != 0 {
			t.Errorf("%s is about what another is about", s.Label)
		}
		all |= s.classes
	}
	if rest := diff.AllClasses &^ all; rest != diff.Params|diff.Results {
		t.Errorf("no switch for the classes %b", rest&^(diff.Params|diff.Results))
	}
	o.Without = diff.Stray
	lines := CompareSwitches()[2]
	if lines.On(o) {
		t.Error("standard error counts as compared when a part of it is left out")
	}
	if lines.Toggle(&o); o.Without != 0 {
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
