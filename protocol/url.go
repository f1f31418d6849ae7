package protocol

import (
	"fmt"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// URLReport is what a person should know of a URL before agreeing to open it
// (ELIC-20 to 26). Nothing of it was fetched (ELIC-22).
type URLReport struct {
	Raw         string // as sent
	Openable    bool   // http or https with a host: anything else is not to be opened
	Scheme      string // in small letters
	Host        string // in ASCII as a browser looks it up, without the port
	HostUnicode string // as a browser may show it; differs from Host only with Punycode
	Port        string
	Domain      string // the last two labels of HostUnicode, to be emphasised (ELIC-25); the whole of an address
	Punycode    bool   // a label is encoded (ELIC-26)
	LookAlike   bool   // a label can be taken for another one
	UserInfo    bool   // a name stands before the host, where another host may be pretended
	Problems    []Problem
}

// InspectURL takes the URL of an elicitation apart, without the network.
func InspectURL(raw string) URLReport {
	r := URLReport{Raw: raw}
	add := func(rule string, severity Severity, text string) {
		r.Problems = append(r.Problems, Problem{Rule: rule, Severity: severity, Offset: -1, Text: text})
	}
	for _, c := range raw {
		if unicode.IsControl(c) || unicode.IsSpace(c) || unicode.Is(unicode.Cf, c) {
			add("L-ELIC-06", Violation, fmt.Sprintf("The URL contains the invisible character %U.", c))
			break
		}
	}
	u, err := url.Parse(raw)
	if err != nil {
		add("L-ELIC-06", Violation, "This is not a URL: "+strings.TrimPrefix(err.Error(), "parse "))
		return r
	}
	r.Scheme, r.Host, r.Port = strings.ToLower(u.Scheme), strings.ToLower(u.Hostname()), u.Port()
	r.UserInfo = u.User != nil
	r.HostUnicode = r.Host
	web := r.Scheme == "http" || r.Scheme == "https"
	switch {
	case !web:
		add("L-ELIC-06", Violation, "The scheme "+quoted(r.Scheme)+" is neither http nor https; it is not opened.")
	case r.Host == "":
		add("L-ELIC-06", Violation, "The URL names no host; it is not opened.")
	}
	r.Openable = web && r.Host != ""
	r.inspectHost(add)
	if r.Scheme == "http" && !isLoopback(r.Host) {
		add("L-ELIC-06", Warning, "The page is not encrypted: http instead of https.")
	}
	if r.UserInfo {
		add("ELIC-26", Warning, "A name stands before the host. What is before the sign @ is not the host that is opened: that is "+r.Host+".")
	}
	r.inspectSecrets(u, add)
	return r
}

func quoted(s string) string { return string(QuoteString(clip(s))) }

// inspectHost looks for names that pretend to be others.
func (r *URLReport) inspectHost(add func(rule string, severity Severity, text string)) {
	if strings.Contains(r.Host, ":") || isIPv4(r.Host) {
		r.Domain = r.Host
		return
	}
	ascii, err := idna.Lookup.ToASCII(r.Host)
	if err != nil && r.Host != "" {
		add("ELIC-26", Warning, "The host is not a valid domain name: "+clip(err.Error()))
	}
	if ascii != "" {
		r.Host = ascii
	}
	if shown, err := idna.Punycode.ToUnicode(r.Host); err == nil {
		r.HostUnicode = shown
	}
	for label := range strings.SplitSeq(r.Host, ".") {
		r.Punycode = r.Punycode || strings.HasPrefix(label, "xn--")
	}
	labels := strings.Split(strings.TrimSuffix(r.HostUnicode, "."), ".")
	r.Domain = strings.Join(labels[max(0, len(labels)-2):], ".")
	for _, label := range labels {
		if why := lookAlike(label); why != "" {
			r.LookAlike = true
			add("ELIC-26", Warning, "The part "+quoted(label)+" of the host "+why+".")
		}
	}
	if r.Punycode && !r.LookAlike {
		add("ELIC-26", Warning, "The host has letters beyond ASCII: it is shown as "+r.HostUnicode+" and looked up as "+r.Host+".")
	}
}

// twins are letters of other scripts that look like a Latin one.
const twins = "аеорсухіјѕԁһӏԛԝɡνοραικτυхгпшѡѵҽԍցզհոսօ"

// lookAlike says how a label can be taken for another one, "" if it hardly can.
func lookAlike(label string) string {
	scripts := map[string]bool{}
	letters, alike := 0, 0
	for _, c := range label {
		if !unicode.IsLetter(c) {
			continue
		}
		letters++
		if c >= utf8.RuneSelf && strings.ContainsRune(twins, c) {
			alike++
		}
		for name, table := range hostScripts {
			if unicode.Is(table, c) {
				scripts[name] = true
			}
		}
	}
	switch {
	case len(scripts) > 1:
		return "mixes letters of several scripts, which can look like another name"
	case letters > 0 && alike == letters:
		return "is written in letters that all look like Latin ones"
	}
	return ""
}

// hostScripts are the scripts that are not to be mixed in one label. Those of
// East Asia are one, since their languages mix them.
var hostScripts = map[string]*unicode.RangeTable{
	"Latin": unicode.Latin, "Cyrillic": unicode.Cyrillic, "Greek": unicode.Greek, "Armenian": unicode.Armenian,
	"Hebrew": unicode.Hebrew, "Arabic": unicode.Arabic, "Cherokee": unicode.Cherokee, "Coptic": unicode.Coptic,
	"Georgian": unicode.Georgian, "Thai": unicode.Thai, "Devanagari": unicode.Devanagari, "Lisu": unicode.Lisu,
}

// isLoopback reports whether the host is this machine, where http is in order.
func isLoopback(host string) bool {
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || host == "::1" ||
		strings.HasPrefix(host, "127.") && isIPv4(host)
}

func isIPv4(host string) bool {
	return strings.Count(host, ".") == 3 && strings.Trim(host, "0123456789.") == ""
}

// secretParameters are names that a URL for a person should not carry
// (L-ELIC-07).
var secretParameters = []string{"token", "access_token", "id_token", "api_key", "apikey", "key", "secret", "password", "passwd", "sig", "signature", "session", "auth"}

// inspectSecrets looks for what would let anybody with the URL act for the
// person, or tells who that is.
func (r *URLReport) inspectSecrets(u *url.URL, add func(rule string, severity Severity, text string)) {
	if _, has := u.User.Password(); has {
		add("L-ELIC-07", Warning, "The URL carries a password.")
	}
	for pair := range strings.SplitSeq(u.RawQuery, "&") {
		name, value, _ := strings.Cut(pair, "=")
		for _, secret := range secretParameters {
			if strings.EqualFold(name, secret) && value != "" {
				add("L-ELIC-07", Warning, "The parameter "+quoted(name)+" looks like a credential; a URL for a person must not carry one.")
			}
		}
		if decoded, err := url.QueryUnescape(value); err == nil && looksLikeMail(decoded) {
			add("L-ELIC-07", Warning, "The parameter "+quoted(name)+" looks like an e-mail address.")
		}
	}
}

func looksLikeMail(s string) bool {
	name, host, ok := strings.Cut(s, "@")
	return ok && name != "" && strings.Contains(host, ".") && !strings.ContainsAny(s, " /:")
}
