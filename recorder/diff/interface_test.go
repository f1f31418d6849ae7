package diff

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
)

// corpus is where the lists of real servers are.
const corpus = "../../protocol/schema/testdata/tools"

// toolsOf reads a recorded list of tools of a real server.
func toolsOf(t testing.TB, name string) Surface {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(corpus, name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	tools, _, ok := protocol.Lookup(raw, "/tools")
	if !ok {
		t.Fatalf("%s has no tools", name)
	}
	s := Surface{Tools: List{Known: true}}
	for _, tool := range protocol.Elements(tools) {
		s.Tools.Items = append(s.Tools.Items, tool)
	}
	return s
}

func surface(tools ...string) Surface {
	s := Surface{Tools: List{Known: true}}
	for _, t := range tools {
		s.Tools.Items = append(s.Tools.Items, jsontext.Value(t))
	}
	return s
}

func TestRealServersDoNotDifferFromThemselves(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(corpus, "*.json"))
	if err != nil || len(files) < 50 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, f := range files {
		s := toolsOf(t, strings.TrimSuffix(filepath.Base(f), ".json"))
		if r := Interfaces(s, s); len(r.Changes) > 0 || r.Cut != "" {
			t.Errorf("%s: %+v", f, r)
		}
	}
}

// Between the two versions 25 tools of this server gained a required argument.
func TestChromeDevtoolsBreaksCallers(t *testing.T) {
	r := Interfaces(toolsOf(t, "old-chrome-devtools-mcp-1.4.0"), toolsOf(t, "chrome-devtools-mcp-1.11.0"))
	tools := map[string]bool{}
	for _, c := range r.Changes {
		if c.Rule == "property.added.required" {
			if c.Verdict != Breaking {
				t.Errorf("%s: %s is %s", c.Name, c.Text, c.Verdict)
			}
			tools[c.Name] = true
		}
	}
	if len(tools) != 25 {
		t.Errorf("%d tools gained a required argument, want 25", len(tools))
	}
}

func TestToolMembers(t *testing.T) {
	for _, c := range []struct {
		name, before, after string
		want                Verdict
		says                string
	}{
		{"read-only turned", `{"name":"t","annotations":{"readOnlyHint":true}}`, `{"name":"t","annotations":{"readOnlyHint":false}}`, Breaking, "said to read only"},
		{"read-only dropped", `{"name":"t","annotations":{"readOnlyHint":true}}`, `{"name":"t"}`, Breaking, "said to read only"},
		{"destructive by default", `{"name":"t","annotations":{"destructiveHint":false}}`, `{"name":"t","annotations":{}}`, Breaking, "may destroy"},
		{"destroys no more", `{"name":"t","annotations":{"destructiveHint":true}}`, `{"name":"t","annotations":{"destructiveHint":false}}`, Compatible, "nothing any more"},
		{"title of the annotations", `{"name":"t","annotations":{"title":"a"}}`, `{"name":"t","annotations":{"title":"b"}}`, Note, "annotation `title`"},
		{"description", `{"name":"t","description":"a"}`, `{"name":"t","description":"b"}`, Note, "description"},
		{"tasks required", `{"name":"t","execution":{"taskSupport":"optional"}}`, `{"name":"t","execution":{"taskSupport":"required"}}`, Breaking, "as a task is required"},
		{"tasks possible", `{"name":"t"}`, `{"name":"t","execution":{"taskSupport":"optional"}}`, Compatible, "can be called as a task"},
		{"output promised", `{"name":"t"}`, `{"name":"t","outputSchema":{"type":"object"}}`, Compatible, "schema now"},
		{"output not promised", `{"name":"t","outputSchema":{"type":"object"}}`, `{"name":"t"}`, Breaking, "no schema any more"},
		{"output field gone", `{"name":"t","outputSchema":{"properties":{"a":{}}}}`, `{"name":"t","outputSchema":{"properties":{}}}`, Breaking, "Field `a` is gone"},
		{"argument required", `{"name":"t","inputSchema":{"properties":{}}}`, `{"name":"t","inputSchema":{"properties":{"a":{}},"required":["a"]}}`, Breaking, "Argument `a` is new and required"},
		{"unknown member", `{"name":"t"}`, `{"name":"t","x":1}`, Note, "`x`"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := Interfaces(surface(c.before), surface(c.after))
			if len(r.Changes) != 1 || r.Changes[0].Verdict != c.want || !strings.Contains(r.Changes[0].Text, c.says) || r.Changes[0].Name != "t" {
				t.Errorf("%+v, want %s with %q", r.Changes, c.want, c.says)
			}
		})
	}
	r := Interfaces(surface(`{"name":"t"}`), surface(`{"name":"t","annotations":{"readOnlyHint":false,"destructiveHint":true}}`))
	for _, c := range r.Changes {
		t.Errorf("defaults written out are no change: %s", c.Text)
	}
}

