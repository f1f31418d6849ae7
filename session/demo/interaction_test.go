//lint:file-ignore SA1019 what the newest revision deprecates, the older ones still have

package demo

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// asking are the ways in which a client can be asked by form.
var asking = ways[:4]

func TestVisitorFormHasEveryKindOfField(t *testing.T) {
	for _, w := range ways[:5] {
		t.Run(w.String(), func(t *testing.T) {
			var asked map[string]any
			o := answering(nil)
			o.ElicitationHandler = func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
				asked = req.Params.RequestedSchema.(map[string]any)
				return &mcp.ElicitResult{Action: "accept", Content: map[string]any{
					"name": "Ada", "email": "ada@example.org", "party": 3, "first_time": false, "telescope": "heron",
				}}, nil
			}
			s := meet(t, w, o)
			res := call1(t, s, "visitor_form", nil)
			got := res.StructuredContent.(map[string]any)
			if got["action"] != "accept" || got["fits"] != true {
				t.Errorf("result: %v", got)
			}
			properties := asked["properties"].(map[string]any)
			want := 15
			if w.version < "2025-11-25" {
				want = 12 // 2025-06-18 has neither titled nor multiple choices
			}
			if len(properties) != want {
				t.Errorf("the form has %d fields, not %d", len(properties), want)
			}
			if tea := properties["tea"].(map[string]any); tea["enumNames"] == nil {
				t.Errorf("tea is %v", tea)
			}
		})
	}
}

func TestDeclineAndCancelAreAnswers(t *testing.T) {
	for _, w := range asking {
		for _, action := range []string{"decline", "cancel"} {
			o := answering(nil)
			o.ElicitationHandler = func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
				return &mcp.ElicitResult{Action: action}, nil
			}
			s := meet(t, w, o)
			got := call1(t, s, "quick_question", nil).StructuredContent.(map[string]any)
			if got["action"] != action || got["content"] != nil {
				t.Errorf("%s, %s: %v", w, action, got)
			}
		}
	}
}

func TestTwoRounds(t *testing.T) {
	for _, w := range asking {
		t.Run(w.String(), func(t *testing.T) {
			var mu sync.Mutex
			var messages []string
			o := answering(nil)
			o.ElicitationHandler = func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
				mu.Lock()
				messages = append(messages, req.Params.Message)
				mu.Unlock()
				content := map[string]any{"target": "m51"}
				if strings.Contains(req.Params.Message, "Two more") {
					content = map[string]any{"minutes": 20, "agreed": true}
				}
				return &mcp.ElicitResult{Action: "accept", Content: content}, nil
			}
			got := textOf(call1(t, meet(t, w, o), "plan_night", nil))
			for _, want := range []string{"20 minutes at Whirlpool Galaxy", "Because of the air", "1 folders"} {
				if !strings.Contains(got, want) {
					t.Errorf("%q lacks %q", got, want)
				}
			}
			if len(messages) != 2 || !strings.HasPrefix(messages[1], "Whirlpool Galaxy it is") {
				t.Errorf("asked: %q", messages)
			}
		})
	}
}

func TestSamplingAndRoots(t *testing.T) {
	everyWay(t, func(t *testing.T, w way) {
		var asked *mcp.CreateMessageWithToolsParams
		o := answering(nil)
		plain := o.CreateMessageWithToolsHandler
		o.CreateMessageWithToolsHandler = func(ctx context.Context, req *mcp.CreateMessageWithToolsRequest) (*mcp.CreateMessageWithToolsResult, error) {
			asked = req.Params
			return plain(ctx, req)
		}
		s := meet(t, w, o)
		got := call1(t, s, "ask_model", map[string]any{"with_picture": true, "with_tools": true, "max_tokens": 7}).StructuredContent.(map[string]any)
		if got["model"] != "tiny" || got["text"] != "Because of the air." {
			t.Errorf("the model said %v", got)
		}
		if asked.MaxTokens != 7 || len(asked.Messages) != 2 || asked.SystemPrompt == "" || asked.ModelPreferences == nil {
			t.Errorf("asked: %+v", asked)
		}
		if (len(asked.Tools) == 1) != (w.version >= "2025-11-25") {
			t.Errorf("tools: %v", asked.Tools)
		}
		folders := call1(t, s, "list_folders", nil).StructuredContent.(map[string]any)["folders"].([]any)
		if len(folders) != 1 || folders[0].(map[string]any)["uri"] != "file:///home/ada/frames" {
			t.Errorf("folders: %v", folders)
		}
	})
}

