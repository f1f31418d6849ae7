package recorder

import (
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// untag replaces tags by a number for each secret, in order.
func untag(s string) string {
	known := map[string]string{}
	return regexp.MustCompile(`‹secret:[0-9a-f]{8}›`).ReplaceAllStringFunc(s, func(tag string) string {
		if known[tag] == "" {
			known[tag] = "#" + string(rune('1'+len(known)))
		}
		return known[tag]
	})
}

// Credentials in headers are masked, session ids among them (HTTP-53, SEC-16).
func TestMaskHeaders(t *testing.T) {
	for _, c := range []struct{ name, value, want string }{
		{"Authorization", "Bearer abc.def-123", "Bearer #1"},
		{"authorization", "Basic dXNlcjpwYXNz", "Basic #1"},
		{"Authorization", "rawtoken", "#1"},
		{"Proxy-Authorization", "Bearer x", "Bearer #1"},
		{"Cookie", "a=1111111; b=2222222; c=1111111", "a=#1; b=#2; c=#1"},
		{"Set-Cookie", "sid=s3cr3tvalue; Path=/; HttpOnly", "sid=#1; Path=/; HttpOnly"},
		{"Mcp-Session-Id", "1868a90c-5f1d", "#1"},
		{"X-Api-Key", "k", "#1"},
		{"X-Access-Token", "t", "#1"},
		{"X-Client-Secret", "t", "#1"},
		{"WWW-Authenticate", `Bearer resource_metadata="https://h/.well-known/x", error="invalid_token"`, `Bearer resource_metadata="https://h/.well-known/x", error="invalid_token"`},
		{"Location", "https://h/cb?code=abcdef&state=xyz&x=1", "https://h/cb?code=#1&state=#2&x=1"},
		{"Accept", "application/json", "application/json"},
		{"Mcp-Protocol-Version", "2026-07-28", "2026-07-28"},
		{"Idempotency-Key", "abc", "abc"},
		{"X-Debug", "sent Bearer eyJhbGciOi.J9x.y", "sent Bearer #1"},
		{"X-Empty-Token", "", ""},
	} {
		if got := untag(NewMasker().Header(c.name, c.value)); got != c.want {
			t.Errorf("%s: %s is masked as %s, want %s", c.name, c.value, got, c.want)
		}
	}
}

func TestTagsAreStableWithinAMaskerAndSayNothingOutside(t *testing.T) {
	m, other := NewMasker(), NewMasker()
	tag := m.Add("hunter2hunter2")
	if m.Add("hunter2hunter2") != tag || m.Add("hunter3hunter3") == tag || other.Add("hunter2hunter2") == tag {
		t.Error("tags are not stable or not apart")
	}
	if m.Add(tag) != tag || string(m.Text([]byte(tag))) != tag {
		t.Error("a tag was masked again")
	}
	var none *Masker
	if none.Add("x") != "x" || none.Header("Cookie", "a=b") != "a=b" || string(none.Text([]byte("x"))) != "x" || none.URL("http://a:b@c") != "http://a:b@c" || none.Env("TOKEN", "x", true) != "x" {
		t.Error("a nil Masker changed something")
	}
}

func TestKnownSecretsAreFoundAnywhere(t *testing.T) {
	m := NewMasker()
	m.Add(`p@ss/w"rd`)
	m.Add("p@ss/w\"rd and more")
	m.Add("abc")
	for in, want := range map[string]string{
		`x p@ss/w"rd y`:                 "x #1 y",
		`p@ss/w"rd and more, p@ss/w"rd`: "#1, #2",
		"q=p%40ss%2Fw%22rd":             "q=#1",
		`{"a":"p@ss/w\"rd"}`:            `{"a":"#1"}`,
		"cEBzcy93InJk":                  "#1",
		"abc is too short":              "abc is too short",
		"basic authentication":          "basic authentication",
		"nothing":                       "nothing",
	} {
		if got := untag(string(m.Text([]byte(in)))); got != want {
			t.Errorf("%s is masked as %s, want %s", in, got, want)
		}
	}
	b := []byte("nothing")
	if got := m.Text(b); &got[0] != &b[0] {
		t.Error("innocent text was copied")
	}
}

func TestMaskURLs(t *testing.T) {
	for in, want := range map[string]string{
		"https://user:s3cret99@h:1/mcp?x=1":     "https://user:#1@h:1/mcp?x=1",
		"https://t0ken123@h/":                   "https://#1@h/",
		"https://h/mcp?api_key=k1&b=2&token=k1": "https://h/mcp?api_key=#1&b=2&token=#1",
		"https://h/a@b?max_tokens=5":            "https://h/a@b?max_tokens=5",
		"https://h/#access_token=zzz":           "https://h/#access_token=#1",
		"https://h/%zz?sig=%zz":                 "https://h/%zz?sig=#1",
		"not a url":                             "not a url",
		"":                                      "",
	} {
		if got := untag(NewMasker().URL(in)); got != want {
			t.Errorf("%s is masked as %s, want %s", in, got, want)
		}
	}
	m := NewMasker()
	m.URL("https://h/?token=abc%2Bdef")
	if got := untag(string(m.Text([]byte("abc+def abc%2Bdef")))); got != "#1 #1" {
		t.Errorf("a parameter's value elsewhere is masked as %s", got)
	}
}

func TestMaskTargets(t *testing.T) {
	m := NewMasker()
	in := Target{
		Name: "n", Transport: "stdio", Command: "npx",
		Args: []string{"-y", "server", "--api-key=sk-12345678", "--token", "tok-12345678", "--verbose", "API_SECRET=ssssssss", "Authorization: Bearer bbbbbbb1", "postgres://u:pw123456@h/db", "sk-12345678", "--header", "X-Plain: yes"},
		Env:  map[string]string{"GITHUB_TOKEN": "ghp_x", "HOME": "/root", "PWD": "/x", "OPENAI_API_KEY": "sk-12345678", "DB": "postgres://u:pw123456@h/db"},
	}
	keep := append([]string{}, in.Args...)
	got := m.Target(in)
	var args []string
	for _, a := range got.Args {
		args = append(args, strings.ReplaceAll(a, m.Add("sk-12345678"), "#K"))
	}
	tag := func(s string) string { return m.Add(s) }
	want := []string{"-y", "server", "--api-key=#K", "--token", tag("tok-12345678"), "--verbose", "API_SECRET=" + tag("ssssssss"), "Authorization: Bearer " + tag("bbbbbbb1"), "postgres://u:" + tag("pw123456") + "@h/db", "#K", "--header", "X-Plain: yes"}
	if !reflect.DeepEqual(args, want) {
		t.Errorf("args are %q,\nwant %q", args, want)
	}
	wantEnv := map[string]string{"GITHUB_TOKEN": tag("ghp_x"), "HOME": "/root", "PWD": "/x", "OPENAI_API_KEY": tag("sk-12345678"), "DB": "postgres://u:" + tag("pw123456") + "@h/db"}
	if !reflect.DeepEqual(got.Env, wantEnv) {
		t.Errorf("env is %q,\nwant %q", got.Env, wantEnv)
	}
	if !reflect.DeepEqual(in.Args, keep) || in.Env["GITHUB_TOKEN"] != "ghp_x" {
		t.Error("the target given was changed")
	}
	if v := m.Env("ANY", "value-of-mine", true); v == "value-of-mine" || m.Env("OTHER", "has value-of-mine in it", false) != "has "+v+" in it" {
		t.Error("a variable marked secret is not masked everywhere")
	}
}
