package schema

import (
	"strconv"
	"strings"
)

// Kind says which control a node needs.
type Kind uint8

// The kinds of node.
const (
	KindText        Kind = iota // one text
	KindNumber                  // a number, kept as typed
	KindInteger                 // a whole number, kept as typed
	KindBoolean                 // true or false
	KindSelect                  // one of Choices, which may be of any type
	KindMultiSelect             // a list of Choices
	KindObject                  // members that the schema names
	KindMap                     // members that the person names
	KindArray                   // rows
	KindTuple                   // places with a schema each, perhaps rows after them
	KindConst                   // nothing but Choices[0]
	KindAny                     // any JSON: the schema asks for nothing
	KindJSON                    // JSON, because Reason
)

var kindNames = [...]string{"text", "number", "integer", "boolean", "select", "multi-select", "object", "map", "array", "tuple", "const", "any", "JSON"}

func (k Kind) String() string { return kindNames[k] }

// container reports whether nodes of the kind have children.
func (k Kind) container() bool {
	return k == KindObject || k == KindMap || k == KindArray || k == KindTuple || k == KindMultiSelect
}

// Choice is a value to choose.
type Choice struct {
	Title string // what to show; the value's text when the schema gives no title
	value *datum
	key   string
}

// JSON is the value as the schema writes it.
func (c Choice) JSON() string { return c.value.text() }

// origin says how close a schema is to the place it describes.
type origin uint8

const (
	originOwn    origin = iota // the place itself or its allOf
	originRef                  // what $ref leads to
	originBranch               // the picked branch of a oneOf or anyOf
)

// pickKey names a place where one of several branches applies. The part is nil
// for a choice between the types of a type list.
type pickKey struct {
	n       *part
	keyword string
}

// group is a oneOf or anyOf between whose branches the person picks.
type group struct {
	key      pickKey
	branches []int // indices that can be picked, in the schema's list
	titles   []string
	picked   int // index into branches
}

// view is what all schemas that apply to one value say together. Views are
// shared and never change.
type view struct {
	parts   []*part
	origins []origin
	groups  []group

	kind     Kind
	reason   string
	types    typeSet // without null
	nullable bool
	choices  []Choice
	choiceIx map[string]int

	conditional bool // depends on the value: if, dependentSchemas, dependentRequired
	declared    []declared
	declaredIx  map[string]int
	open        bool // other members are allowed
	places      int  // length of prefixItems
	itemRoots   []*part
	itemView    *view // for KindMultiSelect
}

// declared is a member that the schemas name.
type declared struct {
	name     string
	roots    []*part
	required bool
}

// flattener gathers the schemas that apply to one value.
type flattener struct {
	schema  *Schema
	picks   map[pickKey]int
	value   func() (any, int, bool) // the present value, its size, whether there is one
	has     func(name string) bool  // whether a member is present
	learned map[pickKey]int         // picks that follow from the value
	v       *view
	seen    map[*part]bool
	types   typeSet
	sawNull bool
	noNull  bool
	never   string
	lists   [][]Choice
}

// flatten builds the view of the schemas in roots.
func (w *flattener) flatten(roots []*part) *view {
	w.v = &view{}
	w.seen = map[*part]bool{}
	w.types = allTypes
	for _, p := range roots {
		w.add(p, originOwn)
	}
	w.decide()
	return w.v
}

func (w *flattener) add(p *part, from origin) {
	if p == nil || w.seen[p] {
		return
	}
	w.seen[p] = true
	switch {
	case p.always != nil:
		if !*p.always {
			w.never = "the schema allows no value here"
		}
		return
	case p.bad != "":
		w.v.reason = p.bad
		return
	case p.unresolved != "":
		w.v.reason = p.unresolved
	}
	w.v.parts = append(w.v.parts, p)
	w.v.origins = append(w.v.origins, from)
	w.narrow(p)
	below := from
	if below == originOwn {
		below = originRef
	}
	w.add(p.refTo, below)
	w.add(p.dynamicRef, below)
	for _, c := range p.allOf {
		w.add(c, from)
	}
	if p.ifPart != nil {
		w.v.conditional = true
		if value, size, ok := w.value(); ok {
			if w.schema.accepts(p.ifPart, value, size) {
				w.add(p.thenPart, from)
			} else {
				w.add(p.elsePart, from)
			}
		}
	}
	for _, d := range p.depSchemas {
		w.v.conditional = true
		if w.has(d.name) {
			w.add(d.part, from)
		}
	}
	if len(p.depRequired) > 0 {
		w.v.conditional = true
	}
	w.branch(p, "anyOf", p.anyOf, from)
	w.branch(p, "oneOf", p.oneOf, from)
}

