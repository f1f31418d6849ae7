package textview

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func build(t testing.TB, raw string) *Index {
	t.Helper()
	ix, err := Build(context.Background(), []byte(raw))
	if err != nil {
		t.Fatal(err)
	}
	return ix
}

func TestBuild(t *testing.T) {
	ix := build(t, ` {"a":[1, {"b":"x\"]"}, []], "c":{}, "a":-1.50e+3} `)
	var got []string
	for _, n := range ix.nodes {
		got = append(got, fmt.Sprintf("%d %s%s", n.depth, ix.raw[n.keyStart:n.keyEnd], ix.raw[n.start:n.end]))
	}
	want := []string{
		`0 {"a":[1, {"b":"x\"]"}, []], "c":{}, "a":-1.50e+3}`,
		`1 "a"[1, {"b":"x\"]"}, []]`, `2 1`, `2 {"b":"x\"]"}`, `3 "b""x\"]"`, `2 []`, `1 "c"{}`, `1 "a"-1.50e+3`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("nodes\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestBuildNotJSON(t *testing.T) {
	for raw, offset := range map[string]int{
		"": 0, "  ": 2, "{": 1, `{"a"}`: 4, `{"a":}`: 5, `[1,]`: 3, `[1 2]`: 3, `{"a":1,}`: 7, `"abc`: 0, `"abc\"`: 0,
		`tru`: 0, `1 2`: 2, `{"a":1]`: 6, `[1}`: 2, "\xef\xbb\xbf{}": 0, `{'a':1}`: 1, "plain text": 0, `[`: 1, `[1`: 2,
	} {
		ix := build(t, raw)
		if ix.JSON() || ix.Err() == nil {
			t.Errorf("%q is taken for JSON", raw)
		} else if ix.Err().Offset != offset {
			t.Errorf("%q: %v, want the error at byte %d", raw, ix.Err(), offset)
		}
	}
}

func TestBuildIsDeep(t *testing.T) {
	const depth = 200_000
	ix := build(t, strings.Repeat("[", depth)+strings.Repeat("]", depth))
	if !ix.JSON() || len(ix.nodes) != depth {
		t.Errorf("%d nodes, %v", len(ix.nodes), ix.Err())
	}
}

func TestBuildStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Build(ctx, []byte("{}")); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestNodeAtOffset(t *testing.T) {
	raw := `{"a":[1,{"b":2}],"c":"str"}`
	ix := build(t, raw)
	for _, tt := range []struct{ text, want string }{
		{`{`, raw}, {`"a"`, `[1,{"b":2}]`}, {`[1`, `[1,{"b":2}]`}, {`1,`, `1`}, {`"b"`, `2`}, {`2}`, `2`}, {`}]`, `{"b":2}`},
		{`],`, `[1,{"b":2}]`}, {`,"c"`, raw}, {`str`, `"str"`},
	} {
		n := ix.nodes[ix.at(strings.Index(raw, tt.text))]
		if got := string(ix.raw[n.start:n.end]); got != tt.want {
			t.Errorf("at %q is %s, want %s", tt.text, got, tt.want)
		}
	}
	if ix.at(-5) != 0 || ix.at(1000) != 0 {
		t.Error("outside is not the top value")
	}
}

// Whatever jsontext takes for JSON, we do, and every value is where jsontext says.
func FuzzBuild(f *testing.F) {
	for _, s := range []string{`{}`, `[1,"a",null]`, `{"a":{"b":[[],{}]}}`, `"\\\""`, `[`, "\x00", `{"a":1e5,"a":-0}`, `"\ud800"`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		ix, err := Build(context.Background(), raw)
		if err != nil {
			t.Fatal(err)
		}
		dec := jsontext.NewDecoder(bytes.NewReader(raw), jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
		v, err := dec.ReadValue()
		v = v.Clone()
		valid := err == nil
		if valid {
			_, err = dec.ReadToken()
			valid = errors.Is(err, io.EOF)
		}
		if valid && !ix.JSON() {
			t.Fatalf("%q is JSON but gave %v", raw, ix.Err())
		}
		if !ix.JSON() {
			if o := ix.Err().Offset; o < 0 || o > len(raw) {
				t.Fatalf("error at %d of %d", o, len(raw))
			}
			return
		}
		if valid && !bytes.Equal(bytes.TrimSpace(v), raw[ix.nodes[0].start:ix.nodes[0].end]) {
			t.Fatalf("top value of %q is %q", raw, raw[ix.nodes[0].start:ix.nodes[0].end])
		}
		for i := range ix.nodes {
			n := &ix.nodes[i]
			if n.end <= n.start || int(n.end) > len(raw) || int(n.after) <= i || int(n.after) > len(ix.nodes) {
				t.Fatalf("node %d of %q is %+v", i, raw, n)
			}
		}
	})
}

// sample is JSON much like a tool's result, about size bytes of it.
func sample(size int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	b.WriteString(`{"content":[`)
	for i := 0; b.Len() < size; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"id":%d,"name":"item %d","price":%d.50,"tags":["a","b"],"ok":true,"sub":{"x":%d,"y":null}}`,
			i, r.IntN(1000), r.IntN(1000), r.IntN(100))
	}
	b.WriteString(`]}`)
	return b.Bytes()
}

func BenchmarkBuild20MB(b *testing.B) {
	raw := sample(20_000_000)
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		ix, err := Build(context.Background(), raw)
		if err != nil || !ix.JSON() {
			b.Fatal(err)
		}
	}
}
