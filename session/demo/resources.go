package demo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const aboutText = `# Kestrel Hill Observatory

A small observatory at 1,460 m, with three telescopes:

| name | what it is | cameras |
|---|---|---|
| Merlin | 40 cm reflector | deep-sky, planetary |
| Wren | 8 cm refractor | wide-field |
| Heron | 3 m radio dish | receiver |

It exists only in this server. Everything it measures is worked out from the time.
`

const siteMap = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 180" font-family="sans-serif" font-size="12">` +
	`<rect width="320" height="180" fill="#e9efe4"/><path d="M0 140 Q80 60 160 80 T320 120 V180 H0z" fill="#b9cba9"/>` +
	`<circle cx="150" cy="78" r="12" fill="#fff" stroke="#333"/><text x="135" y="58">Merlin</text>` +
	`<circle cx="205" cy="90" r="7" fill="#fff" stroke="#333"/><text x="193" y="75">Wren</text>` +
	`<path d="M60 98a14 8 0 0 0 28 0z" fill="#888"/><text x="55" y="85">Heron</text>` +
	`<path d="M250 104v-36" stroke="#333"/><text x="238" y="60">mast</text></svg>`

// live are the resources that change every second; subscribers are told.
var live = []string{"kestrel://clock", weatherURI}

// A still is a resource whose content never changes.
type still struct {
	uri, name, title, about, mime string
	annotations                   *mcp.Annotations
	text                          func() string
	blob                          func() ([]byte, error)
}

// stills are made once, and their pictures drawn once.
var stills = sync.OnceValue(func() []still {
	picture := func(name string) func() ([]byte, error) {
		return sync.OnceValues(func() ([]byte, error) {
			t, _ := findTarget(name)
			return skyImage(t, 240, "natural")
		})
	}
	return []still{
		{uri: "kestrel://about", name: "about", title: "About the observatory", about: "Where to start.", mime: "text/markdown",
			annotations: &mcp.Annotations{Audience: []mcp.Role{"user", "assistant"}, Priority: 1, LastModified: "2026-11-30T03:12:09Z"},
			text:        func() string { return aboutText }},
		{uri: "kestrel://site-map.svg", name: "site-map", title: "Map of the site", about: "A drawing, as text.", mime: "image/svg+xml",
			text: func() string { return siteMap }},
		{uri: "kestrel://catalogue.csv", name: "catalogue-csv", title: "Catalogue as a table", about: "All targets, comma separated.", mime: "text/csv",
			annotations: &mcp.Annotations{Audience: []mcp.Role{"assistant"}, Priority: 0.4},
			text:        catalogueCSV},
		{uri: "kestrel://catalogue.json", name: "catalogue-json", title: "Catalogue as JSON", about: "All targets.", mime: "application/json",
			text: catalogueJSON},
		{uri: "kestrel://gallery/orion.png", name: "orion-picture", title: "The Orion Nebula", about: "A picture.", mime: "image/png", blob: picture("orion")},
		{uri: "kestrel://gallery/m51.png", name: "m51-picture", title: "The Whirlpool Galaxy", about: "A picture.", mime: "image/png", blob: picture("m51")},
		{uri: "kestrel://sounds/crab-pulsar.wav", name: "crab-pulsar-sound", title: "The Crab Pulsar", about: "A sound.", mime: "audio/wav",
			blob: sync.OnceValues(func() ([]byte, error) { return pulsarSound(30, 1.5), nil })},
		{uri: "kestrel://calibration/dark.bin", name: "dark-frame", title: "A dark frame", about: "Bytes that mean nothing to a person.", mime: "application/octet-stream",
			blob: func() ([]byte, error) { return darkFrame(), nil }},
		{uri: "kestrel://calibration/empty.txt", name: "empty", title: "An empty file", about: "Nothing is in it, and that is right.", mime: "text/plain",
			text: func() string { return "" }},
	}
})

// stillResource finds a resource that never changes.
func stillResource(uri string) (still, bool) {
	all := stills()
	i := slices.IndexFunc(all, func(s still) bool { return s.uri == uri })
	if i < 0 {
		return still{}, false
	}
	return all[i], true
}

func catalogueCSV() string {
	var b strings.Builder
	b.WriteString("name,title,kind,ra_hours,dec_degrees,magnitude\n")
	for _, t := range catalogue {
		fmt.Fprintf(&b, "%s,%s,%s,%.3f,%.3f,%.1f\n", t.Name, t.Title, t.Kind, t.RA, t.Dec, t.Magnitude)
	}
	return b.String()
}

func catalogueJSON() string { return jsonText(catalogue) }

// jsonText writes v, a value of this package's own types, which always can be written.
func jsonText(v any) string {
	data, err := json.Marshal(v, jsontext.WithIndent("  "), json.Deterministic(true))
	if err != nil {
		return fmt.Sprintf("{\"error\": %q}", err)
	}
	return string(data)
}

// darkFrame is 4,096 bytes with every value of a byte in it.
func darkFrame() []byte {
	data := make([]byte, 4096)
	for i := range data {
		data[i] = byte(i*i>>3 ^ i)
	}
	return data
}

