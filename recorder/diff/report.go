package diff

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol/jsonvalue"
)

// FailOn says which findings make a comparison fail in CI.
type FailOn uint8

// The grades. Remarks on a conversation never fail.
const (
	OnAny      FailOn = iota // any change of the interface, any difference of the conversations
	OnBreaking               // changes of the interface that may break callers
)

// Fails reports whether a comparison fails.
func (r Result) Fails(on FailOn) bool {
	if r.Interface != nil && slices.ContainsFunc(r.Interface.Changes, on.fails) {
		return true
	}
	return on == OnAny && r.Conversation != nil && !r.Conversation.Equal()
}

func (on FailOn) fails(c Change) bool { return c.Verdict == Breaking || on == OnAny }

// jsonObject builds an object member by member.
type jsonObject struct{ buf []byte }

func (o *jsonObject) raw(name string, v []byte) {
	if len(o.buf) == 0 {
		o.buf = append(o.buf, '{')
	} else {
		o.buf = append(o.buf, ',')
	}
	o.buf = append(append(append(o.buf, jsonvalue.Quote(name)...), ':'), v...)
}

func (o *jsonObject) text(name, s string) {
	if s != "" {
		o.raw(name, []byte(jsonvalue.Quote(s)))
	}
}

func (o *jsonObject) number(name string, n int) { o.raw(name, fmt.Append(nil, n)) }

func (o *jsonObject) optional(name string, n int) {
	if n != 0 {
		o.number(name, n)
	}
}

func (o *jsonObject) end() jsontext.Value {
	if len(o.buf) == 0 {
		return jsontext.Value("{}")
	}
	return append(o.buf, '}')
}

func objects[T any](list []T, write func(*jsonObject, T)) jsontext.Value {
	out := make([]jsontext.Value, len(list))
	for i, x := range list {
		var o jsonObject
		write(&o, x)
		out[i] = o.end()
	}
	return arrayOf(out)
}

func texts(list []string) jsontext.Value {
	out := make([]jsontext.Value, len(list))
	for i, s := range list {
		out[i] = jsontext.Value(jsonvalue.Quote(s))
	}
	return arrayOf(out)
}

// JSON is the whole outcome as one document; of the rows those that say more
// than that both sides are the same.
func (r Result) JSON() jsontext.Value {
	var o jsonObject
	o.text("format", "mcploupe-diff/1")
	o.text("a", r.NameA)
	o.text("b", r.NameB)
	o.text("summary", r.Summary())
	if r.Interface != nil {
		o.raw("interface", r.Interface.json())
	}
	if r.Conversation != nil {
		o.raw("conversation", r.Conversation.json())
	}
	return o.end()
}

func (r Report) json() jsontext.Value {
	var o jsonObject
	o.number("breaking", r.Count(Breaking))
	o.number("compatible", r.Count(Compatible))
	o.number("notes", r.Count(Note))
	o.raw("changes", objects(r.Changes, func(o *jsonObject, c Change) {
		o.text("verdict", c.Verdict.String())
		o.text("kind", c.Kind.String())
		o.text("area", string(c.Area))
		o.text("name", c.Name)
		o.optional("ordinal", c.Ordinal)
		o.text("pointer", c.Pointer)
		o.text("rule", c.Rule)
		o.text("text", c.Text)
		if c.Before != nil {
			o.raw("before", c.Before)
		}
		if c.After != nil {
			o.raw("after", c.After)
		}
	}))
	o.raw("renames", objects(r.Renames, func(o *jsonObject, n Rename) {
		o.text("area", string(n.Area))
		o.text("from", n.From)
		o.text("to", n.To)
		o.number("likeness", n.Likeness)
	}))
	o.raw("rules", ruleUses(r.Rules))
	o.text("cut", r.Cut)
	return o.end()
}

func ruleUses(rules []RuleUse) jsontext.Value {
	return objects(rules, func(o *jsonObject, u RuleUse) {
		o.raw("rule", u.appendTo(nil))
		o.number("hid", u.Count)
	})
}

func (c *Conversation) json() jsontext.Value {
	var o jsonObject
	o.number("same", c.Same)
	o.number("different", c.Different)
	o.number("onlyA", c.OnlyA)
	o.number("onlyB", c.OnlyB)
	o.number("moved", c.Moved)
	o.number("notCompared", c.NotCompared)
	o.raw("rows", objects(c.Telling(), func(o *jsonObject, r Row) {
		o.text("kind", r.Kind.String())
		o.text("lane", r.Lane.String())
		if r.Moved {
			o.raw("moved", []byte("true"))
		}
		o.optional("seqA", int(r.SeqA))
		o.optional("seqB", int(r.SeqB))
		o.text("direction", r.Dir.String())
		o.text("method", r.Method)
		o.text("name", r.Name)
		o.raw("differences", objects(r.Differences, func(o *jsonObject, d Difference) {
			o.text("severity", d.Severity.String())
			o.text("kind", d.Kind.String())
			o.text("class", d.Class.String())
			o.text("pointer", d.Pointer())
			o.text("inside", d.Inside)
			o.text("text", d.Text)
			o.optional("seqA", int(d.SeqA))
			o.optional("seqB", int(d.SeqB))
			o.text("before", d.Before)
			o.text("after", d.After)
		}))
		o.optional("more", r.More)
	}))
	o.raw("hidden", objects(c.Hidden, func(o *jsonObject, h Hidden) {
		o.text("key", h.Key)
		o.text("title", h.Title)
		o.number("count", h.Count)
	}))
	o.raw("rules", ruleUses(c.Rules))
	o.raw("origins", objects(c.Origins, func(o *jsonObject, g Origin) {
		o.text("a", g.A)
		o.text("b", g.B)
		o.number("sent", g.Sent)
	}))
	o.raw("remarks", texts(c.Remarks))
	o.raw("cut", texts(c.Cut))
	return o.end()
}

