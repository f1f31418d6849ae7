package view

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/session"
)

// Lister gives the listings of a server: a session does, and a recording of one.
// Its slices are shared: do not change them.
type Lister interface {
	Tools() []protocol.Tool
	Resources() []protocol.Resource
	ResourceTemplates() []protocol.ResourceTemplate
	Prompts() []protocol.Prompt
}

// Lists are the listings of the server, nil when there are none yet. They are
// another value whenever a recording gives other ones.
func (c *Conn) Lists() Lister {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.phase == File && c.lists != nil:
		return c.lists
	case c.phase != File && c.sess != nil:
		return c.sess
	}
	return nil
}

// ListNote says how complete a listing is, "" when there is nothing to say.
func (c *Conn) ListNote(kind session.ListKind) (string, Tone) {
	l := c.State().Lists[kind]
	if phase, _ := c.Phase(); phase != File {
		return ListNote(l, kind.String())
	}
	switch {
	case l.Status == session.ListUnknown:
		return "Reading the recording …", Muted
	case l.Status == session.ListUnsupported:
		return "No list of " + kind.String() + " was recorded.", Muted
	case l.Status == session.ListFailed:
		return "Some pages of this list were not recorded; the others are shown.", Caution
	case l.Count == 0:
		return "The server listed no " + kind.String() + ".", Muted
	}
	return "As recorded.", Muted
}

// recordedLists are the listings that a recording holds.
type recordedLists struct {
	tools     []protocol.Tool
	resources []protocol.Resource
	templates []protocol.ResourceTemplate
	prompts   []protocol.Prompt
}

func (l *recordedLists) Tools() []protocol.Tool                         { return l.tools }
func (l *recordedLists) Resources() []protocol.Resource                 { return l.resources }
func (l *recordedLists) ResourceTemplates() []protocol.ResourceTemplate { return l.templates }
func (l *recordedLists) Prompts() []protocol.Prompt                     { return l.prompts }

// page is a result that lists items, as if they had come at once.
func page(name string, items []recorder.CatalogueItem) jsontext.Value {
	b := []byte(`{"` + name + `":[`)
	for i, item := range items {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, item.Raw...)
	}
	return append(b, "]}"...)
}

func listsOf(cat recorder.Catalogue) *recordedLists {
	return &recordedLists{
		tools:     protocol.DecodeTools(page("tools", cat.Tools.Items)).Items,
		resources: protocol.DecodeResources(page("resources", cat.Resources.Items)).Items,
		templates: protocol.DecodeResourceTemplates(page("resourceTemplates", cat.Templates.Items)).Items,
		prompts:   protocol.DecodePrompts(page("prompts", cat.Prompts.Items)).Items,
	}
}

// listState is the state of a recorded listing.
func listState(l recorder.CatalogueList) session.List {
	out := session.List{Count: len(l.Items), Pages: len(l.Sources)}
	switch {
	case !l.Listed:
		out.Status = session.ListUnsupported
	case l.Complete:
		out.Status = session.ListComplete
	default:
		out.Status = session.ListFailed
	}
	return out
}

// Bounds of what a recording is searched for.
const (
	scanFindings = 500
	scanStderr   = 64 << 10
	rescanAfter  = time.Second // between two searches of a recording that grows
)

// scan finds in a recording what a session would have known, and goes on while
// another program writes it.
func (c *Conn) scan(ctx context.Context) {
	log := c.Log()
	wake, stop := log.Watch()
	defer stop()
	s := &scanner{log: log, next: 1}
	for {
		if !s.take(ctx) {
			return
		}
		c.show(s)
		if !log.Following() {
			return
		}
		pause := time.NewTimer(rescanAfter)
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
			return
		}
		select {
		case <-wake:
		case <-ctx.Done():
			return
		}
	}
}

// show makes what a scanner found the state of the connection.
func (c *Conn) show(s *scanner) {
	c.mu.Lock()
	st := s.state
	st.Target = c.server.Target
	st.Findings = slices.Clone(st.Findings)
	slices.SortStableFunc(st.Findings, func(a, b session.Finding) int { return cmp.Compare(a.Seq, b.Seq) })
	c.state, c.lists = st, s.lists
	c.mu.Unlock()
	c.o.Changed()
}

