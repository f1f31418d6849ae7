package link

import (
	"context"
	"errors"
	"io"
	"time"

	"mcploupe/recorder"
)

// StdioTarget says which process to start and how.
type StdioTarget struct {
	Command    string        // name or path; looked up on the PATH that the child gets
	Args       []string      // passed as they are, no shell
	Env        []string      // KEY=VALUE; wins over everything else
	InheritEnv bool          // start from the whole environment of this process instead of DefaultEnv
	Dir        string        // working directory, "" for ours
	MaxLine    int           // bytes of one line that are held in memory; default 64 MiB
	StopGrace  time.Duration // from closing stdin to SIGTERM; default 2 s
	KillGrace  time.Duration // from SIGTERM to SIGKILL; default 2 s
}

// StdioLink is a link to a child process, or to a byte stream that uses the
// same framing (STD-18).
type StdioLink struct{}

// StartStdio starts the process and returns when it runs. ctx bounds the start
// only.
func StartStdio(ctx context.Context, t StdioTarget, log recorder.Appender, h Handler) (Link, error) {
	return nil, errors.New("not started")
}

// Attach speaks the stdio framing over an existing pair of streams. Close
// closes w, then r if it is an io.Closer.
func Attach(r io.Reader, w io.WriteCloser, t StdioTarget, log recorder.Appender, h Handler) *StdioLink {
	return &StdioLink{}
}

// PID is the process id of the child, 0 for attached streams.
func (l *StdioLink) PID() int { return 0 }

// Exit is how the child ended, nil while it runs.
func (l *StdioLink) Exit() *Exit { return nil }

// StderrTail is the last of what the child wrote to its standard error, at
// most 16 KiB.
func (l *StdioLink) StderrTail() string { return "" }

// Name is "stdio".
func (l *StdioLink) Name() string { return "stdio" }

// Send writes raw and a line feed. It returns when the bytes are in the pipe,
// when ctx ends, or when the link is down; a message that the child does not
// take stays first in line, and later ones wait for their own ctx.
func (l *StdioLink) Send(ctx context.Context, raw []byte, o SendOptions) error { return ErrClosed }

// Close ends the child: stdin is closed, then after StopGrace SIGTERM and
// after KillGrace SIGKILL go to its whole process group.
func (l *StdioLink) Close() error { return nil }
