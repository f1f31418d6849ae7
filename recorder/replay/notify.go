package replay

import (
	"bytes"
	"context"
	"slices"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
)

// listen is an open subscriptions/listen request of a client.
type listen struct {
	id       protocol.ID
	exchange int32          // recorded one that it was matched with, -1 for none
	filter   jsontext.Value // as asked for
	out      sender

	mu    sync.Mutex
	over  bool
	ended chan []byte // capacity 1: the recorded answer, when that ended it
}

func (l *listen) send(raw []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.over {
		return nil
	}
	return l.out(raw)
}

func (l *listen) close() {
	l.mu.Lock()
	l.over = true
	l.mu.Unlock()
}

// wants reports whether the filter names what a notification tells of.
func (l *listen) wants(m protocol.Message) bool {
	switch m.Method {
	case protocol.NotificationToolsChanged:
		return string(lookup(l.filter, "/toolsListChanged")) == "true"
	case protocol.NotificationPromptsChanged:
		return string(lookup(l.filter, "/promptsListChanged")) == "true"
	case protocol.NotificationResourcesChanged:
		return string(lookup(l.filter, "/resourcesListChanged")) == "true"
	case protocol.NotificationResourceUpdated:
		for _, uri := range protocol.Elements(lookup(l.filter, "/resourceSubscriptions")) {
			if text(uri) == protocol.NameOf(m.Method, m.Params) {
				return true
			}
		}
	case protocol.NotificationTasks:
		for _, id := range protocol.Elements(lookup(l.filter, "/taskIds")) {
			if text(id) == text(lookup(m.Params, "/taskId")) {
				return true
			}
		}
	}
	return false
}

// listen serves subscriptions/listen: the recorded acknowledgement, or one that
// is made, and what comes until the recording, the client or the server ends it.
func (c *conversation) listen(ctx context.Context, m protocol.Message, cl client, out sender) []byte {
	sc := c.s.script
	if !cl.modern {
		c.s.book.count(false)
		return protocol.NewError(m.ID, protocol.CodeMethodNotFound, m.Method+" needs the revision "+protocol.NewestModern().Name, nil)
	}
	l := &listen{id: m.ID, exchange: -1, filter: lookup(m.Params, "/notifications"), out: out, ended: make(chan []byte, 1)}
	f := sc.find(m.Method, m.Params, Exact, c.turn)
	c.s.book.count(f.exact)
	var recorded []moment
	if f.leg >= 0 {
		l.exchange = sc.legs[f.leg].exchange
		if f.exact {
			recorded = sc.legs[f.leg].in
		}
	}
	acknowledged := slices.ContainsFunc(recorded, func(mom moment) bool {
		return sc.message(mom.place).Method == protocol.NotificationSubscriptionAcknowledged
	})
	notes := make([][]byte, 0, len(recorded)+1)
	if !acknowledged {
		c.s.book.add(remarkOn(Fitted, m, "A subscription that was not recorded was acknowledged as asked for"))
		filter := l.filter
		if filter == nil {
			filter = jsontext.Value("{}")
		}
		notes = append(notes, protocol.NewNotification(protocol.NotificationSubscriptionAcknowledged, append(append(jsontext.Value(`{"notifications":`), filter...), '}')))
	}
	p := play{c: c, ctx: ctx, cl: cl, request: m, out: out, leg: f.leg}
	for _, mom := range recorded {
		if note := sc.message(mom.place); note.Kind == protocol.Notification {
			notes = append(notes, note.Raw)
		}
	}
	// From here on changes find it; they wait until it is acknowledged (SUB-02).
	l.mu.Lock()
	c.mu.Lock()
	c.listens = append(c.listens, l)
	c.mu.Unlock()
	for _, raw := range notes {
		if named, err := l.named(raw); err == nil && out(named) != nil {
			break // the client is gone, and so is ctx
		}
	}
	l.mu.Unlock()
	defer func() {
		l.close()
		c.mu.Lock()
		c.listens = slices.DeleteFunc(c.listens, func(o *listen) bool { return o == l })
		c.mu.Unlock()
	}()
	if f.exact && !sc.legs[f.leg].answer.zero() && f.leg == len(sc.legs)-1 || f.exact && sc.message(sc.legs[f.leg].answer).Kind == protocol.Error {
		return l.answer(p, sc.message(sc.legs[f.leg].answer).Raw)
	}
	select {
	case raw := <-l.ended:
		return l.answer(p, raw)
	case <-ctx.Done():
		return nil
	}
}

