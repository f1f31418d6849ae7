package session

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"mcploupe/recorder"
)

var (
	schemePattern  = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*://`)
	hostPattern    = regexp.MustCompile(`^(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\]):[0-9]{1,5}(?:[/?].*)?$`)
	secretPattern  = regexp.MustCompile(`(?i)(?:^|[_.-])(?:key|apikey|token|secret|password|passwd|pwd|pat|auth|authorization|bearer|credentials?|signature|sig)(?:$|[_.-])|(?:api|access|secret|private)key$|token$|secret$|password$`)
	fileishPattern = regexp.MustCompile(`^(?:[A-Za-z]:)?[\\/]`)
)

// ParseTarget understands one field of text: an http or https URL, or a
// command line that is split into words as a POSIX shell does (quotes and
// backslashes, nothing is expanded). Leading NAME=value words become Env,
// split at the first sign. The notes say in plain words what was understood.
func ParseTarget(text string) (Target, []string, error) {
	text = strings.Trim(text, " \t\r\n")
	switch {
	case text == "":
		return Target{}, nil, errors.New("enter a command line, or a URL that begins with http:// or https://")
	case strings.IndexByte(text, 0) >= 0:
		return Target{}, nil, errors.New("the text contains a NUL character, which neither a command nor a URL can hold")
	case schemePattern.MatchString(text):
		return parseURL(text, nil)
	case hostPattern.MatchString(text) && !strings.ContainsAny(text, " \t\r\n'\"\\"):
		return parseURL("http://"+text, []string{"No scheme given: http:// is assumed."})
	}
	return parseCommand(text)
}

func parseURL(text string, notes []string) (Target, []string, error) {
	u, err := url.Parse(text)
	if err != nil {
		return Target{}, nil, fmt.Errorf("reading the URL: %w", err)
	}
	switch u.Scheme = strings.ToLower(u.Scheme); {
	case u.Scheme != "http" && u.Scheme != "https":
		return Target{}, nil, fmt.Errorf("%s URLs are not supported: MCP servers are reached by http, https or a command", u.Scheme)
	case u.Hostname() == "":
		return Target{}, nil, errors.New("the URL has no host")
	case strings.ContainsAny(text, " \t\r\n"):
		return Target{}, nil, errors.New("the URL contains blanks; write %20 for a blank, or put headers in their own field")
	}
	if i := strings.IndexByte(text, '#'); i >= 0 {
		text = text[:i]
		notes = append(notes, "The part after # is left out: it is never sent to a server.")
	}
	// The scheme alone is rewritten; everything else stays as typed.
	text = u.Scheme + text[strings.Index(text, "://"):]
	what := "A URL: it is tried as Streamable HTTP first, then as HTTP+SSE."
	if u.Scheme == "http" && !isLoopback(u.Hostname()) {
		notes = append(notes, "The connection to "+u.Host+" is not encrypted.")
	}
	return Target{URL: text}, append([]string{what}, notes...), nil
}

func isLoopback(host string) bool {
	return host == "localhost" || host == "::1" || strings.HasPrefix(host, "127.") || strings.HasSuffix(host, ".localhost")
}

func parseCommand(text string) (Target, []string, error) {
	words, err := splitWords(text)
	if err != nil {
		return Target{}, nil, fmt.Errorf("reading the command line: %w", err)
	}
	var t Target
	for len(words) > 0 {
		name, value, ok := words[0].assignment()
		if !ok {
			break
		}
		t.Env = append(t.Env, EnvVar{Name: name, Value: value, Secret: IsSecretName(name)})
		words = words[1:]
	}
	if len(words) == 0 {
		return Target{}, nil, errors.New("there are environment variables but no command after them")
	}
	if t.Command = words[0].text; t.Command == "" {
		return Target{}, nil, errors.New("the command is an empty word")
	}
	for _, w := range words[1:] {
		t.Args = append(t.Args, w.text)
	}
	return t, commandNotes(t, words), nil
}

func commandNotes(t Target, words []word) []string {
	what := "A command: " + t.Command
	switch n := len(t.Args); n {
	case 0:
		what += " without arguments."
	case 1:
		what += " with 1 argument."
	default:
		what += fmt.Sprintf(" with %d arguments.", n)
	}
	notes := []string{what}
	if len(t.Env) > 0 {
		names := make([]string, len(t.Env))
		for i, e := range t.Env {
			names[i] = e.Name
		}
		notes = append(notes, "Environment: "+strings.Join(names, ", ")+".")
	}
	if i := slices.IndexFunc(words, func(w word) bool { return w.shell }); i >= 0 {
		notes = append(notes, "No shell is used: "+quoteWord(words[i].text)+" is passed as it is, nothing is expanded or redirected.")
	}
	if i := slices.IndexFunc(words, func(w word) bool { return w.lost }); i >= 0 {
		notes = append(notes, "Backslashes outside quotes are taken away: "+words[i].text+" is what remains. Put Windows paths in single quotes.")
	}
	return notes
}

// IsSecretName reports whether a variable, flag, header or query parameter of
// that name is likely to hold a credential.
func IsSecretName(name string) bool { return secretPattern.MatchString(strings.TrimLeft(name, "-")) }

// String is the URL or the command line for people; values that look secret
// are hidden.
func (t Target) String() string {
	t = t.withoutKnown(hidden)
	if t.Command == "" {
		return maskURL(t.URL)
	}
	var words []string
	for _, e := range t.Env {
		if e.Secret || IsSecretName(e.Name) {
			words = append(words, e.Name+"="+hidden)
			continue
		}
		words = append(words, e.Name+"="+quoteWord(e.Value))
	}
	words = append(words, quoteWord(t.Command))
	for _, a := range maskArgs(t.Args, hidden) {
		words = append(words, quoteWord(a))
	}
	return strings.Join(words, " ")
}

