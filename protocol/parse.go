package protocol

import (
	"bytes"
	"sync"
)

// Parse reads one message. It never fails and keeps raw itself as Message.Raw.
//
// The rules it reports: json.empty, json.syntax, json.trailing, json.bom,
// json.duplicate, json.surrogate, json.nul, json.control, json.depth,
// json.more (findings left out), jsonrpc.shape, jsonrpc.member, jsonrpc.method,
// jsonrpc.params, jsonrpc.no-id, jsonrpc.batch, BASE-03, and L-RPC-01, 02, 03,
// 04, 05, 08, 11 and 12.
func Parse(raw []byte) Message {
	p := parsers.Get().(*parser)
	defer parsers.Put(p)
	var found findings
	p.reset(raw, &found)
	m := p.parse()
	m.Raw = raw
	m.Problems = found.finish()
	p.reset(nil, nil)
	return m
}

var parsers = sync.Pool{New: func() any { return new(parser) }}

// reset makes the parser ready for another text. Buffers that a large message
// has grown are let go.
func (p *parser) reset(raw []byte, report *findings) {
	const most = 4096
	s := scanner{b: raw, report: report}
	if cap(p.names) <= most {
		s.names = p.names[:0]
	}
	if cap(p.frames) <= most {
		s.frames = p.frames[:0]
	}
	if cap(p.table) <= most {
		s.table = p.table
	}
	p.scanner = s
}

// parser reads one message with a scanner.
type parser struct {
	scanner
}

// fields are the places of the members that JSON-RPC knows.
type fields struct {
	jsonrpc, id, method, params, result, err member
	hasVersion, hasID, hasMethod             bool
	hasParams, hasResult, hasError           bool
}

func (p *parser) parse() (m Message) {
	raw := p.b
	start := 0
	switch {
	case bytes.HasPrefix(raw, []byte("\xef\xbb\xbf")):
		start = 3
		p.find("json.bom", Warning, 0, "The text begins with a byte order mark, which JSON texts on a wire must not have.")
	case bytes.HasPrefix(raw, []byte("\xff\xfe")), bytes.HasPrefix(raw, []byte("\xfe\xff")):
		p.find("L-RPC-12", Violation, 0, "The text is UTF-16; messages are UTF-8.")
		return m
	}
	i := skipBlanks(raw, start)
	if i == len(raw) {
		p.find("json.empty", Violation, -1, "There is nothing but blanks.")
		return m
	}
	end, ok := 0, false
	switch raw[i] {
	case '{':
		m, end, ok = p.object(i)
	case '[':
		m, end, ok = p.batch(i)
	default:
		if end, ok = p.value(i); ok {
			p.find("jsonrpc.shape", Violation, i, "A message is a JSON object.")
		}
	}
	if !ok {
		if raw[i] != '{' && raw[i] != '[' {
			p.find("json.syntax", Violation, p.errOffset, p.errText)
		}
		return m
	}
	if end = skipBlanks(raw, end); end < len(raw) {
		p.find("json.trailing", Violation, end, "Something follows the end of the JSON value.")
	}
	return m
}

// object reads the message whose brace is at i. Offsets count from the start
// of the parser's text.
func (p *parser) object(i int) (m Message, end int, ok bool) {
	var f fields
	end, ok = p.members(i, &f)
	if !ok {
		p.report.add(Problem{"json.syntax", Violation, p.pointer(), p.errOffset, p.errText})
		f = salvage(p.b, i)
		p.level, p.frames, p.names = 0, p.frames[:0], p.names[:0]
		if f.hasID {
			m.ID, _ = ParseID(string(f.id.value(p.b)))
		}
		if f.hasMethod {
			m.Method = p.method(f.method)
		}
		return m, len(p.b), false
	}
	p.classify(&m, &f, i)
	return m, end, true
}

