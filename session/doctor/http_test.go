package doctor

import (
	"net"
	"strings"
	"testing"
	"time"

	"mcploupe/protocol"
	"mcploupe/session"
	"mcploupe/session/link"
	"mcploupe/session/sessiontest"
)

func TestServerOverHTTPThatIsWell(t *testing.T) {
	s := sessiontest.NewHTTP(t)
	s.ServeMCP()
	r := examine(t, session.Target{URL: s.URL}, Options{})
	check(t, r,
		is(stepAddress, Passed, "127.0.0.1", "/mcp"), is(stepProxy, Skipped, "None"), is(stepDNS, Skipped, "127.0.0.1 is an address"),
		is(stepTCP, Passed, "Connected to 127.0.0.1:"), is(stepTLS, Skipped, "not encrypted"),
		is(stepAnswer, Passed, "HTTP 200 OK", "HTTP 400 Bad Request to server/discover"), is(stepRedirect, Passed), is(stepAuth, Passed, "None was asked for"),
		is(stepContent, Passed, "application/json"), is(stepRevision, Passed, "2025-11-25 over http", "sessiontest 1"), is(stepList, Passed, "2 tools"))
	if r.Summary() != "The connection works." || r.Fault() != nil {
		t.Errorf("the summary is %q", r.Summary())
	}
	for _, key := range []string{stepTCP, stepAnswer, stepRevision, stepList} {
		if stepOf(t, r, key).Took <= 0 {
			t.Errorf("%s has no time", key)
		}
	}
}

func TestNameOverHTTPIsLookedUp(t *testing.T) {
	s := sessiontest.NewHTTP(t)
	s.ServeMCP()
	check(t, examine(t, session.Target{URL: strings.Replace(s.URL, "127.0.0.1", "localhost", 1)}, Options{}),
		is(stepDNS, Passed, "127.0.0.1"), is(stepList, Passed))
	check(t, examine(t, session.Target{URL: "http://no-such-name.invalid/mcp"}, Options{}),
		is(stepAddress, Warned, "not encrypted"), is(stepDNS, Failed, "no-such-name.invalid", "spelling"), is(stepTCP, NotReached), is(stepRevision, NotReached))
}

func TestAddressThatIsNone(t *testing.T) {
	for _, url := range []string{"ftp://127.0.0.1/", "http://", "http://127.0.0.1:port/"} {
		check(t, examine(t, session.Target{URL: url}, Options{}), is(stepAddress, Failed, "http://"), is(stepTCP, NotReached))
	}
}

// closedPort is an address at which nothing listens.
func closedPort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return addr
}

func TestNothingListens(t *testing.T) {
	addr := closedPort(t)
	r := examine(t, session.Target{URL: "http://" + addr + "/mcp"}, Options{})
	check(t, r, is(stepTCP, Failed, addr, "refused", "Start the server"), is(stepAnswer, NotReached), is(stepList, NotReached))
	if r.Summary() != "The connection fails at: Connection (TCP)." {
		t.Errorf("the summary is %q", r.Summary())
	}
}

// mute is a listener that takes connections and says what it is given.
func mute(t *testing.T, say string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	var open []net.Conn
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			open = append(open, c)
			if say != "" {
				_, _ = c.Write([]byte(say)) // the client says what it makes of it
			}
		}
	}()
	t.Cleanup(func() {
		_ = l.Close()
		<-done
		for _, c := range open {
			_ = c.Close()
		}
	})
	return l.Addr().String()
}

func TestServerThatAnswersNothing(t *testing.T) {
	o := Options{ProbeTimeout: 100 * time.Millisecond, InitTimeout: 300 * time.Millisecond}
	check(t, examine(t, session.Target{URL: "http://" + mute(t, "") + "/mcp"}, o), is(stepTCP, Passed), is(stepAnswer, Failed, "No answer came"), is(stepRevision, NotReached))
	check(t, examine(t, session.Target{URL: "https://" + mute(t, "") + "/mcp"}, o), is(stepTCP, Passed), is(stepTLS, Failed, "not answered"), is(stepAnswer, NotReached))
}

// How the check itself ends an exchange is no failure of the server, whichever of
// the request and the connection is ended first.
func TestEndingTheCheckIsNoFailure(t *testing.T) {
	own := []hop{{fault: link.ErrCancelled.Error()}, {fault: link.ErrClosed.Error()}}
	if text := lastError(own); text != "" {
		t.Errorf("%q", text)
	}
	if text := lastError(append([]hop{{fault: "EOF"}}, own...)); text != "EOF" {
		t.Errorf("%q", text)
	}
}

func TestWhatIsNotHTTP(t *testing.T) {
	check(t, examine(t, session.Target{URL: "http://" + mute(t, "SSH-2.0-OpenSSH_9.2\r\n") + "/"}, Options{}), is(stepAnswer, Failed, "not HTTP"))
}

