package diff

import (
	"strings"

	"mcploupe/protocol/jsonvalue"
)

// memberRule judges a change of one member of a definition. before and after
// are nil where there is none.
type memberRule struct {
	area Area // "" for every area
	path string
	// judge returns the verdict and the sentence, "" when the two mean the same.
	judge func(before, after *jsonvalue.Value) (Verdict, string)
}

// memberRules are the members of definitions that are not for people only. A
// member without a rule is a note.
var memberRules = []memberRule{
	{Tools, "/annotations/readOnlyHint", hint(false, "It only reads now.", "It may change things now: it was said to read only.", Compatible, Breaking)},
	{Tools, "/annotations/destructiveHint", hint(true, "It may destroy things now.", "It destroys nothing any more.", Breaking, Compatible)},
	{Tools, "/annotations/idempotentHint", hint(false, "Calling it again changes nothing more now.", "Calling it again may change more now.", Compatible, Breaking)},
	{Tools, "/annotations/openWorldHint", hint(true, "It reaches beyond its own world now.", "It keeps to its own world now.", Note, Note)},
	{Tools, "/execution/taskSupport", taskSupport},
	{"", "/mimeType", mimeType},
}

// members compares a member of a definition and reports what it means. path is
// where the object stands that has it.
func members(put func(Change), area Area, path, name string, before, after *jsonvalue.Value) {
	pointer := jsonvalue.Child(path, name)
	if before != nil && after != nil && before.Key() == after.Key() {
		return
	}
	c := Change{Pointer: pointer, Before: text(before), After: text(after)}
	switch {
	case before == nil:
		c.Kind = Added
	case after == nil:
		c.Kind = Removed
	}
	rule := ruleFor(area, pointer)
	switch {
	case rule != nil:
		var says string
		if c.Verdict, says = rule.judge(before, after); says == "" {
			return
		}
		c.Rule, c.Text = "member"+pointer, says
		put(c)
	case under(area, pointer) && (isObject(before) || isObject(after)):
		for _, m := range memberNames(before, after) {
			members(put, area, pointer, m, before.Get(m), after.Get(m))
		}
	default:
		c.Verdict, c.Rule, c.Text = Note, "text.changed", "It has another "+memberWord(pointer)+"."
		switch c.Kind {
		case Added:
			c.Text = "It has " + article(pointer) + " " + memberWord(pointer) + " now."
		case Removed:
			c.Text = "It has no " + memberWord(pointer) + " any more."
		}
		put(c)
	}
}

func isObject(v *jsonvalue.Value) bool { return v != nil && v.Kind == '{' }

func ruleFor(area Area, pointer string) *memberRule {
	for i, r := range memberRules {
		if (r.area == area || r.area == "") && r.path == pointer {
			return &memberRules[i]
		}
	}
	return nil
}

// under reports whether the members of an object are compared one by one.
func under(area Area, pointer string) bool {
	return area == Tools && (pointer == "/annotations" || pointer == "/execution")
}

// memberWord is how a sentence calls a member.
func memberWord(pointer string) string {
	if name, ok := strings.CutPrefix(pointer, "/annotations/"); ok {
		return "annotation `" + jsonvalue.UnescapeToken(name) + "`"
	}
	return "`" + jsonvalue.UnescapeToken(pointer[1:]) + "`"
}

func article(pointer string) string {
	if strings.HasPrefix(pointer, "/annotations/") {
		return "an"
	}
	return "a"
}

// hint judges a flag that has a default when it is absent.
func hint(def bool, on, off string, onVerdict, offVerdict Verdict) func(before, after *jsonvalue.Value) (Verdict, string) {
	value := func(v *jsonvalue.Value) bool {
		if v == nil || v.Kind != 't' && v.Kind != 'f' {
			return def
		}
		return v.Kind == 't'
	}
	return func(before, after *jsonvalue.Value) (Verdict, string) {
		switch was, is := value(before), value(after); {
		case is && !was:
			return onVerdict, on
		case was && !is:
			return offVerdict, off
		}
		return Note, ""
	}
}

// taskSupport judges execution.taskSupport: a caller that never makes tasks
// fails when they are required, one that does when they are forbidden.
func taskSupport(before, after *jsonvalue.Value) (Verdict, string) {
	value := func(v *jsonvalue.Value) string {
		if v == nil || v.Str == "" {
			return "forbidden"
		}
		return v.Str
	}
	was, is := value(before), value(after)
	switch {
	case was == is:
		return Note, ""
	case is == "optional":
		return Compatible, "It can be called as a task or without, before tasks were " + was + "."
	}
	return Breaking, "Calling it as a task is " + is + " now, before it was " + was + "."
}

func mimeType(before, after *jsonvalue.Value) (Verdict, string) {
	switch {
	case before == nil:
		return Compatible, "It says that it is " + short(after) + " now."
	case after == nil:
		return Breaking, "It does not say any more that it is " + short(before) + "."
	}
	return Breaking, "It is " + short(after) + " now, before " + short(before) + "."
}

// promptArguments compares the arguments of a prompt by name.
func promptArguments(put func(Change), before, after *jsonvalue.Value) {
	type argument struct {
		val     *jsonvalue.Value
		pointer string
	}
	read := func(v *jsonvalue.Value) (order []string, by map[string]argument) {
		by = map[string]argument{}
		if v == nil {
			return nil, by
		}
		for i, it := range v.Items {
			name := it.Get("name")
			if name == nil {
				continue
			}
			if _, twice := by[name.Str]; !twice {
				order = append(order, name.Str)
				by[name.Str] = argument{it, jsonvalue.ChildIndex("/arguments", i)}
			}
		}
		return order, by
	}
	required := func(a argument) bool {
		r := a.val.Get("required")
		return r != nil && r.Kind == 't'
	}
	say := func(rule string, kind Kind, name, pointer string, before, after *jsonvalue.Value) {
		r := ruleByKey[rule]
		put(Change{Verdict: r.Input, Kind: kind, Pointer: pointer, Rule: rule, Text: r.sentence(input, "Argument `"+name+"`", ""), Before: text(before), After: text(after)})
	}
	orderA, inA := read(before)
	orderB, inB := read(after)
	for _, name := range orderB {
		b := inB[name]
		a, had := inA[name]
		switch {
		case !had && required(b):
			say("property.added.required", Added, name, b.pointer, nil, b.val)
			continue
		case !had:
			say("property.added", Added, name, b.pointer, nil, b.val)
			continue
		case required(b) && !required(a):
			say("required.added", Changed, name, b.pointer, a.val, b.val)
		case required(a) && !required(b):
			say("required.removed", Changed, name, b.pointer, a.val, b.val)
		}
		for _, m := range memberNames(a.val, b.val) {
			if m == "required" || m == "name" {
				continue
			}
			va, vb := a.val.Get(m), b.val.Get(m)
			if va == nil || vb == nil || va.Key() != vb.Key() {
				r := ruleByKey["text.changed"]
				put(Change{Verdict: Note, Pointer: jsonvalue.Child(b.pointer, m), Rule: r.Key, Text: r.sentence(input, "Argument `"+name+"`", m), Before: text(va), After: text(vb)})
			}
		}
	}
	for _, name := range orderA {
		if _, has := inB[name]; !has {
			say("property.removed", Removed, name, inA[name].pointer, inA[name].val, nil)
		}
	}
}
