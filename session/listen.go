package session

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/session/link"
)

// Delays before a broken listen request is sent again: they double from the
// first to the last, half of each is chance, and they begin anew after a stream
// that was open for listenHealthy.
const (
	firstRelisten = time.Second
	lastRelisten  = time.Minute
	listenHealthy = 30 * time.Second
	maxRelistens  = 1 << 20 // counted
)

var errStopped = errors.New("the subscription was stopped")

// raceWindow is how long after the end of something on this side the server may
// not know of it yet.
const raceWindow = 2 * time.Second

// relistenDelay is the wait before the n-th request in succession, from 1 on.
func relistenDelay(n int) time.Duration {
	d := min(firstRelisten<<min(n-1, 10), lastRelisten)
	return d/2 + rand.N(d/2+1)
}

// listen sends the request of a subscription; again is for one that broke, which
// may have been stopped meanwhile. The caller keeps Close waiting.
func (s *Session) listen(sub *subscription, again bool) error {
	s.mu.Lock()
	id, revision, asked := s.newID(), s.view.revision, sub.Asked
	lines := s.singleLine()
	s.mu.Unlock()
	filter := asked.wire()
	if lines {
		filter = oneLine(filter)
	}
	params := append(append(jsontext.Value(`{"notifications":`), filter...), '}')
	raw := protocol.NewRequest(id, protocol.MethodSubscriptionsListen, params)
	// No progress token and no log level: neither belongs on the stream (SUB-14).
	for name, value := range protocol.Members(revision.RequestMeta(s.o.Client, s.capabilities(), "")) {
		raw = setMeta(raw, name, value)
	}
	_, err := s.start(context.Background(), protocol.Parse(raw), callParams{sub: sub, again: again, send: link.SendOptions{Revision: revision}})
	switch {
	case errors.Is(err, errStopped):
	case err != nil:
		s.mu.Lock()
		s.endSub(sub, EndLost, sentence(err))
		s.mu.Unlock()
		return fmt.Errorf("subscribing: %w", err)
	}
	return nil
}

// listening puts a listen request and its subscription together; a request that
// the person wrote gets one of its own. mu is held.
func (s *Session) listening(c *Call, m protocol.Message) {
	sub := c.p.sub
	if sub == nil {
		v, _, _ := protocol.Lookup(m.Params, "/notifications")
		asked, _ := DecodeFilter(v)
		sub = s.addSub(SubListen, asked)
		sub.Manual = true
	}
	again := sub.call != nil && sub.Phase != SubEnded
	c.sub, sub.call = sub, c
	sub.ID, sub.Call, c.st.Subscription = m.ID, c.st.Key, sub.Key
	if again {
		sub.Phase = SubRelistening
	} else {
		sub.Phase, sub.End, sub.Err = SubAsked, EndNone, ""
	}
	sub.RequestSeq, sub.AckSeq, sub.EndSeq, sub.NextTry = 0, 0, 0, time.Time{}
	sub.acked, sub.heard, sub.silent, sub.byServer = false, false, false, false
	if s.o.AckTimeout > 0 {
		sub.ackDue = time.Now().Add(s.o.AckTimeout)
		s.wakeLive()
	}
	s.changed()
}

// stopListen ends a listen request from this side (SUB-07).
func (s *Session) stopListen(sub *subscription, reason string) {
	s.mu.Lock()
	call := sub.call
	if call == nil || call.ended() {
		if sub.Phase != SubEnded {
			s.endSub(sub, EndByUs, "")
		}
		s.mu.Unlock()
		return
	}
	s.mu.Unlock()
	call.giveUp(CallCancelled, reason+".", reason)
}

// ackMissing gives up a listen request that was not acknowledged in time. One on
// which something else came is kept: it works, if not by the rules.
func (s *Session) ackMissing(sub *subscription, call *Call) {
	s.mu.Lock()
	if sub.call != call || call.ended() || sub.acked || sub.ackDue.IsZero() {
		s.mu.Unlock()
		return
	}
	sub.ackDue = time.Time{}
	text := fmt.Sprintf("The subscription %s was not acknowledged within %s.", sub.ID, spoken(s.o.AckTimeout))
	s.findSub(sub, call.st.RequestSeq, violation("L-SUB-01", text))
	if sub.heard || sub.Manual {
		s.changed()
		s.mu.Unlock()
		return
	}
	sub.silent = true
	s.mu.Unlock()
	call.giveUp(CallCancelled, text, "Not acknowledged in time")
}

