package view

import (
	"fmt"
	"strings"

	"mcploupe/recorder"
)

// filterSyntax is how terms are written and put together.
var filterSyntax = [][2]string{
	{"dir:in is:bad", "terms are separated by blanks and must all hold"},
	{"-dir:in", "the opposite"},
	{"method:ping|tools/*", "one or the other; * stands for any text"},
	{"dur>200ms size<1MB", "numbers are compared with >, >=, < and <="},
	{`name:"two words"`, "quotes keep blanks, | and * as they are"},
	{"timeout", "a text anywhere; a capital letter makes its case count"},
}

// filterLine is how many characters of a term's values stand on one line.
const filterLine = 56

// FilterLanguage describes the filter language: how it is written, and every
// term that there is.
func FilterLanguage() string {
	var b strings.Builder
	line := func(term, about string) { fmt.Fprintf(&b, "  %-22s%s\n", term, about) }
	for _, s := range filterSyntax {
		line(s[0], s[1])
	}
	b.WriteString("\nThe terms, as the field offers them while you type:\n\n")
	for _, key := range recorder.CompleteFilter("", 0, recorder.FilterValues{}) {
		line(key.Text, key.Hint)
		words := ""
		for _, w := range recorder.CompleteFilter(key.Text, len(key.Text), recorder.FilterValues{}) {
			if len(words)+len(w.Text) > filterLine {
				line("", words)
				words = ""
			}
			words += w.Text + ", "
		}
		if words = strings.TrimSuffix(words, ", "); words != "" {
			line("", words)
		}
	}
	return strings.TrimRight(b.String(), "\n")
}
