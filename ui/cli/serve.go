package cli

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/pflag"

	"mcploupe/protocol"
	"mcploupe/recorder/replay"
	"mcploupe/ui/view/human"
	"mcploupe/ui/view/safe"
)

// serveOptions are the flags of serve.
type serveOptions struct {
	latency string
	match   string
	modern  bool
}

func serveVerb() verb {
	return verb{
		name: "serve", args: "FILE [flags]",
		does: "answer a client from a recording, on stdio or HTTP",
		more: "FILE is a recording, or anything that convert reads. A request gets the answer to the recorded one of the same\n" +
			"method, name and arguments; repeated ones get the recorded answers in turn. What the recording cannot answer is\n" +
			"refused with an error that names the nearest recorded request, and listed at the end.\n" +
			"Without --http the recording is served on standard input and output, as a client starts a server.",
		example: "mcploupe serve session.mcp.jsonl --http 127.0.0.1:7310",
		flags: func(o *options, f *pflag.FlagSet) {
			f.BoolVar(&o.json, "json", false, "print what was served and refused as one JSON document at the end; on stdio it goes to standard error")
			f.StringVar(&o.listen, "http", "", "listen on the loopback `ADDR`, e.g. 127.0.0.1:7310 or 127.0.0.1:0")
			f.StringVar(&o.serve.latency, "latency", "none", "recorded: answer after the time that the server took; none: at once")
			f.StringVar(&o.serve.match, "match", "exact", "exact, or nearest: other arguments get the answer to the most similar ones")
			f.BoolVar(&o.serve.modern, "modern", false, "offer "+protocol.NewestModern().Name+" also where the recorded server did not")
			f.StringVar(&o.show.from, "from", "", "`FORMAT` of FILE; found out when not given")
		},
		run: runServe,
	}
}

func runServe(ctx context.Context, inv *invocation) (code int, err error) {
	if len(inv.args) != 1 || inv.dash != nil {
		return ExitFailed, usageError("name one file")
	}
	o := replay.ServerOptions{Modern: inv.opts.serve.modern, OnRemark: func(r replay.Remark) {
		if r.Kind == replay.Refused {
			fmt.Fprintf(inv.Err, "refused: %s\n", safe.Line(r.Text, 600))
		}
	}}
	switch inv.opts.serve.latency {
	case "none":
	case "recorded":
		o.Latency = replay.Recorded
	default:
		return ExitFailed, usageError(fmt.Sprintf("--latency %q: it is recorded or none", inv.opts.serve.latency))
	}
	switch inv.opts.serve.match {
	case "exact":
	case "nearest":
		o.Match = replay.Nearest
	default:
		return ExitFailed, usageError(fmt.Sprintf("--match %q: it is exact or nearest", inv.opts.serve.match))
	}
	log, done, err := inv.openFile(ctx, inv.args[0], inv.opts.show.from)
	if err != nil {
		return ExitFailed, err
	}
	defer func() { err = errors.Join(err, done()) }()
	server, err := replay.NewServer(ctx, log, o)
	if err != nil {
		return ExitFailed, err
	}
	report := inv.Err
	if inv.opts.listen != "" {
		report = inv.Out
		err = inv.serveHTTP(ctx, server)
	} else {
		err = inv.serveStdio(ctx, server)
	}
	server.Close()
	if err != nil {
		return ExitFailed, err
	}
	if inv.opts.json {
		return ExitOK, printValue(report, serveValue(server.Report()))
	}
	inv.printServed(server.Report())
	return ExitOK, nil
}

func (inv *invocation) serveHTTP(ctx context.Context, server *replay.Server) error {
	h, err := server.ListenHTTP(inv.opts.listen)
	if err != nil {
		return err
	}
	fmt.Fprintf(inv.Err, "%s of the recording are served on %s (loopback only); stop it with Ctrl+C\n",
		human.Plural(server.Requests(), "request", "requests"), h.URL())
	<-ctx.Done()
	return h.Close()
}

func (inv *invocation) serveStdio(ctx context.Context, server *replay.Server) error {
	err := server.ServeStdio(ctx, inv.stdin(), nopCloser{inv.Out})
	if err != nil && ctx.Err() == nil && !errors.Is(err, os.ErrClosed) {
		return err
	}
	return nil
}

func (inv *invocation) printServed(r replay.Report) {
	fmt.Fprintf(inv.Err, "%s of %s answered from the recording, %s\n", human.Count(int64(r.Answered)),
		human.Plural(r.Requests, "request", "requests"), human.Plural(r.Clients, "client", "clients"))
	for _, m := range r.Remarks {
		fmt.Fprintf(inv.Err, "  %s: %s", m.Kind, safe.Line(m.Text, 600))
		if m.Count > 1 {
			fmt.Fprintf(inv.Err, " (%s times)", human.Count(int64(m.Count)))
		}
		fmt.Fprintln(inv.Err)
		for _, d := range m.Differs {
			fmt.Fprintf(inv.Err, "      %s\n", safe.Line(d.String(), 300))
		}
	}
	if r.Left > 0 {
		fmt.Fprintf(inv.Err, "  and %s more\n", human.Count(int64(r.Left)))
	}
}

func serveValue(r replay.Report) jsontext.Value {
	var d document
	d.number("requests", int64(r.Requests))
	d.number("answered", int64(r.Answered))
	d.number("clients", int64(r.Clients))
	var all []jsontext.Value
	for _, m := range r.Remarks {
		var e document
		e.text("kind", string(m.Kind))
		e.text("method", m.Method)
		e.text("name", m.Name)
		e.text("text", m.Text)
		e.number("count", int64(m.Count))
		if m.Nearest != 0 {
			e.number("nearest", int64(m.Nearest))
		}
		if m.Params != nil && checkJSON(m.Params) == nil {
			e.put("params", m.Params)
		}
		if len(m.Differs) > 0 {
			var differs []jsontext.Value
			for _, x := range m.Differs {
				var f document
				f.text("pointer", x.Pointer)
				f.put("recorded", x.Before)
				f.put("sent", x.After)
				differs = append(differs, f.value())
			}
			e.put("differs", array(differs))
		}
		all = append(all, e.value())
	}
	d.put("remarks", array(all))
	if r.Left > 0 {
		d.number("left", int64(r.Left))
	}
	return d.value()
}
