package protocol

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func fieldText(fields []HeaderField) string {
	var b strings.Builder
	for _, f := range fields {
		fmt.Fprintf(&b, "%s: %s\n", f.Name, f.Value)
	}
	return b.String()
}

func TestHeaders(t *testing.T) {
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}`
	const version = "MCP-Protocol-Version: 2026-07-28\n"
	schema := `{"type":"object","properties":{
		"city":{"type":"string","x-mcp-header":"City"},
		"count":{"type":"integer","x-mcp-header":"Count"},
		"on":{"type":"boolean","x-mcp-header":"On"},
		"method":{"type":"string","x-mcp-header":"Method"},
		"plain":{"type":"string"},
		"in":{"type":"object","properties":{"a/b":{"type":"string","x-mcp-header":"Deep"}}}}}`
	call := func(arguments string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":` + arguments + `,` + meta + `}}`
	}
	const head = version + "Mcp-Method: tools/call\nMcp-Name: t\n"
	tests := []struct {
		name, revision, raw, schema, want string
		rules                             []string
	}{
		{"HDR-31", "2024-11-05", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, "", "", nil},
		{"HDR-31", "2025-03-26", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, "", "", nil},
		{"HDR-29", "2025-06-18", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, "", "MCP-Protocol-Version: 2025-06-18\n", nil},
		{"HDR-30", "2025-11-25", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, "", "MCP-Protocol-Version: 2025-11-25\n", nil},
		{"trap 14", "2025-11-25", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`, "", "", nil},
		{"HDR-29 on answers", "2025-11-25", `{"jsonrpc":"2.0","id":1,"result":{}}`, "", "MCP-Protocol-Version: 2025-11-25\n", nil},
		{"HDR-05", "2026-07-28", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"name":"x",` + meta + `}}`, "", version + "Mcp-Method: tools/list\n", nil},
		{"HDR-01, equal to an edited body", "2026-07-28", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"1900-01-01"}}}`, "", "MCP-Protocol-Version: 1900-01-01\nMcp-Method: tools/list\n", nil},
		{"META-01", "2026-07-28", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, "", version + "Mcp-Method: tools/list\n", []string{"META-01"}},
		{"META-01, not a string", "2026-07-28", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":1}}}`, "", version + "Mcp-Method: tools/list\n", []string{"META-01"}},
		{"HDR-07", "2026-07-28", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}`, "", version + "Mcp-Method: notifications/cancelled\n", nil},
		{"HDR-03 prompt", "2026-07-28", `{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"p",` + meta + `}}`, "", version + "Mcp-Method: prompts/get\nMcp-Name: p\n", nil},
		{"HDR-03 resource", "2026-07-28", `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///a b",` + meta + `}}`, "", version + "Mcp-Method: resources/read\nMcp-Name: file:///a b\n", nil},
		{"HDR-04", "2026-07-28", `{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"taskId":"7",` + meta + `}}`, "", version + "Mcp-Method: tasks/get\nMcp-Name: 7\n", nil},
		{"HDR-06", "2026-07-28", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"caf\u00e9",` + meta + `}}`, "", version + "Mcp-Method: tools/call\nMcp-Name: =?base64?Y2Fmw6k=?=\n", nil},
		{"no name", "2026-07-28", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{` + meta + `}}`, "", version + "Mcp-Method: tools/call\n", []string{"HDR-03"}},
		{"name is a number", "2026-07-28", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7,` + meta + `}}`, "", version + "Mcp-Method: tools/call\n", []string{"HDR-03"}},

		{"HDR-25, no schema", "2026-07-28", call(`{"city":"x"}`), "", head, nil},
		{"HDR-09, 10, 12, 17", "2026-07-28", call(`{"city":"New York","count":42,"on":false,"method":"GET","plain":"x","in":{"a/b":"d"}}`), schema,
			head + "Mcp-Param-City: New York\nMcp-Param-Count: 42\nMcp-Param-On: false\nMcp-Param-Method: GET\nMcp-Param-Deep: d\n", nil},
		{"HDR-11", "2026-07-28", call(`{"city":null}`), schema, head, nil},
		{"HDR-15", "2026-07-28", call(`{"city":""}`), schema, head + "Mcp-Param-City: \n", nil},
		{"HDR-14", "2026-07-28", call(`{"city":"=?base64?eA==?="}`), schema, head + "Mcp-Param-City: =?base64?PT9iYXNlNjQ/ZUE9PT89?=\n", nil},
		{"trap 27", "2026-07-28", call(`{"count":42.0}`), schema, head + "Mcp-Param-Count: 42\n", nil},
		{"trap 27, exponent", "2026-07-28", call(`{"count":-1.2e3}`), schema, head + "Mcp-Param-Count: -1200\n", nil},
		{"largest", "2026-07-28", call(`{"count":9007199254740991}`), schema, head + "Mcp-Param-Count: 9007199254740991\n", nil},
		{"HDR-20", "2026-07-28", call(`{"count":9007199254740992}`), schema, head, []string{"HDR-20"}},
		{"HDR-20, negative", "2026-07-28", call(`{"count":-90071992547409910}`), schema, head, []string{"HDR-20"}},
		{"fraction", "2026-07-28", call(`{"count":1.5}`), schema, head, []string{"HDR-12"}},
		{"beyond all bounds", "2026-07-28", call(`{"count":1e999999999999}`), schema, head, []string{"HDR-12"}},
		{"object", "2026-07-28", call(`{"city":{}}`), schema, head, []string{"HDR-12"}},
		{"not the annotated type", "2026-07-28", call(`{"city":7}`), schema, head + "Mcp-Param-City: 7\n", nil},
		{"duplicate argument", "2026-07-28", call(`{"city":"a","city":"b"}`), schema, head + "Mcp-Param-City: b\n", nil},
		{"HDR-22", "2026-07-28", call(`{"city":"a","x":"b"}`), `{"properties":{"city":{"type":"string","x-mcp-header":"City"},"x":{"type":"number","x-mcp-header":"X"}}}`, head + "Mcp-Param-City: a\n", []string{"HDR-20"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, _ := RevisionByName(tt.revision)
			var inputSchema jsontext.Value
			if tt.schema != "" {
				inputSchema = jsontext.Value(tt.schema)
			}
			m := Parse([]byte(tt.raw))
			got, problems := Headers(r, m, inputSchema)
			if fieldText(got) != tt.want {
				t.Errorf("got\n%swant\n%s", fieldText(got), tt.want)
			}
			if !slices.Equal(rules(problems), tt.rules) {
				t.Errorf("problems %v, want %v", problems, tt.rules)
			}
			for _, p := range problems {
				if p.Pointer == "/params/arguments/count" && p.Offset != strings.Index(tt.raw, `"count":`)+len(`"count":`) {
					t.Errorf("offset %d is not that of the number", p.Offset)
				}
			}
		})
	}
	if got, problems := Headers(nil, Parse([]byte(call(`{}`))), nil); got != nil || problems != nil {
		t.Errorf("before negotiation: %v %v", got, problems)
	}
}

// HDR-13 to 15 and appendix B.
func TestHeaderValues(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"", ""},
		{"plain", "plain"},
		{"a b", "a b"},
		{"~!@#", "~!@#"},
		{" a", "=?base64?IGE=?="},
		{"a ", "=?base64?YSA=?="},
		{"a\tb", "=?base64?YQli?="}, // trap 28
		{"a\r\nX: 1", "=?base64?YQ0KWDogMQ==?="},
		{"\x7f", "=?base64?fw==?="},
		{"é", "=?base64?w6k=?="},
		{"=?base64?eA==?=", "=?base64?PT9iYXNlNjQ/ZUE9PT89?="},
		{"=?base64?x", "=?base64?x"},
		{"=?BASE64?eA==?=", "=?BASE64?eA==?="}, // trap 26: lower case only
		{"=?base64?=", "=?base64?="},           // shorter than both markers
	} {
		got := EncodeHeaderValue(tt.text)
		if got != tt.want {
			t.Errorf("%q became %q, want %q", tt.text, got, tt.want)
		}
		if back, ok := DecodeHeaderValue(got); !ok || back != tt.text {
			t.Errorf("%q came back as %q, %v", tt.text, back, ok)
		}
	}
	for _, h := range []string{"=?base64?%%?=", "=?base64?w6k?=", "=?base64?/w==?=", "=?base64?-_-_?="} {
		if got, ok := DecodeHeaderValue(h); ok || got != h {
			t.Errorf("%q was decoded to %q", h, got)
		}
	}
}

func TestHeaderAnnotations(t *testing.T) {
	tests := []struct {
		name, schema string
		found        string // header=pointer, space separated
		rules        string // rule@pointer, space separated
	}{
		{"none", `{"type":"object"}`, "", ""},
		{"case 40", `{"properties":{"city":{"type":"string","x-mcp-header":"City"}}}`, "City=/properties/city", ""},
		{"HDR-10 nested, trap 29", `{"properties":{"a":{"type":"object","properties":{"b":{"x-mcp-header":"B","type":"integer"}}}}}`, "B=/properties/a/properties/b", ""},
		{"HDR-18 blank", `{"properties":{"a":{"type":"string","x-mcp-header":"Bad Header"}}}`, "", "HDR-18@/properties/a/x-mcp-header"},
		{"HDR-18 empty", `{"properties":{"a":{"type":"string","x-mcp-header":""}}}`, "", "HDR-18@/properties/a/x-mcp-header"},
		{"HDR-18 colon", `{"properties":{"a":{"type":"string","x-mcp-header":"a:b"}}}`, "", "HDR-18@/properties/a/x-mcp-header"},
		{"HDR-18 line end", `{"properties":{"a":{"type":"string","x-mcp-header":"a\r\nb"}}}`, "", "HDR-18@/properties/a/x-mcp-header"},
		{"HDR-18 non-ASCII", `{"properties":{"a":{"type":"string","x-mcp-header":"é"}}}`, "", "HDR-18@/properties/a/x-mcp-header"},
		{"HDR-18 number", `{"properties":{"a":{"type":"string","x-mcp-header":1}}}`, "", "HDR-18@/properties/a/x-mcp-header"},
		{"HDR-18 null", `{"properties":{"a":{"type":"string","x-mcp-header":null}}}`, "", "HDR-18@/properties/a/x-mcp-header"},
		{"HDR-19", `{"properties":{"a":{"type":"string","x-mcp-header":"X"},"b":{"type":"string","x-mcp-header":"x"}}}`, "X=/properties/a", "HDR-19@/properties/b/x-mcp-header"},
		{"HDR-20 number", `{"properties":{"a":{"type":"number","x-mcp-header":"A"}}}`, "", "HDR-20@/properties/a/x-mcp-header"},
		{"HDR-20 union, trap 30", `{"properties":{"a":{"type":["string","null"],"x-mcp-header":"A"}}}`, "", "HDR-20@/properties/a/x-mcp-header"},
		{"HDR-20 no type", `{"properties":{"a":{"x-mcp-header":"A"}}}`, "", "HDR-20@/properties/a/x-mcp-header"},
		{"HDR-21 root", `{"x-mcp-header":"A","type":"string"}`, "", "HDR-21@/x-mcp-header"},
		{"HDR-21 items", `{"properties":{"a":{"items":{"type":"string","x-mcp-header":"A"}}}}`, "", "HDR-21@/properties/a/items/x-mcp-header"},
		{"HDR-21 items list", `{"properties":{"a":{"items":[{"type":"string","x-mcp-header":"A"}]}}}`, "", "HDR-21@/properties/a/items/0/x-mcp-header"},
		{"HDR-21 prefixItems", `{"properties":{"a":{"prefixItems":[true,{"type":"string","x-mcp-header":"A"}]}}}`, "", "HDR-21@/properties/a/prefixItems/1/x-mcp-header"},
		{"HDR-21 anyOf", `{"anyOf":[{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}]}`, "", "HDR-21@/anyOf/0/properties/a/x-mcp-header"},
		{"HDR-21 not", `{"not":{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}}`, "", "HDR-21@/not/properties/a/x-mcp-header"},
		{"HDR-21 if", `{"if":{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}}`, "", "HDR-21@/if/properties/a/x-mcp-header"},
		{"HDR-21 defs", `{"$defs":{"a":{"type":"string","x-mcp-header":"A"}},"properties":{"b":{"$ref":"#/$defs/a"}}}`, "", "HDR-21@/$defs/a/x-mcp-header"},
		{"HDR-21 additionalProperties", `{"additionalProperties":{"type":"string","x-mcp-header":"A"}}`, "", "HDR-21@/additionalProperties/x-mcp-header"},
		{"HDR-21 patternProperties", `{"patternProperties":{"a/":{"type":"string","x-mcp-header":"A"}}}`, "", "HDR-21@/patternProperties/a~1/x-mcp-header"},
		{"several", `{"properties":{"a":{"x-mcp-header":"é"}}}`, "", "HDR-18@/properties/a/x-mcp-header HDR-20@/properties/a/x-mcp-header"},
		{"data, trap 30", `{"properties":{"x-mcp-header":{"type":"string","default":{"x-mcp-header":""},"enum":[{"x-mcp-header":""}],"const":{"x-mcp-header":""},"examples":[{"x-mcp-header":""}]}}}`, "", ""},
		{"HDR-24 odd neighbours", `{"properties":{"a":null,"b":"x","c":true,"d":[],"e":{"type":"string","x-mcp-header":"E"}}}`, "E=/properties/e", ""},
		{"properties is a list", `{"properties":[{"x-mcp-header":"A"}]}`, "", ""},
		{"not an object", `[{"x-mcp-header":"A"}]`, "", ""},
		{"broken", `{"properties":{"a":{"type":"string","x-mcp-header":"A"}}`, "", ""},
		{"deep", strings.Repeat(`{"items":`, 1000) + `{}` + strings.Repeat(`}`, 1000), "", "json.depth@" + strings.Repeat("/items", schemaDepthMax)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			annotations, problems := HeaderAnnotations(jsontext.Value(tt.schema))
			var found, broken []string
			for _, a := range annotations {
				found = append(found, a.Header+"="+a.Pointer)
				if v, _, ok := Lookup(jsontext.Value(tt.schema), a.Pointer+"/x-mcp-header"); !ok || string(v) != `"`+a.Header+`"` {
					t.Errorf("pointer %q does not lead to the annotation", a.Pointer)
				}
			}
			for _, p := range problems {
				broken = append(broken, p.Rule+"@"+p.Pointer)
				if v, at, ok := Lookup(jsontext.Value(tt.schema), p.Pointer); !ok || at != p.Offset || p.Text == "" {
					t.Errorf("%s: offset %d is not that of %s at %d", p.Rule, p.Offset, v, at)
				}
			}
			if got := strings.Join(found, " "); got != tt.found {
				t.Errorf("found %q, want %q", got, tt.found)
			}
			if got := strings.Join(broken, " "); got != tt.rules {
				t.Errorf("problems %q, want %q", got, tt.rules)
			}
		})
	}
	annotations, _ := HeaderAnnotations(jsontext.Value(`{"properties":{"a":{"properties":{"b/c":{"type":"boolean","x-mcp-header":"B"},"d":{"type":"string","x-mcp-header":"D"}}}}}`))
	if len(annotations) != 2 || !slices.Equal(annotations[0].Path, []string{"a", "b/c"}) || !slices.Equal(annotations[1].Path, []string{"a", "d"}) || annotations[0].Type != "boolean" {
		t.Errorf("paths are %+v", annotations)
	}
}

func TestHeaderAnnotationBounds(t *testing.T) {
	var b strings.Builder
	for i := range annotationsMax + 5 {
		fmt.Fprintf(&b, `"p%d":{"type":"string","x-mcp-header":"H%d"},`, i, i)
	}
	annotations, problems := HeaderAnnotations(jsontext.Value(`{"properties":{` + strings.TrimSuffix(b.String(), ",") + `}}`))
	if len(annotations) != annotationsMax || len(problems) != 5 || problems[0].Rule != "HDR-27" {
		t.Errorf("%d annotations, %v", len(annotations), problems)
	}
	// Work on the same object again and again would take minutes here.
	repeated := `{"properties":{"a":{` + strings.Repeat(`"x-mcp-header":"",`, 200_000) + `"type":"string"}}}`
	if annotations, problems := HeaderAnnotations(jsontext.Value(repeated)); len(annotations) != 0 || len(problems) != 2*findingsMax+1 {
		t.Errorf("%d annotations, %d problems", len(annotations), len(problems))
	}
	long := strings.Repeat("n", stepMax+1)
	nested := `{"properties":{"` + long + `":{"properties":{` + strings.Repeat(`"a":{"x-mcp-header":""},`, 1000) + `"b":{}}},"c":{"type":"string","x-mcp-header":"C"}}}`
	if annotations, problems := HeaderAnnotations(jsontext.Value(nested)); len(annotations) != 1 || !slices.Equal(rules(problems), []string{"json.depth"}) {
		t.Errorf("%d annotations, %v", len(annotations), rules(problems))
	}
}

func TestIsSecretHeader(t *testing.T) {
	for name, want := range map[string]bool{
		"Authorization": true, "proxy-authorization": true, "Cookie": true, "Set-Cookie": true, "X-Api-Key": true, "x-goog-api-key": true,
		"X-Auth-Token": true, "Mcp-Session-Id": true, "Ocp-Apim-Subscription-Key": true, "X-Amz-Security-Token": true, "Mcp-Param-Password": true,
		"Content-Type": false, "WWW-Authenticate": false, "MCP-Protocol-Version": false, "Mcp-Method": false, "Mcp-Name": false, "Last-Event-ID": false,
		"Accept": false, "Mcp-Param-City": false, "Location": false, "Idempotency-Key": false,
	} {
		if got := IsSecretHeader(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
