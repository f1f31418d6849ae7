package view

import (
	"context"
	"strings"
	"testing"

	"mcploupe/protocol"
	"mcploupe/session"
	"mcploupe/session/secret"
	"mcploupe/ui/settings"
)

func TestConnectFormUnderstands(t *testing.T) {
	f := NewConnectForm()
	if facts, problem := f.Understood(); facts != nil || problem != "" {
		t.Errorf("an empty line says %v, %q", facts, problem)
	}
	f.SetLine(`DSN='postgres://h/db?a=b&c=d' server.py --verbose -x "a b"`)
	list, problem := f.Understood()
	text := facts(list).text()
	for _, want := range []string{"Transport=stdio", "Program=server.py", "Argument 1=--verbose", "Argument 3=a b", "Environment=DSN=postgres://h/db?a=b&c=d"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not understood: %s%s", want, text, problem)
		}
	}
	f.SetLine("https://h.example/mcp")
	list, _ = f.Understood()
	if text := facts(list).text(); !f.IsURL() || !strings.Contains(text, "Transport=Streamable HTTP") {
		t.Errorf("address: %s", text)
	}
	f.SetLine(`node "unfinished`)
	if _, problem := f.Understood(); problem == "" {
		t.Error("an unfinished quote is not named")
	}
	if _, err := f.Server(); err == nil {
		t.Error("an unfinished quote connects")
	}
}

func TestConnectFormDetailsWin(t *testing.T) {
	f := NewConnectForm()
	f.SetLine("PATH=/usr/bin K=1 node s.js")
	f.Name = " mine "
	f.Env = []*Pair{{Name: "PATH", Value: "/x"}, {}, {Name: "DSN", Value: "a=b=c", Secret: true}}
	f.Dir, f.Revision = "/tmp", "2025-06-18"
	f.Limits = [4]string{"", "1m", "2 min", "off"}
	s, err := f.Server()
	if err != nil {
		t.Fatal(err)
	}
	want := []session.EnvVar{{Name: "K", Value: "1"}, {Name: "PATH", Value: "/x"}, {Name: "DSN", Value: "a=b=c", Secret: true}}
	if len(s.Target.Env) != 3 || s.Target.Env[0] != want[0] || s.Target.Env[1] != want[1] || s.Target.Env[2] != want[2] {
		t.Errorf("environment %+v", s.Target.Env)
	}
	if s.Target.Name != "mine" || s.Target.Dir != "/tmp" || s.Target.Revision != "2025-06-18" {
		t.Errorf("target %+v", s.Target)
	}
	if s.Limits != (settings.Limits{InitMS: 60000, CallMS: 120000, CallMaxMS: -1}) {
		t.Errorf("limits %+v", s.Limits)
	}
}

