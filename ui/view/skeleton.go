package view

import (
	"mcploupe/protocol"
	"mcploupe/protocol/schema"
)

// skeletonOf is an answer to start from: the shape that the question wants,
// with as little in it as its schema allows.
func skeletonOf(q protocol.InputRequest) string {
	switch q.Method {
	case protocol.MethodElicit:
		if mode, _, _ := protocol.Lookup(q.Params, "/mode"); string(mode) == `"url"` {
			return `{"action": "accept"}`
		}
		content := "{}"
		if wanted, _, ok := protocol.Lookup(q.Params, "/requestedSchema"); ok {
			compiled, _ := schema.Compile(wanted)
			if v := schema.Generate(compiled); v != nil {
				content = string(v)
			}
		}
		return `{"action": "accept", "content": ` + content + `}`
	case protocol.MethodSampling:
		return `{"role": "assistant", "content": {"type": "text", "text": ""}, "model": "none", "stopReason": "endTurn"}`
	case protocol.MethodRootsList:
		return `{"roots": []}`
	}
	return "{}"
}