func (s *station) addResources() error {
	for _, st := range stills() {
		content, err := st.read()
		if err != nil {
			return fmt.Errorf("making %s: %w", st.uri, err)
		}
		s.server.AddResource(&mcp.Resource{
			URI: st.uri, Name: st.name, Title: st.title, Description: st.about, MIMEType: st.mime, Annotations: st.annotations,
			Size: int64(len(content.Text) + len(content.Blob)),
		}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			fresh, err := st.read()
			if err != nil {
				return nil, fmt.Errorf("making %s: %w", st.uri, err)
			}
			return contents(fresh), nil
		})
	}
	s.server.AddResource(&mcp.Resource{
		URI: "kestrel://clock", Name: "clock", Title: "Station clock", Description: "Changes every second: subscribe to it.", MIMEType: "text/plain",
	}, func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return contents(&mcp.ResourceContents{Text: clockText(time.Now())}), nil
	})
	s.server.AddResource(&mcp.Resource{
		URI: weatherURI, Name: "weather", Title: "Weather on the summit", Description: "Changes every second: subscribe to it.", MIMEType: "application/json",
	}, func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return contents(&mcp.ResourceContents{Text: jsonText(measure("summit", time.Now()))}), nil
	})
	s.server.AddResource(&mcp.Resource{
		URI: "kestrel://night-bundle", Name: "night-bundle", Title: "A night in one read", Description: "One read that gives three contents, of text and of bytes.",
	}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return contents(
			&mcp.ResourceContents{URI: entryURI(1), MIMEType: "text/markdown", Text: firstEntry},
			&mcp.ResourceContents{URI: "kestrel://calibration/dark.bin", MIMEType: "application/octet-stream", Blob: darkFrame()},
			&mcp.ResourceContents{URI: "kestrel://catalogue.csv", MIMEType: "text/csv", Text: catalogueCSV()},
		), nil
	})
	s.server.AddResource(&mcp.Resource{
		URI: "kestrel://guest-book", Name: "guest-book", Title: "The guest book", Description: "Asks for your name before it opens.", MIMEType: "text/plain",
	}, s.readGuestBook)
	s.addEntry(1, time.Date(2026, 12, 11, 17, 4, 0, 0, time.UTC))
	s.addTemplates()
	return nil
}

func (st still) read() (*mcp.ResourceContents, error) {
	c := &mcp.ResourceContents{URI: st.uri, MIMEType: st.mime}
	if st.text != nil {
		c.Text = st.text()
		return c, nil
	}
	var err error
	c.Blob, err = st.blob()
	return c, err
}

func contents(all ...*mcp.ResourceContents) *mcp.ReadResourceResult {
	return &mcp.ReadResourceResult{Contents: all}
}

// addEntry makes a resource of an entry of the night log.
func (s *station) addEntry(number int, at time.Time) {
	s.server.AddResource(&mcp.Resource{
		URI: entryURI(number), Name: fmt.Sprintf("log-%d", number), Title: fmt.Sprintf("Night log, entry %d", number), MIMEType: "text/markdown",
		Annotations: &mcp.Annotations{Audience: []mcp.Role{"user"}, LastModified: at.UTC().Format(time.RFC3339)},
	}, func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		body, ok := s.log.read(number)
		if !ok {
			return nil, mcp.ResourceNotFoundError(req.Params.URI)
		}
		return contents(&mcp.ResourceContents{Text: body}), nil
	})
}

// readGuestBook asks for a name while a resource is being read.
func (s *station) readGuestBook(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	p := peerOf(req)
	d := dialogue{p, s.seals, "resources/read " + req.Params.URI, req.Params.InputResponses, req.Params.RequestState, nil}
	got, wait, err := d.ask(ctx, func(known answers) mcp.InputRequestMap {
		if known.has("name") {
			return nil
		}
		return mcp.InputRequestMap{"name": &mcp.ElicitParams{
			Mode: "form", Message: "The guest book would like to know who reads it.", RequestedSchema: form(p.version, visitorFields[:1]),
		}}
	})
	var undeclared errUndeclared
	if errors.As(err, &undeclared) {
		return contents(&mcp.ResourceContents{Text: "The guest book stays shut: " + err.Error() + ".\n"}), nil
	}
	if err != nil {
		return nil, err
	}
	if wait != nil {
		return &mcp.ReadResourceResult{InputRequests: wait.questions, RequestState: wait.state}, nil
	}
	if got["name"].Action != "accept" {
		return contents(&mcp.ResourceContents{Text: "The guest book stays shut.\n"}), nil
	}
	var form struct {
		Name string `json:"name"`
	}
	if err := got["name"].decodeContent(&form); err != nil {
		return nil, invalidParams("reading the answer: " + err.Error())
	}
	return contents(&mcp.ResourceContents{Text: fmt.Sprintf("11 December: Ada, from the valley\n12 December: %s\n", form.Name)}), nil
}

// subscribable refuses what never changes, so that nobody waits for it in vain.
func (s *station) subscribable(_ context.Context, req *mcp.SubscribeRequest) error {
	if slices.Contains(live, req.Params.URI) {
		return nil
	}
	return invalidParams(fmt.Sprintf("%s does not change by itself; %s do", req.Params.URI, strings.Join(live, " and ")))
}
