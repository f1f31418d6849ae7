package schema

import (
	"mcploupe/protocol/jsonvalue"
	"slices"
	"strconv"
)

// look is the view of the node, worked out when first needed.
func (n *Node) look() *view {
	if n.view == nil {
		n.view = n.compute()
		n.fitScalar()
	}
	return n.view
}

// compute reads the schemas for the value as it is now.
func (n *Node) compute() *view {
	key := n.form.rootsKey(n.roots)
	if v := n.form.views[key]; v != nil {
		return v
	}
	w := &flattener{
		schema: n.form.schema, picks: n.picks, has: n.hasMember, learned: map[pickKey]int{}, steps: &n.form.steps,
		value: func() (any, int, bool) {
			if n.state != StateValue && n.state != StateNull {
				return nil, 0, false
			}
			v, _, depth := n.plain()
			return v, depth, true
		},
	}
	v := w.flatten(n.roots)
	for k, i := range w.learned {
		if n.picks == nil {
			n.picks = map[pickKey]int{}
		}
		if _, ok := n.picks[k]; !ok {
			n.picks[k] = i
		}
	}
	if !v.conditional && len(v.groups) == 0 && len(n.form.views) < maxViews {
		n.form.views[key] = v
	}
	return v
}

// rootsKey names a list of parts for the cache of views.
func (f *Form) rootsKey(roots []*part) string {
	var b []byte
	for _, p := range roots {
		id, ok := f.ids[p]
		if !ok {
			id = len(f.ids)
			f.ids[p] = id
		}
		b = append(strconv.AppendInt(b, int64(id), 36), ' ')
	}
	return string(b)
}

// hasMember reports whether the object has the member now.
func (n *Node) hasMember(name string) bool {
	switch {
	case n.state != StateValue:
		return false
	case n.shape == 0:
		return n.val.Get(name) != nil
	}
	c := n.kids[name]
	return c != nil && !c.parked && c.state != StateAbsent
}

// same reports whether two views ask for the same form.
func (v *view) same(o *view) bool {
	return v.kind == o.kind && slices.Equal(v.parts, o.parts) &&
		slices.EqualFunc(v.groups, o.groups, func(a, b group) bool { return a.key == b.key && a.picked == b.picked }) &&
		slices.EqualFunc(v.declared, o.declared, func(a, b declared) bool { return a.name == b.name && a.required == b.required })
}

// refresh lets the node and what is in it follow the conditions of its schemas.
// It reports whether anything changed.
func (n *Node) refresh() bool {
	changed := false
	switch {
	case n.view == nil:
		n.look()
		n.fit()
		changed = true
	case n.view.conditional:
		if v := n.compute(); !v.same(n.view) {
			n.view = v
			n.fit()
			changed = true
		}
	}
	if changed {
		n.rev = n.form.rev
	}
	if n.state != StateValue || n.shape == 0 {
		return changed
	}
	if changed {
		n.sync()
	}
	if n.shape == '{' {
		for _, d := range n.view.declared {
			if c := n.kids[d.name]; c != nil && c.refresh() {
				changed = true
			}
		}
	}
	for _, c := range n.order {
		if !c.declared && c.refresh() {
			changed = true
		}
	}
	return changed
}

// fit keeps a value that the new view has another control for.
func (n *Node) fit() {
	kind := n.view.kind
	if n.state == StateValue && n.shape != 0 && !(kind.container() && (n.shape == '{') == (kind == KindObject || kind == KindMap)) {
		n.collapse()
	}
	n.fitScalar()
}

// fitScalar reads typed text again for the kind that the view has now; what has
// no place in the control for it is shown as JSON.
func (n *Node) fitScalar() {
	if n.shape != 0 || n.asJSON != "" {
		return
	}
	switch why := n.misfit(n.view); {
	case n.typed && !n.view.kind.container() && (n.state == StateDraft || why != ""):
		n.retype(n.text)
	default:
		n.asJSON = why
	}
}

// collapse turns children back into one value, or into a draft when one of them
// is a draft.
func (n *Node) collapse() {
	if n.shape == 0 {
		return
	}
	text := string(n.appendTo(nil, true))
	d, err := jsonvalue.Parse([]byte(text))
	n.shape, n.plainVal, n.hasPlain = 0, nil, false
	if err != nil {
		n.state, n.text, n.typed, n.val = StateDraft, text, true, nil
		return
	}
	n.val, n.typed, n.text = d, false, ""
}

