package recorder

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// jsonWalk goes through a JSON text and knows where it is.
type jsonWalk struct {
	text  []byte
	stack []jsonLevel
}

// jsonLevel is an object or array that a walk is inside of.
type jsonLevel struct {
	object bool
	name   []byte // JSON string of the member, in an object
	index  int    // of the item, in an array
}

// jsonPart is a name or a value: text[at:end].
type jsonPart struct {
	at, end int
	kind    byte // as jsontext.Kind
	name    bool
}

// walk calls fn with every name and value in order, objects and arrays as a
// whole before what is in them; these are left out when fn returns true. It
// reports false where the text is no JSON.
func (w *jsonWalk) walk(fn func(jsonPart) (skip bool)) bool {
	d := jsontext.NewDecoder(bytes.NewReader(w.text), tolerant...)
	end := 0
	for {
		kind := byte(d.PeekKind())
		if kind == 0 {
			break
		}
		at := end
		for at < len(w.text) && (isBlank(w.text[at]) || w.text[at] == ',' || w.text[at] == ':') {
			at++
		}
		top := len(w.stack) - 1
		if kind == '}' || kind == ']' {
			if _, err := d.ReadToken(); err != nil {
				return false
			}
			end = int(d.InputOffset())
			w.stack = w.stack[:top]
			if top == 0 {
				break
			}
			continue
		}
		p := jsonPart{at: at, kind: kind}
		_, n := d.StackIndex(d.StackDepth())
		if top >= 0 {
			p.name = w.stack[top].object && n%2 == 0
			w.stack[top].index = int(n)
		}
		if kind == '{' || kind == '[' {
			if fn(p) {
				if err := d.SkipValue(); err != nil {
					return false
				}
			} else {
				if _, err := d.ReadToken(); err != nil {
					return false
				}
				w.stack = append(w.stack, jsonLevel{object: kind == '{'})
			}
			end = int(d.InputOffset())
			continue
		}
		if _, err := d.ReadToken(); err != nil {
			return false
		}
		end = int(d.InputOffset())
		p.end = end
		if p.name {
			w.stack[top].name = w.text[at:end]
		}
		fn(p)
		if top < 0 {
			break
		}
	}
	return len(bytes.TrimLeft(w.text[end:], " \t\r\n")) == 0 && len(w.stack) == 0 && end > 0
}

// member is the name of the member whose value comes, "" in an array.
func (w *jsonWalk) member() string {
	if top := len(w.stack) - 1; top >= 0 && w.stack[top].object {
		return string(stringBytes(w.stack[top].name))
	}
	return ""
}

// pointer is the JSON Pointer of the value that comes.
func (w *jsonWalk) pointer() string {
	var b strings.Builder
	for _, l := range w.stack {
		b.WriteByte('/')
		if l.object {
			b.WriteString(strings.NewReplacer("~", "~0", "/", "~1").Replace(string(stringBytes(l.name))))
		} else {
			b.WriteString(strconv.Itoa(l.index))
		}
	}
	return b.String()
}

// matches reports whether a pointer leads to the value that comes.
func (w *jsonWalk) matches(p *maskPointer) bool {
	if len(p.steps) != len(w.stack) {
		return false
	}
	for i, l := range w.stack {
		switch {
		case p.any[i]:
		case l.object:
			if string(stringBytes(l.name)) != p.steps[i] {
				return false
			}
		case strconv.Itoa(l.index) != p.steps[i]:
			return false
		}
	}
	return true
}

// isPublicMember lists names of members that isSecretName would take for
// secrets, though the protocol or JSON Schema gives them another meaning.
func isPublicMember(name string) bool {
	switch name {
	case "progressToken", "nextPageToken", "pageToken", "tokenType", "token_type", "idempotencyKey", "key":
		return true
	}
	return isPublicName(name) || strings.Contains(name, "/")
}
