package recorder

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Filter is a parsed filter text. It may be used from any goroutine.
//
// A filter is a list of terms with blanks between them; all must hold. A term
// is key:value or key>value, or a word or "quoted words" to find anywhere in
// what was recorded. -term holds when term does not; a|b in a value means
// either; * in a value stands for any text; quotes keep blanks, | and * as they
// are, and \" is a quote inside them. Words are compared without regard to case; words to find anywhere only
// as long as they have no capital letter.
type Filter struct {
	text      string
	columns   []term // need the index alone
	reading   []term // need the file
	need      headStrings
	exchanges bool // the exchanges of the log are needed
}

// String returns the text that was parsed.
func (f *Filter) String() string { return f.text }

// term is one condition.
type term struct {
	negate bool
	head   func(l *Log, h *Head) bool       // of a column
	read   func(l *Log, r *lineReader) bool // of a term that reads
}

// FilterError says what is wrong with a filter text and where.
type FilterError struct {
	Offset int // byte offset into the text
	Text   string
}

func (e *FilterError) Error() string { return fmt.Sprintf("at %d: %s", e.Offset+1, e.Text) }

// value is one alternative of a term's value.
type value struct {
	pieces []string // text between stars; one piece without a star
	offset int
}

func (v value) text() string { return strings.Join(v.pieces, "*") }

// token is one term before its meaning is looked up.
type token struct {
	negate bool
	key    string // "" for bare text
	op     string // ":", ">", ">=", "<", "<="
	values []value
	offset int // of the key
}

// asks reports whether the term is about one of a few words and may mean this
// one.
func (t *token) asks(word string) bool {
	return (t.key == "is" || t.key == "status") && matchesAny(t.values, word)
}

// ParseFilter parses a filter text. An empty text matches every event. The
// error is a *FilterError.
func ParseFilter(s string) (*Filter, error) {
	f := &Filter{text: s}
	for p := skipSpace(s, 0); p < len(s); p = skipSpace(s, p) {
		tok, end, err := parseTerm(s, p)
		if err != nil {
			return nil, err
		}
		p = end
		t := term{negate: tok.negate}
		if err := t.compile(&tok); err != nil {
			return nil, err
		}
		if t.head != nil {
			f.columns = append(f.columns, t)
		} else {
			f.reading = append(f.reading, t)
		}
		if k := filterKeyOf(tok.key); k != nil {
			f.need |= k.need
			f.exchanges = f.exchanges || k.exchange || tok.asks(wordPending)
		}
	}
	return f, nil
}

func skipSpace(s string, p int) int {
	for p < len(s) && (s[p] == ' ' || s[p] == '\t' || s[p] == '\n' || s[p] == '\r') {
		p++
	}
	return p
}

func parseTerm(s string, p int) (token, int, error) {
	var t token
	if s[p] == '-' && p+1 < len(s) && skipSpace(s, p+1) == p+1 {
		t.negate = true
		p++
	}
	t.offset = p
	end := p
	for end < len(s) && (s[end] >= 'a' && s[end] <= 'z' || s[end] >= 'A' && s[end] <= 'Z') {
		end++
	}
	if op := operator(s[end:]); op != "" && end > p && !strings.HasPrefix(s[end:], "://") {
		t.key, t.op = strings.ToLower(s[p:end]), op
		if filterKeyOf(t.key) == nil {
			return t, 0, &FilterError{p, fmt.Sprintf("there is no key %q; put quotes around it to find it as text", t.key)}
		}
		p = end + len(op)
	}
	values, end, err := parseValues(s, p, t.key == "")
	if err != nil {
		return t, 0, err
	}
	t.values = values
	return t, end, nil
}

func operator(s string) string {
	for _, op := range []string{">=", "<=", ">", "<", ":"} {
		if strings.HasPrefix(s, op) {
			return op
		}
	}
	return ""
}

// parseValues reads alternatives up to a blank.
func parseValues(s string, p int, bare bool) ([]value, int, error) {
	var values []value
	v := value{pieces: []string{""}, offset: p}
	given := false
	last := func() *string { return &v.pieces[len(v.pieces)-1] }
	for ; p < len(s) && skipSpace(s, p) == p; p++ {
		switch c := s[p]; {
		case c == '"':
			text, end := quoted(s, p)
			if end < 0 {
				return nil, 0, &FilterError{p, "this quote is not closed"}
			}
			*last() += text
			given = true
			p = end - 1
		case c == '|':
			if !given {
				return nil, 0, &FilterError{p, "there is no value before |"}
			}
			values = append(values, v)
			v, given = value{pieces: []string{""}, offset: p + 1}, false
		case c == '*' && !bare:
			v.pieces = append(v.pieces, "")
			given = true
		default:
			*last() += s[p : p+1]
			given = true
		}
	}
	if !given {
		return nil, 0, &FilterError{p, "a value is missing here"}
	}
	return append(values, v), p, nil
}