// Every answer that stops a client leads to the step at which it does, and later
// steps are not reached.
func TestAnswers(t *testing.T) {
	metadata := "https://auth.example.com/.well-known/oauth-protected-resource"
	const html = "<html><title>Welcome</title><body>hello</body></html>"
	for name, c := range map[string]struct {
		answer sessiontest.Responder
		bearer string
		want   []want
	}{
		"token wanted": {sessiontest.Status(401, "text/plain", "no", `WWW-Authenticate: Bearer realm="mcp", resource_metadata="`+metadata+`", scope="files:read"`), "",
			[]want{is(stepAnswer, Passed, "HTTP 401"), is(stepAuth, Failed, "Bearer", metadata, "files:read", "no token was sent"), is(stepContent, NotReached)}},
		"token refused": {sessiontest.Status(401, "text/plain", "no", `WWW-Authenticate: Bearer error="invalid_token"`), "secret-token-123",
			[]want{is(stepAuth, Failed, "does not accept the token", "resource_metadata is missing")}},
		"token refused that was not sent": {sessiontest.Status(401, "text/plain", "no", `WWW-Authenticate: Bearer error="invalid_token"`), "",
			[]want{is(stepAuth, Failed, "no token was sent")}},
		"scope missing": {sessiontest.Status(403, "text/plain", "no", `WWW-Authenticate: Bearer error="insufficient_scope", scope="admin"`), "secret-token-123",
			[]want{is(stepAuth, Failed, "does not allow", "admin")}},
		"401 without a challenge": {sessiontest.Status(401, "text/plain", "Unauthorized"), "", []want{is(stepAuth, Failed, "401", "bearer token")}},
		"forbidden":               {sessiontest.Status(403, "text/plain", "host not allowed"), "", []want{is(stepAnswer, Failed, "403", "host not allowed", "localhost"), is(stepAuth, NotReached)}},
		"no such path":            {sessiontest.Status(404, "text/html", html), "", []want{is(stepAnswer, Failed, "404", "no MCP endpoint at this path", "/mcp")}},
		"broken":                  {sessiontest.Status(500, "text/plain", "stack trace"), "", []want{is(stepAnswer, Failed, "500", "stack trace", "failed while it answered")}},
		"gateway":                 {sessiontest.Status(502, "text/plain", ""), "", []want{is(stepAnswer, Failed, "502", "down or starting")}},
		"too many":                {sessiontest.Status(429, "text/plain", ""), "", []want{is(stepAnswer, Failed, "429", "Wait")}},
		"elsewhere":               {sessiontest.Status(302, "", "", "Location: https://login.example.com/start?state=abc"), "", []want{is(stepAnswer, Passed, "302"), is(stepRedirect, Failed, "login.example.com", "not followed"), is(stepAuth, NotReached)}},
		"web page":                {sessiontest.Status(200, "text/html; charset=utf-8", html), "", []want{is(stepAnswer, Passed, "200"), is(stepContent, Failed, "web page", "Correct the path"), is(stepRevision, NotReached)}},
		"connection reset":        {sessiontest.Pieces(sessiontest.Piece{Reset: true}), "", []want{is(stepTCP, Passed), is(stepAnswer, Failed)}},
		"plain text":              {sessiontest.Status(200, "text/plain", "It works!"), "", []want{is(stepAnswer, Passed), is(stepContent, Warned, "text/plain"), is(stepRevision, Failed)}},
	} {
		t.Run(name, func(t *testing.T) {
			s := sessiontest.NewHTTP(t)
			s.On("POST", c.answer)
			s.On("GET", c.answer)
			r := examine(t, session.Target{URL: s.URL, Bearer: c.bearer}, Options{})
			check(t, r, append(c.want, is(stepList, NotReached))...)
			for _, step := range r.Steps {
				if text := step.Detail + step.Cause + step.Fix + strings.Join(step.Lines, ""); c.bearer != "" && strings.Contains(text, c.bearer) {
					t.Errorf("%s shows the token", step.Key)
				}
			}
		})
	}
}

func TestRedirectThatIsFollowed(t *testing.T) {
	s := sessiontest.NewHTTP(t)
	s.ServeMCP()
	first := true
	s.On("POST server/discover", func(r sessiontest.Request) sessiontest.Exchange {
		if first {
			first = false
			return sessiontest.Status(307, "", "", "Location: /mcp")(r)
		}
		return sessiontest.Status(400, "application/json", `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no session"}}`)(r)
	})
	check(t, examine(t, session.Target{URL: s.URL}, Options{}), is(stepRedirect, Warned, "307", "followed"), is(stepList, Passed))
}

