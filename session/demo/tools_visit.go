package demo

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var visitTools = []tool{
	{
		name: "dome_access", title: "Get access to the dome", hints: writes(false, false),
		about: "Asks the person to open a page in a browser and to agree there (elicitation in url mode), then waits for the consent.",
		in: `{
  "type": "object",
  "properties": {
    "telescope": {"type": "string", "title": "Telescope", "enum": ["merlin", "wren", "heron"], "default": "merlin"},
    "wait_seconds": {"type": "integer", "title": "Wait at most", "description": "seconds", "minimum": 0, "maximum": 600, "default": 120}
  },
  "additionalProperties": false
}`,
		out: `{
  "type": "object",
  "properties": {"access": {"type": "string", "enum": ["granted", "refused", "not yet"]}, "telescope": {"type": "string"}},
  "required": ["access", "telescope"]
}`,
		run: func(ctx context.Context, c *call) (*mcp.CallToolResult, error) {
			args := struct {
				Telescope string `json:"telescope"`
				Wait      int    `json:"wait_seconds"`
			}{"merlin", 120}
			if err := c.decode(&args); err != nil {
				return nil, err
			}
			access, wait, err := c.askVisit(ctx, "enter the dome of "+args.Telescope, time.Duration(args.Wait)*time.Second)
			if err != nil || wait != nil {
				return wait, err
			}
			return structured(struct {
				Access    string `json:"access"`
				Telescope string `json:"telescope"`
			}{access, args.Telescope})
		},
	},
	{
		name: "download_raw", title: "Download raw frames", hints: reads(),
		about: "Needs your consent on a web page first. Revision 2025-11-25 says so with error -32042, after which the call is made again; " +
			"revision 2026-07-28 asks within the call; older ones only say where the page is.",
		in: `{
  "type": "object",
  "properties": {"night": {"type": "string", "title": "Night", "enum": ["2026-12-09", "2026-12-10", "2026-12-11"], "default": "2026-12-11"}},
  "additionalProperties": false
}`,
		run: runDownloadRaw,
	},
}

// visitKey is how the question about a page is called; the page's id follows it, so that the retry finds the page again.
const visitKey = "page-"

// askVisit asks the person to open a page and waits for the consent. It says "granted", "refused" or "not yet".
func (c *call) askVisit(ctx context.Context, what string, patience time.Duration) (string, *mcp.CallToolResult, error) {
	var failure error
	got, wait, err := c.interview(ctx, func(known answers) mcp.InputRequestMap {
		if len(known) > 0 {
			return nil
		}
		w, q, err := c.visitQuestion(what)
		if err != nil {
			failure = err
			return nil
		}
		return mcp.InputRequestMap{visitKey + w.id: q}
	})
	if failure != nil {
		return "", nil, failure
	}
	if err != nil || wait != nil {
		return "", wait, err
	}
	for key, a := range got {
		page, ok := c.visits.find(strings.TrimPrefix(key, visitKey))
		if a.Action != "accept" || !ok {
			break
		}
		timer := time.NewTimer(patience)
		defer timer.Stop()
		select {
		case <-page.confirmed:
			return "granted", nil, nil
		case <-timer.C:
			return "not yet", nil, nil
		case <-ctx.Done():
			return "", nil, ctx.Err()
		}
	}
	return "refused", nil, nil
}

// visitQuestion opens a page and words the question. Revision 2025-11-25 has an id, and is told when the page is done.
func (c *call) visitQuestion(what string) (*visit, *mcp.ElicitParams, error) {
	var tell func(string)
	if c.version == "2025-11-25" {
		session := c.session
		tell = func(id string) {
			ctx, cancel := context.WithTimeout(c.life, 5*time.Second)
			defer cancel()
			// A client that has left does not need to know.
			_ = session.NotifyElicitationComplete(ctx, &mcp.ElicitationCompleteParams{ElicitationID: id})
		}
	}
	w, url, err := c.visits.start(what, tell)
	if err != nil {
		return nil, nil, err
	}
	q := &mcp.ElicitParams{Mode: "url", Message: fmt.Sprintf("To %s, agree on the observatory's own page.", what), URL: url}
	if c.version == "2025-11-25" {
		q.ElicitationID = w.id
	}
	return w, q, nil
}

func runDownloadRaw(ctx context.Context, c *call) (*mcp.CallToolResult, error) {
	args := struct {
		Night string `json:"night"`
	}{"2026-12-11"}
	if err := c.decode(&args); err != nil {
		return nil, err
	}
	what := "download the raw frames of " + args.Night
	if !c.visits.hasAgreed(what) {
		switch {
		case c.modern():
			access, wait, err := c.askVisit(ctx, what, 2*time.Minute)
			if err != nil || wait != nil {
				return wait, err
			}
			if access != "granted" {
				return failed("The raw frames need your consent; it was %s.", access), nil
			}
		case c.version == "2025-11-25" && c.caps.Elicitation != nil && c.caps.Elicitation.URL != nil:
			_, q, err := c.visitQuestion(what)
			if err != nil {
				return nil, err
			}
			return nil, mcp.URLElicitationRequiredError([]*mcp.ElicitParams{q})
		default:
			_, q, err := c.visitQuestion(what)
			if err != nil {
				return nil, err
			}
			return failed("%s Open %s in a browser, then call this tool again.", q.Message, q.URL), nil
		}
	}
	data := []byte(rawFrame(2048))
	return &mcp.CallToolResult{Content: []mcp.Content{
		text("Raw frames of %s, 1 of 1.", args.Night),
		&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{
			URI: "kestrel://raw/" + args.Night + ".bin", MIMEType: "application/octet-stream", Blob: data,
		}},
	}}, nil
}
