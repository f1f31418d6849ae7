package replay

import (
	"bytes"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
)

const maxBound = 10_000 // values of a kind that are remembered

// binder knows which value of the target stands for a recorded one.
type binder struct {
	values map[BindingKind]map[string]jsontext.Value
}

func newBinder() *binder { return &binder{values: make(map[BindingKind]map[string]jsontext.Value)} }

func (b *binder) learn(kind BindingKind, from, to jsontext.Value) {
	if from == nil || to == nil {
		return
	}
	m := b.values[kind]
	if m == nil {
		m = make(map[string]jsontext.Value)
		b.values[kind] = m
	}
	if len(m) < maxBound {
		m[string(from)] = bytes.Clone(to)
	}
}

// learnFrom compares where two answers hold values that are sent back.
func (b *binder) learnFrom(before, after jsontext.Value) {
	for _, of := range []struct {
		kind    BindingKind
		pointer string
	}{
		{BindCursor, "/nextCursor"}, {BindTask, "/task/taskId"}, {BindTask, "/taskId"}, {BindState, "/requestState"},
	} {
		b.learn(of.kind, lookup(before, of.pointer), lookup(after, of.pointer))
	}
}

// bind replaces the value at a pointer by the target's, if one is known.
func (b *binder) bind(raw []byte, kind BindingKind, pointer string, out *[]Binding) []byte {
	from := lookup(raw, pointer)
	to, known := b.values[kind][string(from)]
	if from == nil || !known {
		return raw
	}
	return replace(raw, kind, pointer, to, out)
}

// replace puts a value in the place of another and says so.
func replace(raw []byte, kind BindingKind, pointer string, to jsontext.Value, out *[]Binding) []byte {
	from := lookup(raw, pointer)
	if from == nil || bytes.Equal(from, to) {
		return raw
	}
	*out = append(*out, Binding{kind, string(from), string(to), pointer})
	return splice(raw, pointer, to)
}

// message binds everything in a message that belongs to the recorded connection.
func (b *binder) message(raw []byte, id protocol.ID) ([]byte, []Binding) {
	var out []Binding
	raw = bytes.Clone(raw)
	if !id.IsZero() {
		raw = replace(raw, BindID, "/id", jsontext.Value(id.String()), &out)
		raw = replace(raw, BindToken, "/params/_meta/progressToken", jsontext.Value(id.String()), &out)
	}
	raw = b.bind(raw, BindCursor, "/params/cursor", &out)
	raw = b.bind(raw, BindTask, "/params/taskId", &out)
	raw = b.bind(raw, BindTask, "/params/_meta/io.modelcontextprotocol~1related-task/taskId", &out)
	raw = b.bind(raw, BindState, "/params/requestState", &out)
	raw = b.bind(raw, BindSubscription, "/params"+subscriptionPath, &out)
	if ids := lookup(raw, "/params/notifications/taskIds"); ids != nil {
		bound := []byte{'['}
		for i, task := range protocol.Elements(ids) {
			if i > 0 {
				bound = append(bound, ',')
			}
			if to, ok := b.values[BindTask][string(task)]; ok {
				task = to
			}
			bound = append(bound, task...)
		}
		raw = replace(raw, BindTask, "/params/notifications/taskIds", append(bound, ']'), &out)
	}
	return raw, out
}

// across rewrites the _meta of a request for a revision of the other era: modern
// requests name revision and client in each request, older ones never do.
func across(raw []byte, recorded, target *protocol.Revision, meta jsontext.Value) []byte {
	was, is := recorded != nil && recorded.Modern, target != nil && target.Modern
	switch {
	case was == is:
		return raw
	case is:
		if out, err := protocol.AddMeta(raw, meta); err == nil {
			raw = out
		}
		if lookup(raw, "/params/task") != nil {
			raw = splice(raw, "/params", without(lookup(raw, "/params"), func(name string) bool { return name == "task" }))
		}
		return raw
	}
	kept := without(lookup(raw, "/params/_meta"), func(name string) bool {
		return slices.Contains([]string{protocol.MetaProtocolVersion, protocol.MetaClientInfo, protocol.MetaClientCapabilities, protocol.MetaLogLevel}, name)
	})
	if string(kept) != "{}" {
		return splice(raw, "/params/_meta", kept)
	}
	return splice(raw, "/params", without(lookup(raw, "/params"), func(name string) bool { return name == "_meta" }))
}
