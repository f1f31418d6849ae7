package demo

import (
	"fmt"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// stateless is the revision from which on there is no handshake and no session.
const stateless = "2026-07-28"

// A peer is the client as one request shows it.
type peer struct {
	session *mcp.ServerSession
	version string // revision that the request follows
	client  *mcp.Implementation
	caps    *mcp.ClientCapabilities // never nil
}

func peerOf[P mcp.Params](req *mcp.ServerRequest[P]) peer {
	p := peer{session: req.Session, version: req.ProtocolVersion(), client: req.ClientInfo(), caps: req.ClientCapabilities()}
	if p.caps == nil {
		p.caps = &mcp.ClientCapabilities{}
	}
	if _, perRequest := req.Params.GetMeta()[mcp.MetaKeyProtocolVersion]; !perRequest && p.version >= stateless {
		// A handshake that asked for a newer revision was answered with the last one that has a handshake.
		p.version = "2025-11-25"
	}
	return p
}

// modern reports whether the request is stateless: questions travel inside results, and notifications only where asked for.
func (p peer) modern() bool { return p.version >= stateless }

// downshift replaces kinds of content that the client's revision does not know yet with the nearest that it does.
func (p peer) downshift(content []mcp.Content) []mcp.Content {
	out := slices.Clone(content)
	for i, c := range out {
		switch c := c.(type) {
		case *mcp.ResourceLink:
			if p.version < "2025-06-18" {
				out[i] = &mcp.TextContent{Text: fmt.Sprintf("%s: %s", c.Name, c.URI), Annotations: c.Annotations}
			}
		case *mcp.AudioContent:
			if p.version < "2025-03-26" {
				out[i] = &mcp.EmbeddedResource{
					Resource:    &mcp.ResourceContents{URI: "kestrel://sounds/crab-pulsar.wav", MIMEType: c.MIMEType, Blob: c.Data},
					Annotations: c.Annotations,
				}
			}
		}
	}
	return out
}