// narrow takes in what a part says about types and constants.
func (w *flattener) narrow(p *part) {
	if p.types != 0 {
		w.types = meet(w.types, p.types)
		w.null(p.types&tNull != 0)
	}
	if p.constant != nil {
		w.choose([]Choice{{Title: plainText(p.constant), value: p.constant}})
	}
	if p.enum != nil {
		list := make([]Choice, 0, len(p.enum))
		for i, d := range p.enum {
			c := Choice{Title: plainText(d), value: d}
			if at := p.enumAt(d); at >= 0 && at < len(p.enumNames) && p.enumNames[at] != "" {
				c.Title = p.enumNames[at]
			} else if i < len(p.enumNames) && len(p.enum) == len(p.enumNames) && p.enumNames[i] != "" {
				c.Title = p.enumNames[i]
			}
			list = append(list, c)
		}
		w.choose(list)
	}
	for _, set := range p.sets {
		list := make([]Choice, len(set.parts))
		for i, c := range set.parts {
			list[i] = Choice{Title: c.choiceTitle(), value: c.constant}
		}
		w.choose(list)
	}
}

// enumAt is the index of a value in "enum" as written, before repetitions were
// dropped; -1 when nothing was dropped.
func (n *part) enumAt(d *datum) int {
	all := n.raw.get("enum").listed()
	if len(all) == len(n.enum) {
		return -1
	}
	for i, it := range all {
		if it == d {
			return i
		}
	}
	return -1
}

func (n *part) choiceTitle() string {
	if n.title != "" {
		return n.title
	}
	return plainText(n.constant)
}

// plainText shows a constant: text without quotes, anything else as JSON.
func plainText(d *datum) string {
	if d.kind == '"' {
		return d.str
	}
	return d.text()
}

// choose adds a list of constants; null in it is the null state, not a choice.
func (w *flattener) choose(list []Choice) {
	kept := make([]Choice, 0, len(list))
	hasNull := false
	for _, c := range list {
		if c.value.kind == 'n' {
			hasNull = true
			continue
		}
		c.key = c.value.key()
		kept = append(kept, c)
	}
	w.null(hasNull)
	w.lists = append(w.lists, kept)
}

func (w *flattener) null(allowed bool) {
	if allowed {
		w.sawNull = true
	} else {
		w.noNull = true
	}
}

// meet intersects types; number and integer meet in integer.
func meet(a, b typeSet) typeSet {
	m := a & b
	if a&tNumber != 0 && b&tInteger != 0 || b&tNumber != 0 && a&tInteger != 0 {
		m |= tInteger
	}
	return m
}

// branch takes in a oneOf or anyOf.
func (w *flattener) branch(p *part, keyword string, list []*part, from origin) {
	if len(list) == 0 {
		return
	}
	var live []int
	hasNull := false
	for i, c := range list {
		if c.onlyNull() {
			hasNull = true
			continue
		}
		live = append(live, i)
	}
	if hasNull {
		w.sawNull = true
	} else {
		w.nullThrough(list)
	}
	// What a branch says about null does not bind the others.
	noNull := w.noNull
	defer func() { w.noNull = noNull }()
	switch {
	case len(live) == 0:
		w.types = meet(w.types, tNull)
		return
	case len(live) == 1:
		w.add(list[live[0]], max(from, originRef))
		return
	}
	if choices := mergeChoices(list, live); choices != nil {
		sawNull := w.sawNull
		w.choose(choices)
		w.sawNull = sawNull
		return
	}
	shapes := false
	for _, i := range live {
		shapes = shapes || list[i].shapes(0)
	}
	if !shapes {
		return // such as anyOf of required: a rule to check, nothing to pick
	}
	g := group{key: pickKey{p, keyword}, branches: live}
	for n, i := range live {
		g.titles = append(g.titles, list[i].branchTitle(n))
	}
	g.picked = w.pick(g, list)
	w.v.groups = append(w.v.groups, g)
	w.add(list[live[g.picked]], originBranch)
}

// nullThrough lets null in when one of the branches has it among its types.
func (w *flattener) nullThrough(list []*part) {
	open := false
	for _, c := range list {
		for hops := 0; c.refTo != nil && c.types == 0 && hops < 16; hops++ {
			c = c.refTo
		}
		if c.types&tNull != 0 {
			w.sawNull, open = true, true
		}
		if c.types == 0 && c.constant == nil && c.enum == nil {
			open = true
		}
	}
	if !open {
		w.noNull = true
	}
}

func (n *part) onlyNull() bool {
	for hops := 0; n.refTo != nil && n.types == 0 && hops < 16; hops++ {
		n = n.refTo
	}
	return n.types == tNull || n.constant != nil && n.constant.kind == 'n'
}

