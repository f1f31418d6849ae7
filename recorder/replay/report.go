package replay

import (
	"slices"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
)

// RemarkKind says what a Remark is about.
type RemarkKind string

// The kinds of remarks of a Server.
const (
	Refused   RemarkKind = "refused"   // the recording has no answer; an error was sent
	Fitted    RemarkKind = "fitted"    // an answer that the recording has not, or only in another revision's words
	Approx    RemarkKind = "nearest"   // the answer to other arguments was given
	Repeated  RemarkKind = "repeated"  // all recorded answers were used up: the last one was given again
	Unasked   RemarkKind = "not asked" // a question of the server that this client cannot be asked
	OtherWise RemarkKind = "otherwise" // the client replied to a question otherwise than was recorded
)

// Remark is something that a Server did besides giving the recorded answer in
// its turn.
type Remark struct {
	Kind    RemarkKind
	Method  string
	Name    string
	Nearest uint64       // event of the recorded request, 0 if there is none
	Differs []Difference // pointers into its params
	Params  jsontext.Value
	Text    string // one sentence without its end
	Count   int    // how often
}

// Report is what a Server did so far.
type Report struct {
	Requests int // that came, without pings
	Answered int // from the recording
	Clients  int // that came
	Remarks  []Remark
	Left     int // remarks that were left out because there were too many
}

// Count is the number of times that a remark of that kind was made.
func (r Report) Count(kind RemarkKind) int {
	n := 0
	for _, m := range r.Remarks {
		if m.Kind == kind {
			n += m.Count
		}
	}
	return n
}

const maxRemarks = 1000

// book keeps the Report.
type book struct {
	mu     sync.Mutex
	report Report
	tell   func(Remark)
}

func (b *book) count(answered bool) {
	b.mu.Lock()
	b.report.Requests++
	if answered {
		b.report.Answered++
	}
	b.mu.Unlock()
}

// client counts a client and returns its number.
func (b *book) client() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.report.Clients++
	return b.report.Clients
}

// add keeps a remark, or counts it when it was made before.
func (b *book) add(r Remark) {
	r.Count = 1
	b.mu.Lock()
	same := slices.IndexFunc(b.report.Remarks, func(o Remark) bool { return o.Kind == r.Kind && o.Text == r.Text })
	switch {
	case same >= 0:
		b.report.Remarks[same].Count++
	case len(b.report.Remarks) < maxRemarks:
		b.report.Remarks = append(b.report.Remarks, r)
	default:
		b.report.Left++
	}
	b.mu.Unlock()
	if same < 0 && b.tell != nil {
		b.tell(r)
	}
}

func (b *book) snapshot() Report {
	b.mu.Lock()
	defer b.mu.Unlock()
	r := b.report
	r.Remarks = slices.Clone(r.Remarks)
	return r
}

func remarkOn(kind RemarkKind, m protocol.Message, text string) Remark {
	return Remark{Kind: kind, Method: m.Method, Name: protocol.NameOf(m.Method, m.Params), Text: text}
}
