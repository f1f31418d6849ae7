package schema

import (
	"mcploupe/protocol/jsonvalue"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// FuzzForm feeds foreign schemas and values: nothing may panic or hang, what is
// loaded must come out again, and edits must leave JSON.
func FuzzForm(f *testing.F) {
	inputs, outputs := corpus(f)
	for i, c := range append(inputs, outputs...) {
		if i%9 == 0 && len(c.text) < 4000 {
			f.Add([]byte(c.text), []byte(`{"a":1.0,"query":"x","items":[{"b":null}]}`))
		}
	}
	for _, b := range bombs() {
		f.Add([]byte(b[0]), []byte(b[1]))
	}
	for _, c := range keywordCases {
		f.Add([]byte(c.schema), []byte(c.good))
	}
	f.Add([]byte(`{"minimum":1e999999999,"multipleOf":1e-999999999}`), []byte(`[1e9999999999999999999999,-0,1E+400]`))
	f.Fuzz(func(t *testing.T, schema, value []byte) {
		if len(schema) > 1<<14 || len(value) > 1<<13 {
			return
		}
		s, _ := Compile(jsontext.Value(schema))
		s.Validate(jsontext.Value(value))
		form := NewForm(s)
		d, err := jsonvalue.Parse(value)
		if (form.SetValue(jsontext.Value(value)) == nil) != (err == nil) {
			t.Fatal("SetValue and the parser disagree")
		}
		if err == nil {
			form.Root().walk(func(n *Node) {
				n.Text()
				n.Label()
				n.Description()
				n.Hints()
				n.Pickers()
				n.Chosen()
				n.Reason()
			})
			if got, drafts := form.Value(); string(got) != d.Text() || len(drafts) > 0 {
				t.Fatalf("loaded %s, got %s (%s)", d.Text(), got, lines(drafts))
			}
		}
		form.Problems()
		edits := 0
		var nodes []*Node
		form.Root().walk(func(n *Node) { nodes = append(nodes, n) })
		for i, n := range nodes {
			if edits++; edits > 40 {
				break
			}
			if n.Detached() {
				continue
			}
			switch i % 7 {
			case 0:
				n.SetText("1")
			case 1:
				n.SetText("x")
			case 2:
				n.SetNull()
			case 3:
				n.Clear()
			case 4:
				n.AddItem()
			case 5:
				n.Remove()
			}
			if len(n.Pickers()) > 0 {
				n.SetVariant(0, i%2+1)
			}
			n.Enable()
			for _, c := range n.Children() {
				c.Enable()
				if c.isItem() {
					c.Move(0)
				}
				break
			}
		}
		form.Problems()
		if got, drafts := form.Value(); (got == nil) != (len(drafts) > 0 || form.Root().State() == StateAbsent) {
			t.Fatalf("value %s with drafts %s in state %v", got, lines(drafts), form.Root().State())
		} else if got != nil && !jsontext.Value(got).IsValid(jsonvalue.Tolerant...) {
			t.Fatalf("not JSON: %s", got)
		}
		if v := Generate(s); v != nil && invalid(s.Validate(v)) {
			t.Fatalf("generated %s: %s", v, lines(s.Validate(v)))
		}
	})
}
