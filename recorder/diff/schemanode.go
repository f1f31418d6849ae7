package diff

import (
	"slices"
	"strconv"
	"strings"

	"mcploupe/protocol/jsonvalue"
)

// part is a schema at its place in the definition that holds it.
type part struct {
	val *jsonvalue.Value
	ptr string
}

// both is a conjunction: a value must satisfy every part. A nil one admits
// every value.
type both []part

// typeSet is a set of JSON types; 0 means any. Integers are among the numbers.
type typeSet uint8

const (
	tNull typeSet = 1 << iota
	tBoolean
	tInteger
	tNumber
	tString
	tArray
	tObject
	tAll = tNull | tBoolean | tInteger | tNumber | tString | tArray | tObject
)

var typeNames = []struct {
	name string
	bits typeSet
}{
	{"null", tNull}, {"boolean", tBoolean}, {"number", tNumber | tInteger}, {"integer", tInteger},
	{"string", tString}, {"array", tArray}, {"object", tObject},
}

// bound is a limit with its place; exclusive ones leave the limit itself out.
type bound struct {
	val       *jsonvalue.Value
	num       jsonvalue.Decimal
	exclusive bool
	ptr       string
}

// node is a schema with its references followed and its conjunctions merged, as
// far as they can be.
type node struct {
	ptr    string // where a report points for the schema as a whole
	id     string // equal for the same parts of a document
	raw    *jsonvalue.Value
	closed bool // admits nothing
	open   bool // says that it takes any other member

	types    typeSet
	typesPtr string
	enum     []*jsonvalue.Value // nil when any value goes
	enumPtr  string
	titles   map[string]string // of enum values, by key

	lower, upper *bound
	limits       map[string]bound // the other bounds, by keyword
	texts        map[string]part  // pattern, format
	notes        map[string]part  // keywords that describe

	props      map[string]both
	order      []string // names of props as written
	required   map[string]string
	patterns   map[string]both
	dependent  map[string]map[string]string // dependentRequired
	schemas    map[string]both              // dependentSchemas
	single     map[string]both              // keywords with one schema
	prefix     []both
	variants   []both
	variantPtr string
	soft       *soft
	rest       []part // what could not be merged, compared as it stands
	broken     string // a reference that leads nowhere
	brokenPtr  string
}

// soft are alternatives that are another way to write an enum or a list of
// types, unless they have to be compared to forms that are more than that.
type soft struct {
	variants []both
	ptr      string
	merge    func(*node)
}

// settle decides how alternatives are read when n is compared to other, nil for
// n alone.
func (n *node) settle(other *node) {
	if n.soft != nil {
		if other != nil && other.variants != nil && n.variants == nil {
			n.variants, n.variantPtr = n.soft.variants, n.soft.ptr
		} else {
			n.soft.merge(n)
		}
		n.soft = nil
	}
	n.trim()
}

// pure reports whether a node with variants says nothing besides.
func (n *node) pure() bool {
	return n.variants == nil || n.types == 0 && n.enum == nil && n.lower == nil && n.upper == nil && n.rest == nil && n.prefix == nil &&
		len(n.limits)+len(n.texts)+len(n.props)+len(n.required)+len(n.patterns)+len(n.dependent)+len(n.schemas)+len(n.single) == 0
}

// asVariant makes a node without variants the only variant of another.
func (n *node) asVariant(c both) {
	if n.variants == nil {
		*n = node{ptr: n.ptr, id: n.id, raw: n.raw, variants: []both{c}, variantPtr: n.ptr}
	}
}

// document resolves references inside one definition.
type document struct {
	root    *jsonvalue.Value // the schema's own root
	base    string           // pointer of the root in the definition
	anchors map[string]part
}

func newDocument(schema *jsonvalue.Value, base string) *document {
	d := &document{root: schema, base: base, anchors: map[string]part{}}
	d.collect(schema, base)
	return d
}

