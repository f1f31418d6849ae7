package schema

import (
	"slices"
	"strings"

	"mcploupe/protocol"
	"mcploupe/protocol/jsonvalue"
)

// one reads a keyword whose value is a schema.
func (p *parser) one(n *part, k string, v *jsonvalue.Value, doc map[string]any, depth int) *part {
	c := p.sub(n, v, depth, "/"+k, "/"+k)
	doc[k] = c.doc
	if c.always != nil && strings.HasPrefix(k, "additional") {
		doc[k] = *c.always
	}
	n.weight++
	return c
}

// list reads a keyword whose value is a list of schemas and emits it as k2.
func (p *parser) list(n *part, k, k2 string, v *jsonvalue.Value, doc map[string]any, depth int) []*part {
	if v.Kind != '[' {
		p.malformed(n, k, v, "a list of schemas")
		return nil
	}
	if len(v.Items) == 0 {
		p.report(protocol.Warning, "schema.malformed", jsonvalue.Child(n.ptr, k), v, "%q is empty; it is ignored", k)
		return nil
	}
	parts := make([]*part, len(v.Items))
	docs := make([]any, len(v.Items))
	for i, it := range v.Items {
		parts[i] = p.sub(n, it, depth, jsonvalue.ChildIndex("/"+k, i), jsonvalue.ChildIndex("/"+k2, i))
		docs[i] = parts[i].doc
	}
	doc[k2] = docs
	n.weight += len(parts)
	return parts
}

// table reads a keyword whose value maps names to schemas.
func (p *parser) table(n *part, k string, v *jsonvalue.Value, doc map[string]any, depth int) []property {
	if v.Kind != '{' {
		p.malformed(n, k, v, "an object of schemas")
		return nil
	}
	docs := make(map[string]any, len(v.Members))
	props := make([]property, 0, len(v.Members))
	last := v.Last()
	for _, m := range v.Members {
		if m.Value != last[m.Name] {
			p.report(protocol.Warning, "schema.duplicate", jsonvalue.Child(jsonvalue.Child(n.ptr, k), m.Name), m.Value, "%q is given twice; the last one counts", m.Name)
			continue
		}
		path := jsonvalue.Child("/"+k, m.Name)
		c := p.sub(n, m.Value, depth, path, path)
		docs[m.Name] = c.doc
		props = append(props, property{m.Name, c})
	}
	doc[k] = docs
	return props
}

// strings reads a list of names such as "required"; duplicates are dropped.
func (p *parser) strings(n *part, k string, v *jsonvalue.Value) []string {
	if v.Kind != '[' {
		p.malformed(n, k, v, "a list of names")
		return nil
	}
	var out []string
	seen := make(map[string]bool, len(v.Items))
	for i, it := range v.Items {
		switch {
		case it.Kind != '"':
			p.report(protocol.Violation, "schema.malformed", jsonvalue.ChildIndex(jsonvalue.Child(n.ptr, k), i), it, "%q lists names; %s is none and is ignored", k, kindSays(it))
		case seen[it.Str]:
			p.report(protocol.Warning, "schema.duplicate", jsonvalue.ChildIndex(jsonvalue.Child(n.ptr, k), i), it, "%q lists %q twice", k, it.Str)
		default:
			seen[it.Str] = true
			out = append(out, it.Str)
		}
	}
	return out
}

// count reads a non-negative whole number; none is returned when it is not one.
func (p *parser) count(n *part, k string, v *jsonvalue.Value, none int) int {
	const most = 1 << 31
	if v.Kind == '0' {
		if d, _ := jsonvalue.ParseDecimal(v.Lit); d.Whole() && d.Sign() >= 0 {
			return d.Count(most)
		}
	}
	want := "a whole number of at least 0"
	if v.Kind == '0' {
		p.report(protocol.Violation, "schema.malformed", jsonvalue.Child(n.ptr, k), v, "%q must be %s, not %s; it is ignored", k, want, v.Lit)
		return none
	}
	p.malformed(n, k, v, want)
	return none
}

