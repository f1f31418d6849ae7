package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/session"
	"mcploupe/ui/view/human"
	"mcploupe/ui/view/safe"
)

// connection is a session with its log and what the verbs do around it.
type connection struct {
	*session.Session
	log     *recorder.Log
	scratch string // temporary folder of a recording that is not kept
	inv     *invocation
	replies *replies
	served  chan struct{} // closed when the answering of peer requests has ended
	stop    context.CancelFunc
}

// connect opens a session and prints the checklist to standard error. bare
// leaves negotiation out. The caller closes the connection even when err is
// not nil, unless it is nil itself.
func (inv *invocation) connect(ctx context.Context, t session.Target, bare bool) (*connection, error) {
	replies, err := parseReplies(inv.opts.answers)
	if err != nil {
		return nil, err
	}
	c := &connection{inv: inv, replies: replies, served: make(chan struct{})}
	path := inv.opts.record
	if path == "" {
		if c.scratch, err = os.MkdirTemp("", "mcploupe-"); err != nil {
			return nil, fmt.Errorf("make a folder for the recording: %w", err)
		}
		path = filepath.Join(c.scratch, "session.mcp.jsonl")
	} else if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("--record %s: the file is there already; recordings are not overwritten", path)
	}
	if c.log, err = recorder.Create(path, t.RecordingHeader("mcploupe "+inv.Version)); err != nil {
		return nil, errors.Join(fmt.Errorf("start the recording: %w", err), c.dropScratch())
	}
	options := session.Options{
		Log:         c.log,
		Client:      protocol.Implementation{Name: "mcploupe", Title: "MCP Loupe", Version: inv.Version},
		CallTimeout: inv.opts.timeout,
	}
	if replies.any() {
		options.Capabilities = protocol.ClientCapabilities{
			Roots: true, Sampling: true, SamplingTools: true, Elicitation: true, ElicitationURL: true,
		}
	}
	options.Capabilities.Tasks = inv.opts.task != ""
	if c.Session, err = session.Open(ctx, t, options); err == nil && !bare {
		err = c.Negotiate(ctx)
	}
	c.printSteps(t)
	if err != nil {
		c.printFailure()
	}
	serve, stop := context.WithCancel(ctx)
	c.stop = stop
	go c.answerPeers(serve)
	return c, err
}

// close ends the session, then the recording.
func (c *connection) close() error {
	c.stop()
	<-c.served
	err := c.Close()
	if logErr := c.log.Close(); logErr != nil {
		err = errors.Join(err, fmt.Errorf("the recording is not complete: %w", logErr))
	}
	if c.scratch == "" {
		fmt.Fprintf(c.inv.Err, "recording: %s (%s events)\n", c.log.Path(), human.Count(int64(c.log.Len())))
	}
	return errors.Join(err, c.dropScratch())
}

func (c *connection) dropScratch() error {
	if c.scratch == "" {
		return nil
	}
	return os.RemoveAll(c.scratch)
}

var stepGlyph = map[session.StepStatus]string{
	session.StepRunning: "…", session.StepOK: "✓", session.StepFailed: "✗", session.StepSkipped: "–",
}

func (c *connection) printSteps(t session.Target) {
	fmt.Fprintf(c.inv.Err, "%s\n", safe.Line(t.String(), 400))
	for _, step := range c.State().Steps {
		fmt.Fprintf(c.inv.Err, "  %s %s", stepGlyph[step.Status], safe.Line(step.Title, 200))
		if step.Took > 0 {
			fmt.Fprintf(c.inv.Err, " (%s)", human.Duration(step.Took))
		}
		if step.Detail != "" {
			fmt.Fprintf(c.inv.Err, ": %s", safe.Line(step.Detail, 600))
		}
		fmt.Fprintln(c.inv.Err)
		if step.Advice != "" {
			fmt.Fprintf(c.inv.Err, "      try: %s\n", safe.Line(step.Advice, 600))
		}
	}
}

// printFailure tells what is known of a connection that did not come about.
func (c *connection) printFailure() {
	state := c.State()
	if x := state.Exit; x != nil {
		if x.Signal != "" {
			fmt.Fprintf(c.inv.Err, "  the process was ended by signal %s after %s\n", x.Signal, human.Duration(x.After))
		} else {
			fmt.Fprintf(c.inv.Err, "  the process exited with code %d after %s\n", x.Code, human.Duration(x.After))
		}
	}
	if a := state.LastAnswer; a != nil {
		fmt.Fprintf(c.inv.Err, "  HTTP %d %s, %s\n", a.Status, safe.Line(a.Reason, 80), safe.Line(a.ContentType, 80))
		if a.Body != "" {
			fmt.Fprintf(c.inv.Err, "  body: %s\n", safe.Line(a.Body, 1000))
		}
	}
	if tail := strings.TrimSpace(state.StderrTail); tail != "" {
		fmt.Fprintln(c.inv.Err, "  last lines of stderr:")
		for line := range strings.SplitSeq(tail, "\n") {
			fmt.Fprintf(c.inv.Err, "    %s\n", safe.Line(line, 400))
		}
	}
}

// finish runs fn on a connection and closes it.
func (inv *invocation) finish(ctx context.Context, t session.Target, bare bool, fn func(*connection) (int, error)) (code int, err error) {
	c, err := inv.connect(ctx, t, bare)
	if c == nil {
		return ExitFailed, err
	}
	defer func() {
		if closeErr := c.close(); closeErr != nil {
			err = errors.Join(err, closeErr)
			code = max(code, ExitFailed)
		}
	}()
	if err != nil {
		return ExitFailed, err
	}
	return fn(c)
}
