package recorder

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
)

var tolerant = []jsontext.Options{
	jsontext.AllowDuplicateNames(true),
	jsontext.AllowInvalidUTF8(true),
}

var errNoEvent = errors.New("not an event")

// parseLine reads any line that is an event, with its members in any order.
// line has no line feed.
func parseLine(line []byte, v *envelope, pl *payload) error {
	*v, *pl = envelope{size: -1}, payload{}
	d := jsontext.NewDecoder(bytes.NewReader(line), tolerant...)
	if tok, err := d.ReadToken(); err != nil || tok.Kind() != '{' {
		return errNoEvent
	}
	var kind []byte
	var fieldsMember string
	for d.PeekKind() == '"' {
		// Values are copied: the decoder reuses its buffer.
		name, err := d.ReadToken()
		if err != nil {
			return errNoEvent
		}
		key := name.String()
		value, err := d.ReadValue()
		if err != nil {
			return errNoEvent
		}
		end := int(d.InputOffset())
		value = line[end-len(value) : end : end]
		switch {
		case key == "k" && kind == nil:
			if kind = stringBytes(value); kind == nil {
				return errNoEvent
			}
			v.kind, _ = parseKind(kind)
			if v.kind == 0 {
				pl.extra = appendMember(pl.extra, key, value)
			}
		case len(key) == 1:
			if !v.setMember(key[0], value) {
				pl.extra = appendMember(pl.extra, key, value)
			}
		case key == "msg" && pl.data == nil:
			pl.form, pl.data = formMessage, value
		case key == "text" && pl.data == nil && value[0] == '"':
			pl.form, pl.data = formText, value
		case key == "b64" && pl.data == nil && value[0] == '"':
			pl.form, pl.data = formBase64, value
		case (key == "http" || key == "sse" || key == "state" || key == statusMark) && pl.fields == nil && value[0] == '{':
			pl.fields, fieldsMember = value, key
		default:
			pl.extra = appendMember(pl.extra, key, value)
		}
	}
	if tok, err := d.ReadToken(); err != nil || tok.Kind() != '}' {
		return errNoEvent
	}
	if len(bytes.TrimLeft(line[d.InputOffset():], " \t\r")) > 0 || kind == nil {
		return errNoEvent
	}
	// What does not belong to the kind is kept as it is.
	if pl.fields != nil && fieldsMember != fieldsKey(v.kind) {
		pl.extra, pl.fields = appendMember(pl.extra, fieldsMember, pl.fields), nil
	}
	if v.kind == 0 && pl.form != formNone && string(kind) != lineKind {
		pl.extra, pl.form, pl.data = appendMember(pl.extra, formKeys[pl.form], pl.data), formNone, nil
	}
	return nil
}

// lineKind is the kind that a line which is no event gets when it is written
// again.
const lineKind = "line"

// setMember sets a one-letter member from its JSON value and reports whether
// it is one, and of the right type.
func (v *envelope) setMember(letter byte, value []byte) bool {
	switch {
	case value[0] == '"':
		s := stringBytes(value)
		return s != nil && v.setString(letter, s, value)
	case letter == 'p':
		v.problems = string(value) == "true"
		return v.problems
	case letter == 'i' && value[0] == '[':
		v.items = parseItems(value)
		return v.items != nil
	case letter == 'i' || letter == 'f':
		return (value[0] == '-' || value[0]-'0' < 10) && v.setNumber(letter, 0, value, false)
	case value[0] == '-' || value[0]-'0' < 10:
		negative := value[0] == '-'
		n, err := strconv.ParseUint(string(bytes.TrimPrefix(value, []byte("-"))), 10, 63)
		return err == nil && v.setNumber(letter, n, value, negative)
	}
	return false
}

func parseItems(value []byte) []batchItem {
	items := []batchItem{}
	d := jsontext.NewDecoder(bytes.NewReader(value), tolerant...)
	if _, err := d.ReadToken(); err != nil {
		return nil
	}
	for d.PeekKind() == '[' {
		if _, err := d.ReadToken(); err != nil {
			return nil
		}
		word, err := d.ReadToken()
		if err != nil || word.Kind() != '"' {
			return nil
		}
		kind, ok := parseMessageKind([]byte(word.String()))
		id, err := d.ReadValue()
		if !ok || err != nil {
			return nil
		}
		it := batchItem{kind: kind}
		if k := id.Kind(); k == '"' || k == '0' {
			it.id = bytes.Clone(id)
		}
		if tok, err := d.ReadToken(); err != nil || tok.Kind() != ']' {
			return nil
		}
		items = append(items, it)
	}
	return items
}

