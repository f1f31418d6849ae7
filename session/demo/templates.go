package demo

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func (s *station) addTemplates() {
	add := func(t *mcp.ResourceTemplate, read func(u *url.URL, path []string) (*mcp.ResourceContents, error)) {
		s.server.AddResourceTemplate(t, func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			u, err := url.Parse(req.Params.URI)
			if err != nil {
				return nil, invalidParams("reading the URI: " + err.Error())
			}
			c, err := read(u, strings.Split(strings.Trim(u.Path, "/"), "/"))
			if err != nil {
				return nil, err
			}
			if c == nil {
				return nil, mcp.ResourceNotFoundError(req.Params.URI)
			}
			return contents(c), nil
		})
	}
	add(&mcp.ResourceTemplate{
		URITemplate: "kestrel://targets/{name}", Name: "target", Title: "A target", MIMEType: "application/json",
		Description: "What the catalogue knows about a target, and where it stands now. The name can be completed.",
	}, func(_ *url.URL, path []string) (*mcp.ResourceContents, error) {
		t, ok := findTarget(path[0])
		if !ok {
			return nil, nil
		}
		return &mcp.ResourceContents{Text: jsonText(struct {
			target
			Altitude float64 `json:"altitudeDegrees"`
		}{t, t.altitude(time.Now())})}, nil
	})
	add(&mcp.ResourceTemplate{
		URITemplate: "kestrel://telescopes/{telescope}/{camera}", Name: "camera", Title: "A camera of a telescope", MIMEType: "application/json",
		Description: "The camera can be completed once the telescope is known.",
	}, func(_ *url.URL, path []string) (*mcp.ResourceContents, error) {
		i := slices.IndexFunc(telescopes, func(t telescope) bool { return t.Name == path[0] })
		if i < 0 || len(path) != 2 || !slices.Contains(telescopes[i].Cameras, path[1]) {
			return nil, nil
		}
		return &mcp.ResourceContents{Text: jsonText(struct {
			Telescope string  `json:"telescope"`
			Camera    string  `json:"camera"`
			Parked    bool    `json:"parked"`
			Sensor    float64 `json:"sensorCelsius"`
		}{telescopes[i].Name, path[1], telescopes[i].Parked, -15.5})}, nil
	})
	add(&mcp.ResourceTemplate{
		URITemplate: "kestrel://weather/{mast}/{date}", Name: "weather-on", Title: "Weather on a date", MIMEType: "text/csv",
		Description: "What a mast measured each hour of a date, such as 2026-12-11.",
	}, func(_ *url.URL, path []string) (*mcp.ResourceContents, error) {
		if len(path) != 2 || !slices.Contains(masts, path[0]) {
			return nil, nil
		}
		day, err := time.Parse(time.DateOnly, path[1])
		if err != nil {
			return nil, invalidParams(path[1] + " is not a date like 2026-12-11")
		}
		var b strings.Builder
		b.WriteString("time,celsius,humidity,wind,gust,cloud\n")
		for h := range 24 {
			r := measure(path[0], day.Add(time.Duration(h)*time.Hour))
			fmt.Fprintf(&b, "%s,%.1f,%d,%.1f,%.1f,%d\n", r.At, r.Temperature, r.Humidity, r.Wind, r.Gust, r.Cloud)
		}
		return &mcp.ResourceContents{Text: b.String()}, nil
	})
	add(&mcp.ResourceTemplate{
		URITemplate: "kestrel://sky/{name}{?size,palette}", Name: "sky", Title: "A picture of a target", MIMEType: "image/png",
		Description: "Drawn on demand; size in pixels (16 to 1024) and palette (natural, infrared, mono) may be left out.",
	}, readSky)
}

func readSky(u *url.URL, path []string) (*mcp.ResourceContents, error) {
	t, ok := findTarget(path[0])
	if !ok {
		return nil, nil
	}
	size, palette := 256, "natural"
	if v := u.Query().Get("size"); v != "" {
		n, err := strconv.Atoi(v)
		if err != nil || n < 16 || n > 1024 {
			return nil, invalidParams("size is a whole number from 16 to 1024")
		}
		size = n
	}
	if v := u.Query().Get("palette"); v != "" {
		if !slices.Contains(palettes, v) {
			return nil, invalidParams("palette is one of " + strings.Join(palettes, ", "))
		}
		palette = v
	}
	data, err := skyImage(t, size, palette)
	if err != nil {
		return nil, fmt.Errorf("drawing %s: %w", t.Title, err)
	}
	return &mcp.ResourceContents{Blob: data}, nil
}

// complete suggests values for arguments of prompts and variables of templates.
func (s *station) complete(_ context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	var known map[string]string
	if req.Params.Context != nil {
		known = req.Params.Context.Arguments
	}
	var words []string
	switch ref, arg := req.Params.Ref, req.Params.Argument.Name; {
	case ref.Type == "ref/prompt" && !s.hasPrompt(ref.Name):
		return nil, invalidParams("there is no prompt " + ref.Name)
	case arg == "name" || arg == "target":
		words = targetNames()
	case arg == "audience":
		words = audiences
	case arg == "language":
		words = languages
	case arg == "mast":
		words = masts
	case arg == "telescope":
		words = telescopeNames()
	case arg == "camera":
		words = camerasOf(known["telescope"])
	case arg == "palette":
		words = palettes
	case arg == "size":
		words = []string{"64", "128", "256", "512", "1024"}
	case arg == "date":
		words = recentDates(time.Now(), 200)
	}
	values := startingWith(words, req.Params.Argument.Value)
	res := &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Total: len(values), Values: values}}
	if len(values) > 100 { // the most that the protocol allows
		res.Completion.Values, res.Completion.HasMore = values[:100], true
	}
	return res, nil
}

// camerasOf lists the cameras of a telescope, or all if it is not known.
func camerasOf(name string) []string {
	var out []string
	for _, t := range telescopes {
		if name == "" || t.Name == name {
			out = append(out, t.Cameras...)
		}
	}
	return out
}

func recentDates(now time.Time, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = now.AddDate(0, 0, -i).UTC().Format(time.DateOnly)
	}
	return out
}
