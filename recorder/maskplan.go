package recorder

import (
	"context"
)

// MaskKind says what a secret was recognised by.
type MaskKind uint8

// The kinds of secrets.
const (
	MaskHeader      MaskKind = iota + 1 // a header that carries credentials
	MaskBearer                          // credentials after the name of an authorization scheme
	MaskJWT                             // a JSON Web Token
	MaskKey                             // a key with the form that some service gives its keys
	MaskURL                             // user information or a secret-like parameter of a URL
	MaskEnvironment                     // an environment variable with a secret-like name
	MaskMember                          // a JSON member with a secret-like name
	MaskPointer                         // a place that the person chose
	MaskWord                            // a text that the person gave
	MaskHome                            // the folder of a user
)

// MaskOptions say what PlanMask looks for.
type MaskOptions struct {
	Tokens   bool     // everything that is a secret by its place or form
	Pointers []string // JSON Pointers into messages; a step * is any member or item
	Words    []string // texts to mask anywhere
	Home     bool     // home folders, which tell the name of a user
	Progress Progress // may be nil
}

// MaskPlace is one place where a secret stands.
type MaskPlace struct {
	Seq   uint64 // 0 is the header of the recording
	Where string // JSON Pointer into the message, or a word for another place: "header Authorization", "url", "stderr"
}

// MaskEntry is one secret, or one pointer of the person, with its switch.
type MaskEntry struct {
	Kind   MaskKind
	Shown  string      // the first characters, never more than a quarter of the secret
	Tag    string      // what takes its place, "" for a pointer
	Count  int         // places
	Places []MaskPlace // the first of them
	Off    bool        // the person wants to leave it as it is
}

// MaskPlan says what is masked in an export. The person may set Off in
// Entries; all else is to be left alone. It holds the secrets: it is not to be
// kept.
type MaskPlan struct {
	Entries []MaskEntry
}

// PlanMask looks through all of l for what o says.
func PlanMask(ctx context.Context, l *Log, o MaskOptions) (*MaskPlan, error) {
	return &MaskPlan{}, ctx.Err()
}

// String returns the words for the kind, as in a list.
func (k MaskKind) String() string { return "" }
