package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/session"
	"mcploupe/session/demo"
	"mcploupe/session/sessiontest"
	"mcploupe/ui/settings"
)

func TestMain(m *testing.M) {
	sessiontest.Main()
	os.Exit(m.Run())
}

// outcome is what a run left.
type outcome struct {
	code     int
	out, err string
}

// run runs the program with args and input.
func run(t *testing.T, input string, args ...string) outcome {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var out, errs bytes.Buffer
	code := Run(ctx, args, Env{
		In: strings.NewReader(input), Out: &out, Err: &errs, Version: "test",
		Settings: func() (*settings.Store, error) {
			return settings.Load(filepath.Join(t.TempDir(), "settings.json"))
		},
	})
	return outcome{code, out.String(), errs.String()}
}

// against appends a scripted server's command line to args.
func against(t *testing.T, script sessiontest.Script, args ...string) []string {
	t.Helper()
	command, argv, env := script.Command(t)
	for _, e := range env {
		args = append(args, "--env", e)
	}
	return append(append(args, "--", command), argv...)
}

func demoURL(t *testing.T) string {
	t.Helper()
	server, err := demo.ListenHTTP("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	return server.URL()
}

func at(t *testing.T, doc, pointer string) string {
	t.Helper()
	v, _, ok := protocol.Lookup(jsontext.Value(doc), pointer)
	if !ok {
		t.Fatalf("no %s in %s", pointer, doc)
	}
	return string(v)
}

// sent finds the messages of a method that a recording says were sent.
func sent(t *testing.T, path, method string) []protocol.Message {
	t.Helper()
	log, err := recorder.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := log.Close(); err != nil {
			t.Error(err)
		}
	}()
	var found []protocol.Message
	for seq := uint64(1); seq <= log.Len(); seq++ {
		if h := log.Head(seq); h.Dir == recorder.Out && h.Kind == recorder.KindMessage {
			e, err := log.Read(seq, 0)
			if err != nil {
				t.Fatal(err)
			}
			if m := protocol.Parse(bytes.Clone(e.Data)); method == "" || m.Method == method {
				found = append(found, m)
			}
		}
	}
	return found
}

func TestEveryVerbHasHelpWithAnExample(t *testing.T) {
	for _, v := range verbs() {
		got := run(t, "", v.name, "--help")
		if got.code != ExitOK || !strings.Contains(got.out, "example:\n  ") || !strings.Contains(got.out, "mcploupe "+v.name) {
			t.Errorf("%s --help: code %d, %q %q", v.name, got.code, got.out, got.err)
		}
		if !strings.Contains(Usage(), v.does) {
			t.Errorf("the usage does not list %s", v.name)
		}
	}
}

func TestFaultsOfTheCommandLineAreNamed(t *testing.T) {
	existing := filepath.Join(t.TempDir(), "there.mcp.jsonl")
	if err := os.WriteFile(existing, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"unknown verb":     {[]string{"insepct"}, `no verb "insepct"`},
		"no target":        {[]string{"inspect"}, "no target"},
		"unknown server":   {[]string{"inspect", "nobody"}, "neither a URL"},
		"empty command":    {[]string{"inspect", "--"}, "nothing stands after --"},
		"no tool":          {[]string{"call", "--", "true"}, "no tool named"},
		"header":           {[]string{"inspect", "--header", "novalue", "http://127.0.0.1:1/"}, "'Name: value'"},
		"environment":      {[]string{"inspect", "--env", "NOVALUE", "--", "true"}, "NAME=VALUE"},
		"revision":         {[]string{"inspect", "--revision", "2027-01-01", "--", "true"}, "2026-07-28"},
		"transport":        {[]string{"inspect", "--transport", "pigeon", "--", "true"}, "stdio, http or sse"},
		"answer":           {[]string{"inspect", "--answer", "perhaps", "--", "true"}, "--answer"},
		"existing record":  {[]string{"inspect", "--record", existing, "--", "true"}, "not overwritten"},
		"flag":             {[]string{"inspect", "--nonsense"}, "nonsense"},
		"completion kind":  {[]string{"complete", "http://127.0.0.1:1/", "tool", "a", "b"}, "prompt or a resource"},
		"surplus argument": {[]string{"inspect", "http://127.0.0.1:1/", "more"}, "not expected"},
	} {
		got := run(t, "", c.args...)
		if got.code != ExitFailed || !strings.Contains(got.err, c.want) || got.out != "" {
			t.Errorf("%s: code %d, out %q, err %q; want %q", name, got.code, got.out, got.err, c.want)
		}
	}
	if raw, err := os.ReadFile(existing); err != nil || string(raw) != "precious" {
		t.Errorf("the existing file was touched: %q, %v", raw, err)
	}
}

