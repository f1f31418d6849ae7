package view

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"mcploupe/session"
	"mcploupe/session/mcpjson"
	"mcploupe/ui/pump"
	"mcploupe/ui/settings"
)

func importStore(t *testing.T) *settings.Store {
	t.Helper()
	store, err := settings.Load(filepath.Join(t.TempDir(), "settings.json"))
	if err != nil {
		t.Fatal(err)
	}
	return store
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

const twoServers = `{"mcpServers":{"a":{"command":"one","env":{"API_KEY":"s3cret-value"},"extra":1.0},"b":{"url":"https://b.example/mcp"},"off":{"command":"x","disabled":true}}}`

func states(f *ImportFile) string {
	var out []string
	for _, e := range f.Entries {
		word := e.Name + " " + e.State.Word()
		if e.Tick {
			word += "!"
		}
		out = append(out, word)
	}
	return strings.Join(out, ", ")
}

func TestImportingAndItsChanges(t *testing.T) {
	store := importStore(t)
	path := filepath.Join(t.TempDir(), "mcp.json")
	put(t, path, twoServers)
	f, err := ReadImport(path, "", store.Get())
	if err != nil || states(f) != "a new!, b new!, off new" {
		t.Fatalf("%s %v", states(f), err)
	}
	for i := range f.Entries {
		for _, fact := range f.Facts(i) {
			if strings.Contains(fact.Value, "s3cret") {
				t.Errorf("a secret is shown: %+v", fact)
			}
		}
		if strings.Contains(f.Entries[i].What(), "s3cret") {
			t.Error("a secret is shown in the list")
		}
	}
	applied, err := f.Apply(store, "team", true)
	if err != nil || applied.Text() != "2 servers imported" || len(applied.Secrets) != 1 || applied.Secrets[0].Value != "s3cret-value" {
		t.Fatalf("%+v %v", applied, err)
	}
	st := store.Get()
	if len(st.Servers) != 2 || st.Servers[0].Group != "team" || st.Servers[0].Source.Unknown[0].Name != "extra" || string(st.Servers[0].Source.Unknown[0].Value) != "1.0" {
		t.Fatalf("%+v", st.Servers)
	}
	raw, err := os.ReadFile(store.Path())
	if err != nil || strings.Contains(string(raw), "s3cret") {
		t.Errorf("the secret is in the settings: %v", err)
	}
	if states(f) != "a imported, b imported, off new" {
		t.Errorf("afterwards %s", states(f))
	}
	if err := store.RenameServer(st.Servers[0].ID, "mine"); err != nil {
		t.Fatal(err)
	}
	put(t, path, `{"mcpServers":{"a":{"command":"one","args":["--new"]},"c":{"command":"three"}}}`)
	f, err = ReadImport(path, "", store.Get())
	if err != nil || states(f) != "a changed!, c new!, b gone from the file" || !f.Watch {
		t.Fatalf("%s %v", states(f), err)
	}
	f.Entries[2].Tick = true
	if applied, err = f.Apply(store, "", true); err != nil || applied.Text() != "1 server imported, 1 server updated, 1 server removed" {
		t.Fatalf("%s %v", applied.Text(), err)
	}
	st = store.Get()
	if len(st.Servers) != 2 || st.Servers[0].Target.Name != "mine" || st.Servers[0].Group != "team" || !slices.Equal(st.Servers[0].Target.Args, []string{"--new"}) {
		t.Errorf("%+v", st.Servers)
	}
}

func TestFilesInTheirUsualPlacesAreFound(t *testing.T) {
	home := t.TempDir()
	m := mcpjson.Machine{OS: "linux", Home: home, Config: filepath.Join(home, ".config")}
	project := filepath.Join(home, "shop")
	put(t, filepath.Join(home, ".claude.json"), `{"projects":{"`+project+`":{}},"mcpServers":{"x":{"command":"x"}}}`)
	put(t, filepath.Join(home, ".cursor/mcp.json"), `{"mcpServers":{"a":{"command":"x"},"b":{"command":"y"`)
	put(t, filepath.Join(home, ".config/Code/User/settings.json"), `{"editor":true}`)
	put(t, filepath.Join(project, ".vscode/mcp.json"), `{"servers":{}}`)
	places := ScanPlaces(context.Background(), m, nil, nil)
	var there []string
	missing := 0
	for _, p := range places {
		if !p.There {
			missing++
			continue
		}
		if missing > 0 {
			t.Errorf("%s stands after those that are not there", p.Path)
		}
		there = append(there, p.Title()+": "+p.Word)
	}
	want := []string{"Claude Code for you and your projects: 1 server", "Cursor for all projects: 2 servers, with mistakes", "VS Code in " + project + ": 0 servers"}
	if !slices.Equal(there, want) || missing == 0 {
		t.Errorf("found %q, %d missing", there, missing)
	}
}

func TestExportIsPreviewedAndKeepsACopy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sub", "mcp.json")
	x := settings.Server{Target: session.Target{Name: "tool", Command: "run", Env: []session.EnvVar{{Name: "API_KEY", Value: "s3cret-value", Secret: true}}}}
	e, err := PlanExport(path, mcpjson.Cursor, []settings.Server{x, x})
	if err != nil || e.Summary() != "2 servers added; the file is made" {
		t.Fatalf("%v %v", e, err)
	}
	if backup, err := e.Write(time.Now()); err != nil || backup != "" {
		t.Fatalf("%q %v", backup, err)
	}
	text, err := os.ReadFile(path)
	if err != nil || strings.Contains(string(text), "s3cret") || !strings.Contains(string(text), `"tool 2"`) {
		t.Fatalf("%v %s", err, text)
	}
	link := filepath.Join(t.TempDir(), "link.json")
	if err := errors.Join(os.Chmod(path, 0o640), os.Symlink(path, link)); err != nil {
		t.Fatal(err)
	}
	x.Target.Command = "other"
	if e, err = PlanExport(link, mcpjson.Cursor, []settings.Server{x}); err != nil || e.Unchanged() {
		t.Fatalf("%+v %v", e, err)
	}
	backup, err := e.Write(time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if was, err := os.ReadFile(backup); err != nil || string(was) != string(text) {
		t.Errorf("the copy says %s, %v", was, err)
	}
	info, err := os.Lstat(path)
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v %v", info.Mode(), err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link became a file: %v", err)
	}
	put(t, path, `{"mcpServers":{}}`)
	if _, err := e.Write(time.Now()); !errors.Is(err, ErrFileChanged) {
		t.Errorf("a file that changed meanwhile: %v", err)
	}
	if e, err = PlanExport(path, mcpjson.Cursor, []settings.Server{x}); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Write(time.Now()); err != nil {
		t.Fatal(err)
	}
	if e, err = PlanExport(path, mcpjson.Cursor, []settings.Server{x}); err != nil || !e.Unchanged() {
		t.Errorf("written twice it changes: %v", err)
	}
}

