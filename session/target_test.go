package session

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestParseTargetUnderstandsCommandsAndURLs(t *testing.T) {
	for _, c := range []struct {
		text string
		want Target
	}{
		{`server.py --verbose -x "a b"`, Target{Command: "server.py", Args: []string{"--verbose", "-x", "a b"}}},
		{"node ", Target{Command: "node"}},
		{"  npx -y @scope/server  ", Target{Command: "npx", Args: []string{"-y", "@scope/server"}}},
		{`DSN=postgres://h/db?a=b&c=d srv`, Target{Env: []EnvVar{{Name: "DSN", Value: "postgres://h/db?a=b&c=d"}}, Command: "srv"}},
		{`A= B='x y' C="q"z srv A=1`, Target{Env: []EnvVar{{Name: "A"}, {Name: "B", Value: "x y"}, {Name: "C", Value: "qz"}}, Command: "srv", Args: []string{"A=1"}}},
		{`API_KEY=k srv`, Target{Env: []EnvVar{{Name: "API_KEY", Value: "k", Secret: true}}, Command: "srv"}},
		{`'A=1' x`, Target{Command: "A=1", Args: []string{"x"}}},
		{`'C:\Program Files\nodejs\node.exe' 'C:\Users\A B\s.js'`, Target{Command: `C:\Program Files\nodejs\node.exe`, Args: []string{`C:\Users\A B\s.js`}}},
		{`"C:\Users\A B\n.exe" x`, Target{Command: `C:\Users\A B\n.exe`, Args: []string{"x"}}},
		{`srv a\ b \"c\" ''`, Target{Command: "srv", Args: []string{"a b", `"c"`, ""}}},
		{"srv a \\\n  b", Target{Command: "srv", Args: []string{"a", "b"}}},
		{`srv "a\"b\$c\d"`, Target{Command: "srv", Args: []string{`a"b$c\d`}}},
		{`srv dir\`, Target{Command: "srv", Args: []string{`dir\`}}},
		{`srv $HOME ~ *.js | tee`, Target{Command: "srv", Args: []string{"$HOME", "~", "*.js", "|", "tee"}}},
		{" https://h.example/mcp?x=1 ", Target{URL: "https://h.example/mcp?x=1"}},
		{"HTTP://localhost:3000/mcp#frag", Target{URL: "http://localhost:3000/mcp"}},
		{"localhost:3000/mcp", Target{URL: "http://localhost:3000/mcp"}},
		{"'localhost:3000'", Target{Command: "localhost:3000"}},
	} {
		got, notes, err := ParseTarget(c.text)
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q: got %+v, %v, want %+v", c.text, got, err, c.want)
		}
		if len(notes) == 0 {
			t.Errorf("%q: no notes", c.text)
		}
	}
}

func TestParseTargetRefusesWhatItCannotMean(t *testing.T) {
	for text, part := range map[string]string{
		"":              "enter a command",
		"  ":            "enter a command",
		"a 'b":          "single quote at position 3",
		`a "b\"`:        "double quote at position 3",
		"A=1 B=2":       "no command",
		"ws://h/":       "ws URLs",
		"http://":       "no host",
		"http://h/a b":  "blanks",
		"a\x00b":        "NUL",
		`''`:            "empty word",
		"http://[::1/x": "reading the URL",
	} {
		_, _, err := ParseTarget(text)
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%q: got %v, want %q in it", text, err, part)
		}
	}
}

func TestParseTargetTellsWhatItUnderstood(t *testing.T) {
	for text, part := range map[string]string{
		`K=v npx -y x`:         "Environment: K.",
		`npx a b`:              "npx with 2 arguments",
		`srv | tee log`:        "No shell is used: '|'",
		`C:\node\node.exe s`:   "Put Windows paths in single quotes",
		`http://h.example/mcp`: "not encrypted",
		`localhost:1/mcp`:      "No scheme given",
	} {
		_, notes, err := ParseTarget(text)
		if err != nil || !strings.Contains(strings.Join(notes, "\n"), part) {
			t.Errorf("%q: notes %q, %v, want %q in them", text, notes, err, part)
		}
	}
}

