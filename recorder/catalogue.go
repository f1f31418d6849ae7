package recorder

import (
	"bytes"
	"context"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
)

// CatalogueItem is one tool, resource, template or prompt.
type CatalogueItem struct {
	Seq uint64 // the answer that listed it
	Raw jsontext.Value
}

// CatalogueList is the last complete list of a kind; when there is none, what
// there is of the last one.
type CatalogueList struct {
	Items    []CatalogueItem
	Sources  []uint64 // the answers of its pages, in their order
	Listed   bool     // there is a list
	Complete bool     // from its first page to its last
}

// Catalogue is what a recorded server said of itself.
type Catalogue struct {
	Tools, Resources, Templates, Prompts CatalogueList

	Info         jsontext.Value // last result of initialize or server/discover, nil if there is none
	InfoSource   uint64         // the answer that has it, 0 when it came before the recording, see Continues
	InfoMethod   string
	Revision     string         // "" if none was agreed on
	ServerInfo   jsontext.Value // nil if absent, like the others
	Capabilities jsontext.Value
	Instructions string
}

const (
	maxPages       = 10_000    // of a kind that are read
	maxListedBytes = 256 << 20 // of a kind that are read
	maxChains      = 8         // lists of a kind that are put together at once
)

// listing says how the lists of a kind are asked for and named.
type listing struct {
	method, member string
	list           func(*Catalogue) *CatalogueList
}

var listings = [...]listing{
	{protocol.MethodToolsList, "tools", func(c *Catalogue) *CatalogueList { return &c.Tools }},
	{protocol.MethodResourcesList, "resources", func(c *Catalogue) *CatalogueList { return &c.Resources }},
	{protocol.MethodResourceTemplatesList, "resourceTemplates", func(c *Catalogue) *CatalogueList { return &c.Templates }},
	{protocol.MethodPromptsList, "prompts", func(c *Catalogue) *CatalogueList { return &c.Prompts }},
}

// chain is a list that is put together from its last page to its first.
type chain struct {
	pages []uint64       // the last page first
	want  jsontext.Value // cursor that the page before must have given; nil for none
	whole bool           // it starts at the last page of a list
	first bool           // the first page was reached
}

// chains puts the lists of one kind together.
type chains struct {
	open        []chain
	found       *chain
	pages, size int
}

func (c *chains) over() bool {
	return c.found != nil || c.pages >= maxPages || c.size >= maxListedBytes
}

// take takes a page that is before those which were taken.
func (c *chains) take(seq uint64, cursor, next jsontext.Value) {
	at := slices.IndexFunc(c.open, func(o chain) bool { return !o.first && next != nil && bytes.Equal(o.want, next) })
	if at < 0 {
		if len(c.open) == maxChains {
			return
		}
		at = len(c.open)
		c.open = append(c.open, chain{whole: next == nil})
	}
	o := &c.open[at]
	o.pages = append(o.pages, seq)
	o.want, o.first = cursor, cursor == nil
	if o.first && o.whole {
		c.found = o
	}
}

// best is the complete list, or else the newest one that there is a part of.
func (c *chains) best() (best chain, complete bool) {
	if c.found != nil {
		return *c.found, true
	}
	if len(c.open) > 0 {
		return c.open[0], false
	}
	return chain{}, false
}

// Catalogue reads the last lists and the server's description from the
// recording. It finds them in the index, from the end, and reads no more
// answers than it takes to put the lists together.
func (l *Log) Catalogue(ctx context.Context) (Catalogue, error) {
	var cat Catalogue
	var kinds [len(listings)]chains
	classes := l.tables.catalogueClasses()
	open := len(listings) + 1
	for seq := l.Len(); seq > 0 && open > 0; seq-- {
		if seq%chunkLen == 0 && ctx.Err() != nil {
			return Catalogue{}, ctx.Err()
		}
		e := l.index.at(seq)
		asked := uint64(e.answer())
		if e.kind() != KindMessage || e.msg() != protocol.Result || asked == 0 || asked >= seq {
			continue
		}
		class := catalogueNone
		if code := l.index.at(asked).id >> 48; code < uint64(len(classes)) {
			class = classes[code]
		}
		switch {
		case class == catalogueInfo && cat.Info == nil:
			if l.describe(&cat, asked, seq) {
				open--
			}
		case class >= 0 && !kinds[class].over():
			l.takePage(&kinds[class], asked, seq)
			if kinds[class].over() {
				open--
			}
		}
	}
	if before := l.Header().Continues; cat.Info == nil && before != nil && before.Server.Kind() == '{' {
		cat.describe(before.Server)
		cat.InfoMethod, cat.Revision = before.Method, before.Revision
	}
	for i, of := range listings {
		if err := l.fillList(ctx, of.list(&cat), &kinds[i], of.member); err != nil {
			return Catalogue{}, err
		}
	}
	return cat, nil
}

