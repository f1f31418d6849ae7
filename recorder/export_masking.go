package recorder

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// masking puts tags in place of the secrets of a plan. One goroutine uses it.
type masking struct {
	plan     *MaskPlan
	finder   *secretFinder
	values   map[string]int32 // entries that are on, by secret
	pointers []maskPointer    // likewise
	places   bool             // short secrets or pointers: places count
	m        *Masker
	where    string
	hit      func(entry int32, where string)
}

// newMasking makes the masking of a plan; of a nil plan it changes nothing.
func newMasking(p *MaskPlan) *masking {
	k := &masking{plan: p, finder: newSecretFinder(), values: map[string]int32{}, hit: func(int32, string) {}}
	k.m = &Masker{hook: k}
	if p == nil {
		return k
	}
	for _, s := range p.secrets {
		if p.Entries[s.entry].Off {
			continue
		}
		k.values[s.text] = s.entry
		if s.short {
			k.places = true
		} else {
			k.finder.add(s.text, s.entry, p.tag(s.text))
		}
	}
	for _, pointer := range p.pointers {
		if !p.Entries[pointer.entry].Off {
			k.pointers = append(k.pointers, pointer)
		}
	}
	k.finder.build()
	return k
}

// active reports whether there is anything to mask.
func (k *masking) active() bool { return len(k.values) > 0 || len(k.pointers) > 0 }

// secret is told by the Masker of a secret at its place.
func (k *masking) secret(s string) string {
	entry, ok := k.values[s]
	if !ok {
		return k.text(s)
	}
	k.hit(entry, k.where)
	return k.plan.tag(s)
}

// text masks in text as it is.
func (k *masking) text(s string) string {
	out, places := k.finder.replace([]byte(s))
	if places == nil {
		return s
	}
	k.hits(places, k.where)
	return string(out)
}

func (k *masking) hits(places []found, where string) {
	for _, p := range places {
		k.hit(p.entry, where)
	}
}

// header masks in the first line of a recording.
func (k *masking) header(h Header) Header {
	if !k.active() {
		return h
	}
	t := h.Target
	k.where = "target"
	t.Name, t.Dir = k.text(t.Name), k.text(t.Dir)
	masked := k.m.Target(Target{Command: t.Command, Args: t.Args, Env: t.Env, URL: t.URL})
	t.Command, t.Args, t.Env, t.URL = masked.Command, masked.Args, masked.Env, masked.URL
	t.Extra = k.json(t.Extra, false)
	h.Extra = k.json(h.Extra, false)
	h.Target = t
	return h
}

// event masks in an event, whose parts it replaces and does not change. It
// reports whether there was anything to mask.
func (k *masking) event(e *Event) (changed bool) {
	if !k.active() {
		return false
	}
	before := k.hit
	defer func() { k.hit = before }()
	k.hit = func(entry int32, where string) {
		changed = true
		before(entry, where)
	}
	k.where = e.Kind.String()
	if e.Kind == KindMessage {
		e.Data = k.message(e.Data)
	} else if e.Data != nil {
		e.Data = k.loose(e.Data)
	}
	switch f := e.Fields.(type) {
	case *HTTPHead:
		e.Fields = k.http(f)
	case *SSEFields:
		g := *f
		k.where = "sse"
		g.Event, g.ID, g.Comment = k.text(f.Event), k.text(f.ID), k.text(f.Comment)
		g.Extra = k.json(f.Extra, false)
		e.Fields = &g
	case *Mark:
		g := *f
		k.where = "note"
		g.Note = k.text(f.Note)
		e.Fields = &g
	case *StateChange:
		g := *f
		k.where = "state"
		g.Detail = k.text(f.Detail)
		g.Extra = k.json(f.Extra, false)
		e.Fields = &g
	}
	k.where = "extra"
	e.Extra = k.json(e.Extra, false)
	return changed
}

func (k *masking) http(f *HTTPHead) *HTTPHead {
	g := *f
	k.where = "url"
	g.URL = k.m.URL(f.URL)
	g.Headers = make([]HeaderField, len(f.Headers))
	for i, h := range f.Headers {
		k.where = "header " + h.Name
		g.Headers[i] = HeaderField{Name: h.Name, Value: k.m.Header(h.Name, h.Value)}
	}
	k.where = "http"
	g.Reason, g.Error = k.text(f.Reason), k.text(f.Error)
	k.where = "body"
	g.Body = string(k.loose([]byte(f.Body)))
	g.Extra = k.json(f.Extra, false)
	return &g
}

func (k *masking) message(b []byte) []byte {
	if out, ok := k.walk(b, true, 0); ok {
		return out
	}
	return k.loose(b)
}

// json masks in JSON that pointers do not lead into; what is none is text.
func (k *masking) json(b []byte, pointers bool) []byte {
	if len(b) == 0 {
		return b
	}
	if out, ok := k.walk(b, pointers, 0); ok {
		return out
	}
	return k.loose(b)
}

// loose masks in text of which nothing is known.
func (k *masking) loose(b []byte) []byte {
	if k.places && looksLikeJSON(string(b[:min(len(b), 64)])) {
		if out, ok := k.walk(b, false, 0); ok {
			return out
		}
	}
	if k.places {
		b = k.assignments(b)
	}
	out, places := k.finder.replace(b)
	k.hits(places, k.where)
	return out
}

