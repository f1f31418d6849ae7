package view

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/recorder/replay"
	"mcploupe/session"
	"mcploupe/session/sessiontest"
	"mcploupe/ui/settings"
)

const riskyTools = `{"tools":[{"name":"good","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}},` +
	`{"name":"bad","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":false,"destructiveHint":true}}]}`

const question = `{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}`

// recordCalls records a connection to a peer on which tools are called.
func recordCalls(t *testing.T, server settings.Server, tools ...string) string {
	t.Helper()
	h := newHarness(t, server)
	h.Connect()
	h.awaitPhase(Connected)
	h.await("the tools", func() bool { return h.State().Lists[session.Tools].Status == session.ListComplete })
	for _, name := range tools {
		raw := h.Session().NewRequest(protocol.MethodToolsCall, jsontext.Value(`{"name":"`+name+`","arguments":{"a":9007199254740993}}`))
		call, err := h.Session().Do(t.Context(), raw, session.CallOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := call.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	path := h.Path()
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// player is a Replay whose changes a test can wait for.
type player struct {
	*Replay
	t       *testing.T
	dir     string
	conn    *Conn
	changed chan struct{}
}

func newPlayer(t *testing.T, path string) *player {
	t.Helper()
	p := &player{t: t, dir: t.TempDir(), changed: make(chan struct{}, 1)}
	p.Replay = NewReplay(path, ReplayOptions{Now: time.Now, Changed: p.mark})
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		p.closeConn()
	})
	p.await("the recording", func(s ReplayState) bool { return s.Phase == ReplayReady })
	return p
}

func (p *player) closeConn() {
	if p.conn != nil {
		if err := p.conn.Close(); err != nil {
			p.t.Error(err)
		}
		p.conn = nil
	}
}

func (p *player) mark() {
	select {
	case p.changed <- struct{}{}:
	default:
	}
}

func (p *player) await(what string, ok func(ReplayState) bool) ReplayState {
	p.t.Helper()
	late := time.NewTimer(20 * time.Second)
	defer late.Stop()
	for {
		if p.conn != nil {
			p.conn.Take()
		}
		p.Take()
		s := p.State()
		if ok(s) {
			return s
		}
		select {
		case <-p.changed:
		case <-late.C:
			p.t.Fatalf("no %s: %+v", what, s)
		}
	}
}

// begin starts a run against a server.
func (p *player) begin(server settings.Server) {
	p.t.Helper()
	p.closeConn()
	p.SetTargets([]settings.Server{server}, nil)
	labels, _ := p.Targets()
	p.Choose(slices.IndexFunc(labels, func(l string) bool { return strings.HasPrefix(l, "saved: ") }))
	target, o, err := p.Begin(ConnOptions{RecordingDir: p.dir, App: "test", Changed: p.mark})
	if err != nil {
		p.t.Fatal(err)
	}
	p.conn = NewConn(target, o)
	p.Started(p.conn)
	p.conn.Connect()
}

func (p *player) play(server settings.Server) ReplayState {
	p.t.Helper()
	p.begin(server)
	return p.await("the end", func(s ReplayState) bool { return s.Phase == ReplayEnded })
}

// row is the row of a call of a tool.
func (p *player) row(name string) ReplayRow {
	p.t.Helper()
	for i := range p.Rows() {
		if r := p.Row(i); r.Name == name {
			return r
		}
	}
	p.t.Fatalf("no row for %s", name)
	return ReplayRow{}
}

// saved gives a server a name and an id of its own.
func saved(s settings.Server, name string) settings.Server {
	s.ID, s.Target.Name = name, name
	return s
}

func TestReplaySaysSameAndDifferent(t *testing.T) { // case 144, 149
	script := sessiontest.Server().With("tools/list", sessiontest.Reply(riskyTools))
	same := saved(peer(t, script), "same")
	p := newPlayer(t, recordCalls(t, same, "good", "bad", "good"))
	bad := p.row("bad")
	if bad.Ticked || bad.Hint != "destructive" || !strings.Contains(bad.Note, "destroy") || p.row("good").Hint != "harmless" {
		t.Errorf("destructive %+v, harmless %+v", bad, p.row("good"))
	}
	p.TickAll(true)
	if p.row("bad").Ticked {
		t.Error("all ticks a destructive call, too")
	}
	end := p.play(same)
	if end.Tone != Good || end.Different != 0 || !strings.Contains(end.Line, "No difference") || !strings.Contains(end.Line, "1 skipped") {
		t.Errorf("the same server gives %+v", end)
	}
	if r := p.row("bad"); r.Word != "skipped" || r.Glyph == p.row("good").Glyph {
		t.Errorf("the call that was not chosen: %+v", r)
	}
	d, ok := p.Detail(p.row("good").Call)
	if !ok || len(d.Bindings) == 0 {
		t.Errorf("no value was bound: %+v", d)
	}
	p.closeConn()
	if err := p.Settle(); err != nil {
		t.Fatal(err)
	}
	for _, side := range []ReplaySide{RequestBefore, AnswerBefore, RequestNow, AnswerNow} {
		raw, _, note := p.Message(t.Context(), p.row("good").Call, side)
		if len(raw) == 0 || note != "" {
			t.Errorf("side %d: %q, %q", side, raw, note)
		}
		if side == RequestNow && !strings.Contains(string(raw), "9007199254740993") {
			t.Errorf("the number is not what was recorded: %s", raw)
		}
	}
	p.Toggle(p.row("bad").Call)
	other := saved(peer(t, script.With("tools/call bad", sessiontest.Reply(`{"content":[{"type":"text","text":"worse"}]}`))), "other")
	end = p.play(other)
	if end.Different != 1 || p.row("bad").Word != "different" || p.row("good").Word != "same" {
		t.Fatalf("another server gives %+v, bad %+v", end, p.row("bad"))
	}
	if d, _ := p.Detail(p.row("bad").Call); len(d.Differences) != 1 || d.Differences[0].Before != `"fine"` || d.Differences[0].After != `"worse"` || d.Differences[0].Path == "" {
		t.Errorf("the difference is %+v", d.Differences)
	}
	p.SetFilter("tools/call different")
	if p.Rows() != 1 {
		t.Errorf("%d rows differ", p.Rows())
	}
	p.SetFilter("")
	if n := p.TickDifferent(); n != 1 || p.row("good").Ticked || !p.row("bad").Ticked {
		t.Errorf("%d different ones are ticked", n)
	}
	if end = p.play(other); end.Different != 1 || p.row("good").Word != "skipped" {
		t.Errorf("only the different: %+v", end)
	}
	if path, err := p.Outcome(); err != nil || path == p.Path() {
		t.Errorf("the new recording is %q, %v", path, err)
	}
}

func TestReplayStopsAtTheFirstDifference(t *testing.T) {
	script := sessiontest.Server()
	server := saved(peer(t, script), "same")
	p := newPlayer(t, recordCalls(t, server, "bad", "good"))
	p.SetStopAtDifference(true)
	other := saved(peer(t, script.With("tools/call bad", sessiontest.Reply(`{"content":[]}`))), "other")
	end := p.play(other)
	if end.Different != 1 || p.row("good").Word != "" || !strings.Contains(end.Line, "Stopped at the first difference") {
		t.Errorf("%+v, the next is %q", end, p.row("good").Word)
	}
}

// A message can be edited before it is sent, as any JSON that keeps the id.
func TestReplayByStep(t *testing.T) { // case 152
	server := saved(peer(t, sessiontest.Server().With("tools/call new", sessiontest.Reply(`{"content":[]}`))), "s")
	p := newPlayer(t, recordCalls(t, server, "good", "good", "bad"))
	p.SetPace(PaceStep)
	p.SetKeepOpen(true)
	p.begin(server)
	step := func(sent int) ReplayState {
		t.Helper()
		return p.await("the next message", func(s ReplayState) bool { return s.Step != nil && s.Step.Number > sent })
	}
	var s ReplayState
	for at := 0; ; at = s.Step.Number {
		if s = step(at); strings.Contains(s.Step.Text, `"good"`) {
			break
		}
		if err := p.Send(s.Step.Text); err != nil {
			t.Fatal(err)
		}
	}
	if !s.Paused || !s.Step.Editable || !strings.Contains(s.Step.Text, "9007199254740993") {
		t.Errorf("waiting: %+v", s.Step)
	}
	for _, wrong := range []string{"{", `{"jsonrpc":"2.0","id":"mine","method":"ping"}`} {
		if err := p.Send(wrong); err == nil {
			t.Errorf("%s can be sent", wrong)
		}
	}
	first := s.Step.Call
	if err := p.Send(strings.Replace(s.Step.Text, `"good"`, `"new"`, 1)); err != nil {
		t.Fatal(err)
	}
	s = step(s.Step.Number)
	p.Skip()
	s = step(s.Step.Number)
	if err := p.Resume(s.Step.Text); err != nil {
		t.Fatal(err)
	}
	end := p.await("the end", func(s ReplayState) bool { return s.Phase == ReplayEnded })
	raw, _, _ := p.Message(t.Context(), first, RequestNow)
	if !strings.Contains(string(raw), `"name":"new"`) || strings.Contains(string(raw), "\n") {
		t.Errorf("sent was %s", raw)
	}
	if p.row("bad").Word != "same" || !strings.Contains(end.Line, "1 skipped") || end.Different != 1 {
		t.Errorf("%+v", end)
	}
}

func TestReplayIsStopped(t *testing.T) {
	server := saved(peer(t, sessiontest.Server()), "s")
	p := newPlayer(t, recordCalls(t, server, "good"))
	p.begin(saved(peer(t, sessiontest.Server().With("tools/call", sessiontest.Stderr("nothing"))), "mute"))
	p.await("the call", func(s ReplayState) bool { return s.Phase == ReplayRunning && s.Call == p.row("good").Call })
	p.Stop()
	end := p.await("the end", func(s ReplayState) bool { return s.Phase == ReplayEnded })
	if end.Why != "" || !strings.Contains(end.Line, "topped") {
		t.Errorf("%+v", end)
	}
	p.Toggle(p.row("good").Call)
	if p.row("good").Ticked {
		t.Error("nothing can be chosen after a run that was stopped")
	}
}

func TestReplayThatCannotConnect(t *testing.T) {
	server := saved(peer(t, sessiontest.Server()), "s")
	p := newPlayer(t, recordCalls(t, server, "good"))
	dead := server
	dead.ID, dead.Target.Command = "dead", filepath.Join(t.TempDir(), "none")
	if end := p.play(dead); end.Tone != Bad || end.Why == "" || !strings.Contains(end.Line, "did not begin") || end.Began {
		t.Errorf("%+v", end)
	}
	for _, f := range p.SummaryFacts() {
		if f.Label == "New recording" {
			t.Errorf("the summary names the recording %s of nothing", f.Value)
		}
	}
	if end := p.play(server); end.Tone != Good || !end.Began {
		t.Errorf("after that the server gives %+v", end)
	}
}

// What the recording answers is answered and shown, what it does not comes to
// the person.
func TestReplayQuestions(t *testing.T) {
	server := saved(peer(t, sessiontest.Server().With("tools/call good", sessiontest.Line(question), sessiontest.Reply(sessiontest.CallResult))), "s")
	path := recordCalls(t, saved(peer(t, sessiontest.Server()), "quiet"), "good", "bad")
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	// The recorded client can be asked.
	able := strings.ReplaceAll(string(raw), `"capabilities":{},"clientInfo"`, `"capabilities":{"elicitation":{}},"clientInfo"`)
	if err := os.WriteFile(path, []byte(able), 0o600); err != nil {
		t.Fatal(err)
	}
	p := newPlayer(t, path)
	p.SetPace(PaceStep)
	p.begin(server)
	for at := 0; ; {
		s := p.await("the next message", func(s ReplayState) bool { return s.Step != nil && s.Step.Number > at || s.Phase == ReplayEnded })
		if s.Phase == ReplayEnded {
			t.Fatalf("nothing was asked: %+v", s)
		}
		at = s.Step.Number
		if strings.Contains(s.Step.Text, `"bad"`) {
			break
		}
		if err := p.Send(s.Step.Text); err != nil {
			t.Fatal(err)
		}
	}
	var q ReplayQuestion
	p.await("the question", func(ReplayState) bool {
		var waits int
		q, waits = p.OpenQuestion()
		return waits == 1
	})
	if q.Method != protocol.MethodElicit || q.About != "Who?" || q.Answer != "" {
		t.Errorf("the question is %+v", q)
	}
	if err := p.conn.Session().Reply(t.Context(), q.Key, session.Reply{Action: session.ActionDecline}); err != nil {
		t.Fatal(err)
	}
	p.await("the answer", func(ReplayState) bool { _, waits := p.OpenQuestion(); return waits == 0 })
	if err := p.Resume(p.State().Step.Text); err != nil {
		t.Fatal(err)
	}
	p.await("the end", func(s ReplayState) bool { return s.Phase == ReplayEnded })
	if asked, more := p.Questions(); len(asked) != 1 || more != 0 {
		t.Errorf("asked was %+v", asked)
	}
}

func TestReplayTargets(t *testing.T) {
	here := settings.Server{Target: session.Target{Command: "srv", Env: []session.EnvVar{{Name: "TOKEN", Secret: true}}}}
	kept := settings.Server{ID: "1", Target: session.Target{Name: "kept", Command: "srv", Env: []session.EnvVar{{Name: "TOKEN", Value: "x", Secret: true}}}}
	all := replayTargets(here, nil, nil)
	if len(all) != 2 || !all[1].Typed || !strings.Contains(missingSecrets(all[0].Server), "TOKEN") {
		t.Errorf("without saved servers: %+v", all)
	}
	all = replayTargets(here, []settings.Server{kept, {ID: "2", Target: session.Target{Command: "other"}}}, nil)
	if len(all) != 3 || all[0].Server.ID != "1" || missingSecrets(all[0].Server) != "" {
		t.Errorf("with a saved one: %+v", all)
	}
	if all := replayTargets(settings.Server{}, nil, nil); len(all) != 1 {
		t.Errorf("a recording without a server offers %+v", all)
	}
}

func TestReplayRules(t *testing.T) {
	p := newPlayer(t, recordCalls(t, saved(peer(t, sessiontest.Server()), "s"), "good"))
	p.SetRules(filepath.Join(t.TempDir(), "none"))
	p.await("the error", func(ReplayState) bool { _, tone := p.RulesNote(); return tone == Bad })
	p.SetTargets(nil, nil)
	if _, _, err := p.Begin(ConnOptions{}); err == nil || !strings.Contains(err.Error(), "rules") {
		t.Errorf("a run begins without its rules: %v", err)
	}
	p.SetRules("")
	if text, tone := p.RulesNote(); text != "none" || tone != Muted {
		t.Errorf("no rules are %q", text)
	}
}

func TestReplayOfWhatIsNoRecording(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x"+RecordingExt)
	if err := os.WriteFile(path, []byte("hello\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	changed := make(chan struct{}, 1)
	r := NewReplay(path, ReplayOptions{Now: time.Now, Changed: func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	}})
	for r.State().Phase == ReplayLoading {
		<-changed
	}
	if s := r.State(); s.Phase != ReplayBroken || s.Detail == "" {
		t.Errorf("%+v", s)
	}
	if _, _, err := r.Begin(ConnOptions{}); err == nil {
		t.Error("it can be played")
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

func TestOutcomeSignsDiffer(t *testing.T) {
	seen := map[string]replay.Outcome{}
	for o := replay.Same; o <= replay.Sent; o++ {
		glyph, _ := outcomeSign(o)
		if other, twice := seen[glyph]; twice {
			t.Errorf("%s and %s share %q", o, other, glyph)
		}
		seen[glyph] = o
	}
}

// A recording of the demo of this program can be played although the program is
// not on the path under its name; nothing else is taken for it.
func TestOwnProgramStandsInForItsName(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	demo := session.Target{Command: "mcploupe", Args: []string{"demo"}}
	if got := OwnProgram(demo, "/opt/loupe").Command; got != "/opt/loupe" {
		t.Errorf("the demo is started by %q", got)
	}
	for _, other := range []session.Target{{Command: "mcploupe", Args: []string{"serve", "x"}}, {Command: "/usr/bin/mcploupe", Args: []string{"demo"}}, {Command: "node", Args: []string{"demo"}}} {
		if got := OwnProgram(other, "/opt/loupe").Command; got != other.Command {
			t.Errorf("%q became %q", other.Command, got)
		}
	}
	if got := PathTail("/result/content", 8); got != "…content" || PathTail("/a", 8) != "/a" {
		t.Errorf("the end of the path is %q", got)
	}
}
