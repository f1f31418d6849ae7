package settings

import (
	"path/filepath"
	"testing"
	"time"
)

// A window does not wait for another program's turn: what it changes is in force
// at once, and in the file when the other is done, beside what that has written.
func TestChangesAreWrittenWhenTheOtherIsDone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.json")
	s, other := mustLoad(t, path), mustLoad(t, path)
	update(t, other, func(x *Settings) { x.CancelReason = "other" })
	s.WriteLate(func(err error) { t.Error(err) })
	release, held := other.file.lock(settingsPatience)
	if !held {
		t.Fatal("not held")
	}
	began := time.Now()
	for i := range 20 {
		update(t, s, func(x *Settings) { x.Zoom = 100 + i })
	}
	if took := time.Since(began); took > settingsPatience/2 {
		t.Errorf("20 changes took %v", took)
	}
	if s.Get().Zoom != 119 {
		t.Error("the changes are not in force")
	}
	other.current.Theme = ThemeDark // what the other does in its turn
	if err := other.file.write(other.current); err != nil {
		t.Fatal(err)
	}
	release()
	s.Settle()
	if got := mustLoad(t, path).Get(); got.Zoom != 119 || got.Theme != ThemeDark || got.CancelReason != "other" {
		t.Errorf("the file has %+v", got)
	}
	if len(s.pending) != 0 || s.Get().Theme != ThemeDark {
		t.Errorf("%d changes are kept, the theme is %s", len(s.pending), s.Get().Theme)
	}
}

// A program that hangs does not keep the changes out of the file, and after
// Settle they are written by the call itself.
func TestChangesAreWrittenPastAProgramThatHangs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.json")
	s, hanging := mustLoad(t, path), file{path: path}
	s.WriteLate(func(err error) { t.Error(err) })
	release, held := hanging.lock(settingsPatience)
	if !held {
		t.Fatal("not held")
	}
	defer release()
	update(t, s, func(x *Settings) { x.Theme = ThemeDark })
	s.Settle()
	update(t, s, func(x *Settings) { x.Zoom = 120 })
	if got := mustLoad(t, path).Get(); got.Theme != ThemeDark || got.Zoom != 120 {
		t.Errorf("the file has %+v", got)
	}
}
