package recorder

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The beginning of an event is there at once, however long the event is, and
// not at all where all of a line would have to be read for it.
func TestBeginningOfAnEvent(t *testing.T) {
	long := strings.Repeat("0123456789", 20_000)
	path := filepath.Join(t.TempDir(), "long"+Ext)
	lines := []string{
		`{"format":"mcploupe/1","created":"2026-11-30T03:12:09Z","target":{"transport":"stdio"}}`,
		`{"msg":{"jsonrpc":"2.0","method":"` + long + `"},"k":"msg","d":"in","t":1}`,
		`{"msg":{"jsonrpc":"2.0","method":"short"},"k":"msg","d":"in","t":2}`,
	}
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	l := mustOpen(t, path)
	message := []byte(`{"jsonrpc":"2.0","method":"` + long + `"}`)
	l.Append(Event{Kind: KindMessage, Dir: In, Channel: "stdio", Data: message}) // 3
	l.Append(Event{Kind: KindStderr, Dir: In, Channel: "stdio", Data: bytes.Repeat([]byte("\x01"), 100_000)})
	l.Append(Event{Kind: KindBad, Dir: In, Channel: "stdio", Data: bytes.Repeat([]byte("\xff"), 100_000)})
	for seq, want := range map[uint64]string{
		2: `{"jsonrpc":"2.0"`, 3: `{"jsonrpc":"2.0"`, 4: strings.Repeat("\x01", 16), 5: strings.Repeat("\xff", 16),
	} {
		if e, ok := l.Beginning(seq, 16); !ok || string(e.Data) != want || e.Seq != seq {
			t.Errorf("event %d begins with %q, %v", seq, e.Data, ok)
		}
	}
	if e, ok := l.Beginning(1, 16); ok {
		t.Errorf("a long line in another order begins with %q", e.Data)
	}
	if _, ok := l.Beginning(6, 16); ok {
		t.Error("there is an event 6")
	}
}
