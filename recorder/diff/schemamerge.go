package diff

import (
	"slices"

	"mcploupe/protocol/jsonvalue"
)

// singles are the keywords whose value is one schema.
var singles = []string{
	"items", "additionalProperties", "propertyNames", "contains", "unevaluatedProperties", "unevaluatedItems",
	"not", "if", "then", "else", "contentSchema",
}

// lowerLimits and upperLimits are the keywords that bound a count. A lower one
// of 0 says nothing.
var (
	lowerLimits = []string{"minLength", "minItems", "minProperties", "minContains"}
	upperLimits = []string{"maxLength", "maxItems", "maxProperties", "maxContains"}
)

// own merges the keywords of one part, without what it refers to.
func (n *node) own(p part) {
	for _, m := range p.val.Members {
		at := jsonvalue.Child(p.ptr, m.Name)
		switch name := m.Name; name {
		case "$ref", "$dynamicRef", "$recursiveRef", "allOf", "anyOf", "oneOf",
			"$defs", "definitions", "$id", "id", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$schema", "$comment", "$vocabulary":
		case "type":
			n.setTypes(typesOf(m.Value), at)
		case "const":
			n.setEnum([]*jsonvalue.Value{m.Value}, at)
		case "enum":
			n.setEnum(m.Value.Items, at)
			n.nameChoices(p.val.Get("enumNames"), m.Value.Items)
		case "enumNames": // read with enum
		case "minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum":
			n.setBound(name, p.val, m.Value, at)
		case "multipleOf", "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains", "maxContains":
			n.setLimit(name, m.Value, at)
		case "uniqueItems":
			if m.Value.Kind == 't' {
				n.keep(n.texts, name, part{m.Value, at})
			}
		case "pattern", "format":
			n.keep(n.texts, name, part{m.Value, at})
		case "properties":
			n.mergeProps(m.Value, at)
		case "required":
			for i, it := range m.Value.Items {
				if _, has := n.required[it.Str]; !has {
					n.required[it.Str] = jsonvalue.ChildIndex(at, i)
				}
			}
		case "patternProperties":
			merge(n.patterns, m.Value, at)
		case "dependentSchemas":
			merge(n.schemas, m.Value, at)
		case "dependentRequired", "dependencies":
			n.mergeDependencies(m.Value, at)
		case "prefixItems":
			n.mergePrefix(m.Value, at)
		case "items":
			if m.Value.Kind == '[' { // draft-07
				n.mergePrefix(m.Value, at)
				if extra := p.val.Get("additionalItems"); extra != nil {
					n.single["items"] = append(n.single["items"], part{extra, jsonvalue.Child(p.ptr, "additionalItems")})
				}
				continue
			}
			n.single[name] = append(n.single[name], part{m.Value, at})
		case "additionalItems": // read with items
		default:
			if slices.Contains(singles, name) {
				n.open = n.open || name == "additionalProperties" && admitsAll(m.Value)
				n.single[name] = append(n.single[name], part{m.Value, at})
				continue
			}
			if _, has := n.notes[name]; !has {
				n.notes[name] = part{m.Value, at}
			}
		}
	}
}

// keep merges a keyword of which a node has one; a second, different one is
// compared as it stands.
func (n *node) keep(m map[string]part, name string, p part) {
	old, has := m[name]
	switch {
	case !has:
		m[name] = p
	case old.val.Key() != p.val.Key():
		n.rest = append(n.rest, p)
	}
}

func (n *node) setTypes(set typeSet, at string) {
	switch {
	case set == 0:
	case n.types == 0:
		n.types, n.typesPtr = set, at
	default:
		if n.types &= set; n.types == 0 {
			n.closed = true
		}
	}
}

// setEnum holds the node to values, those of an earlier enum among them.
func (n *node) setEnum(values []*jsonvalue.Value, at string) {
	if values == nil {
		return
	}
	if n.enum == nil {
		n.enum, n.enumPtr = values, at
		return
	}
	keys := map[string]bool{}
	for _, v := range values {
		keys[v.Key()] = true
	}
	n.enum = slices.DeleteFunc(slices.Clone(n.enum), func(v *jsonvalue.Value) bool { return !keys[v.Key()] })
}

func (n *node) nameChoices(names *jsonvalue.Value, values []*jsonvalue.Value) {
	if names == nil || n.titles != nil {
		return
	}
	n.titles = map[string]string{}
	for i, v := range values {
		if i < len(names.Items) {
			n.titles[v.Key()] = names.Items[i].Str
		}
	}
}

