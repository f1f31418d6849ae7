package sessiontest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
)

const (
	scriptVar     = "SESSIONTEST_SCRIPT"
	grandchildVar = "SESSIONTEST_GRANDCHILD"
)

// Main runs the process as a scripted peer, and never returns, if it was
// started as one. Call it first thing in TestMain.
func Main() {
	if os.Getenv(grandchildVar) != "" {
		signal.Ignore(syscall.SIGTERM)
		forever()
	}
	path := os.Getenv(scriptVar)
	if path == "" {
		return
	}
	var s Script
	b, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(b, &s)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "sessiontest: reading the script:", err)
		os.Exit(125)
	}
	p := peer{script: s, in: bufio.NewReaderSize(os.Stdin, 1<<16), out: os.Stdout, err: os.Stderr, process: true}
	os.Exit(p.run())
}

// Command returns a command line that runs s in a process of its own, with the
// environment that it needs on top of any other. Coverage data goes to a place
// of its own, or the runtime would complain on the peer's standard error.
func (s Script) Command(tb testing.TB) (command string, args, env []string) {
	tb.Helper()
	b, err := json.Marshal(s)
	if err != nil {
		tb.Fatal(err)
	}
	path := filepath.Join(tb.TempDir(), "script.json")
	if err := os.WriteFile(path, b, 0o600); err != nil {
		tb.Fatal(err)
	}
	exe, err := os.Executable()
	if err != nil {
		tb.Fatal(err)
	}
	return exe, []string{"-test.run=^$"}, []string{scriptVar + "=" + path, "GOCOVERDIR=" + tb.TempDir()}
}

// Pipe runs s in this process and returns the client's ends of its standard
// output and input. The peer ends when w is closed or its script does; the test
// waits for it.
func (s Script) Pipe(tb testing.TB) (r io.ReadCloser, w io.WriteCloser) {
	tb.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		p := peer{script: s, in: bufio.NewReader(inR), out: outW, err: io.Discard}
		p.run()
		_ = inR.Close()
		_ = outW.Close()
	}()
	tb.Cleanup(func() {
		_ = inW.Close()
		_ = outR.Close()
		<-done
	})
	return outR, inW
}

// forever blocks. An empty select would count as a deadlock.
func forever() {
	for {
		time.Sleep(time.Hour)
	}
}

type peer struct {
	script    Script
	in        *bufio.Reader
	out       io.WriteCloser
	err       io.Writer
	process   bool
	ignoreEOF bool
	last      protocol.Message
}

// errExit carries an exit code out of the steps.
type errExit int

func (e errExit) Error() string { return "exit " + strconv.Itoa(int(e)) }

func (p *peer) run() int {
	err := p.steps(p.script.Steps)
	for err == nil {
		err = p.serve()
	}
	var code errExit
	switch {
	case errors.As(err, &code):
		return int(code)
	case errors.Is(err, io.EOF) && p.ignoreEOF && p.process:
		forever()
	}
	return 0
}

// serve reads one message and runs what On has for it.
func (p *peer) serve() error {
	if err := p.read(); err != nil {
		return err
	}
	steps, ok := p.script.On[p.last.Method+" "+protocol.NameOf(p.last.Method, p.last.Params)]
	if !ok {
		steps = p.script.On[p.last.Method]
	}
	return p.steps(steps)
}

func (p *peer) read() error {
	line, err := p.in.ReadBytes('\n')
	if err != nil {
		return err
	}
	p.last = protocol.Parse(bytes.TrimSuffix(line, []byte("\n")))
	return nil
}

func (p *peer) steps(steps []Step) error {
	for _, s := range steps {
		if err := p.step(s); err != nil {
			return err
		}
	}
	return nil
}

func (p *peer) step(s Step) error {
	switch s.Do {
	case "expect":
		return p.expect(s.Text)
	case "raw":
		_, err := p.out.Write(p.fill(s.Bytes, 0))
		return err
	case "repeat":
		return p.repeat(s.N, s.Bytes)
	case "stderr":
		_, err := p.err.Write(p.fill([]byte(s.Text), 0))
		return err
	case "delay":
		time.Sleep(s.For)
	case "closestdout":
		return p.out.Close()
	case "exit":
		return errExit(s.N)
	case "kill":
		return p.kill(syscall.Signal(s.N))
	case "ignoreterm":
		signal.Ignore(syscall.SIGTERM)
	case "ignoreeof":
		p.ignoreEOF = true
	case "hang":
		if p.process {
			forever()
		}
		_, err := io.Copy(io.Discard, p.in)
		return errors.Join(err, io.EOF)
	case "grandchild":
		return p.grandchild()
	default:
		return fmt.Errorf("unknown step %q", s.Do)
	}
	return nil
}

func (p *peer) expect(method string) error {
	for {
		if err := p.read(); err != nil {
			return err
		}
		if method == "*" || p.last.Method == method {
			return nil
		}
		if err := p.steps(p.script.On[p.last.Method]); err != nil {
			return err
		}
	}
}

func (p *peer) repeat(n int, text []byte) error {
	w := bufio.NewWriterSize(p.out, 1<<16)
	for i := 1; i <= n; i++ {
		if _, err := w.Write(p.fill(text, i)); err != nil {
			return err
		}
	}
	return w.Flush()
}

func (p *peer) kill(sig syscall.Signal) error {
	if !p.process {
		return errExit(0)
	}
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		return err
	}
	if err := self.Signal(sig); err != nil {
		return err
	}
	forever()
	return nil
}

func (p *peer) grandchild() error {
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(exe, "-test.run=^$")
	cmd.Env = append(os.Environ(), grandchildVar+"=1")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.err, "grandchild %d\n", cmd.Process.Pid)
	return err
}

// fill replaces the placeholders.
func (p *peer) fill(text []byte, n int) []byte {
	if !bytes.Contains(text, []byte("{{")) {
		return text
	}
	return fill(text, p.last, n)
}

func fill(text []byte, m protocol.Message, n int) []byte {
	id := m.ID.String()
	if id == "" {
		id = "null"
	}
	token, _, ok := protocol.Lookup(m.Params, "/_meta/progressToken")
	if !ok {
		token = jsontext.Value("null")
	}
	text = bytes.ReplaceAll(text, []byte("{{id}}"), []byte(id))
	text = bytes.ReplaceAll(text, []byte("{{token}}"), token)
	return bytes.ReplaceAll(text, []byte("{{n}}"), strconv.AppendInt(nil, int64(n), 10))
}
