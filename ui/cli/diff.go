package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"mcploupe/recorder/diff"
)

// diffOptions are the flags of diff.
type diffOptions struct {
	format           string
	failOn           string
	ignore           []string
	interfaceOnly    bool
	conversationOnly bool
	without          []string
	count            []string
	limit            time.Duration
	all              bool
}

var diffFormats = []string{"text", "json", "junit", "markdown"}

func diffVerb() verb {
	classes, volatiles := diffKeys()
	return verb{
		name: "diff", args: "A B [flags] | A [flags] -- COMMAND... | [flags] -- COMMAND... -- COMMAND...",
		does: "compare two recordings, saved catalogues or servers, the older first",
		more: "A and B are files (recordings, what convert reads, catalogues of snapshot), URLs or saved servers; a command goes\n" +
			"after --, a second one after another --. Servers are connected to and listed. Of two recordings the interfaces and\n" +
			"the conversations are compared, else the interfaces. Exit code 1 means that something differs: with\n" +
			"--fail-on breaking, that the interface has a change which may break callers.",
		example: "mcploupe diff --fail-on breaking -- npx -y @acme/server@1 -- npx -y @acme/server@2",
		flags: func(o *options, f *pflag.FlagSet) {
			f.StringVar(&o.diff.format, "format", "text", "what to print: "+strings.Join(diffFormats, ", "))
			f.BoolVar(&o.json, "json", false, "the same as --format json")
			f.StringVar(&o.diff.failOn, "fail-on", "any", "what exit code 1 is for: breaking or any")
			f.StringArrayVar(&o.diff.ignore, "ignore", nil, "`FILE` with rules for what does not count; may be repeated")
			f.BoolVar(&o.diff.interfaceOnly, "interface-only", false, "leave the conversations out")
			f.BoolVar(&o.diff.conversationOnly, "conversation-only", false, "leave the interfaces out")
			f.StringSliceVar(&o.diff.without, "without", nil, "`CLASSES` of traffic to leave out: "+classes)
			f.StringSliceVar(&o.diff.count, "count", nil, "count what varies from run to run, by `RULES`: "+volatiles)
			f.DurationVar(&o.diff.limit, "limit", 0, "how long conversations may be compared (default 10s)")
			f.BoolVar(&o.diff.all, "all", false, "print every difference, not the first ones of each exchange")
			f.StringVar(&o.show.from, "from", "", "`FORMAT` of the files; found out when not given")
			connectionFlags(o, f)
		},
		run: runDiff,
	}
}

func diffKeys() (classes, volatiles string) {
	var c, v []string
	for _, x := range diff.Classes {
		c = append(c, x.Key)
	}
	for _, x := range diff.Volatiles {
		v = append(v, x.Key)
	}
	return strings.Join(c, ", "), strings.Join(v, ", ")
}

func runDiff(ctx context.Context, inv *invocation) (code int, err error) {
	o, on, err := inv.diffOptions()
	if err != nil {
		return ExitFailed, err
	}
	operands, err := inv.operands()
	if err != nil {
		return ExitFailed, err
	}
	var sides [2]diff.Side
	for i, x := range operands {
		side, done, sideErr := inv.side(ctx, x)
		if sideErr != nil {
			return ExitFailed, sideErr
		}
		defer func() { err = errors.Join(err, done()) }()
		sides[i] = side
	}
	result, err := diff.Compare(ctx, sides[0], sides[1], o)
	if errors.Is(err, diff.ErrNothingToCompare) {
		return ExitFailed, usageError("--conversation-only: " + err.Error())
	}
	if err != nil {
		return ExitFailed, err
	}
	code = ExitOK
	if result.Fails(on) {
		code = ExitFound
	}
	switch inv.opts.diff.format {
	case "json":
		return code, printValue(inv.Out, result.JSON())
	case "junit":
		return code, result.WriteJUnit(inv.Out, on)
	case "markdown":
		return code, result.WriteMarkdown(inv.Out)
	}
	inv.printDiff(result)
	return code, nil
}

func (inv *invocation) diffOptions() (o diff.Options, on diff.FailOn, err error) {
	f := &inv.opts.diff
	if inv.opts.json {
		f.format = "json"
	}
	if !slices.Contains(diffFormats, f.format) {
		return o, on, usageError(fmt.Sprintf("--format %q: it is one of %s", f.format, strings.Join(diffFormats, ", ")))
	}
	switch f.failOn {
	case "any":
	case "breaking":
		on = diff.OnBreaking
	default:
		return o, on, usageError(fmt.Sprintf("--fail-on %q: it is breaking or any", f.failOn))
	}
	switch {
	case f.interfaceOnly && f.conversationOnly:
		return o, on, usageError("--interface-only and --conversation-only leave nothing")
	case f.conversationOnly && on == diff.OnBreaking:
		return o, on, usageError("--fail-on breaking is about interfaces, which --conversation-only leaves out")
	}
	classes, volatiles := diffKeys()
	for _, key := range f.without {
		at := slices.IndexFunc(diff.Classes, func(c struct {
			Class      diff.Class
			Key, Title string
		}) bool {
			return c.Key == key
		})
		if at < 0 {
			return o, on, usageError(fmt.Sprintf("--without %q: it is one of %s", key, classes))
		}
		o.Without |= diff.Classes[at].Class
	}
	for _, key := range f.count {
		known := false
		for _, v := range diff.Volatiles {
			if v.Key == key {
				o.Count |= v.Rule
				known = true
			}
		}
		if !known {
			return o, on, usageError(fmt.Sprintf("--count %q: it is one of %s", key, volatiles))
		}
	}
	for _, name := range f.ignore {
		text, err := os.ReadFile(name)
		if err != nil {
			return o, on, err
		}
		rules, err := diff.ParseRules(text)
		if err != nil {
			return o, on, fmt.Errorf("%s: %w", name, err)
		}
		if o.Rules == nil {
			o.Rules = &diff.RuleSet{}
		}
		o.Rules.Rules = append(o.Rules.Rules, rules.Rules...)
	}
	o.InterfaceOnly, o.ConversationOnly, o.Limit = f.interfaceOnly, f.conversationOnly, f.limit
	return o, on, nil
}

// operand is one thing to compare: a name, or a command.
type operand struct {
	name    string
	command []string
}

// operands takes the command line apart: names before --, then one command or
// two with another -- between them.
func (inv *invocation) operands() ([2]operand, error) {
	var all []operand
	for _, name := range inv.args {
		all = append(all, operand{name: name})
	}
	if inv.dash != nil {
		rest := inv.dash
		if at := slices.Index(rest, "--"); at >= 0 && len(all) == 0 {
			all = append(all, operand{command: rest[:at]})
			rest = rest[at+1:]
		}
		all = append(all, operand{command: rest})
	}
	if len(all) != 2 {
		return [2]operand{}, usageError("name two things to compare: files, URLs, saved servers, or commands after --")
	}
	for _, x := range all {
		if x.name == "" && len(x.command) == 0 {
			return [2]operand{}, usageError("nothing stands after --: name the server's command there")
		}
	}
	return [2]operand(all), nil
}
