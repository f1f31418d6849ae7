package view

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/session"
	"mcploupe/ui/settings"
)

var callTime = time.Date(2026, 11, 30, 7, 0, 0, 0, time.UTC)

func bookOf(t *testing.T, dir string, server settings.Server, name string) *CallBook {
	t.Helper()
	store, err := settings.Load(filepath.Join(dir, "settings.json"))
	if err != nil {
		t.Fatal(err)
	}
	return NewCallBook(store.Calls(), server, protocol.MethodToolsCall, name)
}

func TestTheLastCallComesBackAfterARestart(t *testing.T) {
	dir, server := t.TempDir(), settings.Server{ID: "1"}
	book := bookOf(t, dir, server, "sum")
	const exact = "{ \"b\":1.0,\n\"a\":9007199254740993 }"
	a := argumentsOf(t, sumSchema)
	a.SetText(`{"a":1,"b":2}`)
	book.Sent(a, callTime.Add(-time.Hour))
	a.SetText(exact)
	book.Sent(a, callTime)
	if err := book.Save(a, "exact", callTime); err != nil {
		t.Fatal(err)
	}
	if err := book.Write(); err != nil {
		t.Fatal(err)
	}
	again := bookOf(t, dir, server, "sum")
	last, ok := again.Last(callTime.Add(3 * time.Minute))
	if !ok || last.Arguments != exact || last.Label != "3 min ago" {
		t.Fatalf("last %+v, %v", last, ok)
	}
	fresh := argumentsOf(t, sumSchema)
	fresh.Use(last.Arguments)
	if fresh.Text() != exact || fresh.Form().Root().Member("a").Text() != "9007199254740993" {
		t.Errorf("filled in %s", fresh.Text())
	}
	fresh.Defaults()
	if fresh.Text() != argumentsOf(t, sumSchema).Text() {
		t.Errorf("the defaults are %s", fresh.Text())
	}
	recent := again.Recent(callTime.Add(3 * time.Minute))
	if len(recent) != 2 || recent[0].Label != `3 min ago   {"b":1.0,"a":9007199254740993}` || !strings.HasPrefix(recent[1].Label, "1 h ago") {
		t.Errorf("recent %+v", recent)
	}
	if saved := again.Saved(); len(saved) != 1 || saved[0].Title != "exact" || saved[0].Arguments != exact {
		t.Errorf("saved %+v", saved)
	}
	for _, other := range []*CallBook{bookOf(t, dir, server, "other"), bookOf(t, dir, settings.Server{Target: session.Target{Command: "x"}}, "sum")} {
		if _, ok := other.Last(callTime); ok {
			t.Errorf("%+v has a last call", other.key)
		}
	}
}

func TestAServerThatIsNotSavedIsKnownByItsTargetWithoutSecrets(t *testing.T) {
	store, err := settings.Load(filepath.Join(t.TempDir(), "settings.json"))
	if err != nil {
		t.Fatal(err)
	}
	book := NewCallBook(store.Calls(), settings.Server{Target: session.Target{Command: "srv", Args: []string{"--token=s3cret"}}}, "m", "t")
	if strings.Contains(book.key.Server, "s3cret") || !strings.Contains(book.key.Server, "srv") {
		t.Errorf("key %q", book.key.Server)
	}
	if NewCallBook(store.Calls(), settings.Server{ID: "1"}, "m", "") != nil {
		t.Error("a book about an entry without a name")
	}
}

func TestSecretsInArgumentsAreNotKept(t *testing.T) {
	const schema = `{"type":"object","properties":{
		"user":{"type":"string"},
		"password":{"type":"string","format":"password"},
		"a/b":{"type":"object","properties":{"key":{"type":"string","writeOnly":true},"n":{"type":"number"}}},
		"list":{"type":"array","items":{"type":"object","properties":{"pin":{"$ref":"#/$defs/secret"},"id":{"type":"integer"}}}},
		"odd":{"not":{"properties":{"x":{"writeOnly":true}}}}},
		"$defs":{"secret":{"type":"string","format":"password"}}}`
	for _, c := range []struct{ text, want string }{
		{`{ "user":"u" }`, `{ "user":"u" }`}, // nothing to leave out: as it was written
		{`{"user":"u", "password":"s3cret","a/b":{"n":1.00,"key":"s3cret"},"more":[1e400]}`, `{"user":"u","a/b":{"n":1.00},"more":[1e400]}`},
		{`{"list":[{"id":9007199254740993,"pin":"s3cret"},{"pin":"s3cret","id":2}]}`, `{"list":[{"id":9007199254740993},{"id":2}]}`},
	} {
		a := argumentsOf(t, schema)
		a.SetText(c.text)
		if got, ok := a.Keep(); !ok || got != c.want {
			t.Errorf("%s is kept as %s, %v; want %s", c.text, got, ok, c.want)
		}
		if a.Text() != c.text {
			t.Errorf("keeping changed the form to %s", a.Text())
		}
	}
	hidden := argumentsOf(t, `{"writeOnly":true,"type":"object"}`)
	hidden.SetText(`{"x":"s3cret"}`)
	if got, ok := hidden.Keep(); ok {
		t.Errorf("a secret as a whole is kept: %s", got)
	}
	for _, text := range []string{`{"a": 12x`, `{"a":"` + strings.Repeat("x", settings.MaxArguments) + `"}`} {
		a := argumentsOf(t, sumSchema)
		a.SetText(text)
		if _, ok := a.Keep(); ok {
			t.Errorf("kept %.40s", text)
		}
	}
	none := argumentsOf(t, sumSchema)
	none.SetText("")
	if got, ok := none.Keep(); !ok || got != "" {
		t.Errorf("no arguments are kept as %q, %v", got, ok)
	}
}

func TestPromptArgumentsAreKept(t *testing.T) {
	prompt := protocol.DecodePrompts(jsontext.Value(`{"prompts":[{"name":"p","arguments":[{"name":"who"},{"name":"tone"},{"name":"none"}]}]}`)).Items[0]
	f := PromptFields(prompt)
	f.Fields[0].Value, f.Fields[1].Empty = "Zoë", true
	text, ok := f.Keep()
	if !ok || text != `{"who":"Zoë","tone":""}` {
		t.Fatalf("kept %s", text)
	}
	again := PromptFields(prompt)
	again.Fields[2].Value = "old"
	again.Use(text)
	if got, _ := again.Keep(); got != text {
		t.Errorf("filled in %s", got)
	}
	again.Defaults()
	if got, _ := again.Keep(); got != "" {
		t.Errorf("defaults %s", got)
	}
}