// Telling are the rows that say more than that both sides are the same.
func (c *Conversation) Telling() []Row {
	out := []Row{}
	for _, r := range c.Rows {
		if r.Kind != Same || r.Moved || len(r.Differences) > 0 {
			out = append(out, r)
		}
	}
	return out
}

// WriteJUnit writes the outcome as JUnit XML: a test case for each entry of the
// interface that changed and for each row of the conversation.
func (r Result) WriteJUnit(w io.Writer, on FailOn) error {
	x := &junit{}
	if r.Interface != nil {
		x.suite("interface", r.Interface.cases(on))
	}
	if r.Conversation != nil {
		x.suite("conversation", r.Conversation.cases(on))
	}
	_, err := fmt.Fprintf(w, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"%s\" tests=\"%d\" failures=\"%d\">\n%s</testsuites>\n",
		xmlText("mcploupe diff: "+r.Summary()), x.tests, x.failures, x.body.String())
	return err
}

type junit struct {
	body            strings.Builder
	tests, failures int
}

// junitCase passes when failure is "".
type junitCase struct{ class, name, failure, details string }

func (x *junit) suite(name string, cases []junitCase) {
	failures := 0
	for _, c := range cases {
		if c.failure != "" {
			failures++
		}
	}
	x.tests, x.failures = x.tests+len(cases), x.failures+failures
	fmt.Fprintf(&x.body, "  <testsuite name=\"%s\" tests=\"%d\" failures=\"%d\">\n", name, len(cases), failures)
	for _, c := range cases {
		fmt.Fprintf(&x.body, "    <testcase classname=\"%s\" name=\"%s\"", xmlText(c.class), xmlText(c.name))
		switch {
		case c.failure != "":
			fmt.Fprintf(&x.body, ">\n      <failure message=\"%s\">%s</failure>\n    </testcase>\n", xmlText(c.failure), xmlText(c.details))
		case c.details != "":
			fmt.Fprintf(&x.body, ">\n      <system-out>%s</system-out>\n    </testcase>\n", xmlText(c.details))
		default:
			x.body.WriteString("/>\n")
		}
	}
	x.body.WriteString("  </testsuite>\n")
}

// xmlText escapes a text; what XML cannot hold becomes U+FFFD.
func xmlText(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a Builder never fails
	return b.String()
}

func (r Report) cases(on FailOn) []junitCase {
	var out []junitCase
	for i := 0; i < len(r.Changes); {
		c := r.Changes[i]
		n := i
		var grave string
		var lines []string
		for ; n < len(r.Changes) && r.Changes[n].Area == c.Area && r.Changes[n].Name == c.Name && r.Changes[n].Ordinal == c.Ordinal; n++ {
			d := r.Changes[n]
			if on.fails(d) && grave == "" {
				grave = d.Text
			}
			lines = append(lines, d.Verdict.String()+": "+d.Text+" ("+d.Pointer+")")
		}
		out = append(out, junitCase{string(c.Area), strings.TrimSpace(string(c.Area) + " " + c.Name + nth(c.Ordinal)), grave, strings.Join(lines, "\n")})
		i = n
	}
	if len(out) == 0 {
		out = append(out, junitCase{class: "interface", name: "the interfaces are the same"})
	}
	return out
}

func (c *Conversation) cases(on FailOn) []junitCase {
	var out []junitCase
	for i, r := range c.Rows {
		x := junitCase{class: r.Lane.String(), name: fmt.Sprintf("%d %s", i+1, strings.TrimSpace(r.Method+" "+r.Name))}
		if on == OnAny && (r.Kind != Same || r.Moved) {
			x.failure = r.Says()
		}
		var lines []string
		for _, d := range r.Differences {
			lines = append(lines, d.Severity.String()+": "+d.Text)
		}
		x.details = strings.Join(lines, "\n")
		out = append(out, x)
	}
	for _, s := range c.Cut {
		x := junitCase{class: "limits", name: "everything was compared", details: s}
		if on == OnAny {
			x.failure = s
		}
		out = append(out, x)
	}
	return out
}

// Says is what became of a row, in words.
func (r Row) Says() string {
	says := r.Kind.String()
	if n := r.Counts(Differs) + r.More; r.Kind == Different {
		says = fmt.Sprintf("%d %s", n, plural(n, "difference", "differences"))
	}
	if r.Moved {
		says += ", moved"
	}
	return says
}

// visible makes characters visible that would change how a text is read.
func visible(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r == '\n' || r == '\t' || !unicode.Is(unicode.Cc, r) && !unicode.Is(unicode.Cf, r) && r != '\u2028' && r != '\u2029' {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "\\u{%04X}", r)
		}
	}
	return b.String()
}