// quoted reads the quoted text that starts at p; a backslash keeps a quote or
// backslash in it. It returns where the text ends, -1 if it does not.
func quoted(s string, p int) (text string, end int) {
	var b strings.Builder
	for p++; p < len(s); p++ {
		switch {
		case s[p] == '"':
			return b.String(), p + 1
		case s[p] == '\\' && p+1 < len(s) && (s[p+1] == '"' || s[p+1] == '\\'):
			p++
		}
		b.WriteByte(s[p])
	}
	return "", -1
}

// matches compares s with a value, without regard to the case of ASCII
// letters.
func (v value) matches(s string) bool {
	first := v.pieces[0]
	if len(v.pieces) == 1 {
		return len(s) == len(first) && hasFoldPrefix(s, first)
	}
	if !hasFoldPrefix(s, first) {
		return false
	}
	s = s[len(first):]
	for _, piece := range v.pieces[1 : len(v.pieces)-1] {
		i := indexFold(s, piece)
		if i < 0 {
			return false
		}
		s = s[i+len(piece):]
	}
	last := v.pieces[len(v.pieces)-1]
	return len(s) >= len(last) && hasFoldPrefix(s[len(s)-len(last):], last)
}

func hasFoldPrefix(s, prefix string) bool {
	if len(s) < len(prefix) {
		return false
	}
	for i := range len(prefix) {
		if lower(s[i]) != lower(prefix[i]) {
			return false
		}
	}
	return true
}

func indexFold(s, piece string) int {
	for i := 0; i+len(piece) <= len(s); i++ {
		if hasFoldPrefix(s[i:], piece) {
			return i
		}
	}
	return -1
}

func lower(c byte) byte {
	if c-'A' < 26 {
		return c + 'a' - 'A'
	}
	return c
}

// bounds is what a number must lie in: low <= n < high.
type bounds struct{ low, high int64 }

func (b bounds) has(n int64) bool { return n >= b.low && n < b.high }

const noBound = 1<<63 - 1

// parseBounds reads the value of a key that is a number: with an operator, or
// as one number, or as low..high.
func parseBounds(t *token, number func(string) (int64, error)) (func(int64) bool, error) {
	var all []bounds
	for _, v := range t.values {
		b, err := parseBound(t.op, v.text(), number)
		if err != nil {
			return nil, &FilterError{v.offset, err.Error()}
		}
		all = append(all, b)
	}
	return func(n int64) bool {
		for _, b := range all {
			if b.has(n) {
				return true
			}
		}
		return false
	}, nil
}

func parseBound(op, text string, number func(string) (int64, error)) (bounds, error) {
	if low, high, ok := strings.Cut(text, ".."); ok && op == ":" {
		b := bounds{0, noBound}
		var err error
		if low != "" {
			b.low, err = number(low)
		}
		if high != "" && err == nil {
			b.high, err = number(high)
			b.high++
		}
		return b, err
	}
	n, err := number(text)
	switch op {
	case ">":
		return bounds{n + 1, noBound}, err
	case ">=":
		return bounds{n, noBound}, err
	case "<":
		return bounds{0, n}, err
	case "<=":
		return bounds{0, n + 1}, err
	}
	return bounds{n, n + 1}, err
}

func parseDuration(s string) (int64, error) {
	if d, err := time.ParseDuration(s); err == nil && d >= 0 {
		return int64(d), nil
	}
	return 0, fmt.Errorf("%q is no duration; write 200ms, 1.5s or 2m", s)
}

var sizeUnits = []struct {
	suffix string
	factor float64
}{
	{"kib", 1 << 10}, {"mib", 1 << 20}, {"gib", 1 << 30},
	{"kb", 1e3}, {"mb", 1e6}, {"gb", 1e9}, {"k", 1e3}, {"m", 1e6}, {"g", 1e9}, {"b", 1}, {"", 1},
}

func parseSize(s string) (int64, error) {
	for _, u := range sizeUnits {
		digits, ok := strings.CutSuffix(strings.ToLower(s), u.suffix)
		if !ok {
			continue
		}
		if n, err := strconv.ParseFloat(digits, 64); err == nil && n >= 0 && n < 1e15 {
			return int64(n * u.factor), nil
		}
	}
	return 0, fmt.Errorf("%q is no size; write 512, 4KB, 1.5MB or 1MiB", s)
}

func parseCount(s string) (int64, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 || n == noBound {
		return 0, fmt.Errorf("%q is no number", s)
	}
	return n, nil
}
