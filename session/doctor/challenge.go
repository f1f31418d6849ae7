package doctor

import (
	"fmt"
	"strings"
)

// challenge explains an answer that wants authorization, or more of it.
func (x *exam) challenge(h *hop) finding {
	f := finding{detail: fmt.Sprintf("HTTP %d.", h.status)}
	schemes, params := parseChallenges(h.headers("WWW-Authenticate"))
	if len(schemes) == 0 {
		f.lines = h.body()
	} else {
		f.detail = fmt.Sprintf("HTTP %d, WWW-Authenticate: %s.", h.status, strings.Join(schemes, ", "))
	}
	for _, name := range []string{"realm", "scope", "error", "error_description", "resource_metadata"} {
		if v := params[name]; v != "" {
			f.lines = append(f.lines, name+": "+v)
		}
	}
	metadata := params["resource_metadata"]
	switch {
	case h.status == 403 || params["error"] == "insufficient_scope":
		f.cause = "The token is known and does not allow this."
		f.fix = "Get a token with the scope that the server names"
		if scope := params["scope"]; scope != "" {
			f.fix += " (" + scope + ")"
		}
		f.fix += "."
	case x.hasCredential():
		f.cause = "The server does not accept the token: it is expired, revoked, or meant for something else."
		f.fix = "Get a new token for this server and enter it as the bearer token."
	default:
		f.cause = "The server wants to know who asks, and no token was sent."
		f.fix = "Enter a token as the bearer token, or as the header that the server's makers name."
	}
	switch {
	case metadata != "":
		f.fix += " Where tokens come from is written at " + metadata
	case len(schemes) > 0 && h.status == 401:
		f.fix += " The server does not say where tokens come from (resource_metadata is missing)."
	}
	return f
}

// parseChallenges reads the values of WWW-Authenticate (RFC 9110, 11.6.1): the
// schemes, and the parameters of all of them by lower-case name, the first of a
// name. What breaks the syntax is left out.
func parseChallenges(values []string) (schemes []string, params map[string]string) {
	params = map[string]string{}
	for _, v := range values {
		for v = strings.TrimLeft(v, " \t,"); v != ""; v = strings.TrimLeft(v, " \t,") {
			word, rest := token(v)
			if word == "" {
				break // no token where one is due
			}
			after := strings.TrimLeft(rest, " \t")
			if value, tail, ok := parameter(after); ok {
				if name := strings.ToLower(word); params[name] == "" {
					params[name] = value
				}
				v = tail
				continue
			}
			schemes = append(schemes, word)
			v = rest
			if _, tail, ok := token68(after); ok {
				v = tail
			}
		}
	}
	return schemes, params
}

// token cuts a token off the front.
func token(s string) (word, rest string) {
	i := 0
	for i < len(s) && (s[i] >= '0' && s[i] <= '9' || s[i] >= 'A' && s[i] <= 'Z' || s[i] >= 'a' && s[i] <= 'z' ||
		strings.IndexByte("!#$%&'*+-.^_`|~", s[i]) >= 0) {
		i++
	}
	return s[:i], s[i:]
}

// parameter reads what follows the name of a parameter: a sign and a token or a
// quoted string.
func parameter(s string) (value, rest string, ok bool) {
	if !strings.HasPrefix(s, "=") {
		return "", s, false
	}
	s = strings.TrimLeft(s[1:], " \t")
	if !strings.HasPrefix(s, `"`) {
		value, rest = token(s)
		return value, rest, value != ""
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			return b.String(), s[i+1:], true
		case c == '\\' && i+1 < len(s):
			i++
			b.WriteByte(s[i])
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), "", true // the quote is missing
}

// token68 reads the one value that a scheme may have in place of parameters.
func token68(s string) (value, rest string, ok bool) {
	word, rest := token(s)
	for strings.HasPrefix(rest, "/") {
		more, tail := token(rest[1:])
		word, rest = word+"/"+more, tail
	}
	trimmed := strings.TrimLeft(rest, "=")
	end := strings.TrimLeft(trimmed, " \t")
	if word == "" || end != "" && end[0] != ',' {
		return "", s, false
	}
	return word, trimmed, true
}
