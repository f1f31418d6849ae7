package view

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"mcploupe/recorder"
)

// CheckFolder says what is wrong with a folder for recordings: it must be
// absolute, be there or be makeable, and take files. It writes and deletes a
// file to find out.
func CheckFolder(dir string) error {
	if !filepath.IsAbs(dir) {
		return errors.New("give the whole path of the folder")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("the folder cannot be made: %w", err)
	}
	f, err := os.CreateTemp(dir, ".mcploupe-*")
	if err != nil {
		return fmt.Errorf("nothing can be written there: %w", err)
	}
	_, err = f.WriteString("\n")
	if err = errors.Join(err, f.Close(), os.Remove(f.Name())); err != nil {
		return fmt.Errorf("nothing can be written there: %w", err)
	}
	return nil
}

// FolderRecordings counts the recordings of a folder and their bytes.
func FolderRecordings(ctx context.Context, dir string) (n int, bytes int64, err error) {
	plan, err := recorder.Retention{}.Plan(ctx, dir, time.Time{})
	return plan.Count, plan.Bytes, err
}

// MoveRecordings moves the recordings of a folder to another one. Those that are
// open stay, and so does one whose name is taken there. moved is told of each
// that has moved, progress how far it is, in recordings.
func MoveRecordings(ctx context.Context, from, to string, moved func(from, to string), progress func(done, total int64)) (left int, err error) {
	entries, err := os.ReadDir(from)
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("move the recordings: %w", err)
	}
	var names []string
	for _, e := range entries {
		if e.Type().IsRegular() && strings.HasSuffix(e.Name(), recorder.Ext) {
			names = append(names, e.Name())
		}
	}
	for i, name := range names {
		if cause := context.Cause(ctx); cause != nil {
			return left + len(names) - i, errors.Join(err, fmt.Errorf("move the recordings: %w", cause))
		}
		a, b := filepath.Join(from, name), filepath.Join(to, name)
		switch moveErr := moveRecording(a, b); {
		case moveErr == nil:
			moved(a, b)
		case errors.Is(moveErr, recorder.ErrInUse), errors.Is(moveErr, os.ErrExist):
			left++
		default:
			left++
			err = errors.Join(err, moveErr)
		}
		progress(int64(i+1), int64(len(names)))
	}
	return left, err
}

// moveRecording moves one file, from one disk to another too.
func moveRecording(from, to string) error {
	if _, err := os.Lstat(to); err == nil {
		return fmt.Errorf("move %s: %s: %w", from, to, os.ErrExist)
	}
	used, err := recorder.InUse(from)
	if err != nil {
		return err
	}
	if used {
		return fmt.Errorf("move %s: %w", from, recorder.ErrInUse)
	}
	if err := os.Rename(from, to); err == nil {
		return nil
	}
	in, err := os.Open(from)
	if err != nil {
		return fmt.Errorf("move %s: %w", from, err)
	}
	err = WriteFile(to, func(w io.Writer) error { _, err := io.Copy(w, in); return err })
	if err = errors.Join(err, in.Close()); err != nil {
		return fmt.Errorf("move %s: %w", from, err)
	}
	if info, err := os.Stat(from); err == nil {
		_ = os.Chtimes(to, info.ModTime(), info.ModTime()) // its age, for what deletes old ones
	}
	return recorder.Remove(from)
}
