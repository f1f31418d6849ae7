package schema

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// bigSchema has 300 fields of all kinds and a select of 5,000 entries.
func bigSchema() string {
	var b strings.Builder
	b.WriteString(`{"type":"object","properties":{"pick":{"enum":["e0"`)
	for i := 1; i < 5000; i++ {
		fmt.Fprintf(&b, `,"e%d"`, i)
	}
	b.WriteString(`]},"titled":{"oneOf":[{"const":"e0","title":"T"}`)
	for i := 1; i < 5000; i++ {
		fmt.Fprintf(&b, `,{"const":"e%d","title":"Title %d"}`, i, i)
	}
	b.WriteString(`]}`)
	for i := range 298 {
		switch i % 5 {
		case 0:
			fmt.Fprintf(&b, `,"f%d":{"type":"string","minLength":2,"pattern":"^[a-z ]+$"}`, i)
		case 1:
			fmt.Fprintf(&b, `,"f%d":{"type":"integer","minimum":0,"maximum":1000}`, i)
		case 2:
			fmt.Fprintf(&b, `,"f%d":{"anyOf":[{"type":"boolean"},{"type":"null"}]}`, i)
		case 3:
			fmt.Fprintf(&b, `,"f%d":{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"array","items":{"type":"integer"}}},"required":["a"]}`, i)
		default:
			fmt.Fprintf(&b, `,"f%d":{"type":"array","items":{"enum":["a","b","c"]}}`, i)
		}
	}
	b.WriteString(`},"if":{"properties":{"f0":{"const":"secret"}},"required":["f0"]},"then":{"required":["f5"]}}`)
	return b.String()
}

// bigForm fills every field in.
func bigForm(b *testing.B) *Form {
	f := form(b, bigSchema())
	for _, n := range f.Root().Children() {
		switch n.Kind() {
		case KindSelect:
			n.SetChoice(4999)
		case KindText:
			n.SetText("some text")
		case KindInteger:
			n.SetText("42")
		case KindBoolean:
			n.SetBool(true)
		case KindMultiSelect:
			n.SetChosen(1, true)
		case KindObject:
			n.Enable()
			n.Member("a").SetText("x")
			n.Member("b").AddItem().SetText("7")
		}
	}
	if ps := f.Problems(); len(ps) > 0 {
		b.Fatal(lines(ps))
	}
	return f
}

// BenchmarkType is one key: the text set, the form settled, everything checked.
func BenchmarkType(b *testing.B) {
	f := bigForm(b)
	n := f.Root().Member("f0")
	b.ResetTimer()
	for i := range b.N {
		n.SetText("some text" + strings.Repeat("x", i%20))
		f.Problems()
	}
}

// BenchmarkTypeInvalid is a key in a form in which many fields are wrong.
func BenchmarkTypeInvalid(b *testing.B) {
	f := bigForm(b)
	for _, n := range f.Root().Children() {
		if n.Kind() == KindText {
			n.SetText("X")
		}
		if n.Kind() == KindInteger {
			n.SetText("-1")
		}
	}
	n := f.Root().Member("f0")
	b.ResetTimer()
	for i := range b.N {
		n.SetText("SOME" + strings.Repeat("x", i%20))
		f.Problems()
	}
}

func BenchmarkValue(b *testing.B) {
	f := bigForm(b)
	b.ResetTimer()
	for range b.N {
		if v, _ := f.Value(); v == nil {
			b.Fatal("no value")
		}
	}
}

func BenchmarkLoadAndWalk(b *testing.B) {
	f := bigForm(b)
	v, _ := f.Value()
	b.ResetTimer()
	for range b.N {
		if err := f.SetValue(v); err != nil {
			b.Fatal(err)
		}
		f.Root().walk(func(*Node) {})
	}
}

func BenchmarkCompileAndForm(b *testing.B) {
	text := jsontext.Value(bigSchema())
	for range b.N {
		s, _ := Compile(text)
		NewForm(s)
	}
}

func BenchmarkCompileCorpus(b *testing.B) {
	inputs, _ := corpus(b)
	b.ResetTimer()
	for range b.N {
		for _, c := range inputs {
			Compile(c.text)
		}
	}
	b.ReportMetric(float64(len(inputs)), "schemas/op")
}

// BenchmarkValidateLarge checks a result of about 4 MB.
func BenchmarkValidateLarge(b *testing.B) {
	s, _ := Compile(jsontext.Value(`{"type":"object","properties":{"rows":{"type":"array","items":{"type":"object","properties":{"id":{"type":"integer"},"name":{"type":"string"},"tags":{"type":"array","items":{"type":"string"}}},"required":["id","name"]}}},"required":["rows"]}`))
	row := `{"id":9007199254740993,"name":"a name of some length","tags":["one","two","three"]}`
	value := jsontext.Value(`{"rows":[` + strings.TrimSuffix(strings.Repeat(row+",", 50_000), ",") + `]}`)
	b.SetBytes(int64(len(value)))
	b.ResetTimer()
	for range b.N {
		if ps := s.Validate(value); len(ps) > 0 {
			b.Fatal(lines(ps))
		}
	}
}

// BenchmarkBomb is a key typed under a schema that asks for exponential work.
func BenchmarkBomb(b *testing.B) {
	for name, bomb := range bombs() {
		b.Run(name, func(b *testing.B) {
			s, _ := Compile(jsontext.Value(bomb[0]))
			for range b.N {
				s.Validate(jsontext.Value(bomb[1]))
			}
		})
	}
}
