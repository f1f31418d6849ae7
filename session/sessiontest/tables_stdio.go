package sessiontest

import "strings"

// StdioCase is bytes that a server writes to standard output in answer to a
// call of the tool "bad", and what is wrong with them.
type StdioCase struct {
	Name    string
	Bytes   string // placeholders as in Step
	Rule    string // of a Problem that names what is wrong
	Session bool   // only who pairs answers with calls can name it
	Answer  bool   // something came that names the call's id as an answer does, wrong as it may be
}

// Script is a well-behaved server but for this case.
func (c StdioCase) Script() Script { return Server().With("tools/call bad", Raw(c.Bytes)) }

const good = `{"jsonrpc":"2.0","id":{{id}},"result":` + CallResult + `}`

// MalformedStdio is what real servers have been seen to write where messages
// belong. Around each of them other calls succeed.
var MalformedStdio = []StdioCase{
	{Name: "log line before the answer", Bytes: "INFO     [telemetry] Anonymized telemetry enabled.\n" + good + "\n", Rule: "json.syntax", Answer: true},
	{Name: "launcher banner of several lines", Bytes: "Using launch settings from /app/x.json...\nBuilding...\n\n" + good + "\n", Rule: "json.syntax", Answer: true},
	{Name: "blank lines", Bytes: "\n\n" + good + "\n\n", Rule: "json.empty", Answer: true},
	{Name: "line of blanks", Bytes: " \t \n" + good + "\n", Rule: "json.empty", Answer: true},
	{Name: "ANSI colours", Bytes: "\x1b[32m✔ ready\x1b[0m\n" + good + "\n", Rule: "json.syntax", Answer: true},
	{Name: "byte order mark", Bytes: "\ufeff" + good + "\n", Rule: "json.bom", Answer: true},
	{Name: "UTF-16", Bytes: utf16LE(`{"jsonrpc":"2.0","id":1,"result":{}}`) + "\n", Rule: "L-RPC-12"},
	{Name: "invalid UTF-8", Bytes: "{\"jsonrpc\":\"2.0\",\"id\":{{id}},\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"caf\xe9\"}]}}\n", Rule: "L-RPC-12", Answer: true},
	{Name: "NUL byte", Bytes: "{\"jsonrpc\":\"2.0\",\"id\":{{id}},\"result\":{\"content\":[]}}\x00\n", Rule: "json.trailing", Answer: true},
	{Name: "raw control character in a string", Bytes: "{\"jsonrpc\":\"2.0\",\"id\":{{id}},\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"a\tb\"}]}}\n", Rule: "json.control", Answer: true},
	{Name: "lone surrogate", Bytes: `{"jsonrpc":"2.0","id":{{id}},"result":{"content":[{"type":"text","text":"\ud83d"}]}}` + "\n", Rule: "json.surrogate", Answer: true},
	{Name: "pretty-printed over several lines", Bytes: "{\n  \"jsonrpc\": \"2.0\",\n  \"id\": {{id}},\n  \"result\": {}\n}\n", Rule: "json.syntax"},
	{Name: "cut in the middle", Bytes: `{"jsonrpc":"2.0","id":{{id}},"result":{"content":[{"type":"te` + "\n", Rule: "json.syntax", Answer: true},
	{Name: "two messages on one line", Bytes: good + `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}` + "\n", Rule: "json.trailing", Answer: true},
	{Name: "text behind the message", Bytes: good + " // done\n", Rule: "json.trailing", Answer: true},
	{Name: "language server framing", Bytes: "Content-Length: 40\r\n\r\n" + good + "\n", Rule: "json.syntax", Answer: true},
	{Name: "event stream framing", Bytes: "event: message\ndata: " + good + "\n\n", Rule: "json.syntax"},
	{Name: "single quotes", Bytes: `{'jsonrpc': '2.0', 'id': {{id}}, 'result': {}}` + "\n", Rule: "json.syntax"},
	{Name: "trailing comma", Bytes: `{"jsonrpc":"2.0","id":{{id}},"result":{},}` + "\n", Rule: "json.syntax", Answer: true},
	{Name: "NaN", Bytes: `{"jsonrpc":"2.0","id":{{id}},"result":{"structuredContent":{"x":NaN}}}` + "\n", Rule: "json.syntax", Answer: true},
	{Name: "duplicate member", Bytes: `{"jsonrpc":"2.0","id":{{id}},"result":{"content":[],"content":[]}}` + "\n", Rule: "json.duplicate", Answer: true},
	{Name: "nested 10,001 deep", Bytes: `{"jsonrpc":"2.0","id":{{id}},"result":{"x":` + strings.Repeat("[", 10001) + strings.Repeat("]", 10001) + "}}\n", Rule: "json.depth", Answer: true},
	{Name: "no jsonrpc", Bytes: `{"id":{{id}},"result":` + CallResult + "}\n", Rule: "L-RPC-01", Answer: true},
	{Name: "jsonrpc 1.0", Bytes: `{"jsonrpc":"1.0","id":{{id}},"result":` + CallResult + "}\n", Rule: "L-RPC-01", Answer: true},
	{Name: "jsonrpc as a number", Bytes: `{"jsonrpc":2.0,"id":{{id}},"result":` + CallResult + "}\n", Rule: "L-RPC-01", Answer: true},
	{Name: "result null", Bytes: `{"jsonrpc":"2.0","id":{{id}},"result":null}` + "\n", Rule: "L-RPC-03", Answer: true},
	{Name: "result and error", Bytes: `{"jsonrpc":"2.0","id":{{id}},"result":{},"error":{"code":-32603,"message":"both"}}` + "\n", Rule: "L-RPC-03", Answer: true},
	{Name: "neither result nor error", Bytes: `{"jsonrpc":"2.0","id":{{id}}}` + "\n", Rule: "jsonrpc.shape", Answer: true},
	{Name: "result is an array", Bytes: `{"jsonrpc":"2.0","id":{{id}},"result":[]}` + "\n", Rule: "L-RPC-05", Answer: true},
	{Name: "result is a string", Bytes: `{"jsonrpc":"2.0","id":{{id}},"result":"ok"}` + "\n", Rule: "L-RPC-05", Answer: true},
	{Name: "error is a string", Bytes: `{"jsonrpc":"2.0","id":{{id}},"error":"boom"}` + "\n", Rule: "L-RPC-04", Answer: true},
	{Name: "error without code", Bytes: `{"jsonrpc":"2.0","id":{{id}},"error":{"message":"boom"}}` + "\n", Rule: "L-RPC-04", Answer: true},
	{Name: "error code with a fraction", Bytes: `{"jsonrpc":"2.0","id":{{id}},"error":{"code":1.5,"message":"boom"}}` + "\n", Rule: "L-RPC-04", Answer: true},
	{Name: "error null", Bytes: `{"jsonrpc":"2.0","id":{{id}},"error":null}` + "\n", Rule: "L-RPC-04", Answer: true},
	{Name: "misspelt member", Bytes: `{"jsonrpc":"2.0","id":{{id}},"Result":{}}` + "\n", Rule: "jsonrpc.member", Answer: true},
	{Name: "method and result", Bytes: `{"jsonrpc":"2.0","id":{{id}},"method":"tools/call","result":` + CallResult + "}\n", Rule: "jsonrpc.shape", Answer: true},
	{Name: "no id", Bytes: `{"jsonrpc":"2.0","result":` + CallResult + "}\n", Rule: "L-RPC-02"},
	{Name: "id null", Bytes: `{"jsonrpc":"2.0","id":null,"result":` + CallResult + "}\n", Rule: "BASE-03"},
	{Name: "id is an object", Bytes: `{"jsonrpc":"2.0","id":{},"result":` + CallResult + "}\n", Rule: "BASE-03"},
	{Name: "id with a fraction", Bytes: `{"jsonrpc":"2.0","id":{{id}}.0,"result":` + CallResult + "}\n", Rule: "BASE-03", Answer: true},
	{Name: "id as a string", Bytes: `{"jsonrpc":"2.0","id":"{{id}}","result":` + CallResult + "}\n", Rule: "L-RPC-02", Session: true, Answer: true},
	{Name: "unknown id", Bytes: `{"jsonrpc":"2.0","id":987654321,"result":{}}` + "\n" + good + "\n", Rule: "L-RPC-02", Session: true, Answer: true},
	{Name: "answered twice", Bytes: good + "\n" + good + "\n", Rule: "L-RPC-06", Session: true, Answer: true},
	{Name: "batch", Bytes: "[" + good + "]\n", Rule: "L-RPC-09", Session: true, Answer: true},
	{Name: "empty batch", Bytes: "[]\n" + good + "\n", Rule: "jsonrpc.batch", Answer: true},
	{Name: "number", Bytes: "42\n" + good + "\n", Rule: "jsonrpc.shape", Answer: true},
	{Name: "string", Bytes: "\"ready\"\n" + good + "\n", Rule: "jsonrpc.shape", Answer: true},
	{Name: "JSON log record", Bytes: `{"level":"info","msg":"call","time":1}` + "\n" + good + "\n", Rule: "jsonrpc.shape", Answer: true},
	{Name: "method is a number", Bytes: `{"jsonrpc":"2.0","method":7}` + "\n" + good + "\n", Rule: "jsonrpc.method", Answer: true},
	{Name: "params are a number", Bytes: `{"jsonrpc":"2.0","method":"notifications/message","params":7}` + "\n" + good + "\n", Rule: "jsonrpc.params", Answer: true},
	{Name: "notification with an id", Bytes: `{"jsonrpc":"2.0","id":"n","method":"notifications/message","params":{"level":"info","data":1}}` + "\n" + good + "\n", Rule: "L-RPC-11", Answer: true},
}

// utf16LE encodes ASCII text with a byte order mark.
func utf16LE(ascii string) string {
	var b strings.Builder
	b.WriteString("\xff\xfe")
	for _, c := range []byte(ascii) {
		b.WriteByte(c)
		b.WriteByte(0)
	}
	return b.String()
}
