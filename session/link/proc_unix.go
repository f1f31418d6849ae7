//go:build unix

package link

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// How a server is asked to end and then ended, for the recording.
const (
	stopWord = "SIGTERM"
	killWord = "SIGKILL"
)

// group is the process group that a server and all that it starts are in.
type group struct{ pid int }

// prepare puts the child at the head of a process group of its own, so that it
// and all that it starts can be ended together.
func prepare(cmd *exec.Cmd) (*group, error) {
	attr := &syscall.SysProcAttr{Setpgid: true}
	endWithParent(attr)
	cmd.SysProcAttr = attr
	return &group{}, nil
}

// took is told of the process when it runs.
func (g *group) took(p *os.Process) error {
	g.pid = p.Pid
	return nil
}

// stop asks every process of the group to end, kill ends it.
func (g *group) stop() error { return g.signal(syscall.SIGTERM) }
func (g *group) kill() error { return g.signal(syscall.SIGKILL) }

func (g *group) signal(sig syscall.Signal) error {
	err := syscall.Kill(-g.pid, sig)
	if err != nil && !errors.Is(err, syscall.ESRCH) {
		return fmt.Errorf("sending %v to process group %d: %w", sig, g.pid, err)
	}
	return nil
}

// close lets the group go.
func (g *group) close() {}

// exitSignal names the signal that ended a process, "" if it exited by itself.
func exitSignal(state *os.ProcessState) string {
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return ws.Signal().String()
	}
	return ""
}
