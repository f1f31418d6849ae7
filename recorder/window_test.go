package recorder_test

import (
	"bytes"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"mcploupe/recorder"
	"mcploupe/recorder/recordertest"
)

// In whatever order it is asked, a window gives what Read gives, of a recording
// that is written meanwhile too.
func TestWindowGivesWhatReadGives(t *testing.T) {
	log, err := recordertest.Create(filepath.Join(t.TempDir(), "w.mcp.jsonl"), 8_000)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = log.Close() })
	log.Append(recorder.Event{Dir: recorder.In, Kind: recorder.KindMessage, Data: []byte(`{"big":"` + string(bytes.Repeat([]byte("x"), 600<<10)) + `"}`)})
	r := rand.New(rand.NewPCG(1, 1))
	w := recorder.NewWindow(log)
	check := func(seq uint64, max int) {
		t.Helper()
		got, err := w.Data(seq, max)
		want, wantErr := log.Read(seq, max)
		if !bytes.Equal(got, want.Data) || (err == nil) != (wantErr == nil) {
			t.Fatalf("event %d: %.100q, %v; want %.100q, %v", seq, got, err, want.Data, wantErr)
		}
	}
	for seq := uint64(0); seq <= log.Len()+1; seq++ {
		check(seq, 1<<20)
	}
	for range 3000 {
		if r.IntN(10) == 0 {
			log.Append(recorder.Event{Dir: recorder.Out, Kind: recorder.KindMessage, Data: []byte(`{"jsonrpc":"2.0","method":"later"}`)})
		}
		check(1+r.Uint64N(log.Len()), 1+r.IntN(200))
	}
}
