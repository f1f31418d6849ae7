package view

import (
	"testing"
	"time"

	"mcploupe/session"
	"mcploupe/ui/settings"
)

func TestGroupsSayHowManyAreFound(t *testing.T) {
	st := settings.Settings{Groups: []settings.Group{{Name: "Work"}}}
	for _, name := range []string{"github", "gitlab", "notes"} {
		st.Servers = append(st.Servers, settings.Server{ID: name, Group: "Work", Target: session.Target{Name: name, Command: name}})
	}
	for find, want := range map[string]string{"": "3", "git": "2 of 3"} {
		if e := ServerEntries(st, nil, time.Now(), find)[0]; !e.Heading || e.CountText() != want {
			t.Errorf("looking for %q: %+v says %q", find, e, e.CountText())
		}
	}
}
