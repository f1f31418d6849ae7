package session

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"mcploupe/recorder"
	"mcploupe/session/sessiontest"
)

// checkFolded checks that requests about tasks are no rows of their own in what
// was recorded so far, but belong to the calls that became the tasks; request is
// the event of one that has ended.
func checkFolded(t *testing.T, s *Session, request uint64) {
	t.Helper()
	log := s.log.current()
	x := recorder.NewExchanges(log)
	x.Take(t.Context())
	of, ok := x.Of(request)
	if !ok {
		t.Fatalf("event %d belongs to no exchange", request)
	}
	polls := 0
	for _, seq := range x.Members(of) {
		if strings.HasPrefix(log.Head(seq).Method, "tasks/") {
			polls++
		}
	}
	if polls == 0 || x.At(of).State == recorder.ExchangePending {
		t.Errorf("the call's row has %d requests about its task and is %+v", polls, x.At(of))
	}
	for i := range x.Len() {
		if method := log.Head(x.At(i).Request).Method; strings.HasPrefix(method, "tasks/") && method != "tasks/list" {
			t.Errorf("%s has a row of its own", method)
		}
	}
}

func TestPollsFoldIntoTheRowOfTheirCall(t *testing.T) { // TASK-22
	for _, c := range []sessiontest.TaskCase{
		{Gets: []string{sessiontest.CoreTask("working"), sessiontest.CoreTask("working"), sessiontest.CoreTask("completed")}},
		{Modern: true, Gets: []string{sessiontest.ModernTask("working", ""), sessiontest.ModernTask("completed", `,"result":`+sessiontest.CallResult)}},
		{Modern: true, Cancel: true, Gets: []string{sessiontest.ModernTask("working", ""), sessiontest.ModernTask("cancelled", "")}},
	} {
		synctest.Test(t, func(t *testing.T) {
			s, done := openScript(t, c.Script(), Options{Capabilities: taskable})
			defer done()
			call := playTaskCase(t, s, c)
			time.Sleep(time.Second)
			synctest.Wait()
			checkFolded(t, s, call.State().RequestSeq)
		})
	}
}
