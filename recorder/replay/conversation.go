package replay

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
)

const (
	maxRounds = 1024 // answers input_required that may be taken up again
	maxPlays  = 1024 // requests that one client may have open
	maxURIs   = 4096 // resources that one client may subscribe to
)

// sender brings a message to the client. It may be called from any goroutine.
type sender func(raw []byte) error

// conversation is what a Server knows of one client.
type conversation struct {
	number  int // of the client, from 1
	s       *Server
	general sender // for what belongs to no request; legacy revisions only

	mu       sync.Mutex
	revision *protocol.Revision // of the handshake, nil before it
	caps     jsontext.Value     // of the client, by the handshake
	turns    map[turnKey]int
	served   map[int32]int               // requests by group
	tokens   map[int32]protocol.ID       // progress tokens of the client, by exchange
	rounds   []pendingRound              // the newest
	asked    map[protocol.ID]chan []byte // questions to the client that are open
	nextAsk  uint64
	plays    map[protocol.ID]context.CancelFunc
	listens  []*listen
	uris     map[string]bool // subscribed to in the handshake revisions
}

// pendingRound is where an answer goes on once the client brings its input.
type pendingRound struct {
	groupKey
	state jsontext.Value
	leg   int
	from  int            // moment of leg to go on with
	asks  map[string]ask // what was asked, by key
}

// ask is a recorded question: the event that asked, or none for an input
// request, and the recorded reply.
type ask struct {
	place
	reply jsontext.Value // result or error as recorded, nil if it is not known
}

func (s *Server) converse(general sender) *conversation {
	return &conversation{s: s, number: s.book.client(), general: general, turns: make(map[turnKey]int), served: make(map[int32]int),
		tokens: make(map[int32]protocol.ID), asked: make(map[protocol.ID]chan []byte),
		plays: make(map[protocol.ID]context.CancelFunc), uris: make(map[string]bool)}
}

// client is who sent a request, as far as the request says.
type client struct {
	revision *protocol.Revision // nil before the handshake
	modern   bool
	caps     jsontext.Value
	logs     string         // level of log messages that a modern request wants
	token    protocol.ID    // for progress
	params   jsontext.Value // of the request
}

const metaPath = "/_meta/io.modelcontextprotocol~1"

func (c *conversation) client(m protocol.Message) (client, error) {
	cl := client{params: m.Params}
	cl.token, _ = protocol.ParseID(string(lookup(m.Params, "/_meta/progressToken")))
	if name := text(lookup(m.Params, metaPath+"protocolVersion")); name != "" {
		r, ok := protocol.RevisionByName(name)
		if !ok || !r.Modern {
			return cl, fmt.Errorf("the revision %s is not spoken without a handshake", shortName(name))
		}
		cl.revision, cl.modern = r, true
		cl.caps = lookup(m.Params, metaPath+"clientCapabilities")
		cl.logs = text(lookup(m.Params, metaPath+"logLevel"))
		return cl, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	cl.revision, cl.caps = c.revision, c.caps
	return cl, nil
}

// can reports whether the client declared that it can be asked.
func (cl client) can(method string, params jsontext.Value) bool {
	switch method {
	case protocol.MethodElicit:
		declared := lookup(cl.caps, "/elicitation")
		if text(lookup(params, "/mode")) == protocol.ElicitURL {
			return lookup(declared, "/url") != nil
		}
		return declared != nil
	case protocol.MethodSampling:
		return lookup(cl.caps, "/sampling") != nil
	case protocol.MethodRootsList:
		return lookup(cl.caps, "/roots") != nil
	}
	return false
}

// dealt tells of a request that has ended.
func (c *conversation) dealt(m protocol.Message, answer []byte, unknown bool, took time.Duration) {
	if c.s.o.OnRequest == nil {
		return
	}
	served := Served{Client: c.number, Method: m.Method, Name: protocol.NameOf(m.Method, m.Params), Took: took, Given: answer != nil, Refused: unknown}
	if answer != nil {
		if e := protocol.Parse(answer).Error; e != nil {
			decoded, _ := protocol.DecodeError(e)
			served.Fault = decoded.Error()
		}
	}
	c.s.o.OnRequest(served)
}

// reply takes an answer of the client to a question.
func (c *conversation) reply(m protocol.Message) {
	c.mu.Lock()
	ch := c.asked[m.ID]
	delete(c.asked, m.ID)
	c.mu.Unlock()
	if ch != nil {
		ch <- bytes.Clone(m.Raw)
	}
}

// notified takes a notification of the client.
func (c *conversation) notified(m protocol.Message) {
	if m.Method != protocol.NotificationCancelled {
		return
	}
	id, _ := protocol.DecodeCancelled(m.Params)
	c.mu.Lock()
	cancel := c.plays[id]
	c.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}

// handle answers one request. The answer is nil when there is none to give, as
// when the request was cancelled; after, unless nil, is to be run when the
// answer is out. ctx ends with the client's interest.
func (c *conversation) handle(ctx context.Context, m protocol.Message, out sender) (answer []byte, after func(context.Context)) {
	if m.Method == protocol.MethodPing {
		return protocol.NewResult(m.ID, nil), nil
	}
	began, unknown := time.Now(), false
	defer func() { c.dealt(m, answer, unknown, time.Since(began)) }()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c.mu.Lock()
	if len(c.plays) >= maxPlays {
		c.mu.Unlock()
		return protocol.NewError(m.ID, protocol.CodeInternal, fmt.Sprintf("More than %d requests are open", maxPlays), nil), nil
	}
	c.plays[m.ID] = cancel
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		delete(c.plays, m.ID)
		c.mu.Unlock()
	}()
	cl, err := c.client(m)
	if err != nil {
		c.s.book.count(false)
		return unsupported(m.ID, err), nil
	}
	switch m.Method {
	case protocol.MethodInitialize:
		answer = c.initialize(m)
		if i := c.s.script.first(m.Method); i >= 0 {
			after = c.afterwards(i, cl)
		}
		return answer, after
	case protocol.MethodDiscover:
		return c.discover(m), nil
	case protocol.MethodSubscriptionsListen:
		return c.listen(ctx, m, cl, out), nil
	}
	p, refused := c.choose(m, cl)
	if refused != nil {
		unknown = true
		c.s.book.count(false)
		return refused, nil
	}
	c.s.book.count(true)
	p.ctx, p.out, p.cl, p.request = ctx, out, cl, m
	answer = p.run()
	if ctx.Err() != nil {
		return nil, nil
	}
	c.took(m, answer)
	if !p.parked {
		after = c.afterwards(p.leg, cl)
	}
	return answer, after
}

