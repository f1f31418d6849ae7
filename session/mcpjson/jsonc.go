package mcpjson

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Bounds of what is read.
const (
	maxDepth  = 200
	maxFaults = 50
	maxResume = 100      // of going back: each may read the rest of the text again
	maxIndent = 1000     // of a line, to look at it
	MaxBytes  = 64 << 20 // the longest text that is read
)

// Parse reads JSON with comments and trailing commas. It goes on after a
// mistake as well as it can; the node is nil only when nothing is there to be
// read. Strings are cut at the end of their line, so that a forgotten quote
// spoils a line and not the file.
func Parse(src []byte) (*Node, []Fault) {
	p := &parser{src: src}
	switch {
	case len(src) > MaxBytes:
		p.fault(0, fmt.Sprintf("the file is larger than %d MB", MaxBytes>>20), "is it the right one?")
		return nil, p.faults
	case bytes.HasPrefix(src, []byte{0xff, 0xfe}) || bytes.HasPrefix(src, []byte{0xfe, 0xff}):
		p.fault(0, "the text is UTF-16", "save it as UTF-8")
		return nil, p.faults
	}
	p.at = len(bomOf(src))
	p.blank()
	if p.at >= len(src) {
		p.fault(p.at, "the file is empty", "")
		return nil, p.faults
	}
	root := p.value()
	if unclosed(p.faults) {
		// Where lines are indented they tell which bracket is missing.
		again := &parser{src: src, at: root.Start, byIndent: true}
		if n := again.value(); !unclosed(again.faults) {
			root, p = n, again
		}
	}
	p.blank()
	if p.at < len(src) {
		p.fault(p.at, "there is more after the end of the value", "take it away, or look for a bracket too many before it")
	}
	if !utf8.Valid(src) {
		at := 0
		for at < len(src) {
			r, n := utf8.DecodeRune(src[at:])
			if r == utf8.RuneError && n == 1 {
				break
			}
			at += n
		}
		p.fault(at, "the text is not UTF-8 here", "save it as UTF-8")
	}
	return root, p.faults
}

func bomOf(src []byte) []byte {
	if bytes.HasPrefix(src, []byte("\xef\xbb\xbf")) {
		return src[:3]
	}
	return nil
}

type parser struct {
	src    []byte
	at     int
	depth  int
	faults []Fault

	comments int // how many, and where the first one is
	comment  int
	trailing int // offset of the first trailing comma, 0 for none

	byIndent bool // a line that is indented no deeper than where an object begins is not in it
	resumed  int
	short    bool // the value that was read last was ended by such a line
}

func (p *parser) fault(at int, text, advice string) {
	p.add(Fault{Offset: at, Text: text, Advice: advice})
}

func (p *parser) add(f Fault) {
	if len(p.faults) < maxFaults {
		f.Line, f.Column = Position(p.src, f.Offset)
		p.faults = append(p.faults, f)
	}
}

// Position is the line and column of an offset, both from 1; the column counts
// characters.
func Position(src []byte, offset int) (line, column int) {
	offset = min(offset, len(src))
	head := src[:offset]
	start := bytes.LastIndexByte(head, '\n') + 1
	if start == 0 {
		start = len(bomOf(head))
	}
	return 1 + bytes.Count(head, []byte{'\n'}), 1 + utf8.RuneCount(head[start:])
}

// blank passes white space and comments.
func (p *parser) blank() {
	for p.at < len(p.src) {
		switch c := p.src[p.at]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			p.at++
		case c == '/' && p.at+1 < len(p.src) && (p.src[p.at+1] == '/' || p.src[p.at+1] == '*'):
			if p.comments == 0 {
				p.comment = p.at
			}
			p.comments++
			if p.src[p.at+1] == '/' {
				if end := bytes.IndexByte(p.src[p.at:], '\n'); end >= 0 {
					p.at += end
				} else {
					p.at = len(p.src)
				}
				continue
			}
			end := bytes.Index(p.src[p.at+2:], []byte("*/"))
			if end < 0 {
				p.fault(p.at, "this comment has no end", "close it with */")
				p.at = len(p.src)
				return
			}
			p.at += end + 4
		default:
			return
		}
	}
}

