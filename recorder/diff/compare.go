package diff

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/protocol/jsonvalue"
	"mcploupe/recorder"
)

// Side is what is compared: a recording, or what a server offers.
type Side struct {
	Name    string        // for people
	Log     *recorder.Log // nil when there is no conversation
	Surface *Surface      // nil to take it from Log
}

// Result is the outcome of a comparison.
type Result struct {
	NameA, NameB string
	Interface    *Report       // nil if it was not compared
	Conversation *Conversation // nil if it was not compared, because a side has none
}

// ErrNothingToCompare says that a conversation was asked for and a side has
// none.
var ErrNothingToCompare = errors.New("only two recordings have conversations to compare")

// Compare compares the interfaces and the conversations of two sides, a being
// the older.
func Compare(ctx context.Context, a, b Side, o Options) (Result, error) {
	r := Result{NameA: a.Name, NameB: b.Name}
	talk := a.Log != nil && b.Log != nil && !o.InterfaceOnly
	if o.ConversationOnly && !talk {
		return r, ErrNothingToCompare
	}
	if !o.ConversationOnly {
		before, err := a.surface(ctx)
		if err != nil {
			return r, err
		}
		after, err := b.surface(ctx)
		if err != nil {
			return r, err
		}
		report := InterfacesWith(before, after, o.Rules)
		r.Interface = &report
	}
	if talk {
		c, err := Conversations(ctx, a.Log, b.Log, o)
		if err != nil {
			return r, err
		}
		r.Conversation = c
	}
	return r, nil
}

func (s Side) surface(ctx context.Context) (Surface, error) {
	if s.Surface != nil {
		return *s.Surface, nil
	}
	if s.Log == nil {
		return Surface{}, nil
	}
	cat, err := s.Log.Catalogue(ctx)
	if err != nil {
		return Surface{}, fmt.Errorf("read what %s offers: %w", s.Name, err)
	}
	return SurfaceOf(cat), nil
}

// SurfaceOf is the interface that a recording tells of. A list that is not
// complete counts as never read: what is missing in it may be there.
func SurfaceOf(c recorder.Catalogue) Surface {
	s := Surface{
		Revision: c.Revision, ServerInfo: c.ServerInfo, Capabilities: c.Capabilities,
		Tools: listOf(c.Tools), Resources: listOf(c.Resources), Templates: listOf(c.Templates), Prompts: listOf(c.Prompts),
	}
	if c.Instructions != "" {
		s.Instructions = jsontext.Value(jsonvalue.Quote(c.Instructions))
	}
	if versions, _, ok := protocol.Lookup(c.Info, "/supportedVersions"); ok {
		s.Supported = []string{}
		for _, v := range protocol.Elements(versions) {
			if parsed, err := jsonvalue.Parse(v); err == nil && parsed.Kind == '"' {
				s.Supported = append(s.Supported, parsed.Str)
			}
		}
	}
	return s
}

func listOf(l recorder.CatalogueList) List {
	out := List{Known: l.Listed && l.Complete}
	if out.Known {
		for _, it := range l.Items {
			out.Items = append(out.Items, it.Raw)
		}
	}
	return out
}

// InterfacesWith is Interfaces without the changes that rules ignore.
func InterfacesWith(before, after Surface, rules *RuleSet) Report {
	r := Interfaces(before, after)
	m := newMatcher(rules)
	kept := r.Changes[:0]
	for _, c := range r.Changes {
		if i := m.hidesChange(c); i >= 0 {
			m.uses[i]++
			continue
		}
		kept = append(kept, c)
	}
	r.Changes = kept
	for i, rule := range m.rules {
		if rule.Area != "" {
			r.Rules = append(r.Rules, RuleUse{rule, m.uses[i]})
		}
	}
	return r
}
