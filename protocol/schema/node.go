package schema

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/protocol/jsonvalue"
)

// State says what a node holds.
type State uint8

// The states. Absent, null and a value are three things; "" is a value. A draft
// is text that is not a value yet: it is kept, reported, and never sent as if
// it were absent.
const (
	StateAbsent State = iota
	StateNull
	StateValue
	StateDraft
)

var stateNames = [...]string{"absent", "null", "value", "draft"}

func (s State) String() string { return stateNames[s] }

// Node is one place of a form. Nodes keep their identity while the form lives,
// so that a widget can hold on to one; a node that Detached reports is no
// longer part of the form.
//
// Nodes belong to one goroutine, like the Form they are in.
type Node struct {
	form   *Form
	parent *Node
	name   string // member name; "" for items
	lit    string // the name as it was written
	index  int    // place among the items
	gone   bool

	roots    []*part
	required bool
	declared bool // the schemas name this member
	loaded   bool // came with SetJSON rather than from the form
	exact    bool // of a container: nothing is to be filled in
	parked   bool // no longer described: kept aside, not sent
	seeded   bool
	view     *view
	picks    map[pickKey]int
	asJSON   string // why the node is edited as JSON although its kind is another

	state    State
	text     string           // as typed
	typed    bool             // text is what the person typed; otherwise it follows from val
	val      *jsonvalue.Value // the value, unless it is in the children
	plainVal any              // val decoded, made when first needed
	hasPlain bool
	size     int // of val
	depth    int
	shape    jsontext.Kind // '{' or '[' when the value is in the children
	kids     map[string]*Node
	order    []*Node // members that are sent, in order; or all items
	stash    map[string]content

	problems []protocol.Problem
	rev      uint64
}

// content is a value set aside while another branch is picked.
type content struct {
	state State
	text  string
	typed bool
	val   *jsonvalue.Value
	shape jsontext.Kind
	kids  map[string]*Node
	order []*Node
}

// Parent is the node around this one, nil for the root.
func (n *Node) Parent() *Node { return n.parent }

// Detached reports that the node has been removed from the form.
func (n *Node) Detached() bool {
	for ; n != nil; n = n.parent {
		if n.gone || n.parked {
			return true
		}
	}
	return false
}

// Revision is the form's revision at which the state, the kind or the problems
// of the node or of something in it last changed.
func (n *Node) Revision() uint64 { return n.rev }

// Name is the member's name, or the number of an item counted from 1.
func (n *Node) Name() string {
	if n.isItem() {
		return strconv.Itoa(n.index + 1)
	}
	return n.name
}

func (n *Node) isItem() bool { return n.parent != nil && n.parent.shape == '[' }

// Pointer is the JSON Pointer of the node in the form's value.
func (n *Node) Pointer() string {
	switch {
	case n.parent == nil:
		return ""
	case n.isItem():
		return jsonvalue.ChildIndex(n.parent.Pointer(), n.index)
	}
	return jsonvalue.Child(n.parent.Pointer(), n.name)
}

// Kind says which control the node needs. It can change when other values do.
func (n *Node) Kind() Kind {
	v := n.look()
	if n.asJSON != "" && v.kind != KindAny {
		return KindJSON
	}
	return v.kind
}

// Reason says why the node is a JSON field, in a phrase; "" when it is not.
func (n *Node) Reason() string {
	v := n.look()
	if v.kind == KindJSON {
		return v.reason
	}
	return n.asJSON
}

// Label is the title of the node, or its name.
func (n *Node) Label() string {
	if t := n.look().title(); t != "" {
		return t
	}
	if n.isItem() {
		return "#" + n.Name()
	}
	return n.name
}

// Description is what the schemas say about the node, "" when they say nothing.
func (n *Node) Description() string { return n.look().description() }

// Required reports that the schema asks for a value here. An item of a list is
// never absent.
func (n *Node) Required() bool { return n.required || n.isItem() }

// Declared reports that the schema names this member; one that it does not can
// be renamed and removed.
func (n *Node) Declared() bool { return n.declared || n.parent == nil }

// Nullable reports that null is one of the values the schema lists.
func (n *Node) Nullable() bool { return n.look().nullable }

// Choices are what can be chosen in a select, multi-select or constant. The
// slice is shared and must not be changed.
func (n *Node) Choices() []Choice { return n.look().choices }

// State says what the node holds.
func (n *Node) State() State {
	if n.state == StateValue && n.draftBelow() {
		return StateDraft
	}
	return n.state
}

// draftBelow reports that something inside does not parse yet.
func (n *Node) draftBelow() bool {
	if n.state == StateDraft {
		return true
	}
	if n.state != StateValue || n.shape == 0 {
		return false
	}
	for _, c := range n.order {
		if c.draftBelow() {
			return true
		}
	}
	return false
}

