package protocol

import (
	"strconv"
	"strings"
)

// decimal takes a JSON number apart: its value is 0.DIGITS times ten to the
// power of point, with digits that begin and end with no zero; "" for zero. It
// gives up on exponents beyond a million.
func decimal(number string) (digits string, point int, negative, ok bool) {
	number, negative = strings.CutPrefix(number, "-")
	mantissa, exponent := number, 0
	if i := strings.IndexAny(number, "eE"); i >= 0 {
		mantissa = number[:i]
		exponent, ok = smallInt(number[i+1:])
	} else {
		ok = true
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits = strings.TrimRight(whole+fraction, "0")
	point = len(whole) + exponent
	trimmed := strings.TrimLeft(digits, "0")
	point -= len(digits) - len(trimmed)
	switch {
	case whole == "" || strings.Trim(trimmed, "0123456789") != "":
		return "", 0, false, false
	case trimmed == "":
		return "", 0, negative, true
	}
	return trimmed, point, negative, ok
}

func smallInt(text string) (int, bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && n <= 1_000_000 && n >= -1_000_000
}

// integerText gives the plain decimal text of a JSON number that is an integer
// of at most 40 digits, however it is written: 42, 42.0, 4.2e1.
func integerText(number string) (string, bool) {
	digits, point, negative, ok := decimal(number)
	switch {
	case !ok || point < len(digits) || point > 40:
		return "", false
	case digits == "":
		return "0", true
	case negative:
		return "-" + digits + strings.Repeat("0", point-len(digits)), true
	}
	return digits + strings.Repeat("0", point-len(digits)), true
}
