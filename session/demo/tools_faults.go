package demo

import (
	"context"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var faultTools = []tool{
	{
		name: "trip_alarm", title: "Trip an alarm", hints: writes(false, true),
		about: "Fails on purpose, in the way that you choose.",
		in: `{
  "type": "object",
  "properties": {
    "how": {
      "type": "string", "title": "How", "default": "tool error",
      "oneOf": [
        {"const": "tool error", "title": "A result with isError"},
        {"const": "invalid params", "title": "JSON-RPC error -32602"},
        {"const": "internal error", "title": "JSON-RPC error -32603"},
        {"const": "own code", "title": "JSON-RPC error of the server's own, with data"},
        {"const": "silence", "title": "No answer until you cancel"}
      ]
    }
  },
  "required": ["how"],
  "additionalProperties": false
}`,
		run: runTripAlarm,
	},
}

func runTripAlarm(ctx context.Context, c *call) (*mcp.CallToolResult, error) {
	var args struct {
		How string `json:"how"`
	}
	if err := c.decode(&args); err != nil {
		return nil, err
	}
	switch args.How {
	case "invalid params":
		return nil, invalidParams("the alarm says that the arguments are not valid")
	case "internal error":
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the alarm says that the server broke"}
	case "own code":
		return nil, &jsonrpc.Error{
			Code: -31007, Message: "the dome motor is too hot",
			Data: []byte(`{"motor":"merlin-dome","temperatureCelsius":81.50,"retryAfterSeconds":90}`),
		}
	case "silence":
		<-ctx.Done()
		return nil, ctx.Err()
	}
	res := failed("The alarm rings. This is a result with isError: the call itself went well, and the model may read this text and try something else.")
	res.Content = append(res.Content, text("Alarm tripped at %s.", time.Now().UTC().Format(time.RFC3339)))
	return res, nil
}
