package schema

import (
	"mcploupe/protocol"
	"mcploupe/protocol/jsonvalue"
)

// keyword reads one keyword of a part.
func (p *parser) keyword(n *part, k string, v *jsonvalue.Value, doc map[string]any, depth int) {
	switch k {
	case "$ref":
		if v.Kind != '"' {
			p.malformed(n, k, v, "a URI reference")
			return
		}
		n.ref = v.Str
		doc[k] = v.Str
		p.refs = append(p.refs, n)
	case "$dynamicRef", "$recursiveRef":
		if v.Kind != '"' {
			p.malformed(n, k, v, "a URI reference")
			return
		}
		doc[k] = v.Str
		p.dynamic = append(p.dynamic, pendingRef{n, k, v.Str})
	case "$recursiveAnchor":
		if v.Kind == 't' {
			doc[k] = true
		}
	case "$defs", "definitions":
		p.table(n, k, v, doc, depth)
	case "type":
		n.types = p.types(n, v)
	case "const":
		n.constant = v
	case "enum":
		p.enumValues(n, v)
	case "properties":
		n.properties = p.table(n, k, v, doc, depth)
		n.propertyIx = make(map[string]*part, len(n.properties))
		for _, c := range n.properties {
			n.propertyIx[c.name] = c.part
			if c.part.always != nil {
				p.note(c.part.ptr, c.part.raw, "a schema for an object refuse "+c.part.raw.Lit)
			}
		}
	case "patternProperties":
		p.patternProperties(n, v, doc, depth)
	case "allOf":
		n.allOf = p.list(n, k, k, v, doc, depth)
	case "anyOf":
		n.anyOf = p.list(n, k, k, v, doc, depth)
	case "oneOf":
		n.oneOf = p.list(n, k, k, v, doc, depth)
	case "prefixItems":
		n.prefix = p.list(n, k, k, v, doc, depth)
	case "items":
		p.items(n, v, doc, depth)
	case "additionalItems":
		if items := n.raw.Get("items"); items != nil && items.Kind == '[' {
			n.items = p.one(n, k, v, doc, depth)
		}
	case "dependentSchemas":
		n.depSchemas = append(n.depSchemas, p.table(n, k, v, doc, depth)...)
		n.weight += len(n.depSchemas)
	case "dependentRequired", "dependencies":
		p.dependencies(n, k, v, doc, depth)
	case "not", "if", "then", "else", "additionalProperties", "propertyNames", "contains", "unevaluatedProperties", "unevaluatedItems":
		p.applicator(n, k, v, doc, depth)
	default:
		p.assertion(n, k, v, doc)
	}
}

// applicator reads a keyword whose value is one schema.
func (p *parser) applicator(n *part, k string, v *jsonvalue.Value, doc map[string]any, depth int) {
	c := p.one(n, k, v, doc, depth)
	switch k {
	case "not":
		n.not = c
	case "if":
		n.ifPart = c
	case "then":
		n.thenPart = c
	case "else":
		n.elsePart = c
	case "additionalProperties":
		n.additional = c
	case "propertyNames":
		n.names = c
	case "contains":
		n.contains = c
	case "unevaluatedProperties":
		n.unevalProps = c
	case "unevaluatedItems":
		n.unevalItems = c
	}
}

// items reads both spellings: one schema for all, or a list by position
// (2019-09 and older; in 2020-12 it is read as prefixItems, with a finding).
func (p *parser) items(n *part, v *jsonvalue.Value, doc map[string]any, depth int) {
	if v.Kind != '[' {
		n.items = p.one(n, "items", v, doc, depth)
		return
	}
	if n.dialect.version < 2020 {
		n.prefix = p.list(n, "items", "items", v, doc, depth)
		return
	}
	p.report(protocol.Warning, "schema.spelling", jsonvalue.Child(n.ptr, "items"), v,
		"A list of schemas in \"items\" is the spelling of draft-07; it is read as \"prefixItems\"")
	if n.raw.Get("prefixItems") != nil {
		return
	}
	n.prefix = p.list(n, "items", "prefixItems", v, doc, depth)
	if rest := n.raw.Get("additionalItems"); rest != nil {
		n.items = p.sub(n, rest, depth, "/additionalItems", "/items")
		doc["items"] = n.items.doc
	}
}

func (p *parser) patternProperties(n *part, v *jsonvalue.Value, doc map[string]any, depth int) {
	for _, c := range p.table(n, "patternProperties", v, doc, depth) {
		re := p.pattern(n, "patternProperties", c.name, v)
		n.patterns = append(n.patterns, patternProperty{re, c.part})
	}
}

// pattern compiles a regular expression; one that the engine cannot do is a
// note and matches everything.
func (p *parser) pattern(n *part, k, source string, at *jsonvalue.Value) *pattern {
	re := compilePattern(source)
	if re.re == nil {
		p.report(protocol.Info, "schema.pattern", jsonvalue.Child(n.ptr, k), at, "pattern not supported here (%s): %s is not checked", re.why, jsonvalue.Quote(source))
	}
	return re
}