// listenOver takes the end of a listen request. mu is held.
func (s *Session) listenOver(c *Call) {
	sub := c.sub
	if sub.call != c || sub.Phase == SubEnded {
		return
	}
	sub.EndSeq, sub.ackDue = c.st.AnswerSeq, time.Time{}
	switch c.st.Phase {
	case CallOK:
		s.judgeListenResult(sub, c)
		text := "The server ended the subscription in its orderly way."
		if !sub.acked {
			text = "The server answered with the result that ends a subscription, and had not acknowledged it."
		}
		s.endSub(sub, EndWithResult, text)
	case CallError, CallInvalid:
		text := c.st.Err
		if c.st.Phase == CallError {
			e, _ := protocol.DecodeError(c.st.Answer.Error)
			text = sentence(&refusal{e})
			s.judgeTaskFilter(sub, c.st.AnswerSeq, e.Code)
		}
		s.endSub(sub, EndRefused, text)
	case CallLost:
		s.listenLost(sub, c)
	default:
		switch {
		case sub.byServer:
			s.endSub(sub, EndCancelled, c.st.Err)
		case sub.silent:
			s.breakSub(sub, EndSilent, c.st.Err)
		default:
			s.endSub(sub, EndByUs, c.st.Err)
		}
	}
}

// listenLost tells a refusal, a broken stream and a lost connection apart. mu is
// held.
func (s *Session) listenLost(sub *subscription, c *Call) {
	gone := s.isClosing || c.conn.down != nil || s.view.phase != Ready || s.view.transportNow == string(Stdio)
	switch status := httpStatus(c); {
	case gone:
		s.endSub(sub, EndLost, c.st.Err)
	case status >= 300 && status != 408 && status != 429 && status < 500:
		s.endSub(sub, EndRefused, c.st.Err)
	case status == 200:
		sub.EndSeq = c.endSeq
		if sub.acked {
			s.findSub(sub, c.endSeq, information("L-SUB-06", "The stream of subscription "+sub.ID.String()+" ended without a result; an orderly end has one."))
		} else {
			s.findSub(sub, c.endSeq, violation("L-SUB-01", "The stream of subscription "+sub.ID.String()+" ended before it was acknowledged."))
		}
		s.breakSub(sub, EndWithoutResult, c.st.Err)
	default:
		s.breakSub(sub, EndWithoutResult, c.st.Err)
	}
}

func httpStatus(c *Call) int {
	if c.answer != nil {
		return c.answer.Status
	}
	return 0
}

// breakSub has a subscription asked for again after a while (SUB-09). mu is
// held.
func (s *Session) breakSub(sub *subscription, how SubscriptionEnd, text string) {
	if sub.Manual {
		s.endSub(sub, how, text)
		return
	}
	now := time.Now()
	if sub.acked && now.Sub(sub.Opened) >= listenHealthy {
		sub.Attempts = 0
	}
	sub.Attempts = min(sub.Attempts+1, maxRelistens)
	delay := relistenDelay(sub.Attempts)
	sub.Phase, sub.End, sub.Err = SubBroken, how, text
	sub.NextTry, sub.gap = now.Add(delay), true
	s.note("broken", fmt.Sprintf("subscription %s: %s; it is asked for again in %s (attempt %d)", sub.ID, how, spoken(delay), sub.Attempts))
	s.wakeLive()
	s.changed()
}

// relisten asks again for a broken subscription whose time has come.
func (s *Session) relisten(sub *subscription, attempt int) {
	s.note("relistening", fmt.Sprintf("subscription %s is asked for again, attempt %d", sub.ID, attempt))
	if err := s.listen(sub, true); err != nil {
		s.remark(sentence(err))
	}
}

