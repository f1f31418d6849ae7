package session

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
)

// SetRoots replaces the roots and tells the server where the revision has a way
// to and roots were declared (ROOT-02). They are replaced even if the server
// could not be told, which is the error.
func (s *Session) SetRoots(ctx context.Context, roots []Root) error {
	if !s.begin() {
		return errClosed
	}
	defer s.wg.Done()
	s.mu.Lock()
	same := slices.Equal(s.o.Roots, roots)
	s.o.Roots = slices.Clone(roots)
	_, _, announced := protocol.Lookup(s.view.clientCaps, "/roots/listChanged")
	tell := !same && announced && s.view.phase == Ready
	s.changed()
	s.mu.Unlock()
	if !tell {
		return nil
	}
	if err := s.Write(ctx, protocol.NewNotification(protocol.NotificationRootsChanged, nil)); err != nil {
		return fmt.Errorf("telling the server that the roots have changed: %w", err)
	}
	return nil
}

// SetAskRoots changes whether roots/list waits for the person from now on; see
// Options.AskRoots.
func (s *Session) SetAskRoots(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.o.AskRoots = on
}

// rootsResult is the answer to roots/list (ROOT-03).
func rootsResult(roots []Root) jsontext.Value {
	b := []byte(`{"roots":[`)
	for i, r := range roots {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(b, `{"uri":`...), protocol.QuoteString(r.URI)...)
		if r.Name != "" {
			b = append(append(b, `,"name":`...), protocol.QuoteString(r.Name)...)
		}
		b = append(b, '}')
	}
	return append(b, "]}"...)
}
