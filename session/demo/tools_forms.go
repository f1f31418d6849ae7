package demo

import (
	"context"
	"fmt"
	"hash/crc32"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// receipt is the output of the tools whose point is their arguments: a number, and everything exactly as it came.
const receiptSchema = `{
  "type": "object",
  "properties": {
    "receipt": {"type": "string", "pattern": "^KH-[0-9A-F]{8}$"},
    "summary": {"type": "string"},
    "received": {"type": "object", "description": "the arguments, with the text of every number as it came"}
  },
  "required": ["receipt", "summary", "received"],
  "additionalProperties": false
}`

func receipt(c *call, summary string) (*mcp.CallToolResult, error) {
	return structured(struct {
		Receipt  string         `json:"receipt"`
		Summary  string         `json:"summary"`
		Received jsontext.Value `json:"received"`
	}{fmt.Sprintf("KH-%08X", crc32.ChecksumIEEE(c.args)), summary, c.args})
}

var formTools = []tool{
	{
		name: "book_session", title: "Book a session", icon: "saturn", hints: writes(false, false),
		about: "Books an evening at a telescope. Its form has every flat kind of argument: text with a length, a pattern or a " +
			"format, whole and fractional numbers with limits, yes or no, one choice and several, with and without titles.",
		in:  bookingSchema,
		out: receiptSchema,
		run: func(_ context.Context, c *call) (*mcp.CallToolResult, error) {
			var args struct {
				Visitor string `json:"visitor"`
				Night   string `json:"night"`
				Scope   string `json:"telescope"`
			}
			if err := c.decode(&args); err != nil {
				return nil, err
			}
			return receipt(c, fmt.Sprintf("%s has %s on the night of %s.", args.Visitor, args.Scope, args.Night))
		},
	},
	{
		name: "plan_observation", title: "Plan an observation", icon: "m51", hints: writes(false, false),
		about: "Plans what a telescope does in a night. Its form has the deep kinds of argument: nested objects, lists of objects, " +
			"a tuple, a map, alternatives with a discriminator, references (one of them to itself) and values that may be null.",
		in:  observationSchema,
		out: receiptSchema,
		run: func(_ context.Context, c *call) (*mcp.CallToolResult, error) {
			var args struct {
				Exposures []struct {
					Filter string         `json:"filter"`
					Count  jsontext.Value `json:"count"`
				} `json:"exposures"`
			}
			if err := c.decode(&args); err != nil {
				return nil, err
			}
			return receipt(c, fmt.Sprintf("Planned %d kinds of exposure.", len(args.Exposures)))
		},
	},
	{
		name: "set_alert", title: "Set an alert", hints: writes(false, true),
		about: "Sends word when the sky clears. Which fields it needs depends on how it is to be sent: conditional schemas at work.",
		in:    alertSchema,
		out:   receiptSchema,
		run: func(_ context.Context, c *call) (*mcp.CallToolResult, error) {
			var args struct {
				Via string `json:"via"`
			}
			if err := c.decode(&args); err != nil {
				return nil, err
			}
			return receipt(c, "Alert set, by "+args.Via+".")
		},
	},
}

const bookingSchema = `{
  "type": "object",
  "title": "An evening at Kestrel Hill",
  "properties": {
    "visitor": {"type": "string", "title": "Your name", "minLength": 2, "maxLength": 60},
    "email": {"type": "string", "title": "E-mail", "format": "email"},
    "homepage": {"type": "string", "title": "Home page", "format": "uri"},
    "night": {"type": "string", "title": "Night", "format": "date", "description": "the date of the evening", "examples": ["2027-01-09"]},
    "arrival": {"type": "string", "title": "Arrival", "format": "date-time", "examples": ["2027-01-09T19:30:00Z"]},
    "badge": {"type": "string", "title": "Badge", "description": "KH- and four digits", "pattern": "^KH-[0-9]{4}$", "examples": ["KH-0042"]},
    "party": {"type": "integer", "title": "How many people", "minimum": 1, "maximum": 12, "default": 2},
    "hours": {"type": "number", "title": "Hours", "description": "in quarters", "exclusiveMinimum": 0, "maximum": 12, "multipleOf": 0.25, "default": 1.5},
    "first_time": {"type": "boolean", "title": "First visit", "default": true},
    "needs_lift": {"type": "boolean", "title": "Needs the lift"},
    "telescope": {"type": "string", "title": "Telescope", "enum": ["merlin", "wren", "heron"]},
    "language": {
      "type": "string", "title": "Language of the tour", "default": "en",
      "oneOf": [{"const": "en", "title": "English"}, {"const": "de", "title": "Deutsch"}, {"const": "it", "title": "Italiano"}]
    },
    "tea": {"type": "string", "title": "Tea", "enum": ["b", "g", "m"], "enumNames": ["Black", "Green", "Mint"]},
    "interests": {
      "type": "array", "title": "Interests", "uniqueItems": true, "minItems": 1,
      "items": {"type": "string", "enum": ["planets", "deep sky", "radio", "history"]}
    },
    "extras": {
      "type": "array", "title": "Extras", "uniqueItems": true, "maxItems": 2, "default": ["blanket"],
      "items": {"anyOf": [{"const": "blanket", "title": "A warm blanket"}, {"const": "photo", "title": "A photo to take home"}, {"const": "quiet", "title": "A quiet corner"}]}
    },
    "priority": {"title": "Priority", "enum": [1, 2, 3], "default": 2},
    "note": {"type": ["string", "null"], "title": "Note to the host", "description": "null says that there is none; an empty text is a note too", "maxLength": 500}
  },
  "required": ["visitor", "email", "night", "telescope"],
  "additionalProperties": false
}`

const observationSchema = `{
  "type": "object",
  "properties": {
    "pointing": {
      "title": "Where to point",
      "oneOf": [{"$ref": "#/$defs/byTarget"}, {"$ref": "#/$defs/equatorial"}, {"$ref": "#/$defs/horizontal"}],
      "discriminator": {"propertyName": "by"}
    },
    "exposures": {
      "type": "array", "title": "Exposures", "minItems": 1, "maxItems": 20,
      "items": {
        "type": "object",
        "properties": {
          "filter": {"type": "string", "enum": ["L", "R", "G", "B", "H-alpha"], "default": "L"},
          "seconds": {"type": "number", "exclusiveMinimum": 0, "maximum": 1200},
          "count": {"type": "integer", "minimum": 1, "default": 1}
        },
        "required": ["filter", "seconds"],
        "additionalProperties": false
      }
    },
    "window": {
      "type": "array", "title": "From and until", "minItems": 2, "items": false,
      "prefixItems": [{"type": "string", "title": "From", "format": "date-time"}, {"type": "string", "title": "Until", "format": "date-time"}]
    },
    "labels": {
      "type": "object", "title": "Labels", "description": "free names and values",
      "propertyNames": {"pattern": "^[a-z][a-z0-9-]*$"}, "additionalProperties": {"type": "string", "maxLength": 80}, "maxProperties": 8
    },
    "limits": {
      "type": "object", "title": "Limits",
      "properties": {
        "min_altitude": {"type": "number", "minimum": 0, "maximum": 90, "default": 20},
        "max_gust": {"type": "number", "minimum": 0, "default": 12},
        "moon": {"anyOf": [{"$ref": "#/$defs/moon"}, {"type": "null"}], "title": "Moon", "description": "null: no matter"}
      },
      "additionalProperties": false
    },
    "repeat": {
      "title": "Repeat", "anyOf": [{"type": "integer", "title": "This often", "minimum": 1}, {"const": "until dawn", "title": "Until dawn"}]
    },
    "fallback": {"$ref": "#/$defs/fallback"},
    "operator": {"type": ["string", "null"], "title": "Operator", "default": null}
  },
  "required": ["pointing", "exposures"],
  "additionalProperties": false,
  "$defs": {
    "degrees": {"type": "number", "minimum": -90, "maximum": 90},
    "byTarget": {
      "type": "object", "title": "A target of the catalogue",
      "properties": {"by": {"const": "target"}, "name": {"type": "string", "examples": ["orion", "vega"]}},
      "required": ["by", "name"], "additionalProperties": false
    },
    "equatorial": {
      "type": "object", "title": "Right ascension and declination",
      "properties": {"by": {"const": "equatorial"}, "ra": {"type": "number", "minimum": 0, "exclusiveMaximum": 24}, "dec": {"$ref": "#/$defs/degrees"}},
      "required": ["by", "ra", "dec"], "additionalProperties": false
    },
    "horizontal": {
      "type": "object", "title": "Azimuth and altitude",
      "properties": {"by": {"const": "horizontal"}, "az": {"type": "number", "minimum": 0, "exclusiveMaximum": 360}, "alt": {"$ref": "#/$defs/degrees"}},
      "required": ["by", "az", "alt"], "additionalProperties": false
    },
    "moon": {
      "type": "object",
      "properties": {"max_phase": {"type": "number", "minimum": 0, "maximum": 1}, "min_distance": {"type": "number", "minimum": 0, "maximum": 180}},
      "required": ["max_phase"], "additionalProperties": false
    },
    "fallback": {
      "type": "object", "title": "If that fails",
      "properties": {"name": {"type": "string"}, "then": {"$ref": "#/$defs/fallback"}},
      "required": ["name"], "additionalProperties": false
    }
  }
}`

const alertSchema = `{
  "type": "object",
  "properties": {
    "via": {"type": "string", "title": "Send by", "enum": ["email", "text message", "webhook"], "default": "email"},
    "address": {"type": "string", "title": "E-mail address", "format": "email"},
    "phone": {"type": "string", "title": "Phone", "pattern": "^\\+[0-9]{7,15}$"},
    "url": {"type": "string", "title": "URL", "format": "uri"},
    "secret": {"type": "string", "title": "Shared secret", "minLength": 8},
    "secret_id": {"type": "string", "title": "Name of the secret", "format": "uuid"},
    "cloud_below": {"type": "integer", "title": "Cloud below", "minimum": 0, "maximum": 100},
    "gust_below": {"type": "number", "title": "Gusts below", "minimum": 0}
  },
  "required": ["via"],
  "anyOf": [{"required": ["cloud_below"]}, {"required": ["gust_below"]}],
  "allOf": [
    {"if": {"properties": {"via": {"const": "email"}}}, "then": {"required": ["address"]}},
    {"if": {"properties": {"via": {"const": "text message"}}}, "then": {"required": ["phone"]}},
    {"if": {"properties": {"via": {"const": "webhook"}}}, "then": {"required": ["url"]}, "else": {"not": {"required": ["url"]}}}
  ],
  "dependentRequired": {"secret": ["secret_id"]},
  "additionalProperties": false
}`
