package view

import (
	"context"
	"errors"
	"fmt"
	"time"

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

func (run *replayRun) close() error {
	if run.log == nil {
		return nil
	}
	return run.log.Close()
}

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
	o := replay.RunOptions{StopAtDifference: r.stop, Heads: r.heads, Diff: diff.Options{Rules: r.rules},
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
	Began     bool   // the last run came to play something, or is about to
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
		s.Began = r.phase != ReplayEnded || run.sum != nil
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