func TestConnectFormRefuses(t *testing.T) {
	for name, change := range map[string]func(*ConnectForm){
		"nothing":                func(f *ConnectForm) { f.SetLine(" ") },
		"value without a name":   func(f *ConnectForm) { f.Env = []*Pair{{Value: "x"}} },
		"name with equals":       func(f *ConnectForm) { f.Env = []*Pair{{Name: "A=B", Value: "x"}} },
		"bad header name":        func(f *ConnectForm) { f.Headers = []*Pair{{Name: "Bad Header", Value: "x"}} },
		"header of two lines":    func(f *ConnectForm) { f.Headers = []*Pair{{Name: "X", Value: "a\r\nY: b"}} },
		"address as a program":   func(f *ConnectForm) { f.SetLine("http://h/mcp"); f.Transport = "stdio" },
		"program as an address":  func(f *ConnectForm) { f.Transport = "http" },
		"a time that is none":    func(f *ConnectForm) { f.Limits[2] = "soon" },
		"a probe without an end": func(f *ConnectForm) { f.Limits[0] = "off" },
	} {
		f := NewConnectForm()
		f.SetLine("node s.js")
		change(f)
		if _, err := f.Server(); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestConnectFormEditsWhatItMade(t *testing.T) {
	server := settings.Server{ID: "7", Target: session.Target{
		Name: "n", URL: "http://h/mcp", Transport: session.HTTP, Bearer: "t", CAFile: "/ca", Revision: "2025-03-26",
		Env:     []session.EnvVar{{Name: "A", Value: "b c"}},
		Headers: []protocol.HeaderField{{Name: "X-Y", Value: "z"}},
	}, Limits: settings.Limits{ProbeMS: 1500, CallMaxMS: -1}}
	got, err := EditConnectForm(server).Server()
	if err != nil {
		t.Fatal(err)
	}
	if got.ID != "7" || got.Limits != server.Limits || got.Target.Bearer != "t" || got.Target.Revision != "2025-03-26" ||
		len(got.Target.Env) != 1 || got.Target.Env[0] != server.Target.Env[0] || len(got.Target.Headers) != 1 || got.Target.URL != server.Target.URL {
		t.Errorf("got %+v", got)
	}
}

// A token that is kept elsewhere stays while the field is empty, and goes when it
// is taken away, together with what the vault has.
func TestConnectFormTakesAKeptTokenAway(t *testing.T) {
	server := settings.Server{ID: "7", Target: session.Target{URL: "http://h/mcp"}}
	server.SecretBearer = true
	f := EditConnectForm(server)
	if kept, err := f.Server(); err != nil || !f.KeptBearer() || !kept.SecretBearer {
		t.Fatalf("%+v %v", kept, err)
	}
	f.ClearBearer()
	gone, err := f.Server()
	if err != nil || f.KeptBearer() || gone.SecretBearer || gone.Target.Bearer != "" {
		t.Errorf("%+v %v", gone, err)
	}
	if keys := DroppedSecrets(server, gone); len(keys) != 1 || keys[0].Kind != secret.Bearer || keys[0].Server != "7" {
		t.Errorf("dropped %v", keys)
	}
	if keys := DroppedSecrets(gone, server); len(keys) != 0 {
		t.Errorf("dropped %v", keys)
	}
	f.Bearer = "another"
	if again, err := f.Server(); err != nil || !again.SecretBearer {
		t.Errorf("%+v %v", again, err)
	}
}

// mapRing is a keyring that lasts as long as the test.
type mapRing map[string]string

func (r mapRing) Get(account string) (string, error) {
	if v, ok := r[account]; ok {
		return v, nil
	}
	return "", secret.ErrNotFound
}

func (r mapRing) Set(account, value string) error {
	r[account] = value
	return nil
}

func (r mapRing) Delete(account string) error {
	delete(r, account)
	return nil
}

// Secrets of old settings are moved when all of them can be kept, and stay when
// one cannot.
func TestPlainSecretsAreMoved(t *testing.T) {
	store := importStore(t)
	old := settings.Server{ID: "7", Target: session.Target{Name: "old", URL: "http://h/mcp", Bearer: "b",
		Headers: []protocol.HeaderField{{Name: "X-API-Key", Value: "h"}}}}
	if err := store.Update(func(s *settings.Settings) { s.Servers = append(s.Servers, old) }); err != nil {
		t.Fatal(err)
	}
	if got := PlainSecretsText(old); !strings.HasPrefix(got, "2 of its secrets stand") {
		t.Errorf("%q", got)
	}
	ctx := context.Background()
	if err := MoveSecrets(ctx, secret.New(nil, nil), store, "7"); err == nil {
		t.Error("moved without a keyring")
	}
	if x, _ := store.Server("7"); x.Target.Bearer != "b" {
		t.Fatal("the token is lost")
	}
	ring := mapRing{}
	if err := MoveSecrets(ctx, secret.New(ring, nil), store, "7"); err != nil {
		t.Fatal(err)
	}
	x, _ := store.Server("7")
	if x.Target.Bearer != "" || x.Target.Headers[0].Value != "" || PlainSecretsText(x) != "" {
		t.Errorf("left: %+v", x)
	}
	got, err := settings.Resolver{Vault: secret.New(ring, nil)}.Resolve(ctx, x)
	if err != nil || got.Bearer != "b" || got.Headers[0].Value != "h" {
		t.Errorf("%+v %v", got, err)
	}
}

func TestPairKeepsItsIdentityWhileTyped(t *testing.T) {
	f := NewConnectForm()
	f.SetLine("node")
	row := &Pair{}
	f.Env = append(f.Env, row, &Pair{Name: "B", Value: "2"})
	for _, typed := range []string{"A", "AP", "API", "API_KEY"} {
		row.SetEnvName(typed)
	}
	row.Value = "v"
	s, err := f.Server()
	if err != nil || s.Target.Env[0].Name != "API_KEY" || s.Target.Env[1].Name != "B" {
		t.Errorf("%+v, %v", s.Target.Env, err)
	}
	if !row.SetEnvName("DSN=a=b") || row.Name != "DSN" || row.Value != "a=b" {
		t.Errorf("pasting NAME=value gave %+v", row)
	}
}

func TestTitleOf(t *testing.T) {
	for want, target := range map[string]session.Target{
		"mine":               {Name: "mine", Command: "x"},
		"server-everything":  {Command: "npx", Args: []string{"-y", "@modelcontextprotocol/server-everything@2026.8.31"}},
		"server-github":      {Command: "node", Args: []string{"/x/server-github/dist/index.js", "stdio"}},
		"serve.py":           {Command: "/usr/bin/python3", Args: []string{"-u", "serve.py"}},
		"my-server":          {Command: "/opt/my-server", Args: []string{"--x"}},
		"localhost:3000/mcp": {URL: "http://localhost:3000/mcp"},
		"evil‹U+202E›":       {Name: "evil\u202e"},
		"bash":               {Command: "bash"},
		"stripe mcp":         {Command: "node", Args: []string{"/x/@stripe/mcp/dist/index.js", "--api-key=k"}},
		"mcp-server-time":    {Command: "uvx", Args: []string{"mcp-server-time"}},
		"context7-mcp":       {Command: "node", Args: []string{"node_modules/@upstash/context7-mcp/dist/index.js", "--api-key", "x"}},
	} {
		if got := TitleOf(target); got != want {
			t.Errorf("TitleOf(%+v) = %q, want %q", target, got, want)
		}
	}
}
