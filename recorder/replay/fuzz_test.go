package replay

import (
	"context"
	"fmt"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
)

// FuzzMatch makes a recording of the bytes of a recipe. Asked in order, every
// recorded request gets its own answer, and whatever else is asked is answered
// or refused with a message.
func FuzzMatch(f *testing.F) {
	f.Add([]byte("abcabc"), "tools/call", `{"name":"a","arguments":{"x":1}}`)
	f.Add([]byte{0, 0, 0, 1, 17, 33}, "tools/call", `{"name":"t0","arguments":{"n":0.0}}`)
	f.Add([]byte("zz"), "resources/read", `{"uri":"x"}`)
	f.Add([]byte("q"), "tools/call", `[1,{"a":1,"a":2}]`)
	f.Add([]byte("q"), "tools/list", ``)
	f.Fuzz(func(t *testing.T, recipe []byte, method, params string) {
		if len(recipe) == 0 || len(recipe) > 64 {
			return
		}
		var lines []string
		for i, b := range recipe {
			lines = append(lines, call(i, fmt.Sprintf("t%d", b%3), fmt.Sprintf(`{"n":%d}`, b/3%4)), answer(i, fmt.Sprint(i)))
		}
		l := recordingOf(t, lines...)
		s, err := NewServer(context.Background(), l, ServerOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		drop := func([]byte) error { return nil }
		c := s.converse(drop)
		for i := range recipe {
			got, _ := c.handle(t.Context(), protocol.Parse([]byte(lines[2*i][2:])), drop)
			if want := lines[2*i+1][2:]; string(got) != want {
				t.Fatalf("request %d got %s, want %s", i, got, want)
			}
		}
		if params != "" && !protocol.Valid([]byte(params)) {
			return
		}
		var v jsontext.Value
		if params != "" {
			v = jsontext.Value(params)
		}
		raw := protocol.NewRequest(protocol.StringID("foreign"), method, v)
		ctx, cancel := context.WithCancel(t.Context())
		if method == protocol.MethodSubscriptionsListen {
			cancel()
		}
		got, _ := c.handle(ctx, protocol.Parse(raw), drop)
		cancel()
		if method == protocol.MethodSubscriptionsListen {
			return
		}
		if m := protocol.Parse(got); m.ID != protocol.StringID("foreign") || m.Result == nil && m.Error == nil {
			t.Fatalf("%s got %s", raw, got)
		}
	})
}
