package session

import (
	"context"
	"fmt"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
)

// uriParams are the params of a request about one resource.
func uriParams(uri string) jsontext.Value {
	return append(append(jsontext.Value(`{"uri":`), protocol.QuoteString(uri)...), '}')
}

// subscribeResource sends resources/subscribe and waits for the answer. The
// caller keeps Close waiting.
func (s *Session) subscribeResource(ctx context.Context, sub *subscription) error {
	s.mu.Lock()
	uri, again := sub.Asked.URIs[0], sub.gap
	if again {
		sub.Phase = SubRelistening
	} else {
		sub.Phase, sub.End, sub.Err = SubAsked, EndNone, ""
	}
	sub.RequestSeq, sub.AckSeq, sub.EndSeq = 0, 0, 0
	s.changed()
	s.mu.Unlock()
	call, err := s.do(ctx, s.NewRequest(protocol.MethodResourcesSubscribe, uriParams(uri)), callParams{})
	var st CallState
	if err == nil {
		s.mu.Lock()
		sub.ID, sub.Call = call.st.ID, call.st.Key
		s.mu.Unlock()
		<-call.done
		st = call.State()
		err = st.failure()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	sub.RequestSeq, sub.AckSeq = st.RequestSeq, st.AnswerSeq
	switch {
	case sub.Phase == SubEnded:
		return fmt.Errorf("subscribing to %s: %s", uri, trimStop(sub.Err))
	case err != nil:
		how := EndRefused
		if st.Phase != CallError {
			how = EndLost
		}
		s.endSub(sub, how, sentence(err))
		return fmt.Errorf("subscribing to %s: %w", uri, err)
	}
	sub.Phase, sub.End, sub.Err = SubAcknowledged, EndNone, ""
	sub.Opened, sub.Agreed = time.Now(), sub.Asked
	if again {
		sub.gap = false
		s.afterGap(sub.Asked)
	}
	s.changed()
	return nil
}

// unsubscribeResource sends resources/unsubscribe and waits for the answer. The
// caller keeps Close waiting.
func (s *Session) unsubscribeResource(ctx context.Context, sub *subscription) error {
	s.mu.Lock()
	if sub.Phase == SubEnded {
		s.mu.Unlock()
		return nil
	}
	uri := sub.Asked.URIs[0]
	s.endSub(sub, EndByUs, "")
	sub.stopped = time.Now()
	s.mu.Unlock()
	call, err := s.do(ctx, s.NewRequest(protocol.MethodResourcesUnsubscribe, uriParams(uri)), callParams{})
	if err == nil {
		<-call.done
		st := call.State()
		s.mu.Lock()
		sub.EndSeq = st.AnswerSeq
		s.changed()
		s.mu.Unlock()
		err = st.failure()
	}
	if err != nil {
		err = fmt.Errorf("unsubscribing from %s: %w", uri, err)
		s.mu.Lock()
		sub.Err = sentence(err)
		s.changed()
		s.mu.Unlock()
	}
	return err
}

// takeUpdated gives notifications/resources/updated of the older revisions to
// the subscription that it belongs to, the closest one (RES-07). mu is held.
func (s *Session) takeUpdated(in incoming) {
	uri := protocol.NameOf(in.m.Method, in.m.Params)
	var best *subscription
	for _, sub := range s.live.subs.all {
		if sub.Kind != SubResource || !covers(sub.Asked.URIs[0], uri) {
			continue
		}
		if sub.Phase == SubEnded && time.Since(sub.stopped) > raceWindow {
			continue
		}
		if best == nil || len(sub.Asked.URIs[0]) > len(best.Asked.URIs[0]) {
			best = sub
		}
	}
	if !s.view.serverCaps.ResourcesSubscribe && s.view.revision != nil {
		s.findSub(best, in.Seq, warning("L-RSRC-08", "An update of a resource came, and the server does not declare resources.subscribe."))
	}
	if best == nil {
		s.findOften(in.Seq, warning("L-RSRC-08", "An update came of "+shorten(uri, 200)+", which is not subscribed to."))
		return
	}
	if best.Phase != SubEnded {
		s.heardOn(best, in.Seq)
	}
}