// members reads the members of the object at i.
func (p *parser) members(i int, f *fields) (end int, ok bool) {
	b := p.b
	p.push(true)
	i = skipBlanks(b, i+1)
	if i < len(b) && b[i] == '}' {
		p.pop()
		return i + 1, true
	}
	for {
		m := member{nameAt: i}
		if i, ok = p.name(i); !ok {
			return i, false
		}
		m.at = skipBlanks(b, i)
		if m.to, ok = p.value(m.at); !ok {
			return m.to, false
		}
		if !f.set(p.top(m.nameAt), m) {
			p.find("jsonrpc.member", Info, m.nameAt, "JSON-RPC knows no member of this name; it is shown and ignored.")
		}
		i = skipBlanks(b, m.to)
		switch {
		case i < len(b) && b[i] == ',':
			i = skipBlanks(b, i+1)
		case i < len(b) && b[i] == '}':
			p.pop()
			return i + 1, true
		default:
			return p.unexpected(i, "',' or '}'")
		}
	}
}

// top returns the text of the short name at i, nil for a long one.
func (p *parser) top(i int) []byte {
	const most = 64 // more than any name of JSON-RPC takes with all letters escaped
	for j, c := range p.b[i+1 : min(i+1+most, len(p.b))] {
		switch c {
		case '"':
			return p.b[i+1 : i+1+j]
		case '\\':
			name, _ := p.nameText(i)
			return []byte(name)
		}
	}
	return nil
}

// set keeps the last member of each name.
func (f *fields) set(name []byte, m member) bool {
	switch string(name) {
	case "jsonrpc":
		f.jsonrpc, f.hasVersion = m, true
	case "id":
		f.id, f.hasID = m, true
	case "method":
		f.method, f.hasMethod = m, true
	case "params":
		f.params, f.hasParams = m, true
	case "result":
		f.result, f.hasResult = m, true
	case "error":
		f.err, f.hasError = m, true
	default:
		return false
	}
	return true
}

// classify gives the message at i its kind. It is called with all members read.
func (p *parser) classify(m *Message, f *fields, i int) {
	b := p.b
	add := func(rule string, severity Severity, pointer string, at int, text string) {
		p.report.problems = append(p.report.problems, Problem{rule, severity, pointer, at, text})
	}
	switch {
	case !f.hasVersion:
		add("L-RPC-01", Violation, "", i, `The member "jsonrpc" is missing; it is "2.0" in every message.`)
	case string(b[f.jsonrpc.at:f.jsonrpc.to]) != `"2.0"`:
		if version, _ := StringValue(f.jsonrpc.value(b)); version != "2.0" {
			add("L-RPC-01", Violation, "/jsonrpc", f.jsonrpc.at, `The member "jsonrpc" is not "2.0".`)
		}
	}
	// Some serialisers write null for what is absent.
	isNull := func(has bool, at member) bool { return has && b[at.at] == 'n' }
	nullMethod := isNull(f.hasMethod, f.method)
	nullResult, nullError := isNull(f.hasResult, f.result), isNull(f.hasError, f.err)
	isCall := f.hasMethod && !nullMethod
	if nullMethod {
		add("jsonrpc.method", Violation, "/method", f.method.at, "The method is null instead of absent.")
	}
	if f.hasParams {
		m.Params = f.params.value(b)
	}
	if f.hasResult {
		m.Result = f.result.value(b)
	}
	if f.hasError {
		m.Error = f.err.value(b)
	}
	if isCall {
		m.Method = p.method(f.method)
	}
	switch {
	case f.hasError && !nullError:
		m.Kind = Error
		if f.hasResult {
			add("L-RPC-03", Violation, "/result", f.result.at, "A response has a result or an error, not both.")
		}
		decodeError(m.Error, "/error", f.err.at, p.report)
	case f.hasResult && !nullResult, f.hasResult && !isCall:
		m.Kind = Result
		if f.hasError {
			add("L-RPC-03", Violation, "/error", f.err.at, "A response has a result or an error, not both.")
		}
		if nullResult {
			add("L-RPC-03", Violation, "/result", f.result.at, "The result is null.")
		} else if b[f.result.at] != '{' {
			add("L-RPC-05", Violation, "/result", f.result.at, "The result is not an object.")
		}
	case isCall:
		m.Kind = Request
		for _, extra := range [...]struct {
			has  bool
			name string
			at   member
		}{{f.hasResult, "result", f.result}, {f.hasError, "error", f.err}} {
			if extra.has {
				add("jsonrpc.shape", Violation, "/"+extra.name, extra.at.nameAt, "A message with a method has no "+extra.name+".")
			}
		}
		p.call(m, f)
	case nullError:
		m.Kind = Error
		add("L-RPC-04", Violation, "/error", f.err.at, "The error is null and there is no result.")
	default:
		add("jsonrpc.shape", Violation, "", i, "The message has no method, no result and no error.")
	}
	if isCall && m.Kind != Request && m.Kind != Notification {
		add("jsonrpc.shape", Violation, "/method", f.method.nameAt, "A response has no method.")
	}
	p.id(m, f)
}

