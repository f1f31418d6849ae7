package view

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"mcploupe/recorder"
)

// feedHarness is a feed whose goroutines a test waits for.
type feedHarness struct {
	*Feed
	t    *testing.T
	mark chan struct{}
}

func newFeed(t *testing.T, log *recorder.Log, logs bool) *feedHarness {
	t.Helper()
	h := &feedHarness{t: t, mark: make(chan struct{}, 1)}
	var work sync.WaitGroup
	run := func(f func(context.Context)) { work.Go(func() { f(context.Background()) }) }
	h.Feed = NewFeed(log, logs, run, func() {
		select {
		case h.mark <- struct{}{}:
		default:
		}
	})
	t.Cleanup(func() {
		h.Close()
		work.Wait()
	})
	return h
}

func (h *feedHarness) await(what string, ok func() bool) {
	h.t.Helper()
	late := time.NewTimer(20 * time.Second)
	defer late.Stop()
	for {
		h.Take()
		if ok() {
			return
		}
		select {
		case <-h.mark:
		case <-late.C:
			h.t.Fatalf("no %s: %s %s", what, h.Said(), h.Problem())
		}
	}
}

func (h *feedHarness) seqs() string {
	var out []string
	for i := range h.Rows() {
		out = append(out, fmt.Sprint(h.Seq(i)))
	}
	return strings.Join(out, " ")
}

const (
	updated = `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"file:///a"}}`
	custom  = `{"jsonrpc":"2.0","method":"notifications/x/custom","params":{}}`
)

