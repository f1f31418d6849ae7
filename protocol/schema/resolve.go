package schema

import (
	"net/url"
	"strings"

	"mcploupe/protocol"
	"mcploupe/protocol/jsonvalue"
)

// resolve finds the target of every reference inside the document. Nothing is
// fetched (BASE-27, BASE-28); a reference that leads out or nowhere makes the
// part unusable rather than a pass for everything (BASE-30).
func (p *parser) resolve() {
	for i := 0; i < len(p.refs); i++ { // resolving can find more
		n := p.refs[i]
		n.refTo = p.follow(n, "$ref", n.ref)
	}
	for _, d := range p.dynamic {
		d.n.dynamicRef = p.follow(d.n, d.keyword, d.ref)
		if _, fragment, _ := strings.Cut(d.ref, "#"); fragment != "" && d.n.dynamicRef != nil {
			if outer := p.byPtr[""].base.anchors[fragment]; outer != nil {
				d.n.dynamicRef = outer
			}
		}
	}
}

// follow resolves one reference; on failure it is taken from the validator's
// document and the part is marked.
func (p *parser) follow(n *part, keyword, ref string) *part {
	target, rule, why := p.target(n, ref)
	if target != nil || why == "" {
		n.meta = n.meta || target == nil
		return target
	}
	p.report(protocol.Violation, rule, jsonvalue.Child(n.ptr, keyword), n.raw.Get(keyword), "%s", why)
	n.unresolved = why
	if doc, ok := n.doc.(map[string]any); ok {
		delete(doc, keyword)
		if n.dialect.version < 2019 {
			for k := range doc {
				if k != "definitions" && k != "$defs" {
					delete(doc, k)
				}
			}
			doc["$comment"] = ""
		}
	}
	return nil
}

// target finds what ref names. A nil part with no reason is one of the
// meta-schemas, which the validator has built in.
func (p *parser) target(n *part, ref string) (target *part, rule, why string) {
	base, err := url.Parse(n.base.uri)
	if err != nil {
		return nil, "BASE-30", "The reference " + jsonvalue.Quote(ref) + " cannot be resolved"
	}
	u, err := base.Parse(ref)
	if err != nil {
		return nil, "BASE-30", "The reference " + jsonvalue.Quote(ref) + " is not a URI"
	}
	fragment := u.Fragment
	u.Fragment, u.RawFragment = "", ""
	uri := u.String()
	if base.Opaque != "" && (ref == "" || ref[0] == '#') {
		uri = n.base.uri
	}
	r := p.resources[uri]
	if r == nil {
		if _, ok := dialectNamed(uri); ok && fragment == "" {
			return nil, "", ""
		}
		return nil, "BASE-27", "The schema refers to " + jsonvalue.Quote(ref) + ", outside this document; it is not fetched (BASE-27), " +
			"and what depends on it is not accepted (BASE-30)"
	}
	missing := "The reference " + jsonvalue.Quote(ref) + " leads nowhere in this schema; what depends on it is not accepted (BASE-30)"
	switch {
	case fragment == "":
		return r.root, "", ""
	case fragment[0] != '/':
		if a := r.anchors[fragment]; a != nil {
			return a, "", ""
		}
		return nil, "BASE-30", missing
	}
	ptr := r.root.ptr + fragment
	if t := p.byPtr[ptr]; t != nil {
		return t, "", ""
	}
	d := p.doc.At(ptr)
	if d == nil {
		return nil, "BASE-30", missing
	}
	// A place that no keyword reads as a schema, such as "#/x-types/name".
	owner := r
	for _, o := range p.resources {
		if o.root != nil && strings.HasPrefix(ptr, o.root.ptr+"/") && len(o.root.ptr) > len(owner.root.ptr) {
			owner = o
		}
	}
	t := p.part(d, ptr, ptr, owner, owner.root.dialect, strings.Count(ptr, "/")/2)
	if !place(p.byPtr[""].doc, ptr, p.doc, t.doc) {
		delete(p.byPtr, ptr)
		return nil, "BASE-30", "The reference " + jsonvalue.Quote(ref) + " points at a place that is not a schema; what depends on it is not accepted (BASE-30)"
	}
	return t, "", ""
}

// chains measures the longest run of parts that look at the same value and
// reports runs without end. It returns the length.
func (p *parser) chains() (longest int, cyclic bool) {
	const open = -1
	var visit func(n *part) int
	visit = func(n *part) int {
		if n.chain != 0 {
			if n.chain == open {
				cyclic = true
				return 0
			}
			return n.chain
		}
		n.chain = open
		below := 0
		n.sameValue(func(c *part) { below = max(below, visit(c)) })
		n.chain = below + 1
		return n.chain
	}
	for _, n := range p.parts {
		before := cyclic
		longest = max(longest, visit(n))
		if cyclic && !before {
			p.report(protocol.Warning, "schema.cycle", n.ptr, n.raw, "The schema refers to itself for the same value, without end")
		}
	}
	return longest, cyclic
}
