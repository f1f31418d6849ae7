package jsonvalue

import (
	"encoding/json"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// Decimal is a JSON number without loss: sign * 0.digits * 10^exp. The digits
// have no zeros at either end; zero has none at all. Keeping the exponent apart
// makes 1e999999999 as cheap as 1.
type Decimal struct {
	neg    bool
	digits string
	exp    int64
}

// maxExponent is where exponents are held; beyond it two numbers of the same
// sign and digits count as equal.
const maxExponent = 1 << 60

// ParseDecimal reads a JSON number literal.
func ParseDecimal(lit string) (Decimal, bool) {
	if !IsNumber(lit) {
		return Decimal{}, false
	}
	var d Decimal
	s := lit
	if s[0] == '-' {
		d.neg, s = true, s[1:]
	}
	var exp int64
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		e := strings.TrimPrefix(s[i+1:], "+")
		n, err := strconv.ParseInt(e, 10, 64)
		if err != nil || n > maxExponent || n < -maxExponent {
			n = maxExponent
			if strings.HasPrefix(e, "-") {
				n = -maxExponent
			}
		}
		exp, s = n, s[:i]
	}
	whole, frac, _ := strings.Cut(s, ".")
	digits := whole + frac
	exp += int64(len(whole))
	trimmed := strings.TrimLeft(digits, "0")
	exp -= int64(len(digits) - len(trimmed))
	d.digits = strings.TrimRight(trimmed, "0")
	d.exp = exp
	if d.digits == "" {
		return Decimal{}, true
	}
	return d, true
}

// IsNumber reports whether s is exactly one JSON number.
func IsNumber(s string) bool {
	s = strings.TrimPrefix(s, "-")
	n := countDigits(s)
	if n == 0 || n > 1 && s[0] == '0' {
		return false
	}
	s = s[n:]
	if strings.HasPrefix(s, ".") {
		n = countDigits(s[1:])
		if n == 0 {
			return false
		}
		s = s[1+n:]
	}
	if s != "" && (s[0] == 'e' || s[0] == 'E') {
		s = s[1:]
		if s != "" && (s[0] == '+' || s[0] == '-') {
			s = s[1:]
		}
		n = countDigits(s)
		return n > 0 && n == len(s)
	}
	return s == ""
}

func countDigits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

// Zero reports whether the number is 0, -0 included.
func (d Decimal) Zero() bool { return d.digits == "" }

// Sign is -1, 0 or 1.
func (d Decimal) Sign() int {
	if d.Zero() {
		return 0
	}
	return sign(d.neg)
}

// Magnitude is the number of digits before the decimal point, below 0 where
// zeros follow it.
func (d Decimal) Magnitude() int64 { return d.exp }

// Whole reports whether the number has no fraction; 1.0 and 1e2 have none.
func (d Decimal) Whole() bool { return d.Zero() || d.exp >= int64(len(d.digits)) }

// Count is a whole number that is not negative as an int, at most most, which
// is at most 2^31.
func (d Decimal) Count(most int) int {
	if d.exp > 10 {
		return most
	}
	c := 0
	for i := range int(d.exp) {
		c *= 10
		if i < len(d.digits) {
			c += int(d.digits[i] - '0')
		}
	}
	return min(c, most)
}

// Cmp compares exactly.
func (d Decimal) Cmp(o Decimal) int {
	switch {
	case d.Zero() && o.Zero():
		return 0
	case d.Zero():
		return sign(!o.neg)
	case o.Zero() || d.neg != o.neg:
		return sign(d.neg)
	}
	c := 0
	switch {
	case d.exp != o.exp:
		c = sign(d.exp < o.exp)
	default:
		c = strings.Compare(d.digits, o.digits)
	}
	if d.neg {
		c = -c
	}
	return c
}

// sign is -1 for less and 1 otherwise.
func sign(less bool) int {
	if less {
		return -1
	}
	return 1
}

// MultipleOf reports whether d is an integer multiple of m.
func (d Decimal) MultipleOf(m Decimal) bool {
	if d.Zero() {
		return true
	}
	if m.Zero() {
		return false
	}
	e := (d.exp - int64(len(d.digits))) - (m.exp - int64(len(m.digits)))
	if e < 0 {
		// d's digits do not end in 0, so no positive power of ten divides them.
		return false
	}
	a, _ := new(big.Int).SetString(d.digits, 10)
	b, _ := new(big.Int).SetString(m.digits, 10)
	p := new(big.Int).Exp(big.NewInt(10), big.NewInt(e), b)
	return p.Mul(p, a).Mod(p, b).Sign() == 0
}

// AppendKey writes a text that equal JSON values share: numbers in one form,
// members sorted by name.
func AppendKey(b []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(b, 'n')
	case bool:
		if v {
			return append(b, 't')
		}
		return append(b, 'f')
	case json.Number:
		d, _ := ParseDecimal(string(v))
		b = append(b, '#')
		if d.neg {
			b = append(b, '-')
		}
		b = append(append(b, d.digits...), 'e')
		return append(strconv.AppendInt(b, d.exp, 10), ';')
	case string:
		b = append(b, '"')
		b = strconv.AppendInt(b, int64(len(v)), 10)
		b = append(b, ':')
		return append(b, v...)
	case []any:
		b = append(b, '[')
		for _, it := range v {
			b = AppendKey(b, it)
		}
		return append(b, ']')
	case map[string]any:
		names := make([]string, 0, len(v))
		for n := range v {
			names = append(names, n)
		}
		slices.Sort(names)
		b = append(b, '{')
		for _, n := range names {
			b = AppendKey(b, n)
			b = AppendKey(b, v[n])
		}
		return append(b, '}')
	}
	return b
}
