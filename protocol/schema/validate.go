package schema

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"mcploupe/protocol"
	"mcploupe/protocol/jsonvalue"
)

// Bounds on one validation (BASE-31). A step is about one schema applied to one
// value; a second of work is between one and two million steps.
const (
	baseSteps     = 100_000
	stepsPerValue = 100
	maxSteps      = 3_000_000
	maxValueDepth = 256
	maxProblems   = 500
)

// issue is a broken rule before it becomes a problem.
type issue struct {
	path []string
	finding
}

// Validate checks a value and returns everything that is wrong with it at once:
// the JSON Pointer and byte offset into the value and one sentence that reads
// after the field's name, such as "must be at least 3 characters". A missing
// member is reported at the place where it should be.
//
// Violations are broken rules; warnings are advice (a format that JSON Schema
// only annotates). Numbers are compared exactly, whatever their size. The work
// is bounded; where the bound cuts it short, that is a problem too (BASE-31).
func (s *Schema) Validate(value jsontext.Value) []protocol.Problem {
	if s.unusable != nil {
		return []protocol.Problem{{Rule: s.unusable.Rule, Severity: protocol.Violation, Offset: -1, Text: "cannot be checked: " + s.unusable.Text}}
	}
	d, err := jsonvalue.Parse(value)
	if err != nil {
		return []protocol.Problem{{Rule: "json.syntax", Severity: protocol.Violation, Offset: syntaxOffset(err), Text: "is not JSON: " + cause(err)}}
	}
	nodes, depth := d.Count()
	issues := s.run(s.root, d.Plain(), nodes, depth, nil)
	out := make([]protocol.Problem, 0, len(issues))
	for _, is := range issues {
		p := is.problem()
		p.Offset = offsetOf(d, is.path)
		out = append(out, p)
	}
	slices.SortStableFunc(out, func(a, b protocol.Problem) int { return a.Offset - b.Offset })
	return out
}

// offsetOf finds the byte where the value at path starts; for a missing one, its
// nearest parent.
func offsetOf(d *jsonvalue.Value, path []string) int {
	for _, tok := range path {
		next := d.At("/" + jsonvalue.EscapeToken(tok))
		if next == nil {
			break
		}
		d = next
	}
	return d.Offset
}

func (is issue) problem() protocol.Problem {
	p := protocol.Problem{Rule: is.rule, Severity: is.severity, Pointer: pointerOf(is.path), Offset: -1, Text: is.text}
	if p.Rule == "" {
		p.Rule = "schema." + is.keyword
	}
	return p
}

func pointerOf(path []string) string {
	var b strings.Builder
	for _, tok := range path {
		b.WriteString("/" + jsonvalue.EscapeToken(tok))
	}
	return b.String()
}

// branchChooser says which branch of a oneOf or anyOf the person has picked for
// the value at path, -1 when it does not matter.
type branchChooser func(n *part, keyword string, path []string) int

// run checks a decoded value of that many nodes and that depth against a part.
func (s *Schema) run(n *part, v any, nodes, depth int, choose branchChooser) []issue {
	if depth > maxValueDepth {
		return []issue{{nil, finding{rule: "BASE-31", severity: protocol.Warning, text: "is nested too deeply to be checked"}}}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.meter.left = steps(nodes)
	verr, done := s.apply(n, v)
	if !done {
		return []issue{{nil, finding{rule: "BASE-31", severity: protocol.Warning,
			text: "cannot be checked completely: the schema asks for too much work"}}}
	}
	t := translator{s: s, choose: choose}
	if verr != nil {
		t.walk(verr)
	}
	if s.advises {
		t.looks = baseSteps
		t.advise(n, v, nil, 0)
	}
	return t.finish()
}

func steps(nodes int) int { return min(baseSteps+stepsPerValue*nodes, maxSteps) }

// accepts reports whether a part takes a value; false when that cannot be told
// with the steps that are left. It takes what it needs from them.
func (s *Schema) accepts(n *part, v any, depth int, left *int) bool {
	if n.compiled == nil {
		return n.always == nil || *n.always
	}
	if *left <= 0 || depth > maxValueDepth {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.meter.left = *left
	verr, done := s.apply(n, v)
	*left = s.meter.left - 1
	return done && verr == nil
}

// apply runs the validator; done is false when the budget ran out.
func (s *Schema) apply(n *part, v any) (verr *jsonschema.ValidationError, done bool) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(overBudget); !ok {
				panic(r)
			}
		}
	}()
	if err := n.compiled.Validate(v); err != nil {
		return err.(*jsonschema.ValidationError), true
	}
	return nil, true
}