func TestInspectPrintsOneDocument(t *testing.T) {
	got := run(t, "", against(t, sessiontest.Server(), "inspect", "--json")...)
	if got.code != ExitOK {
		t.Fatalf("code %d\n%s", got.code, got.err)
	}
	if !jsontext.Value(got.out).IsValid() {
		t.Fatalf("not one JSON document: %s", got.out)
	}
	if name := at(t, got.out, "/tools/0/name"); name != `"good"` {
		t.Errorf("first tool %s", name)
	}
	if revision := at(t, got.out, "/revision"); revision != `"2025-11-25"` {
		t.Errorf("revision %s", revision)
	}
	if status := at(t, got.out, "/lists/prompts/status"); status != `"not offered"` {
		t.Errorf("prompts %s", status)
	}
	for _, step := range []string{"server/discover", "initialize"} {
		if !strings.Contains(got.err, step) {
			t.Errorf("the checklist on standard error does not name %s:\n%s", step, got.err)
		}
	}
}

func TestInspectForPeople(t *testing.T) {
	got := run(t, "", against(t, sessiontest.Server(), "inspect")...)
	if got.code != ExitOK {
		t.Fatalf("code %d\n%s", got.code, got.err)
	}
	for _, want := range []string{"sessiontest 1", "2025-11-25 over stdio", "2 tools", "good", "no problems found"} {
		if !strings.Contains(got.out, want) {
			t.Errorf("no %q in\n%s", want, got.out)
		}
	}
}

func TestInspectNamesMalformedEntriesAndKeepsTheOthers(t *testing.T) {
	script := sessiontest.Server().With(protocol.MethodToolsList,
		sessiontest.Reply(`{"tools":[{"name":"ok","inputSchema":{"type":"object"}},{"name":42}]}`))
	got := run(t, "", against(t, script, "inspect")...)
	if got.code != ExitFound {
		t.Errorf("code %d, want %d", got.code, ExitFound)
	}
	if !strings.Contains(got.out, "ok") || !strings.Contains(got.out, "(malformed)") || !strings.Contains(got.out, "#1") {
		t.Errorf("the catalogue is\n%s", got.out)
	}
}

func TestConnectFailureTellsWhatIsKnown(t *testing.T) {
	script := sessiontest.Script{Steps: []sessiontest.Step{sessiontest.Stderr("no token given\n"), sessiontest.Exit(3)}}
	got := run(t, "", against(t, script, "inspect")...)
	if got.code != ExitFailed {
		t.Errorf("code %d, want %d", got.code, ExitFailed)
	}
	for _, want := range []string{"exited with code 3", "no token given", "✗"} {
		if !strings.Contains(got.err, want) {
			t.Errorf("no %q in\n%s", want, got.err)
		}
	}
}

const sumTools = `{"tools":[{"name":"sum","inputSchema":{"type":"object","properties":{` +
	`"a":{"type":"integer"},"b":{"type":"number"},"label":{"type":"string"},"flag":{"type":"boolean"},"list":{"type":"array"}}}}]}`

