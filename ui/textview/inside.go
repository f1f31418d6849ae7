package textview

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"mime"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Inside is what the text of a JSON string is.
type Inside uint8

// What a string may hold.
const (
	Plain    Inside = iota // a short text
	Lines                  // a text of several lines, or a long one
	Document               // JSON
	Address                // a URL for a browser
	Image                  // bytes of a picture
	Audio                  // bytes of a sound
	Binary                 // other bytes
)

// Content says what a JSON string holds. It is a guess from its first and last bytes and from the mimeType beside it.
type Content struct {
	Inside Inside
	MIME   string // of Image, Audio and Binary, "" if not known
	Name   string // in words, such as "PNG image in base64"
}

// verb is what opening the content is called, "" when there is nothing to open.
func (c Content) verb() string {
	return [...]string{
		Plain: "", Lines: "open text", Document: "open JSON", Address: "open address", Image: "show picture",
		Audio: "open sound", Binary: "open bytes",
	}[c.Inside]
}

// magic is how the bytes of a kind of file begin.
type magic struct {
	at           int
	begins       string
	inside       Inside
	mime, naming string
}

var magics = []magic{
	{0, "\x89PNG\r\n\x1a\n", Image, "image/png", "PNG image"}, {0, "\xff\xd8\xff", Image, "image/jpeg", "JPEG image"},
	{0, "GIF8", Image, "image/gif", "GIF image"}, {8, "WEBP", Image, "image/webp", "WebP image"},
	{8, "WAVE", Audio, "audio/wav", "WAV audio"}, {0, "ID3", Audio, "audio/mpeg", "MP3 audio"},
	{0, "\xff\xfb", Audio, "audio/mpeg", "MP3 audio"}, {0, "\xff\xf3", Audio, "audio/mpeg", "MP3 audio"},
	{0, "OggS", Audio, "audio/ogg", "Ogg audio"}, {0, "fLaC", Audio, "audio/flac", "FLAC audio"},
	{4, "ftypM4A", Audio, "audio/mp4", "M4A audio"}, {4, "ftyp", Binary, "video/mp4", "MP4 video"},
	{0, "%PDF-", Binary, "application/pdf", "PDF document"}, {0, "PK\x03\x04", Binary, "application/zip", "ZIP archive"},
	{0, "\x1f\x8b", Binary, "application/gzip", "gzip data"}, {0, "<svg", Binary, "image/svg+xml", "SVG image"},
	{0, "<?xml", Binary, "application/xml", "XML"},
}

// sniffBytes is how much of a text is looked at for what it holds.
const sniffBytes = 4 << 10

// blobBytes is from which size on letters and digits without blanks pass for base64.
const blobBytes = 64

// guess says what the text of a JSON string seems to be. s is as sent, without its quotes; said is the media type that
// stands beside it, "" for none.
func guess(s []byte, said string) Content {
	head, tail := s[:min(len(s), sniffBytes)], s[max(0, len(s)-512):]
	switch {
	case bytes.HasPrefix(head, []byte("https://")), bytes.HasPrefix(head, []byte("http://")):
		if len(s) <= sniffBytes && !bytes.ContainsAny(head, " \\\"<>") {
			return Content{Inside: Address, Name: "address"}
		}
	case bytes.HasPrefix(head, []byte("data:")):
		if comma := bytes.IndexByte(head, ','); comma > 0 {
			media, _, _ := strings.Cut(string(head[len("data:"):comma]), ";")
			c := ofMedia(media)
			c.Name = strings.TrimSpace(c.Name + " data URL")
			return c
		}
	}
	if len(s) >= blobBytes || said != "" && len(s) >= 4 {
		if base64Text(head) && base64Text(tail) {
			if c, ok := ofBytes(head); ok {
				return c
			}
			if c := ofMedia(said); said != "" {
				c.Name = strings.TrimSpace(c.Name + " in base64")
				return c
			}
			if len(s) > foldedOver {
				return Content{Inside: Binary, Name: "base64 or one word"}
			}
		}
	}
	if document(s, head, tail) {
		return Content{Inside: Document, Name: "JSON in a string"}
	}
	if len(s) > foldedOver || bytes.Contains(head, []byte(`\n`)) {
		return Content{Inside: Lines, Name: "text"}
	}
	return Content{Name: "text"}
}