func TestWatchedFilesTellOfTheirChanges(t *testing.T) {
	store := importStore(t)
	path := filepath.Join(t.TempDir(), "mcp.json")
	put(t, path, twoServers)
	f, err := ReadImport(path, "", store.Get())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Apply(store, "", true); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(context.Background())
		told := make(chan []ImportChange, 10)
		done := make(chan struct{})
		go func() {
			defer close(done)
			WatchImports(ctx, store, pump.Wall{}, func(c []ImportChange) { told <- c })
		}()
		look := func() []ImportChange {
			select {
			case c := <-told:
				return c
			case <-time.After(3 * WatchEvery):
				return nil
			}
		}
		if c := look(); c != nil {
			t.Fatalf("told of what did not change: %+v", c)
		}
		put(t, path, `{"mcpServers":{"a":{"command":"two"},"new":{"command":"x"}}}`)
		if c := look(); len(c) != 1 || c[0].Text() != "1 new, 1 changed, 2 gone" {
			t.Errorf("told %+v", c)
		}
		put(t, path, `{"mcpServers":`)
		if c := look(); len(c) != 1 || !strings.Contains(c[0].Text(), "line 1, column 1: this { is never closed") { // C177: a broken file is said
			t.Errorf("told %+v", c)
		}
		put(t, path, twoServers)
		if c := look(); len(c) != 0 {
			t.Errorf("as it was, and still %+v", c)
		}
		time.Sleep(WatchEvery / 2) // between two looks
		put(t, path, "")
		time.Sleep(WatchEvery)
		put(t, path, `{"mcpServers":{"a":{"command":"two"}}}`)
		if c := look(); len(c) != 1 || c[0].Text() != "1 changed, 2 gone" {
			t.Errorf("of a file that another program was still writing: %+v", c)
		}
		stop()
		<-done
	})
}

