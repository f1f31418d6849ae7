package view

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/session"
	"mcploupe/session/sessiontest"
	"mcploupe/ui/settings"
)

var liveNow = time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)

// Every state has a sign and a word of its own; what waits is counted down
// (SUB-03, SUB-04, SUB-08 to SUB-10).
func TestSubRows(t *testing.T) {
	raw := jsontext.Value(`{"toolsListChanged":true}`)
	listen := func(s session.Subscription) session.Subscription {
		s.Kind, s.Asked = session.SubListen, session.SubscriptionFilter{Tools: true, URIs: []string{"a", "b", "c", "d\u202e", "e"}}
		return s
	}
	for _, c := range []struct {
		s                   session.Subscription
		glyph, state, grant string
		lacks               bool
	}{
		{listen(session.Subscription{Phase: session.SubAsked}), "◌", "asked", "nothing yet", false},
		{listen(session.Subscription{Phase: session.SubAcknowledged, Agreed: session.SubscriptionFilter{Raw: raw}}), "◐", "acknowledged", "all", false},
		{listen(session.Subscription{Phase: session.SubOpen, Agreed: session.SubscriptionFilter{Raw: raw}, Missing: []string{"a", "b"}}), "●", "open", "all but a, b", true},
		{listen(session.Subscription{Phase: session.SubBroken, End: session.EndWithoutResult, NextTry: liveNow.Add(11500 * time.Millisecond)}), "✕", "broken, again in 12 s: the stream ended without a result", "nothing yet", false},
		{listen(session.Subscription{Phase: session.SubRelistening, End: session.EndSilent}), "◌", "asked again after: never acknowledged", "nothing yet", false},
		{listen(session.Subscription{Phase: session.SubEnded, End: session.EndWithResult, Count: 4}), "■", "ended by the server with its result", "nothing", false},
		{listen(session.Subscription{Phase: session.SubEnded, End: session.EndWithResult, Agreed: session.SubscriptionFilter{Raw: raw}}), "■", "ended by the server with its result", "all", false},
		{listen(session.Subscription{Phase: session.SubEnded, End: session.EndRefused}), "✕", "refused", "refused", false},
		{session.Subscription{Kind: session.SubResource, Phase: session.SubEnded, End: session.EndByUs, AckSeq: 3}, "○", "stopped here", "yes", false},
		{session.Subscription{Kind: session.SubResource, Phase: session.SubEnded, End: session.EndClosed, AckSeq: 3}, "○", "ended with the connection", "yes", false},
		{session.Subscription{Kind: session.SubLists, Phase: session.SubOpen}, "●", "open", "declared", false},
	} {
		r := SubRows(session.State{Subscriptions: []session.Subscription{c.s}}, liveNow)[0]
		if ended := c.s.Phase == session.SubEnded; ended && r.Rate != "" {
			t.Errorf("one that ended still brings %s", r.Rate)
		}
		if r.Glyph != c.glyph || r.State != c.state || r.Agreed != c.grant || r.Lacks != c.lacks {
			t.Errorf("%+v\nwant %+v", r, c)
		}
	}
	if got := FilterText(listen(session.Subscription{}).Asked); got != "lists of tools · a, b, c and 2 more" {
		t.Errorf("filter %q", got)
	}
	for n, want := range map[uint64]string{0: "0/s", 5: "0.5/s", 99: "9.9/s", 10_000: "1\u202f000/s"} {
		if got := perSecond(n); got != want {
			t.Errorf("%d in ten seconds are %q, want %q", n, got, want)
		}
	}
	asked, agreed := SubJSON(listen(session.Subscription{}))
	if string(asked) != `{"toolsListChanged":true,"resourceSubscriptions":["a","b","c","d\u202e","e"]}` && !strings.Contains(string(asked), `"resourceSubscriptions":["a","b","c"`) || agreed != nil {
		t.Errorf("asked %s, agreed %s", asked, agreed)
	}
}

// What is odd about a subscription stands first, a rule that is broken again and
// again once.
func TestSubFacts(t *testing.T) {
	odd := func(rule, text string) protocol.Problem { return protocol.Problem{Rule: rule, Text: text} }
	facts := SubFacts(session.Subscription{
		Phase: session.SubBroken, End: session.EndWithoutResult, NextTry: liveNow.Add(3 * time.Second), Err: "It ended.", Attempts: 2,
		Problems: []protocol.Problem{odd("L-SUB-06", "first"), odd("L-SUB-02", "wrong"), odd("L-SUB-06", "second")},
	}, liveNow)
	want := []Fact{
		{"State", "✕ broken, again in 3 s: the stream ended without a result"}, {"Said", "It ended."},
		{"L-SUB-02", "wrong"}, {"L-SUB-06", "second (2 of this rule)"},
	}
	if !slices.Equal(facts[:4], want) {
		t.Errorf("%q\nwant %q", facts[:4], want)
	}
	if !slices.Contains(facts, Fact{"In vain", "2 requests in succession"}) {
		t.Errorf("%q", facts)
	}
}

