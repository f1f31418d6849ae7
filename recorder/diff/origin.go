package diff

import (
	"hash/maphash"
	"regexp"
)

const (
	maxCame    = 1 << 18 // pairs of values that are remembered
	maxOrigins = 1000    // that are listed
	maxTravel  = 4 << 10 // bytes of a value that may travel
	leastToken = 3       // bytes of a word inside of a text that may travel
)

// idName is what ids are called. Short values travel only under such names:
// elsewhere they are sent back by chance.
var idName = regexp.MustCompile(`(?i:^(?:id|uuid|guid|key|ref|cursor|token|number|handle|uri|url|name|state|session)$|[_-](?:id|key|ref|uri|url|token|number|name)$|cursor$|token$)|[a-z](?:Id|ID|Key|Ref|Uri|URI|Url|URL|Number|Name)$`)

type cameFrom struct{ seqA, seqB uint32 }

// origins are the pairs of values that the servers gave at the same place.
// Such a pair that is sent back later has the same origin: it is no difference,
// neither there nor where it came from.
type origins struct {
	came  map[uint64]cameFrom
	back  map[uint64]int // those that were sent back, with how often
	list  []Origin
	at    map[uint64]int // place in list
	full  bool
	count int
}

func newOrigins() *origins {
	return &origins{came: map[uint64]cameFrom{}, back: map[uint64]int{}, at: map[uint64]int{}}
}

// pending is a difference that goes when the value was sent back: as a whole,
// or all the words that differ.
type pending struct {
	whole  uint64
	tokens []uint64
}

func pairOf(a, b string) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	_, _ = h.WriteString(a) // a Hash never fails
	_ = h.WriteByte(0xff)
	_, _ = h.WriteString(b)
	return h.Sum64() | 1
}

func (o *origins) take(a, b string, seqA, seqB uint64) uint64 {
	if len(a) > maxTravel || len(b) > maxTravel || a == "" || b == "" {
		return 0
	}
	k := pairOf(a, b)
	if _, has := o.came[k]; !has {
		if len(o.came) == maxCame {
			o.full = true
			return 0
		}
		o.came[k] = cameFrom{uint32(seqA), uint32(seqB)}
	}
	return k
}

// cameNumber notes that the servers gave two numbers under a name.
func (o *origins) cameNumber(name, a, b string, seqA, seqB uint64) *pending {
	if !idName.MatchString(name) && min(len(a), len(b)) < leastToken {
		return nil
	}
	return &pending{whole: o.take(a, b, seqA, seqB)}
}

// cameString notes that the servers gave two strings, which differ in some
// words.
func (o *origins) cameString(name, a, b string, tokens [][2]string, seqA, seqB uint64) *pending {
	p := &pending{}
	if idName.MatchString(name) || min(len(a), len(b)) >= leastToken {
		p.whole = o.take(a, b, seqA, seqB)
	}
	for _, t := range tokens {
		if min(len(t[0]), len(t[1])) < leastToken {
			p.tokens = append(p.tokens, 0)
			continue
		}
		p.tokens = append(p.tokens, o.take(t[0], t[1], seqA, seqB))
	}
	return p
}

// sent reports whether two values that were sent came from the servers, and
// counts it.
func (o *origins) sent(a, b string) bool {
	k := pairOf(a, b)
	from, ok := o.came[k]
	if !ok {
		return false
	}
	o.back[k]++
	o.count++
	if i, has := o.at[k]; has {
		o.list[i].Sent++
	} else if len(o.list) < maxOrigins {
		o.at[k] = len(o.list)
		o.list = append(o.list, Origin{A: a, B: b, SeqA: uint64(from.seqA), SeqB: uint64(from.seqB), Sent: 1})
	}
	return true
}

// sentAll is sent for all words in which two texts differ.
func (o *origins) sentAll(tokens [][2]string) bool {
	for _, t := range tokens {
		if _, ok := o.came[pairOf(t[0], t[1])]; !ok {
			return false
		}
	}
	for _, t := range tokens {
		o.sent(t[0], t[1])
	}
	return len(tokens) > 0
}

// returned reports whether a difference has turned out to be a value that
// travels.
func (o *origins) returned(p pending) bool {
	if p.whole != 0 && o.back[p.whole] > 0 {
		return true
	}
	for _, k := range p.tokens {
		if k == 0 || o.back[k] == 0 {
			return false
		}
	}
	return len(p.tokens) > 0
}
