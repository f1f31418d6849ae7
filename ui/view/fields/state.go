package fields

import (
	"strconv"

	"mcploupe/protocol/schema"
)

// StateWord says what a value is when it is none that can be seen: "not sent",
// "null", "empty", or "".
func StateWord(n *schema.Node) string {
	switch n.State() {
	case schema.StateAbsent:
		return "not sent"
	case schema.StateNull:
		return "null"
	case schema.StateValue:
		if n.Kind() == schema.KindText && n.Text() == "" {
			return "empty"
		}
	}
	return ""
}

// Verb is what an Action does.
type Verb uint8

// The verbs.
const (
	NotSent   Verb = iota // leave the value out
	Null                  // send null
	EmptyText             // send ""
	SetStart              // make it present
	Default               // set the schema's default
	SetSample             // set an example, which Action.Index names
	AsJSON                // edit as JSON
	AsField               // edit in the control for its kind
	Copy                  // the value as JSON
	Up                    // move an item
	Down
	Remove
	AddMember // one that the schema does not name
	Separator
)

// Action is an entry of a field's menu.
type Action struct {
	Text  string
	Verb  Verb
	Index int
	Off   bool // shown, but cannot be used now
	On    bool // is so already
}

// maxSamples bounds the examples in a menu.
const maxSamples = 6

// Actions are the entries of a node's menu.
func Actions(n *schema.Node) []Action {
	h, state, kind := n.Hints(), n.State(), n.Kind()
	var out []Action
	add := func(a Action) { out = append(out, a) }
	separate := func() {
		if len(out) > 0 && out[len(out)-1].Verb != Separator {
			add(Action{Verb: Separator})
		}
	}
	item := isItem(n)
	if !item {
		text := "Not sent"
		if n.Required() {
			text = "Not sent (is required)"
		}
		add(Action{Text: text, Verb: NotSent, On: state == schema.StateAbsent})
	}
	if state == schema.StateAbsent || state == schema.StateNull {
		switch kind {
		case schema.KindText, schema.KindNumber, schema.KindInteger, schema.KindAny, schema.KindJSON:
		default:
			add(Action{Text: "Send it", Verb: SetStart})
		}
	}
	null := "Null"
	if !n.Nullable() {
		null = "Null (not in the schema)"
	}
	add(Action{Text: null, Verb: Null, On: state == schema.StateNull})
	if kind == schema.KindText {
		add(Action{Text: "Empty text", Verb: EmptyText, On: state == schema.StateValue && n.Text() == ""})
	}
	separate()
	if h.Default != nil {
		add(Action{Text: "Default: " + Value(h.Default), Verb: Default})
	}
	for i := range h.Examples[:min(len(h.Examples), maxSamples)] {
		add(Action{Text: "Example: " + Value(h.Examples[i]), Verb: SetSample, Index: i})
	}
	separate()
	if kind == schema.KindObject && n.CanAdd() && state == schema.StateValue && n.Parent() != nil {
		add(Action{Text: "Add a member that the schema does not name", Verb: AddMember})
	}
	switch {
	case kind == schema.KindAny:
	case kind == schema.KindJSON && forced(n):
		add(Action{Text: "Edit in fields", Verb: AsField})
	case kind != schema.KindJSON:
		add(Action{Text: "Edit as JSON", Verb: AsJSON})
	}
	add(Action{Text: "Copy as JSON", Verb: Copy, Off: n.JSON() == nil})
	if item && n.CanRemove() {
		separate()
		last := Siblings(n) - 1
		add(Action{Text: "Move up", Verb: Up, Off: Place(n) == 0})
		add(Action{Text: "Move down", Verb: Down, Off: Place(n) == last})
	}
	if n.CanRemove() {
		separate()
		add(Action{Text: "Remove", Verb: Remove})
	}
	if len(out) > 0 && out[len(out)-1].Verb == Separator {
		out = out[:len(out)-1]
	}
	return out
}

// forced reports that a JSON field could have another control.
func forced(n *schema.Node) bool { return n.Reason() == editedAsJSON }

// editedAsJSON is the reason of a node that the person turned into a JSON field.
const editedAsJSON = "edited as JSON"

func isItem(n *schema.Node) bool {
	p := n.Parent()
	return p != nil && (p.Kind() == schema.KindArray || p.Kind() == schema.KindTuple)
}

// Movable reports that the node is an item that can change its place.
func Movable(n *schema.Node) bool {
	p := n.Parent()
	return p != nil && p.Kind() == schema.KindArray
}

// Place is the index of an item in its list, -1 for what is no item.
func Place(n *schema.Node) int {
	if !isItem(n) {
		return -1
	}
	i, err := strconv.Atoi(n.Name())
	if err != nil {
		return -1
	}
	return i - 1
}

// Siblings is how many items the list of an item has.
func Siblings(n *schema.Node) int { return len(n.Parent().Children()) }