func (p *parser) value() *Node {
	n := &Node{Start: p.at, src: p.src}
	if p.at >= len(p.src) {
		p.fault(p.at, "a value is missing", "")
		n.End, n.bad = p.at, true
		return n
	}
	switch c := p.src[p.at]; {
	case c == '{' || c == '[':
		if p.depth >= maxDepth {
			p.fault(p.at, fmt.Sprintf("values are nested more than %d deep", maxDepth), "")
			n.bad = true
			p.pass()
			break
		}
		p.depth++
		if c == '{' {
			p.object(n)
		} else {
			p.array(n)
		}
		p.depth--
	case c == '"' || c == '\'':
		text, ok := p.text()
		n.Kind, n.Text, n.bad = String, text, !ok
	case c == '-' || c == '+' || c == '.' || c >= '0' && c <= '9':
		p.run("+-.eE0123456789")
		n.Kind = Number
		if !jsontext.Value(p.src[n.Start:p.at]).IsValid() {
			p.fault(n.Start, "this is not a number: "+cut(string(p.src[n.Start:p.at])), "put text in double quotes")
			n.Kind, n.bad = Broken, true
		}
	case isWord(c):
		p.word()
		switch word := string(p.src[n.Start:p.at]); word {
		case "true", "false":
			n.Kind = Bool
		case "null":
			n.Kind = Null
		default:
			p.fault(n.Start, "an unknown word: "+cut(word), "put text in double quotes")
			n.bad = true
		}
	default:
		p.fault(p.at, "a value is missing before "+show(p.src[p.at:]), "")
		n.bad = true
	}
	n.End = p.at
	return n
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '$' || c >= 0x80
}

func (p *parser) word() {
	for p.at < len(p.src) && (isWord(p.src[p.at]) || p.src[p.at] >= '0' && p.src[p.at] <= '9' || p.src[p.at] == '-') {
		p.at++
	}
}

func (p *parser) run(set string) {
	for p.at < len(p.src) && strings.IndexByte(set, p.src[p.at]) >= 0 {
		p.at++
	}
}

// text reads a string. ok is false when it is not as it should be; it is what
// could be made of it then.
func (p *parser) text() (s string, ok bool) {
	start, quote := p.at, p.src[p.at]
	p.at++
	for p.at < len(p.src) && p.src[p.at] != quote && p.src[p.at] != '\n' {
		if p.src[p.at] == '\\' && p.at+1 < len(p.src) && p.src[p.at+1] != '\n' {
			p.at++
		}
		p.at++
	}
	inner := p.src[start+1 : p.at]
	if p.at >= len(p.src) || p.src[p.at] != quote {
		p.fault(start, "this text has no closing quote", "end it with "+string(quote)+" on the same line")
		// A comma or bracket that ends the line belongs to what is around.
		trimmed := bytes.TrimRight(inner, " \t\r")
		trimmed = bytes.TrimRight(trimmed, ",")
		p.at = start + 1 + len(trimmed)
		return string(trimmed), false
	}
	p.at++
	raw := p.src[start:p.at]
	if quote == '\'' {
		p.fault(start, "this text is in single quotes", "JSON has double quotes only")
		return string(inner), false
	}
	out, err := jsontext.AppendUnquote(nil, raw)
	if err != nil {
		advice := ""
		if bytes.IndexByte(inner, '\\') >= 0 {
			advice = `write \\ for a backslash, as in C:\\Users`
		}
		p.fault(start, "this text holds what JSON does not allow: "+cut(string(inner)), advice)
		return string(inner), false
	}
	return string(out), true
}

