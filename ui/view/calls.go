package view

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/protocol/schema"
	"mcploupe/ui/settings"
	"mcploupe/ui/view/human"
)

// Keepable is what arguments are filled in with and can be remembered.
type Keepable interface {
	// Keep is the exact JSON text to remember, "" for no arguments, without
	// what the server calls a secret. ok is false when that cannot be told apart.
	Keep() (text string, ok bool)
	// Use fills in what was remembered.
	Use(text string)
	// Defaults starts over with what the server says.
	Defaults()
}

// CallBook is what is remembered about the calls of one tool or prompt.
type CallBook struct {
	calls *settings.Calls
	key   settings.CallKey
}

// NewCallBook is the book of a tool or prompt of a server. It is nil for an
// entry without a name.
func NewCallBook(calls *settings.Calls, server settings.Server, method, name string) *CallBook {
	if name == "" {
		return nil
	}
	id := server.ID
	if id == "" {
		id = server.Target.String()
	}
	return &CallBook{calls: calls, key: settings.CallKey{Server: id, Method: method, Name: name}}
}

// RememberedCall is a call in a menu.
type RememberedCall struct {
	Label     string // safe
	Title     string // of a saved call, as it is kept
	Arguments string
}

// maxRecentShown bounds the recent calls in a menu.
const maxRecentShown = 12

// Last is the call that was sent last; ok is false when there is none.
func (b *CallBook) Last(now time.Time) (c RememberedCall, ok bool) {
	recent := b.calls.Recent(b.key)
	if len(recent) == 0 {
		return c, false
	}
	return RememberedCall{Label: human.Ago(recent[0].Time, now), Arguments: recent[0].Arguments}, true
}

// Recent are the calls sent last, newest first, with their times.
func (b *CallBook) Recent(now time.Time) []RememberedCall {
	var out []RememberedCall
	recent := b.calls.Recent(b.key)
	for _, c := range recent[:min(len(recent), maxRecentShown)] {
		out = append(out, RememberedCall{Label: human.Ago(c.Time, now) + "   " + short(c.Arguments), Arguments: c.Arguments})
	}
	return out
}

// Saved are the calls saved under a name.
func (b *CallBook) Saved() []RememberedCall {
	var out []RememberedCall
	for _, c := range b.calls.Saved(b.key) {
		out = append(out, RememberedCall{Label: line(c.Title, 60), Title: c.Title, Arguments: c.Arguments})
	}
	return out
}

func short(arguments string) string {
	if arguments == "" {
		return "no arguments"
	}
	return line(string(protocol.Compact(jsontext.Value(arguments))), 60)
}

// Sent remembers what was sent.
func (b *CallBook) Sent(k Keepable, now time.Time) {
	if text, ok := k.Keep(); ok {
		b.calls.Sent(b.key, text, now)
	}
}

var errNotKept = errors.New("this is not valid JSON yet, or the schema marks secrets in it that cannot be told apart")

// Save saves what is filled in under a name.
func (b *CallBook) Save(k Keepable, title string, now time.Time) error {
	text, ok := k.Keep()
	if !ok {
		return errNotKept
	}
	return b.calls.Save(b.key, title, text, now)
}

// Rename gives a saved call another name.
func (b *CallBook) Rename(from, to string) error { return b.calls.Rename(b.key, from, to) }

// Delete forgets a saved call.
func (b *CallBook) Delete(title string) { b.calls.Delete(b.key, title) }

// Write keeps what changed. It may take long.
func (b *CallBook) Write() error { return b.calls.Write() }

// Keep implements Keepable. The values of fields that the schema calls
// passwords or write-only are left out.
func (a *Arguments) Keep() (text string, ok bool) {
	text = a.Text()
	value := jsontext.Value(text)
	switch {
	case strings.TrimSpace(text) == "":
		return "", true
	case len(text) > settings.MaxArguments || !protocol.Valid(value):
		return "", false
	case !marksSecrets(a.tool.InputSchema):
		return text, true
	case a.Form() == nil || a.Broken() != "":
		return "", false
	}
	secret := map[string]bool{}
	gatherSecrets(a.Form().Root(), secret)
	switch {
	case secret[""]:
		return "", false
	case len(secret) == 0:
		return text, true
	}
	return string(without(nil, value, "", secret)), true
}

// Use implements Keepable.
func (a *Arguments) Use(text string) { a.SetText(text) }

// Defaults implements Keepable.
func (a *Arguments) Defaults() { a.Reset() }

// marksSecrets reports whether a schema may call any value a secret.
func marksSecrets(v jsontext.Value) bool {
	for name, value := range protocol.Members(v) {
		switch text, _ := protocol.StringValue(value); {
		case name == "format" && text == "password", name == "writeOnly" && value.Kind() == 't', marksSecrets(value):
			return true
		}
	}
	for _, value := range protocol.Elements(v) {
		if marksSecrets(value) {
			return true
		}
	}
	return false
}

// gatherSecrets finds the places of secrets: of fields that are called so, and
// of those that have no fields in which it could be told.
func gatherSecrets(n *schema.Node, into map[string]bool) {
	if n.State() == schema.StateAbsent {
		return
	}
	h := n.Hints()
	if h.Format == "password" || h.WriteOnly || n.Kind() == schema.KindJSON {
		into[n.Pointer()] = true
		return
	}
	for _, c := range n.Children() {
		gatherSecrets(c, into)
	}
}

var pointerEscaper = strings.NewReplacer("~", "~0", "/", "~1")

// without appends v, which is valid, without the values at some pointers.
func without(b []byte, v jsontext.Value, at string, drop map[string]bool) []byte {
	sep := byte(0)
	comma := func() {
		if sep != 0 {
			b = append(b, sep)
		}
		sep = ','
	}
	switch v.Kind() {
	case '{':
		b = append(b, '{')
		for name, value := range protocol.Members(v) {
			if below := at + "/" + pointerEscaper.Replace(name); !drop[below] {
				comma()
				b = append(append(b, protocol.QuoteString(name)...), ':')
				b = without(b, value, below, drop)
			}
		}
		return append(b, '}')
	case '[':
		b = append(b, '[')
		for i, value := range protocol.Elements(v) {
			if below := at + "/" + strconv.Itoa(i); !drop[below] {
				comma()
				b = without(b, value, below, drop)
			}
		}
		return append(b, ']')
	}
	return append(b, v...)
}

// Keep implements Keepable.
func (t *TextFields) Keep() (text string, ok bool) { return ArgumentsOf(t.Filling().Params), true }

// Use implements Keepable.
func (t *TextFields) Use(text string) {
	t.Defaults()
	for name, value := range protocol.Members(jsontext.Value(text)) {
		for i := range t.Fields {
			if s, ok := protocol.StringValue(value); ok && t.Fields[i].Name == name {
				t.Fields[i].Value, t.Fields[i].Empty = s, s == ""
			}
		}
	}
}

// Defaults implements Keepable.
func (t *TextFields) Defaults() {
	for i := range t.Fields {
		t.Fields[i].Value, t.Fields[i].Empty = "", false
	}
}
