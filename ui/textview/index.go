package textview

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"sort"
	"unicode/utf8"
)

// kind is the kind of a JSON value.
type kind uint8

const (
	kindObject kind = iota
	kindArray
	kindString
	kindNumber
	kindLiteral
)

// node is a JSON value: where it is, not what it is. Nodes stand in the order of the text, so the children of a node
// follow it.
type node struct {
	start, end       uint32 // the value in the raw bytes
	keyStart, keyEnd uint32 // its member name with the quotes; equal when it has none
	after            uint32 // index of the node after this one's subtree
	children         uint32
	depth            uint16
	kind             kind
}

func (n *node) container() bool { return n.kind <= kindArray }

// open reports whether the node stands on lines of its own: a container that is not empty.
func (n *node) open() bool { return n.container() && n.children > 0 }

// Index says where things are in raw bytes. It never changes, so any goroutine may read it.
type Index struct {
	raw   []byte
	nodes []node   // nil when the text is not JSON
	ranks []uint32 // open containers before each block of nodes
	lines int      // of the raw bytes
	first []line   // of the pretty layout of a big text
	err   *SyntaxError
}

// rankBlock is how many nodes share an entry of ranks.
const rankBlock = 64

// SyntaxError says why a text is not JSON.
type SyntaxError struct {
	Offset int
	Text   string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("%s at byte %d", e.Text, e.Offset) }

// ErrTooLarge is returned for texts of 4 GiB and more.
var ErrTooLarge = errors.New("text is too large to be shown")

// Build indexes raw, which must not change afterwards. Text that is not JSON gets an index too, see Index.Err. Build
// fails only when ctx ends or raw is too large. It takes some 10 ms for a megabyte of JSON at most.
func Build(ctx context.Context, raw []byte) (*Index, error) {
	if uint64(len(raw)) >= math.MaxUint32 {
		return nil, ErrTooLarge
	}
	lines := 1 + bytes.Count(raw, []byte{'\n'})
	p := parser{ctx: ctx, raw: raw}
	if err := p.run(); err != nil {
		var syntax *SyntaxError
		if !errors.As(err, &syntax) {
			return nil, fmt.Errorf("index text: %w", err)
		}
		return &Index{raw: raw, err: syntax, lines: lines}, nil
	}
	ix := &Index{raw: raw, nodes: p.nodes, lines: lines}
	ix.rank()
	if ix.big() {
		ix.first = newPrettyLayout(ix, piece).lines
	}
	return ix, nil
}

// bigText is from which size on going through the text would be felt: layouts and searches are made elsewhere.
const bigText = 2 << 20

func (x *Index) big() bool { return len(x.raw) >= bigText }

// Raw returns the bytes; they must not be changed.
func (x *Index) Raw() []byte { return x.raw }

// JSON reports whether the text is one JSON value.
func (x *Index) JSON() bool { return x.nodes != nil }

// Err says why the text is not JSON, or is nil.
func (x *Index) Err() *SyntaxError { return x.err }

func (x *Index) rank() {
	x.ranks = make([]uint32, len(x.nodes)/rankBlock+1)
	var n uint32
	for i := range x.nodes {
		if i%rankBlock == 0 {
			x.ranks[i/rankBlock] = n
		}
		if x.nodes[i].open() {
			n++
		}
	}
	if len(x.nodes)%rankBlock == 0 {
		x.ranks[len(x.nodes)/rankBlock] = n
	}
}

// opened returns how many open containers stand before node i.
func (x *Index) opened(i int) int {
	n := int(x.ranks[i/rankBlock])
	for k := i / rankBlock * rankBlock; k < i; k++ {
		if x.nodes[k].open() {
			n++
		}
	}
	return n
}

// number returns the number of the line on which node i begins when nothing is folded, counted from 1. Before it
// stand one line for every earlier node and one for every container that has ended.
func (x *Index) number(i int) int { return 1 + i + x.opened(i) - int(x.nodes[i].depth) }

// closingNumber returns the number of the line that closes node i.
func (x *Index) closingNumber(i int) int {
	e := int(x.nodes[i].after)
	return e + x.opened(e) - int(x.nodes[i].depth)
}

// numbers returns the highest number of a line.
func (x *Index) numbers() int {
	if x.nodes[0].open() {
		return x.closingNumber(0)
	}
	return 1
}

// last reports whether node i is the last member or element of its container, or the top value.
func (x *Index) last(i int) bool {
	a := int(x.nodes[i].after)
	return a >= len(x.nodes) || x.nodes[a].depth != x.nodes[i].depth
}

// at returns the innermost node that holds the byte at offset, names included; the top value when it is outside.
func (x *Index) at(offset int) int {
	i := sort.Search(len(x.nodes), func(i int) bool { return int(x.nodes[i].first()) > offset }) - 1
	if i <= 0 {
		return 0
	}
	if offset < int(x.nodes[i].end) {
		return i
	}
	// After the end of node i: an ancestor, found from the top.
	for n := 0; ; {
		next := -1
		for c := n + 1; c < int(x.nodes[n].after); c = int(x.nodes[c].after) {
			if int(x.nodes[c].first()) <= offset && offset < int(x.nodes[c].end) {
				next = c
				break
			}
		}
		if next < 0 {
			return n
		}
		n = next
	}
}

// first returns where the node or its name begins.
func (n *node) first() uint32 {
	if n.keyEnd > n.keyStart {
		return n.keyStart
	}
	return n.start
}