func (p *parser) object(n *Node) {
	n.Kind = Object
	p.at++
	for {
		p.blank()
		if p.byIndent && p.depth > 1 && p.outside(n) {
			p.fault(n.Start, "this { is not closed before the next member", "look for a } that is missing")
			n.bad, p.short = true, true
			return
		}
		if p.at >= len(p.src) {
			p.fault(n.Start, never, "look for a } that is missing")
			n.bad = true
			return
		}
		c := p.src[p.at]
		switch {
		case c == '}':
			p.at++
			return
		case c == ']':
			p.fault(p.at, "a ] where a } is expected", "")
			n.bad = true
			return
		case c == ',':
			p.fault(p.at, "a comma without a member before it", "take it away")
			p.at++
			continue
		}
		m := Member{At: p.at, comma: -1}
		ok := true
		switch {
		case c == '"' || c == '\'':
			m.Name, ok = p.text()
		case isWord(c):
			p.word()
			m.Name = string(p.src[m.At:p.at])
			p.fault(m.At, "the name "+cut(m.Name)+" is not in quotes", "put it in double quotes")
			ok = false
		default:
			p.fault(p.at, "a name in double quotes is expected before "+show(p.src[p.at:]), "")
			n.bad = true
			p.recover()
			continue
		}
		p.blank()
		if p.at >= len(p.src) || p.src[p.at] != ':' {
			p.fault(p.at, "a colon is missing after "+cut(m.Name), "")
			n.bad = true
			if p.at >= len(p.src) || strings.IndexByte("{[\"-0123456789tfn", p.src[p.at]) < 0 {
				p.recover()
				continue
			}
		} else {
			p.at++
			p.blank()
		}
		before := len(p.faults)
		m.Value = p.value()
		m.Value.bad = m.Value.bad || !ok
		resumed := len(p.faults) > before && p.resume(m, before)
		if m.Value.Kind == Broken && m.Value.End == m.Value.Start {
			p.recover()
		}
		n.bad = n.bad || m.Value.bad
		n.Members = append(n.Members, m)
		if resumed || p.short {
			p.short = false
			continue
		}
		if at, ok := p.comma(m.Value.End, '}', "member"); ok {
			n.Members[len(n.Members)-1].comma = at
		}
	}
}

func (p *parser) array(n *Node) {
	n.Kind = Array
	p.at++
	for {
		p.blank()
		if p.at >= len(p.src) {
			p.fault(n.Start, "this [ is never closed", "look for a ] that is missing")
			n.bad = true
			return
		}
		switch p.src[p.at] {
		case ']':
			p.at++
			return
		case '}':
			p.fault(p.at, "a } where a ] is expected", "")
			n.bad = true
			return
		case ',':
			p.fault(p.at, "a comma without a value before it", "take it away")
			p.at++
			continue
		}
		v := p.value()
		if v.Kind == Broken && v.End == v.Start {
			p.recover()
		}
		n.bad = n.bad || v.bad
		n.Items = append(n.Items, v)
		p.comma(v.End, ']', "value")
	}
}

// comma passes the comma after a value and says when it is missing, or stands
// before the closing bracket.
func (p *parser) comma(end int, closing byte, what string) (at int, ok bool) {
	p.blank()
	if p.at >= len(p.src) {
		return -1, false
	}
	switch p.src[p.at] {
	case ',':
		at = p.at
		p.at++
		p.blank()
		if p.at < len(p.src) && p.src[p.at] == closing && p.trailing == 0 {
			p.trailing = at
		}
		return at, true
	case '}', ']':
	default:
		p.fault(end, "a comma is missing after this "+what, "")
	}
	return -1, false
}

// cut shortens a text of a file for a sentence.
func cut(s string) string {
	const most = 40
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most-1]) + "…"
}

// show names the character that src begins with.
func show(src []byte) string {
	r, _ := utf8.DecodeRune(src)
	return fmt.Sprintf("%q", r)
}
