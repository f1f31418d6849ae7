package mcpjson

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// fixtures are a file of every dialect, with the path that it usually has.
var fixtures = []struct {
	name, path string
	dialect    Dialect
}{
	{"claude_desktop_config.json", "/home/ada/.config/Claude/claude_desktop_config.json", ClaudeDesktop},
	{"claude.json", "/home/ada/.claude.json", ClaudeCode},
	{"dot_mcp.json", "/home/ada/shop/.mcp.json", ClaudeCode},
	{"cursor.json", "/home/ada/shop/.cursor/mcp.json", Cursor},
	{"vscode.json", "/home/ada/shop/.vscode/mcp.json", VSCode},
	{"cline_mcp_settings.json", `C:\Users\ada\AppData\Roaming\Code\User\globalStorage\saoudrizwan.claude-dev\settings\cline_mcp_settings.json`, Cline},
	{"windsurf.json", "/home/ada/.codeium/windsurf/mcp_config.json", Windsurf},
	{"zed_settings.json", "/home/ada/.config/zed/settings.json", Zed},
}

func describe(s Server) string {
	var unknown []string
	for _, k := range s.Unknown {
		unknown = append(unknown, k.Name+"="+string(k.Value))
	}
	out := fmt.Sprintf("%s|%s|%s|%s %q %s|%v|%s|%s %v", s.Project, s.Name, s.Transport, s.Command, s.Args, s.Dir, s.Env, s.EnvFile, s.URL, s.Headers)
	return out + fmt.Sprintf("|%v %d|%s", s.Disabled, s.TimeoutMS, strings.Join(unknown, " "))
}

// TestEveryDialectIsRead: C22.
func TestEveryDialectIsRead(t *testing.T) {
	want := map[string][]string{
		"claude_desktop_config.json": {
			`|notes|stdio|uvx ["notes-server" "--folder" "/home/ada/notes"] |[{NOTES_TOKEN plain-token-1}]|| []|false 0|icon="notebook"`,
			`|clock|stdio|clock-server [] |[]|| []|false 0|`,
		},
		"claude.json": {
			`|search|http| [] |[]||https://${SEARCH_HOST:-search.example}/mcp [{Authorization Bearer ${SEARCH_TOKEN}}]|false 45000|`,
			`/home/ada/shop|db|stdio|db-server ["${DB_URL:-postgres://localhost/shop}"] |[]|| []|false 0|`,
			`/home/ada/shop|search|sse| [] |[]||http://127.0.0.1:9000/sse []|false 0|`,
		},
		"dot_mcp.json": {`|local|stdio|${TOOLS}/bin/local ["--level" "${LEVEL:-info}"] |[{CACHE ${HOME}/cache}]|| []|false 0|`},
		"cursor.json": {
			`|files|stdio|node ["${workspaceFolder}/tools/files.js" "${userHome}"] |[{API_KEY ${env:FILES_KEY}}]|${workspaceFolder}/.env| []|false 0|`,
			`|web|| [] |[]||https://web.example/mcp [{X-Api-Key ${env:WEB_KEY}}]|false 0|auth={"CLIENT_ID":"abc"}`,
		},
		"vscode.json": {
			`|issues|http| [] |[]||https://${input:region}.issues.example/mcp [{Authorization Bearer ${input:issues-token}}]|false 0|gallery=true`,
			`|build|stdio|build-server ["--root" "${workspaceFolder}"] ${workspaceFolder}|[{ACCOUNT ${input:account}}]|${workspaceFolder}/.env| []|false 0|dev={"watch":"src/**/*.go"}`,
		},
		"cline_mcp_settings.json": {
			`|mail|stdio|mail-server [] |[{MAIL_PASSWORD hunter2-hunter2}]|| []|true 90000|disabled=true autoApprove=["list_mail"]`,
			`|maps|http| [] |[]||https://maps.example/mcp []|false 0|alwaysAllow=["find"] disabled=false`,
		},
		"windsurf.json": {
			`|deploy|| [] |[]||https://deploy.example/mcp [{Authorization Bearer ${env:DEPLOY_TOKEN}} {X-Cert ${file:/etc/deploy/id}}]|false 0|disabledTools=["destroy"]`,
			`|lint|stdio|lint-server ["--strict"] |[{MODE fast}]|| []|false 0|`,
		},
		"zed_settings.json": {
			`|docs|stdio|docs-server ["serve"] |[]|| []|false 0|source="custom"`,
			`|older|stdio|older-server ["--x"] |[{A b}]|| []|false 0|settings={}`,
		},
	}
	for _, x := range fixtures {
		f := Read(fixture(t, x.name), x.path, "")
		if f.Dialect != x.dialect || !f.Found {
			t.Errorf("%s: dialect %s, found %v", x.name, f.Dialect, f.Found)
		}
		if Faulty(f.Faults) {
			t.Errorf("%s: %v", x.name, f.Faults)
		}
		var got []string
		for _, s := range f.Servers {
			got = append(got, describe(s))
		}
		if !slices.Equal(got, want[x.name]) {
			t.Errorf("%s:\n%s\nwant\n%s", x.name, strings.Join(got, "\n"), strings.Join(want[x.name], "\n"))
		}
	}
}

