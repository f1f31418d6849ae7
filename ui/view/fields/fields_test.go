package fields

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"mcploupe/protocol/schema"
)

func form(t testing.TB, text string) *schema.Form {
	t.Helper()
	s, problems := schema.Compile([]byte(text))
	for _, p := range problems {
		t.Logf("schema: %s %s", p.Pointer, p.Text)
	}
	return schema.NewForm(s)
}

// one is the node for a schema, as the optional member "x" of an object.
func one(t testing.TB, text string) *schema.Node {
	t.Helper()
	return form(t, `{"type":"object","properties":{"x":`+text+`}}`).Root().Member("x")
}

func TestControlsAndTypes(t *testing.T) {
	many := func(n, runes int) string {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf(`"%s%c"`, strings.Repeat("x", runes-1), 'a'+i))
		}
		return "[" + strings.Join(list, ",") + "]"
	}
	for _, tt := range []struct {
		schema  string
		control Control
		word    string
	}{
		{`{"type":"string"}`, Entry, "text"},
		{`{"type":["string","null"]}`, Entry, "text or null"},
		{`{"type":"string","format":"email"}`, Entry, "e-mail"},
		{`{"type":"string","format":"x\u202ey"}`, Entry, "x‹U+202E›y"},
		{`{"type":"string","format":"password"}`, Password, "password"},
		{`{"type":"string","maxLength":5000}`, Multiline, "text"},
		{`{"type":"string","maxLength":50}`, Entry, "text"},
		{`{"type":"string","default":"two\nlines"}`, Multiline, "text"},
		{`{"type":"string","default":"a\u202eb"}`, Long, "text"},
		{`{"type":"string","default":"` + strings.Repeat("long ", 1000) + `"}`, Long, "text"},
		{`{"type":"string","format":"date"}`, Date, "date"},
		{`{"type":"string","format":"date-time"}`, DateTime, "date-time"},
		{`{"type":"string","contentEncoding":"base64"}`, File, "base64"},
		{`{"type":"string","format":"data-url"}`, File, "data-url"},
		{`{"type":"integer"}`, Number, "integer"},
		{`{"type":"number"}`, Number, "number"},
		{`{"type":"boolean"}`, Check, "boolean"},
		{`{"enum":["C","F"]}`, Strip, "choice"},
		{`{"enum":` + many(4, 11) + `}`, Strip, "choice"},
		{`{"enum":` + many(4, 12) + `}`, Pick, "choice"},
		{`{"enum":` + many(5, 2) + `}`, Pick, "1 of 5"},
		{`{"type":"array","items":{"enum":["a","b"]}}`, Checks, "any of 2"},
		{`{"type":"array","items":{"enum":` + many(13, 3) + `}}`, Picks, "any of 13"},
		{`{"const":7}`, Fixed, "fixed"},
		{`{}`, JSON, "any JSON"},
		{`false`, JSON, "JSON"},
		{`{"type":"object"}`, Start, "map"},
		{`{"type":"object","properties":{"a":{}}}`, Start, "object"},
		{`{"type":"array"}`, Start, "list"},
		{`{"type":"array","prefixItems":[{}]}`, Start, "tuple"},
	} {
		n := one(t, tt.schema)
		if c := ControlOf(n); c != tt.control {
			t.Errorf("%.80s: control %d, want %d", tt.schema, c, tt.control)
		}
		if w := TypeWord(n); w != tt.word {
			t.Errorf("%.80s: type %q, want %q", tt.schema, w, tt.word)
		}
	}
}

func TestNamesOfLongTexts(t *testing.T) {
	for name, want := range map[string]Control{
		"body": Multiline, "newText": Multiline, "page_content": Multiline, "commit-message": Multiline,
		"context": Entry, "bodyweight": Entry, "contentType": Entry, "title": Entry,
	} {
		f := form(t, `{"type":"object","properties":{"`+name+`":{"type":"string"}}}`)
		if c := ControlOf(f.Root().Member(name)); c != want {
			t.Errorf("%s: control %d, want %d", name, c, want)
		}
	}
}

func TestControlFollowsTheValue(t *testing.T) {
	n := one(t, `{"type":"string"}`)
	for _, tt := range []struct {
		text string
		want Control
	}{{"a", Entry}, {"a\nb", Multiline}, {"a\u200bb", Long}, {strings.Repeat("a", EntryBytes+1), Long}, {"a", Entry}} {
		n.SetText(tt.text)
		if c := ControlOf(n); c != tt.want {
			t.Errorf("%.20q: control %d, want %d", tt.text, c, tt.want)
		}
	}
	if err := n.SetJSON([]byte(`12`)); err != nil {
		t.Fatal(err)
	}
	if c := ControlOf(n); c != JSON {
		t.Errorf("a number in a text field: control %d, want JSON", c)
	}
	list := one(t, `{"type":"array","items":{"type":"integer"}}`)
	list.SetText(`[1,`)
	if c := ControlOf(list); c != JSON {
		t.Errorf("a list that does not parse: control %d, want JSON", c)
	}
}

