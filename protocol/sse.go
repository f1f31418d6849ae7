package protocol

// SSEDecoder cuts a stream of server-sent events into blocks.
type SSEDecoder struct {
	Max int // most bytes kept of one block, 0 for DefaultSSEMax
}

// DefaultSSEMax is the most bytes kept of one block unless Max says otherwise.
const DefaultSSEMax = 64 << 20

// SSEBlock is what stood between two blank lines.
type SSEBlock struct {
	Event      string // of the last event field, "" for none (which means "message")
	ID         string // of the last valid id field
	HasID      bool
	Retry      string // digits as sent, of the last valid retry field
	Data       []byte // data lines joined with LF
	HasData    bool   // there was a data field, even an empty one
	Comments   []string
	Fields     []SSEField // unknown and ignored fields, as sent
	Raw        []byte     // the bytes of the block as sent, blank line included
	Offset     int64      // of Raw in the stream
	Unfinished bool       // the stream ended before the blank line: not an event
	TooLong    bool       // the block was longer than Max; what is kept is its beginning
}

// SSEField is one field line.
type SSEField struct{ Name, Value string }

// Feed takes the next bytes and returns the blocks that they complete.
func (d *SSEDecoder) Feed(chunk []byte) []SSEBlock { return nil }

// End says that the stream is over.
func (d *SSEDecoder) End() []SSEBlock { return nil }
