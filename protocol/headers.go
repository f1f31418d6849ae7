package protocol

import "github.com/go-json-experiment/json/jsontext"

// HeaderField is one HTTP header line.
type HeaderField struct{ Name, Value string }

// HeaderAnnotation is an x-mcp-header annotation of an input schema.
type HeaderAnnotation struct {
	Pointer string   // JSON Pointer of the annotated schema in the input schema
	Path    []string // property names from the root of arguments
	Header  string   // annotation as written
	Type    string   // string, integer or boolean
}

// Headers builds the protocol headers of an HTTP request.
func Headers(r *Revision, m Message, inputSchema jsontext.Value) ([]HeaderField, []Problem) {
	return nil, nil
}

// HeaderAnnotations finds the x-mcp-header annotations of a schema.
func HeaderAnnotations(inputSchema jsontext.Value) ([]HeaderAnnotation, []Problem) { return nil, nil }

// EncodeHeaderValue encodes a header value.
func EncodeHeaderValue(s string) string { return s }

// DecodeHeaderValue decodes a header value.
func DecodeHeaderValue(h string) (string, bool) { return h, true }

// IsSecretHeader reports whether a header carries credentials.
func IsSecretHeader(name string) bool { return false }
