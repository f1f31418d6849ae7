package link

import (
	"bytes"
	"strings"
	"testing"
)

// rebuild puts pieces together as they were in the stream.
func rebuild(pieces []piece) []byte {
	var b []byte
	for _, p := range pieces {
		b = append(b, p.data...)
		switch p.end {
		case endLF:
			b = append(b, '\n')
		case endCRLF:
			b = append(b, "\r\n"...)
		}
	}
	return b
}

func cutAll(max int, chunks ...[]byte) (pieces []piece) {
	c := lineCutter{max: max}
	emit := func(p piece) { pieces = append(pieces, p) }
	for _, chunk := range chunks {
		c.feed(chunk, emit)
	}
	c.end(emit)
	return pieces
}

func TestLineCutterPieces(t *testing.T) {
	got := cutAll(4, []byte("ab\nabcd\nabcde\nabcdefghi\r\n\r\nxyz"))
	var b strings.Builder
	for _, p := range got {
		b.WriteString(string(p.data) + "/" + p.end.String())
		b.WriteByte(byte('0' + p.part))
		if p.last {
			b.WriteByte('.')
		}
		b.WriteByte(' ')
	}
	want := "ab/LF0. abcd/LF0. abcd/nothing1 e/LF2. abcd/nothing1 efgh/nothing2 i/CR LF3. /CR LF0. xyz/nothing0. "
	if b.String() != want {
		t.Errorf("got  %q\nwant %q", b.String(), want)
	}
}

func FuzzLineCutter(f *testing.F) {
	f.Add([]byte("a\r\nb\n\nc"), 3, 2)
	f.Add([]byte("\r\r\n\n\r"), 1, 1)
	f.Add(bytes.Repeat([]byte("x"), 100), 7, 13)
	f.Fuzz(func(t *testing.T, stream []byte, max, size int) {
		max, size = 1+abs(max)%64, 1+abs(size)%64
		var chunks [][]byte
		for rest := stream; len(rest) > 0; {
			n := min(size, len(rest))
			chunks, rest = append(chunks, rest[:n]), rest[n:]
		}
		pieces := cutAll(max, chunks...)
		if got := rebuild(pieces); !bytes.Equal(got, stream) {
			t.Errorf("%q became %q", stream, got)
		}
		for i, p := range pieces {
			if len(p.data) > max {
				t.Errorf("piece of %d bytes", len(p.data))
			}
			if !p.last && (p.part == 0 || p.end != endNone || i == len(pieces)-1) {
				t.Errorf("piece %d is %+v", i, p)
			}
		}
	})
}

func abs(n int) int {
	if n < 0 {
		return -(n + 1)
	}
	return n
}

func FuzzSniff(f *testing.F) {
	f.Add("application/json; charset=utf-8", []byte(" {}"))
	f.Add("text/event-stream", []byte("data: x"))
	f.Add("TEXT/EVENT-STREAM ;", []byte("\ufeff: x"))
	f.Fuzz(func(t *testing.T, contentType string, first []byte) {
		form, fault := sniff(contentType, first)
		if (form == formEmpty) != (len(first) == 0) {
			t.Errorf("form %d of %d bytes", form, len(first))
		}
		if form == formText && fault == "" {
			t.Error("text passes without a word")
		}
	})
}

func TestSniff_trap40(t *testing.T) {
	for _, tc := range []struct {
		contentType, first string
		form               form
		faulty             bool
	}{
		{"application/json", "{", formJSON, false},
		{"Application/JSON; Charset=UTF-8", "[", formJSON, false},
		{"application/problem+json", "{", formJSON, false},
		{"TEXT/Event-Stream;charset=utf-8", ": x", formEvents, false},
		{"text/event-stream", "\n\n", formEvents, false},
		{"application/json", " \r\n\ufeff?", formJSON, false},
		{"application/json", "event: x", formEvents, true},
		{"text/event-stream", "\ufeff {", formJSON, true},
		{"", "data: x", formEvents, true},
		{"text/html", "<html>", formText, true},
		{"", "", formEmpty, false},
	} {
		form, fault := sniff(tc.contentType, []byte(tc.first))
		if form != tc.form || (fault != "") != tc.faulty {
			t.Errorf("%q %q: form %d, fault %q", tc.contentType, tc.first, form, fault)
		}
	}
}

func TestCutText(t *testing.T) {
	for _, tail := range []string{"aaaa", "ä", "€", "😀"} {
		for pad := range 5 {
			text := strings.Repeat("a", bodyText-pad) + tail + "rest"
			got := cutText([]byte(text))
			if len(got) > bodyText || len(got) < bodyText-3 || !strings.HasPrefix(text, got) {
				t.Errorf("pad %d, tail %q: %d bytes ending %q", pad, tail, len(got), got[len(got)-4:])
			}
		}
	}
	if got := cutText([]byte("a\xffb")); got != "a\uFFFDb" {
		t.Errorf("%q", got)
	}
}
