package link

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mcploupe/protocol"
	"mcploupe/recorder"
	peer "mcploupe/session/sessiontest"
)

// named reports whether a finding with that rule came, with the message or
// about how it came.
func named(w *witness, rule string) (found []string, ok bool) {
	for _, in := range w.in() {
		for _, p := range append(protocol.Parse(in.Raw).Problems, in.Problems...) {
			found = append(found, p.Rule)
		}
	}
	for _, e := range w.ends() {
		for _, p := range e.Problems {
			found = append(found, p.Rule)
		}
	}
	for _, r := range found {
		ok = ok || r == rule
	}
	return found, ok
}

// answers reports whether something that was received answers id, be it only
// that its id can be made out.
func answers(w *witness, id uint64) bool {
	for _, in := range w.in() {
		m := protocol.Parse(in.Raw)
		for _, m := range append([]protocol.Message{m}, m.Items...) {
			same := m.ID == protocol.IntID(id) || m.ID == protocol.StringID(fmt.Sprint(id)) || m.ID.String() == fmt.Sprintf("%d.0", id)
			if same && m.Kind != protocol.Request && m.Kind != protocol.Notification {
				return true
			}
		}
		if in.For == protocol.IntID(id) && m.Kind == protocol.Invalid {
			return true
		}
	}
	return false
}

func TestMalformedStdio_STD17_P5(t *testing.T) {
	if n := len(peer.MalformedStdio); n < 30 {
		t.Errorf("%d cases", n)
	}
	for _, tc := range peer.MalformedStdio {
		t.Run(tc.Name, func(t *testing.T) {
			r, pw := tc.Script().Pipe(t)
			w := newWitness()
			l := Attach(r, pw, StdioTarget{}, w, w)
			for i, tool := range []string{"good", "bad", "good"} {
				if err := l.Send(ctxFor(t), call(uint64(i+1), tool), SendOptions{}); err != nil {
					t.Fatal(err)
				}
			}
			w.answerTo(t, 1)
			w.answerTo(t, 3)
			if err := l.Close(); err != nil {
				t.Error(err)
			}
			line := func(id int) string {
				return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":%s}`+"\n", id, peer.CallResult)
			}
			want := line(1) + strings.ReplaceAll(tc.Bytes, "{{id}}", "2") + line(3)
			if got := w.output(); got != want {
				t.Errorf("the log differs from what was written: %s", peer.Diff(want, got))
			}
			if found, ok := named(w, tc.Rule); !ok && !tc.Session {
				t.Errorf("%s is not among %q", tc.Rule, found)
			}
			if answers(w, 2) != tc.Answer {
				t.Errorf("the call is answered: %v", !tc.Answer)
			}
		})
	}
}

func TestMalformedHTTP_HTTP04_P5(t *testing.T) {
	if n := len(peer.MalformedHTTP); n < 27 {
		t.Errorf("%d cases", n)
	}
	for _, tc := range peer.MalformedHTTP {
		t.Run(tc.Name, func(t *testing.T) {
			s := peer.NewHTTP(t)
			tc.Serve(s)
			w := newWitness()
			r := revision(t, "2025-11-25")
			l := dial(t, HTTPTarget{URL: s.URL}, w)
			connect(t, l, w, r)
			for i, tool := range []string{"good", "bad", "good"} {
				err := l.Send(ctxFor(t), call(uint64(i+1), tool), SendOptions{Revision: r})
				var te *TransportError
				if err != nil && (tool == "good" || !errors.As(err, &te)) {
					t.Fatal(err)
				}
				if e := w.endOf(t, uint64(i+1)); tool == "good" && e.Err != nil {
					t.Fatal(e.Err)
				}
			}
			w.answerTo(t, 1)
			w.answerTo(t, 3)
			if err := l.Close(); err != nil {
				t.Error(err)
			}
			if found, ok := named(w, tc.Rule); !ok && !tc.Session {
				t.Errorf("%s is not among %q", tc.Rule, found)
			}
			if answers(w, 2) != tc.OK {
				t.Errorf("the call is answered: %v", !tc.OK)
			}
			all := recorded(w)
			for _, text := range tc.Keeps {
				if text = strings.ReplaceAll(text, "{{id}}", "2"); !bytes.Contains(all, []byte(text)) {
					t.Errorf("%q is not in the log", text)
				}
			}
			if h := w.heads("post-4"); len(h) < 2 || !h[len(h)-1].Done {
				t.Errorf("heads %+v", h)
			}
		})
	}
}

// recorded is everything that came in on the log, in one piece.
func recorded(w *witness) []byte {
	var b bytes.Buffer
	for _, e := range w.log() {
		if e.Dir != recorder.In {
			continue
		}
		b.Write(e.Data)
		switch f := e.Fields.(type) {
		case *recorder.HTTPHead:
			fmt.Fprintf(&b, "\n%s %s\n", f.Body, f.Error)
			for _, h := range f.Headers {
				fmt.Fprintf(&b, "%s: %s\n", h.Name, h.Value)
			}
		case *recorder.SSEFields:
			fmt.Fprintf(&b, "\n%s %s %s %s\n", f.Event, f.ID, f.RetryMS, f.Comment)
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// The file has every byte, also when it is opened by another program later.
func TestRecordingHasEveryByte(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.mcp.jsonl")
	log, err := recorder.Create(path, recorder.Header{Created: time.Now(), Target: recorder.Target{Transport: "stdio"}})
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, tc := range peer.MalformedStdio {
		all.WriteString(strings.ReplaceAll(tc.Bytes, "{{id}}", "1"))
	}
	all.WriteString("crlf\r\n{\"jsonrpc\":\"2.0\",\"method\":\"x\"}\r\nno end")
	h := newWitness()
	r, pw := peer.Script{Steps: []peer.Step{peer.Raw(all.String()), peer.Exit(0)}}.Pipe(t)
	l := Attach(r, pw, StdioTarget{MaxLine: 1000}, log, h)
	h.await(t, "Down", func() bool { return len(h.downs) == 1 })
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	log, err = recorder.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = log.Close() }()
	reread := newWitness()
	for seq := uint64(1); seq <= log.Len(); seq++ {
		e, err := log.Read(seq, 1<<30)
		if err != nil {
			t.Fatal(err)
		}
		reread.events = append(reread.events, e)
	}
	if got := reread.output(); got != all.String() {
		t.Errorf("%d bytes from the file, %d written", len(got), all.Len())
	}
}
