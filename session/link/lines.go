package link

import "bytes"

// ending is how a line ended.
type ending uint8

const (
	endLF ending = iota
	endCRLF
	endNone // the stream ended, or more of the same line follows
)

func (e ending) String() string {
	switch e {
	case endLF:
		return "LF"
	case endCRLF:
		return "CR LF"
	}
	return "nothing"
}

// piece is a line, or a part of one that is longer than the limit.
type piece struct {
	data  []byte // owned by the receiver
	end   ending
	part  int   // 0 for a whole line, else 1 for the first piece, 2 for the next ...
	last  bool  // nothing of this line follows
	total int64 // bytes of the line so far, this piece included
}

// longPiece is the size of the pieces after the first of a line over the limit.
const longPiece = 1 << 20

// lineCutter cuts a byte stream into lines (STD-02, STD-17). It holds at most
// max bytes of one line; what is longer comes in pieces.
type lineCutter struct {
	max   int
	buf   []byte
	part  int   // pieces of the current line that were given out
	total int64 // their bytes
}

// feed takes the next bytes and gives out what they complete.
func (c *lineCutter) feed(chunk []byte, emit func(piece)) {
	for len(chunk) > 0 {
		i := bytes.IndexByte(chunk, '\n')
		if i < 0 {
			c.hold(chunk, emit)
			return
		}
		c.hold(chunk[:i], emit)
		end := endLF
		if n := len(c.buf); n > 0 && c.buf[n-1] == '\r' {
			c.buf, end = c.buf[:n-1], endCRLF
		}
		c.finish(end, emit)
		chunk = chunk[i+1:]
	}
}

// end gives out what the stream ended with.
func (c *lineCutter) end(emit func(piece)) {
	if len(c.buf) == 0 && c.part == 0 {
		return
	}
	c.finish(endNone, emit)
}

func (c *lineCutter) hold(b []byte, emit func(piece)) {
	for len(b) > 0 {
		room := c.max - len(c.buf)
		if c.part > 0 {
			room = min(c.max, longPiece) - len(c.buf)
		}
		if room == 0 {
			c.part++
			c.give(endNone, false, emit)
			continue
		}
		n := min(room, len(b))
		c.buf = append(c.buf, b[:n]...)
		b = b[n:]
	}
}

func (c *lineCutter) finish(end ending, emit func(piece)) {
	if c.part > 0 {
		c.part++
	}
	c.give(end, true, emit)
	c.part, c.total = 0, 0
}

func (c *lineCutter) give(end ending, last bool, emit func(piece)) {
	c.total += int64(len(c.buf))
	p := piece{end: end, part: c.part, last: last, total: c.total}
	if cap(c.buf) > longPiece {
		p.data, c.buf = c.buf, nil // one giant line must not hold its memory for good
	} else {
		p.data, c.buf = bytes.Clone(c.buf), c.buf[:0]
	}
	emit(p)
}
