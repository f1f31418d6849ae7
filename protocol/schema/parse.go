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
	"mcploupe/protocol/jsonvalue"
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
	doc       *jsonvalue.Value
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

func (p *parser) report(sev protocol.Severity, rule, ptr string, at *jsonvalue.Value, format string, args ...any) {
	off := -1
	if at != nil {
		off = at.Offset
	}
	p.problems = append(p.problems, protocol.Problem{
		Rule: rule, Severity: sev, Pointer: ptr, Offset: off, Text: fmt.Sprintf(format, args...),
	})
}

// maxNotes bounds the notes about a schema.
const maxNotes = 100

// note notes what is valid and yet refused by some clients.
func (p *parser) note(ptr string, at *jsonvalue.Value, what string) {
	if len(p.notes) < maxNotes {
		p.notes = append(p.notes, protocol.Problem{
			Rule: "schema.portable", Severity: protocol.Info, Pointer: ptr, Offset: at.Offset,
			Text: "is valid JSON Schema, yet clients that take " + what,
		})
	}
}

// malformed reports a keyword whose value has the wrong shape.
func (p *parser) malformed(n *part, keyword string, v *jsonvalue.Value, want string) {
	p.report(protocol.Violation, "schema.malformed", jsonvalue.Child(n.ptr, keyword), v,
		"%q must be %s, not %s; it is ignored", keyword, want, kindSays(v))
}

// kindSays names a value's type for a person.
func kindSays(d *jsonvalue.Value) string {
	switch d.Kind {
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
	return d.Lit
}

// part reads the schema at d. loc is where the validator will find it.
func (p *parser) part(d *jsonvalue.Value, ptr, loc string, base *resource, dia dialect, depth int) *part {
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
	switch d.Kind {
	case 't', 'f':
		b := d.Kind == 't'
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
	last := d.Last()
	for _, m := range d.Members {
		if m.Value != last[m.Name] {
			p.report(protocol.Warning, "schema.duplicate", jsonvalue.Child(ptr, m.Name), m.Value, "%q is given twice; the last one counts", m.Name)
			continue
		}
		if n.dialect.has(m.Name) {
			p.keyword(n, m.Name, m.Value, doc, depth)
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
func (p *parser) identify(n *part, d *jsonvalue.Value, doc map[string]any) {
	idName := "$id"
	if n.dialect.version == 4 {
		idName = "id"
	}
	if id := d.Get(idName); id != nil && id.Kind == '"' && (n.dialect.version >= 2019 || d.Get("$ref") == nil) {
		bare, fragment, _ := strings.Cut(id.Str, "#")
		if bare != "" {
			p.enter(n, d, doc, idName, bare)
		}
		if n.dialect.version < 2019 && fragment != "" && !strings.HasPrefix(fragment, "/") {
			if p.anchor(n, fragment, id) {
				doc[idName] = id.Str
			}
		}
	}
	for _, k := range []string{"$anchor", "$dynamicAnchor"} {
		a := d.Get(k)
		if a == nil || !n.dialect.has(k) {
			continue
		}
		if a.Kind != '"' || a.Str == "" || strings.ContainsAny(a.Str, "/#%") {
			p.malformed(n, k, a, "a name")
			continue
		}
		if p.anchor(n, a.Str, a) {
			doc[k] = a.Str
		}
	}
}

// enter starts an embedded resource (or names the root one).
func (p *parser) enter(n *part, d *jsonvalue.Value, doc map[string]any, idName, id string) {
	base, err := url.Parse(n.base.uri)
	if err != nil {
		return
	}
	u, err := base.Parse(id)
	if err != nil {
		p.report(protocol.Warning, "schema.malformed", jsonvalue.Child(n.ptr, idName), d.Get(idName), "%q is not a URI; it is ignored", id)
		return
	}
	uri := u.String()
	if r := p.resources[uri]; r != nil {
		p.report(protocol.Warning, "schema.duplicate", jsonvalue.Child(n.ptr, idName), d.Get(idName), "Two schemas share the id %q; this one is ignored", id)
		return
	}
	if s := d.Get("$schema"); s != nil && s.Kind == '"' && n.ptr != "" {
		if dia, ok := dialectNamed(s.Str); ok {
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

func (p *parser) anchor(n *part, name string, at *jsonvalue.Value) bool {
	if n.base.anchors[name] != nil {
		p.report(protocol.Warning, "schema.duplicate", n.ptr, at, "Two schemas share the anchor %q; this one is ignored", name)
		return false
	}
	n.base.anchors[name] = n
	return true
}

// sub reads a schema that is the value of a keyword or of a step below it.
func (p *parser) sub(n *part, d *jsonvalue.Value, depth int, path, emitted string) *part {
	return p.part(d, n.ptr+path, n.loc+emitted, n.base, n.dialect, depth+1)
}

// settle finishes a part when all its keywords are known.
func (p *parser) settle(n *part, d *jsonvalue.Value) {
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
	if names := d.Get("enumNames"); names != nil {
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
		set.keys[c.constant.Key()]++
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
func place(root any, ptr string, src *jsonvalue.Value, doc any) bool {
	tokens := strings.Split(ptr[1:], "/")
	at, isMap := root.(map[string]any)
	if !isMap {
		return false
	}
	for i, tok := range tokens {
		name := jsonvalue.UnescapeToken(tok)
		if i == len(tokens)-1 {
			if _, taken := at[name]; taken {
				return false
			}
			at[name] = doc
			return true
		}
		src = src.At("/" + tok)
		next, ok := at[name]
		if !ok {
			if src.Kind != '{' {
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
func parseSchema(d *jsonvalue.Value, dia dialect) *parser {
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
