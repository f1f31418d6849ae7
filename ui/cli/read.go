package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/pflag"

	"mcploupe/protocol"
	"mcploupe/session"
	"mcploupe/ui/view/safe"
)

func readVerb() verb {
	return verb{
		name: "read", args: "TARGET URI [flags] | URI [flags] -- COMMAND [ARGS...]",
		does:    "read a resource",
		example: "mcploupe read http://127.0.0.1:7300/mcp kestrel://clock",
		flags:   requestFlags,
		run: func(ctx context.Context, inv *invocation) (int, error) {
			t, rest, err := inv.target()
			if err != nil {
				return ExitFailed, err
			}
			if len(rest) != 1 {
				return ExitFailed, usageError("name one URI")
			}
			return inv.finish(ctx, t, false, func(c *connection) (int, error) {
				var params document
				params.put("uri", protocol.QuoteString(rest[0]))
				return inv.request(ctx, c, protocol.MethodResourcesRead, params.value(), session.CallOptions{}, printReadResult)
			})
		},
	}
}

func printReadResult(inv *invocation, result jsontext.Value) bool {
	for _, content := range protocol.DecodeReadResult(result).Contents {
		printContent(inv, content)
	}
	return false
}

func promptVerb() verb {
	return verb{
		name: "prompt", args: "TARGET NAME [name=value]... [flags] | NAME [name=value]... [flags] -- COMMAND [ARGS...]",
		does:    "get a prompt",
		more:    "Arguments of prompts are strings; name:=JSON sends something else on purpose.",
		example: "mcploupe prompt http://127.0.0.1:7300/mcp explain_target target=orion",
		flags:   requestFlags,
		run: func(ctx context.Context, inv *invocation) (int, error) {
			t, rest, err := inv.target()
			if err != nil {
				return ExitFailed, err
			}
			if len(rest) == 0 {
				return ExitFailed, usageError("no prompt named")
			}
			arguments, err := typedArguments(nil, rest[1:])
			if err != nil {
				return ExitFailed, err
			}
			return inv.finish(ctx, t, false, func(c *connection) (int, error) {
				var params document
				params.put("name", protocol.QuoteString(rest[0]))
				params.put("arguments", arguments)
				return inv.request(ctx, c, protocol.MethodPromptsGet, params.value(), session.CallOptions{}, printPromptResult)
			})
		},
	}
}

func printPromptResult(inv *invocation, result jsontext.Value) bool {
	r := protocol.DecodePromptResult(result)
	if r.Description != "" {
		fmt.Fprintf(inv.Err, "  %s\n", safe.Line(r.Description, 400))
	}
	for _, m := range r.Messages {
		fmt.Fprintf(inv.Out, "%s: ", safe.Line(m.Role, 40))
		printContent(inv, m.Content)
	}
	return false
}

func completeVerb() verb {
	return verb{
		name: "complete", args: "TARGET prompt|resource NAME-OR-TEMPLATE ARGUMENT [PREFIX] [flags] [-- COMMAND [ARGS...]]",
		does:    "ask for completions of an argument of a prompt or a resource template",
		example: "mcploupe complete http://127.0.0.1:7300/mcp prompt explain_target target or",
		flags: func(o *options, f *pflag.FlagSet) {
			requestFlags(o, f)
			f.StringArrayVar(&o.context, "context", nil, "argument `name=value` chosen already; may be repeated")
		},
		run: runComplete,
	}
}

func runComplete(ctx context.Context, inv *invocation) (int, error) {
	t, rest, err := inv.target()
	if err != nil {
		return ExitFailed, err
	}
	if len(rest) < 3 || len(rest) > 4 {
		return ExitFailed, usageError("say prompt or resource, its name or template, the argument, and what is typed so far")
	}
	var ref document
	switch rest[0] {
	case "prompt":
		ref.text("type", "ref/prompt")
		ref.put("name", protocol.QuoteString(rest[1]))
	case "resource":
		ref.text("type", "ref/resource")
		ref.put("uri", protocol.QuoteString(rest[1]))
	default:
		return ExitFailed, usageError(fmt.Sprintf("%q: completions are for a prompt or a resource", rest[0]))
	}
	prefix := ""
	if len(rest) == 4 {
		prefix = rest[3]
	}
	var argument document
	argument.put("name", protocol.QuoteString(rest[2]))
	argument.put("value", protocol.QuoteString(prefix))
	var chosen document
	for _, pair := range inv.opts.context {
		name, value, ok := strings.Cut(pair, "=")
		if !ok {
			return ExitFailed, usageError(fmt.Sprintf("--context %q: it is name=value", pair))
		}
		chosen.put(name, protocol.QuoteString(value))
	}
	return inv.finish(ctx, t, false, func(c *connection) (int, error) {
		var params document
		params.put("ref", ref.value())
		params.put("argument", argument.value())
		if r := c.State().Revision; len(inv.opts.context) > 0 {
			if r != nil && !r.CompletionContext {
				fmt.Fprintf(inv.Err, "mcploupe: %s knows no completion context; it is left out\n", r.Name)
			} else {
				var context document
				context.put("arguments", chosen.value())
				params.put("context", context.value())
			}
		}
		return inv.request(ctx, c, protocol.MethodComplete, params.value(), session.CallOptions{}, printCompletion)
	})
}

func printCompletion(inv *invocation, result jsontext.Value) bool {
	r := protocol.DecodeCompletion(result)
	for _, value := range r.Values {
		fmt.Fprintln(inv.Out, safe.Line(value, 1000))
	}
	if r.HasMore || r.Total != "" {
		fmt.Fprintf(inv.Err, "  %d shown", len(r.Values))
		if r.Total != "" {
			fmt.Fprintf(inv.Err, " of %s", safe.Line(r.Total, 40))
		}
		fmt.Fprintln(inv.Err)
	}
	return false
}