// ofBytes recognises what base64 holds by its first bytes.
func ofBytes(head []byte) (Content, bool) {
	b, err := base64.RawStdEncoding.DecodeString(clearBase64(head[:min(len(head), 64)]))
	if err != nil {
		return Content{}, false
	}
	for _, m := range magics {
		if len(b) > m.at && bytes.HasPrefix(b[m.at:], []byte(m.begins)) {
			return Content{Inside: m.inside, MIME: m.mime, Name: m.naming + " in base64"}, true
		}
	}
	return Content{}, false
}

// ofMedia says how bytes of a media type are shown.
func ofMedia(media string) Content {
	c := Content{Inside: Binary, MIME: media, Name: media}
	switch kind, _, _ := strings.Cut(media, "/"); {
	case media == "image/svg+xml": // text, and never drawn: it may refer to anything
	case kind == "image":
		c.Inside = Image
	case kind == "audio":
		c.Inside = Audio
	}
	return c
}

// document reports whether s, as sent, looks like JSON in a string; a short one is looked at whole.
func document(s, head, tail []byte) bool {
	head, tail = trimEscaped(head, true), trimEscaped(tail, false)
	if len(head) < 2 || len(tail) == 0 || len(s) < 8 {
		return false
	}
	if first, last := head[0], tail[len(tail)-1]; (first != '{' || last != '}') && (first != '[' || last != ']') {
		return false
	}
	if len(s) <= sniffBytes {
		text, err := unquote(s)
		return err == nil && jsontext.Value(text).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	}
	return true
}

// trimEscaped takes blanks and escaped line ends off one side.
func trimEscaped(s []byte, left bool) []byte {
	for {
		n := len(s)
		for _, blank := range []string{" ", `\n`, `\r`, `\t`} {
			if left {
				s = bytes.TrimPrefix(s, []byte(blank))
			} else {
				s = bytes.TrimSuffix(s, []byte(blank))
			}
		}
		if len(s) == n {
			return s
		}
	}
}

func base64Text(s []byte) bool {
	for _, c := range s {
		ok := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' ||
			c == '+' || c == '/' || c == '-' || c == '_' || c == '=' || c == '\\'
		if !ok {
			return false
		}
	}
	return len(s) > 0
}

// clearBase64 takes out what JSON and other alphabets put into base64; what is left is a whole number of groups or ends
// within one.
func clearBase64(s []byte) string {
	t := strings.NewReplacer(`\/`, "/", `\n`, "", `\r`, "", "-", "+", "_", "/", "\n", "", "\r", "").Replace(string(s))
	t = strings.TrimRight(t, "=\\")
	if len(t)%4 == 1 {
		t = t[:len(t)-1]
	}
	return t
}

// unquote returns the text of a JSON string, s without its quotes.
func unquote(s []byte) ([]byte, error) {
	quoted := append(append(append(make([]byte, 0, len(s)+2), '"'), s...), '"')
	text, err := jsontext.AppendUnquote(make([]byte, 0, len(s)), quoted)
	if err != nil && !utf8.Valid(s) && len(text) > 0 {
		return text, nil // broken bytes have become the replacement character
	}
	return text, err
}

// content says what the string of node i holds.
func (x *Index) content(i int) Content {
	n := &x.nodes[i]
	if n.kind != kindString || n.end < n.start+2 {
		return Content{}
	}
	return guess(x.raw[n.start+1:n.end-1], x.mediaBeside(i))
}

// siblings bounds how many members are looked at for the media type of another.
const siblings = 12

