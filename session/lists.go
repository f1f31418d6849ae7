package session

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
)

const (
	maxListBytes = 1 << 30 // of the pages of one listing
	maxCursors   = 1 << 20 // remembered at a time; a shorter circle is always found
)

// listMethods are the requests of the listings.
var listMethods = [numLists]string{
	Tools:             protocol.MethodToolsList,
	Resources:         protocol.MethodResourcesList,
	ResourceTemplates: protocol.MethodResourceTemplatesList,
	Prompts:           protocol.MethodPromptsList,
}

// String is the listing's name in sentences.
func (k ListKind) String() string {
	return [...]string{"tools", "resources", "resource templates", "prompts"}[k]
}

// listings holds what the listings brought. Session.mu guards it.
type listings struct {
	list      [numLists]List
	changed   [numLists]uint64      // counts what made the listing stale
	told      [numLists]bool        // a list_changed came since the listing was last complete
	now, seen [numLists][]listEntry // as last complete, and as the person saw it; nil for never
	turn      [numLists]chan struct{}
	tools     []protocol.Tool
	resources []protocol.Resource
	templates []protocol.ResourceTemplate
	prompts   []protocol.Prompt
	schemas   map[string]jsontext.Value // of the tools, by name
}

func (l *listings) states() [numLists]List { return l.list }

// stale marks a listing that the server says has changed.
func (l *listings) stale(k ListKind) {
	l.changed[k]++
	if st := &l.list[k].Status; *st == ListComplete || *st == ListFailed {
		*st = ListStale
	}
}

// schemaOf is the input schema of a tool in the newest listing (HDR-25).
func (l *listings) schemaOf(tool string) jsontext.Value { return l.schemas[tool] }

// storeTools takes the tools so far and those of the last page.
func (l *listings) storeTools(all, page []protocol.Tool) {
	if len(all) == len(page) {
		l.schemas = make(map[string]jsontext.Value, len(page))
	}
	for _, t := range page {
		if _, taken := l.schemas[t.Name]; !taken {
			l.schemas[t.Name] = t.InputSchema
		}
	}
	l.tools = all
}

// Tools returns the tools that have come so far. The caller must not change
// them; likewise for the other listings.
func (s *Session) Tools() []protocol.Tool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.listed.tools
}

// Resources returns the resources that have come so far.
func (s *Session) Resources() []protocol.Resource {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.listed.resources
}

// ResourceTemplates returns the resource templates that have come so far.
func (s *Session) ResourceTemplates() []protocol.ResourceTemplate {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.listed.templates
}

// Prompts returns the prompts that have come so far.
func (s *Session) Prompts() []protocol.Prompt {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.listed.prompts
}

// RefreshAll loads every listing. The error joins those of the listings.
func (s *Session) RefreshAll(ctx context.Context) error {
	var errs []error
	for k := range numLists {
		errs = append(errs, s.Refresh(ctx, k))
	}
	return errors.Join(errs...)
}

