package link

import (
	"errors"
	"os"
	"strings"
	"testing"
)

// winFiles is a file system of files (false) and folders (true), whose names
// are the same in any case.
type winFiles map[string]bool

func (f winFiles) isDir(path string) (bool, error) {
	for name, dir := range f {
		if strings.EqualFold(name, path) {
			return dir, nil
		}
	}
	return false, os.ErrNotExist
}

var nodeMachine = winFiles{
	`C:\nodejs\node.exe`:      false,
	`C:\nodejs\npx`:           false, // a script for other systems
	`C:\nodejs\npx.cmd`:       false,
	`C:\nodejs\npx.ps1`:       false,
	`C:\py\server.py`:         false,
	`C:\py\uvx.exe`:           false,
	`C:\py\tool.v2.exe`:       false,
	`C:\both\x.exe`:           false,
	`C:\both\x.cmd`:           false,
	`C:\dirs\y.exe`:           true,
	`C:\work\run.bat`:         false,
	`C:\work\bin\serve.exe`:   false,
	`D:\run.exe`:              false,
	`\\host\share\t\tool.exe`: false,
	`C:\work\evil.exe`:        false,
	`C:\sh\only`:              false,
}

func TestWindowsFindsProgramsByPathAndPathExt(t *testing.T) {
	path := `Path=C:\none;"C:\nodejs";C:\py\;;.;relative\bin;C:\dirs;C:\both;\\host\share\t;C:\sh`
	for _, c := range []struct {
		command, ext, want, err string
	}{
		{command: "npx", want: `C:\nodejs\npx.cmd`},
		{command: "NPX", want: `C:\nodejs\NPX.cmd`},
		{command: "npx.cmd", want: `C:\nodejs\npx.cmd`},
		{command: "node", want: `C:\nodejs\node.exe`},
		{command: "node.exe", want: `C:\nodejs\node.exe`},
		{command: "uvx", want: `C:\py\uvx.exe`},
		{command: "tool.v2", want: `C:\py\tool.v2.exe`},
		{command: "tool", want: `\\host\share\t\tool.exe`},
		{command: "x", want: `C:\both\x.exe`},
		{command: "x", ext: ".CMD;.EXE", want: `C:\both\x.cmd`},
		{command: "x", ext: "cmd; .exe ;", want: `C:\both\x.cmd`},
		{command: "server", ext: ".EXE;.PY", err: "give the command python"},
		{command: "server.py", err: "give the command python"},
		{command: "npx.ps1", err: "powershell"},
		{command: "evil", err: "was not found on PATH"}, // it lies in the current folder
		{command: "only", err: "has no extension"},
		{command: "y", err: "is a directory"},
		{command: `bin\serve`, want: `C:\work\bin\serve.exe`},
		{command: `bin/serve.exe`, want: `C:\work\bin\serve.exe`},
		{command: `.\run`, want: `C:\work\run.bat`},
		{command: `\nodejs\npx`, want: `C:\nodejs\npx.cmd`},
		{command: `D:\run`, want: `D:\run.exe`},
		{command: `D:run`, err: "current folder of drive D:"},
		{command: `C:\sh\only`, err: "has no extension"},
		{command: `C:\gone\a.exe`, err: "does not exist"},
		{command: `\\host\share\t\tool`, want: `\\host\share\t\tool.exe`},
		{command: "no\x00de", err: "NUL"},
	} {
		env := []string{"=C:=C:\\work", path}
		if c.ext != "" {
			env = append(env, "PathExt="+c.ext)
		}
		got, err := winLook{env: env, isDir: nodeMachine.isDir}.find(c.command, `C:\work`)
		switch {
		case c.err == "" && (err != nil || got != c.want):
			t.Errorf("%s (PATHEXT %q) is %q, %v; want %q", c.command, c.ext, got, err, c.want)
		case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%s gives %q, %v; want an error with %q", c.command, got, err, c.err)
		}
	}
}

func TestWindowsSaysThatNothingIsThere(t *testing.T) {
	for _, env := range [][]string{nil, {"PATH=C:\\none"}} {
		_, err := winLook{env: env, isDir: nodeMachine.isDir}.find("node", `C:\work`)
		if err == nil || len(env) > 0 && !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%q: %v", env, err)
		}
	}
	denied := errors.New("access is denied")
	_, err := winLook{env: []string{"PATH=C:\\a"}, isDir: func(string) (bool, error) { return false, denied }}.find("node", `C:\work`)
	if !errors.Is(err, denied) {
		t.Errorf("%v, want the reason", err)
	}
}

func TestWindowsTellsBatchFiles(t *testing.T) {
	for path, want := range map[string]bool{
		`C:\a\npx.cmd`: true, `C:\a\NPX.CMD`: true, `C:\a\x.bat`: true, `C:\a\x.bat. . `: true, `C:\a.cmd\x.exe`: false, `C:\a\cmd`: false, `x.cmd:s`: false,
	} {
		if got := winBatch(path); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}