func TestInputsOfVSCodeAreRead(t *testing.T) {
	f := Read(fixture(t, "vscode.json"), "mcp.json", "")
	want := `[{issues-token promptString Token for issues  true [] } {region pickString Region eu false [eu us] } {account command   false [] extension.pickAccount}]`
	if got := fmt.Sprint(f.Inputs); got != want {
		t.Errorf("inputs %s\nwant   %s", got, want)
	}
	used := InputsOf(&f.Servers[0], f.Dialect.Syntax(), f.Inputs)
	if len(used) != 2 || used[0].ID != "issues-token" || !used[0].Password || used[1].ID != "region" {
		t.Errorf("used %+v", used)
	}
}

// TestOtherServersOfABadFileAreRead: every mistake has its place and what to do,
// and costs no other entry.
func TestOtherServersOfABadFileAreRead(t *testing.T) {
	f := Read(fixture(t, "broken.json"), "mcp.json", "")
	usable := map[string]bool{}
	for _, s := range f.Servers {
		usable[s.Name] = s.Usable()
	}
	for _, name := range []string{"good", "comma", "path", "kind", "last"} {
		if !usable[name] {
			t.Errorf("%s is not usable: %v", name, f.Servers)
		}
	}
	if usable["empty"] || usable["list"] {
		t.Error("a server is made of nothing")
	}
	all := ""
	for _, x := range f.Faults {
		all += x.String() + "\n"
	}
	for _, want := range []string{
		"line 4, column 35: a comma is missing after this member",
		"line 5, column 41: a comma is missing after this member",
		`line 6, column 26: this text holds what JSON does not allow: C:\Tools\server.exe; write \\ for a backslash, as in C:\\Users`,
		"line 7, column 38: args is text; a list is expected",
		"line 8, column 13: server list is a list; it is an object with a command or an address",
		"line 9, column 5: server empty has neither a command nor an address",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in\n%s", want, all)
		}
	}
}

func TestAForgottenBraceCostsNoOtherServer(t *testing.T) {
	src := "{\n  \"mcpServers\": {\n    \"a\": {\n      \"command\": \"one\",\n    \"b\": {\n      \"command\": \"two\"\n    },\n    \"c\": {\n      \"command\": \"three\"\n    }\n  }\n}\n"
	f := Read([]byte(src), "", "")
	got := ""
	for _, s := range f.Servers {
		got += s.Name + "=" + s.Command + " "
	}
	if got != "a=one b=two c=three " {
		t.Errorf("servers %s, faults %v", got, f.Faults)
	}
	if len(f.Faults) != 1 || !strings.Contains(f.Faults[0].String(), "line 3, column 10: this { is not closed before the next member") {
		t.Errorf("faults %v", f.Faults)
	}
}

func TestFilesThatHoldNoServersSayWhatTheyAre(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "the file is empty"},
		{"[1]", "a list, not an object"},
		{`{"name":"x"}`, "there are no servers in this file"},
		{"\xff\xfe{\x00}\x00", "UTF-16"},
		{`{"mcpServers":[]}`, "the servers are a list"},
		{"{\"mcpServers\":{\"a\":{\"command\":\"\xe9\"}}}", "not UTF-8"},
		{strings.Repeat("[", 100000), "nested more than"},
	} {
		f := Read([]byte(c.text), "mcp.json", "")
		if !strings.Contains(fmt.Sprint(f.Faults), c.want) {
			t.Errorf("%.40q: %v, want %s", c.text, f.Faults, c.want)
		}
	}
}

// TestStrictProgramsAreNamed: a file that its own program does not read is worth
// a word, and is read all the same.
func TestStrictProgramsAreNamed(t *testing.T) {
	src := []byte("{\"mcpServers\": {\n  // one\n  \"a\": {\"command\": \"a\",}}}")
	f := Read(src, "claude_desktop_config.json", "")
	if len(f.Servers) != 1 || Faulty(f.Faults) || len(f.Faults) != 2 || f.Faults[0].Line != 2 || f.Faults[1].Line != 3 {
		t.Errorf("%+v", f)
	}
	if f := Read(src, ".vscode/mcp.json", ""); len(f.Faults) != 0 {
		t.Errorf("VS Code takes comments: %v", f.Faults)
	}
}

