package diff

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol/jsonvalue"
)

// server compares what two servers say of themselves.
func (c *comparison) server(before, after Surface) {
	put := func(ch Change) {
		ch.Area = Server
		c.add(ch)
	}
	c.revisions(put, before, after)
	about(put, "/serverInfo", before.ServerInfo, after.ServerInfo)
	about(put, "/instructions", before.Instructions, after.Instructions)
	a, b := parsed(before.Capabilities), parsed(after.Capabilities)
	if a == nil || b == nil {
		return
	}
	features(put, "", a, b)
}

// features compares capabilities and what they are made of: flags and
// sub-capabilities.
func features(put func(Change), pointer string, a, b *jsonvalue.Value) {
	for _, name := range memberNames(a, b) {
		va, vb := a.Get(name), b.Get(name)
		at := jsonvalue.Child(pointer, name)
		had, has := offered(va), offered(vb)
		switch {
		case va != nil && vb != nil && va.Key() == vb.Key():
		case has && !had:
			put(Change{Verdict: Compatible, Kind: Added, Pointer: at, Rule: "capability.added", Text: "The server offers `" + at[1:] + "` now.", Before: text(va), After: text(vb)})
		case had && !has:
			put(Change{Verdict: Breaking, Kind: Removed, Pointer: at, Rule: "capability.removed", Text: "The server does not offer `" + at[1:] + "` any more.", Before: text(va), After: text(vb)})
		case isObject(va) && isObject(vb):
			features(put, at, va, vb)
		case had && has:
			put(Change{Verdict: Note, Pointer: at, Rule: "capability.changed", Text: "The server says something else of `" + at[1:] + "`.", Before: text(va), After: text(vb)})
		}
	}
}

// offered reports whether a feature is there: an object or anything but false
// and null.
func offered(v *jsonvalue.Value) bool { return v != nil && v.Kind != 'f' && v.Kind != 'n' }

func parsed(raw jsontext.Value) *jsonvalue.Value {
	if raw == nil {
		return nil
	}
	v, err := jsonvalue.Parse(raw)
	if err != nil {
		return nil
	}
	return v
}

// about compares texts that are for people.
func about(put func(Change), pointer string, before, after jsontext.Value) {
	a, b := parsed(before), parsed(after)
	if isObject(a) && isObject(b) {
		for _, name := range memberNames(a, b) {
			members(func(ch Change) {
				ch.Text = strings.Replace(ch.Text, "It has", "The server has", 1)
				put(ch)
			}, Server, pointer, name, a.Get(name), b.Get(name))
		}
		return
	}
	if text(a).String() == text(b).String() {
		return
	}
	ch := Change{Verdict: Note, Pointer: pointer, Rule: "text.changed", Text: "The server has other `" + pointer[1:] + "`.", Before: text(a), After: text(b)}
	switch {
	case a == nil:
		ch.Kind = Added
	case b == nil:
		ch.Kind = Removed
	}
	put(ch)
}

// revisions compares the revisions that the servers speak.
func (c *comparison) revisions(put func(Change), before, after Surface) {
	for _, name := range before.Supported {
		if after.Supported != nil && !slices.Contains(after.Supported, name) {
			put(Change{Verdict: Breaking, Kind: Removed, Pointer: "/supportedVersions", Rule: "revision.removed",
				Text: "Revision " + name + " is not supported any more.", Before: text(jsonvalue.String(name))})
		}
	}
	for _, name := range after.Supported {
		if before.Supported != nil && !slices.Contains(before.Supported, name) {
			put(Change{Verdict: Compatible, Kind: Added, Pointer: "/supportedVersions", Rule: "revision.added",
				Text: "Revision " + name + " is supported now.", After: text(jsonvalue.String(name))})
		}
	}
	if before.Revision != "" && after.Revision != "" && before.Revision != after.Revision {
		put(Change{Verdict: Note, Pointer: "/protocolVersion", Rule: "revision.changed",
			Text:   "It was spoken to in " + after.Revision + ", before in " + before.Revision + ".",
			Before: text(jsonvalue.String(before.Revision)), After: text(jsonvalue.String(after.Revision))})
	}
}