// appendMember adds a member to an object under construction; the closing
// brace is always there.
func appendMember(object []byte, key string, value []byte) []byte {
	if len(object) == 0 {
		object = append(object, '{')
	} else {
		object[len(object)-1] = ','
	}
	object = append(appendString(object, []byte(key)), ':')
	return append(append(object, value...), '}')
}

// appendExtra adds the members of an object to an object under construction
// that has no closing brace yet.
func appendExtra(dst, extra []byte) []byte {
	extra = bytes.TrimSpace(extra)
	if len(extra) < 2 || extra[0] != '{' {
		return dst
	}
	inner := bytes.TrimSpace(extra[1 : len(extra)-1])
	if len(inner) == 0 {
		return dst
	}
	if dst[len(dst)-1] != '{' {
		dst = append(dst, ',')
	}
	return append(dst, inner...)
}

// stringBytes returns what a JSON string says, nil if v is none.
func stringBytes(v []byte) []byte {
	if len(v) < 2 || v[0] != '"' {
		return nil
	}
	if spanPlain(v[1:]) == len(v)-2 {
		return v[1 : len(v)-1 : len(v)-1]
	}
	s, err := jsontext.AppendUnquote([]byte{}, v)
	if err != nil && s == nil {
		return nil
	}
	return s
}

// decode gives up to max bytes (all if max <= 0) of the data of a payload.
func (pl *payload) decode(max int) ([]byte, error) {
	switch pl.form {
	case formMessage:
		if max > 0 && len(pl.data) > max {
			return pl.data[:max:max], nil
		}
		return pl.data, nil
	case formText:
		return unquote(pl.data, max)
	case formBase64:
		src := bytes.Trim(pl.data, `"`)
		if n := (max + 2) / 3 * 4; max > 0 && n < len(src) {
			src = src[:n]
		}
		src = src[:len(src)/4*4]
		out := make([]byte, base64.StdEncoding.DecodedLen(len(src)))
		n, err := base64.StdEncoding.Decode(out, src)
		if err != nil {
			return nil, fmt.Errorf("b64: %w", err)
		}
		if max > 0 && n > max {
			n = max
		}
		return out[:n], nil
	}
	return nil, nil
}

// unquote gives up to max bytes of what a JSON string says. The string may be
// cut anywhere.
func unquote(v []byte, max int) ([]byte, error) {
	if max <= 0 {
		max = len(v)
	}
	out := make([]byte, 0, min(max, len(v)))
	for p := 1; p < len(v) && len(out) < max; {
		n := min(spanText(v[p:]), max-len(out))
		out = append(out, v[p:p+n]...)
		p += n
		if p >= len(v) || len(out) >= max || v[p] == '"' {
			break
		}
		r, n := unescape(v[p:])
		if n == 0 {
			break // cut inside an escape
		}
		if n < 0 {
			return nil, errors.New("text: bad escape")
		}
		out = utf8.AppendRune(out, r)
		p += n
	}
	return out[:min(len(out), max)], nil
}

// spanText counts the bytes up to a quote or backslash.
func spanText(b []byte) int {
	for n := 0; n < len(b); {
		n += spanPlain(b[n:])
		if n < len(b) && b[n] != '"' && b[n] != '\\' {
			n++
			continue
		}
		return n
	}
	return len(b)
}

// unescape reads the escape that b starts with: its character and length, 0 if
// b ends inside it, -1 if it is none.
func unescape(b []byte) (rune, int) {
	if len(b) < 2 {
		return 0, 0
	}
	switch b[1] {
	case '"', '\\', '/':
		return rune(b[1]), 2
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
		if len(b) < 6 {
			return 0, 0
		}
		n, err := strconv.ParseUint(string(b[2:6]), 16, 16)
		if err != nil {
			return 0, -1
		}
		r := rune(n)
		if !utf16.IsSurrogate(r) {
			return r, 6
		}
		if len(b) < 12 {
			return 0, 0
		}
		if low, err := strconv.ParseUint(string(b[8:12]), 16, 16); err == nil && string(b[6:8]) == `\u` {
			if full := utf16.DecodeRune(r, rune(low)); full != utf8.RuneError {
				return full, 12
			}
		}
		return utf8.RuneError, 6
	}
	return 0, -1
}

// fillMessage sets what a line without y leaves to be found in the message.
func (v *envelope) fillMessage(pl *payload) {
	if v.kind != KindMessage || v.hasMsg {
		return
	}
	data, err := pl.decode(0)
	if err != nil {
		v.problems = true
		return
	}
	d := describeMessage(data)
	v.hasMsg = true
	v.msg, v.problems = d.kind, d.problems
	v.method, v.id, v.name, v.ref, v.status, v.items = d.method, d.id, d.name, d.ref, d.status, d.items
	if v.msg == protocol.Invalid {
		v.problems = true
	}
}
