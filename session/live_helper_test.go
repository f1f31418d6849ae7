package session

import (
	"strings"
	"testing"

	"mcploupe/recorder"
)

// states lists the changes of state in the log as "state: detail" lines.
func states(t *testing.T, s *Session) string {
	t.Helper()
	var b strings.Builder
	log := s.log.current()
	for seq := uint64(1); seq <= log.Len(); seq++ {
		if log.Head(seq).Kind != recorder.KindState {
			continue
		}
		e, err := log.Read(seq, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		if c, ok := e.Fields.(*recorder.StateChange); ok {
			b.WriteString(c.State + ": " + c.Detail + "\n")
		}
	}
	return b.String()
}
