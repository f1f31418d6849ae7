package view

import (
	"testing"

	"mcploupe/session"
	"mcploupe/ui/settings"
)

// The command leads to the very server, with nothing of its secrets.
func TestRecordCommand(t *testing.T) {
	store := importStore(t)
	env := []session.EnvVar{{Name: "TOKEN", Value: "x", Secret: true}}
	if err := store.Update(func(s *settings.Settings) {
		s.Servers = []settings.Server{
			{ID: "a", Target: session.Target{Name: "my notes", Command: "node", Env: env}},
			{ID: "b", Target: session.Target{Command: "node", Args: []string{"b.js"}, Env: env}},
			{ID: "c", Target: session.Target{Name: "my notes", URL: "http://127.0.0.1:1/"}},
			{ID: "d", Target: session.Target{Name: "--json", Command: "node"}},
		}
	}); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"/opt/mcploupe record 'my notes'", "/opt/mcploupe record b", "/opt/mcploupe record c", "/opt/mcploupe record d"} {
		if got := RecordCommand("/opt/mcploupe", store, store.Get().Servers[i]); got != want {
			t.Errorf("%s, not %s", got, want)
		}
	}
}
