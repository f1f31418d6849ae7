package schema

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/message"

	"mcploupe/protocol"
	"mcploupe/protocol/jsonvalue"
)

// meter bounds the work of one validation (BASE-31).
type meter struct{ left int }

// overBudget unwinds the validator, which has no other way to be stopped.
type overBudget struct{}

func (m *meter) spend(n int) {
	m.left -= n
	if m.left < 0 {
		panic(overBudget{})
	}
}

// draft stands for a text that is not JSON yet; every schema accepts it, because
// the text itself has been reported.
const draft = json.Number("draft")

// check holds the keywords that this package checks itself, because they need
// exact numbers of any size or a constant cost: type, const, enum, numbers,
// lengths, pattern, format, uniqueItems.
type check struct {
	s *Schema
	n *part
}

// finding is one failed check. It is an error to the validator and keeps what a
// person is told.
type finding struct {
	keyword  string
	severity protocol.Severity
	text     string
	rule     string             // "" for "schema." + keyword
	want     typeSet            // for "type": what is asked for
	values   []*jsonvalue.Value // for "const" and "enum": what is asked for
}

func (f *finding) Error() string                           { return f.text }
func (f *finding) KeywordPath() []string                   { return []string{f.keyword} }
func (f *finding) LocalizedString(*message.Printer) string { return f.text }

// first runs before the validator looks inside a value. An error ends the part.
func (c *check) first(v any) error {
	n := c.n
	work := n.weight + c.s.overhead
	switch v := v.(type) {
	case map[string]any:
		work += len(v) * (1 + len(n.patterns))
	case []any:
		work += len(v)
	case string:
		work += len(v) / 64
	case json.Number:
		work += len(v) / 16
		if v == draft {
			return nil
		}
	}
	c.s.meter.spend(work)
	if f := n.firstFinding(v, &c.s.meter); f != nil {
		return f
	}
	return nil
}

func (n *part) firstFinding(v any, m *meter) *finding {
	if n.unresolved != "" {
		return &finding{keyword: "$ref", rule: "BASE-30", severity: protocol.Violation, text: "cannot be checked: " + n.unresolved}
	}
	if n.meta && !modest(v) {
		return &finding{keyword: "$ref", severity: protocol.Violation, text: "cannot be checked: it holds a number of extreme size"}
	}
	if n.types != 0 {
		if got := plainType(v); !n.types.admits(got) {
			return &finding{keyword: "type", severity: protocol.Violation, want: n.types, text: "must be " + n.types.says() + ", not " + gotSays(v)}
		}
	}
	if n.constant == nil && n.enumKeys == nil && n.enum == nil && n.sets == nil {
		return nil
	}
	k := string(jsonvalue.AppendKey(nil, v))
	m.spend(len(k) / 64)
	if n.constant != nil && n.constant.Key() != k {
		return &finding{keyword: "const", severity: protocol.Violation, values: []*jsonvalue.Value{n.constant}, text: "must be " + short(n.constant.Text())}
	}
	if n.enum != nil && !n.enumKeys[k] {
		return &finding{keyword: "enum", severity: protocol.Violation, values: n.enum, text: "must be one of " + listed(n.enum)}
	}
	for _, set := range n.sets {
		keyword, values := "anyOf", make([]*jsonvalue.Value, len(set.parts))
		if set.exactly {
			keyword = "oneOf"
		}
		if hits := set.keys[k]; hits == 1 || hits > 1 && !set.exactly {
			continue
		}
		for i, c := range set.parts {
			values[i] = c.constant
		}
		text := "must be one of " + listed(values)
		if set.keys[k] > 1 {
			text = "is allowed by more than one choice, which the schema forbids"
		}
		return &finding{keyword: keyword, severity: protocol.Violation, values: values, text: text}
	}
	return nil
}

// Validate runs after the validator has looked inside the value.
func (c *check) Validate(ctx *jsonschema.ValidatorContext, v any) {
	n := c.n
	add := func(keyword, format string, args ...any) {
		ctx.AddError(&finding{keyword: keyword, severity: protocol.Violation, text: fmt.Sprintf(format, args...)})
	}
	switch v := v.(type) {
	case json.Number:
		if v != draft && (n.minimum != nil || n.maximum != nil || n.multipleOf != nil) {
			n.checkNumber(string(v), add)
		}
	case string:
		n.checkString(v, add)
		if rule, ok := formats[n.format]; ok && rule.asserted && !rule.ok(v) {
			add("format", "must be %s", rule.says)
		}
	case []any:
		if n.unique {
			c.checkUnique(v, add)
		}
	}
}