// collect finds the anchors and ids that references may name.
func (d *document) collect(v *jsonvalue.Value, ptr string) {
	for _, m := range v.Members {
		at := jsonvalue.Child(ptr, m.Name)
		switch {
		case m.Value.Kind == '"' && (m.Name == "$anchor" || m.Name == "$dynamicAnchor"):
			d.anchors["#"+m.Value.Str] = part{v, ptr}
		case m.Value.Kind == '"' && (m.Name == "$id" || m.Name == "id" && strings.HasPrefix(m.Value.Str, "#")):
			d.anchors[m.Value.Str] = part{v, ptr}
		case m.Name != "const" && m.Name != "enum" && m.Name != "default" && m.Name != "examples":
			d.collect(m.Value, at)
		}
	}
	for i, it := range v.Items {
		d.collect(it, jsonvalue.ChildIndex(ptr, i))
	}
}

// resolve finds the target of a reference in the document; nothing is fetched.
func (d *document) resolve(ref string) (part, bool) {
	if p, ok := d.anchors[ref]; ok {
		return p, true
	}
	name, fragment, _ := strings.Cut(ref, "#")
	from := part{d.root, d.base}
	if name != "" {
		p, ok := d.anchors[name]
		if !ok {
			return part{}, false
		}
		from = p
	}
	fragment = unescapePercent(fragment)
	target := from.val.At(fragment)
	if target == nil || target.Kind != '{' && target.Kind != 't' && target.Kind != 'f' {
		return part{}, false
	}
	return part{target, from.ptr + fragment}, true
}

// unescapePercent undoes the percent-encoding of a URI fragment; what is not
// encoded properly stays.
func unescapePercent(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(n))
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// maxMerge bounds how many parts one conjunction may grow to by following
// references and allOf.
const maxMerge = 64

// flatten merges a conjunction into one node.
func (d *document) flatten(c both) *node {
	n := &node{
		limits: map[string]bound{}, texts: map[string]part{}, notes: map[string]part{},
		props: map[string]both{}, required: map[string]string{}, patterns: map[string]both{},
		dependent: map[string]map[string]string{}, schemas: map[string]both{}, single: map[string]both{},
	}
	if len(c) > 0 {
		n.ptr, n.raw = c[0].ptr, c[0].val
	}
	seen := map[string]bool{}
	var ids []string
	var take func(p part)
	take = func(p part) {
		if seen[p.ptr] || len(seen) >= maxMerge {
			return
		}
		seen[p.ptr] = true
		switch p.val.Kind {
		case 'f':
			n.closed = true
			ids = append(ids, "#"+p.ptr) // the root has an empty pointer
			return
		case '{':
		default:
			return
		}
		if !onlyReference(p.val) {
			ids = append(ids, "#"+p.ptr)
		}
		// What a schema says itself goes before what it refers to.
		n.own(p)
		for _, keyword := range []string{"$ref", "$dynamicRef", "$recursiveRef"} {
			ref := p.val.Get(keyword)
			if ref == nil || ref.Kind != '"' {
				continue
			}
			target, ok := d.resolve(ref.Str)
			if !ok {
				n.broken, n.brokenPtr = ref.Str, jsonvalue.Child(p.ptr, keyword)
				continue
			}
			take(target)
		}
		if all := p.val.Get("allOf"); all != nil {
			at := jsonvalue.Child(p.ptr, "allOf")
			for i, it := range all.Items {
				take(part{it, jsonvalue.ChildIndex(at, i)})
			}
		}
		d.alternatives(n, p, take)
	}
	for _, p := range c {
		take(p)
	}
	n.id = strings.Join(ids, " ")
	return n
}

// alone is a conjunction merged, not to be compared to another.
func (d *document) alone(c both) *node {
	n := d.flatten(c)
	n.settle(nil)
	return n
}

func onlyReference(v *jsonvalue.Value) bool {
	return len(v.Members) == 1 && v.Members[0].Name == "$ref"
}

