package demo

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const firstEntry = "# Night log, entry 1\n\nDome opened at dusk. A kestrel sat on the weather mast until the anemometer started to turn.\n"

// maxEntries bounds the night log; the oldest entry goes when a new one comes.
const maxEntries = 40

// A nightLog holds what people wrote, by number from 1.
type nightLog struct {
	mu      sync.Mutex
	entries map[int]string
	last    int
}

func newNightLog() *nightLog { return &nightLog{entries: map[int]string{1: firstEntry}, last: 1} }

// write adds an entry; dropped is the number of the one that had to go, 0 if none.
func (l *nightLog) write(body string) (number, dropped int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last++
	l.entries[l.last] = fmt.Sprintf("# Night log, entry %d\n\n%s\n", l.last, body)
	if len(l.entries) > maxEntries {
		dropped = l.last - maxEntries
		delete(l.entries, dropped)
	}
	return l.last, dropped
}

func (l *nightLog) read(number int) (string, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	body, ok := l.entries[number]
	return body, ok
}

func entryURI(number int) string { return fmt.Sprintf("kestrel://log/%d", number) }

// workshopTools come and go with toggle_workshop.
var workshopTools = []tool{
	{
		name: "polish_mirror", title: "Polish a mirror", hints: writes(false, true),
		about: "Only here while the workshop is open.",
		in: `{
  "type": "object",
  "properties": {"telescope": {"type": "string", "title": "Telescope", "enum": ["merlin", "wren"], "default": "merlin"}},
  "additionalProperties": false
}`,
		run: func(_ context.Context, _ *call) (*mcp.CallToolResult, error) {
			return said("The mirror shines."), nil
		},
	},
	{
		name: "oil_dome", title: "Oil the dome", hints: writes(false, true),
		about: "Only here while the workshop is open.",
		in:    noArguments,
		run: func(_ context.Context, _ *call) (*mcp.CallToolResult, error) {
			return said("The dome turns without a sound."), nil
		},
	},
}

var changeTools = []tool{
	{
		name: "toggle_workshop", title: "Open or close the workshop", hints: writes(false, false),
		about: "Opens the workshop, which adds tools and a prompt, or closes it, which takes them away. All clients are told that the lists changed.",
		in:    noArguments,
		run:   func(_ context.Context, c *call) (*mcp.CallToolResult, error) { return c.toggleWorkshop() },
	},
	{
		name: "write_log_entry", title: "Write into the night log", hints: writes(false, false),
		about: "Adds an entry to the night log. It becomes a resource, and clients are told that the list of resources changed.",
		in: `{
  "type": "object",
  "properties": {
    "text": {"type": "string", "title": "Text", "minLength": 1, "maxLength": 4000},
    "signed": {"type": ["string", "null"], "title": "Signed", "maxLength": 60}
  },
  "required": ["text"],
  "additionalProperties": false
}`,
		out: `{"type": "object", "properties": {"uri": {"type": "string"}, "number": {"type": "integer"}}, "required": ["uri", "number"]}`,
		run: runWriteLogEntry,
	},
}

func (s *station) toggleWorkshop() (*mcp.CallToolResult, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.ears.tell(promptsChanged, false)
	defer s.ears.tell(toolsChanged, false)
	if s.workshop {
		for _, t := range workshopTools {
			s.server.RemoveTools(t.name)
		}
		s.server.RemovePrompts(workshopPrompt.Name)
		s.workshop = false
		return said("The workshop is closed. Its tools and its prompt are gone from the lists."), nil
	}
	for _, t := range workshopTools {
		if err := s.add(t); err != nil {
			return nil, err
		}
	}
	s.server.AddPrompt(workshopPrompt, getWorkshopPrompt)
	s.workshop = true
	return said("The workshop is open. There are two more tools, polish_mirror and oil_dome, and a prompt, repair_plan."), nil
}

func runWriteLogEntry(_ context.Context, c *call) (*mcp.CallToolResult, error) {
	var args struct {
		Text   string  `json:"text"`
		Signed *string `json:"signed"`
	}
	if err := c.decode(&args); err != nil {
		return nil, err
	}
	body := args.Text
	if args.Signed != nil && *args.Signed != "" {
		body += "\n\n" + *args.Signed
	}
	number, dropped := c.log.write(body)
	c.addEntry(number, time.Now())
	if dropped > 0 {
		c.server.RemoveResources(entryURI(dropped))
	}
	c.ears.tell(resourcesChanged, false)
	res, err := structured(struct {
		URI    string `json:"uri"`
		Number int    `json:"number"`
	}{entryURI(number), number})
	if err != nil {
		return nil, err
	}
	res.Content = append(res.Content, &mcp.ResourceLink{URI: entryURI(number), Name: fmt.Sprintf("log-%d", number), MIMEType: "text/markdown"})
	return res, nil
}
