package ui

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"mcploupe/session/sessiontest"
	"mcploupe/ui/view"
)

// manyTools is the size of a list that has to stay fluid.
const manyTools = 5000

func manyToolsScript() sessiontest.Script {
	var b strings.Builder
	b.WriteString(`{"tools":[`)
	for i := range manyTools {
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, `{"name":"tool_%d","title":"Tool number %d","description":"Does thing %d with what it is given","inputSchema":{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}}}}`, i, i, i)
	}
	b.WriteString("]}")
	return sessiontest.Server().With("tools/list", sessiontest.Reply(b.String()))
}

func TestFiveThousandTools(t *testing.T) {
	d, p := offered(t, manyToolsScript())
	tools := paneOf[*toolsPane](t, d, p)
	if tools.list.model.Len() != manyTools {
		t.Fatalf("%d tools", tools.list.model.Len())
	}
	start := time.Now()
	tools.seen = listStamp{}
	tools.Refresh()
	listed := time.Since(start)
	start = time.Now()
	tools.list.filter.SetText("tool_4999")
	filtered := time.Since(start)
	d.shows("tool_4999", "1 of 5")
	start = time.Now()
	tools.list.list.Choose(0)
	chosen := time.Since(start)
	t.Logf("listed in %v, filtered in %v, form of one in %v", listed, filtered, chosen)
}

// A long text is checked beside the window, one check at a time, and again when
// it has changed meanwhile.
func TestLongRawTextIsCheckedInTheBackground(t *testing.T) {
	d, p := offered(t, offering())
	raw := paneOf[*freePane](t, d, p)
	var works []func(context.Context)
	raw.env.Go = func(f func(context.Context)) { works = append(works, f) }
	long := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + strings.Repeat("a", view.RawCheckNow) + `"}}`
	raw.editor.Run = func(work func() func()) { work()() }
	raw.SetText(long)
	if len(works) != 1 || raw.ready {
		t.Fatalf("%d checks, ready %v", len(works), raw.ready)
	}
	raw.SetText(long[:len(long)-1])
	raw.SetText(long[:len(long)-2])
	if len(works) != 1 {
		t.Errorf("%d checks at once", len(works))
	}
	works[0](t.Context())
	d.await("another check of what changed", func() bool { return len(works) == 2 })
	if raw.ready {
		t.Error("an old text's verdict was taken")
	}
	works[1](t.Context())
	d.await("the verdict", func() bool { return raw.ready })
	if !strings.Contains(raw.says.Text, "Line 1") {
		t.Errorf("says %q", raw.says.Text)
	}
}

// BenchmarkBigResult prints, for a tool's result of 20 MB, after how long its first
// lines and all of it are shown once it has arrived, and the longest that the
// drawing goroutine was busy at once. Budgets: 200 ms, and 50 ms.
func BenchmarkBigResult(b *testing.B) {
	long := strings.Repeat("a line of text that is not too long\\n", 20<<20/37)
	d, p := offered(b, sessiontest.Server().With("tools/call", sessiontest.Reply(`{"content":[{"type":"text","text":"the first line\n`+long+`"}]}`)))
	tools := paneOf[*toolsPane](b, d, p)
	tools.list.list.Choose(0)
	var first, whole, longest time.Duration
	for b.Loop() {
		tools.panel.result.setEmpty("")
		p.submit()
		d.await("the answer in the recording", func() bool { return tools.panel.now.run.State().AnswerSeq != 0 })
		start := time.Now()
		busy := func(f func()) {
			from := time.Now()
			f()
			longest = max(longest, time.Since(from))
		}
		text, shown := tools.panel.result.page.text.text, false
		for len(text.Index().Raw()) < 19<<20 {
			busy(d.queue.run)
			busy(p.flush)
			if !shown && len(text.Index().Raw()) > 0 && tools.panel.now.over() {
				shown, first = true, max(first, time.Since(start))
			}
			if len(text.Index().Raw()) < 19<<20 {
				<-d.queue.wake
			}
		}
		busy(func() { d.win.Canvas().Refresh(text) })
		whole = max(whole, time.Since(start))
	}
	b.ReportMetric(float64(first.Milliseconds()), "ms-first")
	b.ReportMetric(float64(whole.Milliseconds()), "ms-whole")
	b.ReportMetric(float64(longest.Microseconds())/1000, "ms-busy")
}

func TestTwentyMegabytesAreShown(t *testing.T) {
	long := strings.Repeat("a line of text that is not too long\\n", 20<<20/37)
	d, p := offered(t, sessiontest.Server().With("tools/call", sessiontest.Reply(`{"content":[{"type":"text","text":"the first line\n`+long+`"}]}`)))
	tools := paneOf[*toolsPane](t, d, p)
	tools.list.list.Choose(0)
	p.submit()
	d.await("the answer in the recording", func() bool { return tools.panel.now.run.State().AnswerSeq != 0 })
	start := time.Now()
	finish(d, p, tools.panel)
	first := time.Since(start)
	d.shows("the first line")
	d.await("all of it", func() bool { return len(tools.panel.result.page.text.text.Index().Raw()) > 19<<20 })
	t.Logf("first lines %v after the answer, all of it after %v", first, time.Since(start))
}
