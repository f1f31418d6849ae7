package diff

import "github.com/go-json-experiment/json/jsontext"

// Verdict is what a change means for those who use the server.
type Verdict uint8

// The verdicts, from harmless to grave.
const (
	Note       Verdict = iota // for people only: a title, a description
	Compatible                // what worked goes on working
	Breaking                  // something that worked may fail now
)

// String returns the verdict as a word.
func (v Verdict) String() string {
	switch v {
	case Breaking:
		return "breaking"
	case Compatible:
		return "compatible"
	}
	return "note"
}

// Kind is what happened to the thing that changed.
type Kind uint8

// The kinds of a change.
const (
	Changed Kind = iota
	Added
	Removed
	Moved // of the items of an array alone
)

// String returns the kind as a word.
func (k Kind) String() string {
	switch k {
	case Added:
		return "added"
	case Removed:
		return "removed"
	case Moved:
		return "moved"
	}
	return "changed"
}

// Area is the part of the interface that a change is in.
type Area string

// The areas, in the order of a report.
const (
	Server    Area = "server"
	Tools     Area = "tool"
	Resources Area = "resource"
	Templates Area = "template"
	Prompts   Area = "prompt"
)

// Change is one difference between two interfaces.
type Change struct {
	Verdict Verdict
	Kind    Kind
	Area    Area
	Name    string // of the tool or prompt, URI of the resource or template; "" for the server
	Ordinal int    // 0 for the first of that name, 1 for its duplicate ...

	// Pointer is where it stands in the definition, in the second one for what was added or changed and in the first
	// one for what was removed.
	Pointer string
	Rule    string // stable key, see Rules
	Text    string // one sentence
	Before  jsontext.Value
	After   jsontext.Value // as written, nil where there is none
}

// Rename is a guess that one entry took the place of another. It is offered,
// never assumed: both are among the changes as removed and added too.
type Rename struct {
	Area     Area
	From, To string
	Likeness int // percent
}

// Report is the outcome of comparing two interfaces.
type Report struct {
	Changes []Change  // by area, then by name, then as the definition goes
	Renames []Rename  // likeliest first
	Cut     string    // says what was left out because a schema was too big to compare, "" if nothing
	Rules   []RuleUse // rules about interfaces with how often each hid a change
}

// Count returns the number of changes with a verdict.
func (r Report) Count(v Verdict) int {
	n := 0
	for _, c := range r.Changes {
		if c.Verdict == v {
			n++
		}
	}
	return n
}

// Worst returns the gravest verdict and whether there is any change.
func (r Report) Worst() (v Verdict, any bool) {
	for _, c := range r.Changes {
		v = max(v, c.Verdict)
	}
	return v, len(r.Changes) > 0
}
