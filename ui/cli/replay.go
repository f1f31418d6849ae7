package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/pflag"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/recorder/diff"
	"mcploupe/recorder/replay"
	"mcploupe/session"
	"mcploupe/ui/view/human"
	"mcploupe/ui/view/safe"
)

// replayOptions are the flags of replay.
type replayOptions struct {
	pace        string
	only        []string
	destructive bool
	stop        bool
	heads       bool
	ignore      string
}

func replayVerb() verb {
	return verb{
		name: "replay", args: "FILE TARGET [flags] | FILE [flags] -- COMMAND [ARGS...]",
		does: "send what a recorded client sent to a server again, and compare the answers",
		more: "Ids, progress tokens, cursors, request states, task and subscription ids are bound to those of the new\n" +
			"connection; everything else is sent as it was. What the server asks is answered from the recording.\n" +
			"Tools that may destroy something are not called without --allow-destructive.\n" +
			"Exit code 1 means that something differs.",
		example: "mcploupe replay session.mcp.jsonl -- npx -y @modelcontextprotocol/server-everything stdio",
		flags: func(o *options, f *pflag.FlagSet) {
			targetFlags(o, f)
			_ = f.MarkHidden("answer") // the recording answers
			f.StringVar(&o.replay.pace, "pace", "answered", "answered: as fast as the server answers; recorded: at the times of the recording")
			f.StringArrayVar(&o.replay.only, "only", nil, "only `CALLS`: a method, a name, method:name, or the number of an event; * stands for any text; may be repeated")
			f.BoolVar(&o.replay.destructive, "allow-destructive", false, "call tools too that may destroy something")
			f.BoolVar(&o.replay.stop, "stop-at-difference", false, "stop at the first call that differs")
			f.BoolVar(&o.replay.heads, "http-heads", false, "status and headers of HTTP and fields of server-sent events count too")
			f.StringVar(&o.replay.ignore, "ignore", "", "`FILE` with rules for differences that do not count")
		},
		run: runReplay,
	}
}

func runReplay(ctx context.Context, inv *invocation) (code int, err error) {
	if len(inv.args) == 0 {
		return ExitFailed, usageError("name a recording and a target")
	}
	file := inv.args[0]
	inv.args = inv.args[1:]
	target, rest, err := inv.target()
	if err != nil {
		return ExitFailed, err
	}
	if len(rest) > 0 {
		return ExitFailed, usageError("name one recording and one target")
	}
	o := replay.RunOptions{StopAtDifference: inv.opts.replay.stop, Heads: inv.opts.replay.heads}
	switch inv.opts.replay.pace {
	case "answered":
	case "recorded":
		o.Pace = replay.AsRecorded
	default:
		return ExitFailed, usageError(fmt.Sprintf("--pace %q: it is answered or recorded", inv.opts.replay.pace))
	}
	if name := inv.opts.replay.ignore; name != "" {
		text, err := os.ReadFile(name)
		if err != nil {
			return ExitFailed, fmt.Errorf("--ignore: %w", err)
		}
		if o.Diff.Rules, err = diff.ParseRules(text); err != nil {
			return ExitFailed, fmt.Errorf("--ignore %s: %w", name, err)
		}
	}
	log, done, err := inv.openFile(ctx, file, "")
	if err != nil {
		return ExitFailed, err
	}
	defer func() { err = errors.Join(err, done()) }()
	plan, err := replay.NewPlan(ctx, log)
	if err != nil {
		return ExitFailed, err
	}
	return inv.replay(ctx, plan, target, o)
}