// scanner collects what a recording tells of a server: who it said it was, what
// both sides declared, its listings, what was odd, and the last of its standard
// error.
type scanner struct {
	log   *recorder.Log
	next  uint64 // first event that was not looked at
	state session.State
	lists *recordedLists
	from  [4][]uint64 // answers that lists were made of
}

// take looks at what is new and reports whether it came to the end.
func (s *scanner) take(ctx context.Context) bool {
	end := s.log.Len()
	if end < s.next {
		return s.lists != nil || s.list(ctx)
	}
	for _, step := range []struct {
		filter string
		take   func(seq uint64)
	}{
		{"method:initialize|server/discover kind:request", s.declared},
		{"kind:bad", s.finding},
		{"is:problem -kind:bad", s.finding},
		{"kind:stderr", s.stderr},
	} {
		filter, err := recorder.ParseFilter(step.filter)
		if err != nil {
			return false // a filter of ours: its test fails
		}
		err = s.log.Find(ctx, filter, s.next, end, func(seqs []uint64) bool {
			for _, seq := range seqs {
				step.take(seq)
			}
			return ctx.Err() == nil
		})
		if err != nil || ctx.Err() != nil {
			return false
		}
	}
	s.next = end + 1
	return s.list(ctx)
}

// list takes what the server said of itself.
func (s *scanner) list(ctx context.Context) bool {
	cat, err := s.log.Catalogue(ctx)
	if err != nil {
		return false
	}
	st := &s.state
	st.Transport = s.log.Header().Target.Transport
	if cat.Info != nil {
		if cat.InfoMethod == protocol.MethodInitialize {
			st.Server = protocol.DecodeInitialize(cat.Info)
		} else {
			st.Server, st.SupportedVersions = protocol.DecodeDiscover(cat.Info)
		}
		st.ServerCapabilities = protocol.DecodeServerCapabilities(st.Server.Capabilities)
	}
	if r, ok := protocol.RevisionByName(cat.Revision); ok {
		st.Revision = r
	}
	lists := [...]recorder.CatalogueList{
		session.Tools: cat.Tools, session.Resources: cat.Resources,
		session.ResourceTemplates: cat.Templates, session.Prompts: cat.Prompts,
	}
	same := s.lists != nil
	for kind, l := range lists {
		st.Lists[kind] = listState(l)
		same = same && slices.Equal(l.Sources, s.from[kind])
		s.from[kind] = l.Sources
	}
	if !same {
		s.lists = listsOf(cat)
	}
	return true
}

// declared takes what this client declared; the last word counts.
func (s *scanner) declared(seq uint64) {
	m, err := s.log.Message(seq)
	if err != nil {
		return
	}
	pointer := "/_meta/io.modelcontextprotocol~1clientCapabilities"
	if m.Method == protocol.MethodInitialize {
		pointer = "/capabilities"
	}
	if v, _, ok := protocol.Lookup(m.Params, pointer); ok {
		s.state.ClientCapabilities = v
	}
}

func (s *scanner) finding(seq uint64) {
	var problems []protocol.Problem
	if s.log.Head(seq).Kind == recorder.KindBad {
		if e, err := s.log.Read(seq, previewBytes); err == nil {
			problems = badProblems(e)
		}
	} else if m, err := s.log.Message(seq); err == nil {
		problems = m.Problems
	}
	s.state.FindingCount += len(problems)
	if len(s.state.Findings) >= scanFindings {
		return
	}
	for _, p := range problems {
		s.state.Findings = append(s.state.Findings, session.Finding{Seq: seq, Problem: p})
	}
}

func (s *scanner) stderr(seq uint64) {
	e, err := s.log.Read(seq, scanStderr)
	if err != nil {
		return
	}
	tail := s.state.StderrTail + string(e.Data)
	s.state.StderrTail = tail[max(0, len(tail)-scanStderr):]
}
