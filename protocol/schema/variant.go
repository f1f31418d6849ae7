package schema

import (
	"fmt"
	"slices"
	"strings"
)

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
	text, scalar := n.Text(), n.shape == 0 && (n.val == nil || n.val.Kind != '{' && n.val.Kind != '[')
	back, had := n.stash[v.branchKey()]
	switch {
	case scalar && !v.kind.container() && v.kind != KindConst:
		if n.val != nil && n.val.Kind == '"' {
			text = n.val.Str
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
