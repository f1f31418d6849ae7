package settings

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"time"

	"mcploupe/recorder"
)

// file is the settings file as it was last seen.
type file struct {
	path string
	raw  json.RawMessage // what was in it, nil when there was none
	info fs.FileInfo     // nil when there was none

	hangs bool // the program whose turn it was did not let go
}

// changed reports whether somebody else has written the file since.
func (f *file) changed() bool {
	info, err := os.Stat(f.path)
	if err != nil || f.info == nil {
		return err == nil
	}
	return !os.SameFile(info, f.info) || info.Size() != f.info.Size() || !info.ModTime().Equal(f.info.ModTime())
}

// read reads and decodes the file; found is false when there is none. One that
// cannot be understood is set aside, which the error says.
func (f *file) read() (s Settings, found bool, err error) {
	info, statErr := os.Stat(f.path)
	raw, err := os.ReadFile(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		f.raw, f.info = nil, nil
		return Settings{}, false, nil
	case err != nil:
		return Settings{}, false, fmt.Errorf("read settings: %w", err)
	case statErr != nil:
		return Settings{}, false, fmt.Errorf("read settings: %w", statErr)
	}
	s, err = decode(raw)
	if err == nil {
		f.raw, f.info = raw, info
		return s, true, nil
	}
	f.raw, f.info = nil, nil
	aside := fmt.Sprintf("%s.broken-%d", f.path, time.Now().UnixNano())
	if renameErr := os.Rename(f.path, aside); renameErr != nil {
		return Settings{}, false, fmt.Errorf("settings %s: %w; it could not be set aside either: %w", f.path, err, renameErr)
	}
	return Settings{}, false, fmt.Errorf("settings %s: %w; the file was kept as %s", f.path, err, aside)
}

func decode(raw []byte) (Settings, error) {
	out := Defaults()
	if err := json.Unmarshal(raw, &out); err != nil {
		return Settings{}, fmt.Errorf("decode: %w", err)
	}
	out.mend()
	return out, nil
}

// write writes settings with what the file has that this program does not know.
func (f *file) write(s Settings) error {
	raw, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("encode settings: %w", err)
	}
	if f.raw != nil {
		raw = keepUnknown(raw, f.raw, reflect.TypeFor[Settings]())
	}
	info, err := replaceFile(f.path, append(raw, '\n'))
	if err != nil {
		return fmt.Errorf("write settings: %w", err)
	}
	f.raw, f.info = raw, info
	return nil
}

// lockPause is how long apart another program's turn is waited for, and
// settingsPatience how long in all. A turn is one write; a program that takes
// longer hangs, and is not waited for again until it has let go.
const (
	lockPause        = 4 * time.Millisecond
	settingsPatience = time.Second
)

// lock keeps other programs from changing the file until release is called; held
// is false when one did not let go in time, or where there is no file to lock.
func (f *file) lock(patience time.Duration) (release func(), held bool) {
	if f.hangs {
		patience = 0
	}
	release, held = waitForTurn(f.path, patience)
	f.hangs = !held
	return release, held
}

// waitForTurn is lock for the file at path. It tries once when it may not wait.
func waitForTurn(path string, patience time.Duration) (release func(), held bool) {
	none := func() {}
	if os.MkdirAll(filepath.Dir(path), 0o700) != nil {
		return none, false // writing says why
	}
	lock, err := os.OpenFile(path+".lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return none, false
	}
	for range max(int(patience/lockPause), 1) {
		if held = !recorder.LockFile(lock); held {
			break
		}
		if patience > 0 {
			time.Sleep(lockPause)
		}
	}
	return func() { _ = lock.Close() }, held // nothing was written to it
}

// replaceFile writes beside path and renames, so that no reader ever sees half
// a file. info is of what was written, even if another program has put its own
// in the place since.
func replaceFile(path string, data []byte) (info fs.FileInfo, err error) {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	f, err := os.CreateTemp(dir, ".settings-*") // created 0600
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	if _, err = f.Write(data); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if err = f.Sync(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if info, err = f.Stat(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if err = f.Close(); err != nil {
		return nil, err
	}
	return info, os.Rename(f.Name(), path)
}
