//lint:file-ignore SA1019 what the newest revision deprecates, the older ones still have

package demo

import (
	"context"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var modelTools = []tool{
	{
		name: "ask_model", title: "Ask your model", icon: "vela-pulsar",
		hints: &mcp.ToolAnnotations{ReadOnlyHint: true, DestructiveHint: new(bool)},
		about: "Asks the client's language model something (sampling), with a picture or with tools if you like, and reports what it said.",
		in: `{
  "type": "object",
  "properties": {
    "question": {"type": "string", "title": "Question", "default": "Why do stars twinkle and planets not?", "maxLength": 2000},
    "max_tokens": {"type": "integer", "title": "At most, in tokens", "minimum": 1, "maximum": 4096, "default": 200},
    "with_picture": {"type": "boolean", "title": "With a picture", "default": false},
    "with_tools": {"type": "boolean", "title": "With tools", "description": "from revision 2025-11-25 on", "default": false}
  },
  "additionalProperties": false
}`,
		out: `{
  "type": "object",
  "properties": {
    "model": {"type": "string"}, "stopReason": {"type": "string"}, "text": {"type": "string"},
    "content": {"type": "array", "items": {"type": "string"}, "description": "the kinds of content, in order"}
  },
  "required": ["model", "text", "content"]
}`,
		run: runAskModel,
	},
	{
		name: "list_folders", title: "List your folders", hints: reads(),
		about: "Asks the client for its roots and lists them.",
		in:    noArguments,
		out: `{
  "type": "object",
  "properties": {"folders": {"type": "array", "items": {"type": "object", "properties": {"uri": {"type": "string"}, "name": {"type": "string"}}, "required": ["uri"]}}},
  "required": ["folders"]
}`,
		run: func(ctx context.Context, c *call) (*mcp.CallToolResult, error) {
			got, wait, err := c.interview(ctx, func(known answers) mcp.InputRequestMap {
				if known.has("folders") {
					return nil
				}
				return mcp.InputRequestMap{"folders": &mcp.ListRootsParams{}}
			})
			if err != nil || wait != nil {
				return wait, err
			}
			return structured(struct {
				Folders []root `json:"folders"`
			}{got["folders"].Roots})
		},
	},
}

func runAskModel(ctx context.Context, c *call) (*mcp.CallToolResult, error) {
	args := struct {
		Question    string `json:"question"`
		MaxTokens   int64  `json:"max_tokens"`
		WithPicture bool   `json:"with_picture"`
		WithTools   bool   `json:"with_tools"`
	}{Question: "Why do stars twinkle and planets not?", MaxTokens: 200}
	if err := c.decode(&args); err != nil {
		return nil, err
	}
	question := &mcp.CreateMessageWithToolsParams{
		MaxTokens:     args.MaxTokens,
		SystemPrompt:  "You are the guide of Kestrel Hill Observatory. Answer in two sentences.",
		Temperature:   0.7,
		StopSequences: []string{"\n\n\n"},
		ModelPreferences: &mcp.ModelPreferences{
			Hints: []*mcp.ModelHint{{Name: "small"}}, CostPriority: 0.8, SpeedPriority: 0.6, IntelligencePriority: 0.3,
		},
		Messages: []*mcp.SamplingMessageV2{{Role: "user", Content: []mcp.Content{text("%s", args.Question)}}},
	}
	if args.WithPicture {
		t, _ := findTarget("ring")
		picture, err := skyImage(t, 96, "natural")
		if err != nil {
			return nil, fmt.Errorf("drawing %s: %w", t.Title, err)
		}
		question.Messages = append(question.Messages, &mcp.SamplingMessageV2{
			Role: "user", Content: []mcp.Content{&mcp.ImageContent{Data: picture, MIMEType: "image/png"}},
		})
	}
	if args.WithTools && c.version >= "2025-11-25" {
		question.Tools = []*mcp.Tool{{
			Name: "altitude_of", Description: "How high a target stands now, in degrees.",
			InputSchema: jsontext.Value(`{"type": "object", "properties": {"target": {"type": "string"}}, "required": ["target"]}`),
		}}
		question.ToolChoice = &mcp.ToolChoice{Mode: "auto"}
	}
	got, wait, err := c.interview(ctx, func(known answers) mcp.InputRequestMap {
		if known.has("model") {
			return nil
		}
		return mcp.InputRequestMap{"model": question}
	})
	if err != nil || wait != nil {
		return wait, err
	}
	a := got["model"]
	return structured(struct {
		Model   string   `json:"model"`
		Stop    string   `json:"stopReason,omitzero"`
		Text    string   `json:"text"`
		Content []string `json:"content"`
	}{a.Model, a.Stop, a.Text, a.Blocks})
}
