package recorder

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Retention says how long the recordings of a folder are kept.
type Retention struct {
	MaxAge   time.Duration // since the last event was written; 0 for any
	MaxBytes int64         // of all recordings of the folder; 0 for any
	// Keep says why a recording is never deleted, in a few words, "" when it may
	// be. It is asked for each recording that is due and may be nil.
	Keep func(path string) (why string)
}

// RetentionGrace is how long a recording is left alone whatever the limits say.
const RetentionGrace = 24 * time.Hour

// Stored is a recording in a folder.
type Stored struct {
	Path    string
	Bytes   int64 // with what a crash cut off it
	Changed time.Time
	Why     string // why it is deleted, or why it is kept although it is due
}

// RetentionPlan is what a Retention does in a folder.
type RetentionPlan struct {
	Count  int   // recordings of the folder
	Bytes  int64 // of all of them
	Delete []Stored
	Kept   []Stored // due, but not to be deleted; the oldest first, as in Delete
}

// Freed is how many bytes are deleted.
func (p RetentionPlan) Freed() (n int64) {
	for _, s := range p.Delete {
		n += s.Bytes
	}
	return n
}

// Plan finds out which recordings of a folder are to be deleted at a time, and
// deletes none. Only files with the ending of recordings that begin as one are
// looked at, none in folders below and no links. A recording that is open, in
// this process or another one, or that has a mark stays. It may take long: the
// recordings that are due are read to find marks.
func (r Retention) Plan(ctx context.Context, dir string, now time.Time) (RetentionPlan, error) {
	all, err := stored(ctx, dir)
	if err != nil {
		return RetentionPlan{}, err
	}
	plan := RetentionPlan{Count: len(all)}
	for _, s := range all {
		plan.Bytes += s.Bytes
	}
	left := plan.Bytes
	for _, s := range all { // the oldest first
		age := now.Sub(s.Changed)
		switch {
		case r.MaxAge > 0 && age > r.MaxAge:
			s.Why = "it is older than the limit"
		case r.MaxBytes > 0 && left > r.MaxBytes:
			s.Why = "the folder is larger than the limit, and this one is the oldest"
		default:
			continue
		}
		kept, err := r.stays(ctx, s.Path, age)
		if err != nil {
			return RetentionPlan{}, err
		}
		if kept != "" {
			s.Why = kept
			plan.Kept = append(plan.Kept, s)
			continue
		}
		plan.Delete = append(plan.Delete, s)
		left -= s.Bytes
	}
	return plan, nil
}

// stored lists the recordings of a folder, the one that was changed longest ago
// first.
func stored(ctx context.Context, dir string) ([]Stored, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("look through the recordings: %w", err)
	}
	var all []Stored
	for _, e := range entries {
		if err := context.Cause(ctx); err != nil {
			return nil, fmt.Errorf("look through the recordings: %w", err)
		}
		path := filepath.Join(dir, e.Name())
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() || !strings.HasSuffix(e.Name(), Ext) {
			continue // gone meanwhile, or none of ours
		}
		if _, err := ReadHeader(path); err != nil {
			continue
		}
		s := Stored{Path: path, Bytes: info.Size(), Changed: info.ModTime()}
		if aside, err := os.Lstat(path + cutExt); err == nil {
			s.Bytes += aside.Size()
		}
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b Stored) int {
		return cmp.Or(a.Changed.Compare(b.Changed), strings.Compare(a.Path, b.Path))
	})
	return all, nil
}

// stays says why a recording that is due is not deleted.
func (r Retention) stays(ctx context.Context, path string, age time.Duration) (why string, err error) {
	if age < RetentionGrace {
		return "it was written to within the last day", nil
	}
	if r.Keep != nil {
		if why := r.Keep(path); why != "" {
			return why, nil
		}
	}
	taken, err := written(path)
	switch {
	case err != nil:
		return "it cannot be opened: " + err.Error(), nil
	case taken:
		return "it is open", nil
	}
	l, err := OpenToRead(ctx, path, nil)
	if cause := context.Cause(ctx); cause != nil {
		if err == nil {
			err = l.Close()
		}
		return "", errors.Join(fmt.Errorf("look through the recordings: %w", cause), err)
	}
	if err != nil {
		return "it cannot be read: " + err.Error(), nil
	}
	marked := len(l.Marks()) > 0
	if err := l.Close(); err != nil {
		return "it cannot be read: " + err.Error(), nil
	}
	if marked {
		return "it has a mark or a note", nil
	}
	return "", nil
}

// ErrInUse says that a recording is open, in this process or another one.
var ErrInUse = errors.New("the recording is open")

// Remove deletes a recording with what a crash cut off it, unless it is open:
// then the error is ErrInUse.
func Remove(path string) (err error) {
	f, _, err := openFile(path)
	if err != nil {
		return fmt.Errorf("delete recording: %w", err)
	}
	if lockFile(f) {
		return errors.Join(fmt.Errorf("delete recording %s: %w", path, ErrInUse), f.Close())
	}
	if runtime.GOOS == "windows" { // it deletes no open file
		err = f.Close()
	} else {
		defer func() { err = errors.Join(err, f.Close()) }()
	}
	if err = errors.Join(err, os.Remove(path)); err != nil {
		return fmt.Errorf("delete recording: %w", err)
	}
	if err := os.Remove(path + cutExt); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("delete what was cut off a recording: %w", err)
	}
	return nil
}

// Apply deletes what the plan names, as far as it is still as it was: a
// recording that was opened or written to meanwhile stays. It returns what was
// deleted; the error joins what went wrong with the others.
func (p RetentionPlan) Apply(ctx context.Context) (deleted []Stored, err error) {
	for _, s := range p.Delete {
		if cause := context.Cause(ctx); cause != nil {
			return deleted, errors.Join(err, fmt.Errorf("delete recordings: %w", cause))
		}
		info, statErr := os.Lstat(s.Path)
		if errors.Is(statErr, fs.ErrNotExist) || statErr == nil && !info.ModTime().Equal(s.Changed) {
			continue
		}
		switch removed := Remove(s.Path); {
		case removed == nil:
			deleted = append(deleted, s)
		case errors.Is(removed, ErrInUse):
		default:
			err = errors.Join(err, removed)
		}
	}
	return deleted, err
}
