package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/pflag"

	"mcploupe/protocol"
	"mcploupe/session"
	"mcploupe/ui/view/human"
	"mcploupe/ui/view/safe"
)

func callVerb() verb {
	return verb{
		name: "call", args: "TARGET TOOL [name=value | name:=JSON]... [flags] | TOOL [name=value]... [flags] -- COMMAND [ARGS...]",
		does: "call a tool",
		more: "name=value is typed by the tool's input schema: a string where the schema takes one, else JSON.\n" +
			"name:=JSON is sent as it is. --args gives the whole arguments object, as text or @FILE.\n" +
			"Exit code 1 means a tool error, a JSON-RPC error or no answer.",
		example: "mcploupe call get-sum a=9007199254740993 b=1.0 -- npx -y @modelcontextprotocol/server-everything stdio",
		flags: func(o *options, f *pflag.FlagSet) {
			requestFlags(o, f)
			f.StringVar(&o.argsJSON, "args", "", "the whole arguments object: `JSON` or @FILE")
			f.StringVar(&o.task, "task", "", "call the tool as a task and wait for its result; --task=`TTL` asks for it to be kept so long")
			f.Lookup("task").NoOptDefVal = taskDefault
		},
		run: runCall,
	}
}

func runCall(ctx context.Context, inv *invocation) (int, error) {
	t, rest, err := inv.target()
	if err != nil {
		return ExitFailed, err
	}
	if len(rest) == 0 {
		return ExitFailed, usageError("no tool named")
	}
	name, pairs := rest[0], rest[1:]
	return inv.finish(ctx, t, false, func(c *connection) (int, error) {
		// The schema types the arguments and names the headers to mirror. A server
		// whose listing fails can still be called.
		var schema jsontext.Value
		if err := c.Refresh(ctx, session.Tools); err != nil {
			fmt.Fprintf(inv.Err, "mcploupe: the tools could not be listed (%v); arguments are taken without a schema\n", err)
		}
		for _, tool := range c.Tools() {
			if tool.Name == name {
				schema = tool.InputSchema
				break
			}
		}
		if schema == nil {
			fmt.Fprintf(inv.Err, "mcploupe: the server lists no tool %s; it is called all the same\n", safe.Line(name, 120))
		}
		arguments, err := inv.arguments(schema, pairs)
		if err != nil {
			return ExitFailed, err
		}
		var params document
		params.text("name", name)
		params.put("arguments", arguments)
		o := session.CallOptions{InputSchema: schema}
		if o.Task, err = inv.taskOptions(); err != nil {
			return ExitFailed, err
		}
		stop := func() {}
		if o.Task != nil {
			inv.warnOfTask(c, name)
			stop = c.tellTasks()
		}
		defer stop()
		return inv.request(ctx, c, protocol.MethodToolsCall, params.value(), o, printToolResult)
	})
}

// arguments makes the arguments object of --args and the name=value pairs.
func (inv *invocation) arguments(schema jsontext.Value, pairs []string) (jsontext.Value, error) {
	if inv.opts.argsJSON != "" {
		if len(pairs) > 0 {
			return nil, usageError("give either --args or name=value, not both")
		}
		raw := []byte(inv.opts.argsJSON)
		if path, ok := strings.CutPrefix(inv.opts.argsJSON, "@"); ok {
			var err error
			if raw, err = os.ReadFile(path); err != nil {
				return nil, fmt.Errorf("read --args: %w", err)
			}
		}
		v := jsontext.Value(raw)
		if err := checkJSON(v); err != nil {
			return nil, fmt.Errorf("--args: %w", err)
		}
		return v, nil
	}
	return typedArguments(schema, pairs)
}

// meta puts the members of --meta into a request.
func (inv *invocation) meta(raw []byte) ([]byte, error) {
	for _, m := range inv.opts.meta {
		key, value, ok := strings.Cut(m, "=")
		if !ok {
			return nil, usageError(fmt.Sprintf("--meta %q: it is KEY=JSON", m))
		}
		if err := checkJSON(jsontext.Value(value)); err != nil {
			return nil, fmt.Errorf("--meta %s: %w", key, err)
		}
		var err error
		if raw, err = protocol.SetMeta(raw, key, jsontext.Value(value)); err != nil {
			return nil, fmt.Errorf("--meta %s: %w", key, err)
		}
	}
	return raw, nil
}

