package mcpjson

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// File is what a file of servers says.
type File struct {
	Dialect Dialect
	Servers []Server
	Inputs  []Asked
	Faults  []Fault // of the file, those of its servers included
	Found   bool    // there is a place for servers in it
}

// Server is one server of a file. Values are as they are written, variables not
// replaced.
type Server struct {
	Name    string
	Project string // the folder that it belongs to, "" for all

	Transport string // stdio, http, sse, or "" when the address alone says it
	Command   string
	Args      []string
	Dir       string
	Env       []Variable
	EnvFile   string
	URL       string
	Headers   []Variable
	Disabled  bool
	TimeoutMS int64 // of a call, 0 when none is said

	Unknown []Kept // members that mean nothing here, kept for writing
	Faults  []Fault
	Line    int
	Sum     string // changes when anything in the entry does
}

// Kept is a member as it is written, without comments.
type Kept struct {
	Name  string         `json:"name"`
	Value jsontext.Value `json:"value"`
}

// Asked is a value that a program asks the person for.
type Asked struct {
	ID          string   `json:"id"`
	Type        string   `json:"type,omitempty"` // promptString, pickString or command
	Description string   `json:"description,omitempty"`
	Default     string   `json:"default,omitempty"`
	Password    bool     `json:"password,omitempty"`
	Options     []string `json:"options,omitempty"`
	Command     string   `json:"command,omitempty"` // that the program would run for it
}

// Usable reports whether something can be connected to.
func (s *Server) Usable() bool { return s.Command != "" || s.URL != "" }

// Bound of what a file may hold.
const maxServers = 2000

// Read reads a file. path, with slashes of any kind, helps to tell the dialect;
// the empty dialect is told by the file.
func Read(src []byte, path string, as Dialect) File {
	root, faults := Parse(src)
	f := File{Dialect: as, Faults: faults}
	if root == nil {
		if as == "" {
			f.Dialect, _, _ = detect(nil, path)
		}
		return f
	}
	p := &parser{src: src}
	if root.Kind != Object {
		p.fault(root.Start, "the file holds "+root.Kind.String()+", not an object", `servers stand in {"mcpServers": {…}}`)
		f.Faults = append(f.Faults, p.faults...)
		return f
	}
	d, under, found := detect(root, path)
	if as != "" && as != d {
		d = as
		if at := d.rules().under; lookup(root, at) != nil {
			under = at
		}
	}
	f.Dialect, f.Found = d, found
	r := reader{parser: p, rules: d.rules(), f: &f, faults: faults}
	if !found {
		p.fault(root.Start, "there are no servers in this file", "they stand in "+strings.Join(r.rules.under, " and in it "))
	}
	r.servers(lookup(root, under), "")
	if d == ClaudeCode {
		r.projects(root.Get("projects"))
	}
	holder := root
	if len(under) > 1 {
		holder = lookup(root, under[:len(under)-1])
	}
	r.inputs(holder.Get("inputs"))
	r.strictness(src)
	f.Faults = append(f.Faults, p.faults...)
	slices.SortStableFunc(f.Faults, func(a, b Fault) int { return a.Offset - b.Offset })
	return f
}

func lookup(n *Node, path []string) *Node {
	for _, name := range path {
		n = n.Get(name)
	}
	return n
}

type reader struct {
	*parser
	rules  rules
	f      *File
	faults []Fault // of the text
}

// strictness notes what the program itself would not read.
func (r *reader) strictness(src []byte) {
	if !r.rules.strict {
		return
	}
	p := &parser{src: src, at: len(bomOf(src))}
	p.blank()
	p.value()
	p.blank()
	note := func(at int, what string) {
		r.add(Fault{Offset: at, Note: true, Text: r.rules.title + " may not read this file because of " + what, Advice: "plain JSON has none"})
	}
	if p.comments > 0 {
		note(p.comment, "this comment")
	}
	if p.trailing > 0 {
		note(p.trailing, "this comma at the end")
	}
}

// projects reads the servers of each folder that Claude Code knows.
func (r *reader) projects(n *Node) {
	if n == nil || n.Kind != Object {
		return
	}
	for _, m := range n.Members {
		r.servers(m.Value.Get("mcpServers"), m.Name)
	}
}

