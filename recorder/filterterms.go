package recorder

import "strings"

// FilterTerm is one term of a filter text as it was written.
type FilterTerm struct {
	Start, End int // byte offsets into the text, the minus included
	Negate     bool
	Key        string   // in lower case, "" for words to find anywhere
	Op         string   // ":", ">", ">=", "<" or "<="; "" without a key
	Values     []string // the alternatives as written, quotes included
}

// FilterTerms takes a filter text apart, for tools that change it. A text that
// is no filter gives the terms before its fault.
func FilterTerms(text string) []FilterTerm {
	var terms []FilterTerm
	for p := skipSpace(text, 0); p < len(text); p = skipSpace(text, p) {
		tok, end, err := parseTerm(text, p)
		if err != nil {
			break
		}
		t := FilterTerm{Start: p, End: end, Negate: tok.negate, Key: tok.key, Op: tok.op}
		for i, v := range tok.values {
			to := end
			if i+1 < len(tok.values) {
				to = tok.values[i+1].offset - 1 // of the bar
			}
			t.Values = append(t.Values, text[v.offset:to])
		}
		terms = append(terms, t)
		p = end
	}
	return terms
}

// String writes the term again.
func (t FilterTerm) String() string {
	minus := ""
	if t.Negate {
		minus = "-"
	}
	return minus + t.Key + t.Op + strings.Join(t.Values, "|")
}

// FilterValue writes a text so that a filter takes it as one value, exactly as
// it is.
func FilterValue(text string) string {
	if text == "" || strings.ContainsAny(text, " \t\n\r|\"*") {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
	}
	return text
}