// A filter of the timeline finds what belongs to a subscription.
func TestSubEvents(t *testing.T) {
	log := newLog(t)
	message(log, recorder.Out, 1, `{"jsonrpc":"2.0","id":7,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true}}}`)
	message(log, recorder.In, 2, `{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":7}}}`)
	message(log, recorder.In, 3, `{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"7 b"}}}`)
	message(log, recorder.In, 4, `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"x://a b"}}`)
	id := func(text string) protocol.ID {
		return protocol.Parse([]byte(`{"jsonrpc":"2.0","id":` + text + `,"method":"x"}`)).ID
	}
	for _, c := range []struct {
		s    session.Subscription
		want string
	}{
		{session.Subscription{Kind: session.SubListen, ID: id("7")}, "2"},
		{session.Subscription{Kind: session.SubListen, ID: id(`"7 b"`)}, "3"},
		{session.Subscription{Kind: session.SubResource, Asked: session.SubscriptionFilter{URIs: []string{"x://a b"}}}, "4"},
		{session.Subscription{Kind: session.SubLists}, "2 3"},
	} {
		filter, err := recorder.ParseFilter(SubEvents(c.s))
		if err != nil {
			t.Fatalf("%s: %v", SubEvents(c.s), err)
		}
		var got []string
		for seq := uint64(1); seq <= log.Len(); seq++ {
			if filter.Match(log, log.Head(seq)) {
				got = append(got, fmt.Sprint(seq))
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s finds %v, want %s", SubEvents(c.s), got, c.want)
		}
	}
}

func TestSubForm(t *testing.T) { // SUB-01, SUB-15, SUB-16, RES-05
	modern := SubOffer{Modern: true, Tasks: true, Tools: true}
	f := &SubForm{Tools: true, URIs: " x://a \n\n x://b", TaskIDs: "t1"}
	f.AddURI("x://b")
	f.AddURI("x://c")
	filter, problem, note := f.Filter(modern)
	if problem != "" || strings.Join(filter.URIs, " ") != "x://a x://b x://c" || !filter.Tools || filter.TaskIDs[0] != "t1" {
		t.Errorf("%+v, %q", filter, problem)
	}
	if !strings.Contains(note, "resources.subscribe") || strings.Contains(note, "tools.listChanged") || !strings.Contains(note, protocol.TasksExtension) {
		t.Errorf("note %q", note)
	}
	if _, _, note = f.Filter(SubOffer{Modern: true, Tasks: true, Tools: true, Extension: true, Subscribe: true}); note != "" {
		t.Errorf("of what is declared it says %q", note)
	}
	filter, problem, _ = f.Filter(SubOffer{Subscribe: true})
	if problem != "" || filter.Tools || filter.TaskIDs != nil {
		t.Errorf("before 2026-07-28: %+v, %q", filter, problem)
	}
	if _, problem, _ := (&SubForm{Tools: true}).Filter(SubOffer{}); problem == "" {
		t.Error("list changes can be subscribed to where they come unasked")
	}
	if _, problem, note := (&SubForm{}).Filter(modern); problem != "" || note == "" {
		t.Errorf("an empty filter: %q, %q", problem, note)
	}
	if _, problem, _ := (&SubForm{URIs: "x://{id}"}).Filter(modern); !strings.Contains(problem, "{id}") {
		t.Errorf("a template: %q", problem)
	}
}

// picture is a PNG of a size, as base64.
func picture(t *testing.T, width int) string {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, width, 2))); err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

