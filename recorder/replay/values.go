package replay

import (
	"bytes"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/protocol/jsonvalue"
)

// argumentsKey is a text that requests of one method and identity share when
// they ask for the same.
func argumentsKey(method string, params jsontext.Value) []byte {
	if method == protocol.MethodInitialize || method == protocol.MethodDiscover {
		return nil
	}
	v := meaning(params)
	if v == nil {
		return bytes.Clone(params)
	}
	return []byte(v.Key())
}

// meaning is the params of a request without what belongs to one connection or
// one round; nil when they are not JSON.
func meaning(params jsontext.Value) *jsonvalue.Value {
	if params == nil {
		params = jsontext.Value("{}")
	}
	v, err := jsonvalue.Parse(params)
	if err != nil {
		return nil
	}
	if v.Kind != '{' {
		return v
	}
	v.Members = slices.DeleteFunc(v.Members, func(m jsonvalue.Member) bool {
		switch m.Name {
		case "_meta", "requestState", "inputResponses":
			return true
		case "arguments":
			return m.Value.Kind == '{' && len(m.Value.Members) == 0
		}
		return false
	})
	for i, m := range v.Members {
		if m.Name == "task" && m.Value.Kind == '{' {
			v.Members[i].Value = &jsonvalue.Value{Kind: '{'} // how long it is kept is no part of what is asked
		}
	}
	return v
}

// splice replaces the value at a JSON Pointer and keeps every other byte. It
// returns raw when there is nothing.
func splice(raw []byte, pointer string, value jsontext.Value) []byte {
	old, at, ok := protocol.Lookup(raw, pointer)
	if !ok {
		return raw
	}
	out := make([]byte, 0, len(raw)-len(old)+len(value))
	out = append(append(out, raw[:at]...), value...)
	return append(out, raw[at+len(old):]...)
}

// withMember adds a member to the front of an object that has none of that name.
func withMember(object jsontext.Value, name string, value jsontext.Value) jsontext.Value {
	for present := range protocol.Members(object) {
		if present == name {
			return object
		}
	}
	open := bytes.IndexByte(object, '{')
	if open < 0 {
		return object
	}
	out := append(jsontext.Value{'{'}, protocol.QuoteString(name)...)
	out = append(append(out, ':'), value...)
	rest := bytes.TrimLeft(object[open+1:], " \t\r\n")
	if len(rest) > 0 && rest[0] != '}' {
		out = append(out, ',')
	}
	return append(out, rest...)
}

// without is an object without some of its members.
func without(object jsontext.Value, drop func(name string) bool) jsontext.Value {
	out := []byte{'{'}
	for name, value := range protocol.Members(object) {
		if drop(name) {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, protocol.QuoteString(name)...), ':'), value...)
	}
	return append(out, '}')
}

func text(v jsontext.Value) string {
	s, _ := protocol.StringValue(v)
	return s
}

func lookup(v jsontext.Value, pointer string) jsontext.Value {
	found, _, _ := protocol.Lookup(v, pointer)
	return found
}
