package view

import (
	"context"
	"errors"
	"fmt"

	"mcploupe/protocol"
	"mcploupe/recorder/replay"
)

// waitingStep is a message that waits for the person.
type waitingStep struct {
	step  replay.Step
	text  string // as it is shown
	reply chan replay.Decision
}

// next is asked before each message, by the run.
func (r *Replay) next(ctx context.Context, s replay.Step) (replay.Decision, error) {
	r.mu.Lock()
	run := r.run
	run.step, run.steps, run.of = s, s.Index+1, s.Of
	if run.stopped {
		r.mu.Unlock()
		return replay.Decision{Verdict: replay.Stop}, nil
	}
	if !run.paused {
		r.mu.Unlock()
		r.o.Changed()
		return replay.Decision{}, nil
	}
	run.waits = &waitingStep{step: s, text: layoutOf(s.Raw), reply: make(chan replay.Decision, 1)}
	reply := run.waits.reply
	r.mu.Unlock()
	r.o.Changed()
	select {
	case d := <-reply:
		return d, nil
	case <-ctx.Done():
		return replay.Decision{Verdict: replay.Stop}, context.Cause(ctx)
	}
}

// maxLaidOut is the size of a message that is laid out in lines, in bytes.
const maxLaidOut = 1 << 20

func layoutOf(raw []byte) string {
	if len(raw) > maxLaidOut || !protocol.Valid(raw) {
		return string(raw)
	}
	return string(protocol.Indent(raw))
}

// decide answers the message that waits, if one does. r.mu is held.
func (run *replayRun) decide(d replay.Decision) {
	if run.waits != nil {
		run.waits.reply <- d
		run.waits = nil
	}
}

// Send sends the message that waits, with the text of the editor in its place,
// and waits again before the next. The error is for the person.
func (r *Replay) Send(text string) error { return r.release(text, true) }

// Resume sends the message that waits likewise, and goes on.
func (r *Replay) Resume(text string) error { return r.release(text, false) }

func (r *Replay) release(text string, pause bool) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.run == nil || r.phase != ReplayRunning {
		return nil
	}
	var d replay.Decision
	if w := r.run.waits; w != nil && text != w.text {
		raw, err := edited(text, w.step.Raw)
		if err != nil {
			return err
		}
		d.Raw = raw
	}
	r.run.paused = pause
	r.run.decide(d)
	return nil
}

// edited is what the person made of a message, on one line. Its id is what the
// answer is found by, so it must stay; all else may be wrong.
func edited(text string, was []byte) ([]byte, error) {
	if was == nil {
		return nil, errors.New("the connection finds its own words for this: there is nothing to edit")
	}
	one, ok := OneLine(text)
	if !ok {
		return nil, errors.New("this is not JSON")
	}
	before, after := protocol.Parse(was), protocol.Parse([]byte(one))
	if before.Kind == protocol.Request && after.ID != before.ID {
		return nil, fmt.Errorf("the id must stay %s: the answer is found by it", line(before.ID.String(), 60))
	}
	return []byte(one), nil
}

// Skip leaves out the message that waits.
func (r *Replay) Skip() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.run != nil {
		r.run.decide(replay.Decision{Verdict: replay.Skip})
	}
}

// Pause lets the run wait before the next message.
func (r *Replay) Pause() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.run != nil && r.phase == ReplayRunning {
		r.run.paused = true
	}
}

// Stop ends the run: what is under way is given up.
func (r *Replay) Stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.run == nil || !r.phase.Busy() {
		return
	}
	r.run.stopped = true
	if r.phase == ReplayConnecting && r.run.conn != nil {
		r.run.conn.Disconnect()
	}
	r.run.decide(replay.Decision{Verdict: replay.Stop})
	r.run.cancel()
}

// ReplayStep is the message that waits for the person.
type ReplayStep struct {
	Title    string // "3 of 12: tools/call echo"
	Text     string // for the editor, "" when there is nothing to edit
	Editable bool
	Number   int // of the message in the run, from 1
	Call     int // index into the plan, -1 for none
}
