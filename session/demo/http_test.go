package demo

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"
)

// A web is a client of the demo over HTTP that sends exactly what it is told.
type web struct {
	t      *testing.T
	server *HTTPServer
	client *http.Client
}

func openWeb(t *testing.T) *web {
	t.Helper()
	h, err := ListenHTTP("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &web{t, h, &http.Client{Transport: &http.Transport{}}}
	t.Cleanup(func() {
		w.client.CloseIdleConnections()
		if err := h.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return w
}

// do sends a request with headers given as name, value, name, value. The caller closes the body.
func (w *web) do(method, path, body string, headers ...string) *http.Response {
	w.t.Helper()
	req, err := http.NewRequestWithContext(w.t.Context(), method, strings.TrimSuffix(w.server.URL(), "/mcp")+path, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			req.Host = headers[i+1]
		}
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := w.client.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	return res
}

func (w *web) post(body string, headers ...string) (*http.Response, string) {
	w.t.Helper()
	res := w.do(http.MethodPost, "/mcp", body, headers...)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return res, string(text)
}

// modernHeaders are the headers of a stateless request.
func modernHeaders(method, name string) []string {
	out := []string{"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", method}
	if name != "" {
		out = append(out, "Mcp-Name", name)
	}
	return out
}

func TestOnlyItsOwnNames(t *testing.T) {
	w := openWeb(t)
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(strings.TrimSuffix(w.server.URL(), "/mcp"), "http://"))
	for _, c := range []struct {
		host, origin string
		want         int
	}{
		{"", "", 200},
		{"localhost:" + port, "", 200},
		{"[::1]:" + port, "http://localhost:3000", 200},
		{"127.0.0.1:" + port, "http://127.0.0.1:" + port, 200},
		{"evil.example", "", 403},
		{"127.0.0.1.evil.example:" + port, "", 403},
		{"10.0.0.7", "", 403},
		{"", "https://evil.example", 403},
		{"", "null", 403},
		{"", "://", 403},
	} {
		var headers []string
		if c.host != "" {
			headers = append(headers, "Host", c.host)
		}
		if c.origin != "" {
			headers = append(headers, "Origin", c.origin)
		}
		if res, body := w.post(initialize, headers...); res.StatusCode != c.want {
			t.Errorf("Host %q, Origin %q: %s %s", c.host, c.origin, res.Status, body)
		}
	}
}

func TestListensOnLoopbackUnlessTold(t *testing.T) {
	h, err := ListenHTTP(":0")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(h.URL(), "http://127.0.0.1:") || !strings.HasSuffix(h.URL(), "/mcp") {
		t.Errorf("URL %s", h.URL())
	}
	for range 2 {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := ListenHTTP("nonsense"); err == nil {
		t.Error("listens at nonsense")
	}
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	if _, err := ListenHTTP(busy.Addr().String()); err == nil {
		t.Error("listens at a port that is taken")
	}
}

// One endpoint, both eras: HTTP-27, VER-22 and the shape of a session.
func TestBothErasAtOneEndpoint(t *testing.T) {
	w := openWeb(t)
	discover := `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + meta + `}}`
	res, body := w.post(discover, modernHeaders("server/discover", "")...)
	if res.StatusCode != 200 || !strings.Contains(body, `"supportedVersions":["2026-07-28","2025-11-25"`) || res.Header.Get("Mcp-Session-Id") != "" {
		t.Errorf("discover: %s %s", res.Status, body)
	}
	if res, body := w.post(discover); res.StatusCode != 400 || !strings.Contains(body, "-32020") {
		t.Errorf("without headers: %s %s", res.Status, body)
	}
	if res, body := w.post(strings.Replace(discover, "2026-07-28", "2999-01-01", 1), "Mcp-Protocol-Version", "2999-01-01", "Mcp-Method", "server/discover"); res.StatusCode != 400 || !strings.Contains(body, "-32022") {
		t.Errorf("a revision to come: %s %s", res.Status, body)
	}
	if res, body := w.post(`{"jsonrpc":"2.0","id":1,"method":"no/such","params":{`+meta+`}}`, modernHeaders("no/such", "")...); res.StatusCode != 404 || !strings.Contains(body, "-32601") {
		t.Errorf("an unknown method: %s %s", res.Status, body)
	}
	get := w.do(http.MethodGet, "/mcp", "", "Mcp-Protocol-Version", "2026-07-28")
	get.Body.Close()
	if get.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("GET in the stateless era: %s", get.Status)
	}
	res, body = w.post(initialize)
	session := res.Header.Get("Mcp-Session-Id")
	if res.StatusCode != 200 || session == "" {
		t.Fatalf("initialize: %s %s", res.Status, body)
	}
	old := []string{"Mcp-Session-Id", session, "Mcp-Protocol-Version", "2025-11-25"}
	if res, body := w.post(initialized, old...); res.StatusCode != 202 {
		t.Errorf("initialized: %s %s", res.Status, body)
	}
	if res, body := w.post(`{"jsonrpc":"2.0","id":2,"method":"ping"}`, old...); res.StatusCode != 200 || !strings.Contains(body, `"id":2`) {
		t.Errorf("ping: %s %s", res.Status, body)
	}
	del := w.do(http.MethodDelete, "/mcp", "", old...)
	del.Body.Close()
	if del.StatusCode != 204 {
		t.Errorf("DELETE: %s", del.Status)
	}
	if res, _ := w.post(`{"jsonrpc":"2.0","id":3,"method":"ping"}`, old...); res.StatusCode != 404 {
		t.Errorf("after DELETE: %s", res.Status)
	}
}

// HDR: arguments that travel as headers have to be there and to agree.
func TestHeadersOfArguments(t *testing.T) {
	w := openWeb(t)
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fetch_archive","arguments":{"region":"süd","shard":7,"options":{"dry_run":true}},` + meta + `}}`
	all := append(modernHeaders("tools/call", "fetch_archive"), "Mcp-Param-Region", "=?base64?c8O8ZA==?=", "Mcp-Param-Shard", "7", "Mcp-Param-Dry-Run", "true")
	if res, text := w.post(body, all...); res.StatusCode != 200 || !strings.Contains(text, `"Mcp-Param-Region":"=?base64?c8O8ZA==?="`) || !strings.Contains(text, `"region":"süd"`) {
		t.Errorf("with all headers: %s %s", res.Status, text)
	}
	if res, text := w.post(body, all[:8]...); res.StatusCode != 400 || !strings.Contains(text, "-32020") {
		t.Errorf("with one missing: %s %s", res.Status, text)
	}
}

// Over HTTP too the answer to a form is reported as it was sent, in both eras.
func TestAnswersAreReportedAsSentOverHTTP(t *testing.T) {
	w := openWeb(t)
	const content = `{"party":9007199254740993}`
	call := func(more string) (*http.Response, string) {
		return w.post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"quick_question","arguments":{"field":"party"},`+more+meta+`}}`,
			modernHeaders("tools/call", "quick_question")...)
	}
	_, asked := call("")
	_, after, _ := strings.Cut(asked, `"requestState":"`)
	state, _, _ := strings.Cut(after, `"`)
	if _, got := call(fmt.Sprintf(`"requestState":%q,"inputResponses":{"form":{"action":"accept","content":%s}},`, state, content)); !strings.Contains(got, `"content":`+content) || !strings.Contains(got, `"fits":true`) {
		t.Errorf("2026-07-28: %s", got)
	}

	res, _ := w.post(initialize)
	old := []string{"Mcp-Session-Id", res.Header.Get("Mcp-Session-Id"), "Mcp-Protocol-Version", "2025-11-25"}
	w.post(initialized, old...)
	stream := w.do(http.MethodPost, "/mcp", `{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"quick_question","arguments":{"field":"party"}}}`, old...)
	defer stream.Body.Close()
	lines := bufio.NewScanner(stream.Body)
	answered := false
	for lines.Scan() {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		if strings.Contains(data, "elicitation/create") {
			_, after, _ := strings.Cut(data, `"id":`)
			id, _, _ := strings.Cut(after, ",")
			w.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"action":"accept","content":%s}}`, id, content), old...)
			continue
		}
		if strings.Contains(data, `"id":8`) {
			answered = true
			if !strings.Contains(data, `"content":`+content) {
				t.Errorf("2025-11-25: %s", data)
			}
		}
	}
	if !answered {
		t.Error("2025-11-25: no answer")
	}
}

// A dropped stream goes on where it was left, with Last-Event-ID.
func TestDroppedStreamResumes(t *testing.T) {
	w := openWeb(t)
	res, _ := w.post(initialize)
	old := []string{"Mcp-Session-Id", res.Header.Get("Mcp-Session-Id"), "Mcp-Protocol-Version", "2025-11-25"}
	w.post(initialized, old...)
	_, first := w.post(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"drop_stream","arguments":{"retry_milliseconds":5}}}`, old...)
	if !strings.Contains(first, "retry: 5") || strings.Contains(first, "You came back") {
		t.Fatalf("before the drop: %q", first)
	}
	_, after, _ := strings.Cut(first, "id: ")
	id, _, _ := strings.Cut(after, "\n")
	again := w.do(http.MethodGet, "/mcp", "", append(old, "Last-Event-ID", strings.TrimSpace(id))...)
	defer again.Body.Close()
	rest, err := io.ReadAll(again.Body)
	if err != nil || !strings.Contains(string(rest), "You came back for it.") {
		t.Errorf("after it: %q, %v", rest, err)
	}
}

