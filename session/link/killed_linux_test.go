package link

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	peer "mcploupe/session/sessiontest"
)

// hostVar makes the test binary a program that has a server and does nothing
// but wait to be killed.
const hostVar = "LINK_TEST_HOST"

func init() { asHost = runHost }

func runHost() {
	if os.Getenv(hostVar) == "" {
		return
	}
	args := strings.Split(os.Getenv(hostVar), "\n")
	w := newWitness()
	l, err := StartStdio(context.Background(), StdioTarget{Command: args[0], Args: []string{"-test.run=^$"}, Env: args[1:]}, w, w)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(l.(*StdioLink).PID())
	for {
		time.Sleep(time.Hour)
	}
}

// A killed program leaves no server behind, even one that does not mind the
// end of its input.
func TestStdioServerEndsWithAKilledProgram_P19(t *testing.T) {
	command, _, env := peer.Script{Steps: []peer.Step{peer.IgnoreEOF()}}.Command(t)
	host := exec.Command(command, "-test.run=^$")
	host.Env = append(os.Environ(), hostVar+"="+command+"\n"+strings.Join(env, "\n"))
	out, err := host.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := host.Start(); err != nil {
		t.Fatal(err)
	}
	var pid int
	if _, err := fmt.Fscan(bufio.NewReader(out), &pid); err != nil {
		t.Fatal(err)
	}
	if !running(pid) {
		t.Fatal("the server does not run")
	}
	if err := host.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = host.Wait()
	gone(t, pid)
}

func TestRunsInGroup(t *testing.T) {
	for stat, want := range map[string]bool{
		"12 (a) b) S 1 7 7 0 -1": true, "12 (x) R 1 7 7": true, "12 (x) Z 1 7 7": false, "12 (x) S 7 8 8": false, "": false, "12 (x)": false,
	} {
		if got := runsInGroup(stat, 7); got != want {
			t.Errorf("%q: %v", stat, got)
		}
	}
}
