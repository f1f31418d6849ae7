package link

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"mcploupe/protocol"
	"mcploupe/recorder"
)

// StdioTarget says which process to start and how.
type StdioTarget struct {
	Command    string        // name or path; looked up on the PATH that the child gets
	Args       []string      // passed as they are, no shell
	Env        []string      // KEY=VALUE; wins over everything else
	InheritEnv bool          // start from the whole environment of this process instead of DefaultEnv
	Dir        string        // working directory, "" for ours
	MaxLine    int           // bytes of one line that are held in memory; default DefaultMaxLine
	StopGrace  time.Duration // from closing stdin to SIGTERM; default 2 s
	KillGrace  time.Duration // from SIGTERM to SIGKILL; default 2 s
}

// DefaultMaxLine is the longest line that is handed on whole.
const DefaultMaxLine = 128 << 20

const (
	defaultGrace = 2 * time.Second
	stdioName    = "stdio"
	// cutRaw is how much of a line over the limit a Handler gets.
	cutRaw = 64 << 10
)

func (t *StdioTarget) setDefaults() {
	if t.MaxLine <= 0 {
		t.MaxLine = DefaultMaxLine
	}
	if t.StopGrace <= 0 {
		t.StopGrace = defaultGrace
	}
	if t.KillGrace <= 0 {
		t.KillGrace = defaultGrace
	}
}

// StdioLink is a link to a child process, or to a byte stream that uses the
// same framing (STD-18).
//
// Every line is one event in the log, its line end taken off. A note says when
// lines begin to end differently from before (LF at first), and when the last
// one had no end, so that the log has every byte.
type StdioLink struct {
	target StdioTarget
	log    recorder.Appender
	h      Handler
	in     io.WriteCloser // the child's standard input
	out    io.Reader      // the child's standard output
	err    io.Reader      // its standard error; nil for attached streams
	proc   *process       // nil for attached streams

	writes  chan *write
	closing chan struct{} // closed by Close
	down    chan struct{} // closed when nothing can be sent any more
	close   sync.Once
	wg      sync.WaitGroup
	closeIn sync.Once
}

type write struct {
	raw  []byte
	done chan error
}

// Attach speaks the stdio framing over an existing pair of streams. Close
// closes w, then r if it is an io.Closer.
func Attach(r io.Reader, w io.WriteCloser, t StdioTarget, log recorder.Appender, h Handler) *StdioLink {
	l := newStdio(r, w, t, log, h)
	ended := make(chan struct{})
	l.wg.Go(func() {
		defer close(ended)
		guarded(h, l.read)
	})
	l.wg.Go(func() { guarded(h, l.writeLoop) })
	l.wg.Go(func() { guarded(h, func() { l.superviseStreams(ended) }) })
	return l
}

func newStdio(r io.Reader, w io.WriteCloser, t StdioTarget, log recorder.Appender, h Handler) *StdioLink {
	t.setDefaults()
	return &StdioLink{
		target: t, log: log, h: h, in: w, out: r,
		writes: make(chan *write), closing: make(chan struct{}), down: make(chan struct{}),
	}
}

// Name is "stdio".
func (l *StdioLink) Name() string { return stdioName }

// Send writes raw and a line feed. It returns when the bytes are in the pipe,
// when ctx ends, or when the link is down. A message that the child does not
// take stays first in line, and later ones wait for their own ctx; one that
// never got its turn is in the log with a note that says so.
func (l *StdioLink) Send(ctx context.Context, raw []byte, _ SendOptions) error {
	w := &write{raw: raw, done: make(chan error, 1)}
	var unsent error
	select {
	case <-l.closing: // a closed link takes nothing, even if the writer is still there
		unsent = ErrClosed
	case <-l.down:
		unsent = ErrClosed
	default:
		select {
		case l.writes <- w:
		case <-ctx.Done():
			unsent = fmt.Errorf("the server does not read its input: %w", context.Cause(ctx))
		case <-l.closing:
			unsent = ErrClosed
		case <-l.down:
			unsent = ErrClosed
		}
	}
	if unsent != nil {
		seq := l.log.Append(recorder.Event{Dir: recorder.Out, Kind: messageKind(raw), Channel: stdioName, Data: raw})
		l.note(recorder.Out, seq, "not written: "+unsent.Error())
		return fmt.Errorf("writing to the server: %w", unsent)
	}
	select {
	case err := <-w.done:
		return err
	case <-ctx.Done():
		select {
		case err := <-w.done:
			return err
		default:
		}
		return fmt.Errorf("writing to the server, which does not read its input: %w: %w", ErrUnsure, context.Cause(ctx))
	}
}

