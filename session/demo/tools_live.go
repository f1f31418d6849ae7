package demo

import (
	"context"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// weatherURI is the resource that raise_wind shakes.
const weatherURI = "kestrel://weather/now"

var liveTools = []tool{
	{
		name: "raise_wind", title: "Raise the wind", hints: reads(),
		about: "The weather on the summit changes as often as you say: whoever subscribed to kestrel://weather/now is told each time.",
		in: `{
  "type": "object",
  "properties": {
    "per_second": {"type": "integer", "title": "Updates a second", "minimum": 1, "maximum": 5000, "default": 1000},
    "seconds": {"type": "integer", "title": "Seconds", "minimum": 1, "maximum": 600, "default": 5}
  },
  "additionalProperties": false
}`,
		run: runRaiseWind,
	},
	{
		name: "end_listening", title: "End all listening", hints: writes(false, true),
		about: "Ends every subscriptions/listen request of every client, each with its result. Subscriptions of the older revisions stay.",
		in:    noArguments,
		run: func(_ context.Context, c *call) (*mcp.CallToolResult, error) {
			n := c.ears.end()
			if n == 1 {
				return said("1 listen request was ended."), nil
			}
			return said("%d listen requests were ended.", n), nil
		},
	},
}

func runRaiseWind(ctx context.Context, c *call) (*mcp.CallToolResult, error) {
	args := struct {
		PerSecond int `json:"per_second"`
		Seconds   int `json:"seconds"`
	}{1000, 5}
	if err := c.decode(&args); err != nil {
		return nil, err
	}
	ticker := time.NewTicker(max(time.Second/time.Duration(args.PerSecond), time.Millisecond))
	defer ticker.Stop()
	began, sent, all := time.Now(), 0, args.PerSecond*args.Seconds
	for sent < all {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case now := <-ticker.C:
			due := min(all, int(now.Sub(began).Seconds()*float64(args.PerSecond)))
			for ; sent < due; sent++ {
				if err := c.updated(ctx, weatherURI, true); err != nil {
					return nil, fmt.Errorf("telling of the wind: %w", err)
				}
			}
		}
	}
	return said("The weather changed %d times in %d seconds.", sent, args.Seconds), nil
}
