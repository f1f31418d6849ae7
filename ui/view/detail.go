package view

import (
	"fmt"
	"strings"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/ui/view/human"
)

// Detail is everything about one event, ready to be shown.
type Detail struct {
	Seq      uint64
	Title    string // one line
	Body     []byte // the event's bytes as they were; owned by the caller
	JSON     bool   // Body is a JSON text
	Facts    Table  // the event, its HTTP heads, the fields of its server-sent event
	Problems []protocol.Problem
	Findings []ProblemRow // Problems as rows
	Partner  uint64       // the answer of a request, the request of an answer; 0 if none
	Request  bool         // Partner is the answer
	Cause    uint64       // the event that this one belongs to, 0 if none
}

// maxDetail bounds what is loaded of one event.
const maxDetail = 64 << 20

// fieldBytes bounds the text of one field.
const fieldBytes = 64 << 10

// LoadDetail reads an event. It does I/O and may take long for a big event, so
// it is called off the UI goroutine.
func LoadDetail(log *recorder.Log, seq uint64) (Detail, error) {
	e, err := log.Read(seq, maxDetail)
	if err != nil {
		return Detail{Seq: seq}, fmt.Errorf("read event %d: %w", seq, err)
	}
	h := log.Head(seq)
	row := rowOf(log, seq)
	d := Detail{Seq: seq, Title: detailTitle(row), Body: e.Data, Partner: h.Partner, Cause: e.Cause}
	f := &d.Facts
	f.section("Event")
	f.add("event", human.Count(seq))
	f.add("time", human.Offset(h.Time)+" since the start, "+human.Clock(log.Header().Created.Add(h.Time).Local()))
	if dir := directionWord(h.Dir); dir != "" {
		f.add("direction", dir)
	}
	f.add("kind", kindWord(h))
	f.add("channel", h.Channel)
	if m, ok := log.Mark(seq); ok {
		f.add("note", m.Note)
	}
	switch e.Kind {
	case recorder.KindMessage:
		d.JSON = true
		d.Request = h.Message == protocol.Request
		messageFields(log, h, f)
		// A message that cannot be read again keeps its bytes and its row.
		if m, err := log.Message(seq); err == nil {
			d.Problems = m.Problems
		}
	case recorder.KindBad:
		f.add("size", sizeText(len(e.Data)))
		d.Problems = badProblems(e)
	case recorder.KindStderr, recorder.KindNote:
		if len(e.Data) > 0 {
			f.add("size", sizeText(len(e.Data)))
		}
	}
	if m, ok := markSet(log, h); ok {
		f.add("mark", markText(m, e.Cause))
	}
	if e.Cause != 0 {
		f.add("belongs to", "event "+human.Count(e.Cause))
		f.link(e.Cause)
	}
	switch v := e.Fields.(type) {
	case *recorder.HTTPHead:
		f.head(seq, v)
		if v.Body != "" {
			d.Body = []byte(v.Body)
		}
	case *recorder.SSEFields:
		f.sse(v)
	case *recorder.StateChange:
		f.add("state", v.State)
		f.add("detail", stateText(v))
	}
	for _, found := range exchangeHeads(log, e) {
		switch v := found.fields.(type) {
		case *recorder.HTTPHead:
			f.head(found.seq, v)
		case *recorder.SSEFields:
			f.sse(v)
		}
	}
	if len(d.Body) == 0 && !d.JSON {
		d.Body = []byte(f.Text())
	}
	d.Findings = problemRows(d.Body, d.Problems)
	return d, nil
}

// badProblems names what is wrong with bytes that are no message.
func badProblems(e recorder.Event) []protocol.Problem {
	problems := protocol.Parse(e.Data).Problems
	if e.Channel == "stdio" {
		problems = append(problems, protocol.Problem{
			Rule: "L-STD-01", Severity: protocol.Violation, Offset: -1,
			Text: "A line on stdout is no JSON-RPC message: stdout must carry messages only, logs belong on stderr.",
		})
	}
	return problems
}

func detailTitle(r Row) string {
	parts := []string{"#" + r.Number, r.What}
	if r.Name != "" {
		parts = append(parts, line(r.Name, 60))
	}
	return strings.Join(parts, " ")
}

func directionWord(d recorder.Direction) string {
	switch d {
	case recorder.Out:
		return "to the server"
	case recorder.In:
		return "from the server"
	}
	return ""
}

func kindWord(h recorder.Head) string {
	switch h.Kind {
	case recorder.KindMessage:
		return strings.ToLower(h.Message.String())
	case recorder.KindBad:
		return "not a message"
	case recorder.KindStderr:
		return "standard error"
	case recorder.KindHTTP:
		return "HTTP head"
	case recorder.KindSSE:
		return "server-sent event fields"
	case recorder.KindState:
		return "connection"
	case recorder.KindNote:
		return "note"
	}
	return "not an event that is known"
}

func sizeText(n int) string {
	if n < 1000 {
		return human.Bytes(int64(n))
	}
	return human.Bytes(int64(n)) + " (" + human.Count(n) + " bytes)"
}

func messageFields(log *recorder.Log, h recorder.Head, f *Table) {
	f.add("method", h.Method)
	f.add("name", h.Name)
	f.add("id", h.ID)
	f.add("size", sizeText(h.Size))
	switch {
	case h.Partner == 0:
		if h.Message == protocol.Request {
			f.add("answer", "none")
		}
	case h.Message == protocol.Request:
		answer := log.Head(h.Partner)
		f.add("answer", "event "+human.Count(h.Partner)+" after "+human.Duration(answer.Took))
		f.link(h.Partner)
	default:
		f.add("request", "event "+human.Count(h.Partner))
		f.link(h.Partner)
		f.add("took", human.Duration(h.Took))
	}
}

// foundHead is an event with an HTTP head or the fields of a server-sent event.
type foundHead struct {
	seq    uint64
	fields any
}

// exchangeHeads finds the HTTP heads of the exchange that carried a message, and
// the fields of the server-sent event that it came in.
func exchangeHeads(log *recorder.Log, e recorder.Event) []foundHead {
	if e.Kind == recorder.KindHTTP || e.Channel == "" || e.Channel == "stdio" {
		return nil
	}
	var heads []foundHead
	take := func(seq uint64) (cause uint64, ok bool) {
		found, err := log.Read(seq, previewBytes)
		if err != nil {
			return 0, false
		}
		switch found.Fields.(type) {
		case *recorder.HTTPHead, *recorder.SSEFields:
			heads = append(heads, foundHead{seq, found.Fields})
		}
		return found.Cause, true
	}
	for cause, steps := e.Cause, 0; cause != 0 && steps < 4; steps++ {
		next, ok := take(cause)
		if !ok {
			break
		}
		cause = next
	}
	if e.Dir == recorder.Out {
		// The request head follows its message at once, but for what other
		// streams do in between.
		const near = 16
		for seq := e.Seq + 1; seq <= log.Len() && seq <= e.Seq+near; seq++ {
			h := log.Head(seq)
			if h.Kind == recorder.KindHTTP && h.Channel == e.Channel && h.Dir == recorder.Out {
				take(seq)
				break
			}
		}
	}
	return heads
}