func TestLimits(t *testing.T) {
	w := openWeb(t)
	if res, _ := w.post(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"` + strings.Repeat("x", maxBody) + `"}}`); res.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("a body over the limit: %s", res.Status)
	}
	for n := range maxSessions {
		if res, body := w.post(initialize); res.StatusCode != 200 {
			t.Fatalf("session %d: %s %s", n, res.Status, body)
		}
	}
	if res, _ := w.post(initialize); res.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("one session too many: %s", res.Status)
	}
	v := newVisits(func(*visits) (string, error) { return "http://127.0.0.1", nil })
	first, _, err := v.start("x", nil)
	if err != nil {
		t.Fatal(err)
	}
	for range maxVisits {
		if _, _, err := v.start("y", nil); err != nil {
			t.Fatal(err)
		}
	}
	if _, ok := v.find(first.id); ok || len(v.open) != maxVisits {
		t.Errorf("%d pages wait", len(v.open))
	}
}

func TestUnknownPage(t *testing.T) {
	w := openWeb(t)
	res := w.do(http.MethodGet, "/visit/nonsense", "")
	res.Body.Close()
	if res.StatusCode != http.StatusNotFound {
		t.Errorf("an unknown page: %s", res.Status)
	}
}

// Close ends jobs, streams and sessions that are in use, and leaves no goroutine.
func TestCloseInTheMiddle(t *testing.T) {
	before := goleak.IgnoreCurrent()
	h, err := ListenHTTP("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &web{t, h, &http.Client{Transport: &http.Transport{}}}
	listen := `{"jsonrpc":"2.0","id":2,"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["kestrel://clock"]},` + meta + `}}`
	stream := w.do(http.MethodPost, "/mcp", listen, modernHeaders("subscriptions/listen", "")...)
	lines := bufio.NewReader(stream.Body)
	for seen := ""; !strings.Contains(seen, "acknowledged"); {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		seen += line
	}
	res, _ := w.post(initialize)
	old := []string{"Mcp-Session-Id", res.Header.Get("Mcp-Session-Id"), "Mcp-Protocol-Version", "2025-11-25"}
	w.post(initialized, old...)
	standing := w.do(http.MethodGet, "/mcp", "", old...)
	started, ended := make(chan bool, 2), make(chan bool, 2)
	job := `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"expose","arguments":{"seconds":3600},"_meta":{"progressToken":"p"}}}`
	for body, headers := range map[string][]string{
		job: old,
		strings.Replace(job, `"_meta":{`, strings.TrimSuffix(meta, "}")+",", 1): modernHeaders("tools/call", "expose"),
	} {
		res := w.do(http.MethodPost, "/mcp", body, headers...)
		go func() {
			defer res.Body.Close()
			lines := bufio.NewReader(res.Body)
			for {
				line, err := lines.ReadString('\n')
				if err != nil {
					ended <- true
					return
				}
				if strings.Contains(line, "notifications/progress") {
					started <- true
				}
			}
		}()
	}
	within(t, started, "the first job")
	within(t, started, "the second job")
	closed := make(chan error, 1)
	go func() { closed <- h.Close() }()
	if err := within(t, closed, "Close"); err != nil {
		t.Error(err)
	}
	within(t, ended, "the end of the first job")
	within(t, ended, "the end of the second job")
	stream.Body.Close()
	standing.Body.Close()
	w.client.CloseIdleConnections()
	goleak.VerifyNone(t, before)
}

// A client that leaves without a word leaves nothing behind in the stateless era.
func TestDepartedListenerIsForgotten(t *testing.T) {
	w := openWeb(t)
	before := goleak.IgnoreCurrent()
	ctx, cancel := context.WithCancel(t.Context())
	client := mcp.NewClient(&mcp.Implementation{Name: "visitor", Version: "1"}, &mcp.ClientOptions{
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) {},
	})
	s, err := client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: w.server.URL(), HTTPClient: w.client}, nil)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	s.Close()
	w.client.CloseIdleConnections()
	goleak.VerifyNone(t, before)
	for range w.server.station.server.Sessions() {
		t.Error("a session is still open")
	}
}
