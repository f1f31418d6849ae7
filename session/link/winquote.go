package link

import (
	"fmt"
	"strings"
	"unicode/utf16"
)

// maxBatchLine is how many characters cmd.exe takes.
const maxBatchLine = 8191

// batchLine is the command line with which cmd.exe, at the path shell, runs a
// batch file so that the file gets the arguments given and nothing else happens:
// no character of an argument ends the command, begins another, redirects, or
// names a variable, neither where cmd.exe reads the line nor where the file
// hands its arguments on with %*.
//
// Every argument stands between quotes unless it is a plain word. A quote inside
// is written twice: cmd.exe leaves and enters its quotes there, so that what
// follows is still inside, and C programs read the pair as one quote. A percent
// sign is followed by a part of a variable that is always empty, so that the two
// signs around a name are never a pair. What cannot be written so is refused.
func batchLine(shell, script string, args []string) (string, error) {
	for _, path := range []string{shell, script} {
		if path == "" || strings.ContainsAny(path, "\"\r\n\x00") || strings.HasSuffix(path, `\`) {
			return "", fmt.Errorf("%q cannot be run by cmd.exe", path)
		}
	}
	var b strings.Builder
	// d: no AutoRun commands. e:on: what percentEnd needs. v:off: exclamation
	// marks are plain. s: the outer pair of quotes goes, and nothing else.
	b.WriteString(`"` + shell + `" /d /e:on /v:off /s /c "`)
	writeBatchArg(&b, script, true)
	for i, arg := range args {
		if at := strings.IndexAny(arg, "\r\n\x00"); at >= 0 {
			return "", fmt.Errorf("argument %d cannot be handed to %s: batch files take no line ends in arguments", i+1, script)
		}
		b.WriteByte(' ')
		writeBatchArg(&b, arg, false)
	}
	b.WriteByte('"')
	if n := len(utf16.Encode([]rune(b.String()))); n > maxBatchLine {
		return "", fmt.Errorf("the arguments for %s are too long: the command line has %d characters, cmd.exe takes %d", script, n, maxBatchLine)
	}
	return b.String(), nil
}

// percentEnd is empty when cmd.exe has read it: the first no characters of the
// current folder. Behind a percent sign it keeps that from beginning a name.
const percentEnd = "%cd:~,%"

func writeBatchArg(b *strings.Builder, arg string, quote bool) {
	if !quote && plainWord(arg) {
		b.WriteString(arg)
		return
	}
	b.WriteByte('"')
	slashes := 0
	for i := range len(arg) {
		switch c := arg[i]; c {
		case '\\':
			slashes++
			b.WriteByte(c)
			continue
		case '"':
			// C programs halve backslashes before a quote.
			b.WriteString(strings.Repeat(`\`, slashes))
			b.WriteString(`""`)
		case '%':
			b.WriteByte(c)
			b.WriteString(percentEnd)
		default:
			b.WriteByte(c)
		}
		slashes = 0
	}
	b.WriteString(strings.Repeat(`\`, slashes))
	b.WriteByte('"')
}

// plainWord reports whether an argument means the same with and without
// quotes. One that ends in a backslash is not: C programs would take it and
// a quote that a batch file puts behind it for a quote.
func plainWord(arg string) bool {
	for i := range len(arg) {
		c := arg[i]
		switch {
		case c >= '0' && c <= '9', c|0x20 >= 'a' && c|0x20 <= 'z':
		case strings.IndexByte(`-_./:@+\#`, c) >= 0:
		default:
			return false
		}
	}
	return arg != "" && !strings.HasSuffix(arg, `\`)
}
