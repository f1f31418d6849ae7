package schema

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"mcploupe/protocol"
	"mcploupe/protocol/jsonvalue"
)

// Schema is a compiled JSON Schema. It is safe for concurrent use.
type Schema struct {
	raw      jsontext.Value
	root     *part
	problems []protocol.Problem
	notes    []protocol.Problem
	unusable *protocol.Problem // why values cannot be checked, nil when they can

	mu       sync.Mutex // one validation at a time: they share the meter
	meter    meter
	advises  bool             // some format is advice
	overhead int              // work per application that long reference chains cost
	at       map[string]*part // by the validator's location
}

// Compile reads a schema. It always returns a Schema: what is wrong with the
// text comes as problems, with pointer and offset into it, and costs only the
// keyword or property it is about.
//
// Without $schema the dialect is 2020-12 (BASE-24); 2019-09, draft-07, draft-06
// and draft-04 are honoured, any other is a problem and nothing is checked
// (BASE-25). References stay inside the document: nothing is ever fetched or
// read from disk (BASE-27, BASE-28), and a value that reaches a reference that
// leads out is not accepted (BASE-30). Size, depth and work are bounded (BASE-31).
func Compile(text jsontext.Value) (*Schema, []protocol.Problem) {
	s := &Schema{raw: text}
	if len(text) > maxSchemaBytes {
		return s.reject("BASE-31", 0, fmt.Sprintf("The schema has %d bytes; more than %d are not read", len(text), maxSchemaBytes))
	}
	d, err := jsonvalue.Parse(text)
	if err != nil {
		return s.reject("json.syntax", syntaxOffset(err), "The schema is not JSON: "+cause(err))
	}
	dia, known := dialect2020, true
	if v := d.Get("$schema"); v != nil && v.Kind == '"' {
		if dia, known = dialectNamed(v.Str); !known {
			dia = dialect2020
		}
	}
	p := parseSchema(d, dia)
	longest, cyclic := p.chains()
	s.root, s.problems, s.notes = p.byPtr[""], p.problems, p.notes
	switch v := d.Get("$schema"); {
	case !known:
		return s.reject("BASE-25", v.Offset, "The schema is written in "+jsonvalue.Quote(v.Str)+", which is not supported; supported are "+
			"2020-12, 2019-09, draft-07, draft-06 and draft-04. Values are not checked")
	case v != nil && v.Kind != '"':
		s.problems = append(s.problems, protocol.Problem{Rule: "BASE-25", Severity: protocol.Violation, Pointer: "/$schema", Offset: v.Offset,
			Text: "\"$schema\" must be a URI, not " + kindSays(v) + "; the schema is read as 2020-12"})
	}
	if p.tooBig || longest > maxChain || cyclic && len(p.parts) > 4*maxChain {
		s.root = nil
		return s.reject("BASE-31", 0, fmt.Sprintf("The schema is too big or too deep to be used (bounds: %d subschemas, nesting %d)", maxParts, maxSchemaDepth))
	}
	s.overhead = longest / 16
	if err := s.build(p, dia); err != nil {
		return s.reject("schema.compile", 0, "The schema cannot be used to check values: "+err.Error())
	}
	return s, s.problems
}

// cause is the innermost message of an error.
func cause(err error) string {
	var se *jsontext.SyntacticError
	if errors.As(err, &se) && se.Err != nil {
		return se.Err.Error()
	}
	return err.Error()
}

// reject makes the schema one that checks nothing and says so.
func (s *Schema) reject(rule string, off int, text string) (*Schema, []protocol.Problem) {
	p := protocol.Problem{Rule: rule, Severity: protocol.Violation, Offset: off, Text: text}
	s.unusable = &p
	s.problems = append(s.problems, p)
	return s, s.problems
}

// Raw is the text the schema was compiled from.
func (s *Schema) Raw() jsontext.Value { return s.raw }

// Problems are the findings about the schema itself, as Compile returned them.
func (s *Schema) Problems() []protocol.Problem { return s.problems }

// Notes are what is valid about the schema and yet refused by clients that know
// less of JSON Schema.
func (s *Schema) Notes() []protocol.Problem { return s.notes }

// Usable reports whether values can be checked against the schema.
func (s *Schema) Usable() bool { return s.unusable == nil }

// denyLoader refuses every document that is not given to the validator.
type denyLoader struct{}

func (denyLoader) Load(uri string) (any, error) {
	return nil, fmt.Errorf("%s is not fetched (BASE-27)", uri)
}

// build hands the checked document to the validator and hangs the checks of
// this package on every part of it.
func (s *Schema) build(p *parser, dia dialect) (err error) {
	defer func() {
		// The document is foreign and the validator is not ours: a panic in it
		// must cost one schema, not the program.
		if r := recover(); r != nil {
			err = fmt.Errorf("validator: %v", r)
		}
	}()
	if doc, ok := s.root.doc.(map[string]any); ok {
		doc["$schema"] = dia.uri
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(denyLoader{})
	c.DefaultDraft(draftOf(dia))
	patterns := map[string]*pattern{}
	c.UseRegexpEngine(func(source string) (jsonschema.Regexp, error) {
		if patterns[source] == nil {
			patterns[source] = compilePattern(source)
			patterns[source].meter = &s.meter
		}
		re := *patterns[source] // the validator keys a map by it, so each use needs its own
		return &re, nil
	})
	if err := c.AddResource(rootURI, s.root.doc); err != nil {
		return err
	}
	s.at = make(map[string]*part, len(p.parts))
	for _, n := range p.parts {
		if p.byPtr[n.ptr] != n || n.folded {
			continue
		}
		if n.pattern != nil {
			n.pattern.meter = &s.meter
		}
		compiled, err := c.Compile(rootURI + "#" + fragment(n.loc))
		if err != nil {
			return err
		}
		n.compiled = compiled
		s.at[compiled.Location] = n
		if rule, ok := formats[n.format]; ok && !rule.asserted {
			s.advises = true
		}
		if compiled.Bool == nil {
			check := &check{s, n}
			compiled.Format = &jsonschema.Format{Validate: check.first}
			compiled.Extensions = append(compiled.Extensions, check)
		}
	}
	return nil
}

// fragment writes a JSON Pointer for use in a URI.
func fragment(ptr string) string {
	steps := strings.Split(ptr, "/")
	for i, t := range steps {
		steps[i] = url.PathEscape(t)
	}
	return strings.Join(steps, "/")
}

func draftOf(d dialect) *jsonschema.Draft {
	switch d.version {
	case 4:
		return jsonschema.Draft4
	case 6:
		return jsonschema.Draft6
	case 7:
		return jsonschema.Draft7
	case 2019:
		return jsonschema.Draft2019
	}
	return jsonschema.Draft2020
}
