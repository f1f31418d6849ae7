package session

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"mcploupe/session/link"
)

// Fault is a panic in what a session runs by itself.
type Fault struct {
	Value any
	Stack []byte
}

var errFault = errors.New("a fault of this program ended the session")

// guard runs f, which a goroutine of the session or of its link does. With
// Options.OnFault a panic in it ends this session and nothing else.
func (s *Session) guard(f func()) {
	if s.o.OnFault == nil {
		f()
		return
	}
	defer func() {
		if value := recover(); value != nil {
			s.fault(Fault{value, debug.Stack()})
		}
	}()
	f()
}

// goes runs f in a goroutine that Close waits for. Close must not have begun
// waiting.
func (s *Session) goes(f func()) {
	s.wg.Go(func() { s.guard(f) })
}

var _ link.Guard = (*conn)(nil)

// Guard implements link.Guard.
func (c *conn) Guard(f func()) { c.s.guard(f) }

// fault ends the session.
func (s *Session) fault(f Fault) {
	s.mu.free()
	s.failed(errFault)
	s.remark("The session ends by a fault of this program: " + faultText(f.Value) + ".")
	s.o.OnFault(f)
	go func() { _ = s.Close() }() // it waits for the goroutine that panicked, which is this one
}

// faultText says what a panic was about; only the runtime's own words are sure
// to hold nothing of what was said.
func faultText(value any) string {
	if err, ok := value.(runtime.Error); ok {
		return err.Error()
	}
	return fmt.Sprintf("a panic of type %T", value)
}

// stateMutex is the mutex of a session. It can be freed of a goroutine that
// panicked with it held: nobody could ask for the state of the session any more,
// the window among them.
type stateMutex struct {
	sync.Mutex
	taken atomic.Uint64
}

// Lock locks the mutex.
func (m *stateMutex) Lock() {
	m.Mutex.Lock()
	m.taken.Add(1)
}

// stuck is how long a mutex, which is only ever held for a moment, stays locked
// by one goroutine before that is taken for the one that panicked.
const stuck = 500 * time.Millisecond

// free unlocks the mutex if the calling goroutine, which panicked, left it
// locked.
func (m *stateMutex) free() {
	seen := m.taken.Load()
	tick := time.NewTicker(stuck / 100)
	defer tick.Stop()
	for range 100 {
		if m.TryLock() {
			m.Unlock()
			return
		}
		if m.taken.Load() != seen {
			return // others take it in turn
		}
		<-tick.C
	}
	m.Unlock()
}
