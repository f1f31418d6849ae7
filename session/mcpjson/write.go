package mcpjson

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Outgoing is a server that is to be written into a file.
type Outgoing struct {
	Server
	From          Dialect // whose members Unknown are
	Syntax        Syntax  // of the variables in its values
	Inputs        []Asked // that its values refer to
	Workspace     string  // what ${workspaceFolder} stands for, "" when that is not known
	SecretEnv     []string
	SecretHeaders []string
	Bearer        bool // it is connected to with a bearer token, which is secret
}

// Written is a text with servers in it.
type Written struct {
	Text    []byte
	Added   []string // names of servers
	Changed []string
	Same    []string
	Notes   []string // what could not be kept or said, for a person
}

// Write puts servers into the text of a file, which may be empty: new ones at
// the end, others in the place where they stand. Members that it knows nothing
// of, their order and comments around them stay. Secrets are not written: what
// stands for them is a variable where the program has such, and a value that is
// there already stays.
//
// A text with mistakes is not changed: the error names the first one.
func Write(src []byte, d Dialect, servers []Outgoing) (Written, error) {
	if len(bytes.TrimSpace(bytes.TrimPrefix(src, bomOf(src)))) == 0 {
		src = []byte("{}\n")
	}
	root, faults := Parse(src)
	for _, f := range faults {
		if !f.Note {
			return Written{}, fmt.Errorf("the file has a mistake and is not changed: %s", f)
		}
	}
	if root == nil || root.Kind != Object {
		return Written{}, errors.New("the file holds no object and is not changed")
	}
	w := &writer{editor: newEditor(src), rules: d.rules()}
	under := w.rules.under
	if as, at, found := detect(root, ""); found && (as == d || slices.Equal(at, []string{"mcpServers"}) && under[0] == "mcpServers") {
		under = at
	}
	for i := range under {
		if n := lookup(root, under[:i+1]); n != nil && n.Kind != Object {
			return Written{}, fmt.Errorf("%s is %s in the file, which is not changed", strings.Join(under[:i+1], "."), n.Kind)
		}
	}
	for _, s := range servers {
		w.server(under, s)
	}
	if w.lost > 0 {
		w.note(fmt.Sprintf("%d comments inside values that change are not kept.", w.lost))
	}
	w.Text = w.editor.src
	if root, faults := Parse(w.Text); root == nil || Faulty(faults) {
		return Written{}, errors.New("the file is written in a way that cannot be changed safely; change it by hand")
	}
	return w.Written, nil
}

type writer struct {
	*editor
	Written
	rules rules
}

func (w *writer) note(text string) {
	if !slices.Contains(w.Notes, text) {
		w.Notes = append(w.Notes, text)
	}
}

func (w *writer) server(under []string, s Outgoing) {
	if s.URL != "" && !w.rules.remote {
		w.note(fmt.Sprintf("%s is left out: the file of %s takes programs only, not addresses.", cut(s.Name), w.rules.title))
		return
	}
	if s.Project != "" && w.rules.dialect == ClaudeCode {
		under = append([]string{"projects", s.Project}, w.rules.under...)
	}
	at := append(slices.Clone(under), s.Name)
	before := bytes.Clone(w.editor.src)
	old := w.find(at...)
	if old == nil || old.Kind != Object {
		members := w.members(s, nil)
		w.ensure(under)
		w.set(under, s.Name, object(members))
		w.Added = append(w.Added, s.Name)
	} else {
		entry := w.part(old)
		w.merge(entry, w.members(s, old), s)
		w.lost += entry.lost
		w.splice(old.Start, old.End, string(entry.src))
		if bytes.Equal(before, w.editor.src) {
			w.Same = append(w.Same, s.Name)
		} else {
			w.Changed = append(w.Changed, s.Name)
		}
	}
	if w.rules.dialect == VSCode {
		w.inputs(under, s)
	}
}

// object makes an object of members.
func object(members []Kept) jsontext.Value {
	b := []byte{'{'}
	for i, m := range members {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(quoted(b, m.Name), ':')
		b = append(b, m.Value...)
	}
	return append(b, '}')
}

func stringValue(s string) jsontext.Value { return quoted(nil, s) }

