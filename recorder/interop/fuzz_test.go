package interop

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"mcploupe/recorder"
)

// importAny imports whatever b is as a format and checks that the recording
// can be read and its messages are in it, then that it goes into every format.
func importAny(t *testing.T, f Format, b []byte) {
	path := filepath.Join(t.TempDir(), "x"+recorder.Ext)
	l, r, err := Create(context.Background(), bytes.NewReader(b), "fuzz", path, Options{Format: f})
	if err != nil {
		if _, err := os.Stat(path); err == nil {
			t.Fatal("a failed import left a recording")
		}
		return
	}
	defer l.Close()
	if int(l.Len()) != r.Events {
		t.Fatalf("%d events, %d in the report", l.Len(), r.Events)
	}
	last := recorder.Head{}
	n := 0
	for seq := uint64(1); seq <= l.Len(); seq++ {
		h := l.Head(seq)
		if h.Time < last.Time || h.Cause >= seq {
			t.Fatalf("event %d: at %s after %s, cause %d", seq, h.Time, last.Time, h.Cause)
		}
		last = h
		if h.Kind == recorder.KindMessage {
			n++
		}
		if _, err := l.Read(seq, 0); err != nil {
			t.Fatal(err)
		}
	}
	if n != r.Messages {
		t.Fatalf("%d messages, %d in the report", n, r.Messages)
	}
	if err := l.Sync(); err != nil {
		t.Fatal(err)
	}
	again, err := recorder.Open(path)
	if err != nil || again.Len() != l.Len() {
		t.Fatal(err)
	}
	defer again.Close()
	for _, info := range Formats() {
		if !info.Export {
			continue
		}
		var out bytes.Buffer
		if _, err := Export(context.Background(), &out, l, info.Format, recorder.ExportOptions{}); err != nil {
			continue // no HTTP
		}
		if info.Format == HAR && Detect(out.Bytes()[:min(out.Len(), detectSize)]) != HAR {
			t.Fatalf("no archive: %q", out.Bytes())
		}
	}
}

func fuzzFormat(f *testing.F, format Format, files ...string) {
	for _, name := range files {
		b, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		Detect(b)
		importAny(t, format, b)
	})
}

func FuzzHAR(f *testing.F) { fuzzFormat(f, HAR, "browser.har", "proxy.har") }

func FuzzInspector(f *testing.F) {
	fuzzFormat(f, Inspector, "inspector-protocol.json", "inspector-network.json", "inspector-logs.json", "inspector-console.json", "inspector-history.json")
}

func FuzzSnoop(f *testing.F) { fuzzFormat(f, Snoop, "snoop.jsonl") }

func FuzzLines(f *testing.F) { fuzzFormat(f, Lines, "messages.jsonl") }

func FuzzArray(f *testing.F) { fuzzFormat(f, Array, "messages.json") }

func FuzzAnything(f *testing.F) {
	fuzzFormat(f, Unknown, "messages.json", "snoop.jsonl", "proxy.har")
}
