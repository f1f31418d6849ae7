package link

import (
	"context"
	"errors"
	"fmt"
	"io"

	"mcploupe/recorder"
)

// Client is the client's end of a relay: what it sends comes from In, what the
// server says goes to Out and Err. In is closed at the end if it is an
// io.Closer.
type Client struct {
	In       io.Reader
	Out, Err io.Writer
}

// RelayStdio stands between a client and the process of a server. It records
// what goes by as a link of the client would, and hands on every byte as it
// came: lines both ways, and standard error.
//
// It returns when the process has ended and all it said is handed on. The end of
// the client's output ends the server's input; a client that takes nothing any
// more, and the end of ctx, end the process as Link.Close does. A read of In and,
// once ctx has ended, a write to Out or Err that nothing can interrupt may
// outlast the call.
func RelayStdio(ctx context.Context, t StdioTarget, c Client, log recorder.Appender) (Exit, error) {
	if err := ctx.Err(); err != nil {
		return Exit{}, fmt.Errorf("starting the server: %w", err)
	}
	t.setDefaults()
	p, in, err := startProcess(t, log)
	if err != nil {
		return Exit{}, err
	}
	over := make(relayed, 1)
	l := newStdio(nil, in, t, log, over)
	l.proc = p
	gone := make(chan error, 2)
	l.out = &handOn{r: p.out, w: c.Out, quit: ctx.Done(), failed: gone}
	l.err = &handOn{r: p.err, w: c.Err, quit: ctx.Done()}
	l.run()
	go l.relayInput(c.In)
	select {
	case <-over:
	case <-ctx.Done():
	case err := <-gone:
		l.note(recorder.In, 0, "the client takes no output any more: "+err.Error())
	}
	err = l.Close()
	if closer, ok := c.In.(io.Closer); ok {
		_ = closer.Close()
	}
	return p.exit, err
}

// relayInput hands the client's lines on, each recorded before.
func (l *StdioLink) relayInput(client io.Reader) {
	defer l.closeInput()
	r := lineReader{link: l, dir: recorder.Out, what: "input", hand: func(Incoming) {}, cut: lineCutter{max: l.target.MaxLine}}
	buf := make([]byte, 64<<10)
	for {
		n, err := client.Read(buf)
		r.cut.feed(buf[:n], r.line)
		if n > 0 {
			if _, writeErr := l.in.Write(buf[:n]); writeErr != nil {
				l.note(recorder.Out, 0, "the server takes no input any more: "+writeErr.Error())
				return
			}
		}
		if err != nil {
			r.cut.end(r.line)
			if !errors.Is(err, io.EOF) {
				l.note(recorder.Out, 0, "reading the client's output failed: "+err.Error())
			}
			return
		}
	}
}

// relayed is the Handler of a relay, which wants to know of the end alone.
type relayed chan Down

func (relayed) Receive(Incoming) {}
func (relayed) Ended(Ended)      {}
func (r relayed) Down(d Down)    { r <- d }

// handOn is a reader whose bytes go on to w, each chunk once the reader is done
// with it: when it asks for the next.
type handOn struct {
	r      io.Reader
	w      io.Writer // nil once it takes nothing any more
	quit   <-chan struct{}
	failed chan<- error // told once; may be nil
	last   []byte
}

func (h *handOn) Read(b []byte) (int, error) {
	h.pass()
	n, err := h.r.Read(b)
	h.last = append(h.last[:0], b[:n]...)
	if err != nil {
		h.pass()
	}
	return n, err
}

// pass writes what was read last, unless quit ends the wait for it.
func (h *handOn) pass() {
	if len(h.last) == 0 || h.w == nil {
		return
	}
	b, w, done := h.last, h.w, make(chan error, 1)
	go func() {
		_, err := w.Write(b)
		done <- err
	}()
	select {
	case err := <-done:
		h.last = h.last[:0]
		if err == nil {
			return
		}
		if h.failed != nil {
			h.failed <- err
		}
	case <-h.quit:
		h.last = nil // the write may still be at it
	}
	h.w = nil
}
