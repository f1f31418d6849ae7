package session

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"mcploupe/protocol"
	"mcploupe/session/link"
)

// on plays a server from a table of methods. "discover" and "initialize" stand
// for the whole names.
func on(table map[string]server) server {
	return func(l *fakeLink, m protocol.Message, o link.SendOptions) {
		name := m.Method
		if name == protocol.MethodDiscover {
			name = "discover"
		}
		if f := table[name]; f != nil {
			f(l, m, o)
		}
	}
}

func result(text string) server {
	return func(l *fakeLink, m protocol.Message, _ link.SendOptions) { l.result(m, text) }
}

func refuse(code, rest string) server {
	return func(l *fakeLink, m protocol.Message, _ link.SendOptions) { l.fail(m, code, rest) }
}

func refuseWith(status int, code, rest string) server {
	return func(l *fakeLink, m protocol.Message, _ link.SendOptions) {
		l.answer(m, status, errorText(m, code, rest))
	}
}

func exit(code int) server {
	return func(l *fakeLink, _ protocol.Message, _ link.SendOptions) { l.die(code) }
}

func page(status int, contentType, body string) server {
	return func(l *fakeLink, m protocol.Message, _ link.SendOptions) { l.page(m, status, contentType, body) }
}

func initialized(version string) server {
	return result(`{"protocolVersion":"` + version + `","capabilities":{"tools":{}},"serverInfo":{"name":"fake","version":"1"}}`)
}

func supported(names string) string {
	return `,"data":{"supported":[` + names + `],"requested":"x"}`
}

// row is one branch of appendix A.
type row struct {
	name     string
	target   Target
	servers  []server
	sse      error         // the HTTP+SSE stream cannot be opened
	want     string        // revision, "" when it fails
	sent     string        // methods over all links
	takes    time.Duration // of the bubble's clock
	err      string        // part of the error
	step     string        // part of the title, detail or advice of some step
	rules    string        // findings that must be there
	transpor string        // when not that of the target
}

const (
	handshake = "server/discover initialize notifications/initialized"
	bare      = "initialize notifications/initialized"
)

func runRows(t *testing.T, target Target, rows []row) {
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				used := target
				used.Revision, used.Transport = r.target.Revision, r.target.Transport
				s, f, done := openFake(t, used, Options{}, r.servers...)
				f.sseErr = r.sse
				defer done()
				began := time.Now()
				err := s.Negotiate(context.Background())
				st := s.State()
				if took := time.Since(began); took != r.takes {
					t.Errorf("took %s, want %s", took, r.takes)
				}
				if got := f.methods(); got != r.sent {
					t.Errorf("sent %s, want %s", got, r.sent)
				}
				if r.want == "" {
					if err == nil || !strings.Contains(strings.ToLower(err.Error()), strings.ToLower(r.err)) || st.Phase != Failed || st.Err == "" {
						t.Errorf("error %v, phase %d, state error %q, want failure with %q", err, st.Phase, st.Err, r.err)
					}
				} else if err != nil || st.Phase != Ready || st.Revision == nil || st.Revision.Name != r.want {
					t.Errorf("error %v, phase %d, revision %+v, want %s", err, st.Phase, st.Revision, r.want)
				}
				steps := fmt.Sprintf("%+v", st.Steps)
				if !strings.Contains(steps, r.step) {
					t.Errorf("no step says %q: %s", r.step, steps)
				}
				for rule := range strings.FieldsSeq(r.rules) {
					if !strings.Contains(rules(st), rule) {
						t.Errorf("no finding %s in %s", rule, rules(st))
					}
				}
				if r.transpor != "" && st.Transport != r.transpor {
					t.Errorf("transport %s, want %s", st.Transport, r.transpor)
				}
				for _, step := range st.Steps {
					if step.Status == StepRunning || step.Status == StepFailed && step.Advice == "" {
						t.Errorf("step without an end or advice: %+v", step)
					}
				}
			})
		})
	}
}

