package recorder

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sort"
)

// ReadHeader reads the first line of a recording and nothing else. The error is
// ErrForeign when the file is no recording.
func ReadHeader(path string) (h Header, err error) {
	f, err := os.Open(path)
	if err != nil {
		return Header{}, fmt.Errorf("read the header of a recording: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%w: it is no regular file", ErrForeign)
	}
	if err == nil {
		h, _, _, err = readHeader(f, info.Size())
	}
	if err != nil {
		return Header{}, fmt.Errorf("read the header of %s: %w", path, err)
	}
	return h, nil
}

// Rename gives the file another name, while it is written as well. A file of
// that name that is there already is not replaced: the error is fs.ErrExist.
// Some systems do not rename open files, and none does so from one disk to
// another; CopyTo always works.
func (l *Log) Rename(path string) error {
	l.store.placing.Lock()
	defer l.store.placing.Unlock()
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("rename recording: %s: %w", path, os.ErrExist)
	}
	if err := os.Rename(l.Path(), path); err != nil {
		return fmt.Errorf("rename recording: %w", err)
	}
	l.path.Store(&path)
	return nil
}

// LetGo says that the file is about to be removed on purpose: nothing puts it
// back.
func (l *Log) LetGo() {
	l.store.placing.Lock()
	defer l.store.placing.Unlock()
	l.store.place = nil
}

// copyChunk is how many bytes CopyTo copies before it says how far it is.
const copyChunk = 1 << 20

// CopyTo writes the recording as it is at the call, byte for byte, while it goes
// on being written; events that were lost when the disk failed are left out.
// progress, unless nil, gets the bytes that were copied and all of them. What was
// written when ctx ended or w failed is not complete.
func (l *Log) CopyTo(ctx context.Context, w io.Writer, progress func(done, total int64)) error {
	end, err := l.wholeLines()
	if err != nil {
		return fmt.Errorf("copy recording: %w", err)
	}
	upTo, rest, err := l.pastGap(end)
	if err != nil {
		return fmt.Errorf("copy recording: %w", err)
	}
	r := io.MultiReader(io.NewSectionReader(l.store, 0, upTo), bytes.NewReader(rest))
	all := upTo + int64(len(rest))
	for done := int64(0); done < all; {
		if ctx.Err() != nil {
			return fmt.Errorf("copy recording: %w", context.Cause(ctx))
		}
		n, err := io.CopyN(w, r, min(copyChunk, all-done))
		if err != nil {
			return fmt.Errorf("copy recording: %w", err)
		}
		done += n
		if progress != nil {
			progress(done, all)
		}
	}
	return nil
}

// pastGap is how much of the recording up to end can be read in one piece, and,
// when events after it were lost, the lines that are still in memory.
func (l *Log) pastGap(end int64) (upTo int64, rest []byte, err error) {
	// line is where the first line at or after an offset begins.
	line := func(offset int64) int64 {
		n := int(l.index.len())
		if i := sort.Search(n, func(i int) bool { return l.index.at(uint64(i+1)).offset() >= offset }); i < n {
			return min(l.index.at(uint64(i+1)).offset(), end)
		}
		return end
	}
	for {
		l.store.mu.Lock()
		flushed, lostTo := l.store.flushed.Load(), l.store.lostTo
		l.store.mu.Unlock()
		if lostTo <= flushed {
			return end, nil, nil
		}
		upTo = min(flushed, end)
		if next := line(flushed); next > flushed { // a part of a line was written
			upTo = l.lineBefore(flushed)
		}
		from := line(lostTo)
		rest = make([]byte, end-from)
		_, err = l.store.ReadAt(rest, from)
		if !errors.Is(err, ErrLost) { // more was not lost meanwhile
			return upTo, rest, err
		}
	}
}

// lineBefore is where the line begins that an offset is in.
func (l *Log) lineBefore(offset int64) int64 {
	n := int(l.index.len())
	i := sort.Search(n, func(i int) bool { return l.index.at(uint64(i+1)).offset() > offset })
	if i == 0 {
		return 0
	}
	return l.index.at(uint64(i)).offset()
}

// wholeLines is where the last line feed of now ends: another process may have
// written a part of the line after it.
func (l *Log) wholeLines() (int64, error) {
	l.store.mu.Lock()
	end := l.store.end
	l.store.mu.Unlock()
	buf := make([]byte, 64<<10)
	for end > 0 {
		n := min(int64(len(buf)), end)
		if _, err := l.store.ReadAt(buf[:n], end-n); err != nil {
			return 0, err
		}
		if i := bytes.LastIndexByte(buf[:n], '\n'); i >= 0 {
			return end - n + int64(i) + 1, nil
		}
		end -= n
	}
	return 0, nil
}