// Refresh loads a listing to its end. One that the server does not declare is
// not asked for (unless Options.AskAll), which is no error. Pages that came
// before a failure are kept. Two refreshes of one listing run in turn.
func (s *Session) Refresh(ctx context.Context, k ListKind) error {
	if k >= numLists {
		return fmt.Errorf("refreshing: there is no listing %d", k)
	}
	s.mu.Lock()
	if s.listed.turn[k] == nil {
		s.listed.turn[k] = make(chan struct{}, 1)
	}
	turn := s.listed.turn[k]
	s.mu.Unlock()
	select {
	case turn <- struct{}{}:
		defer func() { <-turn }()
	case <-ctx.Done():
		return fmt.Errorf("listing %s: %w", k, context.Cause(ctx))
	}
	s.mu.Lock()
	list := &s.listed.list[k]
	if s.view.phase != Ready {
		s.mu.Unlock()
		return fmt.Errorf("listing %s: the connection is not ready", k)
	}
	if !s.offers(k) {
		*list = List{Status: ListUnsupported, Updated: time.Now()}
		s.changed()
		s.mu.Unlock()
		return nil
	}
	before := *list
	list.Status, list.Err = ListLoading, ""
	changes, told := s.listed.changed[k], s.listed.told[k]
	s.listed.told[k] = false
	s.changed()
	s.mu.Unlock()

	var err error
	switch k {
	case Tools:
		err = load(ctx, s, k, protocol.DecodeTools,
			func(t *protocol.Tool) (*protocol.Entry, string) { return &t.Entry, t.Name }, s.listed.storeTools)
	case Resources:
		err = load(ctx, s, k, protocol.DecodeResources,
			func(r *protocol.Resource) (*protocol.Entry, string) { return &r.Entry, r.URI },
			func(all, _ []protocol.Resource) { s.listed.resources = all })
	case ResourceTemplates:
		err = load(ctx, s, k, protocol.DecodeResourceTemplates,
			func(r *protocol.ResourceTemplate) (*protocol.Entry, string) { return &r.Entry, r.URITemplate },
			func(all, _ []protocol.ResourceTemplate) { s.listed.templates = all })
	case Prompts:
		err = load(ctx, s, k, protocol.DecodePrompts,
			func(p *protocol.Prompt) (*protocol.Entry, string) { return &p.Entry, p.Name },
			func(all, _ []protocol.Prompt) { s.listed.prompts = all })
	}
	return s.listed.done(s, k, changes, err, func() { s.compared(k, before, told || s.listed.told[k]) })
}

// done writes the outcome of a refresh, and has a complete listing compared.
func (l *listings) done(s *Session, k ListKind, changes uint64, err error, compare func()) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := &l.list[k]
	list.Updated = time.Now()
	defer s.changed()
	switch {
	case errors.Is(err, errNotOffered):
		list.Status, list.Err = ListUnsupported, sentence(err)
		return nil
	case err != nil:
		list.Status, list.Err = ListFailed, sentence(err)
		return fmt.Errorf("listing %s: %w", k, err)
	case l.changed[k] != changes:
		list.Status = ListStale
		s.wakeLive()
	default:
		list.Status = ListComplete
	}
	compare()
	return nil
}

// offers reports whether the listing should be asked for. A server that said
// nothing of its capabilities may have any. mu is held.
func (s *Session) offers(k ListKind) bool {
	caps := s.view.serverCaps
	if s.o.AskAll || s.view.server.Capabilities == nil {
		return true
	}
	switch k {
	case Tools:
		return caps.Tools
	case Prompts:
		return caps.Prompts
	default:
		return caps.Resources
	}
}

// errNotOffered says that a listing which need not exist does not.
var errNotOffered = errors.New("the server does not offer it")