// What the program writes into a watched file itself is no change to tell of;
// what became different in it otherwise is.
func TestExportingIntoAWatchedFileIsNoChange(t *testing.T) {
	store := importStore(t)
	path := filepath.Join(t.TempDir(), "mcp.json")
	put(t, path, twoServers)
	f, err := ReadImport(path, "", store.Get())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Apply(store, "", true); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	put(t, path, strings.Replace(string(text), `"mcpServers":{`, `"mcpServers":{"theirs":{"command":"x"},`, 1))
	if c := changesOf(store.Get().Imports[0]); c.Text() != "1 new" {
		t.Fatalf("before: %s", c.Text())
	}
	ours := settings.Server{Target: session.Target{Name: "ours", Command: "run"}}
	changed := store.Get().Servers[0]
	changed.Target.Command = "another"
	e, err := PlanExport(path, f.Read.Dialect, []settings.Server{ours, changed})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Write(time.Now()); err != nil {
		t.Fatal(err)
	}
	if c := changesOf(store.Get().Imports[0]); c.Text() != "2 new, 1 changed" {
		t.Fatalf("not noted: %s", c.Text())
	}
	if err := e.Note(store); err != nil {
		t.Fatal(err)
	}
	if c := changesOf(store.Get().Imports[0]); c.Text() != "1 new" {
		t.Errorf("after: %s", c.Text())
	}
}

func TestServersAreFoundByAnyOfTheirWords(t *testing.T) {
	store := importStore(t)
	for _, x := range []settings.Server{
		{Target: session.Target{Name: "alpha", Command: "npx", Args: []string{"-y", "weather"}}},
		{Target: session.Target{Name: "beta", URL: "https://beta.example/mcp"}, Group: "Work"},
		{Target: session.Target{Name: "gamma", Command: "uvx"}, Group: "Work"},
	} {
		if _, _, err := store.Add(x); err != nil {
			t.Fatal(err)
		}
	}
	text := func(find string) string {
		var out []string
		for _, e := range ServerEntries(store.Get(), nil, time.Now(), find) {
			if e.Heading {
				out = append(out, "["+e.GroupTitle()+"]")
			} else {
				out = append(out, e.Server.Title)
			}
		}
		return strings.Join(out, " ")
	}
	if err := store.FoldGroup("Work", true); err != nil {
		t.Fatal(err)
	}
	for find, want := range map[string]string{
		"": "alpha [Work]", "npx weather": "alpha", "EXAMPLE": "[Work] beta", "work": "[Work] beta gamma", "nothing": "",
	} {
		if got := text(find); got != want {
			t.Errorf("%q finds %s, want %s", find, got, want)
		}
	}
}

// TestAMissingValueIsWhyAConnectionFails: nothing is started then, and no
// recording is made.
func TestAMissingValueIsWhyAConnectionFails(t *testing.T) {
	dir := t.TempDir()
	changed := make(chan struct{}, 100)
	c := NewConn(settings.Server{Target: session.Target{Command: "run"}}, ConnOptions{RecordingDir: dir, Changed: func() { changed <- struct{}{} },
		Resolve: func(context.Context, settings.Server) (session.Target, error) {
			return session.Target{}, errors.New("KEY is missing")
		},
		Open: func(context.Context, session.Target, session.Options) (*session.Session, error) {
			t.Error("it was opened")
			return nil, errors.New("opened")
		}})
	c.Connect()
	for {
		phase, why := c.Phase()
		if phase == Failed && why == "KEY is missing" {
			break
		}
		<-changed
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("%v %v", entries, err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
}