// assignments masks short secrets where they were recognised by a name before
// them.
func (k *masking) assignments(b []byte) []byte {
	if !bytes.ContainsAny(b, "=:") {
		return b
	}
	var out []byte
	done := 0
	for _, at := range assignPattern.FindAllSubmatchIndex(b, -1) {
		value := strings.Trim(string(b[at[4]:at[5]]), `"'`)
		entry, ok := k.values[value]
		if !ok || len(value) >= minSecret || !isSecretMember(string(b[at[2]:at[3]])) {
			continue
		}
		start := at[4] + strings.Index(string(b[at[4]:at[5]]), value)
		out = append(append(out, b[done:start]...), k.plan.tag(value)...)
		done = start + len(value)
		k.hit(entry, k.where)
	}
	if done == 0 {
		return b
	}
	return append(out, b[done:]...)
}

// edit is a part of a text and what takes its place.
type edit struct {
	at, end int
	with    []byte
}

// walk masks in JSON, byte for byte the same where there is no secret; false
// where b is none.
func (k *masking) walk(b []byte, message bool, depth int) ([]byte, bool) {
	if len(b) == 0 {
		return b, false
	}
	var edits []edit
	var hits []maskHit
	w := jsonWalk{text: b}
	ok := w.walk(func(p jsonPart) bool {
		if message && !p.name {
			for i := range k.pointers {
				if !w.matches(&k.pointers[i]) {
					continue
				}
				end := p.end
				if end == 0 {
					end = valueEnd(b, p.at)
				}
				value := b[p.at:end]
				if s := stringBytes(value); p.kind == '"' && s != nil {
					value = s
				}
				if !IsTag(string(value)) {
					edits = append(edits, edit{p.at, end, appendString(nil, []byte(k.plan.tag(string(value))))})
					hits = append(hits, maskHit{k.pointers[i].entry, w.pointer()})
				}
				return true
			}
		}
		switch {
		case p.kind == '"':
			edits, hits = k.stringEdits(&w, p, edits, hits, depth)
		case p.kind == '0':
			if places := k.finder.find(b[p.at:p.end]); len(places) > 0 {
				edits = append(edits, edit{p.at, p.end, appendString(nil, k.finder.tagOf(places[0].entry))})
				hits = append(hits, maskHit{places[0].entry, w.pointer()})
			}
		}
		return false
	})
	if !ok {
		return b, false
	}
	for _, h := range hits {
		where := h.where
		if !message {
			where = k.where
		}
		k.hit(h.entry, where)
	}
	if len(edits) == 0 {
		return b, true
	}
	out := make([]byte, 0, len(b)+32*len(edits))
	at := 0
	for _, e := range edits {
		out = append(append(out, b[at:e.at]...), e.with...)
		at = e.end
	}
	return append(out, b[at:]...), true
}

type maskHit struct {
	entry int32
	where string
}

// stringEdits masks in one string or name.
func (k *masking) stringEdits(w *jsonWalk, p jsonPart, edits []edit, hits []maskHit, depth int) ([]edit, []maskHit) {
	raw := w.text[p.at:p.end]
	if k.places && !p.name {
		s := string(stringBytes(raw))
		if entry, ok := k.values[s]; ok && k.plan.members && isSecretMember(w.member()) {
			return append(edits, edit{p.at, p.end, appendString(nil, []byte(k.plan.tag(s)))}), append(hits, maskHit{entry, w.pointer()})
		}
		if inner, changed := k.nested(s, depth, &hits, w); changed {
			return append(edits, edit{p.at, p.end, appendString(nil, inner)}), hits
		}
	}
	for _, f := range k.finder.find(raw[1 : len(raw)-1]) {
		edits = append(edits, edit{p.at + 1 + f.start, p.at + 1 + f.end, f.with})
		hits = append(hits, maskHit{f.entry, w.pointer()})
	}
	return edits, hits
}

// nested masks in a string that holds JSON or the URL and assignments of text,
// where short secrets stand at their place.
func (k *masking) nested(s string, depth int, hits *[]maskHit, w *jsonWalk) ([]byte, bool) {
	inner := &masking{plan: k.plan, finder: k.finder, values: k.values, places: true}
	inner.m = &Masker{hook: inner}
	changed := false
	inner.hit = func(entry int32, _ string) {
		changed = true
		*hits = append(*hits, maskHit{entry, w.pointer()})
	}
	before := len(*hits)
	out := []byte(s)
	if depth < maxNested && looksLikeJSON(s) {
		if masked, ok := inner.walk(out, false, depth+1); ok {
			return masked, changed
		}
		*hits = (*hits)[:before]
	}
	changed = false
	if strings.Contains(s, "://") {
		out = urlPattern.ReplaceAllFunc(out, func(u []byte) []byte { return []byte(inner.m.URL(string(u))) })
	}
	if strings.IndexByte(s, '\n') >= 0 {
		out = inner.assignments(out)
	}
	if !changed {
		return nil, false
	}
	masked, places := k.finder.replace(out)
	for _, p := range places {
		*hits = append(*hits, maskHit{p.entry, w.pointer()})
	}
	return masked, true
}

// valueEnd is where the JSON value that starts at an offset ends.
func valueEnd(b []byte, at int) int {
	d := jsontext.NewDecoder(bytes.NewReader(b[at:]), tolerant...)
	if err := d.SkipValue(); err != nil {
		return at
	}
	return at + int(d.InputOffset())
}
