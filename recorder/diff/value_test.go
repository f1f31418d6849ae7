package diff

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mcploupe/recorder"
)

// script records lines: > to the server, < from it, ! standard error, ~ no
// message. Each takes a millisecond, or what @ says before it.
func script(t testing.TB, lines ...string) *recorder.Log {
	t.Helper()
	log, err := recorder.Create(filepath.Join(t.TempDir(), "s.mcp.jsonl"), recorder.Header{Target: recorder.Target{Transport: "stdio"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = log.Close() })
	now := time.Duration(0)
	for _, line := range lines {
		step := time.Millisecond
		if rest, ok := strings.CutPrefix(line, "@"); ok {
			word, after, _ := strings.Cut(rest, " ")
			if step, err = time.ParseDuration(word); err != nil {
				t.Fatal(err)
			}
			line = after
		}
		now += step
		e := recorder.Event{Time: now, Channel: "stdio", Dir: recorder.In, Kind: recorder.KindMessage, Data: []byte(line[2:])}
		switch line[0] {
		case '>':
			e.Dir = recorder.Out
		case '!':
			e.Kind, e.Data = recorder.KindStderr, []byte(line[2:]+"\n")
		case '~':
			e.Kind = recorder.KindBad
		}
		log.Append(e)
	}
	return log
}

// call is a call of a tool and its answer.
func call(id int, arguments, result string) []string {
	return []string{
		fmt.Sprintf(`> {"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"t","arguments":%s}}`, id, arguments),
		fmt.Sprintf(`< {"jsonrpc":"2.0","id":%d,"result":%s}`, id, result),
	}
}

// found writes the differences of a comparison, sorted.
func found(c *Conversation) []string {
	var out []string
	for _, r := range c.Rows {
		for _, d := range r.Differences {
			s := d.Severity.String() + " " + d.Kind.String() + " " + d.Pointer()
			if d.Inside != "" {
				s += "!" + d.Inside
			}
			out = append(out, s)
		}
	}
	slices.Sort(out)
	return append(out, c.Cut...)
}

func hiddenBy(c *Conversation) string {
	var out []string
	for _, h := range c.Hidden {
		out = append(out, fmt.Sprintf("%s %d", h.Key, h.Count))
	}
	return strings.Join(out, ", ")
}

func TestResultsAreComparedByValue(t *testing.T) {
	for _, c := range []struct {
		name, before, after string
		want                []string
		hidden              string
	}{
		{"order of members", `{"a":1,"b":2}`, `{"b":2,"a":1}`, nil, ""},
		{"spelling of a number", `{"a":1.0}`, `{"a":1}`, []string{"note changed /result/a"}, ""},
		{"1e400 and -0", `{"a":1e400,"b":-0}`, `{"a":10e399,"b":0}`, []string{"note changed /result/a", "note changed /result/b"}, ""},
		{"beyond 2^53, N 180", `{"a":9007199254740993}`, `{"a":9007199254740992}`, []string{"difference changed /result/a"}, ""},
		{"escapes", `{"a":"\u0041"}`, `{"a":"A"}`, []string{"note changed /result/a"}, ""},
		{"absent and null", `{}`, `{"a":null}`, []string{"difference added /result/a"}, ""},
		{"null and empty", `{"a":null}`, `{"a":""}`, []string{"difference changed /result/a"}, ""},
		{"null and absent", `{"a":null}`, `{}`, []string{"difference removed /result/a"}, ""},
		{"duplicate members", `{"a":1,"a":2}`, `{"a":1,"a":3}`, []string{"difference changed /result/a"}, ""},
		{"true and false", `{"a":true}`, `{"a":false}`, []string{"difference changed /result/a"}, ""},
		{"another type", `{"a":1}`, `{"a":"1"}`, []string{"difference changed /result/a"}, ""},
		{"an item more", `{"a":[1,2,3]}`, `{"a":[1,9,2,3]}`, []string{"difference added /result/a/1"}, ""},
		{"an item less", `{"a":[1,2,3]}`, `{"a":[1,3]}`, []string{"difference removed /result/a/1"}, ""},
		{"an item moved", `{"a":[1,2,3,4]}`, `{"a":[2,3,4,1]}`, []string{"difference moved /result/a/3"}, ""},
		{"an item moved and changed", `{"a":[{"id":1,"v":1},{"id":2},{"id":3}]}`, `{"a":[{"id":2},{"id":3},{"id":1,"v":2}]}`,
			[]string{"difference changed /result/a/2/v", "difference moved /result/a/2"}, ""},
		{"an item changed among many", `{"a":[{"id":1},{"id":2,"v":"x"},{"id":3}]}`, `{"a":[{"id":0},{"id":1},{"id":2,"v":"y"},{"id":3}]}`,
			[]string{"difference added /result/a/0", "difference changed /result/a/2/v"}, ""},
		{"JSON in a string", `{"a":"{\"x\": 1, \"y\": [2]}"}`, `{"a":"{\"y\":[2],\"x\":3}"}`, []string{"difference changed /result/a!/x"}, ""},
		{"JSON in a string, written otherwise", `{"a":"{\"x\": 1}"}`, `{"a":"{ \"x\":1 }"}`, nil, ""},
		{"timestamp", `{"a":"at 2026-11-30T03:12:09Z"}`, `{"a":"at 2026-12-01T13:12:09.123+01:00"}`, nil, "timestamps 1"},
		{"timestamps of other kinds", `{"a":"Mon Nov 30 2026 03:12:09 GMT+0000 (UTC)","b":"11/30/2026, 3:12:09 AM","c":"03:12:09"}`,
			`{"a":"Tue Dec 01 2026 13:12:10 GMT+0100 (Central European Standard Time)","b":"12/1/2026, 10:12:09 PM","c":"13:12:09"}`, nil, "timestamps 3"},
		{"timestamp and more", `{"a":"at 2026-11-30T03:12:09Z: rain"}`, `{"a":"at 2026-12-01T13:12:09Z: snow"}`, []string{"difference changed /result/a"}, ""},
		{"timestamp in base64", `{"blob":"YXQgMjAyNi0xMS0zMFQwMzoxMjowOVo="}`, `{"blob":"YXQgMjAyNi0xMi0wMVQxMzoxMjowOVo="}`, nil, "timestamps 1"},
		{"base64 of another text", `{"blob":"b25l"}`, `{"blob":"dHdv"}`, []string{"difference changed /result/blob"}, ""},
		{"a text that could be base64", `{"a":"b25l"}`, `{"a":"dHdv"}`, []string{"difference changed /result/a"}, ""},
		{"number named as a time", `{"createdAt":1764472329}`, `{"createdAt":1764558729}`, nil, "timestamps 1"},
		{"number named as a time, but small", `{"time":5}`, `{"time":6}`, []string{"difference changed /result/time"}, ""},
		{"duration", `{"a":"took 12 ms","elapsedMs":3}`, `{"a":"took 1.5 s","elapsedMs":30}`, nil, "durations 2"},
		{"a setting is no duration", `{"timeoutMs":3}`, `{"timeoutMs":30}`, []string{"difference changed /result/timeoutMs"}, ""},
		{"a date alone is data", `{"due":"2026-11-30"}`, `{"due":"2026-12-01"}`, []string{"difference changed /result/due"}, ""},
		{"uuid", `{"a":"6f1c1d0e-6f0e-4b43-9f4c-0a1b2c3d4e5f"}`, `{"a":"00000000-6f0e-4b43-9f4c-0a1b2c3d4e5f"}`, nil, "uuids 1"},
		{"request state", `{"requestState":"a"}`, `{"requestState":"b"}`, nil, "ids 1"},
		{"tokens in _meta", `{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}`, `{"_meta":{"io.modelcontextprotocol/subscriptionId":2}}`, nil, "ids 1"},
		{"a _meta of ids alone", `{}`, `{"_meta":{"io.modelcontextprotocol/subscriptionId":2}}`, nil, "ids 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, b := script(t, call(1, `{}`, c.before)...), script(t, call(7, `{}`, c.after)...)
			got := compare(t, a, b, Options{})
			if f := found(got); !slices.Equal(f, c.want) {
				t.Errorf("found %q, want %q", f, c.want)
			}
			// The ids of the two requests and answers are hidden as well.
			want := "ids 2"
			switch n := 0; {
			case strings.HasPrefix(c.hidden, "ids"):
				_, _ = fmt.Sscanf(c.hidden, "ids %d", &n)
				want = fmt.Sprintf("ids %d", n+2)
			case c.hidden != "":
				want += ", " + c.hidden
			}
			if h := hiddenBy(got); h != want {
				t.Errorf("hidden %q, want %q", h, want)
			}
			checkMirror(t, got, compare(t, b, a, Options{}))
		})
	}
}