// expand gives a loaded object or list its children.
func (n *Node) expand() {
	if n.state != StateValue || n.shape != 0 || n.val == nil || !n.look().kind.container() || n.asJSON != "" {
		return
	}
	d, oldKids, oldOrder := n.val, n.kids, n.order
	n.shape, n.val, n.plainVal, n.hasPlain = d.Kind, nil, nil, false
	n.kids, n.order = nil, nil
	if n.shape == '[' {
		for i, it := range d.Items {
			c := &Node{form: n.form, parent: n, index: i, roots: n.view.itemParts(i)}
			if i < len(oldOrder) && oldOrder[i].lit == "" && oldOrder[i].name == "" {
				c = oldOrder[i]
				c.gone, c.roots = false, n.view.itemParts(i)
			}
			c.load(it)
			n.order = append(n.order, c)
		}
		for _, c := range oldOrder[min(len(oldOrder), len(n.order)):] {
			c.gone = true
		}
		n.fillPlaces()
		return
	}
	n.kids = make(map[string]*Node, len(d.Members))
	for _, m := range d.Members {
		c := oldKids[m.Name]
		if c == nil || n.kids[m.Name] == c {
			c = &Node{form: n.form, parent: n, name: m.Name}
		}
		delete(oldKids, m.Name)
		c.lit, c.gone, c.parked = m.Lit, false, false
		c.load(m.Value)
		c.loaded = n.loaded
		n.kids[m.Name] = c
		n.order = append(n.order, c)
	}
	for name, c := range oldKids {
		if _, keep := n.view.declaredIx[name]; keep && c.declared {
			c.forget()
			c.parked = false
			n.kids[name] = c
			continue
		}
		c.gone = true
	}
	n.sync()
}

// sync brings the children in line with the view.
func (n *Node) sync() {
	if n.shape == '[' {
		for i, c := range n.order {
			c.index = i
			c.setRoots(n.view.itemParts(i))
		}
		n.fillPlaces()
		return
	}
	v := n.view
	if n.kids == nil {
		n.kids = make(map[string]*Node, len(v.declared))
	}
	for _, d := range v.declared {
		c := n.kids[d.name]
		if c == nil {
			c = &Node{form: n.form, parent: n, name: d.name}
			n.kids[d.name] = c
		}
		if c.required != d.required {
			c.required, c.rev = d.required, n.form.rev
		}
		c.declared = true
		c.setRoots(d.roots)
		if c.parked {
			c.parked = false
			n.insert(c)
		}
		if !c.seeded && !n.exact {
			c.seed()
			n.insert(c)
		}
		c.seeded = true
	}
	for name, c := range n.kids {
		if _, named := v.declaredIx[name]; named {
			continue
		}
		switch {
		case !c.declared:
		case c.state == StateAbsent:
			c.gone = true
			delete(n.kids, name)
			continue
		case !c.loaded:
			n.park(c)
			continue
		}
		c.declared, c.required = false, false
		roots, _ := v.memberParts(name)
		c.setRoots(roots)
	}
	for _, c := range n.order {
		if n.kids[c.name] != c { // a name given twice
			roots, _ := v.memberParts(c.name)
			c.setRoots(roots)
		}
	}
}

func (n *Node) setRoots(roots []*part) {
	if !slices.Equal(n.roots, roots) {
		n.roots, n.view = roots, nil
	}
}

// park keeps a member aside that is no longer described, until it is again.
func (n *Node) park(c *Node) {
	c.parked = true
	n.order = slices.DeleteFunc(n.order, func(o *Node) bool { return o == c })
}

// insert puts a present member among the sent ones, where the schema has it if
// the order there allows.
func (n *Node) insert(c *Node) {
	if c.state == StateAbsent || slices.Contains(n.order, c) {
		return
	}
	at := len(n.order)
	if ix, ok := n.view.declaredIx[c.name]; ok {
		for at > 0 {
			if before, ok := n.view.declaredIx[n.order[at-1].name]; !ok || before < ix {
				break
			}
			at--
		}
	}
	n.order = slices.Insert(n.order, at, c)
}

// seed gives a fresh node its default, or what the schema leaves no choice about.
// A default of null stays absent where absent is allowed: it means the same.
func (n *Node) seed() {
	n.seeded = true
	v := n.look()
	if d := v.fallback(); d != nil && (d.Kind != 'n' || n.required && v.nullable) {
		n.load(d)
		if n.look(); n.asJSON == "" {
			n.loaded = false
			return
		}
		n.forget()
		n.seeded = true
		v = n.look()
	}
	if !n.required && !n.isItem() || v.nullable {
		return
	}
	switch {
	case v.kind == KindConst:
		n.load(v.choices[0].value)
		n.loaded = false
	case v.kind.container() && !n.recurs() && n.form.fills < maxFills:
		n.form.fills++
		n.start()
	}
}

// maxFills bounds the sections that open by themselves after one edit.
const maxFills = 2000

// recurs reports that a node around this one has the same schema, so that
// filling it in would never end.
func (n *Node) recurs() bool {
	v := n.look()
	for o := n.parent; o != nil; o = o.parent {
		if o.view == nil {
			continue
		}
		for _, p := range v.parts {
			if slices.Contains(o.view.parts, p) {
				return true
			}
		}
	}
	return false
}

// start makes an empty container present.
func (n *Node) start() {
	n.state, n.shape, n.exact = StateValue, '{', false
	n.text, n.typed, n.val = "", false, nil
	if k := n.look().kind; k != KindObject && k != KindMap {
		n.shape = '['
	}
	n.order = nil
	n.sync()
}

// fillPlaces gives a tuple a node for each of its places.
func (n *Node) fillPlaces() {
	if n.view.kind != KindTuple {
		return
	}
	for i := len(n.order); i < n.view.places; i++ {
		c := &Node{form: n.form, parent: n, index: i, roots: n.view.itemParts(i)}
		n.order = append(n.order, c)
		if !n.exact {
			c.seed()
		}
		c.seeded = true
	}
}
