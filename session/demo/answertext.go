package demo

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// answerTextKey is the _meta member in which the text of an elicitation's answer travels past the SDK. The SDK decodes
// answers into float64, which turns 9007199254740993 into its even neighbour, and puts defaults back where a person left a
// field out; the demo has to show what was really sent.
const answerTextKey = "kestrel-hill.example/answerText"

// keepAnswerText returns msg, one JSON-RPC message or a batch, with the text of each elicitation answer in it copied into
// the answer's _meta. Anything else, and what is not JSON, comes back as it is.
func keepAnswerText(msg []byte) []byte {
	if !bytes.Contains(msg, []byte(`"action"`)) || !isJSON(msg) {
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

// isJSON reports whether v is one JSON value, however odd its names and its text.
func isJSON(v []byte) bool {
	return jsontext.Value(v).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

func annotateMessage(msg jsontext.Value) jsontext.Value {
	fields, ok := members(msg)
	if !ok {
		return msg
	}
	for i, f := range fields {
		switch f.name {
		case "result":
			fields[i].value = annotateAnswer(f.value)
		case "params":
			fields[i].value = annotateInputs(f.value)
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

func annotateAnswer(result jsontext.Value) jsontext.Value {
	fields, ok := members(result)
	if !ok {
		return result
	}
	var content jsontext.Value
	action, meta := false, -1
	for i, f := range fields {
		switch f.name {
		case "action":
			action = f.value.Kind() == '"'
		case "content":
			content = f.value
		case "_meta":
			meta = i
		}
	}
	if !action || content == nil {
		return result
	}
	text, err := jsontext.AppendQuote(nil, content)
	if err != nil {
		return result
	}
	kept := member{answerTextKey, text}
	if meta < 0 {
		return object(append(fields, member{"_meta", object([]member{kept})}))
	}
	old, ok := members(fields[meta].value)
	if !ok {
		return result
	}
	fields[meta].value = object(append(old, kept))
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
