package protocol

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func TestRevisions(t *testing.T) {
	var names []string
	for _, r := range Revisions() {
		names = append(names, r.Name)
		if got, ok := RevisionByName(r.Name); !ok || got != r {
			t.Errorf("%s is not found by its name", r)
		}
	}
	want := []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}
	if len(names) != len(want) {
		t.Fatalf("revisions are %v", names)
	}
	for i := range want {
		if names[i] != want[i] {
			t.Errorf("revision %d is %s, want %s", i, names[i], want[i])
		}
	}
	if NewestHandshake().Name != "2025-11-25" || NewestModern().Name != "2026-07-28" {
		t.Error("VER-04: the newest revisions are wrong")
	}
	if _, ok := RevisionByName("2025-11-26"); ok {
		t.Error("VER-41: an unknown date was found")
	}
}

// Part 3.1 to 3.3: who may send what. One column a revision, oldest first;
// c and s are core vocabulary of client and server, C and S of an extension.
func TestVocabulary(t *testing.T) {
	table := map[string][5]string{
		MethodInitialize:                     {"c", "c", "c", "c", ""},
		MethodPing:                           {"cs", "cs", "cs", "cs", ""},
		MethodDiscover:                       {"", "", "", "", "c"},
		MethodToolsList:                      {"c", "c", "c", "c", "c"},
		MethodToolsCall:                      {"c", "c", "c", "c", "c"},
		MethodPromptsList:                    {"c", "c", "c", "c", "c"},
		MethodPromptsGet:                     {"c", "c", "c", "c", "c"},
		MethodResourcesList:                  {"c", "c", "c", "c", "c"},
		MethodResourceTemplatesList:          {"c", "c", "c", "c", "c"},
		MethodResourcesRead:                  {"c", "c", "c", "c", "c"},
		MethodResourcesSubscribe:             {"c", "c", "c", "c", ""},
		MethodResourcesUnsubscribe:           {"c", "c", "c", "c", ""},
		MethodSubscriptionsListen:            {"", "", "", "", "c"},
		MethodComplete:                       {"c", "c", "c", "c", "c"},
		MethodSetLevel:                       {"c", "c", "c", "c", ""},
		MethodTasksGet:                       {"", "", "", "cs", "C"},
		MethodTasksCancel:                    {"", "", "", "cs", "C"},
		MethodTasksResult:                    {"", "", "", "cs", ""},
		MethodTasksList:                      {"", "", "", "cs", ""},
		MethodTasksUpdate:                    {"", "", "", "", "C"},
		MethodRootsList:                      {"s", "s", "s", "s", ""},
		MethodSampling:                       {"s", "s", "s", "s", ""},
		MethodElicit:                         {"", "", "s", "s", ""},
		NotificationInitialized:              {"c", "c", "c", "c", ""},
		NotificationCancelled:                {"cs", "cs", "cs", "cs", "cs"},
		NotificationProgress:                 {"cs", "cs", "cs", "cs", "s"},
		NotificationMessage:                  {"s", "s", "s", "s", "s"},
		NotificationToolsChanged:             {"s", "s", "s", "s", "s"},
		NotificationPromptsChanged:           {"s", "s", "s", "s", "s"},
		NotificationResourcesChanged:         {"s", "s", "s", "s", "s"},
		NotificationResourceUpdated:          {"s", "s", "s", "s", "s"},
		NotificationRootsChanged:             {"c", "c", "c", "c", ""},
		NotificationElicitationComplete:      {"", "", "", "s", ""},
		NotificationTasksStatus:              {"", "", "", "cs", ""},
		NotificationTasks:                    {"", "", "", "", "S"},
		NotificationSubscriptionAcknowledged: {"", "", "", "", "s"},
		"tools/unknown":                      {"", "", "", "", ""},
	}
	for method, columns := range table {
		for i, r := range Revisions() {
			got := ""
			for _, side := range []struct {
				from       From
				core, more string
			}{{FromClient, "c", "C"}, {FromServer, "s", "S"}} {
				switch {
				case r.Methods.has(side.from, method):
					got += side.core
				case r.Extensions.has(side.from, method):
					got += side.more
				}
				if knows := r.Knows(side.from, method); knows != (r.Methods.has(side.from, method) || r.Extensions.has(side.from, method)) {
					t.Errorf("%s %s: Knows is %v", r, method, knows)
				}
			}
			if got != columns[i] {
				t.Errorf("%s %s: got %q, want %q", r, method, got, columns[i])
			}
		}
	}
	if len(knownMethods) != len(table)-1 {
		t.Errorf("%d methods are known, %d are in the table", len(knownMethods), len(table)-1)
	}
}

