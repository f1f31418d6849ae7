package schema

import "strings"

// dialect is a version of JSON Schema. 2020-12 is the default (BASE-24);
// 2019-09, draft-07, draft-06 and draft-04 are honoured when $schema names
// them (BASE-25, BASE-26).
type dialect struct {
	version int // 4, 6, 7, 2019, 2020
	uri     string
}

var dialect2020 = dialect{2020, "https://json-schema.org/draft/2020-12/schema"}

var dialects = []dialect{
	dialect2020,
	{2019, "https://json-schema.org/draft/2019-09/schema"},
	{7, "http://json-schema.org/draft-07/schema"},
	{6, "http://json-schema.org/draft-06/schema"},
	{4, "http://json-schema.org/draft-04/schema"},
}

// dialectNamed finds a dialect by its URI, with http or https and with or
// without an empty fragment.
func dialectNamed(uri string) (dialect, bool) {
	bare := func(s string) string {
		_, rest, ok := strings.Cut(strings.TrimSuffix(s, "#"), "://")
		if !ok {
			return s
		}
		return rest
	}
	for _, d := range dialects {
		if bare(d.uri) == bare(uri) {
			return d, true
		}
	}
	if bare(uri) == "json-schema.org/schema" {
		return dialect2020, true
	}
	return dialect{}, false
}

// keywordSince says from which version on a keyword means something.
var keywordSince = map[string]int{
	"const": 6, "contains": 6, "propertyNames": 6, "examples": 6,
	"if": 7, "then": 7, "else": 7,
	"$anchor": 2019, "dependentRequired": 2019, "dependentSchemas": 2019, "minContains": 2019,
	"maxContains": 2019, "unevaluatedProperties": 2019, "unevaluatedItems": 2019,
	"$recursiveRef": 2019, "$recursiveAnchor": 2019,
	"prefixItems": 2020, "$dynamicRef": 2020, "$dynamicAnchor": 2020,
}

// keywordUntil says up to which version a keyword means something.
var keywordUntil = map[string]int{
	"id": 4, "additionalItems": 2019, "$recursiveRef": 2019, "$recursiveAnchor": 2019,
}

func (d dialect) has(keyword string) bool {
	if v, ok := keywordSince[keyword]; ok && d.version < v {
		return false
	}
	if v, ok := keywordUntil[keyword]; ok && d.version > v {
		return false
	}
	return true
}
