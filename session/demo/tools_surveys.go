package demo

import (
	"context"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const surveyOutput = `{
  "type": "object",
  "properties": {"plates": {"type": "integer"}, "field": {"type": "string"}},
  "required": ["plates", "field"]
}`

var surveyTools = []tool{
	{
		name: "survey_sky", title: "Survey the sky", icon: "andromeda", hints: writes(false, false), tasks: "optional",
		about: "Photographs a stretch of the sky, plate after plate. May be called as a task, which can be cancelled; in revision 2026-07-28 it is one " +
			"wherever the client knows the extension. Ends well, with clouds (an error of the tool) or with a fault (an error of the protocol).",
		in: `{
  "type": "object",
  "properties": {
    "seconds": {"type": "number", "title": "Seconds", "exclusiveMinimum": 0, "maximum": 3600, "default": 5},
    "ends": {"type": "string", "title": "How it ends", "enum": ["well", "clouds", "fault"], "default": "well"},
    "keep_seconds": {"type": "integer", "title": "Keep for", "description": "seconds after which the observatory forgets the task, counted from its beginning", "minimum": 1, "maximum": 3600}
  },
  "additionalProperties": false
}`,
		out: surveyOutput,
		run: runSurvey,
	},
	{
		name: "guided_survey", title: "Survey with your guidance", icon: "m51", hints: writes(false, false), tasks: "required",
		about: "Surveys the sky and asks in the middle which field to go on with. In revision 2025-11-25 it is only to be had as a task.",
		in: `{
  "type": "object",
  "properties": {"seconds": {"type": "number", "title": "Seconds", "exclusiveMinimum": 0, "maximum": 3600, "default": 4}},
  "additionalProperties": false
}`,
		out: surveyOutput,
		run: runGuidedSurvey,
	},
}

// takePlates takes plates for a while and tells a job of each.
func (c *call) takePlates(ctx context.Context, whole time.Duration, plates int) error {
	ticker := time.NewTicker(max(whole/time.Duration(plates), time.Microsecond))
	defer ticker.Stop()
	for n := 1; n <= plates; n++ {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
		}
		if c.job != nil {
			c.job.say("Plate %d of %d", n, plates)
		}
	}
	return nil
}

type survey struct {
	Plates int    `json:"plates"`
	Field  string `json:"field"`
}

func runSurvey(ctx context.Context, c *call) (*mcp.CallToolResult, error) {
	args := struct {
		Seconds float64 `json:"seconds"`
		Ends    string  `json:"ends"`
		Keep    int     `json:"keep_seconds"`
	}{Seconds: 5, Ends: "well"}
	if err := c.decode(&args); err != nil {
		return nil, err
	}
	if c.job != nil && args.Keep > 0 {
		c.job.keep(time.Duration(args.Keep) * time.Second)
	}
	plates := min(max(int(args.Seconds), 4), 3600)
	if err := c.takePlates(ctx, time.Duration(args.Seconds*float64(time.Second)), plates); err != nil {
		return nil, err
	}
	switch args.Ends {
	case "clouds":
		return failed("Clouds came in after %d plates.", plates), nil
	case "fault":
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the plate holder is stuck"}
	}
	return structured(survey{plates, "milky way"})
}

func runGuidedSurvey(ctx context.Context, c *call) (*mcp.CallToolResult, error) {
	args := struct {
		Seconds float64 `json:"seconds"`
	}{4}
	if err := c.decode(&args); err != nil {
		return nil, err
	}
	half := time.Duration(args.Seconds * float64(time.Second) / 2)
	// A request that comes again with the answer has its first half behind it.
	if c.req.Params.RequestState == "" {
		if err := c.takePlates(ctx, half, 3); err != nil {
			return nil, err
		}
	}
	schema := form(c.version, []field{{"field", `{"type": "string", "title": "Field", "enum": ["north", "south"], "default": "north"}`,
		`{"type": "string", "title": "Field", "enum": ["north", "south"]}`, true}})
	got, wait, err := c.interview(ctx, func(known answers) mcp.InputRequestMap {
		if known.has("field") {
			return nil
		}
		return mcp.InputRequestMap{"field": &mcp.ElicitParams{Mode: "form", Message: "Three plates are done. Which field is next?", RequestedSchema: schema}}
	})
	if err != nil || wait != nil {
		return wait, err
	}
	var chosen struct {
		Field string `json:"field"`
	}
	if err := got["field"].decodeContent(&chosen); err != nil {
		return failed("The answer could not be read: %v.", err), nil
	}
	if got["field"].Action != "accept" || chosen.Field == "" {
		return failed("The survey stopped after three plates: the answer was %s.", got["field"].Action), nil
	}
	if err := c.takePlates(ctx, half, 3); err != nil {
		return nil, fmt.Errorf("the second half: %w", err)
	}
	return structured(survey{6, chosen.Field})
}
