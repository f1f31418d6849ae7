package safe

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestLine(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		max      int
		want     string
	}{
		{"plain", "get-sum", 20, "get-sum"},
		{"empty", "", 20, ""},
		{"no room", "abc", 0, ""},
		{"negative", "abc", -3, ""},
		{"exact fit", "abc", 3, "abc"},
		{"cut", "abcd", 3, "ab…"},
		{"cut to one", "abcd", 1, "…"},
		{"wide runes", "日本語テキスト", 4, "日本語…"},
		{"line ends", "a\nb\r\nc\rd", 20, "a↵b↵c↵d"},
		{"tab", "a\tb", 20, "a⇥b"},
		{"nul and escape", "a\x00\x1b[31m", 40, "a‹NUL›‹ESC›[31m"},
		{"delete and C1", "\x7f\u0080\u0085", 40, "‹DEL›‹U+0080›‹NEL›"},
		{"bidi override", "FED\u202eABC", 40, "FED‹U+202E›ABC"},
		{"bidi isolates and marks", "\u2066\u2069\u200e\u061c", 60, "‹U+2066›‹U+2069›‹U+200E›‹U+061C›"},
		{"zero width", "ad\u200bmin\ufeff", 40, "ad‹ZWSP›min‹BOM›"},
		{"soft hyphen", "co\u00adop", 40, "co‹SHY›op"},
		{"line separator", "a\u2028b", 40, "a‹U+2028›b"},
		{"tags", "x\U000e0041", 40, "x‹U+E0041›"},
		{"hidden selectors", "x\ufe01\U000e0100", 40, "x‹U+FE01›‹U+E0100›"},
		{"emoji style stays", "⚠\ufe0f ok 1\ufe0f", 40, "⚠\ufe0f ok 1\ufe0f"},
		{"second selector is shown", "⚠\ufe0f\ufe0f", 40, "⚠\ufe0f‹U+FE0F›"},
		{"bad bytes", "a\xffb\xc3", 40, "a‹xFF›b‹xC3›"},
		{"encoded lone surrogate", "a\xed\xa0\x80b", 40, "a‹U+D800›b"},
		{"encoded low surrogate", "\xed\xbf\xbf", 40, "‹U+DFFF›"},
		{"replacement rune as sent", "a\ufffdb", 40, "a\ufffdb"},
		{"noncharacter", "\ufffe\U0001ffff", 40, "‹U+FFFE›‹U+1FFFF›"},
		{"a mark is not cut in two", "ab\u202e", 5, "ab…"},
		{"marks of accents", "e\u0301", 40, "e\u0301"},
		{"stacked accents", "e" + strings.Repeat("\u0301", 8), 40, "e" + strings.Repeat("\u0301", 6) + "‹U+0301›‹U+0301›"},
		{"accents of all letters", strings.Repeat("é", 10), 40, strings.Repeat("é", 10)},
		{"no-break space", "1\u00a0000", 40, "1\u00a0000"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Line(tt.in, tt.max); got != tt.want {
				t.Errorf("Line(%q, %d) = %q, want %q", tt.in, tt.max, got, tt.want)
			}
		})
	}
}

func TestText(t *testing.T) {
	long := strings.Repeat("x", 200)
	for _, tt := range []struct {
		name, in string
		max      int
		want     string
	}{
		{"plain", "two words", 100, "two words"},
		{"lines", "a\nb\r\nc\rd\n", 100, "a\nb\nc\nd\n"},
		{"tab", "a\tb", 100, "a    b"},
		{"hidden", "a\u202eb\x00", 100, "a‹U+202E›b‹NUL›"},
		{"long word", long, 1000, long[:96] + "\n" + long[:96] + "\n" + long[:8]},
		{"blank starts a new word", long[:90] + " " + long[:90], 1000, long[:90] + " " + long[:90]},
		{"cut", "abcdefgh", 6, "abc…"},
		{"exact fit", "abcdef", 6, "abcdef"},
		{"cut keeps runes whole", "日本語", 8, "日…"},
		{"no room", "abc", 2, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Text(tt.in, tt.max); got != tt.want {
				t.Errorf("Text(%q, %d) = %q, want %q", tt.in, tt.max, got, tt.want)
			}
		})
	}
}

func TestTextBoundsLines(t *testing.T) {
	got := Text(strings.Repeat("\n", 100_000), 100_000)
	if n := strings.Count(got, "\n") + 1; n > textLines || !strings.HasSuffix(got, ellipsis) {
		t.Errorf("%d lines, want at most %d and an ellipsis", n, textLines)
	}
}

func TestLineOfAMegabyteIsCut(t *testing.T) {
	got := Line(strings.Repeat("日", 1<<20), 50)
	if want := strings.Repeat("日", 49) + ellipsis; got != want {
		t.Errorf("got %q", got)
	}
}

func TestPlainTextIsNotCopied(t *testing.T) {
	s := strings.Repeat("tools/call ", 10)
	if n := testing.AllocsPerRun(100, func() { Line(s, 200) }); n != 0 {
		t.Errorf("%v allocations for plain ASCII, want none", n)
	}
}

// check asserts the package's guarantees on a result.
func check(t *testing.T, in, out string, lines bool) {
	t.Helper()
	if !utf8.ValidString(out) {
		t.Fatalf("%q gives %q, not UTF-8", in, out)
	}
	var prev rune
	for _, r := range out {
		allowed := lines && r == '\n' || r == EmojiStyle && prev != EmojiStyle && (TakesEmojiStyle(prev) || prev < 0x7f)
		if Hidden(r) && !allowed {
			t.Fatalf("%q gives %q, which hides %U", in, out, r)
		}
		prev = r
	}
}

func FuzzLine(f *testing.F) {
	for _, s := range []string{"", "abc", "a\u202e\x00\xff", "⚠\ufe0f", "\xed\xa0\x80", "e\u0301\u0301", "\r\n\t"} {
		f.Add(s, 5)
	}
	f.Fuzz(func(t *testing.T, s string, n int) {
		n = min(n, 1<<16)
		got := Line(s, n)
		check(t, s, got, false)
		if utf8.RuneCountInString(got) > max(n, 0) {
			t.Fatalf("Line(%q, %d) = %q is too long", s, n, got)
		}
		if whole := Line(s, 1<<20); Line(whole, 1<<20) != whole {
			t.Fatalf("Line(%q) changes when shown again", s)
		}
	})
}

func FuzzText(f *testing.F) {
	f.Add("a b\r\n\tc\u202e", 10)
	f.Add(strings.Repeat("w", 300), 200)
	f.Fuzz(func(t *testing.T, s string, n int) {
		n = min(n, 1<<16)
		got := Text(s, n)
		check(t, s, got, true)
		if len(got) > max(n, 0) {
			t.Fatalf("Text(%q, %d) = %q is too long", s, n, got)
		}
		word := 0
		for _, r := range got {
			switch {
			case unicode.IsSpace(r):
				word = 0
			case r != EmojiStyle && !unicode.Is(unicode.M, r):
				word++
			}
			if word > wordRunes+len(ellipsis) {
				t.Fatalf("Text(%q) leaves a word of more than %d runes", s, wordRunes)
			}
		}
	})
}

func BenchmarkLinePlain(b *testing.B) {
	s := strings.Repeat("tools/call get-sum ", 6)
	for b.Loop() {
		Line(s, 200)
	}
}

func BenchmarkLineHostile(b *testing.B) {
	s := strings.Repeat("a\u202eb日\x00", 50)
	for b.Loop() {
		Line(s, 200)
	}
}
