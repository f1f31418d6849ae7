package protocol

import (
	"strings"
	"testing"
)

func TestInspectURL(t *testing.T) { // ELIC-20, ELIC-25, ELIC-26, L-ELIC-06, L-ELIC-07
	for _, c := range []struct {
		raw, host, shown, domain            string
		openable, puny, lookAlike, userinfo bool
		rules                               string
	}{
		{"https://example.com/a?b=c#d", "example.com", "example.com", "example.com", true, false, false, false, ""},
		{"HTTPS://Login.Bank.Example.COM:8443/", "login.bank.example.com", "login.bank.example.com", "example.com", true, false, false, false, ""},
		{"http://example.com/", "example.com", "example.com", "example.com", true, false, false, false, "L-ELIC-06"},
		{"http://127.0.0.1:80/x", "127.0.0.1", "127.0.0.1", "127.0.0.1", true, false, false, false, ""},
		{"http://[::1]:1/", "::1", "::1", "::1", true, false, false, false, ""},
		{"http://localhost/", "localhost", "localhost", "localhost", true, false, false, false, ""},
		{"https://xn--bcher-kva.example/", "xn--bcher-kva.example", "bücher.example", "bücher.example", true, true, false, false, "ELIC-26"},
		{"https://bücher.example/", "xn--bcher-kva.example", "bücher.example", "bücher.example", true, true, false, false, "ELIC-26"},
		{"https://pаypal.com/", "xn--pypal-4ve.com", "pаypal.com", "pаypal.com", true, true, true, false, "ELIC-26"},        // one Cyrillic letter
		{"https://xn--80ak6aa92e.com/", "xn--80ak6aa92e.com", "аррӏе.com", "аррӏе.com", true, true, true, false, "ELIC-26"}, // all Cyrillic
		{"https://bank.example@evil.example/", "evil.example", "evil.example", "evil.example", true, false, false, true, "ELIC-26"},
		{"https://u:p@evil.example/", "evil.example", "evil.example", "evil.example", true, false, false, true, "ELIC-26 L-ELIC-07"},
		{"https://a.example/?access_token=x&user=me%40b.example", "a.example", "a.example", "a.example", true, false, false, false, "L-ELIC-07 L-ELIC-07"},
		{"javascript:alert(1)", "", "", "", false, false, false, false, "L-ELIC-06"},
		{"file:///etc/passwd", "", "", "", false, false, false, false, "L-ELIC-06"},
		{"https:///x", "", "", "", false, false, false, false, "L-ELIC-06"},
		{"//a.example/x", "a.example", "a.example", "a.example", false, false, false, false, "L-ELIC-06"},
		{"", "", "", "", false, false, false, false, "L-ELIC-06"},
		{"https://a.example/\u202egpj", "a.example", "a.example", "a.example", true, false, false, false, "L-ELIC-06"},
		{"https://[bad/", "", "", "", false, false, false, false, "L-ELIC-06"},
	} {
		r := InspectURL(c.raw)
		var rules []string
		for _, p := range r.Problems {
			rules = append(rules, p.Rule)
		}
		if r.Raw != c.raw || r.Host != c.host || r.HostUnicode != c.shown || r.Domain != c.domain || r.Openable != c.openable ||
			r.Punycode != c.puny || r.LookAlike != c.lookAlike || r.UserInfo != c.userinfo || strings.Join(rules, " ") != c.rules {
			t.Errorf("%q: %+v, rules %s", c.raw, r, rules)
		}
	}
}

func FuzzInspectURL(f *testing.F) {
	for _, seed := range []string{"https://a.example/?x=y", "https://pаypal.com@xn--a", "http://[::1", "\x00://", "https://xn--/"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		if r := InspectURL(raw); r.Openable && (r.Host == "" || r.Scheme != "http" && r.Scheme != "https") {
			t.Errorf("%q is said to be one to open: %+v", raw, r)
		}
	})
}