// What changed between two reads is read from the recording (case 127, RES-02).
func TestLoadWatchChange(t *testing.T) {
	log := newLog(t)
	answer := func(contents string) WatchStep {
		seq := message(log, recorder.In, 1, `{"jsonrpc":"2.0","id":1,"result":{"contents":[`+contents+`]}}`)
		return WatchStep{Number: int(seq), Time: "t", Read: session.WatchRead{AnswerSeq: seq}}
	}
	first := answer(`{"uri":"x://a","text":"wind 12"},{"uri":"x://b","mimeType":"application/json","text":"{\"n\":1.0}"},{"uri":"x://p","mimeType":"image/png","blob":"` + picture(t, 2) + `"}`)
	second := answer(`{"uri":"x://a","text":"wind 14"},{"uri":"x://b","mimeType":"application/json","text":"{\"n\": 1}"},{"uri":"x://p","mimeType":"image/png","blob":"` + picture(t, 3) + `"},{"uri":"x://new","text":"n"}`)
	c := LoadWatchChange(context.Background(), log, &first, second)
	if c.Err != "" || len(c.Pairs) != 4 || c.Seq != 2 {
		t.Fatalf("%+v", c)
	}
	text, json, pic, added := c.Pairs[0], c.Pairs[1], c.Pairs[2], c.Pairs[3]
	if text.Same || text.Label != "a" || text.Diff.Rows[0].Right.Text != "wind 14" || text.Diff.Rows[0].Right.Marks[0].From != 6 {
		t.Errorf("text %+v", text.Diff)
	}
	if json.Same || len(json.Diff.Rows) != 3 || json.Diff.Rows[1].Left.Text != `  "n": 1.0` {
		t.Errorf("JSON %+v", json.Diff)
	}
	if pic.Same || pic.Diff != nil || pic.Before.Kind != PartImage || bytes.Equal(pic.Before.Data, pic.After.Data) {
		t.Errorf("picture %+v", pic.Same)
	}
	if added.HasBefore || added.Diff == nil || added.Diff.Added != 1 {
		t.Errorf("a new content %+v", added)
	}
	if c := LoadWatchChange(context.Background(), log, &first, first); !c.Pairs[0].Same || !c.Pairs[2].Same {
		t.Error("the same contents differ")
	}
	if c := LoadWatchChange(context.Background(), log, nil, first); c.Pairs[0].Diff != nil || c.Err != "" {
		t.Errorf("a first read is compared: %+v", c)
	}
	if c := LoadWatchChange(context.Background(), log, &first, WatchStep{Number: 3, Failed: true, Read: session.WatchRead{Err: "no such resource"}}); !strings.Contains(c.Err, "no such resource") {
		t.Errorf("a failed read: %q", c.Err)
	}
}

func TestWatchSteps(t *testing.T) {
	steps := WatchSteps(session.Watch{Gone: 5, Reads: []session.WatchRead{
		{}, {Updates: 1}, {Updates: 24, URI: "x://a/part"}, {Updates: 2, Err: "gone"},
	}})
	var got []string
	for _, s := range steps {
		got = append(got, strings.TrimSpace(fmt.Sprint(s.Number, " ", s.Why, " ", s.Folded)))
	}
	want := "6 read again|7 update|8 update of x://a/part 23 updates folded|9 could not be read: gone 1 update folded"
	if strings.Join(got, "|") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "|"), want)
	}
	if text := UpdatesText(25, 23); text != "25 updates, 23 folded" {
		t.Errorf("%q", text)
	}
}

// Entries that are new, changed or gone are marked; a changed one has its
// definitions at hand (RES-10).
func TestMarkChanges(t *testing.T) {
	tool := func(name, about string) string {
		return `{"name":"` + name + `","description":"` + about + `","inputSchema":{"type":"object"}}`
	}
	page := protocol.DecodeTools(jsontext.Value(`{"tools":[` + tool("a", "1") + `,` + tool("b", "2") + `,` + tool("c", "3") + `]}`))
	changes := []session.ListChange{
		{Kind: session.EntryAdded, Name: "a", After: jsontext.Value(tool("a", "1"))},
		{Kind: session.EntryChanged, Name: "b", Before: jsontext.Value(tool("b", "old")), After: jsontext.Value(tool("b", "2"))},
		{Kind: session.EntryRemoved, Name: "z", Before: jsontext.Value(tool("z", "9"))},
	}
	entries := MarkChanges(ToolEntries(page.Items, false), changes)
	var got []string
	for _, e := range entries {
		text := e.Name
		for _, b := range e.Badges {
			text += " " + b.Text
		}
		got = append(got, text)
	}
	if want := "a + added|b ~ changed|c|z − removed"; strings.Join(got, "|") != want {
		t.Errorf("got %s, want %s", strings.Join(got, "|"), want)
	}
	if d := entries[1].Change.Diff(); len(d.Changes) != 1 || d.Rows[d.Changes[0].From].Left.Text != `  "description": "old",` {
		t.Errorf("diff %+v", d)
	}
	if entries[3].Index != -1 || ChangesNote(changes) != "1 added, 1 changed, 1 removed" {
		t.Errorf("%+v, %q", entries[3], ChangesNote(changes))
	}
}

