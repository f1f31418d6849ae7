package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcploupe/recorder/diff"
	"mcploupe/session"
	"mcploupe/session/sessiontest"
	"mcploupe/ui/view"
)

// A live connection is a side: its lists are read again for each comparison, and
// it goes on. A saved catalogue is the other one, and the interfaces alone are
// compared.
func TestLiveConnectionAndSavedCatalogueAreSides(t *testing.T) {
	d := newDesk(t)
	saved := filepath.Join(t.TempDir(), "v1"+diff.SnapshotExt)
	if err := os.WriteFile(saved, []byte(`{"format":"mcploupe-catalogue/1","tools":[`+comparedTool+`]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	live := d.open(d.server("live", sessiontest.Server().With("tools/list", sessiontest.Reply(`{"tools":[`+comparedTool2+`]}`))), view.Connected)
	d.await("the tools", func() bool {
		live.conn.Take()
		return live.conn.State().Lists[session.Tools].Status == session.ListComplete
	})
	lists := func() int { return countRequests(live, "tools/list") }
	p := d.newComparison()
	if !p.choosing() || p.sides[0].Conn != live.conn {
		t.Fatalf("the connection in front is not A: %+v", p.sides)
	}
	d.shows("live, its lists are read again for a comparison", "Choose B")
	before := lists()
	p.setSide(1, view.CompareSide{Path: saved})
	d.awaitComparison(p)
	if p.result == nil || p.result.A.Name != "live 1" || p.result.B.Name != "v1" {
		t.Fatalf("compared: %+v, %s", p.result, p.wait.why.Text)
	}
	d.shows("Argument `page` is gone.")
	if p.body.now.talk != nil || strings.Contains(texts(d.win.Content()), "Conversation ") {
		t.Error("a catalogue has no conversation")
	}
	if after := lists(); after <= before {
		t.Errorf("tools/list was asked %d times, before the comparison %d", after, before)
	}
	p.swap()
	d.awaitComparison(p)
	d.await("text", func() bool { return p.body.text.now.Sentence == "Argument `page` is new and required." })
	p.reload()
	d.awaitComparison(p)
	if phase, _ := live.conn.Phase(); phase != view.Connected {
		t.Errorf("after the comparison the connection is %s", phase.Word())
	}
}

// countRequests is how often a connection asked for something.
func countRequests(p *connPage, method string) (n int) {
	log := p.conn.Log()
	for seq := uint64(1); seq <= log.Len(); seq++ {
		if h := log.Head(seq); h.Method == method && h.Dir.String() == "out" {
			n++
		}
	}
	return n
}
