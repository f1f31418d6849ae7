package textdiff

import (
	"github.com/go-json-experiment/json/jsontext"
)

// JSON compares two JSON texts as they are written out line by line. Number
// text, escapes and the order of members stay as they came. A text that is no
// JSON is compared as it is.
func JSON(before, after []byte) *Diff { return Texts(pretty(before), pretty(after)) }

func pretty(b []byte) string {
	if len(b) == 0 || len(b) > MaxBytes {
		return string(b)
	}
	v := jsontext.Value(append([]byte(nil), b...))
	err := v.Format(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true), jsontext.PreserveRawStrings(true),
		jsontext.CanonicalizeRawInts(false), jsontext.CanonicalizeRawFloats(false), jsontext.Multiline(true), jsontext.WithIndent("  "),
		jsontext.SpaceAfterColon(true), jsontext.SpaceAfterComma(false))
	if err != nil {
		return string(b)
	}
	return string(v)
}
