package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/pflag"

	"mcploupe/protocol"
	"mcploupe/session"
	"mcploupe/ui/view/human"
	"mcploupe/ui/view/safe"
)

func inspectVerb() verb {
	return verb{
		name: "inspect", args: "TARGET [flags] | [flags] -- COMMAND [ARGS...]",
		does:    "connect, list everything, print the catalogue and what is odd",
		more:    "Exit code 1 means that a listing failed or that the server broke the protocol.",
		example: "mcploupe inspect --json -- npx -y @modelcontextprotocol/server-everything stdio",
		flags: func(o *options, f *pflag.FlagSet) {
			targetFlags(o, f)
			f.BoolVar(&o.cost, "cost", false, "print what each definition costs a model's context")
		},
		run: runInspect,
	}
}

func runInspect(ctx context.Context, inv *invocation) (int, error) {
	t, rest, err := inv.target()
	if err != nil {
		return ExitFailed, err
	}
	if len(rest) > 0 {
		return ExitFailed, usageError(fmt.Sprintf("%q was not expected", rest[0]))
	}
	return inv.finish(ctx, t, false, func(c *connection) (int, error) {
		listErr := c.RefreshAll(ctx)
		if ctx.Err() != nil {
			return ExitFailed, ctx.Err()
		}
		cat := c.catalogue()
		code := ExitOK
		if listErr != nil || cat.broken() {
			code = ExitFound
		}
		if inv.opts.json {
			return code, printValue(inv.Out, cat.value())
		}
		cat.print(inv.Out)
		if inv.opts.cost {
			cat.printCost(inv.Out)
		}
		return code, nil
	})
}

// catalogue is all that a server offers, with what is odd about it.
type catalogue struct {
	state     session.State
	tools     []protocol.Tool
	resources []protocol.Resource
	templates []protocol.ResourceTemplate
	prompts   []protocol.Prompt
}

func (c *connection) catalogue() catalogue {
	return catalogue{state: c.State(), tools: c.Tools(), resources: c.Resources(), templates: c.ResourceTemplates(), prompts: c.Prompts()}
}

// listNames are the listings and how people and JSON call them.
var listNames = []struct {
	kind            session.ListKind
	json, one, many string
}{
	{session.Tools, "tools", "tool", "tools"},
	{session.Resources, "resources", "resource", "resources"},
	{session.ResourceTemplates, "resourceTemplates", "resource template", "resource templates"},
	{session.Prompts, "prompts", "prompt", "prompts"},
}

// problem is a finding with the entry that it is about.
type problem struct {
	where string
	protocol.Problem
}

// problems collects what is odd, in the order of the catalogue.
func (cat catalogue) problems() []problem {
	var all []problem
	add := func(where string, found []protocol.Problem) {
		for _, p := range found {
			all = append(all, problem{where, p})
		}
	}
	add("server", cat.state.Server.Problems)
	for _, list := range listNames {
		add(list.many, cat.state.Lists[list.kind].Problems)
	}
	for _, t := range cat.tools {
		add("tool "+entryName(t.Name, t.Entry), t.Problems)
	}
	for _, r := range cat.resources {
		add("resource "+entryName(r.URI, r.Entry), r.Problems)
	}
	for _, r := range cat.templates {
		add("resource template "+entryName(r.URITemplate, r.Entry), r.Problems)
	}
	for _, p := range cat.prompts {
		add("prompt "+entryName(p.Name, p.Entry), p.Problems)
	}
	for _, f := range cat.state.Findings {
		add(fmt.Sprintf("event %d", f.Seq), []protocol.Problem{f.Problem})
	}
	return all
}

func entryName(name string, e protocol.Entry) string {
	if name == "" {
		return fmt.Sprintf("#%d", e.Index)
	}
	if e.Ordinal > 0 {
		return fmt.Sprintf("%s (no. %d of that name)", name, e.Ordinal+1)
	}
	return name
}

func (cat catalogue) broken() bool {
	for _, p := range cat.problems() {
		if p.Severity == protocol.Violation {
			return true
		}
	}
	return false
}

