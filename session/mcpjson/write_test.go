package mcpjson

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// outgoing are the servers of a file as they would be written again.
func outgoing(f File) []Outgoing {
	var out []Outgoing
	for _, s := range f.Servers {
		out = append(out, Outgoing{Server: s, From: f.Dialect, Syntax: f.Dialect.Syntax(), Inputs: InputsOf(&s, f.Dialect.Syntax(), f.Inputs)})
	}
	return out
}

// TestAFileIsWrittenAsItWas: what is written back as it was read changes no byte,
// in any dialect: unknown members, their order, comments and numbers stay.
func TestAFileIsWrittenAsItWas(t *testing.T) {
	for _, x := range fixtures {
		src := fixture(t, x.name)
		f := Read(src, x.path, "")
		out := outgoing(f)
		if x.dialect == Zed { // one server is written in the old way
			out = out[:1]
		}
		w, err := Write(src, x.dialect, out)
		if err != nil {
			t.Errorf("%s: %v", x.name, err)
			continue
		}
		if !bytes.Equal(w.Text, src) || len(w.Same) != len(out) {
			t.Errorf("%s: %+v\n%s", x.name, w.Same, w.Text)
		}
		if len(w.Notes) > 0 {
			t.Errorf("%s: notes %q", x.name, w.Notes)
		}
	}
}

// TestNewServersAreAddedAtTheEnd: the old text is there line by line, and what
// is read again is what was written.
func TestNewServersAreAddedAtTheEnd(t *testing.T) {
	add := Outgoing{Server: Server{Name: "added", Transport: stdio, Command: "new-server", Args: []string{"--n", "1"}, Env: []Variable{{"MODE", "x"}}}, From: Generic}
	for _, x := range fixtures {
		src := fixture(t, x.name)
		w, err := Write(src, x.dialect, []Outgoing{add})
		if err != nil || !slices.Equal(w.Added, []string{"added"}) {
			t.Errorf("%s: %v %+v", x.name, err, w)
			continue
		}
		at := 0
		for line := range strings.SplitSeq(strings.TrimSpace(string(src)), "\n") {
			i := strings.Index(string(w.Text[at:]), strings.TrimRight(line, ", \r"))
			if i < 0 {
				t.Errorf("%s: line %q is lost:\n%s", x.name, line, w.Text)
				break
			}
			at += i
		}
		f := Read(w.Text, x.path, "")
		i := slices.IndexFunc(f.Servers, func(s Server) bool { return s.Name == "added" })
		if i < 0 || f.Servers[i].Command != "new-server" || len(f.Servers[i].Args) != 2 || len(f.Servers[i].Env) != 1 || Faulty(f.Faults) {
			t.Errorf("%s: %+v %v\n%s", x.name, f.Servers, f.Faults, w.Text)
		}
	}
}

func TestAnEmptyFileIsMade(t *testing.T) {
	for _, d := range Dialects() {
		w, err := Write(nil, d, []Outgoing{{Server: Server{Name: "a b", Transport: stdio, Command: "run", Args: []string{"x"}}, From: Generic}})
		if err != nil {
			t.Fatal(err)
		}
		f := Read(w.Text, "", d)
		if len(f.Servers) != 1 || f.Servers[0].Name != "a b" || f.Servers[0].Command != "run" || !bytes.HasSuffix(w.Text, []byte("}\n")) {
			t.Errorf("%s: %s", d, w.Text)
		}
	}
}

// TestOnlyWhatChangesIsTouched: comments beside a value that changes stay, those
// inside of it are counted.
func TestOnlyWhatChangesIsTouched(t *testing.T) {
	src := []byte("{\n\t// all of them\n\t\"mcpServers\": {\n\t\t\"a\": { // mine\n\t\t\t\"x\": 1.0,\n\t\t\t\"args\": [\"one\" /* first */],\n\t\t\t\"command\": \"old\", // was new once\n\t\t\t\"env\": {\n\t\t\t\t\"KEEP\": \"1\", // kept\n\t\t\t\t\"GO\": \"2\"\n\t\t\t}\n\t\t}\n\t}\n}\n")
	w, err := Write(src, Cursor, []Outgoing{{Server: Server{Name: "a", Transport: stdio, Command: "new", Args: []string{"two"}, Env: []Variable{{"KEEP", "1"}, {"MORE", "3"}}}, From: Cursor, Syntax: Editor}})
	if err != nil {
		t.Fatal(err)
	}
	want := "{\n\t// all of them\n\t\"mcpServers\": {\n\t\t\"a\": { // mine\n\t\t\t\"x\": 1.0,\n\t\t\t\"args\": [\"two\"],\n\t\t\t\"command\": \"new\", // was new once\n\t\t\t\"env\": {\n\t\t\t\t\"KEEP\": \"1\", // kept\n\t\t\t\t\"MORE\": \"3\"\n\t\t\t}\n\t\t}\n\t}\n}\n"
	if string(w.Text) != want {
		t.Errorf("got\n%s\nwant\n%s", w.Text, want)
	}
	if !slices.Equal(w.Changed, []string{"a"}) || !strings.Contains(strings.Join(w.Notes, " "), "1 comments inside values") {
		t.Errorf("%+v", w)
	}
}

