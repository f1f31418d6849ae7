package view

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
)

type costLists struct {
	tools     []protocol.Tool
	resources []protocol.Resource
}

func (l costLists) Tools() []protocol.Tool                       { return l.tools }
func (l costLists) Resources() []protocol.Resource               { return l.resources }
func (costLists) ResourceTemplates() []protocol.ResourceTemplate { return nil }
func (costLists) Prompts() []protocol.Prompt                     { return nil }

func costTable() *CostTable {
	return NewCostTable(costLists{
		tools: protocol.DecodeTools(jsontext.Value(`{"tools":[
			{"name":"light","description":"Small.","inputSchema":{"type":"object"}},
			{"name":"=heavy|","description":"Does one thing.","inputSchema":{"type":"object","properties":{"a":{"type":"string","description":"The first of many words about what it is"},"b":{"type":"integer"}}},"outputSchema":{"type":"object"}},
			{"name":"wordy","description":"This one has many words that say what could be said in fewer words than these, and goes on.","inputSchema":{"type":"object"}}]}`)).Items,
		resources: protocol.DecodeResources(jsontext.Value(`{"resources":[{"uri":"x://a","name":"a"}]}`)).Items,
	}, "Use light first.")
}

func (t *CostTable) names() string {
	var all []string
	for i := range t.Len() {
		all = append(all, t.At(i).Name)
	}
	return strings.Join(all, " ")
}

func TestCostTableIsSorted(t *testing.T) {
	c := costTable()
	if got := c.names(); !strings.HasPrefix(got, "=heavy| wordy") {
		t.Errorf("the heaviest are not first: %s", got)
	}
	if c.Sort(CostDescription); c.At(0).Name != "wordy" {
		t.Errorf("by description: %s", c.names())
	}
	if c.Sort(CostDescription); c.At(c.Len()-1).Name != "wordy" {
		t.Errorf("the other way round: %s", c.names())
	}
	if c.Sort(CostName); c.At(0).Name != "=heavy|" {
		t.Errorf("by name: %s", c.names())
	}
	if by, up := c.Order(); by != CostName || !up {
		t.Errorf("ordered by %d, up %v", by, up)
	}
}

func TestCostTableAddsUp(t *testing.T) {
	c := costTable()
	var whole, told protocol.Cost
	share := 0.0
	for i := range c.Len() {
		r := c.At(i)
		whole = whole.Plus(r.Whole)
		if r.Kind == CostTool || r.Kind == CostInstructions {
			told = told.Plus(r.Told)
		}
		share += r.Share
		if r.Kind == CostTool && r.Told != r.Parts.Told() {
			t.Errorf("%s: told %+v", r.Name, r.Told)
		}
	}
	if c.Whole() != whole || c.Told() != told || share < 0.999 || share > 1.001 {
		t.Errorf("whole %+v of %+v, told %+v of %+v, shares %v", c.Whole(), whole, c.Told(), told, share)
	}
	if n, toolsTold, toolsWhole := c.Kind(CostTool); n != 3 || toolsTold.Tokens >= toolsWhole.Tokens {
		t.Errorf("%d tools, told %+v, whole %+v", n, toolsTold, toolsWhole)
	}
	for _, want := range []string{"about ", "3 tools ", "1 resource ", "instructions ", " in all"} {
		if !strings.Contains(c.Summary(), want) {
			t.Errorf("the summary lacks %q: %s", want, c.Summary())
		}
	}
}

func TestCostSaysWhatIsHeavy(t *testing.T) {
	c := costTable()
	if got := c.At(0).Heavy(); !strings.HasPrefix(got, "input schema ") {
		t.Errorf("heavy by %q", got)
	}
	if got := c.At(1).Line(); !strings.Contains(got, "wordy: about ") || !strings.Contains(got, "most of it: description ") {
		t.Errorf("says %q", got)
	}
}

// What a server calls its tools breaks neither table nor sheet.
func TestCostTableIsCopied(t *testing.T) {
	c := costTable()
	md := c.Markdown()
	if !strings.Contains(md, "| tool | `=heavy\\|` | ") || strings.Count(md, "\n|") != c.Len()+2 {
		t.Errorf("Markdown:\n%s", md)
	}
	csv := c.CSV()
	if !strings.Contains(csv, `tool,"'=heavy|",`) || strings.Count(csv, "\r\n") != c.Len()+1 {
		t.Errorf("CSV:\n%s", csv)
	}
}

func TestNothingCostsNothing(t *testing.T) {
	c := NewCostTable(nil, "")
	if c.Len() != 0 || c.Told().Tokens != 0 || !strings.Contains(c.Summary(), "nothing") {
		t.Errorf("%d rows: %s", c.Len(), c.Summary())
	}
}