func (r *reader) servers(n *Node, project string) {
	if n == nil {
		return
	}
	if n.Kind != Object {
		r.fault(n.Start, "the servers are "+n.Kind.String(), `they are an object: {"name": {"command": …}}`)
		return
	}
	seen := map[string]int{}
	for _, m := range n.Members {
		if len(r.f.Servers) >= maxServers {
			r.fault(m.At, fmt.Sprintf("more than %d servers", maxServers), "the rest is left out")
			return
		}
		s := r.server(m)
		s.Project = project
		if at, twice := seen[m.Name]; twice {
			r.fault(m.At, "there are two servers called "+cut(m.Name), "the last one counts; give them different names")
			r.f.Servers[at] = s
			continue
		}
		seen[m.Name] = len(r.f.Servers)
		r.f.Servers = append(r.f.Servers, s)
	}
}

// transports are the words for them, in small letters.
var transports = map[string]string{
	"stdio": stdio, "local": stdio, "command": stdio,
	"http": http, "streamable-http": http, "streamablehttp": http, "streamable_http": http, "remote": "",
	"sse": sse,
}

// server reads one entry.
func (r *reader) server(m Member) Server {
	n := m.Value
	before := len(r.parser.faults)
	s := Server{Name: m.Name, Sum: sum(n)}
	s.Line, _ = Position(r.src, m.At)
	defer func() {
		s.Faults = append(within(r.faults, m.At, n.End), r.parser.faults[before:]...)
	}()
	if n.Kind != Object {
		r.fault(n.Start, "server "+cut(m.Name)+" is "+n.Kind.String(), "it is an object with a command or an address")
		return s
	}
	var settings []Kept
	for i, x := range n.Members {
		if n.member(x.Name) != &n.Members[i] {
			continue
		}
		switch x.Name {
		case "command":
			if x.Value.Kind == Object { // older settings of Zed
				s.Command = r.str(x.Value.Get("path"), "path")
				s.Args = r.list(x.Value.Get("args"), "args")
				s.Env = r.variables(x.Value.Get("env"), "env")
				continue
			}
			s.Command = r.str(x.Value, x.Name)
		case "args":
			s.Args = r.list(x.Value, x.Name)
		case "env":
			s.Env = r.variables(x.Value, x.Name)
		case "cwd":
			s.Dir = r.str(x.Value, x.Name)
		case "envFile":
			s.EnvFile = r.str(x.Value, x.Name)
		case "url", "serverUrl":
			s.URL = r.str(x.Value, x.Name)
		case "headers":
			s.Headers = r.variables(x.Value, x.Name)
		case "type", "transport", "transportType":
			word := r.str(x.Value, x.Name)
			t, ok := transports[strings.ToLower(word)]
			if !ok && word != "" {
				r.fault(x.Value.Start, "an unknown transport: "+cut(word), "it is stdio, http or sse")
			}
			s.Transport = t
		case "disabled", "enabled":
			if x.Value.Kind == Bool {
				s.Disabled = r.flag(x.Value) == (x.Name == "disabled")
			}
			settings = append(settings, Kept{x.Name, x.Value.JSON()})
		case "timeout":
			if r.rules.timeout == "" {
				settings = append(settings, Kept{x.Name, x.Value.JSON()})
				continue
			}
			s.TimeoutMS = r.limit(x.Value)
		default:
			settings = append(settings, Kept{x.Name, x.Value.JSON()})
		}
	}
	s.Unknown = settings
	switch {
	case s.Command == "" && s.URL == "":
		r.fault(m.At, "server "+cut(m.Name)+" has neither a command nor an address", `give it "command" or "url"`)
	case s.Command != "" && s.URL != "":
		if s.Transport == http || s.Transport == sse {
			s.Command, s.Args = "", nil
		}
		r.fault(m.At, "server "+cut(m.Name)+" has a command and an address", "one of them is used; take the other away")
	}
	if s.Command != "" {
		s.Transport, s.URL, s.Headers = stdio, "", nil
	} else if s.Transport == stdio {
		s.Transport = ""
	}
	return s
}

// within are the faults of a stretch of the text.
func within(faults []Fault, from, to int) []Fault {
	var out []Fault
	for _, f := range faults {
		if f.Offset >= from && f.Offset <= to {
			out = append(out, f)
		}
	}
	return out
}

// sum is a short mark of what an entry says.
func sum(n *Node) string {
	h := sha256.Sum256(n.JSON())
	return hex.EncodeToString(h[:8])
}

