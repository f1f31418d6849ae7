package schema

import (
	"slices"
	"strings"

	"mcploupe/protocol"
)

// one reads a keyword whose value is a schema.
func (p *parser) one(n *part, k string, v *datum, doc map[string]any, depth int) *part {
	c := p.sub(n, v, depth, "/"+k, "/"+k)
	doc[k] = c.doc
	if c.always != nil && strings.HasPrefix(k, "additional") {
		doc[k] = *c.always
	}
	n.weight++
	return c
}

// list reads a keyword whose value is a list of schemas and emits it as k2.
func (p *parser) list(n *part, k, k2 string, v *datum, doc map[string]any, depth int) []*part {
	if v.kind != '[' {
		p.malformed(n, k, v, "a list of schemas")
		return nil
	}
	if len(v.items) == 0 {
		p.report(protocol.Warning, "schema.malformed", child(n.ptr, k), v, "%q is empty; it is ignored", k)
		return nil
	}
	parts := make([]*part, len(v.items))
	docs := make([]any, len(v.items))
	for i, it := range v.items {
		parts[i] = p.sub(n, it, depth, childIndex("/"+k, i), childIndex("/"+k2, i))
		docs[i] = parts[i].doc
	}
	doc[k2] = docs
	n.weight += len(parts)
	return parts
}

// table reads a keyword whose value maps names to schemas.
func (p *parser) table(n *part, k string, v *datum, doc map[string]any, depth int) []property {
	if v.kind != '{' {
		p.malformed(n, k, v, "an object of schemas")
		return nil
	}
	docs := make(map[string]any, len(v.members))
	props := make([]property, 0, len(v.members))
	last := v.last()
	for _, m := range v.members {
		if m.val != last[m.name] {
			p.report(protocol.Warning, "schema.duplicate", child(child(n.ptr, k), m.name), m.val, "%q is given twice; the last one counts", m.name)
			continue
		}
		path := child("/"+k, m.name)
		c := p.sub(n, m.val, depth, path, path)
		docs[m.name] = c.doc
		props = append(props, property{m.name, c})
	}
	doc[k] = docs
	return props
}

// strings reads a list of names such as "required"; duplicates are dropped.
func (p *parser) strings(n *part, k string, v *datum) []string {
	if v.kind != '[' {
		p.malformed(n, k, v, "a list of names")
		return nil
	}
	var out []string
	seen := make(map[string]bool, len(v.items))
	for i, it := range v.items {
		switch {
		case it.kind != '"':
			p.report(protocol.Violation, "schema.malformed", childIndex(child(n.ptr, k), i), it, "%q lists names; %s is none and is ignored", k, kindSays(it))
		case seen[it.str]:
			p.report(protocol.Warning, "schema.duplicate", childIndex(child(n.ptr, k), i), it, "%q lists %q twice", k, it.str)
		default:
			seen[it.str] = true
			out = append(out, it.str)
		}
	}
	return out
}

// count reads a non-negative whole number; none is returned when it is not one.
func (p *parser) count(n *part, k string, v *datum, none int) int {
	const most = 1 << 31
	if v.kind == '0' {
		d, _ := parseDecimal(v.lit)
		switch {
		case d.zero():
			return 0
		case d.whole() && !d.neg && d.exp > 9:
			return most
		case d.whole() && !d.neg:
			c := 0
			for i := range int(d.exp) {
				c *= 10
				if i < len(d.digits) {
					c += int(d.digits[i] - '0')
				}
			}
			return min(c, most)
		}
	}
	want := "a whole number of at least 0"
	if v.kind == '0' {
		p.report(protocol.Violation, "schema.malformed", child(n.ptr, k), v, "%q must be %s, not %s; it is ignored", k, want, v.lit)
		return none
	}
	p.malformed(n, k, v, want)
	return none
}

func (p *parser) number(n *part, k string, v *datum) *limit {
	if v.kind != '0' {
		p.malformed(n, k, v, "a number")
		return nil
	}
	d, _ := parseDecimal(v.lit)
	return &limit{lit: v.lit, value: d}
}