// TestSecretsAreNotWritten: a variable stands for them where there is one, and
// what is in the file already stays.
func TestSecretsAreNotWritten(t *testing.T) {
	s := []Outgoing{
		{Server: Server{Name: "prog", Transport: stdio, Command: "run", Env: []Variable{{"API_KEY", ""}}}, From: Generic, SecretEnv: []string{"API_KEY"}},
		{Server: Server{Name: "web", URL: "https://web.example/mcp", Headers: []Variable{{"X-Key", ""}}}, From: Generic, SecretHeaders: []string{"X-Key"}, Bearer: true},
	}
	for d, want := range map[Dialect][]string{
		VSCode:     {"${input:api-key}", "${input:web-x-key}", "Bearer ${input:web-authorization}", `"password": true`},
		ClaudeCode: {"${API_KEY}", "${WEB_X_KEY}", "Bearer ${WEB_AUTHORIZATION}"},
		Cursor:     {"${env:API_KEY}", "${env:WEB_X_KEY}"},
		Windsurf:   {"serverUrl", "${env:API_KEY}"},
		Cline:      {`"API_KEY": ""`, "streamableHttp"},
	} {
		w, err := Write(nil, d, s)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range want {
			if !strings.Contains(string(w.Text), x) {
				t.Errorf("%s: no %s in\n%s", d, x, w.Text)
			}
		}
		if !strings.Contains(strings.Join(w.Notes, "\n"), "API_KEY of prog is a secret") {
			t.Errorf("%s: notes %q", d, w.Notes)
		}
	}
	w, err := Write([]byte(`{"mcpServers":{"prog":{"command":"run","env":{"API_KEY":"there"}}}}`), Cline, s[:1])
	if err != nil || !strings.Contains(string(w.Text), `"API_KEY":"there"`) || len(w.Same) != 1 {
		t.Errorf("%v %s", err, w.Text)
	}
	w, err = Write(nil, ClaudeDesktop, s)
	if err != nil || strings.Contains(string(w.Text), "web") || !strings.Contains(strings.Join(w.Notes, "\n"), "web is left out") {
		t.Errorf("%v %s %q", err, w.Text, w.Notes)
	}
}

// TestVariablesAreTranslated: each program has its own way of writing them.
func TestVariablesAreTranslated(t *testing.T) {
	f := Read(fixture(t, "vscode.json"), "", VSCode)
	out := outgoing(f)
	for i := range out {
		out[i].Workspace = "/home/ada/shop"
	}
	w, err := Write(nil, ClaudeCode, out)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"https://${REGION}.issues.example/mcp", "Bearer ${ISSUES_TOKEN}", "${ACCOUNT}", "/home/ada/shop"} {
		if !strings.Contains(string(w.Text), want) {
			t.Errorf("no %s in\n%s", want, w.Text)
		}
	}
	notes := strings.Join(w.Notes, "\n")
	for _, want := range []string{"cwd of build is not written", "envFile of build is not written", "gallery of issues is kept in MCP Loupe"} {
		if !strings.Contains(notes, want) {
			t.Errorf("no %q in\n%s", want, notes)
		}
	}
	back, err := Write(nil, VSCode, out)
	if err != nil || !strings.Contains(string(back.Text), `"options": ["eu", "us"]`) || !strings.Contains(string(back.Text), `"gallery": true`) {
		t.Errorf("%v\n%s", err, back.Text)
	}
}

func TestATransportThatChangesTakesTheOldMembersAway(t *testing.T) {
	src := fixture(t, "cursor.json")
	w, err := Write(src, Cursor, []Outgoing{{Server: Server{Name: "files", URL: "https://files.example/mcp"}, From: Cursor, Syntax: Editor}})
	if err != nil {
		t.Fatal(err)
	}
	f := Read(w.Text, "", Cursor)
	if f.Servers[0].URL != "https://files.example/mcp" || f.Servers[0].Command != "" || Faulty(f.Faults) {
		t.Errorf("%+v %v\n%s", f.Servers[0], f.Faults, w.Text)
	}
}

func TestABadFileIsNotChanged(t *testing.T) {
	for _, src := range []string{`{"mcpServers": {"a": {`, `[]`, `{"mcpServers": ["a"]}`} {
		if w, err := Write([]byte(src), Cursor, []Outgoing{{Server: Server{Name: "x", Command: "y"}}}); err == nil {
			t.Errorf("%s became %s", src, w.Text)
		}
	}
}

func TestProjectsOfClaudeCodeAreWrittenWhereTheyStand(t *testing.T) {
	src := fixture(t, "claude.json")
	w, err := Write(src, ClaudeCode, []Outgoing{{Server: Server{Name: "new", Project: "/home/ada/empty", Transport: stdio, Command: "run"}, From: ClaudeCode, Syntax: Shell}})
	if err != nil {
		t.Fatal(err)
	}
	f := Read(w.Text, "/home/ada/.claude.json", "")
	last := f.Servers[len(f.Servers)-1]
	if last.Name != "new" || last.Project != "/home/ada/empty" || !bytes.Contains(w.Text, []byte("12345678901234567890")) {
		t.Errorf("%+v\n%s", last, w.Text)
	}
}

func TestMaskedTextsHoldNoSecrets(t *testing.T) {
	src := []byte("{\n  // comment\n  \"env\": {\"API_KEY\": \"s3cret\", \"MODE\": \"x\", \"TOKEN\": \"${env:T}\"},\n  \"args\": [\"--token\", \"s3cret\", \"--key=s3cret\", \"--port\", \"80\"]\n}")
	got := string(Mask(src, func(name string) bool { return strings.Contains("API_KEY TOKEN token key", name) && name != "" }))
	want := "{\n  // comment\n  \"env\": {\"API_KEY\": \"••••••\", \"MODE\": \"x\", \"TOKEN\": \"${env:T}\"},\n  \"args\": [\"--token\", \"••••••\", \"--key=••••••\", \"--port\", \"80\"]\n}"
	if got != want {
		t.Errorf("%s", got)
	}
}