// L-MRTR-04, L-RPC-15: nothing is asked that the client has not declared.
func TestUndeclaredIsNotAsked(t *testing.T) {
	everyWay(t, func(t *testing.T, w way) {
		s := meet(t, w, &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}})
		for _, name := range []string{"visitor_form", "ask_model", "list_folders", "dome_access", "plan_night"} {
			res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: name})
			if w.version < stateless {
				if err != nil || !res.IsError || !strings.Contains(textOf(res), "did not declare") {
					t.Errorf("%s: %v, %+v", name, err, res)
				}
				continue
			}
			var rpc *jsonrpc.Error
			if !errors.As(err, &rpc) || rpc.Code != mcp.CodeMissingRequiredClientCapabilities || !strings.Contains(string(rpc.Data), "requiredCapabilities") {
				t.Errorf("%s: %v, %+v", name, err, res)
			}
		}
	})
}

// visiting is a client that opens the page it is shown and agrees there.
func visiting(t *testing.T, completed chan<- string) *mcp.ClientOptions {
	o := answering(nil)
	o.ElicitationHandler = func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		if req.Params.Mode != "url" || !strings.HasPrefix(req.Params.URL, "http://127.0.0.1:") {
			t.Errorf("asked %+v", req.Params)
			return &mcp.ElicitResult{Action: "cancel"}, nil
		}
		agree(t, req.Params.URL)
		return &mcp.ElicitResult{Action: "accept"}, nil
	}
	o.ElicitationCompleteHandler = func(_ context.Context, req *mcp.ElicitationCompleteNotificationRequest) {
		completed <- req.Params.ElicitationID
	}
	return o
}

func TestURLElicitation(t *testing.T) {
	for _, w := range asking {
		t.Run(w.String(), func(t *testing.T) {
			completed := make(chan string, 1)
			s := meet(t, w, visiting(t, completed))
			got := call1(t, s, "dome_access", map[string]any{"telescope": "wren", "wait_seconds": 20}).StructuredContent.(map[string]any)
			if got["access"] != "granted" {
				t.Errorf("result: %v", got)
			}
			if w.version == "2025-11-25" { // ELIC-31: the notification exists in this revision only
				if id := within(t, completed, "the completion"); id == "" {
					t.Error("the completion names no elicitation")
				}
			}
		})
	}
}

func TestURLElicitationRefusedAndUnconfirmed(t *testing.T) {
	for _, w := range asking {
		for action, want := range map[string]string{"decline": "refused", "accept": "not yet"} {
			o := answering(nil)
			o.ElicitationHandler = func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
				return &mcp.ElicitResult{Action: action}, nil
			}
			got := call1(t, meet(t, w, o), "dome_access", map[string]any{"wait_seconds": 0}).StructuredContent.(map[string]any)
			if got["access"] != want {
				t.Errorf("%s, %s: %v", w, action, got)
			}
		}
	}
}

// agree opens a page as a person would, and presses its button.
func agree(t *testing.T, page string) {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPost} {
		req, err := http.NewRequestWithContext(t.Context(), method, page, nil)
		if err != nil {
			t.Error(err)
			return
		}
		res, err := client.Do(req)
		if err != nil {
			t.Error(err)
			return
		}
		body, err := io.ReadAll(res.Body)
		res.Body.Close()
		want := "I agree"
		if method == http.MethodPost {
			want = "Thank you"
		}
		if err != nil || res.StatusCode != http.StatusOK || !strings.Contains(string(body), want) {
			t.Errorf("%s: %s, %v, %s", method, res.Status, err, body)
		}
	}
}