// members are those that a server has in this dialect, in their usual order.
// old is the entry that is there already, or nil.
func (w *writer) members(s Outgoing, old *Node) []Kept {
	var out []Kept
	add := func(name string, value jsontext.Value) { out = append(out, Kept{name, value}) }
	if kind := w.kind(s, old); kind != "" {
		add("type", stringValue(kind))
	}
	if s.Command != "" {
		add("command", stringValue(w.value(s, "command", s.Command)))
		if len(s.Args) > 0 {
			b := []byte{'['}
			for i, a := range s.Args {
				if i > 0 {
					b = append(b, ',')
				}
				b = quoted(b, w.value(s, "an argument", a))
			}
			add("args", append(b, ']'))
		}
		w.optional(s, "cwd", w.rules.cwd, s.Dir, add)
		if len(s.Env) > 0 {
			add("env", object(w.variables(s, old.Get("env"), s.Env, s.SecretEnv, func(v Variable) string { return v.Name })))
		}
		w.optional(s, "envFile", w.rules.envFile, s.EnvFile, add)
	} else {
		name := w.rules.url
		for _, other := range []string{"url", "serverUrl"} {
			if old.Get(other) != nil {
				name = other
			}
		}
		add(name, stringValue(w.value(s, "the address", s.URL)))
		headers := slices.Clone(s.Headers)
		if s.Bearer {
			headers = append(headers, Variable{"Authorization", ""})
		}
		if len(headers) > 0 {
			add("headers", object(w.variables(s, old.Get("headers"), headers, append(slices.Clone(s.SecretHeaders), "Authorization"),
				func(v Variable) string { return s.Name + "_" + v.Name })))
		}
	}
	if name := w.rules.timeout; name != "" && s.TimeoutMS > 0 {
		v := s.TimeoutMS
		if w.rules.seconds {
			v = (v + 999) / 1000
		}
		add(name, jsontext.Value(strconv.FormatInt(v, 10)))
	}
	for _, k := range s.Unknown {
		switch {
		case s.From == w.rules.dialect || s.From == Generic:
			if old.Get(k.Name) == nil {
				out = append(out, k)
			}
		default:
			w.note(fmt.Sprintf("%s of %s is kept in MCP Loupe and not written: it means something to %s only.", cut(k.Name), cut(s.Name), s.From.Title()))
		}
	}
	return out
}

// kind is the word for the transport, "" to say none.
func (w *writer) kind(s Outgoing, old *Node) string {
	transport := s.Transport
	if transport == "" {
		transport = http
	}
	if old != nil {
		t := old.Get("type")
		said := ""
		switch {
		case t != nil:
			said = transports[strings.ToLower(t.Text)]
		case old.Get("command") != nil:
			said = stdio
		default:
			said = http
		}
		if said == transport {
			return ""
		}
		if t != nil && w.rules.types == nil {
			return transport
		}
	}
	return w.rules.types[transport]
}

// optional adds what only some programs know.
func (w *writer) optional(s Outgoing, what, name, value string, add func(string, jsontext.Value)) {
	switch {
	case value == "":
	case name == "":
		w.note(fmt.Sprintf("%s of %s is not written: %s has no %s.", what, cut(s.Name), w.rules.title, what))
	default:
		add(name, stringValue(w.value(s, what, value)))
	}
}

// variables writes an environment or headers. old is what is there already;
// name makes the name of a variable that stands for a secret.
func (w *writer) variables(s Outgoing, old *Node, list []Variable, secret []string, name func(Variable) string) []Kept {
	var out []Kept
	for _, v := range list {
		isSecret := slices.ContainsFunc(secret, func(x string) bool { return strings.EqualFold(x, v.Name) })
		if !isSecret || s.Syntax.Refers(v.Value) {
			out = append(out, Kept{v.Name, stringValue(w.value(s, v.Name, v.Value))})
			continue
		}
		if there := old.Get(v.Name); there != nil && there.Text != "" {
			out = append(out, Kept{v.Name, there.JSON()})
			continue
		}
		out = append(out, Kept{v.Name, stringValue(w.placeholder(s, v.Name, EnvNameOf(name(v))))})
	}
	return out
}

// placeholder stands for a secret.
func (w *writer) placeholder(s Outgoing, name, variable string) string {
	scheme := ""
	if strings.EqualFold(name, "Authorization") && s.Bearer {
		scheme = "Bearer "
	}
	said := "%s of %s is a secret and not written: %s stands for it. "
	switch {
	case w.rules.dialect == VSCode:
		text := scheme + "${input:" + inputID(variable) + "}"
		w.note(fmt.Sprintf(said+"VS Code asks for it.", cut(name), cut(s.Name), text))
		return text
	case w.rules.syntax == Shell:
		text := scheme + "${" + variable + "}"
		w.note(fmt.Sprintf(said+"Set %s where %s runs.", cut(name), cut(s.Name), text, variable, w.rules.title))
		return text
	case w.rules.syntax != Plain:
		text := scheme + "${env:" + variable + "}"
		w.note(fmt.Sprintf(said+"Set %s where %s runs.", cut(name), cut(s.Name), text, variable, w.rules.title))
		return text
	}
	w.note(fmt.Sprintf("%s of %s is a secret and not written: %s needs its value in the file; put it there by hand.", cut(name), cut(s.Name), w.rules.title))
	return scheme
}

func inputID(variable string) string {
	return strings.ReplaceAll(strings.ToLower(variable), "_", "-")
}

