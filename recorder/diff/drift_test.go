package diff

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"mcploupe/recorder"
)

// beside plays three calls, in the order of the words: "a", "b" and "c" are
// calls, "roots", "log" and "changed" are what the server sends by itself. It
// comes during the call whose word is before it with a plus, else between calls.
func beside(t *testing.T, shift int, words string) *recorder.Log {
	t.Helper()
	s := play(t, false, shift, nil)
	byItself := func(word string) {
		kind, text, _ := strings.Cut(word, ":")
		switch kind {
		case "roots":
			s.in(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"roots/list"}`, shift))
			s.out(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"roots":[]}}`, shift))
		case "log":
			s.in(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":%q}}`, text))
		case "changed":
			s.in(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
		default:
			t.Fatalf("no word %q", word)
		}
	}
	for _, word := range strings.Fields(words) {
		s.now += time.Second
		parts := strings.Split(word, "+")
		if len(parts[0]) == 1 {
			s.request(`"method":"tools/call","params":{"name":"` + parts[0] + `","arguments":{}}`)
			for _, p := range parts[1:] {
				byItself(p)
			}
			s.answer(textResult("done"))
			continue
		}
		byItself(word)
	}
	return s.log
}

// What a server sends by itself comes beside whatever call is under way: during
// which one is chance, and no difference.
func TestWhatComesBesideAnotherCallIsTheSame(t *testing.T) {
	for name, c := range map[string]struct {
		a, b string
		want []string // of a against b; nil for none
	}{
		"roots during another call":     {"a+roots b c", "a b+roots c", nil},
		"roots between calls":           {"a+roots b c", "a roots b c", nil},
		"a log message elsewhere":       {"a b+log:ready c", "a b log:ready c", nil},
		"both, the other way round":     {"a+roots+log:ready b c", "a b log:ready c+roots", nil},
		"lists changed in between":      {"a changed log:x b c", "a log:x changed b c", nil},
		"log messages in another order": {"a log:x log:y b c", "a log:y log:x b c", []string{"same, moved: notifications/message"}},
		"a log message is gone":         {"a+log:x b c", "a b c", []string{"different: tools/call a; difference removed notifications "}},
		"another log message":           {"a+log:x b c", "a b log:y c", []string{"different: tools/call a; difference removed notifications ", "only in B: notifications/message"}},
		"roots are asked for once more": {"a+roots b c", "a b+roots c+roots", []string{"different: tools/call c; difference added peer-requests "}},
		"nothing asks for roots":        {"a b+roots c", "a b c", []string{"different: tools/call b; difference removed peer-requests "}},
	} {
		t.Run(name, func(t *testing.T) {
			found := compare(t, beside(t, 10, c.a), beside(t, 40, c.b), Options{})
			got := said(found)
			slices.Sort(got)
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
			back := compare(t, beside(t, 40, c.b), beside(t, 10, c.a), Options{})
			if len(said(back)) != len(c.want) {
				t.Errorf("the other way round: %q", said(back))
			}
			for _, r := range append(found.Rows, back.Rows...) {
				if r.Kind == Same && r.Lane <= NoticeLane && (r.SeqA == 0 || r.SeqB == 0) {
					t.Errorf("a row that is the same has one side: %+v", r)
				}
			}
		})
	}
}

// What was taken for one although it came beside another call is counted.
func TestWhatCameBesideAnotherCallIsCounted(t *testing.T) {
	found := compare(t, beside(t, 10, "a+roots b+log:x c"), beside(t, 40, "a b c+roots log:x"), Options{})
	i := slices.IndexFunc(found.Hidden, func(h Hidden) bool { return h.Key == hiddenOrder })
	if i < 0 || found.Hidden[i].Count != 2 {
		t.Errorf("hidden %+v, found %q", found.Hidden, said(found))
	}
}
