package recorder

import (
	"container/list"
	"fmt"
	"sync"
	"sync/atomic"

	"mcploupe/protocol"
)

// DefaultCache bounds the messages that a recording keeps parsed, by their length
// on the wire in bytes; one longer message may be kept alone.
const DefaultCache = 16 << 20

// cacheBytes is what SetCache said, 0 for DefaultCache.
var cacheBytes atomic.Int64

// SetCache changes for all recordings of this process how many bytes of messages
// each keeps parsed, from the next message on; 0 is DefaultCache.
func SetCache(bytes int64) { cacheBytes.Store(max(bytes, 0)) }

func cacheBound() int {
	if n := cacheBytes.Load(); n > 0 {
		return int(n)
	}
	return DefaultCache
}

// messageCache keeps the parsed messages that were used last.
type messageCache struct {
	mu    sync.Mutex
	bySeq map[uint64]*list.Element
	order list.List // of cachedMessage, the last used first
	bytes int
}

type cachedMessage struct {
	seq     uint64
	message protocol.Message
}

func (c *messageCache) get(seq uint64) (protocol.Message, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	el, ok := c.bySeq[seq]
	if !ok {
		return protocol.Message{}, false
	}
	c.order.MoveToFront(el)
	return el.Value.(cachedMessage).message, true
}

func (c *messageCache) put(seq uint64, m protocol.Message) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.bySeq[seq]; ok {
		return
	}
	if c.bySeq == nil {
		c.bySeq = map[uint64]*list.Element{}
	}
	c.bySeq[seq] = c.order.PushFront(cachedMessage{seq, m})
	c.bytes += messageCost(m)
	for bound := cacheBound(); c.bytes > bound && c.order.Len() > 1; {
		last := c.order.Remove(c.order.Back()).(cachedMessage)
		delete(c.bySeq, last.seq)
		c.bytes -= messageCost(last.message)
	}
}

// messageCost counts a message with the few hundred bytes around it.
func messageCost(m protocol.Message) int { return len(m.Raw) + 512 + 128*len(m.Problems) }

// Message returns a KindMessage event parsed. Do not change it: it is shared.
func (l *Log) Message(seq uint64) (protocol.Message, error) {
	if m, ok := l.cache.get(seq); ok {
		return m, nil
	}
	e, err := l.Read(seq, 0)
	if err != nil {
		return protocol.Message{}, err
	}
	if e.Kind != KindMessage {
		return protocol.Message{}, fmt.Errorf("event %d of %s is no message", seq, l.Path())
	}
	m := protocol.Parse(e.Data)
	l.cache.put(seq, m)
	return m, nil
}