func TestRulesForWhatVariesCanBeSwitchedOff(t *testing.T) {
	a := script(t, call(1, `{}`, `{"a":"2026-11-30T03:12:09Z","b":"12 ms","c":"6f1c1d0e-6f0e-4b43-9f4c-0a1b2c3d4e5f"}`)...)
	b := script(t, call(1, `{}`, `{"a":"2026-12-30T03:12:09Z","b":"13 ms","c":"7f1c1d0e-6f0e-4b43-9f4c-0a1b2c3d4e5f"}`)...)
	for _, c := range []struct {
		off  Volatile
		want string
	}{
		{0, ""}, {Timestamps, "/result/a"}, {Durations, "/result/b"}, {UUIDs, "/result/c"},
	} {
		got := found(compare(t, a, b, Options{Count: c.off}))
		if want := strings.TrimSpace("difference changed " + c.want); c.want == "" && got != nil || c.want != "" && !slices.Equal(got, []string{want}) {
			t.Errorf("with %d off: %q, want %q", c.off, got, want)
		}
	}
}

// Since 2026-07-28 every result says anew which server speaks, and every request
// which client: another version makes no exchange differ, unless that counts.
func TestWhoSpeaksIsRepeatedAndDoesNotCount(t *testing.T) {
	side := func(server, client string) *recorder.Log {
		lines := []string{
			`> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/clientInfo":` + client + `}}}`,
			`< {"jsonrpc":"2.0","id":1,"result":{"tools":[],"_meta":{"io.modelcontextprotocol/serverInfo":` + server + `}}}`,
		}
		return script(t, lines...)
	}
	one, two := `{"name":"k","version":"0.9.0"}`, `{"name":"k","version":"1.0.0"}`
	server, client := "/result/_meta/io.modelcontextprotocol~1serverInfo", "/params/_meta/io.modelcontextprotocol~1clientInfo"
	for _, c := range []struct {
		name   string
		a, b   *recorder.Log
		off    Volatile
		want   []string
		hidden string
	}{
		{"both", side(one, one), side(two, two), 0, nil, "implementations 2"},
		{"counted", side(one, one), side(two, two), Implementations, []string{"difference changed " + client + "/version", "difference changed " + server + "/version"}, ""},
		{"same", side(one, one), side(one, one), 0, nil, ""},
		{"another type", side(one, one), side("7", one), 0, []string{"difference changed " + server}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := compare(t, c.a, c.b, Options{Count: c.off})
			if f := found(got); !slices.Equal(f, c.want) {
				t.Errorf("found %q, want %q", f, c.want)
			}
			if h := hiddenBy(got); h != c.hidden {
				t.Errorf("hidden %q, want %q", h, c.hidden)
			}
			checkMirror(t, got, compare(t, c.b, c.a, Options{Count: c.off}))
		})
	}
	gone := script(t, `> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/clientInfo":`+one+`}}}`,
		`< {"jsonrpc":"2.0","id":1,"result":{"tools":[],"_meta":{}}}`)
	if f := found(compare(t, side(one, one), gone, Options{})); !slices.Equal(f, []string{"difference removed " + server}) {
		t.Errorf("when it is gone: %q", f)
	}
}

