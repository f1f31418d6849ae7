package cli

import (
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/recorder/diff"
	"mcploupe/session/sessiontest"
)

const (
	oldCatalogue = `{"tools":[{"name":"a","inputSchema":{"type":"object","properties":{"x":{"type":"string"}}}},{"name":"b","description":"one"}]}`
	newCatalogue = `{"tools":[{"name":"a","inputSchema":{"type":"object","properties":{"x":{"type":"string"}},"required":["x"]}},{"name":"b","description":"two"}]}`
	sameButTexts = `{"tools":[{"name":"a","inputSchema":{"type":"object","properties":{"x":{"type":"string"}}}},{"name":"b","description":"two"}]}`
)

func file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// recordingOf is a recording with a call, the answer of which says word.
func recordingOf(t *testing.T, word string) string {
	t.Helper()
	return file(t, "r.mcp.jsonl", `{"format":"mcploupe/1","created":"2026-11-30T03:12:09Z","target":{"transport":"stdio"},"app":"test"}
{"q":1,"t":0,"d":"out","k":"msg","c":"stdio","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"n":9007199254740993}}}}
{"q":2,"t":1000,"d":"in","k":"msg","c":"stdio","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"`+word+`"}]}}}
`)
}

func TestDiffExitCodesAndFormats(t *testing.T) {
	older, newer, texts := file(t, "old.json", oldCatalogue), file(t, "new.json", newCatalogue), file(t, "texts.json", sameButTexts)
	one, two := recordingOf(t, "one"), recordingOf(t, "two")
	rules := file(t, "r.json", `{"format":"mcploupe-rules/1","rules":[{"action":"volatile","pointer":"/result/content/*/text"},{"action":"ignore","area":"tool","pointer":"/description"}]}`)
	for name, c := range map[string]struct {
		args []string
		code int
		out  string
	}{
		"same catalogues":     {[]string{older, older}, ExitOK, "The interfaces are the same."},
		"breaking":            {[]string{older, newer, "--fail-on", "breaking"}, ExitFound, "Argument `x` is required now."},
		"texts alone":         {[]string{older, texts}, ExitFound, "another `description`"},
		"texts break nothing": {[]string{older, texts, "--fail-on", "breaking"}, ExitOK, "another `description`"},
		"texts ignored":       {[]string{older, texts, "--ignore", rules}, ExitOK, "rule hid 1 difference: ignore /description"},
		"same recordings":     {[]string{one, one}, ExitOK, "the only exchange is the same"},
		"other recordings":    {[]string{one, two}, ExitFound, "`/result/content/0/text` is \"two\", before \"one\"."},
		"hidden by a rule":    {[]string{one, two, "--ignore", rules}, ExitOK, "rule hid 1 difference: volatile"},
		"results left out":    {[]string{one, two, "--without", "results"}, ExitOK, "the only exchange is the same"},
		"interfaces alone":    {[]string{one, two, "--interface-only"}, ExitOK, "The interfaces are the same."},
		"markdown":            {[]string{one, two, "--format", "markdown"}, ExitFound, "# `"},
		"recording and list":  {[]string{one, older}, ExitOK, "The interfaces are the same."},
		"no conversation":     {[]string{older, newer, "--conversation-only"}, ExitFailed, ""},
		"no such class":       {[]string{one, two, "--without", "everything"}, ExitFailed, ""},
		"no such rule":        {[]string{one, two, "--count", "everything"}, ExitFailed, ""},
		"no such format":      {[]string{one, two, "--format", "html"}, ExitFailed, ""},
		"no such grade":       {[]string{one, two, "--fail-on", "noting"}, ExitFailed, ""},
		"one operand":         {[]string{one}, ExitFailed, ""},
		"nothing left":        {[]string{one, two, "--interface-only", "--conversation-only"}, ExitFailed, ""},
		"no rules":            {[]string{one, two, "--ignore", older}, ExitFailed, ""},
		"no such file":        {[]string{one, filepath.Join(t.TempDir(), "x.mcp.jsonl")}, ExitFailed, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := run(t, "", append([]string{"diff"}, c.args...)...)
			if got.code != c.code || !strings.Contains(got.out, c.out) || c.code == ExitFailed && got.err == "" {
				t.Errorf("code %d, want %d\n%s\n%s", got.code, c.code, got.out, got.err)
			}
		})
	}
	got := run(t, "", "diff", "--json", one, two)
	if !jsontext.Value(got.out).IsValid() || at(t, got.out, "/conversation/different") != "1" {
		t.Errorf("%s", got.out)
	}
	got = run(t, "", "diff", "--format", "junit", older, newer)
	var doc struct {
		Failures int `xml:"failures,attr"`
	}
	if err := xml.Unmarshal([]byte(got.out), &doc); err != nil || doc.Failures != 2 {
		t.Errorf("%v, %d failures in %s", err, doc.Failures, got.out)
	}
}

