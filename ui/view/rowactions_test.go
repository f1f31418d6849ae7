package view

import (
	"strings"
	"testing"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/session"
)

// actionLog is a recording with one event of each sort.
func actionLog(t *testing.T) *recorder.Log {
	log := newLog(t)
	message(log, recorder.Out, 1, `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"get sum","arguments":{}}}`)
	message(log, recorder.In, 2, `{"jsonrpc":"2.0","id":7,"result":{}}`)
	message(log, recorder.Out, 3, `{"jsonrpc":"2.0","id":"a b","method":"ping"}`)
	message(log, recorder.Out, 4, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	message(log, recorder.In, 5, `{"jsonrpc":"2.0","id":1,"method":"roots/list"}`)
	log.Append(recorder.Event{Dir: recorder.In, Kind: recorder.KindStderr, Channel: "stdio", Data: []byte("x\n")})
	message(log, recorder.In, 6, `{"jsonrpc":"2.0","id":99,"result":{}}`)
	return log
}

func TestRowActionsSayWhyNot(t *testing.T) {
	log := actionLog(t)
	for _, c := range []struct {
		seq  uint64
		id   RowActionID
		live bool
		why  string // "" when it is possible
	}{
		{0, RowPartner, true, "no event is selected"},
		{1, RowPartner, false, ""}, {2, RowPartner, false, ""}, {3, RowPartner, false, "no answer has come"},
		{4, RowPartner, false, "neither a request"}, {6, RowPartner, false, "neither a request"}, {7, RowPartner, false, "no request is known"},
		{1, RowSend, true, ""}, {1, RowSend, false, "nothing is connected"}, {2, RowSend, true, "no message to the server"}, {4, RowSend, true, ""},
		{6, RowSend, true, "no message to the server"},
		{2, RowEdit, true, ""}, {6, RowEdit, true, "it is no message"}, {2, RowEdit, false, "nothing is connected"},
		{1, RowCopyVerb, false, ""}, {2, RowCopyVerb, false, ""}, {4, RowCopyVerb, false, "no request to the server"}, {5, RowCopyVerb, false, "no request to the server"},
		{7, RowCopyTest, false, "no request to the server"}, {3, RowCopyTest, false, ""},
		{1, RowCopyCurl, false, "only Streamable HTTP"},
		{6, RowCopyJSON, false, ""}, {6, RowExport, false, ""},
		{6, RowOnlyMethod, false, "no method"}, {6, RowOnlyName, false, "no name"}, {6, RowOnlyID, false, "no id"}, {6, RowOnlyExchange, false, "no exchange"},
		{6, RowOnlyChannel, false, ""}, {2, RowOnlyMethod, false, ""}, {2, RowOnlyExchange, false, ""},
	} {
		s := NewRowSubject(log, c.seq)
		s.Live, s.Target = c.live, session.Target{Command: "x"}
		got := RowActionOf(c.id).Why(s)
		if (got == "") != (c.why == "") || !strings.Contains(got, c.why) {
			t.Errorf("event %d, %q: %q, want %q", c.seq, RowActionOf(c.id).Label(s), got, c.why)
		}
	}
	s := NewRowSubject(log, 1)
	if RowActionOf(RowCopyVerb).Why(s) == "" {
		t.Error("a command line for a server that nobody knows")
	}
	s.Others = 1
	if RowActionOf(RowSend).Why(s) != "" || RowActionOf(RowSend).Label(s) != "Send with a new id to" {
		t.Errorf("with other connections: %q, %q", RowActionOf(RowSend).Why(s), RowActionOf(RowSend).Label(s))
	}
}

func TestRowFiltersNarrowWhatIsThere(t *testing.T) {
	log := actionLog(t)
	for _, c := range []struct {
		seq        uint64
		id         RowActionID
		from, want string
	}{
		{1, RowOnlyMethod, "", "method:tools/call"},
		{1, RowOnlyMethod, "dur>1s method:ping -method:x", "dur>1s method:tools/call"},
		{1, RowWithoutMethod, "method:a -method:b", "-method:b -method:tools/call"},
		{1, RowWithoutMethod, "-method:tools/call", "-method:tools/call"},
		{1, RowOnlyName, "is:error", `is:error tool:"get sum"`},
		{3, RowOnlyID, "id:1", `id:"a b"`},
		{2, RowOnlyID, "", "id:7"},
		{2, RowOnlyExchange, "is:error", "of:2"},
		{6, RowOnlyChannel, "", "channel:stdio"},
	} {
		got := RowFilter(c.id, NewRowSubject(log, c.seq), c.from)
		if got != c.want {
			t.Errorf("event %d, %d on %q: %q, want %q", c.seq, c.id, c.from, got, c.want)
			continue
		}
		f, err := recorder.ParseFilter(got)
		if err != nil {
			t.Errorf("%q: %v", got, err)
		} else if c.id != RowWithoutMethod && c.from == "" && !f.Match(log, log.Head(c.seq)) {
			t.Errorf("%q does not show event %d", got, c.seq)
		}
	}
}

func TestRowCopiesTheVerbThatSendsTheSame(t *testing.T) { // case 139
	target := session.Target{Command: "srv"}
	for raw, want := range map[string]string{
		`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"n","arguments":{"a":1.0},"_meta":{"progressToken":7,"io.modelcontextprotocol/x":1,"my/k":[2]}}}`: `mcploupe call n --args '{"a":1.0}' --meta 'my/k=[2]' -- srv`,
		`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"n","task":{}}}`:                                                                                  `mcploupe raw '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"n","task":{}}}' -- srv`,
		`{"jsonrpc":"2.0","id":7,"method":"resources/read","params":{"uri":"a:b c"}}`:                                                                                     `mcploupe read 'a:b c' -- srv`,
		`{"jsonrpc":"2.0","id":7,"method":"prompts/get","params":{"name":"p","arguments":{"k":"v w"}}}`:                                                                   `mcploupe prompt p 'k=v w' -- srv`,
		`{"jsonrpc":"2.0","id":7,"method":"prompts/get","params":{"name":"p","arguments":{"k":1}}}`:                                                                       `mcploupe raw '{"jsonrpc":"2.0","id":7,"method":"prompts/get","params":{"name":"p","arguments":{"k":1}}}' -- srv`,
		`{"jsonrpc":"2.0","id":7,"method":"ping"}`:                                                                                                                        `mcploupe raw '{"jsonrpc":"2.0","id":7,"method":"ping"}' -- srv`,
	} {
		if got := CommandRaw(target, protocol.Parse([]byte(raw))); got != want {
			t.Errorf("%s\n got %s\nwant %s", raw, got, want)
		}
	}
}
