package schema

import (
	"mcploupe/protocol/jsonvalue"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// SetText takes what was typed into an entry. The text is kept as it is and
// never rewritten. What it means depends on the kind: for text it is the value,
// for numbers a number literal whose digits are sent unchanged, for booleans
// and selects the value or its title, for everything else JSON. Text that is
// none of these becomes a draft. An empty entry means absent (an item of a list
// is never absent: there it is "" or a draft); see SetEmpty.
func (n *Node) SetText(text string) {
	kind := n.Kind()
	if kind.container() {
		n.dropKids()
	}
	n.retype(text)
	n.edited()
}

// SetEmpty makes the value "".
func (n *Node) SetEmpty() {
	n.asJSON = ""
	n.put(jsonvalue.String(""))
	n.text, n.typed = "", true
	n.edited()
}

// retype reads text for the node's kind.
func (n *Node) retype(text string) {
	kind := n.Kind()
	trimmed := strings.TrimSpace(text)
	if trimmed == "" && (kind != KindText || text == "") {
		switch {
		case !n.isItem():
			n.clear()
		case kind == KindText:
			n.put(jsonvalue.String(""))
		default:
			n.draft(text)
		}
		return
	}
	var d *jsonvalue.Value
	switch kind {
	case KindText:
		d = jsonvalue.String(text)
	case KindNumber, KindInteger:
		if jsonvalue.IsNumber(trimmed) {
			d = jsonvalue.Number(trimmed)
		}
	case KindBoolean:
		if trimmed == "true" || trimmed == "false" {
			d = jsonvalue.Bool(trimmed == "true")
		}
	case KindSelect, KindConst:
		d = n.match(text)
	default:
		d, _ = jsonvalue.Parse([]byte(text))
	}
	if d == nil {
		n.draft(text)
		return
	}
	if kind.container() {
		n.load(d)
		n.look()
		n.loaded = true
		return
	}
	n.put(d)
	n.text, n.typed = text, true
}

// match finds the choice that a text names: by value, by JSON, by title.
func (n *Node) match(text string) *jsonvalue.Value {
	v := n.look()
	if i, ok := v.choiceIx[jsonvalue.String(text).Key()]; ok {
		return v.choices[i].value
	}
	if d, err := jsonvalue.Parse([]byte(text)); err == nil {
		if i, ok := v.choiceIx[d.Key()]; ok {
			return v.choices[i].value
		}
	}
	for _, c := range v.choices {
		if c.Title == text {
			return c.value
		}
	}
	return nil
}

// put sets a scalar, or JSON as a whole.
func (n *Node) put(d *jsonvalue.Value) {
	n.state, n.val, n.shape = StateValue, d, 0
	n.plainVal, n.hasPlain = nil, false
	if d.Kind == 'n' && n.look().nullState() {
		n.state, n.val = StateNull, nil
	}
	n.text, n.typed = "", false
}

func (n *Node) draft(text string) {
	n.state, n.val, n.shape = StateDraft, nil, 0
	n.plainVal, n.hasPlain = nil, false
	n.text, n.typed = text, true
}

// clear makes the node absent. What is in a container is kept for Enable.
func (n *Node) clear() {
	n.state = StateAbsent
	n.text, n.typed, n.asJSON = "", false, ""
	if n.shape == 0 {
		n.val, n.plainVal, n.hasPlain = nil, nil, false
	}
	n.view = nil
}

func (n *Node) dropKids() {
	for _, c := range n.order {
		c.gone = true
	}
	n.kids, n.order, n.shape = nil, nil, 0
}

// edited puts the node where its state belongs and lets the form follow. From
// now on the branches that are shown stay picked.
func (n *Node) edited() {
	for m := n; m != nil; m = m.parent {
		if m.view == nil {
			continue
		}
		for _, g := range m.view.groups {
			if _, ok := m.picks[g.key]; !ok {
				if m.picks == nil {
					m.picks = map[pickKey]int{}
				}
				m.picks[g.key] = g.branches[g.picked]
			}
		}
	}
	if p := n.parent; p != nil && p.shape == '{' {
		switch {
		case n.state != StateAbsent:
			n.parked = false
			p.insert(n)
		case n.declared && p.kids[n.name] == n:
			p.order = slices.DeleteFunc(p.order, func(o *Node) bool { return o == n })
		default:
			p.drop(n)
		}
	}
	for p := n.parent; p != nil && p.parent != nil; p = p.parent {
		if p.parent.shape == '{' && !p.parked {
			p.parent.insert(p)
		}
	}
	n.form.changed(n)
}

// Clear makes the node absent. An item of a list starts over instead; a member
// that the schema does not name is removed.
func (n *Node) Clear() {
	if n.isItem() && n.parent.Kind() != KindTuple {
		n.forget()
		n.fill()
	} else {
		n.clear()
	}
	n.edited()
}

// SetNull makes the value null, whether or not the schema allows it.
func (n *Node) SetNull() {
	if n.shape != 0 {
		n.dropKids()
	}
	n.asJSON = ""
	n.put(jsonvalue.Null())
	n.edited()
}

// SetBool sets a boolean.
func (n *Node) SetBool(b bool) {
	n.asJSON = ""
	n.put(jsonvalue.Bool(b))
	n.edited()
}

// SetChoice sets the value to one of Choices.
func (n *Node) SetChoice(i int) {
	choices := n.Choices()
	if i < 0 || i >= len(choices) {
		return
	}
	n.asJSON = ""
	n.put(choices[i].value)
	n.edited()
}

// SetChosen adds one of Choices to a multi-select or takes it out.
func (n *Node) SetChosen(i int, on bool) {
	choices := n.Choices()
	if n.look().kind != KindMultiSelect || i < 0 || i >= len(choices) {
		return
	}
	n.asJSON = ""
	if n.state != StateValue {
		n.start()
	}
	n.expand()
	n.order = slices.DeleteFunc(n.order, func(c *Node) bool {
		hit := c.val != nil && c.val.Key() == choices[i].key
		c.gone = c.gone || hit
		return hit
	})
	if on {
		c := &Node{form: n.form, parent: n, roots: n.view.itemRoots, seeded: true}
		n.order = append(n.order, c)
		c.load(choices[i].value)
	}
	n.number()
	n.edited()
}

// Enable makes an absent or null node present: as it was before it was cleared,
// or with its default, or with the least that its kind allows.
func (n *Node) Enable() {
	if n.state == StateValue || n.state == StateDraft {
		return
	}
	n.fill()
	n.edited()
}

func (n *Node) fill() {
	n.seeded, n.asJSON = true, ""
	if n.shape != 0 {
		n.state = StateValue
		return
	}
	v := n.look()
	if d := v.fallback(); d != nil && d.Kind != 'n' {
		n.load(d)
		n.loaded = false
		if n.look(); n.asJSON == "" {
			return
		}
		n.forget()
		v = n.look()
	}
	switch {
	case v.kind.container():
		n.start()
	case v.kind == KindConst || v.kind == KindSelect:
		n.put(v.choices[0].value)
	case v.kind == KindBoolean:
		n.put(jsonvalue.Bool(false))
	case v.kind == KindText:
		n.put(jsonvalue.String(""))
	default:
		n.draft("")
	}
}

// SetJSON replaces the node's value. Nothing of it is lost: members that the
// schema does not know stay in their places, numbers keep their text. It fails
// only on text that is not JSON, and then changes nothing.
func (n *Node) SetJSON(text jsontext.Value) error {
	d, err := jsonvalue.Parse(text)
	if err != nil {
		return errNotJSON(text, err)
	}
	n.load(d)
	n.look()
	n.edited()
	return nil
}

// EditJSON turns a node into a JSON field and back. It reports false when the
// present value has no place in the control for the node's kind.
func (n *Node) EditJSON(on bool) bool {
	if on {
		n.collapse()
		n.asJSON = "edited as JSON"
		n.form.changed(n)
		return true
	}
	if n.state == StateDraft || n.misfit(n.look()) != "" {
		return n.asJSON == ""
	}
	n.asJSON, n.text, n.typed = "", "", false
	n.form.changed(n)
	return true
}
