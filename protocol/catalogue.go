package protocol

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol/uritemplate"
)

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

// listed is a pointer to a catalogue entry.
type listed[T any] interface {
	*T
	entry() *Entry
	key() string
}

// Number gives Index and Ordinal to the entries of a list that was put together
// from several pages and reports names that come twice (L-TOOL-03).
func Number[T any, P listed[T]](items []T) {
	seen := make(map[string]int, len(items))
	for i := range items {
		e, key := P(&items[i]).entry(), P(&items[i]).key()
		e.Index, e.Ordinal = i, 0
		if e.Malformed {
			continue
		}
		e.Ordinal = seen[key]
		seen[key]++
		const rule = "L-TOOL-03"
		known := false
		for _, p := range e.Problems {
			known = known || p.Rule == rule
		}
		if e.Ordinal > 0 && !known {
			e.Problems = append(e.Problems, Problem{rule, Warning, "", -1,
				"An entry before this one is called " + strconv.Quote(clip(key)) + " too."})
		}
	}
}

const resultShape = "result.shape"

func decodePage[T any, P listed[T]](result jsontext.Value, list string, decode func(*decoder, *node, P)) (page Page[T]) {
	d := decoder{rule: resultShape}
	root := rootNode(result)
	if root.kind() != '{' {
		d.add(root, resultShape, Violation, "The result is "+kindName(root.kind())+" instead of an object.")
		page.Problems = d.problems
		return page
	}
	var entries *node
	root.members(func(m *node) {
		switch m.name {
		case list:
			entries = m
		case "nextCursor":
			page.NextCursor = nil
			switch m.kind() {
			case 'n':
				d.add(m, "L-PAGE-03", Violation, "nextCursor is null instead of absent; it is taken as the end.")
			case '"':
				page.NextCursor = m.raw()
			default:
				d.add(m, "L-PAGE-03", Violation, "nextCursor is "+kindName(m.kind())+" instead of a string.")
				page.NextCursor = m.raw()
			}
		case "ttlMs":
			d.number(m, &page.TTL)
		case "cacheScope":
			d.string(m, &page.CacheScope)
		case "_meta":
			d.object(m, &page.Meta)
		}
	})
	switch {
	case entries == nil:
		d.add(root, resultShape, Violation, "The result has no member "+list+".")
	case entries.kind() == 'n':
		d.add(entries, resultShape, Violation, list+" is null instead of an array; it is taken as empty.")
	case entries.kind() != '[':
		d.wrong(entries, "an array")
	default:
		entries.elements(func(n *node) {
			one := decoder{rule: resultShape}
			var item T
			e := P(&item).entry()
			e.Raw = n.raw()
			if n.kind() == '{' {
				decode(&one, n, &item)
			} else {
				e.Malformed = true
				one.add(n, resultShape, Violation, "The entry is "+kindName(n.kind())+" instead of an object.")
			}
			e.Problems = one.problems
			page.Items = append(page.Items, item)
		})
		Number[T, P](page.Items)
	}
	page.Problems = d.problems
	return page
}

// common reads what all entries have.
func (d *decoder) common(m *node, e *Entry, title, description *string) bool {
	switch m.name {
	case "title":
		d.string(m, title)
	case "description":
		d.string(m, description)
	case "icons":
		d.icons(m, &e.Icons)
	case "_meta":
		d.object(m, &e.Meta)
	default:
		return false
	}
	return true
}

// must reports an entry that lacks a member which is needed to use it.
func (d *decoder) must(n *node, e *Entry, has bool, rule, name string) {
	if !has {
		e.Malformed = true
		d.add(n, rule, Violation, "The entry has no usable "+name+".")
	}
}

func decodeTool(d *decoder, n *node, t *Tool) {
	hasName := false
	n.members(func(m *node) {
		switch m.name {
		case "name":
			hasName = d.required(m, "L-TOOL-01", &t.Name)
		case "inputSchema":
			t.InputSchema = m.raw()
			d.inputSchema(m)
		case "outputSchema":
			t.OutputSchema = m.raw()
			if k := m.kind(); k != '{' && k != 't' && k != 'f' {
				d.add(m, "L-TOOL-04", Violation, "outputSchema is "+kindName(k)+" instead of a schema.")
			}
		case "annotations":
			if d.object(m, &t.Annotations) {
				d.toolAnnotations(m, t)
			}
		case "execution":
			var execution jsontext.Value
			if d.object(m, &execution) {
				m.members(func(x *node) {
					if x.name == "taskSupport" {
						d.string(x, &t.TaskSupport)
					}
				})
			}
		default:
			d.common(m, &t.Entry, &t.Title, &t.Description)
		}
	})
	d.must(n, &t.Entry, hasName, "L-TOOL-01", "name")
	if t.InputSchema == nil {
		d.add(n, "L-TOOL-01", Violation, "The tool has no inputSchema.")
	}
}