// Appendix G: what to send to which revision.
func TestDownshift(t *testing.T) {
	info := Implementation{Name: "loupe", Title: "Loupe", Version: "1", Description: "d", WebsiteURL: "https://x"}
	all := ClientCapabilities{Roots: true, Sampling: true, SamplingTools: true, SamplingContext: true, Elicitation: true, ElicitationURL: true,
		Extensions: jsontext.Value(`{"a/b":{}}`), Experimental: jsontext.Value(`{"x":1}`)}
	tests := map[string]struct{ capabilities, info string }{
		"2024-11-05": {`{"roots":{"listChanged":true},"sampling":{},"experimental":{"x":1}}`, `{"name":"loupe","version":"1"}`},
		"2025-03-26": {`{"roots":{"listChanged":true},"sampling":{},"experimental":{"x":1}}`, `{"name":"loupe","version":"1"}`},
		"2025-06-18": {`{"roots":{"listChanged":true},"sampling":{},"elicitation":{},"experimental":{"x":1}}`, `{"name":"loupe","title":"Loupe","version":"1"}`},
		"2025-11-25": {`{"roots":{"listChanged":true},"sampling":{"tools":{},"context":{}},"elicitation":{"form":{},"url":{}},"experimental":{"x":1},"extensions":{"a/b":{}}}`,
			`{"name":"loupe","title":"Loupe","version":"1","description":"d","websiteUrl":"https://x"}`},
		"2026-07-28": {`{"roots":{},"sampling":{"tools":{},"context":{}},"elicitation":{"form":{},"url":{}},"experimental":{"x":1},"extensions":{"a/b":{}}}`,
			`{"name":"loupe","title":"Loupe","version":"1","description":"d","websiteUrl":"https://x"}`},
	}
	for _, r := range Revisions() {
		want := tests[r.Name]
		if got := string(r.Capabilities(all)); got != want.capabilities {
			t.Errorf("%s: capabilities %s, want %s", r, got, want.capabilities)
		}
		// Trap 20: no capability is {}, never null.
		if got := string(r.Capabilities(ClientCapabilities{})); got != "{}" {
			t.Errorf("%s: empty capabilities are %s", r, got)
		}
		if r.Modern {
			if r.InitializeParams(info, all) != nil {
				t.Errorf("trap 13: %s builds initialize", r)
			}
			wantMeta := `{"io.modelcontextprotocol/protocolVersion":"` + r.Name + `","io.modelcontextprotocol/clientInfo":` + want.info +
				`,"io.modelcontextprotocol/clientCapabilities":` + want.capabilities + `,"io.modelcontextprotocol/logLevel":"debug"}`
			if got := string(r.RequestMeta(info, all, "debug")); got != wantMeta {
				t.Errorf("META-01 to 04: got %s", got)
			}
			wantMeta = `{"io.modelcontextprotocol/protocolVersion":"` + r.Name + `","io.modelcontextprotocol/clientCapabilities":{}}`
			if got := string(r.RequestMeta(Implementation{}, ClientCapabilities{}, "")); got != wantMeta {
				t.Errorf("least _meta: got %s", got)
			}
			continue
		}
		if r.RequestMeta(info, all, "debug") != nil {
			t.Errorf("trap 15: %s has reserved _meta members", r)
		}
		wantParams := `{"protocolVersion":"` + r.Name + `","capabilities":` + want.capabilities + `,"clientInfo":` + want.info + `}`
		if got := string(r.InitializeParams(info, all)); got != wantParams {
			t.Errorf("VER-02, %s: got %s, want %s", r, got, wantParams)
		}
	}
	older, _ := RevisionByName("2025-06-18")
	if got := string(older.Capabilities(ClientCapabilities{ElicitationURL: true})); got != "{}" {
		t.Errorf("trap 57: a revision without url mode is told %s", got)
	}
	if got := string(NewestHandshake().Capabilities(ClientCapabilities{ElicitationURL: true, SamplingTools: true})); got != `{"elicitation":{"url":{}}}` {
		t.Errorf("url only: %s", got)
	}
	if got := string(NewestHandshake().InitializeParams(Implementation{}, ClientCapabilities{})); got != `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"","version":""}}` {
		t.Errorf("nameless client: %s", got)
	}
}

