//lint:file-ignore SA1019 what the newest revision deprecates, the older ones still have

package demo

import (
	"context"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A way is a transport and a revision in which the demo is met.
type way struct{ transport, version string }

func (w way) String() string { return w.transport + " " + w.version }

var ways = []way{
	{"stdio", "2025-11-25"}, {"http", "2025-11-25"}, {"stdio", "2026-07-28"}, {"http", "2026-07-28"},
	{"stdio", "2025-06-18"}, {"http", "2024-11-05"},
}

func everyWay(t *testing.T, test func(t *testing.T, w way)) {
	for _, w := range ways {
		t.Run(w.String(), func(t *testing.T) {
			t.Parallel()
			test(t, w)
		})
	}
}

// meet starts a demo and connects the SDK's client to it. All ends with the test.
func meet(t *testing.T, w way, o *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	var transport mcp.Transport
	switch w.transport {
	case "stdio":
		inR, inW := io.Pipe()
		outR, outW := io.Pipe()
		served := make(chan error, 1)
		go func() { served <- ServeStdio(context.Background(), inR, outW) }()
		t.Cleanup(func() {
			if err := <-served; err != nil {
				t.Errorf("ServeStdio: %v", err)
			}
		})
		transport = &mcp.IOTransport{Reader: outR, Writer: inW}
	case "http":
		h, err := ListenHTTP("127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := h.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
		})
		transport = &mcp.StreamableClientTransport{Endpoint: h.URL()}
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "visitor", Version: "9.9"}, o)
	acknowledged := make(chan bool, 100)
	client.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if method == "notifications/subscriptions/acknowledged" {
				acknowledged <- true
			}
			return next(ctx, method, req)
		}
	})
	client.AddRoots(&mcp.Root{URI: "file:///home/ada/frames", Name: "frames"})
	session, err := client.Connect(t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: w.version})
	if err != nil {
		t.Fatalf("connecting: %v", err)
	}
	t.Cleanup(func() { session.Close() })
	if got := session.InitializeResult().ProtocolVersion; got != w.version {
		t.Fatalf("speaks %s, not %s", got, w.version)
	}
	if w.version >= stateless && o != nil && o.ToolListChangedHandler != nil {
		within(t, acknowledged, "the acknowledgement")
	}
	return session
}

// answering is a client that answers forms with content, samples and has roots.
func answering(content map[string]any) *mcp.ClientOptions {
	return &mcp.ClientOptions{
		Capabilities: &mcp.ClientCapabilities{
			RootsV2:     &mcp.RootCapabilities{ListChanged: true},
			Elicitation: &mcp.ElicitationCapabilities{Form: &mcp.FormElicitationCapabilities{}, URL: &mcp.URLElicitationCapabilities{}},
		},
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "accept", Content: content}, nil
		},
		CreateMessageWithToolsHandler: func(_ context.Context, req *mcp.CreateMessageWithToolsRequest) (*mcp.CreateMessageWithToolsResult, error) {
			return &mcp.CreateMessageWithToolsResult{Role: "assistant", Model: "tiny", StopReason: "endTurn",
				Content: []mcp.Content{&mcp.TextContent{Text: "Because of the air."}}}, nil
		},
	}
}

func call1(t *testing.T, s *mcp.ClientSession, name string, args any) *mcp.CallToolResult {
	t.Helper()
	res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return res
}

func textOf(res *mcp.CallToolResult) string {
	var b strings.Builder
	for _, c := range res.Content {
		if c, ok := c.(*mcp.TextContent); ok {
			b.WriteString(c.Text + "\n")
		}
	}
	return b.String()
}

// within fails the test if ch does not give something soon, and returns it.
func within[T any](t *testing.T, ch <-chan T, what string) T {
	t.Helper()
	select {
	case v := <-ch:
		return v
	case <-time.After(20 * time.Second):
		t.Fatalf("waited too long for %s", what)
		panic("unreachable")
	}
}

func names[T any](t *testing.T, all func(yield func(T, error) bool), name func(T) string) []string {
	t.Helper()
	var out []string
	for v, err := range all {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, name(v))
	}
	return out
}

func TestIdentity(t *testing.T) {
	everyWay(t, func(t *testing.T, w way) {
		init := meet(t, w, nil).InitializeResult()
		if init.ServerInfo.Title != "Kestrel Hill Observatory" || init.ServerInfo.WebsiteURL == "" || len(init.ServerInfo.Icons) != 3 {
			t.Errorf("identity: %+v", init.ServerInfo)
		}
		if !strings.Contains(init.Instructions, "find_target") {
			t.Errorf("instructions: %q", init.Instructions)
		}
		c := init.Capabilities
		if c.Completions == nil || c.Logging == nil || !c.Tools.ListChanged || !c.Prompts.ListChanged || !c.Resources.ListChanged || !c.Resources.Subscribe {
			t.Errorf("capabilities: %+v", c)
		}
	})
}

