package view

import (
	"strings"
	"testing"

	"mcploupe/recorder"
	"mcploupe/ui/view/textdiff"
)

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

// Fields of server-sent events are shown as lines, at the one that differs, and
// what a stream says besides messages is a row of its own, as is the end of a
// process.
func TestStreamsAndEndsAreShown(t *testing.T) {
	side := func(name, kind, ping string, code int) *ComparedSide {
		s := newSaid(t, name, 0)
		add := func(e recorder.Event) uint64 { return s.log.Append(e) }
		asked := add(recorder.Event{Dir: recorder.Out, Kind: recorder.KindHTTP, Channel: "post-1", Fields: &recorder.HTTPHead{Method: "POST", URL: "http://127.0.0.1/mcp"}})
		add(recorder.Event{Dir: recorder.Out, Kind: recorder.KindMessage, Channel: "post-1", Cause: asked, Data: []byte(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)})
		head := add(recorder.Event{Dir: recorder.In, Kind: recorder.KindHTTP, Channel: "post-1", Cause: asked, Fields: &recorder.HTTPHead{Status: 200, Headers: []recorder.HeaderField{{Name: "Content-Type", Value: "text/event-stream"}}}})
		add(recorder.Event{Dir: recorder.In, Kind: recorder.KindSSE, Channel: "post-1", Cause: head, Fields: &recorder.SSEFields{Comment: ping}})
		fields := add(recorder.Event{Dir: recorder.In, Kind: recorder.KindSSE, Channel: "post-1", Cause: head, Fields: &recorder.SSEFields{ID: name, HasID: true, Event: kind, Bytes: 40}})
		add(recorder.Event{Dir: recorder.In, Kind: recorder.KindMessage, Channel: "post-1", Cause: fields, Data: []byte(`{"jsonrpc":"2.0","id":1,"result":{}}`)})
		add(recorder.Event{Dir: recorder.In, Kind: recorder.KindState, Fields: &recorder.StateChange{State: "exited", ExitCode: &code}})
		return s.side()
	}
	c := compareSides(t, side("a", "one", "still here", 0), side("b", "two", "are you?", 1), nil)
	expect(t, "conversation", alignText(AlignTalk(c)), `
ping 2               ≠ ping 2               1 difference
event streams besides messages 4 ≠ event streams besides messages 4 2 differences
end of the process 7 ≠ end of the process 7 1 difference`)
	for row, want := range map[int][2]string{0: {"event: one", "event: two"}, 1: {": still here", ": are you?"}, 2: {"process ended: exit code 0", "process ended: exit code 1"}} {
		text, err := c.Text(t.Context(), ChangeRef{-1, -1, row, 0})
		if err != nil {
			t.Fatal(err)
		}
		at := text.Diff.Rows[text.Diff.Changes[text.At].From]
		if at.Left.Text != want[0] || at.Right.Text != want[1] || text.Vary == nil {
			t.Errorf("row %d is at %q and %q", row, at.Left.Text, at.Right.Text)
		}
	}
}

// A question that came beside a call on one side, and between calls on the other,
// is shown with both, and counts as no difference.
func TestAQuestionBesideACallIsTheSame(t *testing.T) {
	asks := func(s *said) {
		s.event(recorder.In, recorder.KindMessage, `{"jsonrpc":"2.0","id":7,"method":"roots/list"}`)
		s.event(recorder.Out, recorder.KindMessage, `{"jsonrpc":"2.0","id":7,"result":{"roots":[]}}`)
	}
	a, b := newSaid(t, "a", 0).init("1"), newSaid(t, "b", 0).init("1")
	a.event(recorder.Out, recorder.KindMessage, `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
	asks(a)
	a.event(recorder.In, recorder.KindMessage, `{"jsonrpc":"2.0","id":2,"result":{"tools":[]}}`)
	b.tools("")
	asks(b)
	c := compareSides(t, a.side(), b.side(), nil)
	expect(t, "conversation", alignText(AlignTalk(c)), `
initialize 1         = initialize 1         same
tools/list 3         = tools/list 3         same
roots/list 4         = roots/list 5         same`)
	if !c.Equal() || !strings.Contains(strings.Join(c.Remarks(), " "), "1 message beside another call") {
		t.Errorf("equal %v, %q", c.Equal(), c.Remarks())
	}
	text, err := c.Text(t.Context(), ChangeRef{-1, -1, 2, -1})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range text.Diff.Rows {
		if r.Op != textdiff.Same {
			t.Errorf("%+v differs", r)
		}
	}
}
