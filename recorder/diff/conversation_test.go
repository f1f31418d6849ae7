package diff

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"mcploupe/recorder"
	"mcploupe/recorder/recordertest"
)

func compare(t testing.TB, a, b *recorder.Log, o Options) *Conversation {
	t.Helper()
	c, err := Conversations(context.Background(), a, b, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// said lists what a comparison found, a line a row with a difference.
func said(c *Conversation) []string {
	var out []string
	for _, r := range c.Rows {
		if r.Kind == Same && !r.Moved && len(r.Differences) == 0 {
			continue
		}
		line := r.Kind.String()
		if r.Moved {
			line += ", moved"
		}
		line += ": " + strings.TrimSpace(r.Method+" "+r.Name)
		for _, d := range r.Differences {
			line += fmt.Sprintf("; %s %s %s %s", d.Severity, d.Kind, d.Class, d.Pointer())
			if d.Inside != "" {
				line += "!" + d.Inside
			}
		}
		out = append(out, line)
	}
	return append(out, c.Cut...)
}

// A recording against itself, and against itself with other ids, is empty; with
// one act inserted, removed, changed or moved the comparison says exactly that,
// and the other way round its mirror.
func TestConversationsSayExactlyWhatDiffers(t *testing.T) {
	for trial := range 40 {
		r := rand.New(rand.NewPCG(uint64(trial), 5))
		http := trial%2 == 1
		all := acts(r, 5+r.IntN(25))
		a := record(t, http, 0, all)
		if got := said(compare(t, a, a, Options{})); got != nil {
			t.Fatalf("trial %d: against itself: %q", trial, got)
		}
		if got := said(compare(t, a, record(t, http, 1000, all), Options{})); got != nil {
			t.Fatalf("trial %d: with other ids: %q", trial, got)
		}
		at := r.IntN(len(all))
		other := act{"call", "echo", 55, "something new"}

		inserted := slices.Insert(slices.Clone(all), at, other)
		checkBothWays(t, http, all, inserted, []string{"only in B: tools/call echo"}, []string{"only in A: tools/call echo"})

		method := map[string]string{"read": "resources/read"}
		was := all[at]
		name := "tools/call " + was.tool
		switch {
		case was.kind == "notice" && http:
			name = "ping"
		case was.kind == "notice":
			name = "notifications/resources/updated"
		case method[was.kind] != "":
			name = fmt.Sprintf("resources/read r://%s/%d", strings.Repeat("x", was.n%5+1), was.n)
		}

		changed := slices.Clone(all)
		if was.kind != "notice" || !http {
			changed[at].says = "a changed word"
			pointer := "/result/content/0/text"
			class := "results"
			switch was.kind {
			case "error":
				pointer = "/error/message"
			case "read":
				pointer = "/result/contents/0/text"
			case "notice":
				pointer, class = "/params/n", "notifications"
			}
			if !strings.Contains(name, "updated") {
				want := []string{"different: " + name + "; difference changed " + class + " " + pointer}
				checkBothWays(t, http, all, changed, want, want)
			}
		}

		if to := r.IntN(len(all)); to != at && was.kind != "notice" && all[to].kind != "notice" {
			moved := slices.Delete(slices.Clone(all), at, at+1)
			moved = slices.Insert(moved, to, was)
			b := record(t, http, 3000, moved)
			c := compare(t, a, b, Options{})
			if d := max(at-to, to-at); d > 1 && !(c.Moved == 1 && c.Different+c.OnlyA+c.OnlyB == 0 && len(said(c)) == 1 && strings.HasSuffix(said(c)[0], "moved: "+name)) {
				t.Fatalf("trial %d: %s moved from %d to %d of %d: %q", trial, name, at, to, len(all), said(c))
			}
		}
	}
}

func checkBothWays(t *testing.T, http bool, before, after []act, want, back []string) {
	t.Helper()
	a, b := record(t, http, 0, before), record(t, http, 2000, after)
	there := compare(t, a, b, Options{})
	if got := said(there); !slices.Equal(got, want) {
		t.Fatalf("got  %q\nwant %q", got, want)
	}
	mirror := compare(t, b, a, Options{})
	if got := said(mirror); !slices.Equal(got, back) {
		t.Fatalf("back: got  %q\nwant %q", got, back)
	}
	checkMirror(t, there, mirror)
}

// flat writes each finding of a comparison as a text; back swaps the sides.
func flat(c *Conversation, back bool) []string {
	var out []string
	for _, r := range c.Rows {
		kind, a, b := r.Kind, r.SeqA, r.SeqB
		if back {
			a, b = b, a
			switch kind {
			case OnlyA:
				kind = OnlyB
			case OnlyB:
				kind = OnlyA
			}
		}
		head := fmt.Sprintf("%s %v %s %d %d %s", kind, r.Moved, r.Lane, a, b, r.Method)
		out = append(out, head)
		for _, d := range r.Differences {
			k, pa, pb, x, y := d.Kind, d.PointerA, d.PointerB, d.Before, d.After
			if back {
				pa, pb, x, y = pb, pa, y, x
				switch k {
				case Added:
					k = Removed
				case Removed:
					k = Added
				}
			}
			out = append(out, fmt.Sprint(head, d.Severity, k, d.Class, pa, pb, d.Inside, x, y, len(d.Lines)))
		}
	}
	slices.Sort(out)
	return out
}

func checkMirror(t *testing.T, there, back *Conversation) {
	t.Helper()
	a, b := flat(there, false), flat(back, true)
	if !slices.Equal(a, b) {
		for i := range min(len(a), len(b)) {
			if a[i] != b[i] {
				t.Fatalf("not the mirror:\n%s\n%s", a[i], b[i])
			}
		}
		t.Fatalf("not the mirror: %d and %d findings", len(a), len(b))
	}
}

// Any two conversations, however different, mirror each other.
func TestConversationsMirror(t *testing.T) {
	for trial := range 60 {
		r := rand.New(rand.NewPCG(uint64(trial), 9))
		http := trial%2 == 1
		one, two := acts(r, 20), acts(r, 20)
		for i := range two {
			if r.IntN(2) == 0 {
				two[i] = one[r.IntN(len(one))]
			}
		}
		a, b := record(t, http, 0, one), record(t, http, 500, two)
		checkMirror(t, compare(t, a, b, Options{}), compare(t, b, a, Options{}))
	}
}

// What overlaps, with questions, cancelled calls and lines that are no
// messages, is the same as itself too.
func TestBusyConversationsDoNotDifferFromThemselves(t *testing.T) {
	log, err := recordertest.Create(t.TempDir()+"/a.mcp.jsonl", 20_000)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = log.Close() })
	c := compare(t, log, log, Options{})
	if got := said(c); got != nil {
		t.Fatalf("%q", got)
	}
	if c.Same < 1000 || len(c.Rows) < c.Same {
		t.Errorf("%d exchanges of %d rows", c.Same, len(c.Rows))
	}
}
