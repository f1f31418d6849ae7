package view

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcploupe/recorder/diff"
)

func TestSidesAreReadByWhatTheyAre(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	saved := readSide(t, file("v1"+diff.SnapshotExt, `{"format":"mcploupe-catalogue/1","tools":[`+toolEcho+`]}`))
	if saved.Log != nil || len(saved.Surface.Tools.Items) != 1 || saved.Name != "v1" || saved.Words != "saved catalogue" {
		t.Errorf("a catalogue is read as %+v", saved)
	}
	recording := newSaid(t, "r", 0).init("1").tools(toolEcho2).side()
	if recording.Log == nil || recording.Words != "recording, 4 events" {
		t.Errorf("a recording is read as %+v", recording)
	}
	c := compareSides(t, saved, recording, nil)
	if c.Result.Conversation != nil || c.Result.Interface.Count(diff.Breaking) == 0 {
		t.Errorf("a catalogue and a recording: %s", c.Summary())
	}
	for name, want := range map[string]string{"gone": "no such file", file("package.json", `{"name":"x"}`): "neither a recording nor a saved catalogue"} {
		if _, err := ReadSide(t.Context(), CompareSide{Path: name}, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	gone, end := context.WithCancel(t.Context())
	end()
	if _, err := ReadSide(gone, CompareSide{Path: recording.Path}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestChoicesAreFilteredByWords(t *testing.T) {
	files := []RecordingRow{{Path: "/r/one.mcp.jsonl", Title: "one", Sub: "Monday"}, {Path: "/r/two.mcp.jsonl", Title: "two", Sub: "Tuesday"}, {Path: "/r/gone", Title: "gone", Gone: true}}
	all := CompareChoices(nil, files)
	if len(all) != 2 {
		t.Fatalf("offered: %+v", all)
	}
	if got := FilterChoices(all, "TUE two"); len(got) != 1 || got[0].Title != "two" {
		t.Errorf("filtered: %+v", got)
	}
}

// Recordings that the program named itself are told apart by the version.
func TestOwnRecordingsAreNamedByVersion(t *testing.T) {
	s := newSaid(t, "everything-20261130-101500", 0).init("2.0.0")
	if got := s.side().Name; got != "everything 2.0.0" {
		t.Errorf("it is called %q", got)
	}
	if got := newSaid(t, "mine", 0).init("2.0.0").side().Name; got != "mine" {
		t.Errorf("a recording that a person named is called %q", got)
	}
}
