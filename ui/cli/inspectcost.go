package cli

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/ui/view"
)

// Tools implements view.Lister.
func (cat catalogue) Tools() []protocol.Tool { return cat.tools }

// Resources implements view.Lister.
func (cat catalogue) Resources() []protocol.Resource { return cat.resources }

// ResourceTemplates implements view.Lister.
func (cat catalogue) ResourceTemplates() []protocol.ResourceTemplate { return cat.templates }

// Prompts implements view.Lister.
func (cat catalogue) Prompts() []protocol.Prompt { return cat.prompts }

// cost is what the catalogue costs the context of a model.
func (cat catalogue) cost() *view.CostTable {
	return view.NewCostTable(cat, cat.state.Server.Instructions)
}

// costParts are the parts of a definition and how JSON calls them.
var costParts = []struct {
	json string
	of   func(d protocol.DefinitionCost) protocol.Cost
}{
	{"name", func(d protocol.DefinitionCost) protocol.Cost { return d.Name }},
	{"description", func(d protocol.DefinitionCost) protocol.Cost { return d.Description }},
	{"input", func(d protocol.DefinitionCost) protocol.Cost { return d.Input }},
	{"output", func(d protocol.DefinitionCost) protocol.Cost { return d.Output }},
	{"annotations", func(d protocol.DefinitionCost) protocol.Cost { return d.Annotations }},
	{"rest", func(d protocol.DefinitionCost) protocol.Cost { return d.Rest }},
}

func costMember(d *document, name string, c protocol.Cost) {
	var e document
	e.number("bytes", int64(c.Bytes))
	e.number("aboutTokens", int64(c.Tokens))
	d.put(name, e.value())
}

// costValue is the cost as JSON: what is told to a model, everything, and each
// definition, the heaviest first.
func (cat catalogue) costValue() jsontext.Value {
	table := cat.cost()
	var d document
	costMember(&d, "told", table.Told())
	costMember(&d, "whole", table.Whole())
	var rows []jsontext.Value
	for i := range table.Len() {
		r := table.At(i)
		var e document
		e.text("kind", r.Kind.Word())
		e.text("name", r.Call)
		costMember(&e, "told", r.Told)
		costMember(&e, "whole", r.Whole)
		if r.Kind != view.CostInstructions {
			var parts document
			for _, p := range costParts {
				if c := p.of(r.Parts); c.Bytes > 0 {
					costMember(&parts, p.json, c)
				}
			}
			e.put("parts", parts.value())
		}
		rows = append(rows, e.value())
	}
	d.put("definitions", array(rows))
	return d.value()
}

// printCost prints the table of costs, the heaviest definition first.
func (cat catalogue) printCost(w io.Writer) {
	table := cat.cost()
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	columns := []view.CostColumn{view.CostTokens, view.CostDescription, view.CostInput, view.CostOutput, view.CostOther, view.CostBytes}
	for _, c := range columns {
		fmt.Fprintf(t, "%s\t", view.CostTitles[c])
	}
	fmt.Fprintln(t, "  Definition")
	for i := range table.Len() {
		r := table.At(i)
		for _, c := range columns {
			fmt.Fprintf(t, "%s\t", r.Cell(c))
		}
		name := r.Kind.Word() + " " + r.Name
		if r.Kind == view.CostInstructions {
			name = r.Name
		}
		fmt.Fprintf(t, "  %s\n", name)
	}
	_ = t.Flush() // what cannot be printed is said where the rest is printed
	fmt.Fprintf(w, "\n%s\n", view.CostMethod)
}
