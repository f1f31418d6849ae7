package schema

import (
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"mcploupe/protocol"
	"mcploupe/protocol/jsonvalue"
)

// translator turns the validator's tree of errors into a flat list for a person.
type translator struct {
	s      *Schema
	choose branchChooser
	issues []issue
	looks  int // how many places advise may still look at
}

func (t *translator) add(path []string, keyword, format string, args ...any) {
	t.issues = append(t.issues, issue{path, finding{keyword: keyword, severity: protocol.Violation, text: fmt.Sprintf(format, args...)}})
}

// walk goes down to the leaves, where the reasons are.
func (t *translator) walk(e *jsonschema.ValidationError) {
	path := e.InstanceLocation
	below := func(name string) []string { return append(slices.Clip(path), name) }
	switch k := e.ErrorKind.(type) {
	case *kind.Schema, *kind.Group, *kind.Reference, *kind.AllOf:
		for _, c := range e.Causes {
			t.walk(c)
		}
	case *finding:
		t.issues = append(t.issues, issue{path, *k})
	case *kind.Format:
		if f, ok := k.Err.(*finding); ok {
			t.issues = append(t.issues, issue{path, *f})
			return
		}
		t.add(path, "format", "must be of format %q", k.Want)
	case *kind.AnyOf:
		t.branches(e, "anyOf")
	case *kind.OneOf:
		if k.Subschemas == nil {
			t.branches(e, "oneOf")
			return
		}
		t.add(path, "oneOf", "matches more than one choice (%s); exactly one must match", t.titles(e, k.Subschemas))
	case *kind.Not:
		t.add(path, "not", "%s", t.notText(e))
	case *kind.FalseSchema:
		if strings.HasSuffix(e.SchemaURL, "/unevaluatedProperties") {
			t.add(path, "unevaluatedProperties", "is not described by the schema, which allows no other members")
			return
		}
		t.add(path, "false", "is not allowed here")
	case *kind.RefCycle:
		t.add(path, "$ref", "cannot be checked: the schema refers to itself without end")
	case *kind.Required:
		for _, name := range k.Missing {
			t.add(below(name), "required", "is required")
		}
	case *kind.Dependency:
		for _, name := range k.Missing {
			t.add(below(name), "dependencies", "is required when %q is given", k.Prop)
		}
	case *kind.DependentRequired:
		for _, name := range k.Missing {
			t.add(below(name), "dependentRequired", "is required when %q is given", k.Prop)
		}
	case *kind.AdditionalProperties:
		for _, name := range k.Properties {
			t.add(below(name), "additionalProperties", "is not described by the schema, which allows no other members")
		}
	case *kind.PropertyNames:
		sub := translator{s: t.s}
		for _, c := range e.Causes {
			sub.walk(c)
		}
		for _, is := range sub.issues {
			t.add(below(k.Property), "propertyNames", "has a name that %s", is.text)
		}
	default:
		t.counts(e)
	}
}

// counts says what is wrong with the number of members or items.
func (t *translator) counts(e *jsonschema.ValidationError) {
	path := e.InstanceLocation
	switch k := e.ErrorKind.(type) {
	case *kind.MinProperties:
		t.add(path, "minProperties", "must have at least %s, has %d", plural(k.Want, "member"), k.Got)
	case *kind.MaxProperties:
		t.add(path, "maxProperties", "must have at most %s, has %d", plural(k.Want, "member"), k.Got)
	case *kind.MinItems:
		t.add(path, "minItems", "must have at least %s, has %d", plural(k.Want, "item"), k.Got)
	case *kind.MaxItems:
		t.add(path, "maxItems", "must have at most %s, has %d", plural(k.Want, "item"), k.Got)
	case *kind.AdditionalItems:
		t.add(path, "additionalItems", "has %s too many", plural(k.Count, "item"))
	case *kind.Contains:
		t.add(path, "contains", "must contain an item that is %s", t.wanted(e))
	case *kind.MinContains:
		t.add(path, "minContains", "must contain %d or more items that are %s, has %d", k.Want, t.wanted(e), len(k.Got))
	case *kind.MaxContains:
		t.add(path, "maxContains", "must contain no more than %d items that are %s, has %d", k.Want, t.wanted(e), len(k.Got))
	default:
		word := "schema"
		if p := k.KeywordPath(); len(p) > 0 {
			word = p[len(p)-1]
		}
		t.add(path, word, "%s", e.ErrorKind.LocalizedString(message.NewPrinter(language.English)))
	}
}

