package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/spf13/pflag"

	"mcploupe/recorder"
	"mcploupe/session"
	"mcploupe/session/link"
	"mcploupe/ui/settings"
	"mcploupe/ui/view"
	"mcploupe/ui/view/human"
)

func recordVerb() verb {
	return verb{
		name: "record", args: "TARGET [flags]",
		does: "stand between a client and a server, and record what goes by",
		more: "A command is started on standard input and output, as the client would start it: put mcploupe record -- before the\n" +
			"command in the client's configuration. For a URL the verb listens on this machine, and the client is given the address\n" +
			"that it prints. Nothing is changed on the way but what leads to the server; requests and answers go on as they come.\n" +
			"The recording is kept in the folder for recordings, where the window lists it and shows it while it grows.",
		example: "mcploupe record -- npx -y @modelcontextprotocol/server-everything stdio\n" +
			"  mcploupe record https://example.com/mcp --http 127.0.0.1:7320",
		flags: func(o *options, f *pflag.FlagSet) {
			f.StringVar(&o.record, "record", "", "keep the recording in `FILE` (must not exist), or under a name of its own in that folder")
			f.StringVar(&o.listen, "http", "127.0.0.1:0", "of a URL: the loopback `ADDR` to listen on")
			f.BoolVar(&o.json, "json", false, "print one JSON document at the end; for a command it goes to standard error")
			reachFlags(o, f)
		},
		run: runRecord,
	}
}

func runRecord(ctx context.Context, inv *invocation) (code int, err error) {
	t, rest, err := inv.target()
	if err != nil {
		return ExitFailed, err
	}
	if len(rest) > 0 {
		return ExitFailed, usageError(fmt.Sprintf("%q is too much: name one target", rest[0]))
	}
	log, err := inv.newRecording(t)
	if err != nil {
		return ExitFailed, err
	}
	fmt.Fprintf(inv.Err, "recording to %s\n", log.Path())
	if err := inv.recent((*settings.Store).Remember, log.Path()); err != nil {
		fmt.Fprintf(inv.Err, "the window does not list it: %v\n", err)
	}
	if t.Command != "" {
		code, err = inv.relayStdio(ctx, t, log)
	} else {
		code, err = inv.relayHTTP(ctx, t, log)
	}
	events := log.Len()
	if logErr := log.Close(); logErr != nil {
		code, err = ExitFailed, errors.Join(err, fmt.Errorf("the recording is not complete: %w", logErr))
	}
	if err != nil && events == 0 { // nothing was started
		return code, errors.Join(err, os.Remove(log.Path()), inv.recent((*settings.Store).ForgetRecording, log.Path()))
	}
	if inv.opts.json {
		var d document
		d.text("recording", log.Path())
		d.number("events", int64(events))
		out := inv.Out
		if t.Command != "" {
			out = inv.Err // standard output is the server's
		}
		return code, errors.Join(err, printValue(out, d.value()))
	}
	fmt.Fprintf(inv.Err, "recorded %s in %s\n", human.Plural(int(events), "event", "events"), log.Path())
	return code, err
}

// newRecording makes the file that --record names, or one in the folder for
// recordings.
func (inv *invocation) newRecording(t session.Target) (*recorder.Log, error) {
	app, path := "mcploupe "+inv.Version, inv.opts.record
	info, err := os.Stat(path)
	switch {
	case path == "":
		store, err := inv.Settings()
		if err != nil {
			return nil, fmt.Errorf("find the folder for recordings: %w", err)
		}
		if path, err = store.RecordingDir(); err != nil {
			return nil, err
		}
	case err == nil && !info.IsDir():
		return nil, fmt.Errorf("--record %s: the file is there already; recordings are not overwritten", path)
	case errors.Is(err, fs.ErrNotExist):
		log, err := recorder.Create(path, t.RecordingHeader(app))
		if err != nil {
			return nil, fmt.Errorf("start the recording: %w", err)
		}
		return log, nil
	}
	log, err := view.NewRecording(filepath.Clean(path), t, app, time.Now())
	if err != nil {
		return nil, fmt.Errorf("start the recording: %w", err)
	}
	return log, nil
}

// recent changes what the window lists.
func (inv *invocation) recent(change func(*settings.Store, string) error, path string) error {
	store, err := inv.Settings()
	if err != nil {
		return err
	}
	if path, err = filepath.Abs(path); err != nil {
		return err
	}
	return change(store, path)
}

// relayStdio is the server to the client that started this program.
func (inv *invocation) relayStdio(ctx context.Context, t session.Target, log *recorder.Log) (int, error) {
	signal.Ignore(syscall.SIGPIPE) // a client that leaves is an error of the write, and the recording ends in order
	exit, err := session.RelayStdio(ctx, t, link.Client{In: inv.stdin(), Out: inv.Out, Err: inv.Err}, log)
	switch {
	case err != nil:
		return ExitFailed, err
	case ctx.Err() == nil && (exit.Code != 0 || exit.Signal != ""):
		fmt.Fprintln(inv.Err, exit.String())
		return ExitFound, nil
	}
	return ExitOK, nil
}

// relayHTTP listens until the person ends it.
func (inv *invocation) relayHTTP(ctx context.Context, t session.Target, log *recorder.Log) (int, error) {
	relay, err := session.RelayHTTP(inv.opts.listen, t, log)
	if err != nil {
		return ExitFailed, err
	}
	fmt.Fprintf(inv.Err, "point the client at %s (loopback only); stop with Ctrl+C\n", relay.URL())
	select {
	case <-ctx.Done():
	case err = <-relay.Failed():
	}
	return ExitOK, errors.Join(err, relay.Close())
}
