package link

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// programNames lists the files that a command without an extension may mean,
// in the order of PATHEXT.
func programNames(path string, env []string) []string {
	if filepath.Ext(path) != "" {
		return []string{path}
	}
	exts := envValue(env, "PATHEXT")
	if exts == "" {
		exts = ".COM;.EXE;.BAT;.CMD"
	}
	var names []string
	for _, ext := range strings.Split(exts, ";") {
		if ext = strings.TrimSpace(ext); ext != "" {
			names = append(names, path+strings.ToLower(ext))
		}
	}
	return append(names, path)
}

func executable(string, fs.FileInfo) error { return nil }

func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP, HideWindow: true}
}

// stopGroup and killGroup end the first process: Windows has no signal that
// asks a process without a console to end.
func stopGroup(p *os.Process) error { return killGroup(p) }

func killGroup(p *os.Process) error {
	if err := p.Kill(); err != nil && err != os.ErrProcessDone {
		return err
	}
	return nil
}

func groupAlive(*os.Process) bool { return false }

func exitSignal(*os.ProcessState) string { return "" }
