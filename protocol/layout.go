package protocol

import "github.com/go-json-experiment/json/jsontext"

// Compact returns v without blanks between tokens; the tokens stay as they are.
// What is not JSON comes back unchanged.
func Compact(v jsontext.Value) jsontext.Value {
	if !Valid(v) {
		return v
	}
	out := make([]byte, 0, len(v))
	for i := 0; i < len(v); {
		if v[i] == '"' {
			end := stringEnd(v, i)
			out = append(out, v[i:end]...)
			i = end
			continue
		}
		if !isBlank(v[i]) {
			out = append(out, v[i])
		}
		i++
	}
	return out
}

// indentMax is how many levels Indent still moves to the right. Without it a
// deep value would grow with the square of its depth.
const indentMax = 100

// Indent returns v with one member or element a line, two blanks a level; the
// tokens stay as they are. What is not JSON comes back unchanged.
func Indent(v jsontext.Value) jsontext.Value {
	if !Valid(v) {
		return v
	}
	out := make([]byte, 0, len(v)+len(v)/2)
	level := 0
	line := func() {
		out = append(out, '\n')
		for range min(level, indentMax) {
			out = append(out, ' ', ' ')
		}
	}
	for i := skipBlanks(v, 0); i < len(v); i = skipBlanks(v, i) {
		switch c := v[i]; c {
		case '"':
			end := stringEnd(v, i)
			out = append(out, v[i:end]...)
			i = end
			continue
		case '{', '[':
			out = append(out, c)
			if j := skipBlanks(v, i+1); v[j] == '}' || v[j] == ']' {
				out = append(out, v[j])
				i = j + 1
				continue
			}
			level++
			line()
		case '}', ']':
			level--
			line()
			out = append(out, c)
		case ',':
			out = append(out, c)
			line()
		case ':':
			out = append(out, ':', ' ')
		default:
			out = append(out, c)
		}
		i++
	}
	return out
}

// stringEnd returns the offset after the string at i of valid JSON.
func stringEnd(v []byte, i int) int {
	s := scanner{b: v}
	end, _, _ := s.str(i)
	return end
}
