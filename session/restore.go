package session

import (
	"context"
	"fmt"
	"slices"
)

// restore asks again for what an old session had (SUB-11). What the server does
// not take is said in the log; the rest is restored all the same.
func (s *Session) restore(ctx context.Context, r Restoration) {
	if r.LogLevel != "" {
		if err := s.SetLogLevel(ctx, r.LogLevel); err != nil {
			s.remark("The log level could not be restored: " + err.Error())
		}
	}
	n := 0
	for _, f := range r.Subscriptions {
		if _, err := s.Subscribe(ctx, f); err != nil {
			s.remark("A subscription could not be restored: " + err.Error())
			continue
		}
		n++
	}
	for _, uri := range r.Watches {
		if _, err := s.WatchResource(uri); err != nil {
			s.remark("A watch could not be restored: " + err.Error())
		}
	}
	tasks := 0
	for _, ref := range r.Tasks {
		if _, err := s.adoptTask(ref, TaskRestored); err != nil {
			s.remark("A task could not be followed again: " + err.Error())
			continue
		}
		tasks++
	}
	text := fmt.Sprintf("%d of %d subscriptions, %d watches", n, len(r.Subscriptions), len(r.Watches))
	if len(r.Tasks) > 0 {
		text += fmt.Sprintf(", %d of %d tasks", tasks, len(r.Tasks))
	}
	s.note("restored", text)
}

// restoreSession asks again for what the server forgot with its HTTP session:
// subscriptions and log level.
func (s *Session) restoreSession(ctx context.Context) {
	s.mu.Lock()
	level := s.live.logging
	var subs []*subscription
	for _, sub := range s.live.subs.all {
		if sub.Kind == SubResource && sub.Phase != SubEnded {
			sub.gap = true
			subs = append(subs, sub)
		}
	}
	s.mu.Unlock()
	if level.By == LogBySetLevel {
		if err := s.SetLogLevel(ctx, level.Level); err != nil {
			s.remark("The log level could not be restored: " + err.Error())
		}
	}
	n := 0
	for _, sub := range subs {
		if err := s.subscribeResource(ctx, sub); err != nil {
			s.remark("A subscription could not be restored: " + err.Error())
			continue
		}
		n++
	}
	if len(subs) > 0 || level.By == LogBySetLevel {
		s.note("restored", fmt.Sprintf("%d of %d subscriptions", n, len(subs)))
	}
}

// prepare sets what Options say of what goes on by itself, before any traffic.
func (s *Session) prepare() {
	s.live.autoReread = s.o.AutoReread
	s.live.keepAlive = keepAliveInterval(s.o.KeepAlive)
	if r := s.o.Restore; r != nil {
		s.live.autoReread = s.live.autoReread || r.AutoReread
		if s.live.keepAlive == 0 {
			s.live.keepAlive = keepAliveInterval(r.KeepAlive)
		}
		if len(r.Roots) > 0 && len(s.o.Roots) == 0 {
			s.o.Roots = slices.Clone(r.Roots)
		}
	}
	s.live.wake = make(chan struct{}, 1)
}
