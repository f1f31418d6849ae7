//go:build unix

package link

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"mcploupe/protocol"
	"mcploupe/recorder"
	peer "mcploupe/session/sessiontest"
)

// quick is a target for s that is not patient at the end.
func quick(t testing.TB, s peer.Script) StdioTarget {
	t.Helper()
	command, args, env := s.Command(t)
	return StdioTarget{Command: command, Args: args, Env: env, StopGrace: 3 * time.Second, KillGrace: 3 * time.Second}
}

func start(t testing.TB, target StdioTarget, w *witness) *StdioLink {
	t.Helper()
	l, err := StartStdio(ctxFor(t), target, w, w)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l.(*StdioLink)
}

func TestStdioExchangeAndOrderlyEnd_STD01_STD10(t *testing.T) {
	w := newWitness()
	l := start(t, quick(t, peer.Server()), w)
	if l.PID() == 0 || l.Name() != "stdio" {
		t.Fatalf("pid %d, name %q", l.PID(), l.Name())
	}
	raw := []byte(`{"jsonrpc":"2.0","id":9007199254740993,"method":"ping","x":1.0}`)
	if err := l.Send(ctxFor(t), raw, SendOptions{}); err != nil {
		t.Fatal(err)
	}
	in := w.answerTo(t, 9007199254740993)
	if string(in.Raw) != `{"jsonrpc":"2.0","id":9007199254740993,"result":{}}` || in.Channel != "stdio" || !in.For.IsZero() {
		t.Errorf("in %+v %s", in, in.Raw)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	if err := l.Close(); err != nil {
		t.Errorf("second Close: %v", err)
	}
	if e := l.Exit(); e == nil || e.Code != 0 || e.Signal != "" {
		t.Errorf("exit %+v", e)
	}
	var kinds []string
	for _, e := range w.log() {
		switch f := e.Fields.(type) {
		case *recorder.StateChange:
			kinds = append(kinds, f.State)
		default:
			kinds = append(kinds, e.Dir.String()+" "+string(e.Data))
		}
	}
	want := []string{"starting", "started", "out " + string(raw), "in " + string(in.Raw), "exited"}
	if strings.Join(kinds, "|") != strings.Join(want, "|") {
		t.Errorf("events %q", kinds)
	}
	if len(w.down()) != 0 {
		t.Errorf("Down after Close: %+v", w.down())
	}
	if err := l.Send(ctxFor(t), raw, SendOptions{}); !errors.Is(err, ErrClosed) {
		t.Errorf("Send after Close: %v", err)
	}
}

// Line ends, blank lines, noise, batches and a last line without an end are
// handed on and can be put together again byte for byte.
func TestStdioOutputIsExact_STD16_STD17(t *testing.T) {
	pieces := []string{
		"INFO starting\n", "\n", "{\"jsonrpc\":\"2.0\",\"method\":\"a\"}\r\n", "\r\n", "x\r\n", "plain\n", "\r\r\n", "  \n",
		"[{\"jsonrpc\":\"2.0\",\"method\":\"b\"},{\"jsonrpc\":\"2.0\",\"method\":\"c\"}]\n",
		"\xff\xfe\x00bin\n", "{\"half\":", "\"line\"}\n", "\ufeff{}\n", "no end",
	}
	s := peer.Script{}
	for _, p := range pieces {
		s.Steps = append(s.Steps, peer.Raw(p))
	}
	s.Steps = append(s.Steps, peer.Exit(0))
	w := newWitness()
	l := start(t, quick(t, s), w)
	w.await(t, "the end", func() bool { return len(w.downs) == 1 })
	all := strings.Join(pieces, "")
	if got := w.output(); got != all {
		t.Errorf("from the log:\n%q\nwritten:\n%q", got, all)
	}
	if lines := strings.Count(all, "\n") + 1; len(w.in()) != lines {
		t.Errorf("%d lines received of %d", len(w.in()), lines)
	}
	for _, e := range w.log() {
		if e.Kind == recorder.KindMessage && strings.Contains(string(e.Data), "INFO") || e.Kind == recorder.KindBad && strings.Contains(string(e.Data), "jsonrpc") {
			t.Errorf("wrong kind %d for %q", e.Kind, e.Data)
		}
	}
	_ = l
}

func TestStdioLineOverTheLimit(t *testing.T) {
	const long = 5<<20 + 17
	w := newWitness()
	s := peer.Server()
	s.Steps = []peer.Step{peer.Repeat(long, "x"), peer.Raw("\n"), peer.Raw("{\"jsonrpc\":\"2.0\",\"method\":\"after\"}\n"), peer.Repeat(long, "y")}
	target := quick(t, s)
	target.MaxLine, target.StopGrace = 1<<20, testTimeout // it writes on after Close, which takes a while where others run
	l := start(t, target, w)
	w.await(t, "the message after", func() bool { return len(w.ins) >= 2 })
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	want := strings.Repeat("x", long) + "\n" + `{"jsonrpc":"2.0","method":"after"}` + "\n" + strings.Repeat("y", long)
	if got := w.output(); got != want {
		t.Errorf("%d bytes from the log, %d written", len(got), len(want))
	}
	in := w.in()[0]
	if !in.Cut || len(in.Raw) != cutRaw || len(in.Problems) != 1 || in.Problems[0].Rule != "stdio.line-length" || !strings.Contains(in.Problems[0].Text, strconv.Itoa(long)) {
		t.Errorf("cut %v, %d bytes, %+v", in.Cut, len(in.Raw), in.Problems)
	}
	for _, e := range w.log() {
		if len(e.Data) > target.MaxLine {
			t.Errorf("event of %d bytes", len(e.Data))
		}
	}
}

func TestStdioTakesA20MBLine(t *testing.T) {
	w := newWitness()
	s := peer.Script{Steps: []peer.Step{peer.Raw(`{"jsonrpc":"2.0","id":1,"result":"`), peer.Repeat(20<<20, "z"), peer.Raw("\"}\n")}}
	start(t, quick(t, s), w)
	in := w.answerTo(t, 1)
	if len(in.Raw) < 20<<20 || in.Cut {
		t.Errorf("%d bytes, cut %v", len(in.Raw), in.Cut)
	}
}

func TestStdioBurstLosesNothing_P1(t *testing.T) {
	const n = 100_000
	w := newWitness()
	start(t, quick(t, peer.Script{Steps: []peer.Step{peer.Flood(n), peer.Line(`{"jsonrpc":"2.0","id":7,"result":{}}`)}}), w)
	began := time.Now()
	w.await(t, "the burst", func() bool { return len(w.ins) == n+1 })
	t.Logf("%d notifications in %v", n, time.Since(began))
	for i, in := range w.in()[:n] {
		if want := `"n":` + strconv.Itoa(i+1) + `}`; !bytes.Contains(in.Raw, []byte(want)) {
			t.Fatalf("message %d is %s", i, in.Raw)
		}
	}
}

// A server that does not read must not hold anyone for ever.
func TestStdioSendToADeafServer(t *testing.T) {
	w := newWitness()
	target := quick(t, peer.Script{Steps: []peer.Step{peer.Hang()}})
	target.StopGrace = 20 * time.Millisecond
	l := start(t, target, w)
	big := []byte(`{"jsonrpc":"2.0","method":"x","params":{"s":"` + strings.Repeat("s", 1<<20) + `"}}`)
	ctx, cancel := context.WithCancel(ctxFor(t))
	first := make(chan error, 1)
	go func() { first <- l.Send(ctx, big, SendOptions{}) }()
	w.await(t, "the write", func() bool { return len(w.events) == 3 })
	second, stop := context.WithCancel(ctxFor(t))
	stop()
	if err := l.Send(second, call(2, "x"), SendOptions{}); !errors.Is(err, context.Canceled) || errors.Is(err, ErrUnsure) {
		t.Errorf("second Send: %v", err)
	}
	cancel()
	if err := <-first; !errors.Is(err, context.Canceled) || !errors.Is(err, ErrUnsure) {
		t.Errorf("first Send: %v", err)
	}
	third := make(chan error, 1)
	go func() { third <- l.Send(context.Background(), call(3, "x"), SendOptions{}) }()
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	if err := <-third; !errors.Is(err, ErrClosed) {
		t.Errorf("third Send: %v", err)
	}
	notes := strings.Join(w.notes(), "|")
	if !strings.Contains(notes, "not written: the server does not read") || !strings.Contains(notes, "not written in full") {
		t.Errorf("notes %q", notes)
	}
	if e := l.Exit(); e == nil || e.Signal != "terminated" {
		t.Errorf("exit %+v", e)
	}
}

func TestStdioEnvironment_cases7and8(t *testing.T) {
	t.Setenv("LC_TEST", "inherited")
	t.Setenv("SOME_TOKEN", "not passed on")
	t.Setenv("HOME", "/from/us")
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := newWitness()
	l := start(t, StdioTarget{
		Command: "  sh ", Dir: dir,
		Args: []string{"-c", `printf '%s\n' "$HOME|$LC_TEST|$SOME_TOKEN|$DSN|$PWD|$1|$2"`, "-x", "a b", "--verbose "},
		Env:  []string{"HOME=/mine", "DSN=postgres://h/db?a=b&c=d", "PATH=" + filepath.Dir(sh)},
	}, w)
	w.await(t, "the end", func() bool { return len(w.downs) == 1 })
	want := "/mine|inherited||postgres://h/db?a=b&c=d|" + dir + "|a b|--verbose "
	if len(w.in()) != 1 || string(w.in()[0].Raw) != want {
		t.Errorf("got %q, want %q", w.in()[0].Raw, want)
	}
	_ = l.Close()
	if env := ChildEnv(StdioTarget{InheritEnv: true, Env: []string{"SOME_TOKEN=x"}}); envValue(env, "SOME_TOKEN") != "x" || envValue(env, "LC_TEST") != "inherited" {
		t.Errorf("inherited %q", env)
	}
	t.Setenv("PWD", "/elsewhere")
	if env := ChildEnv(StdioTarget{InheritEnv: true, Dir: dir}); envValue(env, "PWD") != dir {
		t.Errorf("PWD is %q", envValue(env, "PWD"))
	}
}

func TestStdioStartErrorsAreClear(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	plain := write("plain", "x", 0o600)
	script := write("script", "#!/no/such/interpreter\n", 0o700)
	odd := write("odd", "\x00\x01\x02", 0o700)
	write("onpath", "x", 0o600)
	for _, tc := range []struct {
		name   string
		target StdioTarget
		says   []string
	}{
		{"empty", StdioTarget{Command: " "}, []string{"no command"}},
		{"not on PATH", StdioTarget{Command: "no-such-program-here", Env: []string{"PATH=/x:/y"}}, []string{"no-such-program-here was not found on PATH (/x:/y)"}},
		{"no PATH", StdioTarget{Command: "x", Env: []string{"PATH="}}, []string{"PATH is empty"}},
		{"no such file", StdioTarget{Command: "/no/such/file"}, []string{"/no/such/file does not exist"}},
		{"directory", StdioTarget{Command: dir}, []string{"is a directory"}},
		{"not executable", StdioTarget{Command: plain}, []string{plain, "is not executable"}},
		{"not executable on PATH", StdioTarget{Command: "onpath", Env: []string{"PATH=" + dir}}, []string{"is not executable"}},
		{"interpreter", StdioTarget{Command: script}, []string{script, "interpreter"}},
		{"format", StdioTarget{Command: odd}, []string{"not a program for this machine"}},
		{"dir", StdioTarget{Command: "sh", Dir: "/no/such/dir"}, []string{"working directory /no/such/dir"}},
		{"dir is a file", StdioTarget{Command: "sh", Dir: plain}, []string{"is not a directory"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newWitness()
			l, err := StartStdio(ctxFor(t), tc.target, w, w)
			if err == nil {
				_ = l.Close()
				t.Fatal("it started")
			}
			if l != nil {
				t.Errorf("a link %v", l)
			}
			for _, s := range tc.says {
				if !strings.Contains(err.Error(), s) {
					t.Errorf("%q does not say %q", err, s)
				}
			}
		})
	}
}

func TestStdioStderrFloodIsRecordedAndBounded(t *testing.T) {
	w := newWitness()
	text := strings.Repeat("0123456789abcde\n", 8<<10) // 128 KiB
	l := start(t, quick(t, peer.Script{Steps: []peer.Step{peer.Stderr(text), peer.Exit(0)}}), w)
	w.await(t, "the end", func() bool { return len(w.downs) == 1 })
	if w.stderr() != text {
		t.Errorf("%d bytes of stderr, %d written", len(w.stderr()), len(text))
	}
	if tail := l.StderrTail(); len(tail) != stderrTail || !strings.HasSuffix(text, tail) {
		t.Errorf("tail of %d bytes", len(tail))
	}
}

// The same framing over any pair of streams, on a fake clock.
func TestAttach_STD18(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, pw := peer.Server().With("tools/call slow", peer.Delay(time.Hour), peer.Reply(peer.CallResult)).Pipe(t)
		w := newWitness()
		l := Attach(r, pw, StdioTarget{}, w, w)
		began := time.Now()
		if err := l.Send(t.Context(), call(1, "slow"), SendOptions{}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if len(w.in()) != 0 {
			t.Fatal("answered at once")
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if len(w.in()) != 1 || time.Since(began) != time.Hour {
			t.Fatalf("%d answers after %v", len(w.in()), time.Since(began))
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
		if len(w.down()) != 0 {
			t.Errorf("downs %+v", w.down())
		}
	})
	synctest.Test(t, func(t *testing.T) {
		r, pw := peer.Script{Steps: []peer.Step{peer.Expect("*"), peer.Exit(0)}}.Pipe(t)
		w := newWitness()
		l := Attach(r, pw, StdioTarget{}, w, w)
		if err := l.Send(t.Context(), call(1, "x"), SendOptions{}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if len(w.down()) != 1 {
			t.Errorf("downs %+v", w.down())
		}
		_ = l.Close()
	})
}

func TestMessageKind(t *testing.T) {
	for text, want := range map[string]recorder.EventKind{
		`{"a":1,"a":2}`: recorder.KindMessage, `[1]`: recorder.KindMessage, ` 1 `: recorder.KindMessage,
		``: recorder.KindBad, `{`: recorder.KindBad, "\"\xff\"": recorder.KindBad, `{} {}`: recorder.KindBad,
		`{"jsonrpc":"2.0","method":"x"} trailing`: recorder.KindMessage,
	} {
		if got := messageKind([]byte(text)); got != want {
			t.Errorf("%q: %d", text, got)
		}
	}
	if p := problem("r", protocol.Info, "t"); p.Offset != -1 {
		t.Errorf("%+v", p)
	}
}
