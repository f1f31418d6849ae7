package replay

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol/jsonvalue"
)

// Difference is one place where two values differ.
type Difference struct {
	Pointer       string         // JSON Pointer into the params, result or error
	Before, After jsontext.Value // as recorded and as it is now; nil where there is none
}

// String says it in a few words.
func (d Difference) String() string {
	where := d.Pointer
	if where == "" {
		where = "the whole value"
	}
	switch {
	case d.Before == nil:
		return where + " is new"
	case d.After == nil:
		return where + " is missing"
	}
	return fmt.Sprintf("%s was %s, is %s", where, short(d.Before), short(d.After))
}

func short(v jsontext.Value) string {
	const most = 60
	if len(v) <= most {
		return string(v)
	}
	return strings.ToValidUTF8(string(v[:most]), "") + "…"
}

// compare lists the first differences of two values, by place in arrays and by
// name in objects; numbers are compared exactly. same says that two values are
// of one origin.
func compare(a, b *jsonvalue.Value, most int, same func(pointer, a, b string) bool) []Difference {
	c := comparison{most: most, same: same}
	c.walk("", a, b)
	return c.found
}

type comparison struct {
	most  int
	same  func(pointer, a, b string) bool
	found []Difference
}

func (c *comparison) add(pointer string, a, b *jsonvalue.Value) {
	if len(c.found) >= c.most {
		return
	}
	d := Difference{Pointer: pointer}
	if a != nil {
		d.Before = jsontext.Value(a.Text())
	}
	if b != nil {
		d.After = jsontext.Value(b.Text())
	}
	c.found = append(c.found, d)
}

func (c *comparison) walk(pointer string, a, b *jsonvalue.Value) {
	switch {
	case len(c.found) >= c.most || a == nil && b == nil:
	case a == nil || b == nil || a.Kind != b.Kind:
		c.add(pointer, a, b)
	case a.Kind == '{':
		left, right := a.Last(), b.Last()
		for _, m := range a.Members {
			if left[m.Name] == m.Value {
				c.walk(jsonvalue.Child(pointer, m.Name), m.Value, right[m.Name])
			}
		}
		for _, m := range b.Members {
			if left[m.Name] == nil && right[m.Name] == m.Value {
				c.add(jsonvalue.Child(pointer, m.Name), nil, m.Value)
			}
		}
	case a.Kind == '[':
		for i := range max(len(a.Items), len(b.Items)) {
			var left, right *jsonvalue.Value
			if i < len(a.Items) {
				left = a.Items[i]
			}
			if i < len(b.Items) {
				right = b.Items[i]
			}
			c.walk(jsonvalue.ChildIndex(pointer, i), left, right)
		}
	case a.Key() != b.Key() && (c.same == nil || !c.same(pointer, a.Lit, b.Lit)):
		c.add(pointer, a, b)
	}
}
