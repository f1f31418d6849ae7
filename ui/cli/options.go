package cli

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"mcploupe/protocol"
	"mcploupe/session"
	"mcploupe/session/secret"
	"mcploupe/ui/settings"
)

// options are the flags of all verbs that talk to a server.
type options struct {
	json      bool
	cost      bool // what definitions cost is printed too
	record    string
	revision  string
	headers   []string
	bearer    string
	env       []string
	dir       string
	transport string
	ca        string
	timeout   time.Duration
	answers   []string

	listen   string        // demo
	argsJSON string        // call
	task     string        // call: ttl of the task, taskDefault for the server's
	meta     []string      // call, read, prompt, complete
	context  []string      // complete
	wait     time.Duration // raw
	bare     bool          // raw

	show     showOptions
	convert  convertOptions
	diff     diffOptions
	snapshot snapshotOptions
	replay   replayOptions
	serve    serveOptions
	doctor   doctorOptions
}

// targetFlags are shared by all verbs that connect.
func targetFlags(o *options, f *pflag.FlagSet) {
	f.BoolVar(&o.json, "json", false, "print one JSON document on standard output")
	f.StringVar(&o.record, "record", "", "keep the recording in `FILE` (must not exist)")
	connectionFlags(o, f)
	f.StringArrayVar(&o.answers, "answer", nil, "answer for what the server asks: accept, decline, cancel, `JSON or FILE`; may be repeated, the last one goes on")
}

// connectionFlags say how a server is reached.
func connectionFlags(o *options, f *pflag.FlagSet) {
	f.StringVar(&o.revision, "revision", "auto", "protocol revision: auto, or one of "+strings.Join(revisionNames(), ", "))
	reachFlags(o, f)
	f.StringVar(&o.transport, "transport", "", "stdio, http or sse; found out when not given")
	f.DurationVar(&o.timeout, "timeout", 0, "how long a request may go without an answer or progress (default 60s)")
}

// reachFlags are what a server needs to be started or let anybody in.
func reachFlags(o *options, f *pflag.FlagSet) {
	f.StringArrayVar(&o.headers, "header", nil, "HTTP header `'Name: value'`; may be repeated")
	f.StringVar(&o.bearer, "bearer", "", "bearer `TOKEN` for HTTP")
	f.StringArrayVar(&o.env, "env", nil, "environment variable `NAME=VALUE` for the process; may be repeated")
	f.StringVar(&o.dir, "cwd", "", "working `FOLDER` of the process")
	f.StringVar(&o.ca, "ca", "", "PEM `FILE` with certificates to trust for https")
}

func requestFlags(o *options, f *pflag.FlagSet) {
	targetFlags(o, f)
	f.StringArrayVar(&o.meta, "meta", nil, "member `KEY=JSON` of the request's _meta; may be repeated")
}

func revisionNames() []string {
	var names []string
	for _, r := range protocol.Revisions() {
		names = append(names, r.Name)
	}
	return names
}

// target finds the server that the command line names and returns what is left
// of the arguments.
func (inv *invocation) target() (session.Target, []string, error) {
	var t session.Target
	rest := inv.args
	switch {
	case inv.dash != nil:
		if len(inv.dash) == 0 {
			return t, nil, usageError("nothing stands after --: name the server's command there")
		}
		t.Command, t.Args = inv.dash[0], inv.dash[1:]
	case len(inv.args) == 0:
		return t, nil, usageError("no target: name a saved server or a URL, or put a command after --")
	default:
		found, err := inv.named(inv.args[0])
		if err != nil {
			return t, nil, err
		}
		t, rest = found, inv.args[1:]
	}
	return t, rest, inv.opts.apply(&t)
}

// named looks up a URL or a saved server.
func (inv *invocation) named(name string) (session.Target, error) {
	if u, err := url.Parse(name); err == nil && (u.Scheme == "http" || u.Scheme == "https") {
		return session.Target{URL: name}, nil
	}
	store, err := inv.Settings()
	if err != nil {
		return session.Target{}, fmt.Errorf("look up the saved server %q: %w", name, err)
	}
	server, ok := store.Server(name)
	if !ok {
		return session.Target{}, usageError(fmt.Sprintf("%q is neither a URL (http:// or https://) nor a saved server; a command goes after --", name))
	}
	// The keyring may wait to be unlocked, by somebody who is not there.
	ctx, stop := context.WithTimeout(context.Background(), keyringTime)
	defer stop()
	vault := inv.Secrets
	if vault == nil {
		vault = secret.New(secret.System(), nil)
	}
	t, err := settings.Resolver{Vault: vault}.Resolve(ctx, server)
	if err != nil {
		return session.Target{}, fmt.Errorf("the saved server %q: %w", name, err)
	}
	return t, nil
}

// keyringTime is how long the secrets of a server may take to be found.
const keyringTime = 20 * time.Second

// apply puts the flags on top of a target.
func (o *options) apply(t *session.Target) error {
	switch session.Transport(o.transport) {
	case session.Auto:
	case session.Stdio, session.HTTP, session.SSE:
		t.Transport = session.Transport(o.transport)
	default:
		return usageError(fmt.Sprintf("--transport %q: it is stdio, http or sse", o.transport))
	}
	if o.revision != "" && o.revision != "auto" {
		if _, ok := protocol.RevisionByName(o.revision); !ok {
			return usageError(fmt.Sprintf("--revision %q: it is auto or one of %s", o.revision, strings.Join(revisionNames(), ", ")))
		}
		t.Revision = o.revision
	}
	for _, h := range o.headers {
		name, value, ok := strings.Cut(h, ":")
		if !ok || strings.TrimSpace(name) == "" {
			return usageError(fmt.Sprintf("--header %q: it is 'Name: value'", h))
		}
		t.Headers = append(t.Headers, protocol.HeaderField{Name: strings.TrimSpace(name), Value: strings.TrimSpace(value)})
	}
	for _, e := range o.env {
		name, value, ok := strings.Cut(e, "=") // the first =: values may hold more
		if !ok || name == "" {
			return usageError(fmt.Sprintf("--env %q: it is NAME=VALUE", e))
		}
		t.Env = append(t.Env, session.EnvVar{Name: name, Value: value})
	}
	if o.bearer != "" {
		t.Bearer = o.bearer
	}
	if o.dir != "" {
		t.Dir = o.dir
	}
	if o.ca != "" {
		t.CAFile = o.ca
	}
	return nil
}
