package protocol

import "github.com/go-json-experiment/json/jsontext"

// SetMeta sets params._meta.key of a request or notification to value and
// keeps every other byte. It makes params and _meta when they are absent.
func SetMeta(raw []byte, key string, value jsontext.Value) ([]byte, error) { return nil, nil }

// SetParam sets params.name to value and keeps every other byte. It makes
// params when it is absent.
func SetParam(raw []byte, name string, value jsontext.Value) ([]byte, error) { return nil, nil }

// SetID sets the id and keeps every other byte.
func SetID(raw []byte, id ID) ([]byte, error) { return nil, nil }

// Retry builds the next round of a request that was answered with
// input_required.
func Retry(first []byte, id ID, answers, state jsontext.Value) ([]byte, error) { return nil, nil }