func TestDiffOfServersAndSnapshots(t *testing.T) { // cases 143, 145
	out := filepath.Join(t.TempDir(), "base"+diff.SnapshotExt)
	url := demoURL(t)
	if got := run(t, "", "snapshot", url, out); got.code != ExitOK {
		t.Fatalf("code %d: %s", got.code, got.err)
	}
	first, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	// It is the same each time, and written over.
	if got := run(t, "", "snapshot", url, out); got.code != ExitOK {
		t.Fatalf("code %d: %s", got.code, got.err)
	}
	if second, err := os.ReadFile(out); err != nil || string(second) != string(first) {
		t.Errorf("%v\n%s\nand\n%s", err, first, second)
	}
	if got := run(t, "", "diff", out, url); got.code != ExitOK || !strings.Contains(got.out, "The interfaces are the same.") {
		t.Errorf("code %d: %s %s", got.code, got.out, got.err)
	}
	changed := strings.Replace(string(first), `"name": "count_photons"`, `"name": "count_neutrons"`, 1)
	if changed == string(first) {
		t.Fatalf("no count_photons in %s", first)
	}
	other := file(t, "other"+diff.SnapshotExt, changed)
	if got := run(t, "", "diff", other, url, "--fail-on", "breaking"); got.code != ExitFound || !strings.Contains(got.out, "count_neutrons: The tool is gone.") ||
		!strings.Contains(got.out, "count_neutrons → count_photons") {
		t.Errorf("code %d: %s %s", got.code, got.out, got.err)
	}
	if got := run(t, "", "snapshot", url, "-"); got.code != ExitOK || got.out != string(first) {
		t.Errorf("code %d: %s %s", got.code, got.out, got.err)
	}
	precious := file(t, "precious.json", "{}")
	if got := run(t, "", "snapshot", url, precious); got.code != ExitFailed || !strings.Contains(got.err, "no catalogue") {
		t.Errorf("code %d: %s", got.code, got.err)
	}
}

// Two commands stand after two --; a list that a server fails to give is left
// out of its snapshot, and said.
func TestDiffOfCommands(t *testing.T) {
	script := sessiontest.Server()
	args := against(t, script, "diff")
	_, argv, _ := script.Command(t)
	command := args[len(args)-1-len(argv):]
	if got := run(t, "", append(append(args, "--"), command...)...); got.code != ExitOK || !strings.Contains(got.out, "The interfaces are the same.") {
		t.Errorf("code %d: %s %s", got.code, got.out, got.err)
	}
	older := file(t, "old.json", oldCatalogue)
	if got := run(t, "", against(t, script, "diff", older)...); got.code != ExitFound || !strings.Contains(got.out, "tool good: The tool is new.") {
		t.Errorf("code %d: %s %s", got.code, got.out, got.err)
	}
	failing := script.With("tools/list", sessiontest.ReplyError("-32603", "no tools today"))
	if got := run(t, "", against(t, failing, "snapshot", "-")...); got.code != ExitFound || strings.Contains(got.out, `"tools": [`) || !strings.Contains(got.err, "the list of tools could not be read") {
		t.Errorf("code %d: %s %s", got.code, got.out, got.err)
	}
}

// What looks like a secret does not get into a snapshot.
func TestSnapshotsAreMasked(t *testing.T) {
	key := "sk-proj-" + strings.Repeat("a1B2", 12)
	script := sessiontest.Server().With("tools/list", sessiontest.Reply(`{"tools":[{"name":"t","description":"Use `+key+`","inputSchema":{"type":"object","properties":{"token":{"type":"string"}}}}]}`))
	got := run(t, "", against(t, script, "snapshot", "-")...)
	if got.code != ExitOK || strings.Contains(got.out, key) || !strings.Contains(got.out, "‹secret:1›") || !strings.Contains(got.out, `"token": {`) {
		t.Errorf("code %d: %s %s", got.code, got.out, got.err)
	}
	if got := run(t, "", against(t, script, "snapshot", "--no-mask", "-")...); !strings.Contains(got.out, key) {
		t.Errorf("code %d: %s %s", got.code, got.out, got.err)
	}
}
