package protocol

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

func decodeSSE(max int, chunks ...string) []SSEBlock {
	d := SSEDecoder{Max: max}
	var blocks []SSEBlock
	for _, c := range chunks {
		chunk := []byte(c)
		blocks = append(blocks, d.Feed(chunk)...)
		for i := range chunk {
			chunk[i] = 'X' // the decoder must not keep it
		}
	}
	return append(blocks, d.End()...)
}

func sseText(blocks []SSEBlock) string {
	var b strings.Builder
	for _, block := range blocks {
		fmt.Fprintf(&b, "[%s", block.Type())
		if block.HasID {
			fmt.Fprintf(&b, " id=%q", block.ID)
		}
		if block.Retry != "" {
			fmt.Fprintf(&b, " retry=%s", block.Retry)
		}
		if block.HasData {
			fmt.Fprintf(&b, " data=%q", block.Data)
		}
		for _, c := range block.Comments {
			fmt.Fprintf(&b, " comment=%q", c)
		}
		for _, f := range block.Fields {
			fmt.Fprintf(&b, " %s=%q", f.Name, f.Value)
		}
		if block.Unfinished {
			b.WriteString(" unfinished")
		}
		if block.TooLong {
			fmt.Fprintf(&b, " toolong=%d", block.Size)
		}
		if block.Dispatches() {
			b.WriteString(" !")
		}
		b.WriteString("]")
	}
	return b.String()
}

