package settings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"mcploupe/protocol"
	"mcploupe/session"
	"mcploupe/session/mcpjson"
	"mcploupe/session/secret"
)

// Group is a heading in the list of servers. Servers name the group that they
// are in; the order of groups is that of Settings.Groups.
type Group struct {
	Name   string `json:"name"`
	Folded bool   `json:"folded,omitempty"`
}

// Source is the entry of a file that a server came from.
type Source struct {
	File    string          `json:"file"`
	Dialect mcpjson.Dialect `json:"dialect"`
	Name    string          `json:"name"`
	Project string          `json:"project,omitempty"`
	Unknown []mcpjson.Kept  `json:"unknown,omitempty"` // members of the entry that mean nothing here
}

// Values are what a server needs besides its target before it can be connected
// to.
type Values struct {
	EnvFile   string          `json:"envFile,omitempty"`   // a file with environment variables; those of the target win
	Syntax    mcpjson.Syntax  `json:"variables,omitempty"` // how variables are written in the target's values
	Workspace string          `json:"workspace,omitempty"` // what ${workspaceFolder} stands for
	Inputs    []mcpjson.Asked `json:"inputs,omitempty"`    // what ${input:id} asks for

	// Secrets have no value in the target: they are looked up when connecting.
	// Variables of the environment are marked in the target itself.
	SecretHeaders []string `json:"secretHeaders,omitempty"`
	SecretBearer  bool     `json:"secretBearer,omitempty"`
	NotKept       bool     `json:"secretsNotKept,omitempty"` // they are asked for in each run, the keyring is not used
}

// Import is a file of servers that something was imported from.
type Import struct {
	File    string          `json:"file"`
	Dialect mcpjson.Dialect `json:"dialect"`
	Watch   bool            `json:"watch,omitempty"`
	Seen    []Seen          `json:"seen,omitempty"` // what the person has seen of it
}

// Seen is an entry of a file as it was when the person last looked.
type Seen struct {
	Name    string `json:"name"`
	Project string `json:"project,omitempty"`
	Sum     string `json:"sum"` // of mcpjson.Server
}

// Bounds of what is kept.
const (
	maxImports = 100
	maxGroups  = 200
)

// MoveServer puts a server into a group and before another, or at the end of the
// group when before is "" or not in it.
func (s *Store) MoveServer(id, group, before string) error {
	return s.Update(func(x *Settings) {
		from := x.serverIndex(id)
		if from < 0 || id == before {
			return
		}
		moved := x.Servers[from]
		moved.Group = group
		x.addGroup(group)
		rest := slices.Delete(slices.Clone(x.Servers), from, from+1)
		to := slices.IndexFunc(rest, func(o Server) bool { return o.ID == before && o.Group == group })
		if to < 0 {
			to = len(rest)
			for i, o := range rest {
				if o.Group == group {
					to = i + 1
				}
			}
		}
		x.Servers = slices.Insert(rest, to, moved)
	})
}

// StepServer moves a server one place up or down in the list as it is shown,
// from one group into the next at its ends.
func (s *Store) StepServer(id string, down bool) error {
	x := s.Get()
	at := x.serverIndex(id)
	if at < 0 {
		return nil
	}
	order := x.Order()
	groups := append([]string{""}, x.groupNames()...)
	group := x.Servers[at].Group
	var mates []string // in the same group, in order
	for _, i := range order {
		if x.Servers[i].Group == group {
			mates = append(mates, x.Servers[i].ID)
		}
	}
	place, g := slices.Index(mates, id), slices.Index(groups, group)
	switch {
	case down && place+1 < len(mates):
		before := ""
		if place+2 < len(mates) {
			before = mates[place+2]
		}
		return s.MoveServer(id, group, before)
	case !down && place > 0:
		return s.MoveServer(id, group, mates[place-1])
	case down && g+1 < len(groups):
		before := ""
		for _, i := range order {
			if x.Servers[i].Group == groups[g+1] {
				before = x.Servers[i].ID
				break
			}
		}
		return s.MoveServer(id, groups[g+1], before)
	case !down && g > 0:
		return s.MoveServer(id, groups[g-1], "")
	}
	return nil
}

// RenameServer gives a server another name.
func (s *Store) RenameServer(id, name string) error {
	return s.Update(func(x *Settings) {
		if i := x.serverIndex(id); i >= 0 {
			x.Servers[i].Target.Name = strings.TrimSpace(name)
		}
	})
}

// AddGroup makes a group at the end; one of that name stays.
func (s *Store) AddGroup(name string) error {
	return s.Update(func(x *Settings) { x.addGroup(strings.TrimSpace(name)) })
}

// RenameGroup gives a group another name; when there is one of that name they
// become one.
func (s *Store) RenameGroup(old, name string) error {
	name = strings.TrimSpace(name)
	return s.Update(func(x *Settings) {
		if old == name || name == "" {
			return
		}
		for i := range x.Servers {
			if x.Servers[i].Group == old {
				x.Servers[i].Group = name
			}
		}
		at := x.groupIndex(old)
		if x.groupIndex(name) >= 0 {
			if at >= 0 {
				x.Groups = slices.Delete(x.Groups, at, at+1)
			}
			return
		}
		if at >= 0 {
			x.Groups[at].Name = name
		}
	})
}

