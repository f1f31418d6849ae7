package view

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mcploupe/recorder"
	"mcploupe/ui/settings"
	"mcploupe/ui/view/human"
	"mcploupe/ui/view/safe"
)

// RetentionOf is what the settings say of deleting recordings, whether it is
// switched on or not. open are the files that have a tab.
func RetentionOf(s settings.Settings, open []string) recorder.Retention {
	keep := func(path string) string {
		same := func(other string) bool { return SameFile(path, other) }
		switch _, when := RecordingName(path); {
		case slices.ContainsFunc(s.Saved, same):
			return "it is saved"
		case slices.ContainsFunc(open, same):
			return "it is open"
		case when == "":
			return "it was given a name"
		}
		return ""
	}
	return recorder.Retention{MaxAge: s.Retention.MaxAge(), MaxBytes: s.Retention.Bytes, Keep: keep}
}

// maxPreview bounds the recordings that a preview names.
const maxPreview = 200

// RetentionPreview says what a plan would delete: a sentence, and the files, a
// line each.
func RetentionPreview(plan recorder.RetentionPlan, now time.Time) (summary string, files []string) {
	summary = fmt.Sprintf("%s in the folder, %s.", human.Plural(plan.Count, "recording", "recordings"), human.Bytes(plan.Bytes))
	switch n := len(plan.Delete); {
	case n == 0:
		summary += " None of them would be deleted now."
	default:
		summary += fmt.Sprintf(" %s would be deleted now, %s.", human.Count(n), human.Bytes(plan.Freed()))
	}
	if n := len(plan.Kept); n > 0 {
		summary += fmt.Sprintf(" %s due, but kept: saved, named, open, marked or of the last day.", human.Plural(n, "more is", "more are"))
	}
	for i, s := range plan.Delete {
		if i == maxPreview {
			return summary, append(files, "and "+human.Plural(len(plan.Delete)-i, "more", "more"))
		}
		files = append(files, safe.Line(filepath.Base(s.Path), 120)+"   "+human.Bytes(s.Bytes)+"   "+human.Ago(s.Changed, now))
	}
	return summary, files
}

// RetentionLog is the file in the folder of recordings that tells what the
// program has deleted by itself.
const RetentionLog = "deleted.log"

// maxRetentionLog is how long RetentionLog may become before it is begun anew;
// the one before is kept.
const maxRetentionLog = 1 << 20

// LogDeleted notes deleted recordings, one a line: when, which, how large, why.
func LogDeleted(dir string, deleted []recorder.Stored, now time.Time) (err error) {
	if len(deleted) == 0 {
		return nil
	}
	path := filepath.Join(dir, RetentionLog)
	if info, err := os.Stat(path); err == nil && info.Size() > maxRetentionLog {
		if err := os.Rename(path, path+".1"); err != nil {
			return fmt.Errorf("note what was deleted: %w", err)
		}
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("note what was deleted: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	var b strings.Builder
	for _, s := range deleted {
		fmt.Fprintf(&b, "%s deleted %q, %d bytes, written last at %s: %s\n",
			now.UTC().Format(time.RFC3339), filepath.Base(s.Path), s.Bytes, s.Changed.UTC().Format(time.RFC3339), s.Why)
	}
	if _, err := f.WriteString(b.String()); err != nil {
		return fmt.Errorf("note what was deleted: %w", err)
	}
	return nil
}

// Retain deletes the recordings that are due when that is switched on, notes
// them and returns them. It may take long.
func Retain(ctx context.Context, dir string, s settings.Settings, open []string, now time.Time) ([]recorder.Stored, error) {
	if !s.Retention.On {
		return nil, nil
	}
	plan, err := RetentionOf(s, open).Plan(ctx, dir, now)
	if err != nil {
		return nil, err
	}
	deleted, err := plan.Apply(ctx)
	return deleted, errors.Join(err, LogDeleted(dir, deleted, now))
}
