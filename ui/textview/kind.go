package textview

import "bytes"

// magics are the beginnings of files in base64.
var magics = []struct{ prefix, name string }{
	{"iVBORw0KGgo", "PNG image"}, {"/9j/", "JPEG image"}, {"R0lGOD", "GIF image"}, {"PHN2Zy", "SVG image"},
	{"UklGR", "WebP image or WAV audio"}, {"SUQz", "MP3 audio"}, {"//uQ", "MP3 audio"}, {"T2dnUw", "Ogg audio"},
	{"JVBERi0", "PDF document"}, {"UEsDB", "ZIP archive"}, {"H4sI", "gzip data"},
}

// stringKind says in a few words what the text of a long JSON string seems to be; s is as sent, without its quotes.
func stringKind(s []byte) string {
	if bytes.HasPrefix(s, []byte("data:")) {
		return "data URL"
	}
	head := s[:min(len(s), 512)]
	trimmed := bytes.TrimSpace(s)
	if len(trimmed) > 1 && bytes.IndexByte(head, '"') > 0 {
		first, last := trimmed[0], trimmed[len(trimmed)-1]
		if first == '{' && last == '}' || first == '[' && last == ']' {
			return "JSON in a string"
		}
	}
	if base64(head) && base64(s[max(0, len(s)-512):]) {
		for _, m := range magics {
			if bytes.HasPrefix(s, []byte(m.prefix)) {
				return m.name + " in base64"
			}
		}
		return "base64 or one word"
	}
	return "text"
}

func base64(s []byte) bool {
	for _, c := range s {
		ok := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' ||
			c == '+' || c == '/' || c == '-' || c == '_' || c == '=' || c == '\\'
		if !ok {
			return false
		}
	}
	return len(s) > 0
}
