//lint:file-ignore SA1019 the peers that are played ask for samples in the revisions that have them

package session

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mcploupe/recorder"
	"mcploupe/recorder/replay"
)

// serveHTTP serves a recording over HTTP.
func serveHTTP(t *testing.T, recorded *recorder.Log, o replay.ServerOptions) (*replay.Server, Target) {
	t.Helper()
	server, err := replay.NewServer(t.Context(), recorded, o)
	if err != nil {
		t.Fatal(err)
	}
	h, err := server.ListenHTTP("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close(); server.Close() })
	return server, Target{URL: h.URL()}
}

func listReport(r replay.Report) string {
	var b strings.Builder
	for _, m := range r.Remarks {
		b.WriteString(string(m.Kind) + " " + m.Text + "\n")
	}
	return b.String()
}

// TestPeerEverythingServed serves a recording of a server that others wrote to
// this client and to that of the Go SDK.
func TestPeerEverythingServed(t *testing.T) {
	for _, p := range realPeers() {
		if p.name != "everything, stdio" {
			continue
		}
		recorded := recordEverything(t, p.target(t))
		for _, revision := range []string{"", "2025-06-18", "2026-07-28"} {
			t.Run("replayed against itself "+revision, func(t *testing.T) {
				server, target := serveHTTP(t, recorded, replay.ServerOptions{Modern: revision == "2026-07-28"})
				target.Revision = revision
				plan, sum, _ := replayed(t, recorded, target, replay.RunOptions{})
				report := server.Report()
				t.Logf("%d of %d answered\n%s\n%s%v %v %v", report.Answered, report.Requests, listReport(report), listResults(plan, sum), sum.Unasked, sum.Unmapped, sum.Notices)
				for _, r := range sum.Results {
					if r.Outcome.Differs() {
						t.Errorf("%s %s: %s %s", plan.Calls[r.Call].Method, plan.Calls[r.Call].Name, r.Outcome, r.Text)
					}
				}
			})
		}
		t.Run("Go SDK, HTTP", func(t *testing.T) {
			server, target := serveHTTP(t, recorded, replay.ServerOptions{})
			driveWithSDK(t, &mcp.StreamableClientTransport{Endpoint: target.URL}, server)
		})
		t.Run("Go SDK, stdio", func(t *testing.T) {
			server, err := replay.NewServer(t.Context(), recorded, replay.ServerOptions{})
			if err != nil {
				t.Fatal(err)
			}
			fromClient, toServer := io.Pipe()
			fromServer, toClient := io.Pipe()
			served := make(chan error, 1)
			go func() { served <- server.ServeStdio(context.Background(), fromClient, toClient) }()
			driveWithSDK(t, &mcp.IOTransport{Reader: fromServer, Writer: toServer}, server)
			if err := <-served; err != nil {
				t.Error(err)
			}
			server.Close()
		})
	}
}

// driveWithSDK uses a served recording of server-everything with the client of
// the Go SDK.
func driveWithSDK(t *testing.T, transport mcp.Transport, server *replay.Server) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	elicited, sampled, progress := 0, 0, make(chan float64, 16)
	client := mcp.NewClient(&mcp.Implementation{Name: "sdk", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			elicited++
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": "Eve"}}, nil
		},
		CreateMessageHandler: func(context.Context, *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
			sampled++
			return &mcp.CreateMessageResult{Role: "assistant", Model: "m", Content: &mcp.TextContent{Text: "A bird."}}, nil
		},
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) { progress <- r.Params.Progress },
	})
	s, err := client.Connect(ctx, transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	tools, err := s.ListTools(ctx, nil)
	if err != nil || len(tools.Tools) < 10 {
		t.Fatalf("%v %v", tools, err)
	}
	call := func(name string, args map[string]any, token any) string {
		p := &mcp.CallToolParams{Name: name, Arguments: args}
		if token != nil {
			p.SetProgressToken(token)
		}
		r, err := s.CallTool(ctx, p)
		if err != nil {
			return "error: " + err.Error()
		}
		text := ""
		for _, c := range r.Content {
			if c, ok := c.(*mcp.TextContent); ok {
				text += c.Text
			}
		}
		return text
	}
	for _, c := range []struct {
		name  string
		args  map[string]any
		token any
		want  string
	}{
		{"echo", map[string]any{"message": "two"}, nil, "Echo: two"},
		{"echo", map[string]any{"message": "one"}, nil, "Echo: one"},
		{"echo", map[string]any{"message": "one"}, nil, "Echo: one"},
		{"trigger-long-running-operation", map[string]any{"duration": 1, "steps": 4}, "mine", "Long running operation completed"},
		{"trigger-elicitation-request", map[string]any{}, nil, "Ada"},
		{"trigger-sampling-request", map[string]any{"prompt": "What is a kestrel?", "maxTokens": 20}, nil, "LLM sampling result"},
		{"echo", map[string]any{"message": "never"}, nil, "differs at /arguments/message"},
		{"ecko", map[string]any{"message": "one"}, nil, "tools/call echo"},
	} {
		if got := call(c.name, c.args, c.token); !strings.Contains(got, c.want) {
			t.Errorf("%s: %q does not say %q", c.name, got, c.want)
		}
	}
	if elicited == 0 || sampled == 0 {
		t.Errorf("asked %d forms and %d samplings", elicited, sampled)
	}
	for want := range 4 {
		select {
		case got := <-progress:
			if got != float64(want+1) {
				t.Errorf("progress %v, want %d", got, want+1)
			}
		case <-ctx.Done():
			t.Fatal("progress is missing")
		}
	}
	if r, err := s.ReadResource(ctx, &mcp.ReadResourceParams{URI: "demo://resource/static/document/features.md"}); err != nil || len(r.Contents) != 1 {
		t.Errorf("%v %v", r, err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	report := server.Report()
	t.Logf("%d of %d\n%s", report.Answered, report.Requests, listReport(report))
	if report.Count(replay.Refused) < 2 || report.Count(replay.OtherWise) == 0 {
		t.Errorf("the report misses something")
	}
}