// choose finds what is played for a request; refused is an answer when the
// recording has nothing.
func (c *conversation) choose(m protocol.Message, cl client) (p *play, refused []byte) {
	sc := c.s.script
	state, _, hasState := protocol.Lookup(m.Params, "/requestState")
	answers, _, hasAnswers := protocol.Lookup(m.Params, "/inputResponses")
	if m.Method != protocol.MethodTasksUpdate && (hasState || hasAnswers) {
		if p := c.resume(m, state, answers); p != nil {
			return p, nil
		}
		text := "The recording has no round that this request goes on with"
		c.s.book.add(remarkOn(Refused, m, text))
		return nil, protocol.NewError(m.ID, protocol.CodeInvalidParams, text, nil)
	}
	f := sc.find(m.Method, m.Params, c.s.o.Match, c.turn)
	if f.leg < 0 {
		if made := c.made(m); made != nil {
			return &play{c: c, leg: -1, made: made}, nil
		}
		raw, sentence := sc.refusal(m.ID, m, f)
		r := remarkOn(Refused, m, sentence)
		r.Differs, r.Params = f.differs, bytes.Clone(m.Params)
		if f.nearest >= 0 {
			r.Nearest = sc.legs[f.nearest].request.seq
		}
		c.s.book.add(r)
		return nil, raw
	}
	seq := sc.legs[f.leg].request.seq
	switch {
	case !f.exact:
		r := remarkOn(Approx, m, fmt.Sprintf("%s was answered as the recorded request of event %d, whose params differ", label(m), seq))
		r.Nearest, r.Differs, r.Params = seq, f.differs, bytes.Clone(m.Params)
		c.s.book.add(r)
	case f.repeat && m.Method == protocol.MethodToolsCall:
		r := remarkOn(Repeated, m, fmt.Sprintf("%s came more often than it was recorded: the answer to event %d was given again", label(m), seq))
		r.Nearest = seq
		c.s.book.add(r)
	}
	return &play{c: c, leg: f.leg}, nil
}

func label(m protocol.Message) string {
	if name := protocol.NameOf(m.Method, m.Params); name != "" {
		return m.Method + " " + shortName(name)
	}
	return m.Method
}

// made answers what every server answers alike, when the recording has none.
func (c *conversation) made(m protocol.Message) []byte {
	switch m.Method {
	case protocol.MethodSetLevel, protocol.MethodResourcesSubscribe, protocol.MethodResourcesUnsubscribe:
		c.s.book.add(remarkOn(Fitted, m, m.Method+" is not in the recording; it was accepted"))
		return protocol.NewResult(m.ID, nil)
	}
	return nil
}

