package schema

import (
	"cmp"
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
	maxParts       = 12_000
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
	notes     []protocol.Problem
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

// maxNotes bounds the notes about a schema.
const maxNotes = 100

// note notes what is valid and yet refused by some clients.
func (p *parser) note(ptr string, at *datum, what string) {
	if len(p.notes) < maxNotes {
		p.notes = append(p.notes, protocol.Problem{
			Rule: "schema.portable", Severity: protocol.Info, Pointer: ptr, Offset: at.off,
			Text: "is valid JSON Schema, yet clients that take " + what,
		})
	}
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
		maxLength: -1, maxItems: -1, minContains: -1, maxProperties: -1,
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
		n.minContains = -1
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
	slices.SortStableFunc(p.notes, func(a, b protocol.Problem) int { return cmp.Compare(a.Offset, b.Offset) })
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

// syntaxOffset is where a JSON text stops being JSON.
func syntaxOffset(err error) int {
	var se *jsontext.SyntacticError
	if errors.As(err, &se) {
		return int(se.ByteOffset)
	}
	return -1
}
