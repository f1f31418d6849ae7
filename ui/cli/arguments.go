package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/protocol/schema"
)

// typedArguments makes an arguments object of name=value and name:=JSON pairs.
// A plain value is a string where the schema takes one at that place, else it
// is sent as the JSON that it spells; numbers keep their digits. Nothing is
// refused for breaking the schema: the server is what is being tested.
func typedArguments(inputSchema jsontext.Value, pairs []string) (jsontext.Value, error) {
	if len(pairs) == 0 {
		return nil, nil
	}
	var compiled *schema.Schema
	if len(inputSchema) > 0 {
		compiled, _ = schema.Compile(inputSchema)
	}
	var names []string
	var out document
	for _, pair := range pairs {
		name, value, ok := strings.Cut(pair, "=")
		if !ok || name == "" || name == ":" {
			return nil, usageError(fmt.Sprintf("%q: an argument is name=value or name:=JSON", pair))
		}
		asJSON := strings.HasSuffix(name, ":")
		name = strings.TrimSuffix(name, ":")
		if slices.Contains(names, name) {
			return nil, usageError(fmt.Sprintf("the argument %q is given twice", name))
		}
		names = append(names, name)
		v := jsontext.Value(value)
		if asJSON {
			if err := checkJSON(v); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			out.put(name, v)
			continue
		}
		text := protocol.QuoteString(value)
		if compiled != nil && !accepts(compiled, name, text) && checkJSON(v) == nil {
			out.put(name, v)
		} else {
			out.put(name, text)
		}
	}
	return out.value(), nil
}

// accepts says whether the schema has nothing against v as the member name.
func accepts(s *schema.Schema, name string, v jsontext.Value) bool {
	var d document
	d.put(name, v)
	at := "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
	for _, p := range s.Validate(d.value()) {
		if p.Pointer == at {
			return false
		}
	}
	return true
}
