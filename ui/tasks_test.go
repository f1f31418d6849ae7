package ui

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"mcploupe/session/sessiontest"
)

// taskServer has a tool that is called as a task, which ends when it is cancelled
// or by itself.
func taskServer(get string) sessiontest.Script {
	return sessiontest.CoreTaskServer().
		With("tools/call", sessiontest.Reply(`{"task":`+sessiontest.CoreTask("working")+`}`)).
		With("tasks/get", sessiontest.Reply(get)).
		With("tasks/cancel", sessiontest.Reply(sessiontest.CoreTask("cancelled"))).
		With("tasks/list", sessiontest.Reply(`{"tasks":[`+strings.Replace(sessiontest.CoreTask("working"), sessiontest.TaskID, "anothers-task", 1)+`]}`)).
		With("tasks/result", sessiontest.Reply(`{"content":[{"type":"text","text":"surveyed"}],"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"`+sessiontest.TaskID+`"}}}`))
}

// optionsOf chooses a tool and shows the options of its calls.
func optionsOf(t *testing.T, d *desk, p *connPage, name string) *toolsPane {
	t.Helper()
	tools := paneOf[*toolsPane](t, d, p)
	if !tools.ShowEntry(name) {
		t.Fatalf("no tool %s", name)
	}
	tools.panel.showPage(pageOptions)
	return tools
}

func TestACallAsATaskAndItsBoard(t *testing.T) { // TASK-02, TASK-05, TASK-17, TASK-18
	d, p := offered(t, taskServer(sessiontest.CoreTask("working")))
	tools := optionsOf(t, d, p, "good")
	options := tools.panel.more.task
	if options.check.Disabled() || options.check.Checked || options.ttlAt.Visible() {
		t.Fatalf("the choice of an optional task: %v, %q", options.check.Checked, options.why.Text)
	}
	options.check.SetChecked(true)
	options.ttl.SetText("90 s")
	p.submit()
	d.await("the task", func() bool { p.flush(); return len(p.conn.State().Tasks) == 1 && p.conn.State().Tasks[0].Polls > 0 })
	if first := asked(t, p, "tools/call"); !strings.Contains(first, `"task":{"ttl":90000}`) {
		t.Errorf("sent %s", first)
	}
	d.await("its state in the place of the result", func() bool {
		p.flush()
		return strings.Contains(tools.panel.result.head.Text, "task working") && strings.Contains(tools.panel.result.message.Text, sessiontest.TaskID)
	})
	test.Tap(tools.panel.result.task)
	board, ok := p.front().(*tasksPane)
	if !ok || board.Title() != "Tasks 1" {
		t.Fatalf("it leads to %T", p.front())
	}
	d.shows("working", "good", "called here", "Kept for")
	test.Tap(board.fetch)
	d.await("the task of another", func() bool { p.flush(); return board.list.Count() == 2 })
	d.shows("found in the list")
	board.ShowTask(p.conn.State().Tasks[0].Key)
	test.Tap(board.page.stop)
	d.await("the end", func() bool { p.flush(); return board.page.detail.Glyph == "■" })
	if !board.page.stop.Disabled() || !strings.Contains(board.page.detail.NoResult, "cancelled") {
		t.Errorf("of a task that was cancelled it says %q", board.page.detail.NoResult)
	}
	test.Tap(board.clear)
	d.await("the board without it", func() bool { p.flush(); return board.list.Count() == 1 })
	paneOf[*toolsPane](t, d, p)
	finish(d, p, tools.panel)
	d.shows("Cancelled")
}

func TestTheResultOfATask(t *testing.T) { // TASK-06, TASK-09
	d, p := offered(t, taskServer(sessiontest.CoreTask("completed")))
	tools := optionsOf(t, d, p, "must")
	if options := tools.panel.more.task; !options.check.Checked || !options.check.Disabled() || !strings.Contains(options.why.Text, "TASK-06") {
		t.Errorf("a task that is required: %v, %q", options.check.Checked, options.why.Text)
	}
	p.submit()
	finish(d, p, tools.panel)
	d.shows("surveyed")
	board := paneOf[*tasksPane](t, d, p)
	if board.Title() != "Tasks" {
		t.Errorf("title %q", board.Title())
	}
	d.await("its result on the board", func() bool { return len(board.page.result.outcome.Parts) > 0 })
	d.shows("completed", "surveyed")
	board.page.strip.onSelect(taskJSON)
	d.await("its JSON", func() bool { return strings.Contains(string(board.page.json.text.Index().Raw()), sessiontest.TaskID) })
	board.Refresh()
	if board.page.at != taskJSON {
		t.Error("the page that was chosen does not stay")
	}
}

func TestATaskThatTheToolForbidsCanBeAskedForAllTheSame(t *testing.T) { // TASK-04
	d, p := offered(t, taskServer(sessiontest.CoreTask("completed")))
	tools := optionsOf(t, d, p, "bad")
	options := tools.panel.more.task
	if options.check.Checked || !strings.Contains(options.check.Text, "all the same") || !strings.Contains(options.why.Text, "TASK-04") {
		t.Errorf("%q, %q", options.check.Text, options.why.Text)
	}
	options.ttl.SetText("soon")
	options.check.SetChecked(true)
	if !tools.panel.send.Disabled() || !strings.Contains(tools.panel.why.Text, "ttl") {
		t.Errorf("a ttl that cannot be read: %q", tools.panel.why.Text)
	}
	options.ttl.SetText("")
	p.submit()
	finish(d, p, tools.panel)
	if first := asked(t, p, "tools/call"); !strings.Contains(first, `"task":{}`) {
		t.Errorf("sent %s", first)
	}
}

// asked is the newest request of ours with that method in the recording.
func asked(t *testing.T, p *connPage, method string) string {
	t.Helper()
	log := p.conn.Log()
	for seq := log.Len(); seq > 0; seq-- {
		if log.Head(seq).Method != method {
			continue
		}
		e, err := log.Read(seq, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(e.Data), `"method":"`+method) {
			return string(e.Data)
		}
	}
	return ""
}