func TestHints(t *testing.T) {
	for _, tt := range []struct{ schema, want string }{
		{`{"type":"string","minLength":2,"maxLength":9}`, "2 to 9 characters"},
		{`{"type":"string","minLength":3,"maxLength":3}`, "exactly 3 characters"},
		{`{"type":"string","minLength":1}`, "at least 1 character"},
		{`{"type":"string","pattern":"^a\u202e$"}`, "matches ^a‹U+202E›$"},
		{`{"type":"string","default":"x"}`, `default "x"`},
		{`{"type":"integer","minimum":1,"maximum":9007199254740993}`, "1 to 9007199254740993"},
		{`{"type":"number","exclusiveMinimum":0.50,"maximum":1e400}`, "more than 0.50 and at most 1e400"},
		{`{"type":"number","multipleOf":0.10}`, "a multiple of 0.10"},
		{`{"type":"array","items":{},"minItems":2,"uniqueItems":true}`, "at least 2 items · no two alike"},
		{`{"type":"object","additionalProperties":true,"maxProperties":1}`, "at most 1 member"},
		{`{"const":3}`, ""},
		{`false`, "JSON: the schema allows no value here"},
	} {
		if h := Hint(one(t, tt.schema)); h != tt.want {
			t.Errorf("%s: %q, want %q", tt.schema, h, tt.want)
		}
	}
	if e := Example(one(t, `{"type":"string","examples":["a\nb"]}`)); e != "e.g. a↵b" {
		t.Errorf("example %q", e)
	}
}

// HDR-08: what goes into a header too is marked.
func TestMarks(t *testing.T) {
	n := one(t, `{"type":"string","deprecated":true,"readOnly":true,"x-mcp-header":"Region"}`)
	want := []Mark{{"deprecated", true}, {"read-only", true}, {"also sent as Mcp-Param-Region", false}}
	if got := Marks(n); !slices.Equal(got, want) {
		t.Errorf("marks %v, want %v", got, want)
	}
	f := form(t, `{"type":"object","properties":{"a":{"type":"string"}}}`)
	extra, err := f.Root().AddMember("b")
	if err != nil {
		t.Fatal(err)
	}
	if got := Marks(extra); !slices.Equal(got, []Mark{{"not in the schema", true}}) {
		t.Errorf("marks of an extra member: %v", got)
	}
}

func TestThreeStates(t *testing.T) { // C48, C50, P14
	n := one(t, `{"type":["string","null"]}`)
	for _, tt := range []struct {
		do   func()
		want string
	}{
		{func() {}, "not sent"}, {n.SetNull, "null"}, {n.SetEmpty, "empty"}, {func() { n.SetText("x") }, ""}, {n.Clear, "not sent"},
	} {
		tt.do()
		if w := StateWord(n); w != tt.want {
			t.Errorf("state %q, want %q", w, tt.want)
		}
	}
}

func verbs(n *schema.Node) string {
	var out []string
	for _, a := range Actions(n) {
		text := a.Text
		if a.Off {
			text += " (off)"
		}
		if a.On {
			text += " (on)"
		}
		if a.Verb == Separator {
			text = "-"
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

func TestActions(t *testing.T) {
	f := form(t, `{"type":"object","required":["r"],"properties":{
		"r":{"type":"string"}, "d":{"type":"integer","default":3,"examples":[5]}, "n":{"type":["boolean","null"]},
		"l":{"type":"array","items":{"type":"string"}}, "o":{"type":"object","properties":{"a":{}}}}}`)
	r := f.Root()
	l := r.Member("l")
	l.AddItem()
	l.AddItem()
	r.Member("o").Enable()
	extra, err := r.AddMember("x")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		n    *schema.Node
		want string
	}{
		{r.Member("r"), "Not sent (is required) (on), Null (not in the schema), Empty text, -, Edit as JSON, Copy as JSON (off)"},
		{r.Member("d"), "Not sent, Null (not in the schema), -, Default: 3, Example: 5, -, Edit as JSON, Copy as JSON"},
		{r.Member("n"), "Not sent (on), Send it, Null, -, Edit as JSON, Copy as JSON (off)"},
		{l.Children()[0], "Null (not in the schema), Empty text (on), -, Edit as JSON, Copy as JSON, -, Move up (off), Move down, -, Remove"},
		{l.Children()[1], "Null (not in the schema), Empty text (on), -, Edit as JSON, Copy as JSON, -, Move up, Move down (off), -, Remove"},
		{r.Member("o"), "Not sent, Null (not in the schema), -, Add a member that the schema does not name, Edit as JSON, Copy as JSON"},
		{extra, "Not sent, Null (not in the schema), -, Copy as JSON (off), -, Remove"},
	} {
		if got := verbs(tt.n); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.n.Pointer(), got, tt.want)
		}
	}
	d := r.Member("d")
	d.EditJSON(true)
	if got := verbs(d); !strings.Contains(got, "Edit in fields") || strings.Contains(got, "Edit as JSON") {
		t.Errorf("a field edited as JSON offers %s", got)
	}
}

