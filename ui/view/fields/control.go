package fields

import (
	"strings"
	"unicode/utf8"

	"mcploupe/protocol/schema"
	"mcploupe/ui/view/safe"
)

// Control is what a person edits a value with.
type Control uint8

// The controls.
const (
	Entry     Control = iota // one line of text
	Password                 // one line of text that is not shown
	Multiline                // several lines of text
	Long                     // a text that is long or holds hidden characters, in an editor
	Number                   // one line, kept as typed
	Check                    // true, false and what is neither
	Strip                    // a few choices side by side
	Pick                     // one choice out of a list
	Checks                   // a few choices, any number of them
	Picks                    // any number of choices out of a list
	Date                     // a day
	DateTime                 // a day, a time and a zone
	File                     // bytes in base64, from a file
	Fixed                    // the one value there can be
	JSON                     // JSON in an editor
	Start                    // an object or a list that is not there yet
)

const (
	// EntryBytes is the longest text that goes into a plain entry.
	EntryBytes = 4000
	stripMost  = 4  // choices side by side
	stripRunes = 44 // of their titles together
	checksMost = 12
	checkRunes = 28
)

// ControlOf is the control for a node as it is now.
func ControlOf(n *schema.Node) Control {
	switch n.Kind() {
	case schema.KindText:
		return textControl(n)
	case schema.KindNumber, schema.KindInteger:
		if len(n.Text()) > EntryBytes || Hides(n.Text()) {
			return Long
		}
		return Number
	case schema.KindBoolean:
		return Check
	case schema.KindSelect:
		if short(n.Choices(), stripMost, stripRunes, stripRunes) {
			return Strip
		}
		return Pick
	case schema.KindMultiSelect:
		if short(n.Choices(), checksMost, checkRunes, checksMost*checkRunes) {
			return Checks
		}
		return Picks
	case schema.KindConst:
		return Fixed
	case schema.KindAny, schema.KindJSON:
		return JSON
	}
	if n.State() == schema.StateDraft {
		return JSON
	}
	return Start
}

// short reports whether there are at most so many choices with titles of at
// most each runes and all runes together.
func short(choices []schema.Choice, most, each, all int) bool {
	if len(choices) > most {
		return false
	}
	for _, c := range choices {
		n := utf8.RuneCountInString(Title(c, checkRunes+stripRunes))
		if all -= n; n > each || all < 0 {
			return false
		}
	}
	return true
}

func textControl(n *schema.Node) Control {
	h, text := n.Hints(), n.Text()
	if FileEncoding(h) != "" {
		return File
	}
	if len(text) > EntryBytes || Hides(text) {
		return Long
	}
	if strings.Contains(text, "\n") {
		return Multiline
	}
	switch h.Format {
	case "date":
		return Date
	case "date-time":
		return DateTime
	case "password":
		return Password
	case "textarea", "multiline", "markdown", "html", "json", "code":
		return Multiline
	case "":
	default:
		return Entry
	}
	if h.MinLength > 120 || h.MaxLength > 500 || strings.HasPrefix(h.ContentMediaType, "text/") || proseName(n.Name()) {
		return Multiline
	}
	for _, v := range append(h.Examples, h.Default) {
		if len(v) > 80 || strings.Contains(string(v), `\n`) {
			return Multiline
		}
	}
	return Entry
}

// proseNames are last words of names whose values tend to have several lines.
var proseNames = map[string]bool{
	"body": true, "content": true, "contents": true, "text": true, "message": true, "prompt": true, "code": true,
	"script": true, "description": true, "comment": true, "markdown": true, "html": true, "sql": true,
	"instructions": true, "thought": true, "diff": true, "patch": true,
}

// proseName reports whether the last word of a name such as newText or
// body_html is one of a long text.
func proseName(name string) bool {
	start := strings.LastIndexFunc(name, func(r rune) bool { return r >= 'A' && r <= 'Z' || r == '_' || r == '-' || r == ' ' })
	return proseNames[strings.ToLower(strings.TrimLeft(name[max(0, start):], "_- "))]
}

// Hides reports whether a text holds characters that an entry would not show.
func Hides(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && r != safe.EmojiStyle && safe.Hidden(r) }) ||
		!utf8.ValidString(text)
}

// FileEncoding says how a file becomes text for a node with such hints:
// "base64", "base64url", "data-url", or "" when the node is not for files.
func FileEncoding(h schema.Hints) string {
	switch strings.ToLower(h.ContentEncoding) {
	case "base64", "base64url":
		return strings.ToLower(h.ContentEncoding)
	}
	switch h.Format {
	case "byte", "base64", "binary", "blob":
		return "base64"
	case "base64url":
		return "base64url"
	case "data-url", "data-uri":
		return "data-url"
	}
	return ""
}
