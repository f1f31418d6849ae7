package protocol

import "github.com/go-json-experiment/json/jsontext"

// ServerInfo is what a server says of itself, in the result of initialize or of
// server/discover. Nothing of it is to be relied on (BASE-32). Pointers and
// offsets of problems count from the result.
type ServerInfo struct {
	Revision                string // protocolVersion of initialize, "" for server/discover
	Name, Title, Version    string
	Description, WebsiteURL string
	Icons                   []Icon
	Instructions            string
	Capabilities            jsontext.Value // nil when absent
	TTL, CacheScope         string         // of server/discover
	ResultType              string         // of server/discover
	Meta                    jsontext.Value // nil when absent
	Problems                []Problem
	Raw                     jsontext.Value
}

// Label returns the text to show for the server: title, name.
func (s ServerInfo) Label() string { return firstOf(s.Title, s.Name) }

// DecodeInitialize decodes the result of initialize (L-INIT-03).
func DecodeInitialize(result jsontext.Value) ServerInfo {
	const rule = "L-INIT-03"
	d := decoder{rule: rule}
	s := ServerInfo{Raw: result}
	hasInfo := false
	root := d.root(result, func(m *node) {
		switch m.name {
		case "protocolVersion":
			d.string(m, &s.Revision)
		case "capabilities":
			d.object(m, &s.Capabilities)
		case "serverInfo":
			hasInfo = true
			d.implementation(m, &s)
		case "instructions":
			d.string(m, &s.Instructions)
		case "_meta":
			d.object(m, &s.Meta)
		}
	})
	if root {
		if s.Revision == "" {
			d.missing(result, rule, "protocolVersion")
		}
		if s.Capabilities == nil {
			d.missing(result, rule, "capabilities")
		}
		if !hasInfo {
			d.missing(result, rule, "serverInfo")
		}
	}
	s.Problems = d.problems()
	return s
}

// DecodeDiscover decodes the result of server/discover (L-DISC-02, 08). The
// versions are nil if the result names none, in which case it is no
// DiscoverResult.
func DecodeDiscover(result jsontext.Value) (info ServerInfo, supportedVersions []string) {
	const rule = "L-DISC-02"
	d := decoder{rule: rule}
	s := ServerInfo{Raw: result}
	var draft, inMeta *node
	root := d.root(result, func(m *node) {
		switch m.name {
		case "supportedVersions":
			d.strings(m, &supportedVersions)
		case "capabilities":
			d.object(m, &s.Capabilities)
		case "instructions":
			d.string(m, &s.Instructions)
		case "ttlMs":
			d.number(m, &s.TTL)
		case "cacheScope":
			d.string(m, &s.CacheScope)
		case "resultType":
			d.string(m, &s.ResultType)
		case "serverInfo":
			draft = m
		case "_meta":
			if d.object(m, &s.Meta) {
				m.members(func(x *node) {
					if x.name == MetaServerInfo {
						inMeta = x
					}
				})
			}
		}
	})
	if !root {
		s.Problems = d.problems()
		return s, nil
	}
	for _, need := range []struct {
		has  bool
		name string
	}{
		{len(supportedVersions) > 0, "supportedVersions"}, {s.Capabilities != nil, "capabilities"},
		{s.TTL != "", "ttlMs"}, {s.CacheScope != "", "cacheScope"}, {s.ResultType != "", "resultType"},
	} {
		if !need.has {
			d.missing(result, rule, need.name)
		}
	}
	if draft != nil {
		d.add(draft, "L-DISC-08", Warning, "serverInfo stands at the top as in drafts of the revision; it belongs into _meta.")
	}
	switch {
	case inMeta != nil:
		d.implementation(inMeta, &s)
	case draft != nil:
		d.implementation(draft, &s)
	default:
		d.add(rootNode(result), "L-DISC-08", Warning, "The server does not say its name in _meta.")
	}
	s.Problems = d.problems()
	return s, supportedVersions
}

// ServerOf reads the server's name from the _meta of any result (META-14). The
// name is "" if it does not say one.
func ServerOf(meta jsontext.Value) ServerInfo {
	d := decoder{rule: resultShape}
	var s ServerInfo
	rootNode(meta).members(func(m *node) {
		if m.name == MetaServerInfo {
			s.Raw = m.raw()
			d.implementation(m, &s)
		}
	})
	s.Problems = d.problems()
	return s
}

// implementation reads name, version and the like.
func (d *decoder) implementation(n *node, s *ServerInfo) {
	if n.kind() != '{' {
		d.wrong(n, "an object")
		return
	}
	hasName, hasVersion := false, false
	n.members(func(m *node) {
		switch m.name {
		case "name":
			hasName = d.string(m, &s.Name)
		case "title":
			d.string(m, &s.Title)
		case "version":
			hasVersion = d.string(m, &s.Version)
		case "description":
			d.string(m, &s.Description)
		case "websiteUrl":
			d.string(m, &s.WebsiteURL)
		case "icons":
			d.icons(m, &s.Icons)
		}
	})
	if !hasName {
		d.add(n, d.rule, Violation, "serverInfo has no usable name.")
	}
	if !hasVersion {
		d.add(n, d.rule, Violation, "serverInfo has no usable version.")
	}
}

// ServerCapabilities is a view of a server's capabilities object. A capability
// is there when its member is an object, also an empty one.
type ServerCapabilities struct {
	Tools, ToolsListChanged                             bool
	Resources, ResourcesSubscribe, ResourcesListChanged bool
	Prompts, PromptsListChanged                         bool
	Logging, Completions                                bool
	Tasks, Extensions, Experimental                     jsontext.Value // nil when absent
	Other                                               []string       // names that no revision knows
	Problems                                            []Problem      // pointers and offsets count from the object
}

// DecodeServerCapabilities decodes a capabilities object; nil is an empty one.
func DecodeServerCapabilities(v jsontext.Value) (c ServerCapabilities) {
	d := decoder{rule: resultShape}
	root := rootNode(v)
	if len(v) > 0 && root.kind() != '{' {
		d.add(root, resultShape, Violation, "The capabilities are "+kindName(root.kind())+" instead of an object.")
	}
	root.members(func(m *node) {
		var object jsontext.Value
		flags := func(has *bool, members map[string]*bool) {
			// Some servers write true for {}.
			switch m.kind() {
			case 't':
				*has = true
				d.wrong(m, "an object")
			case 'f':
				d.wrong(m, "an object")
			default:
				*has = d.object(m, &object)
			}
			m.members(func(x *node) {
				if to := members[x.name]; to != nil {
					d.bool(x, to)
				}
			})
		}
		switch m.name {
		case "tools":
			flags(&c.Tools, map[string]*bool{"listChanged": &c.ToolsListChanged})
		case "resources":
			flags(&c.Resources, map[string]*bool{"listChanged": &c.ResourcesListChanged, "subscribe": &c.ResourcesSubscribe})
		case "prompts":
			flags(&c.Prompts, map[string]*bool{"listChanged": &c.PromptsListChanged})
		case "logging":
			flags(&c.Logging, nil)
		case "completions":
			flags(&c.Completions, nil)
		case "tasks":
			d.object(m, &c.Tasks)
		case "extensions":
			d.object(m, &c.Extensions)
		case "experimental":
			d.object(m, &c.Experimental)
		default:
			if len(c.Other) < 1000 {
				c.Other = append(c.Other, m.name)
			}
		}
	})
	c.Problems = d.problems()
	return c
}
