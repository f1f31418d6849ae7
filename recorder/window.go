package recorder

import (
	"bytes"
	"slices"
)

const (
	windowSize = 512 << 10
	windowBack = 128 << 10 // how much of it stands before the event that was asked for
)

// Window reads messages that stand near each other with few calls to the
// system. One goroutine uses it.
type Window struct {
	log *Log
	buf []byte
	at  int64 // offset of buf in the file
}

// NewWindow returns a window on l.
func NewWindow(l *Log) *Window { return &Window{log: l} }

// Data returns the Data of an event, at most max bytes of it. It is valid until
// the next call and is not to be changed.
func (w *Window) Data(seq uint64, max int) ([]byte, error) {
	if line := w.line(seq); line != nil {
		var v envelope
		var pl payload
		if _, ok := plainLine(line, &v, &pl); ok && v.kind == KindMessage && pl.form == formMessage {
			return pl.data[:min(len(pl.data), max)], nil
		}
	}
	e, err := w.log.Read(seq, max)
	return e.Data, err
}

// line returns a line that is in the window or can be brought there, else nil.
func (w *Window) line(seq uint64) []byte {
	if seq == 0 || seq > w.log.index.len() {
		return nil
	}
	offset, length := w.log.span(seq)
	if length > windowSize-windowBack {
		return nil
	}
	if offset < w.at || offset+length > w.at+int64(len(w.buf)) {
		w.buf = slices.Grow(w.buf[:0], windowSize)[:windowSize]
		w.at = max(0, offset-windowBack)
		n, _ := w.log.store.ReadAt(w.buf, w.at) // what is missing is read with its error by Read
		w.buf = w.buf[:n]
		if offset+length > w.at+int64(n) {
			return nil
		}
	}
	line := w.buf[offset-w.at:][:length]
	if i := bytes.IndexByte(line, '\n'); i >= 0 {
		line = line[:i]
	}
	return line
}
