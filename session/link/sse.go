package link

import (
	"context"
	"errors"

	"mcploupe/recorder"
)

// SSELink is a link over HTTP+SSE of 2024-11-05.
type SSELink struct{}

// DialSSE opens the stream and waits for its endpoint event (SSE-01). ctx
// bounds that wait only. A refusal by the server is an *AnswerError.
func DialSSE(ctx context.Context, t HTTPTarget, log recorder.Appender, h Handler) (Link, error) {
	return nil, errors.New("not connected")
}

// Name is "sse".
func (l *SSELink) Name() string { return "sse" }

// Send posts one message to the endpoint. The answer comes on the stream.
func (l *SSELink) Send(ctx context.Context, raw []byte, o SendOptions) error { return ErrClosed }

// Close ends the stream, and the session with it (SSE-06).
func (l *SSELink) Close() error { return nil }

// Endpoint is the URL that messages are posted to.
func (l *SSELink) Endpoint() string { return "" }

// SetBearer replaces the token for all later requests.
func (l *SSELink) SetBearer(token string) {}