// The rows are the branches of appendix A.1 (VER-20 to VER-41, traps 1 to 15).
func TestNegotiationOverStdio(t *testing.T) {
	ok := initialized("2025-11-25")
	runRows(t, stdioTarget, []row{
		{name: "discover answered", servers: []server{modern(nil)}, want: "2026-07-28", sent: "server/discover"},
		{name: "unsupported, handshake revisions listed", want: "2025-06-18", sent: "server/discover | " + bare, step: "begins with initialize",
			servers: []server{on(map[string]server{"discover": refuse("-32022", supported(`"2025-03-26","2025-06-18"`))}), on(map[string]server{"initialize": initialized("2025-06-18")})}},
		{name: "unsupported, the same revision listed", err: "named 2026-07-28 and then did not accept it", sent: "server/discover server/discover",
			servers: []server{on(map[string]server{"discover": refuse("-32022", supported(`"2026-07-28"`))})}},
		{name: "unsupported, nothing common", err: "the server speaks 2099-01-01, this client 2026-07-28", sent: "server/discover",
			servers: []server{on(map[string]server{"discover": refuse("-32022", supported(`"2099-01-01"`))})}},
		{name: "unsupported without a list is not recognised", want: "2025-11-25", sent: handshake,
			servers: []server{on(map[string]server{"discover": refuse("-32022", ""), "initialize": ok})}},
		{name: "capability missing", want: "2026-07-28", sent: "server/discover", rules: "L-DISC-09",
			servers: []server{on(map[string]server{"discover": refuse("-32021", `,"data":{"requiredCapabilities":{"sampling":{}}}`)})}},
		{name: "header mismatch cannot be", want: "2026-07-28", sent: "server/discover", rules: "L-RPC-16",
			servers: []server{on(map[string]server{"discover": refuse("-32020", "")})}},
		{name: "method not found", want: "2025-11-25", sent: handshake, servers: []server{legacy(nil)}},
		{name: "invalid params", want: "2025-11-25", sent: handshake,
			servers: []server{on(map[string]server{"discover": refuse("-32602", ""), "initialize": ok})}},
		{name: "server error", want: "2025-11-25", sent: handshake,
			servers: []server{on(map[string]server{"discover": refuse("-32000", ""), "initialize": ok})}},
		{name: "draft code", want: "2025-11-25", sent: handshake,
			servers: []server{on(map[string]server{"discover": refuse("-32004", supported(`"2026-07-28"`)), "initialize": ok})}},
		{name: "result of another shape", want: "2025-11-25", sent: handshake,
			servers: []server{on(map[string]server{"discover": result(`{"tools":[]}`), "initialize": ok})}},
		{name: "null result", want: "2025-11-25", sent: handshake,
			servers: []server{on(map[string]server{"discover": result(`null`), "initialize": ok})}},
		{name: "message that does not match", want: "2025-11-25", sent: handshake, rules: "L-RPC-02",
			servers: []server{on(map[string]server{"initialize": ok, "discover": func(l *fakeLink, _ protocol.Message, _ link.SendOptions) {
				l.in(`{"jsonrpc":"2.0","id":77,"result":{}}`)
			}})}},
		{name: "error without id", want: "2025-11-25", sent: handshake, rules: "L-RPC-08",
			servers: []server{on(map[string]server{"initialize": ok, "discover": func(l *fakeLink, _ protocol.Message, _ link.SendOptions) {
				l.in(`{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"?"}}`)
			}})}},
		{name: "silence", want: "2025-11-25", sent: handshake, takes: 5 * time.Second, step: "No answer within 5 s",
			servers: []server{on(map[string]server{"initialize": ok})}},
		{name: "late answer to the probe", want: "2025-11-25", sent: handshake, takes: 5 * time.Second, step: "late answer",
			servers: []server{on(map[string]server{"initialize": func(l *fakeLink, m protocol.Message, o link.SendOptions) {
				l.result(l.last(protocol.MethodDiscover), discoverResult)
				ok(l, m, o)
			}})}},
		{name: "late answer and no handshake", want: "2026-07-28", sent: "server/discover initialize", takes: 5 * time.Second,
			servers: []server{on(map[string]server{"initialize": func(l *fakeLink, m protocol.Message, _ link.SendOptions) {
				l.result(l.last(protocol.MethodDiscover), discoverResult)
				l.fail(m, "0", "")
			}})}},
		{name: "exit at the probe", want: "2025-11-25", sent: "server/discover | " + bare, step: "started once more",
			servers: []server{on(map[string]server{"discover": exit(1)}), on(map[string]server{"initialize": ok})}},
		{name: "exit again", sent: "server/discover | initialize", err: "exited with code 3", step: "exited with code 3",
			servers: []server{on(map[string]server{"discover": exit(1)}), on(map[string]server{"initialize": exit(3)})}},
		{name: "exit after a silent probe", want: "2025-11-25", sent: "server/discover initialize | " + bare, takes: 5 * time.Second,
			servers: []server{on(map[string]server{"initialize": exit(1)}), on(map[string]server{"initialize": ok})}},
		{name: "ping during the probe (PING-01)", want: "2025-11-25", sent: "server/discover result initialize notifications/initialized", takes: time.Second,
			servers: []server{on(map[string]server{"initialize": ok, "discover": func(l *fakeLink, m protocol.Message, _ link.SendOptions) {
				l.in(`{"jsonrpc":"2.0","id":"p","method":"ping"}`)
				time.AfterFunc(time.Second, func() { l.fail(m, "-32601", "") })
			}})}},
		{name: "text on stdout is no answer", want: "2026-07-28", sent: "server/discover", rules: "L-STD-01",
			servers: []server{on(map[string]server{"discover": func(l *fakeLink, m protocol.Message, _ link.SendOptions) {
				l.in("INFO starting")
				l.result(m, discoverResult)
			}})}},
		{name: "discover lists handshake revisions only", want: "2025-06-18", sent: "server/discover | " + bare,
			servers: []server{on(map[string]server{"discover": result(`{"resultType":"complete","supportedVersions":["2025-06-18","2024-11-05"],"capabilities":{}}`)}),
				on(map[string]server{"initialize": initialized("2025-06-18")})}},
		{name: "discover lists nothing common", err: "no common revision", sent: "server/discover",
			servers: []server{on(map[string]server{"discover": result(`{"resultType":"complete","supportedVersions":["2099-01-01"],"capabilities":{}}`)})}},

		{name: "older revision answered (VER-11)", want: "2024-11-05", sent: handshake, step: "Asked for was 2025-11-25",
			servers: []server{on(map[string]server{"discover": refuse("-32601", ""), "initialize": initialized("2024-11-05")})}},
		{name: "unknown revision answered (VER-05)", err: "not one that this client speaks", sent: "server/discover initialize", rules: "L-INIT-06", step: "Force a revision",
			servers: []server{on(map[string]server{"discover": refuse("-32601", ""), "initialize": initialized("2023-01-01")})}},
		{name: "modern revision answered (trap 13)", err: "2026-07-28", sent: "server/discover initialize", rules: "L-INIT-06",
			servers: []server{on(map[string]server{"discover": refuse("-32601", ""), "initialize": initialized("2026-07-28")})}},
		{name: "no revision answered (case 2)", err: "no result.protocolVersion", sent: "server/discover initialize", rules: "L-INIT-03",
			servers: []server{on(map[string]server{"discover": refuse("-32601", ""), "initialize": result(`{"name":"x","version":"1"}`)})}},
		{name: "unknown revision, forced", target: Target{Revision: "2025-06-18"}, want: "2025-06-18", sent: bare, rules: "L-INIT-06", step: "It is forced",
			servers: []server{on(map[string]server{"initialize": initialized("2023-01-01")})}},
		{name: "error names others", want: "2025-03-26", sent: "server/discover initialize initialize notifications/initialized",
			servers: []server{on(map[string]server{"discover": refuse("-32601", ""), "initialize": func(l *fakeLink, m protocol.Message, _ link.SendOptions) {
				if strings.Contains(string(m.Params), "2025-03-26") {
					initialized("2025-03-26")(l, m, link.SendOptions{})
				} else {
					l.fail(m, "-32602", supported(`"2024-11-05","2025-03-26"`))
				}
			}})}},
		{name: "error names others and the process ends", want: "2024-11-05", sent: "server/discover initialize | " + bare,
			servers: []server{on(map[string]server{"discover": refuse("-32601", ""), "initialize": func(l *fakeLink, m protocol.Message, _ link.SendOptions) {
				l.fail(m, "-32602", supported(`"2024-11-05"`))
				l.die(1)
			}}), on(map[string]server{"initialize": initialized("2024-11-05")})}},
		{name: "error names modern only", want: "2026-07-28", sent: "server/discover initialize | server/discover", takes: 5 * time.Second,
			servers: []server{on(map[string]server{"initialize": refuse("-32022", supported(`"2026-07-28"`))}), modern(nil)}},
		{name: "error names nothing common", err: "no common revision", sent: "server/discover initialize",
			servers: []server{on(map[string]server{"discover": refuse("-32601", ""), "initialize": refuse("-32602", supported(`"1999-01-01"`))})}},
		{name: "other error (VER-40)", err: "initialize was refused", sent: "server/discover initialize", step: "-32603",
			servers: []server{on(map[string]server{"discover": refuse("-32601", ""), "initialize": refuse("-32603", "")})}},
		{name: "initialize unanswered", err: "not answered within 30 s", sent: handshake[:len("server/discover initialize")], takes: 35 * time.Second, step: "It wrote nothing to stderr",
			servers: []server{on(nil)}},
		{name: "initialize answered with both members", err: "not valid", sent: "server/discover initialize",
			servers: []server{on(map[string]server{"discover": refuse("-32601", ""), "initialize": func(l *fakeLink, m protocol.Message, _ link.SendOptions) {
				l.in(`{"jsonrpc":"2.0","id":` + m.ID.String() + `,"result":{},"error":{"code":1,"message":"x"}}`)
			}})}},

		{name: "forced handshake skips the probe", target: Target{Revision: "2024-11-05"}, want: "2024-11-05", sent: bare, step: "Left out",
			servers: []server{on(map[string]server{"initialize": initialized("2024-11-05")})}},
		{name: "forced handshake answered with another", target: Target{Revision: "2025-06-18"}, want: "2024-11-05", sent: bare, rules: "L-INIT-01",
			servers: []server{on(map[string]server{"initialize": initialized("2024-11-05")})}},
		{name: "forced handshake at a modern server", target: Target{Revision: "2025-11-25"}, err: "initialize was refused", sent: "initialize", step: "Set the revision to automatic",
			servers: []server{on(map[string]server{"initialize": refuse("-32022", supported(`"2026-07-28"`))})}},
		{name: "forced modern at a handshake server (VER-38)", target: Target{Revision: "2026-07-28"}, err: "does not speak 2026-07-28", sent: "server/discover", step: "handshake era",
			servers: []server{legacy(nil)}},
		{name: "forced modern, not listed", target: Target{Revision: "2026-07-28"}, err: "which is forced", sent: "server/discover",
			servers: []server{on(map[string]server{"discover": result(`{"supportedVersions":["2025-11-25"],"capabilities":{}}`)})}},
		{name: "unknown revision forced", target: Target{Revision: "1999-01-01"}, err: "no revision", sent: "", servers: []server{legacy(nil)}},
	})
}

