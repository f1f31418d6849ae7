package diff

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol/jsonvalue"
)

// maxCompared bounds the pairs of schemas that are compared for one definition.
const maxCompared = 20000

// maxNested bounds how deep schemas are compared in each other.
const maxNested = 100

// differ compares two schemas.
type differ struct {
	a, b  *document
	sense sense
	seen  map[[2]string]bool
	left  int // of maxCompared
	depth int
	deep  bool // maxNested was reached
	quiet bool
	found int // changes for programs, also when quiet
	dup   map[string]bool
	out   []Change
}

// schemas compares two schemas that stand at base in their definitions. cut
// reports that they were too big to be compared whole.
func schemas(before, after *jsonvalue.Value, base string, s sense) (changes []Change, cut bool) {
	d := &differ{
		a: newDocument(before, base), b: newDocument(after, base), sense: s,
		seen: map[[2]string]bool{}, left: maxCompared, dup: map[string]bool{},
	}
	d.compare(both{{before, base}}, both{{after, base}}, "")
	return d.out, d.left <= 0 || d.deep
}

// same reports whether two conjunctions admit the same values, as far as the
// rules tell.
func (d *differ) same(a, b both) bool {
	q := &differ{a: d.a, b: d.b, sense: d.sense, seen: map[[2]string]bool{}, left: min(d.left, 500), quiet: true}
	q.compare(a, b, "")
	d.left -= min(d.left, 500) - q.left
	return q.found == 0 && q.left > 0 && !q.deep
}

// place is how a sentence calls the value at a path.
func (d *differ) place(path string) string {
	switch {
	case path == "" && d.sense == input:
		return "The input"
	case path == "":
		return "The output"
	case d.sense == input:
		return "Argument `" + path + "`"
	}
	return "Field `" + path + "`"
}

