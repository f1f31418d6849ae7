package protocol

import (
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Cost is what a text takes of the context of a language model.
type Cost struct {
	Bytes  int
	Tokens int // about, see EstimateTokens
}

func (c *Cost) add(o Cost) {
	c.Bytes += o.Bytes
	c.Tokens += o.Tokens
}

// Plus is both together.
func (c Cost) Plus(o Cost) Cost {
	c.add(o)
	return c
}

// DefinitionCost is what an entry of a catalogue costs a model that is told of
// it, in its parts. Bytes are those of the definition as compact JSON: a part is
// a member with its name, what is between the members is in Rest. The parts make
// up the whole.
type DefinitionCost struct {
	Name        Cost
	Description Cost
	Input       Cost // inputSchema of a tool, arguments of a prompt
	Output      Cost // outputSchema
	Annotations Cost
	Rest        Cost // title, icons, _meta, execution, what is not known
}

// Whole is the cost of all parts.
func (d DefinitionCost) Whole() Cost {
	return d.Told().Plus(d.Output).Plus(d.Annotations).Plus(d.Rest)
}

// Told is the cost of what hosts commonly tell a model of a tool: name,
// description and input schema.
func (d DefinitionCost) Told() Cost { return d.Name.Plus(d.Description).Plus(d.Input) }

// CostOf takes the definition of a tool, prompt, resource or resource template
// apart. What is not an object is all Rest.
func CostOf(definition jsontext.Value) DefinitionCost {
	var d DefinitionCost
	whole := Compact(definition)
	left := len(whole)
	for name, value := range Members(whole) {
		part := &d.Rest
		switch name {
		case "name", "uri", "uriTemplate":
			part = &d.Name
		case "description":
			part = &d.Description
		case "inputSchema", "arguments":
			part = &d.Input
		case "outputSchema":
			part = &d.Output
		case "annotations":
			part = &d.Annotations
		}
		member := append(append(QuoteString(name), ':'), value...)
		cost := CostOfText(member)
		part.add(cost)
		left -= cost.Bytes
	}
	if d == (DefinitionCost{}) {
		d.Rest = CostOfText(whole)
		return d
	}
	d.Rest.Bytes += max(left, 0) // braces and commas, whose tokens are those of the members
	return d
}

// CostOfText is the cost of a text as it is.
func CostOfText(text []byte) Cost { return Cost{len(text), EstimateTokens(text)} }

// The weights of EstimateTokens, in hundredths of a token. They were fitted to
// the definitions of tools that servers in use list, as two byte-pair encodings
// of 100,000 and 200,000 entries count them.
const (
	tokenWord      = 100 // a word of up to tokenWordLong letters
	tokenWordLong  = 9
	tokenLetter    = 14  // each letter beyond
	tokenDigits    = 100 // up to three digits
	tokenSigns     = 100 // up to three signs in a row
	tokenBlank     = 0
	tokenIdeograph = 80
	tokenOther     = 45 // a letter beyond ASCII
)

// EstimateTokens estimates how many tokens a language model reads a text as. It
// needs no vocabulary: it counts words (parted at changes to capitals) with more
// for long ones, digits by threes, signs by threes, and letters beyond ASCII one
// by one. A model's own count differs; see the tests for by how much.
func EstimateTokens(text []byte) int {
	sum := 0
	for i := 0; i < len(text); {
		b := text[i]
		switch {
		case b >= utf8.RuneSelf:
			r, size := utf8.DecodeRune(text[i:])
			i += size
			if r >= 0x2E80 && r <= 0xD7AF || r >= 0xF900 && r <= 0xFAFF || r >= 0x20000 {
				sum += tokenIdeograph
			} else {
				sum += tokenOther
			}
		case isLetter(b):
			from := i
			for i++; i < len(text) && isLetter(text[i]) && (!isUpper(text[i]) || isUpper(text[i-1])); i++ {
			}
			sum += tokenWord + max(i-from-tokenWordLong, 0)*tokenLetter
		case b >= '0' && b <= '9':
			from := i
			for i++; i < len(text) && i-from < 3 && text[i] >= '0' && text[i] <= '9'; i++ {
			}
			sum += tokenDigits
		case b == ' ' || b == '\t' || b == '\n' || b == '\r':
			from := i
			for i++; i < len(text) && (text[i] == ' ' || text[i] == '\t' || text[i] == '\n' || text[i] == '\r'); i++ {
			}
			if i-from > 1 { // a single blank belongs to the word after it
				sum += tokenSigns
			}
		default:
			from := i
			for i++; i < len(text) && i-from < 3 && isSign(text[i]); i++ {
			}
			sum += tokenSigns
		}
	}
	return (sum + 50) / 100
}

func isLetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }

func isUpper(b byte) bool { return b >= 'A' && b <= 'Z' }

func isSign(b byte) bool { return b > ' ' && b < utf8.RuneSelf && !isLetter(b) && (b < '0' || b > '9') }
