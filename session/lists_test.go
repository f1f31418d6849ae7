package session

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"mcploupe/protocol"
	"mcploupe/session/link"
)

// paged answers tools/list from a table of cursors (as JSON texts, "" for the
// first page).
func paged(pages map[string]string) server {
	return func(l *fakeLink, m protocol.Message, _ link.SendOptions) {
		cursor, _, _ := protocol.Lookup(m.Params, "/cursor")
		if body, ok := pages[string(cursor)]; ok {
			l.result(m, body)
		} else {
			l.fail(m, "-32602", "")
		}
	}
}

func toolPage(names, rest string) string {
	var tools []string
	for name := range strings.FieldsSeq(names) {
		tools = append(tools, `{"name":"`+name+`","inputSchema":{"type":"object"}}`)
	}
	return `{"tools":[` + strings.Join(tools, ",") + `]` + rest + `}`
}

func toolNames(s *Session) string {
	var out []string
	for _, t := range s.Tools() {
		out = append(out, t.Name)
	}
	return strings.Join(out, " ")
}

func TestPaging(t *testing.T) { // PAGE-01 to PAGE-08, L-PAGE-02, trap 55
	for _, c := range []struct {
		name   string
		server server
		tools  string
		sent   int
		status ListStatus
		rule   string
	}{
		{"one page", paged(map[string]string{"": toolPage("a b", "")}), "a b", 1, ListComplete, ""},
		{"three pages", paged(map[string]string{"": toolPage("a", `,"nextCursor":"x"`), `"x"`: toolPage("b", `,"nextCursor":"y\u00e9"`), `"y\u00e9"`: toolPage("c", "")}), "a b c", 3, ListComplete, ""},
		{"the empty cursor is one", paged(map[string]string{"": toolPage("a", `,"nextCursor":""`), `""`: toolPage("b", "")}), "a b", 2, ListComplete, ""},
		{"the same page for ever", paged(map[string]string{"": toolPage("a", `,"nextCursor":""`), `""`: toolPage("a", `,"nextCursor":""`)}), "a", 2, ListComplete, "L-PAGE-02"},
		{"a circle", paged(map[string]string{"": toolPage("a", `,"nextCursor":"1"`), `"1"`: toolPage("b", `,"nextCursor":"2"`), `"2"`: toolPage("c", `,"nextCursor":"1"`)}), "a b c", 3, ListComplete, "L-PAGE-02"},
		{"a later page fails", paged(map[string]string{"": toolPage("a", `,"nextCursor":"1"`), `"1"`: toolPage("b", `,"nextCursor":"2"`)}), "a b", 6, ListFailed, ""},
		{"all fail", paged(nil), "", 1, ListFailed, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, f, done := ready(t, stdioTarget, Options{}, legacy(c.server))
				defer done()
				err := s.Refresh(context.Background(), Tools)
				st := s.State()
				list := st.Lists[Tools]
				if list.Status != c.status || (err != nil) != (c.status == ListFailed) || (list.Err != "") != (err != nil) {
					t.Errorf("error %v, list %+v", err, list)
				}
				if got := toolNames(s); got != c.tools || list.Count != len(strings.Fields(c.tools)) {
					t.Errorf("tools %q, count %d, want %q", got, list.Count, c.tools)
				}
				if n := strings.Count(f.methods(), "tools/list"); n != c.sent {
					t.Errorf("asked %d times, want %d", n, c.sent)
				}
				if got := rules(st); got != c.rule {
					t.Errorf("findings %q, want %q", got, c.rule)
				}
			})
		})
	}
}

func TestARefusedCursorBeginsAgainOnce(t *testing.T) { // PAGE-08, CACHE-15
	synctest.Test(t, func(t *testing.T) {
		refused := false
		s, _, done := ready(t, stdioTarget, Options{}, legacy(func(l *fakeLink, m protocol.Message, _ link.SendOptions) {
			cursor, _, _ := protocol.Lookup(m.Params, "/cursor")
			switch {
			case cursor == nil:
				l.result(m, toolPage("a", `,"nextCursor":"1"`))
			case !refused:
				refused = true
				l.fail(m, "-32602", "")
			default:
				l.result(m, toolPage("b", ""))
			}
		}))
		defer done()
		if err := s.Refresh(context.Background(), Tools); err != nil {
			t.Fatal(err)
		}
		if list := s.State().Lists[Tools]; toolNames(s) != "a b" || list.Pages != 2 || len(list.Problems) != 1 || list.Problems[0].Rule != "PAGE-08" {
			t.Errorf("tools %s, list %+v", toolNames(s), list)
		}
	})
}