// CommandLine writes the URL, or the environment, command and arguments, in the
// way that ParseTarget reads. Secrets are in it. Variables whose names a shell
// does not allow cannot be written and are left out.
func (t Target) CommandLine() string {
	if t.Command == "" {
		return t.URL
	}
	var words []string
	for _, e := range t.Env {
		if isName(e.Name) {
			words = append(words, e.Name+"="+quoteIfNeeded(e.Value))
		}
	}
	command := quoteWord(t.Command)
	if (word{text: t.Command, quoted: len(t.Command)}).needsQuote() {
		command = "'" + strings.ReplaceAll(t.Command, "'", `'\''`) + "'"
	}
	words = append(words, command)
	for _, a := range t.Args {
		words = append(words, quoteWord(a))
	}
	return strings.Join(words, " ")
}

func quoteIfNeeded(s string) string {
	if s == "" {
		return ""
	}
	return quoteWord(s)
}

// needsQuote reports whether the word would be read as something else than a
// command at the start of a line.
func (w word) needsQuote() bool {
	_, _, assigns := w.assignment()
	return assigns || schemePattern.MatchString(w.text) || hostPattern.MatchString(w.text)
}

// RecordingHeader describes t for a recording. What is secret in the
// environment, the arguments and the URL is masked. app is the
// program and its version.
func (t Target) RecordingHeader(app string) recorder.Header {
	masker := recorder.NewMasker()
	for _, value := range t.Secrets {
		masker.Add(value)
	}
	described := recorder.Target{
		Name:      t.Name,
		Transport: string(t.transport()),
		Command:   t.Command,
		Args:      slices.Clone(t.Args),
		Dir:       t.Dir,
		URL:       t.URL,
	}
	if len(t.Env) > 0 {
		described.Env = make(map[string]string, len(t.Env))
	}
	for _, e := range t.Env {
		described.Env[e.Name] = masker.Env(e.Name, e.Value, e.Secret)
	}
	if t.Bearer != "" {
		masker.Add(t.Bearer)
	}
	return recorder.Header{Format: recorder.Format, Created: time.Now(), App: app, Target: masker.Target(described)}
}

// transport is the transport to begin with.
func (t Target) transport() Transport {
	switch {
	case t.Transport != Auto:
		return t.Transport
	case t.Command != "":
		return Stdio
	}
	return HTTP
}

// hidden stands for a secret in text for people.
const hidden = "•••"

// WithoutSecrets is t as it can be shown to others: instead stands for the
// bearer token, the values of all headers and variables, and the values in the
// arguments and the URL that look secret.
func (t Target) WithoutSecrets(instead string) Target {
	t = t.withoutKnown(instead)
	t.Args, t.URL = maskArgs(t.Args, instead), maskURLWith(t.URL, instead)
	t.Env, t.Headers = slices.Clone(t.Env), slices.Clone(t.Headers)
	for i := range t.Env {
		t.Env[i].Value = instead
	}
	for i := range t.Headers {
		t.Headers[i].Value = instead
	}
	if t.Bearer != "" {
		t.Bearer = instead
	}
	return t
}

// withoutKnown is t with Secrets replaced wherever they stand in it.
func (t Target) withoutKnown(instead string) Target {
	var pairs []string
	for _, s := range t.Secrets {
		if s != "" {
			pairs = append(pairs, s, instead, url.QueryEscape(s), instead)
		}
	}
	t.Secrets = nil
	if len(pairs) == 0 {
		return t
	}
	hide := strings.NewReplacer(pairs...).Replace
	t.Command, t.URL, t.Dir = hide(t.Command), hide(t.URL), hide(t.Dir)
	t.Args, t.Env = slices.Clone(t.Args), slices.Clone(t.Env)
	for i := range t.Args {
		t.Args[i] = hide(t.Args[i])
	}
	for i := range t.Env {
		t.Env[i].Value = hide(t.Env[i].Value)
	}
	return t
}

// maskArgs hides the values of flags that look secret, as --api-key=x and as
// --api-key x.
func maskArgs(args []string, instead string) []string {
	out := slices.Clone(args)
	for i, a := range out {
		name, value, has := strings.Cut(a, "=")
		switch {
		case has && value != "" && IsSecretName(name):
			out[i] = name + "=" + instead
		case !has && strings.HasPrefix(a, "-") && IsSecretName(a) && i+1 < len(out) &&
			!strings.HasPrefix(out[i+1], "-") && !fileishPattern.MatchString(out[i+1]):
			out[i+1] = instead
		}
	}
	return out
}

// maskURL hides a password and the values of query parameters that look secret.
func maskURL(text string) string { return maskURLWith(text, hidden) }

func maskURLWith(text, instead string) string {
	u, err := url.Parse(text)
	if err != nil || u.User == nil && u.RawQuery == "" {
		return text
	}
	if _, has := u.User.Password(); has {
		u.User = url.UserPassword(u.User.Username(), "xxxxx")
	}
	if u.RawQuery != "" {
		pairs := strings.Split(u.RawQuery, "&")
		for i, pair := range pairs {
			name, value, has := strings.Cut(pair, "=")
			if has && value != "" && IsSecretName(name) {
				pairs[i] = name + "=" + instead
			}
		}
		u.RawQuery = strings.Join(pairs, "&")
	}
	return u.String()
}
