package protocol

import (
	"bytes"
	"slices"
)

// DefaultSSEMax is the most bytes kept of one block unless SSEDecoder.Max says
// otherwise.
const DefaultSSEMax = 64 << 20

// sseListMax bounds Comments and Fields of one block; more of them are in Raw
// only.
const sseListMax = 1000

// SSEDecoder cuts a stream of server-sent events into blocks (HTTP-12,
// appendix C of the obligations). The zero value is ready for use. It does not
// matter how the stream is cut into chunks.
//
// It keeps no state that belongs to a connection: the last event id and the
// reconnection time are in the blocks, for the owner of the stream to keep.
type SSEDecoder struct {
	// Max is the most bytes kept of one block, 0 for DefaultSSEMax. Of a longer
	// one the rest is read and dropped, and the block is flagged.
	Max int

	started bool  // the place of a byte order mark is behind
	mark    int   // bytes of a mark read so far
	afterCR bool  // a line feed now belongs to the line end before it
	offset  int64 // of the next byte in the stream

	block     []byte // bytes of the open block
	blockAt   int64  // their place in the stream
	blockSize int64  // all bytes of the open block, also those dropped
	line      int    // where the open line begins in block
	lineSize  int64  // bytes of the open line, also those dropped
}

// SSEBlock is what stood between two blank lines of a stream. A comment outside
// of an event is a block of its own, so that a keep-alive is seen when it comes.
// The receiver owns all of it.
type SSEBlock struct {
	Event      string     // of the last event field; "" for none, see Type
	ID         string     // of the last valid id field
	HasID      bool       // there was one; it sets the stream's last event id, also to ""
	Retry      string     // digits of the last valid retry field, milliseconds
	Data       []byte     // data lines joined with LF; may be a sub-slice of Raw
	HasData    bool       // there was a data field, even an empty one
	Comments   []string   // without the colon, as sent
	Fields     []SSEField // fields with a name or a value that means nothing
	Raw        []byte     // as sent, without the blank line; of a lone comment without its line end
	Offset     int64      // of Raw in the stream
	Size       int64      // bytes of the block as sent; more than len(Raw) if TooLong
	Unfinished bool       // the stream ended before the blank line: not an event
	TooLong    bool       // the block is longer than Max: Raw and all else are its beginning
}

// SSEField is one field line.
type SSEField struct{ Name, Value string }

// Type is the event type: "message" when none was sent.
func (b *SSEBlock) Type() string {
	if b.Event == "" {
		return "message"
	}
	return b.Event
}

// Dispatches reports whether the block is an event with something in it. One
// with empty data only sets the last event id (HTTP-50), an unfinished one is
// dropped (trap 43).
func (b *SSEBlock) Dispatches() bool { return len(b.Data) > 0 && !b.Unfinished }

// Feed takes the next bytes of the stream and returns the blocks that they
// complete. It does not keep chunk.
func (d *SSEDecoder) Feed(chunk []byte) []SSEBlock {
	if !d.started {
		chunk = d.start(chunk)
	}
	var blocks []SSEBlock
	nextCR := -1 // index of the next CR, len(chunk) for none; -1 when not known
	for i := 0; i < len(chunk); {
		if d.afterCR {
			d.afterCR = false
			if chunk[i] == '\n' {
				d.lineFeed()
				i++
				continue
			}
		}
		if nextCR < i {
			if n := bytes.IndexByte(chunk[i:], '\r'); n >= 0 {
				nextCR = i + n
			} else {
				nextCR = len(chunk)
			}
		}
		end := nextCR
		if n := bytes.IndexByte(chunk[i:nextCR], '\n'); n >= 0 {
			end = i + n
		}
		d.keep(chunk[i:end])
		if i = end; i == len(chunk) {
			break
		}
		d.afterCR = chunk[i] == '\r'
		if b, ok := d.endLine(chunk[i]); ok {
			blocks = append(blocks, b)
		}
		i++
	}
	return blocks
}

