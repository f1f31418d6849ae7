package mcpjson

import (
	"bytes"
	"strings"
)

// Variable is a name with a value; the order is that of the file.
type Variable struct {
	Name, Value string
}

// ParseEnv reads an environment file: NAME=value lines, with an optional export
// before them and comments after a #. In single quotes everything stands for
// itself, in double quotes \n, \r, \t, \", \\ and \$ are what they are in a
// shell; both may run over lines. Nothing is replaced in values. A line that
// cannot be read is a fault, and the others count.
func ParseEnv(src []byte) ([]Variable, []Fault) {
	p := &parser{src: src, at: len(bomOf(src))}
	if len(src) > MaxBytes {
		p.fault(0, "the file is too large for an environment file", "is it the right one?")
		return nil, p.faults
	}
	var out []Variable
	for p.at < len(src) {
		start := p.at
		line := p.line()
		text := strings.TrimSpace(line)
		if text == "" || text[0] == '#' {
			continue
		}
		if rest, ok := strings.CutPrefix(text, "export"); ok && rest != "" && (rest[0] == ' ' || rest[0] == '\t') {
			text = strings.TrimSpace(rest)
		}
		name, value, has := strings.Cut(text, "=")
		name = strings.TrimSpace(name)
		at := start + strings.Index(line, text)
		switch {
		case !has:
			p.fault(at, "there is no = in "+cut(text), "write NAME=value, or # before a comment")
			continue
		case name == "":
			p.fault(at, "there is no name before the =", "write NAME=value")
			continue
		case strings.ContainsAny(name, " \t'\"#\x00"):
			p.fault(at, "this is not a name: "+cut(name), "a name has letters, digits and underscores")
			continue
		}
		lead := len(value) - len(strings.TrimLeft(value, " \t"))
		valueAt := at + strings.IndexByte(text, '=') + 1 + lead
		value = value[lead:]
		if value != "" && (value[0] == '"' || value[0] == '\'') {
			quotedText, ok := p.envQuoted(valueAt)
			if !ok {
				continue
			}
			value = quotedText
		} else {
			if i := strings.IndexByte(value, '#'); i == 0 || i > 0 && (value[i-1] == ' ' || value[i-1] == '\t') {
				value = value[:i]
			} else if i = strings.Index(value, " #"); i >= 0 {
				value = value[:i]
			}
			value = strings.TrimSpace(value)
		}
		if strings.IndexByte(value, 0) >= 0 {
			p.fault(at, "the value of "+cut(name)+" holds a NUL character", "")
			continue
		}
		out = append(out, Variable{name, value})
	}
	return out, p.faults
}

// line reads to the end of the line and passes it.
func (p *parser) line() string {
	end := bytes.IndexByte(p.src[p.at:], '\n')
	if end < 0 {
		end = len(p.src) - p.at
	}
	line := string(p.src[p.at : p.at+end])
	p.at = min(p.at+end+1, len(p.src))
	return strings.TrimSuffix(line, "\r")
}

// envQuoted reads a quoted value that begins at an offset, and passes the rest
// of its last line.
func (p *parser) envQuoted(at int) (string, bool) {
	quote := p.src[at]
	var b strings.Builder
	i := at + 1
	for ; i < len(p.src) && p.src[i] != quote; i++ {
		c := p.src[i]
		if quote == '"' && c == '\\' && i+1 < len(p.src) {
			i++
			switch c = p.src[i]; c {
			case 'n':
				c = '\n'
			case 'r':
				c = '\r'
			case 't':
				c = '\t'
			case '"', '\\', '$', '\'':
			default:
				b.WriteByte('\\')
			}
		} else if c == '\r' && i+1 < len(p.src) && p.src[i+1] == '\n' {
			continue
		}
		b.WriteByte(c)
	}
	if i >= len(p.src) {
		p.fault(at, "this value has no closing quote", "end it with "+string(quote))
		return "", false
	}
	p.at = i + 1
	if rest := strings.TrimSpace(p.line()); rest != "" && rest[0] != '#' {
		p.fault(i+1, "there is more after the closing quote: "+cut(rest), "put a backslash before a quote that belongs to the value")
		return "", false
	}
	return b.String(), true
}
