package ui

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcploupe/session"
	"mcploupe/session/sessiontest"
	"mcploupe/ui/view"
)

// A fault in a session is told, with a report of it; what a server may have said
// is not.
func TestAFaultInASessionIsTold(t *testing.T) {
	d, dir := guarded(t)
	var fault func(session.Fault)
	d.cfg.Open = d.outliving(func(ctx context.Context, t session.Target, o session.Options) (*session.Session, error) {
		fault = o.OnFault
		return session.Open(ctx, t, o)
	})
	d.open(d.server("good", sessiontest.Server()), view.Connected)
	if fault == nil {
		t.Fatal("the session keeps nothing from ending the program")
	}
	go fault(session.Fault{Value: "hunter2", Stack: []byte("goroutine 1: takeAnswer")})
	d.await("a word of it", func() bool { return d.trouble.root.Visible() })
	d.shows("The session with good ended by a fault.", "the other sessions go on", "Show the report")
	if strings.Contains(texts(d.win.Content()), "hunter2") {
		t.Error("the value is shown")
	}
	files, err := filepath.Glob(filepath.Join(dir, "panic-*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%d reports, %v", len(files), err)
	}
	if text, err := os.ReadFile(files[0]); err != nil || !strings.Contains(string(text), "takeAnswer") || !strings.Contains(string(text), "running a session") {
		t.Errorf("report %.300s, %v", text, err)
	}
}

// Without a place for reports nothing keeps a fault from ending the program.
func TestFaultsAreNotHiddenFromTests(t *testing.T) {
	d := newDesk(t)
	asked := true
	open := d.outliving(func(_ context.Context, _ session.Target, o session.Options) (*session.Session, error) {
		asked = o.OnFault != nil
		return nil, nil
	})
	if _, err := open(t.Context(), session.Target{}, session.Options{}); err != nil || asked {
		t.Errorf("a fault would be caught, %v", err)
	}
}
