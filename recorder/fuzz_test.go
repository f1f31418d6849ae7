package recorder

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
)

// oddData are byte strings that are hard on a line-based JSON file.
var oddData = []string{
	"", " ", "\n", "{}", " {}", "{} ", "{\n}", "{\r}", `{"a":1}`, `{"a":1}}`, `{"a":1},"x":{}`, `"`, `\`, `"\"`, "null", "-0", "1e400", "0x1",
	"\x00", "\xff", "\u2028", "\U0001f600", `{"a":"` + "\xff" + `"}`, `{"a":"\ud800"}`, `{"a":"\u00"}`, `[{"jsonrpc":"2.0","id":1,"method":"x"},{"jsonrpc":"2.0","id":2,"result":{}}]`,
	`{"jsonrpc":"2.0","id":1,"method":"a\"b","params":{"name":"\u00e4"}}`, `{"jsonrpc":"2.0","id":"a\nb","result":{"resultType":"input_required"}}`,
	`{"jsonrpc":"2.0","id":1.5,"method":"tools/call","params":{"name":7}}`, `{"jsonrpc":"2.0","id":9007199254740993,"error":{"code":1,"message":""}}`,
	`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"x","_meta":{"io.modelcontextprotocol/subscriptionId":4}}}`,
	`{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":{"b":1,"b":2}}}`, `{"jsonrpc":"2.0","id":1,"method":"x","params":[1]}`, `{"jsonrpc":"2.0","id":null,"method":"x"}`,
	`{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("é", 300) + `"}`,
}

// FuzzEveryByteStringComesBack writes bytes as each kind of event and reads
// them from memory and from the file, whole and in part.
func FuzzEveryByteStringComesBack(f *testing.F) {
	for i, s := range oddData {
		f.Add([]byte(s), uint8(i), "post-3", uint16(i))
	}
	f.Add([]byte("x"), uint8(1), "\xff\"", uint16(3))
	f.Fuzz(func(t *testing.T, data []byte, kind uint8, channel string, max uint16) {
		comesBack(t, data, kind, channel, max)
	})
}

