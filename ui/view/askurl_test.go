package view

import (
	"strings"
	"testing"
	"time"

	"mcploupe/protocol"
	"mcploupe/session"
)

func TestAddressIsWholeWithItsDomainMarked(t *testing.T) { // ELIC-20, 21, 25, 26; E102
	for _, c := range []struct{ url, before, domain, after, notes string }{
		{"https://login.example.com/a?b=c#d", "https://login.", "example.com", "/a?b=c#d", ""},
		{"https://paypal.com.evil.example/x", "https://paypal.com.", "evil.example", "/x", ""},
		{"https://bank.example@evil.test:8443/x", "https://bank.example@", "evil.test", ":8443/x", "ELIC-26"},
		{"http://shop.example/", "http://", "shop.example", "/", "L-ELIC-06"},
		{"http://127.0.0.1:7777/confirm", "http://", "127.0.0.1", ":7777/confirm", ""},
		{"https://аррӏе.example/", "https://", "аррӏе.example", "/", "ELIC-26"},
		{"https://xn--80ak6aa92e.com/", "https://", "xn--80ak6aa92e.com", "/", "ELIC-26"},
		{"javascript:alert(1)", "javascript:alert(1)", "", "", "L-ELIC-06"},
		{"file:///etc/passwd", "file:///etc/passwd", "", "", "L-ELIC-06"},
	} {
		a := AskAddressOf(session.Ask{URL: c.url})
		if a.Before != c.before || a.Domain != c.domain || a.After != c.after {
			t.Errorf("%s is %q %q %q", c.url, a.Before, a.Domain, a.After)
		}
		var rules []string
		for _, n := range a.Notes {
			rules = append(rules, n.Rule)
		}
		if got := strings.Join(rules, " "); (c.notes == "") != (got == "") || !strings.Contains(got, c.notes) {
			t.Errorf("%s: rules %q, want %q", c.url, got, c.notes)
		}
		web := strings.HasPrefix(c.url, "http")
		if (a.Open != nil) != web || (a.Why == "") != web {
			t.Errorf("%s: open %v, why %q", c.url, a.Open, a.Why)
		}
	}
}

func TestHiddenLettersOfAnAddressAreShown(t *testing.T) {
	a := AskAddressOf(session.Ask{URL: "https://good.example/\u202egpj.exe"})
	if whole := a.Before + a.Domain + a.After; strings.ContainsRune(whole, '\u202e') {
		t.Errorf("the address is shown as %q", whole)
	}
}

func TestVisitsSayWhenTheyAreDone(t *testing.T) { // ELIC-31
	now := time.Unix(5000, 0)
	rows := VisitRows(session.State{Visits: []session.Visit{
		{URL: "https://a.example/", At: now.Add(-time.Minute), Accepted: true},
		{URL: "https://b.example/", At: now.Add(-time.Minute), Completed: now.Add(-time.Second)},
	}}, now)
	if len(rows) != 2 || rows[0].Tone != Good || !strings.Contains(rows[0].State, "done") || !strings.Contains(rows[1].State, "accepted") {
		t.Errorf("rows %+v", rows)
	}
	modern := session.State{Revision: protocol.NewestModern()}
	if text, _ := CompletionNote(session.Ask{}, modern); !strings.Contains(text, "goes on") { // ELIC-34
		t.Errorf("in the modern revision: %q", text)
	}
	if text, tone := CompletionNote(session.Ask{ElicitationID: "x", Completed: true}, session.State{}); tone != Good || text == "" {
		t.Errorf("completed: %q", text)
	}
}