// Close ends the child: stdin is closed, then after StopGrace SIGTERM and
// after KillGrace SIGKILL go to its whole process group (STD-10).
func (l *StdioLink) Close() error {
	l.close.Do(func() { close(l.closing) })
	l.wg.Wait()
	if l.proc != nil {
		return l.proc.killErr
	}
	return nil
}

// writeLoop is the only writer, so that messages never mix and the log has
// them in the order of the wire.
func (l *StdioLink) writeLoop() {
	for {
		select {
		case w := <-l.writes:
			seq := l.log.Append(recorder.Event{Dir: recorder.Out, Kind: messageKind(w.raw), Channel: stdioName, Data: w.raw})
			line := make([]byte, 0, len(w.raw)+1)
			_, err := l.in.Write(append(append(line, w.raw...), '\n'))
			if err != nil {
				err = fmt.Errorf("writing to the server: %w", err)
				l.note(recorder.Out, seq, "not written in full: "+err.Error())
			}
			w.done <- err
		case <-l.down:
			return
		}
	}
}

// closeInput ends the child's standard input and unblocks a pending write.
func (l *StdioLink) closeInput() {
	l.closeIn.Do(func() { _ = l.in.Close() })
}

// read takes the output apart until it ends.
func (l *StdioLink) read() {
	r := lineReader{link: l, dir: recorder.In, what: "output", hand: l.h.Receive, cut: lineCutter{max: l.target.MaxLine}}
	buf := make([]byte, 64<<10)
	for {
		n, err := l.out.Read(buf)
		r.cut.feed(buf[:n], r.line)
		if err != nil {
			r.cut.end(r.line)
			if !errors.Is(err, io.EOF) && !errors.Is(err, os.ErrClosed) && !errors.Is(err, io.ErrClosedPipe) {
				l.note(recorder.In, 0, "reading the output failed: "+err.Error())
			}
			return
		}
	}
}

// lineReader records what goes one way, line by line.
type lineReader struct {
	link  *StdioLink
	dir   recorder.Direction
	what  string // goes that way
	hand  func(Incoming)
	cut   lineCutter
	usual ending // how lines have ended so far
	first uint64 // event of the first piece of a long line
	head  []byte // its beginning
}

func (r *lineReader) line(p piece) {
	l := r.link
	if p.part > 0 {
		r.long(p)
		return
	}
	seq := l.log.Append(recorder.Event{Dir: r.dir, Kind: messageKind(p.data), Channel: stdioName, Data: p.data})
	r.noteEnding(seq, p)
	r.hand(Incoming{Seq: seq, Raw: p.data, Channel: stdioName})
}

// long records a line over the limit piece by piece; the later pieces name the
// first as their cause.
func (r *lineReader) long(p piece) {
	l := r.link
	e := recorder.Event{Dir: r.dir, Kind: recorder.KindBad, Channel: stdioName, Data: p.data}
	if p.part == 1 {
		r.first = l.log.Append(e)
		r.head = append([]byte(nil), p.data[:min(len(p.data), cutRaw)]...)
	} else {
		e.Cause = r.first
		l.log.Append(e)
	}
	if !p.last {
		return
	}
	text := fmt.Sprintf("a line of %d bytes, over the limit of %d, recorded in %d pieces", p.total, l.target.MaxLine, p.part)
	l.note(r.dir, r.first, text)
	r.noteEnding(r.first, p)
	r.hand(Incoming{
		Seq: r.first, Raw: r.head, Cut: true, Channel: stdioName,
		Problems: []protocol.Problem{problem("stdio.line-length", protocol.Violation, text)},
	})
	r.head = nil
}

func (r *lineReader) noteEnding(seq uint64, p piece) {
	switch {
	case p.end == endNone:
		r.link.note(r.dir, seq, "the "+r.what+" ended without a line feed")
	case p.end != r.usual:
		r.usual = p.end
		r.link.note(r.dir, seq, "lines end with "+p.end.String()+" from here on")
	}
}

// superviseStreams is the life of a link that has no process.
func (l *StdioLink) superviseStreams(ended <-chan struct{}) {
	select {
	case <-l.closing:
	case <-ended:
	}
	close(l.down)
	l.closeInput()
	if c, ok := l.out.(io.Closer); ok {
		_ = c.Close()
	}
	<-ended
	select {
	case <-l.closing:
	default:
		l.h.Down(Down{Err: errors.New("the other side ended the stream")})
	}
}

func (l *StdioLink) note(dir recorder.Direction, cause uint64, text string) {
	l.log.Append(recorder.Event{Dir: dir, Kind: recorder.KindNote, Channel: stdioName, Cause: cause, Data: []byte(text)})
}
