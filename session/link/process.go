package link

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"mcploupe/recorder"
)

const (
	// drainGrace is how long the output of an ended process may stay silent
	// before whoever still holds it open is ended too.
	drainGrace = time.Second
	// drainLimit bounds the same for a holder that keeps writing.
	drainLimit = 10 * time.Second
	// groupLinger is how long other processes of the group may take to end by
	// themselves after the first.
	groupLinger = 200 * time.Millisecond
	// stderrTail is how much of stderr is kept at hand.
	stderrTail = 16 << 10
)

// process is a running child.
type process struct {
	cmd     *exec.Cmd
	group   *group
	path    string
	started time.Time
	out     *pipeEnd
	err     *pipeEnd
	done    chan struct{} // closed when the process has been reaped
	exit    Exit          // valid when done is closed
	killErr error         // valid when the supervisor has ended

	tailMu sync.Mutex
	tail   []byte
}

// pipeEnd reads one output of the child and knows whether it is being waited
// for.
type pipeEnd struct {
	f     *os.File
	since atomic.Int64  // Unix nanoseconds when the pending Read began, 0 if none is pending
	ended chan struct{} // closed when the reader is through
}

func (p *pipeEnd) Read(b []byte) (int, error) {
	p.since.Store(time.Now().UnixNano())
	defer p.since.Store(0)
	return p.f.Read(b)
}

// silent is how long the pending Read has waited.
func (p *pipeEnd) silent() time.Duration {
	if since := p.since.Load(); since != 0 {
		return time.Since(time.Unix(0, since))
	}
	return 0
}

// StartStdio starts the process and returns when it runs. A ctx that ends later
// does nothing to it. The Link is a *StdioLink.
func StartStdio(ctx context.Context, t StdioTarget, log recorder.Appender, h Handler) (Link, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("starting the server: %w", err)
	}
	p, in, err := startProcess(t, log)
	if err != nil {
		return nil, err
	}
	l := newStdio(p.out, in, t, log, h)
	l.proc, l.err = p, p.err
	l.run()
	l.wg.Go(func() { guarded(h, l.writeLoop) })
	return l, nil
}

// startProcess finds and starts the child and records that.
func startProcess(t StdioTarget, log recorder.Appender) (*process, io.WriteCloser, error) {
	env := ChildEnv(t)
	path, err := findProgram(t.Command, t.Dir, env)
	if err != nil {
		return nil, nil, err
	}
	log.Append(recorder.Event{Dir: recorder.Out, Kind: recorder.KindState, Channel: stdioName,
		Fields: &recorder.StateChange{State: "starting", Detail: path}})
	p, in, err := spawn(path, env, t)
	if err != nil {
		return nil, nil, err
	}
	log.Append(recorder.Event{Dir: recorder.In, Kind: recorder.KindState, Channel: stdioName,
		Fields: &recorder.StateChange{State: "started", Detail: path, PID: p.cmd.Process.Pid}})
	return p, in, nil
}

// run starts what reads the child's output and follows it to its end.
func (l *StdioLink) run() {
	l.wg.Go(func() {
		defer close(l.proc.out.ended)
		guarded(l.h, l.read)
	})
	l.wg.Go(func() {
		defer close(l.proc.err.ended)
		guarded(l.h, l.readStderr)
	})
	l.wg.Go(func() { guarded(l.h, l.supervise) })
}