// Text is what an entry for the node shows: the text itself for KindText, the
// number as typed, JSON for anything else; "" when there is no value.
func (n *Node) Text() string {
	switch {
	case n.state == StateAbsent:
		return ""
	case n.typed:
		return n.text
	case n.state == StateNull && n.Kind() != KindAny && n.Kind() != KindJSON:
		return ""
	case n.val != nil && n.val.Kind == '"' && n.Kind() != KindAny && n.Kind() != KindJSON:
		return n.val.Str
	}
	return string(n.appendTo(nil, true))
}

// JSON is the node's value; nil when it is absent or a draft is in it.
func (n *Node) JSON() jsontext.Value {
	if n.state == StateAbsent || n.draftBelow() {
		return nil
	}
	return n.appendTo(nil, false)
}

// Bool is the value of a boolean; ok is false in any other state.
func (n *Node) Bool() (value, ok bool) {
	if n.state != StateValue || n.val == nil || typeOf(n.val) != tBoolean {
		return false, false
	}
	return n.val.Kind == 't', true
}

// Selected is the index of the value among the choices; -1 when it is none of them.
func (n *Node) Selected() int {
	if n.state != StateValue || n.val == nil {
		return -1
	}
	if i, ok := n.look().choiceIx[n.val.Key()]; ok {
		return i
	}
	return -1
}

// Chosen reports for each choice of a multi-select whether it is in the list.
func (n *Node) Chosen() []bool {
	v := n.look()
	out := make([]bool, len(v.choices))
	for _, d := range n.itemData() {
		if d == nil {
			continue
		}
		if i, ok := v.choiceIx[d.Key()]; ok {
			out[i] = true
		}
	}
	return out
}

// itemData are the values of the items, nil for drafts.
func (n *Node) itemData() []*jsonvalue.Value {
	if n.state != StateValue {
		return nil
	}
	if n.shape != '[' {
		return itemsOf(n.val)
	}
	out := make([]*jsonvalue.Value, len(n.order))
	for i, c := range n.order {
		if text := c.JSON(); text != nil {
			out[i], _ = jsonvalue.Parse(text)
		}
	}
	return out
}

// Children are the members in the order of the schema, then those the schema
// does not name; or the items. Absent members are among them. A node without a
// value has no children.
func (n *Node) Children() []*Node {
	if !n.Kind().container() || n.state != StateValue {
		return nil
	}
	n.expand()
	if n.shape == '[' {
		return append([]*Node(nil), n.order...)
	}
	out := make([]*Node, 0, len(n.order))
	for _, d := range n.look().declared {
		if c := n.kids[d.name]; c != nil {
			out = append(out, c)
		}
	}
	for _, c := range n.order {
		if !c.declared || n.kids[c.name] != c {
			out = append(out, c)
		}
	}
	return out
}

// Member finds a child by its name; nil when there is none.
func (n *Node) Member(name string) *Node {
	if n.state != StateValue || !n.Kind().container() {
		return nil
	}
	n.expand()
	if c := n.kids[name]; n.shape == '{' && c != nil && !c.parked && (c.declared || c.state != StateAbsent) {
		return c
	}
	return nil
}

// At finds the node at a JSON Pointer below this one; nil when there is none.
func (n *Node) At(pointer string) *Node {
	at, rest := n.near(pointer)
	if rest != "" {
		return nil
	}
	return at
}

// near follows a pointer as far as there are nodes and returns what is left.
func (n *Node) near(pointer string) (*Node, string) {
	for pointer != "" {
		end := 1
		for end < len(pointer) && pointer[end] != '/' {
			end++
		}
		tok := jsonvalue.UnescapeToken(pointer[1:end])
		var next *Node
		switch {
		case n.state != StateValue || !n.look().kind.container() || n.asJSON != "":
		case n.look().kind == KindObject || n.look().kind == KindMap:
			next = n.Member(tok)
		default:
			n.expand()
			if i, err := strconv.Atoi(tok); err == nil && i >= 0 && i < len(n.order) {
				next = n.order[i]
			}
		}
		if next == nil {
			break
		}
		n, pointer = next, pointer[end:]
	}
	return n, pointer
}

// Problems are what is wrong with this node, not with its children. A problem
// deeper inside a value that has no nodes is given to the nearest one.
func (n *Node) Problems() []protocol.Problem {
	n.form.check()
	return n.problems
}

// Picker is a place where the schema offers several forms of a value.
type Picker struct {
	Titles []string
	Picked int
	Says   []string // a description for each, "" when there is none
}

// Pickers are the variants to pick from, outermost first. Most nodes have none.
func (n *Node) Pickers() []Picker {
	v := n.look()
	out := make([]Picker, len(v.groups))
	for i, g := range v.groups {
		out[i] = Picker{Titles: g.titles, Picked: g.picked, Says: make([]string, len(g.branches))}
		if g.key.n == nil {
			continue
		}
		list := g.key.n.anyOf
		if g.key.keyword == "oneOf" {
			list = g.key.n.oneOf
		}
		for at, b := range g.branches {
			c := list[b]
			for hops := 0; c.description == "" && c.refTo != nil && hops < 16; hops++ {
				c = c.refTo
			}
			out[i].Says[at] = c.description
		}
	}
	return out
}
