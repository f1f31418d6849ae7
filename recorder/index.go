package recorder

import (
	"hash/maphash"
	"math"
	"sort"
	"strconv"
	"sync/atomic"
	"time"

	"mcploupe/protocol"
)

// entry is what the index keeps of an event: 48 bytes, whatever the event.
//
// Strings are numbers into words. A string that found no room there is marked
// and read from the file when it is asked for.
type entry struct {
	// pos is, from the low end: 42 bits file offset of the line, 2 direction,
	// 3 kind, 3 message kind, 1 problems, 1 status of a message, 11 status.
	pos     uint64
	time    int64
	id      uint64 // 16 bits method, 48 bits id
	ref     uint64 // 16 bits name, 48 bits ref
	size    uint32 // saturates
	partner uint32 // atomic
	channel uint32 // 8 bits prefix, 24 bits number after it plus one
	cause   uint32
}

const (
	offsetBits = 42
	maxOffset  = 1<<offsetBits - 1
	maxSeq     = math.MaxUint32 - 1

	dirShift     = offsetBits
	kindShift    = dirShift + 2
	msgShift     = kindShift + 3
	problemShift = msgShift + 3
	statusShift  = problemShift + 1

	// Status codes: HTTP codes are themselves, words come after them.
	firstStatusWord = 1000
	statusInFile    = 1<<11 - 1

	wordInFile = 1<<16 - 1

	prefixInFile  = 1<<8 - 1
	maxChannelNum = 1<<24 - 2

	// The two high bits of an id say what the others are.
	idBits   = 46
	idNumber = 1 << idBits
	idWord   = 2 << idBits
	idInFile = 3 << idBits
	idMask   = 1<<48 - 1
)

// idSeed is for the hash that an id which found no room is told apart by.
var idSeed = maphash.MakeSeed()

// tables are the strings of a recording.
type tables struct {
	methods, names, ids, channels, statuses *words
}

func newTables() tables {
	return tables{
		methods:  newWords(4000, 256<<10),
		names:    newWords(60_000, 3<<20),
		ids:      newWords(60_000, 3<<20),
		channels: newWords(prefixInFile-1, 16<<10),
		statuses: newWords(statusInFile-firstStatusWord-1, 32<<10),
	}
}

// coder makes entries from envelopes. One goroutine uses it.
type coder struct {
	methods, names, ids, channels, statuses *numberer
}

func newCoder(t *tables) *coder {
	return &coder{newNumberer(t.methods), newNumberer(t.names), newNumberer(t.ids), newNumberer(t.channels), newNumberer(t.statuses)}
}

func (c *coder) entry(v *envelope, offset, size int64) entry {
	e := entry{
		pos: uint64(offset)&maxOffset | uint64(v.dir)<<dirShift | uint64(v.kind)<<kindShift |
			uint64(v.msg)<<msgShift | uint64(c.status(v.status))<<statusShift,
		time:    v.time,
		id:      code(c.methods, v.method)<<48 | c.id(v.id),
		ref:     code(c.names, v.name)<<48 | c.id(v.ref),
		size:    uint32(min(size, math.MaxUint32)),
		channel: c.channel(v.channel),
		cause:   uint32(min(v.cause, maxSeq)),
	}
	if v.problems {
		e.pos |= 1 << problemShift
	}
	return e
}

func code(n *numberer, b []byte) uint64 {
	if len(b) == 0 {
		return 0
	}
	if k := n.number(b); k != 0 {
		return uint64(k)
	}
	return wordInFile
}

// id codes the JSON text of an id.
func (c *coder) id(text []byte) uint64 {
	if len(text) == 0 {
		return 0
	}
	if n, ok := plainNumber(text, 1<<idBits-1); ok {
		return idNumber | n
	}
	if k := c.ids.number(text); k != 0 {
		return idWord | uint64(k)
	}
	return hashedID(text)
}

func hashedID(text []byte) uint64 { return idInFile | maphash.Bytes(idSeed, text)&(1<<idBits-1) }

// keepID is the code that entries have of an id, from now on.
func (t *tables) keepID(text []byte) uint64 {
	t.ids.number(text)
	return t.idCode(text)
}

// idCode is the code that entries have of an id, without taking it into the
// table.
func (t *tables) idCode(text []byte) uint64 {
	if len(text) == 0 {
		return 0
	}
	if n, ok := plainNumber(text, 1<<idBits-1); ok {
		return idNumber | n
	}
	if k := t.ids.find(text); k != 0 {
		return idWord | uint64(k)
	}
	return hashedID(text)
}

// channel codes names like post-17 without a word for each.
func (c *coder) channel(name []byte) uint32 {
	if len(name) == 0 {
		return 0
	}
	end := len(name)
	for end > 0 && name[end-1]-'0' < 10 {
		end--
	}
	n, ok := plainNumber(name[end:], maxChannelNum)
	if !ok || end == 0 {
		end, n = len(name), 0
	} else {
		n++
	}
	k := c.channels.number(name[:end])
	if k == 0 {
		return prefixInFile
	}
	return k | uint32(n)<<8
}

func (c *coder) status(word []byte) uint32 {
	if len(word) == 0 {
		return 0
	}
	if n, ok := plainNumber(word, firstStatusWord-1); ok && n > 0 {
		return uint32(n)
	}
	if k := c.statuses.number(word); k != 0 {
		return firstStatusWord + k
	}
	return statusInFile
}

// plainNumber reads a decimal number that is written as strconv would.
func plainNumber(b []byte, max uint64) (uint64, bool) {
	if len(b) == 0 || len(b) > 18 || b[0] == '0' && len(b) > 1 {
		return 0, false
	}
	n := uint64(0)
	for _, c := range b {
		if c -= '0'; c > 9 {
			return 0, false
		}
		n = n*10 + uint64(c)
	}
	return n, n <= max
}

