package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/spf13/pflag"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/ui/view"
	"mcploupe/ui/view/safe"
)

// showOptions are the flags of show and, in part, of convert.
type showOptions struct {
	filter    string
	from      string
	stats     bool
	exchanges bool
	full      bool
	follow    bool
	raw       uint64
}

func showVerb() verb {
	return verb{
		name: "show", args: "FILE [flags]",
		does: "print a recording, or a file of another program",
		more: "FILE is a recording, or anything that convert reads; - is standard input. A row has the number of the event,\n" +
			"its time, its way, what it is, id, status, duration and size. With --json --follow each event is a document\n" +
			"on a line of its own.",
		example: "mcploupe show session.mcp.jsonl --filter 'method:tools/* dur>200ms' --full",
		flags: func(o *options, f *pflag.FlagSet) {
			f.BoolVar(&o.json, "json", false, "print one JSON document on standard output")
			f.StringVar(&o.show.filter, "filter", "", "only events that match this `FILTER`, as in the window: method:tools/*, is:bad, dur>200ms, words")
			f.BoolVar(&o.show.stats, "stats", false, "print counts, errors, durations and bytes by method and tool instead")
			f.BoolVar(&o.show.exchanges, "exchanges", false, "a row for each request with all that belongs to it")
			f.BoolVar(&o.show.full, "full", false, "what was recorded below each row")
			f.Uint64Var(&o.show.raw, "raw", 0, "print the bytes of event `N` exactly, and nothing else")
			f.BoolVar(&o.show.follow, "follow", false, "go on with what another process adds, until Ctrl+C")
			f.StringVar(&o.show.from, "from", "", "`FORMAT` of FILE; found out when not given")
		},
		run: runShow,
	}
}

func runShow(ctx context.Context, inv *invocation) (code int, err error) {
	o := inv.opts.show
	if len(inv.args) != 1 || inv.dash != nil {
		return ExitFailed, usageError("name one file")
	}
	if n := countTrue(o.stats, o.exchanges, o.raw != 0); n > 1 || n == 1 && o.follow {
		return ExitFailed, usageError("--stats, --exchanges, --raw and --follow go alone")
	}
	var f *recorder.Filter
	if o.filter != "" {
		if f, err = recorder.ParseFilter(o.filter); err != nil {
			return ExitFailed, filterFault(o.filter, err)
		}
	}
	log, done, err := inv.openFile(ctx, inv.args[0], o.from)
	if err != nil {
		return ExitFailed, err
	}
	defer func() { err = errors.Join(err, done()) }()
	switch {
	case o.raw != 0:
		return printRaw(inv, log)
	case o.stats:
		return showStats(ctx, inv, log, f)
	case o.exchanges:
		return showExchanges(ctx, inv, log, f)
	}
	return showEvents(ctx, inv, log, f)
}

func countTrue(all ...bool) (n int) {
	for _, b := range all {
		if b {
			n++
		}
	}
	return n
}

// filterFault points at the place of a fault.
func filterFault(text string, err error) error {
	var fault *recorder.FilterError
	if !errors.As(err, &fault) {
		return err
	}
	return usageError(fmt.Sprintf("--filter: %s\n  %s\n  %s^", fault.Text, text, strings.Repeat(" ", utf8.RuneCountInString(text[:min(fault.Offset, len(text))]))))
}

func printRaw(inv *invocation, log *recorder.Log) (int, error) {
	body, err := log.Body(inv.opts.show.raw)
	if err == nil {
		_, err = io.Copy(inv.Out, body)
	}
	if err != nil {
		return ExitFailed, fmt.Errorf("print event %d: %w", inv.opts.show.raw, err)
	}
	return ExitOK, nil
}

// eachMatch calls fn with the events that match, a nil filter matching all, and
// with those that come meanwhile when they are followed.
func eachMatch(ctx context.Context, inv *invocation, log *recorder.Log, f *recorder.Filter, fn func(seq uint64) error) error {
	wake, stop := log.Watch()
	defer stop()
	next := uint64(1)
	for {
		last := log.Len()
		err := eachMatchOf(ctx, log, f, next, last, fn)
		if inv.opts.show.follow && errors.Is(err, context.Canceled) {
			return nil // the end of following, in the middle of what came
		}
		if err != nil {
			return err
		}
		next = last + 1
		if !inv.opts.show.follow || !log.Following() {
			return nil
		}
		select {
		case <-ctx.Done():
			return nil // the end of following
		case <-wake:
		}
		if err := log.Err(); err != nil {
			return err
		}
	}
}

