package view

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mcploupe/recorder"
	"mcploupe/session"
	"mcploupe/session/sessiontest"
)

// opened is a recording that was opened as a file, with its lists read.
func opened(t *testing.T, path string) *harness {
	t.Helper()
	h := &harness{t: t, changed: make(chan struct{}, 1)}
	mark := func() {
		select {
		case h.changed <- struct{}{}:
		default:
		}
	}
	c, err := OpenRecording(t.Context(), path, nil, ConnOptions{Changed: mark, Grown: mark})
	if err != nil {
		t.Fatal(err)
	}
	h.Conn = c
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

// The lists of a recorded server are those that it gave, and say that they are
// recorded.
func TestRecordingGivesItsLists(t *testing.T) {
	h := newHarness(t, peer(t, sessiontest.Server()))
	h.Connect()
	h.awaitPhase(Connected)
	h.await("tools", func() bool { return h.State().Lists[session.Tools].Status == session.ListComplete })
	live, path := h.Lists().Tools(), h.Path()
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	c := opened(t, path)
	c.await("lists", func() bool { return c.Lists() != nil })
	tools := c.Lists().Tools()
	if len(tools) != len(live) || len(tools) == 0 {
		t.Fatalf("%d tools, want %d", len(tools), len(live))
	}
	for i := range tools {
		if tools[i].Name != live[i].Name || string(tools[i].Raw) != string(live[i].Raw) || string(tools[i].InputSchema) != string(live[i].InputSchema) {
			t.Errorf("tool %d: %s, want %s", i, tools[i].Raw, live[i].Raw)
		}
	}
	if n := c.State().Lists[session.Tools].Count; n != len(live) {
		t.Errorf("the tab counts %d", n)
	}
	if note, _ := c.ListNote(session.Tools); note != "As recorded." {
		t.Errorf("tools: %q", note)
	}
	if note, _ := c.ListNote(session.Prompts); note != "No list of prompts was recorded." {
		t.Errorf("prompts: %q", note)
	}
	if head := HeadOf(c.Conn); !strings.Contains(strings.Join(head.Parts, " "), "2 tools") || head.Word != "recording" {
		t.Errorf("head %+v", head)
	}
	r := Request{Method: "tools/call", Params: []byte(`{"name":"good","arguments":{"a":1.0}}`)}
	if text, err := r.Text(c.Conn); err != nil || !strings.Contains(text, `"arguments":{"a":1.0}`) {
		t.Errorf("the request to copy is %q, %v", text, err)
	}
	if _, err := c.Send(r, func() {}); !errors.Is(err, errNotConnected) {
		t.Errorf("a recording takes calls: %v", err)
	}
}

// A recording that another program writes is followed: its lists come as they
// are written, and it says that it is live.
func TestFollowedRecordingGivesItsListsAsTheyCome(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x"+RecordingExt)
	writer, err := recorder.Create(path, recorder.Header{Target: recorder.Target{Name: "x", Transport: "stdio", Command: "x"}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := writer.Close(); err != nil {
			t.Error(err)
		}
	}()
	c := opened(t, path)
	if !c.Followed() {
		t.Fatal("a file that is being written is not followed")
	}
	if head := HeadOf(c.Conn); head.Word != followedWord {
		t.Errorf("head %+v", head)
	}
	c.await("the first look", func() bool { return c.Lists() != nil })
	before := c.Lists()
	message(writer, recorder.Out, 1, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	message(writer, recorder.In, 2, `{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"one","inputSchema":{}}]}}`)
	c.await("the tool", func() bool { return len(c.Lists().Tools()) == 1 })
	if c.Lists() == before {
		t.Error("other lists are the same value")
	}
	now := c.Lists()
	message(writer, recorder.In, 3, `{"jsonrpc":"2.0","method":"notifications/message","params":{}}`)
	message(writer, recorder.In, 4, `INFO not a message`)
	c.await("the finding", func() bool { return c.State().FindingCount > 0 })
	if c.Lists() != now {
		t.Error("the same lists are another value, which would draw them again")
	}
}

// A new recording begins while the session goes on; the old file is complete.
func TestNewRecordingFromHere(t *testing.T) {
	h := newHarness(t, peer(t, sessiontest.Server()))
	if _, err := h.NewRecording(); !errors.Is(err, errNotLive) {
		t.Errorf("without a connection: %v", err)
	}
	h.Connect()
	h.awaitPhase(Connected)
	h.await("tools", func() bool { return h.State().Lists[session.Tools].Status == session.ListComplete })
	first := h.Path()
	log := h.Log()
	old, err := h.NewRecording()
	if err != nil || old != first || h.Path() == first {
		t.Fatalf("old %q of %q, now %q, %v", old, first, h.Path(), err)
	}
	events := log.Len()
	run, err := h.Send(Request{Method: "tools/call", Params: []byte(`{"name":"good"}`)}, func() {
		select {
		case h.changed <- struct{}{}:
		default:
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	h.await("the result", func() bool { _, ok := run.Outcome(); return ok })
	if st := run.State(); st.AnswerSeq == 0 || h.Log().Head(st.AnswerSeq).Method != "tools/call" {
		t.Errorf("the answer is event %d of the new recording: %+v", st.AnswerSeq, h.Log().Head(st.AnswerSeq))
	}
	if log.Len() != events {
		t.Error("the old recording grew")
	}
	second := h.Path()
	began := opened(t, second)
	began.await("what the file before knew of the server", func() bool { return began.State().Server.Label() != "" })
	if st := began.State(); st.Server.Label() != h.State().Server.Label() || st.Revision != h.State().Revision {
		t.Errorf("the new file tells of server %q in %v", st.Server.Label(), st.Revision)
	}
	h.Reconnect()
	h.awaitPhase(Connected)
	if h.Path() != second {
		t.Errorf("reconnecting went to %s", h.Path())
	}
	c := opened(t, first)
	if c.Log().Len() != events || c.Log().Repaired() != "" || c.Followed() {
		t.Errorf("the old file: %d events, want %d, repaired %q, followed %v", c.Log().Len(), events, c.Log().Repaired(), c.Followed())
	}
}

// A recording is moved or copied while it goes on being written.
func TestLiveRecordingIsMovedAndCopied(t *testing.T) {
	h := newHarness(t, peer(t, sessiontest.Server()))
	h.Connect()
	h.awaitPhase(Connected)
	h.await("tools", func() bool { return h.State().Lists[session.Tools].Status == session.ListComplete })
	from, dir := h.Path(), t.TempDir()
	to, copyTo := filepath.Join(dir, "named"+RecordingExt), filepath.Join(dir, "copy"+RecordingExt)
	if err := h.CopyRecording(t.Context(), copyTo, nil); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := h.CopyRecording(ctx, copyTo, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	c := opened(t, copyTo) // which the cancelled copy has left as it was
	if c.Log().Len() == 0 || c.Followed() {
		t.Errorf("the copy: %d events, followed %v", c.Log().Len(), c.Followed())
	}
	if copied, err := h.MoveRecording(t.Context(), copyTo, nil); copied || !errors.Is(err, fs.ErrExist) {
		t.Errorf("onto a file: copied %v, %v", copied, err)
	}
	if copied, err := h.MoveRecording(t.Context(), to, nil); copied || err != nil {
		t.Fatalf("copied %v, %v", copied, err)
	}
	if _, err := os.Stat(from); !errors.Is(err, fs.ErrNotExist) || h.Path() != to {
		t.Errorf("it is at %s, the old name: %v", h.Path(), err)
	}
	h.Reconnect()
	h.awaitPhase(Connected)
	if h.Path() != to {
		t.Errorf("reconnecting went to %s", h.Path())
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 2 {
		t.Errorf("something was left behind: %v, %v", entries, err)
	}
}

func TestRecordingRows(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "peer-20261130-091205"+RecordingExt)
	log, err := recorder.Create(path, recorder.Header{Created: time.Date(2026, 11, 30, 9, 12, 5, 0, time.Local), Target: recorder.Target{Name: "everything", Transport: "stdio", Command: "x"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	gone, foreign := filepath.Join(dir, "gone"+RecordingExt), filepath.Join(dir, "a.har")
	if err := os.WriteFile(foreign, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	paths := []string{path, gone, foreign}
	info := map[string]RecordingInfo{}
	for _, p := range paths {
		info[p] = LookAtRecording(p)
	}
	rows := RecordingRows(paths, []string{path}, map[string]bool{path: false}, info, time.Now())
	if r := rows[0]; r.Title != "peer" || !strings.HasPrefix(r.Sub, "saved · 2026-11-30 09:12 · ") || !strings.HasSuffix(r.Sub, "B · everything") || r.Glyph != SavedGlyph || r.Tone != Good {
		t.Errorf("saved and open: %+v", r)
	}
	if r := rows[1]; !r.Gone || r.Sub != "not there any more" {
		t.Errorf("gone: %+v", r)
	}
	if r := rows[2]; r.Sub != "2 B" || r.Saved {
		t.Errorf("foreign: %+v", r)
	}
	if r := RecordingRows(paths, nil, map[string]bool{path: true}, info, time.Now())[0]; r.Sub != "recording · 2026-11-30 09:12 · everything" || !r.Open {
		t.Errorf("being recorded: %+v", r)
	}
	if r := RecordingRows(paths, nil, nil, nil, time.Now())[0]; r.Sub != "2026-11-30 09:12" {
		t.Errorf("before anybody looked: %+v", r)
	}
}

func TestRecordingPathsKeepRoomForSavedOnes(t *testing.T) {
	recent := []string{"a", "b", "c", "d"}
	for _, c := range []struct {
		saved []string
		most  int
		want  string
	}{
		{nil, 3, "abc"}, {[]string{"b"}, 4, "abcd"}, {[]string{"s"}, 4, "abcs"}, {[]string{"s", "t", "u", "v"}, 4, "abst"}, {[]string{"s"}, 9, "abcds"},
	} {
		if got := strings.Join(RecordingPaths(recent, c.saved, c.most), ""); got != c.want {
			t.Errorf("saved %q, %d: %s, want %s", c.saved, c.most, got, c.want)
		}
	}
}

func TestRenamedPathStaysInItsFolder(t *testing.T) {
	for name, want := range map[string]string{
		"b": "/r/b.mcp.jsonl", " b.mcp.jsonl ": "/r/b.mcp.jsonl", "b.jsonl": "/r/b.jsonl", "": "", "..": "", "../b": "", `a\b`: "", "a/b": "", "a\x00": "",
	} {
		got, ok := RenamedPath("/r/a.mcp.jsonl", name)
		if got != want || ok != (want != "") {
			t.Errorf("%q: %q, %v", name, got, ok)
		}
	}
}

// What a recording does not hold of a server's secrets is asked for again.
func TestTargetOfARecordingHasNoSecrets(t *testing.T) {
	target := session.Target{Command: "srv", Env: []session.EnvVar{{Name: "B_TOKEN", Value: "s3cr3t-s3cr3t", Secret: true}, {Name: "A", Value: "1"}}}
	got := targetOf(target.RecordingHeader("x").Target)
	want := []session.EnvVar{{Name: "A", Value: "1"}, {Name: "B_TOKEN", Secret: true}}
	if !slices.Equal(got.Env, want) {
		t.Errorf("environment %+v", got.Env)
	}
	if !SameServer(got, target) || SameServer(got, session.Target{Command: "other"}) {
		t.Error("servers are told apart wrongly")
	}
}
