package view

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mcploupe/recorder"
	"mcploupe/ui/settings"
)

var retainAt = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// oldRecording makes a recording named as the program does, or as the person did.
func oldRecording(t *testing.T, dir, name string, ago time.Duration) string {
	t.Helper()
	path := filepath.Join(dir, name+recorder.Ext)
	log, err := recorder.Create(path, recorder.Header{Created: retainAt.Add(-ago)})
	if err != nil {
		t.Fatal(err)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, retainAt.Add(-ago), retainAt.Add(-ago)); err != nil {
		t.Fatal(err)
	}
	return path
}

const oldEnough = 100 * 24 * time.Hour

func TestRetain(t *testing.T) {
	dir := t.TempDir()
	due := oldRecording(t, dir, "notes-20260801-101112", oldEnough)
	saved := oldRecording(t, dir, "notes-20260801-101113", oldEnough)
	named := oldRecording(t, dir, "the day it broke", oldEnough)
	open := oldRecording(t, dir, "notes-20260801-101114", oldEnough)
	young := oldRecording(t, dir, "notes-20261101-101112", 24*time.Hour*20)
	s := settings.Defaults()
	s.Saved = []string{saved}
	s.Retention = settings.Retention{Days: 90}
	if deleted, err := Retain(context.Background(), dir, s, []string{open}, retainAt); err != nil || deleted != nil {
		t.Fatalf("switched off it deletes %v, %v", deleted, err)
	}
	plan, err := RetentionOf(s, []string{open}).Plan(context.Background(), dir, retainAt)
	if err != nil {
		t.Fatal(err)
	}
	text, files := RetentionPreview(plan, retainAt)
	if len(files) != 1 || !strings.Contains(files[0], "notes-20260801-101112") || !strings.Contains(text, "5 recordings") || !strings.Contains(text, "1 would be deleted") || !strings.Contains(text, "3 more are") {
		t.Fatalf("preview %q, %q", text, files)
	}
	s.Retention.On = true
	deleted, err := Retain(context.Background(), dir, s, []string{open}, retainAt)
	if err != nil || len(deleted) != 1 || deleted[0].Path != due {
		t.Fatalf("deleted %v, %v", deleted, err)
	}
	for _, path := range []string{saved, named, open, young} {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
	note, err := os.ReadFile(filepath.Join(dir, RetentionLog))
	if err != nil || !strings.Contains(string(note), "notes-20260801-101112") || strings.Count(string(note), "\n") != 1 {
		t.Fatalf("noted %q, %v", note, err)
	}
}

func TestRetentionPreviewIsBounded(t *testing.T) {
	var plan recorder.RetentionPlan
	for i := range maxPreview + 50 {
		plan.Delete = append(plan.Delete, recorder.Stored{Path: fmt.Sprint("r", i)})
	}
	if _, files := RetentionPreview(plan, retainAt); len(files) != maxPreview+1 || !strings.Contains(files[maxPreview], "50") {
		t.Fatalf("%d files are named, the last is %q", len(files), files[len(files)-1])
	}
}

func TestNoteOfDeletionsIsBounded(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, RetentionLog)
	if err := os.WriteFile(path, make([]byte, maxRetentionLog+1), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := LogDeleted(dir, []recorder.Stored{{Path: "x\ny"}}, retainAt); err != nil {
		t.Fatal(err)
	}
	note, err := os.ReadFile(path)
	if err != nil || strings.Count(string(note), "\n") != 1 {
		t.Fatalf("noted %q, %v", note, err)
	}
	if _, err := os.Stat(path + ".1"); err != nil {
		t.Error(err)
	}
}

func TestCheckFolder(t *testing.T) {
	dir := t.TempDir()
	if err := CheckFolder(filepath.Join(dir, "a", "b")); err != nil {
		t.Errorf("a folder that can be made: %v", err)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"relative/path", file, filepath.Join(file, "below"), "/proc/nothing-here"} {
		if err := CheckFolder(bad); err == nil {
			t.Errorf("%s is taken", bad)
		}
	}
	if left, err := os.ReadDir(filepath.Join(dir, "a", "b")); err != nil || len(left) != 0 {
		t.Errorf("checking left %v, %v", left, err)
	}
}

func TestRecordingsMoveToAnotherFolder(t *testing.T) {
	from, to := t.TempDir(), t.TempDir()
	a := oldRecording(t, from, "a", oldEnough)
	namesake := oldRecording(t, from, "namesake", oldEnough)
	oldRecording(t, to, "namesake", oldEnough)
	open := oldRecording(t, from, "open", oldEnough)
	log, err := recorder.Open(open)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = log.Close() }()
	moved := map[string]string{}
	var done, total int64
	left, err := MoveRecordings(context.Background(), from, to, func(a, b string) { moved[a] = b }, func(d, n int64) { done, total = d, n })
	if err != nil || left != 2 || len(moved) != 1 || moved[a] != filepath.Join(to, "a"+recorder.Ext) || done != 3 || total != 3 {
		t.Fatalf("left %d, moved %v, %d of %d, %v", left, moved, done, total, err)
	}
	for _, path := range []string{namesake, open, moved[a]} {
		if _, err := recorder.ReadHeader(path); err != nil {
			t.Error(err)
		}
	}
	if n, bytes, err := FolderRecordings(context.Background(), to); err != nil || n != 2 || bytes == 0 {
		t.Errorf("%d recordings of %d bytes, %v", n, bytes, err)
	}
}
