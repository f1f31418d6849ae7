package view

import (
	"testing"

	"mcploupe/session"
	"mcploupe/ui/settings"
)

func TestRecordCommand(t *testing.T) {
	for want, target := range map[string]session.Target{
		"/opt/mcploupe record 'my notes'":          {Name: "my notes", Command: "node", Env: []session.EnvVar{{Name: "TOKEN", Value: "x", Secret: true}}},
		"/opt/mcploupe record -- node 'a b.js' -v": {Command: "node", Args: []string{"a b.js", "-v"}},
		"/opt/mcploupe record http://127.0.0.1:1/": {URL: "http://127.0.0.1:1/"},
	} {
		if got := RecordCommand("/opt/mcploupe", settings.Server{Target: target}); got != want {
			t.Errorf("%s, not %s", got, want)
		}
	}
}
