package view

import "testing"

func TestCapabilitiesAreWords(t *testing.T) {
	for value, want := range map[string]string{
		`{}`:                   "",
		`{"listChanged":true}`: "listChanged",
		`{"subscribe":false}`:  "subscribe off",
		`{"list":{},"requests":{"tools":{"call":{}},"sampling":{"createMessage":true}}}`: "list, requests tools/call, sampling/createMessage",
		`{"limits":{"max":9007199254740993}}`:                                            `limits {"max":9007199254740993}`,
		`{"a":{"b":{"c":{"d":{"e":{}}}}}}`:                                               `a {"b":{"c":{"d":{"e":{}}}}}`,
		`{"requests":{"tools":{"call":{},"n":[1, 2]}}}`:                                  `requests {"tools":{"call":{},"n":[1,2]}}`,
	} {
		if got := capabilityDetail([]byte(value)); got != want {
			t.Errorf("%s: %q, want %q", value, got, want)
		}
	}
}
