package diff

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"mcploupe/recorder"
)

// task plays a call that becomes a task and is asked for until it is told to be
// over: each status is what one poll is answered with. A status that is not over
// at the end stands for a task whose end came by notification.
func task(t *testing.T, shift int, says string, statuses ...string) *recorder.Log {
	t.Helper()
	s := play(t, false, shift, nil)
	about := func(status string) string {
		return fmt.Sprintf(`{"taskId":"task-%d","status":%q,"ttl":60000,"createdAt":"2026-11-30T10:00:00Z","lastUpdatedAt":"2026-11-30T10:00:00Z"}`, shift, status)
	}
	s.request(`"method":"tools/call","params":{"name":"survey","arguments":{},"task":{"ttl":60000}}`)
	s.answer(`"result":{"task":` + about("working") + `}`)
	for _, status := range statuses {
		s.now += time.Second
		s.request(fmt.Sprintf(`"method":"tasks/get","params":{"taskId":"task-%d"}`, shift))
		s.answer(`"result":` + about(status))
	}
	s.request(fmt.Sprintf(`"method":"tasks/result","params":{"taskId":"task-%d"}`, shift))
	s.answer(textResult(says))
	return s.log
}

// How often a task is asked for, and what it says while it is at work, depends on
// the clock; what it comes to does not.
func TestPollsOfATaskAreComparedByItsEndAlone(t *testing.T) {
	plain := task(t, 10, "three plates", "working", "working", "completed")
	for _, c := range []struct {
		name string
		log  *recorder.Log
		same bool
	}{
		{"fewer polls", task(t, 50, "three plates", "completed"), true},
		{"the end came by notification", task(t, 60, "three plates", "working"), true},
		{"never asked", task(t, 70, "three plates"), true},
		{"another end", task(t, 80, "three plates", "working", "failed"), false},
		{"another result", task(t, 90, "no plate", "working", "completed"), false},
	} {
		for _, pair := range [][2]*recorder.Log{{plain, c.log}, {c.log, plain}} {
			found := compare(t, pair[0], pair[1], Options{})
			differs := slices.ContainsFunc(found.Rows, func(r Row) bool { return r.Kind != Same })
			if differs == c.same {
				t.Errorf("%s: %q", c.name, said(found))
			}
		}
	}
}
