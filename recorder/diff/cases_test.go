package diff

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/recorder"
)

// What other tools leave out of a comparison takes part in ours: what tools,
// resources and prompts answered, notifications, lists (cases 138, 140, 185).
func TestWhatOthersDoNotCompare(t *testing.T) {
	side := func(word string) *recorder.Log {
		return script(t,
			`> {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`,
			`< {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","serverInfo":{"name":"s","version":"`+word+`"}}}`,
			`> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}`,
			`< {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"call `+word+`"}],"isError":false}}`,
			`> {"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"r://a"}}`,
			`< {"jsonrpc":"2.0","id":2,"result":{"contents":[{"uri":"r://a","text":"read `+word+`"}]}}`,
			`> {"jsonrpc":"2.0","id":3,"method":"prompts/get","params":{"name":"p"}}`,
			`< {"jsonrpc":"2.0","id":3,"result":{"messages":[{"role":"user","content":{"type":"text","text":"prompt `+word+`"}}]}}`,
			`< {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"r://`+word+`"}}`,
			`> {"jsonrpc":"2.0","id":4,"method":"tools/list"}`,
			`< {"jsonrpc":"2.0","id":4,"result":{"tools":[{"name":"t","description":"list `+word+`"}]}}`,
		)
	}
	c := compare(t, side("one"), side("two"), Options{})
	want := []string{
		"different: initialize; difference changed results /result/serverInfo/version",
		"different: tools/call t; difference changed results /result/content/0/text",
		"different: resources/read r://a; difference changed results /result/contents/0/text",
		"different: prompts/get p; difference changed results /result/messages/0/content/text",
		"different: notifications/resources/updated r://one; difference changed notifications /params/uri",
		"different: tools/list; difference changed results /result/tools/0/description",
	}
	if got := said(c); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// Calls are matched by what they are and take, not by their place: one that is
// repeated, or in another place, does not derail the rest (case 185).
func TestRepeatedCallsDoNotDerail(t *testing.T) {
	lines := func(order ...string) (out []string) {
		for i, word := range order {
			out = append(out, call(i+1, `{"w":"`+word+`"}`, `{"got":"`+word+`"}`)...)
		}
		return out
	}
	a := script(t, lines("a", "a", "b", "a", "c", "d")...)
	c := compare(t, a, script(t, lines("a", "b", "a", "c", "e", "d")...), Options{})
	if c.Same != 5 || c.OnlyA != 1 || c.OnlyB != 1 || c.Different != 0 {
		t.Errorf("%q", said(c))
	}
}

// The diff of a changed tool is the changed field, not the tool (case 149).
func TestSmallDiffs(t *testing.T) {
	tools := func(n int) string {
		var list []string
		for i := range 40 {
			about := "About it"
			if i == 20 {
				about = fmt.Sprintf("About it, %d", n)
			}
			list = append(list, fmt.Sprintf(`{"name":"tool%d","description":%q,"inputSchema":{"type":"object"}}`, i, about))
		}
		return `{"tools":[` + strings.Join(list, ",") + `]}`
	}
	side := func(n int) *recorder.Log {
		return script(t, `> {"jsonrpc":"2.0","id":1,"method":"tools/list"}`, `< {"jsonrpc":"2.0","id":1,"result":`+tools(n)+`}`)
	}
	a, b := side(1), side(2)
	r, err := Compare(context.Background(), Side{Name: "a", Log: a}, Side{Name: "b", Log: b}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if f := found(r.Conversation); !slices.Equal(f, []string{"difference changed /result/tools/20/description"}) {
		t.Errorf("%q", f)
	}
	if len(r.Interface.Changes) != 1 || r.Interface.Changes[0].Pointer != "/description" || r.Interface.Changes[0].Name != "tool20" {
		t.Errorf("%+v", r.Interface.Changes)
	}
}

// Arguments that are absent, null or empty, and numbers in place of strings are
// told apart (case 152), integers beyond 2^53 too (case 180).
func TestArgumentsAreComparedAsSent(t *testing.T) {
	forms := []string{``, `,"arguments":null`, `,"arguments":{}`, `,"arguments":{"n":"1"}`, `,"arguments":{"n":1}`,
		`,"arguments":{"n":9007199254740992}`, `,"arguments":{"n":9007199254740993}`, `,"_meta":{"x":1}`}
	side := func(form string) *recorder.Log {
		return script(t, `> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"`+form+`}}`, `< {"jsonrpc":"2.0","id":1,"result":{}}`)
	}
	for i, a := range forms {
		for j, b := range forms {
			c := compare(t, side(a), side(b), Options{})
			if (i == j) != c.Equal() || i != j && (c.Different != 1 || len(c.Rows[0].Differences) == 0) {
				t.Errorf("%q and %q: %q", a, b, said(c))
			}
		}
	}
}

// A comparison never agrees because it compared something with itself
// (case 186).
func TestAnAnswerThatFailsIsNoAgreement(t *testing.T) {
	ask := `> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}`
	for name, c := range map[string]struct {
		answer []string
		want   []string
	}{
		"a tool error":   {[]string{`< {"jsonrpc":"2.0","id":1,"result":{"isError":true}}`}, []string{"difference added /result/isError"}},
		"an error":       {[]string{`< {"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"x"}}`}, []string{"difference added /error", "difference removed /result"}},
		"no answer":      {nil, []string{"difference removed "}},
		"broken JSON":    {[]string{`~ {"jsonrpc":"2.0","id":1,"result":{`}, []string{"difference removed "}},
		"a second one":   {[]string{`< {"jsonrpc":"2.0","id":1,"result":{}}`, `< {"jsonrpc":"2.0","id":1,"result":{}}`}, []string{"difference added "}},
		"null for a set": {[]string{`< {"jsonrpc":"2.0","id":1,"result":null}`}, []string{"difference changed /result"}},
	} {
		t.Run(name, func(t *testing.T) {
			a := script(t, ask, `< {"jsonrpc":"2.0","id":1,"result":{}}`)
			got := compare(t, a, script(t, append([]string{ask}, c.answer...)...), Options{Without: Stray})
			if f := found(got); !slices.Equal(f, c.want) || got.Equal() {
				t.Errorf("%q, want %q", f, c.want)
			}
		})
	}
}

func TestLimitsAreSaid(t *testing.T) {
	all := acts(newRand(4), 300)
	a, b := record(t, false, 0, all), record(t, false, 1000, all)
	c := compare(t, a, b, Options{Limit: time.Nanosecond})
	if c.NotCompared == 0 || c.Same != 0 || len(c.Cut) != 1 || c.Equal() || !strings.Contains(c.Cut[0], "the limit of 1ns") {
		t.Errorf("%d not compared, %d same, %q", c.NotCompared, c.Same, c.Cut)
	}
	big := func(n int) *recorder.Log {
		return script(t, call(1, `{}`, `{"a":"`+strings.Repeat("x", maxMessage+n)+`"}`)...)
	}
	if got := compare(t, big(1), big(2), Options{}); got.Different != 1 || len(got.Cut) != 1 || !strings.Contains(got.Cut[0], "compared as a whole") {
		t.Errorf("%d different, %q", got.Different, got.Cut)
	}
	var many []string
	for i := range maxDifferences + 50 {
		many = append(many, fmt.Sprintf(`"m%d":1`, i))
	}
	one := script(t, call(1, `{}`, `{`+strings.Join(many, ",")+`}`)...)
	two := script(t, call(1, `{}`, strings.ReplaceAll(`{`+strings.Join(many, ",")+`}`, ":1", ":2"))...)
	if r := compare(t, one, two, Options{}).Rows[0]; len(r.Differences) != maxDifferences || r.More != 50 {
		t.Errorf("%d and %d more", len(r.Differences), r.More)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Conversations(ctx, a, b, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// Two answers of any kind compare without a fault, and the same both ways.
func FuzzConversationsMirror(f *testing.F) {
	f.Add(`{"a":[1,{"id":1}],"b":"2026-11-30T03:12:09Z x"}`, `{"a":[{"id":1,"v":"{\"x\":[1]}"},1.0],"b":"y\nz"}`)
	f.Add(`{"content":[{"type":"text","text":"t-17 made"}],"id":5}`, `{"content":[{"type":"text","text":"t-23 made"}],"id":6}`)
	f.Add(`[[1,2],[2,1]]`, `[[2,1],[1,2],null]`)
	f.Fuzz(func(t *testing.T, before, after string) {
		if len(before)+len(after) > 1<<12 || !jsontext.Value(before).IsValid() || !jsontext.Value(after).IsValid() || strings.ContainsAny(before+after, "\n\r") {
			return
		}
		lines := func(s string) []string { return append(call(1, `{}`, s), call(2, s, `{}`)...) }
		a, b := script(t, lines(before)...), script(t, lines(after)...)
		if got := said(compare(t, a, a, Options{})); got != nil {
			t.Fatalf("against itself: %q", got)
		}
		checkMirror(t, compare(t, a, b, Options{}), compare(t, b, a, Options{}))
	})
}
