package recorder

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func listAsk(id int, method, cursor string) string {
	if cursor != "" {
		cursor = `"cursor":"` + cursor + `"`
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s}}`, id, method, cursor)
}

func listAnswer(id int, member, next string, names ...string) string {
	var items []string
	for _, n := range names {
		items = append(items, `{"name":"`+n+`"}`)
	}
	if next != "" {
		next = `,"nextCursor":"` + next + `"`
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{%q:[%s]%s}}`, id, member, strings.Join(items, ","), next)
}

// The last list that is complete counts, with its pages joined (PAGE-07).
func TestCatalogue(t *testing.T) {
	s := newScript(t)
	s.out(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}`)
	s.in(`{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"},"instructions":"be kind"}}`)
	s.out(listAsk(1, "tools/list", ""))
	s.in(listAnswer(1, "tools", "", "old"))
	s.out(listAsk(2, "tools/list", ""))
	s.out(listAsk(3, "prompts/list", ""))
	s.in(listAnswer(2, "tools", "p2", "a", "b"))
	s.in(listAnswer(3, "prompts", "", "p"))
	s.out(listAsk(4, "tools/list", "p2"))
	s.in(listAnswer(4, "tools", "", "c"))
	s.out(listAsk(5, "tools/list", "")) // not listed to its end
	s.in(listAnswer(5, "tools", "p2", "z"))
	s.out(listAsk(6, "resources/list", ""))
	s.in(listAnswer(6, "resources", "r2", "r"))
	s.out(listAsk(7, "resources/list", "r2"))
	s.in(`{"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"no"}}`)

	cat, err := s.l.Catalogue(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	names := func(l CatalogueList) (out []string) {
		for _, it := range l.Items {
			out = append(out, fmt.Sprintf("%s@%d", it.Raw, it.Seq))
		}
		return out
	}
	if got := names(cat.Tools); !slices.Equal(got, []string{`{"name":"a"}@7`, `{"name":"b"}@7`, `{"name":"c"}@10`}) || !cat.Tools.Complete || !slices.Equal(cat.Tools.Sources, []uint64{7, 10}) {
		t.Errorf("tools %v, %+v", got, cat.Tools.Sources)
	}
	if got := names(cat.Prompts); !slices.Equal(got, []string{`{"name":"p"}@8`}) || !cat.Prompts.Complete {
		t.Errorf("prompts %v", got)
	}
	if got := names(cat.Resources); !slices.Equal(got, []string{`{"name":"r"}@14`}) || cat.Resources.Complete || !cat.Resources.Listed {
		t.Errorf("resources %v", got)
	}
	if cat.Templates.Listed || cat.Templates.Items != nil {
		t.Errorf("templates %+v", cat.Templates)
	}
	if cat.Revision != "2025-06-18" || cat.InfoSource != 2 || cat.InfoMethod != "initialize" || cat.Instructions != "be kind" ||
		string(cat.ServerInfo) != `{"name":"x","version":"1"}` || string(cat.Capabilities) != `{"tools":{}}` {
		t.Errorf("%+v", cat)
	}

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range chunkLen {
		s.in(logged("x"))
	}
	if _, err := s.l.Catalogue(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped with %v", err)
	}
}

func TestCatalogueOfAServerWithoutHandshake(t *testing.T) {
	s := newScript(t)
	s.out(`{"jsonrpc":"2.0","id":0,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`)
	s.in(`{"jsonrpc":"2.0","id":0,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"m"}}}}`)
	cat, err := s.l.Catalogue(t.Context())
	if err != nil || cat.Revision != "2026-07-28" || cat.InfoMethod != "server/discover" || string(cat.ServerInfo) != `{"name":"m"}` {
		t.Errorf("%+v, %v", cat, err)
	}
}

// Lists whose cursors lead in a circle, or that lack their beginning, end.
func TestCatalogueOfBrokenLists(t *testing.T) {
	s := newScript(t)
	for i := range 50 {
		s.out(listAsk(i, "tools/list", "same"))
		s.in(listAnswer(i, "tools", "same", fmt.Sprintf("t%d", i)))
	}
	cat, err := s.l.Catalogue(t.Context())
	if err != nil || cat.Tools.Complete || !cat.Tools.Listed || len(cat.Tools.Items) != 50 {
		t.Errorf("%d items, %v", len(cat.Tools.Items), err)
	}
}
