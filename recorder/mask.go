package recorder

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"regexp"
	"sort"
	"strings"
	"sync"

	"mcploupe/protocol"
)

const (
	maxSecrets = 1024 // known secrets that a Masker looks for
	minSecret  = 6    // bytes; shorter ones would hit innocent text
)

// Masker replaces secrets by tags such as ‹secret:1a2b3c4d›. Equal secrets get
// equal tags within one Masker; its key is random, so that a tag says nothing
// about the secret elsewhere. All methods may be called from any goroutine; a
// nil Masker changes nothing.
type Masker struct {
	key  [32]byte
	hook maskHook // decides instead of the Masker when it is set

	mu      sync.RWMutex
	secrets map[string]string // to tags
	known   *strings.Replacer // of the secrets and their encoded forms
}

// maskHook is told of what is a secret by its place, and of all other text; it
// gives what is written instead.
type maskHook interface {
	secret(s string) string
	text(s string) string
}

// NewMasker returns a Masker with a fresh random key.
func NewMasker() *Masker {
	m := &Masker{secrets: map[string]string{}}
	_, _ = rand.Read(m.key[:]) // never fails
	return m
}

// Add makes secret known, so that Text finds it anywhere, also percent-encoded
// or in base64, and returns its tag. Secrets of fewer than 6 bytes get a tag
// but are not looked for.
func (m *Masker) Add(secret string) string {
	if m == nil || secret == "" {
		return secret
	}
	if m.hook != nil {
		return m.hook.secret(secret)
	}
	tag := m.tag(secret)
	if len(secret) < minSecret || IsTag(secret) {
		return tag
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.secrets[secret]; !ok && len(m.secrets) < maxSecrets {
		m.secrets[secret] = tag
		m.known = replacer(m.secrets)
	}
	return tag
}

// replacer finds the longest secret at each place.
func replacer(secrets map[string]string) *strings.Replacer {
	forms := map[string]string{}
	for secret, tag := range secrets {
		for _, form := range []string{
			secret, url.QueryEscape(secret), url.PathEscape(secret),
			base64.StdEncoding.EncodeToString([]byte(secret)),
			string(bytes.Trim(appendString(nil, []byte(secret)), `"`)),
		} {
			if _, ok := forms[form]; !ok || form == secret {
				forms[form] = tag
			}
		}
	}
	list := make([]string, 0, len(forms))
	for form := range forms {
		list = append(list, form)
	}
	sort.Slice(list, func(i, j int) bool {
		return len(list[i]) > len(list[j]) || len(list[i]) == len(list[j]) && list[i] < list[j]
	})
	pairs := make([]string, 0, 2*len(list))
	for _, form := range list {
		pairs = append(pairs, form, forms[form])
	}
	return strings.NewReplacer(pairs...)
}

func (m *Masker) tag(secret string) string {
	if IsTag(secret) {
		return secret
	}
	h := hmac.New(sha256.New, m.key[:])
	h.Write([]byte(secret))
	return "‹secret:" + hex.EncodeToString(h.Sum(nil)[:4]) + "›"
}

var tagPattern = regexp.MustCompile(`^‹secret:[0-9a-f]{8}›$`)

// IsTag reports whether s is what stands in the place of a secret.
func IsTag(s string) bool { return tagPattern.MatchString(s) }

// Text masks known secrets and bearer tokens in b. It returns b itself when
// there is nothing to mask.
func (m *Masker) Text(b []byte) []byte {
	if m == nil || len(b) == 0 {
		return b
	}
	s := string(b)
	if masked := m.text(s); masked != s {
		return []byte(masked)
	}
	return b
}

// bearerPattern finds what may be credentials of an Authorization scheme,
// wherever they are written.
var bearerPattern = regexp.MustCompile(`(?i)\b(?:bearer|basic|dpop) +([A-Za-z0-9._~+/-]{8,}=*)`)

func (m *Masker) text(s string) string {
	if m.hook != nil {
		return m.hook.text(s)
	}
	m.mu.RLock()
	known := m.known
	m.mu.RUnlock()
	if known != nil {
		s = known.Replace(s)
	}
	var out strings.Builder
	done := 0
	for _, at := range bearerPattern.FindAllStringSubmatchIndex(s, -1) {
		token := s[at[2]:at[3]]
		if !looksRandom(token) || strings.HasPrefix(s[at[3]:], `"`) { // a parameter of a challenge
			continue
		}
		out.WriteString(s[done:at[2]])
		out.WriteString(m.tag(token))
		done = at[3]
	}
	if done == 0 {
		return s
	}
	out.WriteString(s[done:])
	return out.String()
}

// looksRandom tells a token from a word of a sentence or the name of a
// parameter.
func looksRandom(s string) bool {
	return strings.ContainsAny(s, "0123456789") || strings.ToLower(s[1:]) != s[1:]
}

// Header masks the value of a header that carries credentials (among them the
// session id, HTTP-53), and known secrets in any other. The scheme of an
// authorization, the names and attributes of cookies stay readable.
func (m *Masker) Header(name, value string) string {
	if m == nil || value == "" {
		return value
	}
	switch lower := strings.ToLower(strings.TrimSpace(name)); {
	case lower == "authorization" || lower == "proxy-authorization":
		scheme, rest, ok := strings.Cut(value, " ")
		if !ok || rest == "" {
			return m.Add(value)
		}
		return scheme + " " + m.swap(rest, strings.TrimSpace(rest))
	case lower == "cookie":
		parts := strings.Split(value, ";")
		for i, part := range parts {
			parts[i] = m.cookie(part)
		}
		return strings.Join(parts, ";")
	case lower == "set-cookie":
		first, attributes, ok := strings.Cut(value, ";")
		if ok {
			attributes = ";" + attributes
		}
		return m.cookie(first) + attributes
	case protocol.IsSecretHeader(lower):
		return m.Add(value)
	case lower == "location" || lower == "referer" || lower == "content-location":
		return m.URL(value)
	}
	return m.text(value)
}

// swap gives what Add makes of a secret, and the text that spells it when that
// leaves it as it is.
func (m *Masker) swap(spelled, secret string) string {
	if tag := m.Add(secret); tag != secret {
		return tag
	}
	return spelled
}

func (m *Masker) cookie(pair string) string {
	name, value, ok := strings.Cut(pair, "=")
	if !ok {
		return m.text(pair)
	}
	return name + "=" + m.Add(value)
}

// isSecretName reports whether a header, variable, parameter or flag is likely
// to hold a secret, by its name.
func isSecretName(name string) bool {
	name = strings.ToLower(name)
	for _, word := range []string{
		"token", "secret", "passwd", "password", "passphrase", "credential", "authorization", "signature",
		"api-key", "api_key", "apikey", "access-key", "access_key", "accesskey", "private-key", "private_key", "privatekey",
		"session-id", "session_id", "sessionid", "cookie", "bearer", "client_assertion", "code_verifier",
	} {
		if strings.Contains(name, word) {
			return true
		}
	}
	words := strings.FieldsFunc(name, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	for i, word := range words {
		switch word {
		case "pat", "pwd", "pass", "jwt", "auth", "sig", "dsn":
			return true
		case "key":
			if i == len(words)-1 {
				return true
			}
		}
	}
	return false
}

// isPublicName lists names that isSecretName would take for secrets.
func isPublicName(name string) bool {
	switch strings.ToLower(name) {
	case "pwd", "oldpwd", "ssh_auth_sock", "xauthority", "max_tokens", "max-tokens", "token_type":
		return true
	}
	return false
}

// Env masks the value of an environment variable that is marked secret or has
// a secret-like name, and known secrets in any other.
func (m *Masker) Env(name, value string, secret bool) string {
	if m == nil || value == "" {
		return value
	}
	if secret || isSecretName(name) && !isPublicName(name) {
		return m.Add(value)
	}
	return m.text(m.urlsIn(value))
}

// URL masks the user information and secret-like parameters of a URL, and
// known secrets anywhere in it. What it cannot parse it treats as text.
func (m *Masker) URL(u string) string {
	if m == nil || u == "" {
		return u
	}
	rest, fragment, hasFragment := strings.Cut(u, "#")
	rest, query, hasQuery := strings.Cut(rest, "?")
	if start := strings.Index(rest, "//"); start >= 0 {
		start += 2
		end := len(rest)
		if i := strings.IndexByte(rest[start:], '/'); i >= 0 {
			end = start + i
		}
		if at := strings.LastIndexByte(rest[start:end], '@'); at >= 0 {
			rest = rest[:start] + m.userInfo(rest[start:start+at]) + rest[start+at:]
		}
	}
	if hasQuery {
		rest += "?" + m.parameters(query)
	}
	if hasFragment {
		rest += "#" + m.parameters(fragment)
	}
	return m.text(rest)
}

func (m *Masker) userInfo(s string) string {
	user, password, ok := strings.Cut(s, ":")
	if !ok {
		return m.swap(user, unescapeOr(user))
	}
	return user + ":" + m.swap(password, unescapeOr(password))
}

func (m *Masker) parameters(query string) string {
	parts := strings.Split(query, "&")
	for i, part := range parts {
		name, value, ok := strings.Cut(part, "=")
		plain := unescapeOr(name)
		if ok && value != "" && (isSecretName(plain) && !isPublicName(plain) || isSecretParameter(plain)) {
			parts[i] = name + "=" + m.swap(value, unescapeOr(value))
		}
	}
	return strings.Join(parts, "&")
}

// isSecretParameter lists parameters of URLs that are secrets there only.
func isSecretParameter(name string) bool {
	switch strings.ToLower(name) {
	case "code", "state", "sid", "assertion", "nonce":
		return true
	}
	return false
}

func unescapeOr(s string) string {
	if plain, err := url.QueryUnescape(s); err == nil {
		return plain
	}
	return s
}

var urlPattern = regexp.MustCompile(`[A-Za-z][A-Za-z0-9+.-]*://[^\s"'<>]+`)

func (m *Masker) urlsIn(s string) string { return urlPattern.ReplaceAllStringFunc(s, m.URL) }

// flagPattern splits an argument like --api-key=value.
var flagPattern = regexp.MustCompile(`^(-{1,2}[A-Za-z][A-Za-z0-9_.-]*|[A-Za-z_][A-Za-z0-9_]*)=(.+)$`)

// headerPattern splits an argument like "Authorization: Bearer value".
var headerPattern = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9-]*):( *)(\S.*)$`)

// Target masks what is secret in the URL, arguments and environment of t:
// values of flags and variables with a secret-like name, credentials in
// headers that are given as arguments, and known secrets.
func (m *Masker) Target(t Target) Target {
	if m == nil {
		return t
	}
	env := map[string]string{}
	for name, value := range t.Env {
		env[name] = m.Env(name, value, false)
	}
	if t.Env != nil {
		t.Env = env
	}
	t.URL = m.URL(t.URL)
	args := make([]string, len(t.Args))
	secretNext := false
	for i, arg := range t.Args {
		flag := strings.TrimLeft(arg, "-")
		switch {
		case secretNext && !strings.HasPrefix(arg, "-"):
			args[i] = m.Add(arg)
		default:
			args[i] = m.argument(arg)
		}
		secretNext = len(flag) < len(arg) && !strings.Contains(arg, "=") && isSecretName(flag) && !isPublicName(flag)
	}
	if t.Args != nil {
		t.Args = args
	}
	t.Command = m.text(t.Command)
	return t
}

func (m *Masker) argument(arg string) string {
	if p := flagPattern.FindStringSubmatch(arg); p != nil {
		if name := strings.TrimLeft(p[1], "-"); isSecretName(name) && !isPublicName(name) {
			return p[1] + "=" + m.Add(p[2])
		}
	}
	if strings.Contains(arg, "://") {
		return m.text(m.urlsIn(arg))
	}
	if p := headerPattern.FindStringSubmatch(arg); p != nil {
		return p[1] + ":" + p[2] + m.Header(p[1], p[3])
	}
	return m.text(arg)
}