// replay connects and plays a plan.
func (inv *invocation) replay(ctx context.Context, plan *replay.Plan, target session.Target, o replay.RunOptions) (code int, err error) {
	path, drop, err := inv.replayPath()
	if err != nil {
		return ExitFailed, err
	}
	defer func() { err = errors.Join(err, drop()) }()
	log, err := recorder.Create(path, target.RecordingHeader("mcploupe "+inv.Version))
	if err != nil {
		return ExitFailed, fmt.Errorf("start the recording: %w", err)
	}
	s, err := session.OpenReplay(ctx, target, plan, session.Options{Log: log, CallTimeout: inv.opts.timeout,
		Client: protocol.Implementation{Name: "mcploupe", Title: "MCP Loupe", Version: inv.Version}})
	defer func() {
		err = errors.Join(err, s.Close(), log.Close())
		if inv.opts.record != "" {
			fmt.Fprintf(inv.Err, "recording: %s (%s events)\n", path, human.Count(int64(log.Len())))
		}
	}()
	c := &connection{Session: s, inv: inv}
	c.printSteps(target)
	if err != nil {
		c.printFailure()
		return ExitFailed, err
	}
	if slices.ContainsFunc(plan.Calls, func(c replay.Call) bool { return c.Method == protocol.MethodToolsCall }) {
		if err := s.Refresh(ctx, session.Tools); err != nil {
			fmt.Fprintf(inv.Err, "mcploupe: the tools could not be listed, so the recorded annotations are used: %v\n", err)
		}
	}
	plan.Judge(s.Tools(), inv.opts.replay.destructive)
	if err := choose(plan, inv.opts.replay.only); err != nil {
		return ExitFailed, err
	}
	if !inv.opts.json {
		o.OnResult = func(r replay.Result) { inv.printResult(plan, r) }
	}
	sum, err := replay.Run(ctx, plan, s.ReplayTarget(), o)
	if err != nil {
		return ExitFailed, err
	}
	inv.printSummary(sum)
	if inv.opts.json {
		if err := printValue(inv.Out, replayValue(plan, sum)); err != nil {
			return ExitFailed, err
		}
	}
	if sum.Differs() {
		return ExitFound, nil
	}
	return ExitOK, nil
}

func (inv *invocation) replayPath() (path string, drop func() error, err error) {
	if path = inv.opts.record; path != "" {
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			return "", nil, fmt.Errorf("--record %s: the file is there already; recordings are not overwritten", path)
		}
		return path, func() error { return nil }, nil
	}
	scratch, err := os.MkdirTemp("", "mcploupe-")
	if err != nil {
		return "", nil, fmt.Errorf("make a folder for the recording: %w", err)
	}
	return filepath.Join(scratch, "session"+recorder.Ext), func() error { return os.RemoveAll(scratch) }, nil
}

// choose leaves only the calls chosen that some of the patterns name.
func choose(plan *replay.Plan, only []string) error {
	if len(only) == 0 {
		return nil
	}
	used := make([]bool, len(only))
	for i := range plan.Calls {
		c := &plan.Calls[i]
		named := false
		for k, pattern := range only {
			if named = names(*c, pattern); named {
				used[k] = true
				break
			}
		}
		c.Chosen = c.Chosen && named
	}
	if i := slices.Index(used, false); i >= 0 {
		return usageError(fmt.Sprintf("--only %q names no call of the recording", only[i]))
	}
	return nil
}

func names(c replay.Call, pattern string) bool {
	return pattern == strconv.FormatUint(c.Seq, 10) || glob(pattern, c.Method) || c.Name != "" && (glob(pattern, c.Name) || glob(pattern, c.Method+":"+c.Name))
}

// glob matches a text with a pattern in which * stands for any text.
func glob(pattern, text string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == text
	}
	last := parts[len(parts)-1]
	if !strings.HasPrefix(text, parts[0]) || len(text) < len(parts[0])+len(last) || !strings.HasSuffix(text, last) {
		return false
	}
	text = text[len(parts[0]) : len(text)-len(last)]
	for _, part := range parts[1 : len(parts)-1] {
		i := strings.Index(text, part)
		if i < 0 {
			return false
		}
		text = text[i+len(part):]
	}
	return true
}

func (inv *invocation) printResult(plan *replay.Plan, r replay.Result) {
	c := plan.Calls[r.Call]
	line := fmt.Sprintf("%-9s #%-5d %s", r.Outcome, c.Seq, safe.Line(c.Method, 100))
	if c.Name != "" {
		line += " " + safe.Line(c.Name, 100)
	}
	if r.Took > 0 {
		line += " (" + human.Duration(r.Took)
		if r.TookBefore > 0 {
			line += ", before " + human.Duration(r.TookBefore)
		}
		line += ")"
	}
	if r.Text != "" {
		line += ": " + safe.Line(r.Text, 400)
	}
	fmt.Fprintln(inv.Out, line)
	if !r.Outcome.Differs() {
		return
	}
	for i, d := range r.Differences {
		if i == shownRemarks {
			fmt.Fprintf(inv.Out, "          and %s more\n", human.Count(int64(len(r.Differences)-i)))
			break
		}
		fmt.Fprintf(inv.Out, "          %s\n", safe.Line(d.Text, 400))
	}
}

