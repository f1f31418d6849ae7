//go:build unix

package link

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"mcploupe/recorder"
	peer "mcploupe/session/sessiontest"
)

// kept is a writer that a test reads while it is written to.
type kept struct {
	mu   sync.Mutex
	b    bytes.Buffer
	wake chan struct{}
}

func newKept() *kept { return &kept{wake: make(chan struct{}, 1)} }

func (k *kept) Write(b []byte) (int, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.b.Write(b)
	select {
	case k.wake <- struct{}{}:
	default:
	}
	return len(b), nil
}

func (k *kept) String() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.b.String()
}

func (k *kept) await(t testing.TB, text string) {
	t.Helper()
	ctx := ctxFor(t)
	for !strings.Contains(k.String(), text) {
		select {
		case <-k.wake:
		case <-ctx.Done():
			t.Fatalf("%q did not come: %q", text, k.String())
		}
	}
}

// What a client says arrives byte for byte, and what the server answers too:
// noise, line ends, blank lines and a last line without an end. The log has both.
func TestRelayHandsOnEveryByte_STD16_STD17(t *testing.T) {
	input := "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n\n{\"a\":1.0}\r\nnoise \xff\xfe\r\n{\"half\":\n\"line\"}\nno end"
	w, out := newWitness(), newKept()
	exit, err := RelayStdio(ctxFor(t), StdioTarget{Command: "cat"}, Client{In: strings.NewReader(input), Out: out, Err: io.Discard}, w)
	if err != nil || exit.Code != 0 {
		t.Fatalf("%+v %v", exit, err)
	}
	if out.String() != input {
		t.Errorf("the client got\n%q of\n%q", out, input)
	}
	for dir, name := range map[recorder.Direction]string{recorder.Out: "sent", recorder.In: "answered"} {
		if got := w.wrote(dir); got != input {
			t.Errorf("%s, from the log:\n%q\nwent by:\n%q", name, got, input)
		}
	}
}

// A line that is too long to hold is recorded in pieces and goes on whole.
func TestRelayHandsOnALineOverTheLimit(t *testing.T) {
	input := `{"x":"` + strings.Repeat("y", 3<<20) + "\"}\n{}\n"
	w, out := newWitness(), newKept()
	if _, err := RelayStdio(ctxFor(t), StdioTarget{Command: "cat", MaxLine: 1 << 20}, Client{In: strings.NewReader(input), Out: out, Err: io.Discard}, w); err != nil {
		t.Fatal(err)
	}
	if out.String() != input {
		t.Errorf("the client got %d bytes of %d", len(out.String()), len(input))
	}
	for _, note := range w.notes() {
		if strings.Contains(note, "over the limit") {
			return
		}
	}
	t.Errorf("no note of the long line: %q", w.notes())
}

// Standard error goes on as it comes, the exit code is told, and a server that
// ends by itself ends the relay although the client still listens.
func TestRelayEndsWithTheServer_P8(t *testing.T) {
	s := peer.Script{Steps: []peer.Step{peer.Stderr("on the way\n"), peer.Expect("go"), peer.Reply(`{}`), peer.Exit(3)}}
	in, say := io.Pipe()
	w, out, errs := newWitness(), newKept(), newKept()
	done := make(chan error, 1)
	var exit Exit
	go func() {
		var err error
		exit, err = RelayStdio(ctxFor(t), quick(t, s), Client{In: in, Out: out, Err: errs}, w)
		done <- err
	}()
	errs.await(t, "on the way\n")
	if _, err := say.Write([]byte(`{"jsonrpc":"2.0","id":7,"method":"go"}` + "\n")); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil || exit.Code != 3 {
		t.Errorf("%+v %v", exit, err)
	}
	if want := `{"jsonrpc":"2.0","id":7,"result":{}}` + "\n"; out.String() != want {
		t.Errorf("got %q", out)
	}
	if w.stderr() != "on the way\n" || len(w.states("exited")) != 1 {
		t.Errorf("the log says %q, %d exits", w.stderr(), len(w.states("exited")))
	}
	if _, err := say.Write([]byte("x")); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("the client's input is still open: %v", err)
	}
}

// A server that ignores the end of its input goes on as it would without the
// relay, until the client ends the program.
func TestRelayIsEndedByItsContext_STD10(t *testing.T) {
	s := peer.Script{Steps: []peer.Step{peer.IgnoreEOF(), peer.Line("{}"), peer.Hang()}}
	target := quick(t, s)
	target.StopGrace = 50 * time.Millisecond
	ctx, end := context.WithCancel(ctxFor(t))
	w, out := newWitness(), newKept()
	done := make(chan error, 1)
	go func() {
		_, err := RelayStdio(ctx, target, Client{In: strings.NewReader(""), Out: out, Err: io.Discard}, w)
		done <- err
	}()
	out.await(t, "{}\n")
	end()
	if err := <-done; err != nil {
		t.Error(err)
	}
	exits := w.states("exited")
	if len(exits) != 1 || exits[0].Signal == "" {
		t.Errorf("exits %+v", exits)
	}
	gone(t, exits[0].PID)
}

// deaf takes nothing.
type deaf struct{}

func (deaf) Write([]byte) (int, error) { return 0, syscall.EPIPE }

func TestRelayEndsWhenTheClientTakesNothing(t *testing.T) {
	in, say := io.Pipe() // stays open: only the output is gone
	defer say.Close()
	w := newWitness()
	if _, err := RelayStdio(ctxFor(t), quick(t, peer.Script{Steps: []peer.Step{peer.Line("{}")}}), Client{In: in, Out: deaf{}, Err: io.Discard}, w); err != nil {
		t.Fatal(err)
	}
	if notes := strings.Join(w.notes(), "\n"); !strings.Contains(notes, "takes no output any more") {
		t.Errorf("notes %q", notes)
	}
	if got := w.output(); got != "{}\n" {
		t.Errorf("recorded %q", got)
	}
}

// A client that does not read holds the server up, and not the end of the relay.
func TestRelayEndsThoughTheClientDoesNotRead(t *testing.T) {
	unread, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer unread.Close()
	defer out.Close()
	ctx, end := context.WithCancel(ctxFor(t))
	w := newWitness()
	done := make(chan error, 1)
	go func() {
		_, err := RelayStdio(ctx, quick(t, peer.Script{Steps: []peer.Step{peer.Flood(50_000)}}), Client{In: strings.NewReader(""), Out: out, Err: io.Discard}, w)
		done <- err
	}()
	w.await(t, "the first of the flood", func() bool { return len(w.events) > 100 })
	end()
	if err := <-done; err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Error(err)
	}
}

func TestRelayOfNoProgram(t *testing.T) {
	_, err := RelayStdio(ctxFor(t), StdioTarget{Command: "no-such-program-here"}, Client{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}, newWitness())
	if err == nil || !strings.Contains(err.Error(), "no-such-program-here") {
		t.Errorf("%v", err)
	}
}
