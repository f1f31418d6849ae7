package view

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/recorder/diff"
	"mcploupe/recorder/replay"
	"mcploupe/session"
	"mcploupe/ui/settings"
	"mcploupe/ui/view/human"
)

// replayRun is one run of a replay. Replay.mu guards it.
type replayRun struct {
	conn     *Conn
	server   settings.Server
	revision string
	recorded string // revision that the recording speaks

	began, ended time.Time
	results      map[int]replay.Result // by call
	playing      bool
	step         replay.Step // the newest
	steps        int         // messages that were about to be sent
	of           int
	paused       bool
	stopped      bool // by the person
	waits        *waitingStep
	cancel       context.CancelFunc // of the playing
	asked        []ReplayQuestion
	more         int // questions that are not kept
	sum          *replay.Summary
	path         string        // the new recording
	log          *recorder.Log // a look of its own at it, once it is closed
}

// waitingStep is a message that waits for the person.
type waitingStep struct {
	step  replay.Step
	text  string // as it is shown
	reply chan replay.Decision
}

func (run *replayRun) close() error {
	if run.log == nil {
		return nil
	}
	return run.log.Close()
}

// maxAsked bounds the questions of a server that are kept.
const maxAsked = 1000

// Begin takes the choices for a run and returns the server to connect to and how,
// based on the options of a connection. The caller makes the connection, hands
// it to Started and connects it: the run begins when it is ready.
func (r *Replay) Begin(o ConnOptions) (settings.Server, ConnOptions, error) {
	server, _, err := r.Target()
	if err != nil {
		return server, o, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.phase != ReplayReady && r.phase != ReplayEnded:
		return server, o, errors.New("a run is under way, or the recording is not read yet")
	case r.rulesErr != "":
		return server, o, errors.New("the rules of what to ignore: " + r.rulesErr)
	case r.rulesAt != "" && r.rules == nil:
		return server, o, errors.New("the rules of what to ignore are still being read")
	}
	server.ID = "" // it is a connection beside that of the saved server
	server.Target.Name = "replay on " + TitleOf(server.Target)
	server.Roots, server.Live, server.Off = nil, settings.Live{}, nil
	recorded := RevisionRecorded
	if v := r.plan.Revision(); v != nil {
		recorded = v.Name
	}
	auto := r.revision == RevisionAuto
	server.Target.Revision = ""
	if !auto && r.revision != RevisionRecorded {
		server.Target.Revision = r.revision
	}
	plan := r.plan
	open := o.Open
	if open == nil {
		open = session.Open
	}
	o.Capabilities = plan.Capabilities()
	o.Open = func(ctx context.Context, t session.Target, so session.Options) (*session.Session, error) {
		if auto {
			so.Capabilities, so.AskRoots = plan.Capabilities(), true
			return open(ctx, t, so)
		}
		return session.OpenReplay(ctx, t, plan, so)
	}
	o.Ready = r.play
	if r.run != nil {
		old := r.run
		r.work.Go(func() { _ = old.close() }) // it was only read
	}
	r.run = &replayRun{server: server, revision: r.revision, recorded: recorded, results: make(map[int]replay.Result), paused: r.pace == PaceStep, cancel: func() {}}
	r.phase, r.why = ReplayConnecting, ""
	return server, o, nil
}

// Started takes the connection of the run that was begun.
func (r *Replay) Started(c *Conn) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.run.conn, r.run.began = c, r.o.Now()
}

