package view

import (
	"strings"

	"mcploupe/session"
	"mcploupe/ui/settings"
)

// RecordCommand is the command line that stands between another client and a
// kept server and records: program is this one. The server goes by its name, or
// by its id where the name leads to none or to another, so that its environment
// and headers apply and no secret of it is in the text.
func RecordCommand(program string, store *settings.Store, s settings.Server) string {
	name := s.Target.Name
	if found, ok := store.Server(name); name == "" || strings.HasPrefix(name, "-") || !ok || found.ID != s.ID {
		name = s.ID
	}
	return session.Target{Command: program, Args: []string{"record", name}}.CommandLine()
}
