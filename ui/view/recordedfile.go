package view

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/session"
)

// errNotLive says that only a connection can begin a new recording.
var errNotLive = errors.New("there is no connection that could go on in a new recording")

// NewRecording lets the session go on in a fresh file. The one up to now is
// complete and closed; its path is returned. It may wait for the disk.
func (c *Conn) NewRecording() (old string, err error) {
	c.logs.Lock()
	defer c.logs.Unlock()
	c.mu.Lock()
	sess, log, live, server := c.sess, c.log, c.phase.Live() && !c.closed, c.server
	c.mu.Unlock()
	if !live || sess == nil || log == nil {
		return "", errNotLive
	}
	header := server.Target.RecordingHeader(c.o.App)
	header.Continues = continues(sess.State(), log)
	fresh, err := c.newLog(server.Target, header)
	if err != nil {
		return "", fmt.Errorf("start a new recording: %w", err)
	}
	sess.SetLog(fresh)
	c.setLog(fresh)
	c.o.Changed()
	if err := log.Close(); err != nil {
		return log.Path(), fmt.Errorf("close the recording %s: %w", log.Path(), err)
	}
	return log.Path(), nil
}

// continues is what a recording has to know of the one before.
func continues(st session.State, log *recorder.Log) *recorder.Continues {
	before := &recorder.Continues{File: filepath.Base(log.Path()), Events: log.Len(), Server: st.Server.Raw}
	if st.Revision != nil {
		before.Revision, before.Method = st.Revision.Name, protocol.MethodInitialize
		if st.Revision.Modern {
			before.Method = protocol.MethodDiscover
		}
	}
	return before
}

// MoveRecording gives the recording another name, while it is written as well. A
// file that is there already is not replaced. copied is true when the system
// cannot move it there, so that a copy was made of what there is, and the
// recording goes on under its old name.
func (c *Conn) MoveRecording(ctx context.Context, path string, progress func(done, total int64)) (copied bool, err error) {
	log := c.Log()
	if log == nil {
		return false, errNoRecording
	}
	err = log.Rename(path)
	if err == nil || errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) {
		c.o.Changed()
		return false, err
	}
	return true, c.CopyRecording(ctx, path, progress)
}

var errNoRecording = errors.New("there is no recording yet")

// CopyRecording writes what is recorded up to now to a file.
func (c *Conn) CopyRecording(ctx context.Context, path string, progress func(done, total int64)) error {
	log := c.Log()
	if log == nil {
		return errNoRecording
	}
	return WriteFile(path, func(w io.Writer) error { return log.CopyTo(ctx, w, progress) })
}

// WriteFile lets write fill a file that is at path, mode 0600, only when all of
// it is written: a failure leaves what was there before.
func WriteFile(path string, write func(w io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".mcploupe-*") // mode 0600
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("write %s: %w", path, err), os.Remove(f.Name()))
		}
	}()
	if err = errors.Join(write(f), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// FreeFile is a path in dir for a file named after base, with the ending ext,
// where none is yet.
func FreeFile(dir, base, ext string) string {
	base = fileName(base)
	for i := 1; ; i++ {
		name := base + ext
		if i > 1 {
			name = fmt.Sprintf("%s-%d%s", base, i, ext)
		}
		path := filepath.Join(dir, name)
		if _, err := os.Lstat(path); err != nil || i == 1000 {
			return path
		}
	}
}

// WithRecordingExt is path with the ending of recordings.
func WithRecordingExt(path string) string {
	if filepath.Ext(path) == ".jsonl" {
		return path
	}
	return path + recorder.Ext
}

// SameFile reports whether two paths lead to one file.
func SameFile(a, b string) bool {
	if a == b {
		return a != ""
	}
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	return err == nil && os.SameFile(first, second)
}