// resume finds the round that a retry goes on with: the newest that gave it its
// state, or a recorded one with that state.
func (c *conversation) resume(m protocol.Message, state, answers jsontext.Value) *play {
	key := groupKey{m.Method, protocol.NameOf(m.Method, m.Params)}
	c.mu.Lock()
	for _, r := range slices.Backward(c.rounds) {
		if r.groupKey == key && bytes.Equal(r.state, state) {
			c.mu.Unlock()
			if r.leg < 0 {
				return nil
			}
			return &play{c: c, leg: r.leg, from: r.from, given: answers, asks: r.asks}
		}
	}
	c.mu.Unlock()
	sc := c.s.script
	if state == nil {
		return nil
	}
	for i := range sc.legs {
		if l := &sc.legs[i]; l.retry && sc.groups[l.group].groupKey == key {
			if q := sc.message(l.request); bytes.Equal(lookup(q.Params, "/requestState"), state) {
				return &play{c: c, leg: i, given: answers}
			}
		}
	}
	return nil
}

// park remembers where an answer goes on.
func (c *conversation) park(r pendingRound) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r.state = bytes.Clone(r.state)
	if len(c.rounds) == maxRounds {
		c.rounds = slices.Delete(c.rounds, 0, 1)
	}
	c.rounds = append(c.rounds, r)
}

// turn chooses among equal requests the next one that was not given yet, the
// last one again when all were. A poll does not get past what the client did to
// the task meanwhile, unless this client did it too.
func (c *conversation) turn(key turnKey, legs []int32) (at int, repeat bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := c.turns[key]
	if n >= len(legs) {
		return int(legs[len(legs)-1]), true
	}
	g := &c.s.script.groups[key.group]
	if g.method == protocol.MethodTasksGet && n > 0 && c.ahead(g.name, c.s.script.legs[legs[n]].request.seq) {
		return int(legs[n-1]), false
	}
	c.turns[key] = n + 1
	c.served[key.group]++
	return int(legs[n]), false
}

// ahead reports whether, before an event, the recorded client did more to a task
// than this one did. mu is held.
func (c *conversation) ahead(task string, before uint64) bool {
	for _, method := range []string{protocol.MethodTasksUpdate, protocol.MethodTasksCancel} {
		g, ok := c.s.script.byKey[groupKey{method, task}]
		if !ok {
			continue
		}
		done := 0
		for _, i := range c.s.script.groups[g].legs {
			if c.s.script.legs[i].request.seq < before {
				done++
			}
		}
		if c.served[g] < done {
			return true
		}
	}
	return false
}

// took notes what an answer means for later requests.
func (c *conversation) took(m protocol.Message, answer []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch m.Method {
	case protocol.MethodResourcesSubscribe:
		if len(c.uris) < maxURIs {
			c.uris[protocol.NameOf(m.Method, m.Params)] = true
		}
	case protocol.MethodResourcesUnsubscribe:
		delete(c.uris, protocol.NameOf(m.Method, m.Params))
	case protocol.MethodToolsCall:
		id := taskID(protocol.Parse(answer).Result)
		if id == "" {
			return
		}
		// The task begins anew.
		for _, method := range []string{protocol.MethodTasksGet, protocol.MethodTasksResult, protocol.MethodTasksUpdate, protocol.MethodTasksCancel} {
			g, ok := c.s.script.byKey[groupKey{method, id}]
			if !ok {
				continue
			}
			delete(c.served, g)
			for key := range c.turns {
				if key.group == g {
					delete(c.turns, key)
				}
			}
		}
	}
}

// taskID is the id of the task that a call became, "" if it did not.
func taskID(result jsontext.Value) string {
	if id := text(lookup(result, "/task/taskId")); id != "" {
		return id
	}
	if text(lookup(result, "/resultType")) == protocol.ResultTask {
		return text(lookup(result, "/taskId"))
	}
	return ""
}

// ask puts a question to the client and returns where its reply comes.
func (c *conversation) ask(out sender, method string, params jsontext.Value) (<-chan []byte, func(), error) {
	c.mu.Lock()
	c.nextAsk++
	id := protocol.IntID(c.nextAsk)
	ch := make(chan []byte, 1)
	c.asked[id] = ch
	c.mu.Unlock()
	forget := func() {
		c.mu.Lock()
		delete(c.asked, id)
		c.mu.Unlock()
	}
	if err := out(protocol.NewRequest(id, method, params)); err != nil {
		forget()
		return nil, nil, err
	}
	return ch, forget, nil
}

// endOfInput ends what waits for a client that says nothing more: subscriptions
// and questions.
func (c *conversation) endOfInput() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, l := range c.listens {
		if cancel := c.plays[l.id]; cancel != nil {
			cancel()
		}
	}
	for id, ch := range c.asked {
		delete(c.asked, id)
		close(ch)
	}
}

// hangUp cancels everything that the client has open.
func (c *conversation) hangUp() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, cancel := range c.plays {
		cancel()
	}
}
