package link

import (
	"fmt"
	"net/url"

	"golang.org/x/net/http/httpproxy"
)

// FindProgram is the file that StartStdio would run for t. The error is for a
// person and wraps fs.ErrNotExist or fs.ErrPermission where that is the matter.
func FindProgram(t StdioTarget) (string, error) { return findProgram(t.Command, t.Dir, ChildEnv(t)) }

// EnvValue is the value of a variable in env, a list of KEY=VALUE, with names
// compared as the system does.
func EnvValue(env []string, name string) string { return envValue(env, name) }

// ProxyFor is the proxy that requests to u go through by the environment of this
// program, nil for none.
func ProxyFor(u *url.URL) (*url.URL, error) {
	p, err := httpproxy.FromEnvironment().ProxyFunc()(u)
	if err != nil {
		return nil, fmt.Errorf("finding the proxy: %w", err)
	}
	return p, nil
}
