package recorder

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
)

// maxWord is up to how many bytes of a method or name go into the envelope.
const maxWord = 512

// envelope is what a line says besides what was recorded. Slices are owned by
// whoever made it; those of a parsed one may be parts of the line.
type envelope struct {
	seq      uint64
	time     int64 // nanoseconds
	dir      Direction
	kind     EventKind
	channel  []byte
	cause    uint64
	msg      protocol.Kind
	hasMsg   bool // y was given, and with it all that the index needs of a message
	method   []byte
	id       []byte // JSON text
	name     []byte
	ref      []byte // JSON text
	answers  uint64
	hasReply bool // a was given
	problems bool
	status   []byte
	size     int64 // of the data, -1 if it is the length of the payload
	items    []batchItem
}

// batchItem is one message of a batch, as far as pairing needs it.
type batchItem struct {
	kind protocol.Kind
	id   []byte
}

// payload says where in a line the recorded things are. An empty slice is
// absent.
type payload struct {
	fields []byte // the object of http, sse and state
	form   form
	data   []byte // the JSON value of msg, text or b64
	extra  []byte // members that are not known, as an object
}

// form is how the data of an event is written.
type form uint8

const (
	formNone form = iota
	formMessage
	formText
	formBase64
)

var formKeys = [...]string{formMessage: "msg", formText: "text", formBase64: "b64"}

var kindKeys = [...]string{
	KindMessage: "msg", KindBad: "bad", KindStderr: "stderr", KindHTTP: "http",
	KindSSE: "sse", KindState: "state", KindNote: "note",
}

// String returns the key of the kind in the file, "" for none.
func (k EventKind) String() string {
	if int(k) < len(kindKeys) {
		return kindKeys[k]
	}
	return ""
}

// String returns "out", "in" or "".
func (d Direction) String() string {
	switch d {
	case Out:
		return "out"
	case In:
		return "in"
	}
	return ""
}

func parseKind(b []byte) (EventKind, bool) {
	for k, key := range kindKeys {
		if key != "" && string(b) == key {
			return EventKind(k), true
		}
	}
	return 0, false
}

func parseDirection(b []byte) Direction {
	switch string(b) {
	case "out":
		return Out
	case "in":
		return In
	}
	return 0
}

func parseMessageKind(b []byte) (protocol.Kind, bool) {
	for k := protocol.Invalid; k <= protocol.Batch; k++ {
		if string(b) == k.String() {
			return k, true
		}
	}
	return 0, false
}

// append writes the line up to the payload: everything but the closing brace.
func (v *envelope) append(dst []byte) []byte {
	dst = append(dst, `{"q":`...)
	dst = strconv.AppendUint(dst, v.seq, 10)
	dst = append(dst, `,"t":`...)
	dst = strconv.AppendInt(dst, v.time, 10)
	if v.dir == Out || v.dir == In {
		dst = append(append(append(dst, `,"d":"`...), v.dir.String()...), '"')
	}
	if v.kind != 0 {
		dst = append(append(append(dst, `,"k":"`...), v.kind.String()...), '"')
	}
	if len(v.channel) > 0 {
		dst = appendString(append(dst, `,"c":`...), v.channel)
	}
	if v.cause != 0 {
		dst = strconv.AppendUint(append(dst, `,"r":`...), v.cause, 10)
	}
	if v.hasMsg {
		dst = append(append(append(dst, `,"y":"`...), v.msg.String()...), '"')
	}
	if len(v.method) > 0 {
		dst = appendString(append(dst, `,"m":`...), v.method)
	}
	if v.items != nil {
		dst = appendItems(append(dst, `,"i":`...), v.items)
	} else if len(v.id) > 0 {
		dst = append(append(dst, `,"i":`...), v.id...)
	}
	if len(v.name) > 0 {
		dst = appendString(append(dst, `,"n":`...), v.name)
	}
	if len(v.ref) > 0 {
		dst = append(append(dst, `,"f":`...), v.ref...)
	}
	if v.hasReply {
		dst = strconv.AppendUint(append(dst, `,"a":`...), v.answers, 10)
	}
	if v.problems {
		dst = append(dst, `,"p":true`...)
	}
	if len(v.status) > 0 {
		dst = appendString(append(dst, `,"w":`...), v.status)
	}
	if v.size >= 0 {
		dst = strconv.AppendInt(append(dst, `,"s":`...), v.size, 10)
	}
	return dst
}