// The rows are the branches of appendix A.2.
func TestNegotiationOverHTTP(t *testing.T) {
	ok := initialized("2025-11-25")
	dns := &net.DNSError{Name: "nowhere.invalid", Err: "no such host", IsNotFound: true}
	gone := errors.New("HTTP 404 for the GET")
	after := func(discover server) []server {
		return []server{on(map[string]server{"discover": discover, "initialize": ok})}
	}
	viaSSE := func(status int) []server {
		return []server{on(map[string]server{"discover": page(status, "text/html", "<title>Cannot POST</title>"), "initialize": page(status, "text/html", "no")}),
			on(map[string]server{"initialize": initialized("2024-11-05")})}
	}
	failed := "server/discover"
	runRows(t, httpTarget, []row{
		{name: "discover answered", servers: []server{modern(nil)}, want: "2026-07-28", sent: "server/discover"},
		{name: "discover refused with 400", want: "2025-11-25", sent: handshake, servers: after(refuseWith(400, "-32000", ""))},
		{name: "discover refused with 404 (HTTP-26)", want: "2025-11-25", sent: handshake, servers: after(refuseWith(404, "-32601", ""))},
		{name: "discover refused with 200", want: "2025-11-25", sent: handshake, servers: after(refuse("-32601", ""))},
		{name: "400 with a body that is no JSON-RPC", want: "2025-11-25", sent: handshake, servers: after(func(l *fakeLink, m protocol.Message, _ link.SendOptions) {
			l.answer(m, 400, `{"error":"invalid_request"}`)
		})},
		{name: "404", want: "2025-11-25", sent: handshake, servers: after(page(404, "text/plain", ""))},
		{name: "405", want: "2025-11-25", sent: handshake, servers: after(page(405, "", ""))},
		{name: "406", want: "2025-11-25", sent: handshake, servers: after(page(406, "text/html", "<html>"))},
		{name: "415", want: "2025-11-25", sent: handshake, servers: after(page(415, "", ""))},
		{name: "202", want: "2025-11-25", sent: handshake, servers: after(page(202, "", ""))},
		{name: "result of another shape", want: "2025-11-25", sent: handshake, servers: after(result(`{}`))},
		{name: "401 (VER-39, trap 6)", err: "HTTP 401", sent: failed, step: "wants a token", servers: after(page(401, "text/plain", "who are you"))},
		{name: "401 with a JSON-RPC body", err: "-32001", sent: failed, step: "wants a token", servers: after(refuseWith(401, "-32001", ""))},
		{name: "403", err: "HTTP 403", sent: failed, step: "forbids", servers: after(page(403, "text/plain", ""))},
		{name: "407", err: "HTTP 407", sent: failed, step: "HTTPS_PROXY", servers: after(page(407, "", ""))},
		{name: "429", err: "HTTP 429", sent: failed, step: "Wait and try again", servers: after(page(429, "", ""))},
		{name: "500", err: "HTTP 500", sent: failed, step: "failed", servers: after(page(500, "", "boom"))},
		{name: "500 with a JSON-RPC body", err: "-32603", sent: failed, servers: after(refuseWith(500, "-32603", ""))},
		{name: "redirect to elsewhere", err: "HTTP 302", sent: failed, step: "has moved", servers: after(page(302, "", ""))},
		{name: "an HTML page", err: "not an MCP endpoint: HTTP 200, an HTML page titled “Welcome”", sent: failed, step: "path is probably wrong",
			servers: after(page(200, "text/html; charset=utf-8", "<html><title> Welcome </title>"))},
		{name: "nobody listens", err: "connection refused", sent: failed, step: "Nothing listens at 127.0.0.1:1",
			servers: after(func(l *fakeLink, m protocol.Message, _ link.SendOptions) { l.broken(m, syscall.ECONNREFUSED) })},
		{name: "a TLS alert", err: "handshake failure", sent: failed, step: "refused the TLS connection",
			servers: after(func(l *fakeLink, m protocol.Message, _ link.SendOptions) { l.broken(m, refusedHandshake()) })},
		{name: "no such host", err: "no such host", sent: failed, step: "could not be resolved",
			servers: after(func(l *fakeLink, m protocol.Message, _ link.SendOptions) { l.broken(m, dns) })},
		{name: "silence tells nothing", err: "No answer", sent: "server/discover server/discover", takes: 35 * time.Second, step: "over HTTP that tells nothing",
			servers: []server{on(map[string]server{"initialize": ok})}},
		{name: "slow at first", want: "2026-07-28", sent: "server/discover server/discover", takes: 5 * time.Second,
			servers: []server{on(map[string]server{"discover": func(l *fakeLink, m protocol.Message, _ link.SendOptions) {
				if strings.Count(l.methods(), "server/discover") == 2 {
					l.result(m, discoverResult)
				}
			}})}},
		{name: "header mismatch", err: "headers do not fit", sent: failed, step: "proxy", servers: after(refuseWith(400, "-32020", ""))},
		{name: "capability missing (MRTR-18)", want: "2026-07-28", sent: failed, rules: "L-DISC-09",
			servers: after(refuseWith(400, "-32021", `,"data":{"requiredCapabilities":{"elicitation":{}}}`))},
		{name: "unsupported, handshake listed (VER-25)", want: "2025-11-25", sent: handshake, servers: after(refuseWith(400, "-32022", supported(`"2025-11-25"`)))},
		{name: "discover without 2026-07-28 (wire fact 3)", want: "2025-11-25", sent: handshake,
			servers: after(result(`{"resultType":"complete","supportedVersions":["2025-11-25"],"capabilities":{}}`))},

		{name: "HTTP+SSE after 404", want: "2024-11-05", sent: "server/discover initialize | " + bare, transpor: "sse", rules: "", step: "Open HTTP+SSE stream", servers: viaSSE(404)},
		{name: "HTTP+SSE after 405", want: "2024-11-05", sent: "server/discover initialize | " + bare, transpor: "sse", servers: viaSSE(405)},
		{name: "HTTP+SSE after 400", want: "2024-11-05", sent: "server/discover initialize | " + bare, transpor: "sse", servers: viaSSE(400)},
		{name: "HTTP+SSE is not there either", sse: gone, err: "neither Streamable HTTP nor HTTP+SSE", sent: "server/discover initialize", servers: viaSSE(404)},
		{name: "HTTP alone", target: Target{Transport: HTTP}, err: "does not speak Streamable HTTP", sent: "server/discover initialize", servers: viaSSE(404)},
		{name: "SSE alone", target: Target{Transport: SSE}, want: "2024-11-05", sent: bare, servers: []server{on(map[string]server{"initialize": initialized("2024-11-05")})}},
		{name: "SSE alone and modern forced", target: Target{Transport: SSE, Revision: "2026-07-28"}, err: "cannot be spoken over HTTP+SSE", sent: "", servers: []server{legacy(nil)}},
		{name: "initialize refused with a JSON-RPC error", err: "initialize was refused", sent: "server/discover initialize",
			servers: []server{on(map[string]server{"discover": refuse("-32601", ""), "initialize": refuseWith(400, "-32600", "")})}},
		{name: "initialize refused with 401", err: "HTTP 401", sent: "server/discover initialize", step: "wants a token",
			servers: []server{on(map[string]server{"discover": refuse("-32601", ""), "initialize": page(401, "", "")})}},
		{name: "initialize names modern only", want: "2026-07-28", sent: "server/discover initialize server/discover",
			servers: []server{on(map[string]server{"initialize": refuseWith(400, "-32022", supported(`"2026-07-28"`)), "discover": func(l *fakeLink, m protocol.Message, _ link.SendOptions) {
				if strings.Contains(l.methods(), "initialize") {
					l.result(m, discoverResult)
				} else {
					l.fail(m, "-32000", "")
				}
			}})}},
		{name: "back and forth ends", err: "stopped after 8 requests", sent: "server/discover initialize server/discover initialize server/discover initialize server/discover initialize",
			servers: []server{on(map[string]server{
				"discover":   result(`{"resultType":"complete","supportedVersions":["2025-11-25"],"capabilities":{}}`),
				"initialize": refuse("-32022", supported(`"2026-07-28"`))})}},
		{name: "forced handshake", target: Target{Revision: "2025-06-18"}, want: "2025-06-18", sent: bare,
			servers: []server{on(map[string]server{"initialize": initialized("2025-06-18")})}},
		{name: "forced modern at a handshake server", target: Target{Revision: "2026-07-28"}, err: "does not speak 2026-07-28", sent: failed, servers: []server{legacy(nil)}},
	})
}