func (p *parser) number(n *part, k string, v *jsonvalue.Value) *limit {
	if v.Kind != '0' {
		p.malformed(n, k, v, "a number")
		return nil
	}
	d, _ := jsonvalue.ParseDecimal(v.Lit)
	return &limit{lit: v.Lit, value: d}
}

// types reads "type".
func (p *parser) types(n *part, v *jsonvalue.Value) typeSet {
	names := []*jsonvalue.Value{v}
	if v.Kind == '[' {
		names = v.Items
		p.note(jsonvalue.Child(n.ptr, "type"), v, "a type for one name refuse a list of types")
	}
	var t typeSet
	for _, d := range names {
		if d.Kind != '"' {
			p.malformed(n, "type", d, "the name of a type or a list of them")
			continue
		}
		bit := typeNamed(d.Str)
		if bit == 0 {
			p.report(protocol.Violation, "schema.malformed", jsonvalue.Child(n.ptr, "type"), d, "%q is not a JSON type; it is ignored", d.Str)
			if guess, ok := looseTypes[strings.ToLower(d.Str)]; ok {
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

func (p *parser) enumNames(n *part, v *jsonvalue.Value) {
	if v.Kind != '[' {
		p.malformed(n, "enumNames", v, "a list of names")
		return
	}
	if len(v.Items) != len(itemsOf(n.raw.Get("enum"))) {
		p.report(protocol.Warning, "L-ELIC-12", jsonvalue.Child(n.ptr, "enumNames"), v,
			"\"enumNames\" has %d names for %d values", len(v.Items), len(itemsOf(n.raw.Get("enum"))))
	}
	for _, it := range v.Items {
		n.enumNames = append(n.enumNames, it.Str)
	}
}

// itemsOf is the items of a list, nil for anything else.
func itemsOf(d *jsonvalue.Value) []*jsonvalue.Value {
	if d == nil {
		return nil
	}
	return d.Items
}

// enumValues reads "enum"; repeated values are kept once, with a finding.
func (p *parser) enumValues(n *part, v *jsonvalue.Value) {
	if v.Kind != '[' {
		p.malformed(n, "enum", v, "a list of values")
		return
	}
	n.enum = []*jsonvalue.Value{}
	n.enumKeys = make(map[string]bool, len(v.Items))
	for i, it := range v.Items {
		key := it.Key()
		if n.enumKeys[key] {
			p.report(protocol.Warning, "schema.duplicate", jsonvalue.ChildIndex(jsonvalue.Child(n.ptr, "enum"), i), it, "%s is listed twice", it.Text())
			continue
		}
		n.enumKeys[key] = true
		n.enum = append(n.enum, it)
	}
	if len(n.enum) == 0 {
		p.report(protocol.Warning, "schema.malformed", jsonvalue.Child(n.ptr, "enum"), v, "\"enum\" lists no value, so none is valid")
	}
}

var annotationTexts = []string{"title", "description", "format", "contentEncoding", "contentMediaType"}

// annotate reads the keywords that say something to a person only.
func (p *parser) annotate(n *part, k string, v *jsonvalue.Value) {
	if slices.Contains(annotationTexts, k) {
		if v.Kind != '"' {
			p.malformed(n, k, v, "text")
			return
		}
		switch k {
		case "title":
			n.title = v.Str
		case "description":
			n.description = v.Str
		case "format":
			n.format = v.Str
		case "contentEncoding":
			n.contentEncoding = v.Str
		case "contentMediaType":
			n.contentMedia = v.Str
		}
		return
	}
	switch k {
	case "default":
		n.fallback = v
	case "examples":
		if v.Kind != '[' {
			p.malformed(n, k, v, "a list")
			n.examples = []*jsonvalue.Value{v}
			return
		}
		n.examples = v.Items
	case "example":
		if n.examples == nil {
			n.examples = []*jsonvalue.Value{v}
		}
	case "deprecated", "readOnly", "writeOnly":
		if v.Kind != 't' && v.Kind != 'f' {
			p.malformed(n, k, v, "true or false")
			return
		}
		b := v.Kind == 't'
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
