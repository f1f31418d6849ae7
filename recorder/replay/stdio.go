package replay

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"mcploupe/protocol"
)

const (
	maxLine     = 64 << 20        // of one message, in bytes
	lastAnswers = 3 * time.Second // that answers are waited for when the input has ended
)

var errLongLine = fmt.Errorf("a line of more than %d bytes", maxLine)

// ServeStdio serves one client over a pair of pipes, one message a line. It
// returns nil when the client leaves, that is when in ends or out takes no more,
// and the context's error when ctx ends first. It closes both pipes.
func (s *Server) ServeStdio(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	w := &lineWriter{w: out}
	c := s.converse(w.send)
	var serving sync.WaitGroup
	// Closed pipes free whoever reads or writes.
	closePipes := sync.OnceValue(func() error { return errors.Join(in.Close(), out.Close()) })
	defer context.AfterFunc(ctx, func() { _ = closePipes() })()
	defer context.AfterFunc(s.ctx, cancel)()
	start := func(f func()) {
		serving.Add(1)
		if !s.spawn(func() { defer serving.Done(); f() }) {
			serving.Done()
		}
	}
	err := readLines(in, func(line []byte) error {
		m := protocol.Parse(line)
		if m.Kind != protocol.Batch {
			c.takeLine(ctx, m, w, start)
			return w.failed()
		}
		for _, item := range m.Items {
			c.takeLine(ctx, item, w, start)
		}
		return w.failed()
	})
	if stopped := ctx.Err(); stopped != nil {
		serving.Wait()
		_ = closePipes()
		return stopped
	}
	// A subscription would keep the client that left waiting, the rest is worth its answer.
	c.endOfInput()
	patience := time.AfterFunc(lastAnswers, cancel)
	serving.Wait()
	patience.Stop()
	_ = closePipes()
	if w.failed() != nil || errors.Is(err, io.EOF) {
		return nil
	}
	return fmt.Errorf("serving over stdio: %w", err)
}

func readLines(in io.Reader, take func([]byte) error) error {
	b := bufio.NewReaderSize(in, 64<<10)
	var line []byte
	for {
		part, err := b.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > maxLine {
			return errLongLine
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if trimmed := bytes.TrimSpace(line); len(trimmed) > 0 {
			if takeErr := take(bytes.Clone(trimmed)); takeErr != nil {
				return takeErr
			}
		}
		if err != nil {
			return err
		}
		line = line[:0]
	}
}

// takeLine handles one message that is no batch.
func (c *conversation) takeLine(ctx context.Context, m protocol.Message, w *lineWriter, start func(func())) {
	switch m.Kind {
	case protocol.Request:
		start(func() {
			answer, after := c.handle(ctx, m, w.send)
			if answer != nil && w.send(answer) == nil && after != nil {
				after(ctx)
			}
		})
	case protocol.Notification:
		c.notified(m)
	case protocol.Result, protocol.Error:
		c.reply(m)
	default:
		_ = w.send(invalid(m)) // the next message finds out if nobody reads
	}
}

// invalid answers what is no message.
func invalid(m protocol.Message) []byte {
	code, text := protocol.CodeInvalidRequest, "This is not a JSON-RPC message"
	if !protocol.Valid(m.Raw) {
		code, text = protocol.CodeParse, "This is not JSON"
	}
	return protocol.NewError(m.ID, code, text, nil)
}

// lineWriter writes whole lines.
type lineWriter struct {
	mu  sync.Mutex
	w   io.Writer
	err error
}

func (w *lineWriter) send(raw []byte) error {
	line := append(bytes.TrimRight(bytes.ReplaceAll(raw, []byte{'\n'}, []byte{' '}), "\r "), '\n')
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		_, w.err = w.w.Write(line)
	}
	return w.err
}

func (w *lineWriter) failed() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}
