// Package loopback keeps what listens on this machine to this machine.
package loopback

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// ErrElsewhere refuses an address that other machines reach.
var ErrElsewhere = errors.New("only this machine is served: listen on 127.0.0.1, [::1] or localhost")

// Address checks the address to listen on, "host:port"; without a host it is
// 127.0.0.1.
func Address(addr string) (string, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return "", fmt.Errorf("reading the address: %w", err)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return "", ErrElsewhere
	}
	return net.JoinHostPort(host, port), nil
}

// Guard lets through only requests that are meant for this machine, so that no
// web page can reach the server under another name (DNS rebinding) or from
// another origin.
func Guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if h, _, err := net.SplitHostPort(host); err == nil {
			host = h
		}
		if !local(strings.Trim(host, "[]")) {
			http.Error(w, "This server does not go by the name in the Host header.", http.StatusForbidden)
			return
		}
		if origin := r.Header.Get("Origin"); origin != "" {
			u, err := url.Parse(origin)
			if err != nil || !local(u.Hostname()) {
				http.Error(w, "Pages of that origin may not use this server.", http.StatusForbidden)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

func local(name string) bool {
	if slices.Contains([]string{"localhost", "127.0.0.1", "::1"}, strings.ToLower(name)) {
		return true
	}
	ip := net.ParseIP(name)
	return ip != nil && ip.IsLoopback()
}
