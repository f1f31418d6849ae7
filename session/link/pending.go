package link

import (
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
)

// pendingTable knows which requests wait for an answer, over all streams
// (HTTP-51).
type pendingTable struct {
	mu   sync.Mutex
	byID map[string]*pending // by looseID
}

// looseID is the same for an id and for what careless servers make of it: 1,
// 1.0 and "1". Whether an answer is right is for others to say; here it only
// ends the wait for one.
func looseID(id protocol.ID) string {
	text := id.String()
	if s, ok := protocol.StringValue(jsontext.Value(text)); ok {
		return s
	}
	return strings.TrimSuffix(text, ".0")
}

// pending is what one POST waits for.
type pending struct {
	expects bool            // it carried a request
	ids     map[string]bool // by looseID
	done    chan struct{}   // closed when every id is answered
}

func (p *pending) answered() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

func (t *pendingTable) add(m protocol.Message) *pending {
	p := &pending{ids: map[string]bool{}, done: make(chan struct{})}
	for _, m := range append([]protocol.Message{m}, m.Items...) {
		if m.Kind == protocol.Request {
			p.expects = true
			p.ids[looseID(m.ID)] = true
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.byID == nil {
		t.byID = map[string]*pending{}
	}
	for id := range p.ids {
		t.byID[id] = p
	}
	return p
}

// answer marks what m answers.
func (t *pendingTable) answer(m protocol.Message) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, m := range append([]protocol.Message{m}, m.Items...) {
		if m.Kind != protocol.Result && m.Kind != protocol.Error {
			continue
		}
		id := looseID(m.ID)
		if p := t.byID[id]; p != nil {
			delete(t.byID, id)
			delete(p.ids, id)
			if len(p.ids) == 0 {
				close(p.done)
			}
		}
	}
}

// answerAll marks p as answered.
func (t *pendingTable) answerAll(p *pending) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(p.ids) == 0 {
		return
	}
	t.forget(p)
	clear(p.ids)
	close(p.done)
}

// drop forgets p.
func (t *pendingTable) drop(p *pending) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.forget(p)
}

func (t *pendingTable) forget(p *pending) {
	for id := range p.ids {
		if t.byID[id] == p {
			delete(t.byID, id)
		}
	}
}
