package recorder

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mcploupe/protocol"
)

var retentionNow = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// aged makes a recording with an event of some bytes that was written to so long
// ago.
func aged(t *testing.T, dir, name string, ago time.Duration, mark bool) string {
	t.Helper()
	path := filepath.Join(dir, name+Ext)
	l, err := Create(path, Header{Created: retentionNow.Add(-ago)})
	if err != nil {
		t.Fatal(err)
	}
	seq := l.Append(Event{Kind: KindStderr, Dir: In, Data: []byte(strings.Repeat("x", 1000))})
	if mark {
		if err := l.SetMark(Mark{Seq: seq, Pinned: true}); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	age(t, path, ago)
	return path
}

func age(t *testing.T, path string, ago time.Duration) {
	t.Helper()
	at := retentionNow.Add(-ago)
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
}

const day = 24 * time.Hour

func names(all []Stored) (out []string) {
	for _, s := range all {
		out = append(out, strings.TrimSuffix(filepath.Base(s.Path), Ext))
	}
	return out
}

func planOf(t *testing.T, r Retention, dir string) RetentionPlan {
	t.Helper()
	plan, err := r.Plan(context.Background(), dir, retentionNow)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

func TestRetentionByAge(t *testing.T) {
	dir := t.TempDir()
	aged(t, dir, "old", 40*day, false)
	aged(t, dir, "older", 50*day, false)
	aged(t, dir, "young", 20*day, false)
	plan := planOf(t, Retention{MaxAge: 30 * day}, dir)
	if got := names(plan.Delete); !slices.Equal(got, []string{"older", "old"}) || plan.Count != 3 {
		t.Fatalf("of %d recordings %v are deleted", plan.Count, got)
	}
	if plan.Freed() <= 2000 || plan.Bytes <= plan.Freed() {
		t.Fatalf("%d of %d bytes are freed", plan.Freed(), plan.Bytes)
	}
	if got := names(planOf(t, Retention{}, dir).Delete); got != nil {
		t.Fatalf("without limits %v are deleted", got)
	}
}

func TestRetentionBySizeTakesTheOldestUntilItFits(t *testing.T) {
	dir := t.TempDir()
	for i, name := range []string{"a", "b", "c", "d"} {
		aged(t, dir, name, time.Duration(10-i)*day, false)
	}
	one := planOf(t, Retention{}, dir).Bytes / 4
	plan := planOf(t, Retention{MaxBytes: 2 * one}, dir)
	if got := names(plan.Delete); !slices.Equal(got, []string{"a", "b"}) {
		t.Fatalf("%v are deleted", got)
	}
}

func TestRetentionKeeps(t *testing.T) {
	dir := t.TempDir()
	saved := aged(t, dir, "saved", 90*day, false)
	aged(t, dir, "pinned", 90*day, true)
	aged(t, dir, "fresh", time.Hour, false)
	writing := aged(t, dir, "writing", 90*day, false)
	l, err := Open(writing)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	age(t, writing, 90*day)
	due := aged(t, dir, "due", 90*day, false)
	foreign := filepath.Join(dir, "foreign"+Ext)
	if err := os.WriteFile(foreign, []byte("{\"some\":\"log\"}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(dir, "notes.txt")
	if err := os.WriteFile(other, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link"+Ext)
	if err := os.Symlink(due, link); err != nil {
		t.Fatal(err)
	}
	age(t, foreign, 90*day)
	below := filepath.Join(dir, "below")
	if err := os.Mkdir(below, 0o700); err != nil {
		t.Fatal(err)
	}
	aged(t, below, "deep", 90*day, false)

	r := Retention{MaxAge: day, MaxBytes: 1, Keep: func(path string) string {
		if path == saved {
			return "it is saved"
		}
		return ""
	}}
	plan := planOf(t, r, dir)
	if got := names(plan.Delete); !slices.Equal(got, []string{"due"}) {
		t.Fatalf("%v are deleted", got)
	}
	why := map[string]string{}
	for i, name := range names(plan.Kept) {
		why[name] = plan.Kept[i].Why
	}
	for name, want := range map[string]string{"saved": "saved", "pinned": "mark", "fresh": "last day", "writing": "open"} {
		if !strings.Contains(why[name], want) {
			t.Errorf("%s is kept because %q, want %q", name, why[name], want)
		}
	}
	deleted, err := plan.Apply(context.Background())
	if err != nil || !slices.Equal(names(deleted), []string{"due"}) {
		t.Fatalf("deleted %v, %v", names(deleted), err)
	}
	left, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(left) != 8 || slices.Contains(left, due) {
		t.Fatalf("left are %v, %v", left, err)
	}
}

// What happens between the look and the deletion counts.
func TestRetentionLeavesWhatChangedMeanwhile(t *testing.T) {
	dir := t.TempDir()
	opened, touched, gone := aged(t, dir, "opened", 90*day, false), aged(t, dir, "touched", 90*day, false), aged(t, dir, "gone", 90*day, false)
	plan := planOf(t, Retention{MaxAge: day}, dir)
	if len(plan.Delete) != 3 {
		t.Fatalf("%v are to be deleted", names(plan.Delete))
	}
	l, err := Open(opened)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	age(t, touched, time.Minute)
	if err := os.Remove(gone); err != nil {
		t.Fatal(err)
	}
	deleted, err := plan.Apply(context.Background())
	if err != nil || len(deleted) != 0 {
		t.Fatalf("deleted %v, %v", names(deleted), err)
	}
	if err := Remove(opened); !errors.Is(err, ErrInUse) {
		t.Fatalf("an open recording was deleted: %v", err)
	}
}

func TestRemoveTakesWhatWasCutOff(t *testing.T) {
	dir := t.TempDir()
	path := aged(t, dir, "cut", day, false)
	if err := os.WriteFile(path+cutExt, []byte("{\"q\":2"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Remove(path); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Fatalf("left are %v, %v", left, err)
	}
	if err := Remove(path); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("deleting it again: %v", err)
	}
}

func TestRetentionOfNoFolder(t *testing.T) {
	if plan := planOf(t, Retention{MaxAge: day}, filepath.Join(t.TempDir(), "none")); plan.Count != 0 || plan.Delete != nil {
		t.Fatalf("plan %+v", plan)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	dir := t.TempDir()
	aged(t, dir, "a", 90*day, false)
	if _, err := (Retention{MaxAge: day}).Plan(ctx, dir, retentionNow); !errors.Is(err, context.Canceled) {
		t.Fatalf("a cancelled look: %v", err)
	}
}

func TestCacheHoldsAsMuchAsIsSet(t *testing.T) {
	SetCache(64 << 10)
	t.Cleanup(func() { SetCache(0) })
	var c messageCache
	for i := range uint64(100) {
		c.put(i+1, protocol.Message{Raw: make([]byte, 4<<10)})
	}
	if c.bytes > 64<<10 || c.order.Len() < 10 {
		t.Fatalf("%d messages of %d bytes are kept", c.order.Len(), c.bytes)
	}
}
