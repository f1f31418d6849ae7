package session

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/session/sessiontest"
)

// everythingIn is all that came in, in one piece.
func everythingIn(t *testing.T, log *recorder.Log) []byte {
	t.Helper()
	var b bytes.Buffer
	for seq := uint64(1); seq <= log.Len(); seq++ {
		e, err := log.Read(seq, 1<<30)
		if err != nil {
			t.Fatalf("reading event %d: %v", seq, err)
		}
		if e.Dir != recorder.In {
			continue
		}
		b.Write(e.Data)
		switch f := e.Fields.(type) {
		case *recorder.HTTPHead:
			fmt.Fprintf(&b, "\n%s\n%s\n", f.Body, f.Error)
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

// named collects the rules by which the session names what was wrong: its
// findings, those of the call, and what is only worth knowing, in the log.
func named(t *testing.T, s *Session, call CallState) map[string]bool {
	t.Helper()
	out := make(map[string]bool)
	for _, f := range s.State().Findings {
		out[f.Rule] = true
	}
	for _, p := range call.Problems {
		out[p.Rule] = true
	}
	for _, raw := range recorded(t, s.log.current(), recorder.In, recorder.KindMessage, recorder.KindBad) {
		for _, p := range protocol.Parse([]byte(raw)).Problems {
			if p.Severity == protocol.Info {
				out[p.Rule] = true
			}
		}
	}
	return out
}

// around calls the tool "bad" between two calls that must succeed. Where an answer
// is due the call waits for it: a machine that is busy may take its time.
func around(t *testing.T, s *Session, due bool) CallState {
	t.Helper()
	fine := func(when string) {
		st := mustCall(t, s, protocol.MethodToolsCall, `{"name":"good"}`, CallOptions{})
		if st.Phase != CallOK || string(st.Answer.Result) != sessiontest.CallResult {
			t.Errorf("the call %s: %+v", when, st)
		}
	}
	fine("before")
	timeout := 2 * time.Second
	if due {
		timeout = time.Minute
	}
	bad := mustCall(t, s, protocol.MethodToolsCall, `{"name":"bad"}`, CallOptions{Timeout: timeout})
	fine("after")
	if s.State().Phase != Ready {
		t.Errorf("the connection is lost: %s", s.State().Err)
	}
	return bad
}

func answered(st CallState) bool {
	return st.Phase == CallOK || st.Phase == CallError || st.Phase == CallInvalid
}

func TestMalformedLinesAreSurvived(t *testing.T) { // accept 2, STD-17, P5, case 13
	for _, c := range sessiontest.MalformedStdio {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			s := connectReal(t, scripted(t, c.Script()), Options{})
			st := around(t, s, c.Answer)
			if c.Answer != answered(st) && st.Phase != CallInvalid {
				t.Errorf("phase %d: %s", st.Phase, st.Err)
			}
			if got := named(t, s, st); !got[c.Rule] {
				t.Errorf("nothing names %s: %v", c.Rule, got)
			}
			all := everythingIn(t, s.log.current())
			for line := range strings.SplitSeq(strings.ReplaceAll(c.Bytes, "{{id}}", st.ID.String()), "\n") {
				// How a line ended is not part of its bytes.
				if line = strings.TrimSuffix(line, "\r"); !bytes.Contains(all, []byte(line)) {
					t.Errorf("%.200q is not in the log", line)
				}
			}
		})
	}
}

func TestMalformedHTTPAnswersAreSurvived(t *testing.T) { // accept 2, HTTP-07, P5
	for _, c := range sessiontest.MalformedHTTP {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			server := sessiontest.NewHTTP(t)
			c.Serve(server)
			s := connectReal(t, Target{URL: server.URL}, Options{})
			st := around(t, s, c.OK)
			if answered(st) != c.OK && (c.OK || st.Phase != CallInvalid && st.Phase != CallError) {
				t.Errorf("phase %d: %s", st.Phase, st.Err)
			}
			if st.Phase == CallPending || st.Phase != CallOK && st.Phase != CallError && st.Err == "" {
				t.Errorf("nothing is said of the call: %+v", st)
			}
			if got := named(t, s, st); !got[c.Rule] {
				t.Errorf("nothing names %s: %v", c.Rule, got)
			}
			all := everythingIn(t, s.log.current())
			for _, text := range c.Keeps {
				if text = strings.ReplaceAll(text, "{{id}}", st.ID.String()); !bytes.Contains(all, []byte(text)) {
					t.Errorf("%q is not in the log", text)
				}
			}
		})
	}
}