// A value that came from the server and is sent back is the same on both
// sides: a cursor, the id of what was created, a word of a text.
func TestValuesThatTravelHaveTheSameOrigin(t *testing.T) {
	side := func(cursor, made, word string, limit int) *recorder.Log {
		lines := []string{
			`> {"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
			`< {"jsonrpc":"2.0","id":1,"result":{"tools":[],"nextCursor":"` + cursor + `"}}`,
			`> {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"` + cursor + `"}}`,
			`< {"jsonrpc":"2.0","id":2,"result":{"tools":[]}}`,
		}
		lines = append(lines, call(3, `{}`, `{"issue":{"id":`+made+`},"content":[{"type":"text","text":"Made ticket `+word+`."}]}`)...)
		lines = append(lines, call(4, `{"id":`+made+`,"ref":"tickets://`+word+`/log"}`, `{}`)...)
		return script(t, append(lines, call(5, fmt.Sprintf(`{"limit":%d}`, limit), `{}`)...)...)
	}
	a, b := side("Y3Vyc29yMQ==", "17", "t-9f3a", 10), side("Y3Vyc29yMg==", "23", "t-77c0", 20)
	got := compare(t, a, b, Options{})
	if f := found(got); !slices.Equal(f, []string{"difference changed /params/arguments/limit"}) {
		t.Errorf("found %q", f)
	}
	var list []string
	for _, o := range got.Origins {
		list = append(list, fmt.Sprintf("%s=%s %d", o.A, o.B, o.Sent))
	}
	if want := []string{"Y3Vyc29yMQ===Y3Vyc29yMg== 1", "17=23 1", "t-9f3a=t-77c0 1"}; !slices.Equal(list, want) {
		t.Errorf("origins %q, want %q", list, want)
	}
	// Never sent back, it is a difference.
	a, b = script(t, call(3, `{}`, `{"issue":{"id":17}}`)...), script(t, call(3, `{}`, `{"issue":{"id":23}}`)...)
	if f := found(compare(t, a, b, Options{})); !slices.Equal(f, []string{"difference changed /result/issue/id"}) {
		t.Errorf("found %q", f)
	}
}

func TestLongTextsByLinesAndCharacters(t *testing.T) {
	a := script(t, call(1, `{}`, `{"a":"one\ntwo\nwind 12 m/s\nfour"}`)...)
	b := script(t, call(1, `{}`, `{"a":"one\nwind 14 m/s\nfour\nfive"}`)...)
	c := compare(t, a, b, Options{})
	d := c.Rows[0].Differences[0]
	var got []string
	for _, l := range d.Lines {
		got = append(got, fmt.Sprintf("%d %q %v | %d %q %v", l.A, l.TextA, l.MarksA, l.B, l.TextB, l.MarksB))
	}
	want := []string{`2 "two" [] | 0 "" []`, `3 "wind 12 m/s" [{6 7}] | 2 "wind 14 m/s" [{6 7}]`, `0 "" [] | 4 "five" []`}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestLatencyIsANote(t *testing.T) {
	side := func(d string) *recorder.Log {
		lines := call(1, `{}`, `{}`)
		lines[1] = "@" + d + " " + lines[1]
		return script(t, lines...)
	}
	for _, c := range []struct {
		a, b string
		want []string
	}{
		{"50ms", "140ms", nil}, {"200ms", "390ms", nil}, {"50ms", "160ms", []string{"note changed "}}, {"900ms", "300ms", []string{"note changed "}},
	} {
		got := compare(t, side(c.a), side(c.b), Options{})
		if f := found(got); !slices.Equal(f, c.want) || !got.Equal() {
			t.Errorf("%s and %s: %q", c.a, c.b, f)
		}
		if f := got.Rows[0].Differences; c.a == "900ms" && f[0].Text != "The answer is faster: 300 ms, before 900 ms." {
			t.Errorf("said as %q", f[0].Text)
		}
		if f := found(compare(t, side(c.a), side(c.b), Options{Without: Timing})); f != nil {
			t.Errorf("%s and %s: %q", c.a, c.b, f)
		}
	}
}

// Each class of traffic takes part, and only as long as it is not left out.
func TestClassesOfTraffic(t *testing.T) { // cases 150, 151
	side := func(word string) *recorder.Log {
		return script(t,
			`! starting `+word,
			`~ hello `+word,
			`> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"a":"`+word+`"}}}`,
			`< {"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"`+word+`?"}}`,
			`> {"jsonrpc":"2.0","id":"q","result":{"action":"accept","content":{"x":"`+word+`!"}}}`,
			`< {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"`+word+`"}}`,
			`< {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"`+word+`."}]}}`,
		)
	}
	a, b := side("of-one"), side("of-two")
	all := map[Class]string{
		Params: "/params/arguments/a", PeerRequests: "/params/message", PeerAnswers: "/result/content/x",
		Notifications: "/params/data", Results: "/result/content/0/text", Stderr: "", Stray: "",
	}
	for class, pointer := range all {
		got := compare(t, a, b, Options{Without: AllClasses &^ class})
		f := found(got)
		if class == Params || class == PeerAnswers {
			// What is sent is looked for in what came; that was left out.
			if !slices.Equal(f, []string{"difference changed " + pointer}) {
				t.Errorf("%s alone: %q", class, f)
			}
			continue
		}
		if !slices.Equal(f, []string{"difference changed " + pointer}) {
			t.Errorf("%s alone: %q, want %q", class, f, pointer)
		}
	}
	if f := found(compare(t, a, b, Options{Without: AllClasses})); f != nil {
		t.Errorf("with all left out: %q", f)
	}
}