func TestLists(t *testing.T) {
	everyWay(t, func(t *testing.T, w way) {
		s := meet(t, w, nil)
		page, err := s.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if page.NextCursor == "" || len(page.Tools) != 10 {
			t.Errorf("the first page has %d tools and the cursor %q", len(page.Tools), page.NextCursor)
		}
		tools := names(t, s.Tools(t.Context(), nil), func(v *mcp.Tool) string { return v.Name })
		for _, want := range []string{"find_target", "book_session", "count_photons", "show_target", "trip_alarm", "expose", "toggle_workshop", "visitor_form", "dome_access", "ask_model"} {
			if !slices.Contains(tools, want) {
				t.Errorf("no tool %s", want)
			}
		}
		resources := names(t, s.Resources(t.Context(), nil), func(v *mcp.Resource) string { return v.URI })
		if len(resources) != 14 || !slices.Contains(resources, "kestrel://clock") {
			t.Errorf("%d resources: %v", len(resources), resources)
		}
		templates := names(t, s.ResourceTemplates(t.Context(), nil), func(v *mcp.ResourceTemplate) string { return v.URITemplate })
		if len(templates) != 4 {
			t.Errorf("templates: %v", templates)
		}
		prompts := names(t, s.Prompts(t.Context(), nil), func(v *mcp.Prompt) string { return v.Name })
		if len(prompts) != 5 {
			t.Errorf("prompts: %v", prompts)
		}
	})
}

// goodArguments are arguments for tools that need some, or that would take long without.
var goodArguments = map[string]string{
	"book_session": `{"visitor":"Ada","email":"ada@example.org","night":"2027-01-09","telescope":"wren","interests":["radio"],"hours":1.25,"note":null,"priority":2}`,
	"plan_observation": `{"pointing":{"by":"equatorial","ra":5.588,"dec":-5.391},"exposures":[{"filter":"L","seconds":30.0,"count":9007199254740993}],
		"window":["2027-01-09T20:00:00Z","2027-01-10T04:00:00Z"],"labels":{"for":"Ada"},"limits":{"moon":null},"repeat":"until dawn","fallback":{"name":"vega","then":{"name":"ring"}}}`,
	"set_alert":       `{"via":"email","address":"ada@example.org","cloud_below":20}`,
	"open_dome":       `{"telescope":"heron"}`,
	"count_photons":   `{"photons":9007199254740993,"flux":1.0}`,
	"fetch_archive":   `{"region":"süd","shard":42,"options":{"dry_run":true}}`,
	"trip_alarm":      `{"how":"tool error"}`,
	"expose":          `{"seconds":0.05}`,
	"write_log_entry": `{"text":"Fog.","signed":null}`,
	"dump_frame":      `{"kilobytes":3}`,
	"dome_access":     `{"wait_seconds":0}`,
	"drop_stream":     `{"retry_milliseconds":1}`,
	"quick_question":  `{"field":"party"}`,
	"survey_sky":      `{"seconds":0.05}`,
	"guided_survey":   `{"seconds":0.05}`,
}

// TestEveryTool calls all tools, and holds what they say against their own output schemas.
func TestEveryTool(t *testing.T) {
	everyWay(t, func(t *testing.T, w way) {
		s := meet(t, w, answering(map[string]any{
			"name": "Ada", "email": "ada@example.org", "party": 3, "first_time": true, "telescope": "wren", "target": "orion", "minutes": 30, "agreed": true, "field": "north",
		}))
		var tools []*mcp.Tool
		for tool, err := range s.Tools(t.Context(), nil) {
			if err != nil {
				t.Fatal(err)
			}
			tools = append(tools, tool)
		}
		if len(tools) < 25 {
			t.Fatalf("only %d tools", len(tools))
		}
		for _, tool := range tools {
			if tool.Name == "download_raw" && w.version >= "2025-11-25" {
				continue // needs a person; see TestDownloadNeedsConsent
			}
			if tool.Name == "guided_survey" && w.version == withTasks {
				continue // is only to be called as a task, which this client does not know
			}
			args := jsontext.Value(goodArguments[tool.Name])
			if len(args) == 0 {
				args = jsontext.Value("{}")
			}
			res := call1(t, s, tool.Name, args)
			mayFail := tool.Name == "trip_alarm" || tool.Name == "drop_stream" || tool.Name == "download_raw" || w.version < "2025-06-18"
			if res.IsError && !mayFail {
				t.Errorf("%s failed: %s", tool.Name, textOf(res))
			}
			if tool.OutputSchema == nil || res.IsError {
				continue
			}
			schema, err := json.Marshal(tool.OutputSchema)
			if err != nil {
				t.Fatal(err)
			}
			compiled, err := compileSchema(string(schema))
			if err != nil {
				t.Fatalf("output schema of %s: %v", tool.Name, err)
			}
			got, err := json.Marshal(res.StructuredContent)
			if err != nil {
				t.Fatal(err)
			}
			if wrong := mismatches(compiled, got); wrong != nil {
				t.Errorf("%s breaks its output schema: %v\n%s", tool.Name, wrong, got)
			}
		}
	})
}

