package mcpjson

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Kind is the kind of a JSON value.
type Kind uint8

// The kinds of values. Broken stands for what is no value.
const (
	Broken Kind = iota
	Object
	Array
	String
	Number
	Bool
	Null
)

var kindWords = [...]string{"something broken", "an object", "a list", "text", "a number", "true or false", "null"}

// String names the kind for a person.
func (k Kind) String() string { return kindWords[k] }

// Node is a value in a text. Start and End are offsets in bytes.
type Node struct {
	Kind       Kind
	Start, End int
	Members    []Member // of an object, in order, duplicates included
	Items      []*Node  // of an array
	Text       string   // of a string, unquoted

	src []byte
	bad bool // something below is broken
}

// Member is a member of an object.
type Member struct {
	Name  string
	At    int // offset of the name
	Value *Node
	comma int // offset of the comma after it, -1 for none
}

// Get is the last member of that name, nil for none: that is the one which
// programs take.
func (n *Node) Get(name string) *Node {
	if m := n.member(name); m != nil {
		return m.Value
	}
	return nil
}

func (n *Node) member(name string) *Member {
	if n == nil || n.Kind != Object {
		return nil
	}
	for i := len(n.Members) - 1; i >= 0; i-- {
		if n.Members[i].Name == name {
			return &n.Members[i]
		}
	}
	return nil
}

// JSON is the value without comments, trailing commas and members that later
// ones of their name hide, in one line. Numbers are as they are written; what is
// broken is null.
func (n *Node) JSON() jsontext.Value { return n.appendJSON(nil) }

func (n *Node) appendJSON(b []byte) []byte {
	switch n.Kind {
	case Object:
		b = append(b, '{')
		last := make(map[string]int, len(n.Members))
		for i, m := range n.Members {
			last[m.Name] = i
		}
		first := true
		for i, m := range n.Members {
			if last[m.Name] != i {
				continue
			}
			if !first {
				b = append(b, ',')
			}
			first = false
			b = append(quoted(b, m.Name), ':')
			b = m.Value.appendJSON(b)
		}
		return append(b, '}')
	case Array:
		b = append(b, '[')
		for i, v := range n.Items {
			if i > 0 {
				b = append(b, ',')
			}
			b = v.appendJSON(b)
		}
		return append(b, ']')
	case String:
		return quoted(b, n.Text)
	case Broken:
		return append(b, "null"...)
	}
	return append(b, n.src[n.Start:n.End]...)
}

// quoted appends s as a JSON string; what is not UTF-8 is replaced.
func quoted(b []byte, s string) []byte {
	out, _ := jsontext.AppendQuote(b, strings.ToValidUTF8(s, "\uFFFD")) // cannot fail for valid UTF-8
	return out
}
