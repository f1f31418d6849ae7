package schema

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
)

// Bounds on a schema (BASE-31). A schema beyond them is not used.
const (
	maxSchemaBytes = 16 << 20
	maxParts       = 20_000
	maxSchemaDepth = 256 // nesting of schemas
	maxChain       = 256 // parts in a row that look at the same value
)

// parser reads a schema document into parts. What is malformed becomes a
// problem and is left out, so that one bad property never costs the others.
type parser struct {
	doc       *datum
	byPtr     map[string]*part
	parts     []*part // in document order, referenced places outside keywords last
	resources map[string]*resource
	problems  []protocol.Problem
	refs      []*part
	dynamic   []pendingRef
	tooBig    bool
}

// pendingRef is a $dynamicRef or $recursiveRef to resolve once all is read.
type pendingRef struct {
	n       *part
	keyword string
	ref     string
}

func (p *parser) report(sev protocol.Severity, rule, ptr string, at *datum, format string, args ...any) {
	off := -1
	if at != nil {
		off = at.off
	}
	p.problems = append(p.problems, protocol.Problem{
		Rule: rule, Severity: sev, Pointer: ptr, Offset: off, Text: fmt.Sprintf(format, args...),
	})
}

// malformed reports a keyword whose value has the wrong shape.
func (p *parser) malformed(n *part, keyword string, v *datum, want string) {
	p.report(protocol.Violation, "schema.malformed", child(n.ptr, keyword), v,
		"%q must be %s, not %s; it is ignored", keyword, want, kindSays(v))
}

// kindSays names a value's type for a person.
func kindSays(d *datum) string {
	switch d.kind {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "text"
	case '0':
		return "a number"
	case 'n':
		return "null"
	}
	return d.lit
}

// part reads the schema at d. loc is where the validator will find it.
func (p *parser) part(d *datum, ptr, loc string, base *resource, dia dialect, depth int) *part {
	n := &part{
		ptr: ptr, loc: loc, raw: d, base: base, dialect: dia, weight: 1,
		maxLength: -1, maxItems: -1, minContains: -1, maxContains: -1, maxProperties: -1,
	}
	p.byPtr[ptr] = n
	p.parts = append(p.parts, n)
	if len(p.parts) > maxParts || depth > maxSchemaDepth {
		p.tooBig = true
		n.doc = n.constantDoc(true)
		return n
	}
	switch d.kind {
	case 't', 'f':
		b := d.kind == 't'
		n.always, n.doc = &b, n.constantDoc(b)
		return n
	case '{':
	default:
		n.bad = fmt.Sprintf("the schema here is %s, not an object", kindSays(d))
		n.doc = n.constantDoc(true)
		p.report(protocol.Violation, "schema.malformed", ptr, d,
			"A schema must be an object, true or false, not %s; any value is accepted here", kindSays(d))
		return n
	}
	doc := map[string]any{"$comment": ""} // never empty: the validator takes {} for true and asks nothing more
	n.doc = doc
	p.identify(n, d, doc)
	last := d.last()
	for _, m := range d.members {
		if m.val != last[m.name] {
			p.report(protocol.Warning, "schema.duplicate", child(ptr, m.name), m.val, "%q is given twice; the last one counts", m.name)
			continue
		}
		if n.dialect.has(m.name) {
			p.keyword(n, m.name, m.val, doc, depth)
		}
	}
	p.settle(n, d)
	return n
}

// constantDoc is true or false for the validator; draft-04 has no such schemas.
func (n *part) constantDoc(b bool) any {
	switch {
	case n.dialect.version > 4:
		return b
	case b:
		return map[string]any{"$comment": ""}
	}
	return map[string]any{"not": map[string]any{"$comment": ""}}
}

// identify reads $schema, $id and anchors, which the other keywords depend on.
func (p *parser) identify(n *part, d *datum, doc map[string]any) {
	idName := "$id"
	if n.dialect.version == 4 {
		idName = "id"
	}
	if id := d.get(idName); id != nil && id.kind == '"' && (n.dialect.version >= 2019 || d.get("$ref") == nil) {
		bare, fragment, _ := strings.Cut(id.str, "#")
		if bare != "" {
			p.enter(n, d, doc, idName, bare)
		}
		if n.dialect.version < 2019 && fragment != "" && !strings.HasPrefix(fragment, "/") {
			if p.anchor(n, fragment, id) {
				doc[idName] = id.str
			}
		}
	}
	for _, k := range []string{"$anchor", "$dynamicAnchor"} {
		a := d.get(k)
		if a == nil || !n.dialect.has(k) {
			continue
		}
		if a.kind != '"' || a.str == "" || strings.ContainsAny(a.str, "/#%") {
			p.malformed(n, k, a, "a name")
			continue
		}
		if p.anchor(n, a.str, a) {
			doc[k] = a.str
		}
	}
}

