package doctor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mcploupe/session/link"
)

// stdio examines a server that is started as a process.
func (x *exam) stdio(ctx context.Context) {
	t := link.StdioTarget{Command: x.t.Command, Args: x.t.Args, Dir: x.t.Dir}
	for _, e := range x.t.Env {
		t.Env = append(t.Env, e.Name+"="+e.Value)
	}
	if !x.folder() {
		return
	}
	x.begin(stepProgram, "")
	path, err := link.FindProgram(t)
	if err != nil {
		x.noProgram(t, err)
		return
	}
	x.pass(stepProgram, path+".")
	if !x.file(path, t) {
		return
	}
	x.script(path)
	if ctx.Err() != nil {
		return
	}
	x.process(ctx, path)
}

// folder checks the working folder.
func (x *exam) folder() bool {
	x.begin(stepFolder, "")
	dir := x.t.Dir
	if dir == "" {
		own, err := os.Getwd()
		if err != nil {
			own = "the program's own"
		}
		x.pass(stepFolder, own+", the one that this program was started in.")
		return true
	}
	info, err := os.Stat(dir)
	f := finding{fix: "Correct the working folder, or leave it empty."}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		f.detail, f.cause = dir+" does not exist.", "It is misspelt, was moved, or is meant for another computer."
		if near := nearFolder(dir); near != "" {
			f.lines = []string{"There is " + near}
		}
	case err != nil:
		f.detail, f.cause = dir+" cannot be looked at: "+err.Error()+".", "A folder above it may not be entered."
	case !info.IsDir():
		f.detail, f.cause = dir+" is a file.", "The working folder is the folder that the server's files are in, not the server itself."
		f.fix = "Set it to " + filepath.Dir(dir) + ", or leave it empty."
	default:
		if _, err := os.ReadDir(dir); errors.Is(err, fs.ErrPermission) {
			f.detail, f.cause = dir+" cannot be entered.", "This user may not read it."
			f.fix = "Give this user the right to, or choose another folder."
			break
		}
		x.pass(stepFolder, dir+".")
		return true
	}
	x.fail(stepFolder, f)
	return false
}

// nearFolder is the deepest folder of a path that exists.
func nearFolder(dir string) string {
	for up := filepath.Dir(dir); up != filepath.Dir(up); up = filepath.Dir(up) {
		if info, err := os.Stat(up); err == nil && info.IsDir() {
			return up
		}
	}
	return ""
}

