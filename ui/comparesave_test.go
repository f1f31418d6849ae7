package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/recorder/diff"
)

// saveOf chooses an entry of the menu that saves a comparison and takes the folder
// and the name that are offered. It returns what was written.
func (d *desk) saveOf(p *comparePage, label string) (name, text string) {
	d.t.Helper()
	d.savedTo = d.t.TempDir()
	for _, item := range p.saveItems() {
		if item.Label != label || item.Disabled {
			continue
		}
		item.Action()
		field, ok := d.win.Canvas().Focused().(*keyedEntry)
		if !ok {
			d.t.Fatalf("%s: %T has the keyboard", label, d.win.Canvas().Focused())
		}
		path := filepath.Join(d.savedTo, field.Text)
		d.await("the folder", func() bool { return !strings.Contains(texts(d.win.Canvas().Overlays().Top()), "Reading the folder") })
		field.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
		d.await(label, func() bool { _, err := os.Stat(path); return err == nil && len(d.dialogs) == 0 })
		d.UI.work.Wait()
		raw, err := os.ReadFile(path)
		if err != nil {
			d.t.Fatal(err)
		}
		return filepath.Base(path), string(raw)
	}
	d.t.Fatalf("%s is not offered", label)
	return "", ""
}

// Everything of a comparison can be saved: the report in both forms, the
// catalogues, and the rules, which are read again.
func TestComparisonIsSaved(t *testing.T) {
	d := newDesk(t)
	p := d.compared(d.recordTalk("old", "1", comparedTool, "a", "b"), d.recordTalk("new", "2", comparedTool2, "a", "b"))
	name, text := d.saveOf(p, "Report as Markdown …")
	if name != "old-to-new.md" || !strings.HasPrefix(text, "# `old` and `new` compared\n") || !strings.Contains(text, "### Breaking (1)") {
		t.Errorf("%s: %s", name, text)
	}
	name, text = d.saveOf(p, "Report as JSON …")
	if rule, _, _ := protocol.Lookup(jsontext.Value(text), "/interface/changes/0/rule"); name != "old-to-new.json" || !jsontext.Value(text).IsValid() || string(rule) == "" {
		t.Errorf("%s: %s", name, text)
	}
	name, text = d.saveOf(p, "Catalogue of B …")
	surface, err := diff.ReadSnapshot([]byte(text))
	if name != "new"+diff.SnapshotExt || err != nil || len(surface.Tools.Items) != 1 || string(surface.Tools.Items[0]) == "" {
		t.Errorf("%s: %v %s", name, err, text)
	}
	for _, item := range p.saveItems() {
		switch item.Label {
		case "Copy the summary":
			if item.Action(); d.app.Clipboard().Content() != p.result.Summary() {
				t.Errorf("copied was %q", d.app.Clipboard().Content())
			}
		case "Rules as a file …":
			if !item.Disabled {
				t.Error("rules can be saved though there are none")
			}
		}
	}
	rule := diff.IgnoreRule{Action: diff.Ignore, Method: "tools/call", Pointer: "/result/content/*/text"}
	p.options.AddRule(rule)
	p.again()
	d.awaitComparison(p)
	name, text = d.saveOf(p, "Rules as a file …")
	set, err := diff.ParseRules([]byte(text))
	if name != "rules"+diff.RulesExt || err != nil || len(set.Rules) != 1 || set.Rules[0] != rule {
		t.Errorf("%s: %v %s", name, err, text)
	}
	p.saveMenu()
	menu := texts(d.win.Canvas().Overlays().Top())
	for _, want := range []string{"Report as Markdown …", "Report as JSON …", "Rules as a file …", "Catalogue of A …"} {
		if !strings.Contains(menu, want) {
			t.Errorf("the menu does not show %q: %s", want, menu)
		}
	}
	d.win.Canvas().Overlays().Top().Hide()
}

// A catalogue holds no secret that a definition had in it, no more than one that
// the verb writes.
func TestSavedCataloguesAreMasked(t *testing.T) {
	const token = "ghp_0123456789abcdefghijklmnopqrstuvwxyzAB"
	d := newDesk(t)
	secret := strings.Replace(comparedTool, `"name"`, `"description":"Use `+token+`","name"`, 1)
	p := d.compared(d.recordTalk("old", "1", secret, "a"), d.recordTalk("new", "2", comparedTool2, "a"))
	if _, text := d.saveOf(p, "Catalogue of A …"); strings.Contains(text, token) || !strings.Contains(text, "‹secret:") {
		t.Errorf("saved was %s", text)
	}
}
