package view

import (
	"errors"
	"fmt"
	"strings"

	"mcploupe/protocol"
	"mcploupe/session"
)

// Pair is one row of environment variables or headers. Its identity is the
// row itself, never its text, so typing a name does not move it.
type Pair struct {
	Name, Value string
	Secret      bool
	Chosen      bool // the person said whether it is secret; else its name says it
}

// SetEnvName takes what was typed or pasted as the name of a variable. NAME=value
// is taken apart at its first equals sign, since values hold them too.
func (p *Pair) SetEnvName(text string) (split bool) {
	name, value, split := strings.Cut(text, "=")
	p.set(name, value, split)
	p.guess(session.IsSecretName(p.Name))
	return split
}

// SetHeaderName takes what was typed or pasted as the name of a header. "Name:
// value" is taken apart at its colon, which no name holds.
func (p *Pair) SetHeaderName(text string) (split bool) {
	name, value, split := strings.Cut(text, ":")
	p.set(strings.TrimSpace(name), strings.TrimSpace(value), split)
	p.guess(protocol.IsSecretHeader(p.Name))
	return split
}

func (p *Pair) set(name, value string, split bool) {
	p.Name = name
	if split {
		p.Value = value
	}
}

// guess marks a value as secret whose name sounds like it, until the person has
// said what it is.
func (p *Pair) guess(secret bool) {
	if !p.Chosen {
		p.Secret = secret
	}
}

// Mark takes the person's word for whether the value is secret.
func (p *Pair) Mark(secret bool) { p.Secret, p.Chosen = secret, true }

func checkEnvName(name string) error {
	switch {
	case name == "":
		return errors.New("an environment variable has a value but no name")
	case strings.ContainsAny(name, "=\x00"):
		return fmt.Errorf("environment variable %q: a name holds no equals sign", line(name, 60))
	}
	return nil
}

func isToken(s string) bool {
	for _, r := range s {
		alnum := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		if !alnum && !strings.ContainsRune("!#$%&'*+-.^_`|~", r) {
			return false
		}
	}
	return s != ""
}
