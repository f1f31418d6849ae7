package demo

import (
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// guard lets through only requests that are meant for this server, so that no web page elsewhere can reach it with a name
// that it has pointed at this machine (DNS rebinding), or send a form to it. host is the one that was listened on.
func guard(host string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !ownName(hostOf(r.Host), host, r) {
			http.Error(w, "This server does not go by the name in the Host header.", http.StatusForbidden)
			return
		}
		if origin := r.Header.Get("Origin"); origin != "" {
			u, err := url.Parse(origin)
			if err != nil || !ownName(u.Hostname(), host, r) {
				http.Error(w, "Pages of that origin may not use this server.", http.StatusForbidden)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// ownName reports whether name is one of this server's: a loopback name, the host it was told to listen on, or the very
// address at which the request came in.
func ownName(name, host string, r *http.Request) bool {
	name = strings.ToLower(name)
	if slices.Contains([]string{"localhost", "127.0.0.1", "::1"}, name) || name != "" && name == strings.ToLower(host) {
		return true
	}
	local, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	ip := net.ParseIP(name)
	return ok && ip != nil && ip.Equal(local.IP)
}

// hostOf is the host of a Host header, without port and brackets.
func hostOf(header string) string {
	if h, _, err := net.SplitHostPort(header); err == nil {
		return h
	}
	return strings.Trim(header, "[]")
}
