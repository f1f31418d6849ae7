package view

import (
	"strings"
	"time"
)

// WithRange is a filter with the time from..to in it in place of the one that
// it has. With nothing between them the filter has no time.
func WithRange(filter string, from, to time.Duration) string {
	terms := filterTerms(filter)
	out := terms[:0]
	for _, term := range terms {
		if _, ok := rangeTerm(term); !ok {
			out = append(out, term)
		}
	}
	if to > from {
		step := roundStep(to - from)
		out = append(out, "after:"+(from/step*step).String(), "before:"+((to+step)/step*step).String())
	}
	return strings.Join(out, " ")
}

// RangeOf is the time that a filter lets through, false when it names none. An
// end that it does not name is that of whole.
func RangeOf(filter string, whole Density) (from, to time.Duration, ok bool) {
	from, to = whole.From, whole.To
	for _, term := range filterTerms(filter) {
		at, is := rangeTerm(term)
		if !is {
			continue
		}
		ok = true
		if strings.HasPrefix(term, "after:") {
			from = max(from, at)
		} else {
			to = min(to, at)
		}
	}
	return from, to, ok && to > from
}

// roundStep is what the ends of a range are rounded to: a thousandth of it.
func roundStep(d time.Duration) time.Duration {
	step := time.Duration(1)
	for step*1000 < d {
		step *= 10
	}
	return step
}

// rangeTerm is the time of an after or before term.
func rangeTerm(term string) (time.Duration, bool) {
	key, value, ok := strings.Cut(term, ":")
	if !ok || key != "after" && key != "before" {
		return 0, false
	}
	d, err := time.ParseDuration(value)
	return d, err == nil
}

// filterTerms cuts a filter at the blanks outside quotes.
func filterTerms(filter string) []string {
	var out []string
	start, quoted := -1, false
	for i := 0; i < len(filter); i++ {
		c := filter[i]
		blank := !quoted && (c == ' ' || c == '\t' || c == '\n' || c == '\r')
		switch {
		case blank && start >= 0:
			out = append(out, filter[start:i])
			start = -1
		case !blank && start < 0:
			start = i
		}
		switch {
		case c == '\\' && quoted:
			i++
		case c == '"':
			quoted = !quoted
		}
	}
	if start >= 0 {
		out = append(out, filter[start:])
	}
	return out
}
