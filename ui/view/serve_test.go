package view

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/recorder/replay"
	"mcploupe/session"
	"mcploupe/session/sessiontest"
	"mcploupe/ui/settings"
)

func TestServeARecording(t *testing.T) {
	path := recordCalls(t, saved(peer(t, sessiontest.Server()), "s"), "good")
	changed := make(chan struct{}, 1)
	mark := func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	}
	s := NewServe(path, ServeOptions{Command: "/opt/my tools/mcploupe", Now: time.Now, Changed: mark})
	defer func() { _ = s.Close() }() // it is closed below; this is for failures
	await := func(what string, ok func(ServeState) bool) ServeState {
		t.Helper()
		late := time.NewTimer(20 * time.Second)
		defer late.Stop()
		for {
			if st := s.State(); ok(st) {
				return st
			}
			select {
			case <-changed:
			case <-late.C:
				t.Fatalf("no %s: %+v", what, s.State())
			}
		}
	}
	if got := s.Command(); got != `'/opt/my tools/mcploupe' serve `+path {
		t.Errorf("the command is %s", got)
	}
	s.Start("example.com:80")
	await("refusal to listen elsewhere", func(st ServeState) bool { return st.Why != "" && !st.Starting })
	s.Start("")
	url := await("address", func(st ServeState) bool { return st.Serving }).URL
	c := newHarness(t, settings.Server{Target: session.Target{URL: url}})
	c.Connect()
	c.awaitPhase(Connected)
	for _, arguments := range []string{`{"a":9007199254740993}`, `{"a":9007199254740992}`} {
		call, err := c.Session().Do(t.Context(), c.Session().NewRequest(protocol.MethodToolsCall, jsontext.Value(`{"name":"good","arguments":`+arguments+`}`)), session.CallOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := call.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	st := await("the refusal", func(st ServeState) bool { return len(st.Remarks) > 0 })
	if r := st.Remarks[0]; r.Kind != string(replay.Refused) || !strings.Contains(r.Text, "nearest") || !strings.Contains(r.Text, "/arguments/a") {
		t.Errorf("the remark is %+v", r)
	}
	st = await("the requests", func(st ServeState) bool {
		return slices.ContainsFunc(st.Requests, func(r ServedRow) bool {
			return r.Name == "good" && r.Word == "refused" && strings.Contains(r.Note, "nearest")
		})
	})
	if !slices.ContainsFunc(st.Requests, func(r ServedRow) bool { return r.Name == "good" && r.Word == "answered" }) {
		t.Errorf("the requests are %+v", st.Requests)
	}
	if err := c.Close(); err != nil && !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	s.Stop()
	await("the end", func(st ServeState) bool { return !st.Serving })
	s.Start("127.0.0.1:0")
	if st := await("another start", func(st ServeState) bool { return st.Serving }); len(st.Requests) != 0 {
		t.Errorf("the requests of before are shown: %+v", st.Requests)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
