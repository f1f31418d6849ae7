package view

import (
	"cmp"
	"net/url"
	"strings"
	"time"

	"mcploupe/protocol"
	"mcploupe/session"
	"mcploupe/ui/view/human"
)

// AskAddress is the address of a question in URL mode, for a person who decides
// whether to go there (ELIC-20 to 26). Nothing of it is fetched.
type AskAddress struct {
	Before, Domain, After string // the whole address in three pieces; Domain is to be emphasised
	Host                  string // as it is looked up, with the other spelling when there is one
	Notes                 []FindingRow
	Open                  *url.URL // nil when it is not to be opened
	Why                   string   // why it is not
}

// addressRunes bounds an address that is shown; the text view has the rest.
const addressRunes = 4000

// AskAddressOf inspects the address of a question.
func AskAddressOf(a session.Ask) AskAddress {
	r := protocol.InspectURL(a.URL)
	shown := AskAddress{Before: line(a.URL, addressRunes), Host: line(r.Host, 200)}
	if r.HostUnicode != r.Host && r.HostUnicode != "" {
		shown.Host += "  ·  shown by browsers as " + line(r.HostUnicode, 200)
	}
	if r.Port != "" {
		shown.Host += "  ·  port " + line(r.Port, 10)
	}
	shown.Before, shown.Domain, shown.After = emphasise(a.URL, r)
	for _, p := range r.Problems {
		shown.Notes = append(shown.Notes, FindingOf(a.Seq, p))
	}
	if !r.Openable {
		shown.Why = "Only http and https addresses with a host are opened."
		return shown
	}
	if shown.Open, _ = url.Parse(a.URL); shown.Open == nil {
		shown.Why = "This is not an address."
	}
	return shown
}

// emphasise cuts an address around the part of the host that says who is
// visited. A host that is not written as it is looked up is marked as a whole.
func emphasise(raw string, r protocol.URLReport) (before, domain, after string) {
	lower := strings.ToLower(raw)
	from := strings.Index(lower, "//") + 2
	if from < 2 || r.Host == "" {
		return line(raw, addressRunes), "", ""
	}
	end := len(raw)
	if i := strings.IndexAny(raw[from:], "/?#\\"); i >= 0 {
		end = from + i
	}
	if i := strings.LastIndexByte(raw[from:end], '@'); i >= 0 {
		from += i + 1
	}
	if i := strings.LastIndexByte(raw[from:end], ':'); i >= 0 && r.Port != "" {
		end = from + i
	}
	if host := raw[from:end]; len(lower) == len(raw) && strings.HasSuffix(strings.ToLower(host), strings.ToLower(r.Domain)) {
		from = end - len(r.Domain)
	}
	return line(raw[:from], addressRunes), line(raw[from:end], 300), line(raw[end:], addressRunes)
}

// VisitRow is an address that a server sent the person to.
type VisitRow struct {
	Text  string
	State string
	Tone  Tone
	Glyph string
	Cause uint64 // key of the call that can be sent again, 0 for none
}

// VisitRows lists the addresses with an id, newest first (ELIC-31).
func VisitRows(st session.State, now time.Time) []VisitRow {
	var rows []VisitRow
	for i := len(st.Visits) - 1; i >= 0; i-- {
		v := st.Visits[i]
		r := VisitRow{Text: line(v.URL, 160), Cause: v.Cause, Glyph: "↗", Tone: Muted}
		switch {
		case !v.Completed.IsZero():
			r.Glyph, r.Tone, r.State = "✓", Good, "the server says it is done, "+human.Ago(v.Completed, now)
		case v.Accepted:
			r.State = "accepted " + human.Ago(v.At, now)
		default:
			r.State = "asked " + human.Ago(v.At, now)
		}
		rows = append(rows, r)
	}
	return rows
}

// CompletionNote says whether the server reported that a page is done.
func CompletionNote(a session.Ask, st session.State) (text string, tone Tone) {
	switch {
	case a.Completed:
		return "The server says that the page is done.", Good
	case a.ElicitationID != "":
		return "The server may say when the page is done (id " + line(a.ElicitationID, 60) + ").", Muted
	case st.Revision != nil && st.Revision.Modern:
		return "Whether the page is done is known when the call goes on.", Muted
	}
	return "", Muted
}

// CallOf is the call with that key in the snapshot.
func CallOf(st session.State, key uint64) (session.CallState, bool) {
	for i := len(st.Calls) - 1; i >= 0; i-- {
		if st.Calls[i].Key == key {
			return st.Calls[i], true
		}
	}
	return session.CallState{}, false
}

// CallWord names a call in a list.
func CallWord(c session.CallState) string {
	return line(strings.TrimSpace(ShortMethod(c.Method)+" "+cmp.Or(c.Name, c.ID.String())), 80)
}
