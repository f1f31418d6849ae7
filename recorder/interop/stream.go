package interop

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// errTooLong says that one value of a file is longer than is held in memory.
var errTooLong = fmt.Errorf("it is longer than %d bytes", maxValue)

// valueReader reads a JSON document value by value, each of bounded length.
type valueReader struct {
	*jsontext.Decoder
	limit limitedReader
}

func newValueReader(r io.Reader) *valueReader {
	v := &valueReader{limit: limitedReader{r: r}}
	v.Decoder = jsontext.NewDecoder(&v.limit, tolerant...)
	v.start()
	return v
}

// start says that another value begins.
func (v *valueReader) start() { v.limit.left = maxValue }

// elements calls fn with each element of the array that comes. What breaks the
// array off is told as a *brokenError.
func (v *valueReader) elements(fn func(n int, value jsontext.Value) error) error {
	if tok, err := v.ReadToken(); err != nil || tok.Kind() != '[' {
		return v.broken(err, "no array")
	}
	for n := 1; ; n++ {
		v.start()
		kind := v.PeekKind()
		if kind == ']' {
			_, err := v.ReadToken()
			return err
		}
		value, err := v.ReadValue()
		if err != nil {
			return v.broken(err, fmt.Sprintf("entry %d", n))
		}
		if err := fn(n, value); err != nil {
			return err
		}
	}
}

// brokenError says where a file stops being what it should be.
type brokenError struct {
	where string
	err   error
}

func (e *brokenError) Error() string { return e.where + ": " + e.err.Error() }
func (e *brokenError) Unwrap() error { return e.err }

func (v *valueReader) broken(err error, where string) error {
	switch {
	case err == nil:
		err = errors.New("something else is there")
	case errors.Is(err, errTooLong):
		err = errTooLong
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		err = fmt.Errorf("the file ends there, after %d bytes", v.InputOffset()+int64(len(v.UnreadBuffer())))
	}
	return &brokenError{where, err}
}

// ended turns the break of a file into a remark, when something was read
// before it.
func (s *sink) ended(err error) error {
	var broken *brokenError
	if err == nil || !errors.As(err, &broken) || s.ctx.Err() != nil || s.n == 0 {
		return err
	}
	return s.skip(time.Time{}, broken.where, "the rest of the file cannot be read: "+broken.err.Error(), nil, nil)
}

// limitedReader ends with errTooLong after so many bytes.
type limitedReader struct {
	r    io.Reader
	left int64
}

func (l *limitedReader) Read(b []byte) (int, error) {
	if l.left <= 0 {
		return 0, errTooLong
	}
	n, err := l.r.Read(b[:min(int64(len(b)), l.left)])
	l.left -= int64(n)
	return n, err
}

// skipMark takes a byte order mark away.
func skipMark(r io.Reader) io.Reader {
	head := make([]byte, len(byteOrderMark))
	n, err := io.ReadFull(r, head)
	if err == nil && bytes.Equal(head, byteOrderMark) {
		return r
	}
	return io.MultiReader(bytes.NewReader(head[:n]), r)
}

// eachLine calls fn with the lines of r, counted from 1, without their end.
// cut says that a line is longer than limit; then line is its beginning.
func eachLine(r io.Reader, limit int, fn func(n int, line []byte, cut bool) error) error {
	in := &lineReader{r: r, limit: limit, buf: make([]byte, 0, 64<<10)}
	for n := 1; ; n++ {
		line, cut, err := in.next()
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if len(line) > 0 {
			if err := fn(n, line, cut); err != nil {
				return err
			}
		}
		if err != nil {
			return nil
		}
	}
}

// lineReader cuts a stream into lines.
type lineReader struct {
	r     io.Reader
	limit int // bytes
	buf   []byte
	from  int
	err   error
}

// next returns the next line; it is valid until the next call.
func (l *lineReader) next() (line []byte, cut bool, err error) {
	searched := 0
	for {
		rest := l.buf[l.from:]
		if i := bytes.IndexByte(rest[searched:], '\n'); i >= 0 {
			line = rest[:searched+i]
			l.from += searched + i + 1
			return bytes.TrimSuffix(line, []byte("\r")), false, nil
		}
		searched = len(rest)
		if l.err != nil {
			l.from = len(l.buf)
			return bytes.TrimSuffix(rest, []byte("\r")), false, l.err
		}
		if searched >= l.limit {
			line = bytes.Clone(rest[:min(l.limit, maxKept)])
			return line, true, l.skipLine()
		}
		l.fill()
	}
}

func (l *lineReader) fill() {
	if l.from > 0 {
		l.buf = l.buf[:copy(l.buf, l.buf[l.from:])]
		l.from = 0
	}
	if len(l.buf) == cap(l.buf) {
		grown := make([]byte, len(l.buf), 2*cap(l.buf))
		copy(grown, l.buf)
		l.buf = grown
	}
	n, err := l.r.Read(l.buf[len(l.buf):cap(l.buf)])
	l.buf, l.err = l.buf[:len(l.buf)+n], err
}

// skipLine goes to the end of a line that is too long.
func (l *lineReader) skipLine() error {
	for {
		l.from = len(l.buf)
		l.fill()
		if i := bytes.IndexByte(l.buf, '\n'); i >= 0 {
			l.from = i + 1
			return nil
		}
		if l.err != nil {
			l.from = len(l.buf)
			return l.err
		}
	}
}
