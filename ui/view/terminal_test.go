package view

import "testing"

func TestPlainTerminal(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                                  "plain",
		"\x1b[32mgreen\x1b[0m and \x1b[1;31mred": "green and red",
		"\x1b[mreset":                            "reset",
		"\x1b[2Jcleared":                         "\x1b[2Jcleared",
		"cut \x1b[3":                             "cut \x1b[3",
		"\x1b[\x1b[31mx":                         "\x1b[x",
	} {
		if got := PlainTerminal(in); got != want {
			t.Errorf("PlainTerminal(%q) = %q, want %q", in, got, want)
		}
	}
}
