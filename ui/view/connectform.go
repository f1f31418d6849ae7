package view

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"mcploupe/protocol"
	"mcploupe/session"
	"mcploupe/session/mcpjson"
	"mcploupe/ui/settings"
)

// ConnectForm is the model of the connect view: one line of text, and the
// details below it, which add to what the line says and win over it.
type ConnectForm struct {
	ID   string // of the saved server that is edited, "" for a new one
	Line string // command line or address

	Name      string
	Transport string // a Choice of Transports
	Revision  string // a Choice of Revisions
	Env       []*Pair
	Headers   []*Pair
	Bearer    string
	CAFile    string
	Dir       string
	Limits    [4]string // probe, initialize, call, call maximum; "" for the default
	Save      bool
	EnvFile   string
	Syntax    string // a Choice of Syntaxes
	Workspace string // what ${workspaceFolder} stands for
	Keep      bool   // secrets go to the keyring

	was settings.Server // that is edited

	parsed session.Target
	notes  []string
	err    error
}

// LimitNames label ConnectForm.Limits.
var LimitNames = [4]string{"Probe", "Initialize", "Call, without progress", "Call, at most"}

// LimitHints say what applies when a limit is left empty.
var LimitHints = [4]string{"5 s", "30 s", "60 s", "10 min"}

// NewConnectForm is an empty form for a server that will be saved.
func NewConnectForm() *ConnectForm {
	f := &ConnectForm{Transport: TransportAuto, Revision: RevisionAuto, Save: true, Keep: true, Syntax: mcpjson.Plain.Title()}
	f.SetLine("")
	return f
}

// EditConnectForm is a form filled with a server.
func EditConnectForm(s settings.Server) *ConnectForm {
	t := s.Target
	f := &ConnectForm{
		ID: s.ID, Name: t.Name, Transport: transportWord(t.Transport), Revision: RevisionAuto,
		Bearer: t.Bearer, CAFile: t.CAFile, Dir: t.Dir, Save: s.ID != "",
		EnvFile: s.EnvFile, Syntax: s.Syntax.Title(), Workspace: s.Workspace, Keep: !s.NotKept, was: s,
	}
	if t.Revision != "" && t.Revision != "auto" {
		f.Revision = t.Revision
	}
	for _, v := range t.Env {
		f.Env = append(f.Env, &Pair{Name: v.Name, Value: v.Value, Secret: v.Secret, Chosen: true})
	}
	for _, h := range t.Headers {
		f.Headers = append(f.Headers, &Pair{Name: h.Name, Value: h.Value, Secret: protocol.IsSecretHeader(h.Name) || s.IsSecretHeader(h.Name), Chosen: true})
	}
	for i, ms := range []int64{s.Limits.ProbeMS, s.Limits.InitMS, s.Limits.CallMS, s.Limits.CallMaxMS} {
		f.Limits[i] = formatLimit(ms)
	}
	t.Env = nil
	f.SetLine(t.CommandLine())
	return f
}

// The first choices of Transports and Revisions.
const (
	TransportAuto = "auto"
	RevisionAuto  = "auto"
)

// Transports are the choices for the transport.
func Transports() []string {
	return []string{TransportAuto, string(session.Stdio), string(session.HTTP), string(session.SSE)}
}

// Syntaxes are the choices for the variables in values.
func Syntaxes() []string {
	var out []string
	for _, s := range mcpjson.Syntaxes() {
		out = append(out, s.Title())
	}
	return out
}

// Kept reports whether a value that is empty in the form has one that is kept
// elsewhere.
func (f *ConnectForm) Kept(p *Pair) bool { return f.was.ID != "" && p.Secret && p.Value == "" }

// KeptBearer is Kept for the bearer token.
func (f *ConnectForm) KeptBearer() bool {
	return f.was.ID != "" && f.was.SecretBearer && f.Bearer == ""
}

// ClearBearer takes the bearer token away, the one that is kept elsewhere too.
func (f *ConnectForm) ClearBearer() {
	f.Bearer, f.was.SecretBearer, f.was.Target.Bearer = "", false, ""
}

// Revisions are the choices for the revision, newest first.
func Revisions() []string {
	out := []string{RevisionAuto}
	for _, r := range slices.Backward(protocol.Revisions()) {
		out = append(out, r.Name)
	}
	return out
}

func transportWord(t session.Transport) string {
	if t == session.Auto {
		return TransportAuto
	}
	return string(t)
}

// SetLine takes the text of the one field and works out what it says.
func (f *ConnectForm) SetLine(text string) {
	f.Line = text
	f.parsed, f.notes, f.err = session.Target{}, nil, nil
	if strings.TrimSpace(text) == "" {
		return
	}
	f.parsed, f.notes, f.err = session.ParseTarget(text)
}

// Title names the server that the form describes.
func (f *ConnectForm) Title() string {
	t := f.parsed
	t.Name = strings.TrimSpace(f.Name)
	return TitleOf(t)
}

// Empty reports whether nothing was entered yet.
func (f *ConnectForm) Empty() bool { return strings.TrimSpace(f.Line) == "" }

