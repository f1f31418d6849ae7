package schema

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/protocol/jsonvalue"
)

// appendTo writes the node's value; drafts are written as typed when loose.
func (n *Node) appendTo(b []byte, loose bool) []byte {
	switch {
	case n.state == StateDraft && loose:
		return append(b, n.text...)
	case n.state == StateNull || n.state == StateAbsent || n.state == StateDraft:
		return append(b, "null"...)
	case n.shape == 0:
		return n.val.AppendTo(b)
	}
	open, end := byte('{'), byte('}')
	if n.shape == '[' {
		open, end = '[', ']'
	}
	b = append(b, open)
	for i, c := range n.sent() {
		if i > 0 {
			b = append(b, ',')
		}
		if n.shape == '{' {
			b = append(append(b, c.literalName()...), ':')
		}
		b = c.appendTo(b, loose)
	}
	return append(b, end)
}

func (n *Node) literalName() string {
	if n.lit == "" {
		n.lit = jsonvalue.Quote(n.name)
	}
	return n.lit
}

// sent are the children that are part of the value. Places of a tuple after the
// last filled one are not.
func (n *Node) sent() []*Node {
	if n.shape == '{' {
		return n.order
	}
	last := len(n.order)
	for last > 0 && n.order[last-1].state == StateAbsent {
		last--
	}
	return n.order[:last]
}

// isHole reports an empty place of a tuple before a filled one.
func (n *Node) isHole() bool { return n.isItem() && n.state == StateAbsent }

// plain decodes the node's value for the validator, with its size and depth.
func (n *Node) plain() (v any, size, depth int) {
	switch {
	case n.state == StateDraft:
		return draft, 1, 0
	case n.state != StateValue:
		return nil, 1, 0
	case n.shape == 0:
		if !n.hasPlain {
			n.plainVal, n.hasPlain = n.val.Plain(), true
			n.size, n.depth = n.val.Count()
		}
		return n.plainVal, n.size, n.depth
	}
	size = 1
	take := func(c *Node) any {
		v, s, d := c.plain()
		size += s
		depth = max(depth, d+1)
		return v
	}
	if n.shape == '[' {
		list := n.sent()
		out := make([]any, len(list))
		for i, c := range list {
			out[i] = take(c)
		}
		return out, size, depth
	}
	out := make(map[string]any, len(n.order))
	for _, c := range n.order {
		out[c.name] = take(c)
	}
	return out, size, depth
}

// drafts lists the texts inside that are not values yet.
func (n *Node) drafts(out *[]placed) {
	if n.state == StateDraft {
		p := protocol.Problem{Rule: "form.draft", Severity: protocol.Violation, Pointer: n.Pointer(), Offset: -1, Text: n.draftText()}
		*out = append(*out, placed{p, n})
		return
	}
	if n.state == StateValue && n.shape != 0 {
		for _, c := range n.sent() {
			c.drafts(out)
		}
	}
}

// draftText says what is wrong with the typed text.
func (n *Node) draftText() string {
	typed := strings.TrimSpace(n.text)
	switch kind := n.Kind(); {
	case typed == "":
		return "has no value yet"
	case kind == KindNumber || kind == KindInteger:
		switch strings.ToLower(strings.TrimLeft(typed, "+-")) {
		case "nan", "inf", "infinity":
			return "is not a number that JSON has"
		}
		return "is not a JSON number such as 42, -1.5 or 2e10"
	case kind == KindBoolean:
		return "must be true or false"
	case kind == KindSelect || kind == KindConst:
		return "must be one of " + listedChoices(n.look().choices)
	}
	_, err := jsonvalue.Parse([]byte(n.text))
	if err == nil {
		return "does not fit"
	}
	line, column := lineColumn(n.text, syntaxOffset(err))
	return fmt.Sprintf("is not JSON: line %d, column %d: %s", line, column, cause(err))
}

func listedChoices(choices []Choice) string {
	values := make([]*jsonvalue.Value, len(choices))
	for i, c := range choices {
		values[i] = c.value
	}
	return listed(values)
}

// lineColumn counts from 1, in characters.
func lineColumn(text string, offset int) (line, column int) {
	offset = max(0, min(offset, len(text)))
	before := text[:offset]
	line = 1 + strings.Count(before, "\n")
	return line, 1 + utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
}

// load takes a value over as it is.
func (n *Node) load(d *jsonvalue.Value) {
	n.asJSON, n.picks, n.stash = "", nil, nil
	n.text, n.typed = "", false
	n.plainVal, n.hasPlain = nil, false
	open := n.shape != 0
	n.shape = 0
	n.loaded, n.exact, n.seeded = true, true, true
	n.state, n.val = StateValue, d
	n.view = nil
	if d.Kind == 'n' && n.look().nullState() {
		n.state, n.val = StateNull, nil
	}
	if open { // somebody has looked inside: the nodes there take the new values
		n.expand()
	}
}

// nullState reports that null is a state of its own for the view rather than a
// value like others.
func (v *view) nullState() bool {
	return v.kind != KindConst || len(v.choices) == 0 || v.choices[0].key != "n"
}

// forget makes the node absent and drops everything in it.
func (n *Node) forget() {
	for _, c := range n.kids {
		c.gone = true
	}
	for _, c := range n.order {
		c.gone = true
	}
	n.kids, n.order, n.shape = nil, nil, 0
	n.asJSON, n.picks, n.stash = "", nil, nil
	n.text, n.typed, n.val = "", false, nil
	n.plainVal, n.hasPlain = nil, false
	n.state, n.loaded, n.exact, n.view = StateAbsent, false, false, nil
}

// misfit says why a loaded value cannot be shown in the control for its kind.
func (n *Node) misfit(v *view) string {
	if n.state != StateValue || n.val == nil {
		return ""
	}
	want := typeSet(0)
	switch v.kind {
	case KindText:
		want = tString
	case KindNumber, KindInteger:
		want = tNumber
	case KindBoolean:
		want = tBoolean
	case KindObject, KindMap:
		want = tObject
	case KindArray, KindTuple, KindMultiSelect:
		want = tArray
	default:
		return ""
	}
	if got := typeOf(n.val); !want.admits(got) {
		return "the value is " + got.says() + " where the schema asks for " + v.types.says()
	}
	return ""
}

// errNotJSON wraps the reason why a text cannot be loaded.
func errNotJSON(text jsontext.Value, err error) error {
	line, column := lineColumn(string(text), syntaxOffset(err))
	return fmt.Errorf("loading JSON: line %d, column %d: %w", line, column, err)
}

var errName = errors.New("the name is taken")
