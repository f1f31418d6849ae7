package session

import (
	"context"

	"mcploupe/recorder"
	"mcploupe/session/link"
)

// RelayStdio runs the process of t between a client and log; see
// link.RelayStdio. The process gets the whole environment of this one: the
// client has made it for the server.
func RelayStdio(ctx context.Context, t Target, c link.Client, log recorder.Appender) (link.Exit, error) {
	to := t.stdio()
	to.InheritEnv = true
	return link.RelayStdio(ctx, to, c, log)
}

// RelayHTTP listens on addr for clients of the server at t and records in log
// what goes by; see link.ListenRelay.
func RelayHTTP(addr string, t Target, log recorder.Appender) (*link.HTTPRelay, error) {
	return link.ListenRelay(addr, t.http(t.masker()), log)
}

// masker knows the secrets of t.
func (t Target) masker() *recorder.Masker {
	m := recorder.NewMasker()
	for _, e := range t.Env {
		if e.Secret {
			m.Add(e.Value)
		}
	}
	for _, value := range t.Secrets {
		m.Add(value)
	}
	return m
}

func (t Target) stdio() link.StdioTarget {
	to := link.StdioTarget{Command: t.Command, Args: t.Args, Dir: t.Dir}
	for _, e := range t.Env {
		to.Env = append(to.Env, e.Name+"="+e.Value)
	}
	return to
}

func (t Target) http(m *recorder.Masker) link.HTTPTarget {
	return link.HTTPTarget{URL: t.URL, Headers: t.Headers, Bearer: t.Bearer, CAFile: t.CAFile, Masker: m}
}