// mergeChoices joins branches that only list constants; nil when one does more.
func mergeChoices(list []*part, live []int) []Choice {
	var out []Choice
	for _, i := range live {
		c := list[i]
		title := c.title
		for hops := 0; c.refTo != nil && hops < 16; hops++ {
			c = c.refTo
		}
		switch {
		case c.shapesObject() || c.items != nil || c.allOf != nil || c.anyOf != nil || c.oneOf != nil || c.ifPart != nil:
			return nil
		case c.constant != nil:
			if title == "" {
				title = c.choiceTitle()
			}
			out = append(out, Choice{Title: title, value: c.constant})
		case c.enum != nil:
			w := flattener{v: &view{}, types: allTypes}
			w.narrow(&part{enum: c.enum, enumNames: c.enumNames, raw: c.raw})
			out = append(out, w.lists[0]...)
		case len(c.sets) == 1:
			for _, p := range c.sets[0].parts {
				out = append(out, Choice{Title: p.choiceTitle(), value: p.constant})
			}
		default:
			return nil
		}
	}
	return out
}

func (n *part) shapesObject() bool {
	return len(n.properties) > 0 || len(n.patterns) > 0 || n.additional != nil
}

// shapes reports whether a branch changes what the form looks like, rather than
// only which values are valid.
func (n *part) shapes(hops int) bool {
	if n == nil || hops > 16 {
		return false
	}
	if n.shapesObject() || n.types != 0 || n.constant != nil || n.enum != nil || n.items != nil || n.prefix != nil ||
		n.sets != nil || n.bad != "" || n.unresolved != "" || n.format != "" {
		return true
	}
	for _, l := range [][]*part{n.allOf, n.anyOf, n.oneOf, {n.refTo}} {
		for _, c := range l {
			if c.shapes(hops + 1) {
				return true
			}
		}
	}
	return false
}

// branchTitle names a branch for the picker.
func (n *part) branchTitle(i int) string {
	ref := ""
	for hops := 0; hops < 16; hops++ {
		if n.title != "" {
			return n.title
		}
		if n.refTo == nil {
			break
		}
		ref = n.refTo.ptr[strings.LastIndexByte(n.refTo.ptr, '/')+1:]
		n = n.refTo
	}
	if ref != "" && !isIndex(ref) {
		return unescapeToken(ref)
	}
	for _, p := range n.properties {
		if c := p.part.constant; c != nil {
			return plainText(c)
		}
	}
	switch {
	case n.constant != nil || n.enum != nil:
		return n.brief()
	case len(n.properties) > 0:
		names := make([]string, 0, 3)
		for _, p := range n.properties[:min(3, len(n.properties))] {
			names = append(names, p.name)
		}
		return "with " + strings.Join(names, ", ")
	case n.types == tArray && n.items != nil && n.items.types != 0:
		return "a list of " + strings.TrimPrefix(strings.TrimPrefix(n.items.types.says(), "a "), "an ")
	case n.format != "":
		return n.format
	case n.types != 0:
		return n.types.says()
	}
	return "choice " + strconv.Itoa(i+1)
}

func isIndex(s string) bool { return s != "" && countDigits(s) == len(s) }

// pick says which branch applies: the one that was picked, or the one that the
// present value is meant for, or the first.
func (w *flattener) pick(g group, list []*part) int {
	if i, ok := w.picks[g.key]; ok {
		for at, b := range g.branches {
			if b == i {
				return at
			}
		}
	}
	value, size, ok := w.value()
	if !ok || value == nil {
		return 0
	}
	at := w.meant(g, list, value, size)
	if w.learned != nil {
		w.learned[g.key] = g.branches[at]
	}
	return at
}

// meant finds the branch a value fits, or else the one whose type and
// discriminators it has.
func (w *flattener) meant(g group, list []*part, value any, size int) int {
	for at, i := range g.branches {
		if w.schema.accepts(list[i], value, size) {
			return at
		}
	}
	best, score := 0, -1
	for at, i := range g.branches {
		if s := list[i].likeness(value); s > score {
			best, score = at, s
		}
	}
	return best
}

// likeness counts what speaks for a branch that does not accept the value.
func (n *part) likeness(value any) int {
	for hops := 0; n.refTo != nil && hops < 16; hops++ {
		n = n.refTo
	}
	score := 0
	if n.types == 0 || n.types.admits(plainType(value)) {
		score++
	}
	m, ok := value.(map[string]any)
	if !ok {
		return score
	}
	for _, p := range n.properties {
		v, has := m[p.name]
		switch {
		case has && p.part.constant != nil && p.part.constant.key() == string(appendKey(nil, v)):
			score += 100
		case has:
			score++
		}
	}
	return score
}