// enter starts an embedded resource (or names the root one).
func (p *parser) enter(n *part, d *datum, doc map[string]any, idName, id string) {
	base, err := url.Parse(n.base.uri)
	if err != nil {
		return
	}
	u, err := base.Parse(id)
	if err != nil {
		p.report(protocol.Warning, "schema.malformed", child(n.ptr, idName), d.get(idName), "%q is not a URI; it is ignored", id)
		return
	}
	uri := u.String()
	if r := p.resources[uri]; r != nil {
		p.report(protocol.Warning, "schema.duplicate", child(n.ptr, idName), d.get(idName), "Two schemas share the id %q; this one is ignored", id)
		return
	}
	if s := d.get("$schema"); s != nil && s.kind == '"' && n.ptr != "" {
		if dia, ok := dialectNamed(s.str); ok {
			n.dialect = dia
			doc["$schema"] = dia.uri
		}
	}
	r := n.base
	if n.ptr != "" {
		r = &resource{root: n, anchors: map[string]*part{}}
		n.base = r
	}
	r.uri = uri
	p.resources[uri] = r
	doc[idName] = id
}

func (p *parser) anchor(n *part, name string, at *datum) bool {
	if n.base.anchors[name] != nil {
		p.report(protocol.Warning, "schema.duplicate", n.ptr, at, "Two schemas share the anchor %q; this one is ignored", name)
		return false
	}
	n.base.anchors[name] = n
	return true
}

// sub reads a schema that is the value of a keyword or of a step below it.
func (p *parser) sub(n *part, d *datum, depth int, path, emitted string) *part {
	return p.part(d, n.ptr+path, n.loc+emitted, n.base, n.dialect, depth+1)
}

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

// settle finishes a part when all its keywords are known.
func (p *parser) settle(n *part, d *datum) {
	if n.dialect.version < 2019 && n.ref != "" {
		n.onlyReference()
		return
	}
	if n.ifPart == nil {
		n.thenPart, n.elsePart = nil, nil
	}
	if n.contains == nil {
		n.minContains, n.maxContains = -1, -1
	}
	if names := d.get("enumNames"); names != nil {
		p.enumNames(n, names)
	}
}

// foldConstants turns a list of constants into a set, so that thousands of
// choices cost one look-up.
func (n *part) foldConstants(k string, list *[]*part, exactly bool, targets map[*part]bool) {
	parts := *list
	doc, ok := n.doc.(map[string]any)
	if len(parts) == 0 || !ok {
		return
	}
	set := constSet{keys: make(map[string]int, len(parts)), exactly: exactly, parts: parts}
	for _, c := range parts {
		if !c.plainConstant() || targets[c] {
			return
		}
		set.keys[c.constant.key()]++
	}
	for _, c := range parts {
		c.folded = true
	}
	n.sets = append(n.sets, set)
	n.weight -= len(parts)
	*list = nil
	delete(doc, k)
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

// place puts a referenced schema that no keyword holds where the validator can
// find it; false when something else is there already.
func place(root any, ptr string, src *datum, doc any) bool {
	tokens := strings.Split(ptr[1:], "/")
	at, isMap := root.(map[string]any)
	if !isMap {
		return false
	}
	for i, tok := range tokens {
		name := unescapeToken(tok)
		if i == len(tokens)-1 {
			if _, taken := at[name]; taken {
				return false
			}
			at[name] = doc
			return true
		}
		src = src.at("/" + tok)
		next, ok := at[name]
		if !ok {
			if src.kind != '{' {
				return false
			}
			m := map[string]any{}
			at[name] = m
			at = m
			continue
		}
		if at, isMap = next.(map[string]any); !isMap {
			return false
		}
	}
	return false
}

// parseSchema reads a whole document.
func parseSchema(d *datum, dia dialect) *parser {
	p := &parser{doc: d, byPtr: map[string]*part{}, resources: map[string]*resource{}}
	root := &resource{uri: rootURI, anchors: map[string]*part{}}
	p.resources[rootURI] = root
	root.root = p.part(d, "", "", root, dia, 0)
	p.resolve()
	targets := map[*part]bool{}
	for _, n := range p.parts {
		targets[n.refTo], targets[n.dynamicRef] = true, true
	}
	for _, n := range p.parts {
		n.foldConstants("oneOf", &n.oneOf, true, targets)
		n.foldConstants("anyOf", &n.anyOf, false, targets)
	}
	return p
}

const rootURI = "mem:///schema"

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

// syntaxOffset is where a JSON text stops being JSON.
func syntaxOffset(err error) int {
	var se *jsontext.SyntacticError
	if errors.As(err, &se) {
		return int(se.ByteOffset)
	}
	return -1
}
