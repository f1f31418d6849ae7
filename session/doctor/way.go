package doctor

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http/httptrace"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"
)

// way is what the first HTTP exchange shows of the way to the server. exam.mu
// guards it.
type way struct {
	proxied  bool
	host     string    // that is looked up and connected to: the proxy's if there is one
	attempts []attempt // to connect
	reached  bool
	nameErr  error // of the look-up
	tlsErr   error // of the handshake
}

// attempt is one try to connect to one address.
type attempt struct {
	addr string
	done bool
	err  error
}

// trace watches the exchanges of the session. Only the first way counts: later
// exchanges find the connection made.
func (x *exam) trace(u *url.URL) *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		DNSStart: func(i httptrace.DNSStartInfo) { x.begin(stepDNS, "Looking up "+i.Host+" …") },
		DNSDone: func(i httptrace.DNSDoneInfo) {
			if i.Err == nil {
				x.pass(stepDNS, addresses(i.Addrs))
				return
			}
			x.mu.Lock()
			x.way.nameErr = i.Err
			x.mu.Unlock()
		},
		ConnectStart: func(_, addr string) {
			x.noName()
			x.mu.Lock()
			if !x.way.reached && len(x.way.attempts) < maxAttempts {
				x.way.attempts = append(x.way.attempts, attempt{addr: addr})
			}
			x.mu.Unlock()
			x.begin(stepTCP, "Connecting to "+addr+" …")
		},
		ConnectDone: func(_, addr string, err error) { x.connected(addr, err) },
		TLSHandshakeStart: func() {
			x.begin(stepTLS, "Agreeing on encryption …")
		},
		TLSHandshakeDone: func(st tls.ConnectionState, err error) {
			if err == nil {
				x.secured(u.Hostname(), st)
				return
			}
			x.mu.Lock()
			x.way.tlsErr = err
			x.mu.Unlock()
		},
		WroteRequest: func(i httptrace.WroteRequestInfo) {
			if i.Err == nil {
				x.begin(stepAnswer, "The request is sent; waiting for the answer …")
			}
		},
	}
}

// maxAttempts bounds the addresses that are kept.
const maxAttempts = 20

// noName says that there was no name to look up.
func (x *exam) noName() {
	x.mu.Lock()
	host := x.way.host
	x.mu.Unlock()
	if net.ParseIP(host) != nil {
		x.skip(stepDNS, host+" is an address: there is no name to look up.")
	}
}

func (x *exam) connected(addr string, err error) {
	x.mu.Lock()
	w := &x.way
	for i := range w.attempts {
		if a := &w.attempts[i]; a.addr == addr && !a.done {
			a.done, a.err = true, err
			break
		}
	}
	first := err == nil && !w.reached
	if first {
		w.reached = true
	}
	attempts := slices.Clone(w.attempts)
	x.mu.Unlock()
	if !first {
		return
	}
	var refused []string
	for _, a := range attempts {
		if a.done && a.err != nil {
			refused = append(refused, a.addr+": "+plainError(a.err))
		}
	}
	if len(refused) == 0 {
		x.pass(stepTCP, "Connected to "+addr+".")
		return
	}
	x.warn(stepTCP, finding{detail: "Connected to " + addr + ".", lines: refused,
		cause: "The name has more addresses, and not all of them answer.",
		fix:   "Let the server listen at all addresses of the name, or use the address that answers."})
}