func TestArgumentsArriveAsTyped(t *testing.T) { // C65, C78
	record := filepath.Join(t.TempDir(), "new", "r.mcp.jsonl")
	script := sessiontest.Server().With(protocol.MethodToolsList, sessiontest.Reply(sumTools)).
		With(protocol.MethodToolsCall, sessiontest.Reply(sessiontest.CallResult))
	got := run(t, "", against(t, script, "call", "--record", record,
		"sum", "a=9007199254740993", "b=1.0", "label=5", "flag=true", "list=[1, 2]", "extra:={\"n\":-0}")...)
	if got.code != ExitOK || !strings.Contains(got.out, "fine") {
		t.Fatalf("code %d\n%s\n%s", got.code, got.out, got.err)
	}
	calls := sent(t, record, protocol.MethodToolsCall)
	if len(calls) != 1 {
		t.Fatalf("%d calls recorded", len(calls))
	}
	const want = `{"a":9007199254740993,"b":1.0,"label":"5","flag":true,"list":[1, 2],"extra":{"n":-0}}`
	if arguments := at(t, string(calls[0].Params), "/arguments"); arguments != want {
		t.Errorf("sent %s\nwant %s", arguments, want)
	}
}

func TestArgsAndMetaGoOutAsTheyAre(t *testing.T) { // C65, C77, C78
	record := filepath.Join(t.TempDir(), "r.mcp.jsonl")
	script := sessiontest.Server().With(protocol.MethodToolsCall, sessiontest.Reply(sessiontest.CallResult))
	got := run(t, "", against(t, script, "call", "--record", record, "--args", `{"z":1e400,"a":[ ]}`, "--meta", `a.b/c={"x":[1]}`, "good")...)
	if got.code != ExitOK {
		t.Fatalf("code %d\n%s", got.code, got.err)
	}
	call := sent(t, record, protocol.MethodToolsCall)[0]
	if arguments := at(t, string(call.Params), "/arguments"); arguments != `{"z":1e400,"a":[ ]}` {
		t.Errorf("sent %s", arguments)
	}
	if meta := at(t, string(call.Params), "/_meta/a.b~1c"); meta != `{"x":[1]}` {
		t.Errorf("_meta has %s", meta)
	}
}

func TestToolErrorsAndRefusalsAreExitCode1(t *testing.T) {
	toolError := sessiontest.Server().With(protocol.MethodToolsCall, sessiontest.Reply(`{"isError":true,"content":[{"type":"text","text":"quota"}]}`))
	refusal := sessiontest.Server().With(protocol.MethodToolsCall, sessiontest.Line(`{"jsonrpc":"2.0","id":{{id}},"error":{"code":-32602,"message":"Unknown tool"}}`))
	got := run(t, "", against(t, toolError, "call", "good")...)
	if got.code != ExitFound || !strings.Contains(got.out, "quota") {
		t.Errorf("tool error: code %d\n%s\n%s", got.code, got.out, got.err)
	}
	got = run(t, "", against(t, refusal, "call", "--json", "good")...)
	if got.code != ExitFound || at(t, got.out, "/error/code") != "-32602" || at(t, got.out, "/outcome") != `"error"` {
		t.Errorf("refusal: code %d\n%s\n%s", got.code, got.out, got.err)
	}
}

func TestTimeoutSaysSo(t *testing.T) {
	script := sessiontest.Server().With(protocol.MethodToolsCall)
	got := run(t, "", against(t, script, "call", "--timeout", "200ms", "good")...)
	if got.code != ExitFound || !strings.Contains(got.err, "timed out") || !strings.Contains(got.err, "200") {
		t.Errorf("code %d\n%s", got.code, got.err)
	}
}

func TestAnswersServeWhatTheServerAsks(t *testing.T) {
	record := filepath.Join(t.TempDir(), "r.mcp.jsonl")
	// The result waits for both answers; the call is the fourth request, after
	// discover, initialize and tools/list.
	script := sessiontest.Server().With(protocol.MethodToolsCall,
		sessiontest.Line(`{"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":{"message":"Your name?","requestedSchema":{"type":"object","properties":{"n":{"type":"integer"}}}}}`),
		sessiontest.Line(`{"jsonrpc":"2.0","id":"q2","method":"elicitation/create","params":{"message":"Sure?","requestedSchema":{"type":"object","properties":{}}}}`),
		sessiontest.Expect("*"), sessiontest.Expect("*"),
		sessiontest.Line(`{"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"done"}]}}`))
	got := run(t, "", against(t, script, "call", "--record", record, "--answer", `{"action":"accept","content":{"n":9007199254740993}}`, "--answer", "decline", "good")...)
	if got.code != ExitOK || !strings.Contains(got.err, "Your name?") {
		t.Fatalf("code %d\n%s", got.code, got.err)
	}
	answers := map[string]string{}
	for _, m := range sent(t, record, "") {
		if m.Kind == protocol.Result {
			answers[m.ID.String()] = string(m.Result)
		}
	}
	if answers[`"q1"`] != `{"action":"accept","content":{"n":9007199254740993}}` || answers[`"q2"`] != `{"action":"decline"}` {
		t.Errorf("answers %v", answers)
	}
	capabilities := at(t, string(sent(t, record, protocol.MethodInitialize)[0].Params), "/capabilities")
	if !strings.Contains(capabilities, "elicitation") {
		t.Errorf("declared %s", capabilities)
	}
}