// value writes a value in the syntax of the file.
func (w *writer) value(s Outgoing, what, value string) string {
	inputs := w.rules.dialect == VSCode || w.rules.dialect == Generic
	if s.Syntax == Plain {
		if slices.ContainsFunc(w.rules.syntax.Parts(value), func(p Part) bool { return p.Kind != Literal && p.Kind != Unknown }) {
			w.note(fmt.Sprintf("%s of %s holds ${…} as plain text, which %s replaces.", cut(what), cut(s.Name), w.rules.title))
		}
		return value
	}
	if s.From == w.rules.dialect && s.Syntax == w.rules.syntax {
		return value
	}
	out, lost := translate(value, s.Syntax, w.rules.syntax, inputs)
	for _, p := range lost {
		if p.Kind == Workspace && s.Workspace != "" {
			out = strings.ReplaceAll(out, p.Raw, s.Workspace)
			continue
		}
		w.note(fmt.Sprintf("%s of %s holds %s, which %s does not replace.", cut(what), cut(s.Name), cut(p.Raw), w.rules.title))
	}
	return out
}

// merge changes an entry to what its members should be.
func (w *writer) merge(entry *editor, members []Kept, s Outgoing) {
	mine := map[string]bool{}
	for _, m := range members {
		mine[m.Name] = true
	}
	drop := []string{"args", "env", w.rules.cwd, w.rules.envFile, "url", "serverUrl", "headers"}
	if s.Command == "" {
		drop = []string{"command", "args", "env", "cwd", "envFile", "headers"}
	}
	for _, name := range drop {
		if n := entry.find(name); n != nil && !mine[name] && name != "" && len(n.Members)+len(n.Items)+len(n.Text) > 0 {
			entry.remove(nil, name)
		}
	}
	for _, m := range members {
		w.mergeValue(entry, nil, m)
	}
}

// mergeValue gives a member its value; objects are merged member by member, so
// that what is said around them stays.
func (w *writer) mergeValue(entry *editor, path []string, m Kept) {
	at := append(slices.Clone(path), m.Name)
	old := entry.find(at...)
	want, _ := Parse(m.Value)
	if old == nil || old.Kind != Object || want.Kind != Object {
		if old == nil || !bytes.Equal(old.JSON(), want.JSON()) {
			entry.set(path, m.Name, m.Value)
		}
		return
	}
	for _, x := range old.Members {
		if want.Get(x.Name) == nil {
			entry.remove(at, x.Name)
		}
	}
	for _, x := range want.Members {
		w.mergeValue(entry, at, Kept{x.Name, x.Value.JSON()})
	}
}

// inputs adds what a server asks for and the file does not have yet.
func (w *writer) inputs(under []string, s Outgoing) {
	holder := under[:len(under)-1]
	entry := w.find(append(slices.Clone(under), s.Name)...)
	if entry == nil {
		return
	}
	var ids []string
	var walk func(n *Node)
	walk = func(n *Node) {
		for _, p := range Editor.Parts(n.Text) {
			if p.Kind == Input && !slices.Contains(ids, p.Name) {
				ids = append(ids, p.Name)
			}
		}
		for _, v := range n.Items {
			walk(v)
		}
		for _, m := range n.Members {
			walk(m.Value)
		}
	}
	walk(entry)
	for _, id := range ids {
		path := append(slices.Clone(holder), "inputs")
		list := w.find(path...)
		if list != nil && list.Kind == Array && slices.ContainsFunc(list.Items, func(v *Node) bool { n := v.Get("id"); return n != nil && n.Text == id }) {
			continue
		}
		asked := Asked{ID: id, Type: "promptString", Description: "Secret of " + s.Name, Password: true}
		if i := slices.IndexFunc(s.Inputs, func(a Asked) bool { return a.ID == id }); i >= 0 {
			asked = s.Inputs[i]
		}
		w.appendInput(holder, list, asked)
	}
}

// appendInput puts an input at the end of the list.
func (w *writer) appendInput(holder []string, list *Node, a Asked) {
	members := []Kept{{"type", stringValue(a.Type)}, {"id", stringValue(a.ID)}}
	text := func(name, value string) {
		if value != "" {
			members = append(members, Kept{name, stringValue(value)})
		}
	}
	text("description", a.Description)
	text("default", a.Default)
	text("command", a.Command)
	if a.Password {
		members = append(members, Kept{"password", jsontext.Value("true")})
	}
	if len(a.Options) > 0 {
		b := []byte{'['}
		for i, o := range a.Options {
			if i > 0 {
				b = append(b, ',')
			}
			b = quoted(b, o)
		}
		members = append(members, Kept{"options", append(b, ']')})
	}
	if list == nil || list.Kind != Array || len(list.Items) == 0 {
		w.set(holder, "inputs", slices.Concat(jsontext.Value("["), object(members), jsontext.Value("]")))
		return
	}
	last := list.Items[len(list.Items)-1]
	indent, own := w.indentAt(last.Start)
	between := "," + w.eol + indent
	if !own {
		between = ", "
	}
	w.splice(last.End, last.End, between+w.format(object(members), indent))
}