// at extends a path by a member.
func at(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// emit reports a change. ptrA and ptrB are its places, "" where it has none.
func (d *differ) emit(key string, path, about, ptrA, ptrB string, before, after *jsonvalue.Value) {
	rule := ruleByKey[key]
	if rule.Input != Note {
		d.found++
	}
	if d.quiet {
		return
	}
	c := Change{Verdict: rule.verdict(d.sense), Rule: key, Text: rule.sentence(d.sense, d.place(path), about), Pointer: ptrB, Before: text(before), After: text(after)}
	switch {
	case strings.HasPrefix(key, "property.added"), key == "variant.added":
		c.Kind = Added
	case key == "property.removed", key == "property.undescribed", key == "variant.removed":
		c.Kind, c.Pointer = Removed, ptrA
	case ptrB == "":
		c.Pointer = ptrA
	}
	if id := key + " " + ptrA + " " + ptrB + " " + about; !d.dup[id] { // a definition that many refer to changes once
		d.dup[id] = true
		d.out = append(d.out, c)
	}
}

func text(v *jsonvalue.Value) jsontext.Value {
	if v == nil {
		return nil
	}
	return jsontext.Value(v.Text())
}

// compare compares two conjunctions at a path.
func (d *differ) compare(a, b both, path string) {
	if d.left--; d.left <= 0 {
		return
	}
	if d.depth == maxNested {
		d.deep = true
		return
	}
	d.depth++
	defer func() { d.depth-- }()
	na, nb := d.a.flatten(a), d.b.flatten(b)
	if key := [2]string{na.id, nb.id}; d.seen[key] {
		return
	} else if na.id != "" || nb.id != "" {
		d.seen[key] = true
	}
	na.settle(nb)
	nb.settle(na)
	if na.broken != nb.broken {
		key, about := "reference.broken", nb.broken
		if nb.broken == "" {
			key, about = "reference.mended", na.broken
		}
		d.emit(key, path, jsonvalue.Quote(about), na.brokenPtr, nb.brokenPtr, na.raw, nb.raw)
	}
	d.describe(na, nb, path)
	switch {
	case na.closed && nb.closed:
		return
	case nb.closed:
		d.emit("schema.closed", path, "", na.ptr, nb.ptr, na.raw, nb.raw)
		return
	case na.closed:
		d.emit("schema.opened", path, "", na.ptr, nb.ptr, na.raw, nb.raw)
		return
	}
	if (na.variants == nil) != (nb.variants == nil) && na.pure() && nb.pure() {
		// One that became one of several forms, or the other way round.
		na.asVariant(a)
		nb.asVariant(b)
	}
	d.compareTypes(na, nb, path)
	d.compareBounds(na, nb, path)
	d.compareTexts(na, nb, path)
	d.compareObjects(na, nb, path)
	d.compareArrays(na, nb, path)
	d.compareVariants(na, nb, path)
	d.compareConditions(na, nb, path)
}

// compareTypes compares types and enums.
func (d *differ) compareTypes(a, b *node, path string) {
	switch {
	case a.enum != nil && b.enum != nil:
		d.compareEnums(a, b, path)
		return
	case b.enum != nil:
		d.emit("enum.introduced", path, values(b.enum), a.ptr, b.enumPtr, a.raw, b.raw)
		return
	case a.enum != nil:
		d.emit("enum.dropped", path, values(a.enum), a.enumPtr, b.ptr, a.raw, b.raw)
		return
	}
	ta, tb := a.types, b.types
	if ta == 0 {
		ta = tAll
	}
	if tb == 0 {
		tb = tAll
	}
	ptrA, ptrB := a.typesPtr, b.typesPtr
	if ptrA == "" {
		ptrA = a.ptr
	}
	if ptrB == "" {
		ptrB = b.ptr
	}
	before, after := a.raw, b.raw
	switch {
	case ta == tb:
	case ta&tb == tb:
		d.emit("type.narrowed", path, list(tb.words(), " or "), ptrA, ptrB, before, after)
	case ta&tb == ta && tb == tAll:
		d.emit("type.widened", path, "any type", ptrA, ptrB, before, after)
	case ta&tb == ta:
		gained := (tb &^ ta).words()
		if tb&tNumber != 0 && ta&tNumber == 0 {
			gained = slices.DeleteFunc(gained, func(s string) bool { return s == "number" })
			gained = append(gained, "number")
		}
		d.emit("type.widened", path, list(gained, " or "), ptrA, ptrB, before, after)
	default:
		d.emit("type.changed", path, list(tb.words(), " or ")+" instead of "+list(ta.words(), " or "), ptrA, ptrB, before, after)
	}
}

func (d *differ) compareEnums(a, b *node, path string) {
	missing := func(from, in []*jsonvalue.Value) (out []*jsonvalue.Value) {
		keys := map[string]bool{}
		for _, v := range in {
			keys[v.Key()] = true
		}
		for _, v := range from {
			if !keys[v.Key()] {
				out = append(out, v)
			}
		}
		return out
	}
	if gone := missing(a.enum, b.enum); len(gone) > 0 {
		d.emit("enum.removed", path, values(gone), a.enumPtr, b.enumPtr, a.raw, b.raw)
	}
	if come := missing(b.enum, a.enum); len(come) > 0 {
		d.emit("enum.added", path, values(come), a.enumPtr, b.enumPtr, a.raw, b.raw)
	}
	for _, v := range a.enum {
		before, after := a.titles[v.Key()], b.titles[v.Key()]
		if before != after && len(missing([]*jsonvalue.Value{v}, b.enum)) == 0 {
			d.emit("text.changed", path, "title for "+short(v), a.enumPtr, b.enumPtr, jsonvalue.String(before), jsonvalue.String(after))
		}
	}
}

// compareObjects compares what objects may and must have.
func (d *differ) compareObjects(a, b *node, path string) {
	for _, name := range b.order {
		after := b.props[name]
		_, must := b.required[name]
		before, had := a.props[name]
		switch {
		case had:
			d.compare(before, after, at(path, name))
			d.compareRequired(a, b, name, path)
		case forbids(after):
		case must:
			d.emit("property.added.required", at(path, name), "", "", after[0].ptr, nil, after[0].val)
		default:
			d.emit("property.added", at(path, name), "", "", after[0].ptr, nil, after[0].val)
		}
	}
	for _, name := range a.order {
		if before := a.props[name]; b.props[name] == nil && !forbids(before) {
			key := "property.removed"
			if b.open && !forbids(b.single["additionalProperties"]) {
				key = "property.undescribed"
			}
			d.emit(key, at(path, name), "", before[0].ptr, "", before[0].val, nil)
		}
	}
	for _, name := range names(a.required, b.required) {
		if a.props[name] == nil && b.props[name] == nil {
			d.compareRequired(a, b, name, path)
		}
	}
	d.compareOthers(a, b, path)
	d.compareNamed("pattern", a.patterns, b.patterns, a, b, path)
	d.compareNamed("when", a.schemas, b.schemas, a, b, path)
	for _, name := range names(a.dependent, b.dependent) {
		for _, needed := range names(a.dependent[name], b.dependent[name]) {
			pa, inA := a.dependent[name][needed]
			pb, inB := b.dependent[name][needed]
			switch {
			case inB && !inA:
				d.emit("dependency.added", at(path, name), "`"+needed+"`", a.ptr, pb, a.raw, b.raw)
			case inA && !inB:
				d.emit("dependency.removed", at(path, name), "`"+needed+"`", pa, b.ptr, a.raw, b.raw)
			}
		}
	}
}

func (d *differ) compareRequired(a, b *node, name, path string) {
	pa, inA := a.required[name]
	pb, inB := b.required[name]
	switch {
	case inB && !inA:
		d.emit("required.added", at(path, name), "", "", pb, nil, jsonvalue.String(name))
	case inA && !inB:
		d.emit("required.removed", at(path, name), "", pa, "", jsonvalue.String(name), nil)
	}
}

// compareOthers compares what is said of members without a name in the schema.
func (d *differ) compareOthers(a, b *node, path string) {
	for _, keyword := range []string{"additionalProperties", "unevaluatedProperties"} {
		ca, cb := a.single[keyword], b.single[keyword]
		closedA, closedB := forbids(ca), forbids(cb)
		ptrA, ptrB := placeOf(ca, a), placeOf(cb, b)
		switch {
		case closedA && closedB:
		case closedB:
			d.emit("additional.forbidden", path, "", ptrA, ptrB, a.raw, b.raw)
		case closedA:
			d.emit("additional.allowed", path, "", ptrA, ptrB, a.raw, b.raw)
		default:
			d.compareSub(ca, cb, a, b, path+"{}", "a schema for other members")
		}
	}
	d.compareSub(a.single["propertyNames"], b.single["propertyNames"], a, b, at(path, "(names)"), "a schema for names")
}

func placeOf(c both, n *node) string {
	if len(c) > 0 {
		return c[0].ptr
	}
	return n.ptr
}

// compareSub compares two subschemas of which either may be missing, which
// admits everything.
func (d *differ) compareSub(ca, cb both, a, b *node, path, what string) {
	switch {
	case ca == nil && cb == nil:
	case ca == nil:
		d.emit("schema.added", path, what, a.ptr, cb[0].ptr, nil, cb[0].val)
	case cb == nil:
		d.emit("schema.removed", path, what, ca[0].ptr, b.ptr, ca[0].val, nil)
	default:
		d.compare(ca, cb, path)
	}
}

func (d *differ) compareNamed(what string, ma, mb map[string]both, a, b *node, path string) {
	for _, name := range names(ma, mb) {
		d.compareSub(ma[name], mb[name], a, b, at(path, "("+what+" "+name+")"), "a schema of its own")
	}
}

func (d *differ) compareArrays(a, b *node, path string) {
	for i := range max(len(a.prefix), len(b.prefix)) {
		// Beyond the shorter tuple the schema for the rest holds.
		ca, cb := a.single["items"], b.single["items"]
		if i < len(a.prefix) {
			ca = a.prefix[i]
		}
		if i < len(b.prefix) {
			cb = b.prefix[i]
		}
		d.compareSub(ca, cb, a, b, path+"["+strconv.Itoa(i)+"]", "a schema for an item")
	}
	d.compareSub(a.single["items"], b.single["items"], a, b, path+"[]", "a schema for items")
	d.compareSub(a.single["contains"], b.single["contains"], a, b, path+"[any]", "a schema for some item")
	d.compareSub(a.single["unevaluatedItems"], b.single["unevaluatedItems"], a, b, path+"[]", "a schema for other items")
}

// names returns the keys of both maps, sorted.
func names[V any](a, b map[string]V) []string {
	all := maps.Clone(a)
	if all == nil {
		all = map[string]V{}
	}
	maps.Copy(all, b)
	return slices.Sorted(maps.Keys(all))
}
