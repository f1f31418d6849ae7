package textview

import (
	"strconv"
	"strings"
)

// Value is a JSON value in a text.
type Value struct {
	Kind       string // object, array, string, number, literal; "" where there is none
	Pointer    string // JSON Pointer; names as sent, escapes of the text undone only where they are plain
	Start, End int    // its bytes
}

var kindNames = [...]string{"object", "array", "string", "number", "literal"}

// ValueAtCaret returns the innermost value at the caret.
func (v *View) ValueAtCaret() (Value, bool) {
	if !v.index.JSON() {
		return Value{}, false
	}
	o := v.offsetOf(v.caret)
	if o < 0 {
		return Value{}, false
	}
	return v.index.Value(o)
}

// Value returns the innermost value that holds the byte at offset, its name included.
func (x *Index) Value(offset int) (Value, bool) {
	if !x.JSON() {
		return Value{}, false
	}
	return x.valueOf(x.at(offset)), true
}

func (x *Index) valueOf(i int) Value {
	n := &x.nodes[i]
	return Value{Kind: kindNames[n.kind], Pointer: x.pointer(i), Start: int(n.start), End: int(n.end)}
}

// pointer returns the JSON Pointer of node i.
func (x *Index) pointer(i int) string {
	var b strings.Builder
	for n := 0; n != i; {
		c, ordinal := n+1, 0
		for int(x.nodes[c].after) <= i {
			c = int(x.nodes[c].after)
			ordinal++
		}
		b.WriteByte('/')
		if x.nodes[n].kind == kindArray {
			b.WriteString(strconv.Itoa(ordinal))
		} else {
			b.WriteString(pointerToken(x.raw[x.nodes[c].keyStart:x.nodes[c].keyEnd]))
		}
		n = c
	}
	return b.String()
}

// pointerToken makes a reference token of a member name with its quotes.
func pointerToken(key []byte) string {
	name, err := strconv.Unquote(string(key))
	if err != nil { // JSON's escaped slash, or an escape Go does not know
		name = strings.ReplaceAll(strings.Trim(string(key), `"`), `\/`, "/")
	}
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}
