package mcpjson

import (
	"path"
	"slices"
	"strings"
)

// Dialect is the way in which one program writes its servers.
type Dialect string

// The dialects. Generic is mcpServers in a file of no program that is known:
// it is read with the members and variables of all of them.
const (
	Generic       Dialect = "generic"
	ClaudeDesktop Dialect = "claude-desktop"
	ClaudeCode    Dialect = "claude-code"
	Cursor        Dialect = "cursor"
	VSCode        Dialect = "vscode"
	Cline         Dialect = "cline"
	Windsurf      Dialect = "windsurf"
	Zed           Dialect = "zed"
)

// rules are what differs between the dialects.
type rules struct {
	dialect Dialect
	title   string
	under   []string // members that lead to the object of servers
	syntax  Syntax
	strict  bool // the program takes no comments

	// Names of members; "" where the program has none.
	url, cwd, envFile, timeout string
	seconds                    bool // the time limit is in seconds, else in milliseconds
	types                      map[string]string
	remote                     bool // it connects to addresses
	headers                    bool
}

// Names of transports as session.Transport has them.
const (
	stdio = "stdio"
	http  = "http"
	sse   = "sse"
)

var table = []rules{
	{dialect: ClaudeDesktop, title: "Claude Desktop", under: []string{"mcpServers"}, strict: true},
	{dialect: ClaudeCode, title: "Claude Code", under: []string{"mcpServers"}, syntax: Shell, strict: true, url: "url", headers: true, remote: true,
		timeout: "timeout", types: map[string]string{stdio: "stdio", http: "http", sse: "sse"}},
	{dialect: Cursor, title: "Cursor", under: []string{"mcpServers"}, syntax: Editor, url: "url", headers: true, remote: true, envFile: "envFile"},
	{dialect: VSCode, title: "VS Code", under: []string{"servers"}, syntax: Editor, url: "url", headers: true, remote: true, envFile: "envFile",
		cwd: "cwd", types: map[string]string{stdio: "stdio", http: "http", sse: "sse"}},
	{dialect: Cline, title: "Cline", under: []string{"mcpServers"}, strict: true, url: "url", headers: true, remote: true, cwd: "cwd",
		timeout: "timeout", seconds: true, types: map[string]string{stdio: "stdio", http: "streamableHttp", sse: "sse"}},
	{dialect: Windsurf, title: "Windsurf", under: []string{"mcpServers"}, syntax: Editor, url: "serverUrl", headers: true, remote: true},
	{dialect: Zed, title: "Zed", under: []string{"context_servers"}, url: "url", headers: true, remote: true},
	{dialect: Generic, title: "mcp.json", under: []string{"mcpServers"}, syntax: Any, url: "url", headers: true, remote: true, cwd: "cwd",
		envFile: "envFile", types: map[string]string{stdio: "stdio", http: "http", sse: "sse"}},
}

func (d Dialect) rules() rules {
	if i := slices.IndexFunc(table, func(r rules) bool { return r.dialect == d }); i >= 0 {
		return table[i]
	}
	return table[len(table)-1]
}

// Dialects are all that can be read and written, the usual ones first.
func Dialects() []Dialect {
	out := make([]Dialect, len(table))
	for i, r := range table {
		out[i] = r.dialect
	}
	return out
}

// Title is the name of the program.
func (d Dialect) Title() string { return d.rules().title }

// Syntax is how variables are written in it.
func (d Dialect) Syntax() Syntax { return d.rules().syntax }

// DialectByTitle is the opposite of Title; what is not known is Generic.
func DialectByTitle(title string) Dialect {
	for _, r := range table {
		if r.title == title {
			return r.dialect
		}
	}
	return Generic
}

// names tells the dialect of a file by its path, in slashes.
var names = []struct {
	suffix  string
	dialect Dialect
}{
	{"claude_desktop_config.json", ClaudeDesktop},
	{"cline_mcp_settings.json", Cline},
	{".cursor/mcp.json", Cursor},
	{".vscode/mcp.json", VSCode},
	{"User/mcp.json", VSCode},
	{"User/settings.json", VSCode},
	{".vscode/settings.json", VSCode},
	{"windsurf/mcp_config.json", Windsurf},
	{".codeium/mcp_config.json", Windsurf},
	{"mcp_config.json", Windsurf},
	{"zed/settings.json", Zed},
	{"Zed/settings.json", Zed},
	{".zed/settings.json", Zed},
	{".claude.json", ClaudeCode},
	{".mcp.json", ClaudeCode},
}

// Named reports whether the name of a file alone says that it holds servers.
// file may have slashes of any kind.
func Named(file string) bool {
	file = slashed(file)
	base := path.Base(file)
	return base == "mcp.json" || base != "settings.json" && byName(file) != ""
}

func slashed(file string) string { return strings.ReplaceAll(file, `\`, "/") }

func byName(file string) Dialect {
	file = "/" + slashed(file)
	for _, n := range names {
		if strings.HasSuffix(file, "/"+n.suffix) {
			return n.dialect
		}
	}
	return ""
}

// detect tells the dialect of a file by its name and what it holds, and where
// the servers stand. found is false when there are none.
func detect(root *Node, file string) (d Dialect, under []string, found bool) {
	named := byName(file)
	isObject := func(path ...string) bool {
		n := root
		for _, name := range path {
			n = n.Get(name)
		}
		return n != nil && n.Kind == Object
	}
	switch {
	case isObject("context_servers"):
		return Zed, []string{"context_servers"}, true
	case isObject("mcp", "servers"):
		return VSCode, []string{"mcp", "servers"}, true
	case isObject("mcpServers"):
		under = []string{"mcpServers"}
		switch {
		case named != "" && named != VSCode && named != Zed:
			return named, under, true
		case isObject("projects"):
			return ClaudeCode, under, true
		}
		for _, m := range root.Get("mcpServers").Members {
			switch {
			case m.Value.Get("serverUrl") != nil:
				return Windsurf, under, true
			case m.Value.Get("alwaysAllow") != nil || m.Value.Get("autoApprove") != nil:
				return Cline, under, true
			}
		}
		return Generic, under, true
	case isObject("servers"):
		return VSCode, []string{"servers"}, true
	case isObject("projects"):
		return ClaudeCode, []string{"mcpServers"}, true
	}
	if named == "" {
		named = Generic
	}
	return named, named.rules().under, false
}
