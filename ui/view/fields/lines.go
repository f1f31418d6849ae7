package fields

import "mcploupe/protocol/schema"

// Role says what a line of a form is for.
type Role uint8

// The roles.
const (
	Field   Role = iota // a control for a value
	Section             // the head of an object or a list; what is in it follows
	Add                 // adds an item or a member to Node
	More                // Node has more than is shown
)

// Line is one line of a form. Two lines that are equal are the same line.
type Line struct {
	Node  *schema.Node
	Role  Role
	Depth int // how far it is set in
}

// MaxShown is how many items or members of one node have lines; the rest can be
// edited as JSON.
const MaxShown = 1000

// Lines lists the lines of a form, in order, into the slice given. What is in a
// folded section has none.
func Lines(f *schema.Form, folded func(*schema.Node) bool, into []Line) []Line {
	root := f.Root()
	if !holds(root) || headed(root) {
		return appendNode(into[:0], root, 0, folded)
	}
	return appendInside(into[:0], root, 0, folded)
}

// holds reports that what is in the node has lines of its own.
func holds(n *schema.Node) bool {
	switch n.Kind() {
	case schema.KindObject, schema.KindMap, schema.KindArray, schema.KindTuple:
		return n.State() == schema.StateValue || n.State() == schema.StateDraft && len(n.Children()) > 0
	}
	return false
}

// headed reports that the root needs a line for itself.
func headed(root *schema.Node) bool {
	return root.Kind() != schema.KindObject || len(root.Pickers()) > 0 || len(root.Problems()) > 0
}

func appendNode(out []Line, n *schema.Node, depth int, folded func(*schema.Node) bool) []Line {
	if !holds(n) {
		return append(out, Line{n, Field, depth})
	}
	out = append(out, Line{n, Section, depth})
	if folded(n) {
		return out
	}
	return appendInside(out, n, depth+1, folded)
}

func appendInside(out []Line, n *schema.Node, depth int, folded func(*schema.Node) bool) []Line {
	children := n.Children()
	for i, c := range children {
		if i == MaxShown {
			out = append(out, Line{n, More, depth})
			break
		}
		out = appendNode(out, c, depth, folded)
	}
	if Adds(n) {
		out = append(out, Line{n, Add, depth})
	}
	return out
}

// Adds reports that the node has a line to add to it. Objects can nearly always
// take more members than the schema names; only the outermost says so with a
// line, the others in their menus.
func Adds(n *schema.Node) bool {
	if !n.CanAdd() {
		return false
	}
	return n.Kind() != schema.KindObject || n.Parent() == nil
}

// FoldedAtFirst reports that a section starts folded: what is deep, and the
// items of long lists.
func FoldedAtFirst(n *schema.Node) bool {
	depth := 0
	for p := n.Parent(); p != nil; p = p.Parent() {
		depth++
	}
	if depth > 3 {
		return true
	}
	p := n.Parent()
	return p != nil && (p.Kind() == schema.KindArray || p.Kind() == schema.KindMap) && Count(p) > 8
}

// Count is the number of items or of members that are sent.
func Count(n *schema.Node) int {
	count := 0
	for _, c := range n.Children() {
		if c.State() != schema.StateAbsent {
			count++
		}
	}
	return count
}