// ELIC-33, ELIC-34: error -32042 in 2025-11-25, input_required in 2026-07-28, a plain hint before.
func TestDownloadNeedsConsent(t *testing.T) {
	everyWay(t, func(t *testing.T, w way) {
		completed := make(chan string, 2)
		s := meet(t, w, visiting(t, completed))
		res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "download_raw"})
		switch {
		case w.version == "2025-11-25":
			var rpc *jsonrpc.Error
			var data struct {
				Elicitations []struct {
					Mode, URL, ElicitationID string
				} `json:"elicitations"`
			}
			if !errors.As(err, &rpc) || rpc.Code != mcp.CodeURLElicitationRequired {
				t.Fatalf("first call: %v, %+v", err, res)
			}
			if err := json.Unmarshal(rpc.Data, &data, json.MatchCaseInsensitiveNames(true)); err != nil || len(data.Elicitations) != 1 || data.Elicitations[0].Mode != "url" {
				t.Fatalf("data %s: %v", rpc.Data, err)
			}
			agree(t, data.Elicitations[0].URL)
			if id := within(t, completed, "the completion"); id != data.Elicitations[0].ElicitationID {
				t.Errorf("completed %q, not %q", id, data.Elicitations[0].ElicitationID)
			}
		case w.version < "2025-11-25":
			if err != nil || !res.IsError {
				t.Fatalf("first call: %v, %+v", err, res)
			}
			_, after, _ := strings.Cut(textOf(res), "Open ")
			page, _, _ := strings.Cut(after, " ")
			agree(t, page)
		}
		if err == nil && w.version >= stateless && res.IsError {
			t.Errorf("first call: %s", textOf(res))
		}
		if res := call1(t, s, "download_raw", nil); res.IsError || len(res.Content) != 2 {
			t.Errorf("with consent: %s", textOf(res))
		}
	})
}

func TestAlarms(t *testing.T) {
	everyWay(t, func(t *testing.T, w way) {
		s := meet(t, w, nil)
		for how, code := range map[string]int64{"invalid params": -32602, "internal error": -32603, "own code": -31007} {
			_, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "trip_alarm", Arguments: map[string]any{"how": how}})
			var rpc *jsonrpc.Error
			if !errors.As(err, &rpc) || rpc.Code != code {
				t.Errorf("%s: %v", how, err)
			}
		}
		if res := call1(t, s, "open_dome", map[string]any{"telescope": "wren", "gust_limit": 0}); !res.IsError {
			t.Error("the dome opened in a storm")
		}
		res := call1(t, s, "find_target", map[string]any{"limit": 99, "kind": "comet"})
		if got := textOf(res); !res.IsError || !strings.Contains(got, "/limit") || !strings.Contains(got, "/kind") {
			t.Errorf("wrong arguments: %q", got)
		}
	})
}

func TestProgressAndCancel(t *testing.T) {
	everyWay(t, func(t *testing.T, w way) {
		progress := make(chan *mcp.ProgressNotificationParams, 100)
		o := &mcp.ClientOptions{ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) {
			progress <- req.Params
		}}
		s := meet(t, w, o)
		short := &mcp.CallToolParams{Name: "expose", Arguments: map[string]any{"seconds": 0.02, "target": "ring"}}
		short.SetProgressToken("first")
		if _, err := s.CallTool(t.Context(), short); err != nil {
			t.Fatal(err)
		}
		for n := 1; n <= 4; n++ {
			p := within(t, progress, "progress")
			if p.Progress != float64(n) || p.Total != 4 || !strings.Contains(p.Message, "ring") || p.ProgressToken != "first" {
				t.Errorf("progress %d: %+v", n, p)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		failed := make(chan error, 1)
		go func() {
			long := &mcp.CallToolParams{Name: "expose", Arguments: map[string]any{"seconds": 3600}}
			long.SetProgressToken("second")
			_, err := s.CallTool(ctx, long)
			failed <- err
		}()
		within(t, progress, "progress of the long exposure")
		cancel()
		if err := within(t, failed, "the cancelled call"); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: %v", err)
		}
		call1(t, s, "weather_now", nil) // the connection goes on
	})
}

