package session

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os/exec"
	"regexp"
	"strings"
	"syscall"

	"mcploupe/session/link"
)

const adviseLegacy = "The server is of the handshake era. Set the revision to automatic, or to 2025-11-25 or older."

const adviseStopped = "Connect again. Forcing a revision takes the shortest way and may get further."

var credentialWords = regexp.MustCompile(`api[ _-]?key|access[ _-]?token|_token|credentials|environment variable`)

func connectTitle(t Transport) string {
	switch t {
	case Stdio:
		return "Start process"
	case SSE:
		return "Open HTTP+SSE stream"
	case HTTP:
		return "Prepare HTTP"
	}
	return "Connect"
}

func connectVerb(t Transport) string {
	switch t {
	case Stdio:
		return "starting the process"
	case SSE:
		return "opening the HTTP+SSE stream"
	}
	return "connecting"
}

func connectDetail(t Transport, target Target, pid int) string {
	switch {
	case t == Stdio && pid != 0:
		return fmt.Sprintf("%s runs as process %d.", shorten(target.Command, 200), pid)
	case t == Stdio:
		return shorten(target.Command, 200) + " runs."
	}
	return shorten(maskURL(target.URL), 500)
}

// describeDown says how a link was lost.
func describeDown(d link.Down) string {
	switch e := d.Exit; {
	case e == nil && d.Err == nil:
		return "The connection was lost."
	case e == nil:
		return "The connection was lost: " + d.Err.Error() + "."
	case e.Signal != "":
		return fmt.Sprintf("The process was ended by a signal (%s) after %s.", e.Signal, spoken(e.After))
	default:
		return fmt.Sprintf("The process exited with code %d after %s.", e.Code, spoken(e.After))
	}
}

// describeAnswer says what an HTTP answer was.
func describeAnswer(a link.Answer) string {
	text := fmt.Sprintf("HTTP %d", a.Status)
	if a.Reason != "" {
		text += " " + a.Reason
	}
	if a.Location != "" {
		text += ", a redirect to " + maskURL(a.Location)
	}
	body := strings.Join(strings.Fields(shorten(a.Body, 2000)), " ")
	switch {
	case strings.Contains(strings.ToLower(a.ContentType), "html"):
		text += ", an HTML page"
		if title := htmlTitle(a.Body); title != "" {
			text += " titled " + title
		}
	case body != "":
		text += ": " + shorten(body, 300)
	}
	return trimStop(text) + "."
}

func htmlTitle(body string) string {
	lower := strings.ToLower(body)
	i := strings.Index(lower, "<title>")
	if i < 0 || len(lower) != len(body) {
		return ""
	}
	rest := body[i+len("<title>"):]
	j := strings.IndexByte(rest, '<')
	if j < 0 {
		return ""
	}
	return "“" + shorten(strings.Join(strings.Fields(rest[:j]), " "), 100) + "”"
}

// describeEnd says why an exchange brought no answer.
func describeEnd(e link.Ended) string {
	switch {
	case errors.Is(e.Err, link.ErrSessionLost):
		return "The server does not know the session any more (HTTP 404)."
	case e.Answer != nil && (e.Answer.Status >= 300 || e.Answer.Body != ""):
		return describeAnswer(*e.Answer)
	case e.Answer != nil && errors.Is(e.Err, link.ErrNoAnswer):
		return fmt.Sprintf("HTTP %d, and the exchange ended without an answer.", e.Answer.Status)
	case e.Err != nil:
		return sentence(e.Err)
	}
	return "The exchange ended without an answer."
}