func (inv *invocation) printSummary(sum *replay.Summary) {
	var parts []string
	for o := replay.Same; o.String() != ""; o++ {
		if n := sum.Count(o); n > 0 {
			parts = append(parts, human.Count(int64(n))+" "+o.String())
		}
	}
	fmt.Fprintf(inv.Err, "%s: %s\n", human.Plural(len(sum.Results), "call", "calls"), strings.Join(parts, ", "))
	if sum.Stopped != "" {
		fmt.Fprintf(inv.Err, "%s\n", sum.Stopped)
	}
	for _, list := range [][]string{sum.Unmapped, sum.Unasked, sum.Notices} {
		for _, text := range list {
			fmt.Fprintf(inv.Err, "  %s\n", safe.Line(text, 400))
		}
	}
	bound := map[replay.BindingKind]int{}
	for _, r := range sum.Results {
		for _, b := range r.Bindings {
			bound[b.Kind]++
		}
	}
	for _, b := range sum.Bindings {
		bound[b.Kind]++
	}
	parts = parts[:0]
	for kind, n := range bound {
		parts = append(parts, fmt.Sprintf("%s %s", human.Count(int64(n)), kind))
	}
	slices.Sort(parts)
	if len(parts) > 0 {
		fmt.Fprintf(inv.Err, "bound to the new connection: %s\n", strings.Join(parts, ", "))
	}
}

func bindingsValue(bindings []replay.Binding) jsontext.Value {
	var all []jsontext.Value
	for _, b := range bindings {
		var d document
		d.text("kind", string(b.Kind))
		d.text("from", b.From)
		d.text("to", b.To)
		d.text("where", b.Where)
		all = append(all, d.value())
	}
	return array(all)
}

func textsValue(texts []string) jsontext.Value {
	var all []jsontext.Value
	for _, s := range texts {
		all = append(all, protocol.QuoteString(s))
	}
	return array(all)
}

func replayValue(plan *replay.Plan, sum *replay.Summary) jsontext.Value {
	var d document
	var calls []jsontext.Value
	for _, r := range sum.Results {
		c := plan.Calls[r.Call]
		var e document
		e.text("outcome", r.Outcome.String())
		e.number("event", int64(c.Seq))
		e.text("method", c.Method)
		e.text("name", c.Name)
		e.text("text", r.Text)
		if r.Request != 0 {
			e.number("request", int64(r.Request))
		}
		if r.Answer != 0 {
			e.number("answer", int64(r.Answer))
		}
		e.number("tookMs", r.Took.Milliseconds())
		e.number("tookBeforeMs", r.TookBefore.Milliseconds())
		if len(r.Bindings) > 0 {
			e.put("bindings", bindingsValue(r.Bindings))
		}
		var differs []jsontext.Value
		for _, x := range r.Differences {
			var f document
			f.text("severity", x.Severity.String())
			f.text("kind", x.Kind.String())
			f.text("pointer", x.Pointer())
			f.text("inside", x.Inside)
			f.text("text", x.Text)
			f.text("before", x.Before)
			f.text("after", x.After)
			differs = append(differs, f.value())
		}
		if len(differs) > 0 {
			e.put("differences", array(differs))
		}
		calls = append(calls, e.value())
	}
	d.put("differs", jsontext.Value(strconv.FormatBool(sum.Differs())))
	d.put("calls", array(calls))
	d.text("stopped", sum.Stopped)
	d.put("unmapped", textsValue(sum.Unmapped))
	d.put("unasked", textsValue(sum.Unasked))
	d.put("notices", textsValue(sum.Notices))
	d.put("bindings", bindingsValue(sum.Bindings))
	return d.value()
}
