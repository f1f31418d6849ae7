package sessiontest

// HTTPCase is an HTTP answer to a call of the tool "bad", and what is wrong
// with it.
type HTTPCase struct {
	Name    string
	Answer  Exchange
	Rule    string   // of a Problem that names what is wrong
	Session bool     // only who pairs answers with calls can name it
	OK      bool     // something came that can only be the answer, wrong as it may be
	Keeps   []string // texts that must be in the recording; placeholders as in Step
}

// Serve makes s a well-behaved server but for this case.
func (c HTTPCase) Serve(s *HTTPServer) {
	s.ServeMCP()
	s.On("POST tools/call bad", Pieces(c.Answer...))
}

func whole(head, body string) Exchange { return Exchange{{Bytes: head + body}} }

// chunked is a body in one chunk, without the last one.
func chunked(body string) string { return hex(len(body)) + "\r\n" + body + "\r\n" }

func hex(n int) string {
	const digits = "0123456789abcdef"
	var out string
	for ; n > 0; n /= 16 {
		out = string(digits[n%16]) + out
	}
	return out
}

var (
	jsonHead  = Head(200, "application/json")
	eventHead = Head(200, "text/event-stream")
	goodEvent = "data: " + good + "\n\n"
)

// MalformedHTTP is what servers and what stands before them have been seen to
// answer. Around each of them other calls succeed.
var MalformedHTTP = []HTTPCase{
	{Name: "HTML", Answer: whole(Head(200, "text/html"), "<!doctype html><h1>Sign in</h1>"), Rule: "L-HTTP-01", Keeps: []string{"<!doctype html><h1>Sign in</h1>"}},
	{Name: "plain text", Answer: whole(Head(200, "text/plain"), "Accepted"), Rule: "L-HTTP-01", Keeps: []string{"Accepted"}},
	{Name: "no content type", Answer: whole(Head(200, ""), good), Rule: "L-HTTP-01", OK: true, Keeps: []string{good}},
	{Name: "JSON as text", Answer: whole(Head(200, "text/plain; charset=utf-8"), good), Rule: "L-HTTP-01", OK: true, Keeps: []string{good}},
	{Name: "JSON as an event stream", Answer: whole(eventHead, good), Rule: "L-HTTP-01", OK: true, Keeps: []string{good}},
	{Name: "an event stream as JSON", Answer: whole(jsonHead, "event: message\n"+goodEvent), Rule: "L-HTTP-01", OK: true, Keeps: []string{good}},
	{Name: "empty body", Answer: whole(Head(200, "application/json", "Content-Length: 0"), ""), Rule: "http.body-empty"},
	{Name: "no content", Answer: whole(Head(204, ""), ""), Rule: "http.body-empty"},
	{Name: "accepted only", Answer: whole(Head(202, "", "Content-Length: 0"), ""), Rule: "HTTP-06"},
	{Name: "broken JSON", Answer: whole(jsonHead, `{"jsonrpc":"2.0","id":{{id}},"result":{,}}`), Rule: "json.syntax", OK: true, Keeps: []string{`"result":{,}}`}},
	{Name: "JSON and text behind it", Answer: whole(jsonHead, good+"\n<!-- cached -->"), Rule: "json.trailing", OK: true, Keeps: []string{"<!-- cached -->"}},
	{Name: "two messages in one body", Answer: whole(jsonHead, `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}`+"\n"+good), Rule: "json.trailing", Keeps: []string{`"data":1`, good}},
	{Name: "byte order mark", Answer: whole(jsonHead, "\ufeff"+good), Rule: "json.bom", OK: true, Keeps: []string{"\ufeff" + good}},
	{Name: "UTF-16", Answer: whole(jsonHead, utf16LE(`{"jsonrpc":"2.0","id":1,"result":{}}`)), Rule: "L-RPC-12", OK: true, Keeps: []string{utf16LE(`{"jsonrpc":"2.0","id":1,"result":{}}`)}},
	{Name: "gzip that nobody asked for", Answer: whole(Head(200, "application/json", "Content-Encoding: gzip"), "\x1f\x8b\x08\x00\x00\x00"), Rule: "http.content-encoding", OK: true, Keeps: []string{"\x1f\x8b\x08\x00\x00\x00"}},
	{Name: "shorter than its length", Answer: whole(Head(200, "application/json", "Content-Length: 500"), `{"jsonrpc":"2.0","id":{{id}},"resu`), Rule: "http.body-cut", OK: true, Keeps: []string{`"id":{{id}},"resu`}},
	{Name: "reset within the body", Answer: Exchange{{Bytes: Head(200, "application/json", "Content-Length: 500") + `{"jsonrpc":"2.0","id":{{id}},"re`}, {Reset: true}}, Rule: "http.body-cut", OK: true},
	{Name: "chunks without an end", Answer: whole(Head(200, "application/json", "Transfer-Encoding: chunked"), chunked(`{"jsonrpc":"2.0",`)), Rule: "http.body-cut", OK: true, Keeps: []string{`{"jsonrpc":"2.0",`}},
	{Name: "broken chunk length", Answer: whole(Head(200, "application/json", "Transfer-Encoding: chunked"), chunked(`{"jsonrpc":"2.0",`)+"xyz\r\nrest"), Rule: "http.body-cut", OK: true, Keeps: []string{`{"jsonrpc":"2.0",`, "xyz"}},
	{Name: "not HTTP", Answer: whole("", "SSH-2.0-OpenSSH_9.2\r\n"), Rule: "http.broken", Keeps: []string{"SSH-2.0-OpenSSH_9.2"}},
	{Name: "JSON without a head", Answer: whole("", `{"jsonrpc":"2.0"}`+"\n"), Rule: "http.broken", Keeps: []string{`jsonrpc`}},
	{Name: "broken status", Answer: whole("HTTP/1.1 twohundred OK\r\n\r\n", ""), Rule: "http.broken", Keeps: []string{"twohundred"}},
	{Name: "header without a colon", Answer: whole("HTTP/1.1 200 OK\r\nContent-Type application/json\r\n\r\n", good), Rule: "http.broken", Keeps: []string{"Content-Type application/json"}},
	{Name: "two lengths", Answer: whole("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 7\r\n\r\n", "hello"), Rule: "http.broken", Keeps: []string{"Content-Length: 7"}},
	{Name: "closed without an answer", Answer: Exchange{}, Rule: "http.broken"},
	{Name: "reset without an answer", Answer: Exchange{{Reset: true}}, Rule: "http.broken"},
	{Name: "another protocol", Answer: whole("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n", ""), Rule: "http.upgrade"},
	{Name: "redirect to a log-in page", Answer: whole(Head(302, "text/html", "Location: https://login.example/", "Content-Length: 5"), "moved"), Rule: "http.redirect", Keeps: []string{"moved", "https://login.example/"}},
	{Name: "session id out of turn", Answer: whole(Head(200, "application/json", "Mcp-Session-Id: other"), good), Rule: "L-SES-05", OK: true},
	{Name: "stream ends before the answer", Answer: whole(eventHead, ": hello\n\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":1}}\n\n"), Rule: "L-HTTP-19", Keeps: []string{"hello", `"data":1`}},
	{Name: "empty stream", Answer: whole(eventHead, ""), Rule: "http.body-empty"},
	{Name: "stream ends within an event", Answer: whole(eventHead, "data: "+good+"\n"), Rule: "sse.unfinished", Keeps: []string{good}},
	{Name: "stream reset within an event", Answer: Exchange{{Bytes: Head(200, "text/event-stream", "Transfer-Encoding: chunked") + chunked(": hello\n\n")}, {Bytes: chunked("data: {\"jsonrpc\"")}, {Reset: true}}, Rule: "http.stream-cut"},
	{Name: "broken JSON in an event", Answer: whole(eventHead, `data: {"jsonrpc":"2.0","id":{{id}},"result":{`+"\n\n"), Rule: "json.syntax", OK: true, Keeps: []string{`"result":{`}},
	{Name: "a log line in an event", Answer: whole(eventHead, "data: INFO ready\n\n"+goodEvent), Rule: "json.syntax", OK: true, Keeps: []string{"INFO ready", good}},
	{Name: "lines that are no fields", Answer: whole(eventHead, "data: "+good+"\nhello world\nretry: soon\n\n"), Rule: "sse.field", OK: true, Keeps: []string{good, "hello world", "soon"}},
	{Name: "event of another type", Answer: whole(eventHead, "event: response\n"+goodEvent), Rule: "L-SSE-03", OK: true, Keeps: []string{good, "response"}},
	{Name: "ping event with text", Answer: whole(eventHead, "event: ping\ndata: 2026-01-01 00:00:00\n\n"+goodEvent), Rule: "L-SSE-03", OK: true, Keeps: []string{"2026-01-01 00:00:00", good}},
	{Name: "invalid UTF-8 in an event", Answer: whole(eventHead, "data: {\"jsonrpc\":\"2.0\",\"id\":{{id}},\"result\":{\"x\":\"caf\xe9\"}}\n\n"), Rule: "L-RPC-12", OK: true, Keeps: []string{"caf\xe9"}},
	{Name: "result null", Answer: whole(jsonHead, `{"jsonrpc":"2.0","id":{{id}},"result":null}`), Rule: "L-RPC-03", OK: true, Keeps: []string{`"result":null`}},
	{Name: "result and error", Answer: whole(jsonHead, `{"jsonrpc":"2.0","id":{{id}},"result":{},"error":{"code":1,"message":"both"}}`), Rule: "L-RPC-03", OK: true, Keeps: []string{"both"}},
	{Name: "no jsonrpc", Answer: whole(jsonHead, `{"id":{{id}},"result":`+CallResult+`}`), Rule: "L-RPC-01", OK: true, Keeps: []string{CallResult}},
	{Name: "no id", Answer: whole(jsonHead, `{"jsonrpc":"2.0","result":`+CallResult+`}`), Rule: "L-RPC-02", Keeps: []string{CallResult}},
	{Name: "error is a string", Answer: whole(Head(400, "application/json"), `{"error":"invalid_token"}`), Rule: "L-RPC-04", Keeps: []string{"invalid_token"}},
	{Name: "another id", Answer: whole(jsonHead, `{"jsonrpc":"2.0","id":987654321,"result":{}}`), Rule: "L-RPC-02", Session: true, Keeps: []string{"987654321"}},
	{Name: "answered twice", Answer: whole(eventHead, goodEvent+goodEvent), Rule: "L-RPC-06", Session: true, OK: true, Keeps: []string{good}},
	{Name: "batch", Answer: whole(jsonHead, "["+good+"]"), Rule: "L-RPC-09", Session: true, OK: true, Keeps: []string{"[" + good + "]"}},
}
