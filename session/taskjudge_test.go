package session

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/session/link"
	"mcploupe/session/sessiontest"
)

func TestTasksThatWereNotAgreedOn(t *testing.T) { // L-TSKX-01, L-TSKX-02, L-TSKX-11, L-TSKX-16, TSKX-03
	undeclaredCaps := protocol.ClientCapabilities{}
	for _, c := range []struct {
		name     string
		caps     protocol.ClientCapabilities
		discover func(string) string
		raw      string
		phase    CallPhase
		want     string
	}{
		{"not declared by this client", undeclaredCaps, nil, `tools/call {"name":"good"}`, CallInvalid, "L-TSKX-01"},
		{"of a method that has none", taskable, nil, `resources/read {"uri":"demo://a"}`, CallInvalid, "L-TSKX-01"},
		{"not declared by the server", taskable, func(d string) string {
			return strings.Replace(d, `"extensions":{"io.modelcontextprotocol/tasks":{}}`, `"x":{}`, 1)
		},
			`tools/call {"name":"good"}`, CallWorking, "L-TSKX-02"},
		{"the old capability", taskable, func(d string) string { return strings.Replace(d, `"tools":{}`, `"tools":{},"tasks":{}`, 1) },
			`tools/list {}`, CallOK, "L-TSKX-16"},
		{"asked for without the extension", undeclaredCaps, nil, `tasks/get {"taskId":"x"}`, CallOK, "L-TSKX-11"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				discover := strings.Replace(sessiontest.DiscoverResult, `"tools":{"listChanged":true}`, `"tools":{},"extensions":{"io.modelcontextprotocol/tasks":{}}`, 1)
				if c.discover != nil {
					discover = c.discover(discover)
				}
				script := sessiontest.ModernTaskServer().With("server/discover", sessiontest.Reply(discover)).
					With("tools/call", sessiontest.Reply(sessiontest.ModernHandle)).
					With("resources/read", sessiontest.Reply(sessiontest.ModernHandle)).
					With("tasks/get", sessiontest.Reply(sessiontest.ModernTask("working", "")))
				s, done := openScript(t, script, Options{Capabilities: c.caps})
				defer done()
				method, params, _ := strings.Cut(c.raw, " ")
				call, err := s.Do(t.Context(), s.NewRequest(method, jsontext.Value(params)), CallOptions{})
				if err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				if st := call.State(); st.Phase != c.phase {
					t.Errorf("phase %d, want %d: %s", st.Phase, c.phase, st.Err)
				}
				if got := rules(s.State()); !strings.Contains(got, c.want) {
					t.Errorf("findings %q, want %s", got, c.want)
				}
			})
		})
	}
}

func TestIdsThatCountUp(t *testing.T) { // L-TASK-12, L-TSKX-17
	synctest.Test(t, func(t *testing.T) {
		n := 0
		s, _, done := ready(t, stdioTarget, Options{}, withTasks(func(l *fakeLink, m protocol.Message, _ link.SendOptions) {
			switch m.Method {
			case protocol.MethodToolsList:
				l.result(m, sessiontest.TaskTools)
			case protocol.MethodToolsCall:
				n++
				l.result(m, `{"task":`+strings.Replace(sessiontest.CoreTask("working"), sessiontest.TaskID, fmt.Sprintf("research-job-%04d", []int{41, 43, 44, 44}[n-1]), 1)+`}`)
			}
		}))
		defer done()
		_ = s.Refresh(t.Context(), Tools)
		for _, want := range []string{"", "", "L-TASK-12", "L-TASK-12 L-TASK-12"} {
			callTask(t, s, "good", TaskOptions{})
			if got := rules(s.State()); got != want {
				t.Errorf("after %d: findings %q, want %q", n, got, want)
			}
		}
	})
}

func TestToolsThatSpeakOfTasksInVain(t *testing.T) { // L-TASK-14, TASK-03
	synctest.Test(t, func(t *testing.T) {
		s, done := openScript(t, sessiontest.Server().With("tools/list", sessiontest.Reply(sessiontest.TaskTools)), Options{})
		defer done()
		if err := s.Refresh(t.Context(), Tools); err != nil {
			t.Fatal(err)
		}
		st := s.State()
		if got := rules(st); got != "L-TASK-14 L-TASK-14" || st.Findings[0].Severity != protocol.Info || st.TaskChoice("required") != TaskNever {
			t.Errorf("findings %s: %+v", got, st.Findings)
		}
	})
}