// RemoveGroup takes a group away; its servers are in none then.
func (s *Store) RemoveGroup(name string) error {
	return s.Update(func(x *Settings) {
		x.Groups = slices.DeleteFunc(x.Groups, func(g Group) bool { return g.Name == name })
		for i := range x.Servers {
			if x.Servers[i].Group == name {
				x.Servers[i].Group = ""
			}
		}
	})
}

// FoldGroup hides the servers of a group, or shows them.
func (s *Store) FoldGroup(name string, folded bool) error {
	return s.Update(func(x *Settings) {
		x.addGroup(name)
		if i := x.groupIndex(name); i >= 0 {
			x.Groups[i].Folded = folded
		}
	})
}

// StepGroup moves a group one place up or down among the groups.
func (s *Store) StepGroup(name string, down bool) error {
	return s.Update(func(x *Settings) {
		x.Groups = x.groups()
		i := x.groupIndex(name)
		to := i - 1
		if down {
			to = i + 1
		}
		if i >= 0 && to >= 0 && to < len(x.Groups) {
			x.Groups[i], x.Groups[to] = x.Groups[to], x.Groups[i]
		}
	})
}

func (s *Settings) serverIndex(id string) int {
	return slices.IndexFunc(s.Servers, func(x Server) bool { return x.ID == id })
}

func (s *Settings) groupIndex(name string) int {
	return slices.IndexFunc(s.Groups, func(g Group) bool { return g.Name == name })
}

func (s *Settings) addGroup(name string) {
	if name != "" && s.groupIndex(name) < 0 && len(s.Groups) < maxGroups {
		s.Groups = append(s.Groups, Group{Name: name})
	}
}

// groups are the groups with those that only servers know.
func (s *Settings) groups() []Group {
	all := Settings{Groups: slices.Clone(s.Groups)}
	for _, x := range s.Servers {
		all.addGroup(x.Group)
	}
	return all.Groups
}

// AllGroups are the groups in the order in which they are shown.
func (s *Settings) AllGroups() []Group { return s.groups() }

func (s *Settings) groupNames() []string {
	var out []string
	for _, g := range s.groups() {
		out = append(out, g.Name)
	}
	return out
}

// Order lists the servers as they are shown, as indexes: those without a group,
// then each group.
func (s *Settings) Order() []int {
	out := make([]int, 0, len(s.Servers))
	for _, group := range append([]string{""}, s.groupNames()...) {
		for i, x := range s.Servers {
			if x.Group == group {
				out = append(out, i)
			}
		}
	}
	return out
}

// NoteImport keeps what is known of an imported file.
func (s *Store) NoteImport(f Import) error {
	return s.Update(func(x *Settings) {
		x.Imports = slices.DeleteFunc(x.Imports, func(o Import) bool { return o.File == f.File })
		x.Imports = append(x.Imports, f)
		if len(x.Imports) > maxImports {
			x.Imports = slices.Delete(x.Imports, 0, len(x.Imports)-maxImports)
		}
	})
}

// Add keeps a server under a new id, without the values of its secrets: those
// come back, to be put into a vault.
func (s *Store) Add(x Server) (Server, []Secret, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return Server{}, nil, fmt.Errorf("make a server id: %w", err)
	}
	x.ID = id.String()
	plain, secrets := x.SplitSecrets()
	return plain, secrets, s.Update(func(o *Settings) {
		o.addServer(plain)
		o.addGroup(plain.Group)
	})
}

// Replace puts a server in the place of the saved one with its id, likewise.
func (s *Store) Replace(x Server) (Server, []Secret, error) {
	plain, secrets := x.SplitSecrets()
	return plain, secrets, s.Update(func(o *Settings) {
		if i := o.serverIndex(x.ID); i >= 0 {
			o.Servers[i] = plain
		}
	})
}

// Secret is a secret of a server with its value.
type Secret struct {
	Key   secret.Key
	Value string
}

// SplitSecrets takes the values of secrets out of a server, so that it can be
// written. What a value refers to by variables is no secret itself and stays.
func (x Server) SplitSecrets() (Server, []Secret) {
	var out []Secret
	take := func(kind secret.Kind, name, value string) string {
		if value == "" || x.Syntax.Refers(value) {
			return value
		}
		out = append(out, Secret{secret.Key{Server: x.ID, Kind: kind, Name: name}, value})
		return ""
	}
	t := &x.Target
	t.Env, t.Headers = slices.Clone(t.Env), slices.Clone(t.Headers)
	for i, v := range t.Env {
		if v.Secret {
			t.Env[i].Value = take(secret.Env, v.Name, v.Value)
		}
	}
	for i, h := range t.Headers {
		if x.IsSecretHeader(h.Name) {
			t.Headers[i].Value = take(secret.Header, h.Name, h.Value)
		}
	}
	if t.Bearer != "" {
		t.Bearer = take(secret.Bearer, "", t.Bearer)
		x.SecretBearer = true
	}
	return x, out
}

