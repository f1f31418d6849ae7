package jsonvalue

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func TestDecimalsCompareExactly(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"1", "1.0", 0}, {"0", "-0", 0}, {"100", "1e2", 0}, {"0.1", "1e-1", 0},
		{"9007199254740993", "9007199254740992", 1}, {"-9007199254740993", "-9007199254740992", -1},
		{"1e400", "1e399", 1}, {"-1e400", "1", -1}, {"0.30000000000000004", "0.3", 1}, {"0", "1e-999999999999", -1},
	} {
		a, okA := ParseDecimal(c.a)
		b, okB := ParseDecimal(c.b)
		if !okA || !okB || a.Cmp(b) != c.want || b.Cmp(a) != -c.want {
			t.Errorf("%s compared with %s is %d and %d, want %d", c.a, c.b, a.Cmp(b), b.Cmp(a), c.want)
		}
	}
	for _, bad := range []string{"", "01", "1.", ".5", "+1", "1e", "NaN", "0x1"} {
		if _, ok := ParseDecimal(bad); ok {
			t.Errorf("%q counts as a number", bad)
		}
	}
}

func TestCountHoldsToItsBound(t *testing.T) {
	for lit, want := range map[string]int{"0": 0, "7": 7, "1e2": 100, "120": 120, "1e30": 1 << 31, "4294967296": 1 << 31} {
		if d, _ := ParseDecimal(lit); d.Count(1<<31) != want {
			t.Errorf("%s counts %d, want %d", lit, d.Count(1<<31), want)
		}
	}
}

func TestKeyIsSharedByEqualValuesOnly(t *testing.T) {
	same := [][2]string{{`{"a":1,"b":[2.0]}`, `{"b":[2],"a":1e0}`}, {`"\u0041"`, `"A"`}, {`[1,2]`, ` [ 1 , 2 ] `}}
	for _, c := range same {
		if a, b := parsed(t, c[0]).Key(), parsed(t, c[1]).Key(); a != b {
			t.Errorf("%s and %s have different keys", c[0], c[1])
		}
	}
	different := [][2]string{{`1`, `"1"`}, {`[1,2]`, `[2,1]`}, {`[[1],2]`, `[[1,2]]`}, {`{"a":null}`, `{}`}, {`null`, `false`}}
	for _, c := range different {
		if a, b := parsed(t, c[0]).Key(), parsed(t, c[1]).Key(); a == b {
			t.Errorf("%s and %s share the key %q", c[0], c[1], a)
		}
	}
}

func TestTypeIsThatOfJSONSchema(t *testing.T) {
	for text, want := range map[string]string{
		"null": "null", "true": "boolean", "false": "boolean", `""`: "string", "[1]": "array", "{}": "object",
		"7": "integer", "-0": "integer", "1.0": "integer", "1e400": "integer", "12.50e1": "integer", "0.5": "number", "1e-1": "number",
	} {
		if got := parsed(t, text).Type(); got != want {
			t.Errorf("%s is of type %s, want %s", text, got, want)
		}
	}
}

func parsed(t *testing.T, text string) *Value {
	t.Helper()
	v, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func FuzzParseKeepsTheText(f *testing.F) {
	for _, s := range []string{`{"a":[1.0,-0,1e400],"a":"\ud800"}`, `[]`, `"x`, `{"":{"~1/":null}}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := Parse(text)
		if err != nil {
			return
		}
		again, err := Parse([]byte(v.Text()))
		if err != nil || again.Key() != v.Key() || again.Text() != v.Text() {
			t.Fatalf("%q came back as %q, %v", text, v.Text(), err)
		}
		if !jsontext.Value(v.Text()).IsValid(Tolerant...) {
			t.Fatalf("%q is not JSON", v.Text())
		}
	})
}