func TestContentTypeOfAServerThatIsWell(t *testing.T) {
	for kind, want := range map[string]Status{"application/json; charset=utf-8": Passed, "text/plain": Warned, "": Warned} {
		s := sessiontest.NewHTTP(t)
		s.ServeMCP()
		s.On("POST initialize", sessiontest.Status(200, kind, `{"jsonrpc":"2.0","id":{{id}},"result":`+sessiontest.InitializeResult+`}`))
		r := examine(t, session.Target{URL: s.URL}, Options{})
		if got := stepOf(t, r, stepContent); got.Status != want && stepOf(t, r, stepRevision).Status == Passed {
			t.Errorf("%q: %s %s", kind, got.Status.Word(), got.Detail)
		}
	}
}

func TestRevisionThatNobodySpeaks(t *testing.T) {
	s := sessiontest.NewHTTP(t)
	s.ServeMCP()
	s.On("POST initialize", sessiontest.Result(`{"protocolVersion":"1999-01-01","capabilities":{},"serverInfo":{"name":"old","version":"0"}}`))
	check(t, examine(t, session.Target{URL: s.URL}, Options{}), is(stepAnswer, Passed), is(stepContent, Passed), is(stepRevision, Failed, "1999-01-01"), is(stepList, NotReached))
}

func TestForcedRevisionThatIsNotAnswered(t *testing.T) {
	s := sessiontest.NewHTTP(t)
	s.ServeMCP()
	check(t, examine(t, session.Target{URL: s.URL, Revision: "2024-11-05"}, Options{}), is(stepRevision, Warned, "2024-11-05"), is(stepList, Passed))
}

func TestListingThatFails(t *testing.T) {
	s := sessiontest.NewHTTP(t)
	s.ServeMCP()
	s.On("POST tools/list", sessiontest.JSON(`{"jsonrpc":"2.0","id":{{id}},"error":{"code":-32603,"message":"database is down"}}`))
	check(t, examine(t, session.Target{URL: s.URL}, Options{}), is(stepRevision, Passed), is(stepList, Failed, "database is down"))
}

func TestListingThatNeverComes(t *testing.T) {
	s := sessiontest.NewHTTP(t)
	s.ServeMCP()
	s.On("POST tools/list", sessiontest.Pieces(sessiontest.Piece{Hang: true}))
	o := Options{ProbeTimeout: 5 * time.Second, InitTimeout: 10 * time.Second, ListTimeout: 200 * time.Millisecond}
	check(t, examine(t, session.Target{URL: s.URL}, o), is(stepList, Failed))
}

func TestServerThatOffersNothing(t *testing.T) {
	s := sessiontest.NewHTTP(t)
	s.ServeMCP()
	s.On("POST initialize", sessiontest.Result(`{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"bare","version":"1"}}`))
	check(t, examine(t, session.Target{URL: s.URL}, Options{}), is(stepList, Passed, "nothing to list"))
}

func TestProxyInEffect(t *testing.T) {
	addr := closedPort(t)
	t.Setenv("HTTP_PROXY", "http://user:pa55word@"+addr)
	t.Setenv("NO_PROXY", "")
	r := examine(t, session.Target{URL: "http://mcp.example.com/mcp"}, Options{})
	check(t, r, is(stepProxy, Passed, addr), is(stepTCP, Failed, "refused", "Start the proxy"))
	if strings.Contains(stepOf(t, r, stepProxy).Detail, "pa55word") {
		t.Error("the password of the proxy is shown")
	}
	t.Setenv("HTTP_PROXY", "http://%zz")
	check(t, examine(t, session.Target{URL: "http://no-such-name.invalid/mcp"}, Options{}), is(stepProxy, Warned, "HTTP_PROXY", "no address"))
	t.Setenv("HTTP_PROXY", "http://"+addr)
	t.Setenv("REQUEST_METHOD", "GET")
	check(t, examine(t, session.Target{URL: "http://mcp.example.com/mcp"}, Options{}), is(stepProxy, Failed, "REQUEST_METHOD"), is(stepTCP, NotReached))
}

// A server of the stateless revision is examined like any other.
func TestModernServer(t *testing.T) {
	s := sessiontest.NewHTTP(t)
	s.On("POST server/discover", sessiontest.Result(`{"supportedVersions":["`+protocol.NewestModern().Name+`"],"capabilities":{"tools":{}},"serverInfo":{"name":"new","version":"2"},"resultType":"complete","ttlMs":0,"cacheScope":"private"}`))
	s.On("POST tools/list", sessiontest.Result(`{"tools":[{"name":"one","inputSchema":{"type":"object"}}],"resultType":"complete","ttlMs":0,"cacheScope":"private"}`))
	check(t, examine(t, session.Target{URL: s.URL}, Options{}),
		is(stepAnswer, Passed, "server/discover"), is(stepRevision, Passed, protocol.NewestModern().Name), is(stepList, Passed, "1 tool."))
}