func TestListsAreComparedByNameAndOrdinal(t *testing.T) {
	r := Interfaces(surface(`{"name":"a"}`, `{"name":"b"}`, `{"name":"b","title":"x"}`), surface(`{"name":"b"}`, `{"name":"b","title":"y"}`, `{"name":"c"}`))
	var got []string
	for _, c := range r.Changes {
		got = append(got, strings.TrimSpace(c.Name+" "+strings.Repeat("'", c.Ordinal)+" "+c.Kind.String()+" "+c.Verdict.String()))
	}
	if s := strings.Join(got, "; "); s != "a  removed breaking; b ' changed note; c  added compatible" {
		t.Errorf("got %s", s)
	}
}

func TestUnknownListsSayNothing(t *testing.T) {
	if r := Interfaces(surface(`{"name":"a"}`), Surface{}); len(r.Changes) > 0 {
		t.Errorf("a list that was never read counts as empty: %+v", r.Changes)
	}
}

func TestRenamesAreOffered(t *testing.T) {
	schema := `"inputSchema":{"type":"object","properties":{"path":{"type":"string"},"head":{"type":"number"}}}`
	r := Interfaces(
		surface(`{"name":"read_file","description":"Read a file from disk",`+schema+`}`, `{"name":"sum","inputSchema":{"properties":{"x":{"type":"number"}}}}`),
		surface(`{"name":"read_text_file","description":"Read a text file from disk",`+schema+`}`, `{"name":"weather","inputSchema":{"properties":{"city":{"type":"string"}}}}`))
	if len(r.Renames) != 1 || r.Renames[0].From != "read_file" || r.Renames[0].To != "read_text_file" {
		t.Errorf("offered %+v", r.Renames)
	}
	if r.Count(Breaking) != 2 || r.Count(Compatible) != 2 {
		t.Errorf("a rename is offered, not assumed: %+v", r.Changes)
	}
}

func TestServerIsCompared(t *testing.T) {
	before := Surface{Revision: "2025-11-25", Supported: []string{"2025-11-25"}, ServerInfo: jsontext.Value(`{"name":"s","version":"1"}`),
		Capabilities: jsontext.Value(`{"tools":{"listChanged":true},"logging":{}}`)}
	after := Surface{Revision: "2026-07-28", Supported: []string{"2026-07-28"}, ServerInfo: jsontext.Value(`{"name":"s","version":"2"}`),
		Capabilities: jsontext.Value(`{"tools":{"listChanged":false},"resources":{"subscribe":true}}`), Instructions: jsontext.Value(`"Be kind"`)}
	var got []string
	for _, c := range Interfaces(before, after).Changes {
		got = append(got, c.Verdict.String()+" "+c.Pointer)
	}
	want := "breaking /supportedVersions; compatible /supportedVersions; note /protocolVersion; note /serverInfo/version; note /instructions; " +
		"breaking /tools/listChanged; compatible /resources; breaking /logging"
	if s := strings.Join(got, "; "); s != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
}

func TestPromptArguments(t *testing.T) {
	list := func(s string) Surface {
		return Surface{Prompts: List{Known: true, Items: []jsontext.Value{jsontext.Value(s)}}}
	}
	r := Interfaces(list(`{"name":"p","arguments":[{"name":"a"},{"name":"gone"},{"name":"d","description":"x"}]}`),
		list(`{"name":"p","arguments":[{"name":"a","required":true},{"name":"n","required":true},{"name":"o"},{"name":"d","description":"y"}]}`))
	var got []string
	for _, c := range r.Changes {
		got = append(got, c.Verdict.String()+" "+c.Rule+" "+c.Pointer)
	}
	want := "breaking required.added /arguments/0; breaking property.added.required /arguments/1; compatible property.added /arguments/2; " +
		"note text.changed /arguments/3/description; breaking property.removed /arguments/1"
	if s := strings.Join(got, "; "); s != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
}
