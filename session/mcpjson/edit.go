package mcpjson

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// editor changes members of a text and leaves all else as it stands. Each change
// reads the text anew, so that no offset is ever stale.
type editor struct {
	src  []byte
	base string // what the lines of the text are indented by where it stands
	unit string // of indentation
	eol  string
	flat bool // the text is all in one line, and so is what is added

	lost int // comments that were in values which were replaced or removed
}

// newEditor looks at how a text is written.
func newEditor(src []byte) *editor {
	e := &editor{src: src, unit: "  ", eol: "\n"}
	if bytes.Contains(src, []byte("\r\n")) {
		e.eol = "\r\n"
	}
	root, _ := Parse(src)
	if root == nil || len(root.Members) == 0 {
		return e
	}
	if indent, own := e.indentAt(root.Members[0].At); own && indent != "" {
		e.unit = indent
	}
	e.flat = !bytes.Contains(src[root.Start:root.End], []byte("\n"))
	return e
}

// part is an editor for the text of one value.
func (e *editor) part(n *Node) *editor {
	base, _ := e.indentAt(n.Start)
	return &editor{src: bytes.Clone(e.src[n.Start:n.End]), base: base, unit: e.unit, eol: e.eol, flat: e.flat}
}

// indentAt is the white space at the start of the line of an offset; own is
// false when more stands before the offset.
func (e *editor) indentAt(at int) (indent string, own bool) {
	start := bytes.LastIndexByte(e.src[:at], '\n') + 1
	line := e.src[start:at]
	if start == 0 {
		line = bytes.TrimPrefix(line, bomOf(e.src))
	}
	blank := line[:len(line)-len(bytes.TrimLeft(line, " \t"))]
	if start == 0 && e.base != "" {
		return e.base, len(blank) == len(line)
	}
	return string(blank), len(blank) == len(line)
}

// find is the value at a path, nil for none.
func (e *editor) find(path ...string) *Node {
	root, _ := Parse(e.src)
	return lookup(root, path)
}

// splice puts text in the place of a stretch.
func (e *editor) splice(from, to int, text string) {
	e.src = append(append(bytes.Clone(e.src[:from]), text...), e.src[to:]...)
}

// set gives a member of the object at path its value. The object must be there.
func (e *editor) set(path []string, name string, value jsontext.Value) {
	obj := e.find(path...)
	if m := obj.member(name); m != nil {
		indent, _ := e.indentAt(m.At)
		e.lost += comments(e.src[m.Value.Start:m.Value.End])
		e.splice(m.Value.Start, m.Value.End, e.format(value, indent))
		return
	}
	closing := obj.End - 1
	blank := closing
	for blank > obj.Start+1 && strings.IndexByte(" \t\r\n", e.src[blank-1]) >= 0 {
		blank--
	}
	base, _ := e.indentAt(obj.Start)
	member := func(indent string) string {
		sep := ": "
		if e.flat {
			sep = ":"
		}
		return string(quoted(nil, name)) + sep + e.format(value, indent)
	}
	if len(obj.Members) == 0 {
		if e.flat {
			e.splice(blank, closing, member(""))
			return
		}
		indent := base + e.unit
		e.splice(blank, closing, e.eol+indent+member(indent)+e.eol+base)
		return
	}
	last := obj.Members[len(obj.Members)-1]
	indent, own := e.indentAt(last.At)
	if own {
		tail := string(e.src[blank:closing])
		if !strings.Contains(tail, "\n") {
			tail = e.eol + base
		}
		e.splice(blank, closing, e.eol+indent+member(indent)+tail)
	} else {
		text := member(base)
		if !e.flat {
			text = " " + text
		}
		// After a comment of its own line there must be a line end.
		if bytes.Contains(e.src[last.Value.End:blank], []byte("//")) {
			text = e.eol + base + e.unit + strings.TrimPrefix(text, " ")
		}
		e.splice(blank, closing, text+string(e.src[blank:closing]))
	}
	if last.comma < 0 {
		e.splice(last.Value.End, last.Value.End, ",")
	}
}

// remove takes a member away, with the line that it stands on.
func (e *editor) remove(path []string, name string) {
	for {
		obj := e.find(path...)
		m := obj.member(name)
		if m == nil {
			return
		}
		i := 0
		for i = range obj.Members {
			if &obj.Members[i] == m {
				break
			}
		}
		from, to := m.At, m.Value.End
		if m.comma >= 0 {
			to = m.comma + 1
		}
		e.lost += comments(e.src[from:to])
		if _, own := e.indentAt(from); own && from > 0 {
			for from > 0 && (e.src[from-1] == ' ' || e.src[from-1] == '\t') {
				from--
			}
			if from > 0 && e.src[from-1] == '\n' {
				from--
			}
			if from > 0 && e.src[from-1] == '\r' {
				from--
			}
		} else {
			for to < len(e.src) && e.src[to] == ' ' {
				to++
			}
		}
		e.splice(from, to, "")
		if m.comma < 0 && i > 0 && obj.Members[i-1].comma >= 0 {
			at := obj.Members[i-1].comma
			e.splice(at, at+1, "")
		}
	}
}

// ensure makes the objects of a path where they are missing.
func (e *editor) ensure(path []string) {
	for i, name := range path {
		if n := e.find(path[:i+1]...); n == nil || n.Kind != Object {
			e.set(path[:i], name, jsontext.Value("{}"))
		}
	}
}

// comments counts the comments in a stretch that is a value.
func comments(src []byte) int {
	p := &parser{src: src}
	p.blank()
	if p.at < len(src) {
		p.value()
	}
	return p.comments
}

// inline is how long a list may be that stands in one line.
const inline = 72

// format writes a value with lines indented by indent.
func (e *editor) format(value jsontext.Value, indent string) string {
	n, _ := Parse(value)
	if n == nil || e.flat {
		return string(value)
	}
	return string(e.write(nil, n, indent))
}

func (e *editor) write(b []byte, n *Node, indent string) []byte {
	deeper := indent + e.unit
	lines := func(open, closing byte, count int, each func(i int)) []byte {
		b = append(b, open)
		for i := range count {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(append(b, e.eol...), deeper...)
			each(i)
		}
		b = append(append(b, e.eol...), indent...)
		return append(b, closing)
	}
	switch {
	case n.Kind == Object && len(n.Members) > 0:
		return lines('{', '}', len(n.Members), func(i int) {
			b = append(quoted(b, n.Members[i].Name), ": "...)
			b = e.write(b, n.Members[i].Value, deeper)
		})
	case n.Kind == Array && len(n.Items) > 0:
		short := strings.ReplaceAll(string(n.JSON()), `","`, `", "`)
		simple := true
		for _, v := range n.Items {
			simple = simple && v.Kind != Object && v.Kind != Array
		}
		if simple && len(short) <= inline && !strings.Contains(short, `\`) {
			b = append(b, '[')
			for i, v := range n.Items {
				if i > 0 {
					b = append(b, ", "...)
				}
				b = v.appendJSON(b)
			}
			return append(b, ']')
		}
		return lines('[', ']', len(n.Items), func(i int) { b = e.write(b, n.Items[i], deeper) })
	}
	return n.appendJSON(b)
}
