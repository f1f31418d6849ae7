package recorder

import (
	"encoding/base64"
	"regexp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// maxNested is how deep JSON in strings of JSON is looked into.
const maxNested = 3

// secretCollector finds secrets by their place and form.
type secretCollector struct {
	plan *MaskPlan
	o    MaskOptions
	m    *Masker
	kind MaskKind // of what the Masker finds
	full bool
}

func newSecretCollector(p *MaskPlan, o MaskOptions) *secretCollector {
	c := &secretCollector{plan: p, o: o}
	c.m = &Masker{hook: c}
	return c
}

func (c *secretCollector) add(kind MaskKind, secret string) {
	if !c.plan.add(kind, secret) {
		c.full = true
	}
}

// secret is told by the Masker of a secret at its place.
func (c *secretCollector) secret(s string) string {
	c.add(c.kind, s)
	if c.kind == MaskHeader {
		c.password(s)
	}
	return s
}

// password finds the password of Basic credentials, which is a secret in other
// places too.
func (c *secretCollector) password(credentials string) {
	if len(credentials) > 1<<10 {
		return
	}
	if plain, err := base64.StdEncoding.DecodeString(credentials); err == nil {
		if _, password, ok := strings.Cut(string(plain), ":"); ok && isPlainText(password) {
			c.add(MaskHeader, password)
		}
	}
}

func isPlainText(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r < ' ' || r > '~' }) < 0
}

func (c *secretCollector) text(s string) string {
	c.scan(s)
	return s
}

// header looks at the first line of a recording.
func (c *secretCollector) header(h Header) {
	t := h.Target
	if c.o.Tokens {
		c.kind = MaskEnvironment
		c.m.Target(Target{Command: t.Command, Args: t.Args, Env: t.Env})
		c.kind = MaskURL
		c.m.URL(t.URL)
	}
	for _, s := range []string{t.Name, t.Dir} {
		c.scan(s)
	}
	c.home(t.Command)
	for _, arg := range t.Args {
		c.home(arg)
	}
	for _, value := range t.Env {
		c.home(value)
	}
	c.json(t.Extra, 1)
	c.json(h.Extra, 1)
}

func (c *secretCollector) event(e *Event) {
	switch {
	case e.Kind == KindMessage:
		c.message(e.Data)
	case len(e.Data) > 0:
		c.loose(string(e.Data))
	}
	switch f := e.Fields.(type) {
	case *HTTPHead:
		if c.o.Tokens {
			c.kind = MaskURL
			c.m.URL(f.URL)
			for _, h := range f.Headers {
				c.kind = MaskHeader
				c.m.Header(h.Name, h.Value)
			}
		}
		for _, h := range f.Headers {
			c.home(h.Value)
		}
		c.scan(f.Error)
		if f.Body != "" && !c.json([]byte(f.Body), 1) {
			c.loose(f.Body)
		}
		c.json(f.Extra, 1)
	case *SSEFields:
		c.scan(f.Comment)
		c.json(f.Extra, 1)
	case *Mark:
		c.loose(f.Note)
	case *StateChange:
		c.loose(f.Detail)
		c.json(f.Extra, 1)
	}
	c.json(e.Extra, 1)
}

// message looks at a message, which the pointers of the person lead into.
func (c *secretCollector) message(b []byte) {
	if len(c.plan.pointers) > 0 {
		w := jsonWalk{text: b}
		w.walk(func(p jsonPart) bool {
			if p.name || p.kind != '"' {
				return false
			}
			for i := range c.plan.pointers {
				if w.matches(&c.plan.pointers[i]) {
					c.plan.addValue(c.plan.pointers[i].entry, string(stringBytes(b[p.at:p.end])))
				}
			}
			return false
		})
	}
	if !c.json(b, 0) {
		c.loose(string(b))
	}
}

// json looks at names and strings; false where b is no JSON.
func (c *secretCollector) json(b []byte, depth int) bool {
	if len(b) == 0 || !c.o.Tokens && !c.o.Home {
		return true
	}
	w := jsonWalk{text: b}
	return w.walk(func(p jsonPart) bool {
		if p.kind != '"' {
			return false
		}
		s := string(stringBytes(b[p.at:p.end]))
		if !p.name && c.o.Tokens && isSecretMember(w.member()) {
			c.add(MaskMember, s)
		}
		if !p.name && depth < maxNested && looksLikeJSON(s) && jsontext.Value(s).IsValid(tolerant...) {
			c.json([]byte(s), depth+1)
			return false
		}
		if strings.IndexByte(s, '\n') >= 0 {
			c.loose(s)
		} else {
			c.scan(s)
		}
		return false
	})
}

func isSecretMember(name string) bool {
	return name != "" && isSecretName(name) && !isPublicMember(name)
}

func looksLikeJSON(s string) bool {
	s = strings.TrimLeft(s, " \t\r\n")
	return s != "" && (s[0] == '{' || s[0] == '[')
}

