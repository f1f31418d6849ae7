package protocol

import "github.com/go-json-experiment/json/jsontext"

// Hint is a boolean that may be absent.
type Hint uint8

// The values of a Hint.
const (
	HintAbsent Hint = iota
	HintFalse
	HintTrue
)

// Or returns the value of the hint, or def when it is absent.
func (h Hint) Or(def bool) bool {
	if h == HintAbsent {
		return def
	}
	return h == HintTrue
}

// Entry is what all catalogue entries have in common.
type Entry struct {
	Raw       jsontext.Value // the entry as sent
	Meta      jsontext.Value // _meta, nil when absent
	Problems  []Problem      // pointers and offsets count from the entry
	Malformed bool           // the entry cannot be used as it is
	Index     int            // position in the list
	Ordinal   int            // 0 for the first of that name, 1 for its duplicate ...
	Icons     []Icon
}

// Tool is an entry of tools/list.
type Tool struct {
	Entry
	Name, Title, Description                     string
	AnnotationTitle                              string // annotations.title
	InputSchema, OutputSchema                    jsontext.Value
	Annotations                                  jsontext.Value
	ReadOnly, Destructive, Idempotent, OpenWorld Hint
	TaskSupport                                  string // execution.taskSupport of 2025-11-25
}

// Label returns the text to show for the tool: title, annotations.title, name
// (TOOL-04).
func (t Tool) Label() string { return t.Name }

// Resource is an entry of resources/list.
type Resource struct {
	Entry
	URI, Name, Title, Description, MIMEType string
	Size                                    string // number text
	Annotations                             Annotations
}

// Label returns the text to show for the resource.
func (r Resource) Label() string { return r.Name }

// ResourceTemplate is an entry of resources/templates/list.
type ResourceTemplate struct {
	Entry
	URITemplate, Name, Title, Description, MIMEType string
	Annotations                                     Annotations
}

// Label returns the text to show for the template.
func (r ResourceTemplate) Label() string { return r.Name }

// Prompt is an entry of prompts/list.
type Prompt struct {
	Entry
	Name, Title, Description string
	Arguments                []PromptArgument
}

// Label returns the text to show for the prompt.
func (p Prompt) Label() string { return p.Name }

// PromptArgument is an argument of a prompt.
type PromptArgument struct {
	Name, Title, Description string
	Required                 bool
	Raw                      jsontext.Value
	Problems                 []Problem
	Malformed                bool
}

// Icon is a picture of a tool, resource, prompt or program.
type Icon struct {
	Src, MIMEType string
	Sizes         []string
	Theme         string
	Raw           jsontext.Value
}

// Annotations are hints about content or a resource (RES-08).
type Annotations struct {
	Audience     []string
	Priority     string // number text
	LastModified string
	Raw          jsontext.Value // nil when absent
}

// Page is one answer to a list request.
type Page[T any] struct {
	Items      []T
	NextCursor jsontext.Value // nil at the end; "" is a cursor (PAGE-05)
	TTL        string         // ttlMs, number text or null, "" when absent
	CacheScope string
	Meta       jsontext.Value
	Problems   []Problem
}

// DecodeTools decodes the result of tools/list.
func DecodeTools(result jsontext.Value) Page[Tool] { return Page[Tool]{} }

// DecodeResources decodes the result of resources/list.
func DecodeResources(result jsontext.Value) Page[Resource] { return Page[Resource]{} }

// DecodeResourceTemplates decodes the result of resources/templates/list.
func DecodeResourceTemplates(result jsontext.Value) Page[ResourceTemplate] {
	return Page[ResourceTemplate]{}
}

// DecodePrompts decodes the result of prompts/list.
func DecodePrompts(result jsontext.Value) Page[Prompt] { return Page[Prompt]{} }
