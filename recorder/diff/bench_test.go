package diff

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"testing"
	"time"

	"mcploupe/recorder"
	"mcploupe/recorder/recordertest"
)

// budget is for two recordings of 100,000 events.
const budget = 3 * time.Second

// rewritten opens a copy of a recording with each line changed by fn.
func rewritten(b testing.TB, log *recorder.Log, fn func(i int, line []byte) []byte) *recorder.Log {
	b.Helper()
	if err := log.Sync(); err != nil {
		b.Fatal(err)
	}
	data, err := os.ReadFile(log.Path())
	if err != nil {
		b.Fatal(err)
	}
	var out []byte
	for i, start, at := 0, 0, 0; at < len(data); at++ {
		if data[at] == '\n' {
			out = append(append(out, fn(i, data[start:at])...), '\n')
			start, i = at+1, i+1
		}
	}
	path := filepath.Join(b.TempDir(), "b.mcp.jsonl")
	if err := os.WriteFile(path, out, 0o600); err != nil {
		b.Fatal(err)
	}
	other, err := recorder.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = other.Close() })
	return other
}

var (
	anyNumber = regexp.MustCompile(`"n":(\d+)`)
	rowsText  = regexp.MustCompile(`"rows":(\d+)`)
	sizeOf    = regexp.MustCompile(`"s":\d+,`)
)

// BenchmarkConversations compares two recordings of 100,000 events: the same,
// one call in ten with other arguments, and all of them.
func BenchmarkConversations(b *testing.B) {
	log, err := recordertest.Create(filepath.Join(b.TempDir(), "a.mcp.jsonl"), 100_000)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = log.Close() })
	every := func(n int) *recorder.Log {
		return rewritten(b, log, func(i int, line []byte) []byte {
			if i%n != 0 || i == 0 {
				return line
			}
			was := len(line)
			line = anyNumber.ReplaceAll(line, []byte(`"n":$1.5`))
			line = rowsText.ReplaceAll(line, []byte(`"rows":1$1`))
			return sizeOf.ReplaceAllFunc(line, func(s []byte) []byte {
				n, _ := strconv.Atoi(string(s[4 : len(s)-1]))
				return fmt.Appendf(nil, `"s":%d,`, n+len(line)-was)
			})
		})
	}
	for _, c := range []struct {
		name  string
		other *recorder.Log
	}{{"same", log}, {"tenth", every(10)}, {"all", every(1)}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				var before, after runtime.MemStats
				runtime.GC()
				runtime.ReadMemStats(&before)
				start := time.Now()
				got, err := Conversations(context.Background(), log, c.other, Options{Limit: time.Minute})
				if err != nil {
					b.Fatal(err)
				}
				took := time.Since(start)
				runtime.GC()
				runtime.ReadMemStats(&after)
				b.ReportMetric(took.Seconds(), "s")
				b.ReportMetric(float64(after.HeapAlloc-min(before.HeapAlloc, after.HeapAlloc))/(1<<20), "MB-kept")
				b.Logf("%s: %d same, %d different, %d and %d alone in %v (budget %v) %v", c.name, got.Same, got.Different, got.OnlyA, got.OnlyB, took.Round(time.Millisecond), budget, got.Cut)
			}
		})
	}
}