const subscriptionPath = "/_meta/io.modelcontextprotocol~1subscriptionId"

func (l *listen) answer(p play, raw []byte) []byte {
	return splice(p.fit(protocol.MethodSubscriptionsListen, raw), "/result"+subscriptionPath, jsontext.Value(l.id.String()))
}

// named puts the id of the subscription into a notification.
func (l *listen) named(raw []byte) ([]byte, error) {
	return protocol.SetMeta(bytes.Clone(raw), protocol.MetaSubscriptionID, jsontext.Value(l.id.String()))
}

// deliver sends a recorded notification on: exchange is the one being played, or
// -1, and out belongs to it. The error says that the client is gone.
func (c *conversation) deliver(mom moment, m protocol.Message, exchange int32, cl client, out sender) error {
	if mom.end {
		c.endListens(mom, m)
		return nil
	}
	switch m.Method {
	case protocol.NotificationToolsChanged, protocol.NotificationPromptsChanged, protocol.NotificationResourcesChanged,
		protocol.NotificationResourceUpdated, protocol.NotificationTasks, protocol.NotificationSubscriptionAcknowledged:
		if cl.modern {
			c.toListens(mom, m)
			return nil
		}
		return c.toSubscriber(m)
	case protocol.NotificationCancelled:
		return nil // of a question whose id is not the recorded one
	case protocol.NotificationProgress:
		token := cl.token
		if mom.exchange != exchange || exchange < 0 {
			c.mu.Lock()
			token = c.tokens[mom.exchange]
			c.mu.Unlock()
		}
		if token.IsZero() {
			return nil
		}
		raw, err := protocol.SetParam(bytes.Clone(m.Raw), protocol.MetaProgressToken, jsontext.Value(token.String()))
		if err != nil {
			return nil
		}
		return c.sendOn(mom, exchange, cl, out, raw)
	case protocol.NotificationMessage:
		if cl.modern && !loud(cl.logs, text(lookup(m.Params, "/level"))) {
			return nil
		}
	}
	return c.sendOn(mom, exchange, cl, out, m.Raw)
}

// loud reports whether a level is at least the one that was asked for.
func loud(least, level string) bool {
	from, at := slices.Index(protocol.LogLevels, least), slices.Index(protocol.LogLevels, level)
	return from >= 0 && (at < 0 || at >= from)
}

func (c *conversation) sendOn(mom moment, exchange int32, cl client, out sender, raw []byte) error {
	if exchange >= 0 && mom.exchange == exchange {
		return out(raw)
	}
	if cl.modern {
		return nil // which has nothing outside of requests but subscriptions
	}
	return c.general(raw)
}

// toSubscriber sends a change to a client of the handshake revisions.
func (c *conversation) toSubscriber(m protocol.Message) error {
	raw := m.Raw
	switch m.Method {
	case protocol.NotificationSubscriptionAcknowledged, protocol.NotificationTasks:
		return nil
	case protocol.NotificationResourceUpdated:
		c.mu.Lock()
		subscribed := len(c.uris) > 0
		c.mu.Unlock()
		if !subscribed {
			return nil
		}
	}
	if lookup(m.Params, subscriptionPath) != nil {
		meta := without(lookup(m.Params, "/_meta"), func(name string) bool { return name == protocol.MetaSubscriptionID })
		raw = splice(raw, "/params/_meta", meta)
	}
	return c.general(raw)
}

// toListens sends a change to the subscriptions that were matched with the
// recorded one, or else to those that want it. One that is gone is no matter.
func (c *conversation) toListens(mom moment, m protocol.Message) {
	c.mu.Lock()
	listens := slices.Clone(c.listens)
	c.mu.Unlock()
	matched := slices.ContainsFunc(listens, func(l *listen) bool { return mom.exchange >= 0 && l.exchange == mom.exchange })
	for _, l := range listens {
		if l.exchange == mom.exchange && matched || !matched && l.wants(m) {
			if raw, err := l.named(m.Raw); err == nil {
				_ = l.send(raw)
			}
		}
	}
}

// endListens ends the subscriptions that were matched with one that ended.
func (c *conversation) endListens(mom moment, m protocol.Message) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, l := range c.listens {
		if l.exchange == mom.exchange {
			select {
			case l.ended <- bytes.Clone(m.Raw):
			default:
			}
		}
	}
}
