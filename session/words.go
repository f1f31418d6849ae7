package session

import (
	"fmt"
	"strings"
)

// word is one word of a command line.
type word struct {
	text   string
	quoted int  // index into text of the first byte that came quoted, len(text) if none
	lost   bool // an unquoted backslash was taken from before a letter or digit
	shell  bool // an unquoted character that a shell would act on
}

// Words splits a command line into its words as ParseTarget does: with quotes and
// backslashes, and nothing that a shell would expand.
func Words(text string) ([]string, error) {
	words, err := splitWords(text)
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = w.text
	}
	return out, err
}

// splitWords splits text as a POSIX shell does: single quotes keep everything,
// double quotes keep everything but a backslash before $, `, ", \ or a line
// end, an unquoted backslash keeps the next character. Nothing is expanded and
// no operator is known.
func splitWords(text string) ([]word, error) {
	var (
		words []word
		buf   strings.Builder
		cur   word
		open  bool
	)
	begin := func() {
		if !open {
			open, cur = true, word{quoted: -1}
		}
	}
	mark := func() {
		begin()
		if cur.quoted < 0 {
			cur.quoted = buf.Len()
		}
	}
	end := func() {
		if !open {
			return
		}
		cur.text = buf.String()
		if cur.quoted < 0 {
			cur.quoted = len(cur.text)
		}
		words, open = append(words, cur), false
		buf.Reset()
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case ' ', '\t', '\n', '\r':
			end()
		case '\'':
			mark()
			j := strings.IndexByte(text[i+1:], '\'')
			if j < 0 {
				return nil, fmt.Errorf("the single quote at position %d is not closed", i+1)
			}
			buf.WriteString(text[i+1 : i+1+j])
			i += 1 + j
		case '"':
			mark()
			n, err := doubleQuoted(text, i, &buf)
			if err != nil {
				return nil, err
			}
			i = n
		case '\\':
			switch {
			case i+1 == len(text):
				mark()
				buf.WriteByte('\\')
			case text[i+1] == '\n':
				i++
			default:
				mark()
				i++
				buf.WriteByte(text[i])
				cur.lost = cur.lost || isAlphanumeric(text[i])
			}
		default:
			begin()
			cur.shell = cur.shell || strings.IndexByte("|&;<>()$`*?[", c) >= 0 || c == '~' && buf.Len() == 0
			buf.WriteByte(c)
		}
	}
	end()
	return words, nil
}

// doubleQuoted reads from the quote at i and returns the index of its end.
func doubleQuoted(text string, i int, buf *strings.Builder) (int, error) {
	for j := i + 1; j < len(text); j++ {
		switch c := text[j]; {
		case c == '"':
			return j, nil
		case c == '\\' && j+1 < len(text) && strings.IndexByte("$`\"\\", text[j+1]) >= 0:
			j++
			buf.WriteByte(text[j])
		case c == '\\' && j+1 < len(text) && text[j+1] == '\n':
			j++
		default:
			buf.WriteByte(c)
		}
	}
	return 0, fmt.Errorf("the double quote at position %d is not closed", i+1)
}

func isAlphanumeric(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// quoteWord writes s so that splitWords gives it back and a shell would too.
func quoteWord(s string) string {
	plain := s != ""
	for i := 0; i < len(s) && plain; i++ {
		plain = isAlphanumeric(s[i]) || strings.IndexByte("%+,-./:=@_", s[i]) >= 0 || s[i] >= 0x80
	}
	if plain {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// assignment splits a leading NAME=value word as a shell would see it: the name
// and the sign are unquoted, the first sign splits.
func (w word) assignment() (name, value string, ok bool) {
	i := strings.IndexByte(w.text, '=')
	if i <= 0 || i >= w.quoted || !isName(w.text[:i]) {
		return "", "", false
	}
	return w.text[:i], w.text[i+1:], true
}

// isName reports whether s can name a variable in a shell.
func isName(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isAlphanumeric(s[i]) && s[i] != '_' || i == 0 && '0' <= s[i] && s[i] <= '9' {
			return false
		}
	}
	return s != ""
}