// alternatives merges anyOf and oneOf where they are another way to write an
// enum, a list of types or "or null"; else they are variants.
func (d *document) alternatives(n *node, p part, take func(part)) {
	for _, keyword := range []string{"oneOf", "anyOf"} {
		list := p.val.Get(keyword)
		if list == nil || len(list.Items) == 0 {
			continue
		}
		at := jsonvalue.Child(p.ptr, keyword)
		alts := make([]part, len(list.Items))
		for i, it := range list.Items {
			alts[i] = part{it, jsonvalue.ChildIndex(at, i)}
		}
		switch {
		case n.soft == nil && (n.choices(alts, at) || n.union(alts, at)):
		case d.orNull(n, alts, take):
		case n.variants == nil:
			n.variantPtr, n.variants = at, each(alts)
		default:
			n.rest = append(n.rest, part{list, at})
		}
	}
}

func each(parts []part) []both {
	out := make([]both, len(parts))
	for i, p := range parts {
		out[i] = both{p}
	}
	return out
}

// choices merges alternatives that are all constants.
func (n *node) choices(alts []part, at string) bool {
	var values []*jsonvalue.Value
	titles := map[string]string{}
	for _, a := range alts {
		c := a.val.Get("const")
		if c == nil || !onlyOf(a.val, "const", "title", "description", "type") {
			return false
		}
		if t := a.val.Get("title"); t != nil {
			titles[c.Key()] = t.Str
		}
		values = append(values, c)
	}
	n.soft = &soft{each(alts), at, func(n *node) {
		n.titles = titles
		n.setEnum(values, at)
	}}
	return true
}

// union merges alternatives that name nothing but types.
func (n *node) union(alts []part, at string) bool {
	var set typeSet
	for _, a := range alts {
		t := a.val.Get("type")
		if t == nil || !onlyOf(a.val, "type", "title", "description") {
			return false
		}
		set |= typesOf(t)
	}
	n.soft = &soft{each(alts), at, func(n *node) { n.setTypes(set, at) }}
	return true
}

// orNull merges "this, or null".
func (d *document) orNull(n *node, alts []part, take func(part)) bool {
	var other []part
	for _, a := range alts {
		if t := a.val.Get("type"); t != nil && t.Str == "null" && onlyOf(a.val, "type", "title", "description") {
			continue
		}
		other = append(other, a)
	}
	if len(other) != 1 || len(alts) != 2 {
		return false
	}
	before := n.types
	take(other[0])
	if n.soft != nil {
		merge := n.soft.merge
		n.soft.merge = func(n *node) {
			merge(n)
			n.admitNull(before)
		}
		return true
	}
	n.admitNull(before)
	return true
}

// admitNull adds null to what the types and the enum admit, unless the types
// that the schema had before did not.
func (n *node) admitNull(before typeSet) {
	if n.types != 0 && (before == 0 || before&tNull != 0) {
		n.types |= tNull
	}
	if n.enum != nil {
		n.enum = append(slices.Clone(n.enum), jsonvalue.Null())
	}
}

// onlyOf reports whether an object has no members but those.
func onlyOf(v *jsonvalue.Value, names ...string) bool {
	if v.Kind != '{' {
		return false
	}
	for _, m := range v.Members {
		if !slices.Contains(names, m.Name) {
			return false
		}
	}
	return true
}

// typesOf are the types that a schema names.
func typesOf(v *jsonvalue.Value) typeSet {
	set := typeNamed(v.Str)
	for _, it := range v.Items {
		set |= typeNamed(it.Str)
	}
	return set
}

// typeNamed is the set of a name, none for one that is unknown.
func typeNamed(name string) typeSet {
	for _, t := range typeNames {
		if t.name == name {
			return t.bits
		}
	}
	return 0
}

// typeOf is the type of a value.
func typeOf(v *jsonvalue.Value) typeSet {
	if name := v.Type(); name != "number" {
		return typeNamed(name)
	}
	return tNumber // without the whole ones
}

// words lists the types for a sentence.
func (t typeSet) words() []string {
	var out []string
	for _, n := range typeNames {
		if t&n.bits == n.bits && (n.name != "integer" || t&tNumber == 0) {
			out = append(out, n.name)
		}
	}
	return out
}
