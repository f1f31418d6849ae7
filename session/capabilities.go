package session

import (
	"errors"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
)

// ErrReconnect says that a change needs a new connection: what a client can do
// was said when this one began.
var ErrReconnect = errors.New("capabilities were declared when the connection began; connect again to change them")

// SetCapabilities changes what is declared, and so what is handled. Modern
// revisions declare with each request (trap 58), so it holds for the next one;
// after a handshake it changes nothing and returns ErrReconnect.
func (s *Session) SetCapabilities(c protocol.ClientCapabilities) error {
	c.Extensions, c.Experimental = slices.Clone(c.Extensions), slices.Clone(c.Experimental)
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.view.revision
	if r == nil && s.view.phase != Connecting || r != nil && !r.Modern {
		return ErrReconnect
	}
	s.o.Capabilities = c
	if r != nil {
		s.view.clientCaps = r.Capabilities(c)
	}
	s.changed()
	return nil
}

// capabilities are those to declare. It must not be called with mu held.
func (s *Session) capabilities() protocol.ClientCapabilities {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.o.Capabilities
}

// fault is a question that the client did not allow, and how a request of the
// server is refused for it.
type fault struct {
	protocol.Problem
	code    int
	message string
}

// undeclared says what of a question the declared capabilities do not allow,
// nil if they do. Methods that no revision has are nobody's to declare.
func undeclared(caps jsontext.Value, r *protocol.Revision, method string, params jsontext.Value) *fault {
	has := func(pointer string) bool {
		_, _, ok := protocol.Lookup(caps, pointer)
		return ok
	}
	missing := func(rule string, code int, what string) *fault {
		p := violation(rule, "The server asked for "+what+", though the client did not declare it")
		return &fault{p, code, "The client did not declare the capability for " + what}
	}
	switch method {
	case protocol.MethodRootsList:
		if !has("/roots") {
			return missing("L-RPC-15", protocol.CodeMethodNotFound, method)
		}
	case protocol.MethodSampling:
		_, _, tools := protocol.Lookup(params, "/tools")
		_, _, choice := protocol.Lookup(params, "/toolChoice")
		switch {
		case !has("/sampling"):
			return missing("L-RPC-15", protocol.CodeMethodNotFound, method)
		case (tools || choice) && r != nil && r.SamplingTools() && !has("/sampling/tools"):
			return missing("L-SAMP-02", protocol.CodeInvalidParams, "tools in "+method) // SAMP-04
		}
	case protocol.MethodElicit:
		mode := protocol.ElicitForm
		if v, _, ok := protocol.Lookup(params, "/mode"); ok {
			mode, _ = protocol.StringValue(v)
		}
		switch {
		case !has("/elicitation"):
			return missing("L-RPC-15", protocol.CodeMethodNotFound, method)
		case mode == protocol.ElicitForm && (has("/elicitation/form") || !has("/elicitation/url")): // {} is form (ELIC-02)
		case mode == protocol.ElicitURL && has("/elicitation/url"):
		default: // ELIC-15
			return missing("L-ELIC-01", protocol.CodeInvalidParams, "the mode "+shorten(mode, 40)+" of "+method)
		}
	}
	return nil
}

// undeclaredContext flags a request to include the context of servers that the
// client did not declare (L-SAMP-05). It is a piece of advice that servers break:
// the question is put to the person all the same.
func undeclaredContext(caps jsontext.Value, r *protocol.Revision, params jsontext.Value) []protocol.Problem {
	const pointer = "/includeContext"
	value, at, _ := protocol.Lookup(params, pointer)
	asked, _ := protocol.StringValue(value)
	if asked != "thisServer" && asked != "allServers" || r == nil || !r.SamplingTools() {
		return nil
	}
	if _, _, ok := protocol.Lookup(caps, "/sampling/context"); ok {
		return nil
	}
	p := warning("L-SAMP-05", "includeContext is "+asked+", though the client did not declare sampling.context; nothing of a server is included.")
	p.Pointer, p.Offset = pointer, at
	return []protocol.Problem{p}
}