// How old a listing is, and how long it may be taken as current (CACHE-05,
// CACHE-06, CACHE-13, CACHE-16).
func TestAgeNote(t *testing.T) {
	for _, c := range []struct {
		list session.List
		want string
	}{
		{session.List{}, ""},
		{session.List{Updated: liveNow.Add(-12 * time.Second)}, "read 12 s ago"},
		{session.List{Updated: liveNow.Add(-18 * time.Second), TTL: "60000", Expires: liveNow.Add(42 * time.Second), Scope: "public"}, "read 18 s ago · fresh for 42 s · public"},
		{session.List{Updated: liveNow.Add(-18 * time.Second), TTL: "5000", Expires: liveNow.Add(-13 * time.Second), Scope: "private"}, "read 18 s ago · stale for 13 s · private"},
		{session.List{Updated: liveNow, TTL: "0", Scope: "world"}, "read just now · stale at once (ttlMs 0) · scope world, taken as private"},
		{session.List{Updated: liveNow, Status: session.ListStale, TTL: "60000", Expires: liveNow.Add(time.Minute), Rereading: true}, "read just now · reading it again …"},
	} {
		if got, _ := AgeNote(c.list, liveNow); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestPingsOf(t *testing.T) { // PING-02 to PING-04
	legacy, _ := protocol.RevisionByName("2025-11-25")
	st := session.State{Revision: legacy}
	for _, ms := range []int{4, 2, 8} {
		st.Pings = append(st.Pings, session.Ping{Took: time.Duration(ms) * time.Millisecond})
	}
	st.Pings = append(st.Pings, session.Ping{Err: "timed out"})
	st.Unresponsive = liveNow
	s := PingsOf(st)
	if s.Words != "last 8 ms · least 2 ms · median 4 ms · most 8 ms · of 3 · 1 not answered" || !s.Offered || s.Trouble == "" {
		t.Errorf("%+v", s)
	}
	if len(s.Bars) != 4 || s.Bars[0].Share != 0.5 || !s.Bars[3].Missed {
		t.Errorf("bars %+v", s.Bars)
	}
	modern, _ := protocol.RevisionByName("2026-07-28")
	if PingsOf(session.State{Revision: modern}).Offered {
		t.Error("2026-07-28 has no ping")
	}
}

// A dead server that comes back is asked again for what the person had (SUB-11),
// another server and one that is not to be asked are not.
func TestReconnectRestores(t *testing.T) {
	script := sessiontest.Server().
		With("initialize", sessiontest.Reply(`{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"resources":{"subscribe":true},"logging":{}},"serverInfo":{"name":"s","version":"1"}}`)).
		With("resources/list", sessiontest.Reply(`{"resources":[]}`)).With("resources/templates/list", sessiontest.Reply(`{"resourceTemplates":[]}`)).
		With("resources/subscribe", sessiontest.Reply(`{}`)).With("logging/setLevel", sessiontest.Reply(`{}`)).
		With("resources/read", sessiontest.Reply(`{"contents":[]}`)).
		With("tools/call", sessiontest.Exit(3))
	h := newHarness(t, peer(t, script))
	h.Connect()
	h.awaitPhase(Connected)
	if err := WatchAndSubscribe(t.Context(), h.Session(), "x://a"); err != nil {
		t.Fatal(err)
	}
	if err := h.Session().SetLogLevel(t.Context(), "error"); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Send(Request{Method: protocol.MethodToolsCall, Params: jsontext.Value(`{"name":"good"}`)}, func() {}); err != nil {
		t.Fatal(err)
	}
	h.awaitPhase(Lost)
	h.Reconnect()
	h.await("the same as before", func() bool {
		st := h.State()
		return len(st.Subscriptions) == 1 && st.Subscriptions[0].Phase.Live() && len(st.Watches) == 1 && st.Logging.Level == "error"
	})
	h.awaitPhase(Connected)
	if text, n := h.Restored(); n != 1 || text != "Asked for again: 1 subscription, 1 watched resource, log level error." {
		t.Errorf("%d: %q", n, text)
	}
	h.SetLive(func(l *settings.Live) { l.Forget = true })
	h.Reconnect()
	h.awaitPhase(Connected)
	h.await("the lists", func() bool { return h.State().Lists[session.Tools].Status == session.ListComplete })
	if st := h.State(); len(st.Subscriptions)+len(st.Watches) != 0 {
		t.Errorf("asked for again although it should not be: %+v", st.Subscriptions)
	}
}
