package replay

import (
	"fmt"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/protocol/jsonvalue"
)

// Match says which recorded answers do for a request.
type Match uint8

// The ways to match. Exact wants equal arguments; Nearest takes the answer to
// the most similar arguments of the same method and identity when none are
// equal, and says so in the Report.
const (
	Exact Match = iota
	Nearest
)

const (
	maxCandidates  = 256 // requests of a group that are compared to find the nearest
	maxDifferences = 8   // that a refusal names
)

// found is what a request was matched with.
type found struct {
	leg     int // -1 for none
	exact   bool
	repeat  bool // all recorded answers had been given
	nearest int  // the recorded request that is most alike, -1 if there is none
	differs []Difference
}

// find matches a request. turn counts what was given before, by group and
// arguments. usable says which legs can be played now.
func (s *script) find(method string, params jsontext.Value, how Match, turn func(key turnKey, legs []int32) (int, bool)) found {
	key := groupKey{method, protocol.NameOf(method, params)}
	g, ok := s.byKey[key]
	if ok && len(s.groups[g].legs) > 0 {
		args := maphash.Bytes(s.seed, argumentsKey(method, params))
		if legs := s.equal(g, args); len(legs) > 0 {
			at, repeat := turn(turnKey{g, args}, legs)
			return found{leg: at, exact: true, repeat: repeat, nearest: at}
		}
		near, differs := s.nearestOf(g, params)
		f := found{leg: -1, nearest: near, differs: differs}
		if how == Nearest || lenient(method) {
			args := s.legs[near].args
			f.leg, f.repeat = turn(turnKey{g, args}, s.equal(g, args))
		}
		return f
	}
	f := found{leg: -1, nearest: s.likest(key)}
	if f.nearest < 0 {
		return f
	}
	near := &s.groups[s.legs[f.nearest].group]
	if near.method != method {
		f.differs = []Difference{{Pointer: "/method", Before: protocol.QuoteString(near.method), After: protocol.QuoteString(method)}}
		return f
	}
	f.differs = compare(meaning(s.message(s.legs[f.nearest].request).Params), meaning(params), maxDifferences, nil)
	if lenient(method) {
		g := s.legs[f.nearest].group
		args := s.legs[f.nearest].args
		f.leg, f.repeat = turn(turnKey{g, args}, s.equal(g, args))
	}
	return f
}

// lenient reports whether the answer to a method says no more than that it was
// heard, so that one of other params does as well.
func lenient(method string) bool {
	switch method {
	case protocol.MethodSetLevel, protocol.MethodResourcesSubscribe, protocol.MethodResourcesUnsubscribe, protocol.MethodSubscriptionsListen:
		return true
	}
	return false
}

// equal lists the legs of a group with those arguments that have an answer, or
// else those without.
func (s *script) equal(g int32, args uint64) []int32 {
	var answered, others []int32
	for _, i := range s.groups[g].legs {
		switch {
		case s.legs[i].args != args:
		case !s.legs[i].answer.zero():
			answered = append(answered, i)
		default:
			others = append(others, i)
		}
	}
	if len(answered) == 0 {
		return others
	}
	return answered
}

// nearestOf is the request of a group whose params differ least, and where.
func (s *script) nearestOf(g int32, params jsontext.Value) (near int, differs []Difference) {
	want := meaning(params)
	legs := s.groups[g].legs
	near, least := int(legs[0]), -1
	seen := make(map[uint64]bool)
	for _, i := range legs {
		if seen[s.legs[i].args] {
			continue
		}
		if seen[s.legs[i].args] = true; len(seen) > maxCandidates {
			break
		}
		d := compare(meaning(s.message(s.legs[i].request).Params), want, 64, nil)
		if least < 0 || len(d) < least {
			near, least, differs = int(i), len(d), d
		}
	}
	return near, differs[:min(len(differs), maxDifferences)]
}

// likest is a request of the same method whose name is most alike, or else of
// the method that is.
func (s *script) likest(key groupKey) int {
	best, score := -1, 0
	for i := range s.groups {
		g := &s.groups[i]
		if len(g.legs) == 0 || i >= 4096 {
			continue
		}
		like := 1 + common(g.method, key.method)
		if g.method == key.method {
			like = 1_000_000 + common(g.name, key.name)
		}
		if like > score {
			best, score = int(g.legs[0]), like
		}
	}
	return best
}

// common measures how much two names have in common: pairs of letters.
func common(a, b string) int {
	a, b = strings.ToLower(a), strings.ToLower(b)
	n := 0
	for i := 0; i+2 <= len(a) && i < 200; i++ {
		if strings.Contains(b, a[i:i+2]) {
			n++
		}
	}
	return n*1000 - min(999, max(len(a), len(b)))
}

// turnKey is what repeated requests have in common.
type turnKey struct {
	group int32
	args  uint64
}

// refusal is the error for a request that the recording cannot answer.
func (s *script) refusal(id protocol.ID, m protocol.Message, f found) (raw []byte, sentence string) {
	what := m.Method
	if name := protocol.NameOf(m.Method, m.Params); name != "" {
		what += " " + shortName(name)
	}
	code := protocol.CodeInvalidParams
	if !slices.ContainsFunc(s.groups, func(g group) bool { return g.method == m.Method && len(g.legs) > 0 }) {
		code = protocol.CodeMethodNotFound
	}
	sentence = "The recording has no answer to " + what
	if f.nearest < 0 {
		return protocol.NewError(id, code, sentence, nil), sentence
	}
	near := s.message(s.legs[f.nearest].request)
	seq := s.legs[f.nearest].request.seq
	sentence += fmt.Sprintf("; the nearest recorded request is event %d, %s", seq, near.Method)
	if name := protocol.NameOf(near.Method, near.Params); name != "" {
		sentence += " " + shortName(name)
	}
	data := []byte(fmt.Sprintf(`{"nearest":{"event":%d,"method":%s`, seq, protocol.QuoteString(near.Method)))
	if near.Params != nil && len(near.Params) <= 64<<10 && protocol.Valid(near.Params) {
		data = append(append(data, `,"params":`...), near.Params...)
	}
	data = append(data, `},"differs":[`...)
	for i, d := range f.differs {
		if i == 0 {
			sentence += fmt.Sprintf(", which differs at %s", pointerName(d.Pointer))
		} else {
			data = append(data, ',')
		}
		pointer := d.Pointer
		if near.Method == m.Method {
			pointer = "/params" + pointer
		}
		data = append(append(data, `{"pointer":`...), protocol.QuoteString(pointer)...)
		data = appendPart(appendPart(data, "recorded", d.Before), "sent", d.After)
		data = append(data, '}')
	}
	data = append(data, "]}"...)
	return protocol.NewError(id, code, sentence, data), sentence
}

func appendPart(data []byte, name string, v jsontext.Value) []byte {
	const most = 4 << 10
	if v == nil || len(v) > most {
		return data
	}
	return append(append(append(append(data, ','), jsonvalue.Quote(name)...), ':'), v...)
}

func pointerName(p string) string {
	if p == "" {
		return "the params as a whole"
	}
	return p
}

func shortName(name string) string {
	const most = 200
	if len(name) > most {
		name = strings.ToValidUTF8(name[:most], "") + "…"
	}
	return name
}
