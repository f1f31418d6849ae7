package link

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/net/http/httpproxy"
)

// TransportKind says at which step an HTTP exchange failed.
type TransportKind string

// The kinds of transport failure.
const (
	FailDNS     TransportKind = "dns"     // the name has no address
	FailRefused TransportKind = "refused" // nobody listens there
	FailDial    TransportKind = "connect" // no connection for another reason
	FailTLS     TransportKind = "tls"     // certificate or handshake
	FailReset   TransportKind = "reset"   // the connection was aborted
	FailClosed  TransportKind = "closed"  // the connection ended within the exchange
	FailTimeout TransportKind = "timeout" // a time-out below HTTP
	FailHTTP    TransportKind = "http"    // what came is not HTTP
	FailRequest TransportKind = "request" // the request cannot be sent as it is
)

// TransportError is a failure below HTTP answers. Use errors.As.
type TransportError struct {
	Kind TransportKind
	Text string // one sentence, without secrets
	Err  error
}

// Error returns Text.
func (e *TransportError) Error() string { return e.Text }

// Unwrap returns the cause.
func (e *TransportError) Unwrap() error { return e.Err }

// classify explains an error of net/http. host names the server in the text.
func classify(err error, host string) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err // its text would repeat the URL, with whatever secrets are in it
	}
	fail := func(kind TransportKind, format string, args ...any) error {
		return &TransportError{Kind: kind, Text: fmt.Sprintf(format, args...), Err: err}
	}
	var (
		dns       *net.DNSError
		authority x509.UnknownAuthorityError
		hostname  x509.HostnameError
		invalid   x509.CertificateInvalidError
		record    tls.RecordHeaderError
		verify    *tls.CertificateVerificationError
		alert     tls.AlertError
		op        *net.OpError
		timeout   net.Error
	)
	switch {
	case errors.As(err, &dns):
		return fail(FailDNS, "the name %s could not be resolved: %v", dns.Name, dns.Err)
	case errors.Is(err, syscall.ECONNREFUSED):
		return fail(FailRefused, "nothing listens at %s (connection refused)", host)
	case errors.As(err, &authority):
		return fail(FailTLS, "the certificate of %s is signed by an authority that is not trusted: %v", host, err)
	case errors.As(err, &hostname):
		return fail(FailTLS, "the certificate is not for %s: %v", host, err)
	case errors.As(err, &invalid), errors.As(err, &verify), errors.As(err, &alert):
		return fail(FailTLS, "TLS with %s failed: %v", host, err)
	case errors.As(err, &record):
		return fail(FailTLS, "%s does not speak TLS at this port: %v", host, err)
	case strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return fail(FailTLS, "%s speaks plain HTTP at this port: use http://", host)
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return fail(FailReset, "%s reset the connection", host)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF), strings.Contains(err.Error(), "server closed idle connection"):
		return fail(FailClosed, "%s closed the connection within the exchange", host)
	case strings.Contains(err.Error(), "malformed"), strings.Contains(err.Error(), "invalid byte in chunk"),
		strings.Contains(err.Error(), "chunk"), strings.Contains(err.Error(), "HTTP/1.x transport connection broken"):
		return fail(FailHTTP, "the answer of %s breaks HTTP: %v", host, err)
	case errors.As(err, &timeout) && timeout.Timeout():
		return fail(FailTimeout, "%s did not answer in time: %v", host, err)
	case errors.As(err, &op) && (op.Op == "dial" || op.Op == "proxyconnect"):
		return fail(FailDial, "no connection to %s: %v", host, err)
	case strings.Contains(err.Error(), "net/http: invalid"):
		return fail(FailRequest, "the request cannot be sent: %v", err)
	}
	return fail(FailHTTP, "the exchange with %s failed: %v", host, err)
}

// newTransport builds the client side of HTTP: nothing on it changes a body,
// follows a redirect or limits the time of an exchange as a whole.
func newTransport(caFile string) (*http.Transport, func(*url.URL) (*url.URL, error), error) {
	proxy := httpproxy.FromEnvironment().ProxyFunc()
	dialer := &net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}
	t := &http.Transport{
		Proxy: func(r *http.Request) (*url.URL, error) { return proxy(r.URL) },
		DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			c, err := dialer.DialContext(ctx, network, addr)
			if err != nil {
				return nil, err
			}
			return &tailConn{Conn: c}, nil
		},
		TLSHandshakeTimeout: 30 * time.Second,
		DisableCompression:  true, // or bodies would not be the wire's
		ForceAttemptHTTP2:   true,
		IdleConnTimeout:     90 * time.Second,
		MaxIdleConnsPerHost: 8,
	}
	if caFile != "" {
		pool, err := caPool(caFile)
		if err != nil {
			return nil, nil, err
		}
		t.TLSClientConfig = &tls.Config{RootCAs: pool}
	}
	return t, proxy, nil
}

func caPool(file string) (*x509.CertPool, error) {
	pem, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("reading the certificate authorities: %w", err)
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("%s holds no certificate in PEM form", file)
	}
	return pool, nil
}

// tailSize is how many bytes of a connection are kept for the case that they
// turn out not to be HTTP.
const tailSize = 4 << 10

// tailConn remembers the first bytes that came after the last write, and the
// last ones.
type tailConn struct {
	net.Conn

	mu   sync.Mutex
	head []byte
	tail []byte
}

func (c *tailConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.mu.Lock()
	defer c.mu.Unlock()
	got := b[:n]
	if room := tailSize - len(c.head); room > 0 {
		k := min(room, len(got))
		c.head, got = append(c.head, got[:k]...), got[k:]
	}
	c.tail = append(c.tail, got[max(0, len(got)-tailSize):]...)
	if over := len(c.tail) - tailSize; over > 0 {
		c.tail = append(c.tail[:0], c.tail[over:]...)
	}
	return n, err
}

func (c *tailConn) Write(b []byte) (int, error) {
	c.mu.Lock()
	c.head, c.tail = c.head[:0], c.tail[:0]
	c.mu.Unlock()
	return c.Conn.Write(b)
}

// received returns the bytes since the last write: all of them, or the first
// and the last.
func (c *tailConn) received() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append(append([]byte(nil), c.head...), c.tail...)
}
