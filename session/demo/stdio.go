package demo

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// maxLine bounds one message, in bytes.
	maxLine = 64 << 20
	// lastAnswers is how long answers still under way are waited for once the input has ended.
	lastAnswers = 3 * time.Second
)

// ServeStdio is the demo over a pair of pipes: one JSON-RPC message a line. It returns nil when the client leaves, that is
// when in ends or out takes no more, and the context's error when ctx ends first; either way it closes both pipes. A line that is not a message is answered with an error, and the next one is read.
func ServeStdio(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	s, err := newStation(ownPages)
	if err != nil {
		return errors.Join(err, in.Close(), out.Close())
	}
	w := &lineWriter{w: out, answered: make(chan struct{}, 1)}
	r := &lineReader{in: in, buf: bufio.NewReaderSize(in, 64<<10), out: w}
	session, err := s.server.Connect(ctx, &mcp.IOTransport{Reader: r, Writer: w, MaxLineLength: -1}, nil)
	if err != nil {
		return errors.Join(fmt.Errorf("starting the session: %w", err), s.close(), in.Close(), out.Close())
	}
	// Closed pipes free whoever reads or writes, also a write to a client that does not read.
	stop := context.AfterFunc(ctx, func() { in.Close(); out.Close() })
	defer stop()
	err = session.Wait()
	if closeErr := s.close(); err == nil {
		err = closeErr
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil && !w.abandoned() {
		return fmt.Errorf("serving over stdio: %w", err)
	}
	return nil
}

// A lineReader passes on the lines that are JSON-RPC messages, with answer texts kept, and answers the others itself. Its
// caller is the one goroutine in which the SDK reads.
type lineReader struct {
	in    io.Closer
	buf   *bufio.Reader
	out   *lineWriter
	rest  []byte
	calls int // requests passed on that will be answered
}

func (r *lineReader) Read(p []byte) (int, error) {
	for len(r.rest) == 0 {
		line, err := readLine(r.buf)
		if line = bytes.TrimSpace(line); len(line) > 0 {
			r.take(line)
		}
		if err != nil && len(r.rest) == 0 {
			if errors.Is(err, io.EOF) {
				r.out.await(r.calls, lastAnswers)
			}
			return 0, err
		}
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

func (r *lineReader) Close() error { return r.in.Close() }

func (r *lineReader) take(line []byte) {
	if !isJSON(line) {
		r.out.refuse(jsonrpc.CodeParseError, "this line is not JSON")
		return
	}
	items, isBatch := elements(line)
	if !isBatch {
		items = []jsontext.Value{line}
	}
	calls := 0
	for _, item := range items {
		msg, err := jsonrpc.DecodeMessage(item)
		if err != nil {
			r.out.refuse(jsonrpc.CodeInvalidRequest, "this is not a JSON-RPC message: "+err.Error())
			return
		}
		req, ok := msg.(*jsonrpc.Request)
		switch {
		case !ok || req.Method == "subscriptions/listen": // which ends with the connection
		case req.IsCall():
			calls++
		case req.Method == "notifications/cancelled":
			calls--
		}
	}
	if len(items) == 0 {
		r.out.refuse(jsonrpc.CodeInvalidRequest, "a batch has to hold something")
		return
	}
	r.calls += calls
	r.rest = append(keepText(line), '\n')
}

var errLongLine = fmt.Errorf("a line of more than %d bytes", maxLine)

// readLine reads up to a line feed. The last line may lack it; then the error is io.EOF.
func readLine(b *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := b.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > maxLine {
			return nil, errLongLine
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// A lineWriter writes whole lines, from the SDK and from the lineReader, and counts the answers among them.
type lineWriter struct {
	mu       sync.Mutex
	w        io.WriteCloser
	answers  int
	gone     bool          // a write has failed: nobody reads any more
	answered chan struct{} // capacity 1: an answer has gone out
}

// Write takes one or more whole messages.
func (w *lineWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, err := w.w.Write(named(p))
	w.gone = w.gone || err != nil
	w.answers += countAnswers(p)
	select {
	case w.answered <- struct{}{}:
	default:
	}
	if err != nil {
		return 0, err
	}
	return len(p), nil
}

func (w *lineWriter) Close() error { return w.w.Close() }

func (w *lineWriter) abandoned() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.gone
}

// refuse answers something that has no id that could be trusted.
func (w *lineWriter) refuse(code int, message string) {
	text, err := jsontext.AppendQuote(nil, message)
	if err != nil {
		text = []byte(`"not a message"`)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	// If the client no longer reads, the next answer of the SDK ends the session.
	_, _ = fmt.Fprintf(w.w, `{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":%s}}`+"\n", code, text)
}

// await waits until n answers have gone out, but not longer than patience.
func (w *lineWriter) await(n int, patience time.Duration) {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	for {
		w.mu.Lock()
		enough := w.answers >= n
		w.mu.Unlock()
		if enough {
			return
		}
		select {
		case <-w.answered:
		case <-timer.C:
			return
		}
	}
}

// countAnswers counts the responses in what the SDK writes: one message, or a batch of responses.
func countAnswers(p []byte) int {
	if items, ok := elements(p); ok {
		return len(items)
	}
	d := decoder(p)
	if t, err := d.ReadToken(); err != nil || t.Kind() != '{' {
		return 0
	}
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			return 0
		}
		switch name.String() {
		case "result", "error":
			return 1
		case "method":
			return 0
		}
		if err := d.SkipValue(); err != nil {
			return 0
		}
	}
	return 0
}
