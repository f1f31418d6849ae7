package recorder

import "mcploupe/protocol"

// maxDepth is how deep a message may be nested to be kept as msg: with the
// envelope around it, it is as deep as JSON readers commonly take.
const maxDepth = 9_999

// scan is what one pass over a message finds. All slices are parts of it.
type scan struct {
	valid bool // one JSON text on one line, no blanks around it, not too deep
	clean bool // a message of the plain shapes, whose fields below are all there is to say

	kind               protocol.Kind
	id, method         []byte // JSON texts
	params             []byte // JSON text
	name, uri          []byte // JSON texts of members of params
	token, request     []byte // JSON texts of progressToken and requestId of params
	metaToken, metaSub []byte // progressToken and subscription id of params._meta
	resultType         []byte // JSON text of result.resultType
	toolError          bool   // result.isError is true
}

// slot names a member whose value scanMessage notes.
type slot uint8

const (
	slotNone slot = iota
	slotJSONRPC
	slotID
	slotMethod
	slotParams
	slotResult
	slotName
	slotURI
	slotToken
	slotRequest
	slotMeta
	slotMetaToken
	slotMetaSub
	slotResultType
	slotIsError
)

// frame is one open object or array.
type frame struct {
	array bool
	of    slot // the member that the object is: slotParams, slotResult, slotMeta; slotNone for all others
	names int  // where its member names start in the list of hashes
	start int  // offset
}

// maxNames is up to how many members an object is checked for duplicates here;
// larger ones are left to protocol.Parse.
const maxNames = 48

// scanMessage validates b as JSON and picks out what the index needs, in one
// pass and without allocation for common messages. Whatever is not plain is
// left to protocol.Parse: then clean is false.
func scanMessage(b []byte) scan {
	var s scan
	var stackArray [24]frame
	var nameArray [96]uint32
	stack, names := stackArray[:0], nameArray[:0]
	var seen uint16 // root members
	clean := true
	p := 0
	next := slotNone // the member whose value comes

value:
	p = skipBlanks(b, p)
	if p >= len(b) {
		return s
	}
	start := p
	switch c := b[p]; {
	case c == '{' || c == '[':
		if len(stack) >= maxDepth {
			return s
		}
		if c == '[' && (len(stack) == 0 || next == slotParams || next == slotResult) {
			clean = false
		}
		stack = append(stack, frame{array: c == '[', of: next, names: len(names), start: p})
		p = skipBlanks(b, p+1)
		if p < len(b) && b[p] == c+2 { // '}' or ']'
			goto closed
		}
		if c == '[' {
			next = slotNone
			goto value
		}
		goto member
	case c == '"':
		end, met := scanString(b, p)
		if end < 0 {
			return s
		}
		p, clean = end, clean && met&odd == 0
	case c == '-' || c-'0' < 10:
		if p = scanNumber(b, p); p < 0 {
			return s
		}
	case c == 't' && hasPrefix(b[p:], "true"), c == 'n' && hasPrefix(b[p:], "null"):
		p += 4
	case c == 'f' && hasPrefix(b[p:], "false"):
		p += 5
	default:
		return s
	}
	if len(stack) == 0 {
		clean = false
		goto end
	}
	if next != slotNone {
		clean = s.note(next, b[start:p]) && clean
	}
	goto after

member: // p is at a member's name
	{
		if p >= len(b) || b[p] != '"' {
			return s
		}
		end, met := scanString(b, p)
		if end < 0 {
			return s
		}
		name := b[p+1 : end-1]
		top := &stack[len(stack)-1]
		clean = clean && met == 0
		if clean {
			h := nameHash(name)
			mine := names[top.names:]
			for _, other := range mine {
				if other == h {
					clean = false
				}
			}
			if len(mine) >= maxNames {
				clean = false
			}
			names = append(names, h)
			switch {
			case len(stack) == 1:
				next = rootSlot(name)
				if next == slotNone {
					clean = clean && string(name) == "error"
					seen |= 1
				}
				seen |= 1 << next
			case top.of != slotNone && len(stack) <= 3:
				next = memberSlot(top.of, name)
			default:
				next = slotNone
			}
		}
		p = skipBlanks(b, end)
		if p >= len(b) || b[p] != ':' {
			return s
		}
		p++
		goto value
	}

after: // a value inside a container is complete
	p = skipBlanks(b, p)
	if p >= len(b) {
		return s
	}
	if top := stack[len(stack)-1]; b[p] == ',' {
		p++
		if top.array {
			next = slotNone
			goto value
		}
		p = skipBlanks(b, p)
		goto member
	} else if (b[p] == ']') != top.array || (b[p] != ']' && b[p] != '}') {
		return s
	}

closed: // p is at the end of the innermost container
	{
		top := stack[len(stack)-1]
		stack, names = stack[:len(stack)-1], names[:top.names]
		p++
		if top.of == slotParams {
			s.params = b[top.start:p]
		}
	}
	if len(stack) > 0 {
		goto after
	}

end:
	s.valid = p == len(b) && !isBlank(b[0]) && !hasNewline(b)
	s.clean = s.valid && clean && s.classify(seen)
	return s
}

