package schema

import (
	"fmt"
	"slices"
)

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
