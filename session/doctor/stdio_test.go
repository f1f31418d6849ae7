package doctor

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"mcploupe/session"
	"mcploupe/session/sessiontest"
)

func TestServerOverStdioThatIsWell(t *testing.T) {
	r := examine(t, command(t, sessiontest.Server()), Options{})
	check(t, r, is(stepFolder, Passed), is(stepProgram, Passed, ".test"), is(stepFile, Passed, "program"), is(stepScript, Skipped), is(stepStart, Passed, "Process "),
		is(stepEnv, Passed, "SESSIONTEST_SCRIPT"), is(stepRuns, Passed), is(stepOutput, Passed), is(stepReply, Passed), is(stepRevision, Passed, "2025-11-25 over stdio"), is(stepList, Passed, "2 tools"))
	if stepOf(t, r, stepReply).Took <= 0 {
		t.Error("the first answer has no time")
	}
}

// program writes a file that can be run.
func program(t *testing.T, dir, name, text string, mode os.FileMode) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestProgramsThatCannotStart(t *testing.T) {
	dir := t.TempDir()
	bin := filepath.Join(dir, "bin")
	if err := os.Mkdir(bin, 0o700); err != nil {
		t.Fatal(err)
	}
	program(t, bin, "mcp-notes", "#!/bin/sh\n", 0o700)
	program(t, bin, "mcp-nodes", "#!/bin/sh\n", 0o700)
	program(t, bin, "unrelated", "#!/bin/sh\n", 0o700)
	path := []session.EnvVar{{Name: "PATH", Value: bin}}
	plain := program(t, dir, "plain.js", "console.log(1)\n", 0o600)
	bare := program(t, dir, "bare.py", "print(1)\n", 0o700)
	binary := program(t, dir, "binary", "\x00\x01\x02", 0o700)
	lost := program(t, dir, "lost", "#!/opt/no/such/interpreter -x\n", 0o700)
	env := program(t, dir, "env", "#!/usr/bin/env -S no-such-runner --flag\n", 0o700)
	windows := program(t, dir, "windows.sh", "#!/bin/sh\r\necho\r\n", 0o700)
	empty := program(t, dir, "empty.sh", "#!\n", 0o700)
	file := program(t, dir, "file", "x", 0o600)
	for name, c := range map[string]struct {
		target session.Target
		want   []want
	}{
		"not on PATH, near names": {session.Target{Command: "mcp-note", Env: path}, []want{is(stepProgram, Failed, "not found on PATH", "mcp-notes", "mcp-nodes", "Did you mean", bin)}},
		"not on PATH, swapped":    {session.Target{Command: "mcp-ntoes", Env: path}, []want{is(stepProgram, Failed, "Did you mean mcp-notes?")}},
		"npx without Node":        {session.Target{Command: "npx", Args: []string{"-y", "x"}, Env: path}, []want{is(stepProgram, Failed, "Install Node.js")}},
		"uvx without uv":          {session.Target{Command: "uvx", Env: path}, []want{is(stepProgram, Failed, "Install uv")}},
		"a whole command line":    {session.Target{Command: "mcp-notes --stdio", Env: path}, []want{is(stepProgram, Failed, "one program", "separate words")}},
		"no such path":            {session.Target{Command: filepath.Join(dir, "bim", "x")}, []want{is(stepProgram, Failed, "misspelt")}},
		"near path":               {session.Target{Command: filepath.Join(bin, "mcp-note")}, []want{is(stepProgram, Failed, "mcp-notes")}},
		"relative path":           {session.Target{Command: "./server", Dir: dir}, []want{is(stepProgram, Failed, "working folder")}},
		"not executable":          {session.Target{Command: plain}, []want{is(stepProgram, Passed), is(stepFile, Failed, "node "+plain, "chmod +x")}},
		"no interpreter":          {session.Target{Command: bare}, []want{is(stepFile, Failed, "without an interpreter", "python3 "+bare, "print(1)")}},
		"no program at all":       {session.Target{Command: binary}, []want{is(stepFile, Failed, "neither a program nor a script")}},
		"interpreter is missing":  {session.Target{Command: lost}, []want{is(stepFile, Failed, "/opt/no/such/interpreter")}},
		"runner is missing":       {session.Target{Command: env}, []want{is(stepFile, Failed, "no-such-runner")}},
		"line ends of Windows":    {session.Target{Command: windows}, []want{is(stepFile, Failed, "carriage return")}},
		"empty first line":        {session.Target{Command: empty}, []want{is(stepFile, Failed, "names no interpreter")}},
		"no folder":               {session.Target{Command: "sh", Dir: filepath.Join(dir, "no", "such")}, []want{is(stepFolder, Failed, "does not exist", dir), is(stepProgram, NotReached)}},
		"folder is a file":        {session.Target{Command: "sh", Dir: file}, []want{is(stepFolder, Failed, "is a file", "Set it to "+dir)}},
	} {
		t.Run(name, func(t *testing.T) {
			check(t, examine(t, c.target, Options{}), append(c.want, is(stepStart, NotReached), is(stepList, NotReached))...)
		})
	}
}

