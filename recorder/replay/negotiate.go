package replay

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
)

// first is the first leg of a method, -1 if there is none.
func (s *script) first(method string) int {
	if g, ok := s.byKey[groupKey{method, ""}]; ok && len(s.groups[g].legs) > 0 {
		return int(s.groups[g].legs[0])
	}
	return -1
}

// initialize answers the handshake from the recording. One in another revision
// is made to fit, and said so.
func (c *conversation) initialize(m protocol.Message) []byte {
	sc := c.s.script
	c.s.book.count(sc.cat.InfoMethod == protocol.MethodInitialize)
	wanted := text(lookup(m.Params, "/protocolVersion"))
	result, version := bytes.Clone(sc.cat.Info), sc.cat.Revision
	asked, known := protocol.RevisionByName(wanted)
	handshake := known && !asked.Modern
	switch {
	case sc.cat.InfoMethod == protocol.MethodInitialize && sc.revision != nil && (!handshake || wanted >= version):
		// What the recorded server speaks; the client can take it or leave.
	case sc.cat.InfoMethod == protocol.MethodInitialize && handshake:
		c.s.book.add(remarkOn(Fitted, m, fmt.Sprintf("The client speaks %s, the recording %s: the handshake was made to fit", wanted, orUnknown(version))))
		version, result = wanted, splice(result, "/protocolVersion", protocol.QuoteString(wanted))
	case sc.cat.InfoMethod == protocol.MethodInitialize:
	default:
		if version = wanted; !handshake {
			version = protocol.NewestHandshake().Name
		}
		c.s.book.add(remarkOn(Fitted, m, fmt.Sprintf("The recording has no handshake (it speaks %s): one in %s was made", orUnknown(sc.cat.Revision), version)))
		result = sc.describe(`{"protocolVersion":`+string(protocol.QuoteString(version)), false)
	}
	r, _ := protocol.RevisionByName(version)
	c.mu.Lock()
	c.revision, c.caps = r, bytes.Clone(lookup(m.Params, "/capabilities"))
	c.mu.Unlock()
	return protocol.NewResult(m.ID, result)
}

func orUnknown(revision string) string {
	if revision == "" {
		return "an unknown revision"
	}
	return revision
}

// discover answers server/discover: as it was recorded, also with the error of a
// server that does not know it, or else with an answer that is made.
func (c *conversation) discover(m protocol.Message) []byte {
	sc := c.s.script
	p := play{c: c, request: m, cl: client{modern: true}}
	if sc.cat.InfoMethod == protocol.MethodDiscover {
		c.s.book.count(true)
		raw := protocol.NewResult(m.ID, sc.cat.Info)
		return p.fit(m.Method, raw)
	}
	if i := sc.first(m.Method); i >= 0 && !c.s.o.Modern {
		if recorded := sc.message(sc.legs[i].answer); recorded.Kind == protocol.Error {
			c.s.book.count(true)
			return p.fit(m.Method, recorded.Raw)
		}
	}
	c.s.book.count(false)
	modern := protocol.NewestModern().Name
	c.s.book.add(remarkOn(Fitted, m, fmt.Sprintf("The recording speaks %s: an answer to server/discover in %s was made", orUnknown(sc.cat.Revision), modern)))
	versions := string(protocol.QuoteString(modern))
	if sc.cat.Revision != "" && sc.cat.Revision != modern {
		versions += "," + string(protocol.QuoteString(sc.cat.Revision))
	}
	return protocol.NewResult(m.ID, sc.describe(`{"resultType":"complete","ttlMs":0,"cacheScope":"private","supportedVersions":[`+versions+`]`, true))
}

// describe goes on with an object that says what the recorded server is.
func (s *script) describe(begin string, meta bool) jsontext.Value {
	caps, info := s.cat.Capabilities, s.cat.ServerInfo
	if caps == nil {
		caps = s.capabilities()
	}
	if info == nil {
		name := s.log.Header().Target.Name
		if name == "" {
			name = "recording"
		}
		info = append(append(jsontext.Value(`{"name":`), protocol.QuoteString(name)...), `,"version":"0"}`...)
	}
	if meta && lookup(caps, "/tasks") != nil { // an extension since 2026-07-28
		caps = without(caps, func(name string) bool { return name == "tasks" })
	}
	out := append([]byte(begin), `,"capabilities":`...)
	out = append(out, caps...)
	if !meta {
		out = append(append(out, `,"serverInfo":`...), info...)
	} else {
		out = append(append(append(out, `,"_meta":{`...), protocol.QuoteString(protocol.MetaServerInfo)...), ':')
		out = append(append(out, info...), '}')
	}
	if s.cat.Instructions != "" {
		out = append(append(out, `,"instructions":`...), protocol.QuoteString(s.cat.Instructions)...)
	}
	return append(out, '}')
}

// capabilities are those that the recorded requests need.
func (s *script) capabilities() jsontext.Value {
	var parts []string
	for _, of := range [][2]string{{"tools/", `"tools":{}`}, {"resources/", `"resources":{}`}, {"prompts/", `"prompts":{}`}, {"logging/", `"logging":{}`}, {"completion/", `"completions":{}`}} {
		for _, g := range s.groups {
			if strings.HasPrefix(g.method, of[0]) {
				parts = append(parts, of[1])
				break
			}
		}
	}
	return jsontext.Value("{" + strings.Join(parts, ",") + "}")
}

// unsupported is the answer to a request in a revision that is not spoken.
func unsupported(id protocol.ID, err error) []byte {
	names := ""
	for _, r := range protocol.Revisions() {
		if r.Modern {
			names += string(protocol.QuoteString(r.Name))
		}
	}
	return protocol.NewError(id, protocol.CodeUnsupportedVersion, "Unsupported protocol version: "+err.Error(), jsontext.Value(`{"supported":[`+names+`]}`))
}
