package recorder

import (
	"bytes"
	"context"
	"fmt"
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
	for i := range x.Len() {
		seq := x.At(i)
		line, kind, err := x.line(line[:0], seq, i+1)
		if err != nil {
			return err
		}
		if _, err := x.Write(line); err != nil {
			return fmt.Errorf("export: %w", err)
		}
		x.Wrote(kind)
		if err := x.Did(ctx, i); err != nil {
			return err
		}
	}
	return nil
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
	dst = v.append(dst)
	dst = appendExtra(dst, pl.extra)
	if pl.fields != nil {
		dst = append(append(append(dst, `,"`...), fieldsKey(v.kind)...), `":`...)
		dst = append(dst, pl.fields...)
	}
	if pl.form != formNone {
		dst = append(append(append(dst, `,"`...), formKeys[pl.form]...), `":`...)
		dst = append(dst, pl.data...)
	}
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
	dst = appendExtra(v.append(dst), r.extra)
	if r.fields != nil {
		dst = append(append(append(dst, `,"`...), r.key...), `":`...)
		dst = append(dst, r.fields...)
	}
	if r.form != formNone {
		dst = append(append(append(dst, `,"`...), formKeys[r.form]...), `":`...)
		dst = append(dst, r.data...)
	}
	return append(dst, "}\n"...), e.Kind, nil
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
