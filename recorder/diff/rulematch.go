package diff

import (
	"errors"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

func syntaxOffset(err error) (int, bool) {
	var s *jsontext.SyntacticError
	if errors.As(err, &s) {
		return int(s.ByteOffset), true
	}
	return 0, false
}

// ruleMatcher finds the rules that apply to one exchange.
type ruleMatcher struct {
	rules []IgnoreRule
	uses  []int
}

func newMatcher(set *RuleSet) *ruleMatcher {
	m := &ruleMatcher{}
	if set != nil {
		m.rules = set.Rules
	}
	m.uses = make([]int, len(m.rules))
	return m
}

// find returns the first rule with an action that applies, -1 for none.
func (m *ruleMatcher) find(action Action, method, name string, class Class, pointers [2]string, inside string) int {
	for i, r := range m.rules {
		if r.Action != action || r.Area != "" || r.Class != 0 && r.Class != class ||
			r.Method != "" && !glob(r.Method, method) || r.Name != "" && !glob(r.Name, name) {
			continue
		}
		for _, p := range pointers {
			if matchPlace(r, p, inside) {
				return i
			}
		}
	}
	return -1
}

// matchPlace matches the place of a rule with the place of a difference. What
// is below an ignored or volatile place belongs to it; unordered is one array.
func matchPlace(r IgnoreRule, pointer, inside string) bool {
	below := r.Action != Unordered
	if r.Inside == "" {
		return matchPointer(r.Pointer, pointer, below) && (below || inside == "")
	}
	return inside != "" && matchPointer(r.Pointer, pointer, false) && matchPointer(r.Inside, inside, below)
}

// matchPointer matches a JSON Pointer with a pattern; below lets the pointer go
// on further.
func matchPointer(pattern, pointer string, below bool) bool {
	return matchSteps(steps(pattern), steps(pointer), below)
}

func steps(pointer string) []string {
	if pointer == "" {
		return nil
	}
	return strings.Split(pointer[1:], "/")
}

// matchSteps takes one run over the steps: the last ** is all that has to be
// gone back to.
func matchSteps(pattern, at []string, below bool) bool {
	p, s, star, from := 0, 0, -1, 0
	for s < len(at) {
		switch {
		case p < len(pattern) && pattern[p] == "**":
			star, from = p, s
			p++
		case p < len(pattern) && (pattern[p] == "*" || pattern[p] == at[s]):
			p, s = p+1, s+1
		case p == len(pattern) && below:
			return true
		case star >= 0:
			from++
			p, s = star+1, from
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == "**" {
		p++
	}
	return p == len(pattern)
}

// glob matches a text with a pattern in which * is any text and \ takes the
// next character as it is.
func glob(pattern, s string) bool {
	type token struct {
		c    byte
		star bool
	}
	var tokens []token
	for i := 0; i < len(pattern); i++ {
		switch {
		case pattern[i] == '*':
			tokens = append(tokens, token{star: true})
		case pattern[i] == '\\' && i+1 < len(pattern):
			i++
			tokens = append(tokens, token{c: pattern[i]})
		default:
			tokens = append(tokens, token{c: pattern[i]})
		}
	}
	p, i, star, from := 0, 0, -1, 0
	for i < len(s) {
		switch {
		case p < len(tokens) && tokens[p].star:
			star, from = p, i
			p++
		case p < len(tokens) && tokens[p].c == s[i]:
			p, i = p+1, i+1
		case star >= 0:
			from++
			p, i = star+1, from
		default:
			return false
		}
	}
	for p < len(tokens) && tokens[p].star {
		p++
	}
	return p == len(tokens)
}

// hidesChange finds the rule that ignores a change of an interface, -1 for none.
func (m *ruleMatcher) hidesChange(c Change) int {
	for i, r := range m.rules {
		if r.Area == c.Area && (r.Name == "" || glob(r.Name, c.Name)) && matchPointer(r.Pointer, c.Pointer, true) {
			return i
		}
	}
	return -1
}
