//lint:file-ignore SA1019 what the newest revision deprecates, the older ones still have

package demo

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var exactTools = []tool{
	{
		name: "count_photons", title: "Count photons", icon: "vega", hints: reads(),
		about: "Takes a count of any size and gives back the very digits that came, past 9007199254740992 too, where many programs start to round.",
		in: `{
  "type": "object",
  "properties": {
    "photons": {"type": "integer", "title": "Photons", "examples": [9007199254740993]},
    "flux": {"type": "number", "title": "Flux", "description": "1.0 and 1 are the same number and two texts", "examples": [1.0]}
  },
  "required": ["photons"],
  "additionalProperties": false
}`,
		out: `{
  "type": "object",
  "properties": {
    "photons": {"type": "integer"},
    "photonsText": {"type": "string", "description": "the text of the number as it came"},
    "odd": {"type": "boolean", "description": "whether the last digit is odd; only where the text is plain digits"},
    "flux": {"type": "number"},
    "fluxText": {"type": "string"}
  },
  "required": ["photons", "photonsText"],
  "additionalProperties": false
}`,
		run: func(_ context.Context, c *call) (*mcp.CallToolResult, error) {
			var args struct {
				Photons jsontext.Value `json:"photons"`
				Flux    jsontext.Value `json:"flux"`
			}
			if err := c.decode(&args); err != nil {
				return nil, err
			}
			out := struct {
				Photons     jsontext.Value `json:"photons"`
				PhotonsText string         `json:"photonsText"`
				Odd         *bool          `json:"odd,omitzero"`
				Flux        jsontext.Value `json:"flux,omitzero"`
				FluxText    string         `json:"fluxText,omitzero"`
			}{args.Photons, string(args.Photons), nil, args.Flux, string(args.Flux)}
			if digits := strings.TrimPrefix(out.PhotonsText, "-"); strings.Trim(digits, "0123456789") == "" {
				odd := strings.ContainsAny(digits[len(digits)-1:], "13579")
				out.Odd = &odd
			}
			return structured(out)
		},
	},
	{
		name: "fetch_archive", title: "Fetch from the archive", icon: "dumbbell", hints: reads(),
		about: "Looks something up in a shard of the archive. Region, shard and dry run also travel as HTTP headers in revision " +
			"2026-07-28, so that a gateway can route the request without reading it; the result says what arrived where.",
		in: `{
  "type": "object",
  "properties": {
    "region": {"type": "string", "title": "Region", "x-mcp-header": "Region", "description": "try a name that is not ASCII", "examples": ["north", "süd"]},
    "shard": {"type": "integer", "title": "Shard", "x-mcp-header": "Shard", "minimum": 0, "maximum": 4096},
    "options": {"type": "object", "title": "Options", "properties": {"dry_run": {"type": "boolean", "title": "Dry run", "x-mcp-header": "Dry-Run"}}},
    "query": {"type": "string", "title": "Query"}
  },
  "required": ["region"],
  "additionalProperties": false
}`,
		out: `{
  "type": "object",
  "properties": {
    "arguments": {"type": "object"},
    "headers": {"type": "object", "additionalProperties": {"type": "string"}, "description": "the Mcp- headers of the HTTP request; empty over stdio"}
  },
  "required": ["arguments", "headers"]
}`,
		run: func(_ context.Context, c *call) (*mcp.CallToolResult, error) {
			headers := map[string]string{}
			if c.req.Extra != nil {
				for name, values := range c.req.Extra.Header {
					if strings.HasPrefix(name, "Mcp-") && name != "Mcp-Session-Id" {
						headers[name] = strings.Join(values, ", ")
					}
				}
			}
			return structured(struct {
				Arguments jsontext.Value    `json:"arguments"`
				Headers   map[string]string `json:"headers"`
			}{c.args, headers})
		},
	},
	{
		name: "describe_client", title: "Describe the client", hints: reads(),
		about: "Says what this server knows about whoever calls it: revision, name, capabilities and the _meta of the request.",
		in:    noArguments,
		out: `{
  "type": "object",
  "properties": {
    "revision": {"type": "string"},
    "era": {"type": "string", "enum": ["handshake", "stateless"]},
    "client": {"type": "string"},
    "capabilities": {"type": "array", "items": {"type": "string"}},
    "metaNames": {"type": "array", "items": {"type": "string"}}
  },
  "required": ["revision", "era", "client", "capabilities", "metaNames"]
}`,
		run: runDescribeClient,
	},
}

func runDescribeClient(_ context.Context, c *call) (*mcp.CallToolResult, error) {
	out := struct {
		Revision     string   `json:"revision"`
		Era          string   `json:"era"`
		Client       string   `json:"client"`
		Capabilities []string `json:"capabilities"`
		MetaNames    []string `json:"metaNames"`
	}{Revision: c.version, Era: "handshake", Client: "not given", Capabilities: c.declared(), MetaNames: []string{}}
	if c.modern() {
		out.Era = "stateless"
	}
	if c.client != nil {
		out.Client = fmt.Sprintf("%s %s", c.client.Name, c.client.Version)
	}
	for name := range c.req.Params.GetMeta() {
		if strings.HasPrefix(name, "kestrel-hill.example/") {
			continue // put there by keepText
		}
		out.MetaNames = append(out.MetaNames, name)
	}
	slices.Sort(out.MetaNames)
	return structured(out)
}

// declared names the capabilities of the client, as paths.
func (p peer) declared() []string {
	out := []string{}
	if e := p.caps.Elicitation; e != nil {
		out = append(out, "elicitation")
		if e.Form != nil {
			out = append(out, "elicitation.form")
		}
		if e.URL != nil {
			out = append(out, "elicitation.url")
		}
	}
	if r := p.caps.RootsV2; r != nil {
		out = append(out, "roots")
		if r.ListChanged {
			out = append(out, "roots.listChanged")
		}
	}
	if s := p.caps.Sampling; s != nil {
		out = append(out, "sampling")
		if s.Tools != nil {
			out = append(out, "sampling.tools")
		}
		if s.Context != nil {
			out = append(out, "sampling.context")
		}
	}
	for name := range p.caps.Extensions {
		out = append(out, "extensions."+name)
	}
	for name := range p.caps.Experimental {
		out = append(out, "experimental."+name)
	}
	return out
}
