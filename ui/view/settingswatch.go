package view

import (
	"context"

	"mcploupe/ui/pump"
	"mcploupe/ui/settings"
)

// WatchSettings looks at the settings file until ctx ends and tells changed
// whenever it has become another one: another window or a verb has written it,
// or this one. It is told from the goroutine of WatchSettings.
func WatchSettings(ctx context.Context, store *settings.Store, clock pump.Clock, changed func()) {
	for last := stampOf(store.Path()); ; {
		wait, stop := clock.NewTimer(WatchEvery)
		select {
		case <-ctx.Done():
			stop()
			return
		case <-wait:
		}
		if now := stampOf(store.Path()); now != last {
			last = now
			changed()
		}
	}
}