func TestThereIsNoPageCap(t *testing.T) { // P4
	const pages = 3000
	synctest.Test(t, func(t *testing.T) {
		n := 0
		s, _, done := ready(t, stdioTarget, Options{}, legacy(func(l *fakeLink, m protocol.Message, _ link.SendOptions) {
			n++
			rest := fmt.Sprintf(`,"nextCursor":"%d"`, n)
			if n == pages {
				rest = ""
			}
			l.result(m, toolPage("same", rest))
		}))
		defer done()
		if err := s.Refresh(context.Background(), Tools); err != nil {
			t.Fatal(err)
		}
		tools := s.Tools()
		if len(tools) != pages || tools[pages-1].Index != pages-1 || tools[pages-1].Ordinal != pages-1 {
			t.Errorf("%d tools, the last is %+v", len(tools), tools[len(tools)-1].Entry)
		}
	})
}

func TestOnlyDeclaredListingsAreAskedFor(t *testing.T) {
	two := func(l *fakeLink, m protocol.Message, _ link.SendOptions) {
		switch m.Method {
		case protocol.MethodToolsList:
			l.result(m, toolPage("a", ""))
		case protocol.MethodResourcesList:
			l.result(m, `{"resources":[{"uri":"a:b","name":"x"}]}`)
		default:
			l.fail(m, "-32601", "")
		}
	}
	for _, c := range []struct {
		name, capabilities string
		all                bool
		want               [4]ListStatus
		sent               int
	}{
		{"tools declared", `{"tools":{}}`, false, [4]ListStatus{ListComplete, ListUnsupported, ListUnsupported, ListUnsupported}, 1},
		{"resources without templates", `{"resources":{}}`, false, [4]ListStatus{ListUnsupported, ListComplete, ListUnsupported, ListUnsupported}, 2},
		{"prompts declared and not there (L-RES-T03)", `{"prompts":{}}`, false, [4]ListStatus{ListUnsupported, ListUnsupported, ListUnsupported, ListFailed}, 1},
		{"asked all the same", `{"prompts":{}}`, true, [4]ListStatus{ListComplete, ListComplete, ListUnsupported, ListUnsupported}, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, f, done := ready(t, stdioTarget, Options{AskAll: c.all}, func(l *fakeLink, m protocol.Message, o link.SendOptions) {
					if m.Method == protocol.MethodInitialize {
						l.result(m, `{"protocolVersion":"2024-11-05","capabilities":`+c.capabilities+`,"serverInfo":{"name":"x","version":"1"}}`)
					} else {
						legacy(two)(l, m, o)
					}
				})
				defer done()
				err := s.RefreshAll(context.Background())
				st := s.State()
				for k := range numLists {
					if st.Lists[k].Status != c.want[k] {
						t.Errorf("%s: %+v", k, st.Lists[k])
					}
				}
				if failed := c.want[Prompts] == ListFailed; (err != nil) != failed || st.Phase != Ready {
					t.Errorf("error %v, phase %d", err, st.Phase)
				}
				if n := strings.Count(f.methods(), "/list"); n != c.sent {
					t.Errorf("asked %d times: %s", n, f.methods())
				}
			})
		})
	}
}

func TestChangedListings(t *testing.T) { // CACHE-13
	synctest.Test(t, func(t *testing.T) {
		during := true
		s, f, done := ready(t, stdioTarget, Options{}, legacy(func(l *fakeLink, m protocol.Message, _ link.SendOptions) {
			if during {
				l.in(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
			}
			l.result(m, toolPage("a", `,"ttlMs":500,"cacheScope":"public"`))
		}))
		defer done()
		f.link().in(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
		if got := s.State().Lists[Tools].Status; got != ListUnknown {
			t.Errorf("never loaded and changed: %d", got)
		}
		for _, want := range []ListStatus{ListStale, ListComplete} {
			if err := s.Refresh(context.Background(), Tools); err != nil {
				t.Fatal(err)
			}
			if got := s.State().Lists[Tools].Status; got != want {
				t.Errorf("status %d, want %d", got, want)
			}
			during = false
		}
		if list := s.State().Lists[Tools]; list.TTL != "500" || list.Scope != "public" || list.Updated.IsZero() {
			t.Errorf("list %+v", list)
		}
		f.link().in(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
		if got := s.State().Lists[Tools].Status; got != ListStale || toolNames(s) != "a" {
			t.Errorf("status %d, tools %s", got, toolNames(s))
		}
	})
}

func TestRefreshEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _, done := ready(t, stdioTarget, Options{}, legacy(silent))
		defer done()
		ctx, cancel := context.WithCancel(context.Background())
		first, second := make(chan error), make(chan error)
		go func() { first <- s.Refresh(ctx, Tools) }()
		synctest.Wait()
		go func() { second <- s.Refresh(ctx, Tools) }()
		synctest.Wait()
		if got := s.State().Lists[Tools].Status; got != ListLoading {
			t.Errorf("status %d", got)
		}
		cancel()
		if err := <-first; err == nil {
			t.Error("the first refresh came to an end")
		}
		if err := <-second; !errors.Is(err, context.Canceled) {
			t.Errorf("the second: %v", err)
		}
		if st := s.State(); st.Phase != Ready || st.Lists[Tools].Status != ListFailed {
			t.Errorf("phase %d, list %+v", st.Phase, st.Lists[Tools])
		}
	})
}
