package schema

import (
	"fmt"
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
	n.put(stringDatum(""))
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
			n.put(stringDatum(""))
		default:
			n.draft(text)
		}
		return
	}
	var d *datum
	switch kind {
	case KindText:
		d = stringDatum(text)
	case KindNumber, KindInteger:
		if isNumber(trimmed) {
			d = numberDatum(trimmed)
		}
	case KindBoolean:
		if trimmed == "true" || trimmed == "false" {
			d = boolDatum(trimmed == "true")
		}
	case KindSelect, KindConst:
		d = n.match(text)
	default:
		d, _ = parseDatum([]byte(text))
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
func (n *Node) match(text string) *datum {
	v := n.look()
	if i, ok := v.choiceIx[stringDatum(text).key()]; ok {
		return v.choices[i].value
	}
	if d, err := parseDatum([]byte(text)); err == nil {
		if i, ok := v.choiceIx[d.key()]; ok {
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
func (n *Node) put(d *datum) {
	n.state, n.val, n.shape = StateValue, d, 0
	n.plainVal, n.hasPlain = nil, false
	if d.kind == 'n' && n.look().nullState() {
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

// drop removes a child for good.
func (n *Node) drop(c *Node) {
	c.gone = true
	n.order = slices.DeleteFunc(n.order, func(o *Node) bool { return o == c })
	if n.shape == '[' {
		n.number()
		return
	}
	if n.kids[c.name] != c {
		return
	}
	delete(n.kids, c.name)
	for _, o := range n.order {
		if o.name == c.name {
			n.kids[c.name] = o
		}
	}
}

// number gives the items their places.
func (n *Node) number() {
	for i, c := range n.order {
		if c.index != i {
			c.index, c.rev = i, n.form.rev+1
		}
		c.setRoots(n.look().itemParts(i))
	}
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
	n.put(nullDatum())
	n.edited()
}

// SetBool sets a boolean.
func (n *Node) SetBool(b bool) {
	n.asJSON = ""
	n.put(boolDatum(b))
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
		hit := c.val != nil && c.val.key() == choices[i].key
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
	if d := v.fallback(); d != nil && d.kind != 'n' {
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
		n.put(boolDatum(false))
	case v.kind == KindText:
		n.put(stringDatum(""))
	default:
		n.draft("")
	}
}

// SetJSON replaces the node's value. Nothing of it is lost: members that the
// schema does not know stay in their places, numbers keep their text. It fails
// only on text that is not JSON, and then changes nothing.
func (n *Node) SetJSON(text jsontext.Value) error {
	d, err := parseDatum(text)
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

// SetVariant picks another branch. Members that both branches have keep their
// values; the others are kept aside until their branch is picked again.
// Constants that tell the branches apart follow.
func (n *Node) SetVariant(picker, i int) {
	v := n.look()
	if picker < 0 || picker >= len(v.groups) || i < 0 || i >= len(v.groups[picker].branches) {
		return
	}
	g := v.groups[picker]
	n.keep(v)
	if n.picks == nil {
		n.picks = map[pickKey]int{}
	}
	n.picks[g.key] = g.branches[i]
	n.asJSON = ""
	before := v
	n.view = nil
	v = n.look()
	switch {
	case n.shape == '{' && n.state == StateValue && (v.kind == KindObject || v.kind == KindMap):
		n.switchMembers(before)
	case n.state == StateAbsent || n.state == StateNull:
		n.dropKids()
		n.state = StateAbsent
		if v.kind.container() || v.kind == KindConst {
			n.fill()
		}
	default:
		n.switchKind(v)
	}
	n.edited()
}

// keep sets the present content aside under the branches that are picked now.
func (n *Node) keep(v *view) {
	if n.stash == nil {
		n.stash = map[string]content{}
	}
	n.stash[v.branchKey()] = content{n.state, n.text, n.typed, n.val, n.shape, n.kids, n.order}
}

// branchKey names the picked branches.
func (v *view) branchKey() string {
	var b strings.Builder
	for _, g := range v.groups {
		fmt.Fprintf(&b, "%s %d ", g.titles[g.picked], g.picked)
	}
	return b.String()
}

// switchMembers moves an object from one branch to another.
func (n *Node) switchMembers(before *view) {
	n.expand()
	for _, c := range slices.Clone(n.order) {
		_, was := before.declaredIx[c.name]
		_, is := n.view.declaredIx[c.name]
		if was && !is {
			c.declared, c.loaded = true, false
		}
	}
	n.exact = false
	for _, c := range n.kids {
		if c.state == StateAbsent {
			_, was := before.declaredIx[c.name]
			c.seeded = was && c.seeded && c.declared
		}
	}
	n.sync()
	for _, d := range n.view.declared {
		c := n.kids[d.name]
		if v := c.look(); v.kind == KindConst && (c.required || c.state != StateAbsent) {
			c.dropKids()
			c.asJSON = ""
			c.put(v.choices[0].value)
			n.insert(c)
		}
	}
}

// switchKind moves a value to a branch of another kind: its text is read anew
// where both have a text, otherwise the branch gets back what it had.
func (n *Node) switchKind(v *view) {
	text, scalar := n.Text(), n.shape == 0 && (n.val == nil || n.val.kind != '{' && n.val.kind != '[')
	back, had := n.stash[v.branchKey()]
	switch {
	case scalar && !v.kind.container() && v.kind != KindConst:
		if n.val != nil && n.val.kind == '"' {
			text = n.val.str
		}
		n.retype(text)
	case had:
		n.state, n.text, n.typed, n.val = back.state, back.text, back.typed, back.val
		n.shape, n.kids, n.order = back.shape, back.kids, back.order
		n.plainVal, n.hasPlain = nil, false
	default:
		n.kids, n.order, n.shape = nil, nil, 0
		n.val, n.text, n.typed, n.state = nil, "", false, StateAbsent
		n.plainVal, n.hasPlain = nil, false
		n.fill()
	}
}

// CanAdd reports that AddItem or AddMember makes sense.
func (n *Node) CanAdd() bool {
	v := n.look()
	switch n.Kind() {
	case KindObject, KindMap:
		return v.open
	case KindArray:
		return true
	case KindTuple:
		return len(v.itemRoots) > 0 && (v.itemRoots[0].always == nil || *v.itemRoots[0].always)
	}
	return false
}

// AddItem appends a row to a list, absent lists included, and returns it.
func (n *Node) AddItem() *Node {
	if k := n.Kind(); k != KindArray && k != KindTuple {
		return nil
	}
	if n.state != StateValue {
		n.fill()
	}
	n.expand()
	c := &Node{form: n.form, parent: n, index: len(n.order), roots: n.look().itemParts(len(n.order))}
	n.order = append(n.order, c)
	c.fill()
	n.edited()
	return c
}

// AddMember adds a member with a name of the person's choice and returns it.
func (n *Node) AddMember(name string) (*Node, error) {
	if k := n.Kind(); k != KindObject && k != KindMap {
		return nil, fmt.Errorf("adding a member to %s: it has no members", k)
	}
	if n.state != StateValue {
		n.fill()
	}
	n.expand()
	if c := n.kids[name]; c != nil && (c.state != StateAbsent || c.parked) {
		if !c.parked {
			return nil, fmt.Errorf("adding member %q: %w", name, errName)
		}
		c.gone = true
	}
	c := n.kids[name]
	if c == nil || c.gone {
		roots, _ := n.look().memberParts(name)
		c = &Node{form: n.form, parent: n, name: name, roots: roots, loaded: true}
		n.kids[name] = c
	}
	c.fill()
	c.edited()
	return c, nil
}

// CanRemove reports that Remove takes the node out rather than clearing it.
func (n *Node) CanRemove() bool {
	switch {
	case n.parent == nil:
		return false
	case n.isItem():
		return n.parent.Kind() != KindTuple || n.index >= n.parent.look().places
	}
	return !n.declared || n.parent.kids[n.name] != n
}

// Remove takes a row or an added member out; anything else is cleared.
func (n *Node) Remove() {
	if !n.CanRemove() {
		n.Clear()
		return
	}
	n.parent.drop(n)
	n.form.changed(n.parent)
}

// Move puts a row at another place of its list; what is between moves up or down.
func (n *Node) Move(to int) {
	p := n.parent
	if !n.isItem() || to < 0 || to >= len(p.order) || to == n.index {
		return
	}
	p.order = slices.Delete(p.order, n.index, n.index+1)
	p.order = slices.Insert(p.order, to, n)
	p.number()
	n.form.changed(p)
}

// Rename gives a member that the schema does not name another name. Its place
// and value stay.
func (n *Node) Rename(name string) error {
	p := n.parent
	if p == nil || p.shape != '{' || n.declared {
		return fmt.Errorf("renaming %q: the schema gives the name", n.Name())
	}
	if name == n.name {
		return nil
	}
	if c := p.kids[name]; c != nil && (c.state != StateAbsent || c.declared) {
		return fmt.Errorf("renaming %q to %q: %w", n.name, name, errName)
	}
	if p.kids[n.name] == n {
		delete(p.kids, n.name)
		for _, o := range p.order {
			if o.name == n.name && o != n {
				p.kids[n.name] = o
			}
		}
	}
	n.name, n.lit = name, ""
	p.kids[name] = n
	roots, _ := p.look().memberParts(name)
	n.setRoots(roots)
	n.form.changed(n)
	return nil
}
