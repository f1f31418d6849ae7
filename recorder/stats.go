package recorder

import (
	"context"
	"time"
)

// MethodStats are the figures of one method, or of one tool.
type MethodStats struct {
	Dir           Direction // of the requests or notifications
	Method        string
	Name          string // of the tool; "" for a method
	Count         int    // requests and notifications
	Answered      int
	Errors        int // JSON-RPC errors and tool errors
	P50, P90, P99 time.Duration
	Max           time.Duration
	BytesOut      int64 // of messages to the server
	BytesIn       int64 // of messages from it
}

// Stats are the figures of a recording.
type Stats struct {
	Methods []MethodStats // by count, the most first
	Tools   []MethodStats // of tools/call, likewise
	Total   MethodStats   // of all messages
	Events  map[EventKind]int
}

// NewStats counts the events of l that a filter selects; nil selects all. A
// response counts with its request.
func NewStats(ctx context.Context, l *Log, f *Filter) (Stats, error) {
	return Stats{}, ctx.Err()
}
