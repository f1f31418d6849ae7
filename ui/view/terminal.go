package view

import "strings"

// PlainTerminal leaves out the escape sequences with which programs colour
// their words on a terminal (CSI ... m); they say nothing here. What was
// written is in the recording as it came.
func PlainTerminal(s string) string {
	if !strings.Contains(s, "\x1b[") {
		return s
	}
	var b strings.Builder
	for {
		at := strings.Index(s, "\x1b[")
		if at < 0 {
			return b.String() + s
		}
		b.WriteString(s[:at])
		end := at + 2
		for end < len(s) && (s[end] >= '0' && s[end] <= '9' || s[end] == ';') {
			end++
		}
		if end < len(s) && s[end] == 'm' {
			s = s[end+1:]
			continue
		}
		b.WriteString(s[at : at+2])
		s = s[at+2:]
	}
}
