package schema

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/protocol/jsonvalue"
)

var severityNames = map[protocol.Severity]string{protocol.Info: "info", protocol.Warning: "warning", protocol.Violation: "violation"}

// corpusSchema is one schema of a real server.
type corpusSchema struct {
	name string
	text jsontext.Value
}

// corpus reads the schemas of the servers in testdata.
func corpus(t testing.TB) (inputs, outputs []corpusSchema) {
	t.Helper()
	read := func(pattern string) map[string]*jsonvalue.Value {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no files (%v)", pattern, err)
		}
		out := map[string]*jsonvalue.Value{}
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			d, err := jsonvalue.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			out[filepath.Base(f)] = d
		}
		return out
	}
	for file, d := range read("testdata/tools/*.json") {
		for _, tool := range d.Get("tools").Items {
			name := file + " " + tool.Get("name").Str
			inputs = append(inputs, corpusSchema{name, jsontext.Value(tool.Get("inputSchema").Text())})
			if out := tool.Get("outputSchema"); out != nil {
				outputs = append(outputs, corpusSchema{name + " (output)", jsontext.Value(out.Text())})
			}
		}
	}
	for file, d := range read("testdata/elicitation/*.json") {
		for _, ask := range d.Items {
			if s := ask.Get("requestedSchema"); s != nil {
				inputs = append(inputs, corpusSchema{file + " " + ask.Get("message").Str, jsontext.Value(s.Text())})
			}
		}
	}
	return inputs, outputs
}

// unfold walks a form with every optional part opened once, every variant shown.
func unfold(n *Node, depth int, visit func(*Node)) {
	visit(n)
	if depth > 12 {
		return
	}
	for p, picker := range n.Pickers() {
		for i := range picker.Titles {
			if i == picker.Picked {
				continue
			}
			n.SetVariant(p, i)
			unfoldChildren(n, depth, visit)
		}
		if len(picker.Titles) > 1 {
			n.SetVariant(p, picker.Picked)
		}
	}
	unfoldChildren(n, depth, visit)
}

func unfoldChildren(n *Node, depth int, visit func(*Node)) {
	if n.recurs() {
		return
	}
	switch n.Kind() {
	case KindObject, KindTuple:
		n.Enable()
	case KindArray:
		n.AddItem()
	case KindMap:
		c, err := n.AddMember("name")
		if err != nil {
			return
		}
		if _, described := n.look().memberParts("name"); described {
			unfold(c, depth+1, visit)
		}
		c.Remove()
	}
	if n.Kind() == KindMultiSelect {
		return
	}
	for _, c := range n.Children() {
		unfold(c, depth+1, visit)
	}
}

// Every schema of the corpus becomes a form; what is a JSON field says why, and
// generated arguments are accepted.
func TestCorpus(t *testing.T) {
	inputs, outputs := corpus(t)
	fields, native, anyJSON, generated, most := 0, 0, 0, 0, 0
	for _, c := range append(inputs, outputs...) {
		s, problems := Compile(c.text)
		for _, p := range problems {
			t.Logf("%s: %s %s: %s", c.name, severityNames[p.Severity], p.Pointer, p.Text)
		}
		if !s.Usable() {
			t.Errorf("%s: not usable", c.name)
			continue
		}
		f := NewForm(s)
		if k := f.Root().Kind(); k == KindJSON || k == KindAny {
			t.Errorf("%s: the whole form is %v (%s)", c.name, k, f.Root().Reason())
		}
		unfold(f.Root(), 0, func(n *Node) {
			fields++
			switch n.Kind() {
			case KindJSON:
				t.Logf("JSON field: %s %s: %s", c.name, n.Pointer(), n.Reason())
			case KindAny:
				anyJSON++
				t.Logf("any JSON: %s %s", c.name, n.Pointer())
			default:
				native++
			}
		})
		value := Generate(s)
		if value == nil {
			t.Errorf("%s: no value generated", c.name)
			continue
		}
		generated++
		got := violations(s.Validate(value))
		if d, err := jsonvalue.Parse(value); err == nil {
			nodes, _ := d.Count()
			most = max(most, steps(nodes)-s.meter.left)
		}
		if len(got) > 0 {
			t.Errorf("%s: generated %s: %s", c.name, short(string(value)), lines(got))
		}
		f = NewForm(s)
		if err := f.SetValue(value); err != nil {
			t.Fatal(err)
		}
		f.Root().walk(func(*Node) {})
		if got, _ := f.Value(); string(got) != string(value) {
			t.Errorf("%s: loaded %s, got %s", c.name, short(string(value)), short(string(got)))
		}
		if got := violations(f.Problems()); len(got) > 0 {
			t.Errorf("%s: form of a valid value: %s", c.name, lines(got))
		}
	}
	t.Logf("%d schemas (%d outputs): %d of %d fields are native, %d take any JSON because the schema asks for nothing, %d are a JSON fallback; %d values generated; at most %d steps to check one",
		len(inputs)+len(outputs), len(outputs), native, fields, anyJSON, fields-native-anyJSON, generated, most)
}
