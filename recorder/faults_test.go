package recorder

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A file that is damaged or was changed on its way is shown as far as it can be
// read, and what is wrong is said with the line.
func TestDamagedFilesSayWhatIsWrong(t *testing.T) {
	event := func(q int, text string) string {
		return fmt.Sprintf(`{"q":%d,"t":%d,"k":"note","s":%d,"text":%q}`, q, q*1000, len(text), text) + "\n"
	}
	whole := testHeader + event(1, "a") + event(2, "b")
	type fault struct {
		line, seq uint64
		text      string
	}
	for name, c := range map[string]struct {
		file     string
		events   []string // Data of the notes, "" for a line that is none
		repaired string
		faults   []fault
		readOnly bool
	}{
		"whole":           {file: whole, events: []string{"a", "b"}},
		"cut last line":   {file: whole + `{"q":3,"t":3,"k":"no`, events: []string{"a", "b"}, repaired: "the last line was cut after 20 bytes"},
		"no line feed":    {file: strings.TrimSuffix(whole, "\n"), events: []string{"a", "b"}, repaired: "no line feed; it was added"},
		"garbage":         {file: testHeader + event(1, "a") + "\x80\x81\xff\n" + event(2, "b"), events: []string{"a", "", "b"}, repaired: "line 3 is no event but listed as event 2: bytes that are no UTF-8 text", faults: []fault{{3, 2, "bytes that are no UTF-8 text"}}},
		"blank lines":     {file: testHeader + "\n" + event(1, "a") + "\n \n?\n", events: []string{"a", ""}, repaired: "line 6 is no event", faults: []fault{{6, 2, "no JSON object"}}},
		"lost bytes":      {file: testHeader + event(1, "a") + strings.Repeat("\x00", 300) + "\n" + event(2, "b"), events: []string{"a", "", "b"}, repaired: "line 3", faults: []fault{{3, 2, "300 NUL bytes and nothing else: what was here is lost, as after a crash of the system"}}},
		"lost beginning":  {file: testHeader + strings.Repeat("\x00", 9) + event(1, "a"), events: []string{""}, repaired: "line 2", faults: []fault{{2, 1, "a NUL byte at byte 1: it is no JSON"}}},
		"NUL in a string": {file: testHeader + strings.Replace(event(1, "abc"), "b", "\x00", 1), events: []string{"a\x00c"}},
		"bad JSON":        {file: testHeader + `{"q":1,"t":1 "k":"note"}` + "\n", events: []string{""}, repaired: "line 2", faults: []fault{{2, 1, "no JSON from byte 14 on"}}},
		"torn":            {file: testHeader + `{"q":1,"t":1,"k":"no` + event(2, "b"), events: []string{""}, repaired: "line 2", faults: []fault{{2, 1, "no JSON from byte"}}},
		"two on a line":   {file: testHeader + strings.TrimSuffix(event(1, "a"), "\n") + event(2, "b"), events: []string{""}, repaired: "line 2", faults: []fault{{2, 1, "something behind the end of the JSON object at byte 45"}}},
		"message":         {file: testHeader + `{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n", events: []string{""}, repaired: "line 2", faults: []fault{{2, 1, "a JSON-RPC message without an envelope"}}},
		"no kind":         {file: testHeader + `{"q":1,"t":1}` + "\n", events: []string{""}, repaired: "line 2", faults: []fault{{2, 1, "it has no member k"}}},
		"kind is number":  {file: testHeader + `{"q":1,"k":1}` + "\n", events: []string{""}, repaired: "line 2", faults: []fault{{2, 1, "whose kind k is no text"}}},
		"two headers":     {file: whole + testHeader + event(1, "c"), events: []string{"a", "b", "", "c"}, repaired: "line 4", faults: []fault{{4, 3, "the header of another recording"}}},
		"no header":       {file: event(1, "a") + event(2, "b"), events: []string{"a", "b"}, repaired: "the header is missing", readOnly: true},
		"CRLF":            {file: strings.ReplaceAll(whole, "\n", "\r\n"), events: []string{"a", "b"}, repaired: "2 lines end with a carriage return"},
		"BOM":             {file: "\ufeff" + whole, events: []string{"a", "b"}, repaired: "byte order mark"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "damaged"+Ext)
			if err := os.WriteFile(path, []byte(c.file), 0o600); err != nil {
				t.Fatal(err)
			}
			l := mustOpen(t, path)
			var events []string
			for seq := uint64(1); seq <= l.Len(); seq++ {
				e, err := l.Read(seq, 0)
				if err != nil {
					t.Fatal(err)
				}
				if e.Kind == 0 {
					e.Data = nil
				}
				events = append(events, string(e.Data))
			}
			if fmt.Sprintf("%q", events) != fmt.Sprintf("%q", c.events) {
				t.Errorf("events %q, want %q", events, c.events)
			}
			if got := l.Repaired(); (got == "") != (c.repaired == "") || !strings.Contains(got, c.repaired) {
				t.Errorf("Repaired says %q, want %q", got, c.repaired)
			}
			faults := l.Faults()
			if len(faults) != len(c.faults) {
				t.Fatalf("faults %+v, want %+v", faults, c.faults)
			}
			for i, want := range c.faults {
				if f := faults[i]; f.Line != want.line || f.Seq != want.seq || !strings.Contains(f.Text, want.text) {
					t.Errorf("fault %+v, want %+v", f, want)
				}
			}
			seq := l.Append(Event{Kind: KindNote, Data: []byte("added")})
			if c.readOnly != (seq == 0) || c.readOnly != errors.Is(l.Err(), ErrReadOnly) {
				t.Errorf("an event was added as %d: %v", seq, l.Err())
			}
		})
	}
}

// Two recordings in one file: each response answers the request of its own.
func TestJoinedRecordingsKeepTheirPairs(t *testing.T) {
	pair := `{"q":1,"t":1,"d":"out","k":"msg","y":"request","m":"ping","i":1,"s":40,"msg":{"jsonrpc":"2.0","id":1,"method":"ping"}}` + "\n" +
		`{"q":2,"t":2,"d":"in","k":"msg","r":1,"y":"result","i":1,"a":1,"w":"ok","s":36,"msg":{"jsonrpc":"2.0","id":1,"result":{}}}` + "\n"
	path := filepath.Join(t.TempDir(), "joined"+Ext)
	if err := os.WriteFile(path, []byte(testHeader+pair+testHeader+pair), 0o600); err != nil {
		t.Fatal(err)
	}
	l := mustOpen(t, path)
	for _, want := range [][2]uint64{{1, 2}, {4, 5}} {
		q, a := l.Head(want[0]), l.Head(want[1])
		if q.Partner != want[1] || a.Partner != want[0] || a.Cause != want[0] {
			t.Errorf("request %+v\nanswer %+v", q, a)
		}
	}
}

// A line that is too long to be read as a whole is listed, and read in part.
func TestAGiganticLineIsNotReadWhole(t *testing.T) {
	path := filepath.Join(t.TempDir(), "gigantic"+Ext)
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	const long = maxForeignLine + 1000
	if _, err := f.WriteString(testHeader); err != nil {
		t.Fatal(err)
	}
	// The hole in the file takes no room on the disk.
	if _, err := f.WriteAt([]byte("end\n"+`{"q":2,"t":2,"k":"note","s":1,"text":"b"}`+"\n"), int64(len(testHeader))+long-3); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	before := heap()
	l := mustOpen(t, path)
	e, err := l.Read(1, 10)
	if err != nil || e.Kind != 0 || string(e.Data) != strings.Repeat("\x00", 10) {
		t.Errorf("event 1 is %+v, %v", e, err)
	}
	if grown := int64(heap()) - int64(before); grown > 16<<20 {
		t.Errorf("%d bytes of memory", grown)
	}
	if l.Len() != 2 || len(l.Faults()) != 1 || l.Faults()[0].Line != 2 || !strings.Contains(l.Faults()[0].Text, fmt.Sprint(long)) {
		t.Errorf("%d events, faults %+v", l.Len(), l.Faults())
	}
	if e, err := l.Read(2, 0); err != nil || string(e.Data) != "b" {
		t.Errorf("event 2 is %+v, %v", e, err)
	}
}

// Opening tells how far it is and can be stopped.
func TestOpenContext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "long"+Ext)
	l, err := Create(path, Header{})
	if err != nil {
		t.Fatal(err)
	}
	fillBench(t, l, 6000)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	var steps []int64
	l, err = OpenContext(t.Context(), path, func(done, total int64) {
		if info, err := os.Stat(path); err != nil || info.Size() != total {
			t.Errorf("the total is %d", total)
		}
		steps = append(steps, done)
		if done == total {
			steps = append(steps, -1)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if len(steps) < 4 || steps[len(steps)-1] != -1 {
		t.Errorf("progress %v", steps)
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, err = OpenContext(ctx, path, func(int64, int64) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("stopped with %v", err)
	}
}
