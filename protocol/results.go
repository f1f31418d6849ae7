package protocol

import "github.com/go-json-experiment/json/jsontext"

// Content is a block of a result.
type Content struct {
	Type              string // text, image, audio, resource, resource_link; anything else is kept
	Text              string
	HasText           bool
	MIMEType          string
	Data              string // base64 as sent, of data or blob
	HasData           bool
	URI, Name, Title  string
	Description, Size string
	Annotations       Annotations
	Icons             []Icon
	Meta              jsontext.Value
	Raw               jsontext.Value
	Problems          []Problem
	Malformed         bool
}

// Decode decodes Data.
func (c Content) Decode() ([]byte, error) { return nil, nil }

// ToolResult is the result of tools/call.
type ToolResult struct {
	Content                     []Content
	Structured                  jsontext.Value
	HasStructured, IsError      bool
	ResultType                  string
	InputRequests, RequestState jsontext.Value
	Meta                        jsontext.Value
	Problems                    []Problem
}

// ReadResult is the result of resources/read.
type ReadResult struct {
	Contents                    []Content
	ResultType                  string
	InputRequests, RequestState jsontext.Value
	TTL, CacheScope             string
	Meta                        jsontext.Value
	Problems                    []Problem
}

// PromptResult is the result of prompts/get.
type PromptResult struct {
	Description                 string
	Messages                    []PromptMessage
	ResultType                  string
	InputRequests, RequestState jsontext.Value
	Meta                        jsontext.Value
	Problems                    []Problem
}

// PromptMessage is one message of a prompt.
type PromptMessage struct {
	Role    string
	Content Content
	Raw     jsontext.Value
}

// Completion is the result of completion/complete.
type Completion struct {
	Values   []string
	Total    string // number text
	HasMore  bool
	Problems []Problem
}

// DecodeToolResult decodes the result of tools/call.
func DecodeToolResult(result jsontext.Value) ToolResult { return ToolResult{} }

// DecodeReadResult decodes the result of resources/read.
func DecodeReadResult(result jsontext.Value) ReadResult { return ReadResult{} }

// DecodePromptResult decodes the result of prompts/get.
func DecodePromptResult(result jsontext.Value) PromptResult { return PromptResult{} }

// DecodeCompletion decodes the result of completion/complete.
func DecodeCompletion(result jsontext.Value) Completion { return Completion{} }
