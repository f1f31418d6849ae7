package demo

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const targetSchema = `{
  "type": "object",
  "properties": {
    "name": {"type": "string"},
    "title": {"type": "string"},
    "kind": {"type": "string", "enum": ["star", "planet", "nebula", "galaxy", "cluster", "pulsar"]},
    "raHours": {"type": "number", "minimum": 0, "exclusiveMaximum": 24},
    "decDegrees": {"type": "number", "minimum": -90, "maximum": 90},
    "magnitude": {"type": "number", "description": "smaller is brighter"},
    "altitudeDegrees": {"type": "number", "description": "height above the horizon now"},
    "visible": {"type": "boolean"},
    "note": {"type": "string"}
  },
  "required": ["name", "title", "kind", "altitudeDegrees", "visible"]
}`

var skyTools = []tool{
	{
		name: "find_target", title: "Find a target", icon: "andromeda", hints: reads(),
		about: "Searches the catalogue of things to look at, and says how high each stands right now.",
		in: `{
  "type": "object",
  "properties": {
    "query": {"type": "string", "title": "Search for", "description": "part of a name or note", "maxLength": 40, "examples": ["ring", "slow collision"]},
    "kind": {"type": "string", "title": "Kind", "enum": ["star", "planet", "nebula", "galaxy", "cluster", "pulsar"]},
    "min_altitude": {"type": "number", "title": "Lowest altitude", "description": "degrees above the horizon; below 0 has set", "minimum": -90, "maximum": 90, "default": -90},
    "limit": {"type": "integer", "title": "At most", "minimum": 1, "maximum": 50, "default": 10}
  },
  "additionalProperties": false
}`,
		out: `{"type": "object", "properties": {"count": {"type": "integer"}, "targets": {"type": "array", "items": ` + targetSchema + `}}, "required": ["count", "targets"]}`,
		run: runFindTarget,
	},
	{
		name: "weather_now", title: "Weather now", hints: reads(),
		about: "What a weather mast measures at this second, and whether the sky can be observed.",
		in: `{
  "type": "object",
  "properties": {"mast": {"type": "string", "title": "Mast", "enum": ["summit", "valley", "lake"], "default": "summit"}},
  "additionalProperties": false
}`,
		out: `{
  "type": "object",
  "properties": {
    "mast": {"type": "string"},
    "at": {"type": "string", "format": "date-time"},
    "temperatureCelsius": {"type": "number"},
    "humidityPercent": {"type": "integer", "minimum": 0, "maximum": 100},
    "windMetresPerSecond": {"type": "number"},
    "gustMetresPerSecond": {"type": "number"},
    "cloudPercent": {"type": "integer", "minimum": 0, "maximum": 100},
    "observable": {"type": "boolean"}
  },
  "required": ["mast", "at", "temperatureCelsius", "observable"],
  "additionalProperties": false
}`,
		run: func(_ context.Context, c *call) (*mcp.CallToolResult, error) {
			args := struct {
				Mast string `json:"mast"`
			}{"summit"}
			if err := c.decode(&args); err != nil {
				return nil, err
			}
			return structured(measure(args.Mast, time.Now()))
		},
	},
	{
		name: "open_dome", title: "Open the dome", hints: writes(false, true),
		about: "Opens the dome of a telescope. Refuses with a tool error when the gusts are above the limit that you set: " +
			"set it low to see an error that is meant for the model.",
		in: `{
  "type": "object",
  "properties": {
    "telescope": {"type": "string", "title": "Telescope", "enum": ["merlin", "wren", "heron"], "default": "merlin"},
    "gust_limit": {"type": "number", "title": "Gust limit", "description": "metres per second", "minimum": 0, "maximum": 40, "default": 40}
  },
  "required": ["telescope"],
  "additionalProperties": false
}`,
		run: func(_ context.Context, c *call) (*mcp.CallToolResult, error) {
			args := struct {
				Telescope string  `json:"telescope"`
				GustLimit float64 `json:"gust_limit"`
			}{"merlin", 40}
			if err := c.decode(&args); err != nil {
				return nil, err
			}
			if now := measure("summit", time.Now()); now.Gust > args.GustLimit {
				return failed("The dome of %s stays shut: gusts of %.1f m/s are above the limit of %.1f m/s. Try again in calmer air or raise the limit.",
					args.Telescope, now.Gust, args.GustLimit), nil
			}
			return said("The dome of %s is open.", args.Telescope), nil
		},
	},
}

func runFindTarget(_ context.Context, c *call) (*mcp.CallToolResult, error) {
	args := struct {
		Query       string  `json:"query"`
		Kind        string  `json:"kind"`
		MinAltitude float64 `json:"min_altitude"`
		Limit       int     `json:"limit"`
	}{MinAltitude: -90, Limit: 10}
	if err := c.decode(&args); err != nil {
		return nil, err
	}
	type found struct {
		target
		Altitude float64 `json:"altitudeDegrees"`
		Visible  bool    `json:"visible"`
	}
	out := struct {
		Count   int     `json:"count"`
		Targets []found `json:"targets"`
	}{Targets: []found{}}
	now := time.Now()
	query := strings.ToLower(args.Query)
	for _, t := range catalogue {
		alt := t.altitude(now)
		matches := strings.Contains(strings.ToLower(t.Name+" "+t.Title+" "+t.Note), query)
		if !matches || args.Kind != "" && t.Kind != args.Kind || alt < args.MinAltitude || len(out.Targets) == args.Limit {
			continue
		}
		out.Targets = append(out.Targets, found{t, alt, alt > 0})
	}
	out.Count = len(out.Targets)
	res, err := structured(out)
	if err != nil {
		return nil, err
	}
	for _, t := range out.Targets {
		res.Content = append(res.Content, &mcp.ResourceLink{
			URI: "kestrel://targets/" + t.Name, Name: t.Name, Title: t.Title, MIMEType: "application/json",
			Description: fmt.Sprintf("%s, now at %.1f°", t.Kind, t.Altitude),
		})
	}
	return res, nil
}
