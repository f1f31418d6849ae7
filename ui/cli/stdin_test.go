package cli

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"mcploupe/recorder"
	"mcploupe/session/sessiontest"
	"mcploupe/ui/settings"
)

// held is an input that nothing can interrupt, as a terminal's.
type held struct {
	asked chan struct{} // a read is waiting
	free  chan struct{} // ends the test
}

func (h held) Read([]byte) (int, error) {
	close(h.asked)
	<-h.free
	return 0, context.Canceled
}

// seen is a writer that tells when a text has come by.
type seen struct {
	text string
	all  bytes.Buffer
	once sync.Once
	came chan struct{}
}

func (s *seen) Write(b []byte) (int, error) {
	s.all.Write(b)
	if strings.Contains(s.all.String(), s.text) {
		s.once.Do(func() { close(s.came) })
	}
	return len(b), nil
}

// Ctrl+C ends what serves on standard input though nobody types.
func TestVerbsOnStdinEndWhenToldTo(t *testing.T) {
	file := filepath.Join(t.TempDir(), "some"+recorder.Ext)
	if got := run(t, "", "inspect", demoURL(t), "--record", file); got.code != ExitOK {
		t.Fatalf("%+v", got)
	}
	up := sessiontest.Script{Steps: []sessiontest.Step{sessiontest.Stderr("the server is up\n")}}
	for name, args := range map[string][]string{
		"demo": {"demo"}, "serve": {"serve", file}, "record": against(t, up, "record", "--record", t.TempDir()),
	} {
		t.Run(name, func(t *testing.T) {
			in := held{make(chan struct{}), make(chan struct{})}
			defer close(in.free)
			ctx, stop := context.WithCancel(t.Context())
			errs := &seen{text: "the server is up", came: make(chan struct{})}
			done := make(chan int, 1)
			go func() {
				done <- Run(ctx, args, Env{In: in, Out: &bytes.Buffer{}, Err: errs, Version: "test",
					Settings: func() (*settings.Store, error) { return settings.Load(filepath.Join(t.TempDir(), "settings.json")) }})
			}()
			<-in.asked
			if name == "record" {
				<-errs.came
			}
			stop()
			if code := <-done; code != ExitOK {
				t.Errorf("exit code %d", code)
			}
		})
	}
}
