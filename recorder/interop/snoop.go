package interop

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/recorder"
)

// snoopMembers are the members of a line of mcpsnoop that have their place in
// an event; all others are kept beside it, under snoopExtra.
var snoopMembers = []string{"session_id", "server_label", "seq", "ts", "direction", "transport", "raw", "text"}

const snoopExtra = "mcpsnoop"

// snoop reads the log of mcpsnoop.
func (s *sink) snoop(r io.Reader) error {
	session, next := "", uint64(0)
	return eachLine(skipMark(r), maxValue, func(n int, line []byte, cut bool) error {
		where := fmt.Sprintf("line %d", n)
		if cut {
			return s.skip(time.Time{}, where, errTooLong.Error(), line, nil)
		}
		if !jsontext.Value(line).IsValid(tolerant...) {
			return s.skip(time.Time{}, where, "no JSON", line, nil)
		}
		m := members(line)
		at, err := time.Parse(time.RFC3339Nano, text(m["ts"]))
		if err != nil {
			at = s.prior
			s.rule("Lines without a readable time have that of the line before.")
		}
		if at.Before(s.prior) {
			at = s.prior
			s.rule("The order is that of the file; a time before that of the line before it is raised to that.")
		}
		if id := text(m["session_id"]); id != session {
			if session != "" {
				if err := s.note(at, "here begins another session of the imported file: "+id, nil); err != nil {
					return err
				}
			}
			session, next = id, 0
		}
		seq, err := strconv.ParseUint(string(m["seq"]), 10, 64)
		if err == nil && next != 0 && seq > next {
			s.remark(where, fmt.Sprintf("%d lines before it are missing by their numbers", seq-next))
			if err := s.note(at, fmt.Sprintf("the imported file has lost %d lines here", seq-next), nil); err != nil {
				return err
			}
		}
		next = seq + 1
		return s.snoopLine(where, at, line, m)
	})
}

func (s *sink) snoopLine(where string, at time.Time, line []byte, m map[string]jsontext.Value) error {
	e := recorder.Event{Channel: text(m["transport"]), Extra: snoopRest(line)}
	if e.Channel == "" {
		e.Channel = "stdio"
	}
	if s.target.Transport == "" {
		s.target.Transport = e.Channel
	}
	if s.target.Name == "" {
		s.target.Name = text(m["server_label"])
	}
	switch direction := text(m["direction"]); direction {
	case "c2s", "s2c":
		e.Dir = recorder.In
		if direction == "c2s" {
			e.Dir = recorder.Out
		}
		switch raw := m["raw"]; {
		case len(raw) > 0 && string(raw) != "null":
			e.Kind, e.Data = recorder.KindMessage, slices.Clone(raw)
		case len(m["text"]) > 0:
			e.Kind, e.Data = recorder.KindBad, []byte(text(m["text"]))
		default:
			return s.skip(at, where, "neither raw nor text", line, nil)
		}
	case "stderr":
		e.Kind, e.Dir, e.Data = recorder.KindStderr, recorder.In, []byte(text(m["text"]))
	case "meta":
		meta := members(m["raw"])
		change := &recorder.StateChange{State: "starting"}
		for i, word := range protocol.Elements(meta["command"]) {
			if i == 0 {
				s.target.Command = text(word)
			} else {
				s.target.Args = append(s.target.Args, text(word))
			}
		}
		s.target.Dir = text(meta["cwd"])
		change.Detail = string(s.masker.Text([]byte(s.target.Command)))
		e.Kind, e.Dir, e.Fields = recorder.KindState, recorder.Out, change
	default:
		return s.skip(at, where, "no direction that is known", line, nil)
	}
	_, err := s.add(at, e, nil)
	return err
}

// snoopRest is what a line says besides.
func snoopRest(line []byte) jsontext.Value {
	var rest []byte
	for name, value := range protocol.Members(line) {
		if !slices.Contains(snoopMembers, name) {
			rest = append(append(append(append(rest, ','), protocol.QuoteString(name)...), ':'), value...)
		}
	}
	if rest == nil {
		return nil
	}
	rest[0] = '{'
	return append(append([]byte(`{"`+snoopExtra+`":`), rest...), "}}"...)
}

// exportSnoop writes a log as mcpsnoop does.
func exportSnoop(ctx context.Context, w io.Writer, l *recorder.Log, o recorder.ExportOptions) (recorder.ExportReport, error) {
	x, err := recorder.NewExporter(ctx, w, l, o)
	if err != nil {
		return recorder.ExportReport{}, err
	}
	h := x.Header()
	label := h.Target.Name
	if label == "" {
		label = "server"
	}
	session := "mcploupe-" + strconv.FormatInt(h.Created.UnixNano(), 36)
	transport := "stdio"
	if h.Target.Transport != "stdio" {
		transport = "http"
	}
	number := 0
	for i := range x.Len() {
		e, err := x.Read(x.At(i))
		if err != nil {
			return x.Report(), err
		}
		direction := map[recorder.Direction]string{recorder.Out: "c2s", recorder.In: "s2c"}[e.Dir]
		var member string
		var value jsontext.Value
		switch {
		case e.Kind == recorder.KindMessage && direction != "" && jsontext.Value(e.Data).IsValid(jsontext.AllowDuplicateNames(true)):
			member, value = "raw", e.Data
			if oneLine := protocol.Compact(value); len(oneLine) != len(value) && !onOneLine(value) {
				value = oneLine
				x.Lose("message's own layout", "messages' own layouts", 1)
			}
		case (e.Kind == recorder.KindMessage || e.Kind == recorder.KindBad) && direction != "" && utf8.Valid(e.Data):
			member, value = "text", protocol.QuoteString(string(e.Data))
		case e.Kind == recorder.KindStderr && utf8.Valid(e.Data):
			direction, member, value = "stderr", "text", protocol.QuoteString(string(e.Data))
		default:
			x.LoseEvent(x.Log.Head(e.Seq))
		}
		if member != "" {
			line := fmt.Appendf(nil, `{"session_id":%s,"server_label":%s,"seq":%d,"ts":"%s","direction":"%s","transport":"%s","%s":`,
				protocol.QuoteString(session), protocol.QuoteString(label), number, h.Created.Add(e.Time).UTC().Format(time.RFC3339Nano), direction, transport, member)
			line = append(line, value...)
			if rest, _, ok := protocol.Lookup(e.Extra, "/"+snoopExtra); ok && len(rest) > 2 && rest.Kind() == '{' {
				line = append(append(line, ','), rest[1:len(rest)-1]...)
			}
			if _, err := x.Write(append(line, "}\n"...)); err != nil {
				return x.Report(), err
			}
			number++
			x.Wrote(e.Kind)
		}
		if err := x.Did(ctx, i); err != nil {
			return x.Report(), err
		}
	}
	return x.Report(), x.Flush()
}

// onOneLine reports whether a value stands on one line.
func onOneLine(v jsontext.Value) bool {
	return !slices.Contains(v, '\n') && !slices.Contains(v, '\r')
}
