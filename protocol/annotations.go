package protocol

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// HeaderAnnotation is a valid x-mcp-header annotation of an input schema
// (HDR-08).
type HeaderAnnotation struct {
	Pointer string   // of the annotated schema in the input schema
	Path    []string // property names from the root of the arguments
	Header  string   // as written; the header is Mcp-Param- and this
	Type    string   // string, integer or boolean
}

const annotationKey = "x-mcp-header"

// schemaDepthMax bounds the walk through a schema. A schema that nests deeper
// is not searched below.
const schemaDepthMax = 64

// annotationsMax is more than any server takes as headers.
const annotationsMax = 1000

// HeaderAnnotations finds the x-mcp-header annotations of an input schema.
// Problems name what breaks HDR-18 to 21, each with its reason: over HTTP a
// tool with any of them is left out of the list (HDR-22). Pointers and offsets
// count from the schema.
func HeaderAnnotations(inputSchema jsontext.Value) ([]HeaderAnnotation, []Problem) {
	root := rootNode(inputSchema)
	if root.kind() != '{' || skipBlanks(inputSchema, root.to) != len(inputSchema) {
		return nil, nil
	}
	var w annotationWalk
	w.visit(root, nil, true, 0)
	return w.annotations, w.found.finish()
}

type annotationWalk struct {
	annotations []HeaderAnnotation
	found       findings
	broken      int // findings so far
	cut         bool
}

func (w *annotationWalk) problem(rule string, n *node, format string, args ...any) {
	w.broken++
	if !w.found.full(rule) {
		w.found.add(n.problem(rule, Violation, fmt.Sprintf(format, args...)))
	}
}

// Keywords whose value is a schema, a list of schemas or a map of schemas.
// properties is not among them: it alone keeps a schema reachable.
var (
	schemaKeywords = []string{
		"items", "additionalItems", "contains", "additionalProperties", "propertyNames", "not", "if", "then", "else",
		"unevaluatedItems", "unevaluatedProperties", "contentSchema",
	}
	schemaListKeywords = []string{"prefixItems", "allOf", "anyOf", "oneOf", "items"}
	schemaMapKeywords  = []string{"patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions"}
)

// visit looks at a schema. path is nil for one that is not reachable through
// properties alone.
func (w *annotationWalk) visit(n *node, path []string, reachable bool, depth int) {
	if n.kind() != '{' {
		return
	}
	if depth == schemaDepthMax || len(n.name) > stepMax {
		if !w.cut {
			w.cut = true
			w.found.add(n.problem("json.depth", Warning, "The schema nests too deep, or a name in it is too long, to be searched for header annotations."))
		}
		return
	}
	var schemaType *node // sought when the first annotation needs it
	below := func(m *node) { w.visit(m, nil, false, depth+1) }
	n.members(func(m *node) {
		switch {
		case m.name == annotationKey:
			if schemaType == nil {
				schemaType = typeOf(n)
			}
			w.annotation(n, m, schemaType, path, reachable)
		case m.name == "properties":
			m.members(func(p *node) {
				if !reachable {
					below(p)
					return
				}
				w.visit(p, append(slices.Clip(path), p.name), true, depth+1)
			})
		case slices.Contains(schemaMapKeywords, m.name):
			m.members(below)
		case slices.Contains(schemaListKeywords, m.name) && m.kind() == '[':
			index := 0
			for e := range children(m.text[:m.to], m.at) {
				below(&node{text: m.text, at: e.at, to: e.to, parent: m, index: index})
				index++
			}
		case slices.Contains(schemaKeywords, m.name):
			below(m)
		}
	})
}

// typeOf finds the type of a schema; the node of an absent one is empty.
func typeOf(n *node) *node {
	found := &node{}
	n.members(func(m *node) {
		if m.name == "type" {
			found = m
		}
	})
	return found
}

// annotation checks the annotation m of the schema n.
func (w *annotationWalk) annotation(n, m, schemaType *node, path []string, reachable bool) {
	if len(w.annotations)+w.broken >= annotationsMax {
		w.problem("HDR-27", m, "The schema has more than %d header annotations or faults in them; the rest is not checked.", annotationsMax)
		return
	}
	header, isString := m.string()
	before := w.broken
	switch {
	case !isString:
		w.problem("HDR-18", m, "The header annotation is not a string.")
	case header == "":
		w.problem("HDR-18", m, "The header annotation is empty.")
	case !isToken(header):
		w.problem("HDR-18", m, "The header annotation %q is not a header name: letters, digits and !#$%%&'*+-.^_`|~ only.", clip(header))
	case slices.ContainsFunc(w.annotations, func(a HeaderAnnotation) bool { return strings.EqualFold(a.Header, header) }):
		w.problem("HDR-19", m, "The header annotation %q is used twice; case does not count.", clip(header))
	}
	if !reachable || len(path) == 0 {
		w.problem("HDR-21", m, "The header annotation does not sit on a property that is reached through properties alone.")
	}
	what := "has no type"
	if schemaType.kind() != 0 {
		what = "has the type " + clip(string(Compact(schemaType.raw())))
	}
	kind, _ := schemaType.string()
	if kind != "string" && kind != "integer" && kind != "boolean" {
		w.problem("HDR-20", m, "The annotated property %s; only string, integer and boolean may go into a header.", what)
	}
	if w.broken == before {
		w.annotations = append(w.annotations, HeaderAnnotation{n.pointer(), path, header, kind})
	}
}

// isToken reports whether s is a token of RFC 9110.
func isToken(s string) bool {
	for i := range len(s) {
		c := s[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
		case strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0:
		default:
			return false
		}
	}
	return s != ""
}
