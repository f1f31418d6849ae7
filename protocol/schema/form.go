package schema

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
)

// Form is an editable value over a schema. The form and its JSON are two views
// of one value: what is loaded comes out again, in order and with its number
// text, unless the person changed it.
//
// A Form belongs to one goroutine; Schemas can be shared.
type Form struct {
	schema   *Schema
	root     *Node
	rev      uint64
	checked  uint64
	problems []protocol.Problem
	views    map[string]*view
	ids      map[*part]int
	steps    int // left for conditions and variants in this revision (BASE-31)
	fills    int // sections opened by themselves in this revision
	// exhausted says that the conditions of the schema ask for too much work.
	exhausted bool
}

const (
	maxViews  = 4096    // bounds the cache of views
	formSteps = 200_000 // work for conditions and variants after one edit (BASE-31)
)

// NewForm makes a form with the schema's defaults filled in (ELIC-10). A member
// without a default starts absent, except what the schema leaves no choice
// about: required constants, and required objects and lists, which start empty.
func NewForm(s *Schema) *Form {
	f := &Form{schema: s, rev: 1, steps: formSteps, views: map[string]*view{}, ids: map[*part]int{}}
	f.root = &Node{form: f, required: true}
	if s.root != nil {
		f.root.roots = []*part{s.root}
	}
	f.root.seed()
	f.settle()
	f.exhausted = f.steps <= 0
	f.steps, f.fills = formSteps, 0
	return f
}

// Schema is what the form was made from.
func (f *Form) Schema() *Schema { return f.schema }

// Root is the node of the whole value.
func (f *Form) Root() *Node { return f.root }

// Revision counts the changes of values and problems. A widget that remembers
// it knows whether it has something to redraw; see also Node.Revision.
func (f *Form) Revision() uint64 { return f.rev }

// Value is the value as it would be sent. When a draft does not parse there is
// none, and the problems say which and where; that is for the person to mend,
// or to send Text as it is. A value that breaks the schema is still a value.
func (f *Form) Value() (jsontext.Value, []protocol.Problem) {
	var drafts []placed
	f.root.drafts(&drafts)
	if len(drafts) > 0 {
		out := make([]protocol.Problem, len(drafts))
		for i, d := range drafts {
			out[i] = d.p
		}
		return nil, out
	}
	return f.root.JSON(), nil
}

// Text is the value as JSON text, drafts included as they were typed; "" when
// the root is absent. It is what the JSON view of the form shows.
func (f *Form) Text() string {
	if f.root.state == StateAbsent {
		return ""
	}
	return string(f.root.appendTo(nil, true))
}

// SetValue replaces the whole value. Nothing of it is lost, members that the
// schema does not know included. It fails only on text that is not JSON.
func (f *Form) SetValue(v jsontext.Value) error { return f.root.SetJSON(v) }

// Reset starts over with the schema's defaults.
func (f *Form) Reset() {
	f.root.forget()
	f.root.seeded = false
	f.root.seed()
	f.changed(f.root)
}

// Problems lists everything that is wrong, in the order of the form: drafts that
// do not parse and what Validate finds. Pointers lead to nodes by Node.At.
func (f *Form) Problems() []protocol.Problem {
	f.check()
	return f.problems
}

// changed notes an edit of n and lets everything that depends on it follow.
func (f *Form) changed(n *Node) {
	f.rev++
	f.settle()
	f.exhausted = f.steps <= 0
	f.steps, f.fills = formSteps, 0
	for ; n != nil; n = n.parent {
		n.rev = f.rev
	}
}

// settle re-reads the conditions until nothing changes any more.
func (f *Form) settle() {
	const rounds = 8 // conditions that feed each other need a few; a loop of them must end
	for range rounds {
		if !f.root.refresh() {
			return
		}
	}
}

// check validates when something changed since the last time.
func (f *Form) check() {
	if f.checked == f.rev {
		return
	}
	f.checked = f.rev
	var all []placed
	f.root.drafts(&all)
	if f.exhausted {
		all = append(all, placed{protocol.Problem{Rule: "BASE-31", Severity: protocol.Warning, Offset: -1,
			Text: "has conditions that ask for too much work; some fields may be missing"}, f.root})
	}
	if f.schema.unusable != nil {
		all = append(all, placed{f.schema.Validate(nil)[0], f.root})
	} else if f.root.state != StateAbsent {
		value, size, depth := f.root.plain()
		for _, is := range f.schema.run(f.schema.root, value, size, depth, f.branchAt) {
			p := is.problem()
			n, _ := f.root.near(p.Pointer)
			if n.state == StateDraft {
				continue
			}
			if n.isHole() {
				p.Text, p.Rule = "is required", "schema.required"
			}
			all = append(all, placed{p, n})
		}
	}
	f.place(all)
}

// placed is a problem and the node that shows it.
type placed struct {
	p protocol.Problem
	n *Node
}

// place hands the problems to the nodes and sorts them as the form is read.
func (f *Form) place(all []placed) {
	before := map[*Node]string{}
	at := map[*Node]int{}
	f.root.walk(func(n *Node) {
		at[n] = len(at)
		if len(n.problems) > 0 {
			before[n] = fmt.Sprint(n.problems)
			n.problems = nil
		}
	})
	slices.SortStableFunc(all, func(a, b placed) int {
		if d := at[a.n] - at[b.n]; d != 0 {
			return d
		}
		return strings.Compare(a.p.Pointer, b.p.Pointer)
	})
	f.problems = f.problems[:0:0]
	changed := map[*Node]bool{}
	for _, x := range all {
		f.problems = append(f.problems, x.p)
		x.n.problems = append(x.n.problems, x.p)
		changed[x.n] = true
	}
	for n := range before {
		changed[n] = true
	}
	for n := range changed {
		now := ""
		if len(n.problems) > 0 {
			now = fmt.Sprint(n.problems)
		}
		if now == before[n] {
			continue
		}
		for m := n; m != nil; m = m.parent {
			m.rev = f.rev
		}
	}
}

// walk visits the nodes that exist, in the order of the form.
func (n *Node) walk(visit func(*Node)) {
	visit(n)
	if n.state != StateValue || n.shape == 0 {
		return
	}
	for _, c := range n.Children() {
		c.walk(visit)
	}
}

// branchAt tells the validator's report which branch is picked in the form.
func (f *Form) branchAt(p *part, keyword string, path []string) int {
	n, rest := f.root.near(pointerOf(path))
	if rest != "" {
		return -1
	}
	v := n.look()
	for _, g := range v.groups {
		if g.key == (pickKey{p, keyword}) && n.asJSON == "" {
			return g.branches[g.picked]
		}
	}
	if n.state == StateNull {
		return -1
	}
	list, only := p.anyOf, -1
	if keyword == "oneOf" {
		list = p.oneOf
	}
	for i, c := range list {
		if c.onlyNull() {
			continue
		}
		if only >= 0 {
			return -1
		}
		only = i
	}
	return only
}