// types reads "type".
func (p *parser) types(n *part, v *datum) typeSet {
	names := []*datum{v}
	if v.kind == '[' {
		names = v.items
		p.note(child(n.ptr, "type"), v, "a type for one name refuse a list of types")
	}
	var t typeSet
	for _, d := range names {
		if d.kind != '"' {
			p.malformed(n, "type", d, "the name of a type or a list of them")
			continue
		}
		bit := typeNamed(d.str)
		if bit == 0 {
			p.report(protocol.Violation, "schema.malformed", child(n.ptr, "type"), d, "%q is not a JSON type; it is ignored", d.str)
			if guess, ok := looseTypes[strings.ToLower(d.str)]; ok {
				bit = guess
			} else {
				return 0
			}
		}
		t |= bit
	}
	return t
}

// looseTypes are names that are often written for a JSON type.
var looseTypes = map[string]typeSet{
	"int": tInteger, "long": tInteger, "float": tNumber, "double": tNumber, "decimal": tNumber, "bool": tBoolean,
	"str": tString, "text": tString, "list": tArray, "dict": tObject, "map": tObject,
}

func (p *parser) enumNames(n *part, v *datum) {
	if v.kind != '[' {
		p.malformed(n, "enumNames", v, "a list of names")
		return
	}
	if len(v.items) != len(n.raw.get("enum").listed()) {
		p.report(protocol.Warning, "L-ELIC-12", child(n.ptr, "enumNames"), v,
			"\"enumNames\" has %d names for %d values", len(v.items), len(n.raw.get("enum").listed()))
	}
	for _, it := range v.items {
		n.enumNames = append(n.enumNames, it.str)
	}
}

// listed is the items of a list, nil for anything else.
func (d *datum) listed() []*datum {
	if d == nil {
		return nil
	}
	return d.items
}

// enumValues reads "enum"; repeated values are kept once, with a finding.
func (p *parser) enumValues(n *part, v *datum) {
	if v.kind != '[' {
		p.malformed(n, "enum", v, "a list of values")
		return
	}
	n.enum = []*datum{}
	n.enumKeys = make(map[string]bool, len(v.items))
	for i, it := range v.items {
		key := it.key()
		if n.enumKeys[key] {
			p.report(protocol.Warning, "schema.duplicate", childIndex(child(n.ptr, "enum"), i), it, "%s is listed twice", it.text())
			continue
		}
		n.enumKeys[key] = true
		n.enum = append(n.enum, it)
	}
	if len(n.enum) == 0 {
		p.report(protocol.Warning, "schema.malformed", child(n.ptr, "enum"), v, "\"enum\" lists no value, so none is valid")
	}
}

var annotationTexts = []string{"title", "description", "format", "contentEncoding", "contentMediaType"}

// annotate reads the keywords that say something to a person only.
func (p *parser) annotate(n *part, k string, v *datum) {
	if slices.Contains(annotationTexts, k) {
		if v.kind != '"' {
			p.malformed(n, k, v, "text")
			return
		}
		switch k {
		case "title":
			n.title = v.str
		case "description":
			n.description = v.str
		case "format":
			n.format = v.str
		case "contentEncoding":
			n.contentEncoding = v.str
		case "contentMediaType":
			n.contentMedia = v.str
		}
		return
	}
	switch k {
	case "default":
		n.fallback = v
	case "examples":
		if v.kind != '[' {
			p.malformed(n, k, v, "a list")
			n.examples = []*datum{v}
			return
		}
		n.examples = v.items
	case "example":
		if n.examples == nil {
			n.examples = []*datum{v}
		}
	case "deprecated", "readOnly", "writeOnly":
		if v.kind != 't' && v.kind != 'f' {
			p.malformed(n, k, v, "true or false")
			return
		}
		b := v.kind == 't'
		switch k {
		case "deprecated":
			n.deprecated = b
		case "readOnly":
			n.readOnly = b
		default:
			n.writeOnly = b
		}
	case "x-mcp-header":
		n.header = v
	}
}
