package link

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// cmdModel reads a line as cmd.exe does, as far as it matters here: percent
// expansion, quotes, carets, and the characters that end or redirect a command.
type cmdModel struct{ vars map[string]string }

// expand replaces variables as on a command line, where what is not defined
// stays as it is.
func (m cmdModel) expand(line string) string {
	var out strings.Builder
	for i := 0; i < len(line); i++ {
		if line[i] != '%' {
			out.WriteByte(line[i])
			continue
		}
		value, n, ok := m.variable(line[i+1:])
		if !ok {
			out.WriteByte('%')
			continue
		}
		out.WriteString(value)
		i += n
	}
	return out.String()
}

// variable reads what stands behind a percent sign: name, a part of it, and
// the sign that ends it.
func (m cmdModel) variable(rest string) (value string, n int, ok bool) {
	end := strings.IndexAny(rest, "%:")
	if end <= 0 {
		return "", 0, false
	}
	value, ok = m.vars[strings.ToLower(rest[:end])]
	if !ok || rest[end] == '%' {
		return value, end + 1, ok
	}
	close := strings.IndexByte(rest[end:], '%')
	if close < 0 {
		return "", 0, false
	}
	if part := rest[end+1 : end+close]; part == "~," {
		return "", end + close + 1, true
	}
	return value, end + close + 1, true
}

// words splits a line at what separates the words of a command, quotes kept.
// It fails when the line is more than one plain command.
func (m cmdModel) words(line, separators string) (words []string, rest string, err error) {
	quoted, begun := false, false
	var word strings.Builder
	flush := func() {
		if begun {
			words = append(words, word.String())
		}
		word.Reset()
		begun = false
	}
	for i := range len(line) {
		c := line[i]
		switch {
		case c == '\n' || c == '\r' || c == 0:
			return nil, "", fmt.Errorf("the line ends at byte %d", i)
		case c == '"':
			quoted = !quoted
		case quoted:
		case strings.IndexByte("&|<>()^", c) >= 0:
			return nil, "", fmt.Errorf("%q outside of quotes at byte %d of %s", c, i, line)
		case strings.IndexByte(separators, c) >= 0:
			flush()
			if len(words) == 1 && rest == "" {
				rest = line[i+1:]
			}
			continue
		}
		begun = true
		word.WriteByte(c)
	}
	if quoted {
		return nil, "", fmt.Errorf("quotes stay open in %s", line)
	}
	flush()
	return words, rest, nil
}

