package ui

import (
	"fmt"
	"strings"
	"testing"

	"mcploupe/session/sessiontest"
	"mcploupe/ui/view"
)

// UI rule: what a server says never makes the window need more room.
func TestHostileTextDoesNotGrowTheWindow(t *testing.T) {
	d := newDesk(t)
	before := d.win.Content().MinSize()
	long := strings.Repeat("W", 20000)
	evil := "\\u202e\\u0000" + long
	init := fmt.Sprintf(`{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"%s":{"%s":true}},"serverInfo":{"name":"%s","title":"%s","version":"%s"},"instructions":"%s %s"}`,
		long, long, evil, evil, evil, evil, strings.Repeat("line\\n", 3000))
	script := sessiontest.Server().With("initialize", sessiontest.Stderr(long+"\n"+strings.Repeat("x\n", 5000)), sessiontest.Reply(init)).
		With("tools/list", sessiontest.Line(`{"jsonrpc":"2.0","method":"`+long+`"}`), sessiontest.ReplyError("-1", long))
	server := d.server(long, script)
	p := d.open(server, view.Connected)
	d.await("the flood", func() bool { return p.conn.Log().Len() > 12 })
	p.flush()
	p.flushRows()
	for seq := uint64(1); seq <= p.conn.Log().Len(); seq++ {
		p.showEvent(seq)
		for i := range numDocs {
			p.time.detail.showDoc(i)
		}
	}
	p.showReport(true)
	d.notes.notify(long)
	after := d.win.Content().MinSize()
	if after.Width > before.Width+700 || after.Width > 1200 || after.Height > 700 {
		t.Errorf("the window needs %v after %v", after, before)
	}
	if strings.Contains(texts(d.win.Content()), "\u202e") {
		t.Error("a character that reorders text is drawn")
	}
}
