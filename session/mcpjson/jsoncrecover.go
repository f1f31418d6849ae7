package mcpjson

import (
	"bytes"
	"slices"
)

// never begins the text of the fault of an object without an end.
const never = "this { is never closed"

func unclosed(faults []Fault) bool {
	return slices.ContainsFunc(faults, func(f Fault) bool { return f.Text == never })
}

// resume goes back to where the member after m seems to begin, when mistakes in
// m have led past it: at the next line that is indented as m is, if what is in m
// is indented deeper. Its own faults are those from before on. It reports whether
// it did.
func (p *parser) resume(m Member, before int) bool {
	indent, own := p.indent(m.At)
	if !own || m.Value.Kind != Object || p.resumed >= maxResume {
		return false
	}
	if len(m.Value.Members) > 0 {
		if inner, own := p.indent(m.Value.Members[0].At); own && len(inner) <= len(indent) {
			return false
		}
	}
	at := m.At
	for {
		end := bytes.IndexByte(p.src[at:min(p.at, len(p.src))], '\n')
		if end < 0 {
			return false
		}
		at += end + 1
		rest := bytes.TrimLeft(p.src[at:], " \t")
		blank := len(p.src) - at - len(rest)
		if len(rest) > 0 && (blank == len(indent) && rest[0] == '"' || blank < len(indent) && rest[0] == '}') {
			at += blank
			break
		}
	}
	if at >= p.at {
		return false
	}
	p.at = at
	p.resumed++
	m.Value.bad = true
	m.Value.End = len(bytes.TrimRight(p.src[:at], " \t\r\n,"))
	m.Value.prune(at)
	kept := p.faults[:before]
	for _, f := range p.faults[before:] {
		if f.Offset < at && f.Text != never {
			kept = append(kept, f)
		}
	}
	if p.faults = kept; len(kept) == before {
		p.fault(m.Value.Start, "this { is not closed before the next member", "look for a } that is missing")
	}
	return true
}

// outside reports whether the line that is read now is indented no deeper than
// the one where an object begins.
func (p *parser) outside(n *Node) bool {
	if p.at >= len(p.src) || p.src[p.at] != '"' {
		return false
	}
	opened, _ := p.indent(n.Start)
	indent, own := p.indent(p.at)
	return own && len(indent) <= len(opened)
}

// prune drops what begins at or after an offset.
func (n *Node) prune(at int) {
	for i, m := range n.Members {
		if m.At >= at {
			n.Members = n.Members[:i]
			break
		}
		m.Value.prune(at)
	}
	for i, v := range n.Items {
		if v.Start >= at {
			n.Items = n.Items[:i]
			break
		}
		v.prune(at)
	}
	n.End = min(n.End, at)
}

// indent is the white space that the line of an offset begins with; own is false
// when more stands before the offset.
func (p *parser) indent(at int) (indent []byte, own bool) {
	from := max(at-maxIndent, 0)
	start := from + bytes.LastIndexByte(p.src[from:at], '\n') + 1
	if start == from && from > 0 {
		return nil, false // a long line
	}
	line := p.src[start:at]
	blank := line[:len(line)-len(bytes.TrimLeft(line, " \t"))]
	return blank, len(blank) == len(line)
}

// recover passes what cannot be understood, to the next comma or closing
// bracket of the value around.
func (p *parser) recover() {
	for p.at < len(p.src) {
		switch p.src[p.at] {
		case ',':
			p.at++
			return
		case '}', ']':
			return
		}
		p.pass()
	}
}

// pass passes one token, a bracket with all that is in it.
func (p *parser) pass() {
	depth := 0
	for p.at < len(p.src) {
		switch c := p.src[p.at]; c {
		case '"':
			p.at++
			for p.at < len(p.src) && p.src[p.at] != '"' && p.src[p.at] != '\n' {
				if p.src[p.at] == '\\' {
					p.at++
				}
				p.at++
			}
			p.at = min(p.at+1, len(p.src))
		case '{', '[':
			depth++
			p.at++
		case '}', ']':
			depth--
			p.at++
		default:
			p.at++
		}
		if depth <= 0 {
			return
		}
	}
}