// request sends one request and prints how it ended. show prints a result for
// people and says whether it is one that the tool calls an error.
func (inv *invocation) request(ctx context.Context, c *connection, method string, params jsontext.Value, o session.CallOptions,
	show func(*invocation, jsontext.Value) (failed bool)) (int, error) {
	raw, err := inv.meta(c.NewRequest(method, params))
	if err != nil {
		return ExitFailed, err
	}
	state, err := c.do(ctx, raw, o)
	if err != nil {
		return ExitFailed, err
	}
	fmt.Fprintf(inv.Err, "%s: %s after %s\n", method, phaseWord[state.Phase], human.Duration(state.Took))
	for _, p := range state.Problems {
		fmt.Fprintf(inv.Err, "  %s %s: %s\n", p.Severity, p.Rule, safe.Line(p.Text, 400))
	}
	code := ExitFound
	if state.Phase == session.CallOK {
		code = ExitOK
		if method == protocol.MethodToolsCall && protocol.DecodeToolResult(state.Answer.Result).IsError {
			code = ExitFound
		}
	}
	if inv.opts.json {
		return code, printValue(inv.Out, callValue(state))
	}
	switch {
	case state.Phase == session.CallOK:
		if show(inv, state.Answer.Result) {
			code = ExitFound
		}
	case state.Phase == session.CallError:
		e, _ := protocol.DecodeError(state.Answer.Error)
		fmt.Fprintf(inv.Err, "  error %s %s: %s\n", e.Code, protocol.CodeName(e.Code), safe.Line(e.Message, 1000))
		if len(e.Data) > 0 {
			fmt.Fprintf(inv.Err, "  data: %s\n", safe.Line(string(e.Data), 1000))
		}
	case state.Err != "":
		fmt.Fprintf(inv.Err, "  %s\n", safe.Line(state.Err, 1000))
	default:
		fmt.Fprintf(inv.Err, "  what came: %s\n", safe.Line(string(state.Answer.Raw), 1000))
	}
	return code, nil
}

var phaseWord = map[session.CallPhase]string{
	session.CallPending: "pending", session.CallOK: "ok", session.CallError: "error", session.CallInvalid: "invalid answer",
	session.CallWaiting: "waiting", session.CallWorking: "working", session.CallCancelled: "cancelled", session.CallTimedOut: "timed out", session.CallLost: "lost",
}

func callValue(s session.CallState) jsontext.Value {
	var d document
	d.text("method", s.Method)
	d.text("name", s.Name)
	d.put("id", jsontext.Value(s.ID.String()))
	d.text("outcome", phaseWord[s.Phase])
	d.number("tookMs", s.Took.Milliseconds())
	d.put("result", s.Answer.Result)
	d.put("error", s.Answer.Error)
	d.text("reason", s.Err)
	if len(s.Problems) > 0 {
		d.put("problems", problemsValue(s.Problems))
	}
	return d.value()
}

func printToolResult(inv *invocation, result jsontext.Value) bool {
	r := protocol.DecodeToolResult(result)
	if len(r.Content) == 0 && !r.HasStructured {
		fmt.Fprintln(inv.Err, "  the result is empty")
	}
	for _, content := range r.Content {
		printContent(inv, content)
	}
	if r.HasStructured {
		fmt.Fprintf(inv.Out, "structured content:\n%s\n", protocol.Indent(r.Structured))
	}
	return r.IsError
}

// printContent shows one block for people: text as it is, everything else by
// what it is and how large.
func printContent(inv *invocation, c protocol.Content) {
	switch {
	case c.HasText:
		fmt.Fprintf(inv.Out, "%s\n", safe.Text(string(c.Text), 1<<20))
	case c.HasData:
		size := "not valid base64"
		if data, err := c.Decode(); err == nil {
			size = human.Bytes(int64(len(data)))
		}
		fmt.Fprintf(inv.Out, "[%s %s, %s] %s\n", safe.Line(c.Type, 40), safe.Line(c.MIMEType, 80), size, safe.Line(c.URI, 400))
	case c.Type == "resource_link":
		fmt.Fprintf(inv.Out, "[link] %s  %s\n", safe.Line(c.URI, 400), safe.Line(c.Name, 120))
	default:
		fmt.Fprintf(inv.Out, "%s\n", protocol.Indent(c.Raw))
	}
}

// errNotJSON is a fault of a value that must be JSON.
var errNotJSON = errors.New("this is not JSON")

func checkJSON(v jsontext.Value) error {
	if !v.IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) {
		return fmt.Errorf("%w: %s", errNotJSON, safe.Line(string(v), 200))
	}
	return nil
}
