package session

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
)

// Delays before a listing is read again that keeps changing while it is read.
// They double from the first to the last.
const (
	firstReread = 250 * time.Millisecond
	lastReread  = 30 * time.Second
)

// reread is when a listing is read again by itself. Session.mu guards it.
type reread struct {
	running bool
	due     time.Time
	vain    int // reads in succession during which it changed again
}

// SetAutoReread chooses whether listings are read again by themselves when the
// server says that they changed.
func (s *Session) SetAutoReread(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.live.autoReread = on
	s.wakeLive()
	s.changed()
}

// SeenChanges takes the listing as it is for what the person has seen: its
// Changes begin anew.
func (s *Session) SeenChanges(k ListKind) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if k >= numLists || s.listed.now[k] == nil {
		return
	}
	s.listed.seen[k] = s.listed.now[k]
	s.listed.list[k].Changes = nil
	s.changed()
}

// stale marks a listing that the server says has changed (CACHE-13), and has it
// read again if that is wanted. mu is held.
func (s *Session) stale(k ListKind) {
	s.listed.stale(k)
	if r := &s.live.rereads[k]; r.due.IsZero() {
		r.due = time.Now().Add(min(firstReread<<min(r.vain, 10), lastReread))
	}
	s.wakeLive()
	s.changed()
}

// toldOfChange is stale for a notification. mu is held.
func (s *Session) toldOfChange(k ListKind) {
	s.listed.told[k] = true
	s.stale(k)
}

// dueRereads adds the listings to be read again. mu is held.
func (s *Session) dueRereads(a *agenda) {
	if !s.live.autoReread {
		return
	}
	for k := range numLists {
		r := &s.live.rereads[k]
		if r.running || s.listed.list[k].Status != ListStale {
			continue
		}
		if r.due.IsZero() {
			r.due = a.now
		}
		if a.take(r.due, func() { s.reread(k) }) {
			r.running, r.due = true, time.Time{}
			s.listed.list[k].Rereading = true
			s.changed()
		}
	}
}

// reread reads a listing again.
func (s *Session) reread(k ListKind) {
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	err := s.Refresh(ctx, k)
	s.mu.Lock()
	defer s.mu.Unlock()
	r := &s.live.rereads[k]
	r.running = false
	s.listed.list[k].Rereading = false
	if s.listed.list[k].Status == ListStale {
		r.vain++
		r.due = time.Now().Add(min(firstReread<<min(r.vain, 10), lastReread))
	} else {
		r.vain = 0
	}
	if err != nil && !s.isClosing {
		s.remark("The changed listing could not be read again: " + err.Error())
	}
	s.wakeLive()
	s.changed()
}

// listEntry is an entry of a listing as it is compared.
type listEntry struct {
	name    string
	ordinal int
	raw     jsontext.Value
}

// entriesOf lists what is to be compared of a listing. mu is held.
func (l *listings) entriesOf(k ListKind) []listEntry {
	out := []listEntry{} // an empty listing is one, too
	add := func(e protocol.Entry, name string) { out = append(out, listEntry{name, e.Ordinal, e.Raw}) }
	switch k {
	case Tools:
		for _, t := range l.tools {
			add(t.Entry, t.Name)
		}
	case Resources:
		for _, r := range l.resources {
			add(r.Entry, r.URI)
		}
	case ResourceTemplates:
		for _, r := range l.templates {
			add(r.Entry, r.URITemplate)
		}
	case Prompts:
		for _, p := range l.prompts {
			add(p.Entry, p.Name)
		}
	}
	return out
}

// compared takes a listing that is complete: what differs from the one that the
// person saw, and whether the server should have said so. mu is held.
func (s *Session) compared(k ListKind, before List, told bool) {
	l := &s.listed
	last := l.now[k]
	l.now[k] = l.entriesOf(k)
	if l.seen[k] == nil {
		l.seen[k] = l.now[k]
	}
	l.list[k].Changes = compareEntries(l.seen[k], l.now[k])
	if last == nil || told || len(compareEntries(last, l.now[k])) == 0 {
		return
	}
	if left, ok := before.Fresh(time.Now()); ok && left > 0 {
		s.find(0, information("L-CACHE-05", fmt.Sprintf("The list of %s changed %s before its ttlMs was over, and nothing told of it.", k, spoken(left))))
	}
}

// compareEntries lists what is added and changed in the order of after, then
// what is gone in that of before.
func compareEntries(before, after []listEntry) []ListChange {
	type key struct {
		name    string
		ordinal int
	}
	old := make(map[key]jsontext.Value, len(before))
	for _, e := range before {
		old[key{e.name, e.ordinal}] = e.raw
	}
	var out []ListChange
	kept := make(map[key]bool, len(after))
	for _, e := range after {
		k := key{e.name, e.ordinal}
		kept[k] = true
		was, known := old[k]
		switch {
		case !known:
			out = append(out, ListChange{Kind: EntryAdded, Name: e.name, Ordinal: e.ordinal, After: e.raw})
		case !sameJSON(was, e.raw):
			out = append(out, ListChange{Kind: EntryChanged, Name: e.name, Ordinal: e.ordinal, Before: was, After: e.raw})
		}
	}
	for _, e := range before {
		if !kept[key{e.name, e.ordinal}] {
			out = append(out, ListChange{Kind: EntryRemoved, Name: e.name, Ordinal: e.ordinal, Before: e.raw})
		}
	}
	return out
}

// sameJSON reports whether two texts differ at most in blanks between tokens.
func sameJSON(a, b jsontext.Value) bool {
	return bytes.Equal(a, b) || bytes.Equal(protocol.Compact(a), protocol.Compact(b))
}
