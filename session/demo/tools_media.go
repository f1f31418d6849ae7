package demo

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// forPeople and forModels mark content by whom it is meant for and how much it matters.
func forPeople(priority float64) *mcp.Annotations {
	return &mcp.Annotations{Audience: []mcp.Role{"user"}, Priority: priority, LastModified: time.Now().UTC().Format(time.RFC3339)}
}

func forModels(priority float64) *mcp.Annotations {
	return &mcp.Annotations{Audience: []mcp.Role{"assistant"}, Priority: priority}
}

var mediaTools = []tool{
	{
		name: "show_target", title: "Show a target", icon: "ring", hints: reads(),
		about: "A picture of a target, as PNG.",
		in: `{
  "type": "object",
  "properties": {
    "target": {"type": "string", "title": "Target", "description": "a name of the catalogue", "default": "m51"},
    "size": {"type": "integer", "title": "Size", "description": "pixels", "minimum": 16, "maximum": 1024, "default": 256},
    "palette": {"type": "string", "title": "Palette", "enum": ["natural", "infrared", "mono"], "default": "natural"}
  },
  "additionalProperties": false
}`,
		run: runShowTarget,
	},
	{
		name: "hear_pulsar", title: "Hear a pulsar", icon: "crab-pulsar", hints: reads(),
		about: "The sound of a pulsar, as a WAV file.",
		in: `{
  "type": "object",
  "properties": {
    "hertz": {"type": "number", "title": "Turns a second", "exclusiveMinimum": 0, "maximum": 60, "default": 11.2},
    "seconds": {"type": "number", "title": "Seconds", "exclusiveMinimum": 0, "maximum": 10, "default": 1}
  },
  "additionalProperties": false
}`,
		run: func(_ context.Context, c *call) (*mcp.CallToolResult, error) {
			args := struct {
				Hertz   float64 `json:"hertz"`
				Seconds float64 `json:"seconds"`
			}{11.2, 1}
			if err := c.decode(&args); err != nil {
				return nil, err
			}
			return &mcp.CallToolResult{Content: []mcp.Content{
				&mcp.AudioContent{Data: pulsarSound(args.Hertz, args.Seconds), MIMEType: "audio/wav", Annotations: forPeople(0.8)},
			}}, nil
		},
	},
	{
		name: "night_report", title: "Night report", icon: "pleiades", hints: reads(),
		about: "Last night in one result of many parts: text for people and for models, a picture, a sound, links to resources, and resources put right into it.",
		in:    noArguments,
		run:   runNightReport,
	},
	{
		name: "dump_frame", title: "Dump a raw frame", icon: "jupiter", hints: reads(),
		about: "As much text as you ask for: pixel values of a raw frame, a line a row. For seeing how a client takes large results.",
		in: `{
  "type": "object",
  "properties": {"kilobytes": {"type": "integer", "title": "Kilobytes", "minimum": 1, "maximum": 65536, "default": 64}},
  "additionalProperties": false
}`,
		run: func(_ context.Context, c *call) (*mcp.CallToolResult, error) {
			args := struct {
				Kilobytes int `json:"kilobytes"`
			}{64}
			if err := c.decode(&args); err != nil {
				return nil, err
			}
			return said("%s", rawFrame(args.Kilobytes<<10)), nil
		},
	},
}

func runShowTarget(_ context.Context, c *call) (*mcp.CallToolResult, error) {
	args := struct {
		Target  string `json:"target"`
		Size    int    `json:"size"`
		Palette string `json:"palette"`
	}{"m51", 256, "natural"}
	if err := c.decode(&args); err != nil {
		return nil, err
	}
	t, ok := findTarget(args.Target)
	if !ok {
		return failed("The catalogue has no target %q. It has: %s.", args.Target, strings.Join(targetNames(), ", ")), nil
	}
	data, err := skyImage(t, args.Size, args.Palette)
	if err != nil {
		return nil, fmt.Errorf("drawing %s: %w", t.Title, err)
	}
	caption := text("%s. %s", t.Title, t.Note)
	caption.Annotations = forPeople(0.5)
	return &mcp.CallToolResult{Content: []mcp.Content{
		&mcp.ImageContent{Data: data, MIMEType: "image/png", Annotations: forPeople(1)}, caption,
	}}, nil
}

func runNightReport(_ context.Context, _ *call) (*mcp.CallToolResult, error) {
	t, _ := findTarget("orion")
	picture, err := skyImage(t, 128, "infrared")
	if err != nil {
		return nil, fmt.Errorf("drawing %s: %w", t.Title, err)
	}
	people := text("A clear night from ten until four. **Merlin** took 42 frames of the Orion Nebula; Heron listened to the Crab Pulsar.")
	people.Annotations = forPeople(1)
	models := text("frames=42 target=orion telescope=merlin seeing_arcsec=1.4 lost_minutes=12")
	models.Annotations = forModels(0.6)
	size := int64(len(catalogueCSV()))
	return &mcp.CallToolResult{
		Meta: mcp.Meta{"kestrel-hill.example/night": "2026-12-11"},
		Content: []mcp.Content{
			people, models,
			&mcp.ImageContent{Data: picture, MIMEType: "image/png", Annotations: forPeople(0.9)},
			&mcp.AudioContent{Data: pulsarSound(30, 0.5), MIMEType: "audio/wav", Annotations: forPeople(0.3)},
			&mcp.ResourceLink{URI: "kestrel://catalogue.csv", Name: "catalogue", Title: "The catalogue", MIMEType: "text/csv", Size: &size,
				Description: "everything the telescopes can look at", Annotations: forModels(0.4)},
			&mcp.ResourceLink{URI: "https://kestrel-hill.example/nights/2026-12-11", Name: "web-page", Title: "The night on the web",
				Description: "a link that is no resource of this server"},
			&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "kestrel://log/1", MIMEType: "text/markdown", Text: firstEntry}, Annotations: forPeople(0.5)},
			&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "kestrel://gallery/orion.png", MIMEType: "image/png", Blob: picture}},
		},
	}, nil
}

// rawFrame is size bytes of text in lines of 80.
func rawFrame(size int) string {
	var b strings.Builder
	b.Grow(size + 80)
	for row := 0; b.Len() < size; row++ {
		fmt.Fprintf(&b, "%07d", row)
		for col := range 18 {
			fmt.Fprintf(&b, " %03d", (row*31+col*col*7)%256)
		}
		b.WriteByte('\n')
	}
	return b.String()[:size]
}
