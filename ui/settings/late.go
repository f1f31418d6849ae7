package settings

import (
	"errors"
	"sync"
)

// late is the writing of changes that wait for another program's turn, for a
// caller that must not wait. Store.mu guards it.
type late struct {
	told    func(error) // of what went wrong; nil when callers wait themselves
	waiting bool        // somebody waits for the turn, and writes what there is by then
	work    sync.WaitGroup
}

// WriteLate lets Update return at once while another program has its turn with
// the file: the change is in force, and is written when the other is done. told
// hears of what went wrong then, on another goroutine. Settle ends it.
func (s *Store) WriteLate(told func(error)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.late.told = told
}

// Settle waits until everything is written, as far as it can be. Changes that are
// made after it are written before Update returns.
func (s *Store) Settle() {
	s.mu.Lock()
	s.late.told = nil
	s.mu.Unlock()
	s.late.work.Wait()
}

// putOff makes a change that is written later. s.mu is held.
func (s *Store) putOff(change func(*Settings)) {
	s.make(change)
	if s.late.waiting {
		return
	}
	s.late.waiting = true
	told, path := s.late.told, s.file.path
	s.late.work.Go(func() {
		release, held := waitForTurn(path, settingsPatience)
		defer release()
		s.mu.Lock()
		s.late.waiting, s.file.hangs = false, !held
		err := errors.Join(s.catchUp(), s.writeAll(held))
		s.mu.Unlock()
		if err != nil {
			told(err)
		}
	})
}
