package doctor

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"strings"

	"mcploupe/protocol"
	"mcploupe/session"
	"mcploupe/session/link"
)

// http examines a server at an address.
func (x *exam) http(ctx context.Context) {
	x.begin(stepAddress, "")
	u, err := url.Parse(strings.TrimSpace(x.t.URL))
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		f := finding{detail: "This is no address of a server.", cause: "An address begins with http:// or https:// and names a host.",
			fix: "Write it as https://host/path; MCP endpoints often end in /mcp."}
		if err != nil {
			f.detail = "The address cannot be read: " + strings.TrimPrefix(err.Error(), "parse ") + "."
		}
		x.fail(stepAddress, f)
		return
	}
	x.address(u)
	if !x.proxy(u) {
		return
	}
	if u.Scheme == "http" {
		x.skip(stepTLS, "http:// is not encrypted.")
	}
	s, err := x.open(ctx, func(o *session.Options) { o.Trace = x.trace(u) })
	defer func() { _ = s.Close() }() // what it says of the server is in the table
	if ctx.Err() != nil {
		return
	}
	st := s.State()
	hops := hopsOf(x.log)
	switch {
	case err != nil && x.noWay():
		return
	case err != nil && !x.answered(st, hops, err):
		return
	case err != nil:
		x.revision(st, err)
		return
	}
	x.fine(hops)
	x.revision(st, nil)
	x.listing(ctx, s)
}

// address says what is odd about an address that can be read.
func (x *exam) address(u *url.URL) {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	detail := fmt.Sprintf("%s, port %s, path %s.", u.Hostname(), port, orRoot(u.EscapedPath()))
	if u.Scheme == "http" && !loopback(u.Hostname()) {
		x.warn(stepAddress, finding{detail: detail, cause: "What is sent to " + u.Host + " is not encrypted, a token neither.",
			fix: "Use https:// if the server has it."})
		return
	}
	x.pass(stepAddress, detail)
}

func orRoot(path string) string {
	if path == "" {
		return "/"
	}
	return path
}

func loopback(host string) bool {
	return host == "localhost" || host == "::1" || strings.HasPrefix(host, "127.") || strings.HasSuffix(host, ".localhost")
}

// proxy says whether requests go through one, and looks whether its address can
// be used.
func (x *exam) proxy(u *url.URL) bool {
	x.begin(stepProxy, "")
	p, err := link.ProxyFor(u)
	switch {
	case err != nil:
		x.fail(stepProxy, finding{detail: sentence(err.Error()), cause: "The proxy that HTTP_PROXY names is not used by a program that a web server starts.",
			fix: "Unset REQUEST_METHOD in the environment of this program."})
		return false
	case p == nil && badProxy(u.Scheme) != "":
		name := badProxy(u.Scheme)
		x.end(stepProxy, Warned, finding{detail: "None.", cause: "The value of " + name + " in the environment of this program is no address, and is left out of account.",
			fix: "Correct or unset " + name + " and start the program anew."})
		x.mu.Lock()
		x.way.host = u.Hostname()
		x.mu.Unlock()
		return true
	case p == nil:
		x.mu.Lock()
		x.way.host = u.Hostname()
		x.mu.Unlock()
		x.skip(stepProxy, "None: HTTPS_PROXY, HTTP_PROXY and NO_PROXY name none for this host.")
		return true
	}
	x.mu.Lock()
	x.way.host, x.way.proxied = p.Hostname(), true
	x.mu.Unlock()
	x.pass(stepProxy, "Requests go through "+p.Redacted()+". Name and connection below are those of the proxy.")
	return true
}

// badProxy is the variable that should name a proxy and holds no address, "" if
// there is none.
func badProxy(scheme string) string {
	for _, name := range []string{scheme + "_proxy", strings.ToUpper(scheme) + "_PROXY"} {
		value := os.Getenv(name)
		if !strings.Contains(value, "://") && value != "" {
			value = "http://" + value
		}
		if u, err := url.Parse(value); value != "" && (err != nil || u.Hostname() == "") {
			return name
		}
	}
	return ""
}

// fine passes the steps of HTTP when the server is ready.
func (x *exam) fine(hops []hop) {
	h, before := lastGood(hops)
	detail := "Answered."
	if h != nil {
		detail = h.text() + " to " + h.what() + "."
	}
	if before != nil {
		detail += " Before that " + before.text() + " to " + before.what() + ", as older servers answer."
	}
	x.pass(stepAnswer, detail)
	x.redirects(hops)
	if x.hasCredential() {
		x.pass(stepAuth, "What was sent as a credential was not refused.")
	} else {
		x.pass(stepAuth, "None was asked for.")
	}
	x.contentType(h)
}

func (x *exam) hasCredential() bool {
	if x.t.Bearer != "" {
		return true
	}
	for _, h := range x.t.Headers {
		if h.Value != "" && protocol.IsSecretHeader(h.Name) {
			return true
		}
	}
	return false
}

