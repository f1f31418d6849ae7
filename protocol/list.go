package protocol

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol/uritemplate"
)

// listed is a pointer to a catalogue entry.
type listed[T any] interface {
	*T
	entry() *Entry
	key() string
}

// Number gives Index and Ordinal to the entries of a list that was put together
// from several pages and reports names that come twice: L-TOOL-03 for tools,
// list.duplicate for others.
func Number[T any, P listed[T]](items []T) {
	rule := "list.duplicate"
	if _, ok := any(items).([]Tool); ok {
		rule = "L-TOOL-03"
	}
	seen := make(map[string]int, len(items))
	for i := range items {
		e, key := P(&items[i]).entry(), P(&items[i]).key()
		e.Index, e.Ordinal = i, 0
		if e.Malformed {
			continue
		}
		e.Ordinal = seen[key]
		seen[key]++
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
		page.Problems = d.problems()
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
		d.elements(entries, func(n *node) {
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
			e.Problems = one.problems()
			page.Items = append(page.Items, item)
		})
		Number[T, P](page.Items)
	}
	page.Problems = d.problems()
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
	d.elements(n, func(e *node) {
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