func (cat catalogue) value() jsontext.Value {
	s := cat.state
	var d document
	d.text("target", s.Target.String())
	d.text("transport", s.Transport)
	if s.Revision != nil {
		d.text("revision", s.Revision.Name)
	}
	d.put("server", s.Server.Raw)
	d.put("clientCapabilities", s.ClientCapabilities)
	d.put("steps", stepsValue(s.Steps))
	var lists document
	for _, list := range listNames {
		state := s.Lists[list.kind]
		var l document
		l.text("status", listWord[state.Status])
		l.number("count", int64(state.Count))
		l.number("pages", int64(state.Pages))
		l.text("error", state.Err)
		lists.put(list.json, l.value())
	}
	d.put("lists", lists.value())
	d.put("tools", raws(cat.tools, func(t protocol.Tool) jsontext.Value { return t.Raw }))
	d.put("resources", raws(cat.resources, func(r protocol.Resource) jsontext.Value { return r.Raw }))
	d.put("resourceTemplates", raws(cat.templates, func(r protocol.ResourceTemplate) jsontext.Value { return r.Raw }))
	d.put("prompts", raws(cat.prompts, func(p protocol.Prompt) jsontext.Value { return p.Raw }))
	d.put("cost", cat.costValue())
	var found []jsontext.Value
	for _, p := range cat.problems() {
		var e document
		e.text("where", p.where)
		e.text("rule", p.Rule)
		e.text("severity", p.Severity.String())
		e.text("pointer", p.Pointer)
		e.text("text", p.Text)
		found = append(found, e.value())
	}
	d.put("problems", array(found))
	return d.value()
}

func raws[T any](items []T, raw func(T) jsontext.Value) jsontext.Value {
	var all []jsontext.Value
	for _, item := range items {
		all = append(all, raw(item))
	}
	return array(all)
}

var listWord = map[session.ListStatus]string{
	session.ListUnknown: "not asked for", session.ListUnsupported: "not offered", session.ListLoading: "loading",
	session.ListComplete: "complete", session.ListFailed: "failed", session.ListStale: "changed since",
}

func (cat catalogue) print(w io.Writer) {
	s := cat.state
	name := cmp.Or(s.Server.Title, s.Server.Name, "(no name)")
	fmt.Fprintf(w, "%s %s", safe.Line(name, 120), safe.Line(s.Server.Version, 60))
	if s.Revision != nil {
		fmt.Fprintf(w, "  ·  %s over %s", s.Revision.Name, s.Transport)
	}
	fmt.Fprintln(w)
	if s.Server.Instructions != "" {
		fmt.Fprintf(w, "instructions: %s\n", safe.Line(s.Server.Instructions, 500))
	}
	for _, list := range listNames {
		state := s.Lists[list.kind]
		if state.Status == session.ListUnsupported {
			fmt.Fprintf(w, "\n%s: not offered\n", list.many)
			continue
		}
		fmt.Fprintf(w, "\n%s", human.Plural(state.Count, list.one, list.many))
		if state.Err != "" {
			fmt.Fprintf(w, " – the listing failed: %s", safe.Line(state.Err, 400))
		}
		fmt.Fprintln(w)
		for _, row := range cat.rows(list.kind) {
			fmt.Fprintf(w, "  %s", row[0])
			if row[1] != "" {
				fmt.Fprintf(w, "  %s", row[1])
			}
			fmt.Fprintln(w)
		}
	}
	fmt.Fprintf(w, "\ncontext cost: %s\n", cat.cost().Summary())
	found := cat.problems()
	if len(found) == 0 {
		fmt.Fprintln(w, "\nno problems found")
		return
	}
	fmt.Fprintf(w, "\n%s\n", human.Plural(len(found), "problem", "problems"))
	for _, p := range found {
		fmt.Fprintf(w, "  %-9s %s %s: %s", p.Severity, p.Rule, safe.Line(p.where, 120), safe.Line(p.Text, 400))
		if p.Pointer != "" {
			fmt.Fprintf(w, " (at %s)", safe.Line(p.Pointer, 200))
		}
		fmt.Fprintln(w)
	}
}

// rows are name and description of the entries of a listing, ready to print.
func (cat catalogue) rows(kind session.ListKind) [][2]string {
	var rows [][2]string
	add := func(name, about string, e protocol.Entry) {
		if e.Malformed {
			about = "(malformed) " + about
		}
		about, _, _ = strings.Cut(about, "\n")
		rows = append(rows, [2]string{safe.Line(entryName(name, e), 120), safe.Line(about, 100)})
	}
	switch kind {
	case session.Tools:
		for _, t := range cat.tools {
			add(t.Name, cmp.Or(t.Description, t.Title), t.Entry)
		}
	case session.Resources:
		for _, r := range cat.resources {
			add(r.URI, cmp.Or(r.Title, r.Name), r.Entry)
		}
	case session.ResourceTemplates:
		for _, r := range cat.templates {
			add(r.URITemplate, cmp.Or(r.Title, r.Name), r.Entry)
		}
	case session.Prompts:
		for _, p := range cat.prompts {
			add(p.Name, cmp.Or(p.Description, p.Title), p.Entry)
		}
	}
	return rows
}