// Part 3.5 and 3.7: one column a revision, oldest first.
func TestRevisionFlags(t *testing.T) {
	table := []struct {
		name string
		flag func(*Revision) bool
		want [5]bool
	}{
		{"Batches", func(r *Revision) bool { return r.Batches }, [5]bool{false, true, false, false, false}},
		{"SessionHeader", func(r *Revision) bool { return r.SessionHeader }, [5]bool{false, true, true, true, false}},
		{"VersionHeader", func(r *Revision) bool { return r.VersionHeader }, [5]bool{false, false, true, true, true}},
		{"MetadataHeaders", func(r *Revision) bool { return r.MetadataHeaders }, [5]bool{false, false, false, false, true}},
		{"StandaloneStream", func(r *Revision) bool { return r.StandaloneStream }, [5]bool{false, true, true, true, false}},
		{"Resumption", func(r *Revision) bool { return r.Resumption }, [5]bool{false, true, true, true, false}},
		{"WaitRetry", func(r *Revision) bool { return r.WaitRetry }, [5]bool{false, false, false, true, false}},
		{"Ping", func(r *Revision) bool { return r.Ping }, [5]bool{true, true, true, true, false}},
		{"CancelByNotificationOnHTTP", func(r *Revision) bool { return r.CancelByNotificationOnHTTP }, [5]bool{true, true, true, true, false}},
		{"CompletionContext", func(r *Revision) bool { return r.CompletionContext }, [5]bool{false, false, true, true, true}},
		{"ServerRequests", func(r *Revision) bool { return r.ServerRequests }, [5]bool{true, true, true, true, false}},
		{"ResultType", func(r *Revision) bool { return r.ResultType }, [5]bool{false, false, false, false, true}},
		{"ErrorIDOptional", func(r *Revision) bool { return r.ErrorIDOptional }, [5]bool{false, false, false, true, true}},
		{"ToolAnnotations", func(r *Revision) bool { return r.ToolAnnotations }, [5]bool{false, true, true, true, true}},
		{"Icons", func(r *Revision) bool { return r.Icons }, [5]bool{false, false, false, true, true}},
		{"not found is invalid params", func(r *Revision) bool { return r.NotFoundCode == CodeInvalidParams }, [5]bool{false, false, false, false, true}},
		{"completions flag", func(r *Revision) bool { return r.Needs(MethodComplete) == "/completions" }, [5]bool{false, true, true, true, true}},
		{"tasks in capabilities", func(r *Revision) bool { return r.Needs(MethodTasksCancel) == "/tasks/cancel" }, [5]bool{true, true, true, true, false}},
	}
	for _, row := range table {
		for i, r := range Revisions() {
			if got := row.flag(r); got != row.want[i] {
				t.Errorf("%s of %s is %v", row.name, r, got)
			}
		}
	}
}

func TestNameOf(t *testing.T) {
	for _, tt := range []struct{ method, params, want string }{
		{MethodToolsCall, `{"arguments":{"name":"no"},"name":"get-sum"}`, "get-sum"},
		{MethodToolsCall, `{"name":"a","name":"b"}`, "b"},
		{MethodToolsCall, `{"name":42}`, ""},
		{MethodToolsCall, ``, ""},
		{MethodToolsCall, `[`, ""},
		{MethodPromptsGet, `{"name":"caf\u00e9"}`, "café"},
		{MethodResourcesRead, `{"uri":"file:///a"}`, "file:///a"},
		{MethodResourcesSubscribe, `{"uri":"file:///a"}`, "file:///a"},
		{NotificationResourceUpdated, `{"uri":"file:///a"}`, "file:///a"},
		{MethodTasksGet, `{"taskId":"t1"}`, "t1"},
		{MethodComplete, `{"ref":{"type":"ref/prompt","name":"p"}}`, "p"},
		{MethodComplete, `{"ref":{"type":"ref/resource","uri":"x://{a}"}}`, "x://{a}"},
		{MethodSetLevel, `{"level":"debug"}`, "debug"},
		{MethodToolsList, `{"name":"x"}`, ""},
	} {
		if got := NameOf(tt.method, jsontext.Value(tt.params)); got != tt.want {
			t.Errorf("%s %s: got %q, want %q", tt.method, tt.params, got, tt.want)
		}
	}
}
