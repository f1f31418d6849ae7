package session

import (
	"testing"
	"time"
)

// What is changed while a session runs counts for the next call, and what a call
// says itself counts before that.
func TestCallLimitsCanBeChanged(t *testing.T) {
	var s Session
	s.SetCallLimits(2*time.Second, -1)
	for _, tt := range []struct {
		own           CallOptions
		idle, maximum time.Duration
	}{
		{CallOptions{}, 2 * time.Second, 0},
		{CallOptions{Timeout: time.Second, Maximum: time.Minute}, time.Second, time.Minute},
		{CallOptions{Timeout: -1}, 0, 0},
	} {
		if idle, maximum := s.limits.of(tt.own); idle != tt.idle || maximum != tt.maximum {
			t.Errorf("a call with %+v has the limits %s and %s", tt.own, idle, maximum)
		}
	}
	s.SetCallLimits(0, 0)
	if idle, maximum := s.limits.of(CallOptions{}); idle != DefaultCallTimeout || maximum != DefaultCallMaximum {
		t.Errorf("the defaults are %s and %s", idle, maximum)
	}
}
