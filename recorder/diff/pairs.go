package diff

import (
	"fmt"

	"mcploupe/recorder"
)

// Pairs compares exchanges of two recordings one by one, as while one of them is
// still being made. One goroutine uses it.
type Pairs struct{ t talk }

// NewPairs compares by the same rules as Conversations. A value that is sent
// back later is not known to be one yet: it counts as different.
func NewPairs(a, b *recorder.Log, o Options) *Pairs {
	return &Pairs{talk{
		o: o, rules: newMatcher(o.Rules), volatile: newVolatile(o.Count), origins: newOrigins(),
		vary: map[Volatile]int{}, out: &Conversation{},
		a: voice{log: a, window: recorder.NewWindow(a), exchanges: a.Exchanges()},
		b: voice{log: b, window: recorder.NewWindow(b), exchanges: b.Exchanges()},
	}}
}

// Compare compares exchange x of the first recording with y of the second, by
// their numbers in Log.Exchanges, which must have taken them in.
func (p *Pairs) Compare(x, y int) (Row, error) {
	a, b := p.t.a.exchanges.At(x), p.t.b.exchanges.At(y)
	r := Row{Lane: Exchanges, A: x, B: y, SeqA: a.Request, SeqB: b.Request, Dir: a.Dir, Method: a.Method, Name: a.Name}
	if a.Dir == recorder.In {
		r.Lane = PeerLane
	}
	p.t.waiting = map[int][]waitingDifference{}
	if err := p.t.exchange(&r); err != nil {
		return r, fmt.Errorf("comparing event %d with event %d: %w", r.SeqA, r.SeqB, err)
	}
	if r.More > 0 || r.Counts(Differs) > 0 {
		r.Kind = Different
	}
	return r, nil
}