// load asks for the pages of a listing. It hands what has come so far and the
// last page of it to store, with mu held. Entries are numbered over all pages;
// entry gives their common part and what tells duplicates.
func load[T any](ctx context.Context, s *Session, k ListKind, decode func(jsontext.Value) protocol.Page[T],
	entry func(*T) (*protocol.Entry, string), store func(all, page []T)) error {
	var (
		items    []T
		named    = make(map[string]int)
		problems []protocol.Problem
		cursor   jsontext.Value
		previous jsontext.Value
		guard    = newCursorGuard()
		size     int
		again    bool
	)
	for pages := 1; ; pages++ {
		st, err := s.page(ctx, k, cursor)
		var refused *refusal
		if errors.As(err, &refused) && cursor != nil && !again && refused.HasCode(protocol.CodeInvalidParams) {
			// PAGE-08: the cursor became invalid, once more from the first page.
			again, cursor, previous, items, size, pages, guard = true, nil, nil, nil, 0, 0, newCursorGuard()
			clear(named)
			problems = append(problems, warning("PAGE-08", "The server refused its own cursor; the listing was begun again."))
			continue
		}
		if err != nil {
			return s.optional(k, cursor, err)
		}
		page := decode(st.Answer.Result)
		looped := page.NextCursor != nil && guard.seen(page.NextCursor)
		if cursor != nil && looped && string(st.Answer.Result) == string(previous) {
			page.Items = nil // the same page once more
		}
		previous = st.Answer.Result
		size += len(st.Answer.Raw)
		for i := range page.Items {
			e, name := entry(&page.Items[i])
			e.Index, e.Ordinal = len(items)+i, named[name]
			named[name]++
		}
		items = append(items, page.Items...)
		problems = append(problems, page.Problems...)
		if looped {
			problems = append(problems, violation("L-PAGE-02", "The cursor "+shorten(string(page.NextCursor), 200)+" came before: the pages go in a circle, reading stopped."))
		}
		s.mu.Lock()
		store(items, page.Items)
		list := &s.listed.list[k]
		list.Count, list.Pages, list.Problems = len(items), pages, problems
		s.hinted(list, pages, page.TTL, page.CacheScope, st.AnswerSeq)
		s.findAll(st.AnswerSeq, page.Problems)
		if tools, ok := any(page.Items).([]protocol.Tool); ok {
			s.judgeTaskSupport(tools, st.AnswerSeq)
		}
		if looped {
			s.find(st.AnswerSeq, problems[len(problems)-1])
		}
		s.changed()
		s.mu.Unlock()
		if page.NextCursor == nil || looped {
			return nil
		}
		if size > maxListBytes {
			return fmt.Errorf("the pages hold more than %d MiB; what came so far is kept", maxListBytes>>20)
		}
		cursor = page.NextCursor
	}
}

// page asks for one page.
func (s *Session) page(ctx context.Context, k ListKind, cursor jsontext.Value) (CallState, error) {
	var params jsontext.Value
	if cursor != nil {
		params = append(append([]byte(`{"cursor":`), cursor...), '}')
	}
	call, err := s.Do(ctx, s.NewRequest(listMethods[k], params), CallOptions{})
	if err != nil {
		return CallState{}, err
	}
	<-call.Done()
	st := call.State()
	switch {
	case st.usable():
		return st, nil
	case st.Phase == CallError:
		e, _ := protocol.DecodeError(st.Answer.Error)
		return st, &refusal{e}
	}
	return st, errors.New(trimStop(st.Err))
}

// optional turns the refusal of a listing that a server need not have into
// errNotOffered.
func (s *Session) optional(k ListKind, cursor jsontext.Value, err error) error {
	var refused *refusal
	if cursor != nil || !errors.As(err, &refused) || !refused.HasCode(protocol.CodeMethodNotFound) {
		return err
	}
	s.mu.Lock()
	silent := s.view.server.Capabilities == nil
	s.mu.Unlock()
	if k == ResourceTemplates || s.o.AskAll || silent {
		return fmt.Errorf("%w: %s", errNotOffered, err)
	}
	return err
}

// refusal is a JSON-RPC error as an error.
type refusal struct{ protocol.RPCError }

func (r *refusal) Error() string {
	text := "the server answered with the error " + r.Code
	if name := protocol.CodeName(r.Code); name != "" {
		text += " (" + name + ")"
	}
	if r.Message != "" {
		text += ": " + shorten(r.Message, 500)
	}
	return text
}

// cursorGuard tells whether a cursor came before, in bounded memory and without
// a limit on the number of pages.
type cursorGuard struct {
	seed maphash.Seed
	set  map[uint64]struct{}
}

func newCursorGuard() *cursorGuard {
	return &cursorGuard{maphash.MakeSeed(), make(map[uint64]struct{})}
}

func (g *cursorGuard) seen(cursor jsontext.Value) bool {
	h := maphash.Bytes(g.seed, cursor)
	if _, ok := g.set[h]; ok {
		return true
	}
	if len(g.set) >= maxCursors {
		clear(g.set)
	}
	g.set[h] = struct{}{}
	return false
}
