package recorder

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxViews is how many encodings may stand inside each other.
const maxViews = 3

// found is a place of a text that holds a secret, and what takes its place.
type found struct {
	start, end int
	entry      int32 // of the plan
	with       []byte
}

// pattern is a text that betrays a secret.
type pattern struct {
	text   []byte
	entry  int32
	tag    []byte
	base64 bool // the text is what base64 makes of the secret's inner bytes
}

// secretFinder finds many secrets in a text at once, also where they are
// percent-encoded, in base64 or escaped as in JSON, one inside the other.
type secretFinder struct {
	patterns []pattern
	short    []int32            // patterns of fewer than four bytes
	long     map[uint32][]int32 // the others by their first four bytes, the longest first
	filter   [1 << 11]uint64    // bits of the hashes of the keys of long
}

func newSecretFinder() *secretFinder { return &secretFinder{long: map[uint32][]int32{}} }

func filterBit(key uint32) uint32 { return key * 0x9E3779B1 >> 15 }

// add makes a secret known. Call build when all are.
func (f *secretFinder) add(secret string, entry int32, tag string) {
	if secret == "" {
		return
	}
	f.patterns = append(f.patterns, pattern{text: []byte(secret), entry: entry, tag: []byte(tag)})
	if len(secret) < minSecret {
		return // what base64 leaves of it would hit innocent text
	}
	for shift := range 3 {
		core := base64Core(secret, shift)
		f.patterns = append(f.patterns, pattern{text: core, entry: entry, tag: []byte(tag), base64: true})
		if other := urlAlphabet(core); !bytes.Equal(other, core) {
			f.patterns = append(f.patterns, pattern{text: other, entry: entry, tag: []byte(tag), base64: true})
		}
	}
}

// base64Core is the part of the base64 of a text that depends on nothing but
// the secret, when the secret starts shift bytes after a border.
func base64Core(secret string, shift int) []byte {
	padded := append(make([]byte, shift), secret...)
	text := base64.RawStdEncoding.EncodeToString(padded)
	start := (shift*8 + 5) / 6
	return []byte(text[start : len(padded)*8/6])
}

var toURLAlphabet = strings.NewReplacer("+", "-", "/", "_")

func urlAlphabet(b []byte) []byte { return []byte(toURLAlphabet.Replace(string(b))) }

func (f *secretFinder) build() {
	for i := range f.patterns {
		text := f.patterns[i].text
		if len(text) < 4 {
			f.short = append(f.short, int32(i))
			continue
		}
		key := binary.LittleEndian.Uint32(text)
		f.long[key] = append(f.long[key], int32(i))
		bit := filterBit(key)
		f.filter[bit>>6] |= 1 << (bit & 63)
	}
	for _, list := range f.long {
		slices.SortStableFunc(list, func(a, b int32) int { return len(f.patterns[b].text) - len(f.patterns[a].text) })
	}
}

// find returns the places of secrets in s, in order and apart from each other.
func (f *secretFinder) find(s []byte) []found {
	if len(f.patterns) == 0 || len(s) == 0 {
		return nil
	}
	v := viewSearch{f: f}
	v.search(s, nil, 0)
	if len(v.all) == 0 {
		return nil
	}
	slices.SortFunc(v.all, func(a, b found) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return b.end - a.end
	})
	kept := v.all[:1]
	for _, next := range v.all[1:] {
		last := &kept[len(kept)-1]
		if next.start >= last.end {
			kept = append(kept, next)
		} else if next.end > last.end {
			// They overlap: one tag for both, as neither may stay in part. What was
			// to be written anew for a part of it would be wrong for the whole.
			last.end, last.with = next.end, f.tagOf(last.entry)
		}
	}
	return kept
}

func (f *secretFinder) tagOf(entry int32) []byte {
	for i := range f.patterns {
		if f.patterns[i].entry == entry {
			return f.patterns[i].tag
		}
	}
	return nil
}

// replace writes s with tags for its secrets; it returns s itself when it has
// none.
func (f *secretFinder) replace(s []byte) ([]byte, []found) {
	places := f.find(s)
	if len(places) == 0 {
		return s, nil
	}
	out := make([]byte, 0, len(s)+16*len(places))
	at := 0
	for _, p := range places {
		out = append(append(out, s[at:p.start]...), p.with...)
		at = p.end
	}
	return append(out, s[at:]...), places
}

// viewSearch looks through a text and the texts that it encodes.
type viewSearch struct {
	f   *secretFinder
	all []found
}

// search finds secrets in s, a view of the original text: byte i of s comes
// from the bytes from[i] to from[i+1] of it. A nil from is the text itself.
func (v *viewSearch) search(s []byte, from []int32, depth int) {
	place := func(i int) int {
		if from == nil {
			return i
		}
		return int(from[i])
	}
	v.direct(s, func(p *pattern, start, end int) {
		if !p.base64 {
			v.all = append(v.all, found{place(start), place(end), p.entry, p.tag})
			return
		}
		start, end, with := v.inBase64(s, p, start, end)
		v.all = append(v.all, found{place(start), place(end), p.entry, with})
	})
	if depth == maxViews {
		return
	}
	if bytes.IndexByte(s, '\\') >= 0 {
		if plain, places := unescapedView(s, from); plain != nil {
			v.search(plain, places, depth+1)
		}
	}
	if bytes.IndexByte(s, '%') >= 0 || bytes.IndexByte(s, '+') >= 0 {
		if plain, places := percentView(s, from); plain != nil {
			v.search(plain, places, depth+1)
		}
	}
}

