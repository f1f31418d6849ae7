package fields

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/protocol/schema"
	"mcploupe/ui/view/human"
	"mcploupe/ui/view/safe"
)

const (
	labelRunes = 80
	helpBytes  = 4000
	valueRunes = 40
)

// Label is the name of a node for its field.
func Label(n *schema.Node) string {
	if l := strings.TrimSpace(n.Label()); l != "" {
		return safe.Line(l, labelRunes)
	}
	if n.Parent() == nil {
		return "value"
	}
	return `""`
}

// Title names a choice, in at most so many runes.
func Title(c schema.Choice, runes int) string {
	if c.Title == "" {
		return `""`
	}
	return safe.Line(c.Title, runes)
}

// Help is the description of a node, with its line ends.
func Help(n *schema.Node) string { return safe.Text(strings.TrimSpace(n.Description()), helpBytes) }

// formatWords are formats in a person's words.
var formatWords = map[string]string{
	"email": "e-mail", "idn-email": "e-mail", "uri": "URI", "url": "URL", "iri": "IRI", "uri-reference": "URI",
	"date": "date", "date-time": "date-time", "time": "time", "uuid": "UUID", "ipv4": "IPv4", "ipv6": "IPv6",
	"hostname": "host name", "regex": "regex", "json-pointer": "JSON Pointer", "duration": "duration",
}

// TypeWord says in a word or two what a node takes.
func TypeWord(n *schema.Node) string {
	word := typeWord(n)
	if n.Nullable() {
		word += " or null"
	}
	return word
}

func typeWord(n *schema.Node) string {
	switch k := n.Kind(); k {
	case schema.KindText:
		h := n.Hints()
		switch {
		case FileEncoding(h) != "":
			return FileEncoding(h)
		case formatWords[h.Format] != "":
			return formatWords[h.Format]
		case h.Format != "":
			return safe.Line(h.Format, 16)
		}
		return "text"
	case schema.KindSelect:
		if c := len(n.Choices()); c > stripMost {
			return "1 of " + human.Count(c)
		}
		return "choice"
	case schema.KindMultiSelect:
		return "any of " + human.Count(len(n.Choices()))
	case schema.KindArray:
		return "list"
	case schema.KindConst:
		return "fixed"
	case schema.KindAny:
		return "any JSON"
	default:
		return k.String()
	}
}

// Mark is a short remark about a field, and whether it warns.
type Mark struct {
	Text string
	Warn bool
}

// Marks are the remarks about a node.
func Marks(n *schema.Node) []Mark {
	h := n.Hints()
	var out []Mark
	if h.Deprecated {
		out = append(out, Mark{"deprecated", true})
	}
	if h.ReadOnly {
		out = append(out, Mark{"read-only", true})
	}
	if h.Header != "" {
		out = append(out, Mark{"also sent as Mcp-Param-" + safe.Line(h.Header, 40), false})
	}
	if p := n.Parent(); !n.Declared() && p != nil && p.Kind() == schema.KindObject && n.CanRemove() {
		out = append(out, Mark{"not in the schema", true})
	}
	return out
}

// Hint says what a value has to keep to, and its default.
func Hint(n *schema.Node) string {
	h := n.Hints()
	var parts []string
	add := func(s string) {
		if s != "" {
			parts = append(parts, s)
		}
	}
	switch n.Kind() {
	case schema.KindText:
		add(span(h.MinLength, h.MaxLength, "character", "characters"))
		if h.Pattern != "" {
			add("matches " + safe.Line(h.Pattern, valueRunes))
		}
	case schema.KindNumber, schema.KindInteger:
		add(limits(h))
		if h.MultipleOf != "" && !(n.Kind() == schema.KindInteger && h.MultipleOf == "1") {
			add("a multiple of " + safe.Line(h.MultipleOf, valueRunes))
		}
	case schema.KindMultiSelect, schema.KindArray, schema.KindTuple:
		add(span(h.MinItems, h.MaxItems, "item", "items"))
		if h.Unique && n.Kind() != schema.KindMultiSelect {
			add("no two alike")
		}
	case schema.KindObject, schema.KindMap:
		add(span(h.MinMembers, h.MaxMembers, "member", "members"))
	case schema.KindJSON:
		if n.Reason() != "" {
			add("JSON: " + safe.Line(n.Reason(), 160))
		}
	}
	if h.Default != nil && n.Kind() != schema.KindConst {
		add("default " + safe.Line(string(h.Default), valueRunes))
	}
	return strings.Join(parts, " · ")
}

