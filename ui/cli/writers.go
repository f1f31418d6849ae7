package cli

import (
	"io"
	"sync"
)

// inTurn is a writer that goroutines may share: progress is told while a result
// is printed.
type inTurn struct {
	mu sync.Mutex
	w  io.Writer
}

// Write implements io.Writer.
func (t *inTurn) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.w.Write(b)
}
