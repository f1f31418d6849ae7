package demo

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// A tool is one tool of the station: its definition and what it does. Schemas are JSON text and go out as they stand here.
type tool struct {
	name, title, about string
	in, out            string // out may be empty
	hints              *mcp.ToolAnnotations
	icon               string // a target whose picture is the icon; may be empty
	tasks              string // whether a call may be a task: optional, required, or empty for no
	run                func(context.Context, *call) (*mcp.CallToolResult, error)
}

// A call is one tools/call while it is being worked on.
type call struct {
	*station
	peer
	req  *mcp.CallToolRequest
	args jsontext.Value // the text that came; "{}" if none did
	job  *job           // that the call runs as; nil if it is no task
}

const noArguments = `{"type":"object","properties":{},"additionalProperties":false}`

// add offers t to clients, or replaces the tool of that name. It fails if a schema does not compile.
func (s *station) add(t tool) error {
	schema, err := compileSchema(t.in)
	if err != nil {
		return fmt.Errorf("input schema of %s: %w", t.name, err)
	}
	def := &mcp.Tool{
		Name: t.name, Title: t.title, Description: t.about, Annotations: t.hints,
		InputSchema: jsontext.Value(t.in),
	}
	if t.out != "" {
		def.OutputSchema = jsontext.Value(t.out)
	}
	if t.icon != "" {
		icon, err := pictureIcon(t.icon, "natural")
		if err != nil {
			return fmt.Errorf("icon of %s: %w", t.name, err)
		}
		def.Icons = []mcp.Icon{icon}
	}
	if t.tasks != "" {
		s.support[t.name] = t.tasks
	}
	s.server.AddTool(def, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		c := &call{station: s, peer: peerOf(req), req: req, args: jsontext.Value(req.Params.Arguments), job: jobOf(ctx)}
		if len(c.args) == 0 {
			c.args = jsontext.Value("{}")
		}
		if wrong := mismatches(schema, c.args); wrong != nil {
			return failed("The arguments do not fit the input schema:\n%s", strings.Join(wrong, "\n")), nil
		}
		res, err := t.run(ctx, c)
		if err != nil {
			return nil, err
		}
		res.Content = c.downshift(res.Content)
		return res, nil
	})
	return nil
}

// decode reads the arguments into a struct that already holds the defaults.
func (c *call) decode(into any) error {
	if err := json.Unmarshal(c.args, into); err != nil {
		return fmt.Errorf("reading the arguments: %w", err)
	}
	return nil
}

// compileSchema compiles JSON Schema 2020-12 text in which formats count and references stay inside the document.
func compileSchema(text string) (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	c.UseLoader(jsonschema.SchemeURLLoader{})
	if err := c.AddResource("kestrel:schema", doc); err != nil {
		return nil, err
	}
	return c.Compile("kestrel:schema")
}

// mismatches says where v breaks the schema, one line a place; nil if it fits. Numbers are compared exactly.
func mismatches(s *jsonschema.Schema, v jsontext.Value) []string {
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(v)))
	if err != nil {
		return []string{err.Error()}
	}
	err = s.Validate(doc)
	if err == nil {
		return nil
	}
	invalid, ok := err.(*jsonschema.ValidationError)
	if !ok {
		return []string{err.Error()}
	}
	var lines []string
	leaves(invalid, message.NewPrinter(language.English), &lines)
	slices.SortStableFunc(lines, cmp.Compare)
	return slices.Compact(lines)
}

func leaves(e *jsonschema.ValidationError, p *message.Printer, lines *[]string) {
	if len(e.Causes) == 0 {
		at := "/" + strings.Join(e.InstanceLocation, "/")
		*lines = append(*lines, at+": "+e.ErrorKind.LocalizedString(p))
	}
	for _, cause := range e.Causes {
		leaves(cause, p, lines)
	}
}

// said is a result of one text.
func said(format string, args ...any) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{text(format, args...)}}
}

// failed is a result that tells the model that the tool did not succeed.
func failed(format string, args ...any) *mcp.CallToolResult {
	res := said(format, args...)
	res.IsError = true
	return res
}

// structured is a result with structured content and the same as text, as older clients expect it.
func structured(v any) (*mcp.CallToolResult, error) {
	data, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		return nil, fmt.Errorf("writing the structured content: %w", err)
	}
	res := said("%s", data)
	res.StructuredContent = jsontext.Value(data)
	return res, nil
}

func text(format string, args ...any) *mcp.TextContent {
	return &mcp.TextContent{Text: fmt.Sprintf(format, args...)}
}

// Hints, for the annotations of tools.
func reads() *mcp.ToolAnnotations {
	return &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: new(bool), OpenWorldHint: new(bool)}
}

func writes(destructive, idempotent bool) *mcp.ToolAnnotations {
	return &mcp.ToolAnnotations{DestructiveHint: &destructive, IdempotentHint: idempotent, OpenWorldHint: new(bool)}
}
