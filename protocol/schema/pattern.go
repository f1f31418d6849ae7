package schema

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"
	"unicode/utf16"
)

// pattern is a regular expression of a schema (ECMA-262) in the linear-time
// engine of Go. When the engine cannot do it, re is nil and every text matches.
type pattern struct {
	source string
	re     *regexp.Regexp
	why    string // why re is nil
	meter  *meter // counts the work of matching; nil outside validation
}

// ecmaSpace is what \s means in ECMA-262, for use inside a class.
const ecmaSpace = `\t\n\v\f\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`

var errLookAround = errors.New("look-ahead and look-behind")

// compilePattern translates and compiles; it never fails.
func compilePattern(source string) *pattern {
	p := &pattern{source: source}
	text, err := translatePattern(source)
	if err != nil {
		p.why = err.Error()
		return p
	}
	if p.re, err = regexp.Compile(text); err != nil {
		var se *syntax.Error
		if errors.As(err, &se) {
			p.why = string(se.Code)
			return p
		}
		p.why = err.Error()
	}
	return p
}

// String and MatchString make pattern a regular expression of the validator.
func (p *pattern) String() string { return p.source }

// MatchString reports a match; a pattern that is not supported matches all.
func (p *pattern) MatchString(s string) bool {
	if p.re == nil {
		return true
	}
	if p.meter != nil {
		p.meter.spend(1 + len(s)*(1+len(p.source)/32)/64)
	}
	return p.re.MatchString(s)
}

// translatePattern rewrites what ECMA-262 and RE2 spell differently.
func translatePattern(s string) (string, error) {
	var b strings.Builder
	inClass := false
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '\\':
			n, err := translateEscape(&b, s[i:], inClass)
			if err != nil {
				return "", err
			}
			i += n
			continue
		case inClass:
			switch {
			case c == ']':
				inClass = false
				b.WriteByte(c)
			case c == '[':
				b.WriteString(`\[`)
			default:
				b.WriteByte(c)
			}
		case c == '[':
			switch {
			case strings.HasPrefix(s[i:], "[^]"):
				b.WriteString(`[\s\S]`)
				i += 3
				continue
			case strings.HasPrefix(s[i:], "[]"):
				b.WriteString(`[^\s\S]`)
				i += 2
				continue
			}
			inClass = true
			b.WriteByte(c)
			if strings.HasPrefix(s[i:], "[^") {
				b.WriteByte('^')
				i++
			}
		case c == '.':
			b.WriteString(`[^\n\r\x{2028}\x{2029}]`)
		case c == '(' && (strings.HasPrefix(s[i:], "(?=") || strings.HasPrefix(s[i:], "(?!") ||
			strings.HasPrefix(s[i:], "(?<=") || strings.HasPrefix(s[i:], "(?<!")):
			return "", errLookAround
		default:
			b.WriteByte(c)
		}
		i++
	}
	return b.String(), nil
}

// translateEscape writes the escape at the start of s and returns its length.
func translateEscape(b *strings.Builder, s string, inClass bool) (int, error) {
	if len(s) < 2 {
		return 0, errors.New("a backslash at the end")
	}
	switch c := s[1]; c {
	case 's':
		if inClass {
			b.WriteString(ecmaSpace)
		} else {
			b.WriteString("[" + ecmaSpace + "]")
		}
		return 2, nil
	case 'S':
		if inClass {
			return 0, errors.New(`\S inside a class`)
		}
		b.WriteString("[^" + ecmaSpace + "]")
		return 2, nil
	case 'b':
		if inClass {
			b.WriteString(`\x08`)
		} else {
			b.WriteString(`\b`)
		}
		return 2, nil
	case 'Z':
		b.WriteString(`\z`)
		return 2, nil
	case '0':
		b.WriteString(`\x00`)
		return 2, nil
	case 'c':
		if len(s) > 2 {
			fmt.Fprintf(b, `\x%02x`, s[2]&0x1f)
			return 3, nil
		}
		return 0, errors.New(`\c without a letter`)
	case 'u':
		return translateUnicode(b, s)
	case 'p', 'P':
		return translateProperty(b, s)
	case 'k', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return 0, errors.New("back-references")
	case 'Q', 'E', 'C':
		b.WriteByte(c)
		return 2, nil
	}
	b.WriteString(s[:2])
	return 2, nil
}

func translateUnicode(b *strings.Builder, s string) (int, error) {
	if strings.HasPrefix(s, `\u{`) {
		end := strings.IndexByte(s, '}')
		if end < 0 {
			return 0, errors.New(`\u{ without }`)
		}
		b.WriteString(`\x` + s[2:end+1])
		return end + 1, nil
	}
	r, ok := hex4(s[2:])
	if !ok {
		b.WriteByte('u')
		return 2, nil
	}
	n := 6
	if utf16.IsSurrogate(r) {
		if len(s) >= 12 && s[6:8] == `\u` {
			if low, ok := hex4(s[8:]); ok {
				r, n = utf16.DecodeRune(r, low), 12
			}
		}
		if utf16.IsSurrogate(r) {
			return 0, errors.New("a lone surrogate")
		}
	}
	fmt.Fprintf(b, `\x{%x}`, r)
	return n, nil
}

func hex4(s string) (rune, bool) {
	if len(s) < 4 {
		return 0, false
	}
	n, err := strconv.ParseUint(s[:4], 16, 32)
	return rune(n), err == nil
}

// longCategories are the Unicode general categories that schemas spell out.
var longCategories = map[string]string{
	"Letter": "L", "Lowercase_Letter": "Ll", "Uppercase_Letter": "Lu", "Titlecase_Letter": "Lt",
	"Modifier_Letter": "Lm", "Other_Letter": "Lo", "Mark": "M", "Number": "N", "Decimal_Number": "Nd",
	"digit": "Nd", "Letter_Number": "Nl", "Other_Number": "No", "Punctuation": "P", "punct": "P",
	"Dash_Punctuation": "Pd", "Symbol": "S", "Math_Symbol": "Sm", "Currency_Symbol": "Sc",
	"Separator": "Z", "Space_Separator": "Zs", "Other": "C", "Control": "Cc", "cntrl": "Cc", "Format": "Cf",
}

func translateProperty(b *strings.Builder, s string) (int, error) {
	end := strings.IndexByte(s, '}')
	if len(s) < 3 || s[2] != '{' || end < 0 {
		b.WriteString(s[:2])
		return 2, nil
	}
	name := s[3:end]
	for _, prefix := range []string{"General_Category=", "gc=", "Script=", "sc=", "Script_Extensions=", "scx="} {
		name = strings.TrimPrefix(name, prefix)
	}
	if short, ok := longCategories[name]; ok {
		name = short
	}
	b.WriteString(s[:3] + name + "}")
	return end + 1, nil
}
