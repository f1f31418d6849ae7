// Package uritemplate expands URI templates of RFC 6570, level 4. It refuses
// what the grammar does not allow and says where and why; it never guesses.
package uritemplate

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Template is a parsed URI template. It does not change and is safe for
// concurrent use.
type Template struct {
	source string
	parts  []part
}

// part is a literal or an expression.
type part struct {
	literal    string // already encoded; "" for an expression
	expression *Expression
}

// Expression is one {...} of a template.
type Expression struct {
	Text      string // with braces
	Offset    int    // byte offset in the template
	Operator  byte   // 0 for simple expansion, else one of + # . / ; ? &
	Variables []Variable
}

// Required reports whether the URI makes no sense without a value for at least
// one of the variables. That goes for {a} and {+a}; the other operators bring
// their own separator and vanish as a whole.
func (e *Expression) Required() bool { return e.Operator == 0 || e.Operator == '+' }

// Variable is one name in a template.
type Variable struct {
	Name       string
	Operator   byte // of the expression that it stands in first
	Explode    bool // *
	Prefix     int  // characters to keep, 0 for all
	Expression int  // index of that expression
	Required   bool // it stands alone in an expression that needs a value
}

// Error says what is wrong with a template.
type Error struct {
	Offset int // byte offset in the template
	Reason string
}

// Error returns the reason and the place.
func (e *Error) Error() string { return fmt.Sprintf("%s at byte %d", e.Reason, e.Offset) }

// ErrPrefix is wrapped by the error for a prefix modifier, as in {list:3}, with
// a value that is a list or a map.
var ErrPrefix = errors.New("a prefix needs a string")

// Parse reads a template. The error is an *Error.
func Parse(s string) (*Template, error) {
	t := &Template{source: s}
	for i := 0; i < len(s); {
		if s[i] == '{' {
			end := strings.IndexByte(s[i:], '}')
			if end < 0 {
				return nil, &Error{i, "the brace { has no end"}
			}
			e, err := parseExpression(s[i:i+end+1], i)
			if err != nil {
				return nil, err
			}
			t.parts = append(t.parts, part{expression: e})
			i += end + 1
			continue
		}
		end := i
		for end < len(s) && s[end] != '{' {
			n, reason := literalLen(s[end:])
			if reason != "" {
				return nil, &Error{end, reason}
			}
			end += n
		}
		t.parts = append(t.parts, part{literal: string(encode(nil, s[i:end], true))})
		i = end
	}
	return t, nil
}

// literalLen returns the length of the literal that s begins with, or why there
// can be none.
func literalLen(s string) (int, string) {
	switch c := s[0]; {
	case c == '}':
		return 0, "the brace } has no beginning"
	case c == '%':
		if !isTriplet(s) {
			return 0, "% is not followed by two hexadecimal digits"
		}
		return 3, ""
	case c <= ' ' || c == 0x7f || strings.IndexByte("\"<>\\^`|", c) >= 0:
		return 0, "the character " + strconv.QuoteRune(rune(c)) + " may not stand in a URI"
	case c < utf8.RuneSelf:
		return 1, ""
	}
	r, n := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && n == 1 {
		return 0, "the byte is not UTF-8"
	}
	return n, ""
}

func parseExpression(text string, offset int) (*Expression, error) {
	e := &Expression{Text: text, Offset: offset}
	i, end := 1, len(text)-1
	if i == end {
		return nil, &Error{offset, "the expression {} names no variable"}
	}
	switch c := text[i]; {
	case strings.IndexByte("+#./;?&", c) >= 0:
		e.Operator = c
		i++
	case strings.IndexByte("=,!@|", c) >= 0:
		return nil, &Error{offset + i, "the operator " + string(c) + " is reserved"}
	}
	for {
		stop := i + strings.IndexAny(text[i:], ",}")
		v, err := parseVariable(text[i:stop], offset+i)
		if err != nil {
			return nil, err
		}
		v.Operator = e.Operator
		e.Variables = append(e.Variables, v)
		if stop == end {
			return e, nil
		}
		i = stop + 1
	}
}

func parseVariable(text string, offset int) (v Variable, err error) {
	i := 0
	for i < len(text) && text[i] != ':' && text[i] != '*' {
		switch c := text[i]; {
		case c == '%':
			if !isTriplet(text[i:]) {
				return v, &Error{offset + i, "% is not followed by two hexadecimal digits"}
			}
			i += 3
		case c == '.' && i > 0 && text[i-1] != '.', c == '_', isAlnum(c):
			i++
		default:
			r, _ := utf8.DecodeRuneInString(text[i:])
			return v, &Error{offset + i, "the character " + strconv.QuoteRune(r) + " may not stand in a variable name"}
		}
	}
	if v.Name = text[:i]; v.Name == "" {
		return v, &Error{offset, "a variable name is missing"}
	}
	if strings.HasSuffix(v.Name, ".") {
		return v, &Error{offset + i - 1, "a variable name ends with a dot"}
	}
	switch modifier := text[i:]; {
	case modifier == "":
	case modifier == "*":
		v.Explode = true
	case modifier[0] == '*':
		return v, &Error{offset + i + 1, "* is followed by something"}
	default:
		digits := modifier[1:]
		n, err := strconv.Atoi(digits)
		if err != nil || len(digits) > 4 || digits[0] < '1' || digits[0] > '9' {
			return v, &Error{offset + i, "the prefix length " + strconv.Quote(digits) + " is not a number from 1 to 9999"}
		}
		v.Prefix = n
	}
	return v, nil
}

func isAlnum(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

func isTriplet(s string) bool { return len(s) >= 3 && s[0] == '%' && isHex(s[1]) && isHex(s[2]) }

// String returns the text of the template.
func (t *Template) String() string { return t.source }

// Expressions returns the expressions in order.
func (t *Template) Expressions() []Expression {
	var all []Expression
	for _, p := range t.parts {
		if p.expression != nil {
			e := *p.expression
			e.Variables = slices.Clone(e.Variables)
			all = append(all, e)
		}
	}
	return all
}

// Variables returns the variables in order of their first appearance, each name
// once. One is required if it is so anywhere.
func (t *Template) Variables() []Variable {
	var all []Variable
	places := map[string]int{}
	for i, e := range t.Expressions() {
		for _, v := range e.Variables {
			required := e.Required() && len(e.Variables) == 1
			if at, known := places[v.Name]; known {
				all[at].Required = all[at].Required || required
				continue
			}
			v.Expression, v.Required = i, required
			places[v.Name] = len(all)
			all = append(all, v)
		}
	}
	return all
}

// Missing returns the required expressions for which values has nothing. A URI
// expanded without them is not what the template means.
func (t *Template) Missing(values map[string]Value) []Expression {
	return slices.DeleteFunc(t.Expressions(), func(e Expression) bool {
		return !e.Required() || slices.ContainsFunc(e.Variables, func(v Variable) bool { return values[v.Name].defined() })
	})
}
