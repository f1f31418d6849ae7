package diff

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mcploupe/protocol/jsonvalue"
)

// RulesFormat is the value of "format" in a file of rules.
const RulesFormat = "mcploupe-rules/1"

// RulesExt ends the name of a file of rules.
const RulesExt = ".mcp-rules.json"

// Action is what a rule does with what it matches.
type Action string

// The actions.
const (
	Ignore    Action = "ignore"    // nothing at the place or below it counts
	Vary      Action = "volatile"  // the value may differ, but it must be there and of its type
	Unordered Action = "unordered" // the items of the array at the place may come in any order
)

// IgnoreRule keeps differences from counting.
type IgnoreRule struct {
	Action Action
	// Method and Name are the method and the tool, prompt or URI of the exchange; * is any text, "" any at all.
	Method, Name string
	Area         Area  // of an interface, for rules about its changes; "" for rules about conversations
	Class        Class // 0 for any
	// Pointer is a JSON Pointer into the message; a step * is any one step, ** any number of them.
	Pointer string
	Inside  string // goes on in the JSON text of the string there, in the same way; "" for anywhere
	Note    string // for people
}

// RuleSet is a list of rules, as kept in a file.
//
// The file is one JSON object that stands beside the recordings:
//
//	{
//	  "format": "mcploupe-rules/1",
//	  "rules": [
//	    {"action": "ignore", "method": "tools/call", "name": "now", "pointer": "/result/content/*/text", "inside": "/weather/**"},
//	    {"action": "volatile", "pointer": "/result/**/etag", "note": "changes with every start"},
//	    {"action": "unordered", "method": "resources/list", "class": "results", "pointer": "/result/resources"},
//	    {"action": "ignore", "area": "tool", "pointer": "/description"}
//	  ]
//	}
//
// Only action and pointer must be there. A rule with an area is about changes
// of the interface; its pointer leads into the definition.
type RuleSet struct{ Rules []IgnoreRule }

// RuleUse is a rule with how often it hid something.
type RuleUse struct {
	IgnoreRule
	Count int
}

// IgnorePath makes the rule that ignores the place of a difference.
func IgnorePath(r Row, d Difference) IgnoreRule { return ruleFrom(Ignore, r, d) }

// TreatVolatile makes the rule that lets the value at the place differ.
func TreatVolatile(r Row, d Difference) IgnoreRule { return ruleFrom(Vary, r, d) }

// TreatUnordered makes the rule that lets the items of the array come in any
// order, in which the place of the difference is; ok is false if there is no
// array.
func TreatUnordered(r Row, d Difference) (rule IgnoreRule, ok bool) {
	rule = ruleFrom(Unordered, r, d)
	at := &rule.Pointer
	if d.Inside != "" {
		at = &rule.Inside
	}
	i := strings.LastIndex(*at, "/*")
	if i < 0 {
		return IgnoreRule{}, false
	}
	*at = (*at)[:i]
	return rule, true
}

// IgnoreChange makes the rule that ignores a change of an interface.
func IgnoreChange(c Change) IgnoreRule {
	return IgnoreRule{Action: Ignore, Area: c.Area, Name: escapeGlob(c.Name), Pointer: c.Pointer}
}

func ruleFrom(action Action, r Row, d Difference) IgnoreRule {
	return IgnoreRule{
		Action: action, Method: escapeGlob(r.Method), Name: escapeGlob(r.Name), Class: d.Class,
		Pointer: anyItem(d.Pointer()), Inside: anyItem(d.Inside),
	}
}