// adviseDial says what to try when no link could be made.
func (s *Session) adviseDial(t Transport, err error) string {
	if t != Stdio {
		var answer *link.AnswerError
		if errors.As(err, &answer) {
			return s.adviseHTTP(&answer.Answer, err)
		}
		return s.adviseHTTP(nil, err)
	}
	command := s.target.Command
	var path *fs.PathError
	switch {
	case errors.Is(err, exec.ErrDot):
		return "The command is in the current folder only. Write ./" + command + " if that is meant."
	case errors.As(err, &path) && path.Op == "chdir":
		return "The working directory does not exist or cannot be entered. Correct it, or leave it empty."
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, fs.ErrNotExist):
		text := command + " was not found."
		if !strings.ContainsAny(command, `/\`) {
			text += " It is looked up on the PATH of the server's environment: install it, give its full path, or set PATH."
		} else {
			text += " Check the path; if the file is there, the interpreter in its first line (#!) is not."
		}
		if strings.ContainsAny(command, " \t") {
			text += " The whole text is taken as the name of one program: is there a quote too many?"
		}
		return text
	case errors.Is(err, fs.ErrPermission):
		return command + " may not be executed. Make it executable (chmod +x), or start it with its interpreter (node, python3, ...)."
	case errors.Is(err, syscall.ENOEXEC):
		return command + " is no program for this computer. A script needs a first line such as #!/bin/sh, or its interpreter in front."
	case errors.Is(err, syscall.E2BIG):
		return "The arguments and the environment together are too long for the system."
	}
	return "Try the same command in a terminal."
}

// adviseExit says what to try when the process ended.
func (s *Session) adviseExit() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	advice := []string{s.noiseAdvice()}
	words := strings.ToLower(tail(s.view.stderr))
	exit := s.view.exit
	switch {
	case exit != nil && exit.Code == 127:
		advice = append(advice, "Code 127 is how a shell says that a command was not found.")
	case exit != nil && exit.Code == 126:
		advice = append(advice, "Code 126 is how a shell says that a file may not be executed.")
	case exit != nil && exit.Signal != "":
		advice = append(advice, "Something outside ended the process: the system when memory runs out, a supervisor, or a person.")
	}
	switch {
	case strings.Contains(words, "cannot find module"), strings.Contains(words, "modulenotfounderror"),
		strings.Contains(words, "no module named"):
		advice = append(advice, "A module is missing: install the server's dependencies, or check the path to its script.")
	case strings.Contains(words, "eaddrinuse"), strings.Contains(words, "address already in use"):
		advice = append(advice, "A port that the server wants is taken: end the other process, or choose another port.")
	case credentialWords.MatchString(words):
		advice = append(advice, "The server seems to want a credential: give it in the environment, as NAME=value before the command.")
	case strings.Contains(words, "usage:"):
		advice = append(advice, "The server printed how it wants to be called: check the arguments.")
	default:
		advice = append(advice, "Read the last lines of stderr, and try the same command in a terminal: it must stay and wait for input.")
	}
	return strings.TrimSpace(strings.Join(advice, " "))
}

// adviseSilent says what to try when the server does not answer.
func (s *Session) adviseSilent() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := s.noiseAdvice() + " Is this an MCP server, and does it speak over stdin and stdout? Some need an argument such as stdio; some wait for a service that they cannot reach. "
	if len(s.view.stderr) > 0 {
		text += "Its stderr may tell."
	} else {
		text += "It wrote nothing to stderr."
	}
	return strings.TrimSpace(text)
}

// noiseAdvice speaks of text on stdout, if there was any. mu is held.
func (s *Session) noiseAdvice() string {
	if s.conn == nil || s.conn.noise == 0 {
		return ""
	}
	lines := "a line"
	if s.conn.noise > 1 {
		lines = fmt.Sprintf("%d lines", s.conn.noise)
	}
	return fmt.Sprintf("The server printed %s to stdout that is no message (“%s”): stdout must carry JSON-RPC only; log to stderr.",
		lines, shorten(string(s.conn.sample), 100))
}

// adviseHTTP says what to try when an HTTP request failed.
func (s *Session) adviseHTTP(a *link.Answer, err error) string {
	if a == nil {
		return s.adviseTransport(err)
	}
	html := strings.Contains(strings.ToLower(a.ContentType), "html")
	body := strings.ToLower(a.Body)
	switch {
	case strings.Contains(body, "http request to an https server"):
		return "The server speaks TLS here: write https:// instead of http://."
	case a.Status == 401 && s.target.hasCredential():
		return "The server does not accept the token. It may be expired, or meant for something else."
	case a.Status == 401:
		return "The server wants a token. Enter it as the bearer token, or as a header if the server has one of its own."
	case a.Status == 403 && hasChallenge(a):
		return "The token does not allow this: it lacks a scope that the server names in WWW-Authenticate."
	case a.Status == 403:
		return "The server or a proxy forbids the request. A server on this computer may accept only certain host names: try 127.0.0.1 or localhost."
	case a.Status == 407:
		return "The proxy wants credentials: put them into HTTPS_PROXY or HTTP_PROXY as http://user:password@host:port."
	case a.Status == 408 || a.Status == 504:
		return "The server, or a proxy in front of it, took too long. Try again."
	case a.Status == 429:
		return "The server takes no more requests for now. Wait and try again."
	case a.Status >= 300 && a.Status < 400:
		return "The endpoint has moved. If you trust the new address, connect to it: " + maskURL(a.Location)
	case a.Status >= 500:
		return "The server, or a proxy in front of it, failed. Its own log says more; try again."
	case html, a.Status == 404, a.Status == 405:
		return "The path is probably wrong: MCP endpoints often end in /mcp, those of HTTP+SSE in /sse."
	case a.Status == 400 || a.Status == 406 || a.Status == 415:
		return "Something answers at this address, but it does not take MCP requests: check the path, and the answer's text."
	}
	return "Check the URL: what answers does not speak MCP."
}

func hasChallenge(a *link.Answer) bool {
	for _, h := range a.Headers {
		if strings.EqualFold(h.Name, "WWW-Authenticate") {
			return true
		}
	}
	return false
}

func (t Target) hasCredential() bool {
	if t.Bearer != "" {
		return true
	}
	for _, h := range t.Headers {
		if strings.EqualFold(h.Name, "Authorization") {
			return true
		}
	}
	return false
}

// adviseTransport says what to try when no HTTP answer came at all.
func (s *Session) adviseTransport(err error) string {
	host := s.target.URL
	if u, e := url.Parse(host); e == nil {
		host = u.Host
	}
	var (
		dns      *net.DNSError
		unknown  x509.UnknownAuthorityError
		name     x509.HostnameError
		invalid  x509.CertificateInvalidError
		record   tls.RecordHeaderError
		network  net.Error
		text     = ""
		isClosed = errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
	)
	if err != nil {
		text = err.Error()
	}
	switch {
	case errors.As(err, &dns):
		return "The name " + dns.Name + " could not be resolved. Check the spelling, the network, and whether a VPN is needed."
	case strings.Contains(text, "proxyconnect"):
		return "The proxy could not be reached. Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY."
	case errors.Is(err, syscall.ECONNREFUSED):
		return "Nothing listens at " + host + ". Is the server started, and is the port right?"
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return host + " cannot be reached from here. Check the network, VPN or firewall."
	case errors.As(err, &unknown):
		return "The certificate is not signed by an authority that this computer knows. Give the file of the authority (CA file) if you trust it."
	case errors.As(err, &name):
		return "The certificate is for another name. Use the name that it is made for."
	case errors.As(err, &invalid):
		return "The certificate is not valid: it may be expired, or the clock of this computer is wrong."
	case errors.As(err, &record), strings.Contains(text, "server gave HTTP response to HTTPS client"), strings.Contains(text, "plain HTTP"):
		return "The server does not speak TLS here: write http:// instead of https://."
	case strings.Contains(text, "remote error: tls: "): // an alert, whose type crypto/tls does not export
		return "The server refused the TLS connection: it may want another TLS version or a client certificate."
	case isClosed, strings.HasSuffix(text, "EOF"):
		return "The connection was closed without an answer. The port may belong to another service, or speak TLS: try https://."
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &network) && network.Timeout():
		return host + " does not answer. Check host and port, firewall and proxy; give it more time if it starts slowly."
	}
	return "Check the URL. A server that is slow at its first request may need more time; a revision can be forced to leave out the probe."
}