func TestTargetStringHidesSecretsAndCommandLineKeepsThem(t *testing.T) {
	target := Target{Command: "srv", Args: []string{"--api-key=abc", "--token", "def", "--keyboard", "us", "x"},
		Env: []EnvVar{{Name: "GITHUB_TOKEN", Value: "ghp"}, {Name: "MODE", Value: "a b"}}}
	if got, want := target.String(), `GITHUB_TOKEN=••• MODE='a b' srv --api-key=••• --token ••• --keyboard us x`; got != want {
		t.Errorf("String: %s, want %s", got, want)
	}
	for _, secret := range []string{"abc", "def", "ghp"} {
		if strings.Contains(target.String(), secret) {
			t.Errorf("String shows %s: %s", secret, target)
		}
		if !strings.Contains(target.CommandLine(), secret) {
			t.Errorf("CommandLine lost %s: %s", secret, target.CommandLine())
		}
	}
	u := Target{URL: "https://me:pw1@h/mcp?api_key=k9&x=1"}
	if got := u.String(); strings.Contains(got, "pw1") || strings.Contains(got, "k9") || !strings.Contains(got, "x=1") {
		t.Errorf("String of a URL: %s", got)
	}
}

func TestRecordingHeaderMasks(t *testing.T) {
	h := Target{Name: "n", Command: "srv", Args: []string{"--token", "tok123456"}, Dir: "/d",
		Env: []EnvVar{{Name: "PLAIN", Value: "private-value", Secret: true}, {Name: "MODE", Value: "x"}}}.RecordingHeader("app 1")
	if h.App != "app 1" || h.Target.Transport != "stdio" || h.Target.Command != "srv" || h.Target.Env["MODE"] != "x" {
		t.Errorf("header %+v", h)
	}
	if v := h.Target.Env["PLAIN"]; v == "" || strings.Contains(v, "private-value") {
		t.Errorf("secret value recorded as %q", v)
	}
	if slices.Contains(h.Target.Args, "tok123456") {
		t.Errorf("token recorded: %q", h.Target.Args)
	}
	if u := (Target{URL: "http://a:b@h/"}).RecordingHeader("").Target; u.Transport != "http" || strings.Contains(u.URL, ":b@") {
		t.Errorf("URL recorded as %+v", u)
	}
}

func FuzzParseTargetRoundTrip(f *testing.F) {
	for _, seed := range []string{`A=1 cmd 'a b' "c\"" \d`, "http://h/mcp", "cmd", `X='' y ''`, "localhost:80", `'a:1' b`, `'é' ü`, "a\\\nb"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		target, _, err := ParseTarget(text)
		if err != nil {
			return
		}
		again, _, err := ParseTarget(target.CommandLine())
		if err != nil || !reflect.DeepEqual(again, target) {
			t.Fatalf("%q gives %+v, written as %q, read as %+v, %v", text, target, target.CommandLine(), again, err)
		}
	})
}

func FuzzCommandLineRoundTrip(f *testing.F) {
	f.Add("cmd", "arg\x01two words\x01", "v=1")
	f.Add("http://x", "'\x01\"\x01\\\x01$x", "")
	f.Add("A=1", "#x\x01~\x01", "a b")
	f.Fuzz(func(t *testing.T, command, args, value string) {
		if command == "" || strings.Contains(command+args+value, "\x00") {
			return
		}
		want := Target{Command: command, Args: strings.Split(args, "\x01"), Env: []EnvVar{{Name: "V", Value: value}}}
		got, _, err := ParseTarget(want.CommandLine())
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v is written as %q and read as %+v, %v", want, want.CommandLine(), got, err)
		}
	})
}

// TestSecretsOfATargetAreShownNowhere: values that were looked up elsewhere are
// in arguments and addresses too, where no name gives them away.
func TestSecretsOfATargetAreShownNowhere(t *testing.T) {
	target := Target{Command: "server", Args: []string{"positional-s3cret-value", "--path=/x/positional-s3cret-value"},
		Env: []EnvVar{{Name: "PLAIN", Value: "positional-s3cret-value"}}, Secrets: []string{"positional-s3cret-value"}}
	address := Target{URL: "https://example.com/positional-s3cret-value/mcp", Secrets: target.Secrets}
	raw, err := json.Marshal(target)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(strings.ToLower(string(raw)), `"secrets"`) {
		t.Errorf("secrets are written: %s", raw)
	}
	header, err := json.Marshal(target.RecordingHeader("test").Target)
	if err != nil {
		t.Fatal(err)
	}
	for _, shown := range []string{target.String(), address.String(), target.WithoutSecrets("x").CommandLine(), string(header)} {
		if strings.Contains(shown, "s3cret") {
			t.Errorf("a secret is shown: %s", shown)
		}
	}
	if target.Args[0] != "positional-s3cret-value" {
		t.Error("the target itself has changed")
	}
}
