package view

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/ui/view/human"
)

// ToolFindings is what there is to say about the schemas in the definition of a
// tool, with the places in it: what is wrong (L-RPC-20), what the revision does
// not allow (L-TOOL-04), and what is valid and yet refused by some clients. It
// may take long.
func ToolFindings(definition jsontext.Value, r *protocol.Revision) []protocol.Problem {
	var out []protocol.Problem
	for _, member := range []string{"inputSchema", "outputSchema"} {
		at := "/" + member
		sent, offset, ok := protocol.Lookup(definition, at)
		if !ok {
			continue
		}
		if p, breaks := rootOfOutput(sent, r); member == "outputSchema" && breaks {
			p.Pointer, p.Offset = at, offset
			out = append(out, p)
		}
		compiled := compileSchema(sent)
		if compiled == nil {
			continue // said where the tool is listed
		}
		for _, list := range [][]protocol.Problem{compiled.Problems(), compiled.Notes()} {
			for _, p := range list {
				p.Pointer = at + p.Pointer
				if p.Offset >= 0 {
					p.Offset += offset
				}
				out = append(out, p)
			}
		}
	}
	return out
}

// rootOfOutput says when an output schema is not one for objects, which only
// the newest revisions allow (TOOL-10).
func rootOfOutput(sent jsontext.Value, r *protocol.Revision) (protocol.Problem, bool) {
	kind, _, _ := protocol.Lookup(sent, "/type")
	name, isName := protocol.StringValue(kind)
	if r == nil || r.Modern || sent.Kind() == '{' && isName && name == "object" {
		return protocol.Problem{}, false
	}
	text := "In revision " + r.Name + " the root of an output schema has the type object. The tool can be called all the same; structured content of another type is later revisions'."
	return protocol.Problem{Rule: "L-TOOL-04", Severity: protocol.Violation, Text: text}, true
}

// FindingsNote says in a few lines what was found in a definition, "" for
// nothing. The tone is Muted when nothing is wrong with it.
func FindingsNote(found []protocol.Problem) (text string, tone Tone) {
	const most = 3
	var lines []string
	tone = Muted
	for i, p := range found {
		if p.Severity != protocol.Info {
			tone = Caution
		}
		if i < most {
			lines = append(lines, problemText(p))
		}
	}
	if more := len(found) - most; more > 0 {
		lines = append(lines, "and "+human.Count(more)+" more, marked below")
	}
	return strings.Join(lines, "\n"), tone
}