// start takes a byte order mark off the beginning of the stream.
func (d *SSEDecoder) start(chunk []byte) []byte {
	for i, c := range chunk {
		if c != bom[d.mark] {
			d.started = true
			d.keep([]byte(bom[:d.mark]))
			return chunk[i:]
		}
		if d.mark++; d.mark == len(bom) {
			d.started = true
			d.offset = int64(len(bom))
			return chunk[i+1:]
		}
	}
	return nil
}

const bom = "\xef\xbb\xbf"

// End says that the stream is over. It returns the unfinished block at its end,
// if there is one, and makes the decoder ready for another stream.
func (d *SSEDecoder) End() []SSEBlock {
	var blocks []SSEBlock
	if d.blockSize > 0 {
		b := d.finish()
		b.Unfinished = true
		blocks = append(blocks, b)
	}
	*d = SSEDecoder{Max: d.Max}
	return blocks
}

func (d *SSEDecoder) max() int {
	if d.Max > 0 {
		return d.Max
	}
	return DefaultSSEMax
}

// keep appends bytes of the open line to the open block.
func (d *SSEDecoder) keep(b []byte) {
	if d.blockSize == 0 {
		d.blockAt = d.offset
	}
	d.offset += int64(len(b))
	d.blockSize += int64(len(b))
	d.lineSize += int64(len(b))
	d.store(b)
}

func (d *SSEDecoder) store(b []byte) {
	if room := d.max() - len(d.block); len(b) > room {
		b = b[:room]
	}
	d.block = append(d.block, b...)
}

// lineFeed takes the second half of a CR LF.
func (d *SSEDecoder) lineFeed() {
	d.offset++
	if d.blockSize > 0 {
		d.blockSize++
		d.store([]byte{'\n'})
		d.line = len(d.block)
	}
}

// endLine closes the open line with its first end character and returns the
// block that ends with it.
func (d *SSEDecoder) endLine(end byte) (b SSEBlock, ok bool) {
	d.offset++
	size := d.lineSize
	d.lineSize = 0
	switch {
	case size == 0 && d.blockSize == 0: // blank lines between blocks
		return SSEBlock{}, false
	case size == 0:
		return d.finish(), true
	}
	if d.line == 0 && d.block[0] == ':' {
		return d.finish(), true
	}
	d.blockSize++
	d.store([]byte{end})
	d.line = len(d.block)
	return SSEBlock{}, false
}

// finish makes a block of the bytes that are kept and opens the next.
func (d *SSEDecoder) finish() SSEBlock {
	b := SSEBlock{Raw: slices.Clip(d.block), Offset: d.blockAt, Size: d.blockSize}
	b.TooLong = b.Size > int64(len(b.Raw))
	b.read()
	d.block, d.blockSize, d.line = nil, 0, 0
	return b
}

// read takes the fields out of Raw.
func (b *SSEBlock) read() {
	for rest := b.Raw; len(rest) > 0; {
		line := rest
		if i := bytes.IndexAny(rest, "\r\n"); i >= 0 {
			line, rest = rest[:i], rest[i+1:]
			if len(rest) > 0 && b.Raw[len(b.Raw)-len(rest)-1] == '\r' && rest[0] == '\n' {
				rest = rest[1:]
			}
		} else {
			rest = nil
		}
		b.field(line)
	}
}

func (b *SSEBlock) field(line []byte) {
	name, value, hasColon := bytes.Cut(line, []byte(":"))
	if hasColon && len(name) == 0 {
		if len(b.Comments) < sseListMax {
			b.Comments = append(b.Comments, string(value))
		}
		return
	}
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(name) {
	case "data":
		if b.HasData {
			// The first line shares memory with Raw; its capacity is clipped,
			// so appending moves it away.
			b.Data = append(append(b.Data, '\n'), value...)
		} else {
			b.Data = slices.Clip(value)
		}
		b.HasData = true
		return
	case "event":
		b.Event = string(value)
		return
	case "id":
		if bytes.IndexByte(value, 0) < 0 {
			b.ID, b.HasID = string(value), true
			return
		}
	case "retry":
		if len(value) > 0 && skipDigits(value, 0) == len(value) {
			b.Retry = string(value)
			return
		}
	}
	if len(b.Fields) < sseListMax {
		b.Fields = append(b.Fields, SSEField{string(name), string(value)})
	}
}