// HTTP-12 and the event stream grammar of the HTML standard.
func TestSSE(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"nothing", "", ""},
		{"blank lines", "\n\r\n\r\n\n", ""},
		{"LF", "data: x\n\n", `[message data="x" !]`},
		{"CRLF", "data: x\r\n\r\n", `[message data="x" !]`},
		{"CR", "data: x\r\rdata: y\r\r", `[message data="x" !][message data="y" !]`},
		{"mixed ends", "data: x\r\n\ndata: y\n\rdata: z\r\n\r\n", `[message data="x" !][message data="y" !][message data="z" !]`},
		{"no space", "data:x\n\n", `[message data="x" !]`},
		{"one space only", "data:  x\n\n", `[message data=" x" !]`},
		{"several lines", "data: a\ndata:\ndata: b\n\n", `[message data="a\n\nb" !]`},
		{"data without colon", "data\n\n", `[message data=""]`},
		{"two empty lines of data", "data\ndata\n\n", `[message data="\n" !]`},
		{"empty data, HTTP-50", "id: 7\ndata:\n\n", `[message id="7" data=""]`},
		{"event type", "event: endpoint\ndata: /messages?s=1\n\n", `[endpoint data="/messages?s=1" !]`},
		{"last event type counts", "event: a\nevent: b\ndata: x\n\n", `[b data="x" !]`},
		{"type does not stay", "event: a\ndata: x\n\ndata: y\n\n", `[a data="x" !][message data="y" !]`},
		{"id alone", "id: 7\n\n", `[message id="7"]`},
		{"id resets", "id\ndata: x\n\n", `[message id="" data="x" !]`},
		{"id with NUL", "id: a\x00b\ndata: x\n\n", `[message data="x" id="a\x00b" !]`},
		{"retry alone, trap 46", "retry: 3000\n\n", `[message retry=3000]`},
		{"retry not digits", "retry: 3s\ndata: x\n\n", `[message data="x" retry="3s" !]`},
		{"retry empty", "retry\n\n", `[message retry=""]`},
		{"comment", ": ping\n", `[message comment=" ping"]`},
		{"comments at once", ":a\n:b\r\n:\r\ndata: x\n\n", `[message comment="a"][message comment="b"][message comment=""][message data="x" !]`},
		{"comment within", "data: x\n: c\ndata: y\n\n", `[message data="x\ny" comment=" c" !]`},
		{"comment then blank", ": c\n\n\n: d\r\n\r\ndata: x\n\n", `[message comment=" c"][message comment=" d"][message data="x" !]`},
		{"unknown field", "foo: bar\ndata: x\n\n", `[message data="x" foo="bar" !]`},
		{"names are case-sensitive", "Data: x\n\n", `[message Data="x"]`},
		{"blank before name", " data: x\n\n", `[message  data="x"]`},
		{"colon in value", "data: {\"a\":1}\n\n", `[message data="{\"a\":1}" !]`},
		{"BOM", "\xef\xbb\xbfdata: x\n\n", `[message data="x" !]`},
		{"one BOM only", "\xef\xbb\xbf\xef\xbb\xbfdata: x\n\n", "[message \ufeffdata=\"x\"]"},
		{"BOM inside", "data: x\n\n\xef\xbb\xbfdata: y\n\n", "[message data=\"x\" !][message \ufeffdata=\"y\"]"},
		{"BOM and line end", "\xef\xbb\xbf\n\ndata: x\n\n", `[message data="x" !]`},
		{"only BOM", "\xef\xbb\xbf", ``},
		{"half a BOM", "\xef\xbb", ``},
		{"not a BOM", "\xef\xbb\n", "[message \xef\xbb=\"\" unfinished]"},
		{"not UTF-8", "data: \xff\n\n", `[message data="\xff" !]`},
		{"unfinished, trap 43", "data: x\n\ndata: y\n", `[message data="x" !][message data="y" unfinished]`},
		{"unfinished line", "data: x\n\ndata: {\"a\":1}", `[message data="x" !][message data="{\"a\":1}" unfinished]`},
		{"unfinished comment", ": pi", `[message comment=" pi" unfinished]`},
		{"unfinished CR", "data: x\r", `[message data="x" unfinished]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			whole := decodeSSE(0, tt.in)
			if got := sseText(whole); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if got := decodeSSE(0, strings.Split(tt.in, "")...); !reflect.DeepEqual(got, whole) {
				t.Errorf("byte by byte it is %s", sseText(got))
			}
			for cut := range len(tt.in) {
				if got := decodeSSE(0, tt.in[:cut], tt.in[cut:]); !reflect.DeepEqual(got, whole) {
					t.Errorf("cut at %d it is %s", cut, sseText(got))
				}
			}
		})
	}
}

// A block is given out with the byte that ends it, not with the next one.
func TestSSEAtOnce(t *testing.T) {
	for _, in := range []string{"data: x\n\n", "data: x\r\n\r", "data: x\r\r", ": ping\n", ": ping\r"} {
		var d SSEDecoder
		if early := d.Feed([]byte(in[:len(in)-1])); len(early) != 0 {
			t.Errorf("%q: too early", in)
		}
		if got := d.Feed([]byte(in[len(in)-1:])); len(got) != 1 {
			t.Errorf("%q: %d blocks", in, len(got))
		}
	}
}

func TestSSEPlaces(t *testing.T) {
	in := "\xef\xbb\xbfid: 1\r\ndata: x\r\n\r\n: c\r\n\n\ndata: y\n\n"
	blocks := decodeSSE(0, in)
	want := []string{"id: 1\r\ndata: x\r\n", ": c", "data: y\n"}
	if len(blocks) != len(want) {
		t.Fatalf("got %s", sseText(blocks))
	}
	for i, b := range blocks {
		if string(b.Raw) != want[i] || b.Offset != int64(strings.Index(in, want[i])) || b.Size != int64(len(want[i])) {
			t.Errorf("block %d is %q at %d of %d bytes", i, b.Raw, b.Offset, b.Size)
		}
	}
	if &blocks[2].Data[0] != &blocks[2].Raw[6] {
		t.Error("the data of one line is a copy")
	}
}

func TestSSEBounds(t *testing.T) {
	in := "id: 1\ndata: " + strings.Repeat("x", 100) + "\nevent: late\n\ndata: next\n\n:" + strings.Repeat("c", 100) + "\ndata: " + strings.Repeat("y", 100)
	want := `[message id="1" data="xxxxxxxx" toolong=125 !][message data="next" !][message comment="ccccccccccccccccccc" toolong=101][message data="yyyyyyyyyyyyyy" unfinished toolong=106]`
	whole := decodeSSE(20, in)
	if got := sseText(whole); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := decodeSSE(20, strings.Split(in, "")...); !reflect.DeepEqual(got, whole) {
		t.Errorf("byte by byte it is %s", sseText(got))
	}
	for _, b := range whole {
		if cap(b.Raw) > 64 {
			t.Errorf("%d bytes are kept for a limit of 20", cap(b.Raw))
		}
	}
	many := decodeSSE(0, "data: x\n"+strings.Repeat(":c\nf: v\n", 5*sseListMax)+"\n")
	if len(many) != 1 || len(many[0].Comments) != sseListMax || len(many[0].Fields) != sseListMax {
		t.Errorf("%d blocks with lists of %d and %d", len(many), len(many[0].Comments), len(many[0].Fields))
	}
	var d SSEDecoder
	d.Feed([]byte("data: x\n"))
	d.End()
	if got := d.Feed([]byte("\xef\xbb\xbfdata: y\n\n")); sseText(got) != `[message data="y" !]` || got[0].Offset != 3 {
		t.Errorf("a decoder used again gives %s", sseText(got))
	}
}

func FuzzSSE(f *testing.F) {
	f.Add([]byte("\xef\xbb\xbfid: 1\r\nevent: a\rdata: x\ndata\n\n: c\r\n\r\nretry: 1\n\ndata: y"), []byte{1, 3, 2}, 0)
	f.Add([]byte(": a\r\n:b\rdata: x\r\r\n\n"), []byte{0, 1, 9}, 7)
	f.Add([]byte("\xef\xbb\n\xbf:\n"), []byte{1}, 4)
	f.Fuzz(func(t *testing.T, in, cuts []byte, max int) {
		whole := decodeSSE(max, string(in))
		var chunks []string
		for rest, i := string(in), 0; rest != ""; i++ {
			n := 1
			if len(cuts) > 0 {
				n = min(int(cuts[i%len(cuts)]), len(rest))
			}
			if len(cuts) > 0 && n == 0 && i > len(in) {
				n = 1
			}
			chunks, rest = append(chunks, rest[:n]), rest[n:]
		}
		if got := decodeSSE(max, chunks...); !reflect.DeepEqual(got, whole) {
			t.Fatalf("%q in %q is %s, whole it is %s", in, chunks, sseText(got), sseText(whole))
		}
		for i, b := range whole {
			if !bytes.HasPrefix(in[b.Offset:], b.Raw) {
				t.Fatalf("block %d of %q is not at its offset", i, in)
			}
			if b.Unfinished && i != len(whole)-1 {
				t.Fatal("an unfinished block is not the last")
			}
		}
	})
}

func BenchmarkSSE(b *testing.B) {
	event := []byte("event: message\nid: 12\ndata: " + strings.Repeat("x", 970) + "\n\n")
	stream := bytes.Repeat(event, 1000)
	b.SetBytes(int64(len(stream)))
	b.ReportAllocs()
	for b.Loop() {
		var d SSEDecoder
		n := 0
		for i := 0; i < len(stream); i += 32 << 10 {
			n += len(d.Feed(stream[i:min(i+32<<10, len(stream))]))
		}
		if n != 1000 {
			b.Fatal(n)
		}
	}
}