func lines(f *schema.Form, folded ...string) string {
	var out []string
	for _, l := range Lines(f, func(n *schema.Node) bool { return slices.Contains(folded, n.Pointer()) }, nil) {
		out = append(out, fmt.Sprintf("%s%s%s", strings.Repeat(">", l.Depth), [...]string{"", "#", "+", "…"}[l.Role], l.Node.Pointer()))
	}
	return strings.Join(out, " ")
}

func TestLines(t *testing.T) {
	f := form(t, `{"type":"object","additionalProperties":false,"properties":{
		"a":{"type":"string"},
		"o":{"type":"object","properties":{"p":{"type":"string"},"q":{"type":"object","properties":{"z":{}}}}},
		"l":{"type":"array","items":{"type":"integer"}},
		"m":{"type":"object","additionalProperties":{"type":"string"}},
		"s":{"type":"array","items":{"enum":["x","y"]}}}}`)
	r := f.Root()
	if got, want := lines(f), "/a /o /l /m /s"; got != want {
		t.Errorf("at first %s, want %s", got, want)
	}
	r.Member("o").Enable()
	r.Member("l").AddItem().SetText("1")
	r.Member("l").AddItem().SetText("draft")
	if _, err := r.Member("m").AddMember("k"); err != nil {
		t.Fatal(err)
	}
	r.Member("s").SetChosen(1, true)
	if got, want := lines(f), "/a #/o >/o/p >/o/q #/l >/l/0 >/l/1 >+/l #/m >/m/k >+/m /s"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := lines(f, "/o", "/l"), "/a #/o #/l #/m >/m/k >+/m /s"; got != want {
		t.Errorf("folded %s, want %s", got, want)
	}
}

func TestLinesOfOtherRoots(t *testing.T) {
	for _, tt := range []struct{ schema, want string }{
		{`{"type":"object","properties":{"a":{}}}`, "/a +"},
		{`{"type":"string"}`, ""},
		{`{"type":"array","items":{"type":"string"},"default":["x"]}`, "# >/0 >+"},
		{`{"oneOf":[{"title":"A","type":"object","properties":{"a":{"type":"string"}}},{"title":"B","type":"object","properties":{"b":{"type":"string"}}}]}`, "# >/a >+"},
	} {
		if got := lines(form(t, tt.schema)); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.schema, got, tt.want)
		}
	}
}

func TestLongListsAreCut(t *testing.T) {
	f := form(t, `{"type":"array","items":{"type":"integer"}}`)
	if err := f.SetValue([]byte("[" + strings.TrimSuffix(strings.Repeat("1,", MaxShown+7), ",") + "]")); err != nil {
		t.Fatal(err)
	}
	all := Lines(f, func(*schema.Node) bool { return false }, nil)
	if n := len(all); n != 1+MaxShown+2 || all[n-2].Role != More || all[n-1].Role != Add {
		t.Errorf("%d lines, want a head, %d items, a note and a line to add", n, MaxShown)
	}
}

func TestSummary(t *testing.T) {
	f := form(t, `{"type":"object","required":["a","b"],"properties":{"a":{"type":"string"},"b":{"type":"object","title":"Box","properties":{"c":{"type":"integer","title":"Count"}}}}}`)
	f.Root().Member("b").Enable()
	touched := map[*schema.Node]bool{}
	seen := func(n *schema.Node) bool { return touched[n] }
	s := Summarise(f, seen)
	if s.Text != "1 field to fill in" || s.Level != Missing {
		t.Errorf("untouched: %+v", s)
	}
	f.Root().Member("b").Member("c").SetText("1.5")
	touched[f.Root().Member("b").Member("c")] = true
	s = Summarise(f, seen)
	if s.Text != "2 problems" || s.Level != Wrong || len(s.Issues) != 2 {
		t.Fatalf("after a wrong number: %+v", s)
	}
	if i := s.Issues[1]; i.Where != "Box › Count" || i.Pointer != "/b/c" || !strings.Contains(i.Text, "whole number") {
		t.Errorf("issue %+v", i)
	}
	f.Root().Member("a").SetText("x")
	f.Root().Member("b").Member("c").SetText("1")
	if s = Summarise(f, seen); s.Text != "Complete" || s.Level != Fine || len(s.Issues) != 0 {
		t.Errorf("when all is well: %+v", s)
	}
}

