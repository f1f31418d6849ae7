package mcpjson

import (
	"slices"
	"strings"
)

// Place is where a program usually keeps a file of servers.
type Place struct {
	Dialect Dialect
	Path    string // with slashes; the folders of the machine are filled in
	What    string // "for all projects", "of this project"
}

// Machine is what the usual places depend on. Folders are absolute; those that
// are empty have no places in them.
type Machine struct {
	OS           string // as runtime.GOOS
	Home         string
	Config       string // $XDG_CONFIG_HOME or ~/.config, %APPDATA% on Windows
	ClaudeConfig string // $CLAUDE_CONFIG_DIR
}

// The folder that a place is in.
const (
	inHome   = "home"
	inConfig = "config" // see Machine; ~/Library/Application Support on macOS
	inDot    = "dot"    // ~/.config wherever it is, %APPDATA% on Windows
)

// places are the usual ones of all projects. What stands for the user's folder
// of an editor is tried for all of its editions.
var places = []struct {
	dialect Dialect
	root    string
	path    string
	what    string
}{
	{ClaudeDesktop, inConfig, "Claude/claude_desktop_config.json", ""},
	{ClaudeCode, inHome, ".claude.json", "for you and your projects"},
	{Cursor, inHome, ".cursor/mcp.json", "for all projects"},
	{VSCode, inConfig, "Code/User/mcp.json", "for all projects"},
	{VSCode, inConfig, "Code - Insiders/User/mcp.json", "for all projects, Insiders"},
	{VSCode, inConfig, "VSCodium/User/mcp.json", "for all projects, VSCodium"},
	{VSCode, inConfig, "Code/User/settings.json", "in the settings, as older versions had it"},
	{Cline, inConfig, "Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json", ""},
	{Cline, inConfig, "Cursor/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json", "in Cursor"},
	{Windsurf, inHome, ".codeium/windsurf/mcp_config.json", ""},
	{Windsurf, inHome, ".codeium/mcp_config.json", "in other editors"},
	{Zed, inDot, "zed/settings.json", ""},
}

// projectPlaces are those in the folder of a project.
var projectPlaces = []Place{
	{ClaudeCode, ".mcp.json", "of the project"},
	{Cursor, ".cursor/mcp.json", "of the project"},
	{VSCode, ".vscode/mcp.json", "of the project"},
	{Zed, ".zed/settings.json", "of the project"},
}

// Places are where files of servers may be on a machine, for all projects.
func Places(m Machine) []Place {
	roots := map[string]string{inHome: m.Home, inConfig: m.Config, inDot: m.Config}
	if m.OS == "darwin" && m.Home != "" {
		roots[inConfig], roots[inDot] = m.Home+"/Library/Application Support", m.Home+"/.config"
	}
	var out []Place
	for _, p := range places {
		root := roots[p.root]
		name := p.path
		switch {
		case p.dialect == ClaudeCode && m.ClaudeConfig != "":
			root = m.ClaudeConfig
		case p.dialect == Zed && m.OS == "windows":
			name = "Zed/settings.json"
		}
		if root != "" {
			out = append(out, Place{p.dialect, join(root, name), p.what})
		}
	}
	return out
}

// ProjectPlaces are where they may be in the folder of a project.
func ProjectPlaces(folder string) []Place {
	out := slices.Clone(projectPlaces)
	for i := range out {
		out[i].Path = join(folder, out[i].Path)
	}
	return out
}

// UsualPlace is where a dialect keeps the servers of all projects, "" for none.
func UsualPlace(d Dialect, m Machine) string {
	for _, p := range Places(m) {
		if p.Dialect == d {
			return p.Path
		}
	}
	return ""
}

// WorkspaceOf is the folder of the project that a file belongs to, "" when it
// belongs to none.
func WorkspaceOf(path string) string {
	path = slashed(path)
	for _, p := range projectPlaces {
		if folder, ok := strings.CutSuffix(path, "/"+p.Path); ok && folder != "" {
			return folder
		}
	}
	return ""
}

func join(folder, name string) string { return strings.TrimRight(slashed(folder), "/") + "/" + name }

// ProjectFolders are the folders that a file of Claude Code knows.
func ProjectFolders(src []byte) []string {
	root, _ := Parse(src)
	projects := root.Get("projects")
	if projects == nil {
		return nil
	}
	var out []string
	for _, m := range projects.Members {
		out = append(out, m.Name)
	}
	return out
}
