package recorder

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The benchmarks work on a recording of 1,000,000 events of 1 KB, or of
// LOUPE_BENCH_EVENTS events. It is made once, in LOUPE_BENCH_DIR if that is
// set and in a temporary folder else.

func benchEvents(b *testing.B) int {
	text := os.Getenv("LOUPE_BENCH_EVENTS")
	if text == "" {
		return 1_000_000
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		b.Fatalf("LOUPE_BENCH_EVENTS=%q is no number of events", text)
	}
	return n
}

// benchTraffic gives the i-th event of a recording like those of a busy
// server: calls with their answers and log notifications, 1 KB each as lines.
type benchTraffic struct {
	buf  []byte
	text string
}

func newBenchTraffic() *benchTraffic {
	return &benchTraffic{text: strings.Repeat("The quick brown fox jumps over the lazy dog; 0123456789. ", 20)}
}

var benchTools = []string{"echo", "get-sum", "search_repositories", "read_file", "list_issues"}

func (g *benchTraffic) event(i int) Event {
	e := Event{Kind: KindMessage, Dir: In, Channel: "stdio"}
	b := g.buf[:0]
	pad := 0
	switch i % 4 {
	case 0:
		e.Dir = Out
		b = fmt.Appendf(b, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":{"number":%d,"deep":{"list":[1,2.5,true,null],"label":"n%d"},"query":"`, i, benchTools[i/4%len(benchTools)], i*7, i)
		pad = 720
	case 1:
		b = fmt.Appendf(b, `{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"%d `, i-1, i)
		pad = 780
	default:
		b = fmt.Appendf(b, `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"bench","data":{"i":%d,"text":"`, i)
		pad = 740
	}
	b = append(b, g.text[i%50:i%50+pad]...)
	switch i % 4 {
	case 0:
		b = append(b, `"},"_meta":{"progressToken":`...)
		b = strconv.AppendInt(b, int64(i), 10)
		b = append(b, `}}}`...)
	case 1:
		b = append(b, `"}],"structuredContent":{"count":3,"items":[{"id":1,"ok":true},{"id":2,"ok":false}]},"isError":false}}`...)
	default:
		b = append(b, `"}}}`...)
	}
	if i%1000 == 2 {
		b = bytes.Replace(b, []byte("lazy dog"), []byte("Needle42"), 1)
	}
	g.buf, e.Data = b, b
	return e
}

func fillBench(tb testing.TB, l *Log, n int) {
	g := newBenchTraffic()
	for i := range n {
		l.Append(g.event(i))
	}
	if err := l.Sync(); err != nil {
		tb.Fatal(err)
	}
}

func benchDir() string {
	if dir := os.Getenv("LOUPE_BENCH_DIR"); dir != "" {
		return dir
	}
	return filepath.Join(os.TempDir(), "mcploupe-bench-"+strconv.Itoa(os.Getpid()))
}

// benchFile makes the recording, or finds it from an earlier run.
func benchFile(b *testing.B) string {
	b.Helper()
	n, dir := benchEvents(b), benchDir()
	return benchRecording(b, filepath.Join(dir, fmt.Sprintf("bench-%d%s", n, Ext)), func(l *Log) { fillBench(b, l, n) })
}

func benchRecording(b *testing.B, path string, fill func(*Log)) string {
	b.Helper()
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		part := path + ".part"
		_ = os.Remove(part)
		l, err := Create(part, Header{App: "bench", Target: Target{Transport: "stdio"}})
		if err != nil {
			b.Fatal(err)
		}
		fill(l)
		if err := errors.Join(l.Close(), os.Rename(part, path)); err != nil {
			b.Fatal(err)
		}
	}
	return path
}

func TestMain(m *testing.M) {
	if helperMain() {
		return
	}
	code := m.Run()
	_ = os.RemoveAll(filepath.Join(os.TempDir(), "mcploupe-bench-"+strconv.Itoa(os.Getpid())))
	os.Exit(code)
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// BenchmarkAppend writes the whole recording once an op.
func BenchmarkAppend(b *testing.B) {
	n := benchEvents(b)
	g := newBenchTraffic()
	var took time.Duration
	var grown float64
	for b.Loop() {
		path := filepath.Join(b.TempDir(), "append"+Ext)
		l, err := Create(path, Header{App: "bench"})
		if err != nil {
			b.Fatal(err)
		}
		before := heap()
		var making time.Duration
		const batch = 256
		var events [batch]Event
		start := time.Now()
		for i := 0; i < n; i += batch {
			// Making the events is not what is measured.
			t := time.Now()
			k := min(batch, n-i)
			for j := range k {
				e := g.event(i + j)
				events[j], g.buf = e, events[j].Data
			}
			making += time.Since(t)
			for _, e := range events[:k] {
				l.Append(e)
			}
		}
		took += time.Since(start) - making
		grown = float64(heap()) - float64(before)
		if err := l.Close(); err != nil {
			b.Fatal(err)
		}
		_ = os.Remove(path)
	}
	b.ReportMetric(float64(n)*float64(b.N)/took.Seconds(), "events/s")
	b.ReportMetric(grown/1e6, "heapMB")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkOpen indexes the recording, against wc -l on the same file: the
// best of three each.
func BenchmarkOpen(b *testing.B) {
	path := benchFile(b)
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	wc := best(b, func() *exec.Cmd { return exec.Command("wc", "-l", path) })
	fastest := time.Hour
	var grown float64
	for b.Loop() {
		for range 3 {
			before := heap()
			start := time.Now()
			l, err := Open(path)
			fastest = min(fastest, time.Since(start))
			if err != nil {
				b.Fatal(err)
			}
			grown = float64(heap()) - float64(before)
			if l.Len() != uint64(benchEvents(b)) {
				b.Fatalf("%d events", l.Len())
			}
			if err := l.Close(); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(fastest.Seconds()/wc.Seconds(), "x_wc")
	b.ReportMetric(wc.Seconds()*1e3, "wc_ms")
	b.ReportMetric(fastest.Seconds()*1e3, "open_ms")
	b.ReportMetric(float64(info.Size())/1e6/fastest.Seconds(), "MB/s")
	b.ReportMetric(grown/1e6, "heapMB")
	b.ReportMetric(0, "ns/op")
}

// best runs a command three times and gives the shortest time.
func best(b *testing.B, command func() *exec.Cmd) time.Duration {
	b.Helper()
	fastest := time.Hour
	for range 3 {
		start := time.Now()
		if out, err := command().CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, out)
		}
		fastest = min(fastest, time.Since(start))
	}
	return fastest
}

func countFound(b *testing.B, l *Log, text string) int {
	b.Helper()
	f, err := ParseFilter(text)
	if err != nil {
		b.Fatal(err)
	}
	n := 0
	if err := l.Find(context.Background(), f, 0, 0, func(seqs []uint64) bool { n += len(seqs); return true }); err != nil {
		b.Fatal(err)
	}
	return n
}

// BenchmarkFilterColumn filters by what the index knows.
func BenchmarkFilterColumn(b *testing.B) {
	l := mustOpen(b, benchFile(b))
	for _, filter := range []string{"method:tools/* kind:request", "tool:echo status:ok", "kind:notification size>800 -id:7", "dur>200ms"} {
		b.Run(strings.NewReplacer(" ", "_", "/", ".", ">", "over").Replace(filter), func(b *testing.B) {
			found := 0
			for b.Loop() {
				found = countFound(b, l, filter)
			}
			b.ReportMetric(float64(found), "found")
			b.ReportMetric(b.Elapsed().Seconds()*1e3/float64(b.N), "ms")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkFilterText searches the whole text, against grep -c on the same
// file.
func BenchmarkFilterText(b *testing.B) {
	path := benchFile(b)
	l := mustOpen(b, path)
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct{ name, filter, grep, flags string }{
		{"rare", "Needle42", "Needle42", "-c"},
		{"anycase", "needle42", "needle42", "-ci"},
		{"common", "Quick|lazy", `Quick\|lazy`, "-c"},
	} {
		b.Run(c.name, func(b *testing.B) {
			grep := best(b, func() *exec.Cmd { return exec.Command("grep", c.flags, c.grep, path) })
			found := 0
			for b.Loop() {
				found = countFound(b, l, c.filter)
			}
			b.ReportMetric(float64(found), "found")
			took := b.Elapsed().Seconds() / float64(b.N)
			b.ReportMetric(took/grep.Seconds(), "x_grep")
			b.ReportMetric(float64(info.Size())/1e6/took, "MB/s")
			b.ReportMetric(0, "ns/op")
		})
	}
}
