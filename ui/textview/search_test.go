package textview

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	look "mcploupe/ui/theme"
)

func TestFind(t *testing.T) {
	v := newView(t, `{"a":"One two","b":{"c":"one"},"one":1}`)
	calls := 0
	v.OnHits = func() { calls++ }
	v.Find("ONE")
	if n, of := v.Hit(); n != 1 || of != 3 {
		t.Errorf("stands on %d of %d", n, of)
	}
	v.FoldTo(1)
	v.Step(true)
	if got := shown(v); !slices.Contains(got, `    "c": "one"`) {
		t.Errorf("the second place is folded away: %q", got)
	}
	p := slotOf(v, v.caret.row)
	if p.nUnder != 1 || p.under[0].FillColor != look.Color(look.ColorHitCurrent) {
		t.Error("the place is not marked")
	}
	v.Step(true)
	v.Step(true)
	if n, _ := v.Hit(); n != 1 {
		t.Errorf("after the last place comes %d", n)
	}
	v.Step(false)
	if n, _ := v.Hit(); n != 3 {
		t.Errorf("before the first place comes %d", n)
	}
	v.SetMode(Raw)
	if p := slotOf(v, 0); p.nUnder != 3 {
		t.Errorf("%d places are marked in raw mode", p.nUnder)
	}
	v.Find("")
	if _, of := v.Hit(); of != 0 || calls == 0 {
		t.Errorf("%d places of nothing, %d calls", of, calls)
	}
	if p := slotOf(v, 0); p.nUnder != 0 {
		t.Error("marks stay")
	}
}

func TestSearch(t *testing.T) {
	for _, tt := range []struct {
		raw, query string
		want       string
	}{
		{"aAaA", "aa", "[0 2]"}, {"xx", "", "[]"}, {"", "x", "[]"}, {"ÉcolÉ", "É", "[0 5]"}, {"ab", "abc", "[]"},
		{"1 2 1", "1", "[0 4]"}, {"Tools/Call", "tools/c", "[0]"},
	} {
		h, err := Search(context.Background(), []byte(tt.raw), tt.query)
		if got := fmt.Sprint(h.starts); err != nil || got != tt.want {
			t.Errorf("%q in %q: %s, want %s", tt.query, tt.raw, got, tt.want)
		}
	}
	h, _ := Search(context.Background(), bytes.Repeat([]byte("a"), maxHits+10), "a")
	if h.Count != maxHits+10 || len(h.starts) != maxHits {
		t.Errorf("%d counted, %d kept", h.Count, len(h.starts))
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Search(ctx, []byte("x"), "x"); err == nil {
		t.Error("a cancelled search ends without an error")
	}
}

// A text that is sought again in another index is shown there, too.
func TestSeekGoesToThePlaceAgain(t *testing.T) {
	long := strings.Repeat("hay\n", 500)
	v := newView(t, "x")
	for range 2 {
		if !v.SetBytes([]byte(long + "needle\n" + long)) {
			t.Fatal("not shown")
		}
		v.Seek("needle")
		if first, _ := v.Place(); first < 400 {
			t.Errorf("row %d is the first in sight", first)
		}
	}
}
