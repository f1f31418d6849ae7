package settings

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"mcploupe/session"
)

func mustLoad(t *testing.T, path string) *Store {
	t.Helper()
	s, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func update(t *testing.T, s *Store, change func(*Settings)) {
	t.Helper()
	if err := s.Update(change); err != nil {
		t.Fatal(err)
	}
}

// Two windows change different things, each without knowing of the other.
func TestTwoProgramsKeepEachOthersChanges(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.json")
	a, b := mustLoad(t, path), mustLoad(t, path)
	if _, err := a.AddServer(session.Target{Name: "one"}); err != nil {
		t.Fatal(err)
	}
	update(t, b, func(s *Settings) { s.Theme = ThemeDark })
	update(t, a, func(s *Settings) { s.Limits.CallMS = 5000 })
	if err := b.Remember("/r/1.mcp.jsonl"); err != nil {
		t.Fatal(err)
	}
	if err := a.Remember("/r/2.mcp.jsonl"); err != nil {
		t.Fatal(err)
	}
	if changed, err := b.Reload(); err != nil || !changed {
		t.Fatalf("reload: %v, %v", changed, err)
	}
	if changed, err := b.Reload(); err != nil || changed {
		t.Fatalf("reload with nothing new: %v, %v", changed, err)
	}
	for name, s := range map[string]*Store{"first": a, "second": b, "third": mustLoad(t, path)} {
		got := s.Get()
		if len(got.Servers) != 1 || got.Theme != ThemeDark || got.Limits.CallMS != 5000 || len(got.Recent) != 2 {
			t.Errorf("the %s program has %+v", name, got)
		}
	}
}

func TestManyProgramsWriteAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.json")
	var all sync.WaitGroup
	for i := range 4 {
		s := mustLoad(t, path)
		all.Go(func() {
			for k := range 5 {
				if err := s.SaveFilter(fmt.Sprintf("f%d-%d", i, k), "is:bad"); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if got := len(mustLoad(t, path).Get().Filters.Saved); got != 4*5 {
		t.Fatalf("%d filters are left", got)
	}
}

// A program that hangs in its turn holds another up once, and not again at each
// change; what is changed meanwhile is in the file, and stays there.
func TestAProgramThatHangsIsNotWaitedForAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.json")
	s, hanging := mustLoad(t, path), file{path: path}
	release, held := hanging.lock(settingsPatience)
	if !held {
		t.Fatal("not held")
	}
	update(t, s, func(x *Settings) { x.Theme = ThemeDark })
	began := time.Now()
	for i := range 20 {
		update(t, s, func(x *Settings) { x.Zoom = 100 + i })
	}
	if took := time.Since(began); took > settingsPatience {
		t.Errorf("20 changes took %v", took)
	}
	if got := mustLoad(t, path).Get(); got.Theme != ThemeDark || got.Zoom != 119 {
		t.Errorf("the file has %+v", got)
	}
	if err := os.WriteFile(path, []byte(`{"theme":"light","cancelReason":"other"}`), 0o600); err != nil { // without having seen it
		t.Fatal(err)
	}
	release()
	update(t, s, func(x *Settings) { x.Density = DensityCompact })
	if got := mustLoad(t, path).Get(); got.Theme != ThemeDark || got.Zoom != 119 || got.CancelReason != "other" {
		t.Errorf("what was changed meanwhile is lost: %+v", got)
	}
	if len(s.pending) != 0 {
		t.Errorf("%d changes are kept after the turn was had", len(s.pending))
	}
}

func TestUnknownMembersSurviveAtAnyDepth(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.json")
	const text = `{"theme":"dark","future":{"a":1},"limits":{"callMs":1000,"newLimit":7},"retention":{"byCount":9},
		"servers":[{"id":"s1","color":"red","target":{"name":"one","command":"x","shiny":true}},{"id":"s2","target":{"name":"two"}}],
		"window":{"timeline":{"columns":{"event":[{"key":"time","width":80,"pinned":true}]}}}}`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := mustLoad(t, path)
	update(t, s, func(x *Settings) {
		x.Limits.CallMS = 0
		x.Servers[0], x.Servers[1] = x.Servers[1], x.Servers[0]
	})
	update(t, s, func(x *Settings) { x.Theme = ThemeLight })
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got := string(raw)
	for _, want := range []string{`"future":{"a":1}`, `"newLimit":7`, `"byCount":9`, `"color":"red"`, `"shiny":true`, `"pinned":true`, `"theme":"light"`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is lost in %s", want, got)
		}
	}
	if strings.Contains(got, "callMs") {
		t.Errorf("a limit that was taken away is back: %s", got)
	}
	if i, j := strings.Index(got, `"s2"`), strings.Index(got, `"color"`); i > j {
		t.Errorf("what is unknown of a server went to another one: %s", got)
	}
	update(t, s, func(x *Settings) { x.Servers = x.Servers[:1] })
	if raw, _ := os.ReadFile(path); strings.Contains(string(raw), "shiny") {
		t.Errorf("what belongs to a server that is gone stays: %s", raw)
	}
}

// A file that another program, or the person, has broken while this one runs.
func TestFileBrokenMeanwhileIsSetAside(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.json")
	s := mustLoad(t, path)
	update(t, s, func(x *Settings) { x.Theme = ThemeDark })
	if err := os.WriteFile(path, []byte(`{"theme":"light",`), 0o600); err != nil {
		t.Fatal(err)
	}
	err := s.Update(func(x *Settings) { x.CancelReason = "late" })
	if err == nil || !strings.Contains(err.Error(), ".broken-") {
		t.Fatalf("error %v does not say where the broken file is", err)
	}
	if got := mustLoad(t, path).Get(); got.Theme != ThemeDark || got.CancelReason != "late" {
		t.Fatalf("the file has %+v", got)
	}
	if kept, err := filepath.Glob(path + ".broken-*"); err != nil || len(kept) != 1 {
		t.Fatalf("kept files %v, %v", kept, err)
	}
}

// What could not be written is in force, and is written with the next change,
// beside what another program has written meanwhile.
func TestChangesThatWereNotWrittenAreMadeUpFor(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "sub")
	path := filepath.Join(dir, "settings.json")
	a := mustLoad(t, path)
	if err := os.WriteFile(dir, nil, 0o600); err != nil { // a file where the folder has to be
		t.Fatal(err)
	}
	if err := a.Update(func(x *Settings) { x.Theme = ThemeDark }); err == nil {
		t.Fatal("writing into no folder went well")
	}
	if a.Get().Theme != ThemeDark {
		t.Fatal("the change is not in force")
	}
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	update(t, mustLoad(t, path), func(x *Settings) { x.CancelReason = "late" })
	update(t, a, func(x *Settings) { x.Alert = true })
	if got := mustLoad(t, path).Get(); got.Theme != ThemeDark || got.CancelReason != "late" || !got.Alert {
		t.Fatalf("the file has %+v", got)
	}
}

func TestValuesOfNoChoiceBecomeDefaults(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.json")
	const text = `{"theme":"pink","density":"airy","zoom":900,"clock":{"zone":"Mars/Base","format":"13h"},"retention":{"on":true,"days":-4},"limits":{"callMs":-77}}`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	got := mustLoad(t, path).Get()
	if got.Theme != ThemeSystem || got.Density != DensityCompact || got.Zoom != MaxZoom || got.Clock != (Clock{}) || got.Retention.On || got.Limits.CallMS != -1 {
		t.Fatalf("settings %+v", got)
	}
	if got.ZoomFactor() != 2 || (Settings{}).ZoomFactor() != 1 {
		t.Fatalf("zoom factors %v and %v", got.ZoomFactor(), (Settings{}).ZoomFactor())
	}
}

func TestLayoutsAreKeptPerScreen(t *testing.T) {
	var w Window
	w.Width = 700
	if got := w.Layout("1280x800").Width; got != 700 {
		t.Errorf("a screen that is new begins with a width of %v", got)
	}
	w.SetLayout("1280x800", Layout{Width: 1200, Splits: map[string]float64{"side": 0.2}})
	w.SetLayout("1920x1080", Layout{Width: 1900, Splits: map[string]float64{"side": 0.1}})
	if a, b := w.Layout("1280x800"), w.Layout("1920x1080"); a.Width != 1200 || a.Splits["side"] != 0.2 || b.Width != 1900 || w.Width != 1900 {
		t.Errorf("layouts %+v and %+v", a, b)
	}
	for i := range 2 * maxScreens {
		w.SetLayout(fmt.Sprint(i), Layout{Width: 800})
	}
	if len(w.Screens) != maxScreens {
		t.Errorf("%d screens are remembered", len(w.Screens))
	}
}
