// Package uritemplate expands URI templates (RFC 6570, level 4).
package uritemplate

// Template is a parsed URI template.
type Template struct{ source string }

// Variable is one name in a template.
type Variable struct {
	Name       string
	Operator   byte // 0 for simple expansion, else one of + # . / ; ? &
	Explode    bool
	Prefix     int  // characters to keep, 0 for all
	Expression int  // index of the expression that it stands in
	Required   bool // leaving it out makes another URI, not just a shorter query
}

// Value is a string, a list or a map of strings.
type Value struct {
	String string
	List   []string
	Map    []Pair
	Kind   Kind
}

// Kind says which member of a Value counts.
type Kind uint8

// The kinds of Value.
const (
	Undefined Kind = iota
	String
	List
	Map
)

// Pair is a member of a map.
type Pair struct{ Name, Value string }

// Parse reads a template.
func Parse(s string) (*Template, error) { return &Template{s}, nil }

// String returns the text of the template.
func (t *Template) String() string { return t.source }

// Variables returns the variables in order of appearance, each name once.
func (t *Template) Variables() []Variable { return nil }

// Expand fills in values.
func (t *Template) Expand(values map[string]Value) (string, error) { return t.source, nil }