// cArguments splits a command line as the C runtime does since 2008.
func cArguments(line string) []string {
	var args []string
	var arg strings.Builder
	quoted, begun := false, false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case (c == ' ' || c == '\t') && !quoted:
			if begun {
				args = append(args, arg.String())
				arg.Reset()
			}
			begun = false
		case c == '\\':
			n := 1
			for i+n < len(line) && line[i+n] == '\\' {
				n++
			}
			begun = true
			i += n - 1
			if i+1 == len(line) || line[i+1] != '"' {
				arg.WriteString(strings.Repeat(`\`, n))
				break
			}
			arg.WriteString(strings.Repeat(`\`, n/2))
			if n%2 == 1 {
				arg.WriteByte('"')
				i++
			}
		case c == '"' && quoted && i+1 < len(line) && line[i+1] == '"':
			arg.WriteByte('"')
			i++
		case c == '"':
			quoted, begun = !quoted, true
		default:
			begun = true
			arg.WriteByte(c)
		}
	}
	if begun {
		args = append(args, arg.String())
	}
	return args
}

const (
	testShell  = `C:\Windows\System32\cmd.exe`
	testScript = `C:\Program Files\50% off & more\npx.cmd`
)

// arrive is what a C program gets that a batch file starts with its own
// arguments, when cmd.exe is given line.
func arrive(line string) ([]string, error) {
	m := cmdModel{map[string]string{"cd": `C:\here`, "path": `C:\a;C:\b & calc`, "x": `" & calc & "`, "comspec": testShell}}
	inner, ok := strings.CutPrefix(line, `"`+testShell+`" /d /e:on /v:off /s /c "`)
	if !ok || !strings.HasSuffix(inner, `"`) {
		return nil, fmt.Errorf("the line is %s", line)
	}
	inner = m.expand(strings.TrimSuffix(inner, `"`))
	words, rest, err := m.words(inner, " ")
	if err != nil {
		return nil, err
	}
	if words[0] != `"`+testScript+`"` {
		return nil, fmt.Errorf("cmd.exe runs %s", words[0])
	}
	// The file's own line, in which %* stands for the rest.
	own := `"C:\node.exe"  "C:\npx-cli.js" ` + rest
	if _, _, err := m.words(own, " "); err != nil {
		return nil, fmt.Errorf("in the batch file: %w", err)
	}
	// What %1, %2 and so on stand for.
	if numbered, _, err := m.words(rest, " \t,;="); err != nil || len(numbered) != len(words)-1 {
		return nil, fmt.Errorf("the batch file counts %d arguments, %d were given: %v", len(numbered), len(words)-1, err)
	}
	return cArguments(own)[2:], nil
}

func checkBatch(t *testing.T, args []string) {
	t.Helper()
	line, err := batchLine(testShell, testScript, args)
	if err != nil {
		if !strings.ContainsAny(strings.Join(args, ""), "\r\n\x00") && len(line) <= maxBatchLine && !strings.Contains(err.Error(), "too long") {
			t.Errorf("%q: %v", args, err)
		}
		return
	}
	got, err := arrive(line)
	if err != nil {
		t.Errorf("%q: %v\n%s", args, err, line)
	} else if !slices.Equal(got, args) {
		t.Errorf("%q arrives as %q\n%s", args, got, line)
	}
}

func TestBatchFilesGetTheirArgumentsAndNothingElseRuns(t *testing.T) {
	for _, args := range [][]string{
		nil,
		{"-y", "@modelcontextprotocol/server-everything", "stdio"},
		{""},
		{"", "", "a"},
		{"two words"},
		{`C:\Program Files\`},
		{`C:\tools\`},
		{`a\\b`, `\`, `\\`},
		{`"`},
		{`""`},
		{`say "hi" & calc.exe`},
		{`"&calc.exe`},
		{`x" & calc & "`},
		{`\"&calc`},
		{`\\"&calc`},
		{`%PATH%`},
		{`%x%`},
		{`%`, `%`},
		{`100%`, `50%`},
		{`%cd:~,1%`},
		{`%%x%%`},
		{`a%b`, `x%`},
		{`!x!`},
		{`a&b`, `a|b`, `a<b`, `a>b`, `(a)`, `a^b`, `a,b`, `a;b`, `a=b`},
		{`--header`, `{"a":"b c","d":[1,2]}`},
		{"täg", "日本", "😀"},
		{"tab\tin", "*", "?", "/?", "-", "--"},
		{"\x7f\x01"},
	} {
		checkBatch(t, args)
	}
}

func TestBatchLineRefusesWhatItCannotSay(t *testing.T) {
	for _, args := range [][]string{{"a\nb"}, {"ok", "a\rb"}, {"a\x00b"}, {strings.Repeat("x", maxBatchLine)}} {
		if line, err := batchLine(testShell, testScript, args); err == nil {
			t.Errorf("%.20q gives %.80s", args, line)
		}
	}
	for _, script := range []string{"", `C:\a"b.cmd`, "C:\\a\nb.cmd", `C:\a\`} {
		if line, err := batchLine(testShell, script, nil); err == nil {
			t.Errorf("%q gives %s", script, line)
		}
	}
}

// The model itself: a naive line is seen to do harm.
func TestCmdModelSeesInjections(t *testing.T) {
	m := cmdModel{map[string]string{"x": "value"}}
	for _, line := range []string{`"a" & calc`, `"a\" & calc"`, "a\ncalc", `"a`, `a^b`} {
		if _, _, err := m.words(line, " "); err == nil {
			t.Errorf("%q passes", line)
		}
	}
	for line, want := range map[string]string{`%x%`: "value", `%y%`: "%y%", `%%x%`: "%value", `100%`: "100%", `%x:~,%`: "", `%x`: "%x"} {
		if got := m.expand(line); got != want {
			t.Errorf("%s gives %s, want %s", line, got, want)
		}
	}
	for line, want := range map[string][]string{
		`a "b c" d`: {"a", "b c", "d"}, `"a""b c"`: {`a"b c`}, `a\\\"b`: {`a\"b`}, `"a\\" b`: {`a\`, "b"}, `""`: {""}, `a\b`: {`a\b`},
	} {
		if got := cArguments(line); !slices.Equal(got, want) {
			t.Errorf("%s gives %q, want %q", line, got, want)
		}
	}
}

func FuzzBatchLine(f *testing.F) {
	for _, seed := range []string{`a`, `a"b`, `%x%`, `\"&calc`, "x\x1fy z", "\x1f", `" & calc & "`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, joined string) {
		checkBatch(t, strings.Split(joined, "\x1f"))
	})
}