// Everything that comes unasked is shown, methods that nobody knows too (case
// 125), and nothing else.
func TestFeedShowsWhatComesUnasked(t *testing.T) {
	log := newLog(t)
	message(log, recorder.Out, 1, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	message(log, recorder.In, 2, `{"jsonrpc":"2.0","id":1,"result":{}}`)
	message(log, recorder.In, 3, custom)
	message(log, recorder.In, 4, updated)
	message(log, recorder.In, 5, `{"jsonrpc":"2.0","id":"q","method":"roots/list"}`)
	message(log, recorder.Out, 6, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	message(log, recorder.In, 7, updated)
	f := newFeed(t, log, false)
	f.await("four rows", func() bool { return f.Rows() == 4 })
	if got := f.seqs(); got != "3 4 5 7" {
		t.Errorf("events %s", got)
	}
	kinds := f.Kinds()
	if len(kinds) != 3 || kinds[0] != (FeedKind{"notifications/x/custom", 1, false}) || kinds[1].Count != 2 {
		t.Errorf("kinds %+v", kinds)
	}
	f.SetKind(1, false)
	if got := f.seqs(); got != "3 5" {
		t.Errorf("without updates: %s", got)
	}
	f.OnlyKind(1)
	if got := f.seqs(); got != "4 7" {
		t.Errorf("updates alone: %s", got)
	}
	f.OnlyKind(1)
	if f.Rows() != 4 || f.RowOf(5) != 2 || f.RowOf(6) != -1 {
		t.Errorf("all again: %s", f.seqs())
	}
}

// A pause and Clear concern the view; the recording goes on.
func TestFeedPauseAndClear(t *testing.T) {
	log := newLog(t)
	message(log, recorder.In, 1, updated)
	f := newFeed(t, log, false)
	f.await("a row", func() bool { return f.Rows() == 1 })
	f.Pause(true)
	message(log, recorder.In, 2, updated)
	message(log, recorder.In, 3, custom)
	f.await("what came meanwhile", func() bool { return f.Total() == 3 })
	if f.Rows() != 1 || !strings.Contains(f.Said(), "2 came since the pause") {
		t.Errorf("%d rows, %q", f.Rows(), f.Said())
	}
	f.Pause(false)
	if f.Rows() != 3 {
		t.Errorf("%d rows after the pause", f.Rows())
	}
	f.Clear()
	message(log, recorder.In, 4, custom)
	f.await("the new one", func() bool { return f.Total() == 4 })
	if f.seqs() != "4" || f.Cleared() != 3 {
		t.Errorf("after Clear: %s, %d cleared", f.seqs(), f.Cleared())
	}
	f.All()
	if f.Rows() != 4 || log.Len() != 4 {
		t.Errorf("%d rows, %d events", f.Rows(), log.Len())
	}
}

func TestFeedText(t *testing.T) {
	log := newLog(t)
	for i := range 50 {
		message(log, recorder.In, time.Duration(i), fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/x","params":{"n":"number-%d"}}`, i))
	}
	f := newFeed(t, log, false)
	f.SetText("number-4 -number-41")
	f.await("the matches", func() bool { return f.seqs() == "5 41 43 44 45 46 47 48 49 50" })
	message(log, recorder.In, 99, `{"jsonrpc":"2.0","method":"notifications/x","params":{"n":"number-4"}}`)
	f.await("the new match", func() bool { return f.RowOf(51) == 10 })
	f.SetText("kind:")
	if f.Problem() == "" || f.Rows() != 11 {
		t.Errorf("half a filter: problem %q, %d rows", f.Problem(), f.Rows())
	}
	f.SetText("")
	if f.Rows() != 51 || f.Problem() != "" {
		t.Errorf("without a filter %d rows, %q", f.Rows(), f.Problem())
	}
}

// Log messages are told apart by level, logger and text; data may be any JSON
// (LOG-05, LOG-06; case 126).
func TestLogFeed(t *testing.T) {
	log := newLog(t)
	for i, params := range []string{
		`{"level":"debug","logger":"db","data":"opened"}`, `{"level":"error","logger":"db","data":{"code":9007199254740993}}`,
		`{"level":"warning","data":["a"]}`, `{"level":"loud","logger":"x","data":null}`,
	} {
		message(log, recorder.In, time.Duration(i), `{"jsonrpc":"2.0","method":"notifications/message","params":`+params+`}`)
	}
	message(log, recorder.In, 9, updated)
	f := newFeed(t, log, true)
	f.await("four rows", func() bool { return f.Rows() == 4 })
	if l := f.Levels(); l != [9]uint64{1, 0, 0, 1, 1, 0, 0, 0, 1} {
		t.Errorf("levels %v", l)
	}
	f.SetLeast(4)
	if f.seqs() != "2 4" { // what is of no known level is not hidden
		t.Errorf("errors: %s", f.seqs())
	}
	f.SetLeast(0)
	f.SetLogger(0)
	if f.seqs() != "1 2" || strings.Join(f.Loggers(), "|") != "db||x" {
		t.Errorf("logger db: %s of %q", f.seqs(), f.Loggers())
	}
	r := LogRowOf(log, 2)
	if r.Level != "error" || r.Tone != Bad || r.Text != `{"code":9007199254740993}` || !r.JSON {
		t.Errorf("row %+v", r)
	}
	data, isJSON, err := LogData(log, 2)
	if err != nil || !isJSON || string(data) != `{"code":9007199254740993}` {
		t.Errorf("data %s %v %v", data, isJSON, err)
	}
	if data, isJSON, _ := LogData(log, 1); string(data) != "opened" || isJSON {
		t.Errorf("data %s %v", data, isJSON)
	}
}

// Methods beyond the bound share a place, so that a server cannot make the feed
// grow by inventing names.
func TestFeedBoundsItsNames(t *testing.T) {
	log := newLog(t)
	for i := range 300 {
		message(log, recorder.In, time.Duration(i), fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/%d"}`, i))
		message(log, recorder.In, time.Duration(i), fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"l%d","data":1}}`, i*2))
	}
	f := newFeed(t, log, false)
	f.await("all", func() bool { return f.Rows() == 600 })
	kinds := f.Kinds()
	if len(kinds) != maxFeedKinds || kinds[maxFeedKinds-1].Method != feedOther || kinds[maxFeedKinds-1].Count != 300-(maxFeedKinds-2) {
		t.Errorf("%d kinds, the last %+v", len(kinds), kinds[len(kinds)-1])
	}
}
