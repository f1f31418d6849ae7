package settings

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcploupe/session"
)

func TestMissingFileGivesDefaults(t *testing.T) {
	s, err := Load(filepath.Join(t.TempDir(), "none", "settings.json"))
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Get().Theme; got != ThemeSystem {
		t.Fatalf("theme %q, want %q", got, ThemeSystem)
	}
}

func TestServersSurviveARoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sub", "settings.json")
	s, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	target := session.Target{Name: "notes", Command: "node", Args: []string{"s.js", "--a=b c"}, Env: []session.EnvVar{{Name: "DSN", Value: "postgres://h/db?a=b&c=d"}}}
	added, err := s.AddServer(target)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"notes", added.ID} {
		got, ok := again.Server(key)
		if !ok || got.Target.Args[1] != "--a=b c" || got.Target.Env[0].Value != "postgres://h/db?a=b&c=d" {
			t.Fatalf("server by %q: %v %+v", key, ok, got)
		}
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Fatalf("mode %v, want 0600", info.Mode().Perm())
	}
	dir, err := os.Stat(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	if dir.Mode().Perm() != 0o700 {
		t.Fatalf("folder mode %v, want 0700", dir.Mode().Perm())
	}
}

func TestBrokenFileIsSetAside(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.json")
	if err := os.WriteFile(path, []byte(`{"theme":`), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Load(path)
	if err == nil || !strings.Contains(err.Error(), ".broken-") {
		t.Fatalf("error %v does not say where the broken file is", err)
	}
	if s == nil || s.Get().Theme != ThemeSystem {
		t.Fatal("no usable defaults after a broken file")
	}
	kept, err := filepath.Glob(path + ".broken-*")
	if err != nil || len(kept) != 1 {
		t.Fatalf("kept files %v, %v", kept, err)
	}
	if raw, err := os.ReadFile(kept[0]); err != nil || string(raw) != `{"theme":` {
		t.Fatalf("kept %q, %v", raw, err)
	}
}

func TestUnknownMembersAreKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.json")
	if err := os.WriteFile(path, []byte(`{"theme":"dark","future":{"n":9007199254740993}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Update(func(x *Settings) { x.Theme = ThemeLight }); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(raw, &all); err != nil {
		t.Fatal(err)
	}
	if string(all["future"]) != `{"n":9007199254740993}` || string(all["theme"]) != `"light"` {
		t.Fatalf("file is %s", raw)
	}
}

func TestGetIsACopy(t *testing.T) {
	s, err := Load(filepath.Join(t.TempDir(), "settings.json"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.AddServer(session.Target{Name: "a", Args: []string{"x"}}); err != nil {
		t.Fatal(err)
	}
	s.Get().Servers[0].Target.Args[0] = "changed"
	if got := s.Get().Servers[0].Target.Args[0]; got != "x" {
		t.Fatalf("a caller changed the store: %q", got)
	}
}

func TestRecentRecordingsAreBoundedAndUnique(t *testing.T) {
	s, err := Load(filepath.Join(t.TempDir(), "settings.json"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range maxRecent + 5 {
		if err := s.Remember(strings.Repeat("r", i+1)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Remember(strings.Repeat("r", 10)); err != nil {
		t.Fatal(err)
	}
	recent := s.Get().Recent
	if len(recent) != maxRecent || recent[0] != strings.Repeat("r", 10) {
		t.Fatalf("%d recent, first %q", len(recent), recent[0])
	}
	if again := s.Get().Recent[1:]; strings.Join(again, " ") == "" || strings.Contains(" "+strings.Join(again, " ")+" ", " "+recent[0]+" ") {
		t.Fatalf("%q is listed twice", recent[0])
	}
}

func TestFailedWriteKeepsTheChangeForThisRun(t *testing.T) {
	dir := t.TempDir()
	blocker := filepath.Join(dir, "file")
	if err := os.WriteFile(blocker, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Load(filepath.Join(dir, "settings.json"))
	if err != nil {
		t.Fatal(err)
	}
	s.file.path = filepath.Join(blocker, "settings.json") // a folder that cannot be made
	if err := s.Update(func(x *Settings) { x.Theme = ThemeDark }); err == nil {
		t.Fatal("no error from an impossible write")
	}
	if s.Get().Theme != ThemeDark {
		t.Fatal("the change was lost with the failed write")
	}
}
