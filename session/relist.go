package session

import (
	"fmt"
	"time"

	"mcploupe/protocol"
)

// mismatched reports whether an error says that the headers of a tool's call did
// not fit what the server expects of its schema.
func mismatched(call *Call, in incoming) bool {
	if call.st.Method != protocol.MethodToolsCall || call.p.send.Revision == nil || !call.p.send.Revision.MetadataHeaders {
		return false
	}
	e, _ := protocol.DecodeError(in.m.Error)
	return e.HasCode(protocol.CodeHeaderMismatch)
}

// relist takes the refusal of a call's headers: the tools are listed again and
// the call is sent once more with headers by the new schema (HDR-26). The server
// refused it before doing anything, so that nothing is done twice. It reports
// false when that was tried already or cannot be. mu is held.
func (s *Session) relist(call *Call, in incoming) bool {
	if call.st.Relisted || s.isClosing || s.view.transportNow != string(HTTP) || !mismatched(call, in) {
		return false
	}
	id := s.newID()
	raw, err := protocol.SetID(call.raw, id)
	if err == nil && !call.token.IsZero() {
		raw, err = protocol.SetMeta(raw, protocol.MetaProgressToken, []byte(id.String()))
	}
	if err != nil {
		return false
	}
	call.st.Relisted = true
	p := information("HDR-26", fmt.Sprintf("The HTTP headers of request %s did not fit (event %d): the tools are listed again, and the call is sent once more as %s.", call.st.ID, s.log.local(in.Seq), id))
	call.st.Problems = append(call.st.Problems, p)
	s.find(in.Seq, p)
	s.listed.stale(Tools)
	refused := call.st
	now := time.Now()
	out := call.renew(id, raw, now)
	call.active = now
	s.callsChanged()
	s.goes(func() { s.sendRelisted(call, out, in, refused) })
	return true
}

// sendRelisted lists the tools and sends the call again. When they cannot be
// listed the call ends with its refusal.
func (s *Session) sendRelisted(call *Call, out leg, in incoming, refused CallState) {
	s.note("relisting", fmt.Sprintf("the headers of %s %s were refused: the tools are listed again, then it is sent as %s", refused.Method, refused.ID, out.id))
	err := s.Refresh(call.ctx, Tools)
	s.mu.Lock()
	if call.ended() {
		s.mu.Unlock()
		return
	}
	if err != nil {
		s.calls.unlink(call)
		call.st.ID, call.st.RequestSeq = refused.ID, refused.RequestSeq
		s.calls.link(call)
		s.answered(call, in)
		call.st.Problems = append(call.st.Problems, warning("HDR-26", "The call was not sent again: "+err.Error()+"."))
		s.finish(call, CallError, "")
		s.mu.Unlock()
		return
	}
	call.p.send.InputSchema = s.listed.schemaOf(call.st.Name)
	l := call.conn.link
	s.mu.Unlock()
	call.dispatch(l, out)
}

// noteMismatch says what is left to do when the headers of a tool's call were
// refused (HDR-26, trap 33). mu is held.
func (s *Session) noteMismatch(call *Call, in incoming) {
	if !mismatched(call, in) {
		return
	}
	text := "The HTTP headers did not fit the call. Load the tools again and call once more."
	if call.st.Relisted {
		text = "The HTTP headers did not fit the call, again after the tools were listed anew: that is a fault of the server or of a proxy."
	}
	p := warning("HDR-26", text)
	call.st.Problems = append(call.st.Problems, p)
	s.find(in.Seq, p)
}
