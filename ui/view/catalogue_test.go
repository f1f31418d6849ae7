package view

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/session"
)

func tools(list string) []protocol.Tool {
	return protocol.DecodeTools(jsontext.Value(`{"tools":` + list + `}`)).Items
}

func names(c *Catalogue) string {
	var all []string
	for i := range c.Len() {
		all = append(all, c.At(i).Name)
	}
	return strings.Join(all, ",")
}

func TestOneMalformedEntryHidesNothing(t *testing.T) {
	entries := ToolEntries(tools(`[{"name":"ok","inputSchema":{"type":"object"}},{"name":42},{"name":"ok","inputSchema":{"type":"object"}}]`), false)
	if len(entries) != 3 || entries[0].Malformed || !entries[1].Malformed || entries[1].Reason == "" {
		t.Fatalf("%+v", entries)
	}
	if entries[0].Key == entries[2].Key || len(entries[2].Badges) == 0 || entries[2].Badges[0].Text != "duplicate 2" {
		t.Errorf("duplicates are not two rows: %+v", entries)
	}
}

func TestExcludedToolsAreShownWithTheReason(t *testing.T) { // HDR-22, HDR-23, HDR-24
	list := tools(`[{"name":"bad","inputSchema":{"type":"object","properties":{"a":{"type":"string","x-mcp-header":"Bad Header"}}}},{"name":"good","inputSchema":{"type":"object"}}]`)
	over := ToolEntries(list, true)
	if over[0].Badges[0].Text != "excluded" || !strings.Contains(over[0].Reason, "HTTP") || len(over[1].Badges) != 0 {
		t.Errorf("over HTTP: %+v", over)
	}
	if stdio := ToolEntries(list, false); len(stdio[0].Badges) != 0 {
		t.Errorf("over stdio: %+v", stdio[0])
	}
}

func TestAnnotationsAreBadges(t *testing.T) { // TOOL-03
	for annotations, want := range map[string]string{
		`{"readOnlyHint":true,"destructiveHint":true}`: "read-only",
		`{"destructiveHint":true}`:                     "destructive",
		`{"idempotentHint":true}`:                      "idempotent",
		`{}`:                                           "",
	} {
		e := ToolEntries(tools(`[{"name":"a","inputSchema":{"type":"object"},"annotations":`+annotations+`}]`), false)[0]
		var got []string
		for _, b := range e.Badges {
			got = append(got, b.Text)
		}
		if strings.Join(got, ",") != want {
			t.Errorf("%s: %q, want %q", annotations, got, want)
		}
	}
}

func TestFilterAndSelectionSurviveANewList(t *testing.T) {
	var c Catalogue
	c.Set(ToolEntries(tools(`[{"name":"alpha","inputSchema":{},"description":"First Letter"},{"name":"beta","inputSchema":{}},{"name":"alphabet","inputSchema":{}}]`), false))
	c.SetFilter("ALPHA")
	if names(&c) != "alpha,alphabet" || c.Count() != "2 of 3" {
		t.Errorf("%q %q", names(&c), c.Count())
	}
	c.SetFilter("alpha letter")
	if names(&c) != "alpha" {
		t.Errorf("both words: %q", names(&c))
	}
	c.Select(0)
	c.SetFilter("beta")
	if e, row, ok := c.Selected(); !ok || e.Name != "alpha" || row != -1 {
		t.Errorf("%v %d %v", e.Name, row, ok)
	}
	c.Set(ToolEntries(tools(`[{"name":"beta","inputSchema":{}},{"name":"alpha","inputSchema":{}}]`), false))
	c.SetFilter("")
	if e, row, ok := c.Selected(); !ok || e.Name != "alpha" || row != 1 {
		t.Errorf("%v %d %v", e.Name, row, ok)
	}
	c.Set(nil)
	if _, _, ok := c.Selected(); ok {
		t.Error("an entry that is gone is still selected")
	}
}

