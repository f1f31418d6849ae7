package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/pflag"

	"mcploupe/protocol"
	"mcploupe/session/doctor"
	"mcploupe/ui/view"
	"mcploupe/ui/view/human"
	"mcploupe/ui/view/safe"
)

// doctorOptions are the flags of doctor.
type doctorOptions struct{ markdown bool }

func doctorVerb() verb {
	return verb{
		name: "doctor", args: "TARGET [flags] | [flags] -- COMMAND [ARGS...]",
		does: "check the way to a server step by step, and say what to do where it fails",
		more: "For a URL: proxy, name, connection, TLS and certificate, HTTP answer, redirect, authorization, content type, revision,\n" +
			"first listing. For a command: working folder, program, interpreter, start, environment, exit, standard output, answer,\n" +
			"revision, first listing. Exit code 1 means that a step failed.",
		example: "mcploupe doctor https://example.com/mcp",
		flags: func(o *options, f *pflag.FlagSet) {
			f.BoolVar(&o.json, "json", false, "print one JSON document on standard output")
			f.BoolVar(&o.doctor.markdown, "markdown", false, "print the report as Markdown, to hand on")
			f.StringVar(&o.record, "record", "", "keep the recording in `FILE` (must not exist)")
			connectionFlags(o, f)
		},
		run: runDoctor,
	}
}

func runDoctor(ctx context.Context, inv *invocation) (int, error) {
	t, rest, err := inv.target()
	if err != nil {
		return ExitFailed, err
	}
	if len(rest) > 0 {
		return ExitFailed, usageError(fmt.Sprintf("%q was not expected", rest[0]))
	}
	app := "mcploupe " + inv.Version
	teller := &doctorTeller{w: inv.Out}
	if inv.opts.json || inv.opts.doctor.markdown {
		teller.w = inv.Err
	}
	fmt.Fprintf(teller.w, "%s\n", safe.Line(t.String(), 400))
	r, err := doctor.Examine(ctx, t, doctor.Options{
		Client: protocol.Implementation{Name: "mcploupe", Title: "MCP Loupe", Version: inv.Version},
		App:    app, Record: inv.opts.record, InitTimeout: inv.opts.timeout, ListTimeout: inv.opts.timeout, Changed: teller.tell,
	})
	if err != nil {
		return ExitFailed, err
	}
	fmt.Fprintf(teller.w, "%s (%s)\n", safe.Line(r.Summary(), 400), human.Duration(r.Took))
	switch {
	case inv.opts.json:
		err = printValue(inv.Out, doctorValue(r))
	case inv.opts.doctor.markdown:
		_, err = io.WriteString(inv.Out, view.DoctorMarkdown(view.TitleOf(t), app, r))
	}
	switch {
	case err != nil:
		return ExitFailed, err
	case r.Stopped:
		return ExitFailed, context.Cause(ctx)
	case r.Fault() != nil:
		return ExitFound, nil
	}
	return ExitOK, nil
}

// doctorTeller prints each step when it has its outcome, in their order.
type doctorTeller struct {
	w    io.Writer
	told int
}

func (d *doctorTeller) tell(r doctor.Report) {
	for d.told < len(r.Steps) {
		s := r.Steps[d.told]
		if s.Status <= doctor.Running || !r.Over && !settled(s.Key) {
			return
		}
		d.told++
		d.print(s)
	}
}

// settled reports whether a step keeps its outcome while the check goes on.
func settled(key string) bool { return key != "start" && key != "script" && key != "stdout" }

var doctorGlyphs = map[doctor.Status]string{
	doctor.Passed: "✓", doctor.Warned: "!", doctor.Failed: "✗", doctor.Skipped: "–", doctor.NotReached: "○",
}

func (d *doctorTeller) print(s doctor.Step) {
	fmt.Fprintf(d.w, "  %s %s", doctorGlyphs[s.Status], s.Title)
	if s.Took > 0 {
		fmt.Fprintf(d.w, " (%s)", human.Duration(s.Took))
	}
	text := s.Detail
	if s.Status == doctor.NotReached {
		text = strings.TrimSpace("not reached. " + text)
	}
	fmt.Fprintf(d.w, ": %s\n", safe.Line(text, 1000))
	for _, l := range s.Lines {
		fmt.Fprintf(d.w, "      | %s\n", safe.Line(view.PlainTerminal(l), 400))
	}
	if s.Cause != "" {
		fmt.Fprintf(d.w, "      likely cause: %s\n", safe.Line(s.Cause, 1000))
	}
	if s.Fix != "" {
		fmt.Fprintf(d.w, "      what to try: %s\n", safe.Line(s.Fix, 1000))
	}
}

func doctorValue(r doctor.Report) jsontext.Value {
	var steps []jsontext.Value
	for _, s := range r.Steps {
		var d document
		d.text("step", s.Key)
		d.text("title", s.Title)
		d.text("status", doctorWords[s.Status])
		d.text("detail", s.Detail)
		d.text("cause", s.Cause)
		d.text("fix", s.Fix)
		var lines []jsontext.Value
		for _, l := range s.Lines {
			lines = append(lines, protocol.QuoteString(l))
		}
		if len(lines) > 0 {
			d.put("lines", array(lines))
		}
		if s.Took > 0 {
			d.number("tookMs", s.Took.Milliseconds())
		}
		steps = append(steps, d.value())
	}
	var d document
	d.text("target", r.Target)
	d.text("folder", r.Dir)
	d.text("started", r.Started.UTC().Format("2006-01-02T15:04:05Z"))
	d.number("tookMs", r.Took.Milliseconds())
	d.text("outcome", doctorOutcome(r))
	d.text("summary", r.Summary())
	d.put("steps", array(steps))
	return d.value()
}

// doctorWords are the states of a step for programs.
var doctorWords = map[doctor.Status]string{
	doctor.Waiting: "waiting", doctor.Running: "running", doctor.Passed: "passed", doctor.Warned: "warning",
	doctor.Failed: "failed", doctor.Skipped: "skipped", doctor.NotReached: "notReached",
}

func doctorOutcome(r doctor.Report) string {
	switch {
	case r.Stopped:
		return "stopped"
	case r.Fault() != nil:
		return "failed"
	case r.Warning() != nil:
		return "warning"
	}
	return "passed"
}
