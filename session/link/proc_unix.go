//go:build unix

package link

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"syscall"
)

func programNames(path string, _ []string) []string { return []string{path} }

func executable(path string, info fs.FileInfo) error {
	if info.Mode()&0o111 == 0 {
		return fmt.Errorf("%s is not executable (mode %v): %w", path, info.Mode().Perm(), os.ErrPermission)
	}
	return nil
}

// ownGroup puts the child at the head of a process group of its own, so that
// it and all that it starts can be ended together.
func ownGroup(cmd *exec.Cmd) {
	attr := &syscall.SysProcAttr{Setpgid: true}
	endWithParent(attr)
	cmd.SysProcAttr = attr
}

// stopGroup asks every process of the group to end, killGroup ends it.
func stopGroup(p *os.Process) error { return signalGroup(p, syscall.SIGTERM) }
func killGroup(p *os.Process) error { return signalGroup(p, syscall.SIGKILL) }

func signalGroup(p *os.Process, sig syscall.Signal) error {
	err := syscall.Kill(-p.Pid, sig)
	if err != nil && !errors.Is(err, syscall.ESRCH) {
		return fmt.Errorf("sending %v to process group %d: %w", sig, p.Pid, err)
	}
	return nil
}

// exitSignal names the signal that ended a process, "" if it exited by itself.
func exitSignal(state *os.ProcessState) string {
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return ws.Signal().String()
	}
	return ""
}