func comesBack(t *testing.T, data []byte, kind uint8, channel string, max uint16) {
	t.Helper()
	e := Event{Kind: EventKind(kind % 8), Dir: Direction(kind / 8 % 3), Channel: strings.ToValidUTF8(channel, "?"), Data: data, Time: 1}
	m := &memFile{}
	l := newMemLog(t, m)
	if seq := l.Append(e); seq != 1 {
		t.Fatalf("Append gave %d", seq)
	}
	head := l.Head(1)
	compare := func(l *Log) {
		got, err := l.Read(1, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got.Kind != e.Kind || got.Dir != e.Dir || got.Channel != e.Channel || !bytes.Equal(got.Data, data) {
			t.Fatalf("got %+v, want %+v", got, e)
		}
		part, err := l.Read(1, int(max))
		if err != nil {
			t.Fatal(err)
		}
		want := data
		if n := int(max); n > 0 && n < len(data) {
			want = data[:n]
		}
		if !bytes.Equal(part.Data, want) {
			t.Fatalf("first %d bytes: got %q, want %q", max, part.Data, want)
		}
		if got := l.Head(1); got != head {
			t.Fatalf("head\n got %+v\nwant %+v", got, head)
		}
		if head.Size != len(data) {
			t.Fatalf("size %d, want %d", head.Size, len(data))
		}
	}
	compare(l)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	file := m.bytes()
	compare(openMem(t, file))

	// A reader that knows nothing of the fixed order sees the same.
	line := bytes.TrimSuffix(file[bytes.IndexByte(file, '\n')+1:], []byte("\n"))
	if !jsontext.Value(line).IsValid(tolerant...) || hasNewline(line) {
		t.Fatalf("the line is not one JSON text: %q", line)
	}
	var fast, slow envelope
	var pl, plainPl payload
	if err := parseLine(line, &slow, &pl); err != nil {
		t.Fatalf("%v: %q", err, line)
	}
	if _, ok := plainLine(line, &fast, &plainPl); ok && plainPl.check() {
		if !reflect.DeepEqual(fast, slow) || plainPl.form != pl.form || !bytes.Equal(plainPl.data, pl.data) {
			t.Fatalf("two readings of %q\n%+v\n%+v", line, fast, slow)
		}
	}
}

func TestDeepAndLongDataComesBack(t *testing.T) {
	for _, n := range []int{maxDepth, maxDepth + 1, 70_000} {
		comesBack(t, []byte(strings.Repeat("[", n)+strings.Repeat("]", n)), uint8(KindMessage), "c", 100)
		comesBack(t, []byte(strings.Repeat("[", n)), uint8(KindMessage), "c", 100)
	}
	long := strings.Repeat(`\"\\x`, 200_000)
	for _, kind := range []uint8{0, uint8(KindMessage), uint8(KindStderr)} {
		comesBack(t, []byte(`{"jsonrpc":"2.0","id":1,"result":{"a":"`+long+`"}}`), kind, "c", 10_000)
		comesBack(t, []byte(long+"\xff"), kind, "c", 10_000)
		comesBack(t, []byte(long+"\n"), kind, "c", 9_999)
	}
}

// FuzzOneScanAgreesWithParse holds the quick look at a message to what
// protocol.Parse finds in it.
func FuzzOneScanAgreesWithParse(f *testing.F) {
	for _, s := range oddData {
		f.Add([]byte(s))
	}
	events, _ := everyKind()
	for _, e := range events {
		f.Add(e.Data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s := scanMessage(data)
		valid := jsontext.Value(data).IsValid(tolerant...) && utf8.Valid(data) && !hasNewline(data) &&
			!isBlank(data[0]) && !isBlank(data[len(data)-1])
		if s.valid != valid && !(valid && deeperThan(data, maxDepth)) {
			t.Fatalf("valid is %v, want %v: %q", s.valid, valid, data)
		}
		if !s.clean {
			return
		}
		m := protocol.Parse(data)
		got, want := describeMessage(data), describeParsed(m, true)
		if len(m.Problems) > 0 || m.Kind == protocol.Invalid || m.Kind == protocol.Batch {
			t.Fatalf("taken for a plain message: %q: %v", data, m.Problems)
		}
		if !sameDescription(got, want) {
			t.Fatalf("%q\n got %+v\nwant %+v", data, got, want)
		}
	})
}

func deeperThan(data []byte, n int) bool {
	return bytes.Count(data, []byte("["))+bytes.Count(data, []byte("{")) > n
}

func sameDescription(a, b description) bool {
	return a.kind == b.kind && a.problems == b.problems && a.verbatim == b.verbatim &&
		bytes.Equal(a.method, b.method) && bytes.Equal(a.id, b.id) && bytes.Equal(a.name, b.name) &&
		bytes.Equal(a.ref, b.ref) && bytes.Equal(a.status, b.status)
}

// FuzzOpenOfAnyBytes opens files that may hold anything after the header.
func FuzzOpenOfAnyBytes(f *testing.F) {
	events, _ := everyKind()
	m := &memFile{}
	l := newMemLog(f, m)
	for _, e := range events {
		l.Append(e)
	}
	if err := l.Close(); err != nil {
		f.Fatal(err)
	}
	file := m.bytes()
	header := file[:bytes.IndexByte(file, '\n')+1]
	f.Add(file[len(header):])
	f.Add([]byte("\n\r\n{}\n[]\nx\n{\"k\":\"new\"}\n{\"q\":5,\"t\":-3,\"k\":\"msg\",\"msg\":{}}\n"))
	f.Fuzz(func(t *testing.T, rest []byte) {
		whole := rest[:bytes.LastIndexByte(rest, '\n')+1]
		l := openMem(t, append(append([]byte{}, header...), whole...))
		lines := 0
		for _, line := range bytes.Split(whole, []byte("\n")) {
			if len(bytes.TrimLeft(line, " \t\r")) > 0 {
				lines++
			}
		}
		if l.Len() != uint64(lines) {
			t.Fatalf("%d events for %d lines", l.Len(), lines)
		}
		for seq := uint64(1); seq <= l.Len(); seq++ {
			h := l.Head(seq)
			if h.Seq != seq || h.Partner > l.Len() {
				t.Fatalf("head %+v", h)
			}
			e, err := l.Read(seq, 0)
			if err == nil && h.Kind != e.Kind {
				t.Fatalf("the head is of a %q, the event of a %q", h.Kind, e.Kind)
			}
			_, _ = l.Read(seq, 3)
		}
	})
}

// FuzzFilter parses any text and runs it.
func FuzzFilter(f *testing.F) {
	for _, c := range filterCases {
		f.Add(c.filter)
	}
	for _, c := range filterErrors {
		f.Add(c.filter)
	}
	m := &memFile{}
	l := newMemLog(f, m)
	events, _ := everyKind()
	for _, e := range events {
		l.Append(e)
	}
	f.Fuzz(func(t *testing.T, text string) {
		filter, err := ParseFilter(text)
		for cursor := range min(len(text), 100) {
			for _, c := range CompleteFilter(text, cursor, l.FilterValues()) {
				if c.Start < 0 || c.Start > c.End || c.End > len(text) {
					t.Fatalf("completion %+v of %q", c, text)
				}
			}
		}
		if err != nil {
			if fe, ok := err.(*FilterError); !ok || fe.Offset < 0 || fe.Offset > len(text) || fe.Text == "" {
				t.Fatalf("error %#v of %q", err, text)
			}
			return
		}
		var found []uint64
		if err := l.Find(t.Context(), filter, 0, 0, func(seqs []uint64) bool { found = append(found, seqs...); return true }); err != nil {
			t.Fatal(err)
		}
		for seq := uint64(1); seq <= l.Len(); seq++ {
			in := len(found) > 0 && found[0] == seq
			if in {
				found = found[1:]
			}
			if filter.Match(l, l.Head(seq)) != in {
				t.Fatalf("%q: Match and Find differ on event %d", text, seq)
			}
		}
	})
}
