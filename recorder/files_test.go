package recorder

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestReadHeaderReadsTheFirstLineAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x"+Ext)
	text := `{"format":"mcploupe/1","created":"2026-11-30T03:12:09Z","target":{"name":"a","transport":"stdio"},"app":"test"}` + "\nnot an event\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	h, err := ReadHeader(path)
	if err != nil || h.Target.Name != "a" || h.App != "test" {
		t.Errorf("%+v, %v", h, err)
	}
	if err := os.WriteFile(path, []byte("hello\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadHeader(path); !errors.Is(err, ErrForeign) {
		t.Errorf("a foreign file: %v", err)
	}
	if _, err := ReadHeader(filepath.Dir(path)); !errors.Is(err, ErrForeign) {
		t.Errorf("a folder: %v", err)
	}
}

// A recording that is renamed while it is written goes on under its new name.
func TestRenameWhileWriting(t *testing.T) {
	dir := t.TempDir()
	from, to, taken := filepath.Join(dir, "a"+Ext), filepath.Join(dir, "b"+Ext), filepath.Join(dir, "c"+Ext)
	l, err := Create(from, Header{App: "test"})
	if err != nil {
		t.Fatal(err)
	}
	l.Append(Event{Kind: KindNote, Data: []byte("one")})
	if err := os.WriteFile(taken, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := l.Rename(taken); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a file that is there: %v", err)
	}
	if err := l.Rename(to); err != nil {
		t.Fatal(err)
	}
	l.Append(Event{Kind: KindNote, Data: []byte("two")})
	if l.Path() != to {
		t.Errorf("it says that it is at %s", l.Path())
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(from); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the old name: %v", err)
	}
	again, err := Open(to)
	if err != nil || again.Len() != 2 {
		t.Fatalf("%d events, %v", again.Len(), err)
	}
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
}

// A copy has what was there at the call, and whole lines, while events go on
// being added and whether they are on the disk or not.
func TestCopyWhileWriting(t *testing.T) {
	l, err := Create(filepath.Join(t.TempDir(), "a"+Ext), Header{App: "test"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}()
	stop, done := make(chan struct{}), make(chan struct{})
	first := make(chan struct{})
	go func() {
		defer close(done)
		for i := 0; ; i++ {
			l.Append(Event{Dir: In, Kind: KindMessage, Channel: "stdio", Data: fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"m","params":%d}`, i)})
			if i == 1000 {
				close(first)
			}
			select {
			case <-stop:
				return
			default:
			}
		}
	}()
	<-first
	for range 5 {
		before := l.Len()
		var out bytes.Buffer
		var last, total int64
		err := l.CopyTo(t.Context(), &out, func(d, all int64) { last, total = d, all })
		if err != nil || last != total || total != int64(out.Len()) {
			t.Fatalf("%v: %d of %d, %d bytes", err, last, total, out.Len())
		}
		path := filepath.Join(t.TempDir(), "copy"+Ext)
		if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if c.Len() < before || c.Repaired() != "" {
			t.Errorf("%d events, want at least %d; repaired %q", c.Len(), before, c.Repaired())
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	close(stop)
	<-done
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := l.CopyTo(ctx, &bytes.Buffer{}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