// wanted describes what an item must be to count for "contains".
func (t *translator) wanted(e *jsonschema.ValidationError) string {
	if n := t.s.at[e.SchemaURL]; n != nil && n.contains != nil {
		return n.contains.brief()
	}
	return "what the schema describes"
}

func (t *translator) notText(e *jsonschema.ValidationError) string {
	n := t.s.at[e.SchemaURL]
	if n == nil || n.not == nil {
		return "is not allowed by the schema"
	}
	if not := n.not; len(not.required) > 0 && not.types&^tObject == 0 {
		names := make([]string, len(not.required))
		for i, s := range not.required {
			names[i] = fmt.Sprintf("%q", s)
		}
		return "must not have " + strings.Join(names, " and ") + map[bool]string{true: " together", false: ""}[len(names) > 1]
	}
	return "must not be " + n.not.brief()
}

// brief names a schema in a few words.
func (n *part) brief() string {
	for hops := 0; n.title == "" && n.refTo != nil && n.types == 0 && hops < 16; hops++ {
		n = n.refTo
	}
	switch {
	case n.title != "":
		return short(n.title)
	case n.constant != nil:
		return short(n.constant.Text())
	case n.enum != nil:
		return "one of " + listed(n.enum)
	case len(n.required) > 0 && n.types&^tObject == 0:
		return "an object with " + short(strings.Join(n.required, ", "))
	case n.types != 0:
		return n.types.says()
	case len(n.properties) > 0:
		return "an object"
	case n.pattern != nil:
		return "text that matches " + short(n.pattern.source)
	}
	return "what the schema describes"
}

// titles names the branches at the given indices.
func (t *translator) titles(e *jsonschema.ValidationError, at []int) string {
	n := t.s.at[e.SchemaURL]
	var out []string
	for _, i := range at {
		if n != nil && i < len(n.oneOf) {
			out = append(out, n.oneOf[i].brief())
			continue
		}
		out = append(out, fmt.Sprintf("number %d", i+1))
	}
	return strings.Join(out, " and ")
}

// branches explains why no branch of a oneOf or anyOf matched. When one branch
// is plainly meant (the person picked it, or only it has the right kind or
// discriminator) its own issues are the answer.
func (t *translator) branches(e *jsonschema.ValidationError, keyword string) {
	path := e.InstanceLocation
	each := make([][]issue, len(e.Causes))
	for i, c := range e.Causes {
		sub := translator{s: t.s, choose: t.choose}
		sub.walk(c)
		each[i] = sub.issues
	}
	n := t.s.at[e.SchemaURL]
	if t.choose != nil && n != nil {
		if i := t.choose(n, keyword, path); i >= 0 && i < len(each) {
			t.issues = append(t.issues, each[i]...)
			return
		}
	}
	var near []int
	for i, issues := range each {
		if !slices.ContainsFunc(issues, func(is issue) bool { return is.far(path) }) {
			near = append(near, i)
		}
	}
	if len(near) == 1 {
		t.issues = append(t.issues, each[near[0]]...)
		return
	}
	if len(near) == 0 && t.wrongKind(each, path, keyword) {
		return
	}
	if len(near) == 0 {
		for i := range each {
			near = append(near, i)
		}
	}
	var says []string
	for _, i := range near {
		if len(says) == 4 {
			says = append(says, fmt.Sprintf("and %d more", len(near)-4))
			break
		}
		says = append(says, branchSays(n, keyword, i, each[i], path))
	}
	t.add(path, keyword, "must match %s: %s", map[string]string{"anyOf": "at least one choice", "oneOf": "exactly one choice"}[keyword], strings.Join(says, "; "))
}

