package settings

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mcploupe/protocol"
	"mcploupe/session"
	"mcploupe/session/mcpjson"
	"mcploupe/session/secret"
)

func newStore(t *testing.T) *Store {
	t.Helper()
	s, err := Load(filepath.Join(t.TempDir(), "settings.json"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func names(st Settings) string {
	var out []string
	for _, i := range st.Order() {
		x := st.Servers[i]
		out = append(out, x.Group+"/"+x.Target.Name)
	}
	return strings.Join(out, " ")
}

func TestServersAreGroupedAndMoved(t *testing.T) {
	s := newStore(t)
	id := map[string]string{}
	for _, name := range []string{"a", "b", "c", "d"} {
		x, _, err := s.Add(Server{Target: session.Target{Name: name, Command: name}})
		if err != nil {
			t.Fatal(err)
		}
		id[name] = x.ID
	}
	for i, step := range []struct {
		do   func() error
		want string
	}{
		{func() error { return s.MoveServer(id["c"], "work", "") }, "/a /b /d work/c"},
		{func() error { return s.MoveServer(id["a"], "work", id["c"]) }, "/b /d work/a work/c"},
		{func() error { return s.StepServer(id["d"], false) }, "/d /b work/a work/c"},
		{func() error { return s.StepServer(id["b"], true) }, "/d work/b work/a work/c"},
		{func() error { return s.StepServer(id["b"], true) }, "/d work/a work/b work/c"},
		{func() error { return s.StepServer(id["a"], false) }, "/d /a work/b work/c"},
		{func() error { return s.MoveServer(id["b"], "home", "") }, "/d /a work/c home/b"},
		{func() error { return s.StepGroup("home", false) }, "/d /a home/b work/c"},
		{func() error { return s.RenameGroup("home", "house") }, "/d /a house/b work/c"},
		{func() error { return s.RenameGroup("house", "work") }, "/d /a work/c work/b"},
		{func() error { return s.RenameServer(id["b"], " B ") }, "/d /a work/c work/B"},
		{func() error { return s.FoldGroup("work", true) }, "/d /a work/c work/B"},
		{func() error { return s.RemoveGroup("work") }, "/d /a /c /B"},
	} {
		if err := step.do(); err != nil {
			t.Fatal(err)
		}
		if got := names(s.Get()); got != step.want {
			t.Fatalf("step %d: %s, want %s", i, got, step.want)
		}
	}
	again, err := Load(s.Path())
	if err != nil || names(again.Get()) != "/d /a /c /B" {
		t.Errorf("read again: %s, %v", names(again.Get()), err)
	}
}

// TestSecretsAreNotInTheSettings: what is marked as secret is nowhere in the
// file, and is not lost: it comes back to be put into a vault.
func TestSecretsAreNotInTheSettings(t *testing.T) {
	s := newStore(t)
	x := Server{Target: session.Target{Name: "x", Command: "run",
		Env:     []session.EnvVar{{Name: "API_KEY", Value: "s3cret-env", Secret: true}, {Name: "REF", Value: "${S3}", Secret: true}, {Name: "MODE", Value: "fast"}},
		Headers: []protocol.HeaderField{{Name: "X-Key", Value: "s3cret-header"}}, Bearer: "s3cret-bearer"}}
	x.SecretHeaders, x.Syntax = []string{"x-key"}, mcpjson.Shell
	kept, secrets, err := s.Add(x)
	if err != nil || len(secrets) != 3 {
		t.Fatalf("%v %v", secrets, err)
	}
	raw, err := os.ReadFile(s.Path())
	if err != nil || strings.Contains(string(raw), "s3cret") || !strings.Contains(string(raw), "${S3}") || !strings.Contains(string(raw), "fast") {
		t.Errorf("%v %s", err, raw)
	}
	if _, plain := kept.PlainSecrets(); len(plain) > 0 || !kept.SecretBearer {
		t.Errorf("%+v has %v", kept, plain)
	}
	if got := fmt.Sprint(kept.SecretKeys()); strings.Count(got, kept.ID) != 3 {
		t.Errorf("keys %s", got)
	}
}

// TestOlderSettingsAreRead: a file without groups, with secrets in plain text, as
// it was written before, works as it did.
func TestOlderSettingsAreRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.json")
	old := `{"theme":"dark","servers":[{"id":"1","target":{"name":"old","command":"run","env":[{"name":"TOKEN","value":"plain","secret":true}],"headers":[{"name":"X-API-Key","value":"h"},{"name":"X-Team","value":"tools"}],"bearer":"b"},"lastUsed":"2026-01-01T00:00:00Z"}]}`
	if err := os.WriteFile(path, []byte(old), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	x, ok := s.Server("old")
	got, err := Resolver{Vault: secret.New(nil, nil)}.Resolve(context.Background(), x)
	if !ok || err != nil || got.Env[0].Value != "plain" || got.Bearer != "b" {
		t.Errorf("%+v %v", got, err)
	}
	// They are moved elsewhere when the person wants it, and found there.
	plain, secrets := x.PlainSecrets()
	if len(secrets) != 3 || len(x.SecretHeaders) != 0 {
		t.Fatalf("secrets %v, of %+v", secrets, x)
	}
	vault := secret.New(nil, nil)
	for _, one := range secrets {
		vault.Put(one.Key, one.Value)
	}
	if err := s.MovedSecrets(x.ID, secrets[:2]); err != nil {
		t.Fatal(err)
	}
	if kept, _ := s.Server("old"); kept.Target.Bearer != "b" {
		t.Error("secrets were taken out that are not those that were moved")
	}
	if err := s.MovedSecrets(x.ID, secrets); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil || strings.Contains(string(raw), "plain") || !strings.Contains(string(raw), "tools") {
		t.Errorf("%v %s", err, raw)
	}
	kept, _ := s.Server("old")
	again, err := Resolver{Vault: vault}.Resolve(context.Background(), kept)
	if err != nil || again.Env[0].Value != "plain" || again.Bearer != "b" || again.Headers[0].Value != "h" || again.Headers[1].Value != "tools" {
		t.Errorf("%+v %v, kept %+v, want %+v", again, err, kept, plain)
	}
}

func TestValuesAreResolved(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, ".env"), []byte("FROM_FILE=1\nBOTH=file\nFILE_TOKEN='abcdefgh'\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"HOST": "example.com", "TOKEN": "env-token-value"}
	r := Resolver{Vault: secret.New(nil, func(string) (string, bool) { return "", false }), Home: "/home/ada",
		Getenv: func(name string) (string, bool) { v, ok := env[name]; return v, ok }}
	x := Server{ID: "1", Target: session.Target{Command: "run", Args: []string{"${env:HOST}", "${userHome}/x", "${input:pw}", "${workspaceFolderBasename}"},
		Env: []session.EnvVar{{Name: "BOTH", Value: "own"}, {Name: "KEY", Secret: true}, {Name: "T", Value: "${env:TOKEN}"}}}}
	x.Syntax, x.Workspace, x.EnvFile = mcpjson.Editor, dir, "${workspaceFolder}/.env"
	x.Inputs = []mcpjson.Asked{{ID: "pw", Password: true, Description: "the password"}}
	_, err := r.Resolve(context.Background(), x)
	if err == nil || !strings.Contains(err.Error(), "MCPLOUPE_SECRET_PW") || !strings.Contains(err.Error(), "KEY (environment variable): set MCPLOUPE_SECRET_KEY or KEY") {
		t.Fatalf("headless it says: %v", err)
	}
	asked := 0
	r.Ask = func(_ context.Context, _ Server, questions []Question) ([]Answer, error) {
		asked++
		var out []Answer
		for _, q := range questions {
			if !q.Secret {
				t.Errorf("%s is asked for in the open", q.Label)
			}
			out = append(out, Answer{q.Key, "given-" + q.Label})
		}
		return out, nil
	}
	got, err := r.Resolve(context.Background(), x)
	if err != nil || asked != 1 {
		t.Fatalf("asked %d times, %v", asked, err)
	}
	if !slices.Equal(got.Args, []string{"example.com", "/home/ada/x", "given-pw", filepath.Base(dir)}) {
		t.Errorf("arguments %q", got.Args)
	}
	var vars []string
	for _, v := range got.Env {
		vars = append(vars, fmt.Sprintf("%s=%s %v", v.Name, v.Value, v.Secret))
	}
	want := "FROM_FILE=1 false,FILE_TOKEN=abcdefgh true,BOTH=own false,KEY=given-KEY true,T=env-token-value false"
	if strings.Join(vars, ",") != want {
		t.Errorf("environment %s\nwant        %s", strings.Join(vars, ","), want)
	}
	for _, s := range []string{"given-pw", "given-KEY", "env-token-value"} {
		if !slices.Contains(got.Secrets, s) {
			t.Errorf("%s is not masked: %q", s, got.Secrets)
		}
	}
	if x.Target.Args[0] != "${env:HOST}" {
		t.Error("the saved server has changed")
	}
	r.Ask = func(context.Context, Server, []Question) ([]Answer, error) { return nil, errors.New("no") }
	if _, err := r.Resolve(context.Background(), x); err == nil || err.Error() != "no" {
		t.Errorf("%v", err)
	}
}

func TestResolvingSaysWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.env")
	if err := os.WriteFile(bad, []byte("A=1\nnonsense\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		arg, file, want string
	}{
		{"", bad, "bad.env: line 2, column 1: there is no = in nonsense"},
		{"", filepath.Join(dir, "none"), "no such file"},
		{"${workspaceFolder}", "", "say in the server's details which folder"},
		{"${command:x}", "", "${command:x}, which is no variable"},
	} {
		x := Server{Target: session.Target{Command: "run", Args: []string{c.arg}}}
		x.Syntax, x.EnvFile = mcpjson.Editor, c.file
		if _, err := (Resolver{Home: "/h"}).Resolve(context.Background(), x); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q %q: %v", c.arg, c.file, err)
		}
	}
}

// TestSecretsOfAnImportedServerAreReadInItsFile: where no keyring has them.
func TestSecretsOfAnImportedServerAreReadInItsFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mcp.json")
	if err := os.WriteFile(path, []byte(`{"mcpServers":{"a":{"command":"run","env":{"API_KEY":"from-the-file"}}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	s := newStore(t)
	e := mcpjson.Read([]byte(`{"mcpServers":{"a":{"command":"run","env":{"API_KEY":"from-the-file"}}}}`), path, "").Servers[0]
	x, secrets, err := s.Add(ServerOf(e, mcpjson.Generic, path, "", nil))
	if err != nil || len(secrets) != 1 {
		t.Fatalf("%v %v", secrets, err)
	}
	none := func(string) (string, bool) { return "", false }
	got, err := Resolver{Vault: secret.New(nil, none)}.Resolve(context.Background(), x)
	if err != nil || got.Env[0].Value != "from-the-file" || !slices.Contains(got.Secrets, "from-the-file") {
		t.Errorf("%+v %v", got, err)
	}
	vault := secret.New(nil, none)
	vault.Put(secrets[0].Key, "typed later")
	if got, _ := (Resolver{Vault: vault}).Resolve(context.Background(), x); got.Env[0].Value != "typed later" {
		t.Errorf("%+v", got)
	}
}
