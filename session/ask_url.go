package session

import (
	"fmt"
	"slices"
	"time"

	"mcploupe/protocol"
)

// urlRequired handles error -32042 of 2025-11-25: each of its elicitations is
// put to the person, and the call may be sent again (ELIC-33). mu is held.
func (s *Session) urlRequired(call *Call, in incoming) {
	const entries = "/data/elicitations"
	e, _ := protocol.DecodeError(in.m.Error)
	if !e.HasCode(protocol.CodeURLElicitationRequired) {
		return
	}
	if r := call.p.send.Revision; r == nil || r.Modern {
		s.find(in.Seq, violation("L-RPC-17", "The server answered with error -32042, which this revision does not have (ELIC-34)."))
		return
	}
	if fault := undeclared(s.view.clientCaps, s.view.revision, protocol.MethodElicit, []byte(`{"mode":"url"}`)); fault != nil {
		fault.Text += "; it was not put to anyone."
		call.st.Problems = append(call.st.Problems, fault.Problem)
		s.find(in.Seq, fault.Problem)
		return
	}
	list, _, _ := protocol.Lookup(in.m.Error, entries)
	n := 0
	for i, params := range protocol.Elements(list) {
		a := &ask{conn: call.conn, Ask: Ask{Seq: in.Seq, Method: protocol.MethodElicit, Params: params, Legacy: true, FromError: true}}
		a.describe(s.view.revision, s.view.clientCaps)
		if a.Kind != AskURL {
			a.Problems = append(a.Problems, violation("L-ELIC-10", "An entry of error -32042 is not in the mode url."))
		}
		at := fmt.Sprintf("/error%s/%d", entries, i)
		s.findInside(in.Seq, in.m.Raw, at, a.Problems)
		if a.Kind != AskURL {
			continue
		}
		s.findInside(in.Seq, in.m.Raw, at+"/url", protocol.InspectURL(a.URL).Problems)
		if s.asks.full(1) {
			s.find(in.Seq, tooManyAsks(protocol.MethodElicit))
			break
		}
		s.addAsk(a, call)
		n++
	}
	if n == 0 {
		s.find(in.Seq, violation("L-ELIC-10", "Error -32042 names no elicitation in the mode url."))
		return
	}
	call.st.Retryable = true
}

// takeComplete handles notifications/elicitation/complete. Ids that are unknown
// or done are ignored (ELIC-31). mu is held.
func (s *Session) takeComplete(in incoming) {
	v, _, _ := protocol.Lookup(in.m.Params, "/elicitationId")
	id, ok := protocol.StringValue(v)
	if !ok {
		s.find(in.Seq, violation("L-ELIC-11", "The notification names no elicitationId."))
		return
	}
	visits := slices.Clone(s.asks.visits)
	found := false
	for i := range visits {
		if visits[i].ElicitationID != id {
			continue
		}
		found = true
		if visits[i].Completed.IsZero() {
			visits[i].Completed = time.Now()
		}
	}
	if !found {
		s.find(in.Seq, violation("L-ELIC-11", "The server says that the elicitation "+shorten(id, 100)+" is complete, which it never began."))
		return
	}
	s.asks.visits = visits
	for _, a := range s.asks.open {
		if a.Kind == AskURL && a.ElicitationID == id {
			a.Completed = true
		}
	}
	s.asksChanged()
}

// visited remembers that the person agreed to open the URL of a. mu is held.
func (s *Session) visited(a *ask) {
	if a.ElicitationID == "" {
		return
	}
	s.asks.visits = slices.Clone(s.asks.visits)
	for i := range s.asks.visits {
		if v := &s.asks.visits[i]; v.ElicitationID == a.ElicitationID {
			v.Accepted = true
		}
	}
	s.asksChanged()
}