// call checks what only requests and notifications have.
func (p *parser) call(m *Message, f *fields) {
	add := func(rule string, severity Severity, pointer string, at int, text string) {
		p.report.problems = append(p.report.problems, Problem{rule, severity, pointer, at, text})
	}
	isNotification := len(m.Method) > len(notificationPrefix) && m.Method[:len(notificationPrefix)] == notificationPrefix
	switch {
	case p.b[f.method.at] != '"':
		add("jsonrpc.method", Violation, "/method", f.method.at, "The method is not a string.")
	case m.Method == "":
		add("jsonrpc.method", Violation, "/method", f.method.at, "The method is empty.")
	}
	if isNotification || !f.hasID {
		m.Kind = Notification
	}
	switch {
	case isNotification && f.hasID:
		add("L-RPC-11", Violation, "/id", f.id.at, "A notification has no id.")
	case !f.hasID && isRequestMethod(m.Method):
		add("jsonrpc.no-id", Warning, "", f.method.at, "This method is a request, but without an id nobody may answer it.")
	}
	if f.hasParams && p.b[f.params.at] != '{' {
		add("jsonrpc.params", Violation, "/params", f.params.at, "The params are not an object.")
	}
}

// id fills in the id and checks it.
func (p *parser) id(m *Message, f *fields) {
	add := func(rule string, severity Severity, text string) {
		at, pointer := -1, ""
		if f.hasID {
			at, pointer = f.id.at, "/id"
		}
		p.report.problems = append(p.report.problems, Problem{rule, severity, pointer, at, text})
	}
	if !f.hasID {
		switch m.Kind {
		case Result:
			add("L-RPC-02", Violation, "A result names the request that it answers by its id.")
		case Error:
			add("L-RPC-08", Info, "The error has no id: the peer could not read the request that it is about.")
		}
		return
	}
	text := p.b[f.id.at:f.id.to]
	switch kindOf(text) {
	case '"':
		m.ID = ID{string(text)}
	case '0':
		m.ID = ID{string(text)}
		if skipDigits(text, len(text)-len(bytes.TrimPrefix(text, []byte("-")))) == len(text) {
			break
		}
		if _, integral := integerText(m.ID.text); integral {
			add("BASE-03", Warning, "The id is an integer written with a fraction or an exponent; some peers answer with other text.")
		} else {
			add("BASE-03", Violation, "An id is a string or an integer.")
		}
	case 'n':
		switch {
		case m.Kind == Error:
			add("L-RPC-08", Info, "The id of the error is null: the peer could not read the request that it is about.")
		case m.Kind == Notification:
			// L-RPC-11 has said it.
		default:
			add("BASE-03", Violation, "The id is null.")
		}
	default:
		add("BASE-03", Violation, "An id is a string or an integer.")
	}
}

// method decodes a method name, "" if it is not a string.
func (p *parser) method(at member) string {
	text := p.b[at.at:at.to]
	if len(text) > 2 {
		if name, known := knownMethods[string(text[1:len(text)-1])]; known {
			return name
		}
	}
	name, _ := StringValue(text)
	return name
}
