package schema

import (
	"mcploupe/protocol/jsonvalue"

	"github.com/go-json-experiment/json/jsontext"
)

// Hints are what the schemas say about a value besides its kind: what to show
// beside the field and the bounds that Validate checks.
type Hints struct {
	Format           string // "email", "date", anything
	Pattern          string
	MinLength        int
	MaxLength        int    // -1 when there is none, as for all maxima
	Minimum          string // number as written, "" when there is none
	Maximum          string
	ExclusiveMinimum bool
	ExclusiveMaximum bool
	MultipleOf       string
	MinItems         int
	MaxItems         int
	Unique           bool
	MinMembers       int
	MaxMembers       int
	Default          jsontext.Value // nil when there is none
	Examples         []jsontext.Value
	Deprecated       bool
	ReadOnly         bool
	WriteOnly        bool
	Header           string // "x-mcp-header": the argument is also sent as Mcp-Param-<Header>
	ContentEncoding  string
	ContentMediaType string
}

// Hints gathers what all schemas that apply here say; the strictest bound wins.
func (n *Node) Hints() Hints {
	v := n.look()
	h := Hints{MaxLength: -1, MaxItems: -1, MaxMembers: -1}
	var minimum, maximum *limit
	for _, p := range v.parts {
		first(&h.Format, p.format)
		if p.pattern != nil {
			first(&h.Pattern, p.pattern.source)
		}
		first(&h.ContentEncoding, p.contentEncoding)
		first(&h.ContentMediaType, p.contentMedia)
		h.MinLength = max(h.MinLength, p.minLength)
		h.MaxLength = least(h.MaxLength, p.maxLength)
		h.MinItems = max(h.MinItems, p.minItems)
		h.MaxItems = least(h.MaxItems, p.maxItems)
		h.MinMembers = max(h.MinMembers, p.minProperties)
		h.MaxMembers = least(h.MaxMembers, p.maxProperties)
		h.Unique = h.Unique || p.unique
		minimum = tighter(minimum, p.minimum, 1)
		maximum = tighter(maximum, p.maximum, -1)
		if p.multipleOf != nil {
			first(&h.MultipleOf, p.multipleOf.lit)
		}
		if h.Default == nil && p.fallback != nil {
			h.Default = jsontext.Value(p.fallback.Text())
		}
		if h.Examples == nil {
			for _, d := range p.examples {
				h.Examples = append(h.Examples, jsontext.Value(d.Text()))
			}
		}
		h.Deprecated = h.Deprecated || p.deprecated
		h.ReadOnly = h.ReadOnly || p.readOnly
		h.WriteOnly = h.WriteOnly || p.writeOnly
		if p.header != nil && p.header.Kind == '"' {
			first(&h.Header, p.header.Str)
		}
	}
	if minimum != nil {
		h.Minimum, h.ExclusiveMinimum = minimum.lit, minimum.exclusive
	}
	if maximum != nil {
		h.Maximum, h.ExclusiveMaximum = maximum.lit, maximum.exclusive
	}
	return h
}

func first(at *string, s string) {
	if *at == "" {
		*at = s
	}
}

func least(a, b int) int {
	if a < 0 || b >= 0 && b < a {
		return b
	}
	return a
}

// title is the nearest title; one that belongs to a picked branch names the
// branch, not the place.
func (v *view) title() string {
	for want := originOwn; want <= originRef; want++ {
		for i, p := range v.parts {
			if v.origins[i] == want && p.title != "" {
				return p.title
			}
		}
	}
	return ""
}

func (v *view) description() string {
	for want := originOwn; want <= originBranch; want++ {
		for i, p := range v.parts {
			if v.origins[i] == want && p.description != "" {
				return p.description
			}
		}
	}
	return ""
}

// fallback is the nearest default.
func (v *view) fallback() *jsonvalue.Value {
	for want := originOwn; want <= originBranch; want++ {
		for i, p := range v.parts {
			if v.origins[i] == want && p.fallback != nil {
				return p.fallback
			}
		}
	}
	return nil
}
