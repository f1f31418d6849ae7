package recorder

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"io/fs"

	"mcploupe/assets"
)

// formatPage is the description of the format for other programs.
func formatPage(t *testing.T) string {
	t.Helper()
	raw, err := fs.ReadFile(assets.Guide(), "format.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// exampleBlocks are the examples of the page, whole or partial recordings.
func exampleBlocks(page string) (blocks []string) {
	for _, part := range strings.Split(page, "```mcp.jsonl\n")[1:] {
		block, _, _ := strings.Cut(part, "```")
		blocks = append(blocks, block)
	}
	return blocks
}

// Every example of the page is read without a complaint, and written again byte
// for byte.
func TestExamplesOfTheFormatPageAreReadAndWritten(t *testing.T) {
	blocks := exampleBlocks(formatPage(t))
	if len(blocks) < 6 {
		t.Fatalf("%d examples", len(blocks))
	}
	for _, block := range blocks {
		file := block
		if !strings.HasPrefix(block, `{"format"`) {
			file = strings.SplitAfterN(blocks[0], "\n", 2)[0] + block
		}
		from := filepath.Join(t.TempDir(), "example"+Ext)
		if err := os.WriteFile(from, []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
		l := mustOpen(t, from)
		if l.Repaired() != "" || len(l.Faults()) > 0 {
			t.Errorf("reading says %q, %v\n%s", l.Repaired(), l.Faults(), file)
		}
		to := filepath.Join(t.TempDir(), "again"+Ext)
		w, err := Create(to, l.Header())
		if err != nil {
			t.Fatal(err)
		}
		for seq := uint64(1); seq <= l.Len(); seq++ {
			e, err := l.Read(seq, 0)
			if err != nil {
				t.Fatal(err)
			}
			w.Append(e)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(to)
		if err != nil {
			t.Fatal(err)
		}
		want := strings.Split(file, "\n")
		for i, line := range strings.Split(string(got), "\n") {
			if i >= len(want) || line != want[i] {
				t.Errorf("line %d is written as\n%s\nthe page has\n%s", i+1, line, want[min(i, len(want)-1)])
			}
		}
	}
}

// rowKeys are the words in code of the first column of the table that follows a
// text.
func rowKeys(t *testing.T, page, after string) (keys []string) {
	t.Helper()
	_, rest, ok := strings.Cut(page, after)
	_, rest, table := strings.Cut(rest, "\n|---|---|\n")
	if !ok || !table {
		t.Fatalf("no table follows %q", after)
	}
	for line := range strings.Lines(rest) {
		if !strings.HasPrefix(line, "|") {
			break
		}
		first, _, _ := strings.Cut(line[1:], "|")
		for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(first, -1) {
			keys = append(keys, m[1])
		}
	}
	return keys
}

// jsonNames are the members that a struct is written with.
func jsonNames(v any) (names []string) {
	typ := reflect.TypeOf(v)
	for i := range typ.NumField() {
		if name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ","); name != "-" {
			names = append(names, name)
		}
	}
	return names
}

// The tables of the page list what the program writes, no more and no less.
func TestTablesOfTheFormatPageAreWhole(t *testing.T) {
	page := formatPage(t)
	for _, c := range []struct {
		after string
		want  []string
	}{
		{"## Header", jsonNames(Header{})},
		{"## Events", strings.Fields("q t d k c r y m i n f a p w s")},
		{"## Kinds", kindKeys[1:]},
		{"## What was recorded", formKeys[1:]},
		{"## HTTP", jsonNames(HTTPHead{})},
		{"| `bytes` | bytes of the body by the end |", jsonNames(SSEFields{})},
		{"## Continuation", jsonNames(Continues{})},
	} {
		got := rowKeys(t, page, c.after)
		slices.Sort(got)
		want := slices.Sorted(slices.Values(c.want))
		if !slices.Equal(got, want) {
			t.Errorf("the table after %q has %q, the program writes %q", c.after, got, want)
		}
	}
	for _, name := range slices.Concat(jsonNames(Target{}), jsonNames(StateChange{}), jsonNames(Mark{}), MarkColors, []string{"request", "notification", "result", "error", "batch", "invalid"}) {
		if !strings.Contains(page, "`"+name+"`") && !strings.Contains(page, `"`+name+`":`) {
			t.Errorf("the page does not name %s", name)
		}
	}
	if !strings.Contains(page, "`"+Format+"`") || !strings.Contains(page, "`"+Ext+"`") {
		t.Errorf("the page is not about %s in %s", Format, Ext)
	}
}
