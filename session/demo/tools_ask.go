//lint:file-ignore SA1019 what the newest revision deprecates, the older ones still have

package demo

import (
	"context"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A field is one field of a form that the observatory can ask a person to fill in.
type field struct {
	name     string
	schema   string // as the revisions from 2025-11-25 on allow it
	older    string // as 2025-06-18 allows it; empty if that has nothing like it
	required bool
}

// visitorFields is one field of every kind that elicitation allows.
var visitorFields = []field{
	{"name", `{"type": "string", "title": "Name", "description": "How shall we call you?", "minLength": 2, "maxLength": 40, "default": "Guest"}`,
		`{"type": "string", "title": "Name", "description": "How shall we call you?", "minLength": 2, "maxLength": 40}`, true},
	{"email", `{"type": "string", "title": "E-mail", "format": "email"}`, `{"type": "string", "title": "E-mail", "format": "email"}`, true},
	{"homepage", `{"type": "string", "title": "Home page", "format": "uri"}`, `{"type": "string", "title": "Home page", "format": "uri"}`, false},
	{"birthday", `{"type": "string", "title": "Birthday", "format": "date"}`, `{"type": "string", "title": "Birthday", "format": "date"}`, false},
	{"arrival", `{"type": "string", "title": "Arrival", "format": "date-time", "default": "2027-01-09T19:30:00Z"}`,
		`{"type": "string", "title": "Arrival", "format": "date-time"}`, false},
	{"remarks", `{"type": "string", "title": "Remarks", "description": "may be left out, or sent empty", "maxLength": 200}`,
		`{"type": "string", "title": "Remarks", "description": "may be left out, or sent empty", "maxLength": 200}`, false},
	{"party", `{"type": "integer", "title": "How many people", "minimum": 1, "maximum": 9007199254740993, "default": 2}`,
		`{"type": "integer", "title": "How many people", "minimum": 1, "maximum": 9007199254740993}`, true},
	{"donation", `{"type": "number", "title": "Donation", "description": "in euros", "minimum": 0, "default": 7.5}`,
		`{"type": "number", "title": "Donation", "description": "in euros", "minimum": 0}`, false},
	{"first_time", `{"type": "boolean", "title": "First visit", "default": true}`, `{"type": "boolean", "title": "First visit", "default": true}`, true},
	{"newsletter", `{"type": "boolean", "title": "Newsletter", "description": "neither yes nor no until you say so"}`,
		`{"type": "boolean", "title": "Newsletter", "description": "neither yes nor no until you say so"}`, false},
	{"telescope", `{"type": "string", "title": "Telescope", "enum": ["merlin", "wren", "heron"], "default": "wren"}`,
		`{"type": "string", "title": "Telescope", "enum": ["merlin", "wren", "heron"]}`, true},
	{"language", `{"type": "string", "title": "Language", "oneOf": [{"const": "en", "title": "English"}, {"const": "de", "title": "Deutsch"}, {"const": "it", "title": "Italiano"}], "default": "en"}`,
		"", false},
	{"tea", `{"type": "string", "title": "Tea", "description": "a choice in the old style, with enumNames", "enum": ["b", "g", "m"], "enumNames": ["Black", "Green", "Mint"], "default": "g"}`,
		`{"type": "string", "title": "Tea", "description": "a choice with enumNames", "enum": ["b", "g", "m"], "enumNames": ["Black", "Green", "Mint"]}`, false},
	{"interests", `{"type": "array", "title": "Interests", "minItems": 1, "maxItems": 3, "items": {"type": "string", "enum": ["planets", "deep sky", "radio", "history"]}, "default": ["planets"]}`,
		"", false},
	{"extras", `{"type": "array", "title": "Extras", "items": {"anyOf": [{"const": "blanket", "title": "A warm blanket"}, {"const": "photo", "title": "A photo to take home"}, {"const": "quiet", "title": "A quiet corner"}]}, "default": ["blanket", "photo"]}`,
		"", false},
}

// form writes the requestedSchema of fields for a revision.
func form(version string, fields []field) jsontext.Value {
	var properties, required []string
	for _, f := range fields {
		schema := f.schema
		if version < "2025-11-25" {
			schema = f.older
		}
		if schema == "" {
			continue
		}
		properties = append(properties, fmt.Sprintf("%q: %s", f.name, schema))
		if f.required {
			required = append(required, fmt.Sprintf("%q", f.name))
		}
	}
	out := `{"type": "object", "properties": {` + strings.Join(properties, ", ") + `}`
	if required != nil {
		out += `, "required": [` + strings.Join(required, ", ") + `]`
	}
	return jsontext.Value(out + "}")
}

const formOutput = `{
  "type": "object",
  "properties": {
    "action": {"type": "string", "enum": ["accept", "decline", "cancel"]},
    "content": {"type": "object", "description": "what was sent, with the text of every number as it came; absent if nothing was"},
    "fits": {"type": "boolean", "description": "whether it fits the form"},
    "problems": {"type": "array", "items": {"type": "string"}}
  },
  "required": ["action", "fits", "problems"]
}`

var askTools = []tool{
	{
		name: "visitor_form", title: "Fill in the visitor form", icon: "albireo", hints: writes(false, false),
		about: "Asks the person a form with one field of every kind that the protocol allows, and reports what was sent, also where it does not fit the form.",
		in:    noArguments,
		out:   formOutput,
		run: func(ctx context.Context, c *call) (*mcp.CallToolResult, error) {
			return c.askForm(ctx, "Welcome to Kestrel Hill. Please fill in the visitor form; nothing of it is kept.", visitorFields)
		},
	},
	{
		name: "quick_question", title: "Ask a quick question", hints: writes(false, false),
		about: "Asks the person for a single field of the visitor form.",
		in: `{
  "type": "object",
  "properties": {
    "field": {
      "type": "string", "title": "Field", "default": "telescope",
      "enum": ["name", "email", "homepage", "birthday", "arrival", "remarks", "party", "donation", "first_time", "newsletter", "telescope", "language", "tea", "interests", "extras"]
    }
  },
  "additionalProperties": false
}`,
		out: formOutput,
		run: func(ctx context.Context, c *call) (*mcp.CallToolResult, error) {
			args := struct {
				Field string `json:"field"`
			}{"telescope"}
			if err := c.decode(&args); err != nil {
				return nil, err
			}
			for _, f := range visitorFields {
				if f.name != args.Field {
					continue
				}
				if c.version < "2025-11-25" && f.older == "" {
					return failed("Revision %s has no field like %s.", c.version, f.name), nil
				}
				return c.askForm(ctx, "One question only.", []field{f})
			}
			return failed("The form has no field %q.", args.Field), nil
		},
	},
	{
		name: "plan_night", title: "Plan a night together", icon: "polaris", hints: writes(false, false),
		about: "Plans a night with you in two rounds: first a form, a question to your model and your folders, all at once and as far as the client can " +
			"answer them; then a form that depends on the answers.",
		in:  noArguments,
		run: runPlanNight,
	},
}

// askForm asks for fields and reports the answer as data, whether it fits or not.
func (c *call) askForm(ctx context.Context, message string, fields []field) (*mcp.CallToolResult, error) {
	schema := form(c.version, fields)
	got, wait, err := c.interview(ctx, func(known answers) mcp.InputRequestMap {
		if known.has("form") {
			return nil
		}
		return mcp.InputRequestMap{"form": &mcp.ElicitParams{Mode: "form", Message: message, RequestedSchema: schema}}
	})
	if err != nil || wait != nil {
		return wait, err
	}
	a := got["form"]
	out := struct {
		Action   string         `json:"action"`
		Content  jsontext.Value `json:"content,omitzero"`
		Fits     bool           `json:"fits"`
		Problems []string       `json:"problems"`
	}{a.Action, a.Content, true, []string{}}
	switch {
	case a.Action == "accept" && a.Content == nil:
		out.Problems = append(out.Problems, "the form was accepted without any content")
	case a.Action == "accept":
		compiled, err := compileSchema(string(schema))
		if err != nil {
			return nil, fmt.Errorf("reading the form: %w", err)
		}
		out.Problems = append(out.Problems, mismatches(compiled, a.Content)...)
	case a.Content != nil:
		out.Problems = append(out.Problems, "content came with the action "+a.Action)
	}
	out.Fits = len(out.Problems) == 0
	return structured(out)
}

func runPlanNight(ctx context.Context, c *call) (*mcp.CallToolResult, error) {
	got, wait, err := c.interview(ctx, func(known answers) mcp.InputRequestMap {
		if !known.has("wishes") {
			return c.firstRound()
		}
		if known["wishes"].Action != "accept" || known.has("details") {
			return nil
		}
		wish := wishOf(known)
		return mcp.InputRequestMap{"details": &mcp.ElicitParams{
			Mode: "form", Message: fmt.Sprintf("%s it is. Two more things.", wish.Title),
			RequestedSchema: form(c.version, []field{
				{"minutes", `{"type": "integer", "title": "Minutes at ` + wish.Title + `", "minimum": 5, "maximum": 240, "default": 45}`,
					`{"type": "integer", "title": "Minutes at ` + wish.Title + `", "minimum": 5, "maximum": 240}`, true},
				{"agreed", `{"type": "boolean", "title": "Agreed?"}`, `{"type": "boolean", "title": "Agreed?"}`, true},
			}),
		}}
	})
	if err != nil || wait != nil {
		return wait, err
	}
	if got["wishes"].Action != "accept" {
		return said("No plan tonight: the form came back with %s.", got["wishes"].Action), nil
	}
	var details struct {
		Minutes jsontext.Value `json:"minutes"`
		Agreed  bool           `json:"agreed"`
	}
	if err := got["details"].decodeContent(&details); err != nil {
		return failed("The second form could not be read: %v.", err), nil
	}
	if got["details"].Action != "accept" || !details.Agreed {
		return said("No plan tonight: the second form was not agreed to."), nil
	}
	lines := []string{fmt.Sprintf("%s minutes at %s.", details.Minutes, wishOf(got).Title)}
	if got.has("motto") {
		lines = append(lines, "Your model says: "+got["motto"].Text)
	}
	if got.has("folders") {
		lines = append(lines, fmt.Sprintf("The frames can go into %d folders of yours.", len(got["folders"].Roots)))
	}
	return said("%s", strings.Join(lines, "\n")), nil
}

// firstRound asks everything that this client has declared it can answer; a form in any case.
func (c *call) firstRound() mcp.InputRequestMap {
	round := mcp.InputRequestMap{"wishes": &mcp.ElicitParams{
		Mode: "form", Message: "What would you like to see tonight?",
		RequestedSchema: form(c.version, []field{
			{"target", `{"type": "string", "title": "Target", "enum": ["saturn", "orion", "m51", "albireo"], "default": "saturn"}`,
				`{"type": "string", "title": "Target", "enum": ["saturn", "orion", "m51", "albireo"]}`, true},
		}),
	}}
	if c.caps.Sampling != nil {
		round["motto"] = &mcp.CreateMessageWithToolsParams{
			MaxTokens: 60,
			Messages:  []*mcp.SamplingMessageV2{{Role: "user", Content: []mcp.Content{text("A motto for a night at the telescope, in one sentence.")}}},
		}
	}
	if c.caps.RootsV2 != nil {
		round["folders"] = &mcp.ListRootsParams{}
	}
	return round
}

func wishOf(known answers) target {
	var wishes struct {
		Target string `json:"target"`
	}
	if err := known["wishes"].decodeContent(&wishes); err == nil {
		if t, ok := findTarget(wishes.Target); ok {
			return t
		}
	}
	t, _ := findTarget("saturn")
	return t
}