// Servers that start and do not stay, or stay and do not speak.
func TestProcessesThatDoNotServe(t *testing.T) {
	exits := func(code int, stderr string) sessiontest.Script {
		return sessiontest.Script{Steps: []sessiontest.Step{sessiontest.Stderr(stderr), sessiontest.Exit(code)}}
	}
	short := Options{ProbeTimeout: 200 * time.Millisecond, InitTimeout: 400 * time.Millisecond}
	for name, c := range map[string]struct {
		script sessiontest.Script
		o      Options
		want   []want
	}{
		"exits": {exits(3, "boom\n"), Options{}, []want{is(stepStart, Passed), is(stepRuns, Failed, "code 3", "boom"), is(stepOutput, NotReached), is(stepReply, NotReached)}},
		"missing variable": {exits(1, "Error: NOTES_API_TOKEN environment variable is required\n"), Options{},
			[]want{is(stepEnv, Failed, "NOTES_API_TOKEN", "NOTES_API_TOKEN=value"), is(stepRuns, Failed, "code 1", "see above")}},
		"missing variable in colour": {exits(1, "\x1b[31mNOTES_API_TOKEN is not set\x1b[0m\n"), Options{}, []want{is(stepEnv, Failed, "NOTES_API_TOKEN=value")}},
		"module":                     {exits(1, "Error: Cannot find module 'express'\n"), Options{}, []want{is(stepRuns, Failed, "module", "npm install")}},
		"port":                       {exits(1, "Error: listen EADDRINUSE: address already in use :::3000\n"), Options{}, []want{is(stepRuns, Failed, "port")}},
		"arguments":                  {exits(2, "usage: server [--stdio] DIR\n"), Options{}, []want{is(stepRuns, Failed, "arguments", "usage: server")}},
		"silently":                   {exits(0, ""), Options{}, []want{is(stepRuns, Failed, "code 0", "nothing to standard error", "stdio")}},
		"shell 127":                  {exits(127, "sh: 1: foo: command missing\n"), Options{}, []want{is(stepRuns, Failed, "127")}},
		"killed":                     {sessiontest.Script{Steps: []sessiontest.Step{sessiontest.Kill(int(syscall.SIGKILL))}}, Options{}, []want{is(stepRuns, Failed, "killed", "memory")}},
		"prints and exits": {sessiontest.Script{Steps: []sessiontest.Step{sessiontest.Raw("no token\n"), sessiontest.Exit(1)}}, Options{},
			[]want{is(stepRuns, Failed, "code 1"), is(stepOutput, Failed, "no token")}},
		"prints only": {sessiontest.Script{Steps: []sessiontest.Step{sessiontest.Raw("Starting ...\nReady.\n"), sessiontest.Hang()}}, short,
			[]want{is(stepOutput, Failed, "2 lines", "Starting ...", "Ready."), is(stepReply, NotReached)}},
		"serves HTTP": {sessiontest.Script{Steps: []sessiontest.Step{sessiontest.Stderr("Listening on http://localhost:3000/mcp\n"), sessiontest.Hang()}}, short,
			[]want{is(stepReply, Failed, "http://localhost:3000/mcp", "it speaks HTTP")}},
		"prints where it listens": {sessiontest.Script{Steps: []sessiontest.Step{sessiontest.Raw("Server at http://127.0.0.1:8080/mcp.\n"), sessiontest.Hang()}}, short,
			[]want{is(stepOutput, Failed, "http://127.0.0.1:8080/mcp:", "it speaks HTTP")}},
		"asks": {sessiontest.Script{Steps: []sessiontest.Step{sessiontest.Stderr("Ok to proceed? (y) "), sessiontest.Hang()}}, short,
			[]want{is(stepReply, Failed, "question", "Ok to proceed?")}},
		"never answers": {sessiontest.Script{Steps: []sessiontest.Step{sessiontest.Hang()}}, short,
			[]want{is(stepRuns, Passed), is(stepOutput, Passed), is(stepReply, Failed, "answers nothing", "printed nothing", "stdio"), is(stepRevision, NotReached)}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			check(t, examine(t, command(t, c.script), c.o), append(c.want, is(stepList, NotReached))...)
		})
	}
}

