package sessiontest

// ListenCase is what a server of 2026-07-28 does with a subscriptions/listen
// request for the filter ListenFilter, and what is wrong with it.
type ListenCase struct {
	Name  string
	Lines []string  // messages that answer it, placeholders as in Step
	Close bool      // over HTTP the stream ends after them
	Rule  string    // of the finding that names what is wrong, "" if nothing is
	End   ListenEnd // what becomes of the subscription
	Late  bool      // the rule is found when no acknowledgement has come in time
	HTTP  bool      // only over HTTP
}

// ListenEnd is what a case makes of a subscription.
type ListenEnd uint8

// The ends of a subscription.
const (
	ListenStays  ListenEnd = iota // it is open
	ListenEnds                    // for good
	ListenBreaks                  // it is asked for again
)

// ListenFilter is the filter that the cases are about.
const ListenFilter = `{"toolsListChanged":true,"resourceSubscriptions":["demo://a"]}`

const (
	subscription = `"_meta":{"io.modelcontextprotocol/subscriptionId":{{id}}}`
	acknowledge  = `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{` + subscription + `,"notifications":` + ListenFilter + `}}`
	toolsChanged = `{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{` + subscription + `}}`
	listenResult = `{"jsonrpc":"2.0","id":{{id}},"result":{"resultType":"complete",` + subscription + `}}`
)

func updated(uri, meta string) string {
	return `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"` + uri + `"` + meta + `}}`
}

func tagged(id string) string {
	return `,"_meta":{"io.modelcontextprotocol/subscriptionId":` + id + `}`
}

// MisbehavingListen are servers that answer subscriptions/listen wrongly, and
// for comparison some that do not.
var MisbehavingListen = []ListenCase{
	{Name: "by the rules", Lines: []string{acknowledge, toolsChanged, updated("demo://a", tagged("{{id}}"))}},
	{Name: "a part of the resource", Lines: []string{acknowledge, updated("demo://a/b?c", tagged("{{id}}"))}},
	{Name: "agrees to less", Lines: []string{`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{` + subscription + `,"notifications":{"toolsListChanged":true}}}`, toolsChanged}},
	{Name: "an orderly end", Lines: []string{acknowledge, toolsChanged, listenResult}, Close: true, End: ListenEnds},
	{Name: "an immediate result", Lines: []string{listenResult}, Close: true, Rule: "L-SUB-01", End: ListenEnds},
	{Name: "never acknowledges", Rule: "L-SUB-01", End: ListenBreaks, Late: true},
	{Name: "acknowledges without a filter", Lines: []string{`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{` + subscription + `}}`}, Rule: "L-SUB-01"},
	{Name: "acknowledges twice", Lines: []string{acknowledge, acknowledge}, Rule: "L-SUB-01"},
	{Name: "sends before the acknowledgement", Lines: []string{toolsChanged, acknowledge}, Rule: "L-SUB-01"},
	{Name: "agrees to more", Lines: []string{`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{` + subscription + `,"notifications":{"toolsListChanged":true,"promptsListChanged":true,"resourceSubscriptions":["demo://a","demo://b"]}}}`}, Rule: "L-SUB-04"},
	{Name: "agrees with a filter of the wrong shape", Lines: []string{`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{` + subscription + `,"notifications":{"toolsListChanged":1,"resourceSubscriptions":"demo://a"}}}`}, Rule: "L-SUB-04"},
	{Name: "types that were not asked for", Lines: []string{acknowledge, `{"jsonrpc":"2.0","method":"notifications/prompts/list_changed","params":{` + subscription + `}}`}, Rule: "L-SUB-03"},
	{Name: "a resource that was not asked for", Lines: []string{acknowledge, updated("demo://ab", tagged("{{id}}"))}, Rule: "L-SUB-03"},
	{Name: "the wrong id", Lines: []string{acknowledge, updated("demo://a", tagged(`"other"`))}, Rule: "L-SUB-02"},
	{Name: "the id as a string", Lines: []string{acknowledge, updated("demo://a", tagged(`"{{id}}"`))}, Rule: "L-SUB-02"},
	{Name: "an acknowledgement with the wrong id", Lines: []string{`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":999999},"notifications":` + ListenFilter + `}}`}, Rule: "L-SUB-02"},
	{Name: "no id", Lines: []string{acknowledge, updated("demo://a", "")}, Rule: "L-SUB-02"},
	{Name: "progress on the stream", Lines: []string{acknowledge, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":{{id}},"progress":1,` + subscription + `}}`}, Rule: "L-SUB-05"},
	{Name: "a log message on the stream", Lines: []string{acknowledge, `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1,` + subscription + `}}`}, Rule: "L-LOG-04"},
	{Name: "a result with something in it", Lines: []string{acknowledge, `{"jsonrpc":"2.0","id":{{id}},"result":{"resultType":"complete","tools":[],` + subscription + `}}`}, Close: true, Rule: "L-SUB-10", End: ListenEnds},
	{Name: "a result without an id in it", Lines: []string{acknowledge, `{"jsonrpc":"2.0","id":{{id}},"result":{"resultType":"complete"}}`}, Close: true, Rule: "L-SUB-06", End: ListenEnds},
	{Name: "a result with another id in it", Lines: []string{acknowledge, `{"jsonrpc":"2.0","id":{{id}},"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":"{{id}}"}}}`}, Close: true, Rule: "L-SUB-02", End: ListenEnds},
	{Name: "something after the end", Lines: []string{acknowledge, listenResult, toolsChanged}, Close: true, Rule: "L-SUB-07", End: ListenEnds},
	{Name: "a refusal", Lines: []string{`{"jsonrpc":"2.0","id":{{id}},"error":{"code":-32601,"message":"Method not found"}}`}, Close: true, End: ListenEnds},
	{Name: "cancelled by the server", Lines: []string{acknowledge, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{{id}},"reason":"shutting down"}}`}, End: ListenEnds},
	{Name: "cancelled by the server, then its result", Lines: []string{acknowledge, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{{id}}}}`, listenResult}, Close: true, End: ListenEnds},
	{Name: "the stream drops", Lines: []string{acknowledge, toolsChanged}, Close: true, Rule: "L-SUB-06", End: ListenBreaks, HTTP: true},
	{Name: "the stream ends at once", Close: true, Rule: "L-SUB-01", End: ListenBreaks, HTTP: true},
}

