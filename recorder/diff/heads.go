package diff

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"

	"mcploupe/protocol/jsonvalue"
	"mcploupe/recorder"
)

// httpHeads compares the request or the response heads of an exchange, one
// after the other.
func (t *talk) httpHeads(r *Row, as, bs []recorder.Head) error {
	if t.o.Without&Status != 0 && t.o.Without&Headers != 0 {
		return nil
	}
	for i := range min(len(as), len(bs)) {
		a, err := t.a.head(as[i].Seq)
		if err != nil {
			return err
		}
		b, err := t.b.head(bs[i].Seq)
		if err != nil {
			return err
		}
		m := &messages{t: t, row: r, seqA: as[i].Seq, seqB: bs[i].Seq, fromServer: as[i].Dir == recorder.In}
		if m.class = Status; t.o.Without&Status == 0 {
			m.word("/status", number(a.Status), number(b.Status))
			m.word("/method", a.Method, b.Method)
			m.word("/url", pathOf(a.URL), pathOf(b.URL))
			m.word("/error", a.Error, b.Error)
			m.word("/body", a.Body, b.Body)
		}
		if m.class = Headers; t.o.Without&Headers == 0 {
			m.headers(a.Headers, b.Headers)
		}
	}
	if m := (&messages{t: t, row: r, class: Status}); len(as) != len(bs) && t.o.Without&Status == 0 {
		m.put(Difference{Severity: Remark, Text: fmt.Sprintf("It took %d HTTP heads in a way, before %d.", len(bs), len(as))}, nil)
	}
	return nil
}

func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// pathOf leaves out where the server is.
func pathOf(u string) string {
	parsed, err := url.Parse(u)
	if err != nil {
		return u
	}
	return parsed.RequestURI()
}

func (v *voice) head(seq uint64) (recorder.HTTPHead, error) {
	e, err := v.log.Read(seq, 0)
	if err != nil {
		return recorder.HTTPHead{}, err
	}
	if h, ok := e.Fields.(*recorder.HTTPHead); ok {
		return *h, nil
	}
	return recorder.HTTPHead{}, nil
}

// word compares texts of a head as strings are compared.
func (m *messages) word(pointer, a, b string) {
	switch at := (spot{a: pointer, b: pointer}); {
	case a == b:
	case a == "":
		m.alone(Added, jsonvalue.String(b), at)
	case b == "":
		m.alone(Removed, jsonvalue.String(a), at)
	default:
		m.strings(jsonvalue.String(a), jsonvalue.String(b), at)
	}
}

func (m *messages) headers(a, b []recorder.HeaderField) {
	seen := map[string]bool{}
	value := func(fields []recorder.HeaderField, name string) (v string) {
		for _, f := range fields {
			if canonical(f.Name) == name {
				if v != "" {
					v += ", "
				}
				v += f.Value
			}
		}
		return v
	}
	for _, f := range slices.Concat(b, a) {
		name := canonical(f.Name)
		if seen[name] {
			continue
		}
		seen[name] = true
		va, vb := value(a, name), value(b, name)
		switch {
		case va == vb:
		case idHeaders[name]:
			m.t.hide(hiddenIDs)
		case varyingHeaders[name] && m.t.volatile.on&VaryingHeaders != 0:
			m.t.hideVolatile(VaryingHeaders)
		default:
			m.word(jsonvalue.Child("/headers", name), va, vb)
		}
	}
}