func TestAPollThatIsAnsweredWithAStream(t *testing.T) { // L-TASK-15
	server := sessiontest.NewHTTP(t)
	server.On("POST server/discover", sessiontest.Status(404, "text/plain", "no"))
	server.ServeMCP()
	server.On("POST initialize", sessiontest.Result(strings.Replace(sessiontest.InitializeResult, `"tools":{}`, `"tools":{},"tasks":{"requests":{"tools":{"call":{}}}}`, 1)))
	server.On("POST tools/list", sessiontest.Result(sessiontest.TaskTools))
	server.On("POST tools/call", sessiontest.Result(`{"task":`+strings.Replace(sessiontest.CoreTask("working"), "500", "1", 1)+`}`))
	server.On("POST tasks/get", sessiontest.Stream(sessiontest.Piece{Bytes: `data: {"jsonrpc":"2.0","id":{{id}},"result":` + sessiontest.CoreTask("completed") + "}\n\n"}))
	server.On("POST tasks/result", sessiontest.Result(`{"content":[],"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"`+sessiontest.TaskID+`"}}}`))
	s := connectReal(t, Target{URL: server.URL}, Options{})
	if err := s.Refresh(t.Context(), Tools); err != nil {
		t.Fatal(err)
	}
	if st := ended(t, callTask(t, s, "good", TaskOptions{})); st.Phase != CallOK {
		t.Errorf("%+v", st)
	}
	if got := rules(s.State()); !strings.Contains(got, "L-TASK-15") {
		t.Errorf("findings %s", got)
	}
}

func TestTasksAreSubscribedToWithTheExtensionOnly(t *testing.T) { // L-TSKX-11, SUB-15
	for _, c := range []struct {
		name, code string // of the refusal, "" for an acknowledgement
		caps       protocol.ClientCapabilities
		extends    bool
		want       string
	}{
		{"refused by the rule", "-32021", protocol.ClientCapabilities{}, true, ""},
		{"refused with another code", "-32602", protocol.ClientCapabilities{}, true, "L-TSKX-11"},
		{"acknowledged", "", protocol.ClientCapabilities{}, true, "L-TSKX-11"},
		{"declared", "", taskable, true, ""},
		{"declared, and refused", "-32602", taskable, true, ""},
		{"a server without it", "", protocol.ClientCapabilities{}, false, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				play := func(l *fakeLink, m protocol.Message, _ link.SendOptions) {
					switch {
					case m.Method != protocol.MethodSubscriptionsListen:
					case c.code != "":
						l.fail(m, c.code, "")
					default:
						l.acknowledge(m)
					}
				}
				server := modern(play)
				if c.extends {
					server = withExtension(play)
				}
				s, _, done := ready(t, httpTarget, Options{Capabilities: c.caps}, server)
				defer done()
				if _, err := s.Subscribe(t.Context(), SubscriptionFilter{TaskIDs: []string{"t1"}}); err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				st := s.State()
				if got := rules(st); got != c.want {
					t.Errorf("findings %q, want %q", got, c.want)
				}
				if of := st.Subscriptions[0].Problems; len(of) > 0 != (c.want != "") {
					t.Errorf("the subscription has %v", of)
				}
			})
		})
	}
}

func TestAServerWithoutTheExtensionKnowsNoTasks(t *testing.T) { // L-TSKX-11, L-TSKX-12
	synctest.Test(t, func(t *testing.T) {
		s, _, done := ready(t, stdioTarget, Options{Capabilities: taskable}, modern(func(l *fakeLink, m protocol.Message, _ link.SendOptions) { l.fail(m, "-32601", "") }))
		defer done()
		for range 2 {
			for _, method := range []string{protocol.MethodTasksGet, protocol.MethodTasksCancel, protocol.MethodTasksUpdate, protocol.MethodTasksResult, protocol.MethodTasksList} {
				call, err := s.Do(t.Context(), s.NewRequest(method, jsontext.Value(`{"taskId":"x"}`)), CallOptions{})
				if err != nil {
					t.Fatal(err)
				}
				ended(t, call)
			}
			if got := rules(s.State()); got != "" {
				t.Errorf("findings %s", got)
			}
			if err := s.SetCapabilities(protocol.ClientCapabilities{}); err != nil { // undeclared from here on
				t.Fatal(err)
			}
		}
	})
}