// far reports that the value is of another kind than a branch asks for: its
// type, its constant, or the constant of one of its members (a discriminator).
func (is issue) far(path []string) bool {
	if is.want == 0 && is.values == nil {
		return false
	}
	return len(is.path) == len(path) || len(is.path) == len(path)+1 && is.keyword == "const"
}

// wrongKind merges the wishes of all branches into one sentence.
func (t *translator) wrongKind(each [][]issue, path []string, keyword string) bool {
	var want typeSet
	var values []*jsonvalue.Value
	at := -1
	var where []string
	for _, issues := range each {
		hit := false
		for _, is := range issues {
			if !is.far(path) || at >= 0 && at != len(is.path) {
				continue
			}
			if at == len(path)+1 && is.path[len(path)] != where[len(path)] {
				return false
			}
			at, where, hit = len(is.path), is.path, true
			want |= is.want
			values = append(values, is.values...)
			break
		}
		if !hit {
			return false
		}
	}
	var says []string
	if len(values) > 0 {
		says = append(says, listed(values))
	}
	if want != 0 {
		says = append(says, want.says())
	}
	f := finding{keyword: keyword, severity: protocol.Violation, want: want, values: values, text: "must be " + strings.Join(says, " or ")}
	if len(values) > 1 && want == 0 {
		f.text = "must be one of " + says[0]
	}
	t.issues = append(t.issues, issue{where, f})
	return true
}

// branchSays describes a branch by its title or by what is missing for it.
func branchSays(n *part, keyword string, i int, issues []issue, path []string) string {
	var list []*part
	if n != nil {
		list = n.anyOf
		if keyword == "oneOf" {
			list = n.oneOf
		}
	}
	if i < len(list) && list[i].title != "" {
		return short(list[i].title)
	}
	var parts []string
	for _, is := range issues {
		if len(parts) == 2 {
			parts = append(parts, "…")
			break
		}
		text := is.text
		if len(is.path) > len(path) {
			text = jsonvalue.Quote(strings.Join(is.path[len(path):], "/")) + " " + text
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

// advise looks for formats that JSON Schema calls annotations. It follows only
// what holds for the value whatever else is true.
func (t *translator) advise(n *part, v any, path []string, hops int) {
	if n == nil || n.always != nil || hops > maxChain || t.looks <= 0 {
		return
	}
	t.looks--
	switch v := v.(type) {
	case string:
		if rule, ok := formats[n.format]; ok && !rule.asserted && !rule.ok(v) {
			t.issues = append(t.issues, issue{path, finding{keyword: "format", severity: protocol.Warning, text: "should be " + rule.says}})
		}
	case map[string]any:
		for _, p := range n.properties {
			if m, ok := v[p.name]; ok {
				t.advise(p.part, m, append(slices.Clip(path), p.name), 0)
			}
		}
	case []any:
		if n.items == nil {
			break
		}
		for i := len(n.prefix); i < len(v) && len(t.issues) < maxProblems; i++ {
			t.advise(n.items, v[i], append(slices.Clip(path), fmt.Sprint(i)), 0)
		}
	}
	t.advise(n.refTo, v, path, hops+1)
	for _, c := range n.allOf {
		t.advise(c, v, path, hops+1)
	}
}

// finish drops repetitions, cuts what is too much and puts the list in order.
func (t *translator) finish() []issue {
	slices.SortStableFunc(t.issues, func(a, b issue) int {
		if c := slices.Compare(a.path, b.path); c != 0 {
			return c
		}
		return strings.Compare(a.text, b.text)
	})
	out := slices.CompactFunc(t.issues, func(a, b issue) bool { return a.text == b.text && slices.Equal(a.path, b.path) })
	if len(out) > maxProblems {
		more := len(out) - maxProblems
		out = append(out[:maxProblems:maxProblems], issue{nil, finding{keyword: "more", severity: protocol.Info, text: fmt.Sprintf("has %d more problems", more)}})
	}
	return out
}