func TestLogLevels(t *testing.T) {
	everyWay(t, func(t *testing.T, w way) {
		got := make(chan string, 100)
		s := meet(t, w, &mcp.ClientOptions{LoggingMessageHandler: func(_ context.Context, req *mcp.LoggingMessageRequest) {
			got <- string(req.Params.Level)
		}})
		params := &mcp.CallToolParams{Name: "broadcast_log"}
		if w.version >= stateless {
			params.Meta = mcp.Meta{mcp.MetaKeyLogLevel: "warning"}
		} else if err := s.SetLoggingLevel(t.Context(), &mcp.SetLoggingLevelParams{Level: "warning"}); err != nil {
			t.Fatal(err)
		}
		if _, err := s.CallTool(t.Context(), params); err != nil {
			t.Fatal(err)
		}
		for _, want := range levels[3:] {
			if level := within(t, got, "the message at "+want); level != want {
				t.Errorf("%s came instead of %s", level, want)
			}
		}
	})
}

func TestToolListChanges(t *testing.T) {
	everyWay(t, func(t *testing.T, w way) {
		tools, resources := make(chan bool, 10), make(chan bool, 10)
		s := meet(t, w, &mcp.ClientOptions{
			ToolListChangedHandler:     func(context.Context, *mcp.ToolListChangedRequest) { tools <- true },
			ResourceListChangedHandler: func(context.Context, *mcp.ResourceListChangedRequest) { resources <- true },
		})
		has := func(name string) bool {
			return slices.Contains(names(t, s.Tools(t.Context(), nil), func(v *mcp.Tool) string { return v.Name }), name)
		}
		call1(t, s, "toggle_workshop", nil)
		within(t, tools, "tools/list_changed")
		if !has("polish_mirror") {
			t.Error("the workshop is open, but its tools are not there")
		}
		if got := textOf(call1(t, s, "oil_dome", nil)); !strings.Contains(got, "without a sound") {
			t.Errorf("oil_dome: %q", got)
		}
		call1(t, s, "toggle_workshop", nil)
		within(t, tools, "the second tools/list_changed")
		if has("polish_mirror") {
			t.Error("the workshop is closed, but its tools are still there")
		}
		call1(t, s, "write_log_entry", map[string]any{"text": "Snow.", "signed": "Ada"})
		within(t, resources, "resources/list_changed")
		res, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "kestrel://log/2"})
		if err != nil || !strings.Contains(res.Contents[0].Text, "Snow.\n\nAda") {
			t.Errorf("the entry: %v, %+v", err, res)
		}
	})
}

func TestLogIsBounded(t *testing.T) {
	l := newNightLog()
	for range maxEntries - 1 {
		if _, dropped := l.write("x"); dropped != 0 {
			t.Fatalf("entry %d was dropped too early", dropped)
		}
	}
	if _, dropped := l.write("x"); dropped != 1 {
		t.Errorf("dropped %d, not 1", dropped)
	}
	if _, ok := l.read(1); ok {
		t.Error("entry 1 is still there")
	}
}

func TestSubscription(t *testing.T) {
	everyWay(t, func(t *testing.T, w way) {
		updates := make(chan string, 100)
		s := meet(t, w, &mcp.ClientOptions{ResourceUpdatedHandler: func(_ context.Context, req *mcp.ResourceUpdatedNotificationRequest) {
			updates <- req.Params.URI
		}})
		if err := s.Subscribe(t.Context(), &mcp.SubscribeParams{URI: "kestrel://clock"}); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if uri := within(t, updates, "an update"); uri != "kestrel://clock" {
				t.Errorf("update of %s", uri)
			}
		}
		if err := s.Unsubscribe(t.Context(), &mcp.UnsubscribeParams{URI: "kestrel://clock"}); err != nil {
			t.Fatal(err)
		}
		if w.version < stateless {
			if err := s.Subscribe(t.Context(), &mcp.SubscribeParams{URI: "kestrel://about"}); err == nil {
				t.Error("what never changes can be subscribed to")
			}
		}
	})
}
