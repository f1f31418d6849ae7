package settings

import (
	"encoding"
	"encoding/json"
	"reflect"
	"strings"
)

// keepUnknown puts the members of old that a value of type t does not know into
// fresh, which is such a value encoded: what a newer program wrote survives, at
// any depth.
func keepUnknown(fresh, old json.RawMessage, t reflect.Type) json.RawMessage {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if encodesItself(t) {
		return fresh
	}
	switch t.Kind() {
	case reflect.Struct:
		return keepMembers(fresh, old, func(name string) (reflect.Type, bool) { return memberType(t, name) }, true)
	case reflect.Map:
		return keepMembers(fresh, old, func(string) (reflect.Type, bool) { return t.Elem(), true }, false)
	case reflect.Slice:
		return keepEntries(fresh, old, t.Elem())
	}
	return fresh
}

// encodesItself reports whether the members of t are none of ours.
func encodesItself(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(reflect.TypeFor[json.Marshaler]()) || p.Implements(reflect.TypeFor[encoding.TextMarshaler]())
}

// keepMembers is keepUnknown for objects. typeOf says what a member is; revive
// keeps what is unknown in a member that fresh leaves out because it is empty.
func keepMembers(fresh, old json.RawMessage, typeOf func(name string) (reflect.Type, bool), revive bool) json.RawMessage {
	var now, before map[string]json.RawMessage
	if json.Unmarshal(fresh, &now) != nil || json.Unmarshal(old, &before) != nil || now == nil {
		return fresh
	}
	changed := false
	for name, value := range before {
		t, known := typeOf(name)
		there, ok := now[name]
		kept := value
		switch {
		case known && ok:
			kept = keepUnknown(there, value, t)
		case known && (!revive || t.Kind() != reflect.Struct):
			continue
		case known:
			there = json.RawMessage("{}")
			if kept = keepUnknown(there, value, t); string(kept) == "{}" {
				continue
			}
		}
		if string(kept) != string(there) {
			now[name], changed = kept, true
		}
	}
	if !changed {
		return fresh
	}
	return encode(now)
}

// memberType is the type of a struct's member as encoding/json finds it.
func memberType(t reflect.Type, name string) (reflect.Type, bool) {
	for f := range fieldsOf(t) {
		tag, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if tag == "" {
			tag = f.Name
		}
		if strings.EqualFold(tag, name) {
			return f.Type, true
		}
	}
	return nil, false
}

func fieldsOf(t reflect.Type) func(yield func(reflect.StructField) bool) {
	return func(yield func(reflect.StructField) bool) {
		for _, f := range reflect.VisibleFields(t) {
			if f.IsExported() && !f.Anonymous && f.Tag.Get("json") != "-" && !yield(f) {
				return
			}
		}
	}
}

// identities are the members by which an entry of a list is found again.
var identities = []string{"id", "key", "name", "Name", "uri"}

// keepEntries is keepUnknown for lists of objects: an entry is found again by
// what names it.
func keepEntries(fresh, old json.RawMessage, t reflect.Type) json.RawMessage {
	var now, before []json.RawMessage
	if t.Kind() != reflect.Struct || json.Unmarshal(fresh, &now) != nil || json.Unmarshal(old, &before) != nil {
		return fresh
	}
	by := map[string]json.RawMessage{}
	for _, entry := range before {
		if id := identity(entry, t); id != "" {
			by[id] = entry
		}
	}
	for i, entry := range now {
		if was, ok := by[identity(entry, t)]; ok {
			now[i] = keepUnknown(entry, was, t)
		}
	}
	return encode(now)
}

// identity names an entry of a list, "" when nothing does.
func identity(entry json.RawMessage, t reflect.Type) string {
	var members map[string]json.RawMessage
	if json.Unmarshal(entry, &members) != nil {
		return ""
	}
	for _, name := range identities {
		if _, ok := memberType(t, name); ok {
			if value := members[name]; len(value) > 0 && string(value) != `""` {
				return name + string(value)
			}
		}
	}
	return ""
}

// encode is v as JSON; v is made of plain values, which always encode.
func encode(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return raw
}
