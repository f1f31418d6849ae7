package replay

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/recorder"
)

// Risk is what a call may do to the world, as far as annotations say.
type Risk uint8

// The risks. A tool without annotations says nothing: it is Unstated.
const (
	Harmless    Risk = iota // no tool, or one that only reads
	Unstated                // nothing is said
	Destructive             // it may destroy something
)

// Call is something that the recorded client did and that can be done again.
type Call struct {
	Exchange    int    // in recorder.Exchanges of the recording, -1 for a message that belongs to none
	Seq         uint64 // event of the message
	Method      string
	Name        string
	Risk        Risk
	Negotiation bool // done by the connection itself; it cannot be chosen
	Chosen      bool // is sent
}

// Plan is what a recording offers to be sent. Its owner may set Chosen in Calls.
type Plan struct {
	Calls []Call

	script *script
	acts   []act // in order; Call of each by index
}

type actKind uint8

const (
	actNegotiate actKind = iota
	actRequest
	actNotify // a notification, or what is no valid message
	actCancel
)

// act is one thing to do.
type act struct {
	kind     actKind
	place    place // of the message; of a cancellation without one, the event that shows it
	call     int   // index into Calls, -1 for what follows from others
	exchange int32 // that it belongs to, -1 for none
}

// NewPlan reads what the client of a recording did. Calls of tools that may
// destroy something are not chosen, as far as the recorded list of tools says;
// see Judge.
func NewPlan(ctx context.Context, l *recorder.Log) (*Plan, error) {
	sc, err := load(ctx, l)
	if err != nil {
		return nil, fmt.Errorf("preparing the recording: %w", err)
	}
	p := &Plan{script: sc}
	for seq := uint64(1); seq <= l.Len(); seq++ {
		if seq%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		h := l.Head(seq)
		switch {
		case h.Kind == recorder.KindHTTP && h.Dir == recorder.In:
			p.takeGivenUp(h)
		case h.Dir != recorder.Out || h.Kind != recorder.KindMessage:
		case h.Message == protocol.Batch:
			m := sc.message(place{seq, -1})
			for i, item := range m.Items {
				p.take(item, place{seq, int32(i)})
			}
		default:
			p.take(sc.message(place{seq, -1}), place{seq, -1})
		}
	}
	p.Judge(sc.tools(), false)
	return p, nil
}

// take adds what a message of the client does.
func (p *Plan) take(m protocol.Message, at place) {
	exchange, owned := p.script.ex.Of(at.seq)
	if !owned {
		exchange = -1
	}
	a := act{place: at, exchange: int32(exchange), call: -1}
	call := Call{Exchange: exchange, Seq: at.seq, Method: m.Method, Name: protocol.NameOf(m.Method, m.Params), Chosen: true}
	switch m.Kind {
	case protocol.Request:
		first := !owned || p.script.ex.At(exchange).Request == at.seq
		a.kind = actRequest
		switch {
		case m.Method == protocol.MethodInitialize || m.Method == protocol.MethodDiscover:
			a.kind, call.Negotiation = actNegotiate, true
		case first:
		case m.Method == protocol.MethodTasksCancel:
			p.acts = append(p.acts, a) // it goes with the call that made the task
			return
		default:
			return // rounds and polls follow from the answers
		}
	case protocol.Notification:
		a.kind = actNotify
		switch m.Method {
		case protocol.NotificationInitialized:
			return
		case protocol.NotificationCancelled:
			a.kind = actCancel
			if owned {
				p.acts = append(p.acts, a)
				return
			}
		}
	case protocol.Result, protocol.Error:
		return
	default:
		a.kind = actNotify
	}
	a.call = len(p.Calls)
	p.Calls = append(p.Calls, call)
	p.acts = append(p.acts, a)
}

// takeGivenUp adds the end of an HTTP exchange by which the client gave up a
// request.
func (p *Plan) takeGivenUp(h recorder.Head) {
	exchange, ok := p.script.ex.Of(h.Seq)
	if !ok {
		return
	}
	if state := p.script.ex.At(exchange).State; state != recorder.ExchangeCancelled && state != recorder.ExchangeLate {
		return
	}
	e, err := p.script.log.Read(h.Seq, 0)
	if head, isHead := e.Fields.(*recorder.HTTPHead); err == nil && isHead && head.Error == recorder.GivenUp {
		p.acts = append(p.acts, act{kind: actCancel, place: place{h.Seq, -1}, exchange: int32(exchange), call: -1})
	}
}

// Judge says of each call of a tool what it may do, by the definitions given or,
// where these do not name it, by the recorded ones, and chooses the calls that
// are not destructive, or all.
func (p *Plan) Judge(tools []protocol.Tool, allowDestructive bool) {
	for i := range p.Calls {
		c := &p.Calls[i]
		c.Risk = Harmless
		if c.Method == protocol.MethodToolsCall {
			c.Risk = riskOf(tools, c.Name)
			if c.Risk == Unstated {
				c.Risk = riskOf(p.script.tools(), c.Name)
			}
		}
		c.Chosen = c.Risk != Destructive || allowDestructive
	}
}

func riskOf(tools []protocol.Tool, name string) Risk {
	i := slices.IndexFunc(tools, func(t protocol.Tool) bool { return t.Name == name })
	if i < 0 {
		return Unstated
	}
	t := tools[i]
	switch {
	case t.ReadOnly == protocol.HintTrue, t.Destructive == protocol.HintFalse:
		return Harmless
	case t.Destructive == protocol.HintTrue, t.ReadOnly == protocol.HintFalse: // TOOL-02: what is not said is assumed
		return Destructive
	}
	return Unstated
}

// tools are the recorded definitions.
func (s *script) tools() []protocol.Tool {
	result := []byte(`{"tools":[`)
	for i, item := range s.cat.Tools.Items {
		if i > 0 {
			result = append(result, ',')
		}
		result = append(result, item.Raw...)
	}
	return protocol.DecodeTools(append(result, "]}"...)).Items
}

// Revision is the revision that the recording speaks, nil if it is not known.
func (p *Plan) Revision() *protocol.Revision { return p.script.revision }

// asksForTasks reports whether a call is to become a task, which clients of the
// handshake revisions need not declare that they can follow.
func (p *Plan) asksForTasks() bool {
	return slices.ContainsFunc(p.acts, func(a act) bool {
		m := p.script.message(a.place)
		return m.Method == protocol.MethodToolsCall && lookup(m.Params, "/task") != nil
	})
}

// Capabilities are those that the recorded client declared.
func (p *Plan) Capabilities() protocol.ClientCapabilities {
	var declared jsontext.Value
	for i := range p.script.legs {
		m := p.script.message(p.script.legs[i].request)
		if declared = lookup(m.Params, "/capabilities"); m.Method == protocol.MethodInitialize && declared != nil {
			break
		}
		if declared = lookup(m.Params, metaPath+"clientCapabilities"); declared != nil && m.Method != protocol.MethodDiscover {
			break
		}
	}
	has := func(pointer string) bool { return lookup(declared, pointer) != nil }
	return protocol.ClientCapabilities{
		Roots: has("/roots"), Sampling: has("/sampling"), SamplingTools: has("/sampling/tools"), SamplingContext: has("/sampling/context"),
		Elicitation: has("/elicitation"), ElicitationURL: has("/elicitation/url"),
		Tasks:      has("/extensions/"+"io.modelcontextprotocol~1tasks") || p.asksForTasks(),
		Extensions: lookup(declared, "/extensions"), Experimental: lookup(declared, "/experimental"),
	}
}