func TestEveryResourceAndTemplate(t *testing.T) {
	everyWay(t, func(t *testing.T, w way) {
		s := meet(t, w, answering(map[string]any{"name": "Ada"}))
		uris := names(t, s.Resources(t.Context(), nil), func(v *mcp.Resource) string { return v.URI })
		uris = append(uris, "kestrel://targets/vega", "kestrel://telescopes/merlin/deep-sky", "kestrel://weather/lake/2026-12-11", "kestrel://sky/m51",
			"kestrel://sky/m51?size=32&palette=mono")
		for _, uri := range uris {
			res, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
			if err != nil {
				t.Errorf("%s: %v", uri, err)
				continue
			}
			for _, c := range res.Contents {
				if c.URI == "" || c.MIMEType == "" || len(c.Text)+len(c.Blob) == 0 && c.URI != "kestrel://calibration/empty.txt" {
					t.Errorf("%s: %+v", uri, c)
				}
			}
		}
		for _, uri := range []string{"kestrel://targets/nowhere", "kestrel://telescopes/wren/deep-sky", "kestrel://sky/m51?size=9999", "kestrel://log/7"} {
			if _, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri}); err == nil {
				t.Errorf("%s could be read", uri)
			}
		}
	})
}

func TestEveryPrompt(t *testing.T) {
	everyWay(t, func(t *testing.T, w way) {
		s := meet(t, w, answering(map[string]any{"audience": "children"}))
		for name, args := range map[string]map[string]string{
			"greet_visitors": nil, "explain_target": {"target": "vega", "audience": "children", "language": "Ladin"},
			"judge_picture": {"target": "ring"}, "sum_up_night": nil,
		} {
			res, err := s.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: name, Arguments: args})
			if err != nil || len(res.Messages) == 0 {
				t.Errorf("%s: %v, %+v", name, err, res)
			}
		}
		if w.version >= "2025-06-18" {
			res, err := s.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "tailored_tour", Arguments: map[string]string{"language": "English"}})
			if err != nil {
				t.Fatal(err)
			}
			if got := res.Messages[0].Content.(*mcp.TextContent).Text; !strings.Contains(got, `"children"`) || !strings.Contains(got, "English") {
				t.Errorf("the tour is %q", got)
			}
		}
		if _, err := s.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "explain_target", Arguments: map[string]string{"target": "nowhere"}}); err == nil {
			t.Error("a target that is not there was explained")
		}
	})
}

func TestCompletion(t *testing.T) {
	everyWay(t, func(t *testing.T, w way) {
		s := meet(t, w, nil)
		for _, c := range []struct {
			ref      *mcp.CompleteReference
			arg, typ string
			known    map[string]string
			want     []string
		}{
			{&mcp.CompleteReference{Type: "ref/prompt", Name: "explain_target"}, "audience", "ch", nil, []string{"children"}},
			{&mcp.CompleteReference{Type: "ref/prompt", Name: "explain_target"}, "target", "ve", nil, []string{"vega", "vela-pulsar"}},
			{&mcp.CompleteReference{Type: "ref/resource", URI: "kestrel://targets/{name}"}, "name", "R", nil, []string{"ring"}},
			{&mcp.CompleteReference{Type: "ref/resource", URI: "kestrel://telescopes/{telescope}/{camera}"}, "camera", "", map[string]string{"telescope": "wren"}, []string{"wide-field"}},
			{&mcp.CompleteReference{Type: "ref/resource", URI: "kestrel://weather/{mast}/{date}"}, "mast", "x", nil, []string{}},
		} {
			res, err := s.Complete(t.Context(), &mcp.CompleteParams{
				Ref: c.ref, Argument: mcp.CompleteParamsArgument{Name: c.arg, Value: c.typ}, Context: &mcp.CompleteContext{Arguments: c.known},
			})
			if err != nil || !slices.Equal(res.Completion.Values, c.want) || res.Completion.Values == nil {
				t.Errorf("completing %s %q: %v, %v", c.arg, c.typ, err, res)
			}
		}
		res, err := s.Complete(t.Context(), &mcp.CompleteParams{
			Ref: &mcp.CompleteReference{Type: "ref/resource", URI: "kestrel://weather/{mast}/{date}"}, Argument: mcp.CompleteParamsArgument{Name: "date"},
		})
		if err != nil || len(res.Completion.Values) != 100 || !res.Completion.HasMore || res.Completion.Total != 200 {
			t.Errorf("dates: %v, %+v", err, res)
		}
	})
}
