package session

import (
	"sync/atomic"
	"time"
)

// callLimits are the limits of calls that give none themselves.
type callLimits struct{ timeout, maximum atomic.Int64 }

// SetCallLimits changes Options.CallTimeout and Options.CallMaximum for the calls
// that are made from now on; 0 is the default, negative for none. Those that are
// under way keep theirs.
func (s *Session) SetCallLimits(timeout, maximum time.Duration) {
	if timeout == 0 {
		timeout = DefaultCallTimeout
	}
	if maximum == 0 {
		maximum = DefaultCallMaximum
	}
	s.limits.timeout.Store(int64(timeout))
	s.limits.maximum.Store(int64(maximum))
}

// of are the limits of a call with options of its own.
func (l *callLimits) of(o CallOptions) (idle, maximum time.Duration) {
	return limit(o.Timeout, time.Duration(l.timeout.Load())), limit(o.Maximum, time.Duration(l.maximum.Load()))
}