func TestWithoutAnswersNothingIsDeclared(t *testing.T) {
	record := filepath.Join(t.TempDir(), "r.mcp.jsonl")
	run(t, "", against(t, sessiontest.Server(), "inspect", "--record", record)...)
	if capabilities := at(t, string(sent(t, record, protocol.MethodInitialize)[0].Params), "/capabilities"); strings.Contains(capabilities, "elicitation") {
		t.Errorf("declared %s", capabilities)
	}
}

func TestRawSendsExactlyWhatIsTyped(t *testing.T) {
	record := filepath.Join(t.TempDir(), "r.mcp.jsonl")
	const odd = `{"jsonrpc":"2.0", "id":1.0,"method":"ping" }`
	const broken = `{"jsonrpc":`
	script := sessiontest.Script{On: map[string][]sessiontest.Step{"ping": {sessiontest.Line(`{"jsonrpc":"2.0","id":{{id}},"result":{}}`)}}}
	got := run(t, "", against(t, script, "raw", "--no-handshake", "--record", record, broken, odd)...)
	if got.code != ExitOK || strings.TrimSpace(got.out) != `{"jsonrpc":"2.0","id":1.0,"result":{}}` {
		t.Errorf("code %d, out %q\n%s", got.code, got.out, got.err)
	}
	raw, err := os.ReadFile(record)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(raw, []byte(odd)) {
		t.Errorf("the recording does not hold %s:\n%s", odd, raw)
	}
}

func TestRawReadsStandardInputAndMissesAnswers(t *testing.T) {
	script := sessiontest.Script{On: map[string][]sessiontest.Step{"good": {sessiontest.Reply(`{}`)}}}
	input := `{"jsonrpc":"2.0","id":1,"method":"good"}` + "\n" + `{"jsonrpc":"2.0","id":2,"method":"silent"}`
	got := run(t, input, against(t, script, "raw", "--no-handshake", "--timeout", "1s", "--json")...)
	if got.code != ExitFound || !strings.Contains(got.err, "id 2 got no answer") {
		t.Errorf("code %d\n%s", got.code, got.err)
	}
	if at(t, got.out, "/received/0/id") != "1" {
		t.Errorf("received %s", got.out)
	}
}

func TestSavedServersAreTargets(t *testing.T) {
	command, argv, env := sessiontest.Server().Command(t)
	target := session.Target{Name: "mine", Command: command, Args: argv}
	for _, e := range env {
		name, value, _ := strings.Cut(e, "=")
		target.Env = append(target.Env, session.EnvVar{Name: name, Value: value})
	}
	store, err := settings.Load(filepath.Join(t.TempDir(), "settings.json"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.AddServer(target); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	code := Run(t.Context(), []string{"call", "mine", "good"}, Env{In: strings.NewReader(""), Out: &out, Err: &errs,
		Settings: func() (*settings.Store, error) { return store, nil }})
	if code != ExitOK || !strings.Contains(out.String(), "fine") {
		t.Errorf("code %d\n%s\n%s", code, out.String(), errs.String())
	}
}

func TestDemoOverHTTP(t *testing.T) {
	url := demoURL(t)
	for _, revision := range revisionNames()[1:] { // Streamable HTTP began with the second
		got := run(t, "", "inspect", url, "--json", "--revision", revision)
		if got.code != ExitOK || at(t, got.out, "/revision") != `"`+revision+`"` {
			t.Errorf("%s: code %d\n%s", revision, got.code, got.err)
		}
	}
}