// parser reads JSON into nodes. It is lenient inside tokens, because it is there to show them: numbers are what looks
// like one, strings may hold control characters and broken UTF-8. Depth is not limited: it does not recurse.
type parser struct {
	ctx   context.Context
	raw   []byte
	i     int
	nodes []node
	stack []uint32 // open containers
}

// checkEvery is how many values are read between two looks at the context.
const checkEvery = 1 << 16

func (p *parser) fail(text string) error { return &SyntaxError{Offset: p.i, Text: text} }

func (p *parser) space() {
	for p.i < len(p.raw) {
		switch p.raw[p.i] {
		case ' ', '\t', '\n', '\r':
			p.i++
		default:
			return
		}
	}
}

func (p *parser) run() error {
	if bytes.HasPrefix(p.raw, []byte("\xef\xbb\xbf")) {
		return p.fail("byte order mark before the value")
	}
	// Every value but the top one follows a comma or an opening bracket.
	p.nodes = make([]node, 0, 1+bytes.Count(p.raw, []byte{','})+bytes.Count(p.raw, []byte{'{'})+bytes.Count(p.raw, []byte{'['}))
	for {
		p.space()
		if len(p.nodes)%checkEvery == 0 {
			if err := p.ctx.Err(); err != nil {
				return err
			}
		}
		// A value, after its name where it is a member.
		n := node{depth: uint16(min(len(p.stack), math.MaxUint16))}
		if len(p.stack) > 0 {
			parent := &p.nodes[p.stack[len(p.stack)-1]]
			if parent.kind == kindObject {
				if p.i >= len(p.raw) || p.raw[p.i] != '"' {
					return p.fail("expected a member name")
				}
				n.keyStart = uint32(p.i)
				if err := p.str(); err != nil {
					return err
				}
				n.keyEnd = uint32(p.i)
				p.space()
				if p.i >= len(p.raw) || p.raw[p.i] != ':' {
					return p.fail("expected a colon")
				}
				p.i++
				p.space()
			}
			parent.children++
		}
		n.start = uint32(p.i)
		opened, err := p.value(&n)
		if err != nil {
			return err
		}
		p.nodes = append(p.nodes, n)
		self := uint32(len(p.nodes) - 1)
		if opened {
			p.stack = append(p.stack, self)
			continue
		}
		p.nodes[self].end, p.nodes[self].after = uint32(p.i), self+1
		if done, err := p.closeContainers(); done || err != nil {
			return err
		}
	}
}

// value reads a scalar or an empty container whole, and the opening of another container, for which it returns true.
func (p *parser) value(n *node) (opened bool, err error) {
	if p.i >= len(p.raw) {
		return false, p.fail("unexpected end, expected a value")
	}
	switch c := p.raw[p.i]; {
	case c == '{' || c == '[':
		n.kind = kindObject
		if c == '[' {
			n.kind = kindArray
		}
		p.i++
		p.space()
		if p.i < len(p.raw) && p.raw[p.i] == c+2 { // } and ] are two after { and [
			p.i++
			return false, nil
		}
		return true, nil
	case c == '"':
		n.kind = kindString
		return false, p.str()
	case c == '-' || c >= '0' && c <= '9':
		n.kind = kindNumber
		for p.i < len(p.raw) && numeric(p.raw[p.i]) {
			p.i++
		}
		return false, nil
	}
	n.kind = kindLiteral
	for _, l := range []string{"true", "false", "null"} {
		if len(p.raw)-p.i >= len(l) && string(p.raw[p.i:p.i+len(l)]) == l {
			p.i += len(l)
			return false, nil
		}
	}
	return false, p.fail("expected a value")
}

func numeric(c byte) bool {
	return c >= '0' && c <= '9' || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E'
}

// closeContainers reads what may follow a value: the comma before the next, or ends of containers. It returns true at
// the end of the top value.
func (p *parser) closeContainers() (done bool, err error) {
	for {
		p.space()
		if len(p.stack) == 0 {
			if p.i < len(p.raw) {
				return false, p.fail("more text after the value")
			}
			return true, nil
		}
		n := &p.nodes[p.stack[len(p.stack)-1]]
		end := byte('}')
		if n.kind == kindArray {
			end = ']'
		}
		switch {
		case p.i >= len(p.raw):
			return false, p.fail("unexpected end inside " + map[byte]string{'}': "an object", ']': "an array"}[end])
		case p.raw[p.i] == ',':
			p.i++
			return false, nil
		case p.raw[p.i] == end:
			p.i++
			n.end, n.after = uint32(p.i), uint32(len(p.nodes))
			p.stack = p.stack[:len(p.stack)-1]
		default:
			return false, p.fail("expected a comma or " + string(end))
		}
	}
}

// str reads a string with its quotes.
func (p *parser) str() error {
	start := p.i
	for i := start + 1; i < len(p.raw); {
		j := bytes.IndexByte(p.raw[i:], '"')
		if j < 0 {
			break
		}
		j += i
		// The quote ends the string unless an odd number of backslashes stands before it.
		k := j
		for k > start+1 && p.raw[k-1] == '\\' {
			k--
		}
		if (j-k)%2 == 0 {
			p.i = j + 1
			return nil
		}
		i = j + 1
	}
	return p.fail("unterminated string")
}

// Text reports whether the bytes look like text: UTF-8 without NUL at the start.
func (x *Index) Text() bool {
	head := x.raw[:align(x.raw, min(len(x.raw), sniffBytes))]
	return utf8.Valid(head) && bytes.IndexByte(head, 0) < 0
}
