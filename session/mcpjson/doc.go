// Package mcpjson reads and writes the files in which programs keep the MCP
// servers that they start: mcp.json and its relatives.
//
// They agree on little more than a name, a command and its arguments. A Dialect
// says what differs: where the servers stand in the file, what members are
// called, which variables are replaced. Reading never fails as a whole: a
// mistake is a Fault with its line and column, and the other servers come out
// all the same. Writing changes what has to be changed and leaves the rest of
// the text as it stands, comments and unknown members included.
//
// Nothing here touches a file, the environment or a clock.
package mcpjson

import "fmt"

// Fault is something wrong in a text: data for a person, not an error.
type Fault struct {
	Offset       int // in bytes
	Line, Column int // from 1, the column in characters
	Text         string
	Advice       string // what to do about it
	Note         bool   // it can be read all the same
}

// String is the fault as one line.
func (f Fault) String() string {
	text := fmt.Sprintf("line %d, column %d: %s", f.Line, f.Column, f.Text)
	if f.Advice != "" {
		text += "; " + f.Advice
	}
	return text
}

// Faulty reports whether some fault is more than a note.
func Faulty(faults []Fault) bool {
	for _, f := range faults {
		if !f.Note {
			return true
		}
	}
	return false
}
