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

// Entry is what all catalogue entries have in common. Pointers and offsets of
// its problems count from the result that the entry came in.
type Entry struct {
	Raw       jsontext.Value // as sent
	Meta      jsontext.Value // _meta, nil when absent
	Icons     []Icon
	Index     int  // position in the list
	Ordinal   int  // 0 for the first with its name or URI, 1 for its duplicate ...
	Malformed bool // it has no name or URI by which it could be used; Problems say why
	Problems  []Problem
}

func (e *Entry) entry() *Entry { return e }

// Tool is an entry of tools/list.
type Tool struct {
	Entry
	Name, Title, Description  string
	InputSchema, OutputSchema jsontext.Value // nil when absent; may be anything but is meant to be a schema
	Annotations               jsontext.Value // nil when absent; what it says is not to be trusted (TOOL-02)
	AnnotationTitle           string
	ReadOnly, Destructive     Hint
	Idempotent, OpenWorld     Hint
	TaskSupport               string // execution.taskSupport of 2025-11-25, "" when absent
}

// Label returns the text to show for the tool: title, annotations.title, name
// (TOOL-04).
func (t Tool) Label() string { return firstOf(t.Title, t.AnnotationTitle, t.Name) }

func (t *Tool) key() string { return t.Name }

// Resource is an entry of resources/list.
type Resource struct {
	Entry
	URI, Name, Title, Description, MIMEType string
	Size                                    string // number text, bytes before base64 (RES-09)
	Annotations                             Annotations
}

// Label returns the text to show for the resource: title, name, URI.
func (r Resource) Label() string { return firstOf(r.Title, r.Name, r.URI) }

func (r *Resource) key() string { return r.URI }

// ResourceTemplate is an entry of resources/templates/list.
type ResourceTemplate struct {
	Entry
	URITemplate, Name, Title, Description, MIMEType string
	Annotations                                     Annotations
}

// Label returns the text to show for the template: title, name, URI template.
func (r ResourceTemplate) Label() string { return firstOf(r.Title, r.Name, r.URITemplate) }

func (r *ResourceTemplate) key() string { return r.URITemplate }

// Prompt is an entry of prompts/list.
type Prompt struct {
	Entry
	Name, Title, Description string
	Arguments                []PromptArgument
}

// Label returns the text to show for the prompt: title, name.
func (p Prompt) Label() string { return firstOf(p.Title, p.Name) }

func (p *Prompt) key() string { return p.Name }

// PromptArgument is an argument of a prompt. Its problems are among those of
// the prompt.
type PromptArgument struct {
	Name, Title, Description string
	Required                 bool
	Raw                      jsontext.Value
	Malformed                bool // it has no name
}

// Label returns the text to show for the argument: title, name.
func (a PromptArgument) Label() string { return firstOf(a.Title, a.Name) }

// Icon is a picture of a tool, resource, prompt or program. Nothing of it is to
// be trusted (ICON-03, 04).
type Icon struct {
	Src, MIMEType string
	Sizes         []string // WxH or any; nil for any size (ICON-09)
	Theme         string   // light, dark or "" for both
	Raw           jsontext.Value
}

// Annotations are hints about content or a resource (RES-08).
type Annotations struct {
	Audience     []string
	Priority     string // number text, "" when absent
	LastModified string
	Raw          jsontext.Value // nil when absent
}

// Page is one answer to a list request. Pointers and offsets of problems count
// from the result.
type Page[T any] struct {
	Items      []T
	NextCursor jsontext.Value // as sent; nil at the end. "" is a cursor (PAGE-05)
	TTL        string         // ttlMs as number text, "" when absent
	CacheScope string
	Meta       jsontext.Value // nil when absent
	Problems   []Problem      // of the page; those of entries are in the entries
}

// DecodeTools decodes the result of tools/list. An entry that makes no sense is
// among the others, flagged and with reasons.
func DecodeTools(result jsontext.Value) Page[Tool] {
	return decodePage[Tool](result, "tools", decodeTool)
}

// DecodeResources decodes the result of resources/list on the terms of
// DecodeTools.
func DecodeResources(result jsontext.Value) Page[Resource] {
	return decodePage[Resource](result, "resources", decodeResource)
}

// DecodeResourceTemplates decodes the result of resources/templates/list on the
// terms of DecodeTools.
func DecodeResourceTemplates(result jsontext.Value) Page[ResourceTemplate] {
	return decodePage[ResourceTemplate](result, "resourceTemplates", decodeTemplate)
}

// DecodePrompts decodes the result of prompts/list on the terms of DecodeTools.
func DecodePrompts(result jsontext.Value) Page[Prompt] {
	return decodePage[Prompt](result, "prompts", decodePrompt)
}
