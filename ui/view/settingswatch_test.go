package view

import (
	"context"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"mcploupe/ui/pump"
	"mcploupe/ui/settings"
)

// What a verb or another window writes is noticed, and nothing else is.
func TestSettingsWrittenElsewhereAreNoticed(t *testing.T) {
	store := importStore(t)
	other, err := settings.Load(store.Path())
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		told, done := make(chan struct{}, 10), make(chan struct{})
		go func() {
			defer close(done)
			WatchSettings(ctx, store, pump.Wall{}, func() { told <- struct{}{} })
		}()
		time.Sleep(3 * WatchEvery)
		if len(told) != 0 {
			t.Error("told of what did not change")
		}
		if err := other.Remember(filepath.Join(t.TempDir(), "new"+RecordingExt)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(3 * WatchEvery)
		if len(told) != 1 {
			t.Errorf("told %d times of one change", len(told))
		}
		stop()
		<-done
	})
}
