package protocol

import "github.com/go-json-experiment/json/jsontext"

// ServerInfo is what a server says of itself.
type ServerInfo struct {
	Revision                string // protocolVersion of initialize; "" for server/discover
	Name, Title, Version    string
	Description, WebsiteURL string
	Instructions            string
	Icons                   []Icon
	Capabilities            jsontext.Value
	TTL, CacheScope         string // of server/discover
	Meta                    jsontext.Value
	Problems                []Problem
	Raw                     jsontext.Value
}

// ServerCapabilities is a view of a capabilities object.
type ServerCapabilities struct {
	Tools, ToolsListChanged                             bool
	Resources, ResourcesSubscribe, ResourcesListChanged bool
	Prompts, PromptsListChanged                         bool
	Logging, Completions                                bool
	Tasks, Extensions, Experimental                     jsontext.Value // nil when absent
	Problems                                            []Problem
}

// DecodeInitialize decodes the result of initialize.
func DecodeInitialize(result jsontext.Value) ServerInfo { return ServerInfo{} }

// DecodeDiscover decodes the result of server/discover.
func DecodeDiscover(result jsontext.Value) (info ServerInfo, supportedVersions []string) { return }

// DecodeServerCapabilities decodes a capabilities object.
func DecodeServerCapabilities(v jsontext.Value) ServerCapabilities { return ServerCapabilities{} }

// Progress is the content of notifications/progress.
type Progress struct {
	Token           ID
	Progress, Total string // number text, "" when absent
	Message         string
	Problems        []Problem
}

// LogEntry is the content of notifications/message.
type LogEntry struct {
	Level, Logger string
	Data          jsontext.Value // nil when absent
	Problems      []Problem
}

// DecodeProgress decodes the params of notifications/progress.
func DecodeProgress(params jsontext.Value) Progress { return Progress{} }

// DecodeLog decodes the params of notifications/message.
func DecodeLog(params jsontext.Value) LogEntry { return LogEntry{} }

// DecodeCancelled decodes the params of notifications/cancelled.
func DecodeCancelled(params jsontext.Value) (requestID ID, reason string) { return }
