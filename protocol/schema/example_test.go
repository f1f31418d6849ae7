package schema_test

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol/schema"
)

// A form is filled in, checked and read; whatever draws it walks the nodes.
func Example() {
	s, _ := schema.Compile(jsontext.Value(`{
		"type": "object",
		"properties": {
			"city": {"type": "string", "title": "City", "minLength": 2},
			"days": {"type": "integer", "default": 3, "maximum": 14},
			"unit": {"enum": ["C", "F"]}
		},
		"required": ["city"]
	}`))
	form := schema.NewForm(s)
	form.Root().Member("city").SetText("A")
	form.Root().Member("days").SetText("15.0")
	form.Root().Member("unit").SetChoice(1)
	for _, n := range form.Root().Children() {
		fmt.Println(n.Label(), n.Kind(), n.Required(), n.State(), n.Text())
	}
	for _, p := range form.Problems() {
		fmt.Println(p.Pointer, p.Text)
	}
	value, _ := form.Value()
	fmt.Println(string(value))
	// Output:
	// City text true value A
	// days integer false value 15.0
	// unit select false value F
	// /city must be at least 2 characters, has 1
	// /days must be at most 14
	// {"city":"A","days":15.0,"unit":"F"}
}

func ExampleSchema_Validate() {
	s, problems := schema.Compile(jsontext.Value(`{"type":"object","properties":{"id":{"type":"integer"},"more":{"$ref":"https://example.com/more.json"}}}`))
	for _, p := range problems {
		fmt.Println(p.Rule, p.Pointer)
	}
	for _, p := range s.Validate(jsontext.Value(`{"id": "7"}`)) {
		fmt.Println(p.Pointer, p.Text)
	}
	// Output:
	// BASE-27 /properties/more/$ref
	// /id must be a whole number, not text
}