// escapeGlob keeps a star of a name from meaning any text.
func escapeGlob(s string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`).Replace(s)
}

// anyItem puts a star in place of every index: an item has not always the
// same.
func anyItem(pointer string) string {
	steps := strings.Split(pointer, "/")
	for i, s := range steps {
		if i > 0 && s != "" && strings.Trim(s, "0123456789") == "" {
			steps[i] = "*"
		}
	}
	return strings.Join(steps, "/")
}

// ParseRules reads a file of rules. An error says the line and the column.
func ParseRules(text []byte) (*RuleSet, error) {
	doc, err := jsonvalue.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s%w", placeOfError(text, err), err)
	}
	fault := func(v *jsonvalue.Value, format string, args ...any) error {
		return fmt.Errorf("%s%s", lineAndColumn(text, v.Offset), fmt.Sprintf(format, args...))
	}
	format := doc.Get("format")
	switch {
	case format == nil:
		return nil, fault(doc, "a file of rules has \"format\": %q", RulesFormat)
	case format.Str != RulesFormat:
		return nil, fault(format, "the format is %s, this program reads %q", format.Text(), RulesFormat)
	}
	for _, m := range doc.Members {
		if m.Name != "format" && m.Name != "rules" && m.Name != "note" {
			return nil, fault(m.Value, "member %q is not known here", m.Name)
		}
	}
	set := &RuleSet{}
	rules := doc.Get("rules")
	if rules == nil {
		return set, nil
	}
	if rules.Kind != '[' {
		return nil, fault(rules, "\"rules\" must be an array")
	}
	for _, v := range rules.Items {
		r, err := parseRule(v, fault)
		if err != nil {
			return nil, err
		}
		set.Rules = append(set.Rules, r)
	}
	return set, nil
}

func parseRule(v *jsonvalue.Value, fault func(*jsonvalue.Value, string, ...any) error) (IgnoreRule, error) {
	var r IgnoreRule
	if v.Kind != '{' {
		return r, fault(v, "a rule must be an object")
	}
	hasPointer := false
	for _, m := range v.Members {
		if m.Value.Kind != '"' {
			return r, fault(m.Value, "%q must be a string", m.Name)
		}
		s := m.Value.Str
		switch m.Name {
		case "action":
			r.Action = Action(s)
			if !slices.Contains([]Action{Ignore, Vary, Unordered}, r.Action) {
				return r, fault(m.Value, "action %q: it is %q, %q or %q", s, Ignore, Vary, Unordered)
			}
		case "method":
			r.Method = s
		case "name":
			r.Name = s
		case "area":
			r.Area = Area(s)
			if !slices.Contains([]Area{Server, Tools, Resources, Templates, Prompts}, r.Area) {
				return r, fault(m.Value, "area %q: it is %q, %q, %q, %q or %q", s, Server, Tools, Resources, Templates, Prompts)
			}
		case "class":
			for _, c := range Classes {
				if c.Key == s {
					r.Class = c.Class
				}
			}
			if r.Class == 0 {
				return r, fault(m.Value, "class %q is not known", s)
			}
		case "pointer", "inside":
			if s != "" && s[0] != '/' {
				return r, fault(m.Value, "%s %q must begin with /", m.Name, s)
			}
			if m.Name == "pointer" {
				r.Pointer, hasPointer = s, true
			} else {
				r.Inside = s
			}
		case "note":
			r.Note = s
		default:
			return r, fault(m.Value, "member %q is not known here", m.Name)
		}
	}
	switch {
	case r.Action == "":
		return r, fault(v, "a rule needs an \"action\"")
	case !hasPointer:
		return r, fault(v, "a rule needs a \"pointer\"")
	case r.Area != "" && r.Action != Ignore:
		return r, fault(v, "a rule with an area can only ignore")
	case r.Area != "" && (r.Method != "" || r.Class != 0 || r.Inside != ""):
		return r, fault(v, "a rule with an area has no method, class or inside")
	}
	return r, nil
}

// AppendTo writes the file.
func (s *RuleSet) AppendTo(b []byte) []byte {
	b = append(b, "{\n  \"format\": "+jsonvalue.Quote(RulesFormat)+",\n  \"rules\": ["...)
	for i, r := range s.Rules {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, "\n    "...)
		b = r.appendTo(b)
	}
	if len(s.Rules) > 0 {
		b = append(b, "\n  "...)
	}
	return append(b, "]\n}\n"...)
}

func (r IgnoreRule) appendTo(b []byte) []byte {
	b = append(b, `{"action": `+jsonvalue.Quote(string(r.Action))...)
	for _, m := range [][2]string{{"area", string(r.Area)}, {"method", r.Method}, {"name", r.Name}, {"class", r.Class.String()}} {
		if m[1] != "" {
			b = append(b, `, "`+m[0]+`": `+jsonvalue.Quote(m[1])...)
		}
	}
	b = append(b, `, "pointer": `+jsonvalue.Quote(r.Pointer)...)
	for _, m := range [][2]string{{"inside", r.Inside}, {"note", r.Note}} {
		if m[1] != "" {
			b = append(b, `, "`+m[0]+`": `+jsonvalue.Quote(m[1])...)
		}
	}
	return append(b, '}')
}

// String says what the rule is, in a line.
func (r IgnoreRule) String() string {
	of := strings.TrimSpace(cmp.Or(string(r.Area), r.Method, "anything") + " " + r.Name)
	where := cmp.Or(r.Pointer, "the whole")
	if r.Inside != "" {
		where += " inside " + r.Inside
	}
	return string(r.Action) + " " + where + " of " + of
}

func placeOfError(text []byte, err error) string {
	if offset, ok := syntaxOffset(err); ok {
		return lineAndColumn(text, offset)
	}
	return ""
}

// lineAndColumn names a place for people; columns count bytes.
func lineAndColumn(text []byte, offset int) string {
	before := text[:min(max(offset, 0), len(text))]
	line := bytes.Count(before, []byte("\n")) + 1
	return "line " + strconv.Itoa(line) + ", column " + strconv.Itoa(len(before)-bytes.LastIndexByte(before, '\n')) + ": "
}
