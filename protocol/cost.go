package protocol

import (
	"unicode"
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
// 731 definitions of tools that servers in use list, as two byte-pair encodings,
// of 100,000 and of 200,000 entries, count them.
const (
	tokenShort  = 125 // a word of up to three letters: many are parts of names
	tokenWord   = 80  // of up to seven
	tokenLong   = 92  // of up to ten
	tokenLetter = 30  // each letter beyond that

	tokenDigits    = 155 // up to three digits
	tokenSigns     = 92  // two signs of a long row of them
	tokenBlanks    = 140 // several blanks; a single one belongs to the word after it
	tokenIdeograph = 100
	tokenForeign   = 70  // a letter beyond ASCII
	tokenSymbol    = 240 // a sign beyond ASCII
)

// tokenSignRow is for so many signs in a row: JSON has few patterns of them.
var tokenSignRow = [...]int{0, 65, 130, 95, 135}

// EstimateTokens estimates how many tokens a language model reads a text as. It
// needs no vocabulary: it counts words, parted at changes to capitals, with more
// for short and for long ones, digits by threes, rows of signs by their length,
// and what is beyond ASCII one by one. For definitions as compact JSON it is off
// by 3 % on the average and by less than 9 % for 19 of 20; a model with another
// vocabulary counts otherwise.
func EstimateTokens(text []byte) int {
	sum := 0
	for i := 0; i < len(text); {
		from := i
		switch b := text[i]; {
		case b >= utf8.RuneSelf:
			r, size := utf8.DecodeRune(text[i:])
			i += size
			sum += tokensOfRune(r)
		case isLetter(b):
			for i++; i < len(text) && isLetter(text[i]) && (!isUpper(text[i]) || isUpper(text[i-1])); i++ {
			}
			sum += tokensOfWord(i - from)
		case isDigit(b):
			for i++; i < len(text) && i-from < 3 && isDigit(text[i]); i++ {
			}
			sum += tokenDigits
		case isBlank(b):
			for i++; i < len(text) && isBlank(text[i]); i++ {
			}
			if i-from > 1 {
				sum += tokenBlanks
			}
		default:
			for i++; i < len(text) && isSign(text[i]); i++ {
			}
			if n := i - from; n < len(tokenSignRow) {
				sum += tokenSignRow[n]
			} else {
				sum += (n + 1) / 2 * tokenSigns
			}
		}
	}
	return (sum + 50) / 100
}

func tokensOfWord(letters int) int {
	switch {
	case letters <= 3:
		return tokenShort
	case letters <= 7:
		return tokenWord
	}
	return tokenLong + max(letters-10, 0)*tokenLetter
}

func tokensOfRune(r rune) int {
	switch {
	case unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana):
		return tokenIdeograph
	case unicode.IsLetter(r):
		return tokenForeign
	}
	return tokenSymbol
}

func isLetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }

func isUpper(b byte) bool { return b >= 'A' && b <= 'Z' }

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

func isSign(b byte) bool {
	return b < utf8.RuneSelf && !isLetter(b) && !isDigit(b) && !isBlank(b)
}