// Script is a well-behaved server but for this case.
func (c ListenCase) Script() Script {
	var steps []Step
	for _, line := range c.Lines {
		steps = append(steps, Line(line))
	}
	return ModernServer().With("subscriptions/listen", steps...)
}

// Answer is the HTTP answer to the listen request.
func (c ListenCase) Answer() Exchange {
	x := Exchange{{Bytes: eventHead + ": open\n\n"}}
	for _, line := range c.Lines {
		x = append(x, Piece{Bytes: "data: " + line + "\n\n"})
	}
	if c.Close {
		return x
	}
	return append(x, Piece{Hang: true})
}

// Serve makes s a well-behaved server but for this case.
func (c ListenCase) Serve(s *HTTPServer) {
	s.ServeModern()
	s.On("POST subscriptions/listen", Pieces(c.Answer()...))
}

// DiscoverResult is the answer of ModernServer to server/discover.
const DiscoverResult = `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true}},` +
	`"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"sessiontest","version":"1"}}}`

// modernResult adds what the results of 2026-07-28 have to one of Server.
func modernResult(result string) string {
	return `{"resultType":"complete","ttlMs":0,"cacheScope":"private",` + result[1:]
}

// ModernServer is Server for 2026-07-28; it reads the resources demo://a and
// acknowledges ListenFilter to whoever listens.
func ModernServer() Script {
	return Script{On: map[string][]Step{
		"server/discover":      {Reply(DiscoverResult)},
		"tools/list":           {Reply(modernResult(ToolsResult))},
		"tools/call":           {Reply(`{"resultType":"complete",` + CallResult[1:])},
		"resources/list":       {Reply(modernResult(`{"resources":[{"uri":"demo://a","name":"a"}]}`))},
		"resources/read":       {Reply(modernResult(ReadResult))},
		"subscriptions/listen": {Line(acknowledge)},
	}}
}

// ReadResult is what ModernServer has for a resource.
const ReadResult = `{"contents":[{"uri":"demo://a","text":"one"}]}`

// ServeModern makes s what ModernServer is for stdio.
func (s *HTTPServer) ServeModern() {
	s.On("POST server/discover", Result(DiscoverResult))
	s.On("POST tools/list", Result(modernResult(ToolsResult)))
	s.On("POST tools/call", Result(`{"resultType":"complete",`+CallResult[1:]))
	s.On("POST resources/list", Result(modernResult(`{"resources":[{"uri":"demo://a","name":"a"}]}`)))
	s.On("POST resources/read", Result(modernResult(ReadResult)))
	s.On("POST subscriptions/listen", Stream(Piece{Bytes: "data: " + acknowledge + "\n\n"}, Piece{Hang: true}))
	s.On("GET", Status(405, "text/plain", "Method Not Allowed"))
}