func TestMoment(t *testing.T) {
	now := time.Date(2026, 3, 1, 9, 5, 7, 0, time.FixedZone("x", 5*3600+1800))
	for _, tt := range []struct{ in, want string }{
		{"", "2026-03-01T09:05:00+05:30"},
		{"2020-02-30T01:02:03Z", "2026-03-01T09:05:00+05:30"},
		{"2020-02-28", "2020-02-28T09:05:00+05:30"},
		{"2020-02-28T01:02:03.456Z", "2020-02-28T01:02:03.456Z"},
		{"2020-02-28t01:02:60z", "2020-02-28T01:02:60Z"},
		{"2020-02-28T01:02:03-11:30", "2020-02-28T01:02:03-11:30"},
		{"2020-02-28T01:02", "2020-02-28T01:02:00+05:30"},
	} {
		if got := ReadMoment(tt.in, now).String(); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.in, got, tt.want)
		}
	}
	offsets, titles := Zones(now)
	if offsets[0] != "+05:30" || titles[0] != "+05:30  local" || offsets[1] != "Z" {
		t.Errorf("zones begin with %v %v", offsets[:2], titles[:2])
	}
	for _, z := range []string{"+05:45", "+08:45", "+12:45", "-09:30", "-12:00", "+14:00"} {
		if n := len(offsets); !slices.Contains(offsets, z) || n != len(titles) {
			t.Errorf("no zone %s", z)
		}
	}
	if d := Day("2020-02-28", now); d.Format(time.DateOnly) != "2020-02-28" {
		t.Errorf("day %v", d)
	}
	if d := Day("soon", now); !d.Equal(now) {
		t.Errorf("day of no date: %v", d)
	}
}

func TestMoveDate(t *testing.T) {
	for _, tt := range []struct {
		text         string
		clock        bool
		days, months int
		want         string
	}{
		{"", false, 1, 0, "2026-03-01"},
		{"2026-02-28", false, 1, 0, "2026-03-01"},
		{"2028-02-28", false, 1, 0, "2028-02-29"},
		{"2026-01-31", false, 0, 1, "2026-02-28"},
		{"2026-01-15", false, 0, -1, "2025-12-15"},
		{"2026-01-15T10:00:00.5+02:00", true, -15, 0, "2025-12-31T10:00:00.5+02:00"},
		{"2026-13-01", false, 1, 0, ""},
		{"soon", true, 1, 0, ""},
	} {
		got, ok := MoveDate(tt.text, tt.clock, tt.days, tt.months, time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC))
		if got != tt.want || ok != (tt.want != "") {
			t.Errorf("%q by %d days, %d months: %q, want %q", tt.text, tt.days, tt.months, got, tt.want)
		}
	}
}

func TestFiles(t *testing.T) {
	data := []byte{0xfb, 0xff, 1}
	for _, tt := range []struct{ schema, name, text, brief string }{
		{`{"type":"string","contentEncoding":"base64"}`, "a.png", "+/8B", "3 B in base64"},
		{`{"type":"string","contentEncoding":"base64url"}`, "a.png", "-_8B", "3 B in base64url"},
		{`{"type":"string","format":"data-url"}`, "a.png", "data:image/png;base64,+/8B", "3 B in data-url"},
		{`{"type":"string","format":"data-url"}`, "a.unknown", "data:application/octet-stream;base64,+/8B", "3 B in data-url"},
	} {
		h := one(t, tt.schema).Hints()
		text := FileText(h, tt.name, data)
		if text != tt.text {
			t.Errorf("%s: %s, want %s", tt.schema, text, tt.text)
		}
		if b := FileBrief(h, text); b != tt.brief {
			t.Errorf("%s: %q, want %q", tt.schema, b, tt.brief)
		}
	}
}

func TestBriefs(t *testing.T) {
	f := form(t, `{"type":"array","items":{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"},"c":{"type":"array","items":{}}}}}`)
	if err := f.SetValue([]byte(`[{"a":"x\u202e","b":2,"c":[1]}]`)); err != nil {
		t.Fatal(err)
	}
	n := f.Root().Children()[0]
	if b := Brief(n); b != "x‹U+202E›, 2" {
		t.Errorf("brief %q", b)
	}
	if s := Size(n); s != "3 members" {
		t.Errorf("size %q", s)
	}
	if s := Size(f.Root()); s != "1 item" {
		t.Errorf("size %q", s)
	}
	m := one(t, `{"type":"array","minItems":2,"maxItems":3,"items":{"enum":["r","g","b"]}}`)
	m.SetChosen(1, true)
	if c, note := Chosen(m), ChosenNote(m); c != "1: g" || note != "1 chosen, 2 to 3" {
		t.Errorf("chosen %q, %q", c, note)
	}
}