// dependencies reads dependentRequired and the older spelling that mixes names
// and schemas.
func (p *parser) dependencies(n *part, k string, v *jsonvalue.Value, doc map[string]any, depth int) {
	if v.Kind != '{' {
		p.malformed(n, k, v, "an object")
		return
	}
	docs := map[string]any{}
	for _, m := range v.Members {
		path := jsonvalue.Child("/"+k, m.Name)
		if m.Value.Kind == '[' {
			names := p.strings(n, k, m.Value)
			n.depRequired = append(n.depRequired, dependency{m.Name, names})
			docs[m.Name] = anyStrings(names)
			continue
		}
		if k == "dependentRequired" {
			p.report(protocol.Violation, "schema.malformed", n.ptr+path, m.Value, "%q lists names, not %s; it is ignored", k, kindSays(m.Value))
			continue
		}
		if _, twice := docs[m.Name]; twice {
			continue
		}
		c := p.sub(n, m.Value, depth, path, path)
		docs[m.Name] = c.doc
		n.depSchemas = append(n.depSchemas, property{m.Name, c})
		n.weight++
	}
	doc[k] = docs
}

func anyStrings(names []string) []any {
	out := make([]any, len(names))
	for i, s := range names {
		out[i] = s
	}
	return out
}

// assertion reads the keywords that hold no schema.
func (p *parser) assertion(n *part, k string, v *jsonvalue.Value, doc map[string]any) {
	switch k {
	case "required":
		if v.Kind == 't' || v.Kind == 'f' {
			p.report(protocol.Warning, "schema.spelling", jsonvalue.Child(n.ptr, k), v, "\"required\" lists names since draft-04; %s is ignored", v.Lit)
			return
		}
		n.required = p.strings(n, k, v)
		doc[k] = anyStrings(n.required)
	case "minimum", "maximum":
		p.bound(n, k, v)
	case "exclusiveMinimum", "exclusiveMaximum":
		p.exclusive(n, k, v)
	case "multipleOf":
		if l := p.number(n, k, v); l != nil {
			if l.value.Sign() <= 0 {
				p.report(protocol.Violation, "schema.malformed", jsonvalue.Child(n.ptr, k), v, "\"multipleOf\" must be above 0, not %s; it is ignored", v.Lit)
				return
			}
			n.multipleOf = l
		}
	case "minLength":
		n.minLength = p.count(n, k, v, 0)
	case "maxLength":
		n.maxLength = p.count(n, k, v, -1)
	case "minItems":
		n.minItems = p.emitCount(n, k, v, 0, doc)
	case "maxItems":
		n.maxItems = p.emitCount(n, k, v, -1, doc)
	case "minProperties":
		n.minProperties = p.emitCount(n, k, v, 0, doc)
	case "maxProperties":
		n.maxProperties = p.emitCount(n, k, v, -1, doc)
	case "minContains":
		n.minContains = p.emitCount(n, k, v, -1, doc)
	case "maxContains":
		p.emitCount(n, k, v, -1, doc)
	case "uniqueItems":
		if v.Kind != 't' && v.Kind != 'f' {
			p.malformed(n, k, v, "true or false")
			return
		}
		n.unique = v.Kind == 't'
	case "pattern":
		if v.Kind != '"' {
			p.malformed(n, k, v, "a regular expression")
			return
		}
		n.pattern = p.pattern(n, k, v.Str, v)
	default:
		p.annotate(n, k, v)
	}
}

func (p *parser) emitCount(n *part, k string, v *jsonvalue.Value, none int, doc map[string]any) int {
	c := p.count(n, k, v, none)
	if c != none {
		doc[k] = c
	}
	return c
}

// bound reads minimum and maximum; the draft-04 flag beside them is read too.
func (p *parser) bound(n *part, k string, v *jsonvalue.Value) {
	l := p.number(n, k, v)
	if l == nil {
		return
	}
	flag := n.raw.Get(map[string]string{"minimum": "exclusiveMinimum", "maximum": "exclusiveMaximum"}[k])
	l.exclusive = flag != nil && flag.Kind == 't'
	if k == "minimum" {
		n.minimum = tighter(n.minimum, l, 1)
	} else {
		n.maximum = tighter(n.maximum, l, -1)
	}
}

func (p *parser) exclusive(n *part, k string, v *jsonvalue.Value) {
	if v.Kind == 't' || v.Kind == 'f' {
		if n.dialect.version > 4 {
			p.report(protocol.Warning, "schema.spelling", jsonvalue.Child(n.ptr, k), v,
				"%q with %s is the spelling of draft-04; it is read that way", k, v.Lit)
		}
		return
	}
	l := p.number(n, k, v)
	if l == nil {
		return
	}
	l.exclusive = true
	if k == "exclusiveMinimum" {
		n.minimum = tighter(n.minimum, l, 1)
	} else {
		n.maximum = tighter(n.maximum, l, -1)
	}
}

// tighter keeps the stricter of two bounds; dir is 1 for minima, -1 for maxima.
func tighter(a, b *limit, dir int) *limit {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	c := a.value.Cmp(b.value) * dir
	if c > 0 || c == 0 && a.exclusive {
		return a
	}
	return b
}
