package protocol

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// The modes of an elicitation.
const (
	ElicitForm = "form"
	ElicitURL  = "url"
)

// Elicitation is the params of elicitation/create. Pointers and offsets of
// problems count from params.
type Elicitation struct {
	Mode     string // as sent; form when absent (ELIC-03)
	Message  string
	Schema   jsontext.Value // requestedSchema; nil when absent
	URL      string
	ID       string // elicitationId
	HasID    bool
	Problems []Problem
}

// DecodeElicitation decodes the params of elicitation/create in a revision, nil
// for the newest, and checks its schema (L-ELIC-02 to 12).
func DecodeElicitation(params jsontext.Value, r *Revision) (e Elicitation) {
	const rule = "L-ELIC-02"
	if r == nil {
		r = NewestModern()
	}
	d := decoder{rule: rule}
	n := rootNode(params)
	e.Mode = ElicitForm
	if n.kind() != '{' {
		d.add(n, rule, Violation, "The params are "+kindName(n.kind())+" instead of an object.")
		e.Problems = d.problems()
		return e
	}
	hasMessage, hasMode := false, false
	var schema *node
	n.members(func(m *node) {
		switch m.name {
		case "mode":
			hasMode = d.string(m, &e.Mode)
		case "message":
			hasMessage = d.string(m, &e.Message)
		case "requestedSchema":
			e.Schema, schema = m.raw(), m
		case "url":
			d.string(m, &e.URL)
		case "elicitationId":
			e.HasID = d.string(m, &e.ID)
		}
	})
	if !hasMessage {
		d.add(n, rule, Violation, "The elicitation has no message.")
	}
	switch {
	case e.Mode == ElicitURL:
		e.checkURL(&d, n, r)
	case hasMode && e.Mode != ElicitForm:
		d.add(n, rule, Violation, "The mode "+quoted(e.Mode)+" is neither form nor url.")
	case schema == nil:
		d.add(n, rule, Violation, "The form has no requestedSchema.")
	default:
		f := flat{&d, r}
		f.schema(schema)
	}
	e.Problems = d.problems()
	return e
}

func (e *Elicitation) checkURL(d *decoder, n *node, r *Revision) {
	switch {
	case e.URL == "":
		d.add(n, "L-ELIC-02", Violation, "The elicitation has the mode url and no url.")
	case !r.Modern && e.ID == "":
		d.add(n, "L-ELIC-08", Violation, "The elicitation has no elicitationId.")
	case r.Modern && e.HasID:
		d.add(n, "L-ELIC-09", Warning, "The elicitation has an elicitationId, which this revision does not know.")
	}
}

// flat checks a schema against the subset that elicitation allows: an object of
// primitives (L-ELIC-03).
type flat struct {
	d *decoder
	r *Revision
}

// rich reports whether defaults of every kind and the newer enums exist.
func (f flat) rich() bool { return slices.Contains(f.r.ElicitationModes, ElicitURL) }

func (f flat) broken(n *node, text string) { f.d.add(n, "L-ELIC-03", Violation, text) }

func (f flat) schema(n *node) {
	if n.kind() != '{' {
		f.broken(n, "requestedSchema is "+kindName(n.kind())+" instead of an object.")
		return
	}
	var names []string
	var required *node
	typed, hasProperties := false, false
	n.members(func(m *node) {
		switch m.name {
		case "type":
			s, _ := m.string()
			typed = s == "object"
		case "properties":
			hasProperties = true
			if m.kind() != '{' {
				f.broken(m, "properties is "+kindName(m.kind())+" instead of an object.")
				return
			}
			m.members(func(p *node) {
				names = append(names, p.name)
				f.property(p)
			})
		case "required":
			required = m
		case "$schema", "title", "description":
		default:
			f.broken(m, "The keyword "+quoted(m.name)+" is not allowed beside properties.")
		}
	})
	if !typed {
		f.broken(n, "The type of requestedSchema is not object.")
	}
	if !hasProperties {
		f.broken(n, "requestedSchema has no properties.")
	}
	if required == nil {
		return
	}
	var list []string
	f.d.strings(required, &list)
	for _, name := range list {
		if !slices.Contains(names, name) {
			f.broken(required, "The required property "+quoted(name)+" does not exist.")
		}
	}
}

// Keywords that the subset allows by type, beside type, title and description.
var (
	flatString  = []string{"minLength", "maxLength", "format", "default"}
	flatNumber  = []string{"minimum", "maximum", "default"}
	flatBoolean = []string{"default"}
	flatArray   = []string{"items", "minItems", "maxItems", "default"}
	flatFormats = []string{"email", "uri", "date", "date-time"}
)

