package recorder

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"
)

// recording writes the selected events as a recording.
func (x *Exporter) recording(ctx context.Context) error {
	line, err := appendHeader(nil, x.Header())
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	if _, err := x.Write(line); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	number := uint64(0)
	marks := map[uint64]Mark{} // as written
	write := func(line []byte, err error) error {
		if err != nil {
			return err
		}
		if _, err := x.Write(line); err != nil {
			return fmt.Errorf("export: %w", err)
		}
		return nil
	}
	last := time.Duration(0)
	for i := range x.Len() {
		seq := x.At(i)
		h := x.Log.Head(seq)
		number++
		last = max(last, h.Time)
		if h.Kind == KindNote && h.Status == statusMark {
			e, err := x.Log.Read(seq, 0)
			if err != nil {
				return fmt.Errorf("export: %w", err)
			}
			if m, ok := e.Fields.(*Mark); ok {
				marks[h.Cause] = *m
			}
		}
		line, kind, err := x.line(line[:0], seq, number)
		if err := write(line, err); err != nil {
			return err
		}
		x.Wrote(kind)
		if err := x.Did(ctx, i); err != nil {
			return err
		}
	}
	for _, m := range x.lateMarks(marks) {
		number++
		e := Event{Kind: KindNote, Time: max(last, 1), Fields: &m}
		x.mask.event(&e)
		if err := write(x.lateMark(line[:0], &e, m.Seq, number)); err != nil {
			return err
		}
		x.report.Marks++
	}
	return nil
}

// lateMarks are the marks of selected events that what was written does not
// set as they stand.
func (x *Exporter) lateMarks(written map[uint64]Mark) (late []Mark) {
	marked := map[uint64]bool{}
	for _, m := range x.Log.Marks() {
		marked[m.Seq] = true
		before := written[m.Seq]
		before.Seq = m.Seq
		if x.Place(m.Seq) != 0 && before != m {
			late = append(late, m)
		}
	}
	for seq, m := range written {
		if !marked[seq] && !m.IsZero() && x.Place(seq) != 0 {
			late = append(late, Mark{Seq: seq})
		}
	}
	slices.SortFunc(late, func(a, b Mark) int { return cmp.Compare(a.Seq, b.Seq) })
	return late
}

// lateMark writes the line that sets a mark of an event.
func (x *Exporter) lateMark(dst []byte, e *Event, marked, number uint64) ([]byte, error) {
	var v envelope
	e.Cause = x.Place(marked)
	f := v.describe(e)
	v.seq = number
	var r record
	r.encode(&v, e, f)
	if r.err != nil {
		return nil, fmt.Errorf("export the mark of event %d: %w", marked, r.err)
	}
	return append(x.join(dst, &v, &r), "}\n"...), nil
}

// line writes the line of an event under a new number. What was recorded is
// copied as it stands in the file unless something in it is masked.
func (x *Exporter) line(dst []byte, seq, number uint64) ([]byte, EventKind, error) {
	var v envelope
	var pl payload
	line, err := x.Log.readEnvelope(seq, &v, &pl)
	if err != nil {
		return nil, 0, fmt.Errorf("export: %w", err)
	}
	if v.kind == 0 && pl.extra == nil || x.mask.active() {
		e, err := x.Log.Read(seq, 0)
		if err != nil {
			return nil, 0, fmt.Errorf("export: %w", err)
		}
		if x.mask.event(&e) || v.kind == 0 && pl.extra == nil {
			return x.newLine(dst, &e, number)
		}
	}
	x.link(&v, seq, number)
	if v.size < 0 && pl.form != formNone {
		v.size = int64(x.Log.index.at(seq).size)
	}
	dst = x.join(dst, &v, &record{extra: pl.extra, key: fieldsKey(v.kind), fields: pl.fields, form: pl.form, data: pl.data})
	if bytes.IndexByte(dst, '\n') >= 0 {
		return nil, 0, fmt.Errorf("export: event %d: a line feed in line %q", seq, line[:min(len(line), 80)])
	}
	return append(dst, "}\n"...), v.kind, nil
}

// newLine writes the line of an event that is not as it was recorded.
func (x *Exporter) newLine(dst []byte, e *Event, number uint64) ([]byte, EventKind, error) {
	var v envelope
	f := v.describe(e)
	r := record{extra: e.Extra}
	r.encode(&v, e, f)
	if r.err != nil {
		return nil, 0, fmt.Errorf("export event %d: %w", e.Seq, r.err)
	}
	x.link(&v, e.Seq, number)
	return append(x.join(dst, &v, &r), "}\n"...), e.Kind, nil
}

// join writes an envelope and what was recorded, all but the closing brace.
func (x *Exporter) join(dst []byte, v *envelope, r *record) []byte {
	dst = appendExtra(v.append(dst), r.extra)
	if r.fields != nil {
		dst = append(append(append(dst, `,"`...), r.key...), `":`...)
		dst = append(dst, r.fields...)
	}
	if r.form != formNone {
		dst = append(append(append(dst, `,"`...), formKeys[r.form]...), `":`...)
		dst = append(dst, r.data...)
	}
	return dst
}

// link gives an envelope its new number and names the others by theirs.
func (x *Exporter) link(v *envelope, seq, number uint64) {
	e := x.Log.index.at(seq)
	v.seq, v.cause, v.answers, v.hasReply = number, x.Place(uint64(e.cause)), 0, false
	if v.kind == KindMessage && v.isResponse() {
		v.answers, v.hasReply = 0, true
		if asked := uint64(e.answer()); asked < seq {
			v.answers = x.Place(asked)
		}
	}
}
