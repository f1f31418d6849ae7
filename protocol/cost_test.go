package protocol

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// The parts of a definition make up the whole, and its bytes are those of its
// compact JSON, whatever blanks and order it was sent with.
func TestCostTakesDefinitionsApart(t *testing.T) {
	const sent = `{ "name" : "sum", "inputSchema": {"type": "object"},
		"description":"Adds \u0061 and b.", "outputSchema":{}, "annotations":{"readOnlyHint":true}, "title":"Sum", "x":[1, 2] }`
	d := CostOf(jsontext.Value(sent))
	if got, want := d.Whole().Bytes, len(Compact(jsontext.Value(sent))); got != want {
		t.Errorf("the parts have %d bytes, the whole %d", got, want)
	}
	for name, c := range map[string]struct {
		got  Cost
		text string
	}{
		"name":        {d.Name, `"name":"sum"`},
		"description": {d.Description, `"description":"Adds \u0061 and b."`},
		"input":       {d.Input, `"inputSchema":{"type":"object"}`},
		"output":      {d.Output, `"outputSchema":{}`},
		"annotations": {d.Annotations, `"annotations":{"readOnlyHint":true}`},
	} {
		if want := CostOfText([]byte(c.text)); c.got != want || want.Tokens == 0 {
			t.Errorf("%s: %+v, want %+v", name, c.got, want)
		}
	}
	if d.Rest.Tokens == 0 || d.Told() != d.Name.Plus(d.Description).Plus(d.Input) {
		t.Errorf("rest %+v, told %+v", d.Rest, d.Told())
	}
	if c := CostOf(jsontext.Value(`"a tool"`)); c.Rest != CostOfText([]byte(`"a tool"`)) || c.Whole() != c.Rest {
		t.Errorf("what is no object: %+v", c)
	}
	prompt := CostOf(jsontext.Value(`{"name":"p","arguments":[{"name":"a"}]}`))
	if prompt.Input.Bytes != len(`"arguments":[{"name":"a"}]`) {
		t.Errorf("arguments: %+v", prompt.Input)
	}
}

// counted are texts with the tokens that two byte-pair encodings in common use
// count in them, of 100,000 and of 200,000 entries.
var counted = []struct {
	text   string
	fewer  int
	larger int
}{
	{`{"name":"point_telescope","description":"Turns the telescope to a place in the sky and waits until it has come to rest. Fails when the place is below the horizon.","inputSchema":{"type":"object","properties":{"rightAscension":{"type":"number","minimum":0,"maximum":360,"description":"In degrees"},"declination":{"type":"number","minimum":-90,"maximum":90},"trackingRate":{"type":"string","enum":["sidereal","lunar","solar"],"default":"sidereal"}},"required":["rightAscension","declination"],"additionalProperties":false}}`, 121, 123},
	{`{"name":"list_observations","description":"Lists what was observed, the newest first.","inputSchema":{"type":"object","properties":{"after":{"type":"string","format":"date-time"},"limit":{"type":"integer","minimum":1,"maximum":1000,"default":50},"tags":{"type":"array","items":{"type":"string"},"uniqueItems":true}}},"annotations":{"readOnlyHint":true,"openWorldHint":false}}`, 88, 92},
	{`Use the tools of this server to plan a night at the observatory. Ask for the weather first; do not open the dome while it rains.`, 30, 30},
	{`{"type":"object","$defs":{"node":{"type":"object","properties":{"id":{"type":"integer"},"children":{"type":"array","items":{"$ref":"#/$defs/node"}}}}},"anyOf":[{"$ref":"#/$defs/node"},{"type":"null"}]}`, 56, 58},
	{`{"name":"getHTTPResponseHeaders","title":"Response headers","description":"https://example.com/docs?page=12345678#top"}`, 28, 28},
}

func TestEstimateAgreesWithTokenizers(t *testing.T) {
	for _, c := range counted {
		got := EstimateTokens([]byte(c.text))
		low, high := min(c.fewer, c.larger), max(c.fewer, c.larger)
		if got*100 < low*85 || got*100 > high*115 {
			t.Errorf("%.60s: about %d, counted are %d and %d", c.text, got, c.fewer, c.larger)
		}
	}
	if EstimateTokens(nil) != 0 {
		t.Error("nothing costs something")
	}
}

// More text never costs less, and the work is one pass.
func FuzzEstimateTokens(f *testing.F) {
	f.Add("a", "b")
	f.Add("{\"type\":\"object\"", "}")
	f.Add("\xff\xfe", "世界")
	f.Fuzz(func(t *testing.T, a, b string) {
		one, both := EstimateTokens([]byte(a)), EstimateTokens([]byte(a+" "+b))
		if one < 0 || both > 3*len(a+b)+3 {
			t.Errorf("%q: %d, with more %d", a, one, both)
		}
	})
}

func BenchmarkEstimateTokens(b *testing.B) {
	text := []byte(strings.Repeat(counted[0].text, 1000))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		EstimateTokens(text)
	}
}
