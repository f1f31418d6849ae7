package view

import (
	"bytes"
	"strings"
	"testing"

	"mcploupe/recorder"
	"mcploupe/recorder/interop"
)

func exportText(t *testing.T, e *Export) (string, recorder.ExportReport) {
	t.Helper()
	plan, err := e.Plan()(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	e.SetPlan(plan)
	var out bytes.Buffer
	report, err := e.Run()(t.Context(), &out, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out.String(), report
}

// An export masks by default, lists what it masks, and lets each be left as it is
// also when the list is made again.
func TestExportMasksWhatTheListSays(t *testing.T) {
	log := newLog(t)
	const token, mine = "ghp_0123456789abcdefghijklmnopqrstuvwxyzAB", "Tuesday"
	message(log, recorder.Out, 1, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"token":"`+token+`","day":"`+mine+`"}}}`)
	message(log, recorder.In, 2, `{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`)
	e := NewExport(log, "test", "", nil)
	if !e.Masked || e.Scope != ExportAll {
		t.Errorf("a fresh export: masked %v, scope %v", e.Masked, e.Scope)
	}
	if _, err := e.Run()(t.Context(), &bytes.Buffer{}, nil); err == nil {
		t.Error("it is exported before anybody looked for secrets")
	}
	text, report := exportText(t, e)
	rows := e.Masks()
	if len(rows) != 1 || !rows[0].On || rows[0].Seq != 1 || !strings.Contains(rows[0].Where, "/params/arguments/token") || strings.Contains(rows[0].Shown, token) {
		t.Fatalf("list %+v", rows)
	}
	if strings.Contains(text, token) || !strings.Contains(text, mine) || report.Masked == 0 {
		t.Errorf("masked %d in\n%s", report.Masked, text)
	}
	if err := e.SetOwn("params", ""); err == nil {
		t.Error("a pointer that is none is taken")
	}
	if err := e.SetOwn("/params/arguments/day", ""); err != nil {
		t.Fatal(err)
	}
	if text, _ = exportText(t, e); strings.Contains(text, mine) || len(e.Masks()) != 2 {
		t.Errorf("the person's pointer is not masked: %+v\n%s", e.Masks(), text)
	}
	for i, row := range e.Masks() {
		if strings.Contains(row.Where, "token") {
			e.Toggle(i)
		}
	}
	if text, _ = exportText(t, e); !strings.Contains(text, token) || strings.Contains(text, mine) {
		t.Errorf("what was switched off is masked, or the other is not:\n%s", text)
	}
	if said := e.MaskSummary(); !strings.Contains(said, "1 secret in 1 place") || !strings.Contains(said, "1 will not") {
		t.Errorf("%q", said)
	}
}

// Whole, filtered or selected.
func TestExportScopes(t *testing.T) {
	log := newLog(t)
	for _, method := range []string{"a", "b", "c"} {
		message(log, recorder.In, 1, `{"jsonrpc":"2.0","method":"`+method+`"}`)
	}
	log.Append(recorder.Event{Dir: recorder.In, Kind: recorder.KindStderr, Channel: "stdio", Data: []byte("oh\n")})
	e := NewExport(log, "test", "method:b", []uint64{3, 1})
	e.Format = interop.Lines
	if n := len(e.Scopes()); n != 3 || e.Scope != ExportSelected {
		t.Errorf("%d scopes, %v is chosen", n, e.Scope)
	}
	for scope, want := range map[ExportScope]string{ExportAll: "abc", ExportFiltered: "b", ExportSelected: "ac"} {
		e.Scope = scope
		text, report := exportText(t, e)
		got := ""
		for line := range strings.Lines(text) {
			got += strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(line), `{"jsonrpc":"2.0","method":"`), `"}`)
		}
		if got != want {
			t.Errorf("scope %d: %q, want %q", scope, got, want)
		}
		if said := Forecast(report); (scope == ExportAll) != strings.Contains(said, "stderr") {
			t.Errorf("scope %d: it says %q of what the format cannot carry", scope, said)
		}
	}
	e = NewExport(log, "test", "dur>no", nil)
	if len(e.Scopes()) != 1 || e.Scope != ExportAll {
		t.Errorf("a text that is no filter is offered: %+v", e.Scopes())
	}
}

func TestExportNamesItsFile(t *testing.T) {
	e := NewExport(newLog(t), "test", "", nil)
	if got := e.Path(); !strings.HasSuffix(got, "x-export"+RecordingExt) {
		t.Errorf("recording: %s", got)
	}
	e.Format = interop.HAR
	for in, want := range map[string]string{"/a/b.mcp.jsonl": "/a/b.har", "/a/b.md": "/a/b.har", "/a/b": "/a/b"} {
		if got := e.WithExt(in); got != want {
			t.Errorf("%s becomes %s, want %s", in, got, want)
		}
	}
}

// A secret that stands within others only is listed, as it is masked when those
// are not, and not counted.
func TestExportListsSecretsWithinOthers(t *testing.T) {
	log := newLog(t)
	message(log, recorder.Out, 1, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"authorization":"Bearer abcdefghijklmnop0123456789"}}}`)
	e := NewExport(log, "test", "", []uint64{1})
	exportText(t, e)
	rows := e.Masks()
	if len(rows) != 2 || rows[0].Count != "1 place" || rows[1].Count != "in others" {
		t.Fatalf("%+v", rows)
	}
	if said := e.MaskSummary(); said != "1 secret in 1 place of the recording will be masked." {
		t.Errorf("%q", said)
	}
	e.Toggle(0)
	if text, _ := exportText(t, e); strings.Contains(text, "abcdefghijklmnop") || !strings.Contains(text, "Bearer ") {
		t.Errorf("exported\n%s", text)
	}
	if label := e.Scopes()[1].Label; label != "The selected event" {
		t.Errorf("one event is %q", label)
	}
}

// Why an export cannot be written is said once, as a sentence.
func TestWhyThereIsNoExport(t *testing.T) {
	log := newLog(t)
	message(log, recorder.Out, 1, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	e := NewExport(log, "test", "", nil)
	e.Format, e.Masked = interop.HAR, false
	_, err := e.Run()(t.Context(), &bytes.Buffer{}, nil)
	if err == nil {
		t.Fatal("messages without HTTP became an HTTP Archive")
	}
	if why := WhyNot(err); !strings.HasPrefix(why, "It cannot be exported so: an HTTP Archive holds") || !strings.HasSuffix(why, ".") {
		t.Errorf("%q", why)
	}
}