// required reads a string member that an entry needs.
func (d *decoder) required(m *node, rule string, to *string) bool {
	before := d.rule
	d.rule = rule
	ok := d.string(m, to)
	d.rule = before
	return ok
}

// inputSchema checks what every input schema has (L-TOOL-01).
func (d *decoder) inputSchema(n *node) {
	if n.kind() != '{' {
		d.add(n, "L-TOOL-01", Violation, "inputSchema is "+kindName(n.kind())+" instead of an object.")
		return
	}
	isObject := false
	n.members(func(m *node) {
		if m.name == "type" {
			text, _ := m.string()
			isObject = text == "object"
		}
	})
	if !isObject {
		d.add(n, "L-TOOL-01", Violation, `The root of inputSchema is not of type "object".`)
	}
}

func (d *decoder) toolAnnotations(n *node, t *Tool) {
	n.members(func(m *node) {
		switch m.name {
		case "title":
			d.string(m, &t.AnnotationTitle)
		case "readOnlyHint":
			d.hint(m, &t.ReadOnly)
		case "destructiveHint":
			d.hint(m, &t.Destructive)
		case "idempotentHint":
			d.hint(m, &t.Idempotent)
		case "openWorldHint":
			d.hint(m, &t.OpenWorld)
		}
	})
}

func decodeResource(d *decoder, n *node, r *Resource) {
	hasURI, hasName := false, false
	n.members(func(m *node) {
		switch m.name {
		case "uri":
			hasURI = d.required(m, "L-RSRC-01", &r.URI)
		case "name":
			hasName = d.required(m, "L-RSRC-01", &r.Name)
		case "mimeType":
			d.string(m, &r.MIMEType)
		case "size":
			d.number(m, &r.Size)
		case "annotations":
			d.annotations(m, &r.Annotations)
		default:
			d.common(m, &r.Entry, &r.Title, &r.Description)
		}
	})
	d.must(n, &r.Entry, hasURI, "L-RSRC-01", "uri")
	if !hasName {
		d.add(n, "L-RSRC-01", Violation, "The resource has no usable name.")
	}
}

func decodeTemplate(d *decoder, n *node, r *ResourceTemplate) {
	hasTemplate, hasName := false, false
	n.members(func(m *node) {
		switch m.name {
		case "uriTemplate":
			hasTemplate = d.required(m, "L-RSRC-06", &r.URITemplate)
			if _, err := uritemplate.Parse(r.URITemplate); err != nil {
				d.add(m, "L-RSRC-06", Violation, "The URI template is not valid: "+err.Error()+".")
			}
		case "name":
			hasName = d.required(m, "L-RSRC-01", &r.Name)
		case "mimeType":
			d.string(m, &r.MIMEType)
		case "annotations":
			d.annotations(m, &r.Annotations)
		default:
			d.common(m, &r.Entry, &r.Title, &r.Description)
		}
	})
	d.must(n, &r.Entry, hasTemplate, "L-RSRC-06", "uriTemplate")
	if !hasName {
		d.add(n, "L-RSRC-01", Violation, "The template has no usable name.")
	}
}

func decodePrompt(d *decoder, n *node, p *Prompt) {
	hasName := false
	n.members(func(m *node) {
		switch m.name {
		case "name":
			hasName = d.required(m, resultShape, &p.Name)
		case "arguments":
			d.promptArguments(m, p)
		default:
			d.common(m, &p.Entry, &p.Title, &p.Description)
		}
	})
	d.must(n, &p.Entry, hasName, resultShape, "name")
}

func (d *decoder) promptArguments(n *node, p *Prompt) {
	p.Arguments = nil
	if n.kind() != '[' {
		d.wrong(n, "an array")
		return
	}
	seen := map[string]bool{}
	n.elements(func(e *node) {
		a := PromptArgument{Raw: e.raw()}
		hasName := false
		e.members(func(m *node) {
			switch m.name {
			case "name":
				hasName = d.string(m, &a.Name)
			case "title":
				d.string(m, &a.Title)
			case "description":
				d.string(m, &a.Description)
			case "required":
				d.bool(m, &a.Required)
			}
		})
		switch {
		case !hasName:
			a.Malformed = true
			d.add(e, resultShape, Violation, "The argument has no usable name.")
		case seen[a.Name]:
			d.add(e, "L-PRMT-04", Warning, "An argument before this one is called "+strconv.Quote(clip(a.Name))+" too.")
		}
		seen[a.Name] = true
		p.Arguments = append(p.Arguments, a)
	})
}

func firstOf(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}
