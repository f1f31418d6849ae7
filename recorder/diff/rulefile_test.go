package diff

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func TestParseRulesSaysWhere(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{"format":"mcploupe-rules/1",
  "rules":[{"action":"ignore","pointer":"/a"},
   {"action":"forget","pointer":"/a"}]}`, "line 3, column 14: action"},
		{"{\"format\":\"mcploupe-rules/1\",\n\"rules\":[{,]}", "line 2, column 11: "},
		{`{"rules":[]}`, "line 1, column 1: a file of rules has"},
		{`{"format":"mcploupe-rules/2"}`, "line 1, column 11: the format"},
		{`{"format":"mcploupe-rules/1","rules":{}}`, "must be an array"},
		{`{"format":"mcploupe-rules/1","rules":[1]}`, "column 39: a rule must be an object"},
		{`{"format":"mcploupe-rules/1","rules":[{"action":"ignore"}]}`, "a rule needs a \"pointer\""},
		{`{"format":"mcploupe-rules/1","rules":[{"pointer":"/a"}]}`, "a rule needs an \"action\""},
		{`{"format":"mcploupe-rules/1","rules":[{"action":"ignore","pointer":"a"}]}`, "must begin with /"},
		{`{"format":"mcploupe-rules/1","rules":[{"action":"ignore","pointer":"/a","what":"x"}]}`, `member "what" is not known`},
		{`{"format":"mcploupe-rules/1","rules":[{"action":"ignore","pointer":"/a","class":"all"}]}`, `class "all" is not known`},
		{`{"format":"mcploupe-rules/1","rules":[{"action":"volatile","area":"tool","pointer":"/a"}]}`, "can only ignore"},
		{`{"format":"mcploupe-rules/1","more":1}`, `member "more" is not known`},
	} {
		if _, err := ParseRules([]byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.text, err, c.want)
		}
	}
}

func TestRulesComeBackFromTheirFile(t *testing.T) {
	set := &RuleSet{Rules: []IgnoreRule{
		{Action: Ignore, Method: "tools/call", Name: `a\*b "c"`, Class: Results, Pointer: "/result/**/x", Inside: "/y/*", Note: "why"},
		{Action: Vary, Pointer: ""},
		{Action: Ignore, Area: Tools, Name: "t*", Pointer: "/description"},
	}}
	text := set.AppendTo(nil)
	if !jsontext.Value(text).IsValid() {
		t.Fatalf("%s", text)
	}
	got, err := ParseRules(text)
	if err != nil || !slices.Equal(got.Rules, set.Rules) {
		t.Errorf("%v, %v", got, err)
	}
	if empty, err := ParseRules((&RuleSet{}).AppendTo(nil)); err != nil || len(empty.Rules) != 0 {
		t.Errorf("%v, %v", empty, err)
	}
}

func TestPointersAndNamesMatch(t *testing.T) {
	for _, c := range []struct {
		pattern, pointer string
		below, want      bool
	}{
		{"/a/*/c", "/a/b/c", false, true}, {"/a/*/c", "/a/b/d/c", false, false}, {"/a/**/c", "/a/b/d/c", false, true},
		{"/a/**/c", "/a/c", false, true}, {"/**", "/a/b", false, true}, {"/**", "", false, true}, {"", "/a", false, false},
		{"", "/a", true, true}, {"/a", "/a/b", true, true}, {"/a", "/ab", true, false}, {"/a/**/c/*/d", "/a/c/c/x/d", false, true},
		{"/a/**/c/**/d", "/a/1/c/2/3/d", false, true}, {"/a~1b", "/a~1b", false, true}, {"/a/*", "/a", true, false},
	} {
		if got := matchPointer(c.pattern, c.pointer, c.below); got != c.want {
			t.Errorf("%q and %q, below %v: %v", c.pattern, c.pointer, c.below, got)
		}
	}
	for _, c := range []struct {
		pattern, s string
		want       bool
	}{{"a*", "abc", true}, {"*c", "abc", true}, {"a*b*c", "a1b2b3c", true}, {"a", "ab", false}, {`a\*`, "a*", true}, {`a\*`, "ab", false}, {"", "", true}, {"*", "", true}} {
		if got := glob(c.pattern, c.s); got != c.want {
			t.Errorf("%q and %q: %v", c.pattern, c.s, got)
		}
	}
}

// A rule that is made from a difference hides it, and says how often; one that
// hides nothing says so as well.
func TestRulesMadeFromDifferences(t *testing.T) {
	a := script(t, call(1, `{}`, `{"list":[{"v":"x"},{"v":"y"},3],"at":[{"v":1},{"v":5}],"text":"{\"deep\":{\"n\":1}}","gone":1}`)...)
	b := script(t, call(1, `{}`, `{"list":[3,{"v":"x"},{"v":"y"}],"at":[{"v":2},{"v":6}],"text":"{\"deep\":{\"n\":2}}"}`)...)
	c := compare(t, a, b, Options{})
	row := c.Rows[0]
	rules := &RuleSet{}
	for _, d := range row.Differences {
		switch {
		case d.Kind == Moved:
			rule, ok := TreatUnordered(row, d)
			if !ok {
				t.Fatalf("%v", d)
			}
			rules.Rules = append(rules.Rules, rule)
		case d.Kind == Removed:
			if _, ok := TreatUnordered(row, d); ok {
				t.Errorf("%s is in no array", d.Pointer())
			}
			rules.Rules = append(rules.Rules, IgnorePath(row, d))
		default:
			rules.Rules = append(rules.Rules, TreatVolatile(row, d))
		}
	}
	rules.Rules = append(rules.Rules, IgnoreRule{Action: Ignore, Method: "prompts/get", Pointer: "/result"})
	again := compare(t, a, b, Options{Rules: rules})
	if f := found(again); f != nil {
		t.Errorf("still found %q", f)
	}
	var uses []string
	for _, u := range again.Rules {
		uses = append(uses, fmt.Sprintf("%d: %s", u.Count, u.IgnoreRule))
	}
	want := []string{
		"1: unordered /result/list of tools/call t", "2: volatile /result/at/*/v of tools/call t", "0: volatile /result/at/*/v of tools/call t",
		"1: volatile /result/text inside /deep/n of tools/call t", "1: ignore /result/gone of tools/call t", "0: ignore /result of prompts/get",
	}
	if !slices.Equal(uses, want) {
		t.Errorf("got  %q\nwant %q", uses, want)
	}
}

// What is volatile must be there all the same, and of its type.
func TestVolatileIsNotAbsent(t *testing.T) {
	rules := &RuleSet{Rules: []IgnoreRule{{Action: Vary, Pointer: "/result/a"}}}
	side := func(s string) []string { return call(1, `{}`, s) }
	for _, c := range []struct {
		before, after string
		want          []string
	}{
		{`{"a":1}`, `{"a":2}`, nil}, {`{"a":{"b":"x"}}`, `{"a":{"b":"y"}}`, nil},
		{`{"a":1}`, `{}`, []string{"difference removed /result/a"}}, {`{"a":1}`, `{"a":"1"}`, []string{"difference changed /result/a"}},
	} {
		if f := found(compare(t, script(t, side(c.before)...), script(t, side(c.after)...), Options{Rules: rules})); !slices.Equal(f, c.want) {
			t.Errorf("%s and %s: %q, want %q", c.before, c.after, f, c.want)
		}
	}
}

func TestRulesAboutInterfaces(t *testing.T) {
	before, after := surface(`{"name":"t","description":"a","title":"x"}`, `{"name":"u","description":"c"}`), surface(`{"name":"t","description":"b","title":"y"}`, `{"name":"u","description":"d"}`)
	rules := &RuleSet{Rules: []IgnoreRule{{Action: Ignore, Area: Tools, Pointer: "/description"}, {Action: Ignore, Area: Prompts, Pointer: ""}}}
	r := InterfacesWith(before, after, rules)
	if len(r.Changes) != 1 || r.Changes[0].Pointer != "/title" || r.Rules[0].Count != 2 || r.Rules[1].Count != 0 {
		t.Errorf("%+v", r)
	}
	rules.Rules = append(rules.Rules, IgnoreChange(r.Changes[0]))
	if r := InterfacesWith(before, after, rules); len(r.Changes) != 0 {
		t.Errorf("%+v", r.Changes)
	}
}

func FuzzParseRules(f *testing.F) {
	f.Add([]byte(`{"format":"mcploupe-rules/1","rules":[{"action":"ignore","method":"a*","pointer":"/a/**/b","inside":"/*"}]}`))
	f.Add([]byte(`{"format":"mcploupe-rules/1","rules":[{"action":"ignore","area":"tool","pointer":""}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		set, err := ParseRules(text)
		if err != nil {
			if err.Error() == "" {
				t.Fatal("an error without words")
			}
			return
		}
		again, err := ParseRules(set.AppendTo(nil))
		if err != nil || !slices.Equal(again.Rules, set.Rules) {
			t.Fatalf("%q: %v, %v", text, again, err)
		}
	})
}
