package doctor

import (
	"regexp"
	"slices"
	"strings"
)

const (
	// nameLike is how variables are written that are asked for: upper case, with
	// a line, so that other words in upper case do not count.
	nameLike = `([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)`
	// anyName is a variable that is called one.
	anyName = `([A-Z][A-Z0-9_]{1,63})`
	quote   = "[\"'`]?"
)

// missing are ways to say that a variable is not there.
var missing = []*regexp.Regexp{
	regexp.MustCompile(quote + `\b` + nameLike + `\b` + quote + `(?: environment variable| env var| variable)?(?: is| are| was| must be| has to be|:)? ?(?:required|missing|undefined|unset|empty|mandatory|not (?:set|defined|found|provided|specified|configured)|needed|set before|a required)`),
	regexp.MustCompile(`(?i:missing|required|undefined|unset|set|provide|specify|define|export|need|needs|expected|configure|without)(?i: the| a| an| your| required| mandatory| following| environment| env| variables?| vars?| value| for| of|:| in)*[ :\n-]*` + quote + `\b` + nameLike + `\b`),
	regexp.MustCompile(`KeyError: ['"]` + anyName + `['"]`),
	regexp.MustCompile(`(?i:environment variable|env var)(?i:s)?[ :]+` + quote + `\b` + anyName + `\b`),
	regexp.MustCompile(quote + `\b` + anyName + `\b` + quote + `(?i: environment variable| env var)`),
}

// maxNames bounds the variables that are named.
const maxNames = 10

// missingNames are the environment variables that a text asks for, in its order.
func missingNames(text string) []string {
	type place struct {
		at   int
		name string
	}
	var found []place
	for _, p := range missing {
		for _, m := range p.FindAllStringSubmatchIndex(text, 4*maxNames) {
			name := text[m[2]:m[3]]
			if !slices.ContainsFunc(found, func(x place) bool { return x.name == name }) {
				found = append(found, place{m[2], name})
			}
		}
	}
	slices.SortFunc(found, func(a, b place) int { return a.at - b.at })
	var names []string
	for _, f := range found[:min(len(found), maxNames)] {
		names = append(names, f.name)
	}
	return names
}

// environment judges what the server says about variables. ended says that it
// has ended: then they are the likely reason.
func (x *exam) environment(stderr string, ended bool) {
	var absent, present []string
	for _, name := range missingNames(stderr) {
		if x.gives(name) {
			present = append(present, name)
		} else {
			absent = append(absent, name)
		}
	}
	given := "None is given besides the usual ones (PATH, HOME and the like)."
	if n := len(x.t.Env); n > 0 {
		var names []string
		for _, e := range x.t.Env[:min(n, maxNames)] {
			names = append(names, e.Name)
		}
		given = "Given besides the usual ones: " + strings.Join(names, ", ") + "."
	}
	status := Warned
	if ended {
		status = Failed
	}
	switch {
	case len(absent) > 0:
		x.judge(stepEnv, status, finding{detail: given, lines: linesWith(stderr, absent),
			cause: "The server asks for " + strings.Join(absent, ", ") + ", which is not set: a server gets the usual variables and those that are given, not all of yours.",
			fix:   "Set it in the environment of the server, as " + absent[0] + "=value before the command, or under Environment."})
	case len(present) > 0 && ended:
		x.judge(stepEnv, status, finding{detail: given, lines: linesWith(stderr, present),
			cause: "The server complains about " + strings.Join(present, ", ") + ", which is set: its value is wrong or empty.",
			fix:   "Correct the value in the environment of the server."})
	default:
		x.judge(stepEnv, Passed, finding{detail: given})
	}
}

// gives reports whether the server gets a variable by the target.
func (x *exam) gives(name string) bool {
	for _, e := range x.t.Env {
		if e.Name == name {
			return true
		}
	}
	return false
}

// linesWith are the lines of a text that name one of names.
func linesWith(text string, names []string) []string {
	var out []string
	for line := range strings.Lines(text) {
		if len(out) < 5 && slices.ContainsFunc(names, func(n string) bool { return strings.Contains(line, n) }) {
			out = append(out, cutLine(strings.TrimRight(line, "\r\n")))
		}
	}
	return out
}
