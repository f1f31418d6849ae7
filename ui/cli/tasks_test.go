package cli

import (
	"strings"
	"testing"

	"mcploupe/protocol"
	"mcploupe/session/sessiontest"
)

func TestACallAsATaskShowsItsProgressAndEndsWithItsResult(t *testing.T) { // TASK-05, TASK-08, TASK-09
	path := t.TempDir() + "/r.mcp.jsonl"
	working := strings.Replace(sessiontest.CoreTask("working"), `"status":"working"`, `"status":"working","statusMessage":"Opening the \u001b[31mdome"`, 1)
	script := sessiontest.TaskCase{Gets: []string{strings.Replace(working, "500", "1", 1), sessiontest.CoreTask("completed")}}.Script()
	got := run(t, "", against(t, script, "call", "good", "--task=90s", "--record", path)...)
	if got.code != ExitOK || !strings.Contains(got.out, "fine") {
		t.Fatalf("%d %s %s", got.code, got.out, got.err)
	}
	for _, part := range []string{"task " + sessiontest.TaskID + ": working, Opening the ", "task " + sessiontest.TaskID + ": completed", "tools/call: ok"} {
		if !strings.Contains(got.err, part) {
			t.Errorf("no %q in %s", part, got.err)
		}
	}
	if strings.Contains(got.err, "\x1b") {
		t.Errorf("control characters: %q", got.err)
	}
	if calls := sent(t, path, protocol.MethodToolsCall); len(calls) != 1 || at(t, string(calls[0].Params), "/task/ttl") != "90000" {
		t.Errorf("sent %+v", calls)
	}
}

func TestQuestionsOfATaskAreAnswered(t *testing.T) { // TASK-15, TSKX-08
	t.Run("extension", func(t *testing.T) {
		path := t.TempDir() + "/r.mcp.jsonl"
		ask := `,"inputRequests":{"q":{"method":"elicitation/create","params":{"mode":"form","message":"How many?","requestedSchema":{"type":"object","properties":{}}}}}`
		script := sessiontest.TaskCase{Modern: true, Gets: []string{
			sessiontest.ModernTask("input_required", ask), sessiontest.ModernTask("completed", `,"result":`+sessiontest.CallResult),
		}}.Script()
		got := run(t, "", against(t, script, "call", "good", "--task", "--record", path, "--answer", `{"action":"accept","content":{"n":1.0}}`)...)
		if got.code != ExitOK || !strings.Contains(got.out, "fine") || !strings.Contains(got.err, "the server asks: elicitation/create: How many?") {
			t.Fatalf("%d %s %s", got.code, got.out, got.err)
		}
		updates := sent(t, path, protocol.MethodTasksUpdate)
		if len(updates) != 1 || at(t, string(updates[0].Params), "/inputResponses/q") != `{"action":"accept","content":{"n":1.0}}` {
			t.Errorf("sent %+v", updates)
		}
	})
	t.Run("core", func(t *testing.T) {
		path := t.TempDir() + "/r.mcp.jsonl"
		meta := `"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"` + sessiontest.TaskID + `"}}`
		script := sessiontest.TaskCase{Gets: []string{sessiontest.CoreTask("input_required"), sessiontest.CoreTask("completed")},
			On: map[string][]sessiontest.Step{"tasks/result": {
				sessiontest.Line(`{"jsonrpc":"2.0","id":"e","method":"elicitation/create","params":{"message":"How many?","requestedSchema":{"type":"object","properties":{}},` + meta + `}}`),
				sessiontest.Reply(`{"content":[{"type":"text","text":"fine"}],` + meta + `}`)}}}.Script()
		got := run(t, "", against(t, script, "call", "good", "--task", "--record", path, "--answer", `{"action":"decline"}`)...)
		if got.code != ExitOK || !strings.Contains(got.out, "fine") {
			t.Fatalf("%d %s %s", got.code, got.out, got.err)
		}
		for _, m := range sent(t, path, "") {
			if m.ID.String() == `"e"` && string(m.Result) != `{"action":"decline",`+meta+`}` {
				t.Errorf("the answer is %s", m.Raw)
			}
		}
	})
}

func TestATaskThatIsNotToBeHad(t *testing.T) { // TASK-03, TASK-04
	got := run(t, "", against(t, sessiontest.Server(), "call", "good", "--task")...)
	if got.code != ExitOK || !strings.Contains(got.err, "does not take calls of good as tasks") {
		t.Errorf("%d %s", got.code, got.err)
	}
	got = run(t, "", against(t, sessiontest.Server(), "call", "good", "--task=soon")...)
	if got.code != ExitFailed || !strings.Contains(got.err, "--task=soon") {
		t.Errorf("%d %s", got.code, got.err)
	}
}
