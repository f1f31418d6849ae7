package protocol

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// ID is the id of a request as its JSON text, so that 1, 1.0 and "1" stay three
// ids and no digit is lost. The zero ID is an absent one.
//
// IDs are comparable. == compares texts: "1" and "\u0031" differ as texts, as
// peers that echo an id verbatim are told apart from peers that re-encode it.
// Use Equal to ask whether two ids mean the same.
type ID struct{ text string }

// ParseID takes the JSON text of a string or of a number, without blanks
// around it. Anything else gives the zero ID and false.
func ParseID(text string) (ID, bool) {
	b := []byte(text)
	if text == "" || isBlank(text[0]) || isBlank(text[len(text)-1]) {
		return ID{}, false
	}
	if k := kindOf(b); k != '"' && k != '0' || !Valid(b) {
		return ID{}, false
	}
	return ID{text}, true
}

// IntID returns the id that is the decimal text of n.
func IntID(n uint64) ID { return ID{strconv.FormatUint(n, 10)} }

// StringID returns the id that is the JSON string of s.
func StringID(s string) ID { return ID{string(QuoteString(s))} }

// String returns the JSON text, "" for an absent id.
func (id ID) String() string { return id.text }

// IsZero reports whether the id is absent.
func (id ID) IsZero() bool { return id.text == "" }

// Equal reports whether two ids are the same string, however it is escaped, or
// the same number text. Numbers are not compared by value: 1 and 1.0 are two
// ids (L-RPC-02).
func (id ID) Equal(other ID) bool {
	if id == other {
		return true
	}
	a, ok := StringValue(jsontext.Value(id.text))
	if !ok {
		return false
	}
	b, ok := StringValue(jsontext.Value(other.text))
	return ok && a == b
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
