package interop

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"mcploupe/recorder"
)

// A file that is cut says so; what stands before the cut is there.
func TestCutFiles(t *testing.T) {
	for name, events := range map[string]int{"browser.har": 4, "inspector-protocol.json": 2} {
		b, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		l, r := importText(t, string(b[:len(b)-len(b)/5]))
		if int(l.Len()) < events || r.SkippedN == 0 || !strings.Contains(r.Skipped[len(r.Skipped)-1].Text, "the file ends there") {
			t.Errorf("%s: %d events, %+v", name, l.Len(), r.Skipped)
		}
	}
}

// What is no such file is an error, and leaves no recording.
func TestNothingToImport(t *testing.T) {
	for _, text := range []string{"", "hello", `{"log":{"version":"1.2"}}`, `{"log":{"entries":{}}}`, `{"log":{"entries":[{"a"`, "{}"} {
		path := filepath.Join(t.TempDir(), "x"+recorder.Ext)
		l, r, err := Create(context.Background(), strings.NewReader(text), "the file", path, Options{})
		if err == nil || l != nil || !strings.Contains(err.Error(), "the file") {
			t.Errorf("%q: %v, %+v", text, err, r)
		}
		if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%q left a recording: %v", text, err)
		}
	}
}

// generated makes a file piece by piece.
type generated struct {
	piece func(n int) string
	n     int
	rest  string
}

func (g *generated) Read(b []byte) (int, error) {
	for g.rest == "" {
		if g.rest = g.piece(g.n); g.rest == "" {
			return 0, io.EOF
		}
		g.n++
	}
	n := copy(b, g.rest)
	g.rest = g.rest[n:]
	return n, nil
}

// 60 MB of entries go through a bounded part of memory: what waits to be put in
// order and what waits for the disk.
func TestBigFilesAreStreamed(t *testing.T) {
	const entries = 600
	body := strings.Repeat("x", 100_000)
	start := time.Date(2026, 7, 28, 10, 0, 0, 0, time.UTC)
	peak := uint64(0)
	r := &generated{piece: func(n int) string {
		if n%100 == 0 {
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			peak = max(peak, m.HeapAlloc)
		}
		switch {
		case n == 0:
			return `{"log":{"entries":[`
		case n > entries:
			return ""
		}
		end := ","
		if n == entries {
			end = "]}}"
		}
		return fmt.Sprintf(`{"startedDateTime":%q,"time":1,"request":{"method":"POST","url":"http://h/","headers":[],"postData":{"text":"{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"x\",\"params\":\"%s\"}"}},"response":{"status":202,"headers":[],"content":{}}}%s`,
			start.Add(time.Duration(n)*time.Second).Format(time.RFC3339), n, body, end)
	}}
	read := int64(0)
	l, report, err := Create(context.Background(), r, "big", filepath.Join(t.TempDir(), "x"+recorder.Ext), Options{Progress: func(n int64) { read = n }})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if report.Messages != entries || l.Len() != 4*entries || read < entries*int64(len(body)) {
		t.Errorf("%+v, %d events, %d bytes read", report, l.Len(), read)
	}
	if peak > 150<<20 {
		t.Errorf("%d MB of heap", peak>>20)
	}
}

// A line that is too long is cut, and the next one is read.
func TestOverlongLinesAreCut(t *testing.T) {
	var got []string
	text := "a\n" + strings.Repeat("b", 3<<20) + "\nccc\n" + strings.Repeat("d", 2<<20)
	err := eachLine(strings.NewReader(text), 1<<20, func(n int, line []byte, cut bool) error {
		got = append(got, fmt.Sprintf("%d:%c:%d:%v", n, line[0], len(line), cut))
		return nil
	})
	if want := "1:a:1:false 2:b:1048576:true 3:c:3:false 4:d:1048576:true"; err != nil || strings.Join(got, " ") != want {
		t.Errorf("%q, %v", got, err)
	}
}

func TestImportIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	path := filepath.Join(t.TempDir(), "x"+recorder.Ext)
	r := &generated{piece: func(n int) string {
		if n == 100_000 {
			cancel()
		}
		return `{"jsonrpc":"2.0","method":"x"}` + "\n"
	}}
	if _, _, err := Create(ctx, r, "endless", path, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a recording is left: %v", err)
	}
}

// Into a recording that is there already, times count from the first event when
// that is earlier.
func TestImportIntoARecording(t *testing.T) {
	l := record(t, "http", nil)
	b, err := os.ReadFile("testdata/browser.har")
	if err != nil {
		t.Fatal(err)
	}
	r, err := Import(context.Background(), strings.NewReader(string(b)), "browser.har", l)
	if err != nil || int(l.Len()) != r.Events || l.Head(1).Time != 1 || l.Head(5).Time != 150*time.Millisecond {
		t.Errorf("%+v %v: %d events, first at %s", r, err, l.Len(), l.Head(1).Time)
	}
	text, _ := exportText(t, stdioLog(t), Recording)
	copied := record(t, "stdio", nil)
	if r, err := Import(context.Background(), strings.NewReader(text), "x", copied); err != nil || r.Format != Recording || r.Messages != len(texts) {
		t.Errorf("%+v %v", r, err)
	}
}

func TestLineReader(t *testing.T) {
	var got []string
	text := "a\r\n\n" + strings.Repeat("b", 200_000) + "\nc"
	err := eachLine(iotest{strings.NewReader(text)}, maxValue, func(n int, line []byte, cut bool) error {
		got = append(got, fmt.Sprintf("%d:%d:%v", n, len(line), cut))
		return nil
	})
	if want := "1:1:false 3:200000:false 4:1:false"; err != nil || strings.Join(got, " ") != want {
		t.Errorf("%q, %v", got, err)
	}
}

// iotest reads a few bytes at a time.
type iotest struct{ r io.Reader }

func (i iotest) Read(b []byte) (int, error) { return i.r.Read(b[:min(len(b), 7)]) }