// The classes of methods that are not indexes of listings.
const (
	catalogueNone = -1
	catalogueInfo = -2
)

// catalogueClasses is, by code of a method, what it says of the catalogue.
func (t *tables) catalogueClasses() []int {
	classes := []int{catalogueNone}
	for _, method := range t.methods.all() {
		class := slices.IndexFunc(listings[:], func(of listing) bool { return of.method == method })
		if method == protocol.MethodInitialize || method == protocol.MethodDiscover {
			class = catalogueInfo
		}
		classes = append(classes, class)
	}
	return classes
}

// describe takes the server's description from an answer, if there is one.
func (l *Log) describe(cat *Catalogue, asked, seq uint64) bool {
	m, err := l.Message(seq)
	if err != nil || m.Result.Kind() != '{' {
		return false
	}
	cat.describe(bytes.Clone(m.Result))
	cat.InfoSource, cat.InfoMethod = seq, l.Head(asked).Method
	version, _, _ := protocol.Lookup(cat.Info, "/protocolVersion")
	if version == nil {
		// Without a handshake the request says what is spoken.
		if q, err := l.Message(asked); err == nil {
			version, _, _ = protocol.Lookup(q.Params, "/_meta/io.modelcontextprotocol~1protocolVersion")
		}
	}
	cat.Revision, _ = protocol.StringValue(version)
	return true
}

// describe takes what a result says of the server.
func (cat *Catalogue) describe(info jsontext.Value) {
	cat.Info = info
	cat.ServerInfo, _, _ = protocol.Lookup(cat.Info, "/serverInfo")
	if cat.ServerInfo == nil {
		cat.ServerInfo, _, _ = protocol.Lookup(cat.Info, "/_meta/io.modelcontextprotocol~1serverInfo")
	}
	cat.Capabilities, _, _ = protocol.Lookup(cat.Info, "/capabilities")
	instructions, _, _ := protocol.Lookup(cat.Info, "/instructions")
	cat.Instructions, _ = protocol.StringValue(instructions)
}

// takePage reads the cursors of a page.
func (l *Log) takePage(c *chains, asked, seq uint64) {
	c.pages++
	c.size += int(l.index.at(seq).size)
	q, err := l.Message(asked)
	if err != nil {
		return
	}
	a, err := l.Message(seq)
	if err != nil {
		return
	}
	cursor, _, _ := protocol.Lookup(q.Params, "/cursor")
	next, _, _ := protocol.Lookup(a.Result, "/nextCursor")
	if next.Kind() == 'n' {
		next = nil
	}
	c.take(seq, bytes.Clone(cursor), next)
}

// fillList reads the items of the pages that were found.
func (l *Log) fillList(ctx context.Context, list *CatalogueList, c *chains, member string) error {
	best, complete := c.best()
	list.Listed, list.Complete = len(best.pages) > 0, complete
	slices.Reverse(best.pages)
	list.Sources = best.pages
	for _, seq := range best.pages {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		m, err := l.Message(seq)
		if err != nil {
			list.Complete = false
			continue
		}
		items, _, _ := protocol.Lookup(m.Result, "/"+member)
		for _, item := range protocol.Elements(items) {
			list.Items = append(list.Items, CatalogueItem{Seq: seq, Raw: bytes.Clone(item)})
		}
	}
	return nil
}
