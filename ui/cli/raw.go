package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/pflag"

	"mcploupe/protocol"
	"mcploupe/recorder"
)

func rawVerb() verb {
	return verb{
		name: "raw", args: "TARGET [MESSAGE...] [flags] | [MESSAGE...] [flags] -- COMMAND [ARGS...]",
		does: "send messages exactly as typed, valid or not, and print what comes back",
		more: "Messages are arguments, or the lines of standard input when there are none. What comes back is printed\n" +
			"as it came, one message a line. The verb ends when every request has its answer and nothing more has\n" +
			"come for the time of --wait. Exit code 1 means that a request stayed without an answer.",
		example: `mcploupe raw --no-handshake '{"jsonrpc":"2.0","id":1,"method":"ping"}' -- npx -y @modelcontextprotocol/server-everything stdio`,
		flags: func(o *options, f *pflag.FlagSet) {
			targetFlags(o, f)
			f.DurationVar(&o.wait, "wait", 500*time.Millisecond, "how long to wait for more after the last answer")
			f.BoolVar(&o.bare, "no-handshake", false, "send nothing of our own: neither discover nor initialize")
		},
		run: runRaw,
	}
}

// defaultAnswerLimit is how long raw waits for an answer without --timeout.
const defaultAnswerLimit = 60 * time.Second

func runRaw(ctx context.Context, inv *invocation) (int, error) {
	t, messages, err := inv.target()
	if err != nil {
		return ExitFailed, err
	}
	if inv.opts.timeout == 0 {
		inv.opts.timeout = defaultAnswerLimit
	}
	return inv.finish(ctx, t, inv.opts.bare, func(c *connection) (int, error) {
		listen := newListener(c, inv)
		send := func(raw []byte) error {
			if m := protocol.Parse(raw); m.Kind == protocol.Request {
				listen.expect(m.ID)
			}
			if err := c.Write(ctx, raw); err != nil {
				return fmt.Errorf("send %s: %w", bytes.TrimSpace(raw), err)
			}
			return nil
		}
		for _, m := range messages {
			if err := send([]byte(m)); err != nil {
				return ExitFailed, err
			}
		}
		if len(messages) == 0 {
			if err := eachLine(inv.In, send); err != nil {
				return ExitFailed, err
			}
		}
		return listen.drain(ctx)
	})
}

// eachLine hands on the lines of r without their line feed; lines may have any
// length.
func eachLine(r io.Reader, fn func([]byte) error) error {
	buffered := bufio.NewReader(r)
	for {
		line, err := buffered.ReadBytes('\n')
		if line = bytes.TrimSuffix(line, []byte("\n")); len(line) > 0 {
			if fnErr := fn(line); fnErr != nil {
				return fnErr
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read messages from standard input: %w", err)
		}
	}
}

// listener prints what comes in by reading the recording as it grows.
type listener struct {
	c       *connection
	inv     *invocation
	next    uint64               // first event not looked at yet
	pending map[protocol.ID]bool // requests without an answer
	seen    []jsontext.Value     // for --json
	wake    <-chan struct{}
	stop    func()
}

func newListener(c *connection, inv *invocation) *listener {
	wake, stop := c.log.Watch()
	return &listener{c: c, inv: inv, next: c.log.Len() + 1, pending: map[protocol.ID]bool{}, wake: wake, stop: stop}
}

func (l *listener) expect(id protocol.ID) { l.pending[id] = true }

// drain reads until all is answered and quiet, or the limit is over.
func (l *listener) drain(ctx context.Context) (int, error) {
	defer l.stop()
	limit := time.NewTimer(l.inv.opts.timeout)
	defer limit.Stop()
	quiet := time.NewTimer(l.inv.opts.wait)
	defer quiet.Stop()
	for {
		came, err := l.take()
		if err != nil {
			return ExitFailed, err
		}
		if came {
			quiet.Reset(l.inv.opts.wait)
		}
		select {
		case <-ctx.Done():
			return ExitFailed, ctx.Err()
		case <-l.wake:
		case <-limit.C:
			return l.end()
		case <-quiet.C:
			if len(l.pending) == 0 {
				return l.end()
			}
		}
	}
}

// take prints the events that are new.
func (l *listener) take() (came bool, err error) {
	for ; l.next <= l.c.log.Len(); l.next++ {
		head := l.c.log.Head(l.next)
		if head.Dir != recorder.In || head.Kind != recorder.KindMessage && head.Kind != recorder.KindBad {
			continue
		}
		event, err := l.c.log.Read(l.next, 0)
		if err != nil {
			return came, fmt.Errorf("read event %d of the recording: %w", l.next, err)
		}
		came = true
		if m := protocol.Parse(event.Data); m.Kind == protocol.Result || m.Kind == protocol.Error {
			delete(l.pending, m.ID)
		}
		if l.inv.opts.json {
			v := jsontext.Value(event.Data)
			if head.Kind == recorder.KindBad || checkJSON(v) != nil {
				v = protocol.QuoteString(string(event.Data))
			}
			l.seen = append(l.seen, bytes.Clone(v))
		} else if _, err := fmt.Fprintf(l.inv.Out, "%s\n", event.Data); err != nil {
			return came, fmt.Errorf("print: %w", err)
		}
	}
	return came, nil
}

func (l *listener) end() (int, error) {
	if l.inv.opts.json {
		var d document
		d.put("received", array(l.seen))
		if err := printValue(l.inv.Out, d.value()); err != nil {
			return ExitFailed, err
		}
	}
	if len(l.pending) == 0 {
		return ExitOK, nil
	}
	for id := range l.pending {
		fmt.Fprintf(l.inv.Err, "mcploupe: the request with id %s got no answer in %s\n", id, l.inv.opts.timeout)
	}
	return ExitFound, nil
}