// spawn starts the child with three pipes and a goroutine that reaps it.
func spawn(path string, env []string, t StdioTarget) (*process, io.WriteCloser, error) {
	var pipes [6]*os.File
	closeAll := func() {
		for _, f := range pipes {
			if f != nil {
				_ = f.Close()
			}
		}
	}
	for i := 0; i < len(pipes); i += 2 {
		r, w, err := os.Pipe()
		if err != nil {
			closeAll()
			return nil, nil, fmt.Errorf("making pipes for the server: %w", err)
		}
		pipes[i], pipes[i+1] = r, w
	}
	cmd := &exec.Cmd{
		Path: path, Args: append([]string{strings.TrimSpace(t.Command)}, t.Args...), Env: env, Dir: t.Dir,
		Stdin: pipes[0], Stdout: pipes[3], Stderr: pipes[5],
	}
	group, err := prepare(cmd)
	if err != nil {
		closeAll()
		return nil, nil, fmt.Errorf("starting %s: %w", path, err)
	}
	p := &process{
		cmd: cmd, group: group, path: path, done: make(chan struct{}),
		out: &pipeEnd{f: pipes[2], ended: make(chan struct{})},
		err: &pipeEnd{f: pipes[4], ended: make(chan struct{})},
	}
	started := make(chan error)
	go p.reap(started)
	if err := <-started; err != nil {
		closeAll()
		group.close()
		return nil, nil, startError(path, err)
	}
	for _, f := range []*os.File{pipes[0], pipes[3], pipes[5]} {
		_ = f.Close()
	}
	return p, pipes[1], nil
}

// reap starts the child and waits for it on one thread, to which its death
// signal is bound. The supervisor waits for it to end.
func (p *process) reap(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	p.started = time.Now()
	err := p.cmd.Start()
	if err == nil {
		if err = p.group.took(p.cmd.Process); err != nil {
			err = errors.Join(err, p.cmd.Process.Kill())
			_ = p.cmd.Wait() // it never ran
		}
	}
	started <- err
	if err != nil {
		return
	}
	defer close(p.done)
	err = p.cmd.Wait()
	p.exit = Exit{Code: -1, After: time.Since(p.started)}
	if state := p.cmd.ProcessState; state != nil {
		p.exit.Code, p.exit.Signal = state.ExitCode(), exitSignal(state)
	} else if err != nil {
		p.exit.Signal = err.Error()
	}
}

// readStderr records standard error in the chunks in which it comes.
func (l *StdioLink) readStderr() {
	p := l.proc
	buf := make([]byte, 32<<10)
	for {
		n, err := l.err.Read(buf)
		if n > 0 {
			l.log.Append(recorder.Event{Dir: recorder.In, Kind: recorder.KindStderr, Channel: stdioName, Data: buf[:n]})
			p.keepTail(buf[:n])
		}
		if err != nil {
			return
		}
	}
}

func (p *process) keepTail(b []byte) {
	p.tailMu.Lock()
	defer p.tailMu.Unlock()
	p.tail = append(p.tail, b...)
	if over := len(p.tail) - stderrTail; over > 0 {
		p.tail = append(p.tail[:0], p.tail[over:]...)
	}
}

// supervise follows the child to its end, asked for or not.
func (l *StdioLink) supervise() {
	p := l.proc
	asked := false
	var lost error
	select {
	case <-l.closing:
		asked = true
	case <-p.done:
	case <-p.out.ended:
		// A server may end by closing its output and exiting (STD-11).
		if !l.waitExit(l.target.StopGrace, l.closing) && !l.isClosing() {
			lost = errors.New("the server closed its standard output but keeps running")
			l.note(recorder.In, 0, lost.Error())
			close(l.down)
			l.h.Down(Down{Err: lost})
			<-l.closing
		}
		asked = l.isClosing()
	}
	if lost == nil {
		close(l.down)
	}
	l.closeInput()
	l.stop()
	l.drain()
	l.endGroup()
	exit := p.exit
	l.log.Append(recorder.Event{Dir: recorder.In, Kind: recorder.KindState, Channel: stdioName, Fields: exitState(p)})
	if !asked && lost == nil {
		l.h.Down(Down{Err: errors.New(exit.String()), Exit: &exit})
	}
}

func (l *StdioLink) isClosing() bool {
	select {
	case <-l.closing:
		return true
	default:
		return false
	}
}

// waitExit waits for the end of the process, for d at most or until stop.
func (l *StdioLink) waitExit(d time.Duration, stop <-chan struct{}) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-l.proc.done:
		return true
	case <-timer.C:
		return false
	case <-stop:
		return false
	}
}

