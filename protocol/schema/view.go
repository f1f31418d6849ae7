package schema

import "mcploupe/protocol/jsonvalue"

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
	value *jsonvalue.Value
	key   string
}

// JSON is the value as the schema writes it.
func (c Choice) JSON() string { return c.value.Text() }

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
	value   func() (v any, depth int, ok bool) // the present value, its depth, whether there is one
	steps   *int                               // what is left for looking at the value
	has     func(name string) bool             // whether a member is present
	learned map[pickKey]int                    // picks that follow from the value
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
		if value, depth, ok := w.value(); ok {
			if w.schema.accepts(p.ifPart, value, depth, w.steps) {
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
func (n *part) enumAt(d *jsonvalue.Value) int {
	all := itemsOf(n.raw.Get("enum"))
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
func plainText(d *jsonvalue.Value) string {
	if d.Kind == '"' {
		return d.Str
	}
	return d.Text()
}

// choose adds a list of constants; null in it is the null state, not a choice.
func (w *flattener) choose(list []Choice) {
	kept := make([]Choice, 0, len(list))
	hasNull := false
	for _, c := range list {
		if c.value.Kind == 'n' {
			hasNull = true
			continue
		}
		c.key = c.value.Key()
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
