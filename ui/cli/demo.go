package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/pflag"

	"mcploupe/session/demo"
)

func demoVerb() verb {
	return verb{
		name: "demo", args: "[--http ADDR]",
		does:    "serve the demo server, on stdio or HTTP",
		more:    "Without --http the server speaks on standard input and output, as a client starts it.",
		example: "mcploupe demo --http 127.0.0.1:7300",
		flags: func(o *options, f *pflag.FlagSet) {
			f.StringVar(&o.listen, "http", "", "listen on the loopback `ADDR`, e.g. 127.0.0.1:7300 or 127.0.0.1:0")
		},
		run: runDemo,
	}
}

func runDemo(ctx context.Context, inv *invocation) (int, error) {
	if len(inv.args) > 0 || len(inv.dash) > 0 {
		return ExitFailed, usageError("demo takes no arguments")
	}
	if inv.opts.listen == "" {
		if err := demo.ServeStdio(ctx, inv.stdin(), nopCloser{inv.Out}); err != nil && ctx.Err() == nil && !errors.Is(err, os.ErrClosed) {
			return ExitFailed, err
		}
		return ExitOK, nil
	}
	server, err := demo.ListenHTTP(inv.opts.listen)
	if err != nil {
		return ExitFailed, err
	}
	fmt.Fprintf(inv.Err, "the demo server listens on %s (loopback only); stop it with Ctrl+C\n", server.URL())
	<-ctx.Done()
	return ExitOK, server.Close()
}

// nopCloser keeps standard output open for whoever owns it.
type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// stdin is standard input for verbs that serve on it. Closing it frees whoever
// reads, although nothing can interrupt the read of a terminal or of most pipes:
// that one lasts until the program ends.
func (inv *invocation) stdin() io.ReadCloser {
	r, w := io.Pipe()
	go func() {
		_, err := io.Copy(w, inv.In)
		_ = w.CloseWithError(err) // never fails
	}()
	return r
}
