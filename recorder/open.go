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

	"github.com/go-json-experiment/json/jsontext"
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
	l, err := open(ctx, f, path, readOnly, lockFile(f), progress)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open recording %s: %w", path, err), f.Close())
	}
	return l, nil
}

// OpenToRead is OpenContext for a second look at a recording: nothing in it can
// be changed or repaired, and whoever opens it next may write. One that is being
// written is followed.
func OpenToRead(ctx context.Context, path string, progress func(done, total int64)) (*Log, error) {
	taken, err := written(path)
	if err != nil {
		return nil, fmt.Errorf("open recording: %w", err)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open recording: %w", err)
	}
	l, err := open(ctx, f, path, true, taken, progress)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open recording %s: %w", path, err), f.Close())
	}
	return l, nil
}

// InUse reports whether a recording is open, in this process or another one.
func InUse(path string) (bool, error) {
	used, err := written(path)
	if err != nil {
		return false, fmt.Errorf("look at recording: %w", err)
	}
	return used, nil
}

// written reports whether a file is being written. The mark that this sets ends
// at once, with the file that it looks through.
func written(path string) (taken bool, err error) {
	f, _, err := openFile(path)
	if err != nil {
		return false, err
	}
	taken = lockFile(f)
	return taken, f.Close()
}

// cutExt ends the name of what a crash cut off a recording.
const cutExt = ".cut"

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

func open(ctx context.Context, f *os.File, path string, readOnly, followed bool, progress func(done, total int64)) (*Log, error) {
	readOnly = readOnly || followed

	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	size := info.Size()
	header, start, missing, err := readHeader(f, size)
	if err != nil {
		return nil, err
	}
	var repairs []string
	if missing != "" {
		repairs = append(repairs, missing)
	}
	l := newLog(f, path, header, size)
	l.opened, l.readOnly = true, readOnly || start == 0
	x := newIndexer(l)
	if start > 0 {
		x.lines = 1
	}
	end, err := x.index(ctx, f, start, size, progress)
	if err != nil {
		return nil, err
	}
	if end < size && !followed {
		said, err := l.repairTail(x, f, end, size)
		if err != nil {
			return nil, err
		}
		repairs = append(repairs, said)
	} else {
		l.store.setEnd(end)
	}
	if err := x.link(ctx); err != nil {
		return nil, err
	}
	l.loadMarks(x.takeMarks())
	l.faults = x.faults
	if x.junk > 0 {
		repairs = append(repairs, x.sayJunk())
	}
	if x.crlf > 0 {
		repairs = append(repairs, fmt.Sprintf("%d lines end with a carriage return, which was added on the way here", x.crlf))
	}
	l.repaired = strings.Join(repairs, "; ")
	switch {
	case followed:
		l.follow(f, x, end)
	case !l.readOnly:
		l.store.start()
	}
	return l, nil
}

// byteOrderMark begins a file that some editor has saved.
const byteOrderMark = "\ufeff"

// readHeader reads the first line and returns where the next one starts. When
// the first line is an event, start is 0 and missing says so.
func readHeader(f io.ReaderAt, size int64) (h Header, start int64, missing string, err error) {
	if size == 0 {
		return h, 0, "", fmt.Errorf("%w: the file is empty", ErrForeign)
	}
	buf := make([]byte, min(size, 4<<10))
	for {
		if _, err := f.ReadAt(buf, 0); err != nil && !errors.Is(err, io.EOF) {
			return h, 0, "", err
		}
		i := bytes.IndexByte(buf, '\n')
		switch {
		case i >= 0:
			return headerOf(buf[:i], buf)
		case int64(len(buf)) == size && isHeader(buf):
			return h, 0, "", fmt.Errorf("%w: its only line, the header, is cut or has no line feed", ErrForeign)
		case int64(len(buf)) == size || len(buf) >= 64<<10 && !isHeader(buf):
			return h, 0, "", fmt.Errorf("%w: %s", ErrForeign, whyForeign(buf))
		case len(buf) >= maxHeader:
			return h, 0, "", fmt.Errorf("%w: its first line is longer than %d bytes", ErrForeign, maxHeader)
		}
		buf = make([]byte, min(size, 8*int64(len(buf)), maxHeader))
	}
}

// isHeader reports whether a file begins like a recording.
func isHeader(begin []byte) bool {
	return bytes.HasPrefix(bytes.TrimPrefix(begin, []byte(byteOrderMark)), []byte(`{"format":"`+formatName))
}

// headerOf takes the first line for the header, or for an event where the
// header is missing. begin is the beginning of the file.
func headerOf(line, begin []byte) (h Header, start int64, missing string, err error) {
	start = int64(len(line)) + 1
	if rest, ok := bytes.CutPrefix(line, []byte(byteOrderMark)); ok {
		line, missing = rest, "the file begins with a byte order mark, which was added on the way here"
	}
	if h, err = parseHeader(line); err == nil {
		return h, start, missing, nil
	}
	var v envelope
	var pl payload
	if parseLine(bytes.TrimSuffix(line, []byte("\r")), &v, &pl) == nil && v.kind != 0 {
		return Header{Format: Format}, 0, "the header is missing: the first line is an event; what was recorded, and when, is not known", nil
	}
	if errors.Is(err, ErrForeign) && !jsontext.Value(line).IsValid(tolerant...) {
		err = fmt.Errorf("%w: %s", ErrForeign, whyForeign(begin))
	}
	return h, 0, "", err
}

// takeMarks gives the events that set a mark, once.
func (x *indexer) takeMarks() []uint64 {
	marks := x.marks
	x.marks = nil
	return marks
}

// sayJunk says which lines are no events.
func (x *indexer) sayJunk() string {
	first := x.faults[0]
	if x.junk == 1 {
		return fmt.Sprintf("line %d is no event but listed as event %d: %s", first.Line, first.Seq, first.Text)
	}
	return fmt.Sprintf("%d lines are no events but listed as such; the first is line %d, event %d: %s", x.junk, first.Line, first.Seq, first.Text)
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
	aside := l.Path() + cutExt
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