// judgeListenResult checks the result that ends a subscription (L-SUB-01, 02,
// 06, 10). mu is held.
func (s *Session) judgeListenResult(sub *subscription, c *Call) {
	if !sub.acked {
		s.findSub(sub, c.st.AnswerSeq, violation("L-SUB-01", "Subscription "+sub.ID.String()+" was answered with a result before it was acknowledged."))
	}
	s.judgeListenMeta(sub, c)
	for name := range protocol.Members(c.st.Answer.Result) {
		if name != "resultType" && name != "_meta" {
			s.findSub(sub, c.st.AnswerSeq, information("L-SUB-10", "The result that ends a subscription has the member "+shorten(name, 60)+"; it carries nothing else."))
		}
	}
}

func (s *Session) judgeListenMeta(sub *subscription, c *Call) {
	v, _, ok := protocol.Lookup(c.st.Answer.Result, subscriptionPointer)
	id, _ := protocol.ParseID(string(v))
	switch {
	case !ok:
		s.findSub(sub, c.st.AnswerSeq, warning("L-SUB-06", "The result that ends subscription "+sub.ID.String()+" carries no subscription id."))
	case !id.Equal(sub.ID):
		s.findSub(sub, c.st.AnswerSeq, violation("L-SUB-02", "The result that ends subscription "+sub.ID.String()+" names the subscription id "+shorten(string(v), 60)+"."))
	}
}

// subscriptionPointer is the subscription id in a result; with "/params" before
// it, in a message.
const subscriptionPointer = "/_meta/io.modelcontextprotocol~1subscriptionId"

// takeSubscribed takes a notification that belongs to a listen request: the
// acknowledgement and what a filter can name. mu is held.
func (s *Session) takeSubscribed(c *conn, in incoming) {
	name := protocol.NameOf(in.m.Method, in.m.Params)
	call := s.listenFor(c, in, name)
	if call == nil {
		return
	}
	sub := call.sub
	if call.ended() {
		if !call.gaveUp.IsZero() && time.Since(call.gaveUp) < raceWindow {
			return // it was on its way
		}
		s.findSub(sub, in.Seq, violation("L-SUB-07", in.m.Method+" came on subscription "+call.st.ID.String()+" after its end."))
		return
	}
	if in.m.Method == protocol.NotificationSubscriptionAcknowledged {
		s.acknowledged(sub, in)
		return
	}
	filter, what := sub.Asked, "asked for"
	if sub.acked {
		filter, what = sub.Agreed, "acknowledged"
	} else {
		s.findSub(sub, in.Seq, violation("L-SUB-01", in.m.Method+" came on subscription "+sub.ID.String()+" before it was acknowledged."))
	}
	if !filter.allows(in.m.Method, name) {
		text := in.m.Method
		if name != "" {
			text += " of " + shorten(name, 200)
		}
		s.findSub(sub, in.Seq, violation("L-SUB-03", text+" came on subscription "+sub.ID.String()+", which was not "+what+"."))
	}
	s.heardOn(sub, in.Seq)
}

// listenFor finds the listen request that a notification belongs to: over HTTP
// by its stream, else by its subscription id (SUB-05). It says what is wrong
// with that id; nil is for nobody's. mu is held.
func (s *Session) listenFor(c *conn, in incoming, name string) *Call {
	v, _, has := protocol.Lookup(in.m.Params, subscriptionPointer)
	id, valid := protocol.ParseID(string(v))
	said := "names the subscription id " + shorten(string(v), 60)
	if !has {
		said = "carries no subscription id"
	}
	if carrier := s.calls.inExchange(c, in); carrier != nil && carrier.sub != nil {
		if !valid || !id.Equal(carrier.st.ID) {
			s.findSub(carrier.sub, in.Seq, violation("L-SUB-02", in.m.Method+" "+said+"; it came on the stream of "+carrier.st.ID.String()+"."))
		}
		return carrier
	}
	if valid {
		call, how := s.calls.byAnswer(id)
		switch {
		case call != nil && call.sub != nil && how == matchLoose:
			s.findSub(call.sub, in.Seq, violation("L-SUB-02", in.m.Method+" "+said+", the request had "+call.st.ID.String()+"."))
			return call
		case call != nil && call.sub != nil:
			return call
		case s.calls.byWrite[id]:
			return nil
		}
	}
	var fits []*Call
	open := 0
	for _, sub := range s.live.subs.all {
		if sub.Kind != SubListen || sub.call == nil || sub.call.ended() {
			continue
		}
		open++
		if sub.Asked.allows(in.m.Method, name) || in.m.Method == protocol.NotificationSubscriptionAcknowledged && !sub.acked {
			fits = append(fits, sub.call)
		}
	}
	if open == 0 {
		s.findOften(in.Seq, violation("L-SUB-08", in.m.Method+" "+said+", and nothing is subscribed to."))
		return nil
	}
	if len(fits) == 1 {
		s.findSub(fits[0].sub, in.Seq, violation("L-SUB-02", in.m.Method+" "+said+"; it is taken for that of "+fits[0].st.ID.String()+", the only one that it fits."))
		return fits[0]
	}
	s.findOften(in.Seq, violation("L-SUB-02", in.m.Method+" "+said+", which no open subscription has."))
	return nil
}

