package recorder

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
)

// Open reads an existing recording. A cut last line is repaired when the file
// can be written and nobody else writes it; Repaired tells. A file that may
// not be written can be read only; one that another process is writing is
// followed: what that process adds appears here.
//
// The error is ErrForeign when the file is no recording.
func Open(path string) (*Log, error) {
	return OpenContext(context.Background(), path, nil)
}

// OpenContext is Open that can be cancelled and says how far it is: progress,
// unless nil, gets the bytes that were looked at and the size of the file,
// from one goroutine, now and then.
func OpenContext(ctx context.Context, path string, progress func(done, total int64)) (*Log, error) {
	f, readOnly, err := openFile(path)
	if err != nil {
		return nil, fmt.Errorf("open recording: %w", err)
	}
	l, err := open(f, path, readOnly)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open recording %s: %w", path, err), f.Close())
	}
	return l, nil
}

func openFile(path string) (f *os.File, readOnly bool, err error) {
	f, err = os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrPermission) || isReadOnlyDisk(err) {
		readOnly = true
		f, err = os.Open(path)
	}
	if err != nil {
		return nil, false, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s: %w: it is no regular file", path, ErrForeign)
	}
	if err != nil {
		return nil, false, errors.Join(err, f.Close())
	}
	return f, readOnly, nil
}

func open(f *os.File, path string, readOnly bool) (*Log, error) {
	followed := lockFile(f)
	readOnly = readOnly || followed

	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	size := info.Size()
	header, start, err := readHeader(f, size)
	if err != nil {
		return nil, err
	}
	l := newLog(f, path, header, size)
	l.readOnly = readOnly
	x := newIndexer(l)
	end, err := x.index(f, start, size)
	if err != nil {
		return nil, err
	}
	var repairs []string
	if end < size && !followed {
		said, err := l.repairTail(x, f, end, size)
		if err != nil {
			return nil, err
		}
		repairs = append(repairs, said)
	} else {
		l.store.setEnd(end)
	}
	if err := x.link(); err != nil {
		return nil, err
	}
	if x.junk > 0 {
		repairs = append(repairs, fmt.Sprintf("%d lines are no events, the first of them is event %d", x.junk, x.firstJunk))
	}
	l.repaired = strings.Join(repairs, "; ")
	switch {
	case followed:
		l.follow(f, x, end)
	case !readOnly:
		l.store.start()
	}
	return l, nil
}

// readHeader reads the first line and returns where the next one starts.
func readHeader(f io.ReaderAt, size int64) (Header, int64, error) {
	buf := make([]byte, min(size, 4<<10))
	for {
		if _, err := f.ReadAt(buf, 0); err != nil && !errors.Is(err, io.EOF) {
			return Header{}, 0, err
		}
		if i := bytes.IndexByte(buf, '\n'); i >= 0 {
			h, err := parseHeader(buf[:i])
			return h, int64(i) + 1, err
		}
		if int64(len(buf)) == size {
			return Header{}, 0, fmt.Errorf("%w: its first line is cut or missing", ErrForeign)
		}
		if len(buf) >= maxHeader {
			return Header{}, 0, fmt.Errorf("%w: its first line is longer than %d bytes", ErrForeign, maxHeader)
		}
		buf = make([]byte, min(size, 8*int64(len(buf)), maxHeader))
	}
}

// repairTail takes care of a last line that has no line feed: it completes a
// whole event and puts anything else aside.
func (l *Log) repairTail(x *indexer, f *os.File, at, size int64) (string, error) {
	line := make([]byte, size-at)
	if _, err := f.ReadAt(line, at); err != nil {
		return "", err
	}
	if x.addLast(line, at) {
		if l.readOnly {
			l.store.setEnd(size)
			return "the last line has no line feed", nil
		}
		if _, err := f.WriteAt([]byte{'\n'}, size); err != nil {
			return "", err
		}
		l.store.setEnd(size + 1)
		return "the last line had no line feed; it was added", nil
	}
	l.store.setEnd(at)
	if l.readOnly {
		return fmt.Sprintf("the last line is cut after %d bytes and left out", len(line)), nil
	}
	aside := l.Path() + ".cut"
	if err := putAside(aside, line); err != nil {
		return "", fmt.Errorf("put the cut last line aside: %w", err)
	}
	if err := f.Truncate(at); err != nil {
		return "", err
	}
	return fmt.Sprintf("the last line was cut after %d bytes; they were moved to %s", len(line), aside), nil
}

// putAside adds a line to a file of cut lines.
func putAside(path string, line []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(bytes.Clone(line), '\n'))
	return errors.Join(err, f.Sync(), f.Close())
}
