package demo

import (
	"bytes"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// answerTextKey is the _meta member in which the text of an elicitation's answer travels past the SDK. The SDK decodes
// answers into float64, which turns 9007199254740993 into its even neighbour, and puts defaults back where a person left a
// field out; the demo has to show what was really sent.
const answerTextKey = "kestrel-hill.example/answerText"

// progressTokenKey is the _meta member in which the text of a numeric progress token travels past the SDK.
const progressTokenKey = "kestrel-hill.example/progressToken"

// keepText returns msg, one JSON-RPC message or a batch, with the text of each elicitation answer in it copied into the
// answer's _meta, and the id of a subscriptions/listen request, the ids of tasks in it, params.task of a tools/call and numeric
// progress tokens into the request's. Anything else,
// and what is not JSON, comes back as it is.
func keepText(msg []byte) []byte {
	if !slices.ContainsFunc(marks, func(mark []byte) bool { return bytes.Contains(msg, mark) }) || !isJSON(msg) {
		return msg
	}
	if items, ok := elements(msg); ok {
		for i := range items {
			items[i] = annotateMessage(items[i])
		}
		return array(items)
	}
	return annotateMessage(msg)
}

// marks are what a message has in it if there may be something to keep.
var marks = [][]byte{[]byte(`"action"`), []byte("listen"), []byte("progressToken"), []byte(`"task"`)}

// isJSON reports whether v is one JSON value, however odd its names and its text.
func isJSON(v []byte) bool {
	return jsontext.Value(v).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

func annotateMessage(msg jsontext.Value) jsontext.Value {
	fields, ok := members(msg)
	if !ok {
		return msg
	}
	var id jsontext.Value
	listens := false
	for _, f := range fields {
		switch f.name {
		case "id":
			id = f.value
		case "method":
			listens = string(f.value) == `"subscriptions/listen"`
		}
	}
	for i, f := range fields {
		switch {
		case f.name == "result":
			fields[i].value = annotateAnswer(f.value)
		case f.name == "params" && listens && id != nil:
			fields[i].value = withMeta(keepMember(f.value, taskIDsKey, "notifications", "taskIds"), requestIDKey, id)
		case f.name == "params":
			fields[i].value = annotateInputs(annotateToken(keepMember(f.value, taskKey, "task")))
		}
	}
	return object(fields)
}

// annotateInputs does it for each member of params.inputResponses.
func annotateInputs(params jsontext.Value) jsontext.Value {
	fields, ok := members(params)
	if !ok {
		return params
	}
	for i, f := range fields {
		if f.name != "inputResponses" {
			continue
		}
		answers, ok := members(f.value)
		if !ok {
			continue
		}
		for j := range answers {
			answers[j].value = annotateAnswer(answers[j].value)
		}
		fields[i].value = object(answers)
	}
	return object(fields)
}

// keepMember copies the value at a path below params into their _meta.
func keepMember(params jsontext.Value, name string, path ...string) jsontext.Value {
	v := params
	for _, step := range path {
		fields, _ := members(v)
		i := slices.IndexFunc(fields, func(f member) bool { return f.name == step })
		if i < 0 {
			return params
		}
		v = fields[i].value
	}
	return withMeta(params, name, v)
}

func annotateToken(params jsontext.Value) jsontext.Value {
	fields, _ := members(params)
	for _, f := range fields {
		if f.name != "_meta" {
			continue
		}
		inside, _ := members(f.value)
		for _, m := range inside {
			if m.name == "progressToken" && m.value.Kind() == '0' {
				return withMeta(params, progressTokenKey, m.value)
			}
		}
	}
	return params
}

func annotateAnswer(result jsontext.Value) jsontext.Value {
	fields, ok := members(result)
	if !ok {
		return result
	}
	var content jsontext.Value
	action := false
	for _, f := range fields {
		switch f.name {
		case "action":
			action = f.value.Kind() == '"'
		case "content":
			content = f.value
		}
	}
	if !action || content == nil {
		return result
	}
	return withMeta(result, answerTextKey, content)
}

// withMeta adds a member to the _meta of an object; its value is the text of v, as a string.
func withMeta(obj jsontext.Value, name string, v jsontext.Value) jsontext.Value {
	fields, ok := members(obj)
	if !ok {
		return obj
	}
	text, err := jsontext.AppendQuote(nil, v)
	if err != nil {
		return obj
	}
	kept := member{name, text}
	i := slices.IndexFunc(fields, func(f member) bool { return f.name == "_meta" })
	if i < 0 {
		return object(append(fields, member{"_meta", object([]member{kept})}))
	}
	old, ok := members(fields[i].value)
	if !ok {
		return obj
	}
	fields[i].value = object(append(old, kept))
	return object(fields)
}

// A member is one name and value of a JSON object, in the order of the text.
type member struct {
	name  string
	value jsontext.Value
}

func decoder(v jsontext.Value) *jsontext.Decoder {
	return jsontext.NewDecoder(bytes.NewReader(v), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// members returns the members of a JSON object; false if v is anything else.
func members(v jsontext.Value) ([]member, bool) {
	d := decoder(v)
	if t, err := d.ReadToken(); err != nil || t.Kind() != '{' {
		return nil, false
	}
	var out []member
	for d.PeekKind() != '}' {
		name, err := d.ReadToken()
		if err != nil {
			return nil, false
		}
		m := member{name: name.String()}
		value, err := d.ReadValue()
		if err != nil {
			return nil, false
		}
		m.value = value.Clone()
		out = append(out, m)
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, false
	}
	return out, true
}

// elements returns the elements of a JSON array; false if v is anything else.
func elements(v jsontext.Value) ([]jsontext.Value, bool) {
	d := decoder(v)
	if t, err := d.ReadToken(); err != nil || t.Kind() != '[' {
		return nil, false
	}
	var out []jsontext.Value
	for d.PeekKind() != ']' {
		value, err := d.ReadValue()
		if err != nil {
			return nil, false
		}
		out = append(out, value.Clone())
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, false
	}
	return out, true
}

func object(fields []member) jsontext.Value {
	out := []byte{'{'}
	for i, f := range fields {
		if i > 0 {
			out = append(out, ',')
		}
		// A name that is not valid UTF-8 is written with replacement characters; the error says only that.
		out, _ = jsontext.AppendQuote(out, f.name)
		out = append(out, ':')
		out = append(out, f.value...)
	}
	return append(out, '}')
}

func array(items []jsontext.Value) jsontext.Value {
	out := []byte{'['}
	for i, v := range items {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, v...)
	}
	return append(out, ']')
}
