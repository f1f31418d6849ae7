package recorder

import (
	"bytes"
	"strings"

	"mcploupe/protocol"
)

// hasThat says whether an event has what one of hasWords names.
func hasThat(h *Head, word string) bool {
	switch word {
	case "progress":
		return h.Method == protocol.NotificationProgress || h.Message == protocol.Request && h.Ref != ""
	case "answer":
		return h.Message == protocol.Request && h.Partner != 0
	case "problem":
		return h.Problems
	case "name":
		return h.Name != ""
	case "data":
		return h.Size > 0
	}
	return h.ID != ""
}

// compileMember finds members by their names, as text.
func compileMember(t *term, tok *token) error {
	var needles []needle
	for _, v := range tok.values {
		needles = append(needles, newNeedle(string(appendString(nil, []byte(v.text())))+":"))
	}
	t.read = func(_ *Log, r *lineReader) bool { return r.contains(needles) }
	return nil
}

func compileText(t *term, tok *token) error {
	var needles []needle
	for _, v := range tok.values {
		needles = append(needles, newNeedle(v.text()))
	}
	t.read = func(_ *Log, r *lineReader) bool { return r.contains(needles) }
	return onlyColon(tok)
}

// compileRule matches the rules that parsing finds broken.
func compileRule(t *term, tok *token) error {
	t.read = func(l *Log, r *lineReader) bool {
		if !r.head.Problems {
			return false
		}
		for _, p := range l.problems(r.head) {
			if matchesAny(tok.values, p.Rule) {
				return true
			}
		}
		return false
	}
	return onlyColon(tok)
}

// problems parses an event again and gives what is wrong with it.
func (l *Log) problems(h *Head) []protocol.Problem {
	if h.Kind == KindMessage {
		m, err := l.Message(h.Seq)
		if err != nil {
			return nil
		}
		list := m.Problems
		for _, it := range m.Items {
			list = append(list[:len(list):len(list)], it.Problems...)
		}
		return list
	}
	if h.Kind != KindBad {
		return nil
	}
	e, err := l.Read(h.Seq, 0)
	if err != nil {
		return nil
	}
	return protocol.Parse(e.Data).Problems
}

// needle is a text to find. Without a capital letter it is found in any case.
type needle struct {
	text    []byte // in lower case if fold
	fold    bool
	special bool // looks different when it is escaped
	rare    int  // place of the byte that is least common
	low, up byte // that byte in both cases
}

func newNeedle(s string) needle {
	n := needle{text: []byte(s), special: s != strings.Trim(string(appendString(nil, []byte(s))), `"`) || strings.ContainsAny(s, `"\`)}
	n.fold = strings.IndexFunc(s, func(r rune) bool { return r >= 'A' && r <= 'Z' }) < 0 &&
		strings.IndexFunc(s, func(r rune) bool { return r >= 'a' && r <= 'z' }) >= 0
	for i, c := range n.text {
		if commonness(c) < commonness(n.text[n.rare]) {
			n.rare = i
		}
	}
	if len(n.text) > 0 {
		n.low, n.up = n.text[n.rare], n.text[n.rare]
		if n.fold && n.low-'a' < 26 {
			n.up -= 'a' - 'A'
		}
	}
	return n
}

// commonness orders bytes by how often they are met in JSON text.
func commonness(c byte) int {
	const order = `" eatonisr:,lcdmupgfyhbvwk.0123456789{}-_/[]zxjqETASIONRCLDMPFBHUGWVYKXJZQ'()\=+;<>?!&%*#@|^~$` + "`"
	return len(order) - strings.IndexByte(order+string(c), c)
}

// in reports whether b contains the needle.
func (n *needle) in(b []byte) bool {
	if !n.fold {
		return bytes.Contains(b, n.text)
	}
	last := len(b) - len(n.text) + n.rare // the last place of the rare byte
	low, up := n.rare-1, n.rare-1         // its next places in each case
	for p := n.rare; p <= last; p++ {
		if low < p {
			low = nextByte(b, n.low, p)
		}
		if n.up != n.low && up < p {
			up = nextByte(b, n.up, p)
		}
		p = low
		if n.up != n.low {
			p = min(low, up)
		}
		if p > last {
			return false
		}
		if equalFold(b[p-n.rare:], n.text) {
			return true
		}
	}
	return false
}

// nextByte gives the next place of c from p on, len(b) if there is none.
func nextByte(b []byte, c byte, p int) int {
	if i := bytes.IndexByte(b[p:], c); i >= 0 {
		return p + i
	}
	return len(b)
}

func equalFold(b, text []byte) bool {
	for i, c := range text {
		if lower(b[i]) != c {
			return false
		}
	}
	return true
}

// lineReader gives the line of an event to the terms that read.
type lineReader struct {
	head *Head
	line []byte // without line feed; nil if it could not be read
}

// contains looks for needles in what was recorded, not in the envelope: a
// message as it was sent, other data as it was before it was written.
func (r *lineReader) contains(needles []needle) bool {
	inLine := false
	for i := range needles {
		if needles[i].special && r.head.Kind != KindMessage || needles[i].in(r.line) {
			inLine = true
			break
		}
	}
	mayBeEncoded := r.head.Kind != KindMessage && r.head.Size > 0 || r.head.Problems
	if !inLine && !mayBeEncoded {
		return false
	}
	var v envelope
	start, key, ok := parsePrefix(r.line, &v)
	content := r.line[min(start, len(r.line)):]
	if !ok {
		content = r.line
	}
	switch string(key) {
	case "text":
		if hasBackslash(content) {
			content = decodeText(payload{form: formText, data: trimBrace(content)}, content)
		}
	case "b64":
		content = decodeText(payload{form: formBase64, data: trimBrace(content)}, content)
	}
	for i := range needles {
		if needles[i].in(content) {
			return true
		}
	}
	return false
}

func trimBrace(b []byte) []byte { return bytes.TrimSuffix(b, []byte("}")) }

func decodeText(pl payload, otherwise []byte) []byte {
	b, err := pl.decode(0)
	if err != nil {
		return otherwise
	}
	return b
}