func (r *reader) str(n *Node, name string) string {
	switch {
	case n == nil || n.Kind == Null || n.Kind == Broken:
		return ""
	case n.Kind == String:
		return n.Text
	case n.Kind == Number || n.Kind == Bool:
		r.add(Fault{Offset: n.Start, Note: true, Text: name + " is " + n.Kind.String(), Advice: "it is taken as text; put it in double quotes"})
		return string(n.JSON())
	}
	r.fault(n.Start, name+" is "+n.Kind.String(), "text is expected")
	return ""
}

func (r *reader) list(n *Node, name string) []string {
	switch {
	case n == nil || n.Kind == Null || n.Kind == Broken:
		return nil
	case n.Kind != Array:
		r.fault(n.Start, name+" is "+n.Kind.String(), `a list is expected: ["one", "two"]`)
		return nil
	}
	var out []string
	for _, v := range n.Items {
		out = append(out, r.str(v, "a value of "+name))
	}
	return out
}

func (r *reader) variables(n *Node, name string) []Variable {
	switch {
	case n == nil || n.Kind == Null || n.Kind == Broken:
		return nil
	case n.Kind != Object:
		r.fault(n.Start, name+" is "+n.Kind.String(), `an object is expected: {"NAME": "value"}`)
		return nil
	}
	var out []Variable
	for i, m := range n.Members {
		if n.member(m.Name) == &n.Members[i] && m.Value.Kind != Null { // null takes a variable away, and nothing else is there
			out = append(out, Variable{m.Name, r.str(m.Value, m.Name)})
		}
	}
	return out
}

func (r *reader) flag(n *Node) bool { return n.Kind == Bool && r.src[n.Start] == 't' }

// limit reads a time limit.
func (r *reader) limit(n *Node) int64 {
	unit := int64(1)
	if r.rules.seconds {
		unit = 1000
	}
	v, err := strconv.ParseInt(strings.TrimSuffix(string(n.JSON()), ".0"), 10, 64)
	if n.Kind != Number || err != nil || v < 0 || v > 1<<40 {
		r.fault(n.Start, "a time limit is a whole number", "")
		return 0
	}
	return v * unit
}

// inputs reads what VS Code asks for.
func (r *reader) inputs(n *Node) {
	if n == nil || n.Kind != Array {
		return
	}
	for _, v := range n.Items {
		a := Asked{
			ID: r.str(v.Get("id"), "id"), Type: r.str(v.Get("type"), "type"), Description: r.str(v.Get("description"), "description"),
			Command: r.str(v.Get("command"), "command"),
		}
		if d := v.Get("default"); d != nil && d.Kind == String {
			a.Default = d.Text
		}
		if p := v.Get("password"); p != nil {
			a.Password = r.flag(p)
		}
		if options := v.Get("options"); options != nil && options.Kind == Array {
			for _, o := range options.Items {
				if o.Kind == Object { // with a label of its own
					o = o.Get("value")
				}
				a.Options = append(a.Options, r.str(o, "an option"))
			}
		}
		switch {
		case a.ID == "":
			r.fault(v.Start, "an input has no id", "")
			continue
		case a.Type != "promptString" && a.Type != "pickString" && a.Type != "command":
			r.fault(v.Start, "input "+cut(a.ID)+" is of an unknown type: "+cut(a.Type), "it is promptString, pickString or command; it is asked for as text")
			a.Type = "promptString"
		}
		r.f.Inputs = append(r.f.Inputs, a)
	}
}

// Values are all values of a server in which variables may stand.
func (s *Server) Values() []string {
	out := append([]string{s.Command, s.Dir, s.EnvFile, s.URL}, s.Args...)
	for _, v := range slices.Concat(s.Env, s.Headers) {
		out = append(out, v.Value)
	}
	return out
}

// InputsOf are those of the inputs that a server refers to, and for each that is
// declared nowhere a plain one.
func InputsOf(s *Server, syntax Syntax, inputs []Asked) []Asked {
	known := map[string]Asked{}
	for _, a := range inputs {
		known[a.ID] = a
	}
	used := map[string]Asked{}
	for _, value := range s.Values() {
		for _, p := range syntax.Parts(value) {
			if p.Kind != Input {
				continue
			}
			if a, ok := known[p.Name]; ok {
				used[p.Name] = a
			} else {
				used[p.Name] = Asked{ID: p.Name, Type: "promptString"}
			}
		}
	}
	var out []Asked
	for _, id := range slices.Sorted(maps.Keys(used)) {
		out = append(out, used[id])
	}
	return out
}