func TestAWholeNameIsMeant(t *testing.T) {
	var c Catalogue
	c.Set(ToolEntries(tools(`[{"name":"scrape","inputSchema":{},"description":"unlike search"},{"name":"search_all","inputSchema":{}},{"name":"search","inputSchema":{}}]`), false))
	c.SetFilter("Search ")
	if got := c.At(c.Best()).Name; got != "search" {
		t.Errorf("best is %q", got)
	}
	c.SetFilter("sear")
	if got := c.At(c.Best()).Name; got != "search_all" {
		t.Errorf("best is %q", got)
	}
}

// A name that has what was typed comes before a description that has it.
func TestANameIsMeantBeforeADescription(t *testing.T) {
	var c Catalogue
	c.Set(ToolEntries(tools(`[{"name":"raise_wind","inputSchema":{},"description":"weather"},{"name":"the_weather","inputSchema":{}},{"name":"weather_now","inputSchema":{}}]`), false))
	for filter, want := range map[string]string{"weather": "weather_now", "the": "the_weather", "wind": "raise_wind", "": "raise_wind"} {
		c.SetFilter(filter)
		if got := c.At(c.Best()).Name; got != want {
			t.Errorf("%q means %q, want %q", filter, got, want)
		}
	}
}

func TestHostileNamesAreCut(t *testing.T) {
	e := ToolEntries([]protocol.Tool{{Name: strings.Repeat("a\u202e", 5000), Description: "x\ny"}}, false)[0]
	if len([]rune(e.Name)) > entryRunes+1 || strings.ContainsRune(e.Name, '\u202e') || e.About != "x" {
		t.Errorf("%d runes, about %q", len([]rune(e.Name)), e.About)
	}
}

func TestListNotes(t *testing.T) {
	for status, want := range map[session.ListStatus]string{
		session.ListUnsupported: "does not offer tools", session.ListFailed: "boom", session.ListStale: "has changed",
		session.ListLoading: "Loading", session.ListComplete: "lists no tools",
	} {
		if got, _ := ListNote(session.List{Status: status, Err: "boom"}, "tools"); !strings.Contains(got, want) {
			t.Errorf("%d: %q, want %q", status, got, want)
		}
	}
	if got, _ := ListNote(session.List{Status: session.ListComplete, Count: 2}, "tools"); got != "" {
		t.Errorf("a full list says %q", got)
	}
}

// BenchmarkFilter5000 is a key in the filter of 5,000 tools.
func BenchmarkFilter5000(b *testing.B) {
	var list []string
	for i := range 5000 {
		list = append(list, fmt.Sprintf(`{"name":"tool_%d","description":"Does the thing number %d for whoever asks","inputSchema":{"type":"object"}}`, i, i))
	}
	var c Catalogue
	c.Set(ToolEntries(tools("["+strings.Join(list, ",")+"]"), true))
	for i := 0; b.Loop(); i++ {
		c.SetFilter([]string{"number 49", "tool 12"}[i%2])
	}
}

// The addresses of a server begin alike and are cut at their ends: what tells
// resources apart stands first.
func TestRowsOfResourcesBeginWithTheirTitles(t *testing.T) {
	const uri = "demo://resource/static/document/architecture.md"
	for name, c := range map[string]struct {
		e            Entry
		text, detail string
	}{
		"resource":     {ResourceEntries([]protocol.Resource{{URI: uri, Name: "architecture.md"}})[0], "architecture.md", uri},
		"without name": {ResourceEntries([]protocol.Resource{{URI: uri}})[0], uri, ""},
		"template":     {TemplateEntries([]protocol.ResourceTemplate{{URITemplate: "demo://{id}", Name: "By id"}})[0], "By id", "demo://{id}"},
		"tool":         {ToolEntries([]protocol.Tool{{Name: "get-sum", Title: "Sum"}}, false)[0], "get-sum", "Sum"},
	} {
		if text, detail := c.e.Row(); text != c.text || detail != c.detail {
			t.Errorf("%s: %q, %q", name, text, detail)
		}
	}
}
