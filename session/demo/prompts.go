package demo

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var (
	audiences = []string{"children", "students", "amateurs", "astronomers"}
	languages = []string{"English", "Deutsch", "Italiano", "Ladin"}
)

var workshopPrompt = &mcp.Prompt{
	Name: "repair_plan", Title: "Plan a repair", Description: "Only here while the workshop is open.",
}

func getWorkshopPrompt(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: text("Plan the repair of a dome shutter, step by step.")}}}, nil
}

// prompts are those that are always there.
var prompts = []*mcp.Prompt{
	{Name: "greet_visitors", Title: "Greet the visitors", Description: "A welcome for an open evening. Takes no arguments."},
	{
		Name: "explain_target", Title: "Explain a target", Description: "Explains something in the sky to an audience. All arguments can be completed.",
		Arguments: []*mcp.PromptArgument{
			{Name: "target", Title: "Target", Description: "a name of the catalogue", Required: true},
			{Name: "audience", Title: "Audience", Description: "who listens"},
			{Name: "language", Title: "Language"},
		},
	},
	{
		Name: "judge_picture", Title: "Judge a picture", Description: "Shows the model a picture and asks how good it is.",
		Arguments: []*mcp.PromptArgument{{Name: "target", Title: "Target", Description: "a name of the catalogue", Required: true}},
	},
	{
		Name: "sum_up_night", Title: "Sum up the night", Description: "Gives the model the night log and the catalogue as embedded resources, a sound and a link.",
	},
	{
		Name: "tailored_tour", Title: "A tour made to measure", Description: "Asks you for what it needs while the prompt is being made.",
		Arguments: []*mcp.PromptArgument{{Name: "language", Title: "Language"}},
	},
}

func (s *station) addPrompts() {
	handlers := map[string]mcp.PromptHandler{
		"greet_visitors": func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return &mcp.GetPromptResult{Description: "A welcome", Messages: []*mcp.PromptMessage{
				{Role: "user", Content: text("Welcome twenty visitors to Kestrel Hill Observatory in three sentences.")},
				{Role: "assistant", Content: text("Good evening, and thank you for climbing the hill.")},
				{Role: "user", Content: text("Shorter, please.")},
			}}, nil
		},
		"explain_target": getExplainTarget,
		"judge_picture":  getJudgePicture,
		"sum_up_night":   getSumUpNight,
		"tailored_tour":  s.getTailoredTour,
	}
	for _, p := range prompts {
		handle := handlers[p.Name]
		s.server.AddPrompt(p, func(ctx context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			res, err := handle(ctx, req)
			if err != nil {
				return nil, err
			}
			who := peerOf(req)
			for _, m := range res.Messages {
				m.Content = who.downshift([]mcp.Content{m.Content})[0]
			}
			return res, nil
		})
	}
}

func (s *station) hasPrompt(name string) bool {
	if name == workshopPrompt.Name {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.workshop
	}
	for _, p := range prompts {
		if p.Name == name {
			return true
		}
	}
	return false
}

func promptTarget(req *mcp.GetPromptRequest) (target, error) {
	t, ok := findTarget(req.Params.Arguments["target"])
	if !ok {
		return t, invalidParams(fmt.Sprintf("target has to be one of %s", strings.Join(targetNames(), ", ")))
	}
	return t, nil
}

func getExplainTarget(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	t, err := promptTarget(req)
	if err != nil {
		return nil, err
	}
	request := "Explain " + t.Title
	if a := req.Params.Arguments["audience"]; a != "" {
		request += " to " + a
	}
	if l := req.Params.Arguments["language"]; l != "" {
		request += ", in " + l
	}
	return &mcp.GetPromptResult{Description: "Explains " + t.Title, Messages: []*mcp.PromptMessage{
		{Role: "user", Content: text("%s. What we know: %s, magnitude %.1f. %s", request, t.Kind, t.Magnitude, t.Note)},
	}}, nil
}

func getJudgePicture(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	t, err := promptTarget(req)
	if err != nil {
		return nil, err
	}
	picture, err := skyImage(t, 256, "natural")
	if err != nil {
		return nil, fmt.Errorf("drawing %s: %w", t.Title, err)
	}
	return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{
		{Role: "user", Content: &mcp.ImageContent{Data: picture, MIMEType: "image/png", Annotations: forModels(1)}},
		{Role: "user", Content: text("This is our picture of %s. Is it in focus?", t.Title)},
	}}, nil
}

func getSumUpNight(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{
		{Role: "user", Content: &mcp.EmbeddedResource{
			Resource: &mcp.ResourceContents{URI: entryURI(1), MIMEType: "text/markdown", Text: firstEntry}, Annotations: forModels(0.9),
		}},
		{Role: "user", Content: &mcp.AudioContent{Data: pulsarSound(30, 0.4), MIMEType: "audio/wav"}},
		{Role: "user", Content: &mcp.ResourceLink{URI: "kestrel://catalogue.csv", Name: "catalogue", MIMEType: "text/csv"}},
		{Role: "user", Content: text("Sum up this night for the newspaper.")},
	}}, nil
}

func (s *station) getTailoredTour(ctx context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	p := peerOf(req)
	d := dialogue{p, s.seals, "prompts/get " + req.Params.Name, req.Params.InputResponses, req.Params.RequestState, nil}
	got, wait, err := d.ask(ctx, func(known answers) mcp.InputRequestMap {
		if known.has("wishes") {
			return nil
		}
		return mcp.InputRequestMap{"wishes": &mcp.ElicitParams{
			Mode: "form", Message: "For whom is the tour?",
			RequestedSchema: form(p.version, []field{
				{"audience", `{"type": "string", "title": "Audience", "enum": ["children", "students", "amateurs", "astronomers"], "default": "amateurs"}`,
					`{"type": "string", "title": "Audience", "enum": ["children", "students", "amateurs", "astronomers"]}`, true},
				{"minutes", `{"type": "integer", "title": "Minutes", "minimum": 5, "maximum": 180, "default": 30}`,
					`{"type": "integer", "title": "Minutes", "minimum": 5, "maximum": 180}`, false},
			}),
		}}
	})
	var undeclared errUndeclared
	switch {
	case errors.As(err, &undeclared):
		return nil, invalidParams(err.Error())
	case err != nil:
		return nil, err
	case wait != nil:
		return &mcp.GetPromptResult{InputRequests: wait.questions, RequestState: wait.state}, nil
	}
	wishes := "anyone, with no wishes given"
	if a := got["wishes"]; a.Action == "accept" {
		wishes = "these wishes: " + string(a.Content)
	}
	request := "Make a tour of the observatory for " + wishes
	if l := req.Params.Arguments["language"]; l != "" {
		request += ", in " + l
	}
	return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: text("%s.", request)}}}, nil
}
