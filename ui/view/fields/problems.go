package fields

import (
	"strings"

	"mcploupe/protocol"
	"mcploupe/protocol/schema"
	"mcploupe/ui/view/human"
	"mcploupe/ui/view/safe"
)

// Error is what to say at a field, and whether it is only a warning.
func Error(problems []protocol.Problem) (text string, warns bool) {
	if len(problems) == 0 {
		return "", false
	}
	warns = true
	var parts []string
	for i, p := range problems {
		if i < 3 {
			parts = append(parts, safe.Line(p.Text, 200))
		}
		warns = warns && p.Severity != protocol.Violation
	}
	if more := len(problems) - 3; more > 0 {
		parts = append(parts, human.Count(more)+" more")
	}
	return strings.Join(parts, "; "), warns
}

// Where names the place of a problem by the labels on the way to it.
func Where(f *schema.Form, pointer string) string {
	var labels []string
	n := Nearest(f, pointer)
	for ; n.Parent() != nil; n = n.Parent() {
		labels = append([]string{safe.Line(n.Label(), 40)}, labels...)
	}
	if len(labels) == 0 {
		return "the whole"
	}
	return strings.Join(labels, " › ")
}

// Nearest is the node at a pointer, or the one around that place.
func Nearest(f *schema.Form, pointer string) *schema.Node {
	for {
		if n := f.Root().At(pointer); n != nil {
			return n
		}
		pointer = pointer[:max(0, strings.LastIndexByte(pointer, '/'))]
	}
}

// Issue is a problem as the summary lists it.
type Issue struct {
	Where, Text string
	Pointer     string
	Warns       bool
}

// Summary is what is said about the form as a whole.
type Summary struct {
	Text   string
	Level  Level
	Issues []Issue
}

// Level says how bad it is.
type Level uint8

// The levels.
const (
	Fine    Level = iota // nothing to say
	Missing              // not filled in yet
	Warned               // remarks only
	Wrong
)

// maxIssues bounds what a summary lists.
const maxIssues = 200

// Summarise words the problems of a form. seen says which of them the person has
// had a chance to mend.
func Summarise(f *schema.Form, seen func(*schema.Node) bool) Summary {
	problems := f.Problems()
	s := Summary{Text: "Complete"}
	wrong, warned, missing := 0, 0, 0
	for _, p := range problems {
		warns := p.Severity != protocol.Violation
		switch {
		case warns:
			warned++
		case seen(Nearest(f, p.Pointer)):
			wrong++
		default:
			missing++
		}
		if len(s.Issues) < maxIssues {
			s.Issues = append(s.Issues, Issue{Where(f, p.Pointer), safe.Line(p.Text, 200), p.Pointer, warns})
		}
	}
	switch {
	case wrong > 0:
		s.Text, s.Level = human.Plural(wrong+missing+warned, "problem", "problems"), Wrong
	case missing > 0:
		s.Text, s.Level = human.Plural(missing, "field to fill in", "fields to fill in"), Missing
	case warned > 0:
		s.Text, s.Level = human.Plural(warned, "remark", "remarks"), Warned
	}
	return s
}
