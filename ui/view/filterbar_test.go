package view

import (
	"strings"
	"testing"

	"mcploupe/recorder"
)

func filterBar() *FilterBar {
	return NewFilterBar(func() recorder.FilterValues {
		return recorder.FilterValues{
			Methods: []string{"tools/call", "tools/list", "ping", "odd\x1bname"},
			Names:   []string{"get sum", "echo"},
		}
	})
}

func offered(b *FilterBar) string {
	var out []string
	for i := range b.Offers() {
		out = append(out, b.Offer(i).Text)
	}
	return strings.Join(out, " ")
}

func TestFilterBarOffersKeysThenValues(t *testing.T) {
	b := filterBar()
	b.Typed("me", 2)
	if got := offered(b); got != "method:" || b.Offer(0).Hint == "" {
		t.Fatalf("offered %q, hint %q", got, b.Offer(0).Hint)
	}
	if !b.Accept(-1) || b.Text() != "method:" || b.Cursor() != 7 {
		t.Fatalf("took %q, caret at %d", b.Text(), b.Cursor())
	}
	if got := offered(b); got != "tools/call tools/list ping" {
		t.Fatalf("offered %q; what cannot be read must not be", got)
	}
	b.Move(1)
	b.Move(1)
	if !b.Accept(-1) || b.Text() != "method:tools/list" || b.Open() {
		t.Errorf("took %q, open %v", b.Text(), b.Open())
	}
	b.Typed("method:tools/list tool:", 23)
	b.Move(-1)
	if b.Accept(-1); b.Text() != "method:tools/list tool:echo" {
		t.Errorf("took %q", b.Text())
	}
	b.Typed("-me kind:request", 3)
	if b.Accept(-1); b.Text() != "-method: kind:request" || b.Cursor() != 8 {
		t.Errorf("in the middle: %q, caret at %d", b.Text(), b.Cursor())
	}
}

func TestFilterBarChoosesOnlyWhenAsked(t *testing.T) {
	b := filterBar()
	b.Typed("m", 1)
	if !b.Open() || b.Chosen() != -1 {
		t.Fatalf("open %v, chosen %d: Enter would take what nobody chose", b.Open(), b.Chosen())
	}
	b.Move(-1)
	if b.Chosen() != b.Offers()-1 {
		t.Errorf("up from nowhere chose %d of %d", b.Chosen(), b.Offers())
	}
	b.Move(1)
	if b.Chosen() != 0 {
		t.Errorf("down from the last chose %d", b.Chosen())
	}
	b.Close()
	if b.Move(1); b.Open() || b.Chosen() != -1 || b.Accept(-1) {
		t.Error("a closed list offers something")
	}
}

func TestFilterBarOpensAndCloses(t *testing.T) {
	b := filterBar()
	b.Typed("kind:request ", 13)
	if b.Open() {
		t.Errorf("offered %q after a blank", offered(b))
	}
	if !b.Ask() || b.Offers() < 15 {
		t.Errorf("asked: %q", offered(b))
	}
	b.Moved(3)
	if b.Open() {
		t.Error("open although the caret went elsewhere")
	}
	b.Set("me")
	if b.Open() {
		t.Error("open although nobody typed")
	}
	b.Typed(`"me`, 3)
	if b.Open() {
		t.Errorf("offered %q inside quotes", offered(b))
	}
	b.Typed("kind:request", 12)
	if b.Open() {
		t.Errorf("offered %q for a complete word", offered(b))
	}
}

func TestFilterBarSaysWhatIsWrongAndWhere(t *testing.T) {
	for text, place := range map[string]string{
		"kind:request dur>fast is:bad": "fast",
		"nokey:x":                      "nokey:x",
		"kind:request|wrong":           "wrong",
		`is:bad "open quote`:           `"open`,
		"method:":                      "",
		"method:|a":                    "",
	} {
		b := filterBar()
		b.Set(text)
		f, bad := b.Fault()
		if !bad || text[f.Start:f.End] != place || f.Text == "" {
			t.Errorf("%q: %v at %q: %q", text, bad, text[f.Start:f.End], f.Text)
		}
	}
	b := filterBar()
	b.Set("kind:request")
	if f, bad := b.Fault(); bad {
		t.Errorf("a good filter: %+v", f)
	}
	b.Typed("method:", 7)
	if f, bad := b.Fault(); bad {
		t.Errorf("complains about %q while its values are offered", f.Text)
	}
	b.Typed("dur>x method:", 13)
	if f, bad := b.Fault(); !bad || f.Start != 4 {
		t.Errorf("a fault elsewhere is hidden by offers: %v %+v", bad, f)
	}
	b.Close()
	b.Typed("method:", 7)
	b.Close()
	if _, bad := b.Fault(); !bad {
		t.Error("no fault after the offers were closed")
	}
}

func TestChipsAreFilters(t *testing.T) {
	for _, c := range FilterChips() {
		if _, err := recorder.ParseFilter(c.Term()); err != nil {
			t.Errorf("%s: %v", c.Label, err)
		}
	}
}

func TestChipsGoIntoTheTextAndOut(t *testing.T) {
	chip := map[string]FilterChip{}
	for _, c := range FilterChips() {
		chip[c.Label] = c
	}
	for _, step := range []struct{ do, from, to string }{
		{"Errors", "", "is:error"},
		{"Errors", "is:error", ""},
		{"Errors", "method:a  echo", "method:a  echo is:error"},
		{"Problems", "is:error  echo", "is:error|problem  echo"},
		{"Errors", "is:error|problem echo", "is:problem echo"},
		{"HTTP", "kind:request", "kind:request|http|sse"},
		{"HTTP", "x kind:http|request|sse y", "x kind:request y"},
		{"HTTP", "kind:http", "kind:http|sse"},
		{"stderr", "-kind:stderr a", "a"},
		{"stderr", "a  -kind:stderr  b", "a b"},
		{"Requests", "dur>fast", "dur>fast kind:request"},
		{"-stderr", "", "-kind:stderr"},
		{"-stderr", "a kind:stderr", "a -kind:stderr"},
		{"-stderr", "-kind:stderr a", "a"},
	} {
		label, exclude := strings.CutPrefix(step.do, "-")
		got := chip[label].Toggle(step.from)
		if exclude {
			got = chip[label].Exclude(step.from)
		}
		if got != step.to {
			t.Errorf("%s on %q: %q, want %q", step.do, step.from, got, step.to)
		}
	}
	for text, want := range map[string]ChipState{
		"": ChipOff, "kind:http": ChipOff, "kind:sse|http": ChipOn, "-kind:http|sse": ChipExcluded, `KIND:"http"|SSE`: ChipOn,
	} {
		if got := chip["HTTP"].State(text); got != want {
			t.Errorf("HTTP in %q: %d, want %d", text, got, want)
		}
	}
}

func TestFilterBarWaitsForAValueThatIsBegun(t *testing.T) {
	b := filterBar()
	for text, want := range map[string]bool{
		"method:to": true, "method:tools/call": false, "method:tools/*": false, "me": true, "mex": false, "tool:EC": true, "-tool:echo": false,
		"kind:re": false, "method:": false,
	} {
		b.Typed(text, len(text))
		if got := b.Unfinished(); got != want {
			t.Errorf("%q: unfinished %v", text, got)
		}
	}
	b.Typed("method:to", 9)
	if b.Close(); b.Unfinished() {
		t.Error("unfinished after the offers were closed: the text would never be in force")
	}
}