// noProgram explains that a command leads to no file that can be run.
func (x *exam) noProgram(t link.StdioTarget, err error) {
	command := strings.TrimSpace(t.Command)
	f := finding{detail: firstClause(err.Error()) + "."}
	if errors.Is(err, fs.ErrPermission) {
		x.pass(stepProgram, "There is a file of that name.")
		x.fail(stepFile, notExecutable(t, f.detail, command))
		return
	}
	path := strings.ContainsAny(command, `/\`)
	switch {
	case strings.ContainsAny(command, " \t") && !path:
		f.cause = "The whole text is taken for the name of one program: there is a quote too many, or arguments are in the field of the command."
		f.fix = "Write the command and its arguments as separate words."
	case path && !filepath.IsAbs(command):
		f.cause = "The path is relative, and there is no such file in the working folder."
		f.fix = "Give the full path of the program, or set the working folder that it is relative to."
	case path:
		f.cause = "The path is misspelt, or the program was moved or never built."
		f.fix = "Correct the path, or build or install the program."
	default:
		f.cause = "The program is not installed, or its folder is not on the PATH that the server gets."
		f.fix = howToInstall(command)
	}
	if near := nearNames(command, t); len(near) > 0 {
		f.lines = []string{"Near names: " + strings.Join(near, ", ")}
		if !path {
			f.fix = "Did you mean " + near[0] + "? Otherwise " + strings.ToLower(f.fix[:1]) + f.fix[1:]
		}
	}
	if !path {
		f.lines = append(f.lines, "PATH: "+strings.Join(filepath.SplitList(link.EnvValue(link.ChildEnv(t), "PATH")), string(filepath.ListSeparator)+" "))
	}
	x.fail(stepProgram, f)
}

// firstClause leaves out what an error wraps: the table says it in words.
func firstClause(text string) string {
	for _, tail := range []string{": file does not exist", ": permission denied"} {
		text = strings.TrimSuffix(text, tail)
	}
	if i := strings.Index(text, " on PATH ("); i >= 0 {
		text = text[:i] + " on PATH"
	}
	return text
}

// howToInstall names what brings a program that many servers are started with.
func howToInstall(command string) string {
	const path = ", or give the full path of the program."
	switch command {
	case "npx", "node", "npm":
		return "Install Node.js, which brings " + command + path
	case "uvx", "uv":
		return "Install uv, which brings " + command + path
	case "pipx", "python", "python3":
		return "Install " + command + ", or give the full path of the interpreter."
	case "bunx", "bun":
		return "Install Bun, which brings " + command + path
	case "docker", "podman":
		return "Install " + command + path
	}
	return "Install it, give its full path, or set PATH in the environment of the server."
}

func notExecutable(t link.StdioTarget, detail, command string) finding {
	f := finding{detail: detail, cause: "The file is there, and its mode does not let it run."}
	name := filepath.Base(command)
	if with := interpreterOf(name); with != "" {
		f.fix = "Start it with its interpreter: " + with + " " + command + "; or make it executable: chmod +x " + command + "."
		return f
	}
	f.fix = "Make it executable: chmod +x " + command + "."
	return f
}

// interpreters run files by their endings.
var interpreters = map[string]string{
	".js": "node", ".mjs": "node", ".cjs": "node", ".ts": "npx tsx", ".py": "python3", ".rb": "ruby", ".sh": "sh",
	".jar": "java -jar", ".php": "php", ".pl": "perl", ".dll": "dotnet",
}

func interpreterOf(name string) string { return interpreters[strings.ToLower(filepath.Ext(name))] }

// file looks at what will be run: a program of this system, or a script and the
// interpreter that its first line names.
func (x *exam) file(path string, t link.StdioTarget) bool {
	x.begin(stepFile, "")
	kind, line, err := sniff(path)
	switch {
	case err != nil:
		// Some programs may be run and not read.
		x.pass(stepFile, "It can be run; it cannot be looked at: "+err.Error()+".")
		return true
	case kind == "script":
		return x.interpreter(path, line, t)
	case kind != "":
		x.pass(stepFile, "A "+kind+".")
		return true
	}
	f := finding{detail: "The file is neither a program nor a script with a first line such as #!/bin/sh.",
		cause: "It is a script without an interpreter, or a file for something else."}
	if with := interpreterOf(path); with != "" {
		f.fix = "Put its interpreter in front (" + with + " " + x.t.Command + "), or write the first line #!/usr/bin/env " + strings.Fields(with)[0] + "."
	} else {
		f.fix = "Put its interpreter in front of it, or write a first line such as #!/bin/sh into it."
	}
	if line != "" {
		f.lines = []string{"Its first line: " + cutLine(line)}
	}
	x.fail(stepFile, f)
	return false
}

// sniff tells what a file is by its first bytes. line is its first line if it is
// text; for a script, what follows #!.
func sniff(path string) (kind, line string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", "", err
	}
	begin, err := io.ReadAll(io.LimitReader(f, 512))
	_ = f.Close() // nothing was written
	if err != nil {
		return "", "", err
	}
	head := string(begin)
	line, _, _ = strings.Cut(head, "\n")
	switch {
	case strings.HasPrefix(head, "#!"):
		return "script", line[2:], nil
	case strings.HasPrefix(head, "\x7fELF"):
		return "program for Linux (ELF)", "", nil
	case strings.HasPrefix(head, "MZ"):
		return "program for Windows", "", nil
	case slices.Contains([]string{"\xcf\xfa\xed\xfe", "\xce\xfa\xed\xfe", "\xca\xfe\xba\xbe"}, head[:min(4, len(head))]):
		return "program for macOS", "", nil
	case slices.Contains([]string{".cmd", ".bat", ".exe", ".com"}, strings.ToLower(filepath.Ext(path))):
		return "script of Windows", "", nil
	case strings.IndexByte(head, 0) >= 0:
		return "", "", nil
	}
	return "", strings.TrimRight(line, "\r"), nil
}

// interpreter checks that what the first line of a script names is there.
func (x *exam) interpreter(path, line string, t link.StdioTarget) bool {
	words := strings.Fields(line)
	f := finding{lines: []string{"Its first line: #!" + cutLine(strings.TrimSpace(line))}}
	if len(words) == 0 {
		f.detail, f.cause = "The first line of the script names no interpreter.", "It ends after #!."
		f.fix = "Write the interpreter after #!, as in #!/bin/sh."
		x.fail(stepFile, f)
		return false
	}
	if strings.HasSuffix(line, "\r") {
		f.detail = "The lines of the script end as on Windows, so that its interpreter is looked up with a carriage return in its name."
		f.cause = "The file was saved on Windows, or checked out with such line ends."
		f.fix = "Convert its line ends: sed -i 's/\\r$//' " + path + "."
		x.fail(stepFile, f)
		return false
	}
	program := words[0]
	if filepath.Base(program) == "env" {
		for _, w := range words[1:] {
			if !strings.HasPrefix(w, "-") && !strings.Contains(w, "=") {
				program = w
				break
			}
		}
	}
	if _, err := link.FindProgram(link.StdioTarget{Command: program, Dir: t.Dir, Env: t.Env}); err != nil {
		f.detail = "The script is run by " + program + ", which was not found."
		f.cause = "The interpreter is not installed, or not on the PATH that the server gets."
		f.fix = howToInstall(filepath.Base(program))
		x.fail(stepFile, f)
		return false
	}
	x.pass(stepFile, "A script, run by "+program+".")
	return true
}

// script looks for the file that an interpreter is given.
func (x *exam) script(program string) {
	x.begin(stepScript, "")
	base := strings.TrimSuffix(strings.ToLower(filepath.Base(x.t.Command)), ".exe")
	name, ok := scriptArgument(base, x.t.Args)
	if !ok {
		x.skip(stepScript, "None that this program can tell to be a file.")
		return
	}
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(x.t.Dir, name)
	}
	_, err := os.Stat(path)
	switch {
	case err == nil:
		x.pass(stepScript, name+" is there.")
		return
	case !errors.Is(err, fs.ErrNotExist):
		x.warn(stepScript, finding{detail: name + " cannot be looked at: " + err.Error() + ".",
			cause: "The server may not be able to read it either.", fix: "Check the rights of the file and of the folders above it."})
		return
	}
	where := x.t.Dir
	if where == "" {
		where, _ = os.Getwd() // the text is as good without
	}
	f := finding{detail: name + " does not exist."}
	if filepath.IsAbs(name) {
		f.cause = "The path is misspelt, or the server was moved or not built yet."
		f.fix = "Correct the path, or build the server."
	} else {
		f.detail = fmt.Sprintf("%s does not exist in %s.", name, where)
		f.cause = "The working folder is the wrong one, or the server was not built yet."
		f.fix = "Set the working folder to the one that " + name + " is relative to, or give its full path."
	}
	x.warn(stepScript, f)
}

// runners take a script as their first argument that is no flag.
var runners = []string{"node", "python", "python3", "ruby", "php", "perl", "sh", "bash", "tsx", "bun", "deno"}

// scriptArgument is the argument that names a file to run.
func scriptArgument(program string, args []string) (string, bool) {
	runner := slices.ContainsFunc(runners, func(r string) bool {
		return program == r || strings.HasPrefix(program, r) && strings.Trim(program[len(r):], "0123456789.") == ""
	})
	if !runner {
		return "", false
	}
	for i, a := range args {
		switch {
		case a == "-m" || a == "-c" || a == "-e" || a == "-p" || a == "--eval" || a == "--print" || a == "-":
			return "", false
		case program == "node" && (a == "-r" || a == "--require" || a == "--import" || a == "--loader"):
			return "", false // what follows is not always a file
		case strings.HasPrefix(a, "-"):
			continue
		case a == "run" && i == 0, strings.Contains(a, "://"):
			continue
		default:
			return a, interpreterOf(a) != "" || strings.ContainsAny(a, `/\`)
		}
	}
	return "", false
}
