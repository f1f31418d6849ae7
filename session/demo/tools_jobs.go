//lint:file-ignore SA1019 what the newest revision deprecates, the older ones still have

package demo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// levels are the levels of log messages, from the least to the most urgent.
var levels = []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

var jobTools = []tool{
	{
		name: "expose", title: "Expose", icon: "hercules", hints: writes(false, false),
		about: "Takes a long exposure. Reports progress about once a second, and can be cancelled; the frames so far are then thrown away.",
		in: `{
  "type": "object",
  "properties": {
    "target": {"type": "string", "title": "Target", "default": "orion"},
    "seconds": {"type": "number", "title": "Seconds", "exclusiveMinimum": 0, "maximum": 3600, "default": 10},
    "known_length": {"type": "boolean", "title": "Say how long it is", "description": "without it, progress has no total", "default": true}
  },
  "additionalProperties": false
}`,
		out: `{
  "type": "object",
  "properties": {"target": {"type": "string"}, "frames": {"type": "integer"}, "seconds": {"type": "number"}},
  "required": ["target", "frames", "seconds"]
}`,
		run: runExpose,
	},
	{
		name: "broadcast_log", title: "Broadcast log messages", hints: reads(),
		about: "Sends log messages, at every level or at those you choose. What arrives depends on the level that the client has set " +
			"(logging/setLevel, or _meta in revision 2026-07-28); until then nothing does.",
		in: `{
  "type": "object",
  "properties": {
    "levels": {
      "type": "array", "title": "Levels", "uniqueItems": true,
      "items": {"type": "string", "enum": ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]}
    },
    "logger": {"type": "string", "title": "Logger", "default": "dome"},
    "times": {"type": "integer", "title": "Times", "description": "how often the whole set is sent; large numbers make a burst", "minimum": 1, "maximum": 100000, "default": 1}
  },
  "additionalProperties": false
}`,
		run: runBroadcastLog,
	},
	{
		name: "drop_stream", title: "Drop the stream", hints: reads(),
		about: "Closes the HTTP stream of this very call before the answer is sent. A client of revision 2025-11-25 comes back with Last-Event-ID and gets the answer then.",
		in: `{
  "type": "object",
  "properties": {"retry_milliseconds": {"type": "integer", "title": "Retry after", "description": "milliseconds", "minimum": 1, "maximum": 10000, "default": 500}},
  "additionalProperties": false
}`,
		run: runDropStream,
	},
}

func runExpose(ctx context.Context, c *call) (*mcp.CallToolResult, error) {
	args := struct {
		Target      string  `json:"target"`
		Seconds     float64 `json:"seconds"`
		KnownLength bool    `json:"known_length"`
	}{"orion", 10, true}
	if err := c.decode(&args); err != nil {
		return nil, err
	}
	whole := time.Duration(args.Seconds * float64(time.Second))
	frames := min(max(int(args.Seconds), 4), 3600)
	ticker := time.NewTicker(max(whole/time.Duration(frames), time.Microsecond))
	defer ticker.Stop()
	token := c.progressToken()
	for frame := 1; frame <= frames; frame++ {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-ticker.C:
		}
		if token == nil {
			continue
		}
		p := &mcp.ProgressNotificationParams{ProgressToken: token, Progress: float64(frame)}
		if args.KnownLength {
			p.Total = float64(frames)
			p.Message = fmt.Sprintf("Frame %d of %d of %s", frame, frames, args.Target)
		}
		if err := c.session.NotifyProgress(ctx, p); err != nil {
			return nil, fmt.Errorf("reporting progress: %w", err)
		}
	}
	return structured(struct {
		Target  string  `json:"target"`
		Frames  int     `json:"frames"`
		Seconds float64 `json:"seconds"`
	}{args.Target, frames, args.Seconds})
}

// progressToken is the token under which progress is to be reported, with its text as it came; nil if none did.
func (c *call) progressToken() any {
	if kept, ok := c.req.Params.Meta[progressTokenKey].(string); ok {
		return jsontext.Value(kept)
	}
	return c.req.Params.GetProgressToken()
}

func runBroadcastLog(ctx context.Context, c *call) (*mcp.CallToolResult, error) {
	args := struct {
		Levels []string `json:"levels"`
		Logger string   `json:"logger"`
		Times  int      `json:"times"`
	}{levels, "dome", 1}
	if err := c.decode(&args); err != nil {
		return nil, err
	}
	for n := range args.Times {
		for _, level := range args.Levels {
			data, err := json.Marshal(map[string]any{
				"event": "dome " + level, "number": n + 1, "azimuthDegrees": (n*17 + slices.Index(levels, level)*45) % 360,
			}, json.Deterministic(true))
			if err != nil {
				return nil, fmt.Errorf("writing a log message: %w", err)
			}
			err = c.session.Log(ctx, &mcp.LoggingMessageParams{Level: mcp.LoggingLevel(level), Logger: args.Logger, Data: jsontext.Value(data)})
			if err != nil {
				return nil, fmt.Errorf("sending a log message: %w", err)
			}
		}
	}
	return said("%d messages went to the log of %s; you get those that your level lets through.", args.Times*len(args.Levels), args.Logger), nil
}

func runDropStream(ctx context.Context, c *call) (*mcp.CallToolResult, error) {
	args := struct {
		Retry int `json:"retry_milliseconds"`
	}{500}
	if err := c.decode(&args); err != nil {
		return nil, err
	}
	if c.req.Extra == nil || c.req.Extra.CloseSSEStream == nil || c.version < "2025-11-25" || c.modern() {
		return failed("There is no stream to drop: that takes HTTP and revision 2025-11-25, and this is %s.", c.version), nil
	}
	retry := time.Duration(args.Retry) * time.Millisecond
	c.req.Extra.CloseSSEStream(mcp.CloseSSEStreamArgs{RetryAfter: retry})
	timer := time.NewTimer(2 * retry)
	defer timer.Stop()
	select {
	case <-timer.C:
		return said("You came back for it."), nil
	case <-ctx.Done():
		return nil, errors.New("cancelled while the stream was down")
	}
}
