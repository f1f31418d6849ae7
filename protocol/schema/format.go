package schema

import (
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"time"
)

// formatRule says how a "format" is checked. The four formats that the protocol
// names for elicitation (ELIC-11) are asserted; the others are advice, because
// 2020-12 calls format an annotation.
type formatRule struct {
	asserted bool
	says     string // completes "must be ..."
	sample   string
	ok       func(string) bool
}

var formats = map[string]formatRule{
	"email":                 {true, "an e-mail address such as name@example.com", "name@example.com", isEmail},
	"uri":                   {true, "a complete URI such as https://example.com", "https://example.com", isURI},
	"date":                  {true, "a date such as 2026-11-30", "2026-11-30", isDate},
	"date-time":             {true, "a date and time with zone such as 2026-11-30T15:04:05Z", "2026-11-30T15:04:05Z", isDateTime},
	"time":                  {false, "a time with zone such as 15:04:05Z", "15:04:05Z", isTime},
	"uuid":                  {false, "a UUID", "123e4567-e89b-42d3-a456-426614174000", uuidForm.MatchString},
	"ipv4":                  {false, "an IPv4 address such as 192.0.2.1", "192.0.2.1", isIPv4},
	"ipv6":                  {false, "an IPv6 address such as 2001:db8::1", "2001:db8::1", isIPv6},
	"hostname":              {false, "a host name such as example.com", "example.com", isHostname},
	"uri-reference":         {false, "a URI or a relative reference", "/path", isURIReference},
	"url":                   {false, "a complete URL such as https://example.com", "https://example.com", isURI},
	"iri":                   {false, "a complete IRI", "https://example.com", isURI},
	"iri-reference":         {false, "an IRI or a relative reference", "/path", isURIReference},
	"json-pointer":          {false, "a JSON Pointer such as /a/0", "/a/0", isJSONPointer},
	"regex":                 {false, "a regular expression", "^a+$", isRegex},
	"duration":              {false, "an ISO 8601 duration such as P1DT2H", "P1D", isDuration},
	"idn-email":             {false, "an e-mail address", "name@example.com", isEmail},
	"relative-json-pointer": {false, "a relative JSON Pointer such as 1/a", "0/a", relativePointerForm.MatchString},
}

var (
	uuidForm            = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)
	hostLabel           = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$`)
	durationForm        = regexp.MustCompile(`^P(\d+W|(\d+Y)?(\d+M)?(\d+D)?(T(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?)$`)
	timeForm            = regexp.MustCompile(`^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?([zZ]|[+-]([01]\d|2[0-3]):[0-5]\d)$`)
	relativePointerForm = regexp.MustCompile(`^(0|[1-9]\d*)(#|(/[^/]*)*)$`)
)

func isEmail(s string) bool {
	at := strings.LastIndexByte(s, '@')
	if at < 1 || at > 64 || len(s) > 254 {
		return false
	}
	local, domain := s[:at], s[at+1:]
	if !(len(local) >= 2 && local[0] == '"' && local[len(local)-1] == '"') {
		if strings.HasPrefix(local, ".") || strings.HasSuffix(local, ".") || strings.Contains(local, "..") ||
			strings.ContainsAny(local, " \"(),:;<>@[\\]") || hasControl(local) {
			return false
		}
	}
	if literal, ok := strings.CutPrefix(domain, "["); ok {
		literal, ok = strings.CutSuffix(literal, "]")
		return ok && (isIPv4(literal) || isIPv6(strings.TrimPrefix(literal, "IPv6:")))
	}
	return isHostname(domain) || nonASCII(domain) && !strings.ContainsAny(domain, " @") && !hasControl(domain)
}

func hasControl(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r < 0x20 || r == 0x7f })
}

func nonASCII(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r > 0x7f })
}

func isHostname(s string) bool {
	if s == "" || len(s) > 253 {
		return false
	}
	for label := range strings.SplitSeq(s, ".") {
		if !hostLabel.MatchString(label) {
			return false
		}
	}
	return true
}

func isURIReference(s string) bool {
	if strings.ContainsAny(s, " \\<>\"{}|^`") || hasControl(s) {
		return false
	}
	_, err := url.Parse(s)
	return err == nil
}

func isURI(s string) bool {
	if !isURIReference(s) {
		return false
	}
	u, err := url.Parse(s)
	return err == nil && u.IsAbs() && (u.Host != "" || u.Opaque != "" || u.Path != "")
}

func isDate(s string) bool {
	if len(s) != 10 {
		return false
	}
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

func isTime(s string) bool { return timeForm.MatchString(s) }

func isDateTime(s string) bool {
	return len(s) > 11 && isDate(s[:10]) && (s[10] == 'T' || s[10] == 't') && isTime(s[11:])
}

func isIPv4(s string) bool {
	a, err := netip.ParseAddr(s)
	return err == nil && a.Is4()
}

func isIPv6(s string) bool {
	a, err := netip.ParseAddr(s)
	return err == nil && a.Is6() && a.Zone() == ""
}

func isJSONPointer(s string) bool {
	if s == "" {
		return true
	}
	rest := strings.ReplaceAll(strings.ReplaceAll(s, "~0", ""), "~1", "")
	return s[0] == '/' && !strings.Contains(rest, "~")
}

func isRegex(s string) bool {
	p := compilePattern(s)
	return p.re != nil || p.why == errLookAround.Error() || p.why == "back-references"
}

func isDuration(s string) bool {
	return durationForm.MatchString(s) && s != "P" && !strings.HasSuffix(s, "T")
}