// direct finds patterns as they are.
func (v *viewSearch) direct(s []byte, emit func(p *pattern, start, end int)) {
	f := v.f
	for _, i := range f.short {
		p := &f.patterns[i]
		for at := 0; ; {
			n := bytes.Index(s[at:], p.text)
			if n < 0 {
				break
			}
			emit(p, at+n, at+n+len(p.text))
			at += n + len(p.text)
		}
	}
	if len(f.long) == 0 {
		return
	}
	for i := 0; i+4 <= len(s); i++ {
		key := binary.LittleEndian.Uint32(s[i:])
		bit := filterBit(key)
		if f.filter[bit>>6]&(1<<(bit&63)) == 0 {
			continue
		}
		for _, n := range f.long[key] {
			if p := &f.patterns[n]; bytes.HasPrefix(s[i:], p.text) {
				emit(p, i, i+len(p.text))
				break
			}
		}
	}
}

func isBase64(c byte) bool {
	return c|0x20-'a' < 26 || c-'0' < 10 || c == '+' || c == '/' || c == '-' || c == '_'
}

// inBase64 masks inside a run of base64: the run is written again from what it
// says with tags in it. A run that cannot be read gets a tag itself.
func (v *viewSearch) inBase64(s []byte, p *pattern, start, end int) (from, to int, with []byte) {
	from, to = start, end
	for from > 0 && isBase64(s[from-1]) {
		from--
	}
	for to < len(s) && isBase64(s[to]) {
		to++
	}
	run, padding := s[from:to], 0
	for to < len(s) && s[to] == '=' && padding < 2 {
		to++
		padding++
	}
	encoding := base64.RawStdEncoding
	if bytes.ContainsAny(run, "-_") {
		encoding = base64.RawURLEncoding
	}
	plain := make([]byte, encoding.DecodedLen(len(run)))
	n, err := encoding.Decode(plain, run)
	if err == nil && (len(run)+padding)%4 == 0 || err == nil && padding == 0 {
		if masked, places := v.f.replaceDirect(plain[:n]); len(places) > 0 {
			if padding > 0 || len(run)%4 == 0 {
				encoding = encoding.WithPadding(base64.StdPadding)
			}
			return from, to, encoding.AppendEncode(nil, masked)
		}
	}
	// A character at either side may hold bits of the secret.
	return max(from, start-1), min(to, end+1), p.tag
}

// replaceDirect is replace for a text in no further encoding.
func (f *secretFinder) replaceDirect(s []byte) ([]byte, []found) {
	v := viewSearch{f: f}
	var out []byte
	at := 0
	v.direct(s, func(p *pattern, start, end int) {
		if p.base64 || start < at {
			return
		}
		out = append(append(out, s[at:start]...), p.tag...)
		at = end
		v.all = append(v.all, found{start, end, p.entry, p.tag})
	})
	return append(out, s[at:]...), v.all
}

// unescapedView reads the escapes of JSON strings, nil if there are none.
func unescapedView(s []byte, from []int32) ([]byte, []int32) {
	out := make([]byte, 0, len(s))
	places := make([]int32, 0, len(s)+1)
	any := false
	for i := 0; i < len(s); {
		if s[i] == '\\' {
			if r, n := unescape(s[i:]); n > 0 {
				var b [utf8.UTFMax]byte
				for _, c := range b[:utf8.EncodeRune(b[:], r)] {
					out, places = append(out, c), append(places, origin(from, i))
				}
				i += n
				any = true
				continue
			}
		}
		out, places = append(out, s[i]), append(places, origin(from, i))
		i++
	}
	if !any {
		return nil, nil
	}
	return out, append(places, origin(from, len(s)))
}

// percentView reads percent-encoding, with + for a blank, nil if there is none.
func percentView(s []byte, from []int32) ([]byte, []int32) {
	out := make([]byte, 0, len(s))
	places := make([]int32, 0, len(s)+1)
	any := false
	for i := 0; i < len(s); {
		c, n := s[i], 1
		switch {
		case c == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]):
			c, n, any = unhex(s[i+1])<<4|unhex(s[i+2]), 3, true
		case c == '+':
			c, any = ' ', true
		}
		out, places = append(out, c), append(places, origin(from, i))
		i += n
	}
	if !any {
		return nil, nil
	}
	return out, append(places, origin(from, len(s)))
}

func origin(from []int32, i int) int32 {
	if from == nil {
		return int32(i)
	}
	return from[i]
}

func unhex(c byte) byte {
	if c-'0' < 10 {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}
