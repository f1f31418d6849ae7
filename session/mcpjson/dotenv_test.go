package mcpjson

import (
	"fmt"
	"strings"
	"testing"
)

func TestEnvironmentFiles(t *testing.T) {
	src := "\xef\xbb\xbf# comment\r\nPLAIN=value\r\nexport EXPORTED = spaced value  # comment\n\nEMPTY=\nHASH=a#b\nSINGLE='it stays \\n $HOME' # c\n" +
		"DOUBLE=\"a\\tb \\\"q\\\" \\$x\"\nMULTI=\"one\ntwo\"\nURL=postgres://h/db?a=b&c=d\nexports=1\n"
	list, faults := ParseEnv([]byte(src))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	want := "[{PLAIN value} {EXPORTED spaced value} {EMPTY } {HASH a#b} {SINGLE it stays \\n $HOME} {DOUBLE a\tb \"q\" $x} {MULTI one\ntwo} {URL postgres://h/db?a=b&c=d} {exports 1}]"
	if got := fmt.Sprint(list); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestMistakesInEnvironmentFilesHaveTheirLine(t *testing.T) {
	list, faults := ParseEnv([]byte("A=1\nnothing here\n=x\nB C=2\nD='open\nE=5\nF=\"a\" b\nG=7"))
	if fmt.Sprint(list) != "[{A 1} {E 5} {G 7}]" {
		t.Errorf("variables %v", list)
	}
	var lines []string
	for _, f := range faults {
		lines = append(lines, fmt.Sprint(f.Line))
	}
	if strings.Join(lines, " ") != "2 3 4 5 7" {
		t.Errorf("faults %v", faults)
	}
}
