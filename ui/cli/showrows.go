package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/ui/view"
)

// rowPrinter prints events and exchanges: rows for people, or one document
// that is written as it grows.
type rowPrinter struct {
	inv   *invocation
	log   *recorder.Log
	out   *bufio.Writer
	lines bool // each event is a document
	n     int
}

func newRowPrinter(inv *invocation, log *recorder.Log) *rowPrinter {
	return &rowPrinter{inv: inv, log: log, out: bufio.NewWriterSize(inv.Out, 64<<10), lines: inv.opts.json && inv.opts.show.follow}
}

func (p *rowPrinter) begin() error {
	if !p.inv.opts.json || p.lines {
		return nil
	}
	member := "events"
	if p.inv.opts.show.exchanges {
		member = "exchanges"
	}
	_, err := fmt.Fprintf(p.out, "{\"recording\":%s,\"%s\":[", headerValue(p.log), member)
	return err
}

func headerValue(log *recorder.Log) jsontext.Value {
	b, err := json.Marshal(log.Header())
	if err != nil {
		return jsontext.Value("null")
	}
	return b
}

func (p *rowPrinter) event(seq uint64) error {
	switch {
	case p.lines:
		v, err := p.eventValue(seq)
		if err == nil {
			_, err = fmt.Fprintf(p.out, "%s\n", v)
		}
		if err != nil {
			return err
		}
		return p.out.Flush()
	case p.inv.opts.json:
		v, err := p.eventValue(seq)
		if err != nil {
			return err
		}
		return p.item(v)
	}
	r := view.EventRow(p.log, seq)
	if _, err := fmt.Fprintln(p.out, rowLine(r, r.Time)); err != nil {
		return err
	}
	if p.inv.opts.show.full {
		e, err := p.log.Read(seq, 0)
		if err != nil {
			return err
		}
		if _, err := p.out.WriteString(bodyLines(&e)); err != nil {
			return err
		}
	}
	if p.inv.opts.show.follow {
		return p.out.Flush()
	}
	return nil
}

// item adds an element to the document's list.
func (p *rowPrinter) item(v jsontext.Value) error {
	comma := ",\n"
	if p.n == 0 {
		comma = "\n"
	}
	p.n++
	_, err := fmt.Fprintf(p.out, "%s%s", comma, v)
	return err
}

func (p *rowPrinter) exchange(ex *recorder.Exchanges, i int) error {
	e := ex.At(i)
	if p.inv.opts.json {
		v, err := p.exchangeValue(ex, i, e)
		if err != nil {
			return err
		}
		return p.item(v)
	}
	first := view.EventRow(p.log, e.Request)
	if _, err := fmt.Fprintln(p.out, rowLine(view.ExchangeRow(e), first.Time)); err != nil {
		return err
	}
	if !p.inv.opts.show.full {
		return nil
	}
	for _, seq := range ex.Members(i) {
		member, err := p.log.Read(seq, 0)
		if err != nil {
			return err
		}
		r := view.EventRow(p.log, seq)
		if _, err := fmt.Fprintf(p.out, "  %s\n%s", rowLine(r, r.Time), bodyLines(&member)); err != nil {
			return err
		}
	}
	return nil
}

func (p *rowPrinter) end() error {
	if p.inv.opts.json && !p.lines {
		if _, err := p.out.WriteString("\n]}\n"); err != nil {
			return err
		}
	}
	return p.out.Flush()
}

func (p *rowPrinter) eventValue(seq uint64) (jsontext.Value, error) {
	h := p.log.Head(seq)
	var d document
	d.number("seq", int64(seq))
	d.number("timeNs", int64(h.Time))
	d.text("at", p.log.Header().Created.Add(h.Time).UTC().Format(time.RFC3339Nano))
	d.text("direction", h.Dir.String())
	kind := h.Kind.String()
	if kind == "" {
		kind = "unknown"
	}
	d.text("kind", kind)
	if h.Kind == recorder.KindMessage {
		d.text("message", h.Message.String())
	}
	d.text("method", h.Method)
	d.text("name", h.Name)
	d.put("id", jsontext.Value(h.ID))
	d.text("channel", h.Channel)
	d.text("status", h.Status)
	if h.Partner != 0 {
		d.number("partner", int64(h.Partner))
		d.number("tookNs", int64(h.Took))
	}
	if h.Cause != 0 {
		d.number("cause", int64(h.Cause))
	}
	d.number("bytes", int64(h.Size))
	if h.Problems {
		d.put("problems", jsontext.Value("true"))
	}
	if m, ok := p.log.Mark(seq); ok {
		if b, err := json.Marshal(m); err == nil {
			d.put("mark", b)
		}
	}
	if !p.inv.opts.show.full {
		return d.value(), nil
	}
	e, err := p.log.Read(seq, 0)
	if err != nil {
		return nil, err
	}
	if e.Fields != nil {
		b, err := json.Marshal(e.Fields)
		if err != nil {
			return nil, fmt.Errorf("event %d: %w", seq, err)
		}
		d.put("fields", b)
	}
	switch {
	case e.Data == nil:
	case h.Kind == recorder.KindMessage && protocol.Valid(e.Data) && utf8.Valid(e.Data):
		d.put("data", e.Data)
	case utf8.Valid(e.Data):
		d.put("text", protocol.QuoteString(string(e.Data)))
	default:
		b, err := json.Marshal(e.Data)
		if err != nil {
			return nil, err
		}
		d.put("base64", b)
	}
	return d.value(), nil
}

func (p *rowPrinter) exchangeValue(ex *recorder.Exchanges, i int, e recorder.Exchange) (jsontext.Value, error) {
	var d document
	d.number("request", int64(e.Request))
	if e.Answer != 0 {
		d.number("answer", int64(e.Answer))
	}
	d.text("direction", e.Dir.String())
	d.text("method", e.Method)
	d.text("name", e.Name)
	d.put("id", jsontext.Value(e.ID))
	d.text("state", e.State.String())
	d.text("status", e.Status)
	d.number("startNs", int64(e.Start))
	if e.Answer != 0 {
		d.number("tookNs", int64(e.Took))
	}
	if e.Waited != 0 {
		d.number("waitedNs", int64(e.Waited))
	}
	d.number("bytes", e.Bytes)
	if e.Rounds != 0 {
		d.number("rounds", int64(e.Rounds))
	}
	if e.Problems {
		d.put("problems", jsontext.Value("true"))
	}
	var events []jsontext.Value
	for _, seq := range ex.Members(i) {
		if !p.inv.opts.show.full {
			events = append(events, jsontext.Value(fmt.Sprint(seq)))
			continue
		}
		v, err := p.eventValue(seq)
		if err != nil {
			return nil, err
		}
		events = append(events, v)
	}
	d.put("events", array(events))
	return d.value(), nil
}