// Understood says in plain words what the line says, one fact an entry; err
// says why it cannot be used.
func (f *ConnectForm) Understood() (facts []Fact, err string) {
	switch {
	case f.Empty():
		return nil, ""
	case f.err != nil:
		return nil, line(f.err.Error(), 300)
	}
	t := f.parsed
	add := func(label, value string) { facts = append(facts, Fact{label, line(value, 2000)}) }
	if t.URL != "" {
		add("Transport", urlTransport(f.Transport))
		add("Address", t.URL)
	} else {
		add("Transport", "stdio: starts this program and talks over its standard input and output")
		add("Program", t.Command)
		for i, arg := range t.Args {
			add("Argument "+strconv.Itoa(i+1), arg)
		}
	}
	for _, v := range t.Env {
		value := v.Value
		if v.Secret {
			value = "••••••"
		}
		add("Environment", v.Name+"="+value)
	}
	for i, note := range f.notes {
		// The first sums up, and the environment is listed above.
		if i > 0 && !strings.HasPrefix(note, "Environment: ") {
			add("Note", note)
		}
	}
	return facts, ""
}

func urlTransport(choice string) string {
	switch choice {
	case string(session.SSE):
		return "HTTP with server-sent events, as in 2024-11-05"
	case string(session.HTTP):
		return "Streamable HTTP"
	}
	return "Streamable HTTP, then HTTP with server-sent events if the server wants it"
}

// IsURL reports whether the line is an address.
func (f *ConnectForm) IsURL() bool { return f.err == nil && f.parsed.URL != "" }

// Fact is a labelled value.
type Fact struct{ Label, Value string }

// Server is what the form describes; the error says which field is wrong, for
// the person.
func (f *ConnectForm) Server() (settings.Server, error) {
	s := f.was // what the form does not show stays
	s.ID, s.SecretHeaders = f.ID, nil
	s.EnvFile, s.Workspace, s.NotKept = strings.TrimSpace(f.EnvFile), strings.TrimSpace(f.Workspace), !f.Keep
	for _, x := range mcpjson.Syntaxes() {
		if x.Title() == f.Syntax {
			s.Syntax = x
		}
	}
	s.SecretBearer = f.was.SecretBearer || f.Bearer != ""
	if f.Empty() {
		return s, errors.New("enter a command line or an address")
	}
	if f.err != nil {
		return s, f.err
	}
	t := f.parsed
	t.Name = strings.TrimSpace(f.Name)
	t.Env = slices.Clone(t.Env)
	for _, row := range f.Env {
		if row.Name == "" && row.Value == "" {
			continue
		}
		if err := checkEnvName(row.Name); err != nil {
			return s, err
		}
		t.Env = slices.DeleteFunc(t.Env, func(v session.EnvVar) bool { return v.Name == row.Name })
		t.Env = append(t.Env, session.EnvVar{Name: row.Name, Value: row.Value, Secret: row.Secret})
	}
	for _, row := range f.Headers {
		name := strings.TrimSpace(row.Name)
		if name == "" && row.Value == "" {
			continue
		}
		if !isToken(name) {
			return s, fmt.Errorf("header name %q: letters, digits and hyphens only", line(name, 60))
		}
		if strings.ContainsAny(row.Value, "\r\n\x00") {
			return s, fmt.Errorf("header %s: the value must be one line", name)
		}
		t.Headers = append(t.Headers, protocol.HeaderField{Name: name, Value: row.Value})
		if row.Secret {
			s.SecretHeaders = append(s.SecretHeaders, name)
		}
	}
	t.Bearer, t.CAFile, t.Dir = strings.TrimSpace(f.Bearer), strings.TrimSpace(f.CAFile), strings.TrimSpace(f.Dir)
	if f.Transport != TransportAuto && f.Transport != "" {
		t.Transport = session.Transport(f.Transport)
	}
	if (t.Transport == session.Stdio) == (t.URL != "") && t.Transport != session.Auto {
		return s, fmt.Errorf("transport %s does not go with %q", t.Transport, line(f.Line, 60))
	}
	if f.Revision != RevisionAuto {
		t.Revision = f.Revision
	}
	s.Target = t
	into := []*int64{&s.Limits.ProbeMS, &s.Limits.InitMS, &s.Limits.CallMS, &s.Limits.CallMaxMS}
	for i, text := range f.Limits {
		ms, err := parseLimit(text)
		if err != nil {
			return s, fmt.Errorf("time limit %q: %w", LimitNames[i], err)
		}
		if ms < 0 && i < 2 {
			return s, fmt.Errorf("time limit %q cannot be switched off", LimitNames[i])
		}
		*into[i] = ms
	}
	return s, nil
}

// parseLimit reads "30", "30s", "1m30s", "250ms" or "off" as milliseconds; ""
// is 0, the default, and off is -1.
func parseLimit(text string) (int64, error) {
	text = strings.ToLower(strings.Join(strings.Fields(text), ""))
	switch text {
	case "":
		return 0, nil
	case "off", "none", "-1":
		return -1, nil
	}
	text = strings.ReplaceAll(text, "min", "m")
	if last := text[len(text)-1]; last >= '0' && last <= '9' {
		text += "s"
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < time.Millisecond {
		return 0, errors.New("a time such as 30 s, 2 min or 500 ms")
	}
	return d.Milliseconds(), nil
}

func formatLimit(ms int64) string {
	switch {
	case ms == 0:
		return ""
	case ms < 0:
		return "off"
	}
	for _, u := range []struct {
		ms   int64
		name string
	}{{3_600_000, " h"}, {60_000, " min"}, {1000, " s"}} {
		if ms%u.ms == 0 && (ms >= 2*u.ms || u.ms == 1000) {
			return strconv.FormatInt(ms/u.ms, 10) + u.name
		}
	}
	return strconv.FormatInt(ms, 10) + " ms"
}