// addresses lists what a name stands for.
func addresses(addrs []net.IPAddr) string {
	var texts []string
	for _, a := range addrs[:min(len(addrs), 6)] {
		texts = append(texts, a.String())
	}
	text := strings.Join(texts, ", ")
	if more := len(addrs) - len(texts); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// noWay explains a session that failed on its way to the server, before an
// answer could come. It reports false when the way is not at fault.
func (x *exam) noWay() bool {
	x.mu.Lock()
	w := x.way
	w.attempts = slices.Clone(w.attempts)
	x.mu.Unlock()
	var name *net.DNSError
	switch {
	case errors.As(w.nameErr, &name) && !w.reached:
		x.fail(stepDNS, explainName(name, w.proxied))
	case x.status(stepDNS) == Running:
		x.fail(stepDNS, finding{detail: "The name server did not answer.",
			cause: "The computer's name server cannot be reached.", fix: "Check the network and the VPN, then check again."})
	case !w.reached && len(w.attempts) > 0:
		x.fail(stepTCP, explainConnect(w))
	case w.tlsErr != nil && !errors.Is(w.tlsErr, context.Canceled) && x.status(stepTLS) == Running:
		x.fail(stepTLS, explainTLS(w.tlsErr, x.host()))
	case x.status(stepTLS) == Running:
		x.fail(stepTLS, finding{detail: "The handshake was not answered.",
			cause: "What listens there waits for something else than TLS, or is stuck.",
			fix:   "Check that the port is the one for https, and that the server is well."})
	default:
		return false
	}
	return true
}

func (x *exam) host() string {
	if u, err := url.Parse(x.t.URL); err == nil {
		return u.Hostname()
	}
	return x.t.URL
}

func explainName(e *net.DNSError, proxied bool) finding {
	f := finding{detail: "The name " + e.Name + " could not be resolved: " + e.Err + "."}
	whose := "the address of the server"
	if proxied {
		whose = "HTTPS_PROXY or HTTP_PROXY: it is the name of the proxy"
	}
	switch {
	case e.IsNotFound:
		f.cause = "No name server knows it: it is misspelt, or known inside of another network only."
		f.fix = "Check the spelling of " + e.Name + " in " + whose + ", and connect the VPN if it needs one."
	case e.IsTimeout:
		f.cause = "The computer's name server does not answer."
		f.fix = "Check the network and the VPN, then check again."
	default:
		f.cause = "The computer's name server failed."
		f.fix = "Check the network, and the spelling of " + e.Name + " in " + whose + "."
	}
	return f
}

func explainConnect(w way) finding {
	f := finding{}
	for _, a := range w.attempts {
		text := "no answer"
		if a.done && a.err != nil {
			text = plainError(a.err)
		}
		f.lines = append(f.lines, a.addr+": "+text)
	}
	var last error
	for _, a := range w.attempts {
		if a.err != nil {
			last = a.err
		}
	}
	addr := w.attempts[0].addr
	what := "the server"
	if w.proxied {
		what = "the proxy"
	}
	f.detail = "No connection to " + addr + "."
	switch {
	case errors.Is(last, syscall.ECONNREFUSED):
		f.detail = "The connection to " + addr + " was refused."
		f.cause = "The computer is there, and no program listens at that port."
		f.fix = "Start " + what + ", or correct the port in its address."
	case errors.Is(last, syscall.EHOSTUNREACH), errors.Is(last, syscall.ENETUNREACH):
		f.cause = "There is no way to that address from this network."
		f.fix = "Check the network, the VPN and the firewall, and whether the address is right."
	case errors.Is(last, syscall.EACCES), errors.Is(last, syscall.EPERM):
		f.cause = "This computer's firewall does not let the connection out."
		f.fix = "Allow it in the firewall, or go through a proxy."
	default:
		f.cause = "Nothing answers at that address: the computer is off or another one, or a firewall swallows what is sent."
		f.fix = "Check host and port of " + what + ", and the firewalls on the way."
	}
	return f
}

// plainError is the innermost text of a failure to connect.
func plainError(err error) string {
	var number syscall.Errno
	var op *net.OpError
	switch {
	case errors.As(err, &number):
		return number.Error()
	case errors.As(err, &op) && op.Timeout():
		return "no answer in time"
	case errors.As(err, &op) && op.Err != nil:
		return op.Err.Error()
	}
	return err.Error()
}

// soon is how much of its life a certificate should have left.
const soon = 14 * 24 * time.Hour