// Example is a value to show in an empty field, "" when the schema gives none.
func Example(n *schema.Node) string {
	if h := n.Hints(); len(h.Examples) > 0 {
		return "e.g. " + Value(h.Examples[0])
	}
	return ""
}

// Value shows a value in few letters: a text without quotes, anything else as
// JSON.
func Value(v jsontext.Value) string {
	if s, ok := protocol.StringValue(v); ok && s != "" {
		return safe.Line(s, valueRunes)
	}
	return safe.Line(string(v), valueRunes)
}

// span words a least and a most number, -1 for no most.
func span(least, most int, one, many string) string {
	switch {
	case least > 0 && least == most:
		return "exactly " + human.Plural(least, one, many)
	case least > 0 && most >= 0:
		return human.Count(least) + " to " + human.Plural(most, one, many)
	case least > 0:
		return "at least " + human.Plural(least, one, many)
	case most >= 0:
		return "at most " + human.Plural(most, one, many)
	}
	return ""
}

func limits(h schema.Hints) string {
	low, high := safe.Line(h.Minimum, valueRunes), safe.Line(h.Maximum, valueRunes)
	switch {
	case low != "" && high != "" && !h.ExclusiveMinimum && !h.ExclusiveMaximum:
		return low + " to " + high
	case low != "" && high != "":
		return lower(low, h.ExclusiveMinimum) + " and " + upper(high, h.ExclusiveMaximum)
	case low != "":
		return lower(low, h.ExclusiveMinimum)
	case high != "":
		return upper(high, h.ExclusiveMaximum)
	}
	return ""
}

func lower(s string, exclusive bool) string {
	if exclusive {
		return "more than " + s
	}
	return "at least " + s
}

func upper(s string, exclusive bool) string {
	if exclusive {
		return "less than " + s
	}
	return "at most " + s
}

// Size says how much a section holds: "3 items".
func Size(n *schema.Node) string {
	count := Count(n)
	if k := n.Kind(); k == schema.KindArray || k == schema.KindTuple {
		if count == 0 {
			return "no items"
		}
		return human.Plural(count, "item", "items")
	}
	if count == 0 {
		return "empty"
	}
	return human.Plural(count, "member", "members")
}

// Brief shows what a folded section holds: its first values.
func Brief(n *schema.Node) string {
	var parts []string
	for _, c := range n.Children() {
		if len(parts) == 4 {
			break
		}
		if c.State() == schema.StateAbsent || holds(c) {
			continue
		}
		if text := strings.TrimSpace(c.Text()); text != "" {
			parts = append(parts, safe.Line(text, 24))
		}
	}
	return strings.Join(parts, ", ")
}

// Chosen says what is chosen in a multi-select: "2: red, blue", "" for nothing.
func Chosen(n *schema.Node) string {
	var names []string
	count := 0
	choices := n.Choices()
	for i, on := range n.Chosen() {
		if !on {
			continue
		}
		if count++; count <= 8 {
			names = append(names, Title(choices[i], 24))
		}
	}
	if count == 0 {
		return ""
	}
	return human.Count(count) + ": " + strings.Join(names, ", ")
}

// ChosenNote counts what is chosen in a multi-select against its bounds: "2
// chosen, at least 3".
func ChosenNote(n *schema.Node) string {
	count := 0
	for _, on := range n.Chosen() {
		if on {
			count++
		}
	}
	h := n.Hints()
	note := human.Count(count) + " chosen"
	if s := span(h.MinItems, h.MaxItems, "needed", "needed"); s != "" {
		note += ", " + strings.TrimSuffix(s, " needed")
	}
	return note
}
