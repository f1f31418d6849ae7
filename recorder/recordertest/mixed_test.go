package recordertest

import (
	"context"
	"path/filepath"
	"testing"

	"mcploupe/recorder"
)

// What benchmarks are measured on has to have a bit of everything.
func TestMixedHasABitOfEverything(t *testing.T) {
	const n = 20_000
	log, err := Create(filepath.Join(t.TempDir(), "x"+recorder.Ext), n)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := log.Close(); err != nil {
			t.Error(err)
		}
	}()
	if log.Len() != n {
		t.Fatalf("%d events, want %d", log.Len(), n)
	}
	x := log.Exchanges()
	x.Take(context.Background())
	states := map[recorder.ExchangeState]int{}
	waited, many := 0, 0
	for i := range x.Len() {
		e := x.At(i)
		states[e.State]++
		if e.Waited > 0 {
			waited++
		}
		if e.Events > 4 {
			many++
		}
	}
	for _, s := range []recorder.ExchangeState{recorder.ExchangeOK, recorder.ExchangeToolError, recorder.ExchangeError, recorder.ExchangeCancelled} {
		if states[s] == 0 {
			t.Errorf("no exchange is %s", s)
		}
	}
	if waited == 0 || many < n/100 {
		t.Errorf("%d exchanges waited, %d have many events", waited, many)
	}
	kinds := map[recorder.EventKind]int{}
	for seq := uint64(1); seq <= n; seq++ {
		kinds[log.Head(seq).Kind]++
	}
	for _, k := range []recorder.EventKind{recorder.KindMessage, recorder.KindBad, recorder.KindStderr, recorder.KindState} {
		if kinds[k] == 0 {
			t.Errorf("no event is %s", k)
		}
	}
}
