package cli

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mcploupe/recorder"
	"mcploupe/session/sessiontest"
	"mcploupe/ui/settings"
)

const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}` + "\n"

// A client that starts the verb talks to the server as if it were not there, and
// what it said is in the folder for recordings.
func TestRecordStandsBetweenClientAndCommand(t *testing.T) {
	data := t.TempDir()
	t.Setenv("XDG_DATA_HOME", data)
	var out, errs bytes.Buffer
	store, err := settings.Load(filepath.Join(t.TempDir(), "settings.json"))
	if err != nil {
		t.Fatal(err)
	}
	code := Run(t.Context(), against(t, sessiontest.Server(), "record"), Env{In: strings.NewReader(hello), Out: &out, Err: &errs, Version: "test",
		Settings: func() (*settings.Store, error) { return store, nil }})
	got := outcome{code, out.String(), errs.String()}
	if got.code != ExitOK || !strings.HasPrefix(got.out, `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion"`) || strings.Count(got.out, "\n") != 1 {
		t.Fatalf("%+v", got)
	}
	files, err := filepath.Glob(filepath.Join(data, "mcploupe", "recordings", "*"+recorder.Ext))
	if err != nil || len(files) != 1 || !strings.Contains(got.err, "recording to "+files[0]) {
		t.Fatalf("%v %v, said %q", files, err, got.err)
	}
	if recent := store.Get().Recent; len(recent) != 1 || recent[0] != files[0] {
		t.Errorf("the window lists %q", recent)
	}
	l, err := recorder.Open(files[0])
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	f, err := recorder.ParseFilter("method:initialize status:ok")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	if err := l.Find(context.Background(), f, 0, 0, func(seqs []uint64) bool { found += len(seqs); return true }); err != nil || found != 2 {
		t.Errorf("initialize and its answer: %d, %v", found, err)
	}
}

// --record takes a file that is new, or a folder.
func TestRecordIntoAFileOrAFolder(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "own"+recorder.Ext)
	if got := run(t, hello, against(t, sessiontest.Server(), "record", "--record", file)...); got.code != ExitOK {
		t.Fatalf("%+v", got)
	}
	was, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got := run(t, hello, against(t, sessiontest.Server(), "record", "--record", file)...); got.code != ExitFailed || got.out != "" || !strings.Contains(got.err, "not overwritten") {
		t.Errorf("the same file again: %+v", got)
	}
	if now, err := os.ReadFile(file); err != nil || string(now) != string(was) {
		t.Errorf("it was changed: %v", err)
	}
	for range 2 { // within a second
		if got := run(t, hello, against(t, sessiontest.Server(), "record", "--record", dir)...); got.code != ExitOK {
			t.Errorf("%+v", got)
		}
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "*"+recorder.Ext)); len(files) != 3 {
		t.Errorf("files %q", files)
	}
}

// A server that fails is the thing found; its standard error is the client's.
func TestRecordTellsHowTheServerEnded(t *testing.T) {
	s := sessiontest.Script{Steps: []sessiontest.Step{sessiontest.Stderr("no licence\n"), sessiontest.Exit(3)}}
	got := run(t, "", against(t, s, "record", "--json", "--record", filepath.Join(t.TempDir(), "x"+recorder.Ext))...)
	if got.code != ExitFound || got.out != "" || !strings.Contains(got.err, "no licence\n") || !strings.Contains(got.err, "exited with code 3") || !strings.Contains(got.err, `"events":`) {
		t.Errorf("%+v", got)
	}
}

func TestRecordRefusesWhatItCannotDo(t *testing.T) {
	for name, x := range map[string]struct{ says, args string }{
		"no target":      {"no target", ""},
		"two targets":    {`"two" is too much`, "http://127.0.0.1:1/ two"},
		"another's port": {"only this machine is served", "http://127.0.0.1:1/ --http 0.0.0.0:0"},
		"no program":     {"no-such-program", "-- no-such-program"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			args := append([]string{"record", "--record", dir}, strings.Fields(x.args)...)
			if got := run(t, "", args...); got.code != ExitFailed || !strings.Contains(got.err, x.says) {
				t.Errorf("%+v", got)
			}
			if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
				t.Errorf("an empty recording is left: %v %v", left, err)
			}
		})
	}
}

// Over HTTP another run of the program is the client.
func TestRecordStandsBetweenClientAndURL(t *testing.T) {
	file := filepath.Join(t.TempDir(), "http"+recorder.Ext)
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	said, says := io.Pipe()
	done := make(chan int, 1)
	go func() {
		done <- Run(ctx, []string{"record", "--record", file, demoURL(t)}, Env{In: strings.NewReader(""), Out: io.Discard, Err: says, Version: "test",
			Settings: func() (*settings.Store, error) { return settings.Load(filepath.Join(t.TempDir(), "settings.json")) }})
		says.Close()
	}()
	address := ""
	buf := make([]byte, 4096)
	for text := ""; address == ""; {
		n, err := said.Read(buf)
		if text += string(buf[:n]); err != nil {
			t.Fatalf("%v after %q", err, text)
		}
		if _, after, ok := strings.Cut(text, "point the client at "); ok {
			address, _, _ = strings.Cut(after, " (")
		}
	}
	rest := make(chan string, 1)
	go func() {
		b, _ := io.ReadAll(said)
		rest <- string(b)
	}()
	if got := run(t, "", "call", address, "count_photons", "--args", `{"photons":9007199254740993}`); got.code != ExitOK || !strings.Contains(got.out, "9007199254740993") {
		t.Errorf("%+v", got)
	}
	stop()
	if code := <-done; code != ExitOK {
		t.Errorf("code %d", code)
	}
	if text := <-rest; !strings.Contains(text, "recorded ") {
		t.Errorf("said %q", text)
	}
	if got := run(t, "", "show", file, "--filter", "tool:count_photons status:ok"); strings.Count(got.out, "count_photons") < 1 {
		t.Errorf("the recording: %+v", got)
	}
}

// What never began is in no list either.
func TestRecordThatNeverBeganIsNotListed(t *testing.T) {
	store, err := settings.Load(filepath.Join(t.TempDir(), "settings.json"))
	if err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if code := Run(t.Context(), []string{"record", "--record", t.TempDir(), "--", "no-such-program"}, Env{In: strings.NewReader(""), Out: &out, Err: &errs, Version: "test",
		Settings: func() (*settings.Store, error) { return store, nil }}); code != ExitFailed {
		t.Errorf("code %d, %s", code, &errs)
	}
	if recent := store.Get().Recent; len(recent) != 0 {
		t.Errorf("the window lists %q", recent)
	}
}