func (f flat) property(n *node) {
	if n.kind() != '{' {
		f.broken(n, "The property "+quoted(n.name)+" is "+kindName(n.kind())+" instead of a schema.")
		return
	}
	f.secret(n)
	var kind string
	has := map[string]*node{}
	n.members(func(m *node) {
		has[m.name] = m
		if m.name == "type" {
			kind, _ = m.string()
		}
	})
	var allowed []string
	switch kind {
	case "string":
		allowed = flatString
		if m := has["format"]; m != nil {
			if s, _ := m.string(); !slices.Contains(flatFormats, s) {
				f.broken(m, "The format "+quoted(s)+" of "+quoted(n.name)+" is none of email, uri, date and date-time.")
			}
		}
		allowed = append(slices.Clone(allowed), f.enum(n, has)...)
	case "number", "integer":
		allowed = flatNumber
	case "boolean":
		allowed = flatBoolean
	case "array":
		if !f.rich() {
			f.broken(n, "The property "+quoted(n.name)+" is an array; this revision has no choice of several.")
			return
		}
		allowed = flatArray
		f.items(n, has["items"])
	default:
		f.broken(n, "The property "+quoted(n.name)+" has the type "+quoted(kind)+": string, number, integer, boolean and a choice of several exist.")
		return
	}
	if m := has["default"]; m != nil && kind != "boolean" && !f.rich() {
		f.broken(m, "The property "+quoted(n.name)+" has a default; in this revision only booleans have one.")
	}
	n.members(func(m *node) {
		if m.name != "type" && m.name != "title" && m.name != "description" && !slices.Contains(allowed, m.name) {
			f.broken(m, "The keyword "+quoted(m.name)+" of "+quoted(n.name)+" is outside the subset for "+kind+".")
		}
	})
}

// enum checks the single choices and returns their keywords.
func (f flat) enum(n *node, has map[string]*node) []string {
	values := has["enum"]
	if names := has["enumNames"]; names != nil {
		var labels, choices []string
		f.d.strings(names, &labels)
		if values != nil {
			f.d.strings(values, &choices)
		}
		if len(labels) != len(choices) {
			f.d.add(names, "L-ELIC-12", Violation, "enum and enumNames of "+quoted(n.name)+" have different lengths.")
		}
	} else if values != nil {
		var choices []string
		f.d.strings(values, &choices)
	}
	if of := has["oneOf"]; of != nil {
		if !f.rich() {
			f.broken(of, "The property "+quoted(n.name)+" has oneOf, which this revision does not allow.")
		}
		f.titled(of)
	}
	return []string{"enum", "enumNames", "oneOf"}
}

// titled checks a list of {const, title}.
func (f flat) titled(n *node) {
	if n.kind() != '[' {
		f.d.wrong(n, "an array")
		return
	}
	f.d.elements(n, func(e *node) {
		constant, title := false, false
		e.members(func(m *node) {
			constant = constant || m.name == "const" && m.kind() == '"'
			title = title || m.name == "title" && m.kind() == '"'
		})
		if !constant || !title {
			f.broken(e, "A choice is not {const, title} with two strings.")
		}
	})
}

// items checks the choices of a choice of several.
func (f flat) items(n, items *node) {
	if items == nil || items.kind() != '{' {
		f.broken(n, "The array "+quoted(n.name)+" has no items with choices.")
		return
	}
	choices := false
	items.members(func(m *node) {
		switch m.name {
		case "enum":
			choices = true
			var list []string
			f.d.strings(m, &list)
		case "anyOf":
			choices = true
			f.titled(m)
		case "type":
			if s, _ := m.string(); s != "string" {
				f.broken(m, "The choices of "+quoted(n.name)+" are not strings.")
			}
		default:
			f.broken(m, "The keyword "+quoted(m.name)+" is outside the subset for the items of "+quoted(n.name)+".")
		}
	})
	if !choices {
		f.broken(items, "The items of "+quoted(n.name)+" name no choices by enum or anyOf.")
	}
}

var (
	secretField = regexp.MustCompile(`(?i)pass(word|wd|phrase|code)|api.?key|secret|\btoken\b|credit.?card|card.?number|\bcvv\b|\bssn\b|\bpin\b`)
	clickable   = regexp.MustCompile(`(?i)\bhttps?://`)
)

// secret looks for fields that ask for what a form must not ask (L-ELIC-04), by
// name and title alone because a description may just warn of it, and for links
// in them (L-ELIC-05).
func (f flat) secret(n *node) {
	texts := []string{n.name}
	n.members(func(m *node) {
		if s, ok := m.string(); ok && (m.name == "title" || m.name == "description") {
			if m.name == "title" {
				texts = append(texts, s)
			}
			if clickable.MatchString(s) {
				f.d.add(m, "L-ELIC-05", Warning, "The "+m.name+" of "+quoted(n.name)+" holds a URL; a form has none to click on.")
			}
		}
	})
	if text := strings.Join(texts, " "); secretField.MatchString(text) {
		f.d.add(n, "L-ELIC-04", Warning, "The field "+strconv.Quote(clip(n.name))+" seems to ask for a secret, which a form must not do.")
	}
}
