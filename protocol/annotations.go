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

// HeaderAnnotations finds the x-mcp-header annotations of an input schema.
// Problems name what breaks HDR-18 to 21, each with its reason: over HTTP a
// tool with any of them is left out of the list (HDR-22). Offsets count from
// the schema.
func HeaderAnnotations(inputSchema jsontext.Value) ([]HeaderAnnotation, []Problem) {
	w := annotationWalk{schema: inputSchema}
	at := skipBlanks(inputSchema, 0)
	if end, ok := skipValue(inputSchema, at); !ok || inputSchema[at] != '{' || skipBlanks(inputSchema, end) != len(inputSchema) {
		return nil, nil
	}
	w.visit(at, "", nil, true, 0)
	return w.found, w.problems
}

type annotationWalk struct {
	schema   []byte
	found    []HeaderAnnotation
	problems []Problem
	deep     bool
}

func (w *annotationWalk) problem(rule, pointer string, at int, format string, args ...any) {
	w.problems = append(w.problems, Problem{rule, Violation, pointer, at, fmt.Sprintf(format, args...)})
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

// visit looks at the schema at an offset. path is nil for a schema that is not
// reachable through properties alone.
func (w *annotationWalk) visit(at int, pointer string, path []string, reachable bool, depth int) {
	if w.schema[at] != '{' {
		return
	}
	if depth == schemaDepthMax {
		if !w.deep {
			w.deep = true
			w.problems = append(w.problems, Problem{"json.depth", Warning, pointer, at,
				"The schema nests too deep to be searched for header annotations."})
		}
		return
	}
	for m := range children(w.schema, at) {
		name := m.name(w.schema)
		here := pointer + string(appendPointer(nil, name))
		switch {
		case name == annotationKey:
			w.annotation(m, at, pointer, path, reachable)
		case name == "properties":
			w.each(m, '{', func(p member) {
				step := p.name(w.schema)
				var below []string
				if reachable {
					below = append(slices.Clip(path), step)
				}
				w.visit(p.at, here+string(appendPointer(nil, step)), below, reachable, depth+1)
			})
		case slices.Contains(schemaMapKeywords, name):
			w.each(m, '{', func(p member) {
				w.visit(p.at, here+string(appendPointer(nil, p.name(w.schema))), nil, false, depth+1)
			})
		case slices.Contains(schemaListKeywords, name) && w.schema[m.at] == '[':
			n := 0
			w.each(m, '[', func(p member) {
				w.visit(p.at, fmt.Sprintf("%s/%d", here, n), nil, false, depth+1)
				n++
			})
		case slices.Contains(schemaKeywords, name):
			w.visit(m.at, here, nil, false, depth+1)
		}
	}
}

func (w *annotationWalk) each(m member, kind byte, visit func(member)) {
	if w.schema[m.at] != kind {
		return
	}
	for p := range children(w.schema, m.at) {
		visit(p)
	}
}

// annotation checks one annotation of the schema at an offset.
func (w *annotationWalk) annotation(m member, at int, pointer string, path []string, reachable bool) {
	here := pointer + "/" + annotationKey
	header, isString := StringValue(m.value(w.schema))
	before := len(w.problems)
	switch {
	case !isString:
		w.problem("HDR-18", here, m.at, "The header annotation is not a string.")
	case header == "":
		w.problem("HDR-18", here, m.at, "The header annotation is empty.")
	case !isToken(header):
		w.problem("HDR-18", here, m.at, "The header annotation %q is not a header name: letters, digits and !#$%%&'*+-.^_`|~ only.", clip(header))
	case slices.ContainsFunc(w.found, func(a HeaderAnnotation) bool { return strings.EqualFold(a.Header, header) }):
		w.problem("HDR-19", here, m.at, "The header annotation %q is used twice; case does not count.", clip(header))
	}
	if !reachable || len(path) == 0 {
		w.problem("HDR-21", here, m.at, "The header annotation does not sit on a property that is reached through properties alone.")
	}
	schemaType, ok := child(w.schema, at, "type")
	text := ""
	if ok {
		text, _ = StringValue(schemaType.value(w.schema))
	}
	if text != "string" && text != "integer" && text != "boolean" {
		what := "has no type"
		if ok {
			what = "has the type " + clip(string(Compact(schemaType.value(w.schema))))
		}
		w.problem("HDR-20", here, m.at, "The annotated property %s; only string, integer and boolean may go into a header.", what)
	}
	if len(w.problems) == before {
		w.found = append(w.found, HeaderAnnotation{pointer, path, header, text})
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