// play is the run itself, as what the connection does when it is ready.
func (r *Replay) play(ctx context.Context, sess *session.Session) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	r.mu.Lock()
	run := r.run
	if r.closed {
		r.mu.Unlock()
		return
	}
	r.work.Add(1)
	defer r.work.Done()
	if r.phase != ReplayConnecting || run.playing {
		r.mu.Unlock()
		_ = sess.RefreshAll(ctx) // connected once more by the person: what went wrong is in its lists
		return
	}
	run.playing, run.cancel = true, stop
	r.phase = ReplayRunning
	run.began = r.o.Now()
	o := replay.RunOptions{StopAtDifference: r.stop, Diff: diff.Options{Rules: r.rules},
		Next: r.next, OnResult: r.took, OnQuestion: r.question, LeaveOpen: true}
	if r.pace == PaceRecorded {
		o.Pace = replay.AsRecorded
	}
	if run.stopped {
		stop()
	}
	plan := r.plan
	r.mu.Unlock()
	r.o.Changed()
	sum, err := replay.Run(ctx, plan, sess.ReplayTarget(), o)
	r.mu.Lock()
	run.sum, run.waits = sum, nil
	if err != nil {
		r.why = line(err.Error(), 600)
	}
	if run.stopped {
		r.why = ""
		if sum != nil && sum.Stopped == "" {
			sum.Stopped = "stopped by hand"
		}
	}
	if sum != nil {
		for _, res := range sum.Results {
			run.results[res.Call] = res
		}
	}
	if log := sess.ReplayTarget().Log(); log != nil {
		run.path = log.Path()
	}
	r.finish(run)
	r.mu.Unlock()
	r.o.Changed()
}

// finish ends the run. r.mu is held.
func (r *Replay) finish(run *replayRun) {
	r.phase, run.ended = ReplayEnded, r.o.Now()
	r.calls.fill(run)
}

// Take notices that the connection of a run was not made or went away before the
// run could begin. The window calls it once a flush.
func (r *Replay) Take() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.phase != ReplayConnecting || r.run.conn == nil {
		return
	}
	switch phase, why := r.run.conn.Phase(); phase {
	case Failed, Lost, Disconnected:
		r.why = "no connection: " + line(why, 500)
		r.run.path = r.run.conn.Path()
		r.finish(r.run)
	}
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

// took takes a result, from the run.
func (r *Replay) took(res replay.Result) {
	r.mu.Lock()
	r.run.results[res.Call] = res
	if len(r.calls.words) > 0 {
		r.calls.fill(r.run)
	}
	r.mu.Unlock()
	r.o.Changed()
}

// ReplayQuestion is something that the server asked during a run.
type ReplayQuestion struct {
	Method string
	About  string // the message or the prompt
	From   uint64 // event of the recorded question whose answer was given, 0 for none
	Answer string // on one line, "" when the person is asked
	Key    uint64 // as in session.Ask
}

// question takes a question of the server, from the run.
func (r *Replay) question(q replay.Asked) {
	r.mu.Lock()
	row := ReplayQuestion{Method: line(q.Method, 60), About: line(aboutQuestion(q.Method, q.Params), 200), From: q.Seq, Key: q.Key}
	if !q.Open {
		answer := q.Result
		if answer == nil {
			answer = q.Fault
		}
		row.Answer = line(string(answer[:min(len(answer), 400)]), 200)
	}
	if len(r.run.asked) < maxAsked {
		r.run.asked = append(r.run.asked, row)
	} else {
		r.run.more++
	}
	r.mu.Unlock()
	r.o.Changed()
}

// aboutQuestion is what a question of the server says.
func aboutQuestion(method string, params jsontext.Value) string {
	switch method {
	case protocol.MethodElicit:
		return protocol.DecodeElicitation(params, nil).Message
	case protocol.MethodSampling:
		return SamplingOf(params).Brief(200)
	}
	return ""
}

// Questions are what the server asked during the last run. The slice is shared:
// do not change it.
func (r *Replay) Questions() (asked []ReplayQuestion, more int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.run == nil {
		return nil, 0
	}
	return r.run.asked[:len(r.run.asked):len(r.run.asked)], r.run.more
}

// ReplayStep is the message that waits for the person.
type ReplayStep struct {
	Title    string // "3 of 12: tools/call echo"
	Text     string // for the editor, "" when there is nothing to edit
	Editable bool
	Number   int // of the message in the run, from 1
	Call     int // index into the plan, -1 for none
}