func appendItems(dst []byte, items []batchItem) []byte {
	dst = append(dst, '[')
	for i, it := range items {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(append(append(dst, `["`...), it.kind.String()...), `",`...)
		if len(it.id) > 0 {
			dst = append(dst, it.id...)
		} else {
			dst = append(dst, "null"...)
		}
		dst = append(dst, ']')
	}
	return append(dst, ']')
}

// appendString writes b as a JSON string. Bytes that are not UTF-8 become
// U+FFFD.
func appendString(dst, b []byte) []byte {
	if spanPlain(b) == len(b) {
		return append(append(append(dst, '"'), b...), '"')
	}
	dst, _ = jsontext.AppendQuote(dst, b) // its error says only that there was bad UTF-8
	return dst
}

// cutWord shortens a word for the envelope, at a character's border.
func cutWord(b []byte) []byte { return cutBytes(b, maxWord) }

// cutBytes shortens a text to so many bytes at most, at a character's border.
func cutBytes(b []byte, most int) []byte {
	if len(b) <= most {
		return b
	}
	n := most
	for n > most-utf8.UTFMax && !utf8.RuneStart(b[n]) {
		n--
	}
	return b[:n]
}

// parsePrefix reads the envelope of a line that this package wrote and the
// place where its payload starts. line may end anywhere after that. It reports
// false for any other line, which parseLine understands.
func parsePrefix(line []byte, v *envelope) (start int, key []byte, ok bool) {
	*v = envelope{size: -1}
	if !hasPrefix(line, `{"q":`) {
		return 0, nil, false
	}
	p := 1
	for {
		// p is at the quote of a member's name; one letter is a member of the
		// envelope, more begin the payload.
		if len(line)-p < 6 || line[p] != '"' {
			return 0, nil, false
		}
		if line[p+2] != '"' {
			n := bytes.IndexByte(line[p+1:min(len(line), p+8)], '"')
			if n < 2 || p+n+3 > len(line) || line[p+n+2] != ':' || v.kind == 0 {
				return 0, nil, false
			}
			return p + n + 3, line[p+1 : p+1+n], true
		}
		if line[p+3] != ':' {
			return 0, nil, false
		}
		letter := line[p+1]
		p += 4
		start := p
		switch c := line[p]; {
		case c-'0' < 10 || c == '-':
			n := uint64(0)
			if c == '-' {
				p++
			}
			for ; p < len(line) && line[p]-'0' < 10; p++ {
				n = n*10 + uint64(line[p]-'0')
			}
			if p-start > 18 || !v.setNumber(letter, n, line[start:p], c == '-') {
				return 0, nil, false
			}
		case c == '"':
			n := bytes.IndexByte(line[p+1:], '"')
			if n < 0 || bytes.IndexByte(line[p+1:p+1+n], '\\') >= 0 {
				return 0, nil, false
			}
			p += n + 2
			if !v.setString(letter, line[start+1:p-1], line[start:p]) {
				return 0, nil, false
			}
		case letter == 'p' && hasPrefix(line[p:], "true"):
			p += 4
			v.problems = true
		default:
			return 0, nil, false
		}
		if p >= len(line) {
			return 0, nil, false
		}
		switch line[p] {
		case ',':
			p++
		case '}': // an event with nothing recorded
			return p, nil, v.kind != 0
		default:
			return 0, nil, false
		}
	}
}

// setNumber sets a member that is written as a number, given its digits and
// its text.
func (v *envelope) setNumber(letter byte, n uint64, text []byte, negative bool) bool {
	switch letter {
	case 'i':
		v.id = text
		return true
	case 'f':
		v.ref = text
		return true
	case 't':
		v.time = int64(n)
		if negative {
			v.time = -v.time
		}
		return true
	}
	if negative {
		return false
	}
	switch letter {
	case 'q':
		v.seq = n
	case 'r':
		v.cause = n
	case 'a':
		v.answers, v.hasReply = n, true
	case 's':
		v.size = int64(n)
	default:
		return false
	}
	return true
}

// setString sets a member that is written as a string, given the string and
// its JSON text.
func (v *envelope) setString(letter byte, s, text []byte) bool {
	switch letter {
	case 'd':
		v.dir = parseDirection(s)
		return v.dir != 0
	case 'k':
		known := v.kind != 0
		v.kind, _ = parseKind(s)
		return v.kind != 0 && !known
	case 'c':
		v.channel = s
	case 'y':
		v.msg, v.hasMsg = parseMessageKind(s)
		return v.hasMsg
	case 'm':
		v.method = s
	case 'i':
		v.id = text
	case 'n':
		v.name = s
	case 'f':
		v.ref = text
	case 'w':
		v.status = s
	default:
		return false
	}
	return true
}
