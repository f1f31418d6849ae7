package safe

import "unicode"

// hidden lists what is drawn as nothing, as a box, or changes how its neighbours are drawn, beyond the categories
// that Hidden asks for.
var hidden = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x034f, Hi: 0x034f, Stride: 1}, // combining grapheme joiner
		{Lo: 0x115f, Hi: 0x1160, Stride: 1}, // Hangul fillers
		{Lo: 0x17b4, Hi: 0x17b5, Stride: 1}, // Khmer inherent vowels
		{Lo: 0x180b, Hi: 0x180f, Stride: 1}, // Mongolian selectors and vowel separator
		{Lo: 0x2028, Hi: 0x2029, Stride: 1}, // line and paragraph separator
		{Lo: 0x2065, Hi: 0x2065, Stride: 1}, // unassigned, ignorable
		{Lo: 0x2800, Hi: 0x2800, Stride: 1}, // Braille blank
		{Lo: 0x3164, Hi: 0x3164, Stride: 1}, // Hangul filler
		{Lo: 0xfdd0, Hi: 0xfdef, Stride: 1}, // noncharacters
		{Lo: 0xfe00, Hi: 0xfe0f, Stride: 1}, // variation selectors
		{Lo: 0xffa0, Hi: 0xffa0, Stride: 1}, // halfwidth Hangul filler
		{Lo: 0xfff0, Hi: 0xfff8, Stride: 1}, // unassigned, ignorable
	},
	R32: []unicode.Range32{
		{Lo: 0x1bca0, Hi: 0x1bca3, Stride: 1}, // shorthand controls
		{Lo: 0x1d173, Hi: 0x1d17a, Stride: 1}, // musical controls
		{Lo: 0xe0000, Hi: 0xe0fff, Stride: 1}, // tags and further variation selectors
	},
}

// Hidden reports whether r must not be drawn as it is: controls (C0, C1), bidirectional and other format characters,
// zero-width and blank-looking characters, line separators, surrogates and noncharacters. Line ends and tabs count.
func Hidden(r rune) bool {
	switch {
	case r >= 0x20 && r < 0x7f:
		return false
	case r < 0xa0, r > unicode.MaxRune, r&0xfffe == 0xfffe:
		return true
	}
	return unicode.In(r, unicode.Cf, unicode.Cs, hidden)
}

// names of the controls that people know by name.
var names = map[rune]string{
	0x00: "NUL", 0x07: "BEL", 0x08: "BS", '\t': "TAB", '\n': "LF", 0x0b: "VT", 0x0c: "FF", '\r': "CR", 0x1b: "ESC",
	0x7f: "DEL", 0x85: "NEL", 0xad: "SHY", 0x200b: "ZWSP", 0x200c: "ZWNJ", 0x200d: "ZWJ", 0xfeff: "BOM",
}

// Mark returns what is shown in place of r, such as ‹ESC› or ‹U+202E›.
func Mark(r rune) string {
	if n, ok := names[r]; ok {
		return "‹" + n + "›"
	}
	return "‹U+" + hex(r, 4) + "›"
}

// MarkByte returns what is shown in place of a byte that is not part of UTF-8, such as ‹xFF›.
func MarkByte(b byte) string { return "‹x" + hex(rune(b), 2) + "›" }

// hex writes r in capital hexadecimal with at least width digits.
func hex(r rune, width int) string {
	const digits = "0123456789ABCDEF"
	var buf [8]byte
	i := len(buf)
	for v := uint32(r); v > 0 || len(buf)-i < width; v >>= 4 {
		i--
		buf[i] = digits[v&0xf]
	}
	return string(buf[i:])
}