// ReplayState is a replay at one moment, for the page.
type ReplayState struct {
	Phase     ReplayPhase
	Why       string
	Glyph     string
	Tone      Tone
	Line      string      // what is going on, or came of it
	Detail    string      // more of it, "" for none
	Share     float64     // of the reading or the run that is done
	Paused    bool        // or about to be
	Step      *ReplayStep // nil when none waits
	Call      int         // that was begun last, -1 for none
	Elapsed   string
	Conn      *Conn  // of the last run, nil before there was one
	Outcome   string // path of the new recording, "" before there is one
	Keep      bool   // the connection stays open
	Different int    // outcomes that are a difference
	Unread    bool   // nothing was recorded that could be sent
}

// State is the replay as it is now.
func (r *Replay) State() ReplayState {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := ReplayState{Phase: r.phase, Why: r.why, Call: -1, Glyph: "▤", Tone: Muted, Keep: r.keep}
	run := r.run
	if run != nil {
		s.Conn, s.Outcome, s.Paused = run.conn, run.path, run.paused
		for _, res := range run.results {
			if res.Outcome.Differs() {
				s.Different++
			}
		}
		if !run.began.IsZero() {
			until := run.ended
			if until.IsZero() {
				until = r.o.Now()
			}
			unit := 100 * time.Millisecond
			if until.Sub(run.began) < time.Second {
				unit = time.Millisecond
			}
			s.Elapsed = human.Duration(until.Sub(run.began).Truncate(unit))
		}
	}
	switch r.phase {
	case ReplayLoading:
		s.Glyph, s.Tone, s.Line = "◌", Caution, "Reading the recording …"
		if r.size > 0 {
			s.Share = float64(r.read) / float64(r.size)
			s.Line = "Reading the recording: " + human.Bytes(r.read) + " of " + human.Bytes(r.size)
		}
	case ReplayBroken:
		s.Glyph, s.Tone, s.Line, s.Detail = "✕", Bad, "The recording cannot be replayed", r.why
	case ReplayReady:
		s.Line = "Ready"
		s.Unread = len(r.plan.Calls) == 0
		if s.Unread {
			s.Line = "There is nothing to replay: no message of a client was recorded"
		}
	case ReplayConnecting:
		s.Glyph, s.Tone, s.Line = "◌", Caution, "Connecting to "+TitleOf(run.server.Target)
	case ReplayRunning:
		run.say(&s)
	case ReplayEnded:
		run.sayEnd(&s, r.why)
	}
	return s
}

// say tells how a run is going.
func (run *replayRun) say(s *ReplayState) {
	s.Glyph, s.Tone = "▸", Caution
	if run.of > 0 {
		s.Share = float64(run.steps-1) / float64(run.of)
	}
	if run.steps == 0 {
		s.Line = "Beginning"
		return
	}
	s.Call = run.step.Call
	name := line(run.step.Method, 60)
	s.Line = fmt.Sprintf("Message %s of %s: %s", human.Count(run.steps), human.Count(run.of), name)
	switch {
	case run.waits != nil:
		s.Glyph = "‖"
		s.Line = "Waits before message " + human.Count(run.steps) + " of " + human.Count(run.of)
		s.Step = &ReplayStep{Title: name, Text: run.waits.text, Editable: run.waits.step.Raw != nil, Number: run.steps, Call: run.step.Call}
	case run.paused:
		s.Line += ", then it waits"
	}
}

// OpenQuestion is the first question of the server that the recording has no
// answer to and that still waits for the person.
func (r *Replay) OpenQuestion() (q ReplayQuestion, waits int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.run == nil || r.run.conn == nil {
		return q, 0
	}
	if phase, _ := r.run.conn.Phase(); !phase.Live() || r.phase != ReplayRunning && !r.keep {
		return q, 0
	}
	open := map[uint64]bool{}
	for _, a := range r.run.conn.State().Asks {
		open[a.Key] = a.State == session.AskOpen
	}
	for _, asked := range r.run.asked {
		if asked.Answer == "" && open[asked.Key] {
			if waits++; waits == 1 {
				q = asked
			}
		}
	}
	return q, waits
}
