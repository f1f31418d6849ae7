package cli

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/recorder"
	"mcploupe/ui/view/human"
	"mcploupe/ui/view/safe"
)

func showStats(ctx context.Context, inv *invocation, log *recorder.Log, f *recorder.Filter) (int, error) {
	s, err := recorder.NewStats(ctx, log, f, nil)
	if err != nil {
		return ExitFailed, err
	}
	if inv.opts.json {
		return ExitOK, printValue(inv.Out, statsValue(s))
	}
	printStats(inv.Out, s)
	return ExitOK, nil
}

// eventKinds are the kinds of events in the order in which they are listed.
var eventKinds = []recorder.EventKind{
	recorder.KindMessage, recorder.KindBad, recorder.KindStderr, recorder.KindHTTP, recorder.KindSSE, recorder.KindState, recorder.KindNote, 0,
}

func kindWord(k recorder.EventKind) string {
	if k == 0 {
		return "unknown"
	}
	return k.String()
}

func printStats(w io.Writer, s recorder.Stats) {
	var kinds []string
	for _, k := range eventKinds {
		if n := s.Events[k]; n > 0 {
			kinds = append(kinds, human.Count(n)+" "+kindWord(k))
		}
	}
	fmt.Fprintf(w, "events: %s\n", strings.Join(kinds, ", "))
	rows := [][]string{{"", "count", "errors", "p50", "p90", "p99", "max", "out", "in"}}
	add := func(name string, m recorder.MethodStats) {
		row := []string{name, human.Count(m.Count)}
		if m.Requests > 0 {
			row = append(row, human.Count(m.Errors))
		} else {
			row = append(row, "")
		}
		for _, d := range []time.Duration{m.P50, m.P90, m.P99, m.Max} {
			if m.Answered > 0 {
				row = append(row, human.Duration(d))
			} else {
				row = append(row, "")
			}
		}
		row = append(row, human.Bytes(m.BytesOut), human.Bytes(m.BytesIn))
		if open := m.Requests - m.Answered; open > 0 {
			row = append(row, human.Count(open)+" without an answer")
		}
		rows = append(rows, row)
	}
	for _, m := range s.Methods {
		way := "→ "
		if m.Dir == recorder.In {
			way = "← "
		}
		add(way+safe.Line(m.Method, 60), m)
	}
	if len(s.Tools) > 0 {
		rows = append(rows, nil)
		for _, m := range s.Tools {
			add("tool "+safe.Line(m.Name, 60), m)
		}
	}
	rows = append(rows, nil)
	add("all", s.Total)
	printTable(w, rows)
	if s.Others > 0 {
		fmt.Fprintf(w, "%s more are of methods and tools that found no row\n", human.Count(s.Others))
	}
}

// printTable aligns the first column to the left, the others to the right and
// what is beyond the first row's columns to the left again.
func printTable(w io.Writer, rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			if i < len(widths) {
				widths[i] = max(widths[i], len([]rune(cell)))
			}
		}
	}
	for _, row := range rows {
		var b strings.Builder
		for i, cell := range row {
			switch {
			case i == 0:
				b.WriteString(pad(cell, widths[0]))
			case i < len(widths):
				b.WriteString("  " + pad(cell, -widths[i]))
			default:
				b.WriteString("  " + cell)
			}
		}
		fmt.Fprintln(w, strings.TrimRight(b.String(), " "))
	}
}

func statsValue(s recorder.Stats) jsontext.Value {
	var d, events document
	for _, k := range eventKinds {
		if n := s.Events[k]; n > 0 {
			events.number(kindWord(k), int64(n))
		}
	}
	d.put("events", events.value())
	d.put("methods", statRows(s.Methods))
	d.put("tools", statRows(s.Tools))
	d.put("total", statValue(s.Total))
	if s.Others > 0 {
		d.number("others", int64(s.Others))
	}
	return d.value()
}

func statRows(rows []recorder.MethodStats) jsontext.Value {
	var all []jsontext.Value
	for _, m := range rows {
		all = append(all, statValue(m))
	}
	return array(all)
}

func statValue(m recorder.MethodStats) jsontext.Value {
	var d document
	d.text("direction", m.Dir.String())
	d.text("method", m.Method)
	d.text("name", m.Name)
	d.number("count", int64(m.Count))
	d.number("requests", int64(m.Requests))
	d.number("answered", int64(m.Answered))
	d.number("errors", int64(m.Errors))
	if m.Answered > 0 {
		d.number("p50Ns", int64(m.P50))
		d.number("p90Ns", int64(m.P90))
		d.number("p99Ns", int64(m.P99))
		d.number("maxNs", int64(m.Max))
	}
	d.number("bytesOut", m.BytesOut)
	d.number("bytesIn", m.BytesIn)
	return d.value()
}
