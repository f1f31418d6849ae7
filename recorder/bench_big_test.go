package recorder

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// reportMS reports the time of an op in milliseconds, and memory that was kept.
func reportMS(b *testing.B, grown float64) {
	b.ReportMetric(b.Elapsed().Seconds()*1e3/float64(b.N), "ms")
	b.ReportMetric(grown/1e6, "heapMB")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkExchanges takes in the whole recording once an op.
func BenchmarkExchanges(b *testing.B) {
	l := mustOpen(b, benchFile(b))
	before := heap()
	var x *Exchanges
	for b.Loop() {
		x = NewExchanges(l)
		x.Take(context.Background())
	}
	took := b.Elapsed()
	grown := float64(heap()) - float64(before)
	if want := int(l.Len()+3) / 4; x.Len() != want {
		b.Fatalf("%d exchanges, want %d", x.Len(), want)
	}
	b.ReportMetric(grown/float64(l.Len()), "bytes/event")
	b.ReportMetric(took.Seconds()*1e3/float64(b.N), "ms")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkExchangesNothingNew is what a Take costs that finds nothing.
func BenchmarkExchangesNothingNew(b *testing.B) {
	l := mustOpen(b, benchFile(b))
	x := NewExchanges(l)
	x.Take(context.Background())
	for b.Loop() {
		x.Take(context.Background())
	}
}

// BenchmarkOverview counts the whole recording once an op.
func BenchmarkOverview(b *testing.B) {
	l := mustOpen(b, benchFile(b))
	before := heap()
	var o *Overview
	for b.Loop() {
		o = NewOverview(l)
		o.Take()
	}
	grown := float64(heap()) - float64(before)
	reportMS(b, grown)
	if _, to := o.Span(); to == 0 {
		b.Fatal("the recording takes no time")
	}
}

// BenchmarkBuckets draws a strip of 2000 points, of everything and of a part.
func BenchmarkBuckets(b *testing.B) {
	l := mustOpen(b, benchFile(b))
	o := NewOverview(l)
	o.Take()
	from, to := o.Span()
	for name, span := range map[string]time.Duration{"all": to - from, "tenth": (to - from) / 10, "thousandth": (to - from) / 1000} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				o.Buckets(from+span, from+2*span, 2000)
			}
			b.ReportMetric(b.Elapsed().Seconds()*1e3/float64(b.N), "ms")
			b.ReportMetric(0, "ns/op")
		})
	}
}

var sortKeyNames = []string{"seq", "time", "method", "name", "id", "status", "took", "size", "channel", "direction"}

// benchOrder sorts all events of a recording by each key.
func benchOrder(b *testing.B, l *Log) {
	seqs := make([]uint32, l.Len())
	for key := BySeq; key <= ByDirection; key++ {
		b.Run(sortKeyNames[key], func(b *testing.B) {
			for b.Loop() {
				for i := range seqs {
					seqs[i] = uint32(i + 1)
				}
				if err := l.Order(context.Background(), seqs, key, true); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(b.Elapsed().Seconds()*1e3/float64(b.N), "ms")
			b.ReportMetric(0, "ns/op")
		})
	}
}

func BenchmarkOrder(b *testing.B) { benchOrder(b, mustOpen(b, benchFile(b))) }

// BenchmarkCatalogue looks for lists that the recording does not have.
func BenchmarkCatalogue(b *testing.B) {
	l := mustOpen(b, benchFile(b))
	for b.Loop() {
		if _, err := l.Catalogue(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
	reportMS(b, 0)
}

// BenchmarkFilterExchange filters by the state of exchanges.
func BenchmarkFilterExchange(b *testing.B) {
	l := mustOpen(b, benchFile(b))
	countFound(b, l, "state:ok")
	found := 0
	for b.Loop() {
		found = countFound(b, l, "state:ok")
	}
	b.ReportMetric(float64(found), "found")
	reportMS(b, 0)
}

// BenchmarkManyNames works on a recording whose ids and names differ in every
// request, so that most find no room in memory.
func BenchmarkManyNames(b *testing.B) {
	n := benchEvents(b)
	l := mustOpen(b, benchRecording(b, filepath.Join(benchDir(), fmt.Sprintf("names-%d%s", n, Ext)), func(l *Log) {
		text := strings.Repeat("x", 500)
		for i := range n / 2 {
			l.Append(Event{Kind: KindMessage, Dir: Out, Channel: "stdio", Data: fmt.Appendf(nil,
				`{"jsonrpc":"2.0","id":"request-%08d","method":"resources/read","params":{"uri":"file:///some/where/%08d.txt"}}`, i, i)})
			l.Append(Event{Kind: KindMessage, Dir: In, Channel: "stdio", Data: fmt.Appendf(nil,
				`{"jsonrpc":"2.0","id":"request-%08d","result":{"contents":[{"uri":"file:///some/where/%08d.txt","text":%q}]}}`, i, i, text)})
		}
	}))
	for _, filter := range []string{"method:resources/read", "uri:*0123.txt", `id:request-00400123`, "dur>1s", "size>400 kind:response"} {
		b.Run(strings.NewReplacer(" ", "_", "/", ".", ">", "over", "*", "").Replace(filter), func(b *testing.B) {
			found := 0
			for b.Loop() {
				found = countFound(b, l, filter)
			}
			b.ReportMetric(float64(found), "found")
			b.ReportMetric(b.Elapsed().Seconds()*1e3/float64(b.N), "ms")
			b.ReportMetric(0, "ns/op")
		})
	}
	b.Run("exchanges", func(b *testing.B) {
		var x *Exchanges
		for b.Loop() {
			x = NewExchanges(l)
			x.Take(context.Background())
		}
		if x.Len() != n/2 || x.At(x.Len()-1).State != ExchangeOK {
			b.Fatalf("%d exchanges", x.Len())
		}
		reportMS(b, 0)
	})
	b.Run("order", func(b *testing.B) { benchOrder(b, l) })
}