// note keeps the text of a member that is not an object or array and reports
// whether it is of the plain kind.
func (s *scan) note(m slot, v []byte) bool {
	str := v[0] == '"'
	id := str || v[0] == '-' || v[0]-'0' < 10
	switch m {
	case slotJSONRPC:
		return string(v) == `"2.0"`
	case slotID:
		s.id = v
		return str || isInteger(v)
	case slotMethod:
		s.method = v
		return str && len(v) > 2
	case slotParams, slotResult, slotMeta:
		return false
	case slotName:
		s.name = v
		return str
	case slotURI:
		s.uri = v
		return str
	case slotToken:
		s.token = v
		return id
	case slotRequest:
		s.request = v
		return id
	case slotMetaToken:
		s.metaToken = v
		return id
	case slotMetaSub:
		s.metaSub = v
		return id
	case slotResultType:
		s.resultType = v
		return str
	case slotIsError:
		s.toolError = string(v) == "true"
		return s.toolError || string(v) == "false"
	default:
		return true
	}
}

// classify sets the kind of a message of plain shape.
func (s *scan) classify(seen uint16) bool {
	const rpc, id, method, params, result = 1 << slotJSONRPC, 1 << slotID, 1 << slotMethod, 1 << slotParams, 1 << slotResult
	switch seen {
	case rpc | id | method, rpc | id | method | params:
		s.kind = protocol.Request
	case rpc | method, rpc | method | params:
		s.kind = protocol.Notification
	case rpc | id | result:
		s.kind = protocol.Result
	default:
		return false
	}
	return (s.id != nil) == (seen&id != 0) && (s.method != nil) == (seen&method != 0)
}

func rootSlot(name []byte) slot {
	switch string(name) {
	case "jsonrpc":
		return slotJSONRPC
	case "id":
		return slotID
	case "method":
		return slotMethod
	case "params":
		return slotParams
	case "result":
		return slotResult
	}
	return slotNone
}

func memberSlot(of slot, name []byte) slot {
	switch of {
	case slotParams:
		switch string(name) {
		case "name":
			return slotName
		case "uri":
			return slotURI
		case "progressToken":
			return slotToken
		case "requestId":
			return slotRequest
		case "_meta":
			return slotMeta
		}
	case slotMeta:
		switch string(name) {
		case protocol.MetaProgressToken:
			return slotMetaToken
		case protocol.MetaSubscriptionID:
			return slotMetaSub
		}
	case slotResult:
		switch string(name) {
		case "resultType":
			return slotResultType
		case "isError":
			return slotIsError
		}
	}
	return slotNone
}
