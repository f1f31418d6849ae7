package mcpjson

import (
	"slices"
	"strings"
)

// Syntax is a way of writing variables in the values of a file. Everything else
// is text that stands for itself.
type Syntax string

// The syntaxes.
const (
	Plain  Syntax = ""       // nothing is replaced
	Shell  Syntax = "shell"  // ${NAME} and ${NAME:-default}
	Editor Syntax = "editor" // ${env:NAME}, ${input:id}, ${userHome}, ${workspaceFolder} and the like
	Any    Syntax = "any"    // both
)

// Syntaxes are all of them, Plain first.
func Syntaxes() []Syntax { return []Syntax{Plain, Shell, Editor, Any} }

// Title says what is replaced.
func (s Syntax) Title() string {
	switch s {
	case Shell:
		return "${NAME} and ${NAME:-default}"
	case Editor:
		return "${env:NAME}, ${input:id}, ${userHome}, ${workspaceFolder}"
	case Any:
		return "${NAME}, ${env:NAME}, ${input:id} and the like"
	}
	return "nothing: values stand as they are"
}

// PartKind is what a part of a value stands for.
type PartKind uint8

// The kinds of parts.
const (
	Literal       PartKind = iota
	EnvVar                 // a variable of the environment
	Input                  // what the person is asked for
	Home                   // the person's home folder
	Workspace              // the folder of the project
	WorkspaceName          // the last part of it
	Separator              // what stands between folders
	FileText               // the text of a file
	Unknown                // written as a variable, but nobody knows which
)

// Part is a piece of a value.
type Part struct {
	Kind       PartKind
	Raw        string // as it is written
	Name       string // of the variable, input or file
	Default    string // of a variable that is not set
	HasDefault bool
}

// Parts takes a value apart.
func (s Syntax) Parts(value string) []Part {
	if s == Plain || !strings.Contains(value, "${") {
		if value == "" {
			return nil
		}
		return []Part{{Raw: value}}
	}
	var parts []Part
	add := func(p Part) {
		if n := len(parts); p.Kind == Literal && n > 0 && parts[n-1].Kind == Literal {
			parts[n-1].Raw += p.Raw
			return
		}
		parts = append(parts, p)
	}
	for value != "" {
		at := strings.Index(value, "${")
		if at < 0 {
			add(Part{Raw: value})
			break
		}
		if at > 0 {
			add(Part{Raw: value[:at]})
			value = value[at:]
		}
		end := strings.IndexByte(value, '}')
		if end < 0 {
			add(Part{Raw: value})
			break
		}
		add(s.part(value[:end+1]))
		value = value[end+1:]
	}
	return parts
}

// Refers reports whether a value has a variable in it.
func (s Syntax) Refers(value string) bool {
	return slices.ContainsFunc(s.Parts(value), func(p Part) bool { return p.Kind != Literal })
}

// part reads one variable.
func (s Syntax) part(raw string) Part {
	inner := raw[2 : len(raw)-1]
	p := Part{Raw: raw, Kind: Unknown, Name: inner}
	if s == Editor || s == Any {
		kind, rest, has := strings.Cut(inner, ":")
		switch {
		case has && kind == "env" && rest != "":
			p.Kind, p.Name = EnvVar, rest
			return p
		case has && kind == "input" && rest != "":
			p.Kind, p.Name = Input, rest
			return p
		case has && kind == "file" && rest != "":
			p.Kind, p.Name = FileText, rest
			return p
		case inner == "userHome":
			p.Kind = Home
			return p
		case inner == "workspaceFolder" || inner == "workspaceRoot":
			p.Kind = Workspace
			return p
		case inner == "workspaceFolderBasename":
			p.Kind = WorkspaceName
			return p
		case inner == "pathSeparator" || inner == "/":
			p.Kind = Separator
			return p
		}
	}
	if s == Shell || s == Any {
		name, fallback, has := strings.Cut(inner, ":-")
		if isEnvName(name) {
			return Part{Raw: raw, Kind: EnvVar, Name: name, Default: fallback, HasDefault: has}
		}
	}
	return p
}

func isEnvName(s string) bool {
	for i, r := range s {
		letter := r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}

// Expand replaces the variables of a value. find gives what one stands for; what
// it does not know stays as it is written and is among the missing.
func (s Syntax) Expand(value string, find func(Part) (string, bool)) (out string, missing []Part) {
	var b strings.Builder
	for _, p := range s.Parts(value) {
		if p.Kind == Literal {
			b.WriteString(p.Raw)
			continue
		}
		if text, ok := find(p); ok {
			b.WriteString(text)
			continue
		}
		if p.HasDefault {
			b.WriteString(p.Default)
			continue
		}
		b.WriteString(p.Raw)
		missing = append(missing, p)
	}
	return b.String(), missing
}

// translate writes a value of one syntax in another. lost are the parts that the
// other has no words for; they stay as they are written.
func translate(value string, from, to Syntax, inputs bool) (out string, lost []Part) {
	if from == to && (inputs || from == Plain) {
		return value, nil
	}
	var b strings.Builder
	for _, p := range from.Parts(value) {
		word, ok := p.write(to, inputs)
		b.WriteString(word)
		if !ok {
			lost = append(lost, p)
		}
	}
	return b.String(), lost
}

// write is the part in another syntax.
func (p Part) write(to Syntax, inputs bool) (string, bool) {
	editor := to == Editor || to == Any
	switch {
	case p.Kind == Literal:
		return p.Raw, true
	case p.Kind == EnvVar && p.HasDefault && (to == Shell || to == Any):
		return "${" + p.Name + ":-" + p.Default + "}", true
	case p.Kind == EnvVar && to == Shell:
		return "${" + p.Name + "}", true
	case p.Kind == EnvVar && editor:
		return "${env:" + p.Name + "}", !p.HasDefault
	case p.Kind == Input && inputs:
		return "${input:" + p.Name + "}", true
	case p.Kind == Input && to == Shell:
		return "${" + EnvNameOf(p.Name) + "}", true
	case p.Kind == Input && editor:
		return "${env:" + EnvNameOf(p.Name) + "}", true
	case editor && p.Kind != Input && p.Kind != FileText && p.Kind != Unknown:
		return p.Raw, true
	case p.Kind == Unknown && to != Plain:
		return p.Raw, true
	}
	return p.Raw, false
}

// EnvNameOf makes the name of a variable of the environment from any name.
func EnvNameOf(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			return r
		}
		return '_'
	}, name)
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		name = "_" + name
	}
	return name
}