func TestVariableThatIsGivenAndNotLiked(t *testing.T) {
	target := command(t, sessiontest.Script{Steps: []sessiontest.Step{sessiontest.Stderr("NOTES_API_TOKEN is not set\n"), sessiontest.Exit(1)}})
	target.Env = append(target.Env, session.EnvVar{Name: "NOTES_API_TOKEN", Value: "hunter2hunter2", Secret: true})
	r := examine(t, target, Options{})
	check(t, r, is(stepEnv, Failed, "which is set: its value is wrong or empty"))
	if strings.Contains(stepOf(t, r, stepEnv).Detail, "hunter2") {
		t.Error("the value is shown")
	}
}

// What a server prints is shown with the known secrets masked.
func TestSecretsInWhatIsPrintedAreMasked(t *testing.T) {
	target := command(t, sessiontest.Script{Steps: []sessiontest.Step{sessiontest.Stderr("bad token hunter2hunter2\n"), sessiontest.Exit(1)}})
	target.Env = append(target.Env, session.EnvVar{Name: "NOTES", Value: "hunter2hunter2", Secret: true})
	lines := stepOf(t, examine(t, target, Options{}), stepRuns).Lines
	if text := strings.Join(lines, "\n"); strings.Contains(text, "hunter2") || !strings.Contains(text, "bad token ‹secret:") {
		t.Errorf("shown is %q", text)
	}
}

func TestServerThatPrintsBesideItsMessages(t *testing.T) {
	script := sessiontest.Server()
	script.Steps = append([]sessiontest.Step{sessiontest.Raw("INFO starting\n")}, script.Steps...)
	r := examine(t, command(t, script), Options{})
	check(t, r, is(stepOutput, Warned, "INFO starting", "standard error"), is(stepReply, Passed), is(stepList, Passed))
	if r.Summary() != "The connection works, with one warning." {
		t.Errorf("the summary is %q", r.Summary())
	}
}

func TestServerThatEndsAtTheProbe(t *testing.T) {
	script := sessiontest.Server().With("server/discover", sessiontest.Exit(1))
	check(t, examine(t, command(t, script), Options{}), is(stepRuns, Warned, "started once more"), is(stepList, Passed))
}

func TestScriptThatIsNotThere(t *testing.T) {
	dir := t.TempDir()
	bin := program(t, dir, "node", "#!/bin/sh\necho \"Error: Cannot find module '$PWD/$1'\" >&2\nexit 1\n", 0o700)
	r := examine(t, session.Target{Command: bin, Args: []string{"dist/index.js"}, Dir: dir}, Options{})
	check(t, r, is(stepScript, Failed, "dist/index.js", dir, "working folder"), is(stepRuns, Failed, "see above"))
	program(t, dir, "index.js", "", 0o600)
	check(t, examine(t, session.Target{Command: bin, Args: []string{"--no-warnings", "index.js"}, Dir: dir}, Options{}), is(stepScript, Passed, "index.js is there"))
}