func TestHandshakeUsesTheTransportAsItsRevisionWants(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f, done := openFake(t, httpTarget, Options{}, legacy(nil))
		defer done()
		if err := s.Negotiate(context.Background()); err != nil {
			t.Fatal(err)
		}
		l := f.link()
		if l.options[0].Revision == nil || !l.options[0].Revision.Modern {
			t.Errorf("probe sent with %+v", l.options[0])
		}
		if o := l.options[1]; o.Revision != nil || !o.Initialize {
			t.Errorf("initialize sent with %+v (trap 14)", o)
		}
		if o := l.options[2]; o.Revision == nil || o.Revision.Name != "2025-11-25" {
			t.Errorf("initialized sent with %+v", o)
		}
		if l.streams != 1 || l.revision == nil {
			t.Errorf("standalone stream opened %d times, revision %v", l.streams, l.revision)
		}
	})
}

func TestNegotiateEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f, done := openFake(t, stdioTarget, Options{}, on(nil))
		defer done()
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		err := s.Negotiate(ctx)
		if !errors.Is(err, context.DeadlineExceeded) || s.State().Phase != Failed || !f.link().closed {
			t.Errorf("error %v, phase %d, link closed %v", err, s.State().Phase, f.link().closed)
		}
	})
}

func TestCloseEndsNegotiate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _, done := openFake(t, stdioTarget, Options{}, on(nil))
		result := make(chan error)
		go func() { result <- s.Negotiate(context.Background()) }()
		synctest.Wait()
		go done()
		if err := <-result; !errors.Is(err, errClosed) {
			t.Errorf("error %v", err)
		}
		synctest.Wait()
		if p := s.State().Phase; p != Closed {
			t.Errorf("phase %d", p)
		}
	})
}

// refusedHandshake is what a client gets whom a server refuses that takes another
// version of TLS alone.
func refusedHandshake() error {
	ours, theirs := net.Pipe()
	var served sync.WaitGroup
	served.Go(func() {
		// The alert for a handshake failure (RFC 8446, 6.2), after what the client says first.
		_, _ = io.ReadAtLeast(theirs, make([]byte, 4096), 5)
		_, _ = theirs.Write([]byte{21, 3, 3, 0, 2, 2, 40})
		_ = theirs.Close()
	})
	err := tls.Client(ours, &tls.Config{ServerName: "localhost"}).Handshake()
	_ = ours.Close()
	served.Wait()
	return fmt.Errorf("post: %w", err)
}