func (e *entry) offset() int64        { return int64(e.pos & maxOffset) }
func (e *entry) dir() Direction       { return Direction(e.pos >> dirShift & 3) }
func (e *entry) kind() EventKind      { return EventKind(e.pos >> kindShift & 7) }
func (e *entry) msg() protocol.Kind   { return protocol.Kind(e.pos >> msgShift & 7) }
func (e *entry) problems() bool       { return e.pos>>problemShift&1 != 0 }
func (e *entry) status() uint32       { return uint32(e.pos >> statusShift & statusInFile) }
func (e *entry) answer() uint32       { return atomic.LoadUint32(&e.partner) }
func (e *entry) setAnswer(p uint32)   { atomic.StoreUint32(&e.partner, p) }
func (e *entry) since() time.Duration { return time.Duration(e.time) }

// chunkLen is how many entries are allocated at a time.
const chunkLen = 4096

// chunk is a part of the index.
type chunk struct {
	entries [chunkLen]entry
	before  int64 // the latest time in the chunks before this one
}

// index is the list of entries. One goroutine at a time adds; any number read
// meanwhile, without a lock.
type index struct {
	n      atomic.Uint64
	chunks atomic.Pointer[[]*chunk]
	latest int64 // time; of the goroutine that adds
}

func (x *index) len() uint64 { return x.n.Load() }

// at gives the entry of a seq from 1 to len. Only its partner ever changes.
func (x *index) at(seq uint64) *entry {
	i := seq - 1
	return &(*x.chunks.Load())[i/chunkLen].entries[i%chunkLen]
}

// firstAt gives the first event at a time or later, len+1 if there is none.
func (x *index) firstAt(t int64) uint64 {
	n := x.len()
	if n == 0 {
		return 1
	}
	chunks := (*x.chunks.Load())[:(n-1)/chunkLen+1]
	i := max(sort.Search(len(chunks), func(i int) bool { return chunks[i].before >= t })-1, 0)
	for seq := uint64(i)*chunkLen + 1; seq <= n; seq++ {
		if x.at(seq).time >= t {
			return seq
		}
	}
	return n + 1
}

// add appends entries and publishes them.
func (x *index) add(entries ...entry) {
	n := x.n.Load()
	var list []*chunk
	if p := x.chunks.Load(); p != nil {
		list = *p
	}
	for len(entries) > 0 {
		if n/chunkLen == uint64(len(list)) {
			longer := append(list, &chunk{before: x.latest})
			x.chunks.Store(&longer)
			list = longer
		}
		k := copy(list[n/chunkLen].entries[n%chunkLen:], entries)
		for i := range entries[:k] {
			x.latest = max(x.latest, entries[i].time)
		}
		entries = entries[k:]
		n += uint64(k)
	}
	x.n.Store(n)
}

// headStrings are those strings of a Head that somebody needs.
type headStrings uint8

const (
	needMethod headStrings = 1 << iota
	needName
	needStatus
	needMade // ID, Ref and Channel, which have to be made
	needAll  = needMethod | needName | needStatus | needMade
)

// head fills what can be said of an event without I/O; strings that found no
// room in the tables are left out, and reported if they are needed. The strings
// that have to be made are left out unless they are needed.
func (t *tables) head(h *Head, e *entry, need headStrings) (missing bool) {
	h.Time, h.Dir, h.Kind, h.Message = e.since(), e.dir(), e.kind(), e.msg()
	h.Size, h.Problems, h.Cause = int(e.size), e.problems(), uint64(e.cause)
	h.Partner = uint64(e.answer())
	h.Took = 0
	method, name := e.id>>48, e.ref>>48
	missing = method == wordInFile && need&needMethod != 0 || name == wordInFile && need&needName != 0
	h.Method, h.Name = "", ""
	if method != 0 && method != wordInFile {
		h.Method = t.methods.word(uint32(method))
	}
	if name != 0 && name != wordInFile {
		h.Name = t.names.word(uint32(name))
	}
	h.ID, h.Ref = "", ""
	if need&needMade != 0 {
		var m1, m2 bool
		h.ID, m1 = t.id(e.id & idMask)
		h.Ref, m2 = t.id(e.ref & idMask)
		missing = missing || m1 || m2
	}
	switch s := e.status(); {
	case s == statusInFile:
		h.Status, missing = "", missing || need&needStatus != 0
	case s > firstStatusWord:
		h.Status = t.statuses.word(s - firstStatusWord)
	case s > 0:
		h.Status = statusNumbers[s]
	default:
		h.Status = ""
	}
	h.Channel = ""
	switch prefix := e.channel & 0xff; {
	case need&needMade == 0 || prefix == 0:
	case prefix == prefixInFile:
		missing = true
	default:
		h.Channel = t.channels.word(prefix)
		if n := e.channel >> 8; n > 0 {
			h.Channel += strconv.FormatUint(uint64(n-1), 10)
		}
	}
	return missing
}

var statusNumbers = func() (s [firstStatusWord]string) {
	for i := range s {
		s[i] = strconv.Itoa(i)
	}
	return s
}()

func (t *tables) id(c uint64) (text string, missing bool) {
	switch v := c & (1<<idBits - 1); c &^ (1<<idBits - 1) {
	case idNumber:
		return strconv.FormatUint(v, 10), false
	case idWord:
		return t.ids.word(uint32(v)), false
	case idInFile:
		return "", true
	}
	return "", false
}