func TestTheLastOfTwoServersOfOneNameCounts(t *testing.T) {
	f := Read([]byte(`{"mcpServers":{"a":{"command":"one"},"a":{"command":"two"}}}`), "", "")
	if len(f.Servers) != 1 || f.Servers[0].Command != "two" || !Faulty(f.Faults) {
		t.Errorf("%+v", f)
	}
}

func TestPlacesOfEverySystem(t *testing.T) {
	for _, c := range []struct {
		m    Machine
		want map[Dialect]string
	}{
		{Machine{OS: "linux", Home: "/home/ada", Config: "/home/ada/.config"}, map[Dialect]string{
			ClaudeDesktop: "/home/ada/.config/Claude/claude_desktop_config.json", ClaudeCode: "/home/ada/.claude.json",
			Cursor: "/home/ada/.cursor/mcp.json", VSCode: "/home/ada/.config/Code/User/mcp.json", Windsurf: "/home/ada/.codeium/windsurf/mcp_config.json",
			Zed: "/home/ada/.config/zed/settings.json"}},
		{Machine{OS: "darwin", Home: "/Users/ada", Config: "/Users/ada/Library/Application Support"}, map[Dialect]string{
			ClaudeDesktop: "/Users/ada/Library/Application Support/Claude/claude_desktop_config.json",
			VSCode:        "/Users/ada/Library/Application Support/Code/User/mcp.json", Zed: "/Users/ada/.config/zed/settings.json"}},
		{Machine{OS: "windows", Home: `C:\Users\ada`, Config: `C:\Users\ada\AppData\Roaming`, ClaudeConfig: `D:\claude`}, map[Dialect]string{
			ClaudeDesktop: "C:/Users/ada/AppData/Roaming/Claude/claude_desktop_config.json", ClaudeCode: "D:/claude/.claude.json",
			Cline: "C:/Users/ada/AppData/Roaming/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
			Zed:   "C:/Users/ada/AppData/Roaming/Zed/settings.json"}},
	} {
		for d, want := range c.want {
			if got := UsualPlace(d, c.m); got != want {
				t.Errorf("%s on %s: %s, want %s", d, c.m.OS, got, want)
			}
		}
	}
	for _, d := range Dialects() {
		if d != Generic && UsualPlace(d, Machine{OS: "linux", Home: "/h", Config: "/c"}) == "" {
			t.Errorf("%s has no usual place", d)
		}
	}
	if got := WorkspaceOf("/home/ada/shop/.vscode/mcp.json"); got != "/home/ada/shop" {
		t.Errorf("workspace %q", got)
	}
	if got := ProjectFolders(fixture(t, "claude.json")); !slices.Equal(got, []string{"/home/ada/shop", "/home/ada/empty"}) {
		t.Errorf("projects %v", got)
	}
}

func TestVariables(t *testing.T) {
	find := func(p Part) (string, bool) {
		switch {
		case p.Kind == EnvVar && p.Name == "SET":
			return "value", true
		case p.Kind == Input && p.Name == "id":
			return "typed", true
		case p.Kind == Home:
			return "/home/ada", true
		}
		return "", false
	}
	for _, c := range []struct {
		syntax  Syntax
		text    string
		want    string
		missing int
	}{
		{Plain, "${SET} ${env:SET}", "${SET} ${env:SET}", 0},
		{Shell, "a ${SET} ${UNSET:-b c} ${UNSET} $SET", "a value b c ${UNSET} $SET", 1},
		{Shell, "${SET:-x}${UNSET:-}", "value", 0},
		{Shell, "${env:SET}", "${env:SET}", 1},
		{Editor, "${env:SET}/${input:id}/${userHome}", "value/typed//home/ada", 0},
		{Editor, "${SET} ${workspaceFolder}", "${SET} ${workspaceFolder}", 2},
		{Any, "${SET} ${env:SET} ${input:id}", "value value typed", 0},
		{Editor, "open ${env:SET", "open ${env:SET", 0},
	} {
		got, missing := c.syntax.Expand(c.text, find)
		if got != c.want || len(missing) != c.missing {
			t.Errorf("%s %q: %q %v", c.syntax, c.text, got, missing)
		}
	}
}