var (
	jwtPattern = regexp.MustCompile(`eyJ[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]*`)
	keyPattern = regexp.MustCompile(`\b(?:` + strings.Join([]string{
		`sk-[A-Za-z0-9_-]{16,}`, `[srp]k_(?:live|test)_[A-Za-z0-9]{10,}`, `whsec_[A-Za-z0-9]{16,}`,
		`gh[pousr]_[A-Za-z0-9]{20,}`, `github_pat_[A-Za-z0-9_]{20,}`, `glpat-[A-Za-z0-9_-]{16,}`,
		`xox[abeoprs]-[A-Za-z0-9-]{10,}`, `(?:AKIA|ASIA)[A-Z0-9]{16}`, `AIza[A-Za-z0-9_-]{30,}`, `ya29\.[A-Za-z0-9_-]{16,}`,
		`npm_[A-Za-z0-9]{30,}`, `pypi-[A-Za-z0-9_-]{30,}`, `hf_[A-Za-z0-9]{20,}`, `SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}`,
		`dop_v1_[a-f0-9]{32,}`, `shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}`, `lin_api_[A-Za-z0-9]{20,}`, `secret_[A-Za-z0-9]{32,}`, `ntn_[A-Za-z0-9]{20,}`,
	}, "|") + `)`)
	keyBeginnings = []string{
		"sk-", "k_live_", "k_test_", "whsec_", "gh", "glpat-", "xox", "AKIA", "ASIA", "AIza", "ya29.", "npm_", "pypi-", "hf_",
		"SG.", "dop_v1_", "shp", "lin_api_", "secret_", "ntn_",
	}
	privateKeyPattern = regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY-----([A-Za-z0-9+/=\s\\]+)-----END`)
	homePattern       = regexp.MustCompile(`(?:/home/|/Users/|[A-Za-z]:\\Users\\)[^/\\\s"'<>:;,?*|&=()\[\]{}]+`)
	// assignPattern finds NAME=value and "name": "value" in text that is no JSON.
	assignPattern = regexp.MustCompile(`([A-Za-z_][A-Za-z0-9_.-]*)(?:=|"\s*:\s*")("[^"\n]*"|'[^'\n]*'|[^\s"'&;,]+)`)
)

// scan looks for what is a secret by its form.
func (c *secretCollector) scan(s string) {
	if s == "" {
		return
	}
	c.home(s)
	if !c.o.Tokens {
		return
	}
	if strings.Contains(s, "eyJ") {
		for _, token := range jwtPattern.FindAllString(s, -1) {
			c.add(MaskJWT, token)
		}
	}
	if containsAny(s, keyBeginnings) {
		for _, key := range keyPattern.FindAllString(s, -1) {
			if looksRandom(key) {
				c.add(MaskKey, key)
			}
		}
	}
	if strings.Contains(s, "PRIVATE KEY-----") {
		for _, at := range privateKeyPattern.FindAllStringSubmatch(s, -1) {
			for _, line := range strings.FieldsFunc(at[1], func(r rune) bool { return r == '\n' || r == '\r' || r == '\\' }) {
				if len(line) >= 16 {
					c.add(MaskKey, strings.TrimSpace(line))
				}
			}
		}
	}
	if containsFold(s, "bearer ", "basic ", "dpop ") {
		for _, at := range bearerPattern.FindAllStringSubmatchIndex(s, -1) {
			if token := s[at[2]:at[3]]; looksRandom(token) && !strings.HasPrefix(s[at[3]:], `"`) {
				c.add(MaskBearer, token)
				c.password(token)
			}
		}
	}
	if strings.Contains(s, "://") {
		kind := c.kind
		c.kind = MaskURL
		for _, u := range urlPattern.FindAllString(s, -1) {
			c.url(u)
		}
		c.kind = kind
	}
}

// url looks at the places of a URL, not again at its text.
func (c *secretCollector) url(u string) {
	m := &Masker{hook: placesOnly{c}}
	m.URL(u)
}

type placesOnly struct{ *secretCollector }

func (placesOnly) text(s string) string { return s }

// loose looks at text of which nothing is known: output of a program, a body.
func (c *secretCollector) loose(s string) {
	c.scan(s)
	if !c.o.Tokens || !strings.ContainsAny(s, "=:") {
		return
	}
	for _, at := range assignPattern.FindAllStringSubmatch(s, -1) {
		value := strings.Trim(at[2], `"'`)
		if isSecretMember(at[1]) && value != "" {
			c.add(MaskEnvironment, value)
		}
	}
}

func (c *secretCollector) home(s string) {
	if !c.o.Home || !strings.Contains(s, "home/") && !strings.Contains(s, "Users") {
		return
	}
	for _, folder := range homePattern.FindAllString(s, -1) {
		c.add(MaskHome, folder)
	}
}

func containsAny(s string, words []string) bool {
	for _, word := range words {
		if strings.Contains(s, word) {
			return true
		}
	}
	return false
}

// containsFold looks for words in lower case, without regard to case.
func containsFold(s string, words ...string) bool {
	for _, word := range words {
		for at := 0; at+len(word) <= len(s); {
			n := strings.IndexByte(s[at:], word[len(word)-1])
			if n < 0 {
				break
			}
			end := at + n + 1
			if end >= len(word) && strings.EqualFold(s[end-len(word):end], word) {
				return true
			}
			at = end
		}
	}
	return false
}