func eachMatchOf(ctx context.Context, log *recorder.Log, f *recorder.Filter, from, to uint64, fn func(seq uint64) error) error {
	if from > to {
		return nil
	}
	if f == nil {
		for seq := from; seq <= to; seq++ {
			if err := fn(seq); err != nil {
				return err
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
		return nil
	}
	var failed error
	err := log.Find(ctx, f, from, to, func(seqs []uint64) bool {
		for _, seq := range seqs {
			if failed = fn(seq); failed != nil {
				return false
			}
		}
		return true
	})
	return errors.Join(failed, err)
}

func showEvents(ctx context.Context, inv *invocation, log *recorder.Log, f *recorder.Filter) (int, error) {
	out := newRowPrinter(inv, log)
	if inv.opts.show.follow && !log.Following() {
		fmt.Fprintf(inv.Err, "mcploupe: no other process writes %s: nothing more will come\n", safe.Line(inv.args[0], 400))
	}
	if err := out.begin(); err != nil {
		return ExitFailed, err
	}
	if err := eachMatch(ctx, inv, log, f, out.event); err != nil {
		return ExitFailed, err
	}
	if err := out.end(); err != nil {
		return ExitFailed, err
	}
	return ExitOK, nil
}

func showExchanges(ctx context.Context, inv *invocation, log *recorder.Log, f *recorder.Filter) (int, error) {
	ex := log.Exchanges()
	ex.Take(ctx)
	wanted := make([]bool, ex.Len())
	err := eachMatchOf(ctx, log, f, 1, log.Len(), func(seq uint64) error {
		if i, ok := ex.Of(seq); ok {
			wanted[i] = true
		}
		return nil
	})
	if err != nil {
		return ExitFailed, err
	}
	out := newRowPrinter(inv, log)
	if err := out.begin(); err != nil {
		return ExitFailed, err
	}
	for i, yes := range wanted {
		if !yes {
			continue
		}
		if err := out.exchange(ex, i); err != nil {
			return ExitFailed, err
		}
	}
	if err := out.end(); err != nil {
		return ExitFailed, err
	}
	return ExitOK, nil
}

// rowLine is a row as text of aligned columns.
func rowLine(r view.Row, time string) string {
	what := r.What
	if r.Name != "" {
		what += " " + r.Name
	}
	status := strings.TrimSpace(r.Sign + " " + r.Status)
	if r.Waited != "" {
		r.Took += " +" + r.Waited + " asking"
	}
	return strings.TrimRight(pad(r.Number, -7)+" "+pad(time, -10)+" "+pad(r.Arrow, 1)+" "+pad(safe.Line(what, whatWidth), whatWidth)+" "+
		pad(safe.Line(r.ID, 12), 6)+" "+pad(status, 12)+" "+pad(r.Took, -8)+" "+pad(r.Size, -8), " ")
}

const whatWidth = 60

// pad fills up to a width, from the left for a negative one.
func pad(s string, width int) string {
	n := utf8.RuneCountInString(s)
	switch {
	case width < 0 && n < -width:
		return strings.Repeat(" ", -width-n) + s
	case width > 0 && n < width:
		return s + strings.Repeat(" ", width-n)
	}
	return s
}

// bodyLines is what was recorded, indented below its row.
func bodyLines(e *recorder.Event) string {
	var b bytes.Buffer
	switch fields := e.Fields.(type) {
	case *recorder.HTTPHead:
		for _, h := range fields.Headers {
			fmt.Fprintf(&b, "%s: %s\n", h.Name, h.Value)
		}
		for _, s := range []string{fields.Error, fields.Body} {
			if s != "" {
				fmt.Fprintf(&b, "%s\n", s)
			}
		}
	case *recorder.SSEFields:
		for _, line := range [][2]string{{"event", fields.Event}, {"id", fields.ID}, {"retry", fields.RetryMS}, {"", fields.Comment}} {
			if line[1] != "" {
				fmt.Fprintf(&b, "%s: %s\n", line[0], line[1])
			}
		}
	case *recorder.StateChange:
		b.WriteString(fields.Detail)
	}
	data := e.Data
	if e.Kind == recorder.KindMessage && protocol.Valid(data) {
		data = protocol.Indent(data)
	}
	b.Write(data)
	if b.Len() == 0 {
		return ""
	}
	text := safe.Text(strings.TrimRight(b.String(), "\n"), b.Len()*8+1<<10)
	return "        " + strings.ReplaceAll(text, "\n", "\n        ") + "\n"
}