// setBound merges the limits of numbers; the tighter one counts. The boolean
// exclusiveMinimum of draft-04 goes with its minimum.
func (n *node) setBound(name string, schema, v *jsonvalue.Value, at string) {
	num, ok := jsonvalue.ParseDecimal(v.Lit)
	if v.Kind != '0' || !ok {
		return
	}
	b := &bound{val: v, num: num, exclusive: name == "exclusiveMinimum" || name == "exclusiveMaximum", ptr: at}
	slot, old := &n.lower, schema.Get("exclusiveMinimum")
	if name == "maximum" || name == "exclusiveMaximum" {
		slot, old = &n.upper, schema.Get("exclusiveMaximum")
	}
	if old != nil && old.Kind == 't' {
		b.exclusive = true
	}
	if *slot == nil || tighter(b, *slot, slot == &n.lower) {
		*slot = b
	}
}

// tighter reports whether a admits less than b.
func tighter(a, b *bound, lower bool) bool {
	c := a.num.Cmp(b.num)
	if !lower {
		c = -c
	}
	return c > 0 || c == 0 && a.exclusive && !b.exclusive
}

func (n *node) setLimit(name string, v *jsonvalue.Value, at string) {
	num, ok := jsonvalue.ParseDecimal(v.Lit)
	if v.Kind != '0' || !ok {
		return
	}
	if slices.Contains(lowerLimits, name) && num.Zero() {
		return
	}
	b := bound{val: v, num: num, ptr: at}
	old, has := n.limits[name]
	switch {
	case !has:
		n.limits[name] = b
	case name == "multipleOf":
		if old.num.Cmp(num) != 0 {
			n.rest = append(n.rest, part{v, at})
		}
	case tighter(&b, &old, slices.Contains(lowerLimits, name)):
		n.limits[name] = b
	}
}

func (n *node) mergeProps(v *jsonvalue.Value, at string) {
	for _, m := range v.Members {
		if _, has := n.props[m.Name]; !has {
			n.order = append(n.order, m.Name)
		}
		n.props[m.Name] = append(n.props[m.Name], part{m.Value, jsonvalue.Child(at, m.Name)})
	}
}

func merge(into map[string]both, v *jsonvalue.Value, at string) {
	for _, m := range v.Members {
		into[m.Name] = append(into[m.Name], part{m.Value, jsonvalue.Child(at, m.Name)})
	}
}

func (n *node) mergeDependencies(v *jsonvalue.Value, at string) {
	for _, m := range v.Members {
		place := jsonvalue.Child(at, m.Name)
		if m.Value.Kind != '[' { // draft-07 spells both kinds the same
			n.schemas[m.Name] = append(n.schemas[m.Name], part{m.Value, place})
			continue
		}
		if n.dependent[m.Name] == nil {
			n.dependent[m.Name] = map[string]string{}
		}
		for i, it := range m.Value.Items {
			n.dependent[m.Name][it.Str] = jsonvalue.ChildIndex(place, i)
		}
	}
}

func (n *node) mergePrefix(v *jsonvalue.Value, at string) {
	for i, it := range v.Items {
		p := part{it, jsonvalue.ChildIndex(at, i)}
		if i < len(n.prefix) {
			n.prefix[i] = append(n.prefix[i], p)
		} else {
			n.prefix = append(n.prefix, both{p})
		}
	}
}

// trim drops what says nothing: values of an enum that the types refuse,
// schemas that admit everything.
func (n *node) trim() {
	if n.enum != nil && n.types != 0 {
		n.enum = slices.DeleteFunc(slices.Clone(n.enum), func(v *jsonvalue.Value) bool { return typeOf(v)&n.types == 0 })
	}
	for name, c := range n.single {
		open := true
		for _, p := range c {
			open = open && admitsAll(p.val)
		}
		if open && name != "if" && name != "not" && name != "contains" { // those say something of {} too
			delete(n.single, name)
		}
	}
}

// admitsAll reports whether a schema is true or {}.
func admitsAll(v *jsonvalue.Value) bool {
	return v.Kind == 't' || v.Kind == '{' && len(v.Members) == 0
}

// forbids reports whether a conjunction admits nothing.
func forbids(c both) bool {
	return slices.ContainsFunc(c, func(p part) bool { return p.val.Kind == 'f' })
}