// mediaBeside returns what the member mimeType of an object says about its members data and blob.
func (x *Index) mediaBeside(i int) string {
	n := &x.nodes[i]
	if key := string(x.raw[n.keyStart:n.keyEnd]); key != `"data"` && key != `"blob"` {
		return ""
	}
	said := func(k int) string {
		s := &x.nodes[k]
		if s.kind == kindString && s.end-s.start < 130 && string(x.raw[s.keyStart:s.keyEnd]) == `"mimeType"` {
			media, _, err := mime.ParseMediaType(string(x.raw[s.start+1 : s.end-1]))
			if err == nil {
				return media
			}
		}
		return ""
	}
	for k, left := int(n.after), siblings; k < len(x.nodes) && x.nodes[k].depth == n.depth && left > 0; left-- {
		if media := said(k); media != "" {
			return media
		}
		k = int(x.nodes[k].after)
	}
	for k, left := i-1, siblings; k >= 0 && x.nodes[k].depth >= n.depth && left > 0; k, left = k-1, left-1 {
		if media := said(k); x.nodes[k].depth == n.depth && media != "" {
			return media
		}
	}
	return ""
}

// Content says what the string v of the index holds; Plain for other values.
func (x *Index) Content(v Value) Content {
	i, ok := x.nodeOf(v)
	if !ok {
		return Content{}
	}
	return x.content(i)
}

func (x *Index) nodeOf(v Value) (i int, ok bool) {
	if !x.JSON() || v.Kind == "" {
		return 0, false
	}
	i = x.at(v.Start)
	return i, int(x.nodes[i].start) == v.Start
}

// Decode returns what the string v holds: the bytes of base64 and data URLs, otherwise the text with its escapes undone.
// It takes some 10 ms a megabyte: call it away from the drawing goroutine.
func (x *Index) Decode(v Value, c Content) ([]byte, error) {
	if v.Kind != "string" || v.End < v.Start+2 {
		return nil, fmt.Errorf("decode a string: this is of kind %s", v.Kind)
	}
	s := x.raw[v.Start+1 : v.End-1]
	text, err := unquote(s)
	if err != nil {
		return nil, fmt.Errorf("undo the escapes of a string: %w", err)
	}
	switch c.Inside {
	case Image, Audio, Binary:
		if bytes.HasPrefix(text, []byte("data:")) {
			head, rest, _ := bytes.Cut(text, []byte{','})
			if !bytes.HasSuffix(head, []byte(";base64")) {
				return percentDecoded(rest), nil
			}
			text = rest
		}
		b, err := base64.RawStdEncoding.DecodeString(clearBase64(text))
		if err != nil {
			return nil, fmt.Errorf("decode base64: %w", err)
		}
		return b, nil
	}
	return text, nil
}

// percentDecoded undoes percent-encoding and leaves alone what is none.
func percentDecoded(s []byte) []byte {
	out := make([]byte, 0, len(s))
	nibble := func(c byte) int {
		if k := strings.IndexByte("0123456789abcdefABCDEF", c); k < 16 {
			return k
		} else {
			return k - 6
		}
	}
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if hi, lo := nibble(s[i+1]), nibble(s[i+2]); hi >= 0 && lo >= 0 {
				out = append(out, byte(hi<<4|lo))
				i += 2
				continue
			}
		}
		out = append(out, s[i])
	}
	return out
}

var extensions = map[string]string{
	"image/png": ".png", "image/jpeg": ".jpg", "image/gif": ".gif", "image/webp": ".webp", "image/svg+xml": ".svg",
	"audio/wav": ".wav", "audio/x-wav": ".wav", "audio/mpeg": ".mp3", "audio/ogg": ".ogg", "audio/flac": ".flac",
	"audio/mp4": ".m4a", "video/mp4": ".mp4", "application/pdf": ".pdf", "application/zip": ".zip",
	"application/gzip": ".gz", "application/xml": ".xml", "text/plain": ".txt", "text/html": ".html", "text/csv": ".csv",
}

// FileName is a name to save the content of a string under, after the last token of its pointer.
func (c Content) FileName(pointer string) string {
	name := path.Base(pointer)
	if name == "/" || name == "." {
		name = "value"
	}
	switch c.Inside {
	case Document:
		return name + ".json"
	case Image, Audio, Binary:
		if ext, ok := extensions[c.MIME]; ok {
			return name + ext
		}
		return name + ".bin"
	}
	return name + ".txt"
}