// stop ends the process: its input is closed already, then it is asked to end,
// then ended, each with time to obey.
func (l *StdioLink) stop() {
	p := l.proc
	if l.waitExit(l.target.StopGrace, nil) {
		return
	}
	l.stepDown(fmt.Sprintf("the server did not exit within %v of the end of its input: %s", l.target.StopGrace, stopWord))
	p.killErr = p.group.stop()
	if l.waitExit(l.target.KillGrace, nil) {
		return
	}
	l.stepDown(fmt.Sprintf("the server did not exit within %v of %s: %s", l.target.KillGrace, stopWord, killWord))
	p.killErr = errors.Join(p.killErr, p.group.kill())
	<-p.done
}

func (l *StdioLink) stepDown(text string) {
	l.log.Append(recorder.Event{Dir: recorder.Out, Kind: recorder.KindState, Channel: stdioName,
		Fields: &recorder.StateChange{State: "closing", Detail: text, PID: l.proc.cmd.Process.Pid}})
}

// drain waits until both outputs are read to their end. A process of the group
// that holds them open is ended; one that left the group loses its reader.
func (l *StdioLink) drain() {
	p := l.proc
	if l.drained(time.Now().Add(drainLimit)) {
		return
	}
	p.killErr = errors.Join(p.killErr, p.group.kill())
	if !l.drained(time.Now().Add(drainGrace)) {
		l.note(recorder.In, 0, "a process that the server started keeps its output open and was left alone")
	}
	_, _ = p.out.f.Close(), p.err.f.Close()
	<-p.out.ended
	<-p.err.ended
}

// drained reports whether both outputs ended by the limit, giving up earlier
// when nothing has come for drainGrace.
func (l *StdioLink) drained(limit time.Time) bool {
	p, began := l.proc, time.Now()
	for _, e := range []*pipeEnd{p.out, p.err} {
		for {
			select {
			case <-e.ended:
			case <-time.After(drainGrace / 10):
				if min(e.silent(), time.Since(began)) >= drainGrace || time.Now().After(limit) {
					return false
				}
				continue
			}
			break
		}
	}
	return true
}

// endGroup ends what the server started and left behind.
func (l *StdioLink) endGroup() {
	p := l.proc
	defer p.group.close()
	_, _ = p.out.f.Close(), p.err.f.Close()
	if p.group.ends(groupLinger) {
		return
	}
	l.stepDown("processes that the server started are still there: " + stopWord)
	p.killErr = errors.Join(p.killErr, p.group.stop())
	if !p.group.ends(l.target.KillGrace) {
		p.killErr = errors.Join(p.killErr, p.group.kill())
	}
}

// ends waits until no process of the group is left, for d at most. There
// is nothing to wait on for processes that are not our children.
func (g *group) ends(d time.Duration) bool {
	for limit := time.Now().Add(d); g.alive(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(limit) {
			return false
		}
	}
	return true
}

func exitState(p *process) *recorder.StateChange {
	s := &recorder.StateChange{State: "exited", PID: p.cmd.Process.Pid, Signal: p.exit.Signal, Detail: p.exit.String()}
	if p.exit.Code >= 0 {
		code := p.exit.Code
		s.ExitCode = &code
	}
	return s
}

// String says in one sentence how the process ended.
func (e Exit) String() string {
	after := e.After.Round(time.Millisecond)
	if e.Signal != "" {
		return fmt.Sprintf("the server was ended by a signal (%s) after %v", e.Signal, after)
	}
	return fmt.Sprintf("the server exited with code %d after %v", e.Code, after)
}

// PID is the process id of the child, 0 for attached streams.
func (l *StdioLink) PID() int {
	if l.proc == nil {
		return 0
	}
	return l.proc.cmd.Process.Pid
}

// Exit is how the child ended, nil while it runs.
func (l *StdioLink) Exit() *Exit {
	if l.proc == nil {
		return nil
	}
	select {
	case <-l.proc.done:
		exit := l.proc.exit
		return &exit
	default:
		return nil
	}
}

// StderrTail is the last of what the child wrote to its standard error, at
// most 16 KiB.
func (l *StdioLink) StderrTail() string {
	if l.proc == nil {
		return ""
	}
	l.proc.tailMu.Lock()
	defer l.proc.tailMu.Unlock()
	return string(bytes.ToValidUTF8(l.proc.tail, []byte("\uFFFD")))
}
