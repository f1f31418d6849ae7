package session

import "mcploupe/recorder"

// ParseTarget understands one field of text: an http or https URL, or a
// command line that is split into words as a POSIX shell does (quotes and
// backslashes, nothing is expanded). Leading NAME=value words become Env. The
// notes say in plain words what was understood.
func ParseTarget(text string) (Target, []string, error) { return Target{}, nil, errNotOpen }

// String is the URL or the command line, for people.
func (t Target) String() string { return t.URL }

// CommandLine writes t so that ParseTarget reads the same again.
func (t Target) CommandLine() string { return t.URL }

// RecordingHeader describes t for a recording; secrets are masked. app is the
// program and its version.
func (t Target) RecordingHeader(app string) recorder.Header { return recorder.Header{App: app} }
