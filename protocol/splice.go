package protocol

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// Errors of the functions that change a message in place.
var (
	ErrNotObject = errors.New("not a JSON object")
	ErrNoValue   = errors.New("not one JSON value")
)

// SetMeta sets params._meta.key of a request or notification to value and
// keeps every other byte as the person wrote it. It makes params and _meta
// when they are absent. Of duplicate members it changes the last, which is the
// one that Parse reads.
//
// It fails, with an error that is ErrNotObject or ErrNoValue, when raw, params
// or _meta is not an object or value is not JSON. Text after the object stays.
func SetMeta(raw []byte, key string, value jsontext.Value) ([]byte, error) {
	return setPath(raw, value, "params", "_meta", key)
}

// AddMeta adds those members of an object to params._meta that are not there
// yet, on the terms of SetMeta.
func AddMeta(raw []byte, members jsontext.Value) ([]byte, error) {
	for name, value := range Members(members) {
		if _, _, present := Lookup(object(raw), string(appendPointer([]byte("/params/_meta"), name))); present {
			continue
		}
		var err error
		if raw, err = SetMeta(raw, name, value); err != nil {
			return nil, err
		}
	}
	return raw, nil
}

// SetParam sets params.name to value on the terms of SetMeta.
func SetParam(raw []byte, name string, value jsontext.Value) ([]byte, error) {
	return setPath(raw, value, "params", name)
}

// SetID sets the id on the terms of SetMeta. A message without an id gets one
// at its beginning.
func SetID(raw []byte, id ID) ([]byte, error) {
	if id.IsZero() {
		return nil, fmt.Errorf("setting the id: %w", ErrNoValue)
	}
	at, err := objectAt(raw)
	if err != nil {
		return nil, fmt.Errorf("setting the id: %w", err)
	}
	value := jsontext.Value(id.text)
	if m, ok := child(raw, at, "id"); ok {
		return splice(raw, m.at, m.to, value), nil
	}
	if m, ok := child(raw, at, "jsonrpc"); ok {
		return splice(raw, m.to, m.to, []byte(`,"id":`), value), nil
	}
	if isEmpty(raw, at) {
		return splice(raw, at+1, at+1, []byte(`"id":`), value), nil
	}
	return splice(raw, at+1, at+1, []byte(`"id":`), value, []byte(",")), nil
}

// Retry builds the next round of a request that was answered with
// input_required: the request first with a new id and the newest round's
// answers and state only (MRTR-04, 05, 06, 08, 09, 11). first may itself be a
// retry. answers is the object of inputResponses by the server's keys; nil
// answers or a nil state leave the member out, as when the server sent none.
// state is sent as the bytes it came in.
func Retry(first []byte, id ID, answers, state jsontext.Value) ([]byte, error) {
	raw, err := SetID(first, id)
	for _, p := range [...]struct {
		name  string
		value jsontext.Value
	}{{"inputResponses", answers}, {"requestState", state}} {
		if err != nil {
			break
		}
		if p.value == nil {
			raw = removeParam(raw, p.name)
			continue
		}
		raw, err = SetParam(raw, p.name, p.value)
	}
	if err != nil {
		return nil, fmt.Errorf("building the retry: %w", err)
	}
	return raw, nil
}

// objectAt returns where the object of a message begins. A byte order mark
// before it and text after it are let pass.
func objectAt(raw []byte) (int, error) {
	at := 0
	if bytes.HasPrefix(raw, []byte("\xef\xbb\xbf")) {
		at = 3
	}
	at = skipBlanks(raw, at)
	if _, ok := skipValue(raw, at); !ok || raw[at] != '{' {
		return 0, ErrNotObject
	}
	return at, nil
}

// object returns the object of a message, nil if there is none.
func object(raw []byte) jsontext.Value {
	at, err := objectAt(raw)
	if err != nil {
		return nil
	}
	end, _ := skipValue(raw, at)
	return raw[at:end:end]
}

// setPath sets the value at the end of a path of member names below the
// message and makes the objects on the way.
func setPath(raw []byte, value jsontext.Value, path ...string) ([]byte, error) {
	name := path[len(path)-1]
	value = bytes.Trim(value, " \t\r\n")
	if !Valid(value) {
		return nil, fmt.Errorf("setting %q: %w", name, ErrNoValue)
	}
	at, err := objectAt(raw)
	if err != nil {
		return nil, fmt.Errorf("setting %q: %w", name, err)
	}
	for i, step := range path {
		m, ok := child(raw, at, step)
		switch {
		case !ok:
			text := value
			for j := len(path) - 1; j > i; j-- {
				text = append(append(append([]byte("{"), QuoteString(path[j])...), ':'), append(text[:len(text):len(text)], '}')...)
			}
			return insert(raw, at, step, text), nil
		case i == len(path)-1:
			return splice(raw, m.at, m.to, value), nil
		case raw[m.at] != '{':
			return nil, fmt.Errorf("setting %q: %s is %w", name, step, ErrNotObject)
		}
		at = m.at
	}
	return raw, nil
}

// insert adds a member behind the last one of the object at.
func insert(raw []byte, at int, name string, value []byte) []byte {
	place := at + 1
	for m := range children(raw, at) {
		place = m.to
	}
	if place == at+1 {
		return splice(raw, place, place, QuoteString(name), []byte(":"), value)
	}
	return splice(raw, place, place, []byte(","), QuoteString(name), []byte(":"), value)
}

func isEmpty(raw []byte, at int) bool { return raw[skipBlanks(raw, at+1)] == '}' }

// removeParam removes every member of that name from params.
func removeParam(raw []byte, name string) []byte {
	for {
		at, err := objectAt(raw)
		if err != nil {
			return raw
		}
		params, ok := child(raw, at, "params")
		if !ok || raw[params.at] != '{' {
			return raw
		}
		from, to := -1, -1
		previous := params.at + 1
		first := true
		for m := range children(raw, params.at) {
			if to >= 0 {
				// The first member goes together with the comma behind it.
				if first {
					to = m.nameAt
				}
				break
			}
			if m.named(raw, name) {
				from, to = previous, m.to
				if first {
					from = m.nameAt
				}
				continue
			}
			first, previous = false, m.to
		}
		if to < 0 {
			return raw
		}
		raw = splice(raw, from, to)
	}
}

// splice returns a copy of raw with [from:to] replaced.
func splice(raw []byte, from, to int, parts ...[]byte) []byte {
	size := len(raw) - (to - from)
	for _, part := range parts {
		size += len(part)
	}
	out := append(make([]byte, 0, size), raw[:from]...)
	for _, part := range parts {
		out = append(out, part...)
	}
	return append(out, raw[to:]...)
}