// redirects says where the server sent the client, as far as that was followed.
func (x *exam) redirects(hops []hop) {
	for _, h := range hops {
		if h.status/100 == 3 {
			x.warn(stepRedirect, finding{detail: fmt.Sprintf("HTTP %d to %s, which was followed.", h.status, h.header("Location")),
				cause: "The endpoint has another address than the one that was given.",
				fix:   "Use the new address, if it is to stay: each request takes the detour."})
			return
		}
	}
	x.pass(stepRedirect, "None.")
}

// contentType judges what the answer says that it is.
func (x *exam) contentType(h *hop) bool {
	if h == nil {
		return true
	}
	kind := h.header("Content-Type")
	plain, _, _ := strings.Cut(strings.ToLower(kind), ";")
	switch plain = strings.TrimSpace(plain); {
	case plain == "application/json" || plain == "text/event-stream":
		x.pass(stepContent, kind+".")
	case strings.Contains(plain, "html"):
		x.fail(stepContent, finding{detail: "The answer is a web page (" + kind + ").", lines: h.body(),
			cause: "A website answers at this address, not an MCP endpoint: the path is wrong, or a login or proxy page is in between.",
			fix:   "Correct the path (MCP endpoints often end in /mcp, those of HTTP+SSE in /sse), and open the address in a browser to see what it is."})
		return false
	case plain == "":
		x.warn(stepContent, finding{detail: "The answer does not say what it is.", cause: "The server leaves out Content-Type, which other clients want.",
			fix: "Let the server send application/json or text/event-stream."})
	default:
		x.warn(stepContent, finding{detail: "The answer says that it is " + kind + ".", lines: h.body(),
			cause: "Answers are application/json or text/event-stream; other clients may refuse this one.",
			fix:   "Let the server, or the proxy before it, send the right Content-Type."})
	}
	return true
}

// answered judges the HTTP answers of a session that failed after its way to the
// server was fine. It reports whether the answers themselves were.
func (x *exam) answered(st session.State, hops []hop, err error) bool {
	advice := lastStep(st).Advice
	h := decisive(hops)
	switch {
	case h == nil:
		f := finding{detail: "No answer came.", fix: advice, cause: "The server took the request and did not answer it."}
		if text := lastError(hops); text != "" {
			f.detail = sentence(text)
			f.cause = "What listens there ends the connection, or answers with something that is not HTTP."
			if alert := alertOf(text); alert != "" {
				explainAlert(&f, alert)
			}
		} else if x.status(stepAnswer) != Running {
			f.detail, f.cause = sentence(err.Error()), "The request could not be sent."
		}
		x.fail(stepAnswer, f)
		return false
	case h.status == 401, h.status == 403 && h.header("WWW-Authenticate") != "":
		x.pass(stepAnswer, h.text()+" to "+h.what()+".")
		x.pass(stepRedirect, "None.")
		x.fail(stepAuth, x.challenge(h))
		return false
	case h.status/100 == 3:
		x.pass(stepAnswer, h.text()+" to "+h.what()+".")
		x.fail(stepRedirect, finding{detail: fmt.Sprintf("HTTP %d to %s, which was not followed.", h.status, orNone(h.header("Location"))),
			cause: "The server sends the client elsewhere, and following that would lose the request or carry credentials to another host.",
			fix:   "If you trust the new address, connect to it; a redirect to a login page means that this is no MCP endpoint, or wants a token."})
		return false
	case h.status >= 400 && h.isRPC():
		// An error of JSON-RPC with a status that says so: the revision is the matter.
		x.pass(stepAnswer, h.text()+" to "+h.what()+".")
		x.redirects(hops)
		x.pass(stepAuth, "None was asked for.")
		return x.contentType(h)
	case h.status >= 400:
		x.fail(stepAnswer, finding{detail: h.text() + " to " + h.what() + ".", lines: h.body(), cause: whyStatus(h.status), fix: advice})
		return false
	}
	x.pass(stepAnswer, h.text()+" to "+h.what()+".")
	x.redirects(hops)
	x.pass(stepAuth, "None was asked for.")
	return x.contentType(h)
}

func orNone(s string) string {
	if s == "" {
		return "no address"
	}
	return s
}

// whyStatus is the likely cause of a status that carries no message.
func whyStatus(status int) string {
	switch {
	case status == 403:
		return "The server, or something in front of it, does not let this client in."
	case status == 404 || status == 405 || status == 410:
		return "There is a web server, and no MCP endpoint at this path."
	case status == 406 || status == 415:
		return "The endpoint takes other kinds of requests than those of MCP."
	case status == 407:
		return "The proxy wants credentials."
	case status == 408 || status == 504:
		return "The server, or a proxy in front of it, ran out of time."
	case status == 429:
		return "The server has had too many requests."
	case status == 502 || status == 503:
		return "A proxy answers in the place of a server that is down or starting."
	case status >= 500:
		return "The server failed while it answered."
	}
	return "What answers there does not take the request for one of MCP."
}

// sentence writes the text of an error as one.
func sentence(text string) string {
	text = strings.TrimSpace(text)
	if text == "" {
		return ""
	}
	text = strings.ToUpper(text[:1]) + text[1:]
	if !strings.ContainsAny(text[len(text)-1:], ".!?") {
		text += "."
	}
	return text
}
