package protocol

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// node is a value inside a text that is being decoded. It knows its place, so
// that findings do too.
type node struct {
	text   []byte // the whole text
	at, to int
	parent *node
	name   string // in an object
	index  int    // in an array
}

func rootNode(v jsontext.Value) *node {
	at := skipBlanks(v, 0)
	to, ok := skipValue(v, at)
	if !ok {
		return &node{text: v, at: len(v), to: len(v)}
	}
	return &node{text: v, at: at, to: to}
}

func (n *node) raw() jsontext.Value { return jsontext.Value(n.text[n.at:n.to:n.to]) }

func (n *node) kind() byte { return kindOf(n.text[n.at:n.to]) }

func (n *node) string() (string, bool) { return StringValue(n.raw()) }

func (n *node) pointer() string { return string(n.appendPointer(nil)) }

func (n *node) appendPointer(p []byte) []byte {
	switch {
	case n.parent == nil:
		return p
	case n.parent.kind() == '[':
		return strconv.AppendInt(append(n.parent.appendPointer(p), '/'), int64(n.index), 10)
	}
	return appendPointer(n.parent.appendPointer(p), n.name)
}

// members calls visit for each member of an object.
func (n *node) members(visit func(m *node)) {
	if n.kind() != '{' {
		return
	}
	for m := range children(n.text[:n.to], n.at) {
		visit(&node{text: n.text, at: m.at, to: m.to, parent: n, name: m.name(n.text)})
	}
}

func (n *node) problem(rule string, severity Severity, text string) Problem {
	at := n.at
	if n.kind() == 0 {
		at = -1
	}
	return Problem{rule, severity, n.pointer(), at, text}
}

// decoder collects findings while an object is decoded.
type decoder struct {
	rule  string // of fields of a wrong type
	found findings
}

func (d *decoder) add(n *node, rule string, severity Severity, text string) {
	if !d.found.full(rule) {
		d.found.add(n.problem(rule, severity, text))
	}
}

func (d *decoder) problems() []Problem { return d.found.finish() }

// elementsMax bounds what is decoded of one list. A list of a hostile peer may
// have millions of elements of two bytes.
const elementsMax = 100_000

// elements calls visit for each element of an array, up to elementsMax.
func (d *decoder) elements(n *node, visit func(e *node)) {
	if n.kind() != '[' {
		return
	}
	i := 0
	for m := range children(n.text[:n.to], n.at) {
		if i == elementsMax {
			d.add(n, "list.long", Warning, "The list has more than "+strconv.Itoa(elementsMax)+" elements; the rest is not shown.")
			return
		}
		visit(&node{text: n.text, at: m.at, to: m.to, parent: n, index: i})
		i++
	}
}

// wrong says that a member is not what it should be. Null where a member could
// be absent is a habit of some serialisers and hurts less.
func (d *decoder) wrong(n *node, want string) {
	if n.kind() == 'n' {
		d.add(n, d.rule, Warning, clip(n.name)+" is null instead of absent or "+want+".")
		return
	}
	d.add(n, d.rule, Violation, clip(n.name)+" is "+kindName(n.kind())+" instead of "+want+".")
}

func kindName(kind byte) string {
	switch kind {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "no JSON"
}

// string reads a string member into to, which stays as it is if it is none.
func (d *decoder) string(n *node, to *string) bool {
	s, ok := n.string()
	if !ok {
		d.wrong(n, "a string")
		return false
	}
	*to = s
	return true
}

// number reads the text of a number member.
func (d *decoder) number(n *node, to *string) {
	if n.kind() != '0' {
		d.wrong(n, "a number")
		return
	}
	*to = string(n.raw())
}

// bool reads a boolean member.
func (d *decoder) bool(n *node, to *bool) {
	switch n.kind() {
	case 't':
		*to = true
	case 'f':
		*to = false
	default:
		d.wrong(n, "a boolean")
	}
}

func (d *decoder) hint(n *node, to *Hint) {
	var b bool
	if k := n.kind(); k != 't' && k != 'f' {
		d.wrong(n, "a boolean")
		return
	}
	d.bool(n, &b)
	*to = HintFalse
	if b {
		*to = HintTrue
	}
}

// object reads a member that is an object.
func (d *decoder) object(n *node, to *jsontext.Value) bool {
	if n.kind() != '{' {
		d.wrong(n, "an object")
		return false
	}
	*to = n.raw()
	return true
}

// strings reads a member that is a list of strings; other elements are left
// out and reported.
func (d *decoder) strings(n *node, to *[]string) {
	if n.kind() != '[' {
		d.wrong(n, "an array of strings")
		return
	}
	*to = nil
	d.elements(n, func(e *node) {
		if s, ok := e.string(); ok {
			*to = append(*to, s)
			return
		}
		d.add(e, d.rule, Violation, "An element is "+kindName(e.kind())+" instead of a string.")
	})
}

// annotations reads the annotations of content and resources (L-RSRC-07).
func (d *decoder) annotations(n *node, to *Annotations) {
	*to = Annotations{}
	if !d.object(n, &to.Raw) {
		return
	}
	rule := d.rule
	d.rule = "L-RSRC-07"
	defer func() { d.rule = rule }()
	n.members(func(m *node) {
		switch m.name {
		case "audience":
			d.strings(m, &to.Audience)
			for _, who := range to.Audience {
				if who != "user" && who != "assistant" {
					d.add(m, "L-RSRC-07", Violation, "The audience "+strconv.Quote(clip(who))+" is neither user nor assistant.")
				}
			}
		case "priority":
			d.number(m, &to.Priority)
			if to.Priority != "" && !isUnitInterval(to.Priority) {
				d.add(m, "L-RSRC-07", Violation, "The priority "+clip(to.Priority)+" is not within 0 and 1.")
			}
		case "lastModified":
			d.string(m, &to.LastModified)
		}
	})
}

// isUnitInterval reports whether the number text is within 0 and 1.
func isUnitInterval(number string) bool {
	digits, point, negative, ok := decimal(number)
	switch {
	case !ok:
		return false
	case digits == "":
		return true
	case negative:
		return false
	}
	return point <= 0 || point == 1 && digits == "1"
}

// icons reads a list of icons.
func (d *decoder) icons(n *node, to *[]Icon) {
	if n.kind() != '[' {
		d.wrong(n, "an array of icons")
		return
	}
	*to = nil
	rule := d.rule
	d.rule = "L-ICON-03"
	defer func() { d.rule = rule }()
	d.elements(n, func(e *node) {
		icon := Icon{Raw: e.raw()}
		if e.kind() != '{' {
			d.add(e, "L-ICON-01", Violation, "An icon is "+kindName(e.kind())+" instead of an object.")
			*to = append(*to, icon)
			return
		}
		hasSrc := false
		e.members(func(m *node) {
			switch m.name {
			case "src":
				hasSrc = d.string(m, &icon.Src)
			case "mimeType":
				d.string(m, &icon.MIMEType)
			case "sizes":
				if s, ok := m.string(); ok {
					d.add(m, "L-ICON-03", Warning, "sizes is a string instead of an array of strings.")
					icon.Sizes = []string{s}
					return
				}
				d.strings(m, &icon.Sizes)
			case "theme":
				if d.string(m, &icon.Theme) && icon.Theme != "light" && icon.Theme != "dark" {
					d.add(m, "L-ICON-03", Violation, "The theme "+strconv.Quote(clip(icon.Theme))+" is neither light nor dark.")
				}
			}
		})
		if !hasSrc {
			d.add(e, "L-ICON-01", Violation, "The icon has no src.")
		}
		*to = append(*to, icon)
	})
}
