package recorder

import (
	"sort"
	"strings"
)

// maxCompletions is how many ways to go on are offered, maxCandidates how many
// are put in order.
const (
	maxCompletions = 50
	maxCandidates  = 2000
)

// Completion is one way to go on with a filter text.
type Completion struct {
	Text       string // the word to put in place of Start..End
	Start, End int    // byte offsets into the text
	Hint       string // what it means, in a few words
}

// FilterValues are the values that a recording offers for completion.
type FilterValues struct {
	Methods, Names, Channels, Statuses []string
}

// FilterValues returns the words of this recording.
func (l *Log) FilterValues() FilterValues {
	return FilterValues{
		Methods: l.tables.methods.all(), Names: l.tables.names.all(),
		Channels: l.tables.channels.all(), Statuses: l.tables.statuses.all(),
	}
}

// CompleteFilter lists ways to complete the term at the cursor, best first:
// keys, or the values of a key.
func CompleteFilter(text string, cursor int, v FilterValues) []Completion {
	cursor = min(max(cursor, 0), len(text))
	start, open := termStart(text[:cursor])
	word := text[start:cursor]
	if strings.HasPrefix(word, "-") {
		start, word = start+1, word[1:]
	}
	colon := strings.IndexAny(word, ":<>")
	if colon < 0 {
		if open {
			return nil
		}
		return completeKey(word, start, cursor)
	}
	key := filterKeyOf(strings.ToLower(word[:colon]))
	if key == nil {
		return nil
	}
	start += colon + 1
	if bar := strings.LastIndexByte(text[start:cursor], '|'); bar >= 0 {
		start += bar + 1
	}
	typed := strings.ToLower(strings.Trim(text[start:cursor], `"`))
	var out []Completion
	for _, value := range candidates(key, &v) {
		if lower := strings.ToLower(value); strings.Contains(lower, typed) && lower != typed {
			out = append(out, Completion{Text: quoteValue(value), Start: start, End: cursor, Hint: key.hint})
		}
		if len(out) == maxCandidates {
			break
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return begins(out[i].Text, typed) && !begins(out[j].Text, typed) })
	return out[:min(len(out), maxCompletions)]
}

func begins(value, typed string) bool {
	return strings.HasPrefix(strings.ToLower(strings.Trim(value, `"`)), typed)
}

// termStart finds where the term that a text ends in starts, and whether the
// text ends inside quotes.
func termStart(s string) (start int, open bool) {
	for p := 0; p < len(s); p++ {
		switch {
		case s[p] == '"':
			_, end := quoted(s, p)
			if end < 0 {
				return start, true
			}
			p = end - 1
		case skipSpace(s, p) > p:
			start = p + 1
		}
	}
	return start, false
}

func completeKey(word string, start, end int) []Completion {
	var out []Completion
	for _, k := range filterKeys {
		if strings.HasPrefix(k.name, strings.ToLower(word)) {
			text := k.name + ":"
			switch k.name {
			case "dur", "size", "waited", "rounds":
				text = k.name + ">"
			}
			out = append(out, Completion{Text: text, Start: start, End: end, Hint: k.hint})
		}
	}
	return out
}

// candidates are the values that a key may have in a recording.
func candidates(k *filterKey, v *FilterValues) []string {
	switch k.name {
	case "method":
		return v.Methods
	case "name", "tool", "prompt", "uri":
		return v.Names
	case "channel":
		var out []string
		for _, s := range v.Channels {
			if strings.HasSuffix(s, "-") {
				s += "*"
			}
			out = append(out, s)
		}
		return out
	case "status":
		out := append([]string{}, k.words...)
		for _, s := range v.Statuses {
			if s != statusOK && s != statusToolError {
				out = append(out, s)
			}
		}
		return out
	}
	return k.words
}

// quoteValue puts quotes around a value that a filter would take apart.
func quoteValue(s string) string {
	if strings.ContainsAny(s, " \t\n\r|\"") {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
	}
	return s
}