// IsSecretHeader reports whether the value of a header is marked as secret.
func (x *Server) IsSecretHeader(name string) bool {
	return slices.ContainsFunc(x.SecretHeaders, func(s string) bool { return strings.EqualFold(s, name) })
}

// PlainSecrets are the secrets that stand in the settings file, as older
// versions wrote them, and the server without them.
func (x Server) PlainSecrets() (Server, []Secret) {
	x.SecretHeaders = slices.Clone(x.SecretHeaders)
	for _, h := range x.Target.Headers {
		if protocol.IsSecretHeader(h.Name) && !x.IsSecretHeader(h.Name) {
			x.SecretHeaders = append(x.SecretHeaders, h.Name)
		}
	}
	return x.SplitSecrets()
}

// MovedSecrets takes the values of secrets of a saved server out of the settings,
// after they were put elsewhere. One that is another by now stays.
func (s *Store) MovedSecrets(id string, moved []Secret) error {
	return s.Update(func(o *Settings) {
		i := o.serverIndex(id)
		if i < 0 {
			return
		}
		plain, there := o.Servers[i].PlainSecrets()
		if slices.Equal(there, moved) {
			o.Servers[i] = plain
		}
	})
}

// SecretKeys are all secrets that a server may have.
func (x Server) SecretKeys() []secret.Key {
	var out []secret.Key
	add := func(kind secret.Kind, name string) {
		out = append(out, secret.Key{Server: x.ID, Kind: kind, Name: name})
	}
	for _, v := range x.Target.Env {
		if v.Secret && !x.Syntax.Refers(v.Value) {
			add(secret.Env, v.Name)
		}
	}
	for _, h := range x.Target.Headers {
		if x.IsSecretHeader(h.Name) && !x.Syntax.Refers(h.Value) {
			add(secret.Header, h.Name)
		}
	}
	if x.SecretBearer {
		add(secret.Bearer, "")
	}
	for _, a := range x.Inputs {
		add(secret.Input, a.ID)
	}
	return out
}

// cloneServer copies what a server points to.
func cloneServer(x *Server) {
	x.Inputs = slices.Clone(x.Inputs)
	x.SecretHeaders = slices.Clone(x.SecretHeaders)
	if x.Source != nil {
		source := *x.Source
		source.Unknown = slices.Clone(source.Unknown)
		x.Source = &source
	}
}

// ServerOf makes a server of the entry of a file. Values that look like secrets
// are marked so.
func ServerOf(e mcpjson.Server, d mcpjson.Dialect, file, workspace string, inputs []mcpjson.Asked) Server {
	x := Server{Target: session.Target{
		Name: e.Name, Transport: session.Transport(e.Transport), Command: e.Command, Args: slices.Clone(e.Args), Dir: e.Dir, URL: e.URL,
	}}
	x.Values = Values{EnvFile: e.EnvFile, Syntax: d.Syntax(), Workspace: workspace}
	if e.Project != "" {
		x.Workspace = e.Project
	}
	x.Inputs = mcpjson.InputsOf(&e, x.Syntax, inputs)
	for _, v := range e.Env {
		x.Target.Env = append(x.Target.Env, session.EnvVar{Name: v.Name, Value: v.Value, Secret: session.IsSecretName(v.Name)})
	}
	for _, h := range e.Headers {
		x.Target.Headers = append(x.Target.Headers, protocol.HeaderField{Name: h.Name, Value: h.Value})
		if protocol.IsSecretHeader(h.Name) {
			x.SecretHeaders = append(x.SecretHeaders, h.Name)
		}
	}
	x.Limits.CallMS = e.TimeoutMS
	x.Source = &Source{File: file, Dialect: d, Name: e.Name, Project: e.Project, Unknown: e.Unknown}
	return x
}

// Outgoing is the server as it is written into files of other programs.
func (x Server) Outgoing(name string) mcpjson.Outgoing {
	plain, _ := x.SplitSecrets()
	t := plain.Target
	out := mcpjson.Outgoing{
		Server: mcpjson.Server{Name: name, Transport: string(t.Transport), Command: t.Command, Args: t.Args, Dir: t.Dir, URL: t.URL,
			EnvFile: x.EnvFile, TimeoutMS: max(x.Limits.CallMS, 0)},
		From: mcpjson.Generic, Syntax: x.Syntax, Inputs: x.Inputs, Workspace: x.Workspace, SecretHeaders: x.SecretHeaders, Bearer: plain.SecretBearer,
	}
	if t.Command != "" {
		out.Transport = string(session.Stdio)
	}
	for _, v := range t.Env {
		out.Env = append(out.Env, mcpjson.Variable{Name: v.Name, Value: v.Value})
		if v.Secret {
			out.SecretEnv = append(out.SecretEnv, v.Name)
		}
	}
	for _, h := range t.Headers {
		out.Headers = append(out.Headers, mcpjson.Variable{Name: h.Name, Value: h.Value})
	}
	if x.Source != nil {
		out.From, out.Unknown, out.Project = x.Source.Dialect, x.Source.Unknown, x.Source.Project
	}
	return out
}