// acknowledged takes an acknowledgement (SUB-03, SUB-04). mu is held.
func (s *Session) acknowledged(sub *subscription, in incoming) {
	if sub.acked {
		s.findSub(sub, in.Seq, warning("L-SUB-01", "Subscription "+sub.ID.String()+" was acknowledged once more."))
	}
	v, _, ok := protocol.Lookup(in.m.Params, "/notifications")
	if !ok {
		v = jsontext.Value("{}")
		s.findSub(sub, in.Seq, violation("L-SUB-01", "The acknowledgement of subscription "+sub.ID.String()+" does not say what was agreed to."))
	}
	agreed, problems := DecodeFilter(v)
	for _, p := range problems {
		p.Rule, p.Pointer = "L-SUB-04", "/params/notifications"+p.Pointer
		s.findSub(sub, in.Seq, p)
	}
	sub.Agreed, sub.Missing = agreed, sub.Asked.lacks(agreed)
	if more := agreed.lacks(sub.Asked); len(more) > 0 {
		s.findSub(sub, in.Seq, violation("L-SUB-04", "The server agreed to more than was asked for on subscription "+sub.ID.String()+": "+shorten(strings.Join(more, ", "), 200)+"."))
	}
	s.judgeAgreed(sub, in.Seq)
	s.judgeTaskFilter(sub, in.Seq, "")
	sub.acked, sub.ackDue = true, time.Time{}
	sub.AckSeq, sub.Opened = in.Seq, time.Now()
	sub.Phase, sub.End, sub.Err = SubAcknowledged, EndNone, ""
	if sub.gap {
		sub.gap = false
		s.afterGap(agreed)
	}
	s.changed()
}

// judgeAgreed compares what was acknowledged with the capabilities (L-SUB-09).
// mu is held.
func (s *Session) judgeAgreed(sub *subscription, seq uint64) {
	caps := s.view.serverCaps
	asked, agreed := sub.Asked.flags(), sub.Agreed.flags()
	for i, declared := range []bool{caps.ToolsListChanged, caps.PromptsListChanged, caps.ResourcesListChanged} {
		switch {
		case asked[i].on && declared && !agreed[i].on:
			s.findSub(sub, seq, information("L-SUB-09", "The server declares listChanged and did not agree to "+agreed[i].name+"."))
		case agreed[i].on && !declared:
			s.findSub(sub, seq, information("L-SUB-09", "The server agreed to "+agreed[i].name+" and does not declare listChanged."))
		}
	}
	if len(sub.Agreed.URIs) > 0 && !caps.ResourcesSubscribe {
		s.findSub(sub, seq, information("L-SUB-09", "The server agreed to resourceSubscriptions and does not declare resources.subscribe."))
	}
}

// afterGap treats what a subscription tells of as out of date (SUB-13). mu is
// held.
func (s *Session) afterGap(f SubscriptionFilter) {
	if f.Tools {
		s.stale(Tools)
	}
	if f.Prompts {
		s.stale(Prompts)
	}
	if f.Resources {
		s.stale(Resources)
		s.stale(ResourceTemplates)
	}
	for _, w := range s.live.watches {
		for _, uri := range f.URIs {
			if covers(uri, w.URI) || covers(w.URI, uri) {
				s.wantRead(w)
				break
			}
		}
	}
}
