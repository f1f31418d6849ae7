package view

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"mcploupe/protocol"
	"mcploupe/session"
)

// secretVariable is the environment variable that a generated test takes a
// secret from.
const secretVariable = "MCP_SECRET"

// goTest is a Go test, with nothing but the standard library, that opens a
// connection to the target as the recording did, sends the bytes of the request
// and compares the answer with the recorded one. Credentials are read from the
// environment.
func goTest(t session.Target, r recorded) string {
	t = t.WithoutSecrets(Secret)
	g := &goWriter{}
	g.line("package mcp_test")
	g.line("")
	g.imports(t, r)
	g.line("// %s sends what was recorded and expects the recorded answer.", testName(r.message))
	g.line("func %s(t *testing.T) {", testName(r.message))
	if t.Command != "" {
		g.stdio(t, r)
	} else {
		g.http(t, r)
	}
	g.line("}")
	g.line("")
	if t.Command != "" {
		g.text(goReadLine)
	} else {
		g.text(goReadBody)
	}
	g.text(goMembers)
	return g.b.String()
}

// testName names the test after what is called.
func testName(m protocol.Message) string {
	var b strings.Builder
	b.WriteString("Test")
	upper := true
	for _, r := range m.Method + " " + protocol.NameOf(m.Method, m.Params) {
		switch {
		case r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r):
			upper = true
		case b.Len() >= 60:
			return b.String()
		case upper:
			b.WriteRune(unicode.ToUpper(r))
			upper = false
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// goWriter collects the lines of a Go source.
type goWriter struct{ b strings.Builder }

func (g *goWriter) line(format string, args ...any) {
	fmt.Fprintf(&g.b, format, args...)
	g.b.WriteByte('\n')
}

func (g *goWriter) text(s string) { g.b.WriteString(s) }

func (g *goWriter) imports(t session.Target, r recorded) {
	names := []string{"bufio", "bytes", "context", "encoding/json", "io", "os", "os/exec", "reflect", "testing", "time"}
	if t.Command == "" {
		names = []string{"bufio", "bytes", "context", "encoding/json", "io", "net/http", "reflect", "strings", "testing", "time"}
		if g.secret(t) {
			names = []string{"bufio", "bytes", "context", "encoding/json", "io", "net/http", "os", "reflect", "strings", "testing", "time"}
		}
	}
	g.line("import (")
	for _, name := range names {
		if name == "reflect" && r.answer == nil {
			continue
		}
		g.line("\t%q", name)
	}
	g.line(")")
	g.line("")
}

// secret reports whether the source reads the environment for a target over
// HTTP.
func (g *goWriter) secret(t session.Target) bool {
	return t.Bearer != "" || len(t.Headers) > 0 || strings.Contains(t.URL, Secret)
}

func (g *goWriter) begin() {
	g.line("\tctx, cancel := context.WithTimeout(context.Background(), time.Minute)")
	g.line("\tdefer cancel()")
}

func (g *goWriter) stdio(t session.Target, r recorded) {
	g.begin()
	words := []string{"ctx", goString(t.Command)}
	for _, a := range t.Args {
		words = append(words, goString(a))
	}
	g.line("\tcmd := exec.CommandContext(%s)", strings.Join(words, ", "))
	if t.Dir != "" {
		g.line("\tcmd.Dir = %s", goString(t.Dir))
	}
	if len(t.Env) > 0 {
		var names []string
		for _, e := range t.Env {
			names = append(names, e.Name)
		}
		g.line("\t// The server had these variables, which are taken from the environment: %s.", oneGoLine(strings.Join(names, ", ")))
	}
	g.line("\tcmd.Stderr = os.Stderr")
	g.line("\tin, err := cmd.StdinPipe()")
	g.check("")
	g.line("\tout, err := cmd.StdoutPipe()")
	g.check("")
	g.line("\tif err := cmd.Start(); err != nil {")
	g.line("\t\tt.Fatal(err)")
	g.line("\t}")
	g.line("\tdefer func() {")
	g.line("\t\t_ = in.Close()")
	g.line("\t\tcancel()")
	g.line("\t\t_ = cmd.Wait()")
	g.line("\t}()")
	g.line("\tlines := bufio.NewReader(out)")
	g.line("\tsend := func(message string) {")
	g.line("\t\tt.Helper()")
	g.line("\t\tif _, err := io.WriteString(in, message+\"\\n\"); err != nil {")
	g.line("\t\t\tt.Fatal(err)")
	g.line("\t\t}")
	g.line("\t}")
	if r.initialize.Raw != nil {
		g.line("\tsend(%s)", goString(string(r.initialize.Raw)))
		g.line("\treadAnswer(t, lines, %s)", goString(r.initialize.ID.String()))
		if len(r.initialized) > 0 {
			g.line("\tsend(%s)", goString(string(r.initialized)))
		}
	}
	g.line("\tsend(%s)", goString(string(r.message.Raw)))
	g.line("\tgot := readAnswer(t, lines, %s)", goString(r.message.ID.String()))
	g.compare(r)
}

func (g *goWriter) check(indent string) {
	g.line("%s\tif err != nil {", indent)
	g.line("%s\t\tt.Fatal(err)", indent)
	g.line("%s\t}", indent)
}

// compare checks what came.
func (g *goWriter) compare(r recorded) {
	if r.answer == nil {
		g.line("\tif m := members(t, got); m.Error != nil || m.Result == nil {")
		g.line("\t\tt.Errorf(\"answered with %%s\", got)")
		g.line("\t}")
		return
	}
	g.line("\twant := []byte(%s)", goString(string(r.answer)))
	g.line("\tif !reflect.DeepEqual(members(t, got), members(t, want)) {")
	g.line("\t\tt.Errorf(\"answered with\\n%%s\\nwant\\n%%s\", got, want)")
	g.line("\t}")
}

func (g *goWriter) http(t session.Target, r recorded) {
	g.begin()
	g.line("\tsession := \"\" // that the server gave")
	if t.CAFile != "" {
		g.line("\t// The server's certificate was trusted by %s; SSL_CERT_FILE can name it.", oneGoLine(t.CAFile))
	}
	g.line("\tpost := func(id, message string, header map[string]string) []byte {")
	g.line("\t\tt.Helper()")
	g.line("\t\treq, err := http.NewRequestWithContext(ctx, http.MethodPost, %s, strings.NewReader(message))", goString(t.URL))
	g.check("\t")
	for _, h := range ownHeaders() {
		g.line("\t\treq.Header.Set(%s, %s)", goString(h.Name), goString(h.Value))
	}
	if t.Bearer != "" {
		g.line("\t\treq.Header.Set(\"Authorization\", \"Bearer \"+os.Getenv(\"MCP_BEARER\"))")
	}
	for _, h := range t.Headers {
		g.line("\t\treq.Header.Set(%s, os.Getenv(%q))", goString(h.Name), variable("MCP_HEADER_", h.Name))
	}
	g.line("\t\tfor name, value := range header {")
	g.line("\t\t\treq.Header.Set(name, value)")
	g.line("\t\t}")
	g.line("\t\tif session != \"\" {")
	g.line("\t\t\treq.Header.Set(\"%s\", session)", protocol.HeaderSession)
	g.line("\t\t}")
	g.line("\t\tresp, err := http.DefaultClient.Do(req)")
	g.check("\t")
	g.line("\t\tdefer resp.Body.Close()")
	g.line("\t\tif given := resp.Header.Get(\"%s\"); given != \"\" {", protocol.HeaderSession)
	g.line("\t\t\tsession = given")
	g.line("\t\t}")
	g.line("\t\treturn readAnswer(t, resp, id)")
	g.line("\t}")
	post := func(before, id string, m protocol.Message) {
		header := "nil"
		if fields := r.fields(m); len(fields) > 0 {
			var pairs []string
			for _, f := range fields {
				pairs = append(pairs, goString(f.Name)+": "+goString(f.Value))
			}
			header = "map[string]string{" + strings.Join(pairs, ", ") + "}"
		}
		g.line("\t%spost(%s, %s, %s)", before, goString(id), goString(string(m.Raw)), header)
	}
	if r.initialize.Raw != nil {
		post("", r.initialize.ID.String(), r.initialize)
		if len(r.initialized) > 0 {
			post("", "", protocol.Parse(r.initialized))
		}
	}
	post("got := ", r.message.ID.String(), r.message)
	g.compare(r)
}

// variable makes the name of an environment variable.
func variable(prefix, name string) string {
	return prefix + strings.Map(func(r rune) rune {
		if r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return '_'
		}
		return unicode.ToUpper(r)
	}, name)
}

// oneGoLine keeps a text within its comment.
func oneGoLine(s string) string { return line(s, 200) }

// goString writes a text as a Go expression; a secret in it becomes a look into
// the environment.
func goString(s string) string {
	parts := strings.Split(s, Secret)
	for i, p := range parts {
		parts[i] = goQuote(p)
	}
	return strings.Join(parts, "+os.Getenv("+strconv.Quote(secretVariable)+")+")
}

func goQuote(s string) string {
	if strings.Contains(s, `"`) && strconv.CanBackquote(s) {
		return "`" + s + "`"
	}
	return strconv.Quote(s)
}

// goReadLine finds an answer among the lines of a server.
const goReadLine = `// readAnswer reads up to the answer to id; what else the server says is passed over.
func readAnswer(t *testing.T, lines *bufio.Reader, id string) []byte {
	t.Helper()
	for {
		line, err := lines.ReadBytes('\n')
		if answers(line, id) {
			return bytes.TrimSpace(line)
		}
		if err != nil {
			t.Fatalf("no answer to %s: %v", id, err)
		}
	}
}

`

// goReadBody finds an answer in the body of a response.
const goReadBody = `// readAnswer reads up to the answer to id, "" for none, in a body of JSON or of
// server-sent events.
func readAnswer(t *testing.T, resp *http.Response, id string) []byte {
	t.Helper()
	body := bufio.NewReader(resp.Body)
	if id == "" || !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		all, err := io.ReadAll(body)
		if err != nil || resp.StatusCode >= 300 || id != "" && !answers(all, id) {
			t.Fatalf("%s: %s (%v)", resp.Status, all, err)
		}
		return bytes.TrimSpace(all)
	}
	var data []byte
	for {
		line, err := body.ReadBytes('\n')
		line = bytes.TrimRight(line, "\r\n")
		if text, ok := bytes.CutPrefix(line, []byte("data:")); ok {
			data = append(append(data, bytes.TrimPrefix(text, []byte(" "))...), '\n')
		}
		if len(line) == 0 || err != nil {
			if answers(data, id) {
				return bytes.TrimSpace(data)
			}
			data = nil
		}
		if err != nil {
			t.Fatalf("no answer to %s: %v", id, err)
		}
	}
}

`

const goMembers = `// answers reports whether a message is the answer to id.
func answers(message []byte, id string) bool {
	var m struct {
		ID     json.RawMessage
		Method string
	}
	return json.Unmarshal(message, &m) == nil && m.Method == "" && string(m.ID) == id
}

type answer struct{ Result, Error any }

// members takes an answer apart, numbers as they are written.
func members(t *testing.T, message []byte) (a answer) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(message))
	d.UseNumber()
	if err := d.Decode(&a); err != nil {
		t.Fatalf("%v: %s", err, message)
	}
	return a
}
`