// modest reports that all numbers in v are of a size that the validator's own
// arithmetic, which meta-schemas use, can hold.
func modest(v any) bool {
	switch v := v.(type) {
	case json.Number:
		d, ok := jsonvalue.ParseDecimal(string(v))
		return ok && len(v) < 1000 && d.Magnitude() < 1000 && d.Magnitude() > -1000
	case []any:
		return !slices.ContainsFunc(v, func(it any) bool { return !modest(it) })
	case map[string]any:
		for _, m := range v {
			if !modest(m) {
				return false
			}
		}
	}
	return true
}

func (n *part) checkNumber(lit string, add func(keyword, format string, args ...any)) {
	d, _ := jsonvalue.ParseDecimal(lit)
	if l := n.minimum; l != nil {
		switch c := d.Cmp(l.value); {
		case l.exclusive && c <= 0:
			add("exclusiveMinimum", "must be more than %s", l.lit)
		case c < 0:
			add("minimum", "must be at least %s", l.lit)
		}
	}
	if l := n.maximum; l != nil {
		switch c := d.Cmp(l.value); {
		case l.exclusive && c >= 0:
			add("exclusiveMaximum", "must be less than %s", l.lit)
		case c > 0:
			add("maximum", "must be at most %s", l.lit)
		}
	}
	if l := n.multipleOf; l != nil && !d.MultipleOf(l.value) {
		add("multipleOf", "must be a multiple of %s", l.lit)
	}
}

func (n *part) checkString(v string, add func(keyword, format string, args ...any)) {
	if n.minLength > 0 || n.maxLength >= 0 {
		length := utf8.RuneCountInString(v)
		if length < n.minLength {
			add("minLength", "must be at least %s, has %d", plural(n.minLength, "character"), length)
		}
		if n.maxLength >= 0 && length > n.maxLength {
			add("maxLength", "must be at most %s, has %d", plural(n.maxLength, "character"), length)
		}
	}
	if n.pattern != nil && !n.pattern.MatchString(v) {
		add("pattern", "must match the pattern %s", n.pattern.source)
	}
}

func (c *check) checkUnique(v []any, add func(keyword, format string, args ...any)) {
	seen := make(map[string]int, len(v))
	for i, it := range v {
		if it == draft {
			continue
		}
		k := string(jsonvalue.AppendKey(nil, it))
		c.s.meter.spend(len(k) / 64)
		if j, twice := seen[k]; twice {
			add("uniqueItems", "must not repeat a value: items %d and %d are equal", j+1, i+1)
			return
		}
		seen[k] = i
	}
}

// plainType is the JSON type of a decoded value.
func plainType(v any) typeSet {
	switch v := v.(type) {
	case nil:
		return tNull
	case bool:
		return tBoolean
	case string:
		return tString
	case []any:
		return tArray
	case map[string]any:
		return tObject
	case json.Number:
		if d, _ := jsonvalue.ParseDecimal(string(v)); d.Whole() {
			return tInteger
		}
		return tNumber
	}
	return 0
}

// gotSays names a value for "must be X, not ...".
func gotSays(v any) string {
	switch v := v.(type) {
	case bool:
		return fmt.Sprint(v)
	case json.Number:
		return short(string(v))
	}
	return plainType(v).says()
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if strings.HasSuffix(noun, "y") {
		noun = strings.TrimSuffix(noun, "y") + "ie"
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// orList joins with commas and "or".
func orList(list []string) string {
	switch len(list) {
	case 0:
		return "nothing"
	case 1:
		return list[0]
	}
	return strings.Join(list[:len(list)-1], ", ") + " or " + list[len(list)-1]
}

// listed shows the first values of an enumeration.
func listed(values []*jsonvalue.Value) string {
	const most = 8
	var out []string
	for _, v := range values {
		if len(out) == most {
			return strings.Join(out, ", ") + fmt.Sprintf(" (%d in all)", len(values))
		}
		out = append(out, short(v.Text()))
	}
	return orList(out)
}

// short cuts a text for use in a sentence.
func short(s string) string {
	const most = 60
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most]) + "…"
}