func TestScriptArgument(t *testing.T) {
	for _, c := range []struct {
		line, want string
	}{
		{"node dist/index.js --port 3", "dist/index.js"}, {"node --no-warnings server.mjs", "server.mjs"}, {"python3.12 app.py", "app.py"},
		{"python -m server", ""}, {"python3 -c x", ""}, {"npx -y @scope/server", ""}, {"uvx notes", ""}, {"node -r hook.js x.js", ""},
		{"node", ""}, {"deno run main.ts", "main.ts"}, {"deno run https://example.com/x.ts", ""}, {"nodemon x.js", ""}, {"bash run/me", "run/me"}, {"bun name", ""},
	} {
		words := strings.Fields(c.line)
		got, ok := scriptArgument(words[0], words[1:])
		if ok != (c.want != "") || ok && got != c.want {
			t.Errorf("%s: %q, %v", c.line, got, ok)
		}
	}
}

func TestMissingNames(t *testing.T) {
	for text, want := range map[string]string{
		"Error: GITHUB_TOKEN is required":                              "GITHUB_TOKEN",
		"GITHUB_PERSONAL_ACCESS_TOKEN environment variable is not set": "GITHUB_PERSONAL_ACCESS_TOKEN",
		"Missing required environment variable: STRIPE_SECRET_KEY":     "STRIPE_SECRET_KEY",
		"Please set the `API_KEY` environment variable":                "API_KEY",
		"KeyError: 'TOKEN'":                                               "TOKEN",
		"environment variable PORT must be a number":                      "PORT",
		"Missing environment variables: A_KEY, B_KEY":                     "A_KEY",
		"required: DB_URL and DB_USER is missing":                         "DB_URL DB_USER",
		"ERROR: connection refused":                                       "",
		"INFO HTTP_STATUS 200":                                            "",
		"export NODE_ENV=production, set LOG_LEVEL to debug":              "NODE_ENV LOG_LEVEL",
		"Listening on HTTP":                                               "",
		"ValueError: OPENAI_API_KEY must be set before you start":         "OPENAI_API_KEY",
		"The BRAVE_API_KEY variable is undefined":                         "BRAVE_API_KEY",
		"Usage: set it to 5":                                              "",
		"You have to provide SLACK_BOT_TOKEN and\nSLACK_TEAM_ID is empty": "SLACK_BOT_TOKEN SLACK_TEAM_ID",
	} {
		if got := strings.Join(missingNames(text), " "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		far  int
	}{{"npx", "npx", 0}, {"npx", "npxx", 1}, {"npx", "nxp", 1}, {"node", "nude", 1}, {"uvx", "uv", 1}, {"python", "pyhton3", 2}} {
		if got := distance(c.a, c.b, 3); got != c.far {
			t.Errorf("%s and %s: %d", c.a, c.b, got)
		}
	}
	if distance("a", "abcdefgh", 2) <= 2 {
		t.Error("names of other lengths are taken to be near")
	}
}

// A check can be stopped at any time; the table says where.
func TestStopping(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	o := Options{Changed: func(r Report) {
		for _, s := range r.Steps {
			if s.Key == stepReply && s.Status == Running {
				cancel()
			}
		}
	}}
	r, err := Examine(ctx, command(t, sessiontest.Script{Steps: []sessiontest.Step{sessiontest.Hang()}}), o)
	if err != nil {
		t.Fatal(err)
	}
	check(t, r, is(stepStart, Passed), is(stepReply, NotReached, "stopped here"), is(stepList, NotReached))
	if !r.Stopped || r.Summary() != "The check was stopped." {
		t.Errorf("stopped %v, %q", r.Stopped, r.Summary())
	}
}

func TestTrafficIsKeptWhenAskedFor(t *testing.T) {
	path := filepath.Join(t.TempDir(), "check.mcp.jsonl")
	examine(t, command(t, sessiontest.Server()), Options{Record: path})
	b, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(b), "initialize") {
		t.Errorf("the recording has %d bytes, %v", len(b), err)
	}
	if _, err := Examine(t.Context(), session.Target{Command: "true"}, Options{Record: path}); err == nil {
		t.Error("a recording was overwritten")
	}
}
