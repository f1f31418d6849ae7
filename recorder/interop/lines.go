package interop

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/recorder"
)

const (
	noTimesRule = "The file has no times: events are one nanosecond apart, and durations mean nothing."
	compactRule = "Messages that stand on several lines are put on one; blanks between their tokens are left out."
)

// lines reads JSON-RPC messages, one a line.
func (s *sink) lines(r io.Reader) error {
	s.rule(directionRule)
	s.rule(noTimesRule)
	return eachLine(skipMark(r), maxValue, func(n int, line []byte, cut bool) error {
		where := fmt.Sprintf("line %d", n)
		if cut {
			return s.skip(time.Time{}, where, errTooLong.Error(), line, nil)
		}
		if len(bytes.TrimSpace(line)) == 0 {
			return nil
		}
		return s.bare(where, line, "stdio")
	})
}

// array reads a JSON array of messages.
func (s *sink) array(r io.Reader) error {
	s.rule(directionRule)
	s.rule(noTimesRule)
	return s.ended(newValueReader(skipMark(r)).elements(func(n int, v jsontext.Value) error {
		return s.bare(fmt.Sprintf("entry %d", n), s.oneLine(v), "stdio")
	}))
}

// oneLine takes the breaks and blanks of a file's layout out of a message.
func (s *sink) oneLine(v jsontext.Value) []byte {
	if bytes.ContainsAny(v, "\r\n") {
		s.rule(compactRule)
		return protocol.Compact(v)
	}
	return v
}

// bare adds a message of which nothing is known but its bytes.
func (s *sink) bare(where string, b []byte, channel string) error {
	m := protocol.Parse(b)
	if messageKind(b) == recorder.KindBad {
		return s.skip(time.Time{}, where, "no JSON", b, nil)
	}
	if m.Kind == protocol.Invalid {
		s.remark(where, "JSON, but no JSON-RPC message")
	}
	_, err := s.add(time.Time{}, recorder.Event{Kind: recorder.KindMessage, Dir: s.direction(m), Channel: channel, Data: bytes.Clone(b)}, nil)
	return err
}

// remark notes what is odd and yet in the recording as it is.
func (s *sink) remark(where, why string) {
	s.report.SkippedN++
	if len(s.report.Skipped) < maxRemarks {
		s.report.Skipped = append(s.report.Skipped, Remark{where, why})
	}
}

// copyRecording copies a recording of this program.
func (s *sink) copyRecording(r io.Reader) (err error) {
	f, err := os.CreateTemp("", "mcploupe-*"+recorder.Ext)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.Remove(f.Name())) }()
	_, err = io.Copy(f, r)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	l, err := recorder.OpenContext(s.ctx, f.Name(), nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	if s.log == nil {
		if s.log, err = s.create(l.Header()); err != nil {
			return err
		}
	}
	if l.Repaired() != "" {
		s.remark("end", l.Repaired())
	}
	places := make([]uint64, l.Len()+1)
	for seq := uint64(1); seq <= l.Len() && s.ctx.Err() == nil; seq++ {
		e, err := l.Read(seq, 0)
		if err != nil {
			return err
		}
		if e.Cause < uint64(len(places)) {
			e.Cause = places[e.Cause]
		}
		e.Time = max(e.Time, 1)
		if places[seq] = s.log.Append(e); places[seq] == 0 {
			return fmt.Errorf("event %d: %w", seq, errors.Join(s.log.Err(), recorder.ErrReadOnly))
		}
		s.report.Events++
		if e.Kind == recorder.KindMessage {
			s.report.Messages++
		}
	}
	return s.ctx.Err()
}
