package view

import (
	"mcploupe/session"
	"mcploupe/ui/settings"
)

// RecordCommand is the command line that stands between another client and a
// server and records: program is this one. A saved server goes by its name, so
// that no secret of it is in the text.
func RecordCommand(program string, s settings.Server) string {
	t := session.Target{Command: program, Args: []string{"record"}}
	switch {
	case s.Target.Name != "":
		t.Args = append(t.Args, s.Target.Name)
	case s.Target.Command != "":
		t.Args = append(append(t.Args, "--", s.Target.Command), s.Target.Args...)
	default:
		t.Args = append(t.Args, s.Target.URL)
	}
	return t.CommandLine()
}
