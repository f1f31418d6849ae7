package diff

import (
	"strconv"
	"strings"

	"mcploupe/protocol/jsonvalue"
)

// compareVariants compares anyOf and oneOf: forms that admit the same are
// matched first, then those with the same discriminator, title, reference or
// type, and at last by their order.
func (d *differ) compareVariants(a, b *node, path string) {
	if a.variants == nil && b.variants == nil {
		return
	}
	if a.variants == nil || b.variants == nil {
		d.introduced(a, b, path)
		return
	}
	matched := d.match(a.variants, b.variants)
	taken := map[int]bool{}
	for i, j := range matched {
		if j < 0 {
			va := a.variants[i]
			d.emit("variant.removed", path, variantName(d.a, va, i), va[0].ptr, b.variantPtr, va[0].val, nil)
			continue
		}
		taken[j] = true
		d.compare(a.variants[i], b.variants[j], path)
	}
	for j, vb := range b.variants {
		if !taken[j] {
			d.emit("variant.added", path, variantName(d.b, vb, j), a.variantPtr, vb[0].ptr, nil, vb[0].val)
		}
	}
}

// introduced compares a schema with variants to one without.
func (d *differ) introduced(a, b *node, path string) {
	with, without, key := b, a, "schema.added"
	if b.variants == nil {
		with, without, key = a, b, "schema.removed"
	}
	what := strconv.Itoa(len(with.variants)) + " forms"
	// One plain schema that became one of several forms has only been joined by the others.
	plain := both{{without.raw, without.ptr}}
	for _, v := range with.variants {
		joined := key == "schema.added" && d.same(plain, v) || key == "schema.removed" && d.same(v, plain)
		if !joined {
			continue
		}
		key = map[string]string{"schema.added": "variant.added", "schema.removed": "variant.removed"}[key]
		break
	}
	if with == b {
		d.emit(key, path, what, a.ptr, b.variantPtr, a.raw, b.raw)
		return
	}
	d.emit(key, path, what, a.variantPtr, b.ptr, a.raw, b.raw)
}

// match pairs variants; -1 stands for none.
func (d *differ) match(as, bs []both) []int {
	pairs := make([]int, len(as))
	taken := make([]bool, len(bs))
	for i := range pairs {
		pairs[i] = -1
	}
	pass := func(alike func(i, j int) bool) {
		for i := range as {
			if pairs[i] >= 0 {
				continue
			}
			for j := range bs {
				if !taken[j] && alike(i, j) {
					pairs[i], taken[j] = j, true
					break
				}
			}
		}
	}
	// A same-place try first keeps long lists of equal forms cheap.
	pass(func(i, j int) bool { return i == j && as[i][0].val.Key() == bs[j][0].val.Key() })
	pass(func(i, j int) bool { return as[i][0].val.Key() == bs[j][0].val.Key() })
	ka, kb := make([]variantKey, len(as)), make([]variantKey, len(bs))
	for i := range as {
		ka[i] = keyOf(d.a, as[i])
	}
	for j := range bs {
		kb[j] = keyOf(d.b, bs[j])
	}
	const few = 12 // beyond it every pair would cost too much
	if len(as) <= few && len(bs) <= few {
		pass(func(i, j int) bool { return d.same(as[i], bs[j]) })
	}
	pass(func(i, j int) bool { return ka[i].constant != "" && ka[i].constant == kb[j].constant })
	pass(func(i, j int) bool { return ka[i].title != "" && ka[i].title == kb[j].title })
	pass(func(i, j int) bool { return ka[i].ref != "" && ka[i].ref == kb[j].ref })
	pass(func(i, j int) bool {
		return ka[i].types != 0 && ka[i].types == kb[j].types && ka[i].constant == "" && kb[j].constant == ""
	})
	if len(as) == 1 || len(bs) == 1 { // one form that became several, or the other way round
		pass(func(i, j int) bool { return ka[i].types&kb[j].types != 0 })
		pass(func(int, int) bool { return true })
	}
	return pairs
}

// variantKey is what a form is known by.
type variantKey struct {
	constant, title, ref string
	types                typeSet
}

func keyOf(doc *document, c both) variantKey {
	n := doc.alone(c)
	k := variantKey{types: n.types}
	if ref := c[0].val.Get("$ref"); ref != nil {
		k.ref = ref.Str
	}
	if t, has := n.notes["title"]; has {
		k.title = t.val.Str
	}
	for _, name := range n.order {
		sub := doc.alone(n.props[name])
		if len(sub.enum) == 1 {
			k.constant += jsonvalue.Quote(name) + ":" + sub.enum[0].Key() + ","
		}
	}
	if len(n.enum) == 1 {
		k.constant += "=" + n.enum[0].Key()
	}
	return k
}

// variantName is how a sentence calls a form.
func variantName(doc *document, c both, i int) string {
	n := doc.alone(c)
	if t, has := n.notes["title"]; has && t.val.Str != "" {
		return short(t.val)
	}
	for _, name := range n.order {
		if sub := doc.alone(n.props[name]); len(sub.enum) == 1 {
			return "`" + name + "` " + short(sub.enum[0])
		}
	}
	if ref := c[0].val.Get("$ref"); ref != nil {
		return ref.Str[strings.LastIndexByte(ref.Str, '/')+1:]
	}
	switch {
	case n.enum != nil:
		return values(n.enum)
	case n.types != 0:
		return list(n.types.words(), " or ")
	}
	return "number " + strconv.Itoa(i+1)
}
